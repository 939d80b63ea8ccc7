#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in mediump vec3 colors[];
layout(location = 1) in highp vec2 places[];
layout(location = 2) in mediump vec2 rows[];
layout(location = 3) in mediump mat2 turns[];
layout(location = 5) in highp vec4 rest[];
layout(location = 6) patch in mediump ivec2 number;
layout(location = 7) patch in mediump vec2 lows[2];

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
    const vec3 at = gl_TessCoord;
    gl_Position = at.x * gl_in[0].gl_Position + at.y * gl_in[1].gl_Position + at.z * gl_in[2].gl_Position;
    const int near = at.x >= 0.5 ? 0 : at.y >= 0.5 ? 1 : 2;
    color = colors[near];
    place = places[near];
    row[0] = rows[near].x;
    row[1] = rows[near].y;
    turn = turns[near];
    numbers = number;
    block.low = lows[near & 1];
    block.high = rest[near].xy;
    lone = rest[near].z;
    other = rest[near].w;
}
