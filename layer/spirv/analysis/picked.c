/* SPDX-License-Identifier: MIT
 *
 * Walks along all ways through the shader: at a branch over what is not known, behind which
 * something is emitted, first the one way is taken, and in a walk of its own the other.
 */
#include "spirv/analysis/picked.h"

#include "poly_gs/pick.h"
#include "spirv/analysis/emit_walk_run.h"
#include "spirv/analysis/emit_walk_values.h"
#include "spirv/analysis/vertex_values.h"
#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"

#include <string.h>

#define MAX_PATHS 256
#define MAX_FORKS 32
#define MAX_CHOICES 64
#define MAX_VALUES 64
/* Of all walks. */
#define MAX_STEPS (2 * PGS_SPV_EMIT_WALK_STEPS)

struct choice {
    uint32_t *branch;
    uint32_t label;
    bool is_fork;
};

struct emit {
    const uint32_t *ins;
    uint32_t corner;
    bool is_constant; /* it is always of that one */
    uint64_t values;  /* bit i: values[i] has always been its number */
};

struct picked {
    struct pgs_spv_vertex_values values;
    const struct pgs_spv_emit_facts *facts;
    const struct pgs_spv_io_vars *outputs;
    pgs_spv_symbol *function; /* [outputs]: of any vertex */
    bool knows_function;
    struct emit emits[PGS_SPV_PICKED_EMITS];
    uint32_t emit_count;
    uint32_t indices[MAX_VALUES], index_count; /* ids with which vertices are chosen */
    /* This walk. */
    uint32_t emitted;
    bool others[MAX_FORKS]; /* the second way is taken */
    uint32_t fork_count, forks_so_far;
    struct choice choices[MAX_CHOICES]; /* in front of the first emit */
    uint32_t choice_count;
    bool (*values_region)(struct pgs_spv_emit_walk *w, uint32_t merge);
    struct pgs_spv_picked *found;
};

static struct picked *of(const struct pgs_spv_emit_walk *w)
{
    return w->observed;
}

/* -- which vertex an emit is made of -- */

static void add_index(struct picked *p, uint32_t id)
{
    const struct pgs_spv_module *m = p->values.m;
    const uint32_t *type = pgs_spv_def_op(m, pgs_spv_type_of(m, id), SpvOpTypeInt);
    uint32_t number;
    if (p->index_count == MAX_VALUES || !type || type[2] != 32 ||
        pgs_spv_constant(m, id, &number) || pgs_spv_def_op(m, id, SpvOpFunctionParameter) ||
        pgs_spv_def_op(m, id, SpvOpUndef))
        return;
    for (uint32_t i = 0; i < p->index_count; i++)
        if (p->indices[i] == id)
            return;
    p->indices[p->index_count++] = id;
}

/* Values that may be its number: those that index something. */
static void find_indices(struct picked *p)
{
    const struct pgs_spv_list *code = &p->values.m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < code->count; i++) {
        const uint32_t *ins = code->items[i], op = pgs_spv_op(ins);
        const bool is_chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
        for (uint32_t k = 4; is_chain && k < pgs_spv_length(ins); k++)
            add_index(p, ins[k]);
    }
}

static uint64_t indices_that_are(const struct pgs_spv_emit_walk *w, uint32_t number)
{
    const struct picked *p = of(w);
    uint64_t mask = 0;
    for (uint32_t i = 0; i < p->index_count; i++) {
        const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, p->indices[i]);
        if (value.kind == PGS_SPV_NUMBER && value.bits == number)
            mask |= UINT64_C(1) << i;
    }
    return mask;
}

/* What is emitted here is made of that vertex, this time. */
static void note_corner(const struct pgs_spv_emit_walk *w, uint32_t corner)
{
    struct picked *p = of(w);
    const uint32_t *ins = w->code->items[w->at - 1];
    uint32_t i = 0;
    while (i < p->emit_count && p->emits[i].ins != ins)
        i++;
    struct emit *emit = &p->emits[i];
    if (i == PGS_SPV_PICKED_EMITS) {
        p->values.is_refused = true;
        return;
    }
    if (i == p->emit_count) {
        p->emit_count++;
        *emit =
            (struct emit){.ins = ins, .corner = corner, .is_constant = true, .values = UINT64_MAX};
    }
    emit->is_constant &= emit->corner == corner;
    emit->values &= indices_that_are(w, corner);
    p->values.is_refused |= !emit->is_constant && !emit->values;
}

/* -- the way to the first emit -- */

/* Of the branch at which the walk is. */
static void note_choice(const struct pgs_spv_emit_walk *w, uint32_t label, bool is_fork)
{
    struct picked *p = of(w);
    if (p->emitted)
        return;
    if (p->choice_count < MAX_CHOICES)
        p->choices[p->choice_count] = (struct choice){
            .branch = w->code->items[w->at - 1], .label = label, .is_fork = is_fork};
    p->choice_count++;
}

/* Branches that are told the way take it behind the first emit, too. Where one of them is known to
 * go elsewhere, the shader would be on no way that is walked along, and might never end. */
static void keep_to_way(struct picked *p, const uint32_t *branch, uint32_t label)
{
    for (uint32_t i = 0; p->emitted && i < p->found->way_count; i++) {
        const struct pgs_spv_picked_way *way = &p->found->ways[i];
        p->values.is_refused |= way->branch == branch && way->is_true != (label == branch[2]);
    }
}

static void choose(struct pgs_spv_emit_walk *w, const uint32_t *branch, uint32_t label)
{
    keep_to_way(of(w), branch, label);
    note_choice(w, label, false);
}

static uint32_t fork(struct pgs_spv_emit_walk *w, const uint32_t *branch)
{
    struct picked *p = of(w);
    if (pgs_spv_op(branch) != SpvOpBranchConditional || p->forks_so_far == MAX_FORKS)
        return 0;
    if (p->forks_so_far == p->fork_count)
        p->others[p->fork_count++] = false;
    const uint32_t label = branch[p->others[p->forks_so_far++] ? 3 : 2];
    note_choice(w, label, true);
    return label;
}

/* Adds a way unless there is one. False: there are too many, or the other one is taken, too. */
static bool add_way(const struct picked *p, const struct choice *choice,
                    struct pgs_spv_picked *found)
{
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].branch == choice->branch && p->choices[i].label != choice->label)
            return false;
    for (uint32_t i = 0; i < found->way_count; i++)
        if (found->ways[i].branch == choice->branch)
            return true;
    if (found->way_count == PGS_SPV_PICKED_WAYS)
        return false;
    found->ways[found->way_count++] = (struct pgs_spv_picked_way){
        .branch = choice->branch, .is_true = choice->label == choice->branch[2]};
    return true;
}

/* Takes the way of this walk if it is the first one that branches can be told. */
static void note_way(const struct pgs_spv_emit_walk *w)
{
    const struct picked *p = of(w);
    struct pgs_spv_picked way = {.first = w->code->items[w->at - 1]};
    if (p->found->first || p->choice_count > MAX_CHOICES)
        return;
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].is_fork && !add_way(p, &p->choices[i], &way))
            return;
    *p->found = way;
}

/* -- vertices -- */

/* What the rasterizer takes of one vertex of a primitive must be the same for all. */
static bool is_of_primitive(const struct pgs_spv_io_var *var)
{
    return var->builtin == SpvBuiltInLayer || var->builtin == SpvBuiltInViewportIndex ||
           var->builtin == SpvBuiltInPrimitiveShadingRateKHR;
}

/* Compares the outputs with those of the first vertex. Returns the vertices that they are of. */
static uint32_t compare_outputs(struct picked *p)
{
    const struct pgs_spv_symbols *symbols = &p->values.symbols;
    uint32_t vertices = 0;
    for (uint32_t i = 0; i < p->outputs->count; i++) {
        const struct pgs_spv_io_var *var = &p->outputs->items[i];
        if (var->builtin == SpvBuiltInPrimitiveId)
            continue;
        const pgs_spv_symbol symbol = pgs_spv_vertex_output(&p->values, var);
        const pgs_spv_symbol any = symbol ? symbols->defs[symbol].of_any_vertex : 0;
        if (!p->knows_function)
            p->function[i] = any;
        p->values.is_refused |= !any || p->function[i] != any;
        if (!any || (is_of_primitive(var) && symbols->defs[symbol].vertices))
            p->values.is_refused = true;
        else
            vertices |= symbols->defs[symbol].vertices;
    }
    p->knows_function = true;
    return vertices;
}

static void emit(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    struct picked *p = of(w);
    const uint32_t vertices = compare_outputs(p);
    const uint32_t corner = (uint32_t)__builtin_ffs((int)vertices) - 1;
    (void)stream;
    p->values.is_refused |= !vertices || (vertices & (vertices - 1)) ||
                            corner >= p->facts->input_vertices ||
                            p->emitted == p->facts->max_vertices;
    if (p->values.is_refused)
        return;
    note_corner(w, corner);
    if (!p->emitted)
        note_way(w);
    p->emitted++;
}

static void end_strip(struct pgs_spv_emit_walk *w, uint32_t stream)
{
    (void)w, (void)stream;
}

/* -- loops of which nobody knows how often they go round -- */

/* True if the region that was just found loops. */
static bool loops(const struct pgs_spv_emit_walk *w)
{
    const struct pgs_spv_region *r = &of(w)->values.region;
    for (uint32_t i = 0; i < r->block_count; i++)
        for (uint32_t k = r->blocks[i].begin; k <= r->blocks[i].end; k++)
            if (pgs_spv_op(w->code->items[k]) == SpvOpLoopMerge)
                return true;
    return false;
}

/* The vertex shader puts one vertex in place of all. A loop from one of them to another might never
 * end there, so what loops has to be of one. */
static bool region(struct pgs_spv_emit_walk *w, uint32_t merge)
{
    struct picked *p = of(w);
    const bool known = p->values_region(w, merge);
    const uint32_t vertices = p->values.symbols.defs[p->values.whole].vertices;
    if (known && loops(w) && (!p->values.whole || (vertices & (vertices - 1))))
        p->values.is_refused = true;
    return known;
}

/* -- the shader -- */

/* Goes on from the last branch of which the other way is to be taken. False: there is none. */
static bool turn(struct picked *p)
{
    while (p->fork_count && p->others[p->fork_count - 1])
        p->fork_count--;
    if (p->fork_count)
        p->others[p->fork_count - 1] = true;
    p->forks_so_far = p->emitted = p->choice_count = 0;
    return p->fork_count;
}

/* False: it is no such shader. */
static bool walk_path(struct picked *p, struct pgs_spv_emit_walk *w)
{
    pgs_spv_vertex_values_begin(&p->values, w);
    while (!w->is_lost && !w->is_done && !p->values.is_refused && !p->values.symbols.is_full)
        pgs_spv_emit_walk_step(w);
    return w->is_done && !w->is_lost && !p->values.is_refused && !p->values.symbols.is_full;
}

static bool walk_all(struct picked *p)
{
    struct pgs_spv_emit_observer observer = {
        .emit = emit, .end_strip = end_strip, .fork = fork, .choose = choose};
    struct pgs_spv_module *m = p->values.m;
    struct pgs_spv_emit_walk w = {.m = m,
                                  .code = &m->sections[PGS_SPV_FUNCTIONS],
                                  .observer = &observer,
                                  .observed = p,
                                  .invocation_variable = p->values.invocation_variable};
    uint32_t paths = 1, steps = 0;
    pgs_spv_vertex_values_observe(&observer);
    p->values_region = observer.region;
    observer.region = region;
    if (!pgs_spv_emit_walk_begin(&w) || !walk_path(p, &w))
        return false;
    while (turn(p)) {
        steps += w.steps;
        if (paths++ == MAX_PATHS || steps > MAX_STEPS)
            return false;
        pgs_spv_emit_walk_begin_again(&w);
        if (!walk_path(p, &w))
            return false;
    }
    return true;
}

bool pgs_spv_may_pick(const struct pgs_spv_emit_facts *facts)
{
    return facts->stream_mask == 1 && facts->invocations == 1 &&
           facts->max_vertices <= PGS_PICK_VERTICES && facts->input_vertices <= PGS_PICK_CORNERS;
}

bool pgs_spv_find_picked(struct pgs_spv_module *m, const struct pgs_spv_emit_facts *facts,
                         const struct pgs_spv_io_vars *inputs,
                         const struct pgs_spv_io_vars *outputs, struct pgs_spv_picked *found)
{
    struct picked *p = pgs_spv_zalloc(m, 1, sizeof(*p));
    *found = (struct pgs_spv_picked){0};
    if (!p || m->result != PGS_SPV_OK || !pgs_spv_may_pick(facts) ||
        !pgs_spv_vertex_values_init(&p->values, m, inputs))
        return false;
    p->facts = facts;
    p->outputs = outputs;
    p->found = found;
    p->function = pgs_spv_zalloc(m, outputs->count + 1u, sizeof(*p->function));
    find_indices(p);
    if (!p->function || !walk_all(p) || !found->first)
        return false;
    for (uint32_t i = 0; i < p->emit_count; i++) {
        const struct emit *e = &p->emits[i];
        found->emits[i] = (struct pgs_spv_picked_emit){
            .emit = e->ins,
            .corner = e->corner,
            .value = e->is_constant ? 0 : p->indices[__builtin_ctzll(e->values)]};
    }
    found->emit_count = p->emit_count;
    return true;
}
