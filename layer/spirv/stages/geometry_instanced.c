/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> vertex shader of the application's own draw. All vertices that the
 * geometry shader reads are the one that the invocation shades, so the first vertex of each strip
 * is what it makes of that one.
 */
#include "spirv/stages/geometry_instanced.h"

#include "spirv/analysis/picked.h"
#include "spirv/io/io_access.h"
#include "spirv/io/join_pushes.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/inline_calls.h"
#include "spirv/ir/rewrite.h"
#include "spirv/stages/early_end.h"
#include "spirv/stages/geometry_parts.h"
#include "spirv/stages/raster_kept.h"
#include "spirv/stages/vertex_part.h"
#include "spirv/stages/vertex_shade.h"

struct instanced {
    struct pgs_spv_raster_access access; /* with this struct as `source` */
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_one_vertex one; /* with `picks`: the first emit of the way is its only strip */
    struct pgs_spv_output_copies copies;
    struct pgs_spv_vertex_part vertex;
    uint32_t functions[PGS_SPV_VERTEX_FUNCTIONS];
    uint32_t instance; /* id of the driver's gl_InstanceIndex; 0: not declared */
    uint32_t *kept;    /* [outputs]: variables for the vertex to output; in the end their values */
    uint32_t emitted;  /* variable: vertices so far */
    uint32_t wanted;   /* variable: the number of the one to output */
    uint32_t emit;     /* function */
    uint32_t is_done;  /* function; 0: the shader runs to its end */
};

/* -- the vertex shader -- */

static uint32_t load_instance(struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    const uint32_t type = pgs_spv_type_uint(m);
    if (!p->instance) {
        p->instance = pgs_spv_variable(m, SpvStorageClassInput, type);
        PGS_SPV_DECORATE(m, p->instance, SpvDecorationBuiltIn, SpvBuiltInInstanceIndex);
    }
    return PGS_SPV_VALUE(m, p->access.list, SpvOpLoad, type, p->instance);
}

/* A built-in as the application knows it. */
static uint32_t load_input(struct instanced *p, enum pgs_spv_vertex_function function)
{
    struct pgs_spv_module *m = p->access.m;
    const uint32_t type = pgs_spv_type_uint(m), strips = p->one.strips;
    static const uint32_t builtins[PGS_SPV_VERTEX_FUNCTIONS] = {
        [PGS_SPV_VERTEX_INDEX] = SpvBuiltInVertexIndex,
        [PGS_SPV_VERTEX_BASE_VERTEX] = SpvBuiltInBaseVertex,
        [PGS_SPV_VERTEX_BASE_INSTANCE] = SpvBuiltInBaseInstance,
        [PGS_SPV_VERTEX_DRAW_INDEX] = SpvBuiltInDrawIndex,
    };
    const bool is_instance = function == PGS_SPV_VERTEX_INSTANCE_INDEX;
    if (function != PGS_SPV_VERTEX_INDEX && !is_instance)
        pgs_spv_add_capability(m, SpvCapabilityDrawParameters);
    const uint32_t id = is_instance ? load_instance(p)
                                    : pgs_spv_load_input(m, p->access.list, type,
                                                         SpvDecorationBuiltIn, builtins[function]);
    return strips > 1 && (is_instance || function == PGS_SPV_VERTEX_BASE_INSTANCE)
               ? PGS_SPV_VALUE(m, p->access.list, SpvOpUDiv, type, id, pgs_spv_uint(m, strips))
               : id;
}

/* The functions by which the vertex shader asks for its built-ins. */
static void write_inputs(struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t type = pgs_spv_type_uint(m);
    const uint32_t signature = pgs_spv_type(m, SpvOpTypeFunction, &type, 1);
    for (uint32_t i = 0; i < PGS_SPV_VERTEX_FUNCTIONS; i++) {
        if (!p->functions[i])
            continue;
        if (i > PGS_SPV_VERTEX_DRAW_INDEX) { /* views */
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        PGS_SPV_APPEND(m, list, SpvOpFunction, type, p->functions[i], SpvFunctionControlMaskNone,
                       signature);
        PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
        PGS_SPV_APPEND(m, list, SpvOpReturnValue, load_input(p, (enum pgs_spv_vertex_function)i));
        pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    }
}

/* -- the geometry shader -- */

/* void emit(): keeps the wanted vertex. */
static void write_emit(const struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, pgs_spv_type_void(m), p->emit,
                   SpvFunctionControlMaskNone, pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    const uint32_t emitted = PGS_SPV_VALUE(m, list, SpvOpLoad, uint_type, p->emitted);
    const uint32_t wanted = PGS_SPV_VALUE(m, list, SpvOpLoad, uint_type, p->wanted);
    const uint32_t is_it = PGS_SPV_VALUE(m, list, SpvOpIEqual,
                                         pgs_spv_type(m, SpvOpTypeBool, NULL, 0), emitted, wanted);
    const uint32_t done = pgs_spv_begin_if(m, list, is_it);
    pgs_spv_kept_copy(&p->access, p->kept);
    pgs_spv_end_if(m, list, done);
    PGS_SPV_APPEND(m, list, SpvOpStore, p->emitted,
                   PGS_SPV_VALUE(m, list, SpvOpIAdd, uint_type, emitted, pgs_spv_uint(m, 1)));
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
}

/* bool is_done(uint): of one strip in each invocation the first vertex is all that is wanted. */
static void write_is_done(const struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t parameter = pgs_spv_type_uint(m);
    const uint32_t words[] = {type, parameter};
    PGS_SPV_APPEND(m, list, SpvOpFunction, type, p->is_done, SpvFunctionControlMaskNone,
                   pgs_spv_type(m, SpvOpTypeFunction, words, 2));
    PGS_SPV_APPEND(m, list, SpvOpFunctionParameter, parameter, pgs_spv_new_id(m));
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    PGS_SPV_APPEND(m, list, SpvOpReturnValue,
                   pgs_spv_known_constant(m, SpvOpConstantTrue, type, 1));
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
}

/* All vertices of the primitive are the one that has been shaded. A broken module may declare
 * longer arrays, even of 2^32. */
static void fill_vertices(const struct instanced *p, const struct pgs_spv_io_vars *inputs)
{
    const struct pgs_spv_io_access access = {.m = p->access.m,
                                             .list = p->access.list,
                                             .layout = &p->info->in,
                                             .variable = p->vertex.stored,
                                             .writes = p->vertex.writes};
    for (uint32_t i = 0; i < inputs->count; i++)
        for (uint32_t v = 0; v < inputs->items[i].vertices && v < p->info->input_vertices; v++)
            pgs_spv_fill_vertex(&access, &inputs->items[i], pgs_spv_uint(p->access.m, v));
}

/* Fills the number of the invocation. That of the primitive concerns no output. */
static void fill_builtins(const struct instanced *p, const struct pgs_spv_io_vars *inputs,
                          uint32_t invocation)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &inputs->items[i];
        if (var->vertices)
            continue;
        if (var->builtin != SpvBuiltInInvocationId && var->builtin != SpvBuiltInPrimitiveId) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        const uint32_t number =
            var->builtin == SpvBuiltInInvocationId ? invocation : pgs_spv_uint(m, 0);
        PGS_SPV_APPEND(m, list, SpvOpStore,
                       pgs_spv_io_var_pointer(m, list, var, SpvStorageClassPrivate, 0),
                       pgs_spv_from_uint(m, list, var, number));
    }
}

/* Stores which vertex is wanted of which invocation. Returns the number of the latter. */
static uint32_t choose_strip(struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const struct pgs_spv_one_vertex *one = &p->one;
    const uint32_t type = pgs_spv_type_uint(m), zero = pgs_spv_uint(m, 0);
    const uint32_t each = pgs_spv_uint(m, one->each);
    uint32_t strip = zero, wanted = zero;
    if (one->strips > 1)
        strip =
            PGS_SPV_VALUE(m, list, SpvOpUMod, type, load_instance(p), pgs_spv_uint(m, one->strips));
    if (one->each > 1)
        wanted = PGS_SPV_VALUE(m, list, SpvOpIMul, type,
                               PGS_SPV_VALUE(m, list, SpvOpUMod, type, strip, each),
                               pgs_spv_uint(m, p->info->input_vertices));
    PGS_SPV_APPEND(m, list, SpvOpStore, p->emitted, zero);
    PGS_SPV_APPEND(m, list, SpvOpStore, p->wanted, wanted);
    return one->each > 1 ? PGS_SPV_VALUE(m, list, SpvOpUDiv, type, strip, each) : strip;
}

/* -- the shader -- */

static uint32_t load_builtin(const struct pgs_spv_raster_access *access, uint32_t type,
                             uint32_t builtin, uint32_t element)
{
    const struct instanced *p = access->source;
    return pgs_spv_kept_builtin(access, p->kept, type, builtin, element);
}

static uint32_t write_main(struct instanced *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m), function = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->vertex.run);
    fill_vertices(p, inputs);
    fill_builtins(p, inputs, choose_strip(p));
    pgs_spv_zero_targets(m, list, p->access.outputs);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, app_main);
    pgs_spv_kept_load(&p->access, p->kept);
    pgs_spv_kept_store(&p->access, &p->copies, p->kept);
    pgs_spv_store_raster_builtins(&p->access);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Leaves the loop of emits behind the first one, so that drivers need not find out that the others
 * concern nobody: they do not unroll it if there is a loop of unknown length in it. */
static void end_at_first(struct instanced *p)
{
    struct pgs_spv_module *m = p->access.m;
    const struct pgs_spv_emit_functions functions = {.emits = {p->emit}};
    if (p->one.each != 1 || p->info->input_vertices == 1 || !pgs_spv_can_rename(m))
        return;
    p->is_done = pgs_spv_new_id(m);
    pgs_spv_inline_calls(m);
    pgs_spv_end_early(m, &functions, p->is_done, 0);
}

static bool is_other_emit(const uint32_t *ins, void *context)
{
    return pgs_spv_op(ins) == SpvOpEmitVertex && ins != context;
}

/* Of a shader that picks vertices: branches take the way to the first emit, and others are left
 * out. */
static void take_way(struct pgs_spv_module *m, const struct pgs_spv_picked *picked)
{
    const uint32_t type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    for (uint32_t i = 0; i < picked->way_count; i++) {
        const struct pgs_spv_picked_way *way = &picked->ways[i];
        way->branch[1] = pgs_spv_known_constant(
            m, way->is_true ? SpvOpConstantTrue : SpvOpConstantFalse, type, way->is_true);
    }
    pgs_spv_filter(&m->sections[PGS_SPV_FUNCTIONS], is_other_emit, (void *)picked->first);
}

static void transform(struct instanced *p, const struct pgs_spv_shader *vs,
                      const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = p->access.m;
    const uint32_t app_main = m->entry[2];
    struct pgs_spv_vertex_options vertex = {.out = p->info->in, .is_native = true};
    uint32_t emits[PGS_SPV_STREAMS] = {p->emit = pgs_spv_new_id(m)};
    pgs_spv_note_outputs(m, p->access.outputs, &p->copies);
    pgs_spv_lower_io(m, SpvStorageClassPrivate);
    pgs_spv_declare_outputs(m, &p->copies);
    pgs_spv_drop_ends(m);
    pgs_spv_replace_emits(m, emits, 0, NULL, 0);
    end_at_first(p);
    pgs_spv_add_vertex(m, vs, &vertex, p->functions, &p->vertex);
    pgs_spv_join_push_constants(m);
    if (m->result != PGS_SPV_OK)
        return;
    pgs_spv_leave_stage(m);
    pgs_spv_kept_declare(&p->access, p->kept);
    p->emitted = pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type_uint(m));
    p->wanted = pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type_uint(m));
    write_inputs(p);
    write_emit(p);
    if (p->is_done)
        write_is_done(p);
    pgs_spv_make_vertex(m, write_main(p, app_main, inputs));
}

enum pgs_spv_result pgs_spv_instanced_to_raster(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (options->stream != 0 || !(info->one_vertex.strips || info->may_pick))
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_emit_facts facts = pgs_spv_emit_facts_of(info);
        struct pgs_spv_picked picked;
        struct instanced p = {.info = info, .one = info->one_vertex};
        if (info->may_pick)
            p.one = (struct pgs_spv_one_vertex){.strips = 1, .each = 1};
        if (info->may_pick && pgs_spv_find_picked(&m, &facts, &inputs, &outputs, &picked))
            take_way(&m, &picked);
        else if (info->may_pick)
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        p.access = pgs_spv_open_raster(&m, info, options, &outputs);
        p.access.load = load_builtin;
        p.access.source = &p;
        p.kept = pgs_spv_kept_new(&p.access);
        if (m.result == PGS_SPV_OK)
            transform(&p, vs, &inputs);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
