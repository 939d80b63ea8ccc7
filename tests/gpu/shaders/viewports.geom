#version 450
/* SPDX-License-Identifier: MIT
 * Each point to QUADS, LINES or POINTS in some of the viewports. STATIC: in two of them. LAYERS: quads in layers, too. */
layout(points) in;
#ifdef STATIC
#define COPIES 2u
#else
#define COPIES copies
#endif
#if defined(QUADS) || defined(LAYERS)
layout(triangle_strip, max_vertices = 32) out;
#define CORNERS 4
#elif defined(LINES)
layout(line_strip, max_vertices = 32) out;
#define CORNERS 3
#else
layout(points, max_vertices = 16) out;
#define CORNERS 1
#endif
layout(location = 0) flat in uvec2 value[];
layout(location = 1) in float half_side[];
layout(location = 0) flat out uint result;
layout(push_constant) uniform Push
{
    vec2 shift;
    uint viewport_count, step, copies, tint;
};

void main()
{
    for (uint i = 0u; i < COPIES; i++) {
        for (int corner = 0; corner < CORNERS; corner++) {
            gl_Position = gl_in[0].gl_Position;
#ifndef POINTS
            gl_Position.xy += (vec2(corner & 1, corner >> 1) * 2.0 - 1.0) * half_side[0];
#endif
#ifdef POINTS
            gl_PointSize = 5.0;
#endif
            gl_Position.z += 0.0625 * float(i);
            gl_ViewportIndex = int((value[0].y + i * step) % viewport_count);
#ifdef LAYERS
            gl_Layer = int((value[0].x + i) & 1u);
#endif
            result = value[0].x + i * 16u;
            EmitVertex();
        }
        EndPrimitive();
    }
}
