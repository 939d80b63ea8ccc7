/* SPDX-License-Identifier: MIT */
#include "entry/features.h"

#include "base/alloc.h"
#include "entry/brought.h"
#include "entry/extensions.h"
#include "entry/line_modes.h"
#include "entry/narrow_varyings.h"
#include "entry/physical_device.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"
#include "vulkan/replaced_primitives.h"

#include <stddef.h>
#include <string.h>

const VkStructureType pgs_emulated_features[] = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
};
const size_t pgs_emulated_features_count =
    sizeof(pgs_emulated_features) / sizeof(pgs_emulated_features[0]);

/* -- report -- */

/* The raster vertex shader replaces the geometry shader, so it must be able to choose the viewport
 * as well, or draws must be repeated. */
static bool hides_multi_viewport(const struct pgs_physical_device *phys)
{
    return !phys->has_shader_output_viewport_index && !phys->replays_viewports;
}

/* The driver counts the stages that it runs. The layer has to correct these counts if it replaces
 * draws. */
static bool hides_statistics(const struct pgs_physical_device *phys)
{
    return !phys->emulates_xfb;
}

/* Hidden if the layer would have to tessellate in front of geometry shaders and transform feedback,
 * but cannot. */
static bool hides_tessellation(const struct pgs_physical_device *phys)
{
    return !phys->emulates_tessellation && !phys->native_tessellation;
}

/* If tessellation is emulated, its dynamic state comes with the extension; else the driver's report
 * stands. */
static bool has_tessellation_state(const struct pgs_physical_device *phys, bool has_extension,
                                   VkBool32 native)
{
    return phys->emulates_tessellation ? has_extension : native && phys->native_tessellation;
}

static void patch_features(const struct pgs_physical_device *phys,
                           VkPhysicalDeviceFeatures *features)
{
    if (phys->emulates_geometry) {
        features->geometryShader = VK_TRUE;
        features->shaderTessellationAndGeometryPointSize = VK_TRUE;
    }
    if (phys->gaps & PGS_FEATURE_BIT(POINT_SIZE))
        features->shaderTessellationAndGeometryPointSize = VK_TRUE;
    features->tessellationShader = !hides_tessellation(phys);
    if (phys->emulates_fill)
        features->fillModeNonSolid = VK_TRUE;
    if (phys->emulates_clip)
        features->shaderClipDistance = features->shaderCullDistance = VK_TRUE;
    if (phys->emulates_lines)
        features->wideLines = VK_TRUE;
    if (phys->emulates_points)
        features->largePoints = VK_TRUE;
    if (phys->emulates_stores)
        features->vertexPipelineStoresAndAtomics = VK_TRUE;
    if (phys->splits_draws)
        features->multiDrawIndirect = VK_TRUE;
    if (phys->counts_statistics)
        features->pipelineStatisticsQuery = VK_TRUE;
    if (phys->lacks_first_instance)
        features->drawIndirectFirstInstance = VK_TRUE;
    if (hides_statistics(phys))
        features->pipelineStatisticsQuery = VK_FALSE;
    if (phys->replays_viewports)
        features->multiViewport = VK_TRUE;
    else if (hides_multi_viewport(phys))
        features->multiViewport = VK_FALSE;
}

static bool is_emulated(const struct pgs_physical_device *phys, VkStructureType type)
{
    for (size_t i = 0; i < pgs_emulated_features_count; i++) {
        if (pgs_emulated_features[i] == type)
            return phys->emulates_xfb;
    }
    return false;
}

static void clear_hidden(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    for (size_t i = 0; i < pgs_extension_features_count; i++) {
        const struct pgs_extension_features *features = &pgs_extension_features[i];
        if (node->sType == features->type && !is_emulated(phys, node->sType) &&
            pgs_features_are_hidden(phys, features))
            memset(node + 1, 0, features->count * sizeof(VkBool32));
    }
}

/* Hides the states of hidden extensions. The others belong to the raster pipeline. */
static void clear_dynamic_states3(const struct pgs_physical_device *phys,
                                  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states)
{
    if (pgs_replaces_primitives(phys)) /* creation decides what becomes of them */
        states->extendedDynamicState3PolygonMode = VK_FALSE;
    if (phys->brings_depth_clip) { /* creation decides who clips */
        states->extendedDynamicState3DepthClampEnable = VK_FALSE;
        states->extendedDynamicState3DepthClipEnable = VK_FALSE;
        states->extendedDynamicState3DepthClipNegativeOneToOne = VK_FALSE;
    }
    if (phys->emulates_clip) /* which fragment shaders that clip are made for */
        states->extendedDynamicState3RasterizationSamples = VK_FALSE;
    if (pgs_may_draw_lines(phys))
        states->extendedDynamicState3LineRasterizationMode = VK_FALSE;
    if (phys->brings_line_modes)
        states->extendedDynamicState3LineStippleEnable = VK_FALSE;
    if (!pgs_extension_is_visible(phys, VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME))
        states->extendedDynamicState3SampleLocationsEnable = VK_FALSE;
    if (!pgs_extension_is_visible(phys, VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME))
        states->extendedDynamicState3ViewportWScalingEnable = VK_FALSE;
    if (!pgs_extension_is_visible(phys, VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME)) {
        states->extendedDynamicState3CoverageModulationMode = VK_FALSE;
        states->extendedDynamicState3CoverageModulationTableEnable = VK_FALSE;
        states->extendedDynamicState3CoverageModulationTable = VK_FALSE;
    }
    if (!pgs_extension_is_visible(phys, VK_NV_COVERAGE_REDUCTION_MODE_EXTENSION_NAME))
        states->extendedDynamicState3CoverageReductionMode = VK_FALSE;
    if (phys->replays_layers) { /* state that a layer does not begin with */
        states->extendedDynamicState3ViewportSwizzle = VK_FALSE;
        states->extendedDynamicState3CoverageToColorEnable = VK_FALSE;
        states->extendedDynamicState3CoverageToColorLocation = VK_FALSE;
        states->extendedDynamicState3RepresentativeFragmentTestEnable = VK_FALSE;
    }
    states->extendedDynamicState3ShadingRateImageEnable = VK_FALSE;
}

static void patch_dynamic_states(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    const struct pgs_physical_entry *entry = pgs_physical_entry(phys->handle);
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT) {
        VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states2 =
            (VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *)node;
        states2->extendedDynamicState2PatchControlPoints = has_tessellation_state(
            phys, entry->has_dynamic_state2, states2->extendedDynamicState2PatchControlPoints);
        return;
    }
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states3 =
        (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *)node;
    clear_dynamic_states3(phys, states3);
    if (entry->has_dynamic_state3)
        states3->extendedDynamicState3RasterizationStream = phys->emulates_xfb;
    states3->extendedDynamicState3TessellationDomainOrigin = has_tessellation_state(
        phys, entry->has_dynamic_state3, states3->extendedDynamicState3TessellationDomainOrigin);
}

/* The shaders run once for each view, and raster draws pick theirs, if the driver has multiview. */
static void patch_multiview(const struct pgs_physical_device *phys, VkBool32 multiview,
                            VkBool32 *geometry, VkBool32 *tessellation)
{
    if (phys->emulates_geometry || phys->emulates_views)
        *geometry = multiview;
    if (phys->emulates_tessellation)
        *tessellation = multiview;
    if (hides_tessellation(phys))
        *tessellation = VK_FALSE;
}

/* The layer reads patches itself where it tessellates. */
static void patch_list_restart(const struct pgs_physical_device *phys,
                               VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *restart)
{
    const bool ours = phys->emulates_tessellation || (phys->gaps & PGS_FEATURE_BIT(PATCH_RESTART));
    if (ours && pgs_physical_entry(phys->handle)->has_list_restart)
        restart->primitiveTopologyPatchListRestart = VK_TRUE;
}

static void patch_feature_node(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    const VkBool32 xfb = phys->emulates_xfb;
    pgs_line_modes_patch_features(phys, node);
    pgs_brought_patch_features(phys, node);
    pgs_narrow_varyings_patch(phys, node);
    switch (node->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES: {
        VkPhysicalDeviceVulkan11Features *core = (VkPhysicalDeviceVulkan11Features *)node;
        patch_multiview(phys, core->multiview, &core->multiviewGeometryShader,
                        &core->multiviewTessellationShader);
        core->protectedMemory = VK_FALSE;
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES: {
        VkPhysicalDeviceMultiviewFeatures *multiview = (VkPhysicalDeviceMultiviewFeatures *)node;
        patch_multiview(phys, multiview->multiview, &multiview->multiviewGeometryShader,
                        &multiview->multiviewTessellationShader);
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
        ((VkPhysicalDeviceProtectedMemoryFeatures *)node)->protectedMemory = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT: {
        VkPhysicalDeviceTransformFeedbackFeaturesEXT *capture =
            (VkPhysicalDeviceTransformFeedbackFeaturesEXT *)node;
        capture->transformFeedback = capture->geometryStreams = xfb;
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT: {
        VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT *query =
            (VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT *)node;
        query->primitivesGeneratedQuery = xfb;
        query->primitivesGeneratedQueryWithRasterizerDiscard = xfb;
        query->primitivesGeneratedQueryWithNonZeroStreams = xfb;
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT: {
        VkPhysicalDeviceProvokingVertexFeaturesEXT *provoking =
            (VkPhysicalDeviceProvokingVertexFeaturesEXT *)node;
        if (pgs_physical_entry(phys->handle)->has_provoking_vertex)
            provoking->transformFeedbackPreservesProvokingVertex = xfb;
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT:
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT:
        patch_dynamic_states(phys, node);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT:
        patch_list_restart(phys, (VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *)node);
        break;
#ifdef VK_EXT_shader_object
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT:
        if (!phys->fits_shader_objects)
            ((VkPhysicalDeviceShaderObjectFeaturesEXT *)node)->shaderObject = VK_FALSE;
        break;
#endif
    default:
        clear_hidden(phys, node);
        break;
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                                         VkPhysicalDeviceFeatures *pFeatures)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceFeatures(physicalDevice, pFeatures);
    if (phys->emulates)
        patch_features(phys, pFeatures);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                          VkPhysicalDeviceFeatures2 *pFeatures)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    if (!phys->emulates) {
        phys->instance->vk.GetPhysicalDeviceFeatures2(physicalDevice, pFeatures);
        return;
    }
    /* The driver may not know emulated structs, so it gets a copy of the chain without them. A
     * chain that cannot be copied is passed on, since drivers skip what they do not know. */
    VkPhysicalDeviceFeatures2 copy = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const void *chain = pFeatures->pNext;
    void *block = NULL;
    if (phys->emulates_xfb &&
        pgs_chain_is_known(pFeatures->pNext, pgs_emulated_features, pgs_emulated_features_count))
        pgs_chain_copy_prefix(pFeatures->pNext, pgs_emulated_features, pgs_emulated_features_count,
                              &chain, &block);
    if (block)
        pgs_chain_remove(&chain, pgs_emulated_features, pgs_emulated_features_count);
    copy.pNext = (void *)chain;
    phys->instance->vk.GetPhysicalDeviceFeatures2(physicalDevice, &copy);
    pFeatures->features = copy.features;
    if (block)
        pgs_chain_copy_back(pFeatures->pNext, chain, pgs_emulated_features,
                            pgs_emulated_features_count);
    pgs_free(block);
    patch_features(phys, &pFeatures->features);
    for (VkBaseOutStructure *node = pFeatures->pNext; node; node = node->pNext)
        patch_feature_node(phys, node);
}

/* -- what is asked for -- */

/* True if one of the first `count` features of the struct is set. Padding may follow them. */
static bool is_asked(const void *chain, VkStructureType type, uint32_t count)
{
    const VkBaseInStructure *node = pgs_chain_find(chain, type);
    const VkBool32 *features = node ? (const VkBool32 *)(node + 1) : NULL;
    for (uint32_t i = 0; node && i < count; i++) {
        if (features[i])
            return true;
    }
    return false;
}

static bool asks_preserved_provoking_vertex(const void *chain)
{
    const VkPhysicalDeviceProvokingVertexFeaturesEXT *provoking =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT);
    return provoking && provoking->transformFeedbackPreservesProvokingVertex;
}

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *dynamic_states3(const void *chain)
{
    return pgs_chain_find(chain,
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
}

static bool asks_raster_stream(const void *chain)
{
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states = dynamic_states3(chain);
    return states && states->extendedDynamicState3RasterizationStream;
}

static bool asks_hidden_state(const struct pgs_physical_device *phys, const void *chain)
{
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states = dynamic_states3(chain);
    if (!states)
        return false;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT visible = *states;
    clear_dynamic_states3(phys, &visible);
    const size_t size_B = /* padding may follow the last feature */
        offsetof(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
                 extendedDynamicState3ShadingRateImageEnable) +
        sizeof(VkBool32);
    return memcmp(&visible, states, size_B) != 0;
}

/* True if hidden dynamic state of tessellation is asked for. */
static bool asks_tessellation_state(const void *chain)
{
    const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states2 = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states3 = dynamic_states3(chain);
    return (states2 && states2->extendedDynamicState2PatchControlPoints) ||
           (states3 && states3->extendedDynamicState3TessellationDomainOrigin);
}

static bool hidden_struct_asked(const struct pgs_physical_device *phys, const void *chain)
{
    for (size_t i = 0; i < pgs_extension_features_count; i++) {
        const struct pgs_extension_features *features = &pgs_extension_features[i];
        if (!is_emulated(phys, features->type) &&
            is_asked(chain, features->type, features->count) &&
            pgs_features_are_hidden(phys, features))
            return true;
    }
    return false;
}

uint32_t pgs_gaps_asked(const struct pgs_physical_device *phys, const VkDeviceCreateInfo *info,
                        const VkPhysicalDeviceFeatures *features)
{
    const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *restart = pgs_chain_find(
        info->pNext,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT);
    uint32_t asked = 0;
    if (features && features->shaderTessellationAndGeometryPointSize)
        asked |= PGS_FEATURE_BIT(POINT_SIZE);
    if (restart && restart->primitiveTopologyPatchListRestart)
        asked |= PGS_FEATURE_BIT(PATCH_RESTART);
    return asked & phys->gaps;
}

bool pgs_emulated_feature_asked(const VkDeviceCreateInfo *info)
{
    return is_asked(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
                    2) ||
           is_asked(info->pNext,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, 3) ||
           asks_preserved_provoking_vertex(info->pNext) || asks_raster_stream(info->pNext);
}

const char *pgs_hidden_feature_asked(const struct pgs_physical_device *phys,
                                     const VkDeviceCreateInfo *info,
                                     const VkPhysicalDeviceFeatures *features)
{
    const VkPhysicalDeviceVulkan11Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    const VkPhysicalDeviceMultiviewFeatures *multiview =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES);
    /* Protected memory may not be written to scratch, which is not protected. */
    const VkPhysicalDeviceProtectedMemoryFeatures *protection =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES);
    if (hidden_struct_asked(phys, info->pNext))
        return "a feature of an extension that is hidden";
    if (asks_preserved_provoking_vertex(info->pNext) && !phys->emulates_xfb)
        return "transformFeedbackPreservesProvokingVertex";
    if (asks_raster_stream(info->pNext) && !phys->emulates_xfb)
        return "extendedDynamicState3RasterizationStream";
    if (asks_hidden_state(phys, info->pNext))
        return "dynamic state that is hidden";
    if (pgs_hidden_line_mode_asked(phys, info->pNext))
        return "a line rasterization mode";
    if (hides_tessellation(phys) && asks_tessellation_state(info->pNext))
        return "dynamic state of tessellation";
    if ((core && core->protectedMemory) || (protection && protection->protectedMemory))
        return "protectedMemory";
    if (!phys->fits_narrow_varyings && pgs_narrow_varyings_asked(info))
        return "storageInputOutput16";
    if (features && features->tessellationShader && hides_tessellation(phys))
        return "tessellationShader";
    if (features && features->pipelineStatisticsQuery && hides_statistics(phys))
        return "pipelineStatisticsQuery";
    if (features && features->multiViewport && hides_multi_viewport(phys))
        return "multiViewport";
    if (hides_tessellation(phys) && ((core && core->multiviewTessellationShader) ||
                                     (multiview && multiview->multiviewTessellationShader)))
        return "multiviewTessellationShader";
    return NULL;
}
