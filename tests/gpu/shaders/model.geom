#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint number_out;
#ifdef COUNTS
layout(set = 0, binding = 0, std430) buffer Count
{
    uint primitives;
} count;
#endif

void main()
{
#ifdef COUNTS
    atomicAdd(count.primitives, 1u, gl_ScopeQueueFamily, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
#endif
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_Layer = 0;
        number_out = number[i];
        EmitVertex();
    }
}
