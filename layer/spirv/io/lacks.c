/* SPDX-License-Identifier: MIT
 *
 * Removes from modules what the driver lacks.
 */
#include "spirv/io/lacks.h"

#include "spirv/io/xfb.h"
#include "spirv/ir/builder.h"

static bool needs(struct pgs_spv_lacks lacks, uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityGeometryPointSize:
        return lacks.geometry || lacks.point_size;
    case SpvCapabilityMultiViewport:
        return lacks.geometry || lacks.viewports;
    case SpvCapabilityGeometry:
        return lacks.geometry;
    case SpvCapabilityShaderViewportIndexLayerEXT:
        return lacks.geometry || lacks.layer_output || lacks.viewport_output;
    case SpvCapabilityShaderLayer:
        return lacks.layer_output;
    case SpvCapabilityShaderViewportIndex:
        return lacks.viewport_output;
    case SpvCapabilityGeometryStreams:
    case SpvCapabilityTransformFeedback:
        return lacks.geometry || lacks.xfb;
    case SpvCapabilityTessellationPointSize:
        return lacks.tessellation || lacks.point_size;
    case SpvCapabilityTessellation:
        return lacks.tessellation;
    case SpvCapabilityClipDistance:
    case SpvCapabilityCullDistance:
        return lacks.distances;
    default:
        return false;
    }
}

/* The capability that an entry point with this execution model needs, if it is one of ours. */
static uint32_t capability_of_model(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelGeometry:
        return SpvCapabilityGeometry;
    case SpvExecutionModelTessellationControl:
    case SpvExecutionModelTessellationEvaluation:
        return SpvCapabilityTessellation;
    default:
        return SpvCapabilityShader;
    }
}

/* The capability that an instruction declares, or needs even if it is undeclared;
 * SpvCapabilityShader if it is of no interest. */
static uint32_t capability_of(const uint32_t *ins, size_t length)
{
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpCapability && length > 1)
        return ins[1];
    if (op == SpvOpEntryPoint && length > 1)
        return capability_of_model(ins[1]);
    if (op == SpvOpExecutionMode && length > 2 && ins[2] == SpvExecutionModeXfb)
        return SpvCapabilityTransformFeedback;
    if (op == SpvOpDecorate && length > 3 && ins[2] == SpvDecorationBuiltIn &&
        ins[3] == SpvBuiltInPrimitiveId)
        return SpvCapabilityGeometry;
    return SpvCapabilityShader;
}

/* True if the capability allows gl_PrimitiveID without Geometry. */
static bool has_primitive_id(uint32_t capability)
{
    return capability == SpvCapabilityTessellation || capability == SpvCapabilityMeshShadingNV ||
           capability == SpvCapabilityMeshShadingEXT || capability == SpvCapabilityRayTracingNV ||
           capability == SpvCapabilityRayTracingKHR;
}

bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks)
{
    bool own_id = false;
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at < word_count && !pgs_spv_ends_annotations(words + at);) {
        const size_t length = pgs_spv_length(words + at);
        if (length == 0 || length > word_count - at)
            return false;
        const bool declared = pgs_spv_op(words + at) == SpvOpCapability;
        const bool decoration = pgs_spv_op(words + at) == SpvOpDecorate;
        const uint32_t capability = capability_of(words + at, length);
        own_id |= declared && has_primitive_id(capability);
        if (needs(lacks, capability) && !(decoration && own_id))
            return true;
        at += length;
    }
    return false;
}

static bool drop_capability(const uint32_t *ins, void *context)
{
    const struct pgs_spv_lacks *lacks = context;
    return needs(*lacks, ins[1]);
}

/* Capabilities that only a removed one implied are declared instead. */
void pgs_spv_clean(struct pgs_spv_module *m, struct pgs_spv_lacks lacks)
{
    const bool implied = pgs_spv_has_capability(m, SpvCapabilityGeometryStreams) ||
                         (lacks.viewports && pgs_spv_has_capability(m, SpvCapabilityMultiViewport));
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_capability, &lacks);
    if (lacks.geometry || lacks.xfb)
        pgs_spv_drop_xfb(m);
    if (implied && !lacks.geometry)
        pgs_spv_add_capability(m, SpvCapabilityGeometry);
    pgs_spv_add_capability(m, SpvCapabilityShader);
}

void pgs_spv_need_rates(struct pgs_spv_module *m)
{
    pgs_spv_add_capability(m, SpvCapabilityFragmentShadingRateKHR);
    pgs_spv_add_extension(m, "SPV_KHR_fragment_shading_rate");
}

void pgs_spv_need_views(struct pgs_spv_module *m)
{
    pgs_spv_add_capability(m, SpvCapabilityShaderViewportIndexLayerEXT);
    pgs_spv_add_extension(m, "SPV_EXT_shader_viewport_index_layer");
}
