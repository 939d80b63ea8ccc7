/* SPDX-License-Identifier: MIT
 *
 * Vertex attributes from the application's buffers. An element that does not lie wholly in the bound range reads as
 * zeros, whatever the indices say.
 */
#ifndef PGS_FETCH_GLSL
#define PGS_FETCH_GLSL

#include "decode.glsl"
#include "record.glsl"

/* Where the element of this attribute lies; (0, 0) = nowhere. */
uvec2 pgs_element_address(const uint location, const uint vertex_index, const uint instance)
{
    const uint stride_B = PGS_DRAW.attributes[location].stride_B;
    const uvec2 address = PGS_DRAW.attributes[location].address;
    uint element = vertex_index;
    if ((PGS_DRAW.attributes[location].flags & PGS_ATTRIBUTE_INSTANCE) != 0u) {
        const uint divisor = PGS_DRAW.attributes[location].divisor;
        element = PGS_DRAW.first_instance + (divisor == 0u ? 0u : instance / divisor);
    }
    if (stride_B == 0u)
        element = 0u;
    if (element >= PGS_DRAW.attributes[location].element_count_el || (address.x | address.y) == 0u)
        return uvec2(0u);
    return pgs_mul_add(address, element, stride_B);
}

/* The `bytes` (1..4) at an address of any alignment, in the low end of a word. Touches no word that holds none of
 * them. */
uint pgs_read_unaligned(const uvec2 address, const uint bytes)
{
    const uint skip = address.x & 3u;
    const uvec2 aligned = uvec2(address.x & ~3u, address.y);
    uint word = pgs_read(aligned) >> (skip * 8u);
    if (skip + bytes > 4u)
        word |= pgs_read(pgs_add(aligned, 4u)) << (32u - skip * 8u);
    return word;
}

/* Word 0..3 of an element of size_B bytes. Elements made of words are word-aligned (valid usage); masking the address
 * keeps a lie about that harmless. */
uint pgs_element_word(const uvec2 address, const uint word, const uint size_B, const bool words)
{
    if (word * 4u >= size_B)
        return 0u;
    const uvec2 at = pgs_add(address, word * 4u);
    if (words)
        return pgs_read(uvec2(at.x & ~3u, at.y));
    return pgs_read_unaligned(at, min(size_B - word * 4u, 4u));
}

/* The element's bits as four components. */
uvec4 pgs_fetch_element(const uvec2 address, const uint format)
{
    uvec4 raw = uvec4(0u);
    if ((address.x | address.y) != 0u) {
        const uint size_B = pgs_format_size_B(format);
        const bool words = PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_32;
        raw.x = pgs_element_word(address, 0u, size_B, words);
        raw.y = pgs_element_word(address, 1u, size_B, words);
        raw.z = pgs_element_word(address, 2u, size_B, words);
        raw.w = pgs_element_word(address, 3u, size_B, words);
    }
    return uvec4(pgs_decode(format, 0u, raw[pgs_format_word(format, 0u)]),
                 pgs_decode(format, 1u, raw[pgs_format_word(format, 1u)]),
                 pgs_decode(format, 2u, raw[pgs_format_word(format, 2u)]),
                 pgs_decode(format, 3u, raw[pgs_format_word(format, 3u)]));
}

/* Two 64-bit components: x and y (half_id 0), or z and w (1). Missing ones are 0. */
uvec4 pgs_fetch_element_wide(const uvec2 address, const uint format, const uint half_id)
{
    uvec4 raw = uvec4(0u);
    if ((address.x | address.y) == 0u)
        return raw;
    const uint size_B = pgs_format_size_B(format);
    const uint first_w = half_id * 4u;
    const uvec2 aligned = uvec2(address.x & ~3u, address.y);
    if (first_w * 4u < size_B) {
        raw.x = pgs_read(pgs_add(aligned, first_w * 4u));
        raw.y = pgs_read(pgs_add(aligned, first_w * 4u + 4u));
    }
    if (first_w * 4u + 8u < size_B) {
        raw.z = pgs_read(pgs_add(aligned, first_w * 4u + 8u));
        raw.w = pgs_read(pgs_add(aligned, first_w * 4u + 12u));
    }
    return raw;
}

#endif
