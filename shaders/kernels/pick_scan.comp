/* SPDX-License-Identifier: MIT
 *
 * Sums up how many output primitives there are, and writes the arguments of the raster draw
 * (poly_gs/pick.h).
 *
 * One workgroup, which loops over the groups of primitives. Root: draw record. Step
 * STEP_SCAN_TILES (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "pick_scan.glsl"
