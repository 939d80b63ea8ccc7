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

/* Width of component 0..3 of a layout, and its first bit in the element. Component 0 is red unless
 * red and blue are swapped. */
PGS_PURE pgs_u32 pgs_field_width(const pgs_u32 layout_id, const pgs_u32 component)
{
    switch (layout_id) {
    case PGS_LAYOUT_8:
        return 8u;
    case PGS_LAYOUT_16:
        return 16u;
    case PGS_LAYOUT_32:
        return 32u;
    case PGS_LAYOUT_64:
        return 64u;
    case PGS_LAYOUT_R4G4:
    case PGS_LAYOUT_R4G4B4A4:
    case PGS_LAYOUT_A4B4G4R4:
        return 4u;
    case PGS_LAYOUT_R5G6B5:
        return component == 1u ? 6u : 5u;
    case PGS_LAYOUT_R5G5B5A1:
    case PGS_LAYOUT_A1B5G5R5:
        return component == 3u ? 1u : 5u;
    case PGS_LAYOUT_A2B10G10R10:
        return component == 3u ? 2u : 10u;
    case PGS_LAYOUT_B10G11R11:
        return component == 2u ? 10u : 11u;
    }
    return 9u; /* PGS_LAYOUT_E5B9G9R9 */
}

PGS_PURE pgs_u32 pgs_field_offset(const pgs_u32 layout_id, const pgs_u32 component)
{
    switch (layout_id) {
    case PGS_LAYOUT_R4G4:
        return 4u - 4u * component;
    case PGS_LAYOUT_R4G4B4A4:
        return 12u - 4u * component;
    case PGS_LAYOUT_A4B4G4R4:
        return 4u * component;
    case PGS_LAYOUT_R5G6B5:
        return component == 0u ? 11u : component == 1u ? 5u : 0u;
    case PGS_LAYOUT_R5G5B5A1:
        return component == 3u ? 0u : 11u - 5u * component;
    case PGS_LAYOUT_A1B5G5R5:
        return 5u * component;
    case PGS_LAYOUT_A2B10G10R10:
        return 10u * component;
    case PGS_LAYOUT_B10G11R11:
        return 11u * component;
    case PGS_LAYOUT_E5B9G9R9:
        return 9u * component;
    }
    return pgs_field_width(layout_id, component) * component;
}

/* Bytes of an element. */
PGS_PURE pgs_u32 pgs_format_size_B(const pgs_u32 format)
{
    switch (PGS_FORMAT_LAYOUT(format)) {
    case PGS_LAYOUT_8:
        return PGS_FORMAT_COUNT(format);
    case PGS_LAYOUT_16:
        return 2u * PGS_FORMAT_COUNT(format);
    case PGS_LAYOUT_32:
        return 4u * PGS_FORMAT_COUNT(format);
    case PGS_LAYOUT_64:
        return 8u * PGS_FORMAT_COUNT(format);
    case PGS_LAYOUT_R4G4:
        return 1u;
    case PGS_LAYOUT_R4G4B4A4:
    case PGS_LAYOUT_A4B4G4R4:
    case PGS_LAYOUT_R5G6B5:
    case PGS_LAYOUT_R5G5B5A1:
    case PGS_LAYOUT_A1B5G5R5:
        return 2u;
    }
    return 4u;
}

/* The stored component that the shader sees as this one. */
PGS_PURE pgs_u32 pgs_format_place(const pgs_u32 format, const pgs_u32 component)
{
    if ((format & PGS_FORMAT_SWAP_RB) != 0u && component != 3u)
        return 2u - component;
    return component;
}

/* 1 / (2^bits - 1) for all widths that occur, not counting the sign. */
PGS_PURE float pgs_norm_scale(const pgs_u32 bits)
{
    switch (bits) {
    case 1u:
        return 1.0f;
    case 2u:
        return 1.0f / 3.0f;
    case 4u:
        return 1.0f / 15.0f;
    case 5u:
        return 1.0f / 31.0f;
    case 6u:
        return 1.0f / 63.0f;
    case 7u:
        return 1.0f / 127.0f;
    case 8u:
        return 1.0f / 255.0f;
    case 9u:
        return 1.0f / 511.0f;
    case 10u:
        return 1.0f / 1023.0f;
    case 15u:
        return 1.0f / 32767.0f;
    }
    return 1.0f / 65535.0f;
}

/* Converts an IEEE half float (15 bits and a sign) to the bits of a float. Denormals keep their
 * value, NaNs their payload. */
PGS_PURE pgs_u32 pgs_half_to_float_bits(const pgs_u32 half_bits)
{
    const pgs_u32 sign = (half_bits & 0x8000u) << 16;
    const pgs_u32 magnitude = half_bits & 0x7FFFu;
    if (magnitude >= 0x7C00u)
        return sign | 0x7F800000u | (magnitude << 13);
    if (magnitude >= 0x0400u)
        return sign | ((magnitude << 13) + 0x38000000u);
    return sign | floatBitsToUint(PGS_FLOAT(magnitude) * uintBitsToFloat(0x33800000u)); /* 2^-24 */
}

PGS_PURE float pgs_srgb_to_linear(const float value)
{
    return value <= 0.04045f ? value * (1.0f / 12.92f) : pgs_pow((value + 0.055f) * (1.0f / 1.055f), 2.4f);
}

/* Converts a number of `width` < 33 bits to the component that the shader sees, as 32 bits. */
PGS_PURE pgs_u32 pgs_convert(const pgs_u32 kind, const pgs_u32 width, const pgs_u32 bits)
{
    const pgs_u32 shift = 32u - width;
    const int signed_value = PGS_INT(bits << shift) >> PGS_INT(shift);
    switch (kind) {
    case PGS_KIND_UNORM:
        return floatBitsToUint(PGS_FLOAT(bits) * pgs_norm_scale(width));
    case PGS_KIND_SNORM:
        return floatBitsToUint(pgs_max(PGS_FLOAT(signed_value) * pgs_norm_scale(width - 1u), -1.0f));
    case PGS_KIND_USCALED:
        return floatBitsToUint(PGS_FLOAT(bits));
    case PGS_KIND_SSCALED:
        return floatBitsToUint(PGS_FLOAT(signed_value));
    case PGS_KIND_SINT:
        return PGS_U32(signed_value);
    case PGS_KIND_SFLOAT:
        return width == 16u ? pgs_half_to_float_bits(bits) : bits;
    case PGS_KIND_SRGB:
        return floatBitsToUint(pgs_srgb_to_linear(PGS_FLOAT(bits) * pgs_norm_scale(width)));
    }
    return bits; /* PGS_KIND_UINT */
}

/* Value of a component that the format lacks: 0, or for alpha 1 in the format's numeric type. */
PGS_PURE pgs_u32 pgs_format_fill(const pgs_u32 format, const pgs_u32 component)
{
    const pgs_u32 kind = PGS_FORMAT_KIND(format);
    if (component != 3u)
        return 0u;
    return kind == PGS_KIND_UINT || kind == PGS_KIND_SINT ? 1u : 0x3F800000u;
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
    if (component >= PGS_FORMAT_COUNT(format))
        return pgs_format_fill(format, component);
    if (layout_id >= PGS_LAYOUT_32 && layout_id <= PGS_LAYOUT_64)
        return word;

    const pgs_u32 place = pgs_format_place(format, component);
    const pgs_u32 width = pgs_field_width(layout_id, place);
    const pgs_u32 offset = pgs_field_offset(layout_id, place) & 31u;
    const pgs_u32 bits = (word >> offset) & ((1u << width) - 1u);
    if (layout_id == PGS_LAYOUT_E5B9G9R9)  /* bits * 2^(exponent - 15 - 9) */
        return floatBitsToUint(PGS_FLOAT(bits) * uintBitsToFloat(((word >> 27) + 103u) << 23));
    if (layout_id == PGS_LAYOUT_B10G11R11) /* half floats without sign and low mantissa bits */
        return pgs_half_to_float_bits(bits << (15u - width));
    if (PGS_FORMAT_KIND(format) == PGS_KIND_SRGB && component == 3u)
        return pgs_convert(PGS_KIND_UNORM, width, bits);
    return pgs_convert(PGS_FORMAT_KIND(format), width, bits);
}

#endif
