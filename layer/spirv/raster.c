/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that hands what a geometry shader emitted to the rasterizer. User outputs keep
 * their variables; built-ins get new ones.
 */
#include "shaders/embedded.h"
#include "spirv/geometry.h"

enum { BEGIN, LOAD, LOAD4, FUNCTION_COUNT };

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_raster_begin",
    [LOAD] = "pgs_raster_load",
    [LOAD4] = "pgs_raster_load4",
};

struct raster_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_geometry_info *info;
    const struct pgs_spv_raster_options *options;
    const struct pgs_spv_leaves *outputs;
    uint8_t *invariant; /* by built-in, below 64 */
    uint32_t functions[FUNCTION_COUNT];
};

/* Captured built-ins that nobody writes are not for the rasterizer. */
static bool writes(const struct raster_pass *p, uint32_t builtin)
{
    for (uint32_t i = 0; i < p->outputs->count; i++) {
        if (p->outputs->items[i].builtin == builtin && p->outputs->items[i].touched)
            return true;
    }
    return false;
}

/* Which built-ins were invariant, before their decorations go. */
static void note_invariant(struct raster_pass *p)
{
    p->invariant = pgs_spv_zalloc(p->m, 64, 1);
    for (uint32_t i = 0; p->invariant && i < p->outputs->count; i++) {
        const struct pgs_spv_leaf *leaf = &p->outputs->items[i];
        if (leaf->builtin >= 64)
            continue;
        bool invariant = pgs_spv_decoration(p->m, leaf->variable, -1, SpvDecorationInvariant, NULL);
        const uint32_t *variable = pgs_spv_def(p->m, leaf->variable);
        const uint32_t *pointer =
            variable ? pgs_spv_def_op(p->m, variable[1], SpvOpTypePointer) : NULL;
        if (pointer && leaf->depth && pgs_spv_def_op(p->m, pointer[3], SpvOpTypeStruct))
            invariant = invariant || pgs_spv_decoration(p->m, pointer[3], (int32_t)leaf->path[0],
                                                        SpvDecorationInvariant, NULL);
        p->invariant[leaf->builtin] |= invariant;
    }
}

static uint32_t new_builtin(const struct raster_pass *p, uint32_t storage_class, uint32_t type,
                            uint32_t builtin)
{
    const uint32_t variable = pgs_spv_variable(p->m, storage_class, type);
    PGS_SPV_DECORATE(p->m, variable, SpvDecorationBuiltIn, builtin);
    if (storage_class == SpvStorageClassOutput && builtin < 64 && p->invariant[builtin])
        pgs_spv_decorate(p->m, variable, SpvDecorationInvariant, NULL, 0);
    return variable;
}

static uint32_t load_word(const struct raster_pass *p, uint32_t type, uint32_t word)
{
    const uint32_t value = PGS_SPV_VALUE(p->m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(p->m),
                                         p->functions[LOAD], pgs_spv_uint(p->m, word));
    return PGS_SPV_VALUE(p->m, p->list, SpvOpBitcast, type, value);
}

/* An output of one word, int or float. */
static void store_word(const struct raster_pass *p, uint32_t variable, uint32_t type, uint32_t word)
{
    PGS_SPV_APPEND(p->m, p->list, SpvOpStore, variable, load_word(p, type, word));
}

static void store_distances(const struct raster_pass *p, uint32_t builtin, uint32_t capability,
                            uint32_t word, uint32_t count)
{
    struct pgs_spv_module *m = p->m;
    uint32_t parts[16];
    if (word == PGS_NO_WORD || count == 0 || count > 16 || !writes(p, builtin))
        return;
    const uint32_t float_type = pgs_spv_type_float(m, 32);
    const uint32_t array =
        pgs_spv_type(m, SpvOpTypeArray, (const uint32_t[]){float_type, pgs_spv_uint(m, count)}, 2);
    const uint32_t variable = new_builtin(p, SpvStorageClassOutput, array, builtin);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = load_word(p, float_type, word + i);
    const uint32_t value = pgs_spv_value(m, p->list, SpvOpCompositeConstruct, array, parts, count);
    PGS_SPV_APPEND(m, p->list, SpvOpStore, variable, value);
    pgs_spv_add_capability(m, capability);
}

/* Layer and viewport index from a vertex shader are core in SPIR-V 1.5. The older extension's
 * capability would imply Geometry, which the driver refuses. */
static void store_view(const struct raster_pass *p, bool wanted, uint32_t builtin,
                       uint32_t capability, uint32_t word)
{
    struct pgs_spv_module *m = p->m;
    if (!wanted || word == PGS_NO_WORD || !writes(p, builtin))
        return;
    const uint32_t type = pgs_spv_type_int(m);
    store_word(p, new_builtin(p, SpvStorageClassOutput, type, builtin), type, word);
    pgs_spv_add_capability(m, capability);
    if (m->version < PGS_SPV_VERSION(1, 5))
        m->version = PGS_SPV_VERSION(1, 5);
}

static uint32_t flat_output(const struct raster_pass *p, uint32_t location)
{
    const uint32_t variable = pgs_spv_variable(p->m, SpvStorageClassOutput, pgs_spv_type_int(p->m));
    PGS_SPV_DECORATE(p->m, variable, SpvDecorationLocation, location);
    pgs_spv_decorate(p->m, variable, SpvDecorationFlat, NULL, 0);
    return variable;
}

/* All vertices of a primitive have the same layer, so all of one that is not drawn meet far outside
 * of the clip volume. Beyond all of its planes and by that much, that drivers drop points there
 * however large they are, and with the depth clamped. */
static uint32_t select_position(const struct raster_pass *p, uint32_t type, uint32_t position)
{
    static const uint32_t outside[4] = {0x47800000u, 0x47800000u, 0x40000000u,
                                        0x3F800000u}; /* 65536, 65536, 2, 1 */
    struct pgs_spv_module *m = p->m;
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const struct pgs_spv_layout *layout = &p->info->out[p->options->stream];
    const uint32_t float_type = pgs_spv_type_float(m, 32), uint_type = pgs_spv_type_uint(m);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t bools = pgs_spv_type(m, SpvOpTypeVector, (const uint32_t[]){bool_type, 4}, 2);
    const uint32_t attribute = pgs_spv_variable(m, SpvStorageClassInput, uint_type);
    uint32_t parts[4];
    PGS_SPV_DECORATE(m, attribute, SpvDecorationLocation, 1);
    const uint32_t drawn = PGS_SPV_VALUE(m, p->list, SpvOpLoad, uint_type, attribute);
    if (p->options->pass_layer)
        PGS_SPV_APPEND(m, p->list, SpvOpStore, flat_output(p, p->options->layer_location),
                       PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_int(m), drawn));
    const uint32_t layer =
        writes(p, SpvBuiltInLayer) ? load_word(p, uint_type, layout->layer_w) : pgs_spv_uint(m, 0);
    const uint32_t same = PGS_SPV_VALUE(m, p->list, SpvOpIEqual, bool_type, drawn, layer);
    for (int i = 0; i < 4; i++)
        parts[i] = PGS_SPV_VALUE(m, globals, SpvOpConstant, float_type, outside[i]);
    const uint32_t away = pgs_spv_value(m, globals, SpvOpConstantComposite, type, parts, 4);
    const uint32_t here =
        PGS_SPV_VALUE(m, p->list, SpvOpCompositeConstruct, bools, same, same, same, same);
    return PGS_SPV_VALUE(m, p->list, SpvOpSelect, type, here, position, away);
}

static void store_position(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_layout *layout = &p->info->out[p->options->stream];
    const uint32_t type = pgs_spv_type_vector(m, pgs_spv_type_float(m, 32), 4);
    if (layout->position_w == PGS_NO_WORD)
        return;
    const uint32_t variable = new_builtin(p, SpvStorageClassOutput, type, SpvBuiltInPosition);
    const uint32_t words = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, 4),
                                         p->functions[LOAD4], pgs_spv_uint(m, layout->position_w));
    uint32_t position = PGS_SPV_VALUE(m, p->list, SpvOpBitcast, type, words);
    if (p->options->select_layer)
        position = select_position(p, type, position);
    PGS_SPV_APPEND(m, p->list, SpvOpStore, variable, position);
}

static void store_builtins(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_layout *layout = &p->info->out[p->options->stream];
    const uint32_t float_type = pgs_spv_type_float(m, 32), int_type = pgs_spv_type_int(m);
    store_position(p);
    if (layout->point_size_w != PGS_NO_WORD && writes(p, SpvBuiltInPointSize)) {
        store_word(p, new_builtin(p, SpvStorageClassOutput, float_type, SpvBuiltInPointSize),
                   float_type, layout->point_size_w);
    } else if (p->options->write_point_size) {
        const uint32_t one =
            PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, float_type, 0x3F800000u);
        PGS_SPV_APPEND(m, p->list, SpvOpStore,
                       new_builtin(p, SpvStorageClassOutput, float_type, SpvBuiltInPointSize), one);
    }
    store_distances(p, SpvBuiltInClipDistance, SpvCapabilityClipDistance, layout->clip_distance_w,
                    layout->clip_distance_count);
    store_distances(p, SpvBuiltInCullDistance, SpvCapabilityCullDistance, layout->cull_distance_w,
                    layout->cull_distance_count);
    store_view(p, p->options->write_layer, SpvBuiltInLayer, SpvCapabilityShaderLayer,
               layout->layer_w);
    store_view(p, p->options->write_viewport_index, SpvBuiltInViewportIndex,
               SpvCapabilityShaderViewportIndex, layout->viewport_index_w);
    if (p->options->primitive_id_location != UINT32_MAX && layout->primitive_id_w != PGS_NO_WORD) {
        store_word(p, flat_output(p, p->options->primitive_id_location), int_type,
                   layout->primitive_id_w);
    }
}

static uint32_t write_main(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t uint_type = pgs_spv_type_uint(m), pair_type = pgs_spv_type_uvec(m, 2);
    const uint32_t slots = pgs_spv_variable(m, SpvStorageClassInput, pair_type),
                   function = pgs_spv_new_id(m);
    const uint32_t index = new_builtin(p, SpvStorageClassInput, uint_type, SpvBuiltInVertexIndex);
    const struct pgs_spv_port port = {.m = m,
                                      .list = p->list,
                                      .layout = &p->info->out[p->options->stream],
                                      .load = p->functions[LOAD],
                                      .load4 = p->functions[LOAD4]};
    PGS_SPV_DECORATE(m, slots, SpvDecorationLocation, 0);
    PGS_SPV_APPEND(m, p->list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, p->list, SpvOpLabel, pgs_spv_new_id(m));
    const uint32_t slots_value = PGS_SPV_VALUE(m, p->list, SpvOpLoad, pair_type, slots);
    const uint32_t index_value = PGS_SPV_VALUE(m, p->list, SpvOpLoad, uint_type, index);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, p->functions[BEGIN], slots_value,
                  index_value, pgs_spv_uint(m, p->info->out_stride_w));
    for (uint32_t i = 0; i < p->outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_leaf *leaf = &p->outputs->items[i];
        const uint32_t value =
            leaf->builtin == PGS_SPV_NO_BUILTIN ? pgs_spv_load_leaf(&port, leaf, 0) : 0;
        if (value)
            PGS_SPV_APPEND(m, p->list, SpvOpStore,
                           pgs_spv_leaf_pointer(m, p->list, leaf, SpvStorageClassOutput, 0), value);
    }
    store_builtins(p);
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (options->stream >= PGS_SPV_STREAMS)
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct raster_pass p = {.m = &m,
                                .list = &m.sections[PGS_SPV_FUNCTIONS],
                                .info = info,
                                .options = options,
                                .outputs = &outputs};
        outputs = pgs_spv_leaves_of_stream(&m, &outputs, options->stream);
        note_invariant(&p);
        pgs_spv_keep_outputs(&m, &outputs, false);
        if (m.version < PGS_SPV_VERSION(1, 3))
            m.version = PGS_SPV_VERSION(1, 3);
        pgs_spv_link(&m, pgs_lib_raster, pgs_lib_raster_words, function_names, p.functions,
                     FUNCTION_COUNT);
        const uint32_t function = m.result == PGS_SPV_OK ? write_main(&p) : 0;
        pgs_spv_collect_garbage(&m, false);
        pgs_spv_set_entry(&m, SpvExecutionModelVertex, function, "main");
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
