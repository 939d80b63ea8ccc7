#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * W3: a triangle becomes none to three lines: those of its edges that the tint of their vertex selects. */
#include "salt.glsl"
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
        out_color = SALTED(color[i]);
        EmitVertex();
        gl_Position = gl_in[(i + 1) % 3].gl_Position;
        out_color = SALTED(color[(i + 1) % 3]);
        EmitVertex();
        EndPrimitive();
    }
}
