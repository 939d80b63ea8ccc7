#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_shader_group_vote : require
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    const uvec2 ballot = unpackUint2x32(ballotARB(true));
    const uint word = gl_SubGroupInvocationARB < 32u ? ballot.x : ballot.y;
    value = (word >> (gl_SubGroupInvocationARB & 31u)) & 1u;
    value |= allInvocationsARB(number[0] < 4096u) && !anyInvocationARB(number[0] > 4096u) ? 2u : 0u;
    value |= allInvocationsEqualARB(readFirstInvocationARB(number[0]) < number[0] + 1u) ? 4u : 0u;
    gl_PointSize = 1.0;
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
}
