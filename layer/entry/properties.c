/* SPDX-License-Identifier: MIT
 *
 * The properties that the layer reports where it emulates.
 */
#include "base/alloc.h"
#include "draw/draw.h"
#include "entry/brought.h"
#include "entry/entry.h"
#include "entry/physical_device.h"
#include "poly_gs/tessellation.h"
#include "poly_gs/xfb.h"
#include "spirv/spirv.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"
#include "vulkan/own_uuid.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Stages that may run as compute, besides vertex shaders. */
#define MOVED_STAGES                                                                               \
    (VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |                     \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

/* What the driver can do in compute shaders it can do in the stages that become such. The others
 * keep their bits. */
static void patch_subgroup_stages(const struct pgs_physical_device *phys,
                                  VkShaderStageFlags *stages)
{
    const VkShaderStageFlags ours =
        (phys->emulates_geometry ? VK_SHADER_STAGE_GEOMETRY_BIT : 0) |
        (phys->emulates_tessellation ? MOVED_STAGES & ~(uint32_t)VK_SHADER_STAGE_GEOMETRY_BIT : 0);
    *stages = *stages & VK_SHADER_STAGE_COMPUTE_BIT ? *stages | ours : *stages & ~MOVED_STAGES;
}

/* Compute shaders in place of other stages require no size, so they have the only one, or any. */
static void patch_required_sizes(uint32_t min_el, uint32_t max_el, VkShaderStageFlags *stages)
{
    if (min_el != max_el)
        *stages &= ~(VkShaderStageFlags)(MOVED_STAGES | VK_SHADER_STAGE_VERTEX_BIT);
}

static void patch_geometry_limits(const struct pgs_physical_device *phys,
                                  VkPhysicalDeviceLimits *limits)
{
    const uint32_t varyings_el =
        MIN(limits->maxVertexOutputComponents, limits->maxFragmentInputComponents);
    const VkPhysicalDeviceLimits ours = {
        .maxGeometryShaderInvocations = 32,
        .maxGeometryInputComponents = MAX(64, MIN(128, limits->maxVertexOutputComponents)),
        .maxGeometryOutputComponents =
            MAX(64, MIN(128, varyings_el)), /* the raster vertex shader outputs them */
        .maxGeometryOutputVertices = 1024,
        .maxGeometryTotalOutputComponents = 1024,
    };
    /* If the driver has geometry shaders, the layer runs only those that capture, so both limits
     * apply. */
    const bool both = !phys->emulates_geometry;
#define PATCH(limit) limits->limit = both ? MIN(limits->limit, ours.limit) : ours.limit
    PATCH(maxGeometryShaderInvocations);
    PATCH(maxGeometryInputComponents);
    PATCH(maxGeometryOutputComponents);
    PATCH(maxGeometryOutputVertices);
    PATCH(maxGeometryTotalOutputComponents);
#undef PATCH
}

static void patch_tessellation_limits(const struct pgs_physical_device *phys,
                                      VkPhysicalDeviceLimits *limits)
{
    const uint32_t varyings_el =
        MIN(limits->maxVertexOutputComponents, limits->maxFragmentInputComponents);
    const VkPhysicalDeviceLimits ours = {
        .maxTessellationGenerationLevel = PGS_MAX_TESSELLATION_LEVEL,
        .maxTessellationPatchSize = PGS_MAX_PATCH_VERTICES,
        .maxTessellationControlPerVertexInputComponents =
            MAX(64, MIN(128, limits->maxVertexOutputComponents)),
        .maxTessellationControlPerVertexOutputComponents = 128,
        .maxTessellationControlPerPatchOutputComponents = 120,
        .maxTessellationControlTotalOutputComponents = 4096, /* outputs are in memory */
        .maxTessellationEvaluationInputComponents = 128,
        .maxTessellationEvaluationOutputComponents = MAX(64, MIN(128, varyings_el)),
    };
    const bool both = !phys->emulates_tessellation; /* as above */
    if (both && !phys->native_tessellation)
        return;
#define PATCH(limit) limits->limit = both ? MIN(limits->limit, ours.limit) : ours.limit
    PATCH(maxTessellationGenerationLevel);
    PATCH(maxTessellationPatchSize);
    PATCH(maxTessellationControlPerVertexInputComponents);
    PATCH(maxTessellationControlPerVertexOutputComponents);
    PATCH(maxTessellationControlPerPatchOutputComponents);
    PATCH(maxTessellationControlTotalOutputComponents);
    PATCH(maxTessellationEvaluationInputComponents);
    PATCH(maxTessellationEvaluationOutputComponents);
#undef PATCH
}

/* Limits do not depend on whether the feature is enabled. */
static void patch_properties(const struct pgs_physical_device *phys,
                             VkPhysicalDeviceProperties *properties)
{
    VkPhysicalDeviceLimits *limits = &properties->limits;
    pgs_reported_uuid(phys, properties->pipelineCacheUUID); /* pipeline/app_cache.c says why */
    patch_geometry_limits(phys, limits);
    patch_tessellation_limits(phys, limits);
    /* Limit of the draw record and of tracked state. */
    limits->maxPushConstantsSize = MIN(256, limits->maxPushConstantsSize);
    limits->maxBoundDescriptorSets = MIN(32, limits->maxBoundDescriptorSets);
    limits->maxVertexInputBindings = MIN(32, limits->maxVertexInputBindings);
    limits->maxVertexInputAttributes = MIN(32, limits->maxVertexInputAttributes);
    if (phys->emulates_clip)
        limits->maxClipDistances = limits->maxCullDistances =
            limits->maxCombinedClipAndCullDistances = PGS_SPV_MAX_DISTANCES;
    if (phys->splits_draws)
        limits->maxDrawIndirectCount = PGS_MAX_INDIRECT_DRAWS;
    else if (phys->counts_draws || phys->lacks_first_instance)
        limits->maxDrawIndirectCount = MIN(PGS_MAX_INDIRECT_DRAWS, limits->maxDrawIndirectCount);
    if (phys->replays_viewports)
        limits->maxViewports = PGS_MAX_VIEWPORTS;
    if (phys->emulates_lines) {
        limits->lineWidthRange[0] = 1;
        limits->lineWidthRange[1] = PGS_MAX_LINE_WIDTH_PX;
        limits->lineWidthGranularity = 0.125f;
    }
    if (phys->emulates_points) {
        limits->pointSizeRange[0] = 1;
        limits->pointSizeRange[1] = PGS_MAX_POINT_SIZE_PX;
        limits->pointSizeGranularity = 0.125f;
    }
    if (pgs_is_later_version(properties->apiVersion)) /* whose commands would bypass the queue */
        properties->apiVersion = PGS_CORE_VERSION | VK_HEADER_VERSION;
}

/* Counters are byte offsets of 32 bits. The required minimum is that of storage buffers. */
static VkDeviceSize xfb_buffer_size(const struct pgs_physical_device *phys)
{
    const uint32_t most_B = UINT32_MAX - 3, least_B = 1u << 27;
    return MAX(least_B, MIN(most_B, phys->properties.limits.maxStorageBufferRange));
}

static void fill_xfb(const struct pgs_physical_device *phys,
                     VkPhysicalDeviceTransformFeedbackPropertiesEXT *properties)
{
    properties->maxTransformFeedbackStreams = 4;
    properties->maxTransformFeedbackBuffers = PGS_MAX_XFB_BUFFERS;
    properties->maxTransformFeedbackBufferSize = xfb_buffer_size(phys);
    properties->maxTransformFeedbackStreamDataSize = 2048;
    properties->maxTransformFeedbackBufferDataSize = 512;
    properties->maxTransformFeedbackBufferDataStride = 2048;
    properties->transformFeedbackQueries = VK_TRUE;
    properties->transformFeedbackStreamsLinesTriangles = VK_TRUE;
    properties->transformFeedbackRasterizationStreamSelect = VK_TRUE;
    properties->transformFeedbackDraw = VK_TRUE;
}

/* The driver draws generated commands, without the layer's stages and captures. */
static void patch_generated_commands(const struct pgs_physical_device *phys,
                                     VkBaseOutStructure *node)
{
#ifdef VK_EXT_device_generated_commands
    const VkShaderStageFlags ours =
        (phys->emulates_geometry ? VK_SHADER_STAGE_GEOMETRY_BIT : 0) |
        (phys->emulates_tessellation ? MOVED_STAGES & ~(uint32_t)VK_SHADER_STAGE_GEOMETRY_BIT : 0);
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT *limits = (void *)node;
    if (node->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT)
        return;
    limits->supportedIndirectCommandsShaderStages &= ~ours;
    limits->supportedIndirectCommandsShaderStagesPipelineBinding &= ~ours;
    /* Their handles need not be those of objects that the driver can run. */
    limits->supportedIndirectCommandsShaderStagesShaderBinding = 0;
    limits->maxIndirectShaderObjectCount = 0;
    if (phys->emulates_xfb)
        limits->deviceGeneratedCommandsTransformFeedback = VK_FALSE;
#else
    (void)phys, (void)node;
#endif
}

static void patch_property_node(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    switch (node->sType) {
        /* The shape of the layer's wide lines that are not strict. */
#ifdef VK_KHR_maintenance5
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_PROPERTIES_KHR:
        ((VkPhysicalDeviceMaintenance5PropertiesKHR *)node)->nonStrictWideLinesUseParallelogram |=
            phys->emulates_lines;
        break;
#endif
#ifdef VK_VERSION_1_4
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES:
        ((VkPhysicalDeviceVulkan14Properties *)node)->nonStrictWideLinesUseParallelogram |=
            phys->emulates_lines;
        break;
#endif
#ifdef VK_EXT_shader_object
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT:
        pgs_own_uuid(((VkPhysicalDeviceShaderObjectPropertiesEXT *)node)->shaderBinaryUUID);
        break;
#endif
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_PROPERTIES_EXT:
        pgs_own_uuid(((VkPhysicalDeviceShaderModuleIdentifierPropertiesEXT *)node)
                         ->shaderModuleIdentifierAlgorithmUUID);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT:
        if (phys->emulates_xfb)
            fill_xfb(phys, (VkPhysicalDeviceTransformFeedbackPropertiesEXT *)node);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT:
        if (pgs_physical_entry(phys->handle)->has_provoking_vertex)
            ((VkPhysicalDeviceProvokingVertexPropertiesEXT *)node)
                ->transformFeedbackPreservesTriangleFanProvokingVertex = phys->emulates_xfb;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT:
        /* Threads compile what depends on how an emulated pipeline is linked. */
        if (!pgs_compiles_ahead(phys))
            ((VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT *)node)
                ->graphicsPipelineLibraryFastLinking = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR:
        if (phys->replays_viewports)
            ((VkPhysicalDeviceFragmentShadingRatePropertiesKHR *)node)
                ->primitiveFragmentShadingRateWithMultipleViewports = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV:
        /* Full subgroups are promised to compute shaders only. */
        ((VkPhysicalDeviceCooperativeMatrixPropertiesNV *)node)->cooperativeMatrixSupportedStages &=
            VK_SHADER_STAGE_COMPUTE_BIT;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
        patch_subgroup_stages(phys, &((VkPhysicalDeviceSubgroupProperties *)node)->supportedStages);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
        patch_subgroup_stages(
            phys, &((VkPhysicalDeviceVulkan11Properties *)node)->subgroupSupportedStages);
        ((VkPhysicalDeviceVulkan11Properties *)node)->protectedNoFault = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
        ((VkPhysicalDeviceProtectedMemoryProperties *)node)->protectedNoFault = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES: {
        VkPhysicalDeviceSubgroupSizeControlProperties *sizes = (void *)node;
        patch_required_sizes(sizes->minSubgroupSize, sizes->maxSubgroupSize,
                             &sizes->requiredSubgroupSizeStages);
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES: {
        VkPhysicalDeviceVulkan13Properties *core = (void *)node;
        patch_required_sizes(core->minSubgroupSize, core->maxSubgroupSize,
                             &core->requiredSubgroupSizeStages);
        break;
    }
    default:
        break;
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                           VkPhysicalDeviceProperties *pProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceProperties(physicalDevice, pProperties);
    if (phys->emulates)
        patch_properties(phys, pProperties);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceProperties2(
    VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2 *pProperties)
{
    static const VkStructureType ours[] = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    if (!phys->emulates) {
        phys->instance->vk.GetPhysicalDeviceProperties2(physicalDevice, pProperties);
        return;
    }
    /* As in pgs_GetPhysicalDeviceFeatures2. */
    VkPhysicalDeviceProperties2 copy = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    const void *chain = pProperties->pNext;
    void *block = NULL;
    if (phys->emulates_xfb && pgs_chain_is_known(pProperties->pNext, ours, 1))
        pgs_chain_copy_prefix(pProperties->pNext, ours, 1, &chain, &block);
    if (block)
        pgs_chain_remove(&chain, ours, 1);
    copy.pNext = (void *)chain;
    phys->instance->vk.GetPhysicalDeviceProperties2(physicalDevice, &copy);
    pProperties->properties = copy.properties;
    if (block)
        pgs_chain_copy_back(pProperties->pNext, chain, ours, 1);
    pgs_free(block);
    patch_properties(phys, &pProperties->properties);
    for (VkBaseOutStructure *node = pProperties->pNext; node; node = node->pNext) {
        patch_property_node(phys, node);
        patch_generated_commands(phys, node);
        pgs_brought_patch_properties(phys, node);
    }
}

/* By the usages that buffers get. The driver may not know those of transform feedback. */
VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalBufferInfo *pExternalBufferInfo,
    VkExternalBufferProperties *pExternalBufferProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    if (phys->emulates)
        pgs_external_properties(phys, pExternalBufferInfo, pExternalBufferProperties);
    else
        phys->instance->vk.GetPhysicalDeviceExternalBufferProperties(
            physicalDevice, pExternalBufferInfo, pExternalBufferProperties);
}
