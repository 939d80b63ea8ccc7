/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on 64-bit buffer addresses in two 32-bit words, and loads and stores. GLSL array
 * indices are signed 32-bit numbers, so every access computes its address and reads or writes one
 * word or four.
 */
#ifndef PGS_ADDRESS_GLSL
#define PGS_ADDRESS_GLSL

#include "poly_gs/abi.h"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer pgs_word_ref
{
    uint value;
};

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_quad_ref
{
    uvec4 value;
};

/* For small objects: an array index has 32 bits and a sign. */
layout(buffer_reference, std430, buffer_reference_align = 4) buffer pgs_words_ref
{
    uint value[];
};

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_quads_ref
{
    uvec4 value[];
};

uvec2 pgs_add(const uvec2 address, const uint offset_B)
{
    const uint low = address.x + offset_B;
    return uvec2(low, address.y + (low < offset_B ? 1u : 0u));
}

/* Of two numbers of 64 bits. */
uvec2 pgs_sum(const uvec2 a, const uvec2 b)
{
    const uvec2 all = pgs_add(a, b.x);
    return uvec2(all.x, all.y + b.y);
}

/* True if a number of 64 bits is less than one of 32. */
bool pgs_is_below(const uvec2 number, const uint end)
{
    return number.y == 0u && number.x < end;
}

uvec2 pgs_subtract(const uvec2 address, const uint offset_B)
{
    return uvec2(address.x - offset_B, address.y - (address.x < offset_B ? 1u : 0u));
}

uvec2 pgs_mul_add(const uvec2 address, const uint count, const uint size_B)
{
    uint high, low;
    umulExtended(count, size_B, high, low);
    const uint sum = address.x + low;
    return uvec2(sum, address.y + high + (sum < low ? 1u : 0u));
}

uint pgs_read(const uvec2 address)
{
    return pgs_word_ref(address).value;
}

uint pgs_read_at(const uvec2 address, const uint word)
{
    return pgs_word_ref(pgs_mul_add(address, word, 4u)).value;
}

uvec4 pgs_read4(const uvec2 address)
{
    return pgs_quad_ref(address).value;
}

/* Access word `word` of an object of less than 2^29 words; a multiple of 4 if there are four. */
uint pgs_read_near(const uvec2 address, const uint word)
{
    return pgs_words_ref(address).value[word];
}

uvec4 pgs_read4_near(const uvec2 address, const uint word)
{
    return pgs_quads_ref(address).value[word / 4u];
}

void pgs_write_near(const uvec2 address, const uint word, const uint value)
{
    pgs_words_ref(address).value[word] = value;
}

void pgs_write4_near(const uvec2 address, const uint word, const uvec4 value)
{
    pgs_quads_ref(address).value[word / 4u] = value;
}

void pgs_write(const uvec2 address, const uint value)
{
    pgs_word_ref(address).value = value;
}

void pgs_write_at(const uvec2 address, const uint word, const uint value)
{
    pgs_word_ref(pgs_mul_add(address, word, 4u)).value = value;
}

void pgs_write4(const uvec2 address, const uvec4 value)
{
    pgs_quad_ref(address).value = value;
}

/* Offset of an array element, in words. An index out of range, which the application may compute,
 * selects the last element. */
uint pgs_element(const uint index, const uint length_el, const uint stride_w)
{
    return min(index, length_el - 1u) * stride_w;
}

#endif
