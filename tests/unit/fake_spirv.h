/* SPDX-License-Identifier: MIT
 *
 * A fake spirv module for the test of the pipeline module, which includes it once, after cmocka.h.
 * Modules are told apart by their first word.
 */
#ifndef PGS_TEST_FAKE_SPIRV_H
#define PGS_TEST_FAKE_SPIRV_H

#include "fake_device_views.h"
#include "fake_geometry_info.h"
#include "fake_stores.h"
#include "poly_gs/format.h"
#include "spirv/spirv.h"

#define WORD_GEOMETRY 2u /* first word of a fake module that holds a geometry shader */
#define WORD_PLAIN 1u
#define WORD_TESSELLATION 4u /* of one that only a driver with tessellationShader takes */
#define WORD_POINT_SIZE 5u   /* of one that only a driver with sizes of points there takes */
#define WORD_EXTRACTED 9u

void pgs_spv_blob_free(struct pgs_spv_blob *blob)
{
    pgs_free(blob->words);
    *blob = (struct pgs_spv_blob){0};
}

bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks)
{
    return word_count && ((words[0] == WORD_GEOMETRY && (lacks.geometry || lacks.xfb)) ||
                          (words[0] == WORD_POINT_SIZE && lacks.point_size) ||
                          (words[0] == WORD_TESSELLATION && lacks.tessellation));
}

enum pgs_spv_result pgs_spv_keep_invariant(const uint32_t *words, size_t word_count,
                                           struct pgs_spv_blob *out)
{
    (void)words, (void)word_count;
    *out = (struct pgs_spv_blob){0};
    return PGS_SPV_OK;
}

static enum pgs_spv_result blob(const struct pgs_spv_shader *shader, struct pgs_spv_blob *out)
{
    if (shader->words[0] == WORD_BAD)
        return PGS_SPV_INVALID;
    *out = (struct pgs_spv_blob){.words = shader->is_trial ? NULL : pgs_calloc(1, 4)};
    out->word_count = out->words != NULL;
    if (out->words)
        out->words[0] = WORD_EXTRACTED;
    return out->words || shader->is_trial ? PGS_SPV_OK : PGS_SPV_OUT_OF_MEMORY;
}

static struct pgs_spv_vertex_info vertex_info;
enum pgs_spv_result pgs_spv_vertex_info(const struct pgs_spv_shader *vs,
                                        struct pgs_spv_vertex_info *info)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    *info = vertex_info;
    return PGS_SPV_OK;
}

static bool vertex_captures, formats_are_dynamic;
enum pgs_spv_result pgs_spv_vertex_xfb(const struct pgs_spv_shader *vs, struct pgs_spv_layout *out,
                                       struct pgs_spv_xfb *xfb)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    *out = (struct pgs_spv_layout){.stride_w = 8};
    *xfb = (struct pgs_spv_xfb){.enabled = vertex_captures};
    return PGS_SPV_OK;
}

static _Atomic uint32_t vertex_stride_w; /* of what a vertex shader stores, in any thread */
enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              const struct pgs_spv_assembly *assembly,
                                              struct pgs_spv_blob *out)
{
    assert_int_equal(options->format[2] == PGS_FORMAT_DYNAMIC, formats_are_dynamic);
    assert_int_equal(options->format[5], 0); /* not read */
    assert_true(assembly && vs->spec_entry_count == 1);
    assert_true(vs->spec_entries[0].constant_id == 8 && vs->spec_entries[0].size_B == 4);
    vertex_stride_w = options->out.stride_w;
    return blob(vs, out);
}

enum pgs_spv_result pgs_spv_geometry_to_compute(const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out)
{
    (void)info;
    assert_non_null(assembly);
    return blob(gs, out);
}

static struct pgs_spv_raster_options raster_options;
static uint32_t raster_stride_w; /* of what it reads */
static uint32_t raster_streams;  /* 1 << each for which there is a raster vertex shader */
enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out)
{
    raster_options = *options;
    raster_stride_w = info->out_stride_w;
    raster_streams |= 1u << options->stream;
    return blob(gs, out);
}

static bool places_geometry; /* vertex and geometry shader can be one */
static struct pgs_spv_raster_options placed_options;
static struct pgs_spv_assembly placed_assembly;
enum pgs_spv_result pgs_spv_fused_to_raster(const struct pgs_spv_shader *vs,
                                            const struct pgs_spv_vertex_options *vertex,
                                            const struct pgs_spv_shader *gs,
                                            const struct pgs_spv_geometry_info *info,
                                            const struct pgs_spv_assembly *assembly,
                                            const struct pgs_spv_raster_options *options,
                                            struct pgs_spv_blob *out)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    assert_int_equal(vertex->out.stride_w, info->in.stride_w);
    assert_int_not_equal(vertex->format[2], 0);
    placed_options = *options;
    placed_assembly = *assembly;
    return places_geometry ? blob(gs, out) : PGS_SPV_UNSUPPORTED;
}

static bool instances_geometry; /* likewise, for the application's own draw */
enum pgs_spv_result pgs_spv_instanced_to_raster(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    assert_true(info->one_vertex.strips || info->may_pick);
    assert_int_equal(options->stream, 0);
    return instances_geometry ? blob(gs, out) : PGS_SPV_UNSUPPORTED;
}

enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info)
{
    assert_int_equal(fs->stage, PGS_SPV_FRAGMENT);
    *info = (struct pgs_spv_fragment_info){reads_primitive_id, reads_layer, reads_viewport_index,
                                           .location_mask = 3};
    return PGS_SPV_OK;
}

static struct pgs_spv_fragment_options fragment_options;
enum pgs_spv_result pgs_spv_fragment_fix_up(const struct pgs_spv_shader *fs,
                                            const struct pgs_spv_fragment_options *options,
                                            struct pgs_spv_blob *out)
{
    fragment_options = *options;
    assert_int_equal(options->primitive_id_location, reads_primitive_id ? 3 : UINT32_MAX);
    assert_true(options->has_layer && !options->has_viewport_index);
    return blob(fs, out);
}

static struct pgs_spv_control_info control_info;
enum pgs_spv_result pgs_spv_control_info(const struct pgs_spv_shader *tcs,
                                         struct pgs_spv_control_info *info)
{
    assert_int_equal(tcs->stage, PGS_SPV_CONTROL);
    *info = control_info;
    return tcs->words[0] == WORD_BAD ? PGS_SPV_INVALID : PGS_SPV_OK;
}

static struct pgs_spv_evaluation_info evaluation_info;
enum pgs_spv_result pgs_spv_evaluation_info(const struct pgs_spv_shader *tes,
                                            struct pgs_spv_evaluation_info *info)
{
    assert_int_equal(tes->stage, PGS_SPV_EVALUATION);
    *info = evaluation_info;
    return tes->words[0] == WORD_BAD ? PGS_SPV_INVALID : PGS_SPV_OK;
}

enum pgs_spv_result
pgs_spv_evaluation_to_raster(const struct pgs_spv_shader *tes,
                             const struct pgs_spv_evaluation_raster_options *options,
                             struct pgs_spv_blob *out)
{
    assert_int_equal(tes->stage, PGS_SPV_EVALUATION);
    assert_int_equal(options->patch->stride_w, 20);
    return blob(tes, out);
}

void pgs_spv_make_patch(const struct pgs_spv_control_info *control,
                        const struct pgs_spv_evaluation_info *evaluation, uint32_t modes,
                        struct pgs_spv_patch *patch)
{
    (void)evaluation, (void)modes;
    *patch = (struct pgs_spv_patch){.vertex_count = control->modes.output_vertices, .stride_w = 20};
}

enum pgs_spv_result pgs_spv_control_to_compute(const struct pgs_spv_shader *tcs,
                                               const struct pgs_spv_control_info *info,
                                               const struct pgs_spv_patch *patch,
                                               struct pgs_spv_blob *out)
{
    assert_int_equal(tcs->stage, PGS_SPV_CONTROL);
    assert_int_equal(info->in.stride_w, control_info.in.stride_w);
    assert_int_equal(patch->stride_w, 20);
    return blob(tcs, out);
}

static enum pgs_spv_result evaluation_result; /* of the next one */
static bool evaluation_triangles;
enum pgs_spv_result pgs_spv_evaluation_to_compute(const struct pgs_spv_shader *tes,
                                                  const struct pgs_spv_patch *patch, bool triangles,
                                                  const struct pgs_spv_layout *out,
                                                  struct pgs_spv_blob *made)
{
    assert_int_equal(tes->stage, PGS_SPV_EVALUATION);
    assert_int_equal(patch->stride_w, 20);
    assert_int_equal(out->stride_w, geometry_info.in.stride_w);
    evaluation_triangles = triangles;
    return evaluation_result == PGS_SPV_OK ? blob(tes, made) : evaluation_result;
}

static uint32_t pass_through_vertices; /* 0: none was made */
static bool pass_through_numbers;
static enum pgs_spv_stage pass_through_stage; /* that it was made from */
enum pgs_spv_result pgs_spv_pass_through_geometry(const struct pgs_spv_shader *vs,
                                                  uint32_t vertices, bool primitive_id,
                                                  struct pgs_spv_blob *out)
{
    pass_through_stage = vs->stage;
    pass_through_vertices = vertices;
    pass_through_numbers = primitive_id;
    return blob(vs, out);
}

static uint32_t kept_streams; /* 1 << each of a geometry shader for the driver */
enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out)
{
    (void)lacks;
    if (shader->stage == PGS_SPV_GEOMETRY)
        kept_streams |= 1u << raster_stream;
    return blob(shader, out);
}

#include "fake_fused.h"
#endif
