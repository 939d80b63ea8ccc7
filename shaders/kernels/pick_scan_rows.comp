/* SPDX-License-Identifier: MIT
 *
 * As pick_scan, for CPUs, on which it counts what is in each group, too.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#define PGS_COUNTS_GROUPS
#include "pick_scan.glsl"
