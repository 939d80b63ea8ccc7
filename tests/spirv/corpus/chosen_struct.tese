#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
struct Part {
    vec2 a;
    float b[2];
    mat2 c;
};
layout(location = 0) in Part o[][6];
layout(location = 31) patch in float sum;

void main()
{
    const int i = int(gl_TessCoord.x * 3.0);
    Part x = o[i & 3][(i * 7) % 6];
    gl_Position = vec4(x.a.x, x.b[1], gl_TessLevelOuter[i & 3], sum);
}
