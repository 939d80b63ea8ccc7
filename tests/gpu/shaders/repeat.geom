#version 450
/* SPDX-License-Identifier: MIT
 * None to two squares of SIDE pixels, as the place says: few enough for the raster vertex shader. */
#ifndef SIDE
#define SIDE 3u
#endif
layout(points) in;
layout(triangle_strip, max_vertices = 8) out;
layout(location = 0) flat in uvec2 corner[];
layout(location = 1) flat in uint number[];
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push { uvec2 shift; uint tag; };

void main()
{
    uint squares = (corner[0].x + corner[0].y) % 3u;
    for (uint s = 0u; s < squares; s++) {
        for (uint i = 0u; i < 4u; i++) {
            uvec2 at = corner[0] + uvec2(s * 3u, s) + uvec2(i & 1u, i >> 1) * SIDE;
            gl_Position = vec4(vec2(at) / 32.0 - 1.0, 0.0, 1.0);
            value = number[0] * 16u + s * 4u + tag * 0x10000u + SIDE;
            EmitVertex();
        }
        EndPrimitive();
    }
}
