#version 450
/* SPDX-License-Identifier: MIT
 * LAYER: chooses another layer than the vertex shader in front of it, which chooses none any more.
 */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        value = number[i];
#ifdef LAYER
        gl_Layer = int(number[0] % 3u);
#endif
        EmitVertex();
    }
}
