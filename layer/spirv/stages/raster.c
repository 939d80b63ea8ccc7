/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that passes emitted vertices to the rasterizer. User outputs keep their
 * variables; built-ins get new ones.
 */
#include "spirv/stages/raster.h"

#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/canonical.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/link.h"
#include "spirv/ir/shrink.h"
#include "spirv/ir/specialize.h"
#include "spirv/stages/fragment_stipple.h"
#include "spirv/stages/raster_builtins.h"

#include <string.h>

enum {
    BEGIN,
    LOAD,
    LOAD4,
    SELECT_VIEWPORT,
    LOAD_FLAT, /* this and the next ones of polygons only */
    LOAD4_FLAT,
    POSITION,
    IS_THERE,
    LIES_BEYOND,
    FRONT,
    FUNCTION_COUNT,
    LOAD_LINEAR = FUNCTION_COUNT, /* this and the next ones of wide lines only */
    LOAD4_LINEAR,
    LOAD_HALF,
    LOAD_HALF_LINEAR,
    STIPPLE,
    WIDE_FUNCTION_COUNT,
    POINT_COORD = FUNCTION_COUNT, /* of large points only */
    POINT_FUNCTION_COUNT,
    /* of vertices in two arrays, whose other functions are those up to SELECT_VIEWPORT */
    LOAD_REST = LOAD_FLAT,
    LOAD4_REST,
    SPLIT_FUNCTION_COUNT
};

static const char *const function_names[] = {
    [BEGIN] = "pgs_raster_begin",
    [LOAD] = "pgs_raster_load",
    [LOAD4] = "pgs_raster_load4",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
};

static const char *const split_function_names[SPLIT_FUNCTION_COUNT] = {
    [BEGIN] = "pgs_raster_begin_split",   [LOAD] = "pgs_raster_load",
    [LOAD4] = "pgs_raster_load4",         [SELECT_VIEWPORT] = "pgs_select_viewport",
    [LOAD_REST] = "pgs_raster_load_rest", [LOAD4_REST] = "pgs_raster_load4_rest",
};

static const char *const polygon_function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_polygon_begin",
    [LOAD] = "pgs_polygon_load",
    [LOAD4] = "pgs_polygon_load4",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
    [LOAD_FLAT] = "pgs_polygon_load_flat",
    [LOAD4_FLAT] = "pgs_polygon_load4_flat",
    [POSITION] = "pgs_polygon_position",
    [IS_THERE] = "pgs_polygon_is_there",
    [LIES_BEYOND] = "pgs_polygon_lies_beyond",
    [FRONT] = "pgs_polygon_front",
};

static const char *const wide_function_names[WIDE_FUNCTION_COUNT] = {
    [BEGIN] = "pgs_line_begin",
    [LOAD] = "pgs_line_load",
    [LOAD4] = "pgs_line_load4",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
    [LOAD_FLAT] = "pgs_polygon_load_flat",
    [LOAD4_FLAT] = "pgs_polygon_load4_flat",
    [POSITION] = "pgs_line_position",
    [IS_THERE] = "pgs_line_is_there",
    [LIES_BEYOND] = "pgs_polygon_lies_beyond",
    [FRONT] = "pgs_polygon_front",
    [LOAD_LINEAR] = "pgs_line_load_linear",
    [LOAD4_LINEAR] = "pgs_line_load4_linear",
    [LOAD_HALF] = "pgs_line_load_half",
    [LOAD_HALF_LINEAR] = "pgs_line_load_half_linear",
    [STIPPLE] = "pgs_line_stipple",
};

static const char *const point_function_names[POINT_FUNCTION_COUNT] = {
    [BEGIN] = "pgs_point_begin",
    [LOAD] = "pgs_polygon_load",
    [LOAD4] = "pgs_polygon_load4",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
    [LOAD_FLAT] = "pgs_polygon_load_flat",
    [LOAD4_FLAT] = "pgs_polygon_load4_flat",
    [POSITION] = "pgs_point_position",
    [IS_THERE] = "pgs_point_is_inside",
    [LIES_BEYOND] = "pgs_polygon_lies_beyond",
    [FRONT] = "pgs_polygon_front",
    [POINT_COORD] = "pgs_point_coord",
};

struct raster_pass {
    struct pgs_spv_raster_access access; /* with this struct as `source` */
    const struct pgs_spv_geometry_info *info;
    bool polygons;  /* drawn as lines or points, or wide lines, or large points */
    bool placeless; /* in their place without a position, for which there are no vertices */
    bool wide;      /* wide lines */
    bool large;     /* large points */
    bool split;     /* vertices are in two arrays; never with polygons */
    bool fetches;   /* vertices are attributes; never with the others */
    uint32_t quads[PGS_SPV_MAX_FETCHED_QUADS]; /* likewise: ids of their values */
    uint32_t functions[WIDE_FUNCTION_COUNT];
};

static uint32_t word_of(const struct pgs_spv_layout *layout, uint32_t builtin, uint32_t element)
{
    const struct pgs_spv_io_var var = {
        .builtin = builtin, .element = element, .count = 1, .width_bits = 32};
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    pgs_spv_io_var_words(&var, layout, words);
    return words[0];
}

static bool is_flat_builtin(uint32_t builtin)
{
    return builtin == SpvBuiltInPrimitiveId || builtin == SpvBuiltInLayer ||
           builtin == SpvBuiltInViewportIndex || builtin == SpvBuiltInPrimitiveShadingRateKHR;
}

static uint32_t fetched(const struct pgs_spv_raster_access *access, uint32_t type, uint32_t word,
                        bool quad)
{
    const struct raster_pass *p = access->source;
    struct pgs_spv_module *m = access->m;
    const uint32_t value = quad ? p->quads[word / 4]
                                : PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract,
                                                pgs_spv_type_uint(m), p->quads[word / 4], word % 4);
    return type == pgs_spv_type_uint(m) ? value
                                        : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, type, value);
}

static uint32_t load(const struct pgs_spv_raster_access *access, uint32_t type, uint32_t builtin,
                     uint32_t element)
{
    const struct raster_pass *p = access->source;
    struct pgs_spv_module *m = access->m;
    const bool quad = builtin == SpvBuiltInPosition;
    const bool flat = p->polygons && is_flat_builtin(builtin);
    const uint32_t word = word_of(access->layout, builtin, element);
    if (p->fetches)
        return fetched(access, type, word, quad);
    const bool rest = p->split && word >= access->layout->head_w;
    const uint32_t words =
        PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, quad ? 4 : 1),
                      p->functions[quad   ? LOAD4
                                   : flat ? LOAD_FLAT
                                   : rest ? LOAD_REST
                                          : LOAD],
                      pgs_spv_uint(m, rest ? word - access->layout->head_w : word));
    const uint32_t value = type == pgs_spv_type_uint(m)
                               ? words
                               : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, type, words);
    return quad && p->polygons ? PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, type,
                                               p->functions[POSITION], value)
                               : value;
}

/* The fragment shader reads it from the provoking vertex; or, of another mask, so. */
static bool is_in(const uint64_t mask[4], const struct pgs_spv_io_var *var)
{
    return var->component < 4 && var->location < 64 && (mask[var->component] >> var->location & 1);
}

static void begin_vertex(const struct raster_pass *p, uint32_t address, uint32_t index)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m);
    const uint32_t stride = pgs_spv_uint(m, pgs_spv_first_stride_w(p->info));
    if (p->split)
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN], address, index,
                      stride, pgs_spv_uint(m, pgs_spv_rest_stride_w(p->info)));
    else
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN], address, index,
                      stride);
}

/* Id of a bool: the polygon is not culled. An edge may be where all of it would be culled. */
static uint32_t is_there(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const struct pgs_spv_layout *layout = p->access.layout;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const bool culls = layout->cull_distance_w != PGS_NO_WORD &&
                       pgs_spv_raster_writes(&p->access, SpvBuiltInCullDistance);
    uint32_t there = PGS_SPV_VALUE(m, list, SpvOpFunctionCall, bool_type, p->functions[IS_THERE]);
    for (uint32_t i = 0; culls && i < layout->cull_distance_count; i++) {
        const uint32_t beyond =
            PGS_SPV_VALUE(m, list, SpvOpFunctionCall, bool_type, p->functions[LIES_BEYOND],
                          pgs_spv_uint(m, word_of(layout, SpvBuiltInCullDistance, i)));
        const uint32_t not_beyond = PGS_SPV_VALUE(m, list, SpvOpLogicalNot, bool_type, beyond);
        there = PGS_SPV_VALUE(m, list, SpvOpLogicalAnd, bool_type, there, not_beyond);
    }
    return there;
}

/* The word of the point size; UINT32_MAX: it is 1. */
static uint32_t size_word(const struct raster_pass *p)
{
    const struct pgs_spv_layout *layout = p->access.layout;
    return layout->point_size_w != PGS_NO_WORD &&
                   pgs_spv_raster_writes(&p->access, SpvBuiltInPointSize)
               ? layout->point_size_w
               : UINT32_MAX;
}

/* What the first call must know of the kind of primitives. */
static uint32_t kind_of(const struct raster_pass *p)
{
    switch (p->access.options->polygons) {
    case PGS_SPV_LARGE_POINTS:
    case PGS_SPV_LARGE_CORNERS:
        return size_word(p);
    case PGS_SPV_COPIED_LINES:
    case PGS_SPV_COPIED_EDGES:
        return 1;
    case PGS_SPV_WIDE_LINES:
    case PGS_SPV_WIDE_EDGES:
        return 0;
    case PGS_SPV_POLYGONS_LINES:
        return 6;
    case PGS_SPV_POLYGONS_POINTS:
    case PGS_SPV_POLYGONS_FILLED:
        break;
    }
    return 3;
}

/* Says where in a stipple pattern the vertex is. */
static void store_stipple(const struct raster_pass *p, uint32_t value)
{
    const uint32_t variable = pgs_spv_declare_stipple(p->access.m, SpvStorageClassOutput,
                                                      p->access.options->stipple_location);
    PGS_SPV_APPEND(p->access.m, p->access.list, SpvOpStore, variable, value);
}

/* As begin_vertex; `address` is the record's. */
static void begin_corner(struct raster_pass *p, uint32_t address, uint32_t index)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const struct pgs_spv_raster_options *options = p->access.options;
    const struct pgs_spv_layout *layout = p->access.layout;
    const uint32_t viewport_w =
        layout->viewport_index_w == PGS_NO_WORD ? UINT32_MAX : layout->viewport_index_w;
    const uint32_t kind = pgs_spv_uint(m, kind_of(p));
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[BEGIN], address,
                  index, kind, pgs_spv_uint(m, p->info->out_stride_w),
                  pgs_spv_uint(m, layout->position_w), pgs_spv_uint(m, viewport_w));
    if (p->wide && options->pass_stipple)
        store_stipple(p, PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_stipple_type(m),
                                       p->functions[STIPPLE], index,
                                       pgs_spv_uint(m, layout->position_w),
                                       pgs_spv_uint(m, viewport_w)));
    p->access.is_there = is_there(p);
    if (options->pass_front)
        p->access.front =
            PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_int(m), p->functions[FRONT]);
    if (p->large && options->pass_point_coord)
        p->access.point_coord = PGS_SPV_VALUE(m, list, SpvOpFunctionCall,
                                              pgs_spv_type_vector(m, pgs_spv_type_float(m, 32), 2),
                                              p->functions[POINT_COORD]);
}

static uint32_t load_nothing(const struct pgs_spv_raster_access *access, uint32_t type,
                             uint32_t builtin, uint32_t element)
{
    (void)builtin;
    (void)element;
    return pgs_spv_value(access->m, &access->m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull, type,
                         NULL, 0);
}

/* In place of begin_corner without a position: there is no vertex to look for, and nothing is
 * drawn. What the fragment shader takes is written all the same. */
static void begin_nothing(struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    const struct pgs_spv_raster_options *options = p->access.options;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    p->access.load = load_nothing;
    p->access.is_there = load_nothing(&p->access, bool_type, 0, 0);
    if (options->pass_front)
        p->access.front = load_nothing(&p->access, pgs_spv_type_int(m), 0, 0);
    if (options->pass_point_coord)
        p->access.point_coord =
            load_nothing(&p->access, pgs_spv_type_vector(m, pgs_spv_type_float(m, 32), 2), 0, 0);
    if (options->pass_stipple)
        store_stipple(p, load_nothing(&p->access, pgs_spv_stipple_type(m), 0, 0));
}

/* How the value of a variable is found: `access`, with the functions for its interpolation. */
static struct pgs_spv_io_access access_to(const struct raster_pass *p,
                                          const struct pgs_spv_io_access *access,
                                          const struct pgs_spv_io_var *var)
{
    struct pgs_spv_io_access to = *access;
    const bool linear = is_in(p->access.options->linear_mask, var);
    if (p->polygons && is_in(p->access.options->flat_mask, var)) {
        to.load = p->functions[LOAD_FLAT];
        to.load4 = p->functions[LOAD4_FLAT];
    } else if (p->wide && var->width_bits == 16) {
        to.load = p->functions[linear ? LOAD_HALF_LINEAR : LOAD_HALF];
        to.by_word = true;
    } else if (p->wide && linear) {
        to.load = p->functions[LOAD_LINEAR];
        to.load4 = p->functions[LOAD4_LINEAR];
    }
    return to;
}

/* Loads the quads that the stream has; what nothing uses of them is dropped with the rest. */
static void fetch_quads(struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    const uint32_t mask = pgs_spv_quad_mask(p->access.layout);
    for (uint32_t quad = 0; quad < PGS_SPV_MAX_FETCHED_QUADS; quad++)
        if (mask >> quad & 1)
            p->quads[quad] = pgs_spv_load_input(m, p->access.list, pgs_spv_type_uvec(m, 4),
                                                SpvDecorationLocation, pgs_spv_quad_location(quad));
}

/* Finds where the vertex is stored. */
static void begin_address(struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t address_type = pgs_spv_type_uvec(m, p->split ? 4 : 2);
    const uint32_t address = pgs_spv_load_input(m, list, address_type, SpvDecorationLocation, 0);
    const uint32_t index = pgs_spv_load_input(m, list, pgs_spv_type_uint(m), SpvDecorationBuiltIn,
                                              SpvBuiltInVertexIndex);
    if (p->polygons)
        begin_corner(p, address, index);
    else
        begin_vertex(p, address, index);
}

static uint32_t write_main(struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t function = pgs_spv_new_id(m);
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = list,
                                             .layout = p->access.layout,
                                             .load = p->functions[LOAD],
                                             .load4 = p->functions[LOAD4],
                                             .load_rest = p->split ? p->functions[LOAD_REST] : 0,
                                             .load4_rest = p->split ? p->functions[LOAD4_REST] : 0,
                                             .quads = p->fetches ? p->quads : NULL};
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    if (p->placeless)
        begin_nothing(p);
    else if (p->fetches)
        fetch_quads(p);
    else
        begin_address(p);
    for (uint32_t i = 0; i < p->access.outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &p->access.outputs->items[i];
        const struct pgs_spv_io_access to = access_to(p, &access, var);
        const uint32_t value = var->builtin != PGS_SPV_NO_BUILTIN ? 0
                               : p->placeless ? load_nothing(&p->access, var->type, 0, 0)
                                              : pgs_spv_load_io_var(&to, var, 0);
        if (value)
            PGS_SPV_APPEND(m, list, SpvOpStore,
                           pgs_spv_io_var_pointer(m, list, var, SpvStorageClassOutput, 0), value);
    }
    pgs_spv_store_raster_builtins(&p->access);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

static void link_functions(struct raster_pass *p)
{
    const struct pgs_spv_raster_options *options = p->access.options;
    const char *names[WIDE_FUNCTION_COUNT] = {NULL};
    if (p->fetches) { /* nothing is loaded from addresses */
        names[SELECT_VIEWPORT] = function_names[SELECT_VIEWPORT];
        if (options->select_viewport)
            pgs_spv_link(p->access.m, &pgs_lib_raster, names, p->functions, LOAD_FLAT);
        return;
    }
    if (p->split) {
        memcpy(names, split_function_names, sizeof(split_function_names));
        names[SELECT_VIEWPORT] = options->select_viewport ? names[SELECT_VIEWPORT] : NULL;
        pgs_spv_link(p->access.m, &pgs_lib_raster, names, p->functions, SPLIT_FUNCTION_COUNT);
        return;
    }
    if (p->large) {
        memcpy(names, point_function_names, sizeof(point_function_names));
        if (options->polygons == PGS_SPV_LARGE_CORNERS)
            names[BEGIN] = "pgs_corner_begin";
        if (options->points_beside)
            names[IS_THERE] = "pgs_point_is_there";
        pgs_spv_link(p->access.m, &pgs_lib_raster, names, p->functions, POINT_FUNCTION_COUNT);
        return;
    }
    memcpy(names, wide_function_names, sizeof(names));
    if (!options->pass_stipple)
        names[STIPPLE] = NULL;
    if (options->polygons == PGS_SPV_WIDE_EDGES || options->polygons == PGS_SPV_COPIED_EDGES)
        names[BEGIN] = "pgs_edge_begin";
    pgs_spv_link(p->access.m, &pgs_lib_raster,
                 p->wide       ? names
                 : p->polygons ? polygon_function_names
                               : function_names,
                 p->functions,
                 p->wide                    ? WIDE_FUNCTION_COUNT
                 : p->polygons              ? FUNCTION_COUNT
                 : options->select_viewport ? LOAD_FLAT
                                            : SELECT_VIEWPORT);
}

enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (options->stream >= PGS_SPV_STREAMS ||
        (options->fetches && info->out_stride_w > 4 * PGS_SPV_MAX_FETCHED_QUADS))
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct raster_pass p = {.info = info};
        p.access = pgs_spv_open_raster(&m, info, options, &outputs);
        p.access.load = load;
        p.access.source = &p;
        pgs_spv_keep_outputs(&m, &outputs, false);
        if (m.version < PGS_SPV_VERSION(1, 3))
            m.version = PGS_SPV_VERSION(1, 3);
        const bool has_position = p.access.layout->position_w != PGS_NO_WORD;
        p.polygons = options->polygons != PGS_SPV_POLYGONS_FILLED && has_position;
        p.placeless = options->polygons != PGS_SPV_POLYGONS_FILLED && !has_position;
        p.large = p.polygons && pgs_spv_is_large(options->polygons);
        p.wide = p.polygons && pgs_spv_is_wide(options->polygons) && !p.large;
        p.split = !p.polygons && info->out_head_w;
        p.fetches = options->fetches && !p.polygons && !p.split;
        link_functions(&p);
        p.access.select_viewport = p.functions[SELECT_VIEWPORT];
        const uint32_t function = m.result == PGS_SPV_OK ? write_main(&p) : 0;
        pgs_spv_specialize(&m);
        pgs_spv_shrink(&m);
        pgs_spv_dce_globals(&m, false);
        pgs_spv_set_entry(&m, SpvExecutionModelVertex, function, "main");
        pgs_spv_make_canonical(&m);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
