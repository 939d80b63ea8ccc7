/* SPDX-License-Identifier: MIT
 *
 * vkCmdCopyQueryPoolResults for queries whose values the layer counts, all or some. Results of the
 * driver were copied to memory before.
 *
 * One invocation per query. Root: pgs_query_copy. Dispatched by pgs_query_record_copy.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/query.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_copy_ref
{
    pgs_query_copy copy;
};

#define PGS_COPY pgs_query_copy_ref(pgs_root_address()).copy

/* 64 bits, low word first. */
uvec2 pgs_read_value(const uvec2 values, const uint index)
{
    return uvec2(pgs_read_at(values, 2u * index), pgs_read_at(values, 2u * index + 1u));
}

uvec2 pgs_subtract(const uvec2 a, const uvec2 b)
{
    return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u));
}

void main()
{
    const uint query = pgs_linear_id(PGS_SHADER_GROUP_EL);
    if (query >= PGS_COPY.query_count)
        return;
    const uint flags = PGS_COPY.flags;
    const uint value_count = PGS_COPY.value_count;
    const uvec2 words = pgs_mul_add(PGS_COPY.queries, query, PGS_COPY.query_stride_B);
    const uvec2 ours = pgs_add(words, PGS_QUERY_VALUES_B);
    const bool has_driver = PGS_COPY.driver != uvec2(0u);
    const uvec2 driver = pgs_mul_add(PGS_COPY.driver, query, PGS_COPY.driver_stride_B);
    /* Availability is the last of the driver's values. */
    const uint driver_count = PGS_COPY.driver_stride_B / 8u;
    bool available = pgs_read_at(words, PGS_QUERY_AVAILABLE_W) != 0u;
    if (has_driver)
        available = available && pgs_read_value(driver, driver_count - 1u) != uvec2(0u);

    const uint words_of_value = (flags & PGS_QUERY_COPY_64) != 0u ? 2u : 1u;
    const uvec2 target = pgs_mul_add(PGS_COPY.target, query, PGS_COPY.target_stride_B);
    if (available || (flags & PGS_QUERY_COPY_PARTIAL) != 0u) {
        for (uint i = 0u; i < value_count; i++) {
            const uint source = PGS_COPY.sources[i / 4u] >> (i % 4u * 8u) & 0xFFu;
            const bool of_driver = (source & PGS_QUERY_SOURCE_DRIVER) != 0u;
            uvec2 value = pgs_read_value(of_driver ? driver : ours, source & PGS_QUERY_SOURCE_VALUE);
            if ((source & PGS_QUERY_SOURCE_OWN) != 0u) {
                value = pgs_subtract(value, pgs_read_value(ours, PGS_STATISTIC_OWN_DISPATCHES));
                value = pgs_subtract(value, pgs_read_value(ours, PGS_STATISTIC_OWN_GRIDS));
            }
            pgs_write_at(target, i * words_of_value, value.x);
            if (words_of_value == 2u)
                pgs_write_at(target, 2u * i + 1u, value.y);
        }
    }
    if ((flags & PGS_QUERY_COPY_AVAILABILITY) != 0u) {
        pgs_write_at(target, value_count * words_of_value, available ? 1u : 0u);
        if (words_of_value == 2u)
            pgs_write_at(target, 2u * value_count + 1u, 0u);
    }
}
