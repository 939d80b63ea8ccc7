/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/one_vertex.h"

#include "spirv/analysis/emit_walk_run.h"
#include "spirv/analysis/vertex_values.h"
#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"

#define MAX_STRIPS 32

struct one_vertex {
    struct pgs_spv_vertex_values values;
    const struct pgs_spv_emit_facts *facts;
    const struct pgs_spv_io_vars *outputs;
    pgs_spv_symbol *first;     /* [outputs]: of the strip's first vertex */
    uint32_t strip_el, strips; /* vertices of the open strip; strips that have ended */
    uint32_t layers[MAX_STRIPS], layer_count;
};

static struct one_vertex *of(const struct pgs_spv_emit_walk *w)
{
    return w->observed;
}

/* True if it is what the first vertex of the strip has, of its own vertex. */
static bool is_alike(const struct one_vertex *v, pgs_spv_symbol symbol, pgs_spv_symbol first)
{
    const struct pgs_spv_symbol_def *def = &v->values.symbols.defs[symbol];
    return symbol && first && !(def->vertices & ~(UINT32_C(1) << v->strip_el)) &&
           def->of_any_vertex == v->values.symbols.defs[first].of_any_vertex;
}

static void end_strip(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    struct one_vertex *v = of(w);
    (void)stream;
    if (v->strip_el && v->strip_el != v->facts->input_vertices)
        v->values.is_refused = true;
    v->strips += v->strip_el != 0;
    v->strip_el = 0;
}

static void emit(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    struct one_vertex *v = of(w);
    (void)stream;
    for (uint32_t i = 0; i < v->outputs->count; i++) {
        const struct pgs_spv_io_var *var = &v->outputs->items[i];
        uint32_t layer;
        if (var->builtin == SpvBuiltInPrimitiveId)
            continue;
        const pgs_spv_symbol symbol = pgs_spv_vertex_output(&v->values, var);
        if (!v->strip_el)
            v->first[i] = symbol;
        v->values.is_refused |= !is_alike(v, symbol, v->first[i]);
        if (!v->strip_el && var->builtin == SpvBuiltInLayer && var->referenced &&
            v->layer_count < MAX_STRIPS &&
            pgs_spv_symbol_is_number(&v->values.symbols, symbol, &layer))
            v->layers[v->layer_count++] = layer;
    }
    v->strip_el++;
    v->values.is_refused |= v->strip_el > v->facts->input_vertices;
    if (v->facts->output_kind == 1)
        end_strip(w, 0);
}

/* Walks along one invocation. False: it is of more vertices than one. */
static bool walk(struct one_vertex *v, uint32_t invocation)
{
    struct pgs_spv_emit_observer observer = {.emit = emit, .end_strip = end_strip};
    const struct pgs_spv_symbols *symbols = &v->values.symbols;
    struct pgs_spv_module *m = v->values.m;
    struct pgs_spv_emit_walk w = {.m = m,
                                  .code = &m->sections[PGS_SPV_FUNCTIONS],
                                  .observer = &observer,
                                  .observed = v,
                                  .invocation_variable = v->values.invocation_variable,
                                  .invocation = invocation};
    const uint32_t before = v->strips, most = v->facts->pattern->vertices;
    pgs_spv_vertex_values_observe(&observer);
    if (!pgs_spv_emit_walk_begin(&w))
        return false;
    pgs_spv_vertex_values_begin(&v->values, &w);
    while (!w.is_lost && !w.is_done && !v->values.is_refused && !symbols->is_full &&
           (v->strips - before) * v->facts->input_vertices + v->strip_el < most)
        pgs_spv_emit_walk_step(&w);
    end_strip(&w, 0);
    return !w.is_lost && !v->values.is_refused && !symbols->is_full && v->strips > before;
}

static bool all_differ(const uint32_t *layers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (layers[i] == layers[k])
                return false;
    return true;
}

/* Whether it can be such a shader, by what is known of it so far. */
static bool is_possible(const struct pgs_spv_emit_facts *facts)
{
    const uint32_t kind = facts->output_kind;
    return facts->pattern->is_known && facts->stream_mask == 1 && facts->input_vertices == kind &&
           facts->pattern->vertices && facts->pattern->vertices % kind == 0 &&
           facts->pattern->primitives[0] == facts->pattern->vertices / kind &&
           facts->pattern->primitives[0] * facts->invocations <= MAX_STRIPS;
}

void pgs_spv_find_one_vertex(struct pgs_spv_module *m, const struct pgs_spv_emit_facts *facts,
                             const struct pgs_spv_io_vars *inputs,
                             const struct pgs_spv_io_vars *outputs,
                             struct pgs_spv_one_vertex *found)
{
    struct one_vertex v = {.facts = facts, .outputs = outputs};
    if (m->result != PGS_SPV_OK || !is_possible(facts) ||
        !pgs_spv_vertex_values_init(&v.values, m, inputs))
        return;
    v.first = pgs_spv_zalloc(m, outputs->count + 1u, sizeof(*v.first));
    if (!v.first)
        return;
    for (uint32_t i = 0; i < facts->invocations; i++)
        if (!walk(&v, i))
            return;
    const uint32_t strips = facts->pattern->primitives[0] * facts->invocations;
    if (v.strips != strips)
        return;
    *found = (struct pgs_spv_one_vertex){
        .strips = strips,
        .each = facts->pattern->primitives[0],
        .layers_differ = v.layer_count == strips && all_differ(v.layers, strips),
    };
}
