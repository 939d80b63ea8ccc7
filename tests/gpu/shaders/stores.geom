#version 450
/* SPDX-License-Identifier: MIT
 * Hands triangles on. Reads a buffer that it could write. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;
layout(set = 0, binding = 1) buffer Counters
{
    uvec4 counters[];
};

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        value = number[i] + counters[3].w;
        EmitVertex();
    }
}
