#version 450
/* SPDX-License-Identifier: MIT
 * A point becomes one strip of up to MOST triangle corners, in a cell of 32 x 64 pixels. It winds around itself, so that
 * triangles lie above others, and some of them face away. ENDS: the strip is ended. CUT: behind every so many vertices. */
#ifndef MOST /* where all shaders are compiled alike */
#define MOST 64
#endif
layout(points) in;
layout(triangle_strip, max_vertices = MOST) out;
#ifdef INVOCATIONS
layout(invocations = INVOCATIONS) in;
#endif
layout(location = 0) flat in uvec2 cell_shape[];
layout(location = 1) flat in uint cell[];
layout(location = 0) flat out uint value;
layout(location = 1) out float shade;
#ifdef CLIPS
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
};
#endif

/* Whole sixteenths of pixels, so that every rasterizer can be exact. */
vec2 corner(uint i, uint flags)
{
    uint turn = (flags & 1u) != 0u ? 12u - i * 5u % 12u : i * 5u % 12u;
    vec2 at = vec2(float(turn * 7u % 12u), float(turn * turn % 11u) * 2.0);
    vec2 wide = (flags & 2u) != 0u ? vec2(19.0, 11.0) : vec2(2.5, 2.5); /* beyond the picture */
    return vec2(3.25, 5.75) + at * wide + float(i >> 1);
}

void main()
{
    uint most = min(cell_shape[0].x, uint(MOST));
    vec2 origin = vec2(float(cell[0] % 8u) * 32.0, float(cell[0] / 8u % 4u) * 64.0);
    for (uint i = 0u; i < most; i++) {
        vec2 pixel = origin + corner(i + uint(gl_InvocationID), cell_shape[0].y);
        bool behind = (cell_shape[0].y & 4u) != 0u && i % 5u == 3u;
        gl_Position = vec4(pixel / 128.0 - 1.0, 0.5, behind ? -0.5 : 1.0);
        gl_PrimitiveID = int(cell[0] * 64u + i);
#ifdef CLIPS
        gl_ClipDistance[0] = float(i % 4u) - 1.0;
        gl_ClipDistance[1] = 12.0 - float(i);
        gl_CullDistance[0] = (i & 8u) == 0u ? 1.0 : -1.0;
#endif
#ifdef SIZED
        gl_PointSize = 1.0;
#endif
#ifdef VIEWPORTS
        gl_ViewportIndex = int(cell[0] & 1u);
#endif
        value = cell[0] * 64u + i + 1u;
        shade = float(i) / float(MOST);
        EmitVertex();
#ifdef CUT
        if (i % uint(CUT) == uint(CUT) - 1u)
            EndPrimitive();
#endif
    }
#ifdef ENDS
    EndPrimitive();
#endif
}
