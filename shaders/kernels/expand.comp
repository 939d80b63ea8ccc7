/* SPDX-License-Identifier: MIT
 *
 * Writes the index list of the raster draw: the output vertices of each GS invocation in order,
 * with a restart index after each strip. Strips without a complete primitive are left out.
 *
 * One workgroup per tile of gs_invocation_bound. Root: draw record. Step STEP_EXPAND
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#define PGS_MAY_PACK false
#define PGS_MAY_JOIN false
#define PGS_MAY_STREAM false
#include "expand_strips.glsl"
