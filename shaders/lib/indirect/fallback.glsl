/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, third step: records without memory. If one of them can be drawn inline, all of
 * the call are, as one raster draw whose vertex shader runs the earlier stages again for each
 * vertex (pgs_inline_draw). Draws without memory that cannot be inline are left out.
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

/* gs_invocation_first of a record that got no memory, until the third step. */
#define PGS_WITHOUT_MEMORY 0xFFFFFFFFu

/* A call that stores nothing is always drawn inline. */
bool pgs_is_inline_call()
{
    return (pgs_call.flags & PGS_INDIRECT_STORES) == 0u && pgs_call.inline_draw != uvec2(0u);
}

/* Called first, by one invocation. */
void pgs_fallback_clear()
{
    pgs_fallback = pgs_is_inline_call() ? 1u : 0u;
}

bool pgs_falls_back()
{
    return pgs_fallback != 0u;
}

uint gs_invocations_of_draw(pgs_allot_draw_ref record)
{
    const uint in_order = pgs_multiply_limited(record.draw.primitive_count, record.draw.instance_count);
    return pgs_multiply_limited(in_order, record.draw.invocations);
}

/* True if that many GS invocations can be drawn inline: their vertices must be fewer than 2^31
 * (pgs_geometry_quotient). */
bool pgs_can_fall_back(const uint gs_invocations)
{
    bool can = false;
    const uvec2 at = pgs_readable(pgs_call.inline_draw, pgs_call.inline_draw);
    const uint each = pgs_inline_draw_ref(at).inline_draw.vertices_per_gs_invocation;
    if (pgs_call.inline_draw != uvec2(0u)) {
        can = pgs_multiply_limited(gs_invocations, max(each, 1u)) <= PGS_COUNT_MAX / 2u;
    }
    return can;
}

/* Takes memory and grids from a record that draws. in_line: it is drawn inline; else it is left
 * out. Counts, and shaders that capture by themselves, need no memory and still run; other captures
 * and counts run in chunks, or not at all. With static emits the record has no capture: nothing has
 * to be counted. */
void drop_stored(pgs_allot_draw_ref record, const bool in_line, const uint gs_invocations)
{
    const bool tessellated = (record.draw.flags & PGS_DRAW_TESSELLATED) != 0u;
    record.draw.gs_invocation_bound = 0u;
    record.draw.vertices = uvec2(0u);
    const bool chunks = (pgs_call.flags & PGS_INDIRECT_CHUNKS) != 0u;
    bool captured = record.draw.capture != uvec2(0u);
    if (!in_line) {
        pgs_left_out = pgs_left_out || tessellated || record.draw.draw_args != uvec2(0u);
        if (tessellated) {
            record.draw.primitive_count = 0u;
            captured = false;
        }
    }
    if (captured && chunks) /* even if the draw is too large: the dispatch writes zeros */
        pgs_raise_grid(PGS_GRID_CHUNKS, PGS_CHUNKS);
    if (captured && (!chunks || gs_invocations > PGS_CHUNKS_MAX_GS_INVOCATIONS))
        pgs_left_out = true;
}

/* Makes a record without primitives draw nothing: no later dispatch does anything for it. */
void pgs_draw_nothing(pgs_allot_draw_ref record)
{
    record.draw.vertex_count = 0u;
    record.draw.instance_count = 0u;
    if ((record.draw.flags & PGS_DRAW_RESTART) != 0u) {
        pgs_write_near(record.draw.restart_count, 0u, 0u);
        pgs_write_near(record.draw.restart_count, 1u, 0u);
    }
    if ((record.draw.flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        made.tessellation.vertex_count = 0u;
        made.tessellation.primitive_count = 0u;
        /* tess_allot does not visit records after the last one that draws. */
        const uvec2 args = made.tessellation.inline_args;
        if (args != uvec2(0u)) {
            for (uint word = 0u; word < 4u; word++)
                pgs_write_near(args, word, 0u);
        }
    }
}

/* Decides how a record is drawn. Returns its GS invocations that are drawn inline. */
uint finish(pgs_allot_draw_ref record, const bool falls_back)
{
    uint gs_invocations = 0u;
    if (record.draw.primitive_count != 0u && (falls_back || record.draw.gs_invocation_first == PGS_WITHOUT_MEMORY)) {
        const uint all = gs_invocations_of_draw(record);
        const bool in_line = falls_back && pgs_can_fall_back(all);
        if (in_line)
            gs_invocations = all;
        else if (falls_back)
            pgs_refused = true;
        drop_stored(record, in_line, all);
    }
    if (record.draw.primitive_count == 0u)
        pgs_draw_nothing(record);
    return gs_invocations;
}

/* Returns the GS invocations before this invocation's record; adds those of the whole workgroup to
 * the total. Called by the whole workgroup. */
uint number_gs_invocations(const uint gs_invocations, inout uint total)
{
    const uint local = PGS_LOCAL_ID;
    uint before = total;
    barrier(); /* those of the previous call have been read */
    gs_invocations_of[local] = gs_invocations;
    barrier();
    for (uint i = 0u; i < PGS_INDIRECT_GROUP_EL; i++) {
        total = pgs_add_limited(total, gs_invocations_of[i]);
        if (i + 1u == local)
            before = total;
    }
    return before;
}

/* Finishes all records. Returns the GS invocations that are drawn inline. Called by the whole
 * workgroup. */
uint pgs_finish_records(const uint first)
{
    const bool falls_back = pgs_falls_back();
    uint total = 0u;
    for (uint chunk = 0u; chunk < pgs_call.record_count; chunk += PGS_INDIRECT_GROUP_EL) {
        const uint number = chunk + first;
        const bool is_record = number < pgs_call.record_count;
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
        uint gs_invocations = 0u;
        if (is_record)
            gs_invocations = finish(record, falls_back);
        uint before = 0u;
        if (falls_back)
            before = number_gs_invocations(gs_invocations, total);
        if (is_record)
            record.draw.gs_invocation_first = before;
    }
    return total;
}

/* Writes the arguments of the inline draw, which is empty unless the call falls back.
 * gs_invocations: of the call. Called by one invocation. */
void pgs_write_inline_draw(const uint gs_invocations)
{
    if (pgs_call.inline_draw != uvec2(0u)) {
        pgs_inline_draw_ref at = pgs_inline_draw_ref(pgs_call.inline_draw);
        const bool in_line = at.inline_draw.in_line != 0u;
        const uint each = at.inline_draw.vertices_per_gs_invocation;
        const uint vertices = in_line ? pgs_multiply_limited(gs_invocations, each) : each;
        const uvec2 args = at.inline_draw.args;
        at.inline_draw.record_count = pgs_drawn_end;
        pgs_write_near(args, 0u, vertices);
        pgs_write_near(args, 1u, in_line ? 1u : gs_invocations);
        pgs_write_near(args, 2u, 0u);
        pgs_write_near(args, 3u, 0u);
        const bool too_large = max(gs_invocations, vertices) == PGS_COUNT_MAX;
        pgs_refused = pgs_refused || too_large;
        pgs_left_out = pgs_left_out || too_large;
    }
}

#endif
