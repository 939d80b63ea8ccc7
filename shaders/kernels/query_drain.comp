/* SPDX-License-Identifier: MIT
 *
 * Adds what a secondary command buffer counted to the statistics query of the primary, and clears
 * it.
 *
 * One invocation per value. Root: pgs_query_drain. Dispatched by pgs_query_record_drain.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/query.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_drain_ref
{
    pgs_query_drain drain;
};

void main()
{
    const uint value = pgs_linear_id(PGS_SHADER_GROUP_EL);
    if (value >= PGS_STATISTIC_COUNT)
        return;
    const uvec2 from = pgs_query_drain_ref(pgs_root_address()).drain.from;
    const uvec2 to = pgs_query_drain_ref(pgs_root_address()).drain.to;
    const uint low = pgs_read_at(from, 2u * value);
    const uint high = pgs_read_at(from, 2u * value + 1u);
    pgs_write_at(from, 2u * value, 0u);
    pgs_write_at(from, 2u * value + 1u, 0u);
    if (to == uvec2(0u))
        return;
    uint carry;
    const uint sum = uaddCarry(pgs_read_at(to, 2u * value), low, carry);
    pgs_write_at(to, 2u * value, sum);
    pgs_write_at(to, 2u * value + 1u, pgs_read_at(to, 2u * value + 1u) + high + carry);
}
