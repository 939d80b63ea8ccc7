/* SPDX-License-Identifier: MIT
 *
 * The part of fake_spirv.h, which includes it, for shaders that run more than one stage.
 */
#ifndef PGS_TEST_FAKE_FUSED_H
#define PGS_TEST_FAKE_FUSED_H

static _Atomic enum pgs_spv_result fused_result; /* of the next one */
static _Atomic int fused_generic;                /* those that fetch any format */
static _Atomic int fused_tried, fused_made;      /* trials, and all others */
static _Thread_local int fused_made_here;        /* by this thread */
static _Thread_local bool fuses_generic;         /* the last one of the thread does */
enum pgs_spv_result pgs_spv_fused_to_compute(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    assert_non_null(assembly);
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    *(gs->is_trial ? &fused_tried : &fused_made) += 1;
    fused_made_here += !gs->is_trial;
    fuses_generic = !options->format[2];
    fused_generic += fuses_generic;
    assert_true(options->format[2] || assembly->topology == PGS_TOPOLOGY_ANY);
    assert_int_equal(options->out.stride_w, info->in.stride_w);
    return fused_result == PGS_SPV_OK ? blob(gs, out) : fused_result;
}

static enum pgs_spv_result fused_control_result; /* of the next one */
static uint32_t fused_control_vertices;          /* of the patch of the last one */
enum pgs_spv_result pgs_spv_fused_control_to_compute(const struct pgs_spv_control_front *front,
                                                     const struct pgs_spv_shader *tcs,
                                                     const struct pgs_spv_control_info *info,
                                                     const struct pgs_spv_patch *patch,
                                                     struct pgs_spv_blob *out)
{
    assert_int_equal(front->vs->stage, PGS_SPV_VERTEX);
    assert_int_equal(tcs->stage, PGS_SPV_CONTROL);
    assert_int_equal(front->vertex->out.stride_w, info->in.stride_w);
    assert_int_equal(patch->stride_w, 20);
    fused_control_vertices = front->patch_vertices;
    return fused_control_result == PGS_SPV_OK ? blob(tcs, out) : fused_control_result;
}

static _Atomic int sifts_made; /* trials left out */
enum pgs_spv_result pgs_spv_geometry_to_sift(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    assert_int_equal(assembly->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    assert_int_equal(options->out.stride_w, info->in.stride_w);
    sifts_made += !gs->is_trial;
    return blob(gs, out);
}

static _Atomic bool picks_nothing; /* as it turns out */
static _Atomic int picks_made;     /* trials left out */
enum pgs_spv_result pgs_spv_geometry_to_pick(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    assert_int_equal(vs->stage, PGS_SPV_VERTEX);
    assert_true(info->may_pick);
    assert_int_equal(assembly->flags & ~(PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST), 0);
    assert_int_equal(options->out.stride_w, info->in.stride_w);
    picks_made += !gs->is_trial;
    return picks_nothing ? PGS_SPV_UNSUPPORTED : blob(gs, out);
}

static bool captures_fused; /* the last one that captures by itself */
enum pgs_spv_result pgs_spv_geometry_to_capture(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_vertex_options *vertex,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out)
{
    assert_non_null(assembly);
    assert_int_equal(vertex->out.stride_w, info->in.stride_w);
    assert_true(vs || info->pattern.is_known);
    captures_fused = vs != NULL;
    return blob(gs, out);
}

enum pgs_spv_result pgs_spv_evaluated_to_capture(
    const struct pgs_spv_shader *tes, const struct pgs_spv_evaluation_options *evaluation,
    const struct pgs_spv_shader *gs, const struct pgs_spv_geometry_info *info,
    const struct pgs_spv_assembly *assembly, struct pgs_spv_blob *out)
{
    (void)info;
    assert_int_equal(tes->stage, PGS_SPV_EVALUATION);
    assert_int_equal(evaluation->patch->stride_w, 20);
    assert_true(assembly->flags & PGS_DRAW_TESSELLATED);
    captures_fused = true;
    return blob(gs, out);
}

enum pgs_spv_result pgs_spv_evaluated_to_raster(const struct pgs_spv_shader *tes,
                                                const struct pgs_spv_evaluation_options *evaluation,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out)
{
    (void)info;
    assert_int_equal(tes->stage, PGS_SPV_EVALUATION);
    assert_int_equal(evaluation->patch->stride_w, 20);
    assert_true(assembly->flags & PGS_DRAW_TESSELLATED);
    placed_options = *options;
    placed_assembly = *assembly;
    return places_geometry ? blob(gs, out) : PGS_SPV_UNSUPPORTED;
}

#endif
