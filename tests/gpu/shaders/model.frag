#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(location = 0) flat in uint number;
layout(location = 0) out uint result;

void main()
{
    result = number + uint(gl_Layer) * 1000u;
}
