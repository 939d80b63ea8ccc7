/* SPDX-License-Identifier: MIT
 *
 * Loads vertex attributes from the application's buffers. An element that is not completely inside
 * the bound range reads as zeros, whatever the indices are.
 */
#ifndef PGS_FETCH_GLSL
#define PGS_FETCH_GLSL

#include "decode.glsl"
#include "record.glsl"
#ifdef PGS_BOUND
#include "bound.glsl"
#endif

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pgs_element2_ref
{
    uvec2 value;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pgs_element3_ref
{
    uvec3 value;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pgs_element4_ref
{
    uvec4 value;
};

/* Which element of the attribute belongs to the vertex, if they differ. */
uint pgs_element_number(const uint location, const uint format, const uint vertex_index, const uint instance)
{
    bool by_instance = (format & PGS_FORMAT_INSTANCE) != 0u;
    if (format == PGS_FORMAT_DYNAMIC)
        by_instance = (PGS_DRAW.attributes[location].flags & PGS_ATTRIBUTE_INSTANCE) != 0u;
    uint element = vertex_index;
    if (by_instance) {
        const uint divisor = PGS_DRAW.attributes[location].divisor;
        element = PGS_NEAR.first_instance + (divisor == 0u ? 0u : instance / divisor);
    }
    return element;
}

/* The element of the attribute that belongs to the vertex. */
uint pgs_element_of(const uint location, const uint format, const uint vertex_index, const uint instance)
{
    const uint number = pgs_element_number(location, format, vertex_index, instance);
    return PGS_ATTRIBUTE_STRIDE_B(location) == 0u ? 0u : number;
}

bool pgs_element_is_there(const uint location, const uint element)
{
    return element < PGS_ATTRIBUTE_COUNT_EL(location);
}

/* Address of the attribute's element, or one that can be read if it is not there. There are no
 * branches around the loads of a vertex, so that they run in parallel. */
uvec2 pgs_element_address(const uint location, const uint element, const bool there)
{
    const uvec2 address =
        pgs_mul_add(PGS_ATTRIBUTE_ADDRESS(location), element, PGS_ATTRIBUTE_STRIDE_B(location));
    return mix(pgs_root_address(), address, bvec2(there));
}

/* The 1..4 `bytes` at an address of any alignment, in the low bits of a word. Reads no word without
 * one of them. */
uint pgs_read_unaligned(const uvec2 address, const uint bytes)
{
    const uint skip = address.x & 3u;
    const uvec2 aligned = address & uvec2(~3u, ~0u);
    const bool crosses = skip + bytes > 4u;
    const uint low = pgs_read(aligned) >> (skip * 8u);
    const uint high = pgs_read(pgs_add(aligned, crosses ? 4u : 0u)) << ((32u - skip * 8u) & 31u);
    return crosses ? low | high : low;
}

/* Word 0..3 of an element of size_B bytes. */
uint pgs_element_word(const uvec2 address, const uint word, const uint size_B)
{
    const bool there = word * 4u < size_B;
    const uint at = there ? word * 4u : 0u;
    const uint value = pgs_read_unaligned(pgs_add(address, at), min(size_B - at, 4u));
    return there ? value : 0u;
}

/* `count` words of an element. They are aligned, or the format says that they are not; masking the
 * address makes others harmless. Components that it lacks are 0. */
uvec4 pgs_element_words(const uvec2 address, const uint count)
{
#ifdef PGS_RECORD_INPUTS /* CPUs load from any address */
    const uvec2 from = address;
#else
    const uvec2 from = address & uvec2(~3u, ~0u);
#endif
    switch (count) {
    case 1u:
        return uvec4(pgs_read(from), 0u, 0u, 0u);
    case 2u:
        return uvec4(pgs_element2_ref(from).value, 0u, 0u);
    case 3u:
        return uvec4(pgs_element3_ref(from).value, 0u);
    }
    return pgs_element4_ref(from).value;
}

/* All words of an element of any alignment. */
uvec4 pgs_element_bytes(const uvec2 address, const uint size_B)
{
    return uvec4(pgs_element_word(address, 0u, size_B), pgs_element_word(address, 1u, size_B),
                 pgs_element_word(address, 2u, size_B), pgs_element_word(address, 3u, size_B));
}

uint pgs_component(const uvec4 value, const uint component)
{
    return value[component];
}

uint pgs_decode_of(const uint format, const uint component, const uvec4 raw)
{
    return pgs_decode(format, component, pgs_component(raw, pgs_format_word(format, component)));
}

/* The same if the count is not known: without branches, and with as many loads as the most words
 * need. */
uvec4 pgs_element_some_words(const uvec2 address, const uint count)
{
    const uvec2 from = address & uvec2(~3u, ~0u);
    const uint y = pgs_read(pgs_add(from, count > 1u ? 4u : 0u));
    const uint z = pgs_read(pgs_add(from, count > 2u ? 8u : 0u));
    const uint w = pgs_read(pgs_add(from, count > 3u ? 12u : 0u));
    return uvec4(pgs_read(from), count > 1u ? y : 0u, count > 2u ? z : 0u, count > 3u ? w : 0u);
}

/* An element of a format of words, which need no decoder, as four components. */
uvec4 pgs_fetch_words(const uvec2 address, const bool there, const uint format)
{
    const uint count = PGS_FORMAT_COUNT(format);
#ifdef PGS_BOUND
    uvec4 words = mix(uvec4(0u), pgs_bound_element(address, there, count), bvec4(there));
#else
    uvec4 words = mix(uvec4(0u), pgs_element_words(address, count), bvec4(there));
#endif
    if (count == 4u)
        return words;
    words.w = pgs_format_fill(format, 3u);
    return words;
}

/* What an element of these words, or bytes, is as four components of 32 bits. */
uvec4 pgs_element_of_raw(const uint format, const uvec4 raw)
{
    if (PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_32) {
        const uint fill = PGS_FORMAT_COUNT(format) == 4u ? raw.w : pgs_format_fill(format, 3u);
        return uvec4(raw.xyz, fill);
    }
    return uvec4(pgs_decode_of(format, 0u, raw), pgs_decode_of(format, 1u, raw), pgs_decode_of(format, 2u, raw),
                 pgs_decode_of(format, 3u, raw));
}

/* What the element, or what is read instead, is as four components of 32 bits. */
uvec4 pgs_fetch_element(const uvec2 address, const bool there, const uint format)
{
    if (PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_32)
        return pgs_fetch_words(address, there, format);
    const uvec4 raw = mix(uvec4(0u), pgs_element_bytes(address, pgs_format_size_B(format)), bvec4(there));
    return pgs_element_of_raw(format, raw);
}

/* The value with another component in this place. */
uvec4 pgs_with_component(const uvec4 value, const uint place, const uint component)
{
    return mix(value, uvec4(component), equal(uvec4(0u, 1u, 2u, 3u), uvec4(place)));
}

/* The same if only the record has the format. Most formats are aligned words. The loops stay loops,
 * so that drivers compile the decoder once. */
uvec4 pgs_fetch_any_element(const uvec2 address, const bool there, const uint format)
{
    const uint layout_bits = PGS_FORMAT_MAKE(15u, 0u, 0u) | PGS_FORMAT_UNALIGNED;
    if ((format & layout_bits) == PGS_FORMAT_MAKE(PGS_LAYOUT_32, 0u, 0u)) {
        const uint count = PGS_FORMAT_COUNT(format);
        const uint fill = pgs_format_fill(format, 3u);
        uvec4 words = mix(uvec4(0u), pgs_element_some_words(address, count), bvec4(there));
        words.w = count == 4u ? words.w : fill;
        return words;
    }
    const uint size_B = pgs_format_size_B(format);
    uvec4 raw = uvec4(0u);
    [[dont_unroll]] for (uint word = 0u; word < 4u; word++) {
        const uint value = pgs_element_word(address, word, size_B);
        raw = pgs_with_component(raw, word, there ? value : 0u);
    }
    uvec4 components = uvec4(0u);
    [[dont_unroll]] for (uint component = 0u; component < 4u; component++) {
        const uint word = pgs_component(raw, pgs_format_word(format, component));
        components = pgs_with_component(components, component, pgs_decode(format, component, word));
    }
    return components;
}

/* Two 64-bit components: x and y (half_id 0), or z and w (1). Components that the format lacks are
 * 0. */
uvec4 pgs_fetch_element_wide(const uvec2 address, const bool there, const uint format, const uint half_id)
{
    const uvec2 from = pgs_add(address, half_id * 16u);
    const uint size_B = pgs_format_size_B(format);
    if (half_id * 16u >= size_B)
        return uvec4(0u);
    return mix(uvec4(0u), pgs_element_words(from, half_id * 16u + 8u < size_B ? 4u : 2u), bvec4(there));
}

#endif
