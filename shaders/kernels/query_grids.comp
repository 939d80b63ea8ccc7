/* SPDX-License-Identifier: MIT
 *
 * Adds the invocations of the layer's own indirect dispatches to PGS_STATISTIC_OWN_GRIDS of a
 * statistics query, from which they are subtracted.
 *
 * One workgroup, after the dispatches. Root: pgs_query_grids. Dispatched by
 * pgs_query_record_grids.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/query.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_grids_ref
{
    pgs_query_grids counted;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_grids_use_ref
{
    pgs_grids_use use;
};

shared uvec2 sums[PGS_SHADER_GROUP_EL];

/* 64 bits, low word first. */
uvec2 add_product(const uvec2 sum, const uint a, const uint b)
{
    uint high, low, carry;
    umulExtended(a, b, high, low);
    low = uaddCarry(sum.x, low, carry);
    return uvec2(low, sum.y + high + carry);
}

void main()
{
    const uint local = PGS_LOCAL_ID;
    const uvec2 uses = pgs_query_grids_ref(pgs_root_address()).counted.uses;
    const uint count = pgs_query_grids_ref(pgs_root_address()).counted.use_count * PGS_GRID_COUNT;
    uvec2 sum = uvec2(0u);
    for (uint i = local; i < count; i += PGS_SHADER_GROUP_EL) {
        pgs_grids_use_ref at = pgs_grids_use_ref(pgs_mul_add(uses, i / PGS_GRID_COUNT, PGS_GRIDS_USE_B));
        const uint weight = at.use.weights[i % PGS_GRID_COUNT];
        if (weight == 0u)
            continue; /* unused: the grid was not written */
        const uvec2 grid = pgs_mul_add(at.use.grids, i % PGS_GRID_COUNT, 12u);
        /* A linear grid has fewer than 2^32 workgroups, all records together fewer than 2^48. */
        const uint groups = pgs_read_at(grid, 0u) * pgs_read_at(grid, 1u);
        sum = add_product(sum, groups, pgs_read_at(grid, 2u) * weight);
    }
    sums[local] = sum;
    barrier();
    if (local != 0u)
        return;
    for (uint i = 1u; i < PGS_SHADER_GROUP_EL; i++) {
        uint carry;
        const uint low = uaddCarry(sum.x, sums[i].x, carry);
        sum = uvec2(low, sum.y + sums[i].y + carry);
    }
    const uvec2 value = pgs_query_grids_ref(pgs_root_address()).counted.value;
    uint carry;
    const uint low = uaddCarry(pgs_read_at(value, 0u), sum.x, carry);
    pgs_write_at(value, 0u, low);
    pgs_write_at(value, 1u, pgs_read_at(value, 1u) + sum.y + carry);
}
