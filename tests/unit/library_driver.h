/* SPDX-License-Identifier: MIT
 *
 * The fake driver of test_pipeline_libraries.c: notes what it gets for libraries and for pipelines.
 */
#ifndef PGS_TESTS_UNIT_LIBRARY_DRIVER_H
#define PGS_TESTS_UNIT_LIBRARY_DRIVER_H

#include "vulkan/chain.h"

#include "fake_pipeline_driver.h"

/* What the driver got last. */
static struct {
    bool library, links;
    VkGraphicsPipelineLibraryFlagsEXT parts;
    uint32_t linked_count;
    VkPipeline linked[4];
    VkGraphicsPipelineCreateInfo info;
    uint32_t stage_mask;
    uint32_t view_mask;
    uint32_t color_count;
    VkPrimitiveTopology topology;
    uint64_t flags; /* in the chain */
    int calls;
    /* -1: nothing is said of it. */
    int robust_pipeline, robust_fragment, robust_compute; /* storage buffers */
    uint32_t location_count, location, index_count, index;
    VkExtent2D rate;
    bool representative;
    VkFragmentShadingRateNV rate_enum;
    VkSampleCountFlagBits color_samples; /* 0: nothing is said of it */
    struct {                             /* a library of the layer, in front of the rasterizer */
        int calls;
        uint32_t stage_mask, view_mask, dynamic_count;
        VkDynamicState dynamic;
        VkGraphicsPipelineCreateInfo info;
    } front;
    struct { /* the last one of the driver behind it */
        VkGraphicsPipelineLibraryFlagsEXT parts;
        uint32_t stage_mask;
        VkGraphicsPipelineCreateInfo info;
    } behind;
} got;

/* It refuses libraries of just these. */
static VkGraphicsPipelineLibraryFlagsEXT refused_parts;

static int robustness_in(const void *chain)
{
    const VkPipelineRobustnessCreateInfoEXT *said =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
    return said ? (int)said->storageBuffers : -1;
}

static VkResult note_compute(VkDevice handle, VkPipelineCache cache, uint32_t count,
                             const VkComputePipelineCreateInfo *infos,
                             const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    got.robust_compute = robustness_in(infos[0].pNext);
    return create_compute(handle, cache, count, infos, allocator, pipelines);
}

static void look_at_chain(const void *chain)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *part =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    const VkPipelineLibraryCreateInfoKHR *linked =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    const VkPipelineRenderingCreateInfo *rendering =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    got.parts = part ? part->flags : 0;
    got.links = linked != NULL;
    got.linked_count = linked ? linked->libraryCount : 0;
    for (uint32_t i = 0; i < got.linked_count && i < 4; i++)
        got.linked[i] = linked->pLibraries[i];
#ifdef VK_KHR_maintenance5
    const VkPipelineCreateFlags2CreateInfoKHR *flags =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    got.flags = flags ? flags->flags : 0;
#endif
#ifdef VK_KHR_dynamic_rendering_local_read
    const VkRenderingAttachmentLocationInfoKHR *locations =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    const VkRenderingInputAttachmentIndexInfoKHR *indices =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
    got.location_count = locations ? locations->colorAttachmentCount : 0;
    got.location = locations && !got.parts ? locations->pColorAttachmentLocations[0] : 0;
    got.index_count = indices ? indices->colorAttachmentCount : 0;
    got.index = indices && !got.parts ? *indices->pDepthInputAttachmentIndex : 0;
#endif
    const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
    const VkPipelineRepresentativeFragmentTestStateCreateInfoNV *test = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV);
    const VkPipelineFragmentShadingRateEnumStateCreateInfoNV *rate_enum = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV);
    const VkAttachmentSampleCountInfoAMD *samples =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    got.rate_enum = rate_enum ? rate_enum->shadingRate : 0;
    got.color_samples = samples && !got.parts ? samples->pColorAttachmentSamples[0] : 0;
    got.rate = rate ? rate->fragmentSize : (VkExtent2D){0, 0};
    got.representative = test && test->representativeFragmentTestEnable;
    got.robust_pipeline = robustness_in(chain);
    got.view_mask = rendering ? rendering->viewMask : 0;
    got.color_count = rendering ? rendering->colorAttachmentCount : 0;
}

static void look_at_front(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    if (!got.library || got.links || !info->pVertexInputState || !info->pRasterizationState)
        return;
    got.front.calls++;
    got.front.stage_mask = got.stage_mask;
    got.front.view_mask = got.view_mask;
    got.front.dynamic_count = dynamic ? dynamic->dynamicStateCount : 0;
    got.front.dynamic = got.front.dynamic_count ? dynamic->pDynamicStates[0] : 0;
    got.front.info = *info;
}

static void look_behind(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryFlagsEXT front =
        VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
        VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
    if (!got.library || !got.parts || (got.parts & front))
        return;
    got.behind.parts = got.parts;
    got.behind.stage_mask = got.stage_mask;
    got.behind.info = *info;
}

static VkResult create_any(VkDevice handle, VkPipelineCache cache, uint32_t count,
                           const VkGraphicsPipelineCreateInfo *infos,
                           const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    got.calls++;
    got.info = infos[0];
    got.library = infos[0].flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    look_at_chain(infos[0].pNext);
    if (infos[0].pInputAssemblyState)
        got.topology = infos[0].pInputAssemblyState->topology;
    got.stage_mask = 0;
    got.robust_fragment = -1;
    for (uint32_t i = 0; i < infos[0].stageCount; i++) {
        got.stage_mask |= infos[0].pStages[i].stage;
        if (infos[0].pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            got.robust_fragment = robustness_in(infos[0].pStages[i].pNext);
    }
    look_at_front(&infos[0]);
    look_behind(&infos[0]);
    fake.dynamic_count = 0;
    pipelines[0] = VK_NULL_HANDLE;
    if (got.library && got.parts && got.parts == refused_parts)
        return VK_ERROR_UNKNOWN;
    if (infos[0].pVertexInputState && !got.library) {
        VkGraphicsPipelineCreateInfo info = infos[0];
        info.pNext = NULL;
        return create_graphics(handle, cache, count, &info, allocator, pipelines);
    }
    if (infos[0].pDynamicState) {
        fake.dynamic_count = infos[0].pDynamicState->dynamicStateCount;
        for (uint32_t i = 0; i < fake.dynamic_count; i++)
            fake.dynamic[i] = infos[0].pDynamicState->pDynamicStates[i];
    }
    pipelines[0] = VK_NULL_HANDLE;
    if (fake_result() != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (fake.graphics_result != VK_SUCCESS)
        return fake.graphics_result;
    make_pipelines(1, pipelines);
    return VK_SUCCESS;
}

#endif
