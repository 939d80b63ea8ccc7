/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> compute shader.
 */
#include "spirv/stages/evaluation.h"

#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/stages/evaluation_inputs.h"

enum {
    BEGIN,
    STORE,
    STORE4,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_evaluation_begin",
    [STORE] = "pgs_evaluation_store",
    [STORE4] = "pgs_evaluation_store4",
};

struct evaluation_pass {
    struct pgs_spv_evaluation evaluation;
    const struct pgs_spv_layout *out;
    uint32_t functions[FUNCTION_COUNT];
};

static uint32_t write_main(const struct evaluation_pass *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->evaluation.m;
    struct pgs_spv_list *list = p->evaluation.list;
    const struct pgs_spv_patch *patch = p->evaluation.patch;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {patch->stride_w, patch->vertices_w, patch->vertex.stride_w,
                                  patch->vertex_count, p->out->stride_w};
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = list,
                                             .layout = p->out,
                                             .store = p->functions[STORE],
                                             .store4 = p->functions[STORE4],
                                             .stored_class = SpvStorageClassPrivate};
    const uint32_t done =
        pgs_spv_begin_guarded(m, list, function, p->functions[BEGIN], arguments, 5);
    pgs_spv_fill_evaluation(&p->evaluation, inputs);
    pgs_spv_zero_targets(m, list, outputs);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++)
        pgs_spv_store_io_var(&access, &outputs->items[i], 0);
    pgs_spv_end_guarded(m, list, done);
    return function;
}

enum pgs_spv_result pgs_spv_evaluation_to_compute(const struct pgs_spv_shader *tes,
                                                  const struct pgs_spv_patch *patch, bool triangles,
                                                  const struct pgs_spv_layout *out,
                                                  struct pgs_spv_blob *blob)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *blob = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_evaluation_library library = {&pgs_lib_evaluation, function_names,
                                                           FUNCTION_COUNT};
        struct evaluation_pass p = {.evaluation = {.m = &m,
                                                   .list = &m.sections[PGS_SPV_FUNCTIONS],
                                                   .patch = patch,
                                                   .triangles = triangles},
                                    .out = out};
        const uint32_t app_main = m.entry[2];
        pgs_spv_link_evaluation(&p.evaluation, SpvStorageClassPrivate, &library, p.functions,
                                &inputs);
        pgs_spv_make_compute(&m, write_main(&p, app_main, &inputs, &outputs), PGS_SHADER_GROUP_EL);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, blob);
    pgs_spv_finish(&m);
    return result;
}
