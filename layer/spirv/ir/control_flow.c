/* SPDX-License-Identifier: MIT
 *
 * Control flow of generated functions.
 */
#include "spirv/ir/control_flow.h"

#include "spirv/ir/builder.h"

#define MAX_ARGUMENTS 12

uint32_t pgs_spv_begin_if(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t condition)
{
    const uint32_t body = pgs_spv_new_id(m), done = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, list, SpvOpSelectionMerge, done, SpvSelectionControlMaskNone);
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, condition, body, done);
    PGS_SPV_APPEND(m, list, SpvOpLabel, body);
    return done;
}

void pgs_spv_end_if(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done)
{
    PGS_SPV_APPEND(m, list, SpvOpBranch, done);
    PGS_SPV_APPEND(m, list, SpvOpLabel, done);
}

void pgs_spv_begin_procedure(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t function)
{
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
}

uint32_t pgs_spv_begin_guard(struct pgs_spv_module *m, struct pgs_spv_list *list,
                             uint32_t condition_function, const uint32_t *arguments,
                             uint32_t argument_count)
{
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    uint32_t words[1 + MAX_ARGUMENTS] = {condition_function};
    for (uint32_t i = 0; i < argument_count; i++)
        words[1 + i] = pgs_spv_uint(m, arguments[i]);
    const uint32_t condition =
        pgs_spv_value(m, list, SpvOpFunctionCall, bool_type, words, 1 + argument_count);
    return pgs_spv_begin_if(m, list, condition);
}

uint32_t pgs_spv_begin_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list,
                               uint32_t function, uint32_t condition_function,
                               const uint32_t *arguments, uint32_t argument_count)
{
    pgs_spv_begin_procedure(m, list, function);
    return pgs_spv_begin_guard(m, list, condition_function, arguments, argument_count);
}

void pgs_spv_end_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done)
{
    pgs_spv_end_if(m, list, done);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
}

void pgs_spv_begin_loop(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t count,
                        uint32_t control, struct pgs_spv_loop *loop)
{
    const uint32_t uint_type = pgs_spv_type_uint(m);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t before = pgs_spv_new_id(m), test = pgs_spv_new_id(m), body = pgs_spv_new_id(m);
    *loop = (struct pgs_spv_loop){.header = pgs_spv_new_id(m),
                                  .step = pgs_spv_new_id(m),
                                  .after = pgs_spv_new_id(m),
                                  .next = pgs_spv_new_id(m)};
    PGS_SPV_APPEND(m, list, SpvOpBranch, before);
    PGS_SPV_APPEND(m, list, SpvOpLabel, before);
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->header);
    loop->counter = PGS_SPV_VALUE(m, list, SpvOpPhi, uint_type, pgs_spv_uint(m, 0), before,
                                  loop->next, loop->step);
    PGS_SPV_APPEND(m, list, SpvOpLoopMerge, loop->after, loop->step, control);
    PGS_SPV_APPEND(m, list, SpvOpBranch, test);
    PGS_SPV_APPEND(m, list, SpvOpLabel, test);
    const uint32_t more = PGS_SPV_VALUE(m, list, SpvOpULessThan, bool_type, loop->counter, count);
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, more, body, loop->after);
    PGS_SPV_APPEND(m, list, SpvOpLabel, body);
}

void pgs_spv_end_loop(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_loop *loop)
{
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->step);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->step);
    PGS_SPV_APPEND(m, list, SpvOpIAdd, pgs_spv_type_uint(m), loop->next, loop->counter,
                   pgs_spv_uint(m, 1));
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->after);
}

void pgs_spv_begin_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                         uint32_t condition_function, uint32_t argument, struct pgs_spv_loop *loop)
{
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t test = pgs_spv_new_id(m), body = pgs_spv_new_id(m);
    *loop = (struct pgs_spv_loop){
        .header = pgs_spv_new_id(m), .step = pgs_spv_new_id(m), .after = pgs_spv_new_id(m)};
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->header);
    PGS_SPV_APPEND(m, list, SpvOpLoopMerge, loop->after, loop->step, SpvLoopControlMaskNone);
    PGS_SPV_APPEND(m, list, SpvOpBranch, test);
    PGS_SPV_APPEND(m, list, SpvOpLabel, test);
    const uint32_t more =
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, bool_type, condition_function, argument);
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, more, body, loop->after);
    PGS_SPV_APPEND(m, list, SpvOpLabel, body);
}

void pgs_spv_end_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                       const struct pgs_spv_loop *loop)
{
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->step);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->step);
    PGS_SPV_APPEND(m, list, SpvOpBranch, loop->header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, loop->after);
}
