/* SPDX-License-Identifier: MIT
 *
 * Geometry shader, optionally with the vertex shader in front of it -> compute shader that writes
 * to the transform feedback buffers.
 */
#include "spirv/stages/geometry_capture.h"

#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/analysis/effects.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/stages/capture.h"
#include "spirv/stages/control_shared.h"
#include "spirv/stages/geometry_parts.h"
#include "spirv/stages/rings.h"

enum {
    BEGIN, /* of a GS invocation */
    PRIMITIVE_ID,
    INVOCATION_ID,
    COMPLETES,
    END_STRIP,
    CHOOSE, /* linked only if called */
    CAPTURE_TO,
    STORE,
    STORE4,
    LOAD,
    LOAD4,
    ELEMENT,
    CHOOSE_VERTEX,
    CHUNKS_BEGIN,
    CHUNKS_NEXT,
    FRONT, /* those of a struct pgs_spv_front */
    VIEW_INDEX = FRONT + PGS_SPV_VERTEX_VIEW_INDEX,
    PUSH_ADDRESS = FRONT + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT = FRONT + PGS_SPV_FRONT_FUNCTIONS,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_geometry_capture_begin", /* in chunks pgs_chunks_find_invocation */
    [PRIMITIVE_ID] = "pgs_primitive_id",
    [INVOCATION_ID] = "pgs_invocation_id",
    [COMPLETES] = "pgs_geometry_capture_completes",
    [END_STRIP] = "pgs_geometry_capture_end_strip",
    [CHOOSE] = "pgs_geometry_capture_choose",
    [CAPTURE_TO] = "pgs_self_capture_to",
    [STORE] = "pgs_self_capture_store",
    [STORE4] = "pgs_self_capture_store4",
    [LOAD] = "pgs_load",
    [LOAD4] = "pgs_load4",
    [ELEMENT] = "pgs_element",
    [CHUNKS_BEGIN] = "pgs_chunks_begin",
    [CHUNKS_NEXT] = "pgs_chunks_next",
    [FRONT] = PGS_SPV_FRONT_FUNCTION_NAMES,
};

struct capture_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_assembly assembly;
    const struct pgs_spv_io_vars *outputs;
    struct pgs_spv_ring rings[PGS_SPV_STREAMS]; /* last vertices of the stream, newest first */
    uint32_t functions[FUNCTION_COUNT];
    uint32_t emits[PGS_SPV_STREAMS]; /* ids of functions; 0: nothing is emitted to the stream */
    struct pgs_spv_vertex_part vertex;
};

static bool captures(const struct capture_pass *p, uint32_t stream)
{
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS; b++) {
        if (p->info->xfb.stride_B[b] && p->info->xfb.stream[b] == stream)
            return true;
    }
    return false;
}

/* What nothing writes is captured as 0. */
static bool is_kept(const struct capture_pass *p, uint32_t output, uint32_t stream)
{
    const struct pgs_spv_io_var *var = &p->outputs->items[output];
    return var->captured && var->referenced && var->stream == stream;
}

/* What a stream captures of its vertices. Returns how many values those are. */
static uint32_t collect_kept(const struct capture_pass *p, uint32_t stream, uint32_t *types)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->outputs->count; i++)
        if (is_kept(p, i, stream))
            types[count++] = p->outputs->items[i].type;
    return count;
}

/* Points are captured where they are emitted. */
static void declare_rings(struct capture_pass *p)
{
    uint32_t *types = pgs_spv_zalloc(p->m, p->outputs->count + 1u, sizeof(*types));
    for (uint32_t s = 0; types && p->info->output_kind > 1 && s < PGS_SPV_STREAMS; s++) {
        const uint32_t count = collect_kept(p, s, types);
        if (p->emits[s] && count)
            p->rings[s] = pgs_spv_make_ring(p->m, types, count, p->info->output_kind);
    }
}

/* Shifts the vertices instead of moving an index: all indices stay constants, so compilers need no
 * array. */
static void keep_vertex(const struct capture_pass *p, uint32_t stream)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_ring *ring = &p->rings[stream];
    uint32_t *values = pgs_spv_zalloc(m, p->outputs->count + 1u, sizeof(*values)), count = 0;
    if (!values || !ring->variable)
        return;
    for (uint32_t place = p->info->output_kind; --place > 0;)
        pgs_spv_store_ring(m, p->list, ring, place,
                           pgs_spv_load_ring(m, p->list, ring, pgs_spv_uint(m, place - 1)));
    for (uint32_t i = 0; i < p->outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &p->outputs->items[i];
        if (is_kept(p, i, stream))
            values[count++] =
                PGS_SPV_VALUE(m, p->list, SpvOpLoad, var->type,
                              pgs_spv_io_var_pointer(m, p->list, var, SpvStorageClassPrivate, 0));
    }
    pgs_spv_store_ring(
        m, p->list, ring, 0,
        pgs_spv_value(m, p->list, SpvOpCompositeConstruct, ring->type, values, count));
}

/* The values of the vertex at a place of the ring, by output; NULL: there is none. */
static const uint32_t *load_vertex(const struct capture_pass *p, uint32_t stream, uint32_t age)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_ring *ring = &p->rings[stream];
    uint32_t *values = pgs_spv_zalloc(m, p->outputs->count + 1u, sizeof(*values)), count = 0;
    if (!values || !ring->variable)
        return NULL;
    const uint32_t vertex = pgs_spv_load_ring(m, p->list, ring, age);
    for (uint32_t i = 0; i < p->outputs->count && m->result == PGS_SPV_OK; i++)
        if (is_kept(p, i, stream))
            values[i] = PGS_SPV_VALUE(m, p->list, SpvOpCompositeExtract, p->outputs->items[i].type,
                                      vertex, count++);
        else
            values[i] = PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull,
                                      p->outputs->items[i].type);
    return values;
}

static void capture_vertex(const struct capture_pass *p, uint32_t stream, uint32_t age)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_capture capture = {.access = {.m = m,
                                                       .list = p->list,
                                                       .layout = &p->info->out[stream],
                                                       .stored_class = SpvStorageClassPrivate,
                                                       .store = p->functions[STORE],
                                                       .store4 = p->functions[STORE4]},
                                            .to = p->functions[CAPTURE_TO],
                                            .outputs = p->outputs,
                                            .xfb = &p->info->xfb,
                                            .stream = stream,
                                            .values = load_vertex(p, stream, age)};
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[CHOOSE], age,
                  pgs_spv_uint(m, p->info->output_kind));
    pgs_spv_capture_outputs(&capture);
}

/* void emit(): keeps a vertex emitted to the stream, and captures the newest primitive if it
 * completes one. Uses a loop, which compilers unroll if that is not too large. */
static void write_emit(const struct capture_pass *p, uint32_t stream)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t kind = p->info->output_kind;
    const uint32_t known[] = {stream, kind, p->info->max_vertices};
    struct pgs_spv_loop loop;
    pgs_spv_begin_procedure(m, p->list, p->emits[stream]);
    keep_vertex(p, stream);
    const uint32_t done = pgs_spv_begin_guard(m, p->list, p->functions[COMPLETES], known, 3);
    if (captures(p, stream) && kind == 1) {
        capture_vertex(p, stream, pgs_spv_uint(m, 0));
    } else if (captures(p, stream)) {
        pgs_spv_begin_loop(m, p->list, pgs_spv_uint(m, kind), SpvLoopControlUnrollMask, &loop);
        capture_vertex(p, stream, loop.counter);
        pgs_spv_end_loop(m, p->list, &loop);
    }
    pgs_spv_end_guarded(m, p->list, done);
}

/* void invocation(): runs the geometry shader once. Returns its id. */
static uint32_t write_invocation(const struct capture_pass *p, uint32_t app_main,
                                 const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_geometry_info *info = p->info;
    const uint32_t function = pgs_spv_new_id(m), *primitives = info->pattern.primitives;
    const uint32_t in_stride_w = p->vertex.run ? 0 : info->in.stride_w;
    const struct pgs_spv_assembly *a = &p->assembly;
    const uint32_t known[] = {info->input_vertices, info->invocations,
                              in_stride_w,          info->has_side_effects,
                              primitives[0],        primitives[1],
                              primitives[2],        primitives[3],
                              info->stream_mask,    pgs_spv_captured_buffers(&info->xfb),
                              a->topology,          a->flags};
    const uint32_t chunked[] = {info->input_vertices, info->invocations, in_stride_w, a->topology,
                                a->flags};
    const uint32_t done = pgs_spv_begin_guarded(m, p->list, function, p->functions[BEGIN],
                                                info->pattern.is_known ? known : chunked,
                                                info->pattern.is_known ? 12 : 5);
    if (!info->pattern.is_known)
        pgs_spv_store_initial_values(m);
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
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

/* void main(): loops over the GS invocations of the workgroup. Returns its id. */
static uint32_t write_walk(const struct capture_pass *p, uint32_t invocation)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m),
                   streams = pgs_spv_stream_count(p->info->stream_mask);
    const uint32_t arguments[] = {p->info->invocations, streams,
                                  pgs_spv_captured_buffers(&p->info->xfb), p->vertex.patch != NULL,
                                  p->assembly.flags};
    struct pgs_spv_loop loop;
    const uint32_t done =
        pgs_spv_begin_guarded(m, p->list, function, p->functions[CHUNKS_BEGIN], arguments, 5);
    pgs_spv_begin_while(m, p->list, p->functions[CHUNKS_NEXT], pgs_spv_uint(m, streams), &loop);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), invocation);
    pgs_spv_end_while(m, p->list, &loop);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

static bool is_called(const struct capture_pass *p, int function)
{
    bool any = false;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        any |= p->emits[s] && captures(p, s);
    if (function >= FRONT)
        return p->functions[function];
    switch (function) {
    case CHOOSE:
    case CAPTURE_TO:
    case STORE:
    case STORE4:
        return any;
    case LOAD:
    case LOAD4:
    case ELEMENT:
        return !p->vertex.run;
    case CHOOSE_VERTEX:
        return p->vertex.run;
    case CHUNKS_BEGIN:
    case CHUNKS_NEXT:
        return !p->info->pattern.is_known;
    default:
        return true;
    }
}

static void link_functions(struct capture_pass *p)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++)
        names[i] = is_called(p, i) ? function_names[i] : NULL;
    if (p->vertex.run)
        names[CHOOSE_VERTEX] = pgs_spv_front_choose_name(&p->vertex);
    if (names[STORE4] && (p->m->pairs_words || !p->info->pattern.is_known))
        names[STORE4] = "pgs_self_capture_store4_loose";
    if (!p->info->pattern.is_known)
        names[BEGIN] = "pgs_chunks_find_invocation";
    pgs_spv_link(p->m, &pgs_lib_geometry_capture, names, p->functions, FUNCTION_COUNT);
}

static bool has_front(const struct pgs_spv_front *front)
{
    return front->vs || front->tes;
}

/* Turns the module into one that is no geometry shader any more. */
static void transform(struct capture_pass *p, const struct pgs_spv_front *front,
                      struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t app_main = m->entry[2];
    const bool pushes = pgs_spv_has_push_constants(m);
    for (int i = LOAD; i <= ELEMENT; i++)
        p->functions[i] = pgs_spv_new_id(m);
    if (!has_front(front))
        pgs_spv_address_vertices(m, p->info, p->functions[LOAD], p->functions[LOAD4],
                                 p->functions[ELEMENT], inputs);
    pgs_spv_lower_io(m, SpvStorageClassPrivate);
    p->functions[PUSH_ADDRESS] = pushes ? pgs_spv_new_id(m) : 0;
    if (pgs_spv_io_vars_have(inputs, SpvBuiltInViewIndex))
        p->functions[VIEW_INDEX] = pgs_spv_new_id(m);
    p->functions[END_STRIP] = pgs_spv_new_id(m);
    pgs_spv_push_constants_to_memory(m, p->functions[PUSH_ADDRESS]);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        p->emits[s] = p->info->stream_mask >> s & 1 ? pgs_spv_new_id(m) : 0;
    pgs_spv_replace_emits(m, p->emits, p->functions[END_STRIP], NULL, 0);
    pgs_spv_add_front(m, front, &p->info->in, p->functions + FRONT, &p->vertex);
    link_functions(p);
    declare_rings(p);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && m->result == PGS_SPV_OK; s++)
        if (p->emits[s])
            write_emit(p, s);
    uint32_t main_function = write_invocation(p, app_main, inputs);
    if (!p->info->pattern.is_known)
        main_function = write_walk(p, main_function);
    pgs_spv_make_compute(m, main_function, PGS_SHADER_GROUP_EL);
    if (!p->info->pattern.is_known)
        pgs_spv_publish_shared(m);
}

static enum pgs_spv_result to_capture(const struct pgs_spv_front *front,
                                      const struct pgs_spv_shader *gs,
                                      const struct pgs_spv_geometry_info *info,
                                      const struct pgs_spv_assembly *assembly,
                                      struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    const bool chunks = !info->pattern.is_known;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK && chunks &&
        (!has_front(front) || pgs_spv_has_side_effects(&m) || pgs_spv_needs_subgroups(&m)))
        pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
    if (m.result == PGS_SPV_OK) {
        struct capture_pass p = {.m = &m,
                                 .list = &m.sections[PGS_SPV_FUNCTIONS],
                                 .info = info,
                                 .assembly = pgs_spv_front_assembly(front, assembly),
                                 .outputs = &outputs};
        transform(&p, front, &inputs);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}

enum pgs_spv_result pgs_spv_geometry_to_capture(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_vertex_options *vertex,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out)
{
    return to_capture(&(struct pgs_spv_front){.vs = vs, .vertex = vertex}, gs, info, assembly, out);
}

enum pgs_spv_result pgs_spv_evaluated_to_capture(
    const struct pgs_spv_shader *tes, const struct pgs_spv_evaluation_options *evaluation,
    const struct pgs_spv_shader *gs, const struct pgs_spv_geometry_info *info,
    const struct pgs_spv_assembly *assembly, struct pgs_spv_blob *out)
{
    struct pgs_spv_geometry_info in_chunks = *info;
    in_chunks.pattern = (struct pgs_spv_emit_pattern){0};
    return to_capture(&(struct pgs_spv_front){.tes = tes, .evaluation = evaluation}, gs, &in_chunks,
                      assembly, out);
}
