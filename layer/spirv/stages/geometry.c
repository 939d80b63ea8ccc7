/* SPDX-License-Identifier: MIT
 *
 * Geometry shader -> compute shader, which may include the vertex shader.
 */
#include "spirv/stages/geometry.h"

#include "poly_gs/abi.h"
#include "poly_gs/bound.h"
#include "poly_gs/coverage.h"
#include "poly_gs/listing.h"
#include "poly_gs/places.h"
#include "poly_gs/planes.h"
#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/stages/geometry_parts.h"
#include "spirv/stages/held_strips.h"

enum {
    BEGIN,
    EXISTS,
    PRIMITIVE_ID,
    INVOCATION_ID,
    LOAD,
    LOAD4,
    ELEMENT,
    EMIT_BEGIN,
    EMIT_STORE,
    EMIT_STORE4,
    EMIT_STORE_REST, /* this and the next one of vertices in two arrays only */
    EMIT_STORE4_REST,
    EMIT_POSITION, /* if something may be culled */
    EMIT_END,
    END_PRIMITIVE,
    END,
    LIST,        /* if draws may be listed by it */
    TAKE_RECORD, /* this and the next one if the record is taken */
    TAKE_ATTRIBUTE,
    CHOOSE_VERTEX,
    VERTEX, /* enum pgs_spv_vertex_function */
    VIEW_INDEX = VERTEX + PGS_SPV_VERTEX_VIEW_INDEX,
    PUSH_ADDRESS = VERTEX + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_geometry_begin",
    [EXISTS] = "pgs_geometry_exists",
    [PRIMITIVE_ID] = "pgs_primitive_id",
    [INVOCATION_ID] = "pgs_invocation_id",
    [LOAD] = "pgs_load",
    [LOAD4] = "pgs_load4",
    [ELEMENT] = "pgs_element",
    [EMIT_BEGIN] = "pgs_emit_begin",
    [EMIT_STORE] = "pgs_emit_store",
    [EMIT_STORE4] = "pgs_emit_store4",
    [EMIT_STORE_REST] = "pgs_emit_store_rest",
    [EMIT_STORE4_REST] = "pgs_emit_store4_rest",
    [EMIT_POSITION] = "pgs_emit_position",
    [EMIT_END] = "pgs_emit_end",
    [END_PRIMITIVE] = "pgs_end_primitive",
    [END] = "pgs_geometry_end",
    [LIST] = "pgs_geometry_list",
    [TAKE_RECORD] = "pgs_geometry_take_record",
    [TAKE_ATTRIBUTE] = "pgs_geometry_take_attribute",
    [CHOOSE_VERTEX] = "pgs_geometry_choose_vertex",
    [VERTEX] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

/* In place of those that store, if vertices are held until their strip ends. */
static const char *const hold_names[] = {
    [EMIT_STORE - EMIT_STORE] = "pgs_emit_hold",
    [EMIT_STORE4 - EMIT_STORE] = "pgs_emit_hold4",
    [EMIT_STORE_REST - EMIT_STORE] = "pgs_emit_hold_rest",
    [EMIT_STORE4_REST - EMIT_STORE] = "pgs_emit_hold4_rest",
};

struct geometry_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_assembly assembly;
    uint32_t functions[FUNCTION_COUNT];
    uint32_t emits[PGS_SPV_STREAMS];   /* ids of functions; 0: nothing is emitted to the stream */
    struct pgs_spv_vertex_part vertex; /* zero: vertices have been stored before */
};

static bool may_cull(const struct geometry_pass *p)
{
    return p->assembly.flags & PGS_DRAW_PLANES;
}

static bool holds(const struct geometry_pass *p)
{
    return p->assembly.flags & PGS_DRAW_HOLDS;
}

static bool finds_uncovered(const struct geometry_pass *p)
{
    return p->assembly.flags & PGS_DRAW_COVERAGE;
}

static bool cuts(const struct geometry_pass *p)
{
    return p->assembly.flags & PGS_DRAW_CUTS;
}

static bool lists(const struct geometry_pass *p)
{
    return p->assembly.flags & PGS_DRAW_SELF_LISTED;
}

/* Tells the library where the vertex is. */
static void write_position(const struct geometry_pass *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_io_var *position = pgs_spv_io_vars_find(outputs, SpvBuiltInPosition);
    if (!may_cull(p) || !position)
        return;
    const uint32_t pointer =
        pgs_spv_io_var_pointer(m, p->list, position, SpvStorageClassPrivate, 0);
    const uint32_t value = PGS_SPV_VALUE(m, p->list, SpvOpLoad, position->type, pointer);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[EMIT_POSITION],
                  PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_uvec(m, 4), value));
}

/* void emit(): stores a vertex emitted to the stream. */
static void write_emit(const struct geometry_pass *p, uint32_t stream,
                       const struct pgs_spv_io_vars *all)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_io_vars outputs = pgs_spv_io_vars_of_stream(m, all, stream);
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = p->list,
                                             .layout = &p->info->out[stream],
                                             .store = p->functions[EMIT_STORE],
                                             .store4 = p->functions[EMIT_STORE4],
                                             .store_rest = p->functions[EMIT_STORE_REST],
                                             .store4_rest = p->functions[EMIT_STORE4_REST],
                                             .stored_class = SpvStorageClassPrivate};
    const uint32_t streams = pgs_spv_stream_count(p->info->stream_mask);
    const uint32_t arguments[] = {
        p->info->max_vertices,           p->info->output_kind,           streams,
        pgs_spv_first_stride_w(p->info), pgs_spv_rest_stride_w(p->info), p->assembly.flags};
    const uint32_t done =
        pgs_spv_begin_guarded(m, p->list, p->emits[stream], p->functions[EMIT_BEGIN], arguments, 6);
    for (uint32_t i = 0; i < outputs.count && m->result == PGS_SPV_OK; i++)
        pgs_spv_store_io_var(&access, &outputs.items[i], 0);
    write_position(p, &outputs);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[EMIT_END],
                  pgs_spv_uint(m, stream), pgs_spv_uint(m, streams),
                  pgs_spv_uint(m, holds(p) ? 0 : pgs_spv_first_stride_w(p->info)),
                  pgs_spv_uint(m, holds(p) ? 0 : pgs_spv_rest_stride_w(p->info)),
                  pgs_spv_uint(m, p->assembly.flags));
    pgs_spv_end_guarded(m, p->list, done);
}

/* Behind all that only some invocations do, since those of a workgroup wait for each other. */
static void write_list(const struct geometry_pass *p)
{
    if (lists(p))
        PGS_SPV_VALUE(p->m, p->list, SpvOpFunctionCall, pgs_spv_type_void(p->m), p->functions[LIST],
                      pgs_spv_uint(p->m, p->info->max_vertices),
                      pgs_spv_uint(p->m, p->info->output_kind),
                      pgs_spv_uint(p->m, p->assembly.flags));
}

static uint32_t write_main(const struct geometry_pass *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_geometry_info *info = p->info;
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    const uint32_t streams = pgs_spv_stream_count(info->stream_mask);
    const uint32_t arguments[] = {info->input_vertices,
                                  info->invocations,
                                  info->max_vertices,
                                  p->vertex.run ? 0 : info->in.stride_w,
                                  pgs_spv_first_stride_w(info),
                                  pgs_spv_rest_stride_w(info),
                                  streams,
                                  p->assembly.topology,
                                  p->assembly.flags};
    pgs_spv_begin_procedure(m, p->list, function);
    if (p->assembly.takes_record)
        pgs_spv_take_record(m, p->list, p->functions[TAKE_RECORD], p->functions[TAKE_ATTRIBUTE],
                            p->vertex.locations);
    const uint32_t done = pgs_spv_begin_guard(m, p->list, p->functions[BEGIN], arguments, 9);
    const uint32_t shaded = pgs_spv_begin_if(m, p->list,
                                             PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall,
                                                           pgs_spv_type(m, SpvOpTypeBool, NULL, 0),
                                                           p->functions[EXISTS]));
    pgs_spv_fill_geometry_inputs(
        m, p->list,
        &(struct pgs_spv_geometry_sources){.primitive_id = p->functions[PRIMITIVE_ID],
                                           .invocation_id = p->functions[INVOCATION_ID],
                                           .view_index = p->functions[VIEW_INDEX],
                                           .vertex = &p->vertex,
                                           .choose = p->functions[CHOOSE_VERTEX],
                                           .assembly = p->assembly,
                                           .load = p->functions[LOAD],
                                           .load4 = p->functions[LOAD4]},
        info, inputs);
    pgs_spv_zero_targets(m, p->list, outputs);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, app_main);
    pgs_spv_end_if(m, p->list, shaded);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, p->functions[END],
                  pgs_spv_uint(m, info->max_vertices), pgs_spv_uint(m, info->output_kind),
                  pgs_spv_uint(m, streams), pgs_spv_uint(m, pgs_spv_first_stride_w(info)),
                  pgs_spv_uint(m, pgs_spv_rest_stride_w(info)), pgs_spv_uint(m, p->assembly.flags));
    pgs_spv_end_if(m, p->list, done);
    write_list(p);
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Links only the library functions that are called. */
static void link_functions(struct geometry_pass *p)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const bool loads = i == LOAD || i == LOAD4 || i == ELEMENT;
        const bool rest = i == EMIT_STORE_REST || i == EMIT_STORE4_REST;
        const bool called = i == CHOOSE_VERTEX                        ? p->vertex.run != 0
                            : i == TAKE_RECORD || i == TAKE_ATTRIBUTE ? p->assembly.takes_record
                            : loads                                   ? p->vertex.run == 0
                            : rest                                    ? p->info->out_head_w != 0
                            : i == EMIT_POSITION                      ? may_cull(p)
                            : i == LIST                               ? lists(p)
                                        : i < VERTEX || p->functions[i];
        const bool held = holds(p) && i >= EMIT_STORE && i <= EMIT_STORE4_REST;
        names[i] = !called ? NULL : held ? hold_names[i - EMIT_STORE] : function_names[i];
        if (i == EMIT_POSITION && called && finds_uncovered(p))
            names[i] = "pgs_emit_coverage";
        if (i == EMIT_POSITION && called && cuts(p))
            names[i] = "pgs_emit_cut";
    }
    pgs_spv_link(p->m,
                 p->assembly.bound_sets     ? &pgs_lib_geometry_bound
                 : p->assembly.takes_record ? &pgs_lib_geometry_near
                                            : &pgs_lib_geometry,
                 names, p->functions, FUNCTION_COUNT);
}

/* Gives the library's set its number. */
static void place_bound_set(struct geometry_pass *p)
{
    struct pgs_spv_module *m = p->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    if (!p->assembly.bound_sets)
        return;
    if (m->version < PGS_SPV_VERSION(1, 3))
        pgs_spv_add_extension(m, "SPV_KHR_storage_buffer_storage_class");
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpDecorate && ins[2] == SpvDecorationDescriptorSet &&
            ins[3] == PGS_BOUND_SET)
            ins[3] = p->assembly.bound_sets - 1;
    }
}

/* Strips are culled by what is known of one stream. */
static struct pgs_spv_assembly known_assembly(const struct pgs_spv_assembly *assembly,
                                              const struct pgs_spv_geometry_info *info,
                                              const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_assembly known = pgs_spv_known_assembly(assembly);
    if (info->output_kind != 3 || pgs_spv_stream_count(info->stream_mask) != 1 ||
        !pgs_spv_io_vars_have(outputs, SpvBuiltInPosition))
        known.flags &= ~PGS_DRAW_PLANES;
    if (!pgs_spv_can_list(info))
        known.flags &= ~PGS_DRAW_SELF_LISTED;
    known.flags &= ~PGS_DRAW_HOLDS;
    if ((known.flags & PGS_DRAW_PLANES) && pgs_spv_holds_strips(info))
        known.flags |= PGS_DRAW_HOLDS;
    if (!(known.flags & PGS_DRAW_HOLDS))
        known.flags &= ~PGS_DRAW_COVERAGE;
    if (known.flags & PGS_DRAW_HOLDS || !(known.flags & PGS_DRAW_PLANES))
        known.flags &= ~PGS_DRAW_CUTS;
    if (!(known.flags & PGS_DRAW_HOLDS) || !pgs_spv_gathers_strips(info))
        known.flags &= ~PGS_DRAW_GATHERED;
    return known;
}

/* vs: the vertex shader that runs inside, or NULL. */
static enum pgs_spv_result
to_compute(const struct pgs_spv_shader *vs, const struct pgs_spv_vertex_options *vertex,
           const struct pgs_spv_shader *gs, const struct pgs_spv_geometry_info *info,
           const struct pgs_spv_assembly *assembly, struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct geometry_pass p = {.m = &m,
                                  .list = &m.sections[PGS_SPV_FUNCTIONS],
                                  .info = info,
                                  .assembly = known_assembly(assembly, info, &outputs)};
        const uint32_t ends[] = {
            info->output_kind,           pgs_spv_stream_count(info->stream_mask),
            info->max_vertices,          pgs_spv_first_stride_w(info),
            pgs_spv_rest_stride_w(info), p.assembly.flags};
        const uint32_t app_main = m.entry[2];
        const bool pushes = pgs_spv_has_push_constants(&m);
        for (int i = LOAD; i <= ELEMENT; i++)
            p.functions[i] = pgs_spv_new_id(&m);
        if (!vs)
            pgs_spv_address_vertices(&m, info, p.functions[LOAD], p.functions[LOAD4],
                                     p.functions[ELEMENT], &inputs);
        pgs_spv_lower_io(&m, SpvStorageClassPrivate);
        p.functions[PUSH_ADDRESS] = pushes ? pgs_spv_new_id(&m) : 0;
        if (pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex))
            p.functions[VIEW_INDEX] = pgs_spv_new_id(&m);
        p.functions[END_PRIMITIVE] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
            p.emits[s] = info->stream_mask >> s & 1 ? pgs_spv_new_id(&m) : 0;
        pgs_spv_replace_emits(&m, p.emits, p.functions[END_PRIMITIVE], ends, 6);
        if (vs)
            pgs_spv_add_vertex(&m, vs, vertex, p.functions + VERTEX, &p.vertex);
        link_functions(&p);
        for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++) {
            if (p.emits[s])
                write_emit(&p, s, &outputs);
        }
        pgs_spv_make_compute(&m, write_main(&p, app_main, &inputs, &outputs), PGS_SHADER_GROUP_EL);
        place_bound_set(&p);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}

enum pgs_spv_result pgs_spv_geometry_to_compute(const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out)
{
    return to_compute(NULL, NULL, gs, info, assembly, out);
}

enum pgs_spv_result pgs_spv_fused_to_compute(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    return to_compute(vs, options, gs, info, assembly, out);
}
