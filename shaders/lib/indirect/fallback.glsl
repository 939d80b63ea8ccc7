/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, third step, if some draw of the call got no memory: all of them are drawn
 * inline, as one raster draw whose vertex shader runs the earlier stages again for each vertex
 * (pgs_inline_draw). If that is not possible, draws without memory are left out.
 */
#ifndef PGS_INDIRECT_FALLBACK_GLSL
#define PGS_INDIRECT_FALLBACK_GLSL

#include "indirect/arguments.glsl"
#include "indirect/grids.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_inline_draw_ref
{
    pgs_inline_draw inline_draw;
};

shared uint pgs_fallback; /* not 0: all records of the call are drawn inline */
shared uint gs_invocations_of[PGS_INDIRECT_GROUP_EL];

/* Sums and products saturate here. */
#define COUNT_MAX 0xFFFFFFFFu

uint add_limited(const uint a, const uint b)
{
    const uint sum = a + b;
    return sum < a ? COUNT_MAX : sum;
}

uint multiply_limited(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? COUNT_MAX : low;
}

/* At most COUNT_MAX. */
uint gs_invocations_of_draw(pgs_allot_draw_ref record)
{
    const uint in_order = multiply_limited(record.draw.primitive_count, record.draw.instance_count);
    return multiply_limited(in_order, record.draw.invocations);
}

/* A draw without memory is captured and counted in chunks, or not at all. With static emits the
 * record has no capture: nothing has to be counted. */
void count_without_memory(pgs_allot_draw_ref record)
{
    if (record.draw.primitive_count == 0u || record.draw.capture == uvec2(0u))
        return;
    const bool chunks = (PGS_INDIRECT.flags & PGS_INDIRECT_CHUNKS) != 0u;
    if (chunks) /* even if the draw is too large: the dispatch writes zeros */
        atomicMax(pgs_any_chunks, 1u);
    if (!chunks || gs_invocations_of_draw(record) > PGS_CHUNKS_MAX_GS_INVOCATIONS)
        pgs_pool_leave_out(record.draw.pool);
}

/* Leaves out a draw that has no memory and cannot be inline. Counts, and shaders that capture by
 * themselves, need no memory and still run. */
void pgs_leave_out(pgs_allot_draw_ref record, const uvec2 address)
{
    if ((record.draw.flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_pool_leave_out(record.draw.pool);
        pgs_draw_nothing(record, address);
        return;
    }
    if (record.draw.draw_args != uvec2(0u))
        pgs_pool_leave_out(record.draw.pool);
    pgs_allot_nothing(record);
    record.draw.vertices = uvec2(0u);
    count_without_memory(record);
}

/* True if the record can be drawn inline: the number of its raster vertices must fit in a word. */
bool pgs_can_fall_back(pgs_allot_draw_ref record)
{
    if (PGS_INDIRECT.inline_draw == uvec2(0u))
        return false;
    const uint vertices_per_gs_invocation = pgs_inline_draw_ref(PGS_INDIRECT.inline_draw).inline_draw.vertices_per_gs_invocation;
    return multiply_limited(gs_invocations_of_draw(record), max(vertices_per_gs_invocation, 1u)) != COUNT_MAX;
}

/* GS invocations of a record that are drawn inline. */
uint inline_gs_invocations(pgs_allot_draw_ref record)
{
    return pgs_can_fall_back(record) ? gs_invocations_of_draw(record) : 0u;
}

/* Writes gs_invocation_first of each record and returns the GS invocations of the call. Called by
 * the whole workgroup. */
uint number_gs_invocations()
{
    const uint local = gl_LocalInvocationIndex;
    uint total = 0u;
    for (uint chunk = 0u; chunk < pgs_drawn_end; chunk += PGS_INDIRECT_GROUP_EL) {
        const uint number = chunk + local;
        pgs_allot_draw_ref record =
            pgs_allot_draw_ref(pgs_mul_add(PGS_INDIRECT.records, number, PGS_INDIRECT.record_stride_B));
        gs_invocations_of[local] = number < pgs_drawn_end ? inline_gs_invocations(record) : 0u;
        barrier();
        if (number < pgs_drawn_end) {
            uint before = total;
            for (uint i = 0u; i < local; i++)
                before = add_limited(before, gs_invocations_of[i]);
            record.draw.gs_invocation_first = before;
        }
        for (uint i = 0u; i < PGS_INDIRECT_GROUP_EL; i++)
            total = add_limited(total, gs_invocations_of[i]);
        barrier();
    }
    return total;
}

/* Writes the arguments of the inline draw of all records. gs_invocations: of the call. Called by
 * one invocation. */
void write_inline_draw(pgs_inline_draw_ref at, const uint gs_invocations)
{
    const bool in_line = at.inline_draw.in_line != 0u;
    const uint vertices = in_line ? multiply_limited(gs_invocations, at.inline_draw.vertices_per_gs_invocation) : at.inline_draw.vertices_per_gs_invocation;
    at.inline_draw.record_count = pgs_drawn_end;
    pgs_write_at(at.inline_draw.args, 0u, vertices);
    pgs_write_at(at.inline_draw.args, 1u, in_line ? 1u : gs_invocations);
    pgs_write_at(at.inline_draw.args, 2u, 0u);
    pgs_write_at(at.inline_draw.args, 3u, 0u);
    if (max(gs_invocations, vertices) != COUNT_MAX)
        return;
    const uvec2 pool = pgs_allot_draw_ref(PGS_INDIRECT.records).draw.pool;
    pgs_pool_refuse(pool);
    pgs_pool_leave_out(pool);
}

/* Takes memory and grids from a record that will be drawn inline. It is captured and counted in
 * chunks, or not at all. */
void drop_stored(pgs_allot_draw_ref record, const uvec2 address)
{
    if (!pgs_can_fall_back(record)) {
        pgs_pool_refuse(record.draw.pool);
        pgs_leave_out(record, address);
        return;
    }
    pgs_allot_nothing(record);
    record.draw.vertices = uvec2(0u);
    count_without_memory(record);
}

/* Called first, by one invocation. A call that stores nothing is always drawn inline. */
void pgs_fallback_clear()
{
    pgs_fallback = (PGS_INDIRECT.flags & PGS_INDIRECT_STORES) == 0u && PGS_INDIRECT.inline_draw != uvec2(0u) ? 1u : 0u;
}

bool pgs_falls_back()
{
    return pgs_fallback != 0u;
}

/* Draws all records of the call inline. Called by the whole workgroup. */
void pgs_draw_inline(const uint first)
{
    for (uint i = first; i < pgs_drawn_end; i += PGS_INDIRECT_GROUP_EL) {
        const uvec2 address = pgs_mul_add(PGS_INDIRECT.records, i, PGS_INDIRECT.record_stride_B);
        drop_stored(pgs_allot_draw_ref(address), address);
    }
    const uint gs_invocations = number_gs_invocations();
    if (first != 0u)
        return;
    pgs_grids_drop_stored();
    write_inline_draw(pgs_inline_draw_ref(PGS_INDIRECT.inline_draw), gs_invocations);
}

/* Empties the inline draw. Called by one invocation. */
void pgs_draw_none_inline()
{
    if (PGS_INDIRECT.inline_draw != uvec2(0u))
        write_inline_draw(pgs_inline_draw_ref(PGS_INDIRECT.inline_draw), 0u);
}

#endif
