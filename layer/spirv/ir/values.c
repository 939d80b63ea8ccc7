/* SPDX-License-Identifier: MIT
 *
 * Computes and loads no value twice. Blocks come behind those that dominate them, whose values they
 * may use. Cheap values that two other blocks need are computed in the last one that leads to both.
 * What is known of memory at the begin of a block is what was known at the end of the nearest
 * dominator, without what blocks on the ways from there may store.
 */
#include "spirv/ir/values.h"

#include "spirv/ir/blocks.h"
#include "spirv/ir/cheap.h"
#include "spirv/ir/dead_values.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/known_memory.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/rewrite.h"
#include "spirv/ir/vectors.h"

#include <string.h>

/* An instruction that is moved, in front of another one. */
struct moved {
    uint32_t *ins; /* NULL: it was moved once more */
    struct moved *next;
};

struct slot {
    uint32_t *ins;
    uint32_t block;
    uint32_t place;      /* in the list */
    struct moved *moved; /* NULL: it still stands there */
};

struct numbering {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    struct pgs_spv_names names;
    struct pgs_spv_memory memory;
    struct pgs_spv_blocks blocks;
    bool *is_decorated; /* by id */
    uint32_t *block_of; /* by id: number + 1 of the block of a value; 0: it is there in all */
    struct moved **moved,
        **moved_end;    /* by place in the list: the first one in front, and the last */
    struct slot *slots; /* values */
    uint32_t slot_count;
    uint32_t *table; /* by what a value of the function is computed from: number + 1 in slots */
    uint32_t table_log2;
    uint32_t first_slot;               /* of the function */
    struct pgs_spv_known_list *at_end; /* by block */
    uint32_t *stored;                  /* by block: masks */
    uint32_t *mask, *stack, *visited; /* of one walk; visited: by block, the one that it began at */
};

/* -- equal values -- */

/* The values that are numbered. Variables are not values, and phis depend on where they stand. */
static bool is_numbered(const struct numbering *n, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpVariable:
    case SpvOpPhi:
    case SpvOpUndef:
        return false;
    case SpvOpLoad:
        return pgs_spv_loads_input(&n->memory, ins) && ins[2] < n->names.bound &&
               !n->is_decorated[ins[2]];
    default:
        return (pgs_spv_is_pure(ins) || pgs_spv_is_math(n->m, ins)) &&
               pgs_spv_result_word(ins) == 2 && ins[2] < n->names.bound && !n->is_decorated[ins[2]];
    }
}

static bool is_equal(const uint32_t *a, const uint32_t *b)
{
    bool equal = a[0] == b[0] && a[1] == b[1];
    for (uint32_t i = 3; equal && i < pgs_spv_length(a); i++)
        equal = a[i] == b[i];
    return equal;
}

/* A place in the table for the instruction: that of an equal one, if there is one in the function.
 */
static uint32_t *find_slot(const struct numbering *n, const uint32_t *ins)
{
    uint32_t hash = ins[0] * 31 + ins[1];
    for (uint32_t i = 3; i < pgs_spv_length(ins); i++)
        hash = (hash ^ ins[i]) * 0x9E3779B1u;
    for (uint32_t at = hash >> (32 - n->table_log2);; at = (at + 1) & ((1u << n->table_log2) - 1)) {
        const uint32_t number = n->table[at];
        if (number <= n->first_slot || is_equal(n->slots[number - 1].ins, ins))
            return &n->table[at];
    }
}

/* Bits that are seen as one type, then as another. A number of 64 bits becomes a pointer without
 * being two words before; other pointers are left alone: drivers know them by how they are made. */
static uint32_t fold_bitcasts(const struct pgs_spv_module *m, uint32_t *ins)
{
    const uint32_t *inner = pgs_spv_def_op(m, ins[3], SpvOpBitcast);
    const uint32_t type = inner ? pgs_spv_type_of(m, inner[3]) : 0;
    const bool is_pointer = pgs_spv_def_op(m, ins[1], SpvOpTypePointer) != NULL;
    if (!type || (is_pointer && !pgs_spv_def_op(m, type, SpvOpTypeInt)) ||
        pgs_spv_def_op(m, type, SpvOpTypePointer))
        return 0;
    ins[3] = inner[3];
    if (is_pointer) {
        ins[0] = 4u << 16 | SpvOpConvertUToPtr;
        return 0;
    }
    return type == ins[1] ? inner[3] : 0;
}

/* Places and sizes of bit fields, and amounts of shifts, may have any sign. */
static void take_any_integers(const struct pgs_spv_module *m, uint32_t *ins)
{
    uint32_t first = 0;
    switch (pgs_spv_op(ins)) {
    case SpvOpBitFieldInsert:
        first = 5;
        break;
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        first = 4;
        break;
    default:
        return;
    }
    for (uint32_t i = first; i < pgs_spv_length(ins); i++) {
        const uint32_t *cast = pgs_spv_def_op(m, ins[i], SpvOpBitcast);
        const uint32_t *from =
            cast ? pgs_spv_def_op(m, pgs_spv_type_of(m, cast[3]), SpvOpTypeInt) : NULL;
        const uint32_t *to = cast ? pgs_spv_def_op(m, cast[1], SpvOpTypeInt) : NULL;
        if (from && to && from[2] == to[2])
            ins[i] = cast[3];
    }
}

/* -- values of two blocks -- */

static bool is_there(const struct numbering *n, uint32_t id, uint32_t block)
{
    return id >= n->names.bound || !n->block_of[id] ||
           pgs_spv_dominates(&n->blocks, n->block_of[id] - 1, block);
}

static bool are_operands_there(const struct numbering *n, const uint32_t *ins, uint32_t block)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    for (uint32_t i = 3; i < ids.end; i++) {
        if ((i < ids.sure || pgs_spv_is_mixed_id(ins, i)) && !is_there(n, ins[i], block))
            return false;
    }
    return true;
}

/* The place of what ends a block: a branch, or the merge in front of it. */
static uint32_t end_of(const struct numbering *n, uint32_t block)
{
    const uint32_t end = n->blocks.items[block].end - 1;
    const uint32_t *before = end > n->blocks.items[block].begin ? n->list->items[end - 1] : NULL;
    const uint32_t op = before ? pgs_spv_op(before) : SpvOpNop;
    return op == SpvOpSelectionMerge || op == SpvOpLoopMerge ? end - 1 : end;
}

/* Moves the instruction of a slot to the end of a block that leads to its own one and to another
 * one. False: that block does not have what it needs, or it would take long. */
static bool move_up(struct numbering *n, struct slot *slot, uint32_t other)
{
    if (!pgs_spv_is_cheap(n->m, slot->ins))
        return false;
    const uint32_t block = pgs_spv_common_dominator(&n->blocks, slot->block, other);
    if (!are_operands_there(n, slot->ins, block))
        return false;
    struct moved *moved = pgs_spv_zalloc(n->m, 1, sizeof(*moved));
    if (!moved)
        return false;
    const uint32_t at = end_of(n, block);
    moved->ins = slot->ins;
    if (n->moved[at])
        n->moved_end[at]->next = moved;
    else
        n->moved[at] = moved;
    n->moved_end[at] = moved;
    if (slot->moved)
        slot->moved->ins = NULL;
    else
        n->list->items[slot->place] = NULL;
    slot->moved = moved;
    slot->block = block;
    n->block_of[slot->ins[2]] = block + 1;
    return true;
}

/* The value that the instruction at *place computes, if there is one already. A shorter instruction
 * may come there. */
static uint32_t known_value(struct numbering *n, uint32_t **place, uint32_t block)
{
    uint32_t *ins = *place;
    uint32_t value = pgs_spv_op(ins) == SpvOpBitcast ? fold_bitcasts(n->m, ins) : 0;
    if (!value)
        value = pgs_spv_shorten_construct(n->m, place);
    ins = *place;
    if (!value)
        value = pgs_spv_shorten_shuffle(n->m, ins);
    pgs_spv_see_through_shuffle(n->m, ins);
    take_any_integers(n->m, ins);
    pgs_spv_join_masks(n->m, ins);
    if (!value)
        value = pgs_spv_fold_instruction(n->m, ins);
    if (value)
        return value;
    uint32_t *number = find_slot(n, ins);
    struct slot *slot = *number > n->first_slot ? &n->slots[*number - 1] : NULL;
    if (slot && (pgs_spv_dominates(&n->blocks, slot->block, block) || move_up(n, slot, block)))
        return slot->ins[2];
    n->slots[n->slot_count++] =
        (struct slot){.ins = ins, .block = block, .place = (uint32_t)(place - n->list->items)};
    *number = n->slot_count;
    return 0;
}

/* -- blocks -- */

/* True if the instruction is needed no more. */
static bool is_replaced(struct numbering *n, uint32_t **place, uint32_t block)
{
    const uint32_t *ins = *place;
    const uint32_t op = pgs_spv_op(ins);
    uint32_t value = 0;
    switch (op) {
    case SpvOpStore:
        return pgs_spv_known_store(&n->memory, ins);
    case SpvOpLoad:
        value = is_numbered(n, ins) ? known_value(n, place, block)
                : ins[2] < n->names.bound && !n->is_decorated[ins[2]]
                    ? pgs_spv_known_load(&n->memory, ins)
                    : 0;
        break;
    default:
        if (is_numbered(n, ins)) {
            value = known_value(n, place, block);
        } else if (!pgs_spv_is_control(op)) {
            memset(n->mask, 0, n->memory.mask_w * sizeof(*n->mask));
            pgs_spv_note_stores(&n->memory, ins, n->mask);
            pgs_spv_forget_stored(&n->memory, n->mask);
        }
    }
    return value && pgs_spv_stand_for(&n->names, (*place)[2], value);
}

/* What blocks on the ways to a block from its dominator may store. */
static void mask_between(struct numbering *n, uint32_t block)
{
    const struct pgs_spv_block *items = n->blocks.items;
    const uint32_t dominator = items[block].dominator;
    uint32_t depth = 0;
    memset(n->mask, 0, n->memory.mask_w * sizeof(*n->mask));
    n->stack[depth++] = block;
    while (depth) {
        const struct pgs_spv_block *at = &items[n->stack[--depth]];
        for (uint32_t i = 0; i < at->from_count; i++) {
            const uint32_t from = n->blocks.ways_back[at->from + i];
            if (from == dominator || n->visited[from] == block + 1 ||
                items[from].turn == PGS_SPV_NO_BLOCK)
                continue;
            n->visited[from] = block + 1;
            n->stack[depth++] = from;
            for (uint32_t k = 0; k < n->memory.mask_w; k++)
                n->mask[k] |= n->stored[from * n->memory.mask_w + k];
        }
    }
}

static void begin_block(struct numbering *n, uint32_t block)
{
    const struct pgs_spv_block *item = &n->blocks.items[block];
    n->memory.known.count = 0;
    if (item->dominator == block)
        return;
    pgs_spv_set_known(&n->memory, &n->at_end[item->dominator]);
    if (item->from_count == 1)
        return;
    mask_between(n, block);
    pgs_spv_forget_stored(&n->memory, n->mask);
}

static void find_stored(struct numbering *n)
{
    memset(n->stored, 0, (size_t)n->blocks.count * n->memory.mask_w * sizeof(*n->stored));
    memset(n->visited, 0, n->blocks.count * sizeof(*n->visited));
    for (uint32_t b = 0; b < n->blocks.count; b++) {
        for (uint32_t i = n->blocks.items[b].begin; i < n->blocks.items[b].end; i++) {
            const uint32_t *ins = n->list->items[i];
            if (!pgs_spv_takes_numbers(pgs_spv_op(ins)))
                pgs_spv_note_stores(&n->memory, ins, n->stored + b * n->memory.mask_w);
        }
    }
}

static void note_block(struct numbering *n, const uint32_t *ins, uint32_t block)
{
    const uint32_t word = pgs_spv_result_word(ins);
    if (word && ins[word] < n->names.bound)
        n->block_of[ins[word]] = block + 1;
}

/* Phis, and blocks that nothing leads to, may still name what is replaced. */
static void rename_rest(const struct numbering *n)
{
    for (uint32_t b = 0; b < n->blocks.count; b++) {
        const struct pgs_spv_block *block = &n->blocks.items[b];
        for (uint32_t i = block->begin; i < block->end; i++) {
            uint32_t *ins = n->list->items[i];
            if (ins && block->turn != PGS_SPV_NO_BLOCK && pgs_spv_op(ins) != SpvOpPhi)
                break;
            if (ins)
                pgs_spv_rename_operands(&n->names, ins);
        }
    }
}

/* Instructions that are replaced or moved become NULL. */
static void number_function(struct numbering *n, uint32_t first, uint32_t end)
{
    n->first_slot = n->slot_count;
    pgs_spv_find_blocks(&n->blocks, first, end);
    if (n->m->result != PGS_SPV_OK)
        return;
    find_stored(n);
    for (uint32_t i = 0; i < n->blocks.order_count && n->m->result == PGS_SPV_OK; i++) {
        const uint32_t block = n->blocks.order[i];
        begin_block(n, block);
        for (uint32_t k = n->blocks.items[block].begin; k < n->blocks.items[block].end; k++) {
            uint32_t *ins = n->list->items[k];
            pgs_spv_rename_operands(&n->names, ins);
            note_block(n, ins, block);
            if (is_replaced(n, &n->list->items[k], block))
                n->list->items[k] = NULL;
        }
        n->at_end[block] = pgs_spv_copy_known(&n->memory);
    }
    rename_rest(n);
}

/* -- the module -- */

static void find_decorated(struct numbering *n)
{
    const struct pgs_spv_list *list = &n->m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (ins[1] < n->names.bound)
            n->is_decorated[ins[1]] = true;
    }
}

static bool open_numbering(struct numbering *n)
{
    struct pgs_spv_module *m = n->m;
    n->names = pgs_spv_no_names(m);
    n->is_decorated = pgs_spv_zalloc(m, m->bound, sizeof(*n->is_decorated));
    n->block_of = pgs_spv_zalloc(m, m->bound, sizeof(*n->block_of));
    n->moved = pgs_spv_zalloc(m, n->list->count + 1u, sizeof(*n->moved));
    n->moved_end = pgs_spv_alloc(m, n->list->count + 1u, sizeof(*n->moved_end));
    n->blocks = pgs_spv_no_blocks(m);
    pgs_spv_open_memory(m, &n->memory);
    const uint32_t blocks = n->blocks.capacity + 1;
    for (n->table_log2 = 6; n->table_log2 < 30 && 1u << n->table_log2 < 2 * n->list->count;)
        n->table_log2++;
    n->table = pgs_spv_zalloc(m, (size_t)1 << n->table_log2, sizeof(*n->table));
    n->slots = pgs_spv_alloc(m, n->list->count + 1u, sizeof(*n->slots));
    n->at_end = pgs_spv_zalloc(m, blocks, sizeof(*n->at_end));
    n->stored = pgs_spv_zalloc(m, (size_t)blocks * n->memory.mask_w, sizeof(*n->stored));
    n->mask = pgs_spv_zalloc(m, n->memory.mask_w, sizeof(*n->mask));
    n->stack = pgs_spv_zalloc(m, blocks + 1, sizeof(*n->stack));
    n->visited = pgs_spv_zalloc(m, blocks, sizeof(*n->visited));
    return m->result == PGS_SPV_OK;
}

/* Drops what is replaced, and writes what is moved. */
static void finish(struct numbering *n)
{
    struct pgs_spv_list out = {0};
    for (uint32_t i = 0; i < n->list->count; i++) {
        for (const struct moved *moved = n->moved[i]; moved; moved = moved->next)
            if (moved->ins)
                pgs_spv_push(n->m, &out, moved->ins);
        uint32_t *ins = n->list->items[i];
        if (ins)
            pgs_spv_push(n->m, &out, ins);
    }
    if (n->m->result == PGS_SPV_OK)
        *n->list = out;
}

void pgs_spv_number_values(struct pgs_spv_module *m)
{
    struct numbering n = {.m = m, .list = &m->sections[PGS_SPV_FUNCTIONS]};
    uint32_t first = 0;
    if (m->result != PGS_SPV_OK || !open_numbering(&n))
        return;
    find_decorated(&n);
    for (uint32_t i = 0; i < n.list->count; i++) {
        const uint32_t *ins = n.list->items[i];
        if (!ins)
            continue;
        if (pgs_spv_op(ins) == SpvOpFunction)
            first = i;
        else if (pgs_spv_op(ins) == SpvOpFunctionEnd)
            number_function(&n, first, i);
    }
    finish(&n);
}
