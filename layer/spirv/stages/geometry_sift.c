/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> compute shader that finds out which strips may be seen.
 */
#include "spirv/stages/geometry_sift.h"

#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/stages/geometry_parts.h"

enum {
    BEGIN,
    INVOCATION,
    EMIT,
    END,
    PRIMITIVE_ID,
    INVOCATION_ID,
    CHOOSE_VERTEX,
    VERTEX, /* enum pgs_spv_vertex_function */
    PUSH_ADDRESS = VERTEX + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT = VERTEX + PGS_SPV_VERTEX_FUNCTIONS,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_sift_begin",
    [INVOCATION] = "pgs_sift_invocation",
    [EMIT] = "pgs_sift_emit",
    [END] = "pgs_sift_end",
    [PRIMITIVE_ID] = "pgs_primitive_id",
    [INVOCATION_ID] = "pgs_invocation_id",
    [CHOOSE_VERTEX] = "pgs_geometry_choose_vertex",
    [VERTEX] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

struct sift {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_assembly assembly;
    uint32_t functions[FUNCTION_COUNT];
    uint32_t emit; /* function */
    struct pgs_spv_vertex_part vertex;
};

/* The bits of gl_Position. What has none may be anywhere. */
static uint32_t load_position(const struct sift *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t type = pgs_spv_type_uvec(m, 4);
    const struct pgs_spv_io_var *position = pgs_spv_io_vars_find(outputs, SpvBuiltInPosition);
    const uint32_t zero = pgs_spv_uint(m, 0);
    if (!position)
        return PGS_SPV_VALUE(m, p->list, SpvOpCompositeConstruct, type, zero, zero, zero, zero);
    const uint32_t pointer =
        pgs_spv_io_var_pointer(m, p->list, position, SpvStorageClassPrivate, 0);
    return PGS_SPV_VALUE(m, p->list, SpvOpBitcast, type,
                         PGS_SPV_VALUE(m, p->list, SpvOpLoad, position->type, pointer));
}

/* void emit(): tells the library where the vertex is. */
static void write_emit(const struct sift *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    pgs_spv_begin_procedure(m, p->list, p->emit);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[EMIT],
                  load_position(p, outputs), pgs_spv_uint(m, p->info->output_kind));
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
}

/* Runs the geometry shader for each of its invocations. */
static void run_invocations(const struct sift *p, uint32_t app_main,
                            const struct pgs_spv_io_vars *inputs,
                            const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_builtin_source invocation = {SpvBuiltInInvocationId,
                                                      p->functions[INVOCATION_ID]};
    const struct pgs_spv_io_var *id = pgs_spv_io_vars_find(inputs, SpvBuiltInInvocationId);
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, p->list, pgs_spv_uint(m, p->info->invocations), SpvLoopControlMaskNone,
                       &loop);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[INVOCATION],
                  loop.counter);
    if (id)
        pgs_spv_fill_builtin(m, p->list, id, &invocation, 1);
    pgs_spv_zero_targets(m, p->list, outputs);
    pgs_spv_store_initial_values(m);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    pgs_spv_end_loop(m, p->list, &loop);
}

static uint32_t write_main(const struct sift *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {p->info->input_vertices, p->assembly.topology, p->assembly.flags};
    pgs_spv_begin_procedure(m, p->list, function);
    const uint32_t done = pgs_spv_begin_guard(m, p->list, p->functions[BEGIN], arguments, 3);
    pgs_spv_fill_geometry_inputs(
        m, p->list,
        &(struct pgs_spv_geometry_sources){.primitive_id = p->functions[PRIMITIVE_ID],
                                           .invocation_id = p->functions[INVOCATION_ID],
                                           .vertex = &p->vertex,
                                           .choose = p->functions[CHOOSE_VERTEX],
                                           .assembly = p->assembly},
        p->info, inputs);
    run_invocations(p, app_main, inputs, outputs);
    pgs_spv_end_if(m, p->list, done);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[END],
                  pgs_spv_uint(m, p->info->one_vertex.strips));
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Links only the library functions that are called. */
static void link_functions(struct sift *p)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++)
        names[i] = i < VERTEX || p->functions[i] ? function_names[i] : NULL;
    pgs_spv_link(p->m, &pgs_lib_sift, names, p->functions, FUNCTION_COUNT);
}

static void transform(struct sift *p, const struct pgs_spv_shader *vs,
                      const struct pgs_spv_vertex_options *options,
                      const struct pgs_spv_io_vars *inputs, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t app_main = m->entry[2];
    const uint32_t emits[PGS_SPV_STREAMS] = {p->emit = pgs_spv_new_id(m)};
    const bool pushes = pgs_spv_has_push_constants(m);
    pgs_spv_lower_io(m, SpvStorageClassPrivate);
    p->functions[PUSH_ADDRESS] = pushes ? pgs_spv_new_id(m) : 0;
    pgs_spv_push_constants_to_memory(m, p->functions[PUSH_ADDRESS]);
    pgs_spv_drop_ends(m);
    pgs_spv_replace_emits(m, emits, 0, NULL, 0);
    pgs_spv_add_vertex(m, vs, options, p->functions + VERTEX, &p->vertex);
    link_functions(p);
    write_emit(p, outputs);
    pgs_spv_make_compute(m, write_main(p, app_main, inputs, outputs), PGS_SHADER_GROUP_EL);
}

enum pgs_spv_result pgs_spv_geometry_to_sift(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (!info->one_vertex.strips || info->one_vertex.strips > PGS_SIFT_STRIPS)
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct sift p = {.m = &m,
                         .list = &m.sections[PGS_SPV_FUNCTIONS],
                         .info = info,
                         .assembly = pgs_spv_known_assembly(assembly)};
        if (pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        else
            transform(&p, vs, options, &inputs, &outputs);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
