/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> vertex shader that finds its place in the tessellation itself.
 */
#include "spirv/patch.h"

#include "shaders/embedded.h"

enum {
    BEGIN,
    TESS_COORD,
    PRIMITIVE_ID,
    LOAD,
    LOAD4,
    PATCH_LOAD,
    PATCH_LOAD4,
    LEVEL_LOAD,
    PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_evaluation_raster_begin",
    [TESS_COORD] = "pgs_tess_coord",
    [PRIMITIVE_ID] = "pgs_evaluation_primitive_id",
    [LOAD] = "pgs_evaluation_load",
    [LOAD4] = "pgs_evaluation_load4",
    [PATCH_LOAD] = "pgs_evaluation_patch_load",
    [PATCH_LOAD4] = "pgs_evaluation_patch_load4",
    [LEVEL_LOAD] = "pgs_evaluation_level_load",
    [PUSH_ADDRESS] = "pgs_push_address",
};

struct raster_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_evaluation_raster_options *options;
    uint32_t functions[FUNCTION_COUNT];
};

static uint32_t load_input(const struct raster_pass *p, uint32_t type, uint32_t decoration,
                           uint32_t value)
{
    const uint32_t variable = pgs_spv_variable(p->m, SpvStorageClassInput, type);
    PGS_SPV_DECORATE(p->m, variable, decoration, value);
    return PGS_SPV_VALUE(p->m, p->list, SpvOpLoad, type, variable);
}

static void begin(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_patch *patch = p->options->patch;
    const uint32_t record = load_input(p, pgs_spv_type_uvec(m, 2), SpvDecorationLocation, 0);
    const uint32_t index =
        load_input(p, pgs_spv_type_uint(m), SpvDecorationBuiltIn, SpvBuiltInVertexIndex);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[BEGIN], record,
                  index, pgs_spv_uint(m, p->options->corners), pgs_spv_uint(m, patch->stride_w),
                  pgs_spv_uint(m, patch->vertices_w), pgs_spv_uint(m, patch->vertex.stride_w));
}

static void pass_primitive_id(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t type = pgs_spv_type_int(m);
    if (p->options->primitive_id_location == UINT32_MAX)
        return;
    const uint32_t variable = pgs_spv_variable(m, SpvStorageClassOutput, type);
    PGS_SPV_DECORATE(m, variable, SpvDecorationLocation, p->options->primitive_id_location);
    pgs_spv_decorate(m, variable, SpvDecorationFlat, NULL, 0);
    const uint32_t number = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                          p->functions[PRIMITIVE_ID]);
    PGS_SPV_APPEND(m, p->list, SpvOpStore, variable,
                   PGS_SPV_VALUE(m, p->list, SpvOpBitcast, type, number));
}

static uint32_t write_main(const struct raster_pass *p, uint32_t app_main,
                           const struct pgs_spv_leaves *inputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    const struct pgs_spv_evaluation_source source = {
        .m = m,
        .list = p->list,
        .patch = p->options->patch,
        .triangles = p->options->triangles,
        .tess_coord = p->functions[TESS_COORD],
        .primitive_id = p->functions[PRIMITIVE_ID],
        .load = p->functions[LOAD],
        .load4 = p->functions[LOAD4],
        .patch_load = p->functions[PATCH_LOAD],
        .patch_load4 = p->functions[PATCH_LOAD4],
        .level_load = p->functions[LEVEL_LOAD],
    };
    PGS_SPV_APPEND(m, p->list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, p->list, SpvOpLabel, pgs_spv_new_id(m));
    begin(p);
    pgs_spv_fill_evaluation(&source, inputs);
    pass_primitive_id(p);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, app_main);
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Layers and viewports are chosen elsewhere, and points want a size from somebody. */
static void check_outputs(struct pgs_spv_module *m, const struct pgs_spv_leaves *outputs,
                          uint32_t corners)
{
    bool sized = corners > 1;
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_leaf *leaf = &outputs->items[i];
        sized |= leaf->builtin == SpvBuiltInPointSize && leaf->touched;
        if (leaf->builtin == SpvBuiltInLayer || leaf->builtin == SpvBuiltInViewportIndex)
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
    struct pgs_spv_leaves inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        struct raster_pass p = {
            .m = &m, .list = &m.sections[PGS_SPV_FUNCTIONS], .options = options};
        const uint32_t app_main = m.entry[2];
        check_outputs(&m, &outputs, options->corners);
        const bool pushes = pgs_spv_has_push_constants(&m);
        pgs_spv_rehome(&m, SpvStorageClassOutput);
        p.functions[PUSH_ADDRESS] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        pgs_spv_link(&m, pgs_lib_evaluation_raster, pgs_lib_evaluation_raster_words, function_names,
                     p.functions, pushes ? FUNCTION_COUNT : PUSH_ADDRESS);
        pgs_spv_make_vertex(&m, write_main(&p, app_main, &inputs));
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
