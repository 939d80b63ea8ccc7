#version 450
/* SPDX-License-Identifier: MIT
 *
 * Names, numbers of constants and of descriptors as in control_front.tesc, whose are others. MODEL: in the Vulkan memory
 * model.
 */
#ifdef MODEL
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
#endif
layout(constant_id = 0) const uint factor = 1u;
layout(push_constant) uniform pushed
{
    layout(offset = 0) uint word;
    layout(offset = 8) uint both;
} push;
layout(set = 0, binding = 0) uniform words_of
{
    uvec4 numbers;
} words;
layout(set = 0, binding = 1, std430) readonly buffer own
{
    uint numbers[];
} table;
layout(location = 0) in uint given;
layout(location = 0) out uint number;
uint state = 5u;

uint mixed(uint a)
{
    state = state * 3u + a; /* begins anew with each vertex */
    return state;
}

void main()
{
    const uint vertex = uint(gl_VertexIndex), instance = uint(gl_InstanceIndex);
    number = mixed(vertex) * factor + mixed(given) + push.word + push.both * instance + words.numbers.w +
             table.numbers[vertex % 8u];
}
