/* SPDX-License-Identifier: MIT
 *
 * Makes one block of two, and drops empty ones.
 */
#include "spirv/ir/join_blocks.h"

#include "spirv/ir/rewrite.h"

struct joiner {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    struct pgs_spv_names names;
    uint32_t bound;
    uint8_t *ways;     /* by label: branches there; 2 stands for more, and for a construct's end */
    uint32_t *part_of; /* by label: of the block that it became part of; 0: none */
    uint32_t label;    /* of the block that is being written */
    uint32_t *loop;    /* OpLoopMerge that waits for the end of the block; NULL: none */
    uint32_t kept;     /* instructions of the list that are written */
    bool has_names;    /* some value stands for another one */
};

static void add_ways(const struct joiner *j, uint32_t label, uint8_t ways)
{
    if (label < j->bound)
        j->ways[label] = j->ways[label] + ways > 2 ? 2 : (uint8_t)(j->ways[label] + ways);
}

static void find_ways(const struct joiner *j)
{
    for (uint32_t i = 0; i < j->list->count; i++) {
        const uint32_t *ins = j->list->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpBranch:
            add_ways(j, ins[1], 1);
            break;
        case SpvOpBranchConditional:
            add_ways(j, ins[2], 1);
            add_ways(j, ins[3], 1);
            break;
        case SpvOpSwitch: /* literals that are taken for labels only keep blocks apart */
            for (uint32_t k = 2; k < pgs_spv_length(ins); k++)
                add_ways(j, ins[k], 1);
            break;
        case SpvOpSelectionMerge:
            add_ways(j, ins[1], 2);
            break;
        case SpvOpLoopMerge:
            add_ways(j, ins[1], 2);
            add_ways(j, ins[2], 2);
            break;
        default:
            break;
        }
    }
}

/* -- arms of selections with nothing in them -- */

/* True if the block from place `at` on is nothing but a branch to the label. */
static bool is_empty(const struct joiner *j, uint32_t at, uint32_t label, uint32_t to)
{
    if (at + 1 >= j->list->count || label >= j->bound || j->ways[label] != 1)
        return false;
    const uint32_t *first = j->list->items[at], *branch = j->list->items[at + 1];
    return pgs_spv_op(first) == SpvOpLabel && first[1] == label &&
           pgs_spv_op(branch) == SpvOpBranch && branch[1] == to;
}

/* A selection whose branch is at place `at` goes to its end at once instead of through an empty
 * arm, if the other arm does not, too: phis there would not know them apart. */
static void skip_arm(struct joiner *j, const uint32_t *place_of, uint32_t at, uint32_t label)
{
    uint32_t *branch = j->list->items[at];
    const uint32_t *merge = at ? j->list->items[at - 1] : branch;
    if (pgs_spv_op(branch) != SpvOpBranchConditional || pgs_spv_op(merge) != SpvOpSelectionMerge ||
        !label)
        return;
    for (uint32_t i = 2; i < 4; i++) {
        const uint32_t arm = branch[i], other = branch[5 - i];
        if (arm >= j->bound || arm == other || other == merge[1] ||
            !is_empty(j, place_of[arm], arm, merge[1]))
            continue;
        j->part_of[arm] = label;
        branch[i] = merge[1];
        return;
    }
}

static void skip_empty_arms(struct joiner *j)
{
    uint32_t *place_of = pgs_spv_zalloc(j->m, j->bound, sizeof(*place_of));
    uint32_t label = 0;
    for (uint32_t i = 0; place_of && i < j->list->count; i++)
        if (pgs_spv_op(j->list->items[i]) == SpvOpLabel && j->list->items[i][1] < j->bound)
            place_of[j->list->items[i][1]] = i;
    for (uint32_t i = 0; place_of && i < j->list->count; i++) {
        const uint32_t *ins = j->list->items[i];
        if (pgs_spv_op(ins) == SpvOpLabel)
            label = ins[1] < j->bound ? ins[1] : 0;
        skip_arm(j, place_of, i, label);
    }
}

/* -- blocks that follow each other -- */

/* True if the block from place `at` on ends with a branch and is no header itself, so that it can
 * be the header of a loop. */
static bool can_head(const struct joiner *j, uint32_t at)
{
    for (; at < j->list->count; at++) {
        switch (pgs_spv_op(j->list->items[at])) {
        case SpvOpBranch:
        case SpvOpBranchConditional:
            return true;
        case SpvOpSelectionMerge:
        case SpvOpLoopMerge:
        case SpvOpSwitch:
        case SpvOpReturn:
        case SpvOpReturnValue:
        case SpvOpUnreachable:
        case SpvOpKill:
        case SpvOpTerminateInvocation:
        case SpvOpLabel:
        case SpvOpFunctionEnd:
            return false;
        default:
            break;
        }
    }
    return false;
}

static bool has_long_phi(const struct joiner *j, uint32_t at)
{
    for (; at < j->list->count && pgs_spv_op(j->list->items[at]) == SpvOpPhi; at++)
        if (pgs_spv_length(j->list->items[at]) != 5)
            return true;
    return false;
}

/* True if the branch at place `at` goes to the next block, which nothing else refers to. */
static bool joins(const struct joiner *j, uint32_t at)
{
    const uint32_t *branch = j->list->items[at];
    const uint32_t *next = at + 1 < j->list->count ? j->list->items[at + 1] : NULL;
    if (!next || pgs_spv_op(branch) != SpvOpBranch || pgs_spv_op(next) != SpvOpLabel ||
        next[1] != branch[1] || next[1] >= j->bound || j->ways[next[1]] != 1 ||
        has_long_phi(j, at + 2) || !j->label || !j->kept)
        return false;
    const uint32_t before = pgs_spv_op(j->list->items[j->kept - 1]);
    return before != SpvOpSelectionMerge && (before != SpvOpLoopMerge || can_head(j, at + 2));
}

/* Writes what stands at the place, and returns the next one to write. */
static uint32_t write(struct joiner *j, uint32_t at)
{
    uint32_t *ins = j->list->items[at];
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpLabel && ins[1] < j->bound && j->part_of[ins[1]])
        return at + 2; /* an empty arm */
    if (op == SpvOpLabel)
        j->label = ins[1] < j->bound ? ins[1] : 0;
    if (j->loop && (op == SpvOpBranch || op == SpvOpBranchConditional)) {
        j->list->items[j->kept++] = j->loop;
        j->loop = NULL;
    }
    if (!joins(j, at)) {
        j->list->items[j->kept++] = ins;
        return at + 1;
    }
    if (pgs_spv_op(j->list->items[j->kept - 1]) == SpvOpLoopMerge)
        j->loop = j->list->items[--j->kept];
    j->part_of[ins[1]] = j->label;
    for (at += 2; at < j->list->count && pgs_spv_op(j->list->items[at]) == SpvOpPhi; at++)
        j->has_names |= pgs_spv_stand_for(&j->names, j->list->items[at][2], j->list->items[at][3]);
    return at;
}

static void rename_all(const struct joiner *j)
{
    for (uint32_t i = 0; i < j->list->count; i++) {
        uint32_t *ins = j->list->items[i];
        if (j->has_names)
            pgs_spv_rename_operands(&j->names, ins);
        for (uint32_t k = 4; pgs_spv_op(ins) == SpvOpPhi && k < pgs_spv_length(ins); k += 2)
            for (int hop = 0; hop < 2; hop++) /* the arm's header may be part of another block */
                if (ins[k] < j->bound && j->part_of[ins[k]])
                    ins[k] = j->part_of[ins[k]];
    }
}

void pgs_spv_join_blocks(struct pgs_spv_module *m)
{
    struct joiner j = {.m = m,
                       .list = &m->sections[PGS_SPV_FUNCTIONS],
                       .names = pgs_spv_no_names(m),
                       .bound = m->bound,
                       .ways = pgs_spv_zalloc(m, m->bound, sizeof(*j.ways)),
                       .part_of = pgs_spv_zalloc(m, m->bound, sizeof(*j.part_of))};
    if (m->result != PGS_SPV_OK)
        return;
    find_ways(&j);
    skip_empty_arms(&j);
    for (uint32_t at = 0; at < j.list->count;)
        at = write(&j, at);
    if (j.kept == j.list->count)
        return;
    j.list->count = j.kept;
    rename_all(&j);
}
