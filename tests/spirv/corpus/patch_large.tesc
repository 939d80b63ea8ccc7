#version 450
/* SPDX-License-Identifier: MIT */
// Inputs in loops, outputs that are copied as wholes, pointers to single components, and what has no place in memory.
layout(vertices = 32) out;
struct many { vec4 v[4]; mat3 m; };
layout(location = 0) in block_in { many all; } inputs[];
layout(location = 8) in vec4 part[];
layout(location = 0) out block_out { many all; } results[];
layout(location = 8) patch out many once;
void main()
{
    results[gl_InvocationID].all = inputs[gl_InvocationID].all;
    results[gl_InvocationID].all.v[gl_InvocationID & 3].y = part[gl_InvocationID % gl_PatchVerticesIn].z;
    results[gl_InvocationID].all.m[1][gl_InvocationID % 3] = part[0][gl_InvocationID & 3];
    barrier();
    if (gl_InvocationID == 31)
        once = results[7].all;
    gl_TessLevelOuter = float[4](1.0, 2.0, 3.0, 4.0);
    gl_TessLevelInner = float[2](1.0, 2.0);
}
