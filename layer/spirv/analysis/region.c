/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/region.h"

#include "spirv/analysis/emit_walk_values.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

#define CHAIN_LIMIT 64

bool pgs_spv_is_of_invocation(uint32_t storage_class)
{
    return storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate ||
           storage_class == SpvStorageClassOutput || storage_class == SpvStorageClassInput;
}

bool pgs_spv_is_known_pure(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    switch (op) {
    case SpvOpExtInst:
        return w->glsl && ins[3] == w->glsl && ins[4] != GLSLstd450Modf &&
               ins[4] != GLSLstd450Frexp && ins[4] < GLSLstd450InterpolateAtCentroid;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpArrayLength:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpCopyLogical:
        return true;
    default:
        return (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) ||
               (op >= SpvOpSampledImage && op <= SpvOpImageQuerySamples && op != SpvOpImageWrite) ||
               (op >= SpvOpConvertFToU && op <= SpvOpBitcast) ||
               (op >= SpvOpSNegate && op <= SpvOpBitCount);
    }
}

/* -- items -- */

/* NULL: too many. */
static struct pgs_spv_region_item *item_of(struct pgs_spv_region *r, uint32_t id)
{
    if (!r->numbers[id]) {
        r->is_refused |= r->item_count == PGS_SPV_REGION_ITEMS;
        if (r->is_refused)
            return NULL;
        r->items[r->item_count++] = (struct pgs_spv_region_item){.id = id};
        r->numbers[id] = r->item_count;
    }
    return &r->items[r->numbers[id] - 1];
}

static bool has(const uint32_t *set, uint32_t number)
{
    return set[number / 32] >> number % 32 & 1;
}

/* What differs from time to time: neither what is constant nor where something is. */
static bool is_value(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    uint32_t type_word = 0, id_word = 0;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    if (!type_word || !id_word)
        return false;
    switch (pgs_spv_op(def)) {
    case SpvOpVariable:
    case SpvOpFunction:
    case SpvOpUndef:
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
        return false;
    default:
        return true;
    }
}

static bool is_written(const struct pgs_spv_region *r, uint32_t id)
{
    return pgs_spv_def(r->m, id) && r->numbers[id] && r->items[r->numbers[id] - 1].is_written;
}

#define WHOLE 32u

/* What a pointer points into. */
struct target {
    uint32_t variable; /* 0: it is not known */
    uint32_t member;   /* WHOLE: all of it, or one that is not known */
    bool is_own;       /* of a function that the region calls: it concerns nobody else */
};

static struct target target_of(const struct pgs_spv_region *r, uint32_t pointer, bool in_function)
{
    const struct pgs_spv_module *m = r->m;
    struct target target = {.member = WHOLE};
    for (uint32_t i = 0; i < CHAIN_LIMIT && pointer; i++) {
        const uint32_t *def = pgs_spv_def(m, pointer);
        switch (def ? pgs_spv_op(def) : (uint32_t)SpvOpNop) {
        case SpvOpVariable:
            target.is_own = in_function && def[3] == SpvStorageClassFunction;
            target.variable = pointer;
            return target;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
            if (pgs_spv_length(def) > 4 &&
                (!pgs_spv_constant(m, def[4], &target.member) || target.member > WHOLE))
                target.member = WHOLE;
            pointer = def[3];
            break;
        case SpvOpCopyObject:
            pointer = def[3];
            break;
        case SpvOpFunctionParameter:
            target.is_own = in_function;
            if (in_function) {
                target.variable = pointer;
                return target;
            }
            pointer = r->arguments[pointer];
            break;
        default:
            return target;
        }
    }
    return target;
}

/* -- what is written -- */

static void note_written(struct pgs_spv_region *r, uint32_t pointer, bool in_function)
{
    const struct target target = target_of(r, pointer, in_function);
    const uint32_t storage_class = pgs_spv_storage_class_of(r->m, pointer);
    r->is_refused |= !target.variable || !pgs_spv_is_of_invocation(storage_class) ||
                     storage_class == SpvStorageClassInput;
    struct pgs_spv_region_item *item =
        target.is_own || r->is_refused ? NULL : item_of(r, target.variable);
    if (!item)
        return;
    item->is_written = true;
    item->is_whole |= target.member == WHOLE;
    item->members |= target.member < WHOLE ? UINT32_C(1) << target.member : 0;
}

static void note_arguments(struct pgs_spv_region *r, const uint32_t *call, bool in_function)
{
    for (uint32_t i = 4; i < pgs_spv_length(call); i++) {
        const uint32_t storage_class = pgs_spv_storage_class_of(r->m, call[i]);
        if (pgs_spv_is_of_invocation(storage_class) && storage_class != SpvStorageClassInput)
            note_written(r, call[i], in_function);
    }
}

/* Notes what it defines and writes, and refuses what depends on anything else than what goes in. */
static void note_instruction(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                             const uint32_t *ins, bool in_function)
{
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    switch (op) {
    case SpvOpStore:
        note_written(r, ins[1], in_function);
        return;
    case SpvOpLoad:
        r->is_refused |= (pgs_spv_word(ins, 4) & SpvMemoryAccessVolatileMask) != 0;
        break;
    case SpvOpFunctionCall:
        note_arguments(r, ins, in_function);
        break;
    case SpvOpVariable:
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
        r->is_refused |= !in_function;
        return;
    case SpvOpPhi:
    case SpvOpCopyObject:
    case SpvOpUndef:
        break;
    default:
        r->is_refused |= !pgs_spv_is_control(op) && !pgs_spv_is_known_pure(w, ins);
        break;
    }
    if (in_function || !id_word || op == SpvOpLabel)
        return;
    struct pgs_spv_region_item *item = item_of(r, ins[id_word]);
    if (item)
        item->is_written = true;
}

/* A block, or a whole function. */
static void note_found(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w, uint32_t id)
{
    const bool is_function = pgs_spv_def_op(r->m, id, SpvOpFunction) != NULL;
    uint32_t at = w->place[id];
    if (!is_function && r->block_count == PGS_SPV_REGION_BLOCKS) {
        r->is_refused = true;
        return;
    }
    for (; !r->is_refused; at++) {
        const uint32_t *ins = w->code->items[at];
        note_instruction(r, w, ins, is_function);
        if (is_function ? pgs_spv_op(ins) == SpvOpFunctionEnd : pgs_spv_ends_block(pgs_spv_op(ins)))
            break;
    }
    if (is_function || r->is_refused)
        return;
    r->blocks[r->block_count] =
        (struct pgs_spv_region_block){.label = id, .begin = w->place[id], .end = at};
    r->numbers[id] = ++r->block_count;
}

/* -- what is read -- */

/* The value of an index when the region begins and as long as it runs. */
static bool is_fixed(const struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w, uint32_t id,
                     uint32_t *bits)
{
    if (is_written(r, id)) {
        const uint32_t *load = pgs_spv_def_op(r->m, id, SpvOpLoad);
        const uint32_t *variable = load ? pgs_spv_def_op(r->m, load[3], SpvOpVariable) : NULL;
        if (!variable || is_written(r, load[3]) ||
            (variable[3] != SpvStorageClassFunction && variable[3] != SpvStorageClassPrivate))
            return false;
        id = load[3];
    }
    const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, id);
    *bits = value.bits;
    return value.kind == PGS_SPV_NUMBER;
}

/* Notes the load of a part of a variable that stays the same. False: it is no such part. */
static bool read_part(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                      const uint32_t *load, uint32_t variable, bool is_read)
{
    uint32_t pointer = load[3];
    struct pgs_spv_region_part *part = r->parts + r->part_count;
    r->is_refused |= r->part_count == PGS_SPV_REGION_ITEMS; /* a broken module has an id twice */
    if (is_written(r, variable) || r->is_refused)
        return false;
    *part = (struct pgs_spv_region_part){.load = load[2], .is_read = is_read, .variable = variable};
    for (uint32_t i = 0; i < CHAIN_LIMIT && pointer != variable; i++) {
        const uint32_t *def = pgs_spv_def(r->m, pointer);
        const uint32_t op = pgs_spv_op(def);
        const uint32_t count = pgs_spv_is_chain(op) ? pgs_spv_length(def) - 4 : 0;
        if (part->depth + count > PGS_SPV_REGION_DEPTH)
            return false;
        memmove(part->path + count, part->path, part->depth * sizeof(*part->path));
        for (uint32_t k = 0; k < count; k++)
            if (!is_fixed(r, w, def[4 + k], &part->path[k]))
                return false;
        part->depth += count;
        pointer = op == SpvOpFunctionParameter ? r->arguments[pointer] : def[3];
    }
    r->part_count += pointer == variable;
    return pointer == variable;
}

/* The same of any load. */
static bool read_any_part(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                          const uint32_t *load, bool is_read)
{
    const uint32_t variable = pgs_spv_is_of_invocation(pgs_spv_storage_class_of(r->m, load[3]))
                                  ? target_of(r, load[3], false).variable
                                  : 0;
    return variable && read_part(r, w, load, variable, is_read);
}

static bool loads_part(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                       const uint32_t *load)
{
    const uint32_t parts = r->part_count;
    const bool is_part = read_any_part(r, w, load, false);
    r->part_count = parts;
    return is_part;
}

static bool is_chain_or_load(uint32_t op)
{
    return pgs_spv_is_chain(op) || op == SpvOpLoad;
}

/* Marks what an instruction uses. True: something was not marked before. */
static bool mark_operands(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                          const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    bool changes = false;
    if (is_chain_or_load(op) && !r->items[r->numbers[ins[2]] - 1].is_used)
        return false;
    if (op == SpvOpLoad && loads_part(r, w, ins))
        return false;
    for (uint32_t i = id_word ? id_word + 1 : 1; i < pgs_spv_length(ins); i++) {
        if (!pgs_spv_is_id(ins, i) || !is_value(r->m, ins[i]) || !r->numbers[ins[i]])
            continue;
        struct pgs_spv_region_item *item = &r->items[r->numbers[ins[i]] - 1];
        changes |= !item->is_used;
        item->is_used = true;
    }
    return changes;
}

/* Marks the chains and loads that more depends on than where a part is that is known. */
static void find_used(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w)
{
    bool changes = true;
    for (uint32_t at = r->merge ? w->place[r->merge] : UINT32_MAX;
         at < w->code->count && pgs_spv_op(w->code->items[at]) == SpvOpPhi; at++)
        mark_operands(r, w, w->code->items[at]);
    while (changes) {
        changes = false;
        for (uint32_t b = 0; b < r->block_count; b++)
            for (uint32_t at = r->blocks[b].begin; at <= r->blocks[b].end; at++)
                changes |= mark_operands(r, w, w->code->items[at]);
    }
}

static void read_item(struct pgs_spv_region *r, uint32_t id, const uint32_t *written)
{
    struct pgs_spv_region_item *item = item_of(r, id);
    if (item && (!written || !has(written, r->numbers[id] - 1)))
        item->is_read = true;
}

/* Loads of what the invocation has. written: what is known to have been written; NULL: nothing.
 * False: the pointer is to be read, too. */
static bool read_memory(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                        const uint32_t *load, const uint32_t *written, bool in_function)
{
    const uint32_t pointer = load[3];
    if (!pgs_spv_is_of_invocation(pgs_spv_storage_class_of(r->m, pointer)))
        return false;
    const struct target target = target_of(r, pointer, in_function);
    r->is_refused |= !target.variable;
    if (target.is_own || r->is_refused)
        return true;
    if (!in_function && read_part(r, w, load, target.variable, true))
        return true;
    read_item(r, target.variable, written);
    return false;
}

static void read_operands(struct pgs_spv_region *r, const uint32_t *ins, const uint32_t *written)
{
    const uint32_t id_word = pgs_spv_result_word(ins);
    for (uint32_t i = id_word ? id_word + 1 : 1; i < pgs_spv_length(ins); i++)
        if (pgs_spv_is_id(ins, i) && is_value(r->m, ins[i]))
            read_item(r, ins[i], written);
}

/* A function may read what it gets a pointer to. */
static void read_call(struct pgs_spv_region *r, const uint32_t *ins, const uint32_t *written,
                      bool in_function)
{
    for (uint32_t i = 4; i < pgs_spv_length(ins); i++) {
        if (!pgs_spv_is_of_invocation(pgs_spv_storage_class_of(r->m, ins[i])))
            continue;
        const struct target target = target_of(r, ins[i], in_function);
        r->is_refused |= !target.variable;
        if (!target.is_own && target.variable)
            read_item(r, target.variable, written);
    }
}

/* Adds to `written` what the instruction surely writes. */
static void write_items(const struct pgs_spv_region *r, const uint32_t *ins, uint32_t *written)
{
    const uint32_t id_word = pgs_spv_result_word(ins);
    uint32_t id = id_word ? ins[id_word] : 0;
    if (pgs_spv_op(ins) == SpvOpStore && pgs_spv_def_op(r->m, ins[1], SpvOpVariable))
        id = ins[1];
    if (id && r->numbers[id])
        written[(r->numbers[id] - 1) / 32] |= UINT32_C(1) << (r->numbers[id] - 1) % 32;
}

/* -- ways through it -- */

static struct pgs_spv_region_block *block_of(const struct pgs_spv_region *r, uint32_t label)
{
    return pgs_spv_def_op(r->m, label, SpvOpLabel) && r->numbers[label]
               ? &r->blocks[r->numbers[label] - 1]
               : NULL;
}

/* *set &= other. True: it has become smaller. */
static bool reduce(uint32_t *set, const uint32_t *other)
{
    bool changes = false;
    for (uint32_t i = 0; i < PGS_SPV_REGION_ITEMS / 32; i++) {
        changes |= (set[i] & ~other[i]) != 0;
        set[i] &= other[i];
    }
    return changes;
}

/* What is written on all ways from where the region begins. */
static void find_ways(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                      const uint32_t *branch)
{
    bool changes = true;
    for (uint32_t b = 0; b < r->block_count; b++)
        memset(r->blocks[b].arrived, 0xFF, sizeof(r->blocks[b].arrived));
    for (uint32_t i = 1; i < pgs_spv_length(branch); i++) {
        struct pgs_spv_region_block *to = pgs_spv_is_id(branch, i) ? block_of(r, branch[i]) : NULL;
        if (to)
            memset(to->arrived, 0, sizeof(to->arrived));
    }
    while (changes) {
        changes = false;
        for (uint32_t b = 0; b < r->block_count; b++) {
            struct pgs_spv_region_block *from = &r->blocks[b];
            memcpy(from->written, from->arrived, sizeof(from->written));
            for (uint32_t at = from->begin; at < from->end; at++)
                write_items(r, w->code->items[at], from->written);
            const uint32_t *last = w->code->items[from->end];
            for (uint32_t i = 1; i < pgs_spv_length(last); i++) {
                struct pgs_spv_region_block *to =
                    pgs_spv_is_id(last, i) ? block_of(r, last[i]) : NULL;
                changes |= to && reduce(to->arrived, from->written);
            }
        }
    }
}

/* What a phi takes from other blocks of the region, and from the one in front of it. */
static void read_phi(struct pgs_spv_region *r, const uint32_t *ins)
{
    for (uint32_t i = 3; i + 1 < pgs_spv_length(ins); i += 2) {
        const struct pgs_spv_region_block *from = block_of(r, ins[i + 1]);
        if (!is_value(r->m, ins[i]) || (!from && ins[i + 1] != r->entry))
            continue;
        read_item(r, ins[i], ins[i + 1] == r->entry ? NULL : from->written);
    }
}

static void read_block(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                       struct pgs_spv_region_block *block)
{
    for (uint32_t at = block->begin; at <= block->end && !r->is_refused; at++) {
        const uint32_t *ins = w->code->items[at], op = pgs_spv_op(ins);
        struct pgs_spv_region_item *item =
            is_chain_or_load(op) ? &r->items[r->numbers[ins[2]] - 1] : NULL;
        if (item && !item->is_used) {
            item->is_left = true;
            if (op == SpvOpLoad)
                read_any_part(r, w, ins, false);
            continue;
        }
        switch (op) {
        case SpvOpPhi:
            read_phi(r, ins);
            break;
        case SpvOpReturnValue: /* pgs_spv_region_choices */
            break;
        case SpvOpLoad:
            if (!read_memory(r, w, ins, block->arrived, false))
                read_operands(r, ins, block->arrived);
            break;
        case SpvOpFunctionCall:
            read_call(r, ins, block->arrived, false);
            read_operands(r, ins, block->arrived);
            break;
        default:
            read_operands(r, ins, block->arrived);
            break;
        }
        write_items(r, ins, block->arrived);
    }
}

static void read_function(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w, uint32_t id)
{
    for (uint32_t at = w->place[id]; !r->is_refused; at++) {
        const uint32_t *ins = w->code->items[at];
        if (pgs_spv_op(ins) == SpvOpFunctionEnd)
            return;
        if (pgs_spv_op(ins) == SpvOpLoad)
            read_memory(r, w, ins, NULL, true);
        else if (pgs_spv_op(ins) == SpvOpFunctionCall)
            read_call(r, ins, NULL, true);
    }
}

static bool leads_out(const struct pgs_spv_region *r, const uint32_t *last)
{
    const uint32_t op = pgs_spv_op(last);
    if (!r->merge)
        return op == SpvOpReturn || op == SpvOpReturnValue;
    for (uint32_t i = 1; i < pgs_spv_length(last); i++)
        if (pgs_spv_is_id(last, i) && last[i] == r->merge)
            return true;
    return false;
}

/* What comes out is kept unless it is written on all ways. */
static void find_kept(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                      const uint32_t *branch)
{
    pgs_spv_region_set sure;
    memset(sure, leads_out(r, branch) ? 0 : 0xFF, sizeof(sure));
    for (uint32_t b = 0; b < r->block_count; b++)
        if (leads_out(r, w->code->items[r->blocks[b].end]))
            reduce(sure, r->blocks[b].written);
    for (uint32_t i = 0; i < r->item_count; i++)
        r->items[i].is_kept = r->items[i].is_written && !has(sure, i);
}

static void forget(struct pgs_spv_region *r)
{
    for (uint32_t i = 0; i < r->item_count; i++)
        r->numbers[r->items[i].id] = 0;
    for (uint32_t i = 0; i < r->block_count; i++)
        r->numbers[r->blocks[i].label] = 0;
    r->item_count = r->part_count = r->block_count = 0;
}

bool pgs_spv_region_init(struct pgs_spv_region *r, struct pgs_spv_module *m,
                         const uint32_t *arguments)
{
    *r = (struct pgs_spv_region){.m = m,
                                 .arguments = arguments,
                                 .numbers = pgs_spv_zalloc(m, m->bound, sizeof(*r->numbers)),
                                 .items = pgs_spv_alloc(m, PGS_SPV_REGION_ITEMS, sizeof(*r->items)),
                                 .parts = pgs_spv_alloc(m, PGS_SPV_REGION_ITEMS, sizeof(*r->parts)),
                                 .blocks =
                                     pgs_spv_alloc(m, PGS_SPV_REGION_BLOCKS, sizeof(*r->blocks))};
    return m->result == PGS_SPV_OK;
}

bool pgs_spv_region_find(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                         uint32_t merge)
{
    const uint32_t *branch = w->code->items[w->at - 1];
    forget(r);
    r->merge = merge;
    r->entry = w->block;
    r->is_refused = false;
    for (uint32_t i = 0; i < w->found_count && !r->is_refused; i++)
        note_found(r, w, w->found[i]);
    if (r->is_refused)
        return false;
    if (is_value(r->m, branch[1]))
        read_item(r, branch[1], NULL);
    find_used(r, w);
    find_ways(r, w, branch);
    for (uint32_t i = 0; i < w->found_count && !r->is_refused; i++) {
        struct pgs_spv_region_block *block = block_of(r, w->found[i]);
        if (block)
            read_block(r, w, block);
        else
            read_function(r, w, w->found[i]);
    }
    if (!r->is_refused)
        find_kept(r, w, branch);
    return !r->is_refused;
}

static bool is_choice(const struct pgs_spv_region *r, uint32_t id, uint32_t from)
{
    const struct pgs_spv_region_block *block = block_of(r, from);
    if (!is_value(r->m, id) || (!block && from != r->entry))
        return false;
    return from == r->entry || !r->numbers[id] || !has(block->written, r->numbers[id] - 1);
}

void pgs_spv_region_choices(const struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                            const uint32_t *phi, void (*take)(void *context, uint32_t id),
                            void *context)
{
    for (uint32_t i = 3; phi && i + 1 < pgs_spv_length(phi); i += 2)
        if (is_choice(r, phi[i], phi[i + 1]))
            take(context, phi[i]);
    for (uint32_t b = 0; !phi && b < r->block_count; b++) {
        const uint32_t *last = w->code->items[r->blocks[b].end];
        if (pgs_spv_op(last) == SpvOpReturnValue && is_choice(r, last[1], r->blocks[b].label))
            take(context, last[1]);
    }
}
