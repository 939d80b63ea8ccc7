#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
layout(location = 0) in float o[][31];
layout(location = 31) patch in float sum;

void main()
{
    const int i = int(gl_TessCoord.x * 3.0);
    float x = o[i & 3][(i * 7) % 31];
    gl_Position = vec4(x, x + 1.0, gl_TessLevelOuter[i & 3], sum);
}
