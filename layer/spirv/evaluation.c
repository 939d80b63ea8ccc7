/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> compute shader.
 */
#include "spirv/patch.h"

#include "poly_gs/abi.h"
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
    STORE,
    STORE4,
    PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_evaluation_begin",
    [TESS_COORD] = "pgs_tess_coord",
    [PRIMITIVE_ID] = "pgs_evaluation_primitive_id",
    [LOAD] = "pgs_evaluation_load",
    [LOAD4] = "pgs_evaluation_load4",
    [PATCH_LOAD] = "pgs_evaluation_patch_load",
    [PATCH_LOAD4] = "pgs_evaluation_patch_load4",
    [LEVEL_LOAD] = "pgs_evaluation_level_load",
    [STORE] = "pgs_evaluation_store",
    [STORE4] = "pgs_evaluation_store4",
    [PUSH_ADDRESS] = "pgs_push_address",
};

struct evaluation_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_patch *patch;
    const struct pgs_spv_layout *out;
    bool triangles;
    uint32_t functions[FUNCTION_COUNT];
};

/* What there is once per vertex of the tessellation or per patch; 0: nothing to be stored. */
static uint32_t single_value(const struct evaluation_pass *p, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_port port = {.m = m,
                                      .list = p->list,
                                      .layout = &p->patch->patch,
                                      .load = p->functions[PATCH_LOAD],
                                      .load4 = p->functions[PATCH_LOAD4]};
    switch (leaf->builtin) {
    case PGS_SPV_NO_BUILTIN:
        return pgs_spv_load_leaf(&port, leaf, 0);
    case SpvBuiltInTessLevelOuter:
    case SpvBuiltInTessLevelInner: {
        const uint32_t word =
            PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                          p->functions[LEVEL_LOAD], pgs_spv_uint(m, pgs_spv_level_word(leaf)));
        return PGS_SPV_VALUE(m, p->list, SpvOpBitcast, leaf->type, word);
    }
    case SpvBuiltInTessCoord:
        return PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, leaf->type, p->functions[TESS_COORD],
                             pgs_spv_uint(m, p->triangles ? 3 : 2));
    case SpvBuiltInPatchVertices:
        return pgs_spv_from_uint(m, p->list, leaf, pgs_spv_uint(m, p->patch->vertex_count));
    default:
        return 0;
    }
}

static void fill_single(const struct evaluation_pass *p, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_builtin_source sources[] = {
        {SpvBuiltInPrimitiveId, p->functions[PRIMITIVE_ID]}};
    const uint32_t value = single_value(p, leaf);
    if (value)
        PGS_SPV_APPEND(m, p->list, SpvOpStore,
                       pgs_spv_leaf_pointer(m, p->list, leaf, SpvStorageClassPrivate, 0), value);
    else if (leaf->builtin != PGS_SPV_NO_BUILTIN)
        pgs_spv_fill_builtin(m, p->list, leaf, sources, 1);
}

static uint32_t write_main(const struct evaluation_pass *p, uint32_t app_main,
                           const struct pgs_spv_leaves *inputs,
                           const struct pgs_spv_leaves *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_patch *patch = p->patch;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {patch->stride_w, patch->vertices_w, patch->vertex.stride_w,
                                  p->out->stride_w};
    const struct pgs_spv_vertex_source source = {.port = {.m = m,
                                                          .list = p->list,
                                                          .layout = &patch->vertex,
                                                          .load = p->functions[LOAD],
                                                          .load4 = p->functions[LOAD4]},
                                                 .count_el = patch->vertex_count};
    const struct pgs_spv_port port = {.m = m,
                                      .list = p->list,
                                      .layout = p->out,
                                      .store = p->functions[STORE],
                                      .store4 = p->functions[STORE4],
                                      .stored_class = SpvStorageClassPrivate};
    const uint32_t done =
        pgs_spv_begin_guarded(m, p->list, function, p->functions[BEGIN], arguments, 4);
    pgs_spv_fill_vertices(&source, inputs);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            fill_single(p, &inputs->items[i]);
    }
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++)
        pgs_spv_store_leaf(&port, &outputs->items[i], 0);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

enum pgs_spv_result pgs_spv_evaluation_info(const struct pgs_spv_shader *tes,
                                            struct pgs_spv_evaluation_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *info = (struct pgs_spv_evaluation_info){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_leaves vertex = pgs_spv_vertex_leaves(&m, &inputs),
                                    patch = pgs_spv_patch_leaves(&m, &inputs);
        pgs_spv_tessellation_modes(&m, &info->modes);
        if (m.result == PGS_SPV_OK && (!pgs_spv_make_layout(&vertex, &info->in) ||
                                       !pgs_spv_make_layout(&patch, &info->patch)))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_has_side_effects(&m);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK)
        *info = (struct pgs_spv_evaluation_info){0};
    return m.result;
}

enum pgs_spv_result pgs_spv_evaluation_to_compute(const struct pgs_spv_shader *tes,
                                                  const struct pgs_spv_patch *patch, bool triangles,
                                                  const struct pgs_spv_layout *out,
                                                  struct pgs_spv_blob *blob)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *blob = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        struct evaluation_pass p = {.m = &m,
                                    .list = &m.sections[PGS_SPV_FUNCTIONS],
                                    .patch = patch,
                                    .out = out,
                                    .triangles = triangles};
        const uint32_t app_main = m.entry[2];
        const bool pushes = pgs_spv_has_push_constants(&m);
        pgs_spv_rehome(&m, SpvStorageClassPrivate);
        p.functions[PUSH_ADDRESS] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        pgs_spv_link(&m, pgs_lib_evaluation, pgs_lib_evaluation_words, function_names, p.functions,
                     pushes ? FUNCTION_COUNT : PUSH_ADDRESS);
        pgs_spv_make_compute(&m, write_main(&p, app_main, &inputs, &outputs), PGS_SHADER_GROUP_EL);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, blob);
    pgs_spv_finish(&m);
    return result;
}
