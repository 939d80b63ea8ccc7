#version 450
/* SPDX-License-Identifier: MIT */
#ifdef MODEL
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
#endif
layout(triangles, equal_spacing, point_mode) in;
layout(location = 0) in uint each[];
layout(location = 1) patch in uint all;
layout(location = 0, xfb_buffer = 0, xfb_stride = 8, xfb_offset = 0) out uvec2 seen;

void main()
{
    uint sum = 0u;
    for (int i = 0; i < VERTICES; i++)
        sum = sum * 3u + each[i];
    seen = uvec2(all, sum);
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
