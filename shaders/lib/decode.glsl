/* SPDX-License-Identifier: MIT
 *
 * Converts the words of a vertex attribute to the bits of its components. Pure arithmetic, compiles
 * as C, too. Scale factors are products, not quotients, because every driver rounds a product
 * correctly.
 */
#ifndef PGS_DECODE_GLSL
#define PGS_DECODE_GLSL

#include "poly_gs/format.h"
#include "portable.glsl"

/* Choices are selections, not branches: where only the record has the format a driver compiles all of
 * this, and CPUs keep a mask of their invocations for each branch. */

/* Width of component 0..3 of a layout, and its first bit in the element. Component 0 is red unless
 * red and blue are swapped. */
PGS_PURE pgs_u32 pgs_field_width(const pgs_u32 layout_id, const pgs_u32 component)
{
    const pgs_u32 array = 4u << layout_id; /* PGS_LAYOUT_8 to PGS_LAYOUT_64 */
    const pgs_u32 alpha_1 = component == 3u ? 1u : 5u;
    const pgs_u32 alpha_2 = component == 3u ? 2u : 10u;
    return layout_id <= PGS_LAYOUT_64         ? array
           : layout_id <= PGS_LAYOUT_A4B4G4R4 ? 4u
           : layout_id == PGS_LAYOUT_R5G6B5   ? (component == 1u ? 6u : 5u)
           : layout_id <= PGS_LAYOUT_A1B5G5R5 ? alpha_1
           : layout_id == PGS_LAYOUT_A2B10G10R10 ? alpha_2
           : layout_id == PGS_LAYOUT_B10G11R11   ? (component == 2u ? 10u : 11u)
                                                 : 9u; /* PGS_LAYOUT_E5B9G9R9 */
}

PGS_PURE pgs_u32 pgs_field_offset(const pgs_u32 layout_id, const pgs_u32 component)
{
    const pgs_u32 below = pgs_field_width(layout_id, 0u) * component;
    const pgs_u32 green_6 = component == 0u ? 11u : component == 1u ? 5u : 0u;
    return layout_id == PGS_LAYOUT_R4G4         ? 4u - below
           : layout_id == PGS_LAYOUT_R4G4B4A4   ? 12u - below
           : layout_id == PGS_LAYOUT_R5G6B5     ? green_6
           : layout_id != PGS_LAYOUT_R5G5B5A1   ? below
           : component == 3u                    ? 0u
                                                : 11u - below;
}

/* Bytes of an element. */
PGS_PURE pgs_u32 pgs_format_size_B(const pgs_u32 format)
{
    const pgs_u32 layout_id = PGS_FORMAT_LAYOUT(format);
    const pgs_u32 array_B = (PGS_FORMAT_COUNT(format) << layout_id) >> 1;
    return layout_id <= PGS_LAYOUT_64         ? array_B
           : layout_id == PGS_LAYOUT_R4G4     ? 1u
           : layout_id <= PGS_LAYOUT_A1B5G5R5 ? 2u
                                              : 4u;
}

/* The stored component that the shader sees as this one. */
PGS_PURE pgs_u32 pgs_format_place(const pgs_u32 format, const pgs_u32 component)
{
    return (format & PGS_FORMAT_SWAP_RB) != 0u && component != 3u ? 2u - component : component;
}

/* 1 / (2^bits - 1) for all widths that occur, not counting the sign. */
PGS_PURE float pgs_norm_scale(const pgs_u32 bits)
{
    return bits == 1u    ? 1.0f
           : bits == 2u  ? 1.0f / 3.0f
           : bits == 4u  ? 1.0f / 15.0f
           : bits == 5u  ? 1.0f / 31.0f
           : bits == 6u  ? 1.0f / 63.0f
           : bits == 7u  ? 1.0f / 127.0f
           : bits == 8u  ? 1.0f / 255.0f
           : bits == 9u  ? 1.0f / 511.0f
           : bits == 10u ? 1.0f / 1023.0f
           : bits == 15u ? 1.0f / 32767.0f
                         : 1.0f / 65535.0f;
}

/* Converts an IEEE half float (15 bits and a sign) to the bits of a float. Denormals keep their
 * value, NaNs their payload. */
PGS_PURE pgs_u32 pgs_half_to_float_bits(const pgs_u32 half_bits)
{
    const pgs_u32 sign = (half_bits & 0x8000u) << 16;
    const pgs_u32 magnitude = half_bits & 0x7FFFu;
    const pgs_u32 special = 0x7F800000u | (magnitude << 13);
    const pgs_u32 normal = (magnitude << 13) + 0x38000000u;
    const pgs_u32 small = floatBitsToUint(PGS_FLOAT(magnitude) * uintBitsToFloat(0x33800000u)); /* 2^-24 */
    return sign | (magnitude >= 0x7C00u ? special : magnitude >= 0x0400u ? normal : small);
}

PGS_PURE float pgs_srgb_to_linear(const float value)
{
    const float power = pgs_pow((value + 0.055f) * (1.0f / 1.055f), 2.4f);
    return value <= 0.04045f ? value * (1.0f / 12.92f) : power;
}

/* Converts a number of `width` < 33 bits to the component that the shader sees, as 32 bits. */
PGS_PURE pgs_u32 pgs_convert(const pgs_u32 kind, const pgs_u32 width, const pgs_u32 bits)
{
    const pgs_u32 shift = 32u - width;
    const int signed_value = PGS_INT(bits << shift) >> PGS_INT(shift);
    const bool is_signed = kind == PGS_KIND_SNORM || kind == PGS_KIND_SSCALED;
    const bool is_norm = kind == PGS_KIND_UNORM || kind == PGS_KIND_SNORM || kind == PGS_KIND_SRGB;
    const float scale = pgs_norm_scale(kind == PGS_KIND_SNORM ? width - 1u : width);
    const float value = (is_signed ? PGS_FLOAT(signed_value) : PGS_FLOAT(bits)) * (is_norm ? scale : 1.0f);
    const float linear = pgs_srgb_to_linear(value);
    const float limited = pgs_max(value, -1.0f);
    const pgs_u32 number =
        floatBitsToUint(kind == PGS_KIND_SRGB ? linear : kind == PGS_KIND_SNORM ? limited : value);
    const pgs_u32 half_bits = pgs_half_to_float_bits(bits);
    return kind == PGS_KIND_SFLOAT ? (width == 16u ? half_bits : bits)
           : kind == PGS_KIND_UINT ? bits
           : kind == PGS_KIND_SINT ? PGS_U32(signed_value)
                                   : number;
}

/* Value of a component that the format lacks: 0, or for alpha 1 in the format's numeric type. That is no choice between 1 and
 * the bits of 1.0: Mesa 26's lavapipe compiles vertex shaders while the CPU takes denormals for 0, and so the number 1. */
PGS_PURE pgs_u32 pgs_format_fill(const pgs_u32 format, const pgs_u32 component)
{
    const pgs_u32 integers = (1u << PGS_KIND_UINT) | (1u << PGS_KIND_SINT);
    const pgs_u32 is_integer = (integers >> PGS_FORMAT_KIND(format)) & 1u;
    const pgs_u32 one = 0x3F800000u >> (29u * is_integer); /* whose highest bit is bit 29 */
    return component == 3u ? one : 0u;
}

/* Component 0..3 of an element. `word` is word pgs_format_word of it. Not for 64-bit formats. */
PGS_PURE pgs_u32 pgs_format_word(const pgs_u32 format, const pgs_u32 component)
{
    const pgs_u32 place = pgs_format_place(format, component);
    return (pgs_field_offset(PGS_FORMAT_LAYOUT(format), place) >> 5) & 3u;
}

PGS_PURE pgs_u32 pgs_decode(const pgs_u32 format, const pgs_u32 component, const pgs_u32 word)
{
    const pgs_u32 layout_id = PGS_FORMAT_LAYOUT(format);
    const bool is_word = layout_id >= PGS_LAYOUT_32 && layout_id <= PGS_LAYOUT_64;
    const pgs_u32 fill = pgs_format_fill(format, component);
    const pgs_u32 place = pgs_format_place(format, component);
    const pgs_u32 field = pgs_field_width(layout_id, place);
    const pgs_u32 width = is_word ? 8u : field;
    const pgs_u32 offset = pgs_field_offset(layout_id, place) & 31u;
    const pgs_u32 bits = (word >> offset) & ((1u << width) - 1u);
    /* bits * 2^(exponent - 15 - 9) */
    const pgs_u32 shared_bits = floatBitsToUint(PGS_FLOAT(bits) * uintBitsToFloat(((word >> 27) + 103u) << 23));
    const bool is_short = layout_id == PGS_LAYOUT_B10G11R11; /* half floats without sign and low mantissa bits */
    const bool is_alpha = PGS_FORMAT_KIND(format) == PGS_KIND_SRGB && component == 3u;
    const pgs_u32 kind = is_short ? PGS_KIND_SFLOAT : is_alpha ? PGS_KIND_UNORM : PGS_FORMAT_KIND(format);
    const pgs_u32 converted = pgs_convert(kind, is_short ? 16u : width, is_short ? bits << ((15u - width) & 31u) : bits);
    return component >= PGS_FORMAT_COUNT(format)  ? fill
           : is_word                              ? word
           : layout_id == PGS_LAYOUT_E5B9G9R9     ? shared_bits
                                                  : converted;
}

#endif
