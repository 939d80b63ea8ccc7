#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(location = 0) flat out uint number;

void main()
{
    const uint primitive = uint(gl_VertexIndex) / 3u, corner = uint(gl_VertexIndex) % 3u;
    const vec2 place = vec2(primitive % 8u, primitive / 8u) / 8.0;
    gl_Position = vec4((place + vec2(corner & 1u, corner >> 1) / 8.0) * 2.0 - 1.0, 0.5, 1.0);
    number = primitive + 1u;
}
