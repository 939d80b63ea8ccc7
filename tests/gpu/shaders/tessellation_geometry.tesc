#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) in vec4 outer_levels[];
layout(location = 1) in vec2 inner_levels[];

void main()
{
    for (int i = 0; i < 4; i++)
        gl_TessLevelOuter[i] = outer_levels[0][i];
    for (int i = 0; i < 2; i++)
        gl_TessLevelInner[i] = inner_levels[0][i];
}
