/* SPDX-License-Identifier: MIT
 *
 * As count_tiles, on devices with stippled lines (PGS_DRAW_JOINS).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "count_tiles.glsl"
