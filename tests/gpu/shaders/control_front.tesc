#version 450
/* SPDX-License-Identifier: MIT
 *
 * VERTICES: how many come out. UNREAD: reads nothing of its input. EARLY: all invocations but one end at once.
 */
#ifdef MODEL
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
#endif
layout(vertices = VERTICES) out;
layout(constant_id = 0) const uint factor = 1u;
layout(push_constant) uniform pushed
{
    layout(offset = 4) uint word;
    layout(offset = 8) uint both;
} push;
layout(set = 0, binding = 0) uniform words_of
{
    uint first, second;
} words;
layout(set = 1, binding = 1, std430) readonly buffer own
{
    uint numbers[];
} table;
#ifndef UNREAD
layout(location = 0) in uint number[];
#endif
layout(location = 0) out uint each[];
layout(location = 1) patch out uint all;
uint state = 11u;

uint mixed(uint a)
{
    state = state * 5u + a;
    return state;
}

void main()
{
    uint sum = gl_PatchVerticesIn;
#ifndef UNREAD
    for (uint i = 0u; i < gl_PatchVerticesIn; i++) /* from the last one on, which another invocation shades */
        sum = sum * 7u + number[gl_PatchVerticesIn - 1u - i];
#endif
    each[gl_InvocationID] = sum + gl_InvocationID;
#ifdef EARLY
    if (gl_InvocationID > 0)
        return;
#else
    barrier();
#endif
    if (gl_InvocationID == 0) {
        all = mixed(sum) * factor + push.word * push.both + words.second + table.numbers[words.first % 8u];
        gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;
        gl_TessLevelInner[0] = 1.0;
    }
}
