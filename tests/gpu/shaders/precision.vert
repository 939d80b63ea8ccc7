#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out mediump vec3 color;
layout(location = 1) out highp vec2 place;
layout(location = 2) out mediump float row[2];
layout(location = 4) out mediump mat2 turn;
layout(location = 6) flat out mediump ivec2 numbers;
layout(location = 7) out Block
{
    mediump vec2 low;
    highp vec2 high;
} block;
layout(location = 9, component = 1) out mediump float lone;
layout(location = 9, component = 2) out highp float other;

void main()
{
    const int k = gl_VertexIndex;
    const float angle = float(k) * 0.75;
    gl_Position = vec4(cos(angle) * (k % 3 == 0 ? 0.2 : 0.9), sin(angle) * (k % 2 == 0 ? 0.9 : 0.6), 0.5, 1.0);
    color = vec3(k & 1, k >> 1 & 1, k >> 2 & 1);
    place = gl_Position.xy * 64.0 + 0.25;
    row[0] = float(k & 3) * 0.25;
    row[1] = 1.0 - row[0];
    turn = mat2(0.5, 0.25, float(k & 1), 1.0);
    numbers = ivec2(k, -k);
    block.low = vec2(0.5, k & 1);
    block.high = place + 1.0 / 1024.0; /* for which a half has no room */
    lone = float(k % 5) * 0.125;
    other = float(k) * 1000.0 + 0.125;
}
