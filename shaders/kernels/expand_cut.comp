/* SPDX-License-Identifier: MIT
 *
 * As expand, but of strips of triangles that are cut (PGS_DRAW_CUTS), by invocations in a row.
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
#define PGS_CUTS
#include "expand_strips.glsl"
