#version 450
/* SPDX-License-Identifier: MIT */
/* What is mediump goes into few bits, so that halves do. */
precision highp float;
precision highp int;
layout(location = 0) in mediump vec3 color;
layout(location = 1) in highp vec2 place;
layout(location = 2) in mediump float row[2];
layout(location = 4) in mediump mat2 turn;
layout(location = 6) flat in mediump ivec2 numbers;
layout(location = 7) in Block
{
    mediump vec2 low;
    highp vec2 high;
} block;
layout(location = 9, component = 1) in mediump float lone;
layout(location = 9, component = 2) in highp float other;
layout(location = 0) out uint result;

uint bits(const float value, const uint count)
{
    return uint(clamp(value, 0.0, 1.0) * float((1u << count) - 1u) + 0.5);
}

void main()
{
    const mediump vec2 turned = turn * vec2(row[0], row[1]);
    const highp vec2 apart = block.high - place; /* 1/1024 where neither lost bits */
    const bool high = all(lessThan(abs(apart - 1.0 / 1024.0), vec2(1.0 / 4096.0))) && other >= 0.0;
    result = 1u << 31 | (high ? 1u << 30 : 0u) | bits(color.x, 3) | bits(color.y, 3) << 3 | bits(color.z, 3) << 6 |
             bits(turned.x, 3) << 9 | bits(turned.y * 0.5, 3) << 12 | bits(block.low.x, 2) << 15 |
             bits(block.low.y, 3) << 17 | bits(lone, 3) << 20 | uint(numbers.x - numbers.y & 127) << 23;
}
