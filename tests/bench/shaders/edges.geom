#version 450
/* SPDX-License-Identifier: MIT
 * W3: a triangle becomes none to three lines: those of its edges that the tint of their vertex selects. */
layout(triangles) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    for (int i = 0; i < 3; i++) {
        if (color[i].x + color[(i + 1) % 3].y < 1.0)
            continue;
        gl_Position = gl_in[i].gl_Position;
        out_color = color[i];
        EmitVertex();
        gl_Position = gl_in[(i + 1) % 3].gl_Position;
        out_color = color[(i + 1) % 3];
        EmitVertex();
        EndPrimitive();
    }
}
