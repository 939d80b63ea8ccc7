/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> vertex shader that runs the geometry shader and outputs one of the
 * emitted vertices.
 */
#include "spirv/stages/geometry_raster.h"

#include "shaders/embedded.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/stages/early_end.h"
#include "spirv/stages/geometry_parts.h"
#include "spirv/stages/raster_kept.h"
#include "spirv/stages/skip_emits.h"

#include <string.h>

enum {
    BEGIN,
    BEGIN_JOINED, /* in its place */
    BEGIN_INDEXED,
    BEGIN_PATCH, /* likewise */
    FIND,
    FIND_PATCH, /* in its place */
    PRIMITIVE_ID,
    INVOCATION_ID,
    CHOOSE_VERTEX,
    EMIT,
    END_STRIP,
    SKIP,
    IS_DONE,
    FOUND,
    SELECT_VIEWPORT,
    TAKE, /* with record_inputs, as the next one */
    TAKE_ATTRIBUTE,
    FRONT, /* those of a struct pgs_spv_front */
    VIEW_INDEX = FRONT + PGS_SPV_VERTEX_VIEW_INDEX,
    PUSH_ADDRESS = FRONT + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT = FRONT + PGS_SPV_FRONT_FUNCTIONS,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_geometry_raster_begin",
    [BEGIN_JOINED] = "pgs_geometry_raster_begin_joined",
    [BEGIN_INDEXED] = "pgs_geometry_raster_begin_indexed",
    [BEGIN_PATCH] = "pgs_geometry_raster_begin_patch",
    [FIND] = "pgs_geometry_raster_find",
    [FIND_PATCH] = "pgs_geometry_raster_find_patch",
    [PRIMITIVE_ID] = "pgs_primitive_id",
    [INVOCATION_ID] = "pgs_invocation_id",
    [EMIT] = "pgs_geometry_raster_emit",
    [END_STRIP] = "pgs_geometry_raster_end_strip",
    [FOUND] = "pgs_geometry_raster_found",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
    [TAKE] = "pgs_geometry_raster_take",
    [TAKE_ATTRIBUTE] = "pgs_geometry_raster_take_attribute",
    [SKIP] = "pgs_geometry_raster_skip",
    [IS_DONE] = "pgs_geometry_raster_is_done",
    [FRONT] = PGS_SPV_FRONT_FUNCTION_NAMES,
};

/* What is known of the emits: as the library numbers it. */
enum emits { EMITS_STRIPS, EMITS_ONE_STRIP, EMITS_JOINED, EMITS_INDEXED };

struct raster_pass {
    struct pgs_spv_raster_access access; /* with this struct as `source` */
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_assembly assembly;
    uint32_t *kept; /* [outputs]: variables for the vertex to output; in the end their values */
    struct pgs_spv_output_copies copies;
    uint32_t functions[FUNCTION_COUNT];
    uint32_t emits[PGS_SPV_STREAMS]; /* ids of functions; 0: nothing is emitted to the stream */
    uint32_t emits_what;             /* enum emits */
    struct pgs_spv_vertex_part vertex;
};

/* void emit(): on the rasterized stream, keeps the wanted vertex. */
static void write_emit(const struct raster_pass *p, uint32_t stream)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const bool rasterized = stream == p->access.options->stream;
    const uint32_t arguments[] = {p->info->max_vertices, stream, p->emits_what};
    const uint32_t done =
        pgs_spv_begin_guarded(m, list, p->emits[stream], p->functions[EMIT], arguments, 3);
    if (rasterized)
        pgs_spv_kept_copy(&p->access, p->kept);
    pgs_spv_end_guarded(m, list, done);
}

/* void invocation(): runs the geometry shader once. Returns its id. */
static uint32_t write_invocation(const struct raster_pass *p, uint32_t app_main,
                                 const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t arguments[] = {p->info->input_vertices, p->info->invocations,
                                  p->assembly.topology, p->assembly.flags};
    const uint32_t done = pgs_spv_begin_guarded(
        m, list, function, p->functions[p->access.options->by_patch ? FIND_PATCH : FIND], arguments,
        4);
    pgs_spv_fill_geometry_inputs(
        m, list,
        &(struct pgs_spv_geometry_sources){.primitive_id = p->functions[PRIMITIVE_ID],
                                           .invocation_id = p->functions[INVOCATION_ID],
                                           .view_index = p->functions[VIEW_INDEX],
                                           .vertex = &p->vertex,
                                           .choose = p->functions[CHOOSE_VERTEX],
                                           .assembly = p->assembly},
        p->info, inputs);
    pgs_spv_zero_targets(m, list, p->access.outputs);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    pgs_spv_end_guarded(m, list, done);
    return function;
}

static uint32_t load_builtin(const struct pgs_spv_raster_access *access, uint32_t type,
                             uint32_t builtin, uint32_t element)
{
    const struct raster_pass *p = access->source;
    return pgs_spv_kept_builtin(access, p->kept, type, builtin, element);
}

static void take_record(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m), uvec4 = pgs_spv_type_uvec(m, 4);
    const uint32_t indices =
        pgs_spv_load_input(m, list, uvec4, SpvDecorationLocation, PGS_SPV_RECORD_INDICES);
    const uint32_t numbers =
        pgs_spv_load_input(m, list, uvec4, SpvDecorationLocation, PGS_SPV_RECORD_NUMBERS);
    const uint32_t rest =
        pgs_spv_load_input(m, list, uvec4, SpvDecorationLocation, PGS_SPV_RECORD_REST);
    uint32_t location = PGS_SPV_RECORD_ATTRIBUTES;
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[TAKE], indices, numbers,
                  rest);
    for (uint32_t i = 0; i < 32; i++) {
        if (!(p->access.options->record_attributes >> i & 1))
            continue;
        const uint32_t attribute =
            pgs_spv_load_input(m, list, uvec4, SpvDecorationLocation, location++);
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[TAKE_ATTRIBUTE],
                      pgs_spv_uint(m, i), attribute);
    }
}

/* Primitives of each GS invocation in the list; 0: each is an instance. */
static uint32_t listed_primitives(const struct raster_pass *p)
{
    const struct pgs_spv_geometry_info *info = p->info;
    if (info->pattern.is_known || !p->access.options->lists_invocations)
        return info->pattern.primitives[p->access.options->stream];
    return pgs_spv_most_primitives(info);
}

static void call_begin(const struct raster_pass *p, uint32_t inline_draw)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const struct pgs_spv_raster_options *options = p->access.options;
    const uint32_t void_type = pgs_spv_type_void(m), uint_type = pgs_spv_type_uint(m);
    const uint32_t joined_el = options->joined_el;
    const uint32_t vertex =
        pgs_spv_load_input(m, list, uint_type, SpvDecorationBuiltIn, SpvBuiltInVertexIndex);
    if (joined_el) {
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN_JOINED],
                      inline_draw, vertex, pgs_spv_uint(m, joined_el),
                      pgs_spv_uint(m, pgs_spv_joined_vertices(joined_el)));
        return;
    }
    if (options->indexed) {
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN_INDEXED],
                      inline_draw, vertex, pgs_spv_uint(m, p->info->pattern.vertices));
        return;
    }
    if (options->by_patch) {
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN_PATCH], inline_draw,
                      vertex, pgs_spv_uint(m, p->info->output_kind),
                      pgs_spv_uint(m, options->stream), pgs_spv_uint(m, listed_primitives(p)),
                      pgs_spv_uint(m, p->assembly.flags));
        return;
    }
    const uint32_t instance =
        pgs_spv_load_input(m, list, uint_type, SpvDecorationBuiltIn, SpvBuiltInInstanceIndex);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN], inline_draw, vertex,
                  instance, pgs_spv_uint(m, p->info->output_kind), pgs_spv_uint(m, options->stream),
                  pgs_spv_uint(m, listed_primitives(p)), pgs_spv_uint(m, p->assembly.flags),
                  pgs_spv_uint(m, options->many_records));
}

static uint32_t write_main(struct raster_pass *p, uint32_t invocation)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m), function = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    const uint32_t inline_draw =
        pgs_spv_load_input(m, list, pgs_spv_type_uvec(m, 4), SpvDecorationLocation, 0);
    if (p->access.options->record_inputs)
        take_record(p);
    call_begin(p, inline_draw);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, invocation);
    p->access.is_there = PGS_SPV_VALUE(
        m, list, SpvOpFunctionCall, pgs_spv_type(m, SpvOpTypeBool, NULL, 0), p->functions[FOUND],
        pgs_spv_uint(m, p->info->max_vertices), pgs_spv_uint(m, p->emits_what));
    pgs_spv_kept_load(&p->access, p->kept);
    pgs_spv_kept_store(&p->access, &p->copies, p->kept);
    pgs_spv_store_raster_builtins(&p->access);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Links only the vertex functions that are called. */
static void link_functions(struct raster_pass *p)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++)
        names[i] = i < FRONT || p->functions[i] ? function_names[i] : NULL;
    const bool joined = p->access.options->joined_el, by_patch = p->access.options->by_patch;
    const bool indexed = p->access.options->indexed;
    if (joined || by_patch || indexed)
        names[BEGIN] = NULL;
    if (!indexed)
        names[BEGIN_INDEXED] = NULL;
    if (!joined)
        names[BEGIN_JOINED] = NULL;
    if (!by_patch)
        names[BEGIN_PATCH] = NULL;
    names[by_patch ? FIND : FIND_PATCH] = NULL;
    for (int i = SKIP; i <= IS_DONE; i++)
        names[i] = p->functions[i] ? function_names[i] : NULL;
    names[CHOOSE_VERTEX] = pgs_spv_front_choose_name(&p->vertex);
    if (!p->access.options->select_viewport)
        names[SELECT_VIEWPORT] = NULL;
    if (!p->access.options->record_inputs)
        names[TAKE] = names[TAKE_ATTRIBUTE] = NULL;
    pgs_spv_link(p->access.m,
                 p->access.options->record_inputs ? &pgs_lib_geometry_raster_inputs
                                                  : &pgs_lib_geometry_raster,
                 names, p->functions, FUNCTION_COUNT);
    p->access.select_viewport = p->functions[SELECT_VIEWPORT];
}

/* Drivers run this for each vertex, so what it has to count matters. */
static enum emits find_emits(const struct raster_pass *p)
{
    const struct pgs_spv_raster_options *options = p->access.options;
    if (options->indexed)
        return EMITS_INDEXED;
    if (!p->info->one_strip || p->info->stream_mask != UINT32_C(1) << options->stream)
        return EMITS_STRIPS;
    return options->joined_el ? EMITS_JOINED : EMITS_ONE_STRIP;
}

/* Runs of a loop what the wanted vertex needs. To ask in others whether it is there costs GPUs more
 * than it saves; of static emits they are unrolled. */
static void shorten_loop(struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_emit_functions functions = {.end_primitive = p->functions[END_STRIP]};
    const uint32_t skip = pgs_spv_new_id(m), is_done = pgs_spv_new_id(m);
    memcpy(functions.emits, p->emits, sizeof(functions.emits));
    if (p->info->pattern.is_known || p->emits_what == EMITS_STRIPS ||
        !pgs_spv_skip_emits(m, &functions, skip))
        return;
    pgs_spv_end_early(m, &functions, is_done, p->emits_what);
    p->functions[SKIP] = skip;
    p->functions[IS_DONE] = is_done;
}

/* Turns the module into one that is no geometry shader any more. */
static void transform(struct raster_pass *p, const struct pgs_spv_front *front,
                      const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->access.m;
    const uint32_t app_main = m->entry[2];
    const bool pushes = pgs_spv_has_push_constants(m);
    pgs_spv_note_outputs(m, p->access.outputs, &p->copies);
    pgs_spv_lower_io(m, SpvStorageClassPrivate);
    pgs_spv_declare_outputs(m, &p->copies);
    p->functions[PUSH_ADDRESS] = pushes ? pgs_spv_new_id(m) : 0;
    if (pgs_spv_io_vars_have(inputs, SpvBuiltInViewIndex))
        p->functions[VIEW_INDEX] = pgs_spv_new_id(m);
    p->functions[END_STRIP] = pgs_spv_new_id(m);
    pgs_spv_push_constants_to_memory(m, p->functions[PUSH_ADDRESS]);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        p->emits[s] = p->info->stream_mask >> s & 1 ? pgs_spv_new_id(m) : 0;
    p->emits_what = find_emits(p);
    pgs_spv_replace_emits(m, p->emits, p->functions[END_STRIP], NULL, 0);
    shorten_loop(p);
    pgs_spv_add_front(m, front, &p->info->in, p->functions + FRONT, &p->vertex);
    link_functions(p);
    pgs_spv_leave_stage(m);
    pgs_spv_kept_declare(&p->access, p->kept);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        if (p->emits[s])
            write_emit(p, s);
    const uint32_t invocation = write_invocation(p, app_main, inputs);
    pgs_spv_make_vertex(m, write_main(p, invocation));
}

static enum pgs_spv_result
to_raster(const struct pgs_spv_front *front, const struct pgs_spv_shader *gs,
          const struct pgs_spv_geometry_info *info, const struct pgs_spv_assembly *assembly,
          const struct pgs_spv_raster_options *options, struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (options->stream >= PGS_SPV_STREAMS ||
        (options->joined_el && (!info->one_strip || options->many_records)) ||
        (options->indexed && (!info->pattern.is_known || options->many_records ||
                              info->stream_mask != UINT32_C(1) << options->stream)))
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct raster_pass p = {.info = info, .assembly = pgs_spv_front_assembly(front, assembly)};
        p.access = pgs_spv_open_raster(&m, info, options, &outputs);
        p.access.load = load_builtin;
        p.access.source = &p;
        p.kept = pgs_spv_kept_new(&p.access);
        if (m.result == PGS_SPV_OK)
            transform(&p, front, &inputs);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}

enum pgs_spv_result pgs_spv_fused_to_raster(const struct pgs_spv_shader *vs,
                                            const struct pgs_spv_vertex_options *vertex,
                                            const struct pgs_spv_shader *gs,
                                            const struct pgs_spv_geometry_info *info,
                                            const struct pgs_spv_assembly *assembly,
                                            const struct pgs_spv_raster_options *options,
                                            struct pgs_spv_blob *out)
{
    return to_raster(&(struct pgs_spv_front){.vs = vs, .vertex = vertex}, gs, info, assembly,
                     options, out);
}

enum pgs_spv_result pgs_spv_evaluated_to_raster(const struct pgs_spv_shader *tes,
                                                const struct pgs_spv_evaluation_options *evaluation,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out)
{
    return to_raster(&(struct pgs_spv_front){.tes = tes, .evaluation = evaluation}, gs, info,
                     assembly, options, out);
}
