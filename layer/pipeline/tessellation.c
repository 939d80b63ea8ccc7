/* SPDX-License-Identifier: MIT */
#include "pipeline/tessellation.h"

#include "base/log.h"
#include "pipeline/unsupported.h"
#include "poly_gs/tessellation.h"
#include "vulkan/chain.h"

static VkResult refuse(const char *what, uint32_t value, uint32_t limit)
{
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: tessellation with %u %s, of at most %u",
            value, what, limit);
    return VK_ERROR_INVALID_SHADER_NV;
}

/* Modes that either shader may declare. */
static struct pgs_spv_tessellation_modes merge(const struct pgs_spv_tessellation_modes *control,
                                               const struct pgs_spv_tessellation_modes *evaluation)
{
    return (struct pgs_spv_tessellation_modes){
        .domain = control->domain ? control->domain : evaluation->domain,
        .spacing = control->spacing ? control->spacing : evaluation->spacing,
        .order = control->order ? control->order : evaluation->order,
        .point_mode = control->point_mode || evaluation->point_mode,
        .output_vertices =
            control->output_vertices ? control->output_vertices : evaluation->output_vertices,
    };
}

static uint32_t flags_of(const struct pgs_spv_tessellation_modes *modes)
{
    static const uint32_t domains[] = {[PGS_SPV_DOMAIN_TRIANGLES] = PGS_TESS_TRIANGLES,
                                       [PGS_SPV_DOMAIN_QUADS] = PGS_TESS_QUADS,
                                       [PGS_SPV_DOMAIN_ISOLINES] = PGS_TESS_ISOLINES};
    static const uint32_t spacings[] = {[PGS_SPV_SPACING_EQUAL] = PGS_TESS_EQUAL,
                                        [PGS_SPV_SPACING_FRACTIONAL_EVEN] =
                                            PGS_TESS_FRACTIONAL_EVEN,
                                        [PGS_SPV_SPACING_FRACTIONAL_ODD] = PGS_TESS_FRACTIONAL_ODD};
    return domains[modes->domain] | spacings[modes->spacing] |
           (modes->order == PGS_SPV_ORDER_CCW ? PGS_TESS_CCW : 0) |
           (modes->point_mode ? PGS_TESS_POINT_MODE : 0);
}

static uint32_t primitive_vertices(uint32_t flags)
{
    if (flags & PGS_TESS_POINT_MODE)
        return 1;
    return (flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES ? 2 : 3;
}

/* Records the patch state that is not dynamic. */
static VkResult record_patches(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const VkPipelineTessellationStateCreateInfo *state = source->info->pTessellationState;
    const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
        state ? pgs_chain_find(
                    state->pNext,
                    VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO)
              : NULL;
    if (!(p->dynamic & PGS_DYNAMIC_DOMAIN_ORIGIN) && origin &&
        origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT)
        p->tessellation_flags ^= PGS_TESS_CCW;
    if ((p->dynamic & PGS_DYNAMIC_PATCH_CONTROL_POINTS))
        return VK_SUCCESS;
    p->patch_control_points = state ? state->patchControlPoints : 0;
    if (p->patch_control_points == 0 || p->patch_control_points > PGS_MAX_PATCH_VERTICES)
        return refuse("vertices in a patch", p->patch_control_points, PGS_MAX_PATCH_VERTICES);
    return VK_SUCCESS;
}

VkResult pgs_reflect_tessellation(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t shared_B = source->dev->physical->properties.limits.maxComputeSharedMemorySize;
    const struct pgs_spv_control_info *control;
    const struct pgs_spv_evaluation_info *evaluation;
    if (!source->tcs || !source->tes)
        return pgs_unsupported("with one of the two stages of tessellation");
    VkResult result = pgs_shader_control_info(source->tcs, &control);
    if (result == VK_SUCCESS)
        result = pgs_shader_evaluation_info(source->tes, &evaluation);
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_spv_tessellation_modes modes = merge(&control->modes, &evaluation->modes);
    if (modes.output_vertices == 0 || modes.output_vertices > PGS_MAX_PATCH_VERTICES)
        return refuse("output vertices", modes.output_vertices, PGS_MAX_PATCH_VERTICES);
    if (control->shared_B > shared_B)
        return refuse("bytes of outputs", control->shared_B, shared_B);
    if (modes.domain == PGS_SPV_DOMAIN_NONE)
        return pgs_unsupported("of tessellation without a domain");
    p->tessellated = true;
    p->tessellation_flags = flags_of(&modes);
    p->uses_push_constants |= control->reads_push_constants || evaluation->reads_push_constants;
    pgs_spv_make_patch(control, evaluation, p->tessellation_flags, &p->patch);
    source->control_info = control;
    source->evaluation_has_effects = evaluation->has_side_effects;
    source->tessellation_reads_view = control->reads_view_index || evaluation->reads_view_index;
    p->control_in = control->in;
    return record_patches(source);
}

uint32_t pgs_tessellated_primitive_vertices(const struct pgs_emulated_pipeline *pipeline)
{
    return primitive_vertices(pipeline->tessellation_flags);
}
