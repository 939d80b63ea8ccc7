#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in mediump vec3 color[];
layout(location = 1) in highp vec2 place[];
layout(location = 2) in mediump float row[][2];
layout(location = 4) in mediump mat2 turn[];
layout(location = 6) flat in mediump ivec2 numbers[];
layout(location = 7) in Block
{
    mediump vec2 low;
    highp vec2 high;
} block[];
layout(location = 9, component = 1) in mediump float lone[];
layout(location = 9, component = 2) in highp float other[];

layout(location = 0) out mediump vec3 color_;
layout(location = 1) out highp vec2 place_;
layout(location = 2) out mediump float row_[2];
layout(location = 4) out mediump mat2 turn_;
layout(location = 6) flat out mediump ivec2 numbers_;
layout(location = 7) out Block
{
    mediump vec2 low;
    highp vec2 high;
} block_;
layout(location = 9, component = 1) out mediump float lone_;
layout(location = 9, component = 2) out highp float other_;

void main()
{
    for (int n = 0; n < 6; n++) {
        const int v = n % 3;
        gl_Position = gl_in[v].gl_Position * vec4(vec2(n < 3 ? 1.0 : 0.5), 1.0, 1.0);
        color_ = color[v];
        place_ = place[v];
        row_ = row[v];
        turn_ = turn[v];
        numbers_ = numbers[v] + ivec2(n / 3);
        block_.low = block[v].low;
        block_.high = block[v].high;
        lone_ = lone[v];
        other_ = other[v];
        EmitVertex();
        if (n == 2)
            EndPrimitive();
    }
}
