/* SPDX-License-Identifier: MIT
 *
 * tile_sums[t] = indices of the GS invocations of tile t.
 *
 * One workgroup per tile of gs_invocation_bound. Root: draw record. Step STEP_COUNT_TILES
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#define PGS_MAY_JOIN false
#include "count_tiles.glsl"
