/* SPDX-License-Identifier: MIT
 *
 * Does a shader write memory that others see?
 */
#include "spirv/io/interface.h"

uint32_t pgs_spv_storage_class_of(const struct pgs_spv_module *m, uint32_t pointer)
{
    const uint32_t *def = pgs_spv_def(m, pointer);
    uint32_t type_word = 0, id_word;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, def[type_word], SpvOpTypePointer) : NULL;
    return type ? type[2] : UINT32_MAX;
}

static bool is_own(uint32_t storage_class)
{
    return storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate ||
           storage_class == SpvStorageClassOutput;
}

static bool writes(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    switch (op) {
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
        return !is_own(pgs_spv_storage_class_of(m, ins[1]));
    case SpvOpImageWrite:
    case SpvOpAtomicFlagTestAndSet:
    case SpvOpAtomicFlagClear:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
    case SpvOpAtomicFAddEXT:
        return true;
    default:
        return op >= SpvOpAtomicStore && op <= SpvOpAtomicXor;
    }
}

bool pgs_spv_has_side_effects(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        if (writes(m, functions->items[i]))
            return true;
    }
    return false;
}

bool pgs_spv_uses_images(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if ((op >= SpvOpSampledImage && op <= SpvOpImageQuerySamples) ||
            (op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseRead))
            return true;
    }
    return false;
}
