/* SPDX-License-Identifier: MIT
 *
 * Loads vertex attributes from the application's buffers. An element that is not completely inside
 * the bound range reads as zeros, whatever the indices are.
 */
#ifndef PGS_FETCH_GLSL
#define PGS_FETCH_GLSL

#include "decode.glsl"
#include "record.glsl"

/* Address of the attribute's element; (0, 0): out of range. There are no branches around the loads
 * of a vertex, so that they run in parallel. */
uvec2 pgs_element_address(const uint location, const uint format, const uint vertex_index, const uint instance)
{
    const uint stride_B = PGS_DRAW.attributes[location].stride_B;
    const uvec2 address = PGS_DRAW.attributes[location].address;
    const uint flags = format == PGS_FORMAT_DYNAMIC         ? PGS_DRAW.attributes[location].flags
                       : (format & PGS_FORMAT_INSTANCE) != 0u ? PGS_ATTRIBUTE_INSTANCE
                                                              : 0u;
    uint element = vertex_index;
    if ((flags & PGS_ATTRIBUTE_INSTANCE) != 0u) {
        const uint divisor = PGS_DRAW.attributes[location].divisor;
        element = PGS_DRAW.first_instance + (divisor == 0u ? 0u : instance / divisor);
    }
    element = mix(element, 0u, stride_B == 0u);
    const bool inside = element < PGS_DRAW.attributes[location].element_count_el && (address.x | address.y) != 0u;
    return mix(uvec2(0u), pgs_mul_add(address, element, stride_B), bvec2(inside));
}

/* The address, or one that can be read if the element is out of range. */
uvec2 pgs_readable(const uvec2 address, const bool there)
{
    return mix(pgs_root_address(), address, bvec2(there));
}

/* The 1..4 `bytes` at an address of any alignment, in the low bits of a word. Reads no word without
 * one of them. */
uint pgs_read_unaligned(const uvec2 address, const uint bytes)
{
    const uint skip = address.x & 3u;
    const uvec2 aligned = uvec2(address.x & ~3u, address.y);
    uint word = pgs_read(aligned) >> (skip * 8u);
    if (skip + bytes > 4u)
        word |= pgs_read(pgs_add(aligned, 4u)) << (32u - skip * 8u);
    return word;
}

/* Word 0..3 of an element of size_B bytes. Valid usage aligns elements of words to words; masking
 * the address makes misaligned ones harmless. */
uint pgs_element_word(const uvec2 address, const uint word, const uint size_B, const bool words)
{
    if (word * 4u >= size_B)
        return 0u;
    const uvec2 at = pgs_add(address, word * 4u);
    if (words)
        return pgs_read(uvec2(at.x & ~3u, at.y));
    return pgs_read_unaligned(at, min(size_B - word * 4u, 4u));
}

/* The element as four components of 32 bits. */
uvec4 pgs_fetch_element(const uvec2 address, const uint format)
{
    const bool there = (address.x | address.y) != 0u;
    const uvec2 from = pgs_readable(address, there);
    const uint size_B = pgs_format_size_B(format);
    const bool words = PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_32;
    const uvec4 read = uvec4(pgs_element_word(from, 0u, size_B, words), pgs_element_word(from, 1u, size_B, words),
                             pgs_element_word(from, 2u, size_B, words), pgs_element_word(from, 3u, size_B, words));
    const uvec4 raw = mix(uvec4(0u), read, bvec4(there));
    return uvec4(pgs_decode(format, 0u, raw[pgs_format_word(format, 0u)]),
                 pgs_decode(format, 1u, raw[pgs_format_word(format, 1u)]),
                 pgs_decode(format, 2u, raw[pgs_format_word(format, 2u)]),
                 pgs_decode(format, 3u, raw[pgs_format_word(format, 3u)]));
}

/* Two 64-bit components: x and y (half_id 0), or z and w (1). Components that the format lacks are
 * 0. */
uvec4 pgs_fetch_element_wide(const uvec2 address, const uint format, const uint half_id)
{
    uvec4 raw = uvec4(0u);
    const bool there = (address.x | address.y) != 0u;
    const uvec2 from = pgs_readable(address, there);
    const uint size_B = pgs_format_size_B(format);
    const uint first_w = half_id * 4u;
    const uvec2 aligned = uvec2(from.x & ~3u, from.y);
    if (first_w * 4u < size_B) {
        raw.x = pgs_read(pgs_add(aligned, first_w * 4u));
        raw.y = pgs_read(pgs_add(aligned, first_w * 4u + 4u));
    }
    if (first_w * 4u + 8u < size_B) {
        raw.z = pgs_read(pgs_add(aligned, first_w * 4u + 8u));
        raw.w = pgs_read(pgs_add(aligned, first_w * 4u + 12u));
    }
    return mix(uvec4(0u), raw, bvec4(there));
}

#endif
