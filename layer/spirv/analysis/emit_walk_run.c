/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/emit_walk_run.h"

#include "spirv/analysis/emit_walk_skip.h"
#include "spirv/analysis/emit_walk_values.h"
#include "spirv/io/io_limits.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

/* The value is known if all predecessors that could have led here agree. `from`: the previous
 * label, 0 if unknown. */
static struct pgs_spv_emit_walk_value phi(const struct pgs_spv_emit_walk *w, const uint32_t *ins,
                                          uint32_t from)
{
    struct pgs_spv_emit_walk_value value = {.kind = PGS_SPV_UNKNOWN};
    bool any = false;
    for (uint32_t i = 3; i + 1 < pgs_spv_length(ins); i += 2) {
        if (from && ins[i + 1] != from)
            continue;
        const struct pgs_spv_emit_walk_value one = pgs_spv_emit_walk_value(w, ins[i]);
        if (one.kind != PGS_SPV_NUMBER || (any && one.bits != value.bits))
            return (struct pgs_spv_emit_walk_value){.kind = PGS_SPV_UNKNOWN};
        value = one;
        any = true;
    }
    return value;
}

static void enter_block(struct pgs_spv_emit_walk *w, uint32_t label, uint32_t from)
{
    const uint32_t first_construct = w->frames[w->frame_count - 1].first_construct;
    if (!pgs_spv_def_op(w->m, label, SpvOpLabel) || !w->place[label]) {
        w->is_lost = true;
        return;
    }
    for (uint32_t i = first_construct; i < w->construct_count; i++) {
        if (w->constructs[i].merge == label)
            w->construct_count = i;
    }
    w->block = label;
    w->at = w->place[label];
    uint32_t count = 0;
    for (;; count++) {
        const uint32_t *ins = w->code->items[w->at + count];
        if (pgs_spv_op(ins) != SpvOpPhi || !pgs_spv_emit_walk_spend(w, ins))
            break;
        w->staged[count] = phi(w, ins, from);
    }
    if (w->observer->phis && !w->is_lost)
        w->observer->phis(w, w->code->items + w->at, count, from);
    for (uint32_t i = 0; i < count; i++)
        pgs_spv_emit_walk_assign(w, w->code->items[w->at + i][2], w->staged[i]);
    w->at += count;
}

static void begin_construct(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const uint32_t first_construct = w->frames[w->frame_count - 1].first_construct;
    for (uint32_t i = first_construct; i < w->construct_count; i++) {
        if (w->constructs[i].header == w->block)
            w->construct_count = i; /* the next iteration of a loop */
    }
    if (w->construct_count == PGS_SPV_EMIT_WALK_CONSTRUCTS) {
        w->is_lost = true;
        return;
    }
    w->constructs[w->construct_count++] =
        (struct pgs_spv_emit_walk_construct){.header = w->block, .merge = pgs_spv_word(ins, 1)};
}

static void enter_function(struct pgs_spv_emit_walk *w, const uint32_t *call, uint32_t function)
{
    if (w->frame_count == PGS_SPV_EMIT_WALK_CALLS ||
        !pgs_spv_def_op(w->m, function, SpvOpFunction) || !w->place[function]) {
        w->is_lost = true;
        return;
    }
    w->frames[w->frame_count++] = (struct pgs_spv_emit_walk_frame){
        .call = call, .at = w->at, .block = w->block, .first_construct = w->construct_count};
    w->at = w->place[function];
}

/* Passes a known number, or the target of a pointer to memory that only this invocation has. */
static void pass_argument(struct pgs_spv_emit_walk *w, uint32_t parameter, uint32_t argument)
{
    struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, argument);
    const uint32_t storage_class = pgs_spv_storage_class_of(w->m, parameter);
    if (storage_class != UINT32_MAX) {
        bool is_whole;
        value = (struct pgs_spv_emit_walk_value){.kind = PGS_SPV_UNKNOWN};
        switch (pgs_spv_emit_walk_target(w, argument, &value.bits, &is_whole)) {
        case PGS_SPV_TARGET_LOST:
            w->is_lost = true;
            break;
        case PGS_SPV_TARGET_VARIABLE:
            value.kind = is_whole ? PGS_SPV_POINTER : PGS_SPV_PART;
            break;
        default:
            break;
        }
    }
    pgs_spv_emit_walk_assign(w, parameter, value);
    if (w->observer->pass)
        w->observer->pass(w, parameter, argument);
}

static void call(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    enter_function(w, ins, ins[3]);
    for (uint32_t i = 4; i < pgs_spv_length(ins) && !w->is_lost; i++) {
        const uint32_t *parameter = w->code->items[w->at++];
        if (pgs_spv_op(parameter) != SpvOpFunctionParameter) {
            w->is_lost = true;
            return;
        }
        pass_argument(w, parameter[2], ins[i]);
    }
}

/* result: id of what it returns; 0: nothing, or it is not known. */
static void leave_function(struct pgs_spv_emit_walk *w, uint32_t id)
{
    struct pgs_spv_emit_walk_value result = pgs_spv_emit_walk_value(w, id);
    const struct pgs_spv_emit_walk_frame *frame = &w->frames[--w->frame_count];
    w->construct_count = frame->first_construct;
    w->is_done = !frame->call;
    if (w->is_done)
        return;
    w->at = frame->at;
    w->block = frame->block;
    if (result.kind != PGS_SPV_NUMBER)
        result.kind = PGS_SPV_UNKNOWN;
    pgs_spv_emit_walk_assign(w, frame->call[2], result);
    if (w->observer->leave)
        w->observer->leave(w, frame->call[2], id);
}

/* Resumes at the nearest merge point that can be skipped to. */
static void skip(struct pgs_spv_emit_walk *w, const uint32_t *branch)
{
    const uint32_t first_construct = w->frames[w->frame_count - 1].first_construct;
    for (uint32_t i = w->construct_count; i > first_construct && !w->is_lost; i--) {
        const uint32_t merge = w->constructs[i - 1].merge;
        if (merge && pgs_spv_emit_walk_skip(w, branch, merge)) {
            enter_block(w, merge, 0);
            return;
        }
    }
    if (!w->is_lost && pgs_spv_emit_walk_skip(w, branch, 0)) {
        leave_function(w, 0);
        return;
    }
    const uint32_t label = !w->is_lost && w->observer->fork ? w->observer->fork(w, branch) : 0;
    if (label)
        enter_block(w, label, w->block);
    else
        w->is_lost = true;
}

static void branch(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const bool is_switch = pgs_spv_op(ins) == SpvOpSwitch;
    if (pgs_spv_op(ins) == SpvOpBranch) {
        enter_block(w, pgs_spv_word(ins, 1), w->block);
        return;
    }
    const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 1));
    if (value.kind != PGS_SPV_NUMBER) {
        skip(w, ins);
        return;
    }
    uint32_t label = pgs_spv_word(ins, is_switch || value.bits ? 2 : 3);
    for (uint32_t i = 3; is_switch && i + 1 < pgs_spv_length(ins); i += 2) {
        if (ins[i] != value.bits)
            continue;
        label = ins[i + 1];
        break;
    }
    if (w->observer->choose)
        w->observer->choose(w, ins, label);
    enter_block(w, label, w->block);
}

/* Handles all instructions that neither emit nor branch. */
static void compute(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    if (!pgs_spv_knows_operands(pgs_spv_op(ins))) {
        w->is_lost = true;
        return;
    }
    pgs_spv_emit_walk_forget(w, ins);
    if (type_word && id_word)
        pgs_spv_emit_walk_assign(w, ins[id_word], pgs_spv_emit_walk_compute(w, ins));
    if (w->observer->compute)
        w->observer->compute(w, ins);
}

/* The caller has checked that the stream exists. */
static uint32_t stream_of(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    uint32_t stream = 0;
    return pgs_spv_constant(w->m, ins[1], &stream) ? stream % PGS_SPV_STREAMS : 0;
}

/* A local variable, or what is stored. */
static void store(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    if (pgs_spv_op(ins) == SpvOpStore)
        pgs_spv_emit_walk_store(w, ins);
    else
        pgs_spv_emit_walk_assign(w, ins[2], pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 4)));
    if (w->observer->compute)
        w->observer->compute(w, ins);
}

void pgs_spv_emit_walk_step(struct pgs_spv_emit_walk *w)
{
    const uint32_t *ins = w->code->items[w->at++];
    if (!pgs_spv_emit_walk_spend(w, ins))
        return;
    switch (pgs_spv_op(ins)) {
    case SpvOpLabel:
        w->block = ins[1];
        break;
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        begin_construct(w, ins);
        break;
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        branch(w, ins);
        break;
    case SpvOpFunctionCall:
        call(w, ins);
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        leave_function(w, pgs_spv_word(ins, 1));
        break;
    case SpvOpVariable:
    case SpvOpStore:
        store(w, ins);
        break;
    case SpvOpEmitVertex:
        w->observer->emit(w, 0);
        break;
    case SpvOpEmitStreamVertex:
        w->observer->emit(w, stream_of(w, ins));
        break;
    case SpvOpEndPrimitive:
        w->observer->end_strip(w, 0);
        break;
    case SpvOpEndStreamPrimitive:
        w->observer->end_strip(w, stream_of(w, ins));
        break;
    case SpvOpFunction:
    case SpvOpFunctionEnd:
    case SpvOpFunctionParameter: /* more parameters than arguments */
    case SpvOpKill:
    case SpvOpUnreachable:
        w->is_lost = true;
        break;
    default:
        compute(w, ins);
        break;
    }
}

bool pgs_spv_emit_walk_begin(struct pgs_spv_emit_walk *w)
{
    struct pgs_spv_module *m = w->m;
    w->values = pgs_spv_zalloc(m, m->bound, sizeof(*w->values));
    w->place = pgs_spv_zalloc(m, m->bound, sizeof(*w->place));
    w->seen = pgs_spv_zalloc(m, m->bound, sizeof(*w->seen));
    w->staged = pgs_spv_zalloc(m, w->code->count + 1u, sizeof(*w->staged));
    w->found = pgs_spv_zalloc(m, w->code->count + 1u, sizeof(*w->found));
    if (m->result != PGS_SPV_OK)
        return false;
    for (uint32_t i = 0; i < w->code->count; i++) {
        const uint32_t *ins = w->code->items[i];
        if (pgs_spv_op(ins) == SpvOpLabel)
            w->place[ins[1]] = i + 1;
        else if (pgs_spv_op(ins) == SpvOpFunction)
            w->place[ins[2]] = i + 1;
    }
    pgs_spv_emit_walk_constants(w);
    enter_function(w, NULL, m->entry[2]);
    return true;
}

void pgs_spv_emit_walk_begin_again(struct pgs_spv_emit_walk *w)
{
    memset(w->values, 0, w->m->bound * sizeof(*w->values));
    w->steps = w->at = w->block = w->frame_count = w->construct_count = 0;
    w->is_lost = w->is_done = w->skips_loop = w->skips_unknown = false;
    pgs_spv_emit_walk_constants(w);
    enter_function(w, NULL, w->m->entry[2]);
}
