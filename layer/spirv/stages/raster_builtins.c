/* SPDX-License-Identifier: MIT
 *
 * The built-ins that vertex shaders pass to the rasterizer in place of a geometry shader.
 */
#include "spirv/stages/raster_builtins.h"

#include "spirv/io/lacks.h"
#include "spirv/ir/builder.h"

bool pgs_spv_raster_writes(const struct pgs_spv_raster_access *p, uint32_t builtin)
{
    for (uint32_t i = 0; i < p->outputs->count; i++) {
        if (p->outputs->items[i].builtin == builtin && p->outputs->items[i].referenced)
            return true;
    }
    return false;
}

static bool is_invariant(const struct pgs_spv_module *m, const struct pgs_spv_io_var *var)
{
    if (pgs_spv_decoration(m, var->variable, -1, SpvDecorationInvariant, NULL))
        return true;
    const uint32_t *variable = pgs_spv_def(m, var->variable);
    const uint32_t *pointer = variable ? pgs_spv_def_op(m, variable[1], SpvOpTypePointer) : NULL;
    return pointer && var->depth && pgs_spv_def_op(m, pointer[3], SpvOpTypeStruct) &&
           pgs_spv_decoration(m, pointer[3], (int32_t)var->path[0], SpvDecorationInvariant, NULL);
}

static const uint8_t *note_invariant(struct pgs_spv_module *m,
                                     const struct pgs_spv_io_vars *outputs)
{
    uint8_t *invariant = pgs_spv_zalloc(m, 64, 1);
    for (uint32_t i = 0; invariant && i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        if (var->builtin < 64)
            invariant[var->builtin] |= is_invariant(m, var);
    }
    return invariant;
}

struct pgs_spv_raster_access pgs_spv_open_raster(struct pgs_spv_module *m,
                                                 const struct pgs_spv_geometry_info *info,
                                                 const struct pgs_spv_raster_options *options,
                                                 struct pgs_spv_io_vars *outputs)
{
    *outputs = pgs_spv_io_vars_of_stream(m, outputs, options->stream);
    return (struct pgs_spv_raster_access){
        .m = m,
        .list = &m->sections[PGS_SPV_FUNCTIONS],
        .layout = &info->out[options->stream],
        .outputs = outputs,
        .options = options,
        .invariant = note_invariant(m, outputs),
    };
}

static uint32_t new_output(const struct pgs_spv_raster_access *p, uint32_t type, uint32_t builtin)
{
    const uint32_t variable = pgs_spv_variable(p->m, SpvStorageClassOutput, type);
    PGS_SPV_DECORATE(p->m, variable, SpvDecorationBuiltIn, builtin);
    if (builtin < 64 && p->invariant[builtin])
        pgs_spv_decorate(p->m, variable, SpvDecorationInvariant, NULL, 0);
    return variable;
}

static void store(const struct pgs_spv_raster_access *p, uint32_t variable, uint32_t type,
                  uint32_t builtin)
{
    PGS_SPV_APPEND(p->m, p->list, SpvOpStore, variable, p->load(p, type, builtin, 0));
}

static void store_distances(const struct pgs_spv_raster_access *p, uint32_t builtin,
                            uint32_t capability, uint32_t word, uint32_t count)
{
    struct pgs_spv_module *m = p->m;
    uint32_t parts[16];
    if (word == PGS_NO_WORD || count == 0 || count > 16 || !pgs_spv_raster_writes(p, builtin))
        return;
    const uint32_t float_type = pgs_spv_type_float(m, 32);
    const uint32_t array =
        pgs_spv_type(m, SpvOpTypeArray, (const uint32_t[]){float_type, pgs_spv_uint(m, count)}, 2);
    const uint32_t variable = new_output(p, array, builtin);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = p->load(p, float_type, builtin, i);
    const uint32_t value = pgs_spv_value(m, p->list, SpvOpCompositeConstruct, array, parts, count);
    PGS_SPV_APPEND(m, p->list, SpvOpStore, variable, value);
    pgs_spv_add_capability(m, capability);
}

/* Negative values are large ones, too. */
static uint32_t limited(const struct pgs_spv_raster_access *p, uint32_t type, uint32_t value,
                        uint32_t most)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t limit =
        PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, type, most);
    const uint32_t fits = PGS_SPV_VALUE(m, p->list, SpvOpULessThan,
                                        pgs_spv_type(m, SpvOpTypeBool, NULL, 0), value, limit);
    return PGS_SPV_VALUE(m, p->list, SpvOpSelect, type, fits, value, limit);
}

/* Stores layer or viewport index. most: 0: any. */
static void store_view(const struct pgs_spv_raster_access *p, bool wanted, uint32_t builtin,
                       uint32_t word, uint32_t most)
{
    if (!wanted || word == PGS_NO_WORD || !pgs_spv_raster_writes(p, builtin))
        return;
    const uint32_t type = pgs_spv_type_int(p->m), variable = new_output(p, type, builtin);
    uint32_t value = p->load(p, type, builtin, 0);
    if (most)
        value = limited(p, type, value, most);
    PGS_SPV_APPEND(p->m, p->list, SpvOpStore, variable, value);
    pgs_spv_need_views(p->m);
}

/* The driver takes the rate from the provoking vertex, as it does what is flat. */
static void store_rate(const struct pgs_spv_raster_access *p)
{
    const uint32_t builtin = SpvBuiltInPrimitiveShadingRateKHR;
    if (p->layout->shading_rate_w == PGS_NO_WORD || !pgs_spv_raster_writes(p, builtin))
        return;
    const uint32_t type = pgs_spv_type_int(p->m);
    store(p, new_output(p, type, builtin), type, builtin);
    pgs_spv_need_rates(p->m);
}

/* Not flat: what the fragment shader gets lies between the corners of a point. */
static void store_point_coord(const struct pgs_spv_raster_access *p)
{
    const uint32_t type = pgs_spv_type_vector(p->m, pgs_spv_type_float(p->m, 32), 2);
    if (!p->point_coord)
        return;
    const uint32_t variable = pgs_spv_variable(p->m, SpvStorageClassOutput, type);
    PGS_SPV_DECORATE(p->m, variable, SpvDecorationLocation, p->options->point_coord_location);
    PGS_SPV_APPEND(p->m, p->list, SpvOpStore, variable, p->point_coord);
}

static uint32_t flat_output(const struct pgs_spv_raster_access *p, uint32_t location)
{
    const uint32_t variable = pgs_spv_variable(p->m, SpvStorageClassOutput, pgs_spv_type_int(p->m));
    PGS_SPV_DECORATE(p->m, variable, SpvDecorationLocation, location);
    pgs_spv_decorate(p->m, variable, SpvDecorationFlat, NULL, 0);
    return variable;
}

/* Id of a bool: the layer is one that is being drawn. The fragment shader gets the written value,
 * as from drivers. */
static uint32_t in_layer(const struct pgs_spv_raster_access *p, uint32_t bool_type)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    const uint32_t pair = pgs_spv_type(m, SpvOpTypeVector, (const uint32_t[]){uint_type, 2}, 2);
    const uint32_t numbers = pgs_spv_load_input(m, p->list, pair, SpvDecorationLocation, 1);
    const uint32_t first = PGS_SPV_VALUE(m, p->list, SpvOpCompositeExtract, uint_type, numbers, 0);
    const uint32_t more = PGS_SPV_VALUE(m, p->list, SpvOpCompositeExtract, uint_type, numbers, 1);
    const uint32_t layer = pgs_spv_raster_writes(p, SpvBuiltInLayer)
                               ? p->load(p, uint_type, SpvBuiltInLayer, 0)
                               : pgs_spv_uint(m, 0);
    if (p->options->pass_layer)
        PGS_SPV_APPEND(m, p->list, SpvOpStore, flat_output(p, p->options->layer_location),
                       PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_int(m), layer));
    const uint32_t beyond = PGS_SPV_VALUE(m, p->list, SpvOpISub, uint_type, layer, first);
    return PGS_SPV_VALUE(m, p->list, SpvOpULessThanEqual, bool_type, beyond, more);
}

/* The position for the viewport that is being drawn. The fragment shader gets the written index. */
static uint32_t in_viewport(const struct pgs_spv_raster_access *p, uint32_t type, uint32_t position)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    if (!p->options->select_viewport)
        return position;
    const uint32_t select =
        pgs_spv_load_input(m, p->list, pgs_spv_type_uvec(m, 4), SpvDecorationLocation, 2);
    const uint32_t index = pgs_spv_raster_writes(p, SpvBuiltInViewportIndex)
                               ? p->load(p, uint_type, SpvBuiltInViewportIndex, 0)
                               : pgs_spv_uint(m, 0);
    if (p->options->pass_viewport)
        PGS_SPV_APPEND(m, p->list, SpvOpStore, flat_output(p, p->options->viewport_location),
                       PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_int(m), index));
    return PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, type, p->select_viewport, select, index,
                         position);
}

uint32_t pgs_spv_in_view(struct pgs_spv_module *m, struct pgs_spv_list *list)
{
    const uint32_t uint_type = pgs_spv_type_uint(m);
    const uint32_t numbers =
        pgs_spv_load_input(m, list, pgs_spv_type_uvec(m, 2), SpvDecorationLocation, 1);
    const uint32_t drawn = PGS_SPV_VALUE(m, list, SpvOpCompositeExtract, uint_type, numbers, 0);
    const uint32_t view =
        pgs_spv_load_input(m, list, uint_type, SpvDecorationBuiltIn, SpvBuiltInViewIndex);
    pgs_spv_add_capability(m, SpvCapabilityMultiView);
    return PGS_SPV_VALUE(m, list, SpvOpIEqual, pgs_spv_type(m, SpvOpTypeBool, NULL, 0), view,
                         drawn);
}

/* Id of a bool: the vertex exists, and belongs to what is being drawn. 0: always. */
static uint32_t is_drawn(const struct pgs_spv_raster_access *p)
{
    const uint32_t bool_type = pgs_spv_type(p->m, SpvOpTypeBool, NULL, 0);
    const uint32_t here = p->options->select_layer  ? in_layer(p, bool_type)
                          : p->options->select_view ? pgs_spv_in_view(p->m, p->list)
                                                    : 0;
    return here && p->is_there
               ? PGS_SPV_VALUE(p->m, p->list, SpvOpLogicalAnd, bool_type, here, p->is_there)
           : here ? here
                  : p->is_there;
}

/* All vertices of a primitive have the same layer, and the same view, so a primitive of another one
 * collapses to a point far outside of the clip volume. It lies beyond all planes, far enough for
 * drivers to drop points of any size, with depth clamping, too. */
static uint32_t outside(struct pgs_spv_module *m, uint32_t type)
{
    static const uint32_t beyond[4] = {0x47800000u, 0x47800000u, 0x40000000u,
                                       0x3F800000u}; /* 65536, 65536, 2, 1 */
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t parts[4];
    for (int i = 0; i < 4; i++)
        parts[i] = PGS_SPV_VALUE(m, globals, SpvOpConstant, pgs_spv_type_float(m, 32), beyond[i]);
    return pgs_spv_value(m, globals, SpvOpConstantComposite, type, parts, 4);
}

uint32_t pgs_spv_clip_unless(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t type,
                             uint32_t drawn, uint32_t position)
{
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t bools = pgs_spv_type(m, SpvOpTypeVector, (const uint32_t[]){bool_type, 4}, 2);
    const uint32_t here =
        PGS_SPV_VALUE(m, list, SpvOpCompositeConstruct, bools, drawn, drawn, drawn, drawn);
    return PGS_SPV_VALUE(m, list, SpvOpSelect, type, here, position, outside(m, type));
}

/* Without a position nothing is drawn, but primitives that do not exist still need one to be
 * clipped. */
static void store_position(const struct pgs_spv_raster_access *p)
{
    struct pgs_spv_module *m = p->m;
    const bool has_position = p->layout->position_w != PGS_NO_WORD;
    if (!has_position && !p->is_there)
        return;
    const uint32_t type = pgs_spv_type_vector(m, pgs_spv_type_float(m, 32), 4);
    const uint32_t variable = new_output(p, type, SpvBuiltInPosition);
    uint32_t position = has_position ? p->load(p, type, SpvBuiltInPosition, 0) : outside(m, type);
    if (has_position)
        position = in_viewport(p, type, position);
    const uint32_t drawn = has_position ? is_drawn(p) : 0;
    if (drawn)
        position = pgs_spv_clip_unless(m, p->list, type, drawn, position);
    PGS_SPV_APPEND(m, p->list, SpvOpStore, variable, position);
}

static void store_point_size(const struct pgs_spv_raster_access *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t type = pgs_spv_type_float(m, 32);
    if (pgs_spv_is_large(p->options->polygons)) /* they are triangles */
        return;
    if (p->layout->point_size_w != PGS_NO_WORD && pgs_spv_raster_writes(p, SpvBuiltInPointSize)) {
        store(p, new_output(p, type, SpvBuiltInPointSize), type, SpvBuiltInPointSize);
    } else if (p->options->write_point_size) {
        const uint32_t one =
            PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, type, 0x3F800000u);
        PGS_SPV_APPEND(m, p->list, SpvOpStore, new_output(p, type, SpvBuiltInPointSize), one);
    }
}

void pgs_spv_store_raster_builtins(const struct pgs_spv_raster_access *p)
{
    const struct pgs_spv_layout *layout = p->layout;
    store_position(p);
    store_point_size(p);
    store_distances(p, SpvBuiltInClipDistance, SpvCapabilityClipDistance, layout->clip_distance_w,
                    layout->clip_distance_count);
    if (p->options->polygons == PGS_SPV_POLYGONS_FILLED)
        store_distances(p, SpvBuiltInCullDistance, SpvCapabilityCullDistance,
                        layout->cull_distance_w, layout->cull_distance_count);
    store_view(p, p->options->write_layer, SpvBuiltInLayer, layout->layer_w, p->options->max_layer);
    store_view(p, p->options->write_viewport_index, SpvBuiltInViewportIndex,
               layout->viewport_index_w, 0);
    store_rate(p);
    store_point_coord(p);
    if (p->front)
        PGS_SPV_APPEND(p->m, p->list, SpvOpStore, flat_output(p, p->options->front_location),
                       p->front);
    if (p->options->primitive_id_location != UINT32_MAX && layout->primitive_id_w != PGS_NO_WORD)
        store(p, flat_output(p, p->options->primitive_id_location), pgs_spv_type_int(p->m),
              SpvBuiltInPrimitiveId);
}
