/* SPDX-License-Identifier: MIT */
#include "spirv/ir/canonical.h"

#include "spirv/ir/operands.h"

#include <stdlib.h>
#include <string.h>

enum state { NOT_GLOBAL, UNSEEN, EXPANDED, PLACED };

struct order {
    struct pgs_spv_module *m;
    uint32_t *number; /* by id: the new one; 0: none yet */
    uint32_t next;
    uint8_t *state;  /* by id: enum state */
    uint32_t *stack; /* ids at module scope that are to be placed */
    uint32_t depth;
    struct pgs_spv_list globals; /* in their new order */
};

/* Sections with ids, without names. */
static const enum pgs_spv_section sections[] = {PGS_SPV_FUNCTIONS, PGS_SPV_ENTRIES,
                                                PGS_SPV_MODES,     PGS_SPV_ANNOTATIONS,
                                                PGS_SPV_IMPORTS,   PGS_SPV_GLOBALS};
#define SECTIONS (sizeof(sections) / sizeof(*sections))

/* The cases of a switch may be literals of 64 bits. */
static bool may_renumber(const struct pgs_spv_module *m)
{
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const struct pgs_spv_list *list = &m->sections[sections[s]];
        for (uint32_t i = 0; i < list->count; i++) {
            const uint32_t *ins = list->items[i], op = pgs_spv_op(ins);
            if (!pgs_spv_knows_operands(op) || op == SpvOpSwitch || op == SpvOpTypeForwardPointer)
                return false;
            for (uint32_t w = 1; w < pgs_spv_length(ins); w++)
                if (pgs_spv_is_id_of_any(ins, w) && ins[w] >= m->bound)
                    return false;
        }
    }
    return true;
}

static void begin(struct order *o, struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    size_t words = m->bound;
    for (uint32_t i = 0; i < globals->count; i++)
        words += pgs_spv_length(globals->items[i]);
    *o = (struct order){.m = m, .next = 1};
    o->number = pgs_spv_zalloc(m, m->bound, sizeof(*o->number));
    o->state = pgs_spv_zalloc(m, m->bound, sizeof(*o->state));
    o->stack = pgs_spv_alloc(m, words, sizeof(*o->stack));
    for (uint32_t i = 0; i < globals->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = globals->items[i], result = pgs_spv_result_word(ins);
        if (result)
            o->state[ins[result]] = UNSEEN;
    }
}

static void give_number(struct order *o, uint32_t id)
{
    if (!o->number[id])
        o->number[id] = o->next++;
}

/* Places the id that is on top of the stack, or what it needs first. Without pointers that are
 * declared ahead nothing needs itself, and each is expanded once. */
static void place_top(struct order *o)
{
    const uint32_t id = o->stack[o->depth - 1];
    uint32_t *ins = o->m->defs[id];
    if (o->state[id] != UNSEEN) {
        o->depth--;
        if (o->state[id] == EXPANDED) {
            o->state[id] = PLACED;
            pgs_spv_push(o->m, &o->globals, ins);
            give_number(o, id);
        }
        return;
    }
    o->state[id] = EXPANDED;
    for (uint32_t w = pgs_spv_length(ins); w-- > 1;)
        if (pgs_spv_is_id(ins, w) && o->state[ins[w]] == UNSEEN)
            o->stack[o->depth++] = ins[w];
}

static void see(struct order *o, const uint32_t *ins)
{
    for (uint32_t w = 1; w < pgs_spv_length(ins); w++) {
        if (!pgs_spv_is_id_of_any(ins, w))
            continue;
        if (o->state[ins[w]] == UNSEEN)
            o->stack[o->depth++] = ins[w];
        while (o->depth)
            place_top(o);
        give_number(o, ins[w]);
    }
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* By target, then by any order of what is said of it. */
static int compare_annotations(const void *a, const void *b)
{
    const uint32_t *x = *(uint32_t *const *)a, *y = *(uint32_t *const *)b;
    const uint32_t length = pgs_spv_length(x);
    if (x[1] != y[1])
        return x[1] < y[1] ? -1 : 1;
    return length == pgs_spv_length(y) ? memcmp(x, y, length * sizeof(*x)) : compare_ids(x, y);
}

static void renumber(const struct order *o)
{
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const struct pgs_spv_list *list = &o->m->sections[sections[s]];
        for (uint32_t i = 0; i < list->count; i++) {
            uint32_t *ins = list->items[i];
            for (uint32_t w = 1; w < pgs_spv_length(ins); w++)
                ins[w] = pgs_spv_is_id_of_any(ins, w) ? o->number[ins[w]] : ins[w];
        }
    }
}

static void sort(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *notes = &m->sections[PGS_SPV_ANNOTATIONS];
    uint32_t *entry = m->sections[PGS_SPV_ENTRIES].items[0];
    const uint32_t first = pgs_spv_interface_word(entry);
    if (notes->count)
        qsort(notes->items, notes->count, sizeof(*notes->items), compare_annotations);
    qsort(entry + first, pgs_spv_length(entry) - first, sizeof(*entry), compare_ids);
}

static void find_definitions(struct pgs_spv_module *m)
{
    memset(m->defs, 0, m->bound * sizeof(*m->defs));
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const struct pgs_spv_list *list = &m->sections[sections[s]];
        for (uint32_t i = 0; i < list->count; i++) {
            uint32_t *ins = list->items[i];
            const uint32_t result = pgs_spv_result_word(ins);
            if (result)
                m->defs[ins[result]] = ins;
        }
    }
}

void pgs_spv_make_canonical(struct pgs_spv_module *m)
{
    struct order o;
    if (m->result != PGS_SPV_OK || m->sections[PGS_SPV_ENTRIES].count != 1 || !may_renumber(m))
        return;
    m->sections[PGS_SPV_NAMES].count = m->sections[PGS_SPV_STRINGS].count = 0;
    begin(&o, m);
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const struct pgs_spv_list *list = &m->sections[sections[s]];
        for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++)
            see(&o, list->items[i]);
    }
    if (m->result != PGS_SPV_OK)
        return;
    m->sections[PGS_SPV_GLOBALS] = o.globals;
    renumber(&o);
    sort(m);
    find_definitions(m);
    m->bound = o.next;
}
