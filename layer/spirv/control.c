/* SPDX-License-Identifier: MIT
 *
 * Tessellation control shader -> compute shader.
 */
#include "spirv/patch.h"

#include "poly_gs/tessellation.h"
#include "shaders/embedded.h"

enum {
    BEGIN,
    PRIMITIVE_ID,
    INVOCATION_ID,
    PATCH_VERTICES,
    INPUTS,
    LOAD,
    LOAD4,
    WRITES_PATCH,
    VERTEX_STORE,
    VERTEX_STORE4,
    PATCH_STORE,
    PATCH_STORE4,
    LEVEL_STORE,
    PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_control_begin",
    [PRIMITIVE_ID] = "pgs_control_primitive_id",
    [INVOCATION_ID] = "pgs_control_invocation_id",
    [PATCH_VERTICES] = "pgs_control_patch_vertices",
    [INPUTS] = "pgs_control_inputs",
    [LOAD] = "pgs_control_load",
    [LOAD4] = "pgs_control_load4",
    [WRITES_PATCH] = "pgs_control_writes_patch",
    [VERTEX_STORE] = "pgs_control_vertex_store",
    [VERTEX_STORE4] = "pgs_control_vertex_store4",
    [PATCH_STORE] = "pgs_control_patch_store",
    [PATCH_STORE4] = "pgs_control_patch_store4",
    [LEVEL_STORE] = "pgs_control_level_store",
    [PUSH_ADDRESS] = "pgs_push_address",
};

struct control_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_control_info *info;
    const struct pgs_spv_patch *patch;
    uint32_t functions[FUNCTION_COUNT];
    struct pgs_spv_initializers initializers;
};

static struct pgs_spv_port input_port(const struct control_pass *p)
{
    return (struct pgs_spv_port){.m = p->m,
                                 .list = p->list,
                                 .layout = &p->info->in,
                                 .load = p->functions[LOAD],
                                 .load4 = p->functions[LOAD4]};
}

static void fill_inputs(const struct control_pass *p, const struct pgs_spv_leaves *inputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_vertex_source source = {.port = input_port(p),
                                                 .count_function = p->functions[INPUTS]};
    const struct pgs_spv_builtin_source sources[] = {
        {SpvBuiltInPrimitiveId, p->functions[PRIMITIVE_ID]},
        {SpvBuiltInInvocationId, p->functions[INVOCATION_ID]},
        {SpvBuiltInPatchVertices, p->functions[PATCH_VERTICES]}};
    pgs_spv_fill_vertices(&source, inputs);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            pgs_spv_fill_builtin(m, p->list, &inputs->items[i], sources,
                                 sizeof(sources) / sizeof(sources[0]));
    }
}

/* What follows, up to end_once, is done by one invocation of the workgroup. */
static uint32_t begin_once(const struct control_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t body = pgs_spv_new_id(m), done = pgs_spv_new_id(m);
    const uint32_t condition =
        PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type(m, SpvOpTypeBool, NULL, 0),
                      p->functions[WRITES_PATCH]);
    PGS_SPV_APPEND(m, p->list, SpvOpSelectionMerge, done, SpvSelectionControlMaskNone);
    PGS_SPV_APPEND(m, p->list, SpvOpBranchConditional, condition, body, done);
    PGS_SPV_APPEND(m, p->list, SpvOpLabel, body);
    return done;
}

static void end_once(const struct control_pass *p, uint32_t done)
{
    PGS_SPV_APPEND(p->m, p->list, SpvOpBranch, done);
    PGS_SPV_APPEND(p->m, p->list, SpvOpLabel, done);
}

static void store_level(const struct control_pass *p, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t pointer = pgs_spv_leaf_pointer(m, p->list, leaf, SpvStorageClassWorkgroup, 0);
    const uint32_t value = PGS_SPV_VALUE(m, p->list, SpvOpLoad, leaf->type, pointer);
    const uint32_t word = PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_uint(m), value);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[LEVEL_STORE],
                  pgs_spv_uint(m, pgs_spv_level_word(leaf)), word);
}

static void store_outputs(const struct control_pass *p, const struct pgs_spv_leaves *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_port vertex = {.m = m,
                                        .list = p->list,
                                        .layout = &p->patch->vertex,
                                        .store = p->functions[VERTEX_STORE],
                                        .store4 = p->functions[VERTEX_STORE4],
                                        .stored_class = SpvStorageClassWorkgroup};
    const struct pgs_spv_port patch = {.m = m,
                                       .list = p->list,
                                       .layout = &p->patch->patch,
                                       .store = p->functions[PATCH_STORE],
                                       .store4 = p->functions[PATCH_STORE4],
                                       .stored_class = SpvStorageClassWorkgroup};
    const uint32_t invocation = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                              p->functions[INVOCATION_ID]);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        if (outputs->items[i].vertices)
            pgs_spv_store_leaf(&vertex, &outputs->items[i], invocation);
    }
    const uint32_t done = begin_once(p);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_leaf *leaf = &outputs->items[i];
        if (pgs_spv_level_word(leaf) != PGS_NO_WORD)
            store_level(p, leaf);
        else if (!leaf->vertices)
            pgs_spv_store_leaf(&patch, leaf, 0);
    }
    end_once(p, done);
}

/* main: begin, inputs, what outputs are at first, the application's main, outputs. */
static uint32_t write_main(const struct control_pass *p, uint32_t app_main,
                           const struct pgs_spv_leaves *inputs,
                           const struct pgs_spv_leaves *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_patch *patch = p->patch;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {p->info->in.stride_w, patch->stride_w, patch->vertices_w,
                                  patch->vertex.stride_w};
    const uint32_t done =
        pgs_spv_begin_guarded(m, p->list, function, p->functions[BEGIN], arguments, 4);
    fill_inputs(p, inputs);
    if (p->initializers.count) {
        const uint32_t initialized = begin_once(p);
        for (uint32_t i = 0; i < p->initializers.count; i++)
            PGS_SPV_APPEND(m, p->list, SpvOpStore, p->initializers.variables[i],
                           p->initializers.values[i]);
        end_once(p, initialized);
        pgs_spv_shared_barrier(m, p->list);
    }
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    pgs_spv_shared_barrier(m, p->list);
    store_outputs(p, outputs);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

enum pgs_spv_result pgs_spv_control_info(const struct pgs_spv_shader *tcs,
                                         struct pgs_spv_control_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *info = (struct pgs_spv_control_info){0};
    if (pgs_spv_open_tessellation(&m, tcs, PGS_SPV_CONTROL, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_leaves vertex = pgs_spv_vertex_leaves(&m, &inputs);
        pgs_spv_tessellation_modes(&m, &info->modes);
        if (m.result == PGS_SPV_OK && !pgs_spv_make_layout(&vertex, &info->in))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_has_side_effects(&m);
        info->shared_B = pgs_spv_size_of_outputs_B(&m);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK)
        *info = (struct pgs_spv_control_info){0};
    return m.result;
}

/* Every invocation has an element of each array that it stores. */
static void check_arrays(struct pgs_spv_module *m, const struct pgs_spv_leaves *outputs,
                         const struct pgs_spv_patch *patch)
{
    if (patch->vertex_count == 0 || patch->vertex_count > PGS_MAX_PATCH_VERTICES)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    for (uint32_t i = 0; i < outputs->count; i++) {
        if (outputs->items[i].vertices && outputs->items[i].vertices < patch->vertex_count)
            pgs_spv_fail(m, PGS_SPV_INVALID);
    }
}

enum pgs_spv_result pgs_spv_control_to_compute(const struct pgs_spv_shader *tcs,
                                               const struct pgs_spv_control_info *info,
                                               const struct pgs_spv_patch *patch,
                                               struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tcs, PGS_SPV_CONTROL, &inputs, &outputs) == PGS_SPV_OK) {
        struct control_pass p = {
            .m = &m, .list = &m.sections[PGS_SPV_FUNCTIONS], .info = info, .patch = patch};
        const uint32_t app_main = m.entry[2];
        const bool pushes = pgs_spv_has_push_constants(&m);
        check_arrays(&m, &outputs, patch);
        p.functions[LOAD] = pgs_spv_new_id(&m);
        p.functions[LOAD4] = pgs_spv_new_id(&m);
        const struct pgs_spv_port loads = input_port(&p);
        pgs_spv_load_directly(&loads, &inputs);
        pgs_spv_share_outputs(&m, &p.initializers);
        p.functions[PUSH_ADDRESS] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        pgs_spv_link(&m, pgs_lib_control, pgs_lib_control_words, function_names, p.functions,
                     pushes ? FUNCTION_COUNT : PUSH_ADDRESS);
        const uint32_t main_function = write_main(&p, app_main, &inputs, &outputs);
        pgs_spv_publish_shared(&m);
        pgs_spv_make_compute(&m, main_function, patch->vertex_count);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
