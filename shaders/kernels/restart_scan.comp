/* SPDX-License-Identifier: MIT
 *
 * Replaces each element of restart_tiles by the summary of all positions before its tile, and
 * writes restart_count: the numbers of primitives and of restart indices.
 *
 * One workgroup per record, which loops over the tiles. Root: draw record. Step STEP_RESTART_SCAN
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
    const uint local = PGS_LOCAL_ID;
    const uint topology = PGS_DRAW.topology;
    const uint tile_count = (PGS_DRAW.vertex_count + PGS_TILE_EL - 1u) / PGS_TILE_EL;

    pgs_restart_tile before = pgs_restart_of_position(true);
    for (uint chunk = 0u; chunk < tile_count; chunk += PGS_TILE_EL) {
        const uint tile = chunk + local;
        const uvec2 address = pgs_mul_add(PGS_DRAW.restart_tiles, tile, 16u);
        pgs_restart_tile own = pgs_restart_of_position(true);
        if (tile < tile_count)
            own = pgs_restart_read(address);
        pgs_restart_inclusive(topology, own);
        if (tile < tile_count) {
            pgs_restart_tile prefix = before;
            if (local > 0u)
                prefix = pgs_restart_combine(topology, before, pgs_restart_sums[local - 1u]);
            pgs_restart_write(address, prefix);
        }
        before = pgs_restart_combine(topology, before, pgs_restart_sums[PGS_TILE_EL - 1]);
    }
    /* The end of the draw closes the last segment. */
    const pgs_restart_tile all = pgs_restart_combine(topology, before, pgs_restart_of_position(true));
    if (local != 0u)
        return;
    /* Restarts that are no indices: both ends of the draw, the padding of its last tile, and that
     * of the last chunk of tiles. */
    const uint chunk_count = (tile_count + PGS_TILE_EL - 1u) / PGS_TILE_EL;
    const uint ends = 2u + tile_count * PGS_TILE_EL - PGS_DRAW.vertex_count + chunk_count * PGS_TILE_EL - tile_count;
    const uvec2 counts = PGS_DRAW.restart_count;
    pgs_write_at(counts, 0u, all.inner_primitives);
    pgs_write_at(counts, 1u, all.restarts - ends);
}
