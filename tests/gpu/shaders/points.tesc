#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 2) out;
layout(location = 3) flat in uint from_vertex[];
layout(location = 0) flat in uint from_instance[];
layout(location = 0) out uvec2 numbers[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_out[gl_InvocationID].gl_PointSize = gl_in[gl_InvocationID].gl_PointSize;
    numbers[gl_InvocationID] = uvec2(from_instance[gl_InvocationID], from_vertex[gl_InvocationID]);
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 1.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;
}
