/* SPDX-License-Identifier: MIT
 *
 * Rewrites the instructions and built-ins that only geometry shaders have, for all target stages.
 */
#include "spirv/stages/geometry_parts.h"

#include "spirv/io/io_memory.h"
#include "spirv/io/lower_io.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/stages/vertex_shade.h"

#define MAX_CONSTANTS 6

static void add_evaluation(struct pgs_spv_module *m, const struct pgs_spv_front *front,
                           const struct pgs_spv_layout *out, uint32_t functions[],
                           struct pgs_spv_vertex_part *part)
{
    uint32_t ids[PGS_SPV_EVALUATION_FUNCTION_COUNT] = {
        [PGS_SPV_EVALUATION_VIEW_INDEX] = functions[PGS_SPV_VERTEX_VIEW_INDEX],
        [PGS_SPV_EVALUATION_PUSH_ADDRESS] = functions[PGS_SPV_VERTEX_PUSH_ADDRESS],
    };
    pgs_spv_add_evaluation(m, front->tes, front->evaluation, out, ids, part);
    functions[PGS_SPV_VERTEX_VIEW_INDEX] = ids[PGS_SPV_EVALUATION_VIEW_INDEX];
    functions[PGS_SPV_VERTEX_PUSH_ADDRESS] = ids[PGS_SPV_EVALUATION_PUSH_ADDRESS];
    for (uint32_t i = 0; i < PGS_SPV_EVALUATION_VIEW_INDEX; i++)
        functions[PGS_SPV_VERTEX_FUNCTIONS + i] = ids[i];
}

void pgs_spv_add_front(struct pgs_spv_module *m, const struct pgs_spv_front *front,
                       const struct pgs_spv_layout *out,
                       uint32_t functions[PGS_SPV_FRONT_FUNCTIONS],
                       struct pgs_spv_vertex_part *part)
{
    if (front->tes)
        add_evaluation(m, front, out, functions, part);
    else if (front->vs)
        pgs_spv_add_vertex(m, front->vs, front->vertex, functions, part);
}

struct pgs_spv_assembly pgs_spv_front_assembly(const struct pgs_spv_front *front,
                                               const struct pgs_spv_assembly *assembly)
{
    struct pgs_spv_assembly known = pgs_spv_known_assembly(assembly);
    if (front->vs)
        known.flags &= ~PGS_DRAW_TESSELLATED;
    return known;
}

const char *pgs_spv_front_choose_name(const struct pgs_spv_vertex_part *part)
{
    return part->patch ? "pgs_patch_choose_vertex" : "pgs_geometry_choose_vertex";
}

static bool is_end_or_other(const uint32_t *ins, void *context)
{
    const struct pgs_spv_module *m = context;
    const uint32_t op = pgs_spv_op(ins);
    uint32_t stream = 0;
    if (op == SpvOpEmitStreamVertex)
        return !pgs_spv_constant(m, ins[1], &stream) || stream;
    return op == SpvOpEndPrimitive || op == SpvOpEndStreamPrimitive;
}

void pgs_spv_drop_ends(struct pgs_spv_module *m)
{
    pgs_spv_filter(&m->sections[PGS_SPV_FUNCTIONS], is_end_or_other, m);
}

void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive, const uint32_t *constants,
                           uint32_t constant_count)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t void_type = pgs_spv_type_void(m);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool is_stream = op == SpvOpEmitStreamVertex || op == SpvOpEndStreamPrimitive;
        const bool is_emit = op == SpvOpEmitVertex || op == SpvOpEmitStreamVertex;
        uint32_t stream = 0;
        if (!is_stream && !is_emit && op != SpvOpEndPrimitive) {
            list->items[kept++] = ins;
            continue;
        }
        if (is_stream && (!pgs_spv_constant(m, ins[1], &stream) || stream >= PGS_SPV_STREAMS)) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        if (!emits[stream]) {
            if (is_emit)
                pgs_spv_fail(m, PGS_SPV_INVALID); /* info belongs to another shader */
            continue;
        }
        uint32_t words[4 + MAX_CONSTANTS] = {void_type, pgs_spv_new_id(m),
                                             is_emit ? emits[stream] : end_primitive,
                                             pgs_spv_uint(m, stream)};
        for (uint32_t k = 0; k < constant_count && k < MAX_CONSTANTS; k++)
            words[4 + k] = pgs_spv_uint(m, constants[k]);
        uint32_t *call =
            pgs_spv_make(m, SpvOpFunctionCall, words, is_emit ? 3 : 4 + constant_count);
        if (call)
            list->items[kept++] = call;
    }
    list->count = kept;
}

/* A variable with at most this many values is filled in advance, unless it is indexed.
 */
#define HELD_VALUES 32

void pgs_spv_address_vertices(struct pgs_spv_module *m, const struct pgs_spv_geometry_info *info,
                              uint32_t load, uint32_t load4, uint32_t element,
                              struct pgs_spv_io_vars *inputs)
{
    const struct pgs_spv_io_memory memory = {
        .vertex = {.m = m, .layout = &info->in, .load = load, .load4 = load4},
        .element = element,
        .held_values = HELD_VALUES};
    pgs_spv_address(&memory, inputs);
}

/* So many loads are rather written in a loop, which compilers unroll if they have room for that. */
#define MANY_LOADS 24

/* Loads the stored outputs of the vertex stage, for each vertex of the primitive. */
static void load_vertices(const struct pgs_spv_io_access *access, uint32_t vertex_count,
                          const struct pgs_spv_io_vars *inputs)
{
    uint32_t whole = 0; /* inputs that all vertices have */
    for (uint32_t i = 0; i < inputs->count; i++)
        whole += inputs->items[i].vertices >= vertex_count;
    const bool in_loop = vertex_count > 1 && whole * vertex_count > MANY_LOADS;
    for (uint32_t i = 0; i < inputs->count; i++) {
        const uint32_t vertices = inputs->items[i].vertices;
        for (uint32_t v = 0; v < vertices && v < vertex_count; v++)
            if (!in_loop || vertices < vertex_count)
                pgs_spv_fill_vertex(access, &inputs->items[i], pgs_spv_uint(access->m, v));
    }
    if (!in_loop)
        return;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(access->m, access->list, pgs_spv_uint(access->m, vertex_count),
                       SpvLoopControlUnrollMask, &loop);
    for (uint32_t i = 0; i < inputs->count && access->m->result == PGS_SPV_OK; i++)
        if (inputs->items[i].vertices >= vertex_count)
            pgs_spv_fill_vertex(access, &inputs->items[i], loop.counter);
    pgs_spv_end_loop(access->m, access->list, &loop);
}

void pgs_spv_take_record(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t record,
                         uint32_t attribute, uint32_t locations)
{
    const uint32_t void_type = pgs_spv_type_void(m);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, record);
    for (uint32_t i = 0; i < 32; i++)
        if (locations >> i & 1)
            PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, attribute, pgs_spv_uint(m, i));
}

void pgs_spv_fill_geometry_inputs(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                  const struct pgs_spv_geometry_sources *sources,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_io_vars *inputs)
{
    const struct pgs_spv_builtin_source builtins[] = {
        {SpvBuiltInPrimitiveId, sources->primitive_id},
        {SpvBuiltInInvocationId, sources->invocation_id},
        {SpvBuiltInViewIndex, sources->view_index}};
    const struct pgs_spv_io_access access = {
        .m = m, .list = list, .layout = &info->in, .load = sources->load, .load4 = sources->load4};
    if (sources->vertex->run)
        pgs_spv_shade_vertices(m, list, sources->vertex, sources->choose, &sources->assembly, info,
                               inputs);
    else
        load_vertices(&access, info->input_vertices, inputs);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            pgs_spv_fill_builtin(m, list, &inputs->items[i], builtins,
                                 sizeof(builtins) / sizeof(builtins[0]));
    }
}
