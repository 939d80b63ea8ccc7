/* SPDX-License-Identifier: MIT */
#include "all_passes.h"

#include "poly_gs/abi.h"
#include "poly_gs/format.h"
#include "poly_gs/planes.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum pgs_spv_stage stages[] = {PGS_SPV_VERTEX, PGS_SPV_CONTROL, PGS_SPV_EVALUATION,
                                            PGS_SPV_GEOMETRY, PGS_SPV_FRAGMENT};

/* All passes, or one of a stage. */
struct run {
    struct tally tally;
    uint32_t only, at; /* the pass that is wanted, or ALL; the next one of the stage */
    enum pgs_spv_result last;
};

#define ALL UINT32_MAX
#define NONE (UINT32_MAX - 1)
#define ID_LIMIT 0x400000u /* of ids in a module */

/* Whether the next pass is to run. */
static bool wanted(struct run *run)
{
    const uint32_t at = run->at++;
    return run->only == ALL || run->only == at;
}

static void note(struct run *run, enum pgs_spv_result result, struct pgs_spv_blob *blob)
{
    run->last = result;
    run->tally.results[result]++;
    if ((result == PGS_SPV_OK) != (blob->words != NULL)) {
        fprintf(stderr, "a result of %d with%s words\n", (int)result, blob->words ? "" : "out");
        exit(1);
    }
    pgs_spv_blob_free(blob);
}

/* What no pass leaves behind: it sets its output whatever happens. */
static uint32_t untouched;
#define UNTOUCHED                                                                                  \
    (struct pgs_spv_blob)                                                                          \
    {                                                                                              \
        .words = &untouched                                                                        \
    }

#define RUN(pass)                                                                                  \
    do {                                                                                           \
        blob = UNTOUCHED;                                                                          \
        if (wanted(run))                                                                           \
            note(run, (pass), &blob);                                                              \
    } while (0)

/* A trial says what the pass itself has said, unless only one of them had too little memory, or the
 * module became too large. */
static void check_trial(struct run *run, const struct pgs_spv_shader *leading,
                        enum pgs_spv_result result, const struct pgs_spv_blob *blob)
{
    const bool is_large = run->last == PGS_SPV_UNSUPPORTED && leading->words[3] > ID_LIMIT / 2;
    if (result == PGS_SPV_OUT_OF_MEMORY)
        run->tally.results[result]++;
    else if (result != run->last && run->last != PGS_SPV_OUT_OF_MEMORY && !is_large) {
        fprintf(stderr, "a trial says %d, the pass %d\n", (int)result, (int)run->last);
        exit(1);
    }
    if (blob->words) {
        fprintf(stderr, "a trial has words\n");
        exit(1);
    }
}

/* leading: of the shaders the one that the others are put into. */
#define RUN_AND_TRY(leading, pass)                                                                 \
    do {                                                                                           \
        const uint32_t at = run->at;                                                               \
        RUN(pass);                                                                                 \
        if (run->only != ALL && run->only != at)                                                   \
            break;                                                                                 \
        blob = UNTOUCHED;                                                                          \
        (leading)->is_trial = true;                                                                \
        check_trial(run, leading, (pass), &blob);                                                  \
        (leading)->is_trial = false;                                                               \
    } while (0)

/* What the kernels rely on: nothing is read beyond a stored vertex or written beyond a captured
 * one.
 */
static void check_xfb(const struct pgs_spv_xfb *xfb, const struct pgs_spv_layout *layouts,
                      uint32_t streams)
{
    for (uint32_t i = 0; i < xfb->copy_count; i++) {
        const struct pgs_spv_xfb_copy *run = &xfb->copies[i];
        const uint32_t b = run->buffer;
        if (i >= PGS_SPV_XFB_COPIES || b >= PGS_SPV_XFB_BUFFERS || run->count_w == 0 ||
            xfb->stream[b] >= streams ||
            run->source_w + run->count_w > layouts[xfb->stream[b]].stride_w ||
            (run->target_w + run->count_w) * 4u > xfb->stride_B[b] ||
            xfb->stride_B[b] > PGS_SPV_XFB_STRIDE_B) {
            fprintf(stderr, "run %u leads out of the vertex\n", i);
            exit(1);
        }
    }
}

/* A vertex shader that reads push constants of its own, { uint[3] at 16; uint at 64; }, as some of
 * the geometry shaders do: those of both are joined where they stay the driver's. */
static const uint32_t pushing_words[] = {SpvMagicNumber,
                                         0x10300,
                                         0,
                                         18,
                                         0,
                                         2 << 16 | SpvOpCapability,
                                         SpvCapabilityShader,
                                         3 << 16 | SpvOpMemoryModel,
                                         SpvAddressingModelLogical,
                                         SpvMemoryModelGLSL450,
                                         5 << 16 | SpvOpEntryPoint,
                                         SpvExecutionModelVertex,
                                         3,
                                         0x6e69616d /* main */,
                                         0,
                                         3 << 16 | SpvOpDecorate,
                                         8,
                                         SpvDecorationBlock,
                                         4 << 16 | SpvOpDecorate,
                                         7,
                                         SpvDecorationArrayStride,
                                         4,
                                         5 << 16 | SpvOpMemberDecorate,
                                         8,
                                         0,
                                         SpvDecorationOffset,
                                         16,
                                         5 << 16 | SpvOpMemberDecorate,
                                         8,
                                         1,
                                         SpvDecorationOffset,
                                         64,
                                         2 << 16 | SpvOpTypeVoid,
                                         1,
                                         3 << 16 | SpvOpTypeFunction,
                                         2,
                                         1,
                                         4 << 16 | SpvOpTypeInt,
                                         5,
                                         32,
                                         0,
                                         4 << 16 | SpvOpConstant,
                                         5,
                                         6,
                                         3,
                                         4 << 16 | SpvOpTypeArray,
                                         7,
                                         5,
                                         6,
                                         4 << 16 | SpvOpTypeStruct,
                                         8,
                                         7,
                                         5,
                                         4 << 16 | SpvOpTypePointer,
                                         9,
                                         SpvStorageClassPushConstant,
                                         8,
                                         4 << 16 | SpvOpTypePointer,
                                         10,
                                         SpvStorageClassPushConstant,
                                         5,
                                         4 << 16 | SpvOpVariable,
                                         9,
                                         11,
                                         SpvStorageClassPushConstant,
                                         4 << 16 | SpvOpConstant,
                                         5,
                                         12,
                                         0,
                                         4 << 16 | SpvOpConstant,
                                         5,
                                         13,
                                         1,
                                         5 << 16 | SpvOpFunction,
                                         1,
                                         3,
                                         SpvFunctionControlMaskNone,
                                         2,
                                         2 << 16 | SpvOpLabel,
                                         4,
                                         6 << 16 | SpvOpAccessChain,
                                         10,
                                         14,
                                         11,
                                         12,
                                         13,
                                         4 << 16 | SpvOpLoad,
                                         5,
                                         15,
                                         14,
                                         5 << 16 | SpvOpAccessChain,
                                         10,
                                         16,
                                         11,
                                         13,
                                         4 << 16 | SpvOpLoad,
                                         5,
                                         17,
                                         16,
                                         1 << 16 | SpvOpReturn,
                                         1 << 16 | SpvOpFunctionEnd};

static const struct pgs_spv_shader pushing = {.words = pushing_words,
                                              .word_count = sizeof(pushing_words) / 4,
                                              .entry_point = "main",
                                              .stage = PGS_SPV_VERTEX};

/* Behind a vertex shader that does nothing. */
static void run_inline(struct pgs_spv_shader *gs, const struct pgs_spv_geometry_info *info,
                       struct run *run)
{
    static const uint32_t words[] = {SpvMagicNumber,
                                     0x10300,
                                     0,
                                     5,
                                     0,
                                     2 << 16 | SpvOpCapability,
                                     SpvCapabilityShader,
                                     3 << 16 | SpvOpMemoryModel,
                                     SpvAddressingModelLogical,
                                     SpvMemoryModelGLSL450,
                                     5 << 16 | SpvOpEntryPoint,
                                     SpvExecutionModelVertex,
                                     3,
                                     0x6e69616d /* main */,
                                     0,
                                     2 << 16 | SpvOpTypeVoid,
                                     1,
                                     3 << 16 | SpvOpTypeFunction,
                                     2,
                                     1,
                                     5 << 16 | SpvOpFunction,
                                     1,
                                     3,
                                     SpvFunctionControlMaskNone,
                                     2,
                                     2 << 16 | SpvOpLabel,
                                     4,
                                     1 << 16 | SpvOpReturn,
                                     1 << 16 | SpvOpFunctionEnd};
    const struct pgs_spv_shader vs = {.words = words,
                                      .word_count = sizeof(words) / 4,
                                      .entry_point = "main",
                                      .stage = PGS_SPV_VERTEX};
    const struct pgs_spv_vertex_options options = {.out = info->in};
    struct pgs_spv_raster_options raster = {.primitive_id_location = 30, .write_layer = true};
    const struct pgs_spv_assembly assembly = {.topology = PGS_TOPOLOGY_ANY, .flags = UINT32_MAX};
    struct pgs_spv_blob blob;
    for (raster.stream = 0; raster.stream < 2; raster.stream++)
        RUN_AND_TRY(gs,
                    pgs_spv_fused_to_raster(&vs, &options, gs, info, &assembly, &raster, &blob));
    const struct pgs_spv_assembly loop = {
        .topology = PGS_TOPOLOGY_ANY, .flags = UINT32_MAX, .stays_loop = true};
    const struct pgs_spv_raster_options record = {
        .primitive_id_location = 30, .record_inputs = true, .record_attributes = 5};
    RUN_AND_TRY(gs, pgs_spv_fused_to_raster(&vs, &options, gs, info, &loop, &record, &blob));
    const struct pgs_spv_raster_options lists = {.primitive_id_location = 30,
                                                 .select_view = true,
                                                 .many_records = true,
                                                 .lists_invocations = true};
    RUN(pgs_spv_fused_to_raster(&vs, &options, gs, info, &loop, &lists, &blob));
    struct pgs_spv_geometry_info own = *info;
    own.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .vertices = 4};
    own.stream_mask = 1;
    const struct pgs_spv_raster_options indexed = {.primitive_id_location = 30, .indexed = true};
    RUN_AND_TRY(gs, pgs_spv_fused_to_raster(&vs, &options, gs, &own, &loop, &indexed, &blob));
    own = *info;
    raster.stream = 0;
    RUN_AND_TRY(gs, pgs_spv_geometry_to_pick(&vs, &options, gs, &own, NULL, &blob));
    if (own.may_pick)
        RUN_AND_TRY(gs, pgs_spv_instanced_to_raster(&vs, gs, &own, &raster, &blob));
    own.may_pick = false;
    own.one_vertex = (struct pgs_spv_one_vertex){.strips = 6, .each = 2};
    RUN_AND_TRY(gs, pgs_spv_instanced_to_raster(&vs, gs, &own, &raster, &blob));
    RUN_AND_TRY(gs, pgs_spv_instanced_to_raster(&pushing, gs, &own, &raster, &blob));
    const struct pgs_spv_assembly lists_only = {.topology = 3, .flags = PGS_DRAW_PLANES_SIDES};
    RUN_AND_TRY(gs, pgs_spv_geometry_to_sift(&vs, &options, gs, &own, &lists_only, &blob));
    for (uint32_t known = 0; known < 2; known++) {
        own.pattern.is_known = known;
        RUN_AND_TRY(gs, pgs_spv_geometry_to_capture(&vs, &options, gs, &own, NULL, &blob));
    }
}

/* What the driver is not to draw as it is: polygons as lines and points, wide lines, large points,
 * vertices as attributes. */
static void run_drawn_otherwise(const struct pgs_spv_shader *shader,
                                const struct pgs_spv_geometry_info *info, struct run *run)
{
    struct pgs_spv_blob blob;
    for (int polygons = PGS_SPV_POLYGONS_FILLED; polygons <= PGS_SPV_LARGE_CORNERS; polygons++) {
        const struct pgs_spv_raster_options options = {
            .primitive_id_location = 30,
            .polygons = (enum pgs_spv_polygons)polygons,
            .fetches = polygons == PGS_SPV_POLYGONS_FILLED,
            .pass_front = pgs_spv_loses_facing((enum pgs_spv_polygons)polygons),
            .front_location = 29,
            .pass_point_coord = true,
            .point_coord_location = 28,
            .points_beside = polygons == PGS_SPV_LARGE_CORNERS,
            .flat_mask = {5},
            .linear_mask = {0xFF00}};
        RUN(pgs_spv_raster_vertex(shader, info, &options, &blob));
    }
    for (int polygons = PGS_SPV_WIDE_LINES; polygons <= PGS_SPV_COPIED_EDGES; polygons++) {
        const struct pgs_spv_raster_options options = {.primitive_id_location = 30,
                                                       .polygons = (enum pgs_spv_polygons)polygons,
                                                       .pass_stipple = true,
                                                       .stipple_location = 29};
        RUN(pgs_spv_raster_vertex(shader, info, &options, &blob));
    }
}

/* With the vertices in two arrays. */
static void run_split(const struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_geometry_info info;
    struct pgs_spv_blob blob;
    const struct pgs_spv_raster_options options = {.primitive_id_location = 30};
    const enum pgs_spv_result result = pgs_spv_geometry_split_info(shader, &info);
    run->tally.results[result]++;
    if (result != PGS_SPV_OK)
        return;
    RUN(pgs_spv_geometry_to_compute(shader, &info, NULL, &blob));
    RUN(pgs_spv_raster_vertex(shader, &info, &options, &blob));
}

static void run_geometry(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_geometry_info info;
    struct pgs_spv_blob blob;
    const enum pgs_spv_result result = pgs_spv_geometry_info(shader, &info);
    run->tally.results[result]++;
    check_xfb(&info.xfb, info.out, PGS_SPV_STREAMS);
    if (result != PGS_SPV_OK)
        return;
    struct pgs_spv_raster_options options = {.write_point_size = true,
                                             .primitive_id_location = 30,
                                             .write_layer = true,
                                             .max_layer = 255,
                                             .write_viewport_index = true};
    RUN_AND_TRY(shader, pgs_spv_geometry_to_compute(shader, &info, NULL, &blob));
    info.pattern.is_known = true;
    RUN_AND_TRY(shader, pgs_spv_geometry_to_capture(NULL, NULL, shader, &info, NULL, &blob));
    for (options.stream = 0; options.stream < 2; options.stream++)
        RUN(pgs_spv_raster_vertex(shader, &info, &options, &blob));
    options = (struct pgs_spv_raster_options){.primitive_id_location = UINT32_MAX,
                                              .select_layer = true,
                                              .pass_layer = true,
                                              .layer_location = 31,
                                              .select_viewport = true,
                                              .pass_viewport = true,
                                              .viewport_location = 30};
    RUN(pgs_spv_raster_vertex(shader, &info, &options, &blob));
    run_drawn_otherwise(shader, &info, run);
    run_split(shader, run);
    run_inline(shader, &info, run);
}

/* Room for all locations. */
static void fill_layout(struct pgs_spv_layout *layout)
{
    memset(layout, 0xFF, sizeof(*layout));
    layout->wide = true;
    layout->position_w = 0;
    for (uint16_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        for (uint16_t c = 0; c < 4; c++)
            layout->location_w[l][c] = (uint16_t)(4 + 4 * l + c);
    }
    layout->stride_w = 4 + 4 * PGS_MAX_LOCATIONS;
    layout->clip_distance_count = layout->cull_distance_count = 0;
}

/* The other shader of the tessellation reads or writes everything. */
static void run_control(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_control_info info;
    struct pgs_spv_evaluation_info evaluation = {.modes = {.output_vertices = 4}};
    struct pgs_spv_patch patch;
    struct pgs_spv_blob blob;
    const enum pgs_spv_result result = pgs_spv_control_info(shader, &info);
    run->tally.results[result]++;
    if (result != PGS_SPV_OK)
        return;
    fill_layout(&evaluation.in);
    fill_layout(&evaluation.patch);
    pgs_spv_make_patch(&info, &evaluation, 0, &patch);
    RUN_AND_TRY(shader, pgs_spv_control_to_compute(shader, &info, &patch, &blob));
    const struct pgs_spv_vertex_options options = {.out = info.in};
    for (uint32_t known = 0; known < 2; known++) {
        const struct pgs_spv_control_front front = {
            .vs = &pushing, .vertex = &options, .patch_vertices = known ? patch.vertex_count : 0};
        RUN_AND_TRY(shader, pgs_spv_fused_control_to_compute(&front, shader, &info, &patch, &blob));
    }
}

/* With a geometry shader that reads all that it writes. */
static void run_evaluated(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_evaluation_info evaluation;
    const struct pgs_spv_control_info control = {.modes = {.output_vertices = 4}};
    struct pgs_spv_patch patch;
    struct pgs_spv_geometry_info info;
    struct pgs_spv_blob through, blob;
    enum pgs_spv_result result = pgs_spv_evaluation_info(shader, &evaluation);
    if (result == PGS_SPV_OK)
        result = pgs_spv_pass_through_geometry(shader, 3, false, &through);
    run->tally.results[result]++;
    if (result != PGS_SPV_OK)
        return;
    pgs_spv_make_patch(&control, &evaluation, 0, &patch);
    struct pgs_spv_shader gs = {.words = through.words,
                                .word_count = through.word_count,
                                .entry_point = "main",
                                .stage = PGS_SPV_GEOMETRY};
    const struct pgs_spv_evaluation_options options = {.patch = &patch, .triangles = true};
    const struct pgs_spv_raster_options raster = {.primitive_id_location = 20};
    const struct pgs_spv_assembly patches = {.topology = 10, .flags = PGS_DRAW_TESSELLATED};
    result = pgs_spv_geometry_info(&gs, &info);
    run->tally.results[result]++;
    if (result == PGS_SPV_OK) {
        RUN_AND_TRY(&gs, pgs_spv_evaluated_to_raster(shader, &options, &gs, &info, &patches,
                                                     &raster, &blob));
        RUN_AND_TRY(&gs,
                    pgs_spv_evaluated_to_capture(shader, &options, &gs, &info, &patches, &blob));
    }
    pgs_spv_blob_free(&through);
}

static void run_evaluation(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_evaluation_info info;
    const struct pgs_spv_control_info control = {.modes = {.output_vertices = 4}};
    struct pgs_spv_patch patch;
    struct pgs_spv_layout out;
    struct pgs_spv_blob blob;
    const enum pgs_spv_result result = pgs_spv_evaluation_info(shader, &info);
    run->tally.results[result]++;
    if (result == PGS_SPV_OK) {
        fill_layout(&out);
        pgs_spv_make_patch(&control, &info, 0, &patch);
        RUN_AND_TRY(shader, pgs_spv_evaluation_to_compute(shader, &patch, true, &out, &blob));
        const struct pgs_spv_evaluation_raster_options raster = {.patch = &patch,
                                                                 .triangles = true,
                                                                 .vertices_per_primitive = 3,
                                                                 .primitive_id_location = 20};
        RUN_AND_TRY(shader, pgs_spv_evaluation_to_raster(shader, &raster, &blob));
    }
    RUN(pgs_spv_pass_through_geometry(shader, 2, true, &blob));
    run_evaluated(shader, run);
}

/* Likewise. */
static void run_fused(const struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_vertex_options options = {.format = {0}};
    struct pgs_spv_geometry_info info;
    struct pgs_spv_blob through, blob;
    enum pgs_spv_result result = pgs_spv_pass_through_geometry(shader, 3, false, &through);
    run->tally.results[result]++;
    if (result != PGS_SPV_OK)
        return;
    struct pgs_spv_shader gs = {.words = through.words,
                                .word_count = through.word_count,
                                .entry_point = "main",
                                .stage = PGS_SPV_GEOMETRY};
    result = pgs_spv_geometry_info(&gs, &info);
    run->tally.results[result]++;
    options.out = info.in;
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs, pgs_spv_fused_to_compute(shader, &options, &gs, &info, NULL, &blob));
    const struct pgs_spv_assembly taken = {.topology = 3, .takes_record = true};
    struct pgs_spv_vertex_options fetched = options;
    for (int i = 0; i < PGS_MAX_ATTRIBUTES; i++)
        fetched.format[i] = PGS_FORMAT_DYNAMIC;
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs, pgs_spv_fused_to_compute(shader, &fetched, &gs, &info, &taken, &blob));
    const struct pgs_spv_assembly bound = {.topology = 3, .takes_record = true, .bound_sets = 3};
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs, pgs_spv_fused_to_compute(shader, &options, &gs, &info, &bound, &blob));
    const struct pgs_spv_raster_options raster = {.primitive_id_location = 20};
    const struct pgs_spv_assembly points = {.topology = 0, .stays_loop = true};
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs,
                    pgs_spv_fused_to_raster(shader, &options, &gs, &info, &points, &raster, &blob));
    const struct pgs_spv_raster_options record = {
        .primitive_id_location = 20, .record_inputs = true, .record_attributes = 1};
    for (int i = 0; i < PGS_MAX_ATTRIBUTES; i++) {
        fetched.format[i] =
            PGS_FORMAT_MAKE(i % 2 ? PGS_LAYOUT_8 : PGS_LAYOUT_32, 4u, PGS_KIND_UINT);
        fetched.near_B[i] = 16 * (uint32_t)i;
    }
    struct pgs_spv_vertex_options first = options;
    first.fetches_first = true;
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs,
                    pgs_spv_fused_to_raster(shader, &first, &gs, &info, &points, &raster, &blob));
    fetched.reads_near = true;
    if (result == PGS_SPV_OK)
        RUN_AND_TRY(&gs,
                    pgs_spv_fused_to_raster(shader, &fetched, &gs, &info, &points, &record, &blob));
    pgs_spv_blob_free(&through);
}

static void run_vertex(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_targets targets;
    struct pgs_spv_vertex_options options = {.format = {0}};
    struct pgs_spv_vertex_info info;
    struct pgs_spv_layout captured;
    struct pgs_spv_xfb xfb;
    struct pgs_spv_blob blob;
    fill_layout(&options.out);
    run->tally.results[pgs_spv_vertex_info(shader, &info)]++;
    run->tally.results[pgs_spv_shader_targets(shader, &targets)]++;
    const enum pgs_spv_result result = pgs_spv_vertex_xfb(shader, &captured, &xfb);
    run->tally.results[result]++;
    check_xfb(&xfb, &captured, 1);
    if (result == PGS_SPV_OK && xfb.copy_count) {
        const struct pgs_spv_vertex_options capture = {.out = captured, .capture = &xfb};
        RUN_AND_TRY(shader, pgs_spv_vertex_to_compute(shader, &capture, NULL, &blob));
    }
    RUN_AND_TRY(shader, pgs_spv_vertex_to_compute(shader, &options, NULL, &blob));
    for (uint32_t vertices = 1; vertices <= 3; vertices += 2)
        RUN(pgs_spv_pass_through_geometry(shader, vertices, vertices == 3, &blob));
    run_fused(shader, run);
}

static const struct pgs_spv_distances distances = {
    .clip_count = 3, .cull_count = 2, .passes_cull = true, .locations = {27, 28}};

static const struct pgs_spv_depth_planes depth_planes = {.wanted = true, .first = 3};

static void run_fragment(const struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_fragment_info info;
    struct pgs_spv_blob blob;
    run->tally.results[pgs_spv_fragment_info(shader, &info)]++;
    const struct pgs_spv_fragment_options options[] = {
        {.lacks = {.geometry = true},
         .primitive_id_location = 30,
         .has_layer = true,
         .has_viewport_index = true},
        {.lacks = {.geometry = true}, .primitive_id_location = UINT32_MAX},
        {.lacks = {.geometry = true},
         .primitive_id_location = 30,
         .take_layer = true,
         .layer_location = 31,
         .take_viewport = true,
         .viewport_location = 29},
        {.lacks = {.xfb = true}, .primitive_id_location = UINT32_MAX},
        {.lacks = {.tessellation = true}, .primitive_id_location = UINT32_MAX},
        {.lacks = {.distances = true},
         .primitive_id_location = UINT32_MAX,
         .distances =
             {.clip_count = 3, .cull_count = 2, .passes_cull = true, .locations = {27, 28}},
         .sample_count = 4},
        {.lacks = {.xfb = true},
         .primitive_id_location = UINT32_MAX,
         .take_stipple = true,
         .stipple_location = 27,
         .sample_count = 4},
        {.lacks = {.geometry = true},
         .primitive_id_location = UINT32_MAX,
         .behind_mesh = true,
         .take_front = true,
         .front_location = 30,
         .flat_inputs = true,
         .take_point_coord = true,
         .point_coord_location = 25},
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        RUN(pgs_spv_fragment_fix_up(shader, &options[i], &blob));
}

/* What asks nothing of an entry point. */
static void run_module(const uint32_t *words, size_t count, struct run *run)
{
    struct pgs_spv_blob blob;
    (void)pgs_spv_module_stores(words, count);
    (void)pgs_spv_module_replaces_depth(words, count);
    (void)pgs_spv_module_needs_rewrite(words, count, (struct pgs_spv_lacks){.geometry = true});
    (void)pgs_spv_module_has_draw_index(words, count);
    (void)pgs_spv_module_has_instance(words, count);
    (void)pgs_spv_module_sizes_points(words, count);
    (void)pgs_spv_module_makes_points(words, count);
    /* They may leave a module as it is. */
    static enum pgs_spv_result (*const passes[])(const uint32_t *, size_t,
                                                 struct pgs_spv_blob *) = {
        pgs_spv_keep_invariant, pgs_spv_device_views, pgs_spv_use_ext_addresses};
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        if (!wanted(run))
            continue;
        blob = UNTOUCHED;
        run->tally.results[passes[i](words, count, &blob)]++;
        if (blob.words == &untouched) {
            fprintf(stderr, "a pass over modules sets no words\n");
            exit(1);
        }
        pgs_spv_blob_free(&blob);
    }
}

static void run_stage(struct pgs_spv_shader *shader, struct run *run)
{
    struct pgs_spv_blob blob;
    const struct pgs_spv_lacks lacks[] = {{.geometry = true, .xfb = true}, {.xfb = true}};
    for (uint32_t k = 0; k < 2; k++)
        RUN(pgs_spv_extract_entry_point(shader, lacks[k], k, &blob));
    RUN(pgs_spv_shader_pass_distances(shader, &distances, &blob));
    RUN(pgs_spv_shader_clip_depth(shader, &depth_planes, &blob));
    RUN(pgs_spv_shader_forbid_stores(shader, &blob));
    if (shader->stage == PGS_SPV_GEOMETRY)
        run_geometry(shader, run);
    else if (shader->stage == PGS_SPV_VERTEX)
        run_vertex(shader, run);
    else if (shader->stage == PGS_SPV_CONTROL)
        run_control(shader, run);
    else if (shader->stage == PGS_SPV_EVALUATION)
        run_evaluation(shader, run);
    else
        run_fragment(shader, run);
}

struct pgs_spv_shader specialized_shader(const uint32_t *words, size_t count, const char *entry,
                                         enum pgs_spv_stage stage)
{
    static const uint32_t values[4] = {3, 1, 0, 7};
    static const struct pgs_spv_spec_entry entries[] = {
        {3, 0, 4}, {4, 4, 4}, {5, 12, 4}, {0, 14, 4}};
    const uint32_t generator = count > 2 ? words[2] : 0;
    return (struct pgs_spv_shader){.words = words,
                                   .word_count = count,
                                   .entry_point = entry,
                                   .stage = stage,
                                   .spec_entries = entries,
                                   .spec_entry_count = 4,
                                   .spec_data = values,
                                   .spec_data_B = sizeof(values),
                                   .int64 = generator & 1,
                                   .pairs_words = generator & 2,
                                   .joins_loads = generator & 4};
}

static struct tally run_stages(const uint32_t *words, size_t count, const char *entry,
                               uint32_t only)
{
    struct run run = {.only = only};
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        struct pgs_spv_shader shader = specialized_shader(words, count, entry, stages[i]);
        run_stage(&shader, &run);
    }
    run_module(words, count, &run);
    return run.tally;
}

struct tally run_all_passes(const uint32_t *words, size_t count, const char *entry)
{
    return run_stages(words, count, entry, ALL);
}

void read_of_passes(const uint32_t *words, size_t count, const char *entry)
{
    run_stages(words, count, entry, NONE);
}

uint32_t run_one_pass(const struct pgs_spv_shader *shader, uint32_t number)
{
    struct run run = {.only = number};
    struct pgs_spv_shader own = *shader;
    run_stage(&own, &run);
    run_module(shader->words, shader->word_count, &run);
    return run.at;
}
