#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) flat in uint numbers[];
layout(location = 1) patch in vec4 corners[3];
layout(location = 0) flat out uint number;

void main()
{
    gl_Position =
        gl_TessCoord.x * corners[2] + gl_TessCoord.y * corners[0] + gl_TessCoord.z * corners[1];
    number = numbers[0];
}
