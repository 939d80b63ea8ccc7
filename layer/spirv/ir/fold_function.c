/* SPDX-License-Identifier: MIT
 *
 * Copies a function of a library with what is known of its arguments: what can be computed is, and
 * branches that are decided go, with the blocks that nothing reaches then. One walk in the order of
 * the blocks does it, as all ways into a block but those back to a loop come before it there.
 */
#include "spirv/ir/fold_function.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"

#include <string.h>

struct pgs_spv_fold_block {
    uint32_t label;   /* in the copy; 0: not chosen yet */
    uint32_t from;    /* the block of the last way in */
    uint32_t ways_in; /* from blocks in front */
    bool is_merge, is_continue;
    bool is_done;
};

/* A branch of the copy, with labels of the original. */
struct way {
    struct way *next;
    uint32_t from, to;
};

struct phi {
    struct phi *next;
    uint32_t *copy;
    const uint32_t *original;
    uint32_t block; /* of the original */
};

struct walk {
    const struct pgs_spv_folder *folder;
    const struct pgs_spv_fold_source *source;
    struct pgs_spv_module *m;
    enum pgs_spv_fold_kind kind;
    struct pgs_spv_list *out;
    struct pgs_spv_folded result;
    uint32_t block;        /* that is copied, by its label in the original; 0: nothing reaches it */
    uint32_t label;        /* of the block that is being written */
    const uint32_t *merge; /* OpSelectionMerge that waits for its branch */
    struct way *ways;
    struct phi *phis;
    bool failed;
};

static const struct pgs_spv_folded nothing = {.possible = UINT32_MAX};

void pgs_spv_open_source(struct pgs_spv_module *m, struct pgs_spv_linked *linked,
                         struct pgs_spv_fold_source *source)
{
    const struct pgs_spv_library *library = linked->library;
    const uint32_t labels = library->label_bound - library->outer_bound;
    *source = (struct pgs_spv_fold_source){
        .linked = linked,
        .values = pgs_spv_zalloc(m, library->bound, sizeof(*source->values)),
        .blocks = pgs_spv_zalloc(m, labels, sizeof(*source->blocks))};
}

struct pgs_spv_folded pgs_spv_folded_id(const struct pgs_spv_folder *folder,
                                        const struct pgs_spv_fold_source *source, uint32_t id)
{
    struct pgs_spv_folded *value = &source->values[id];
    if (!value->id && id < source->linked->library->outer_bound)
        *value = pgs_spv_fold_id(folder->m, pgs_spv_map_id(folder->known, source->linked, id));
    return *value;
}

/* What stands for an operand of the function. */
static inline struct pgs_spv_folded folded(const struct walk *w, uint32_t id)
{
    const struct pgs_spv_folded value = w->source->values[id];
    return value.id ? value : pgs_spv_folded_id(w->folder, w->source, id);
}

static uint32_t value_of(const struct walk *w, uint32_t id)
{
    return folded(w, id).id;
}

static bool known_bits(const struct walk *w, uint32_t id, uint32_t *bits)
{
    return pgs_spv_constant_bits(w->m, value_of(w, id), bits);
}

static struct pgs_spv_fold_block *block_of(const struct walk *w, uint32_t label)
{
    return &w->source->blocks[label - w->source->linked->library->outer_bound];
}

/* Of the original. */
static bool is_loop(const struct walk *w, uint32_t label)
{
    const struct pgs_spv_library *library = w->source->linked->library;
    return library->blocks[label - library->outer_bound] & 1;
}

/* Words of the original from the label to the next one, or to the end of the function. */
static uint32_t length_of(const struct walk *w, uint32_t label)
{
    const struct pgs_spv_library *library = w->source->linked->library;
    return library->blocks[label - library->outer_bound] >> 1;
}

static uint32_t label_of(const struct walk *w, uint32_t label)
{
    struct pgs_spv_fold_block *block = block_of(w, label);
    if (!block->label)
        block->label = pgs_spv_new_id(w->m);
    return block->label;
}

static void set_value(const struct walk *w, uint32_t id, struct pgs_spv_folded value)
{
    w->source->values[id] = value;
}

/* -- ways between blocks -- */

static bool is_way(const struct walk *w, uint32_t from, uint32_t to)
{
    for (const struct way *way = w->ways; way; way = way->next) {
        if (way->from == from && way->to == to)
            return true;
    }
    return false;
}

static void add_way(struct walk *w, uint32_t to)
{
    struct pgs_spv_fold_block *block = block_of(w, to);
    struct way *way = is_way(w, w->block, to) ? NULL : pgs_spv_zalloc(w->m, 1, sizeof(*way));
    if (!way)
        return;
    *way = (struct way){.next = w->ways, .from = w->block, .to = to};
    w->ways = way;
    if (block->is_done) {
        w->failed = w->failed || !is_loop(w, to);
        return;
    }
    block->ways_in++;
    block->from = w->block;
}

static void branch(struct walk *w, uint32_t to)
{
    add_way(w, to);
    PGS_SPV_APPEND(w->m, w->out, SpvOpBranch, label_of(w, to));
    w->block = 0;
}

/* The block goes on where the only branch to it stands. */
static bool joins(const struct walk *w, uint32_t id)
{
    const struct pgs_spv_fold_block *block = block_of(w, id);
    if (block->ways_in != 1 || block->is_merge || block->is_continue || is_loop(w, id) ||
        w->out->count == 0 || w->kind == PGS_SPV_FOLD_PLAIN)
        return false;
    const uint32_t *last = w->out->items[w->out->count - 1];
    const bool begins_loop =
        w->out->count > 1 && pgs_spv_op(w->out->items[w->out->count - 2]) == SpvOpLoopMerge;
    return pgs_spv_op(last) == SpvOpBranch && block->label == last[1] && !begins_loop;
}

static void begin_block(struct walk *w, uint32_t id, bool is_first)
{
    struct pgs_spv_fold_block *block = block_of(w, id);
    block->is_done = true;
    w->block = 0;
    if (is_first && w->kind == PGS_SPV_FOLD_IN_PLACE) {
        w->block = id;
        return;
    }
    if (!is_first && block->ways_in && joins(w, id)) {
        w->out->count--;
        block->label = w->label;
        w->block = id;
        return;
    }
    if (!is_first && !block->ways_in && !block->is_merge && !block->is_continue)
        return;
    w->label = label_of(w, id);
    PGS_SPV_APPEND(w->m, w->out, SpvOpLabel, w->label);
    if (is_first || block->ways_in) {
        w->block = id;
        return;
    }
    /* Structured control flow names the block, but nothing leads there. */
    pgs_spv_append(w->m, w->out, SpvOpUnreachable, NULL, 0);
    w->failed = w->failed || block->is_continue;
}

/* -- the ends of blocks -- */

static void write_merge(struct walk *w)
{
    if (!w->merge)
        return;
    block_of(w, w->merge[1])->is_merge = true;
    PGS_SPV_APPEND(w->m, w->out, SpvOpSelectionMerge, label_of(w, w->merge[1]), w->merge[2]);
    w->merge = NULL;
}

/* A branch without a selection leaves a loop, or goes on in it, and stays. */
static bool may_decide(const struct walk *w)
{
    return w->merge && w->kind != PGS_SPV_FOLD_PLAIN;
}

static void branch_conditionally(struct walk *w, const uint32_t *ins)
{
    uint32_t condition;
    if (may_decide(w) && known_bits(w, ins[1], &condition)) {
        w->merge = NULL;
        branch(w, condition ? ins[2] : ins[3]);
        return;
    }
    write_merge(w);
    add_way(w, ins[2]);
    add_way(w, ins[3]);
    PGS_SPV_APPEND(w->m, w->out, SpvOpBranchConditional, value_of(w, ins[1]), label_of(w, ins[2]),
                   label_of(w, ins[3]));
    w->block = 0;
}

static void switch_on(struct walk *w, const uint32_t *ins)
{
    const uint32_t length = pgs_spv_length(ins);
    uint32_t selector, target = ins[2];
    if (may_decide(w) && known_bits(w, ins[1], &selector)) {
        for (uint32_t i = 3; i + 1 < length; i += 2)
            target = ins[i] == selector ? ins[i + 1] : target;
        w->merge = NULL;
        branch(w, target);
        return;
    }
    write_merge(w);
    uint32_t *words = pgs_spv_zalloc(w->m, length, 4);
    if (!words)
        return;
    memcpy(words, ins + 1, (length - 1) * 4u);
    words[0] = value_of(w, ins[1]);
    for (uint32_t i = 2; i < length; i += 2) {
        add_way(w, ins[i]);
        words[i - 1] = label_of(w, ins[i]);
    }
    pgs_spv_append(w->m, w->out, SpvOpSwitch, words, length - 1);
    w->block = 0;
}

static void merge_loop(struct walk *w, const uint32_t *ins)
{
    uint32_t words[8];
    const uint32_t count = pgs_spv_length(ins) - 1;
    if (count > sizeof(words) / sizeof(words[0])) {
        w->failed = true;
        return;
    }
    memcpy(words, ins + 1, count * 4u);
    words[0] = label_of(w, ins[1]);
    words[1] = label_of(w, ins[2]);
    block_of(w, ins[1])->is_merge = true;
    block_of(w, ins[2])->is_continue = true;
    pgs_spv_append(w->m, w->out, SpvOpLoopMerge, words, count);
}

static void return_value(struct walk *w, const uint32_t *ins)
{
    w->result = folded(w, ins[1]);
    if (w->kind != PGS_SPV_FOLD_IN_PLACE)
        PGS_SPV_APPEND(w->m, w->out, SpvOpReturnValue, w->result.id);
    w->block = 0;
}

/* True if the instruction was one of control flow. */
static bool copy_control_flow(struct walk *w, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpSelectionMerge:
        w->merge = ins;
        return true;
    case SpvOpLoopMerge:
        merge_loop(w, ins);
        return true;
    case SpvOpBranch:
        branch(w, ins[1]);
        return true;
    case SpvOpBranchConditional:
        branch_conditionally(w, ins);
        return true;
    case SpvOpSwitch:
        switch_on(w, ins);
        return true;
    case SpvOpReturnValue:
        return_value(w, ins);
        return true;
    case SpvOpReturn:
    case SpvOpUnreachable:
        if (w->kind != PGS_SPV_FOLD_IN_PLACE)
            pgs_spv_append(w->m, w->out, pgs_spv_op(ins), NULL, 0);
        w->block = 0;
        return true;
    default:
        return false;
    }
}

/* -- values -- */

/* The one value that a phi can have; .id 0: there may be several. */
static struct pgs_spv_folded only_value(const struct walk *w, const uint32_t *ins)
{
    struct pgs_spv_folded value = {0};
    for (uint32_t i = 3; i + 1 < pgs_spv_length(ins); i += 2) {
        if (!block_of(w, ins[i + 1])->is_done)
            return nothing;
        if (!is_way(w, ins[i + 1], w->block))
            continue;
        const struct pgs_spv_folded one = folded(w, ins[i]);
        if (value.id && value.id != one.id)
            return nothing;
        value = one;
    }
    return value;
}

/* The words of a phi are written in the end, when it is known where branches come from. */
static void copy_phi(struct walk *w, const uint32_t *ins)
{
    struct pgs_spv_folded value = w->kind == PGS_SPV_FOLD_PLAIN ? nothing : only_value(w, ins);
    if (!value.id) {
        struct phi *phi = pgs_spv_zalloc(w->m, 1, sizeof(*phi));
        value = (struct pgs_spv_folded){.id = pgs_spv_new_id(w->m), .possible = UINT32_MAX};
        if (!phi)
            return;
        *phi = (struct phi){.next = w->phis,
                            .copy = pgs_spv_zalloc(w->m, pgs_spv_length(ins), 4),
                            .original = ins,
                            .block = w->block};
        if (!phi->copy)
            return;
        phi->copy[0] = ins[0];
        phi->copy[1] = value_of(w, ins[1]);
        phi->copy[2] = value.id;
        w->m->defs[value.id] = phi->copy;
        w->phis = phi;
        pgs_spv_push(w->m, w->out, phi->copy);
    }
    set_value(w, ins[2], value);
}

static void finish_phis(struct walk *w)
{
    for (struct phi *phi = w->phis; phi; phi = phi->next) {
        const uint32_t *from = phi->original;
        uint32_t length = 3;
        for (uint32_t i = 3; i + 1 < pgs_spv_length(from); i += 2) {
            if (!is_way(w, from[i + 1], phi->block))
                continue;
            phi->copy[length++] = value_of(w, from[i]);
            phi->copy[length++] = label_of(w, from[i + 1]);
        }
        phi->copy[0] = length << 16 | SpvOpPhi;
    }
}

/* Libraries are written for the GLSL memory model. In the Vulkan one the scope of a whole device
 * takes a feature. Their atomic operations have results of 32 bits. */
static void fit_scope(struct walk *w, uint32_t *copy)
{
    const uint32_t op = pgs_spv_op(copy);
    if (op >= SpvOpAtomicExchange && op <= SpvOpAtomicXor &&
        w->m->sections[PGS_SPV_MEMORY_MODEL].items[0][2] == SpvMemoryModelVulkan)
        copy[4] = pgs_spv_make_constant(w->m, copy[1], SpvScopeQueueFamily);
}

/* Bits that may be set in the result. */
static uint32_t possible_bits(const struct walk *w, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    return pgs_spv_is_bitwise(op)
               ? pgs_spv_possible_bits(w->m, op, folded(w, ins[3]), folded(w, ins[4]))
               : UINT32_MAX;
}

static void copy_instruction(struct walk *w, const uint32_t *ins)
{
    const uint32_t length = pgs_spv_length(ins), id_word = pgs_spv_result_word(ins);
    uint32_t *copy = pgs_spv_alloc(w->m, length, 4);
    if (!copy)
        return;
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    copy[0] = ins[0];
    for (uint32_t i = 1; i < ids.sure; i++)
        copy[i] = i == id_word ? 0 : value_of(w, ins[i]);
    for (uint32_t i = ids.sure; i < length; i++)
        copy[i] = i < ids.end && i != id_word && pgs_spv_is_mixed_id(ins, i) ? value_of(w, ins[i])
                                                                             : ins[i];
    fit_scope(w, copy);
    const struct pgs_spv_folded value =
        pgs_spv_write_copy(w->m, copy, possible_bits(w, ins), w->out);
    if (id_word)
        set_value(w, ins[id_word], value);
}

static void copy_call(struct walk *w, const uint32_t *ins)
{
    struct pgs_spv_folded arguments[PGS_SPV_MAX_PARAMETERS];
    const uint32_t count = pgs_spv_length(ins) - 4;
    if (count > PGS_SPV_MAX_PARAMETERS) {
        pgs_spv_fail(w->m, PGS_SPV_UNSUPPORTED);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = folded(w, ins[4 + i]);
    set_value(w, ins[2], w->folder->call(w->folder->context, w->source, ins, arguments, w->out));
}

/* -- the function -- */

/* Forgets an earlier copy. */
static void reset(const struct walk *w, const uint32_t *body, const uint32_t *end)
{
    for (; body < end; body += length_of(w, body[1]))
        *block_of(w, body[1]) = (struct pgs_spv_fold_block){0};
}

bool pgs_spv_fold_body(const struct pgs_spv_folder *folder,
                       const struct pgs_spv_fold_source *source,
                       const struct pgs_spv_library_function *function, enum pgs_spv_fold_kind kind,
                       struct pgs_spv_list *out, struct pgs_spv_folded *result)
{
    const uint32_t *words = source->linked->library->words;
    const uint32_t *body = words + function->body, *end = words + function->end;
    struct walk w = {.folder = folder, .source = source, .m = folder->m, .kind = kind, .out = out};
    reset(&w, body, end);
    for (const uint32_t *ins = body; ins < end && w.m->result == PGS_SPV_OK && !w.failed;) {
        const uint32_t op = pgs_spv_op(ins);
        if (op == SpvOpLabel)
            begin_block(&w, ins[1], ins == body);
        else if (op == SpvOpPhi)
            copy_phi(&w, ins);
        else if (op == SpvOpFunctionCall)
            copy_call(&w, ins);
        else if (!copy_control_flow(&w, ins))
            copy_instruction(&w, ins);
        /* What nothing reaches is left out. */
        ins += op == SpvOpLabel && !w.block ? length_of(&w, ins[1]) : pgs_spv_length(ins);
    }
    finish_phis(&w);
    *result = w.result;
    return !w.failed;
}
