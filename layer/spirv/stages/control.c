/* SPDX-License-Identifier: MIT
 *
 * Tessellation control shader -> compute shader, which may include the vertex shader.
 */
#include "spirv/stages/control.h"

#include "poly_gs/tessellation.h"
#include "shaders/embedded.h"
#include "spirv/analysis/effects.h"
#include "spirv/io/io_memory.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"
#include "spirv/stages/control_shared.h"
#include "spirv/stages/patch_inputs.h"
#include "spirv/stages/vertex_part.h"

enum {
    BEGIN,
    PRIMITIVE_ID,
    INVOCATION_ID,
    PATCH_VERTICES,
    INPUTS,
    LOAD,
    LOAD4,
    WRITES_PATCH,
    OUTPUT_LOAD,
    OUTPUT_LOAD4,
    OUTPUT_STORE,
    OUTPUT_STORE4,
    PATCH_LOAD,
    PATCH_LOAD4,
    PATCH_STORE,
    PATCH_STORE4,
    COUNT,
    ELEMENT,
    CHOOSE, /* this one and the next three if the vertex shader runs inside */
    SHADES,
    SHADED_STORE,
    SHADED_STORE4,
    VERTEX, /* enum pgs_spv_vertex_function */
    VIEW_INDEX = VERTEX + PGS_SPV_VERTEX_VIEW_INDEX,
    PUSH_ADDRESS = VERTEX + PGS_SPV_VERTEX_PUSH_ADDRESS,
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
    [OUTPUT_LOAD] = "pgs_control_output_load",
    [OUTPUT_LOAD4] = "pgs_control_output_load4",
    [OUTPUT_STORE] = "pgs_control_output_store",
    [OUTPUT_STORE4] = "pgs_control_output_store4",
    [PATCH_LOAD] = "pgs_control_patch_load",
    [PATCH_LOAD4] = "pgs_control_patch_load4",
    [PATCH_STORE] = "pgs_control_patch_store",
    [PATCH_STORE4] = "pgs_control_patch_store4",
    [COUNT] = "pgs_control_count",
    [ELEMENT] = "pgs_element",
    [CHOOSE] = "pgs_control_choose",
    [SHADES] = "pgs_control_shades",
    [SHADED_STORE] = "pgs_control_shaded_store",
    [SHADED_STORE4] = "pgs_control_shaded_store4",
    [VERTEX] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

struct control_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_control_info *info;
    const struct pgs_spv_patch *patch;
    uint32_t functions[FUNCTION_COUNT];
    struct pgs_spv_initializers initializers;
    uint32_t patch_vertices;           /* of the input; 0: not known */
    struct pgs_spv_vertex_part vertex; /* zero: vertices have been stored before */
};

static struct pgs_spv_io_access input_access(const struct control_pass *p)
{
    return (struct pgs_spv_io_access){.m = p->m,
                                      .list = p->list,
                                      .layout = &p->info->in,
                                      .load = p->functions[LOAD],
                                      .load4 = p->functions[LOAD4]};
}

static struct pgs_spv_io_memory input_memory(const struct control_pass *p)
{
    return (struct pgs_spv_io_memory){.vertex = input_access(p), .element = p->functions[ELEMENT]};
}

/* Where outputs with these layouts lie; as long as no patch is known, those of a patch lie
 * anywhere. */
static struct pgs_spv_io_memory output_memory(const struct control_pass *p,
                                              const struct pgs_spv_layout *vertex,
                                              const struct pgs_spv_layout *patch)
{
    const uint32_t *functions = p->functions;
    return (struct pgs_spv_io_memory){.vertex = {.m = p->m,
                                                 .list = p->list,
                                                 .layout = vertex,
                                                 .load = functions[OUTPUT_LOAD],
                                                 .load4 = functions[OUTPUT_LOAD4],
                                                 .store = functions[OUTPUT_STORE],
                                                 .store4 = functions[OUTPUT_STORE4],
                                                 .stored_class = SpvStorageClassWorkgroup},
                                      .single = {.m = p->m,
                                                 .list = p->list,
                                                 .layout = patch,
                                                 .first_w = p->patch ? p->patch->outputs_w : 0,
                                                 .load = functions[PATCH_LOAD],
                                                 .load4 = functions[PATCH_LOAD4],
                                                 .store = functions[PATCH_STORE],
                                                 .store4 = functions[PATCH_STORE4],
                                                 .stored_class = SpvStorageClassWorkgroup},
                                      .element = functions[ELEMENT]};
}

static void fill_inputs(const struct control_pass *p, const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_vertex_source source = {.access = input_access(p),
                                                 .count_function = p->functions[INPUTS]};
    const struct pgs_spv_builtin_source sources[] = {
        {SpvBuiltInPrimitiveId, p->functions[PRIMITIVE_ID]},
        {SpvBuiltInInvocationId, p->functions[INVOCATION_ID]},
        {SpvBuiltInPatchVertices, p->functions[PATCH_VERTICES]},
        {SpvBuiltInViewIndex, p->functions[VIEW_INDEX]}};
    pgs_spv_fill_vertices(&source, inputs);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            pgs_spv_fill_builtin(m, p->list, &inputs->items[i], sources,
                                 sizeof(sources) / sizeof(sources[0]));
    }
}

/* Code from here to end_once runs in one invocation of the workgroup. */
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

/* Stores the outputs that are not in memory yet, and counts what becomes of the patch. */
static void store_outputs(const struct control_pass *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_io_memory memory = output_memory(p, &p->patch->vertex, &p->patch->patch);
    pgs_spv_shared_barrier(m, p->list);
    const uint32_t invocation = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                              p->functions[INVOCATION_ID]);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        if (outputs->items[i].vertices)
            pgs_spv_store_io_var(&memory.vertex, &outputs->items[i], invocation);
    }
    const uint32_t done = begin_once(p);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        if (!outputs->items[i].vertices)
            pgs_spv_store_io_var(&memory.single, &outputs->items[i], 0);
    }
    if (p->patch->by_patch)
        PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[COUNT],
                      pgs_spv_uint(m, p->patch->modes));
    end_once(p, done);
}

/* A quad of the vertex, or a word of it: whatever was stored one by one is known then. */
static uint32_t load_shaded(const struct control_pass *p, uint32_t type, uint32_t word)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t pointer_type = pgs_spv_type_pointer(m, SpvStorageClassPrivate, type);
    const uint32_t quad = pgs_spv_uint(m, word / 4), in_quad = pgs_spv_uint(m, word % 4);
    const uint32_t chain[] = {p->vertex.stored, quad, in_quad};
    const uint32_t count = type == pgs_spv_type_uint(m) ? 3 : 2;
    return PGS_SPV_VALUE(m, p->list, SpvOpLoad, type,
                         pgs_spv_value(m, p->list, SpvOpAccessChain, pointer_type, chain, count));
}

/* Stores what the vertex shader wrote of a quad of the vertex. */
static void store_shaded_quad(const struct control_pass *p, uint32_t first_w)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t void_type = pgs_spv_type_void(m), uint_type = pgs_spv_type_uint(m);
    const uint32_t quad = pgs_spv_type_uvec(m, 4);
    const uint8_t *writes = p->vertex.writes + first_w;
    const int written = writes[0] + writes[1] + writes[2] + writes[3];
    if (!written)
        return;
    if (written > 2) {
        PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, p->functions[SHADED_STORE4],
                      pgs_spv_uint(m, first_w), load_shaded(p, quad, first_w));
        return;
    }
    for (uint32_t w = first_w; w < first_w + 4; w++)
        if (p->vertex.writes[w])
            PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, p->functions[SHADED_STORE],
                          pgs_spv_uint(m, w), load_shaded(p, uint_type, w));
}

static void shade_vertex(const struct control_pass *p)
{
    PGS_SPV_VALUE(p->m, p->list, SpvOpFunctionCall, pgs_spv_type_void(p->m), p->vertex.run);
    for (uint32_t word = 0; word < p->info->in.stride_w; word += 4)
        store_shaded_quad(p, word);
}

/* The invocations of the workgroup shade the input vertices in turn. */
static void shade_vertices(const struct control_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t invocations = p->patch->vertex_count;
    struct pgs_spv_loop loop;
    if (!p->vertex.run)
        return;
    if (p->patch_vertices == invocations) {
        PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[CHOOSE],
                      pgs_spv_uint(m, invocations));
        shade_vertex(p);
    } else {
        pgs_spv_begin_while(m, p->list, p->functions[SHADES], pgs_spv_uint(m, invocations), &loop);
        shade_vertex(p);
        pgs_spv_end_while(m, p->list, &loop);
    }
    if (invocations > 1)
        pgs_spv_shared_barrier(m, p->list);
}

/* main: begin, vertices, inputs, initial outputs, the application's main, outputs. */
static uint32_t write_main(const struct control_pass *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_patch *patch = p->patch;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {p->info->in.stride_w, patch->stride_w,
                                  patch->vertices_w,    patch->vertex.stride_w,
                                  patch->vertex_count,  patch->restarts ? PGS_DRAW_RESTART : 0};
    const uint32_t done =
        pgs_spv_begin_guarded(m, p->list, function, p->functions[BEGIN], arguments, 6);
    shade_vertices(p);
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
    if (outputs->count || patch->by_patch)
        store_outputs(p, outputs);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

/* Outputs that the shader reads, or indexes dynamically when it writes, get memory even if the
 * evaluation shader does not read them. Function ids are not assigned yet. */
static void find_own_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                             struct pgs_spv_control_info *info)
{
    struct pgs_spv_io_vars vertex = pgs_spv_vertex_io_vars(m, outputs),
                           patch = pgs_spv_patch_io_vars(m, outputs);
    struct pgs_spv_io_vars *const both[] = {&vertex, &patch};
    struct control_pass p = {.m = m};
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++)
        p.functions[i] = UINT32_MAX;
    if (m->result != PGS_SPV_OK)
        return;
    bool fits =
        pgs_spv_make_layout(&vertex, &info->out) && pgs_spv_make_layout(&patch, &info->patch);
    const struct pgs_spv_io_memory memory = output_memory(&p, &info->out, &info->patch);
    const uint8_t *uses = fits ? pgs_spv_find_uses(&memory, outputs) : NULL;
    for (uint32_t i = 0; i < 2 && uses; i++) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < both[i]->count; k++) {
            const uint8_t how = uses[both[i]->items[k].variable];
            if ((how & PGS_SPV_ADDRESSED) && (how & (PGS_SPV_LOADED | PGS_SPV_CHOSEN)))
                both[i]->items[kept++] = both[i]->items[k];
        }
        both[i]->count = kept;
    }
    if (uses) {
        info->shared_B = pgs_spv_size_of_outputs_B(m, uses);
        fits =
            pgs_spv_make_layout(&vertex, &info->out) && pgs_spv_make_layout(&patch, &info->patch);
    }
    if (!fits)
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
}

enum pgs_spv_result pgs_spv_control_info(const struct pgs_spv_shader *tcs,
                                         struct pgs_spv_control_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *info = (struct pgs_spv_control_info){0};
    if (pgs_spv_open_tessellation(&m, tcs, PGS_SPV_CONTROL, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_io_vars vertex = pgs_spv_vertex_io_vars(&m, &inputs);
        pgs_spv_tessellation_modes(&m, &info->modes);
        if (m.result == PGS_SPV_OK && !pgs_spv_make_layout(&vertex, &info->in))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_must_run_once(&m);
        info->reads_view_index = pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex);
        find_own_outputs(&m, &outputs, info);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK)
        *info = (struct pgs_spv_control_info){0};
    return m.result;
}

/* True if all that functions do with the variable is to address its elements. */
static bool is_only_addressed(const struct pgs_spv_module *m, uint32_t variable)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
        const bool is_chain = pgs_spv_is_chain(op) && length > 4;
        for (uint32_t k = 1; k < length; k++) {
            if (ins[k] == variable && pgs_spv_is_id(ins, k) && !(is_chain && k == 3))
                return false;
        }
    }
    return true;
}

/* Gives an array the length of the output patch. The variable moves behind its new type. */
static void lengthen(struct pgs_spv_module *m, uint32_t id, uint32_t length)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t *variable = pgs_spv_def_op(m, id, SpvOpVariable);
    const uint32_t *pointer = variable ? pgs_spv_def_op(m, variable[1], SpvOpTypePointer) : NULL;
    const uint32_t *array = pointer ? pgs_spv_def_op(m, pointer[3], SpvOpTypeArray) : NULL;
    if (!array || pgs_spv_is_initialized_output(variable) || !is_only_addressed(m, id)) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < globals->count; i++) {
        if (globals->items[i] != variable)
            globals->items[kept++] = globals->items[i];
    }
    globals->count = kept;
    const uint32_t words[] = {array[2], pgs_spv_uint(m, length)};
    variable[1] =
        pgs_spv_type_pointer(m, SpvStorageClassOutput, pgs_spv_type(m, SpvOpTypeArray, words, 2));
    pgs_spv_push(m, globals, variable);
}

/* Every invocation needs an element in each array that it stores. Modules exist whose arrays are
 * shorter than OutputVertices says; drivers go by the mode. */
static void fit_arrays(struct pgs_spv_module *m, struct pgs_spv_io_vars *outputs,
                       const struct pgs_spv_patch *patch)
{
    if (patch->vertex_count == 0 || patch->vertex_count > PGS_MAX_PATCH_VERTICES)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        if (!var->vertices || var->vertices >= patch->vertex_count)
            continue;
        lengthen(m, var->variable, patch->vertex_count);
        for (uint32_t k = outputs->count; k > i; k--) {
            if (outputs->items[k - 1].variable == var->variable)
                outputs->items[k - 1].vertices = patch->vertex_count;
        }
    }
}

static bool calls(const struct control_pass *p, const uint8_t *which, uint32_t count)
{
    for (uint32_t i = 0; i < p->list->count; i++) {
        const uint32_t *ins = p->list->items[i];
        for (uint32_t k = 0; k < count && pgs_spv_op(ins) == SpvOpFunctionCall; k++)
            if (ins[3] == p->functions[which[k]])
                return true;
    }
    return false;
}

static bool has_barrier(const struct control_pass *p)
{
    for (uint32_t i = 0; i < p->list->count; i++)
        if (pgs_spv_op(p->list->items[i]) == SpvOpControlBarrier)
            return true;
    return false;
}

/* True if an invocation of the application's code may load what another one stored to the patch, or
 * store it again behind a barrier. */
static bool shares_patch(const struct control_pass *p)
{
    static const uint8_t loads[] = {OUTPUT_LOAD, OUTPUT_LOAD4, PATCH_LOAD, PATCH_LOAD4};
    static const uint8_t stores[] = {OUTPUT_STORE, OUTPUT_STORE4, PATCH_STORE, PATCH_STORE4};
    return calls(p, loads, sizeof(loads)) || (has_barrier(p) && calls(p, stores, sizeof(stores)));
}

static const struct pgs_spv_library *library_of(const struct control_pass *p, bool shades)
{
    /* Drivers of CPUs, which take words in pairs, run a workgroup in one thread. */
    if (p->m->pairs_words && !pgs_spv_has_vulkan_model(p->m))
        return shades ? &pgs_lib_control_shades_one : &pgs_lib_control_unread;
    if (shades)
        return shares_patch(p)      ? &pgs_lib_control_shades
               : p->patch->by_patch ? &pgs_lib_control_shades_counted
                                    : &pgs_lib_control_shades_unread;
    if (shares_patch(p))
        return &pgs_lib_control;
    return p->patch->by_patch ? &pgs_lib_control_counted : &pgs_lib_control_unread;
}

/* front: NULL: vertices have been stored before. */
static enum pgs_spv_result to_compute(const struct pgs_spv_control_front *front,
                                      const struct pgs_spv_shader *tcs,
                                      const struct pgs_spv_control_info *info,
                                      const struct pgs_spv_patch *patch, struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_tessellation(&m, tcs, PGS_SPV_CONTROL, &inputs, &outputs) == PGS_SPV_OK) {
        struct control_pass p = {
            .m = &m, .list = &m.sections[PGS_SPV_FUNCTIONS], .info = info, .patch = patch};
        const uint32_t app_main = m.entry[2];
        fit_arrays(&m, &outputs, patch);
        for (uint32_t i = 0; i < FUNCTION_COUNT; i++)
            p.functions[i] = pgs_spv_new_id(&m);
        const struct pgs_spv_io_memory in = input_memory(&p),
                                       memory = output_memory(&p, &patch->vertex, &patch->patch);
        pgs_spv_address(&in, &inputs);
        pgs_spv_address(&memory, &outputs);
        pgs_spv_share_outputs(&m, &p.initializers);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        const struct pgs_spv_library *library = library_of(&p, front);
        if (front) {
            p.patch_vertices = front->patch_vertices;
            pgs_spv_add_vertex(&m, front->vs, front->vertex, p.functions + VERTEX, &p.vertex);
        }
        const uint32_t main_function = write_main(&p, app_main, &inputs, &outputs);
        pgs_spv_link_called(&m, library, function_names, p.functions, FUNCTION_COUNT);
        pgs_spv_make_compute(&m, main_function, patch->vertex_count);
        pgs_spv_publish_shared(&m);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}

enum pgs_spv_result pgs_spv_control_to_compute(const struct pgs_spv_shader *tcs,
                                               const struct pgs_spv_control_info *info,
                                               const struct pgs_spv_patch *patch,
                                               struct pgs_spv_blob *out)
{
    return to_compute(NULL, tcs, info, patch, out);
}

enum pgs_spv_result pgs_spv_fused_control_to_compute(const struct pgs_spv_control_front *front,
                                                     const struct pgs_spv_shader *tcs,
                                                     const struct pgs_spv_control_info *info,
                                                     const struct pgs_spv_patch *patch,
                                                     struct pgs_spv_blob *out)
{
    return to_compute(front, tcs, info, patch, out);
}
