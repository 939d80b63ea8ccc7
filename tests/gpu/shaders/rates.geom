#version 450
#extension GL_EXT_fragment_shading_rate : require
/* SPDX-License-Identifier: MIT
 * Each triangle, and a smaller one in its place with another rate. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint next;

void main()
{
    for (uint copy = 0u; copy < 2u; copy++) {
        for (uint i = 0u; i < 3u; i++) {
            const uint rate = number[0] + copy * 3u;
            gl_Position = mix(gl_in[i].gl_Position, gl_in[0].gl_Position, 0.4 * float(copy));
            gl_PrimitiveShadingRateEXT = i == 0u ? int((rate & 1u) | (rate & 2u) << 1) : 0;
            next = number[0] + copy * 16u;
            EmitVertex();
        }
        EndPrimitive();
    }
}
