#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
layout(location = 0) in vec2 o[][30];
layout(location = 31) patch in float sum;

void main()
{
    const int i = int(gl_TessCoord.x * 3.0);
    vec2 x = o[i & 3][(i * 7) % 30];
    gl_Position = vec4(x.x, x.y, gl_TessLevelOuter[i & 3], sum);
}
