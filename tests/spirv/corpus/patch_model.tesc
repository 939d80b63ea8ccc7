#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.2 vulkan1.3
// The vertex shader in front of it has another memory model: expect shades: unsupported
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(vertices = 4) out;
layout(location = 0) out vec4 values[];
layout(location = 1) patch out vec4 sum;
void main()
{
    values[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position;
    barrier();
    sum = values[0] + values[1] + values[2] + values[3];
    memoryBarrier();
    gl_TessLevelOuter[0] = sum.x;
    gl_TessLevelOuter[1] = sum.y;
}
