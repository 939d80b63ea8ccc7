/* SPDX-License-Identifier: MIT
 *
 * The frame of generated functions.
 */
#include "spirv/interface.h"

#define MAX_ARGUMENTS 8

uint32_t pgs_spv_begin_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list,
                               uint32_t function, uint32_t condition_function,
                               const uint32_t *arguments, uint32_t argument_count)
{
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t body = pgs_spv_new_id(m), done = pgs_spv_new_id(m);
    uint32_t words[1 + MAX_ARGUMENTS] = {condition_function};
    for (uint32_t i = 0; i < argument_count; i++)
        words[1 + i] = pgs_spv_uint(m, arguments[i]);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    const uint32_t condition =
        pgs_spv_value(m, list, SpvOpFunctionCall, bool_type, words, 1 + argument_count);
    PGS_SPV_APPEND(m, list, SpvOpSelectionMerge, done, SpvSelectionControlMaskNone);
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, condition, body, done);
    PGS_SPV_APPEND(m, list, SpvOpLabel, body);
    return done;
}

void pgs_spv_end_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done)
{
    PGS_SPV_APPEND(m, list, SpvOpBranch, done);
    PGS_SPV_APPEND(m, list, SpvOpLabel, done);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
}
