#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "multiview.glsl"
/* As many copies side by side as the view says, or two. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 9) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint shade;

void main()
{
#ifdef VIEW
    const uint copies = 1u + view_index % 3u;
#else
    const uint copies = 2u;
#endif
    for (uint i = 0u; i < copies; i++) {
        for (int k = 0; k < 3; k++) {
            shade = value[0] + 1000u * view_index;
            gl_Position = gl_in[k].gl_Position + vec4(float(i) * 0.25, 0.0, 0.0, 0.0);
            EmitVertex();
        }
        EndPrimitive();
    }
#ifdef STORES
    atomicAdd(primitives, 1u + uint(gl_PrimitiveIDIn));
#endif
}
