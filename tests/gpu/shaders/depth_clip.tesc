#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) flat in uint numbers_in[];
layout(location = 1) in vec2 places_in[];
layout(location = 0) out uint numbers[];
layout(location = 1) out vec2 places[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    numbers[gl_InvocationID] = numbers_in[gl_InvocationID];
    places[gl_InvocationID] = places_in[gl_InvocationID];
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
