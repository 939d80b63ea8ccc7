#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
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

layout(location = 0) out mediump vec3 colors[];
layout(location = 1) out highp vec2 places[];
layout(location = 2) out mediump vec2 rows[];
layout(location = 3) out mediump mat2 turns[];
layout(location = 5) out highp vec4 rest[];
layout(location = 6) patch out mediump ivec2 number;
layout(location = 7) patch out mediump vec2 lows[2];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    colors[gl_InvocationID] = color[gl_InvocationID];
    places[gl_InvocationID] = place[gl_InvocationID];
    rows[gl_InvocationID] = vec2(row[gl_InvocationID][0], row[gl_InvocationID][1]);
    turns[gl_InvocationID] = turn[gl_InvocationID];
    rest[gl_InvocationID] = vec4(block[gl_InvocationID].high, lone[gl_InvocationID], other[gl_InvocationID]);
    number = numbers[0];
    lows[0] = block[0].low;
    lows[1] = block[1].low;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 2.0;
}
