/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> vertex shader that computes its own position in the
 * tessellation.
 */
#include "spirv/stages/evaluation_raster.h"

#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/ir/builder.h"
#include "spirv/stages/evaluation_inputs.h"
#include "spirv/stages/raster_builtins.h"

struct raster_pass {
    struct pgs_spv_evaluation evaluation;
    const struct pgs_spv_evaluation_raster_options *options;
    uint32_t begin; /* id of a function */
};

static void begin(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->evaluation.m;
    const struct pgs_spv_patch *patch = p->options->patch;
    const uint32_t record = pgs_spv_load_input(m, p->evaluation.list, pgs_spv_type_uvec(m, 2),
                                               SpvDecorationLocation, 0);
    const uint32_t index = pgs_spv_load_input(m, p->evaluation.list, pgs_spv_type_uint(m),
                                              SpvDecorationBuiltIn, SpvBuiltInVertexIndex);
    PGS_SPV_VALUE(m, p->evaluation.list, SpvOpFunctionCall, pgs_spv_type_void(m), p->begin, record,
                  index, pgs_spv_uint(m, p->options->vertices_per_primitive),
                  pgs_spv_uint(m, patch->stride_w), pgs_spv_uint(m, patch->vertices_w),
                  pgs_spv_uint(m, patch->vertex.stride_w), pgs_spv_uint(m, patch->vertex_count),
                  pgs_spv_uint(m, patch->modes));
}

static void pass_primitive_id(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->evaluation.m;
    const uint32_t type = pgs_spv_type_int(m);
    if (p->options->primitive_id_location == UINT32_MAX)
        return;
    const uint32_t variable = pgs_spv_variable(m, SpvStorageClassOutput, type);
    PGS_SPV_DECORATE(m, variable, SpvDecorationLocation, p->options->primitive_id_location);
    pgs_spv_decorate(m, variable, SpvDecorationFlat, NULL, 0);
    const uint32_t number =
        PGS_SPV_VALUE(m, p->evaluation.list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                      p->evaluation.functions[PGS_SPV_EVALUATION_PRIMITIVE_ID]);
    PGS_SPV_APPEND(m, p->evaluation.list, SpvOpStore, variable,
                   PGS_SPV_VALUE(m, p->evaluation.list, SpvOpBitcast, type, number));
}

/* Clips the vertex unless its view is being drawn. */
static void select_view(const struct raster_pass *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->evaluation.m;
    struct pgs_spv_list *list = p->evaluation.list;
    for (uint32_t i = 0; p->options->select_view && i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        if (var->builtin != SpvBuiltInPosition || !var->referenced)
            continue;
        const uint32_t pointer = pgs_spv_io_var_pointer(m, list, var, SpvStorageClassOutput, 0);
        const uint32_t position = PGS_SPV_VALUE(m, list, SpvOpLoad, var->type, pointer);
        PGS_SPV_APPEND(m, list, SpvOpStore, pointer,
                       pgs_spv_clip_unless(m, list, var->type, pgs_spv_in_view(m, list), position));
    }
}

static uint32_t write_main(const struct raster_pass *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->evaluation.m;
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    PGS_SPV_APPEND(m, p->evaluation.list, SpvOpFunction, void_type, function,
                   SpvFunctionControlMaskNone, pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, p->evaluation.list, SpvOpLabel, pgs_spv_new_id(m));
    begin(p);
    pgs_spv_fill_evaluation(&p->evaluation, inputs);
    pass_primitive_id(p);
    PGS_SPV_VALUE(m, p->evaluation.list, SpvOpFunctionCall, void_type, app_main);
    select_view(p, outputs);
    pgs_spv_append(m, p->evaluation.list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->evaluation.list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Outputs may not select layers or viewports, and points need a size. Distances need their
 * capability, as some drivers ignore them otherwise. */
static void check_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                          uint32_t vertices_per_primitive)
{
    bool sized = vertices_per_primitive > 1;
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        sized |= var->builtin == SpvBuiltInPointSize && var->referenced;
        if (var->builtin == SpvBuiltInClipDistance && var->referenced)
            pgs_spv_add_capability(m, SpvCapabilityClipDistance);
        if (var->builtin == SpvBuiltInCullDistance && var->referenced)
            pgs_spv_add_capability(m, SpvCapabilityCullDistance);
        if (var->builtin == SpvBuiltInLayer || var->builtin == SpvBuiltInViewportIndex)
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    }
    if (!sized)
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
}

enum pgs_spv_result
pgs_spv_evaluation_to_raster(const struct pgs_spv_shader *tes,
                             const struct pgs_spv_evaluation_raster_options *options,
                             struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        const char *const begin_name =
            options->by_patch ? "pgs_evaluation_raster_begin_patch" : "pgs_evaluation_raster_begin";
        const struct pgs_spv_evaluation_library library = {&pgs_lib_evaluation_raster, &begin_name,
                                                           1};
        struct raster_pass p = {.evaluation = {.m = &m,
                                               .list = &m.sections[PGS_SPV_FUNCTIONS],
                                               .patch = options->patch,
                                               .triangles = options->triangles},
                                .options = options};
        const uint32_t app_main = m.entry[2];
        check_outputs(&m, &outputs, options->vertices_per_primitive);
        pgs_spv_link_evaluation(&p.evaluation, SpvStorageClassOutput, &library, &p.begin, &inputs);
        pgs_spv_make_vertex(&m, write_main(&p, app_main, &inputs, &outputs));
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
