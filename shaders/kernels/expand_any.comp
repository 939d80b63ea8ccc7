/* SPDX-License-Identifier: MIT
 *
 * As expand, on devices whose output vertices may have no gaps (PGS_DRAW_PACKED), or that have
 * stippled lines (PGS_DRAW_JOINS). Elsewhere drivers need not compile that, which is half as much
 * again, and an H200 does without 3 % of a draw of long strips.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "expand_strips.glsl"
