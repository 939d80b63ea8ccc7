#version 450
// SPDX-License-Identifier: MIT
layout(vertices = 1) out;
layout(location = 0) in vec4 from_vertex[];
layout(location = 0) out vec4 to_evaluation[];

void main()
{
    to_evaluation[gl_InvocationID] = from_vertex[gl_InvocationID];
    // Equal ones, for which drivers agree on where vertices lie.
    gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0);
    gl_TessLevelInner = float[2](2.0, 2.0);
}
