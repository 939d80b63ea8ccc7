/* SPDX-License-Identifier: MIT
 *
 * As expand, but for draws whose output vertices have no gaps (PGS_DRAW_PACKED), whose lines are
 * joined (PGS_DRAW_JOINS) or that have several streams (PGS_DRAW_STREAMS): then only vertices of
 * raster_stream are listed, and those of a strip need not be adjacent. Other draws do not wait for
 * the driver to compile that, which takes twice as long.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "expand_strips.glsl"
