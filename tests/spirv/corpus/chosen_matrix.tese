#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
layout(location = 0) in mat3x2 o[][9];
layout(location = 31) patch in float sum;

void main()
{
    const int i = int(gl_TessCoord.x * 3.0);
    mat3x2 x = o[i & 3][(i * 7) % 9];
    gl_Position = vec4(x[1].x, x[i & 1][i & 1], gl_TessLevelOuter[i & 3], sum);
}
