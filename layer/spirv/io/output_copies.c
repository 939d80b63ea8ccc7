/* SPDX-License-Identifier: MIT
 *
 * Outputs that become private, and the output variables that replace them. Interfaces match by
 * whole types, so each replacement has an identical type of its own.
 */
#include "spirv/io/output_copies.h"

#include "spirv/io/io_access.h"
#include "spirv/ir/builder.h"

#include <string.h>

static bool is_copied(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationStream:
    case SpvDecorationXfbBuffer:
    case SpvDecorationXfbStride:
    case SpvDecorationOffset:
    case SpvDecorationSample: /* see pgs_spv_keep_outputs */
        return false;
    default:
        return true;
    }
}

/* Notes the decorations of id or its members for the copy, whose id may be assigned later. */
static void note_decorations(struct pgs_spv_module *m, uint32_t id, uint32_t copy,
                             struct pgs_spv_list *noted)
{
    const struct pgs_spv_list *all = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < all->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = all->items[i];
        const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
        const bool member = op == SpvOpMemberDecorate;
        if ((op != SpvOpDecorate && !member) || ins[1] != id || !is_copied(ins[member ? 3 : 2]))
            continue;
        uint32_t *own = pgs_spv_zalloc(m, length, 4);
        if (!own)
            return;
        memcpy(own, ins, length * 4u);
        own[1] = copy;
        pgs_spv_push(m, noted, own);
    }
}

/* Copies a type. Types without structs are shared. */
static uint32_t copy_type(struct pgs_spv_module *m, uint32_t type, uint32_t depth,
                          struct pgs_spv_list *noted)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t *def = pgs_spv_def(m, type);
    if (!def || depth > PGS_SPV_MAX_PATH) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return 0;
    }
    const uint32_t op = pgs_spv_op(def), length = pgs_spv_length(def);
    if (op == SpvOpTypeArray) {
        const uint32_t element = copy_type(m, def[2], depth + 1, noted);
        if (element == def[2])
            return type;
        const uint32_t copy = pgs_spv_new_id(m);
        PGS_SPV_APPEND(m, globals, SpvOpTypeArray, copy, element, def[3]);
        return copy;
    }
    uint32_t *words = op == SpvOpTypeStruct ? pgs_spv_zalloc(m, length, 4) : NULL;
    if (!words)
        return type;
    for (uint32_t i = 2; i < length; i++)
        words[i - 1] = copy_type(m, def[i], depth + 1, noted);
    words[0] = pgs_spv_new_id(m);
    pgs_spv_append(m, globals, SpvOpTypeStruct, words, length - 1);
    note_decorations(m, type, words[0], noted);
    return words[0];
}

static struct pgs_spv_output_copy *find(const struct pgs_spv_output_copies *copies,
                                        uint32_t variable)
{
    for (uint32_t i = 0; i < copies->count; i++) {
        if (copies->items[i].variable == variable)
            return &copies->items[i];
    }
    return NULL;
}

void pgs_spv_note_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                          struct pgs_spv_output_copies *copies)
{
    *copies = (struct pgs_spv_output_copies){
        .items = pgs_spv_zalloc(m, outputs->count + 1u, sizeof(*copies->items))};
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        if (var->builtin != PGS_SPV_NO_BUILTIN || find(copies, var->variable))
            continue;
        const uint32_t *variable = pgs_spv_def_op(m, var->variable, SpvOpVariable);
        const uint32_t *pointer =
            variable ? pgs_spv_def_op(m, variable[1], SpvOpTypePointer) : NULL;
        if (!pointer) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        struct pgs_spv_output_copy *copy = &copies->items[copies->count++];
        copy->variable = var->variable;
        copy->type = copy_type(m, pointer[3], 0, &copies->of_types);
        note_decorations(m, var->variable, 0, &copy->decorations);
    }
}

void pgs_spv_declare_outputs(struct pgs_spv_module *m, struct pgs_spv_output_copies *copies)
{
    struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < copies->of_types.count; i++)
        pgs_spv_push(m, annotations, copies->of_types.items[i]);
    for (uint32_t i = 0; i < copies->count; i++) {
        struct pgs_spv_output_copy *copy = &copies->items[i];
        copy->copy = pgs_spv_variable(m, SpvStorageClassOutput, copy->type);
        for (uint32_t k = 0; k < copy->decorations.count; k++) {
            copy->decorations.items[k][1] = copy->copy;
            pgs_spv_push(m, annotations, copy->decorations.items[k]);
        }
    }
}

uint32_t pgs_spv_output_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_output_copies *copies,
                                const struct pgs_spv_io_var *var)
{
    const struct pgs_spv_output_copy *copy = find(copies, var->variable);
    struct pgs_spv_io_var at = *var;
    if (!copy) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return 0;
    }
    at.variable = copy->copy;
    return pgs_spv_io_var_pointer(m, list, &at, SpvStorageClassOutput, 0);
}
