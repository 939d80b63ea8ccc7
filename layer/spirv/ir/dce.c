/* SPDX-License-Identifier: MIT
 *
 * Reduces a module to one entry point and what it needs.
 */
#include "spirv/ir/dce.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

/* A function: its range in the FUNCTIONS section, and its calls in the call list. */
struct function {
    uint32_t first, count;
    uint32_t call_first, call_count;
    uint32_t callers; /* reachable ones */
    bool reached;
};

struct call_graph {
    struct function *functions;
    uint32_t function_count;
    uint32_t *calls;     /* callees, as function numbers */
    uint32_t *number_of; /* by id: function number + 1 */
    uint32_t *queue;
};

static uint32_t count_ops(const struct pgs_spv_list *list, uint32_t op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += pgs_spv_op(list->items[i]) == op;
    return count;
}

static void build_graph(struct pgs_spv_module *m, struct call_graph *graph)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t functions = count_ops(list, SpvOpFunction),
                   calls = count_ops(list, SpvOpFunctionCall);
    graph->functions = pgs_spv_zalloc(m, functions + 1, sizeof(*graph->functions));
    graph->calls = pgs_spv_zalloc(m, calls + 1, 4);
    graph->number_of = pgs_spv_zalloc(m, m->bound, 4);
    graph->queue = pgs_spv_zalloc(m, functions + 1, 4);
    if (m->result != PGS_SPV_OK)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        if (pgs_spv_op(list->items[i]) == SpvOpFunction)
            graph->number_of[list->items[i][2]] = ++graph->function_count;
    }
    struct function *f = graph->functions - 1;
    uint32_t call = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunction)
            *++f = (struct function){.first = i, .call_first = call};
        f->count++;
        if (pgs_spv_op(ins) != SpvOpFunctionCall)
            continue;
        if (ins[3] >= m->bound || !graph->number_of[ins[3]]) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        graph->calls[call++] = graph->number_of[ins[3]] - 1;
        f->call_count++;
    }
}

/* Marks the functions that `root` reaches. INVALID if there is a cycle. */
static void reach(struct pgs_spv_module *m, struct call_graph *graph, uint32_t root)
{
    uint32_t head = 0, tail = 0;
    graph->functions[root].reached = true;
    graph->queue[tail++] = root;
    while (head < tail) {
        const struct function *f = &graph->functions[graph->queue[head++]];
        for (uint32_t i = 0; i < f->call_count; i++) {
            struct function *callee = &graph->functions[graph->calls[f->call_first + i]];
            callee->callers++;
            if (callee->reached)
                continue;
            callee->reached = true;
            graph->queue[tail++] = graph->calls[f->call_first + i];
        }
    }
    /* Topological order: removing functions without callers must remove all of them. */
    const uint32_t reached = tail;
    head = tail = 0;
    if (graph->functions[root].callers == 0)
        graph->queue[tail++] = root;
    while (head < tail) {
        const struct function *f = &graph->functions[graph->queue[head++]];
        for (uint32_t i = 0; i < f->call_count; i++) {
            const uint32_t callee = graph->calls[f->call_first + i];
            if (--graph->functions[callee].callers == 0)
                graph->queue[tail++] = callee;
        }
    }
    if (tail != reached)
        pgs_spv_fail(m, PGS_SPV_INVALID);
}

static uint32_t *find_entry(const struct pgs_spv_module *m, const struct pgs_spv_shader *shader)
{
    const struct pgs_spv_list *entries = &m->sections[PGS_SPV_ENTRIES];
    for (uint32_t i = 0; i < entries->count; i++) {
        if (entries->items[i][1] == (uint32_t)shader->stage &&
            pgs_spv_string_is(entries->items[i], 3, shader->entry_point))
            return entries->items[i];
    }
    return NULL;
}

static bool is_other_entry(const uint32_t *ins, void *context)
{
    const struct pgs_spv_module *m = context;
    return ins != m->entry;
}

/* Modes belong to a function. If two stages share it, the modes of the other stage must go: they
 * would be invalid. */
static bool is_other_mode(const uint32_t *ins, void *context)
{
    const struct pgs_spv_module *m = context;
    return ins[1] != m->entry[2];
}

void pgs_spv_dce_functions(struct pgs_spv_module *m, const struct pgs_spv_shader *shader)
{
    if (m->result != PGS_SPV_OK)
        return;
    struct call_graph graph = {0};
    m->entry = find_entry(m, shader);
    const uint32_t *function = m->entry ? pgs_spv_def_op(m, m->entry[2], SpvOpFunction) : NULL;
    if (!function) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    build_graph(m, &graph);
    if (m->result != PGS_SPV_OK)
        return;
    if (!graph.number_of[m->entry[2]]) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    reach(m, &graph, graph.number_of[m->entry[2]] - 1);
    pgs_spv_filter(&m->sections[PGS_SPV_ENTRIES], is_other_entry, m);
    pgs_spv_filter(&m->sections[PGS_SPV_MODES], is_other_mode, m);
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    uint32_t kept = 0;
    for (uint32_t f = 0; f < graph.function_count; f++) {
        for (uint32_t i = 0; i < graph.functions[f].count; i++) {
            uint32_t *ins = list->items[graph.functions[f].first + i];
            if (graph.functions[f].reached) {
                list->items[kept++] = ins;
                continue;
            }
            uint32_t type_word, id_word;
            pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
            if (id_word)
                m->defs[ins[id_word]] = NULL;
        }
    }
    list->count = kept;
}

/* LOCAL: defined in a function, whose operands are marked in any case. */
enum life { DEAD, LOCAL, LIVE };

struct marks {
    uint32_t **defs; /* of the module */
    uint32_t bound;
    uint8_t *live; /* by id: enum life */
    uint32_t *stack;
    uint32_t depth;
};

static inline void mark(struct marks *marks, uint32_t id)
{
    if (id >= marks->bound || marks->live[id] == LIVE || !marks->defs[id])
        return;
    if (marks->live[id] == DEAD)
        marks->stack[marks->depth++] = id;
    marks->live[id] = LIVE;
}

static void mark_operands(struct marks *marks, const uint32_t *ins, uint32_t first)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    for (uint32_t i = first; i < ids.end; i++) {
        if (i < ids.sure || pgs_spv_is_mixed_id(ins, i))
            mark(marks, ins[i]);
    }
}

static bool is_dead_global(const uint32_t *ins, void *context)
{
    const struct marks *marks = context;
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    const uint32_t id = pgs_spv_op(ins) == SpvOpTypeForwardPointer ? ins[1]
                        : id_word                                  ? ins[id_word]
                                                                   : 0;
    return id && !(id < marks->bound && marks->live[id] == LIVE);
}

static bool is_dead_target(const uint32_t *ins, void *context)
{
    const struct marks *marks = context;
    return ins[1] >= marks->bound || marks->live[ins[1]] != LIVE;
}

/* Interface variables that count as used: all of them, or only outputs with an initializer, which
 * have a value without a store. */
static void mark_interface(struct marks *marks, const struct pgs_spv_module *m, bool all)
{
    for (uint32_t i = pgs_spv_interface_word(m->entry); i < pgs_spv_length(m->entry); i++) {
        const uint32_t *variable = pgs_spv_def_op(m, m->entry[i], SpvOpVariable);
        if (all || (variable && pgs_spv_is_initialized_output(variable)))
            mark(marks, m->entry[i]);
    }
}

void pgs_spv_dce_globals(struct pgs_spv_module *m, bool keep_interface)
{
    struct marks marks = {.defs = m->defs, .bound = m->bound};
    marks.live = pgs_spv_zalloc(m, m->bound, 1);
    marks.stack = pgs_spv_zalloc(m, m->bound, 4);
    if (m->result != PGS_SPV_OK)
        return;
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t word = pgs_spv_result_word(functions->items[i]);
        if (word && functions->items[i][word] < marks.bound)
            marks.live[functions->items[i][word]] = LOCAL;
    }
    for (uint32_t i = 0; i < functions->count; i++)
        mark_operands(&marks, functions->items[i], 1);
    for (uint32_t i = 0; i < m->sections[PGS_SPV_MODES].count; i++)
        mark_operands(&marks, m->sections[PGS_SPV_MODES].items[i], 1);
    for (uint32_t i = 0; i < m->sections[PGS_SPV_ANNOTATIONS].count; i++) {
        if (pgs_spv_op(m->sections[PGS_SPV_ANNOTATIONS].items[i]) == SpvOpDecorateId)
            mark_operands(&marks, m->sections[PGS_SPV_ANNOTATIONS].items[i], 3);
    }
    if (m->entry)
        mark_interface(&marks, m, keep_interface);
    while (marks.depth) {
        const uint32_t *def = m->defs[marks.stack[--marks.depth]];
        mark_operands(&marks, def, 1);
    }
    pgs_spv_filter(&m->sections[PGS_SPV_GLOBALS], is_dead_global, &marks);
    pgs_spv_filter(&m->sections[PGS_SPV_IMPORTS], is_dead_global, &marks);
    pgs_spv_filter(&m->sections[PGS_SPV_STRINGS], is_dead_global, &marks);
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], is_dead_target, &marks);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_dead_target, &marks);
}
