/* SPDX-License-Identifier: MIT
 *
 * The blocks of a function, and which dominate which.
 */
#include "spirv/ir/blocks.h"

#include <string.h>

struct pgs_spv_blocks pgs_spv_no_blocks(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    struct pgs_spv_blocks b = {.m = m, .bound = m->bound};
    for (uint32_t i = 0; i < list->count; i++) {
        b.capacity += pgs_spv_op(list->items[i]) == SpvOpLabel;
        switch (pgs_spv_op(list->items[i])) {
        case SpvOpBranch:
            b.way_capacity++;
            break;
        case SpvOpBranchConditional:
            b.way_capacity += 2;
            break;
        case SpvOpSwitch:
            b.way_capacity += pgs_spv_length(list->items[i]);
            break;
        default:
            break;
        }
    }
    b.number_of = pgs_spv_zalloc(m, b.bound, sizeof(*b.number_of));
    b.items = pgs_spv_zalloc(m, b.capacity + 1u, sizeof(*b.items));
    b.order = pgs_spv_zalloc(m, b.capacity + 1u, sizeof(*b.order));
    b.ways = pgs_spv_zalloc(m, b.way_capacity + 1u, sizeof(*b.ways));
    b.ways_back = pgs_spv_zalloc(m, b.way_capacity + 1u, sizeof(*b.ways_back));
    return b;
}

static void find_labels(struct pgs_spv_blocks *b, uint32_t first, uint32_t end)
{
    const struct pgs_spv_list *list = &b->m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = first; i < end; i++) {
        if (b->count)
            b->items[b->count - 1].end = i;
        if (pgs_spv_op(list->items[i]) != SpvOpLabel)
            continue;
        b->items[b->count] = (struct pgs_spv_block){
            .begin = i + 1, .end = i + 1, .turn = PGS_SPV_NO_BLOCK, .dominator = PGS_SPV_NO_BLOCK};
        b->number_of[list->items[i][1]] = ++b->count;
    }
    if (b->count)
        b->items[b->count - 1].end = end;
}

static void add_way(struct pgs_spv_blocks *b, struct pgs_spv_block *block, uint32_t label)
{
    const uint32_t number = label < b->bound ? b->number_of[label] : 0;
    if (!number || number > b->count || b->way_count == b->way_capacity)
        return;
    b->ways[b->way_count++] = number - 1;
    b->items[number - 1].from_count++;
    block->to_count++;
}

/* Literals of a switch that are taken for labels add ways that nobody goes, which does no harm. */
static void find_ways(struct pgs_spv_blocks *b)
{
    const struct pgs_spv_list *list = &b->m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < b->count; i++) {
        struct pgs_spv_block *block = &b->items[i];
        block->to = b->way_count;
        if (block->end == block->begin)
            continue;
        const uint32_t *ins = list->items[block->end - 1];
        const uint32_t op = pgs_spv_op(ins);
        const uint32_t last = op == SpvOpBranch              ? 2
                              : op == SpvOpBranchConditional ? 4
                              : op == SpvOpSwitch            ? pgs_spv_length(ins)
                                                             : 0;
        for (uint32_t k = op == SpvOpBranch ? 1 : 2; k < last; k++)
            add_way(b, block, ins[k]);
    }
}

static void find_ways_back(struct pgs_spv_blocks *b)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        b->items[i].from = at;
        at += b->items[i].from_count;
        b->items[i].from_count = 0;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        for (uint32_t k = 0; k < b->items[i].to_count; k++) {
            struct pgs_spv_block *to = &b->items[b->ways[b->items[i].to + k]];
            b->ways_back[to->from + to->from_count++] = i;
        }
    }
}

/* Behind all that a block leads to, but for loops; then from the end. */
static void find_order(struct pgs_spv_blocks *b)
{
    struct {
        uint32_t block, next;
    } *stack = pgs_spv_zalloc(b->m, b->count + 1u, sizeof(*stack));
    uint32_t depth = 0, at = b->count;
    if (!stack || !b->count)
        return;
    stack[depth++].block = 0;
    b->items[0].turn = 0;
    while (depth) {
        const struct pgs_spv_block *block = &b->items[stack[depth - 1].block];
        if (stack[depth - 1].next == block->to_count) {
            b->order[--at] = stack[--depth].block;
            continue;
        }
        const uint32_t to = b->ways[block->to + stack[depth - 1].next++];
        if (b->items[to].turn != PGS_SPV_NO_BLOCK)
            continue;
        b->items[to].turn = 0;
        stack[depth].next = 0;
        stack[depth++].block = to;
    }
    b->order_count = b->count - at;
    memmove(b->order, b->order + at, b->order_count * sizeof(*b->order));
    for (uint32_t i = 0; i < b->order_count; i++)
        b->items[b->order[i]].turn = i;
}

uint32_t pgs_spv_common_dominator(const struct pgs_spv_blocks *b, uint32_t one, uint32_t other)
{
    while (one != other) {
        if (b->items[one].turn > b->items[other].turn)
            one = b->items[one].dominator;
        else
            other = b->items[other].dominator;
    }
    return one;
}

/* After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
static void find_dominators(struct pgs_spv_blocks *b)
{
    if (b->order_count)
        b->items[b->order[0]].dominator = b->order[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < b->order_count; i++) {
            struct pgs_spv_block *block = &b->items[b->order[i]];
            uint32_t dominator = PGS_SPV_NO_BLOCK;
            for (uint32_t k = 0; k < block->from_count; k++) {
                const uint32_t from = b->ways_back[block->from + k];
                if (b->items[from].dominator != PGS_SPV_NO_BLOCK)
                    dominator = dominator == PGS_SPV_NO_BLOCK
                                    ? from
                                    : pgs_spv_common_dominator(b, from, dominator);
            }
            changed = changed || dominator != block->dominator;
            block->dominator = dominator;
        }
    }
}

void pgs_spv_find_blocks(struct pgs_spv_blocks *b, uint32_t first, uint32_t end)
{
    b->count = b->way_count = b->order_count = 0;
    if (b->m->result != PGS_SPV_OK)
        return;
    find_labels(b, first, end);
    find_ways(b);
    find_ways_back(b);
    find_order(b);
    find_dominators(b);
}

bool pgs_spv_dominates(const struct pgs_spv_blocks *b, uint32_t by, uint32_t block)
{
    while (b->items[block].turn > b->items[by].turn)
        block = b->items[block].dominator;
    return block == by;
}
