/* SPDX-License-Identifier: MIT
 *
 * The chooser: facts of a pipeline, the state and a draw, and the technique that they give. Its
 * asserts hold here in release builds, too.
 */
#undef NDEBUG
#include "../../layer/draw/plan.c"
#include "../../layer/draw/plan_inline.c"
#include "../../layer/draw/plan_instanced.c"
#include "draw/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_variants.h"
#include "plan_picked.h"
#include "plan_tiers.h"
#include "plan_variants.h"

static const struct expected table[] = {
    /* A geometry shader in compute. */
    ROW(0, STORED, NONE, NONE, CPU, NO_PIPELINE, S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(FUSED, STORED, NONE, NONE, CPU, NO_PIPELINE, S(GEOMETRY) | S(EXPAND)),
    ROW(LARGE, STORED, NONE, NONE, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(COUNT_TILES) | S(EXPAND)),
    ROW(HUGE, STORED, NONE, NONE, CPU, NO_PIPELINE, S(VERTEX) | S(GEOMETRY) | RASTERS),
    ROW(RESTART, STORED, NONE, NONE, CPU, NO_PIPELINE,
        RESTARTS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(DYNAMIC | RESTART, STORED, NONE, NONE, CPU, NO_PIPELINE,
        RESTARTS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(RESTART | UNINDEXED, STORED, NONE, NONE, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(CONDITION, STORED, NONE, NONE, SETUP, NO_PIPELINE,
        SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(BYTE_COUNT, STORED, NONE, NONE, SETUP, NO_PIPELINE,
        SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, S(VERTEX) | S(GEOMETRY)),
    ROW(DYNAMIC | DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, S(VERTEX) | S(GEOMETRY)),
    ROW(STREAM_1, NONE, NONE, NONE, CPU, CHEAPEST, S(VERTEX) | S(GEOMETRY)),
    ROW(DISCARD | STATIC | EFFECTS, NONE, NONE, NONE, CPU, CHEAPEST, S(VERTEX) | S(GEOMETRY)),
    /* Captured and counted. */
    ROW(XFB, STORED, COPY, EMITS, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_COPY) | S(XFB_PROGRAM)),
    ROW(XFB | LARGE, STORED, COPY, EMITS, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(COUNT_TILES) | S(EXPAND) | COUNTS | S(XFB_COPY)),
    ROW(XFB | DISCARD, NONE, COPY, EMITS, CPU, CHEAPEST,
        S(VERTEX) | S(GEOMETRY) | S(XFB_SCAN) | S(XFB_COPY) | S(XFB_PROGRAM)),
    ROW(XFB | NO_XFB, STORED, NONE, NONE, CPU, NO_PIPELINE, S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(GENERATED, STORED, NONE, EMITS, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_PROGRAM)),
    ROW(STATISTICS, STORED, NONE, EMITS, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_PROGRAM)),
    ROW(WRITTEN, STORED, NONE, NONE, CPU, NO_PIPELINE, S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(WRITTEN | XFB | NO_XFB, STORED, NONE, EMITS, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_PROGRAM)),
    ROW(STATIC | GENERATED, STORED, NONE, STATIC, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_PROGRAM)),
    ROW(STATIC | GENERATED | DISCARD, NONE, NONE, STATIC, CPU, CHEAPEST, S(XFB_PROGRAM)),
    ROW(STATIC | XFB, STORED, GS, STATIC, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(STATIC | XFB | DISCARD, NONE, GS, STATIC, CPU, CHEAPEST,
        S(VERTEX) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(STATIC | XFB | DISCARD | FUSED, NONE, GS, STATIC, CPU, CHEAPEST,
        S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(STATIC | XFB | EFFECTS, STORED, COPY, EMITS, CPU, NO_PIPELINE, /* runs once */
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_COPY) | S(XFB_PROGRAM)),
    ROW(STATIC | XFB | EFFECTS | DISCARD, NONE, GS, STATIC, CPU, CHEAPEST,
        S(VERTEX) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(XFB | NO_MEMORY, STORED, COPY, EMITS, CPU, NO_PIPELINE, /* there is memory */
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_COPY) | S(XFB_PROGRAM)),
    /* Indirect. Memory for all vertices would be too much, and the draw can do without. */
    ROW(BYTE_COUNT | HUGE, STORED, NONE, NONE, SETUP, NO_PIPELINE,
        SETS | S(VERTEX) | S(GEOMETRY) | RASTERS),
    ROW(BYTE_COUNT | HUGE | INLINE, STORED_OR_INLINE, NONE, NONE, GPU, DYNAMIC,
        ANY_CALL | POOL | S(VERTEX) | S(GEOMETRY) | RASTERS),
    ROW(BYTE_COUNT | INLINE, STORED, NONE, NONE, SETUP, DYNAMIC,
        SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(BYTE_COUNT | HUGE | INLINE | XFB, STORED, COPY, EMITS, SETUP, DYNAMIC,
        SETS | S(VERTEX) | S(GEOMETRY) | RASTERS | COUNTS | S(XFB_COPY)),
    ROW(BYTE_COUNT | HUGE | INLINE | XFB | NO_MEMORY, STORED_OR_INLINE, COPY_OR_CHUNKS, EMITS, GPU,
        DYNAMIC,
        ANY_CALL | POOL | S(VERTEX) | S(GEOMETRY) | RASTERS | COUNTS | CHUNKS | S(XFB_COPY) |
            S(CHUNKS_CAPTURE)),
    ROW(INDIRECT, STORED, NONE, NONE, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | POOL),
    ROW(INDIRECT | FUSED | RESTART, STORED, NONE, NONE, GPU, NO_PIPELINE,
        ANY_CALL | RESTARTS | S(GEOMETRY) | RASTERS | POOL),
    ROW(INDIRECT | CONDITION, STORED, NONE, NONE, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | POOL),
    ROW(INDIRECT | XFB, STORED, COPY, EMITS, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | COUNTS | S(XFB_COPY) | POOL),
    ROW(INDIRECT | XFB | NO_MEMORY, STORED, COPY_OR_CHUNKS, EMITS, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | CHUNKS | S(GEOMETRY) | RASTERS | COUNTS | S(CHUNKS_CAPTURE) |
            S(XFB_COPY) | POOL),
    ROW(INDIRECT | GENERATED | NO_MEMORY, STORED, NONE, EMITS, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | CHUNKS | S(GEOMETRY) | RASTERS | COUNTS | POOL),
    ROW(INDIRECT | XFB | STATIC, STORED, COPY, EMITS, GPU, NO_PIPELINE, /* vertices could miss */
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | COUNTS | S(XFB_COPY) | POOL),
    ROW(INDIRECT | XFB | STATIC | NO_MEMORY, STORED, GS_NO_MEMORY, STATIC, GPU, NO_PIPELINE,
        ANY_CALL | S(XFB_SHADER) | S(VERTEX) | S(GEOMETRY) | RASTERS | S(XFB_PROGRAM) | POOL),
    ROW(INDIRECT | XFB | STATIC | NO_MEMORY | DISCARD, NONE, GS_NO_MEMORY, STATIC, GPU, CHEAPEST,
        ANY_CALL | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(INDIRECT | XFB | STATIC | FUSED | DISCARD, NONE, GS, STATIC, GPU, CHEAPEST,
        ANY_CALL | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(INDIRECT | INLINE, STORED_OR_INLINE, NONE, NONE, GPU, DYNAMIC,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | POOL),
    ROW(INDIRECT | INLINE | GENERATED | WISH_VERTEX, STORED_OR_INLINE, NONE, EMITS, GPU, EMITS,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | COUNTS | POOL),
    ROW(INDIRECT | PREFERRED | STATIC, INLINE_GS, NONE, NONE, GPU, CHEAPEST, INLINE_CALL),
    ROW(INDIRECT | INLINE | WISH_COMPUTE, STORED, NONE, NONE, GPU, SETTING,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | RASTERS | POOL),
    ROW(INDIRECT | INLINE | WISH_VERTEX, INLINE_GS, NONE, NONE, GPU, CHEAPEST, INLINE_CALL),
    ROW(INDIRECT | INLINE | WISH_VERTEX | RESTART, INLINE_GS, NONE, NONE, GPU, CHEAPEST,
        ANY_CALL | RESTARTS | POOL),
    INSTANCED_ROWS,
    /* Inline. */
    ROW(PREFERRED | STATIC, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(PREFERRED | STATIC | GENERATED, INLINE_GS, NONE, STATIC, CPU, CHEAPEST, S(XFB_PROGRAM)),
    ROW(PREFERRED | STATIC | XFB, INLINE_GS, GS, STATIC, CPU, CHEAPEST,
        S(VERTEX) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(PREFERRED | STATIC | LARGE, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(SMALL | STATIC, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(SMALL | STATIC | LARGE, STORED, NONE, NONE, CPU, LONG,
        S(VERTEX) | S(GEOMETRY) | S(COUNT_TILES) | S(EXPAND)),
    ROW(SMALL | STATIC | CONDITION, STORED, NONE, NONE, SETUP, SIZE,
        SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(SMALL | STATIC | RESTART, STORED, NONE, NONE, CPU, RESTART,
        RESTARTS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(PREFERRED | STATIC | HUGE, STORED, NONE, NONE, CPU, TOO_MANY,
        S(VERTEX) | S(GEOMETRY) | RASTERS),
    ROW(PREFERRED | STATIC | DISCARD | XFB, NONE, GS, STATIC, CPU, CHEAPEST,
        S(VERTEX) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(PREFERRED | STATIC | WISH_COMPUTE, STORED, NONE, NONE, CPU, SETTING,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(PREFERRED | STATIC | RESTART, STORED, NONE, NONE, CPU, RESTART,
        RESTARTS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(PREFERRED | STATIC | CONDITION, STORED, NONE, NONE, SETUP, SIZE,
        SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(INLINE, STORED, NONE, NONE, CPU, DYNAMIC, S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(INLINE | STATIC, STORED, NONE, NONE, CPU, LONG, S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(INLINE | WISH_VERTEX, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(INLINE | WISH_VERTEX | CONDITION, INLINE_GS, NONE, NONE, SETUP, CHEAPEST, SETS),
    ROW(INLINE | WISH_VERTEX | STIPPLED, STORED, NONE, NONE, CPU, STIPPLE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND_ANY)),
    ROW(INLINE | WISH_VERTEX | STIPPLED | DYNAMIC, STORED, NONE, NONE, CPU, STIPPLE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND_ANY)),
    ROW(INLINE | WISH_VERTEX | DYNAMIC, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(STIPPLED | LARGE, STORED, NONE, NONE, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(COUNT_TILES_ANY) | S(EXPAND_ANY)),
    ROW(INLINE | WISH_VERTEX | DRIVER_QUERY, STORED, NONE, NONE, CPU, QUERY,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND)),
    ROW(INLINE | WISH_VERTEX | DRIVER_QUERY | STATIC, INLINE_GS, NONE, NONE, CPU, CHEAPEST, 0),
    ROW(INLINE | WISH_VERTEX | GENERATED, STORED, NONE, EMITS, CPU, EMITS,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SCAN) | S(XFB_PROGRAM)),
    /* Lines or points of triangles. */
    ROW(POLYGONS, POLYGONS, NONE, NONE, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND_POLYGONS)),
    ROW(POLYGONS | DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, S(VERTEX) | S(GEOMETRY)),
    ROW(POLYGONS | HUGE, POLYGONS, NONE, NONE, CPU, NO_PIPELINE, S(VERTEX) | S(GEOMETRY) | CORNERS),
    ROW(POLYGONS | INDIRECT | XFB, POLYGONS, COPY, EMITS, GPU, NO_PIPELINE,
        ANY_CALL | S(VERTEX) | S(GEOMETRY) | CORNERS | COUNTS | S(XFB_COPY) | POOL),
    ROW(POLYGONS | STATIC | GENERATED, POLYGONS, NONE, STATIC, CPU, NO_PIPELINE,
        S(VERTEX) | S(GEOMETRY) | S(EXPAND_POLYGONS) | S(XFB_PROGRAM)),
    ROW(POLYGONS | TESS, POLYGONS, NONE, NONE, CPU, NO_PIPELINE, EVALUATES | S(GEOMETRY) | CORNERS),
    /* Tessellation. */
    ROW(TESS, STORED, NONE, NONE, CPU, NO_PIPELINE, EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | XFB, STORED, COPY, EMITS, CPU, NO_PIPELINE,
        EVALUATES | S(GEOMETRY) | RASTERS | COUNTS | S(XFB_COPY)),
    ROW(TESS | STATIC | GENERATED, STORED, NONE, EMITS, CPU, NO_PIPELINE,
        EVALUATES | S(GEOMETRY) | RASTERS | COUNTS),
    /* Which the GPU finds no memory for. */
    ROW(TESS | INLINE, STORED_OR_INLINE, NONE, NONE, CPU, SIZE, EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | INLINE | WISH_VERTEX, STORED_OR_INLINE, NONE, NONE, CPU, SIZE,
        EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | INLINE | SURE, STORED, NONE, NONE, CPU, FITS, EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | INLINE | SURE | INDIRECT, STORED_OR_INLINE, NONE, NONE, GPU, SIZE,
        ANY_CALL | EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | INLINE | WISH_COMPUTE, STORED, NONE, NONE, CPU, SETTING,
        EVALUATES | S(GEOMETRY) | RASTERS),
    ROW(TESS | INLINE | NO_MEMORY | XFB, STORED_OR_INLINE, COPY_OR_CHUNKS, EMITS, CPU, SIZE,
        EVALUATES | S(GEOMETRY) | RASTERS | COUNTS | CHUNKS | S(XFB_COPY) | S(CHUNKS_CAPTURE)),
    ROW(TESS | NO_MEMORY | XFB | SURE, STORED, COPY, EMITS, CPU, NO_PIPELINE,
        EVALUATES | S(GEOMETRY) | RASTERS | COUNTS | S(XFB_COPY)),
    ROW(TES | INLINE | NO_MEMORY | XFB, INLINE_TES, COPY_OR_CHUNKS, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS | CHUNKS | S(XFB_COPY) | S(CHUNKS_CAPTURE)),
    ROW(TES | NO_MEMORY | XFB | DISCARD, NONE, COPY_OR_CHUNKS, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS | CHUNKS | S(XFB_COPY) | S(CHUNKS_CAPTURE)),
    ROW(TES, TES_STORED, NONE, NONE, CPU, NO_PIPELINE, EVALUATES),
    ROW(TES | RESTART, TES_STORED, NONE, NONE, CPU, NO_PIPELINE, RESTARTS | EVALUATES),
    ROW(TES | GENERATED, TES_STORED, NONE, TESSELLATOR, CPU, NO_PIPELINE,
        EVALUATES | S(XFB_PROGRAM)),
    ROW(TES | XFB, TES_STORED, COPY, EMITS, CPU, NO_PIPELINE,
        EVALUATES | S(GEOMETRY) | COUNTS | S(XFB_COPY)),
    ROW(TES | XFB | DISCARD, NONE, COPY, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS | S(XFB_COPY)),
    ROW(TES | DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, EVALUATES), /* its effects */
    ROW(TES | INDIRECT, TES_STORED, NONE, NONE, GPU, NO_PIPELINE, ANY_CALL | EVALUATES),
    ROW(TES | INLINE | SURE, TES_STORED, NONE, NONE, CPU, FITS, EVALUATES),
    ROW(TES | INLINE, INLINE_TES, NONE, NONE, CPU, CHEAPEST, COUNTS_PATCHES),
    ROW(TES | INLINE | LARGE, TES_STORED_OR_INLINE, NONE, NONE, CPU, SIZE, EVALUATES),
    ROW(TES | INLINE | LARGE | NO_MEMORY | XFB, TES_STORED_OR_INLINE, COPY_OR_CHUNKS, EMITS, CPU,
        SIZE, EVALUATES | S(GEOMETRY) | COUNTS | CHUNKS | S(XFB_COPY) | S(CHUNKS_CAPTURE)),
    ROW(TES | INLINE | SURE | WISH_VERTEX, INLINE_TES, NONE, NONE, CPU, CHEAPEST, COUNTS_PATCHES),
    ROW(TES | INLINE | WISH_COMPUTE, TES_STORED, NONE, NONE, CPU, SETTING, EVALUATES),
    ROW(TES | INLINE | SURE | INDIRECT, TES_STORED_OR_INLINE, NONE, NONE, GPU, SIZE,
        ANY_CALL | EVALUATES),
    ROW(TES | INLINE | XFB, INLINE_TES, COPY, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS | S(XFB_COPY)),
    ROW(TES | INLINE | GENERATED, INLINE_TES, NONE, TESSELLATOR, CPU, CHEAPEST,
        COUNTS_PATCHES | S(XFB_PROGRAM)),
    /* The driver draws. */
    ROW(NATIVE | NO_GS | XFB, NATIVE, VS, INPUT, CPU, CHEAPEST, S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | DISCARD, NONE, VS, INPUT, CPU, CHEAPEST,
        S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | DISCARD | DRIVER_QUERY, NATIVE, VS, INPUT, CPU, CHEAPEST,
        S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | DISCARD | STATISTICS, NATIVE, VS, INPUT, CPU, CHEAPEST,
        S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | DISCARD | INDIRECT, NATIVE, VS, INPUT, GPU, CHEAPEST,
        ANY_CALL | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | BYTE_COUNT, NATIVE, VS, INPUT, SETUP, CHEAPEST,
        SETS | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | XFB | RESTART, NATIVE, VS, INPUT, CPU, CHEAPEST,
        RESTARTS | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | GENERATED, NATIVE, NONE, INPUT, CPU, CHEAPEST, S(XFB_PROGRAM)),
    ROW(NATIVE | NO_GS | GENERATED | INDIRECT | RESTART, NATIVE, NONE, INPUT, GPU, CHEAPEST,
        ANY_CALL | RESTARTS | S(XFB_PROGRAM) | POOL),
    ROW(NATIVE | GENERATED, NATIVE, NONE, EMITS, CPU, CHEAPEST,
        S(VERTEX) | S(GEOMETRY) | S(XFB_SCAN) | S(XFB_PROGRAM)),
    ROW(NATIVE | STATIC | GENERATED, NATIVE, NONE, STATIC, CPU, CHEAPEST, S(XFB_PROGRAM)),
    ROW(NATIVE | STATIC | XFB | EFFECTS, NATIVE, GS, STATIC, CPU, CHEAPEST,
        S(VERTEX) | S(XFB_SHADER) | S(XFB_PROGRAM)),
    ROW(NATIVE | XFB, NATIVE, COPY, EMITS, CPU, CHEAPEST,
        S(VERTEX) | S(GEOMETRY) | S(XFB_SCAN) | S(XFB_COPY) | S(XFB_PROGRAM)),
    ROW(NATIVE | TES | GENERATED, NATIVE, NONE, TESSELLATOR, CPU, CHEAPEST,
        COUNTS_PATCHES | S(XFB_PROGRAM)),
    ROW(NATIVE | TES | GENERATED | LARGE, NATIVE, NONE, TESSELLATOR, CPU, CHEAPEST,
        TESSELLATES | S(XFB_PROGRAM)),
    ROW(NATIVE | TES | XFB, NATIVE, COPY, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS | S(XFB_COPY)),
    ROW(NATIVE | TESS | GENERATED, NATIVE, NONE, EMITS, CPU, CHEAPEST,
        EVALUATES | S(GEOMETRY) | COUNTS),
};

static struct pgs_variants variants;
static uint32_t inline_limit_el, by_patch; /* of the pipeline, besides the facts */

static void add_variant(enum pgs_variant variant, bool any)
{
    fake_variant(&variants, variant, any);
}

static struct pgs_emulated_pipeline pipeline_of(uint64_t f)
{
    const bool tessellated = f & (TESS | TES);
    const bool captures = !(f & NO_XFB), is_static = f & STATIC;
    variants = (struct pgs_variants){0};
    add_variant(PGS_VARIANT_VERTEX, !(f & FUSED));
    add_variant(PGS_VARIANT_GEOMETRY, !(f & (NO_GS | FUSED)));
    add_variant(PGS_VARIANT_FUSED, f & FUSED);
    add_variant(PGS_VARIANT_XFB, is_static && captures && !tessellated);
    add_variant(PGS_VARIANT_NO_MEMORY, f & NO_MEMORY);
    add_variant(PGS_VARIANT_STORED_0, !(f & NATIVE));
    add_variant(PGS_VARIANT_INSTANCED, f & (INSTANCED | STRIPS));
    add_variant(PGS_VARIANT_SIFT, f & SIFT);
    add_variant(PGS_VARIANT_INLINE, f & (INLINE | PREFERRED | SMALL));
    add_variant(PGS_VARIANT_INLINE_CALL,
                f & (INLINE | PREFERRED | SMALL) && by_patch >= tessellated);
    return (struct pgs_emulated_pipeline){
        .variants = &variants,
        .native_raster = f & NATIVE,
        .tessellated = tessellated,
        .pass_through = f & TES,
        .tes_stored = f & TES,
        .prefers_inline = f & PREFERRED,
        .small_gs_invocations = f & SMALL ? 1000 : 0,
        .inline_steps = f & SMALL ? 5000 : 0,
        .inline_is_bounded = f & SMALL,
        .inline_limit_el = inline_limit_el,
        .strips_stipple = f & (STIPPLED | DYNAMIC),
        .inline_is_exact = !(f & STIPPLED) || f & DYNAMIC,
        .joins_lines = f & STIPPLED,
        .expands_any = f & STIPPLED,
        .has_effects = f & EFFECTS,
        .polygons = f & POLYGONS ? PGS_SPV_POLYGONS_LINES : PGS_SPV_POLYGONS_FILLED,
        .rasterizer_discard = !(f & DISCARD) == !!(f & DYNAMIC),
        .dynamic = f & DYNAMIC ? PGS_DYNAMIC_DISCARD | PGS_DYNAMIC_RESTART : 0,
        .raster_stream = f & STREAM_1 ? 1 : 0,
        .primitive_restart = !(f & RESTART) == !!(f & DYNAMIC),
        .topology =
            tessellated ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .tessellation_flags = PGS_TESS_QUADS,
        .patch_control_points = 3,
        .patch.by_patch = by_patch,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = f & HUGE ? 48 : 64, /* a record has SCAN_TILES all the same */
               .invocations = 1,
               .writes_layer = f & SIFT,
               .pattern = {.is_known = is_static, .primitives = {f & HUGE ? 46 : 62}},
               .one_vertex = {.strips = f & STRIPS      ? 6
                                        : f & INSTANCED ? 1
                                                        : 0},
               .xfb = {.enabled = captures, .copy_count = captures}},
    };
}

static uint32_t spare_ksteps, view_count, calls_to_come; /* of rules and state, besides the facts */
static uint64_t limited_el;
static bool trusts_size, again;

/* False: there is nothing to do. */
static bool plan_call(struct pgs_emulated_pipeline pipeline, uint64_t f,
                      const struct pgs_draw_call *call, struct pgs_draw_plan *plan, bool *too_large)
{
    struct pgs_graphics_state state = {
        .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        .patch_control_points = 1,
        .primitive_restart = !(f & RESTART) != !!(f & DYNAMIC),
        .rasterizer_discard = !(f & DISCARD) != !!(f & DYNAMIC),
        .line_stipple = !(f & STIPPLED) != !!(f & DYNAMIC),
        .interval = f & XFB ? 1 : 0,
        .queries = {.generated = {[3] = f & GENERATED ? 1 : 0},
                    .xfb = {[2] = f & WRITTEN ? 1 : 0},
                    .statistics = f & STATISTICS ? 1 : 0},
        .driver_queries = f & DRIVER_QUERY ? 1 : 0,
        .condition = {.buffer = f & CONDITION ? (VkBuffer)(uintptr_t)1 : VK_NULL_HANDLE},
        .view_count = view_count,
        .is_once = !again,
    };
    const struct pgs_plan_rules rules = {
        .wish = wish_of(f),
        .max_out_vertices = PGS_MAX_OUT_VERTICES,
        .inline_patches = 256,
        .sure_B = f & SURE ? UINT64_C(1) << 40 : 0,
        .byte_count_B = UINT64_C(1) << 24,
        .vital_B = UINT64_C(1) << 40,
        .reads_arguments = true,
        .sift_from = f & SIFT ? 1 : 0,
        .spare_ksteps = spare_ksteps,
        .limited_el = limited_el,
        .calls_to_come = calls_to_come,
        .trusts_size = trusts_size,
    };
    if (f & DYNAMIC) {
        pipeline.dynamic |= PGS_DYNAMIC_TOPOLOGY | PGS_DYNAMIC_PATCH_CONTROL_POINTS;
        state.topology = pipeline.topology;
        state.patch_control_points = pipeline.patch_control_points;
        pipeline.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
        pipeline.patch_control_points = 1;
    }
    return pgs_draw_plan(&pipeline, &state, call, &rules, plan, too_large);
}

static struct pgs_draw_plan plan_of(uint64_t f)
{
    const struct pgs_emulated_pipeline pipeline = pipeline_of(f);
    const uint32_t triangles = f & HUGE ? 1 << 25 : f & LARGE ? 3000 : 20;
    const struct pgs_draw_call call = {
        .indexed = f & RESTART && !(f & UNINDEXED),
        .count = 3 * triangles,
        .instance_count = 1,
        .byte_count = f & BYTE_COUNT,
        .indirect = f & INDIRECT,
        .max_draws = !(f & INDIRECT) ? 0
                     : f & INSTANCED ? 1
                                     : 2,
    };
    struct pgs_draw_plan plan;
    bool too_large;
    const bool work = plan_call(pipeline, f, &call, &plan, &too_large);
    assert_false(too_large);
    assert_int_equal(work, plan.subdraw_count != 0);
    return plan;
}

static void follows_from_the_facts(void **unused)
{
    (void)unused;
    int wrong = 0;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct expected *e = &table[i];
        const struct pgs_draw_plan p = plan_of(e->facts);
        if (p.raster == e->raster && p.xfb == e->xfb && p.count == e->count &&
            p.sizing == e->sizing && p.why == e->why && p.stages == e->stages)
            continue;
        wrong++;
        print_error("row %zu, facts %llx: raster %d xfb %d count %d sizing %d why %d stages %x; "
                    "expected %d %d %d %d %d %x\n",
                    i, (unsigned long long)e->facts, p.raster, p.xfb, p.count, p.sizing, p.why,
                    p.stages, e->raster, e->xfb, e->count, e->sizing, e->why, e->stages);
    }
    assert_int_equal(wrong, 0);
}

static void draws_patches_one_by_one(void **unused)
{
    (void)unused;
    by_patch = trusts_size = true;
    for (size_t i = 0; i < sizeof(patch_cases) / sizeof(patch_cases[0]); i++) {
        const struct pgs_draw_plan p = plan_of(patch_cases[i].facts);
        assert_int_equal(p.by_patch, patch_cases[i].by_patch);
        assert_int_equal(p.in_line == PGS_VARIANT_INLINE, p.by_patch);
        assert_int_equal(!(pgs_plan_kernel_stages(&p) & PGS_STAGE_BIT(TESS_COUNT)), p.by_patch);
    }
    by_patch = trusts_size = false;
}

/* On GPUs so many vertices of a pass are shaded inline. */
static void shades_some_vertices_of_a_pass_inline(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        inline_limit_el = limits[i].limit_el;
        limited_el = limits[i].so_far_el;
        calls_to_come = limits[i].calls;
        view_count = limits[i].views;
        const struct pgs_draw_plan p = plan_of(limits[i].facts);
        if (p.raster != limits[i].raster || p.limited_el != limits[i].el)
            fail_msg("case %zu: raster %d, %u vertices", i, p.raster, p.limited_el);
    }
    inline_limit_el = calls_to_come = view_count = 0;
    limited_el = 0;
}

/* On CPUs draws are inline as long as that costs less than to compile what stores. */
static void stays_inline_while_that_costs_little(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++) {
        spare_ksteps = tiers[i].spare_ksteps;
        view_count = tiers[i].views;
        trusts_size = tiers[i].trusts_size;
        again = tiers[i].again;
        const struct pgs_draw_plan p = plan_of(tiers[i].facts);
        if (p.raster != tiers[i].raster || p.extra_ksteps != tiers[i].extra_ksteps ||
            p.watched != tiers[i].watched)
            fail_msg("case %zu: raster %d, %u ksteps, watched %d", i, p.raster, p.extra_ksteps,
                     p.watched);
    }
    spare_ksteps = view_count = 0;
    trusts_size = again = false;
}

/* Indices of a subdraw span at most so many bytes of vertices, whatever is emitted of them. */
static void keeps_index_ranges_narrow(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    struct pgs_graphics_state state = {0};
    struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    struct pgs_draw_call call = {.count = 3 * 1000, .instance_count = 1};
    struct pgs_draw_plan plan, like;
    bool too_large;
    pipeline.gs.out_stride_w = 8; /* 64 vertices: 2 KiB */
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.subdraw_count, 1);
    rules.index_range_B = 200 << 10;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.subdraw_count, 10);
    assert_int_equal(plan.subdraw_gs_invocations, 100);
    rules.index_range_B = 100; /* not even one */
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.subdraw_gs_invocations, 1);
    /* A draw that is like a narrow one must be narrow, too. */
    rules.index_range_B = 200 << 10;
    call.count = 3 * 60;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &like, &too_large));
    assert_int_equal(like.subdraw_count, 1);
    call.count = 3 * 100;
    assert_true(pgs_draw_plan_like(&pipeline, &state, &call, &like, like.most_stored_B, &plan));
    call.count = 3 * 101;
    assert_false(pgs_draw_plan_like(&pipeline, &state, &call, &like, like.most_stored_B, &plan));
}

/* What does not fit in memory is inline if it can be, also if that is slow. */
static void is_inline_without_memory(void **unused)
{
    (void)unused;
    const uint32_t can = INLINE, cannot = 0;
    struct pgs_graphics_state state = {0};
    struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    struct pgs_draw_call call = {.count = 3 * 1000, .instance_count = 1};
    struct pgs_draw_plan plan, like;
    bool too_large;
    for (int i = 0; i < 2; i++) {
        struct pgs_emulated_pipeline pipeline = pipeline_of(i ? can : cannot);
        pipeline.gs.out_stride_w = 8;
        rules.wish = PGS_PLAN_AUTO;
        rules.most_stored_B = 0;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        assert_int_equal(plan.raster, PGS_RASTER_STORED);
        rules.most_stored_B = 64 << 20;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &like, &too_large));
        assert_int_equal(like.raster, PGS_RASTER_STORED);
        rules.most_stored_B = 1 << 20;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        assert_int_equal(plan.raster, i ? PGS_RASTER_INLINE_GS : PGS_RASTER_STORED);
        rules.wish = PGS_PLAN_COMPUTE;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        assert_int_equal(plan.raster, PGS_RASTER_STORED);
        call.count = 3 * 100000; /* more than is left; so it is planned like no other */
        assert_false(
            pgs_draw_plan_like(&pipeline, &state, &call, &like, like.most_stored_B, &plan));
        call.count = 3 * 1000;
        assert_true(pgs_draw_plan_like(&pipeline, &state, &call, &like, like.most_stored_B, &plan));
    }
}

/* How much work a draw is, of a shader that emits so many vertices in so many invocations. */
static const struct {
    const char *what;
    uint32_t facts;
    VkPrimitiveTopology topology;
    uint32_t count, instances, max_vertices, invocations;
    bool too_large;
    uint32_t primitives, vertices, gs_invocations, parts, captured;
    uint32_t patch_vertices, patches;
} amounts[] = {
#define LIST VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
#define LINES VK_PRIMITIVE_TOPOLOGY_LINE_LIST
#define PATCHES VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
#define OF_PATCHES(vertices, instances) PATCHES, vertices, instances, 3, 1, false
#define MOST (PGS_MAX_PATCHES / 3)
    {"small", 0, LIST, 11, 5, 4, 2, false, 3, 55, 3 * 5 * 2, 1, 0, 0, 0},
    {"dynamic", DYNAMIC, LIST, 11, 5, 4, 2, false, 3, 55, 3 * 5 * 2, 1, 0, 0, 0},
    {"fused", FUSED, LIST, 11, 5, 4, 2, false, 3, 55, 3 * 5 * 2, 1, 0, 0, 0},
    {"no primitive", 0, LIST, 2, 1, 4, 2, false, 0, 0, 0, 0, 0, 0, 0},
    {"no vertices", 0, LIST, 0, 1, 4, 2, false, 0, 0, 0, 0, 0, 0, 0},
    {"no instances", 0, LIST, 3, 0, 4, 2, false, 0, 0, 0, 0, 0, 0, 0},
    {"not what the shader reads", 0, LINES, 6, 1, 4, 2, false, 0, 0, 0, 0, 0, 0, 0},
    {"parts", 0, LIST, 3000, 7, 1000, 32, false, 1000, 21000, 1000 * 7 * 32,
     (1000 * 7 * 32 - 1) / (PGS_MAX_OUT_VERTICES / 1000) + 1, 0, 0, 0},
    {"too many vertices", 0, LIST, 1 << 20, 1 << 12, 4, 1, true, 0, 0, 0, 0, 0, 0, 0},
    {"too many GS invocations", 0, LIST, 1 << 20, 1 << 11, 4, 32, true, 0, 0, 0, 0, 0, 0, 0},
    {"native lines", NATIVE | NO_GS | XFB, LINES, 6, 2, 4, 1, false, 3, 0, 0, 1, 12, 0, 0},
    {"native patches", NATIVE | NO_GS | GENERATED, PATCHES, 6, 2, 4, 1, false, 0, 0, 0, 0, 0, 0, 0},
    {"patches", TES, OF_PATCHES(11, 3), 2, 33, 0, 1, 0, 4, 6},
    {"dynamic patches", TES | DYNAMIC, OF_PATCHES(11, 3), 3, 33, 0, 1, 0, 3, 9},
    {"not a patch", TES, OF_PATCHES(3, 3), 0, 0, 0, 0, 0, 4, 0},
    {"patches without instances", TES, OF_PATCHES(4, 0), 0, 0, 0, 0, 0, 4, 0},
    {"patches of nobody knows what", TES | DYNAMIC, OF_PATCHES(11, 3), 0, 0, 0, 0, 0, 0, 0},
    {"not what is tessellated", TES | DYNAMIC, LIST, 11, 3, 3, 1, false, 0, 0, 0, 0, 0, 3, 0},
    {"most patches", TES, OF_PATCHES(MOST, 3), MOST, MOST * 3, 0, 1, 0, 1, MOST * 3},
    {"too many patches", TES, PATCHES, MOST + 1, 3, 3, 1, true, 0, 0, 0, 0, 0, 1, 0},
#undef LIST
#undef LINES
#undef PATCHES
#undef OF_PATCHES
#undef MOST
};

static void knows_how_much_there_is_to_do(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
        struct pgs_emulated_pipeline pipeline = pipeline_of(amounts[i].facts);
        pipeline.topology = amounts[i].topology;
        pipeline.gs.max_vertices = amounts[i].max_vertices;
        pipeline.gs.invocations = amounts[i].invocations;
        pipeline.patch_control_points = amounts[i].patch_vertices;
        const struct pgs_draw_call call = {.count = amounts[i].count,
                                           .instance_count = amounts[i].instances};
        struct pgs_draw_plan p;
        bool too_large;
        const bool work = plan_call(pipeline, amounts[i].facts, &call, &p, &too_large);
        uint64_t sum = 0;
        for (uint32_t part = 0; work && p.gs_invocations && part < p.subdraw_count; part++)
            sum += pgs_subdraw_gs_invocations(&p, part);
        if (too_large == amounts[i].too_large && work == (amounts[i].parts != 0) &&
            (!work ||
             (p.primitives == amounts[i].primitives && p.vertices == amounts[i].vertices &&
              p.gs_invocations == amounts[i].gs_invocations &&
              p.subdraw_count == amounts[i].parts && p.xfb_invocations == amounts[i].captured &&
              p.patches == amounts[i].patches && sum == p.gs_invocations)))
            continue;
        fail_msg("%s: %d %d primitives %u vertices %u GS invocations %u of %u parts %u captured %u "
                 "patches %u",
                 amounts[i].what, work, too_large, p.primitives, p.vertices, p.gs_invocations,
                 (unsigned)sum, p.subdraw_count, p.xfb_invocations, p.patches);
    }
}

static void takes_the_variants_that_it_runs(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(variant_rows) / sizeof(variant_rows[0]); i++) {
        const uint32_t got = plan_of(variant_rows[i].facts).variants;
        if (got != variant_rows[i].variants)
            fail_msg("facts %x: variants %x, not %x", variant_rows[i].facts, got,
                     variant_rows[i].variants);
    }
}

/* A stream that is chosen later has inline variants of its own, for one draw and for many. */
static void draws_inline_the_chosen_stream(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    const struct pgs_graphics_state state = {.raster_stream = 2};
    const struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    struct pgs_draw_plan plan;
    bool too_large;
    add_variant(PGS_VARIANT_STORED_2, true);
    add_variant(PGS_VARIANT_INLINE_OF_2, true);
    pipeline.dynamic = PGS_DYNAMIC_STREAM;
    pipeline.gs.stream_mask = 5;
    pipeline.gs.pattern.primitives[2] = 9;
    for (uint32_t most = 1; most < 3; most++) {
        const struct pgs_draw_call call = {.indirect = true, .max_draws = most};
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        assert_int_equal(plan.raster, PGS_RASTER_STORED_OR_INLINE);
        assert_int_equal(plan.variants, V(VERTEX) | V(GEOMETRY) | V(STORED_2) | V(INLINE_OF_2));
        assert_int_equal(plan.inline_vertices, 3 * 62);
    }
    pipeline.gs.pattern.is_known = true;
    const struct pgs_draw_call call = {.indirect = true, .max_draws = 1};
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.inline_vertices, 3 * 9);
}

/* What is lost without memory has a pool of its own, and so has what may be too much to take. */
static void knows_what_is_lost_without_memory(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t facts;
        bool vital;
    } rows[] = {
        {0, false},
        {INDIRECT, true},
        {INDIRECT | INLINE, false},
        {INDIRECT | INLINE | EFFECTS, true},
        {INDIRECT | INLINE | GENERATED, true},
        {INDIRECT | INLINE | GENERATED | NO_MEMORY, false},
        {INDIRECT | POLYGONS, true},
        {TES | INLINE, false},
        {TES | INLINE | INDIRECT, true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (plan_of(rows[i].facts).vital_pool != rows[i].vital)
            fail_msg("facts %x: %d", rows[i].facts, !rows[i].vital);
    const struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    const struct pgs_graphics_state state = {0};
    const struct pgs_draw_call call = {.byte_count = true, .count = 3000, .instance_count = 1};
    struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES, .vital_B = 1 << 30};
    struct pgs_draw_plan plan;
    bool too_large;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_true(plan.sizing == PGS_SIZE_SETUP && !plan.vital_pool);
    rules.vital_B = 1000;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_true(plan.sizing == PGS_SIZE_GPU && plan.vital_pool);
    assert_true(pgs_draw_plan_sized(&pipeline, &state, &call, &plan));
    assert_int_equal(plan.gs_invocations, 1000);
}

static void has_a_row_for_every_technique(void **unused)
{
    (void)unused;
    uint32_t raster = 0, xfb = 0, count = 0, sizing = 0, why = 0, stages = 0;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        raster |= 1u << table[i].raster;
        xfb |= 1u << table[i].xfb;
        count |= 1u << table[i].count;
        sizing |= 1u << table[i].sizing;
        why |= 1u << table[i].why;
        stages |= table[i].stages;
    }
    raster |= 1u << PGS_RASTER_INLINE_TES_GS | 1u << PGS_RASTER_PICKED; /* other tests have them */
    assert_int_equal(raster, (2u << PGS_RASTER_POLYGONS) - 1);
    assert_int_equal(xfb, (2u << PGS_XFB_GS_NO_MEMORY) - 1);
    assert_int_equal(count, (2u << PGS_COUNT_EMITS) - 1);
    assert_int_equal(sizing, (2u << PGS_SIZE_GPU) - 1);
    assert_int_equal(why, (2u << PGS_WHY_TOO_MANY) - 1);
    stages |= PGS_STAGE_BIT(DRAW_COUNT) | /* nobody plans it; test_draw_rounds.c and others: */
              PGS_STAGE_BIT(INDIRECT_ROUND) | PGS_STAGE_BIT(STIPPLE) |
              PGS_STAGE_BIT(INDIRECT_PATCHES) | PGS_STAGE_BIT(TESS_ROUND);
    assert_int_equal(stages, (UINT64_C(1) << PGS_STAGE_COUNT) - 1);
}

/* Nobody asks, or there is nothing that could be answered. */
static void leaves_draws_alone(void **unused)
{
    (void)unused;
    static const uint32_t rows[] = {NATIVE,          NATIVE | NO_GS,  NATIVE | TES,
                                    NATIVE | TESS,   NATIVE | STATIC, NATIVE | NO_GS | XFB | NO_XFB,
                                    STATIC | DISCARD};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct pgs_draw_plan p = plan_of(rows[i]);
        assert_int_equal(p.subdraw_count, 0);
        assert_int_equal(p.stages, 0);
        assert_int_equal(p.raster, rows[i] & NATIVE ? PGS_RASTER_NATIVE : PGS_RASTER_NONE);
    }
    assert_int_equal(plan_of(NATIVE | BYTE_COUNT).stages, S(SETUP)); /* its arguments */
}

/* Whatever the facts are, what is planned holds together (the asserts in plan.c), and what is not
 * indirect never waits for `indirect`. */
static void plans_all_combinations(void **unused)
{
    (void)unused;
    uint32_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t f = seed >> 4;
        if (f & TES)
            f &= ~(uint32_t)(TESS | FUSED | EFFECTS | NO_GS);
        if (f & TESS)
            f &= ~(uint32_t)(FUSED | NO_GS | PREFERRED);
        if (f & NATIVE)
            f &= ~(uint32_t)(INLINE | PREFERRED);
        else
            f &= ~(uint32_t)NO_GS;
        if (f & HUGE)
            f &= ~(uint32_t)(TES | TESS);
        if (f & NO_GS)
            f &= ~(uint32_t)(FUSED | STATIC | NO_MEMORY);
        const struct pgs_draw_plan p = plan_of(f);
        assert_int_equal((p.stages & PGS_STAGES_INDIRECT) != 0, p.sizing == PGS_SIZE_GPU);
        if (f & NATIVE)
            assert_int_equal(p.stages & (S(COUNT_TILES) | S(SCAN_TILES) | S(EXPAND)), 0);
    }
}

static void expect_words(uint64_t facts, const char *words)
{
    char text[PGS_EXPLAIN_MAX_B];
    const struct pgs_draw_plan p = plan_of(facts);
    pgs_plan_explain(&p, text);
    assert_string_equal(text, words);
}

static void says_what_was_chosen_and_why(void **unused)
{
    (void)unused;
    expect_words(PREFERRED | STATIC | GENERATED,
                 "raster=inline_gs xfb=none count=static size=cpu gs_invocations=20 subdraws=1 "
                 "(nothing is cheaper)");
    expect_words(INLINE | LARGE,
                 "raster=stored xfb=none count=none size=cpu gs_invocations=3000 subdraws=1 "
                 "(not inline: what the shader emits is not static)");
    expect_words(INDIRECT | XFB | NO_MEMORY,
                 "raster=stored xfb=copy_or_chunks count=emits size=gpu draws<=2 "
                 "(not inline: the pipeline has no inline variant)");
    expect_words(TES | INLINE | SURE | CONDITION,
                 "raster=tes_stored xfb=none count=none size=setup patches=20 "
                 "(not inline: the worst case fits in memory)");
    expect_words(INSTANCED | STATIC | XFB,
                 "raster=stored xfb=gs count=static size=cpu gs_invocations=20 subdraws=1 "
                 "(not inline: the pipeline has no inline variant; not instanced: captures or "
                 "queries count the draw)");
    expect_words(NATIVE | NO_GS | XFB, "raster=native xfb=vs count=input size=cpu captured=60 "
                                       "(nothing is cheaper)");
}

/* No text without a name, and none that is cut off. */
static void has_words_for_every_row(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char text[PGS_EXPLAIN_MAX_B];
        const struct pgs_draw_plan p = plan_of(table[i].facts);
        pgs_plan_explain(&p, text);
        assert_null(strchr(text, '?'));
        assert_int_equal(text[strlen(text) - 1], ')');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_index_ranges_narrow),
        cmocka_unit_test(is_inline_without_memory),
        cmocka_unit_test(follows_from_the_facts),
        cmocka_unit_test(stays_inline_while_that_costs_little),
        cmocka_unit_test(shades_some_vertices_of_a_pass_inline),
        cmocka_unit_test(draws_patches_one_by_one),
        cmocka_unit_test(knows_how_much_there_is_to_do),
        cmocka_unit_test(knows_what_dynamic_state_allows),
        cmocka_unit_test(sifts_what_pays),
        cmocka_unit_test(picks_what_pays),
        cmocka_unit_test(takes_the_variants_that_it_runs),
        cmocka_unit_test(draws_inline_the_chosen_stream),
        cmocka_unit_test(knows_what_is_lost_without_memory),
        cmocka_unit_test(has_a_row_for_every_technique),
        cmocka_unit_test(leaves_draws_alone),
        cmocka_unit_test(plans_all_combinations),
        cmocka_unit_test(says_what_was_chosen_and_why),
        cmocka_unit_test(has_words_for_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
