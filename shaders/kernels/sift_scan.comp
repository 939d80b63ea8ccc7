/* SPDX-License-Identifier: MIT
 *
 * Sums up how many primitives are drawn for each strip, and writes the arguments of the raster draws
 * (poly_gs/sift.h).
 *
 * One workgroup per strip, which loops over the groups of primitives. Root: draw record. Step
 * STEP_SCAN_TILES (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
#include "poly_gs/sift.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "record.glsl"
#include "scan_groups.glsl"

/* VkDrawIndexedIndirectCommand. The instance tells the vertex shader which strip it is. */
void write_args(const uint strip, const uint strips, const uint primitives, const uint drawn)
{
    const uvec2 args = pgs_mul_add(PGS_DRAW.draw_args, strip, 20u);
    pgs_write_near(args, 0u, 3u * drawn);
    pgs_write_near(args, 1u, 1u);
    pgs_write_near(args, 2u, PGS_DRAW.first_index + strip * 3u * primitives);
    pgs_write_near(args, 3u, PGS_DRAW.first_vertex);
    pgs_write_near(args, 4u, PGS_DRAW.first_instance * strips + strip);
}

void main()
{
    const uint strip = gl_WorkGroupID.x;
    const uint strips = PGS_DRAW.max_vertices;
    const uint primitives = PGS_DRAW.gs_invocation_bound;
    const uint group_count = PGS_SIFT_GROUPS(primitives);
    const uvec2 sums_of_strip = pgs_mul_add(PGS_DRAW.tile_sums, strip * group_count, 4u);
    const bool exists = strip < strips; /* the grid may fit another draw */

    const uint total = pgs_scan_groups(sums_of_strip, exists ? group_count : 0u);
    if (PGS_LOCAL_ID == 0u && exists)
        write_args(strip, strips, primitives, total);
}
