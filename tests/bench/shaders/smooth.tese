#version 450
/* SPDX-License-Identifier: MIT
 * T1: a point of the triangle. */
layout(triangles, equal_spacing, cw) in;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    precise vec4 place = vec4(0.0), mixed = vec4(0.0);
    for (int i = 0; i < 3; i++) {
        place += gl_TessCoord[i] * gl_in[i].gl_Position;
        mixed += gl_TessCoord[i] * color[i];
    }
    gl_Position = place;
    out_color = mixed;
}
