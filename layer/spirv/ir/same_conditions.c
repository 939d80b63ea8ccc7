/* SPDX-License-Identifier: MIT
 *
 * Selections that ask again what has just been asked.
 */
#include "spirv/ir/same_conditions.h"

/* A block, by its label. */
struct block {
    uint32_t at;   /* the place of its label; 0: it has none */
    uint32_t ways; /* branches there, and loops that name it */
};

struct joiner {
    struct pgs_spv_list *list;
    struct block *blocks;
    uint32_t bound;
};

static void add_way(const struct joiner *j, uint32_t label)
{
    if (label < j->bound)
        j->blocks[label].ways++;
}

/* A way to where the branch's own selection does not end may leave the one around it, which then
 * has to end there further on: it counts twice. */
static void add_branch(const struct joiner *j, uint32_t at)
{
    const uint32_t *branch = j->list->items[at];
    const uint32_t *merge = at ? j->list->items[at - 1] : branch;
    for (uint32_t k = 2; k < 4; k++) {
        add_way(j, branch[k]);
        if (pgs_spv_op(merge) != SpvOpSelectionMerge || branch[k] != merge[1])
            add_way(j, branch[k]);
    }
}

static void find_blocks(const struct joiner *j)
{
    for (uint32_t i = 0; i < j->list->count; i++) {
        const uint32_t *ins = j->list->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpLabel:
            if (ins[1] < j->bound)
                j->blocks[ins[1]].at = i;
            break;
        case SpvOpBranch:
            add_way(j, ins[1]);
            break;
        case SpvOpBranchConditional:
            add_branch(j, i);
            break;
        case SpvOpLoopMerge: /* parts of loops stay what they are */
            add_way(j, ins[1]);
            add_way(j, ins[2]);
            break;
        case SpvOpSwitch: /* literals that are taken for labels only keep selections */
            for (uint32_t k = 2; k < pgs_spv_length(ins); k++)
                add_way(j, ins[k]);
            break;
        default:
            break;
        }
    }
}

/* True if at the place a selection begins that has an arm only if its condition is true. */
static bool is_selection(const struct joiner *j, uint32_t at)
{
    if (at + 1 >= j->list->count)
        return false;
    const uint32_t *merge = j->list->items[at], *branch = j->list->items[at + 1];
    return pgs_spv_op(merge) == SpvOpSelectionMerge &&
           pgs_spv_op(branch) == SpvOpBranchConditional && branch[3] == merge[1] &&
           branch[2] != merge[1];
}

/* Phis of a block know the way from another one by a new label. */
static void rename_way(const struct joiner *j, uint32_t label, uint32_t from, uint32_t to)
{
    for (uint32_t at = j->blocks[label].at + 1; at < j->list->count; at++) {
        uint32_t *phi = j->list->items[at];
        if (pgs_spv_op(phi) != SpvOpPhi)
            return;
        for (uint32_t k = 4; k < pgs_spv_length(phi); k += 2)
            phi[k] = phi[k] == from ? to : phi[k];
    }
}

/* at: of a selection; label: of its block. False: no selection with its condition follows. */
static bool join_next(const struct joiner *j, uint32_t at, uint32_t label)
{
    uint32_t *merge = j->list->items[at], *branch = j->list->items[at + 1];
    const uint32_t end = merge[1];
    if (end >= j->bound || !j->blocks[end].at || j->blocks[end].ways != 2)
        return false;
    const uint32_t next_at = j->blocks[end].at + 1;
    if (!is_selection(j, next_at) || j->list->items[next_at + 1][1] != branch[1])
        return false;
    uint32_t *next_merge = j->list->items[next_at], *next = j->list->items[next_at + 1];
    const uint32_t behind = next_merge[1];
    if (behind >= j->bound || !j->blocks[behind].at)
        return false;
    merge[1] = branch[3] = behind;
    rename_way(j, behind, end, label);
    next_merge[0] = 1u << 16 | SpvOpNop;
    next[0] = 2u << 16 | SpvOpBranch;
    next[1] = next[2];
    j->blocks[end].ways = 1;
    return true;
}

static bool is_nop(const uint32_t *ins, void *context)
{
    (void)context;
    return pgs_spv_op(ins) == SpvOpNop;
}

void pgs_spv_join_selections(struct pgs_spv_module *m)
{
    struct joiner j = {.list = &m->sections[PGS_SPV_FUNCTIONS], .bound = m->bound};
    uint32_t label = 0;
    bool any = false;
    j.blocks = pgs_spv_zalloc(m, m->bound, sizeof(*j.blocks));
    if (m->result != PGS_SPV_OK)
        return;
    find_blocks(&j);
    for (uint32_t i = 0; i < j.list->count; i++) {
        const uint32_t *ins = j.list->items[i];
        if (pgs_spv_op(ins) == SpvOpLabel)
            label = ins[1];
        while (is_selection(&j, i) && join_next(&j, i, label))
            any = true;
    }
    if (any)
        pgs_spv_filter(j.list, is_nop, NULL);
}
