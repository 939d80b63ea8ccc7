#version 450
/* SPDX-License-Identifier: MIT */
/* Each point is that of the next invocation, which has stored it before the barrier. */
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint numbers[];
layout(location = 1) patch out vec4 corners[3];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    corners[gl_InvocationID] = gl_in[(gl_InvocationID + 1) % 3].gl_Position;
    barrier();
    numbers[gl_InvocationID] = number[gl_InvocationID] + (corners[2] == gl_in[0].gl_Position ? 100u : 0u);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 1.0;
}
