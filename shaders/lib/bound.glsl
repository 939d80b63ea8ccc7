/* SPDX-License-Identifier: MIT
 *
 * Words at addresses within the buffers that are bound for a dispatch, which the CPU has found to hold
 * all that is accessed. lavapipe 22 makes one loop over the invocations of a vector of each such word,
 * and of one at an address several.
 */
#ifndef PGS_BOUND_GLSL
#define PGS_BOUND_GLSL

#include "record.glsl"

layout(set = PGS_BOUND_SET, binding = PGS_BOUND_ATTRIBUTES, std430) readonly buffer pgs_bound_attributes_block
{
    uint word[];
} pgs_bound_attributes;

layout(set = PGS_BOUND_SET, binding = PGS_BOUND_INDICES, std430) readonly buffer pgs_bound_indices_block
{
    uint word[];
} pgs_bound_indices;

layout(set = PGS_BOUND_SET, binding = PGS_BOUND_VERTICES, std430) writeonly buffer pgs_bound_vertices_block
{
    uint word[];
} pgs_bound_vertices;

layout(set = PGS_BOUND_SET, binding = PGS_BOUND_VERTICES, std430) writeonly buffer pgs_bound_quads_block
{
    uvec4 quad[];
} pgs_bound_quads;

/* The place of a word. All but the low words of addresses is the same, or is carried to. */
uint pgs_bound_place(const uint binding, const uvec2 address)
{
    return (address.x - pgs_push.bases[binding]) >> 2;
}

/* An index, or several of up to 16 bits, in the word at a multiple of 4. */
uint pgs_bound_index(const uvec2 address)
{
    return pgs_bound_indices.word[pgs_bound_place(PGS_BOUND_INDICES, address)];
}

/* `count` words of an element; those of another one that can be read if it is not there. */
uvec4 pgs_bound_element(const uvec2 address, const bool there, const uint count)
{
    const uint at = there ? pgs_bound_place(PGS_BOUND_ATTRIBUTES, address) : 0u;
    uvec4 words = uvec4(pgs_bound_attributes.word[at], 0u, 0u, 0u);
    if (count > 1u)
        words.y = pgs_bound_attributes.word[at + 1u];
    if (count > 2u)
        words.z = pgs_bound_attributes.word[at + 2u];
    if (count > 3u)
        words.w = pgs_bound_attributes.word[at + 3u];
    return words;
}

/* Stores words of a vertex, as pgs_write_near. */
void pgs_bound_write(const uvec2 vertex, const uint word, const uint value)
{
    pgs_bound_vertices.word[pgs_bound_place(PGS_BOUND_VERTICES, vertex) + word] = value;
}

/* Four at a multiple of 16 bytes. */
void pgs_bound_write4(const uvec2 vertex, const uint word, const uvec4 value)
{
    pgs_bound_quads.quad[(pgs_bound_place(PGS_BOUND_VERTICES, vertex) + word) >> 2] = value;
}

#endif
