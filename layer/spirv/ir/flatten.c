/* SPDX-License-Identifier: MIT
 *
 * Selections whose arms only compute become choices of values.
 */
#include "spirv/ir/flatten.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/cheap.h"
#include "spirv/ir/fold.h"

/* Instructions of both arms that are computed whatever the condition is. */
#define MAX_COMPUTED 8

struct block {
    uint32_t at;     /* the place of its label */
    uint32_t ways;   /* branches there */
    bool is_written; /* as part of another block */
};

struct flattener {
    struct pgs_spv_module *m;
    const struct pgs_spv_list *list;
    struct block *blocks; /* by label */
    uint32_t bound;
    struct pgs_spv_list out;
};

/* A branch between two arms, each of which may be missing, and what comes behind them. */
struct selection {
    uint32_t condition, header, end; /* labels, the last two */
    uint32_t from[2];                /* by arm, the first if the condition is true: from where
                                      * control comes to the end; the header: there is no arm */
    uint32_t at[2], count[2];        /* by arm: its instructions, as places in the list */
};

static const uint32_t *item(const struct flattener *f, uint32_t at)
{
    return at < f->list->count ? f->list->items[at] : NULL;
}

/* -- which selections -- */

/* False: the arm from the label on is no single block that only computes, and leads to the end. */
static bool find_arm(const struct flattener *f, struct selection *s, uint32_t arm, uint32_t label)
{
    s->from[arm] = s->header;
    if (label == s->end)
        return true;
    if (label >= f->bound || f->blocks[label].ways != 1)
        return false;
    s->from[arm] = label;
    s->at[arm] = f->blocks[label].at + 1;
    for (uint32_t at = s->at[arm];; at++) {
        const uint32_t *ins = item(f, at);
        if (!ins)
            return false;
        if (pgs_spv_op(ins) == SpvOpBranch)
            return ins[1] == s->end;
        if (!pgs_spv_is_cheap(f->m, ins) || s->count[arm]++ == MAX_COMPUTED)
            return false;
    }
}

/* What is chosen between at the end must be of types that OpSelect takes in all versions. */
static bool can_choose(const struct flattener *f, const struct selection *s)
{
    for (uint32_t at = f->blocks[s->end].at + 1; item(f, at); at++) {
        const uint32_t *phi = item(f, at);
        if (pgs_spv_op(phi) != SpvOpPhi)
            return true;
        const uint32_t *type = pgs_spv_def(f->m, phi[1]);
        const uint32_t op = type ? pgs_spv_op(type) : SpvOpNop;
        if (pgs_spv_length(phi) != 7 ||
            (op != SpvOpTypeBool && op != SpvOpTypeInt && op != SpvOpTypeFloat))
            return false;
    }
    return false;
}

/* Branches on what is denied go the other way. */
static void undo_denial(const struct flattener *f, uint32_t *branch)
{
    const uint32_t *denial =
        pgs_spv_op(branch) == SpvOpBranchConditional && pgs_spv_length(branch) == 4
            ? pgs_spv_def_op(f->m, branch[1], SpvOpLogicalNot)
            : NULL;
    if (!denial)
        return;
    const uint32_t other = branch[2];
    branch[1] = denial[3];
    branch[2] = branch[3];
    branch[3] = other;
}

/* at: of the merge instruction. */
static bool find_selection(const struct flattener *f, uint32_t at, uint32_t label,
                           struct selection *s)
{
    const uint32_t *merge = item(f, at);
    uint32_t *branch = at + 1 < f->list->count ? f->list->items[at + 1] : NULL;
    if (pgs_spv_op(merge) != SpvOpSelectionMerge || !branch)
        return false;
    undo_denial(f, branch);
    if (pgs_spv_op(branch) != SpvOpBranchConditional || branch[2] == branch[3] ||
        (merge[2] & SpvSelectionControlDontFlattenMask))
        return false;
    *s = (struct selection){.condition = branch[1], .header = label, .end = merge[1]};
    return s->end < f->bound && f->blocks[s->end].at && f->blocks[s->end].ways == 2 &&
           find_arm(f, s, 0, branch[2]) && find_arm(f, s, 1, branch[3]) &&
           s->count[0] + s->count[1] <= MAX_COMPUTED && can_choose(f, s);
}

/* -- what becomes of them -- */

/* A choice between two bools, of which one is known or the condition itself. */
static void choose_bool(const struct flattener *f, const struct selection *s, uint32_t *phi,
                        uint32_t yes, uint32_t no)
{
    uint32_t bits = 0;
    if (no == s->condition || (pgs_spv_constant_bits(f->m, no, &bits) && !bits)) {
        phi[0] = 5u << 16 | SpvOpLogicalAnd;
        phi[4] = yes;
    } else if (yes == s->condition || (pgs_spv_constant_bits(f->m, yes, &bits) && bits)) {
        phi[0] = 5u << 16 | SpvOpLogicalOr;
        phi[4] = no;
    }
    phi[3] = s->condition;
}

static void choose(const struct flattener *f, const struct selection *s, uint32_t *phi)
{
    const uint32_t first = phi[4] == s->from[0] ? 3 : 5;
    const uint32_t yes = phi[first], no = phi[8 - first];
    phi[0] = 6u << 16 | SpvOpSelect;
    phi[3] = s->condition;
    phi[4] = yes;
    phi[5] = no;
    if (pgs_spv_def_op(f->m, phi[1], SpvOpTypeBool))
        choose_bool(f, s, phi, yes, no);
}

/* Writes the arms into the header, which then leads to the end. */
static void write_selection(struct flattener *f, const struct selection *s)
{
    for (uint32_t arm = 0; arm < 2; arm++) {
        for (uint32_t i = 0; i < s->count[arm]; i++)
            pgs_spv_push(f->m, &f->out, f->list->items[s->at[arm] + i]);
        if (s->from[arm] != s->header)
            f->blocks[s->from[arm]].is_written = true;
    }
    PGS_SPV_APPEND(f->m, &f->out, SpvOpBranch, s->end);
    for (uint32_t at = f->blocks[s->end].at + 1; item(f, at) && pgs_spv_op(item(f, at)) == SpvOpPhi;
         at++)
        choose(f, s, f->list->items[at]);
    f->blocks[s->end].ways = 1;
}

static void add_way(const struct flattener *f, uint32_t label)
{
    if (label < f->bound)
        f->blocks[label].ways++;
}

static void find_blocks(const struct flattener *f)
{
    for (uint32_t i = 0; i < f->list->count; i++) {
        const uint32_t *ins = f->list->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpLabel:
            if (ins[1] < f->bound)
                f->blocks[ins[1]].at = i;
            break;
        case SpvOpBranch:
            add_way(f, ins[1]);
            break;
        case SpvOpBranchConditional:
            add_way(f, ins[2]);
            add_way(f, ins[3]);
            break;
        case SpvOpSwitch: /* literals that are taken for labels only keep selections */
            for (uint32_t k = 2; k < pgs_spv_length(ins); k++)
                add_way(f, ins[k]);
            break;
        default:
            break;
        }
    }
}

/* The place behind an arm that was written into its header. */
static uint32_t behind_arm(const struct flattener *f, uint32_t at)
{
    while (pgs_spv_op(f->list->items[at]) != SpvOpBranch)
        at++;
    return at + 1;
}

bool pgs_spv_flatten(struct pgs_spv_module *m)
{
    struct flattener f = {.m = m, .list = &m->sections[PGS_SPV_FUNCTIONS], .bound = m->bound};
    uint32_t label = 0, at = 0;
    bool any = false;
    f.blocks = pgs_spv_zalloc(m, m->bound, sizeof(*f.blocks));
    if (m->result != PGS_SPV_OK)
        return false;
    find_blocks(&f);
    while (at < f.list->count && m->result == PGS_SPV_OK) {
        uint32_t *ins = f.list->items[at];
        const bool is_label = pgs_spv_op(ins) == SpvOpLabel && ins[1] < f.bound;
        struct selection s;
        label = is_label ? ins[1] : label;
        if (is_label && f.blocks[label].is_written) {
            at = behind_arm(&f, at);
            continue;
        }
        if (find_selection(&f, at, label, &s)) {
            write_selection(&f, &s);
            any = true;
            at += 2;
            continue;
        }
        pgs_spv_push(m, &f.out, ins);
        at++;
    }
    if (m->result == PGS_SPV_OK)
        m->sections[PGS_SPV_FUNCTIONS] = f.out;
    return any;
}
