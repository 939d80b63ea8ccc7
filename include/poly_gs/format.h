/* SPDX-License-Identifier: MIT
 *
 * Vertex attribute formats as bit fields that tell how to decode them. With a constant format the
 * decoder (shaders/lib/decode.glsl) folds to a few instructions. C and GLSL include this file.
 */
#ifndef PGS_FORMAT_H
#define PGS_FORMAT_H

/* Bits 0..3: conversion from stored number to component. */
#define PGS_KIND_UNORM 1u
#define PGS_KIND_SNORM 2u
#define PGS_KIND_USCALED 3u
#define PGS_KIND_SSCALED 4u
#define PGS_KIND_UINT 5u
#define PGS_KIND_SINT 6u
#define PGS_KIND_SFLOAT 7u
#define PGS_KIND_SRGB 8u   /* alpha is UNORM */
#define PGS_KIND_UFLOAT 9u /* with PGS_LAYOUT_B10G11R11 and PGS_LAYOUT_E5B9G9R9 only */

/* Bits 4..7: layout of the components. Packed layouts name them from the most significant bit. */
#define PGS_LAYOUT_8 1u /* array of bytes; 16, 32 and 64: of larger words */
#define PGS_LAYOUT_16 2u
#define PGS_LAYOUT_32 3u
#define PGS_LAYOUT_64 4u
#define PGS_LAYOUT_R4G4 5u
#define PGS_LAYOUT_R4G4B4A4 6u
#define PGS_LAYOUT_A4B4G4R4 7u
#define PGS_LAYOUT_R5G6B5 8u
#define PGS_LAYOUT_R5G5B5A1 9u
#define PGS_LAYOUT_A1B5G5R5 10u
#define PGS_LAYOUT_A2B10G10R10 11u
#define PGS_LAYOUT_B10G11R11 12u
#define PGS_LAYOUT_E5B9G9R9 13u

/* Bits 8..10: number of components. Bit 11: red and blue are swapped. */
#define PGS_FORMAT_SWAP_RB 0x800u
#define PGS_FORMAT_MAKE(layout, count, kind) ((kind) | ((layout) << 4) | ((count) << 8))

#define PGS_FORMAT_KIND(format) ((format)&15u)
#define PGS_FORMAT_LAYOUT(format) (((format) >> 4) & 15u)
#define PGS_FORMAT_COUNT(format) (((format) >> 8) & 7u)

/* Bit 12, with a static format: the attribute has instance rate. */
#define PGS_FORMAT_INSTANCE 0x1000u

/* Format and rate are not known when the shader is made: the shader reads them from the record. */
#define PGS_FORMAT_DYNAMIC 0u

/* Bit 13, in records only: elements need not be aligned to words (VK_EXT_legacy_vertex_attributes). */
#define PGS_FORMAT_UNALIGNED 0x2000u

/* There is no attribute: the shader reads zeros (VK_EXT_vertex_attribute_robustness). Shaders that
 * know it fetch nothing; a record has the other one, whose elements have no component that is 1. */
#define PGS_FORMAT_ABSENT 0xFFFFFFFFu
#define PGS_FORMAT_ZEROS PGS_FORMAT_MAKE(PGS_LAYOUT_32, 4u, PGS_KIND_UINT)

#endif
