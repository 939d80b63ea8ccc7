/* SPDX-License-Identifier: MIT
 *
 * Finds what a geometry shader emits independent of its inputs, by interpreting it with the values
 * that are known at compile time.
 */
#include "spirv/analysis/emit_pattern.h"

#include "spirv/analysis/effects.h"
#include "spirv/analysis/emit_walk_run.h"

/* The state of the invocation so far, counted as in shaders/lib/geometry.glsl. */
struct gs_invocation {
    uint32_t kind, max_vertices;
    uint32_t open_el[PGS_SPV_STREAMS]; /* vertices of the open strip */
    struct pgs_spv_emit_pattern pattern;
};

static void emit(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    struct gs_invocation *u = w->observed;
    u->pattern.vertices++;
    u->open_el[stream]++;
    if (u->kind == 1) {
        u->pattern.primitives[stream]++;
        u->pattern.indices[stream]++;
    }
}

static void end_strip(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    struct gs_invocation *u = w->observed;
    const uint32_t length_el = u->open_el[stream];
    if (u->kind == 1)
        return;
    if (length_el > u->pattern.longest_el)
        u->pattern.longest_el = length_el;
    if (length_el >= u->kind) {
        u->pattern.primitives[stream] += length_el - u->kind + 1;
        u->pattern.indices[stream] += length_el + 1;
    }
    u->open_el[stream] = 0;
}

void pgs_spv_find_pattern(struct pgs_spv_module *m, uint32_t output_kind, uint32_t max_vertices,
                          struct pgs_spv_emit_pattern *pattern)
{
    static const struct pgs_spv_emit_observer observer = {.emit = emit, .end_strip = end_strip};
    struct gs_invocation u = {.kind = output_kind, .max_vertices = max_vertices};
    struct pgs_spv_emit_walk w = {
        .m = m, .code = &m->sections[PGS_SPV_FUNCTIONS], .observer = &observer, .observed = &u};
    if (m->result != PGS_SPV_OK || !pgs_spv_emit_walk_begin(&w))
        return;
    /* Once the last vertex that counts has been emitted, it does not matter how its strip ends. */
    while (!w.is_lost && !w.is_done && u.pattern.vertices < u.max_vertices)
        pgs_spv_emit_walk_step(&w);
    if (w.is_lost)
        return;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        end_strip(&w, s);
    u.pattern.is_known = true;
    u.pattern.round_steps = w.skips_unknown || pgs_spv_takes_long(m) ? UINT32_MAX : w.steps;
    u.pattern.steps = w.skips_loop ? UINT32_MAX : u.pattern.round_steps;
    *pattern = u.pattern;
}
