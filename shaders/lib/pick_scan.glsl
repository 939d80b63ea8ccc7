/* SPDX-License-Identifier: MIT
 *
 * The kernels pick_scan and pick_scan_rows. PGS_COUNTS_GROUPS: the shader in front has not counted output primitives.
 */
#ifndef PGS_PICK_SCAN_GLSL
#define PGS_PICK_SCAN_GLSL

#include "picked.glsl"
#include "scan_groups.glsl"
#include "slice_args.glsl"

void main()
{
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uint group_count = PGS_PICK_GROUPS(bound);
#ifdef PGS_COUNTS_GROUPS
    const uint kind = PGS_DRAW.out_kind;
    const uvec2 counts = PGS_DRAW.counts;
    const uvec2 sums = PGS_DRAW.tile_sums;
    for (uint group = PGS_LOCAL_ID; group < group_count; group += PGS_TILE_EL) {
        const uint end = min((group + 1u) * PGS_SHADER_GROUP_EL, bound);
        uint sum = 0u;
        [[dont_unroll]] for (uint i = group * PGS_SHADER_GROUP_EL; i < end; i++)
            sum += pgs_picked_primitives(pgs_read_at(counts, i), kind);
        pgs_write_at(sums, group, sum);
    }
    memoryBarrierBuffer();
    barrier();
#endif
    const uint total = pgs_scan_groups(PGS_DRAW.tile_sums, group_count);
    const uint slices = PGS_DRAW.packed_vertices;
    const uint index_count = PGS_DRAW.out_kind * total;
    const uvec2 args = PGS_DRAW.draw_args; /* VkDrawIndexedIndirectCommand */
    if (PGS_LOCAL_ID == 0u && slices != 0u) {
        pgs_write_slice_args(index_count, slices, PGS_DRAW.first_vertex, PGS_DRAW.first_instance);
    } else if (PGS_LOCAL_ID == 0u) {
        pgs_write_near(args, 0u, index_count);
        pgs_write_near(args, 1u, 1u);
        pgs_write_near(args, 2u, PGS_DRAW.first_index);
        pgs_write_near(args, 3u, PGS_DRAW.first_vertex);
        pgs_write_near(args, 4u, PGS_DRAW.first_instance);
    }
}

#endif
