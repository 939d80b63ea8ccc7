#version 450
/* SPDX-License-Identifier: MIT
 * The same triangle, a little deeper. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint numbers[];
layout(location = 1) in vec2 places[];
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 place;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_Position.z += 0.0625 * gl_Position.w;
        number = numbers[0] + 64u;
        place = places[i];
        EmitVertex();
    }
    EndPrimitive();
}
