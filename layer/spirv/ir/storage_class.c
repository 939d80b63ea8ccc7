/* SPDX-License-Identifier: MIT
 *
 * Storage classes and targets of pointers.
 */
#include "spirv/ir/storage_class.h"

#include "spirv/ir/operands.h"

uint32_t pgs_spv_storage_class_of(const struct pgs_spv_module *m, uint32_t pointer)
{
    const uint32_t *def = pgs_spv_def(m, pointer);
    uint32_t type_word = 0, id_word;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, def[type_word], SpvOpTypePointer) : NULL;
    return type ? type[2] : UINT32_MAX;
}

bool pgs_spv_is_buffer(uint32_t storage_class)
{
    return storage_class == SpvStorageClassUniform ||
           storage_class == SpvStorageClassStorageBuffer ||
           storage_class == SpvStorageClassPushConstant ||
           storage_class == SpvStorageClassPhysicalStorageBuffer;
}

const uint32_t *pgs_spv_held_struct(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *pointer =
        pgs_spv_op(ins) == SpvOpVariable ? pgs_spv_def_op(m, ins[1], SpvOpTypePointer) : ins;
    const uint32_t *def = pointer ? pgs_spv_def(m, pointer[3]) : NULL;
    while (def && (pgs_spv_op(def) == SpvOpTypeArray || pgs_spv_op(def) == SpvOpTypeRuntimeArray))
        def = pgs_spv_def(m, def[2]);
    return def && pgs_spv_op(def) == SpvOpTypeStruct ? def : NULL;
}

bool pgs_spv_is_initialized_output(const uint32_t *variable)
{
    return pgs_spv_op(variable) == SpvOpVariable && variable[3] == SpvStorageClassOutput &&
           pgs_spv_length(variable) > 4;
}
