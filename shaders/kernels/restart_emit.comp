/* SPDX-License-Identifier: MIT
 *
 * Writes primitive_list: the complete primitives of a draw with primitive restart, in draw order.
 * The invocation whose position completes a primitive writes it.
 *
 * One workgroup per tile of vertex_count. Root: draw record. Step STEP_RESTART_EMIT
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "restart_scan.glsl"

void main()
{
    const uint position = pgs_linear_id(PGS_TILE_EL);
    const uint tile = position / PGS_TILE_EL;
    const uint topology = PGS_DRAW.topology;
    const bool restarts = pgs_restarts_at(position);
    const pgs_restart_tile in_tile = pgs_restart_inclusive(topology, pgs_restart_of_position(restarts));
    if (restarts)
        return;

    const pgs_restart_tile before = pgs_restart_read(pgs_mul_add(PGS_DRAW.restart_tiles, tile, 16u));
    const pgs_restart_tile here = pgs_restart_combine(topology, before, in_tile);
    const uint length_el = here.tail_el; /* of the segment, up to this position */
    const uint count = pgs_topology_primitives(topology, length_el);
    if (count == pgs_topology_primitives(topology, length_el - 1u))
        return;

    uint in_segment = count - 1u;
    const uint place = here.inner_primitives + in_segment;
    /* The next primitive of a strip with adjacency takes two more positions. */
    if (topology == PGS_TRIANGLE_STRIP_ADJACENCY && (pgs_restarts_at(position + 1u) || pgs_restarts_at(position + 2u)))
        in_segment |= PGS_PRIMITIVE_LAST;
    if (place >= PGS_DRAW.primitive_count)
        return;
    const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, place, 8u);
    pgs_write(entry, position + 1u - length_el);
    pgs_write(pgs_add(entry, 4u), in_segment);
}
