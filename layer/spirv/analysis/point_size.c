/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/point_size.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/module.h"
#include "spirv/ir/operands.h"

#define ONE 0x3F800000u

/* The member of the type that is gl_PointSize; UINT32_MAX: none. */
static uint32_t size_member(const struct pgs_spv_module *m, uint32_t type)
{
    const struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        if (pgs_spv_op(ins) == SpvOpMemberDecorate && pgs_spv_length(ins) == 5 && ins[1] == type &&
            ins[3] == SpvDecorationBuiltIn && ins[4] == SpvBuiltInPointSize)
            return ins[2];
    }
    return UINT32_MAX;
}

static bool is_size(const struct pgs_spv_module *m, uint32_t variable)
{
    const struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        if (pgs_spv_op(ins) == SpvOpDecorate && pgs_spv_length(ins) == 4 && ins[1] == variable &&
            ins[2] == SpvDecorationBuiltIn && ins[3] == SpvBuiltInPointSize)
            return true;
    }
    return false;
}

static bool is_one(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *constant = pgs_spv_def_op(m, id, SpvOpConstant);
    return constant && pgs_spv_length(constant) == 4 && constant[3] == ONE;
}

static bool may_be(const struct pgs_spv_module *m, uint32_t id, uint32_t member)
{
    uint32_t index;
    return !pgs_spv_constant(m, id, &index) || index == member;
}

static bool is_chain(const uint32_t *ins)
{
    return pgs_spv_is_chain(pgs_spv_op(ins)) && pgs_spv_length(ins) >= 4;
}

/* True if the instruction may do more with the pointer than to load from it and to store 1. */
static bool may_size(const struct pgs_spv_module *m, const uint32_t *ins, uint32_t pointer,
                     bool whole)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpLoad:
        return false;
    case SpvOpStore:
        return ins[1] == pointer && (whole || !is_one(m, ins[2]));
    default:
        break;
    }
    for (uint32_t k = 1; k < pgs_spv_length(ins); k++)
        if (pgs_spv_is_id(ins, k) && ins[k] == pointer)
            return true;
    return false;
}

/* Likewise of all instructions, for a pointer to gl_PointSize itself. */
static bool sizes(const struct pgs_spv_module *m, uint32_t pointer)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        const bool defines = is_chain(ins) && ins[2] == pointer;
        if (!defines && may_size(m, ins, pointer, false))
            return true;
    }
    return false;
}

/* Likewise for a variable that has it as a member. */
static bool sizes_member(const struct pgs_spv_module *m, uint32_t variable, uint32_t member)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        if (!is_chain(ins) || ins[3] != variable) {
            if (may_size(m, ins, variable, true))
                return true;
        } else if (pgs_spv_length(ins) == 4 || (may_be(m, ins[4], member) && sizes(m, ins[2]))) {
            return true;
        }
    }
    return false;
}

static bool variable_sizes(const struct pgs_spv_module *m, const uint32_t *variable)
{
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    const uint32_t member = pointer ? size_member(m, pointer[3]) : UINT32_MAX;
    const bool has_initializer = pgs_spv_length(variable) > 4;
    if (is_size(m, variable[2]))
        return has_initializer || sizes(m, variable[2]);
    return member != UINT32_MAX && (has_initializer || sizes_member(m, variable[2], member));
}

bool pgs_spv_module_sizes_points(const uint32_t *words, size_t word_count)
{
    struct pgs_spv_module m;
    bool found = false;
    if (pgs_spv_parse(&m, words, word_count) == PGS_SPV_OK) {
        const struct pgs_spv_list *globals = &m.sections[PGS_SPV_GLOBALS];
        for (uint32_t i = 0; i < globals->count && !found; i++) {
            const uint32_t *ins = globals->items[i];
            found = pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassOutput &&
                    variable_sizes(&m, ins);
        }
    }
    found |= m.result == PGS_SPV_OUT_OF_MEMORY; /* nobody knows */
    pgs_spv_finish(&m);
    return found;
}

bool pgs_spv_module_makes_points(const uint32_t *words, size_t word_count)
{
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at < word_count && !pgs_spv_ends_annotations(words + at);) {
        const size_t length = pgs_spv_length(words + at);
        if (length == 0 || length > word_count - at)
            return false;
        if (pgs_spv_op(words + at) == SpvOpExecutionMode && length > 2 &&
            (words[at + 2] == SpvExecutionModeOutputPoints ||
             words[at + 2] == SpvExecutionModePointMode))
            return true;
        at += length;
    }
    return false;
}
