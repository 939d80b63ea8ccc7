/* SPDX-License-Identifier: MIT */
#include "pipeline/compute_inputs.h"

#include "pipeline/bind_sets.h"
#include "pipeline/kernels.h"
#include "poly_gs/format.h"
#include "poly_gs/listing.h"
#include "poly_gs/places.h"
#include "poly_gs/planes.h"
#include "poly_gs/tessellation.h"

#include <string.h>

void pgs_vertex_options(const struct pgs_pipeline_source *source,
                        struct pgs_spv_vertex_options *options)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_layout *out = p->tessellated ? &p->control_in : &p->gs.in;
    memcpy(&options->out, out, sizeof(*out)); /* with the padding */
    options->capture = source->vertex_xfb;
    for (uint32_t i = 0; i < PGS_MAX_ATTRIBUTES; i++) /* unless the loop below finds it */
        if (source->vertex_info.attribute_mask >> i & 1)
            options->format[i] = PGS_FORMAT_ABSENT;
    for (uint32_t i = 0; i < p->attribute_count; i++)
        options->format[p->attributes[i].location] =
            p->attributes[i].format |
            (p->bindings[p->attributes[i].binding].instance_rate ? PGS_FORMAT_INSTANCE : 0);
}

void pgs_take_assembly(const struct pgs_emulated_pipeline *p, struct pgs_spv_assembly *assembly)
{
    assembly->topology =
        (p->dynamic & PGS_DYNAMIC_TOPOLOGY) ? PGS_TOPOLOGY_ANY : (uint32_t)p->topology;
    assembly->flags =
        PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST |
        (p->primitive_restart || (p->dynamic & PGS_DYNAMIC_RESTART) ? PGS_DRAW_RESTART : 0) |
        (p->pass_through ? PGS_DRAW_MAIN : 0) | (p->tessellated ? PGS_DRAW_TESSELLATED : 0) |
        (p->tes_stored ? PGS_DRAW_EVALUATED : 0);
}

static void take_vertex(const struct pgs_pipeline_source *source, struct pgs_compute_inputs *inputs)
{
    inputs->vs = source->vs;
    pgs_vertex_options(source, &inputs->vertex);
}

/* What storing vertices need not know is left open, so that more pipelines share them. */
static void take_vertex_assembly(const struct pgs_pipeline_source *source,
                                 struct pgs_spv_assembly *assembly)
{
    pgs_take_assembly(source->pipeline, assembly);
    if (source->vertex_xfb)
        return;
    assembly->topology = PGS_TOPOLOGY_ANY;
    assembly->flags &= PGS_DRAW_INDEXED | PGS_DRAW_RESTART;
    const bool rounds =
        source->pipeline->goes_in_rounds || pgs_pipeline_has_geometry(source->pipeline);
    assembly->flags |= rounds ? PGS_DRAW_ROUND : 0;
}

static void take_geometry(const struct pgs_pipeline_source *source,
                          struct pgs_compute_inputs *inputs)
{
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool large = inputs->variant != PGS_VARIANT_LISTING; /* some of its draws are */
    pgs_take_assembly(p, &inputs->assembly);
    inputs->assembly.flags |= (p->packs ? PGS_DRAW_PACKED : 0) |
                              (p->spreads ? PGS_DRAW_SPREAD : 0) |
                              (large && p->gathers ? PGS_DRAW_GATHERED : 0) |
                              (large ? p->cull_planes : p->cull_planes & PGS_DRAW_PLANES);
}

/* Draws with restart, of other primitives or in rounds are not sifted. */
static void take_sifted(const struct pgs_pipeline_source *source, struct pgs_compute_inputs *inputs)
{
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    inputs->assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    inputs->assembly.flags = PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST |
                             (source->pipeline->cull_planes & PGS_DRAW_PLANES);
}

/* Nor are vertices picked with restart or in rounds. */
static void take_picked(const struct pgs_pipeline_source *source, struct pgs_compute_inputs *inputs)
{
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    pgs_take_assembly(source->pipeline, &inputs->assembly);
    inputs->assembly.flags &= PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST;
    inputs->assembly.takes_record = pgs_row_kernels(source->dev->physical) != 0; /* which count */
}

static void take_patch(const struct pgs_pipeline_source *source, struct pgs_compute_inputs *inputs)
{
    memcpy(&inputs->patch, &source->pipeline->patch, sizeof(inputs->patch));
}

static void take_control(const struct pgs_pipeline_source *source,
                         struct pgs_compute_inputs *inputs)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    inputs->tcs = source->tcs;
    inputs->control = source->control_info;
    take_patch(source, inputs);
    inputs->patch.restarts = p->primitive_restart || (p->dynamic & PGS_DYNAMIC_RESTART);
}

/* Nothing else of the assembly: patches are lists, and the rest is in records. */
static void take_fused_control(const struct pgs_pipeline_source *source,
                               struct pgs_compute_inputs *inputs)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    take_vertex(source, inputs);
    take_control(source, inputs);
    if (!(p->dynamic & PGS_DYNAMIC_PATCH_CONTROL_POINTS))
        inputs->patch_vertices = p->patch_control_points;
}

static void take_evaluation(const struct pgs_pipeline_source *source,
                            struct pgs_compute_inputs *inputs)
{
    inputs->tes = source->tes;
    inputs->triangles =
        (source->pipeline->tessellation_flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES;
    take_patch(source, inputs);
}

void pgs_compute_inputs_init(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                             struct pgs_compute_inputs *inputs)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    memset(inputs, 0, sizeof(*inputs));
    inputs->variant = variant;
    switch (variant) {
    case PGS_VARIANT_VERTEX:
        take_vertex(source, inputs);
        take_vertex_assembly(source, &inputs->assembly);
        break;
    case PGS_VARIANT_CONTROL:
        take_control(source, inputs);
        break;
    case PGS_VARIANT_FUSED_CONTROL:
        take_fused_control(source, inputs);
        break;
    case PGS_VARIANT_EVALUATION:
        take_evaluation(source, inputs);
        memcpy(&inputs->evaluation_out, &p->gs.in, sizeof(p->gs.in));
        break;
    case PGS_VARIANT_GEOMETRY:
        take_geometry(source, inputs);
        break;
    case PGS_VARIANT_XFB:
    case PGS_VARIANT_LISTING:
        take_geometry(source, inputs);
        if (pgs_pipeline_has(p, PGS_VARIANT_FUSED))
            take_vertex(source, inputs);
        if (variant == PGS_VARIANT_LISTING)
            inputs->assembly.flags |= PGS_DRAW_SELF_LISTED;
        break;
    case PGS_VARIANT_NO_MEMORY:
        if (p->tessellated)
            take_evaluation(source, inputs);
        else
            take_vertex(source, inputs);
        take_geometry(source, inputs);
        break;
    case PGS_VARIANT_FUSED:
        take_vertex(source, inputs);
        take_geometry(source, inputs);
        /* Shaders without it do not count what cut lists take (culling.c). */
        inputs->assembly.takes_record = pgs_runs_on_cpu(source->dev->physical);
        break;
    case PGS_VARIANT_BOUND:
        take_vertex(source, inputs);
        take_geometry(source, inputs);
        inputs->assembly.takes_record = true;
        inputs->assembly.bound_sets = pgs_layout_set_count(p->layout) + 1;
        break;
    case PGS_VARIANT_SIFT:
        take_vertex(source, inputs);
        take_sifted(source, inputs);
        break;
    case PGS_VARIANT_PICK:
        take_vertex(source, inputs);
        take_picked(source, inputs);
        break;
    case PGS_VARIANT_STORED_0:
    case PGS_VARIANT_STORED_1:
    case PGS_VARIANT_STORED_2:
    case PGS_VARIANT_STORED_3:
    case PGS_VARIANT_INSTANCED:
    case PGS_VARIANT_PICKED:
    case PGS_VARIANT_INLINE:
    case PGS_VARIANT_INLINE_CALL:
    case PGS_VARIANT_INLINE_OF_0:
    case PGS_VARIANT_INLINE_OF_1:
    case PGS_VARIANT_INLINE_OF_2:
    case PGS_VARIANT_INLINE_OF_3:
    case PGS_VARIANT_NOTHING:
    case PGS_VARIANT_COUNT:
        break;
    }
}

void pgs_compute_inputs_generalize(struct pgs_compute_inputs *inputs)
{
    for (int i = 0; i < PGS_MAX_ATTRIBUTES; i++)
        if (inputs->vertex.format[i] != PGS_FORMAT_ABSENT)
            inputs->vertex.format[i] = PGS_FORMAT_DYNAMIC;
    inputs->patch.restarts |= inputs->tcs != NULL;
    const bool assembles = (inputs->vs && !inputs->tcs) || inputs->gs;
    if (!assembles || (inputs->assembly.flags & PGS_DRAW_TESSELLATED))
        return;
    inputs->assembly.topology = PGS_TOPOLOGY_ANY;
    inputs->assembly.flags |= PGS_DRAW_RESTART;
}

/* The shaders of the inputs, as passes take them. */
struct codes {
    struct pgs_spv_shader vs, tcs, tes, gs;
};

static struct codes codes_of(const struct pgs_compute_inputs *in, bool is_trial)
{
    struct codes codes;
    codes.vs = pgs_shader_code(in->vs, is_trial);
    codes.tcs = pgs_shader_code(in->tcs, is_trial);
    codes.tes = pgs_shader_code(in->tes, is_trial);
    codes.gs = pgs_shader_code(in->gs, is_trial);
    return codes;
}

enum pgs_spv_result pgs_compute_translate(const struct pgs_compute_inputs *inputs, bool is_trial,
                                          struct pgs_spv_blob *blob)
{
    const struct pgs_compute_inputs *in = inputs;
    const struct codes codes = codes_of(in, is_trial);
    switch (in->variant) {
    case PGS_VARIANT_VERTEX:
        return pgs_spv_vertex_to_compute(&codes.vs, &in->vertex, &in->assembly, blob);
    case PGS_VARIANT_CONTROL:
        return pgs_spv_control_to_compute(&codes.tcs, in->control, &in->patch, blob);
    case PGS_VARIANT_FUSED_CONTROL:
        return pgs_spv_fused_control_to_compute(
            &(struct pgs_spv_control_front){
                .vs = &codes.vs, .vertex = &in->vertex, .patch_vertices = in->patch_vertices},
            &codes.tcs, in->control, &in->patch, blob);
    case PGS_VARIANT_EVALUATION:
        return pgs_spv_evaluation_to_compute(&codes.tes, &in->patch, in->triangles,
                                             &in->evaluation_out, blob);
    case PGS_VARIANT_GEOMETRY:
    case PGS_VARIANT_FUSED:
    case PGS_VARIANT_LISTING:
    case PGS_VARIANT_BOUND:
        if (!in->vs)
            return pgs_spv_geometry_to_compute(&codes.gs, in->geometry, &in->assembly, blob);
        return pgs_spv_fused_to_compute(&codes.vs, &in->vertex, &codes.gs, in->geometry,
                                        &in->assembly, blob);
    case PGS_VARIANT_SIFT:
        return pgs_spv_geometry_to_sift(&codes.vs, &in->vertex, &codes.gs, in->geometry,
                                        &in->assembly, blob);
    case PGS_VARIANT_PICK:
        return pgs_spv_geometry_to_pick(&codes.vs, &in->vertex, &codes.gs, in->geometry,
                                        &in->assembly, blob);
    case PGS_VARIANT_NO_MEMORY:
        if (in->tes)
            return pgs_spv_evaluated_to_capture(
                &codes.tes,
                &(struct pgs_spv_evaluation_options){.patch = &in->patch,
                                                     .triangles = in->triangles},
                &codes.gs, in->geometry, &in->assembly, blob);
        /* fall through */
    case PGS_VARIANT_XFB:
        return pgs_spv_geometry_to_capture(in->vs ? &codes.vs : NULL, &in->vertex, &codes.gs,
                                           in->geometry, &in->assembly, blob);
    case PGS_VARIANT_STORED_0:
    case PGS_VARIANT_STORED_1:
    case PGS_VARIANT_STORED_2:
    case PGS_VARIANT_STORED_3:
    case PGS_VARIANT_INSTANCED:
    case PGS_VARIANT_PICKED:
    case PGS_VARIANT_INLINE:
    case PGS_VARIANT_INLINE_CALL:
    case PGS_VARIANT_INLINE_OF_0:
    case PGS_VARIANT_INLINE_OF_1:
    case PGS_VARIANT_INLINE_OF_2:
    case PGS_VARIANT_INLINE_OF_3:
    case PGS_VARIANT_NOTHING:
    case PGS_VARIANT_COUNT:
        break;
    }
    return PGS_SPV_UNSUPPORTED;
}
