#version 450
/* SPDX-License-Identifier: MIT
 * Each triangle, and a smaller one beside it; LAYER: in a layer of its own. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint tint[];
layout(location = 0) flat out uint value;

void main()
{
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_in[i].gl_Position;
            gl_Position.xy = gl_Position.xy * (1.0 - 0.5 * copy) + vec2(0.375 * copy);
            value = tint[i] * 16u + uint(copy);
#ifdef LAYER
            gl_Layer = copy;
#endif
            EmitVertex();
        }
        EndPrimitive();
    }
}
