/* SPDX-License-Identifier: MIT */
#include "common/vkt_device.h"

#include <string.h>

#define MAX_ASKED 8 /* vkt_options.extensions */
#define MAX_FEATURES 64

enum {
    EXT_INDEX_U8,
    EXT_PROVOKING,
    EXT_LINES,
    EXT_DIVISOR,
    EXT_XFB,
    EXT_GENERATED,
    EXT_CONDITION,
    EXT_STATES3,
    EXT_MULTI_DRAW,
    EXT_STATES2,
    EXT_LIST_RESTART,
    EXT_PUSH,
    EXT_LIBRARIES,
    EXT_GRAPHICS_LIBRARIES,
    EXT_VERTEX_INPUT,
#ifdef VK_EXT_nested_command_buffer
    EXT_NESTED,
#endif
#ifdef VK_KHR_maintenance5
    EXT_MAINTENANCE5,
#endif
#ifdef VK_KHR_maintenance6
    EXT_MAINTENANCE6,
#endif
    EXT_COUNT
};
/* Only programs that ask for transform feedback get this one and the next ones, and only those that
 * ask for the others the last ones. */
#define EXT_OF_XFB EXT_XFB

static const char *const extension_names[EXT_COUNT] = {
    [EXT_INDEX_U8] = VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME,
    [EXT_PROVOKING] = VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME,
    [EXT_LINES] = VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
    [EXT_DIVISOR] = VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
    [EXT_XFB] = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
    [EXT_GENERATED] = VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME,
    [EXT_CONDITION] = VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
    [EXT_STATES3] = VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    [EXT_MULTI_DRAW] = VK_EXT_MULTI_DRAW_EXTENSION_NAME,
    [EXT_STATES2] = VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
    [EXT_LIST_RESTART] = VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME,
    [EXT_PUSH] = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
    [EXT_LIBRARIES] = VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
    [EXT_GRAPHICS_LIBRARIES] = VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
    [EXT_VERTEX_INPUT] = VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
#ifdef VK_EXT_nested_command_buffer
    [EXT_NESTED] = VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME,
#endif
#ifdef VK_KHR_maintenance5
    [EXT_MAINTENANCE5] = VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
#endif
#ifdef VK_KHR_maintenance6
    [EXT_MAINTENANCE6] = VK_KHR_MAINTENANCE_6_EXTENSION_NAME,
#endif
};

/* The feature structures of a device, linked together. Must not move once linked. */
struct chain {
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDeviceIndexTypeUint8FeaturesEXT index_u8;
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking;
    VkPhysicalDeviceLineRasterizationFeaturesEXT lines;
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT xfb;
    VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated;
    VkPhysicalDeviceConditionalRenderingFeaturesEXT condition;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states3;
    VkPhysicalDeviceMultiDrawFeaturesEXT multi_draw;
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT states2;
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT list_restart;
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertex_input;
#ifdef VK_EXT_nested_command_buffer
    VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested;
#endif
#ifdef VK_KHR_maintenance5
    VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5;
#endif
#ifdef VK_KHR_maintenance6
    VkPhysicalDeviceMaintenance6FeaturesKHR maintenance6;
#endif
    VkPhysicalDeviceVulkanMemoryModelFeatures memory_model; /* in the place of v12 */
    /* In the place of v11, v12 and v13 where the device is older than these. */
    VkPhysicalDeviceMultiviewFeatures multiview;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDeviceShaderDrawParametersFeatures draw_parameters;
    const char *extensions[EXT_COUNT + MAX_ASKED];
    uint32_t extension_count;
};

/* Vulkan 1.4 has their features in a structure of its own. */
static bool is_core(const struct vkt_options *options, uint32_t extension)
{
    return options->api_version > VK_API_VERSION_1_3 &&
           (extension == EXT_INDEX_U8 || extension == EXT_LINES || extension == EXT_DIVISOR);
}

static bool asks_for(const struct vkt_options *options, uint32_t extension)
{
    if (options->lean || is_core(options, extension))
        return false;
    if (extension == EXT_STATES2 || extension == EXT_LIST_RESTART)
        return options->tessellation;
    if (extension == EXT_PUSH)
        return options->push_descriptors;
    if (extension == EXT_LIBRARIES || extension == EXT_GRAPHICS_LIBRARIES)
        return options->pipeline_libraries || options->link;
    if (extension == EXT_VERTEX_INPUT)
        return options->dynamic_input;
#ifdef VK_EXT_nested_command_buffer
    if (extension == EXT_NESTED)
        return options->nested;
#endif
#ifdef VK_KHR_maintenance5
    if (extension == EXT_MAINTENANCE5)
        return options->maintenance == 5;
#endif
#ifdef VK_KHR_maintenance6
    if (extension == EXT_MAINTENANCE6)
        return options->maintenance == 6;
#endif
    if (extension == EXT_STATES3 && (options->tessellation || options->dynamic_states3))
        return true;
    return options->xfb || extension < EXT_OF_XFB;
}

static void find_extensions(const struct vkt *t, bool has[EXT_COUNT])
{
    VkExtensionProperties list[512];
    uint32_t count = VKT_COUNT(list);
    const VkResult result = vkEnumerateDeviceExtensionProperties(t->physical, NULL, &count, list);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        VKT_CALL(result);
    for (uint32_t i = 0; i < EXT_COUNT; i++) {
        has[i] = false;
        for (uint32_t k = 0; k < count; k++)
            has[i] |=
                strcmp(list[k].extensionName, extension_names[i]) == 0 && asks_for(&t->options, i);
    }
}

/* Links what the program asks for to the end of the chain, or skips the program. */
static void take_asked(const struct vkt *t, struct chain *c)
{
    VkExtensionProperties list[512];
    uint32_t count = VKT_COUNT(list);
    const VkResult result = vkEnumerateDeviceExtensionProperties(t->physical, NULL, &count, list);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        VKT_CALL(result);
    const struct vkt_extension *asked = t->options.extensions;
    for (; asked && (asked->name || asked->features); asked++) {
        bool has = !asked->name;
        for (uint32_t k = 0; k < count && !has; k++)
            has = strcmp(list[k].extensionName, asked->name) == 0;
        if (!has)
            vkt_skip("the device lacks an extension");
        if (asked->name)
            c->extensions[c->extension_count++] = asked->name;
        if (!asked->features)
            continue;
        VkBaseOutStructure *node = asked->features, *tail = (VkBaseOutStructure *)&c->features;
        VkBool32 wanted[MAX_FEATURES], *features = (VkBool32 *)(node + 1);
        memcpy(wanted, features, asked->feature_count * sizeof(*features));
        node->pNext = NULL;
        vkGetPhysicalDeviceFeatures2(
            t->physical, &(VkPhysicalDeviceFeatures2){
                             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = node});
        for (uint32_t k = 0; k < asked->feature_count; k++)
            if (wanted[k] && !features[k])
                vkt_skip("the device lacks a feature of an extension");
        memcpy(features, wanted, asked->feature_count * sizeof(*features));
        while (tail->pNext)
            tail = tail->pNext;
        tail->pNext = node;
    }
}

static void link_chain(struct chain *c, const bool has[EXT_COUNT])
{
    *c = (struct chain){
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &c->v11},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &c->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &c->v13},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES},
        .index_u8 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT},
        .provoking = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT},
        .lines = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT},
        .divisor = {.sType =
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT},
        .xfb = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT},
        .generated =
            {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT},
        .condition = {.sType =
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT},
        .states3 = {.sType =
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT},
        .multi_draw = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT},
        .list_restart =
            {.sType =
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT},
        .states2 = {.sType =
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT},
        .libraries = {.sType =
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT},
        .vertex_input =
            {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT},
#ifdef VK_EXT_nested_command_buffer
        .nested = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT},
#endif
#ifdef VK_KHR_maintenance5
        .maintenance5 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR},
#endif
#ifdef VK_KHR_maintenance6
        .maintenance6 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR},
#endif
    };
    VkBaseOutStructure *const structs[EXT_COUNT] = {
        [EXT_INDEX_U8] = (VkBaseOutStructure *)&c->index_u8,
        [EXT_PROVOKING] = (VkBaseOutStructure *)&c->provoking,
        [EXT_LINES] = (VkBaseOutStructure *)&c->lines,
        [EXT_DIVISOR] = (VkBaseOutStructure *)&c->divisor,
        [EXT_XFB] = (VkBaseOutStructure *)&c->xfb,
        [EXT_GENERATED] = (VkBaseOutStructure *)&c->generated,
        [EXT_CONDITION] = (VkBaseOutStructure *)&c->condition,
        [EXT_STATES3] = (VkBaseOutStructure *)&c->states3,
        [EXT_MULTI_DRAW] = (VkBaseOutStructure *)&c->multi_draw,
        [EXT_STATES2] = (VkBaseOutStructure *)&c->states2,
        [EXT_LIST_RESTART] = (VkBaseOutStructure *)&c->list_restart,
        [EXT_GRAPHICS_LIBRARIES] = (VkBaseOutStructure *)&c->libraries,
        [EXT_VERTEX_INPUT] = (VkBaseOutStructure *)&c->vertex_input,
#ifdef VK_EXT_nested_command_buffer
        [EXT_NESTED] = (VkBaseOutStructure *)&c->nested,
#endif
#ifdef VK_KHR_maintenance5
        [EXT_MAINTENANCE5] = (VkBaseOutStructure *)&c->maintenance5,
#endif
#ifdef VK_KHR_maintenance6
        [EXT_MAINTENANCE6] = (VkBaseOutStructure *)&c->maintenance6,
#endif
    };
    VkBaseOutStructure *tail = (VkBaseOutStructure *)&c->v13;
    for (uint32_t i = 0; i < EXT_COUNT; i++) {
        if (!has[i])
            continue;
        if (structs[i]) { /* some have no features */
            tail->pNext = structs[i];
            tail = structs[i];
        }
        c->extensions[c->extension_count++] = extension_names[i];
    }
}

static void narrow_13(VkPhysicalDeviceVulkan13Features *v13, const struct vkt_options *options)
{
    *v13 = (VkPhysicalDeviceVulkan13Features){
        .sType = v13->sType,
        .pNext = v13->pNext,
        .dynamicRendering = v13->dynamicRendering,
        .pipelineCreationCacheControl =
            options->pipeline_libraries && v13->pipelineCreationCacheControl,
        .synchronization2 = v13->synchronization2,
        .inlineUniformBlock = v13->inlineUniformBlock,
    };
}

static void keep_asked(const struct vkt_options *options, const VkPhysicalDeviceFeatures *has,
                       VkPhysicalDeviceFeatures *features)
{
    features->fillModeNonSolid = options->polygon_modes && has->fillModeNonSolid;
    features->wideLines = options->wide_lines && has->wideLines;
    features->depthClamp = options->depth_clamp && has->depthClamp;
    features->robustBufferAccess = options->robust && has->robustBufferAccess;
    features->depthBiasClamp = options->polygon_modes && has->depthBiasClamp;
}

static void narrow_states3(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states3,
                           const struct vkt_options *options)
{
    *states3 = (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT){
        .sType = states3->sType,
        .pNext = states3->pNext,
        .extendedDynamicState3RasterizationStream =
            states3->extendedDynamicState3RasterizationStream,
        .extendedDynamicState3ProvokingVertexMode =
            states3->extendedDynamicState3ProvokingVertexMode,
        .extendedDynamicState3LineStippleEnable =
            options->wide_lines && states3->extendedDynamicState3LineStippleEnable,
        .extendedDynamicState3TessellationDomainOrigin =
            options->tessellation && states3->extendedDynamicState3TessellationDomainOrigin,
    };
}

/* Drops every feature that no program here uses, so that a layer cannot live on what it did not ask
 * for. */
static void narrow(struct chain *c, const struct vkt_options *options)
{
    const bool geometry = !options->without_geometry, tessellation = options->tessellation;
    const VkPhysicalDeviceFeatures has = c->features.features;
    c->features.features = (VkPhysicalDeviceFeatures){
        .geometryShader = geometry && has.geometryShader,
        .tessellationShader = tessellation && has.tessellationShader,
        .shaderTessellationAndGeometryPointSize =
            (geometry || tessellation) && has.shaderTessellationAndGeometryPointSize,
        .vertexPipelineStoresAndAtomics = has.vertexPipelineStoresAndAtomics,
        .fragmentStoresAndAtomics = has.fragmentStoresAndAtomics,
        .fullDrawIndexUint32 = has.fullDrawIndexUint32,
        .largePoints = has.largePoints,
        .sampleRateShading = has.sampleRateShading,
        .occlusionQueryPrecise = has.occlusionQueryPrecise,
        .inheritedQueries = has.inheritedQueries,
        .multiDrawIndirect = has.multiDrawIndirect,
        .multiViewport = options->layer_outputs && has.multiViewport,
        .drawIndirectFirstInstance = has.drawIndirectFirstInstance,
        .pipelineStatisticsQuery = has.pipelineStatisticsQuery,
        .shaderClipDistance = has.shaderClipDistance,
        .shaderCullDistance = has.shaderCullDistance,
        .shaderFloat64 = has.shaderFloat64,
        .shaderInt64 = has.shaderInt64,
        .shaderInt16 = has.shaderInt16,
        .shaderUniformBufferArrayDynamicIndexing = has.shaderUniformBufferArrayDynamicIndexing,
        .shaderStorageBufferArrayDynamicIndexing = has.shaderStorageBufferArrayDynamicIndexing,
    };
    keep_asked(options, &has, &c->features.features);
    c->v11 = (VkPhysicalDeviceVulkan11Features){
        .sType = c->v11.sType,
        .pNext = c->v11.pNext,
        .multiview = c->v11.multiview,
        .multiviewGeometryShader = options->multiview_stages && c->v11.multiviewGeometryShader,
        .multiviewTessellationShader =
            options->multiview_stages && c->v11.multiviewTessellationShader,
        .storageBuffer16BitAccess = c->v11.storageBuffer16BitAccess,
        .storageInputOutput16 = c->v11.storageInputOutput16,
        .shaderDrawParameters = c->v11.shaderDrawParameters,
    };
    c->v12 = (VkPhysicalDeviceVulkan12Features){
        .sType = c->v12.sType,
        .pNext = c->v12.pNext,
        .shaderFloat16 = c->v12.shaderFloat16,
        .shaderInt8 = c->v12.shaderInt8,
        .imagelessFramebuffer = c->v12.imagelessFramebuffer,
        .timelineSemaphore = options->two_queues && c->v12.timelineSemaphore,
        .hostQueryReset = c->v12.hostQueryReset,
        .drawIndirectCount = c->v12.drawIndirectCount,
        .shaderOutputLayer = options->layer_outputs && c->v12.shaderOutputLayer,
        .shaderOutputViewportIndex = options->layer_outputs && c->v12.shaderOutputViewportIndex,
        .descriptorIndexing = c->v12.descriptorIndexing,
        .descriptorBindingPartiallyBound = c->v12.descriptorBindingPartiallyBound,
        .descriptorBindingVariableDescriptorCount = c->v12.descriptorBindingVariableDescriptorCount,
        .descriptorBindingSampledImageUpdateAfterBind =
            c->v12.descriptorBindingSampledImageUpdateAfterBind,
        .descriptorBindingStorageBufferUpdateAfterBind =
            c->v12.descriptorBindingStorageBufferUpdateAfterBind,
        .bufferDeviceAddress = options->addresses && c->v12.bufferDeviceAddress,
        /* Without its device scope: what needs that is to be seen. */
        .vulkanMemoryModel = options->memory_model && c->v12.vulkanMemoryModel,
    };
    narrow_13(&c->v13, options);
    narrow_states3(&c->states3, options);
    c->states2 = (VkPhysicalDeviceExtendedDynamicState2FeaturesEXT){
        .sType = c->states2.sType,
        .pNext = c->states2.pNext,
        .extendedDynamicState2PatchControlPoints =
            c->states2.extendedDynamicState2PatchControlPoints,
    };
    c->provoking.transformFeedbackPreservesProvokingVertex &= options->preserves_provoking;
}

/* lone_features: as programs do it that are older than the core versions, with nothing of these but
 * the memory model. */
static void leave_core(struct chain *c)
{
    c->memory_model = (VkPhysicalDeviceVulkanMemoryModelFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
        .pNext = c->v13.pNext,
        .vulkanMemoryModel = c->v12.vulkanMemoryModel,
    };
    c->features.pNext = &c->memory_model;
    c->v11 = (VkPhysicalDeviceVulkan11Features){0};
    c->v12 = (VkPhysicalDeviceVulkan12Features){0};
    c->v13 = (VkPhysicalDeviceVulkan13Features){0};
}

/* lean: there is but what take_asked links. */
static void leave(struct chain *c, const struct vkt_options *options)
{
    if (options->lone_features)
        leave_core(c);
    if (!options->lean)
        return;
    c->features = (VkPhysicalDeviceFeatures2){.sType = c->features.sType};
    c->v11 = (VkPhysicalDeviceVulkan11Features){0};
    c->v12 = (VkPhysicalDeviceVulkan12Features){0};
    c->v13 = (VkPhysicalDeviceVulkan13Features){0};
}

/* Of devices of Vulkan 1.1, only that is used, and extensions. */
static bool is_old(const struct vkt *t)
{
    return t->properties.apiVersion < VK_API_VERSION_1_3;
}

static void link_old(struct chain *c)
{
    const VkBaseOutStructure *core = (const VkBaseOutStructure *)&c->v13; /* so it was linked */
    c->multiview = (VkPhysicalDeviceMultiviewFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .pNext = &c->storage16};
    c->storage16 = (VkPhysicalDevice16BitStorageFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .pNext = &c->draw_parameters};
    c->draw_parameters = (VkPhysicalDeviceShaderDrawParametersFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES,
        .pNext = core->pNext};
    c->features.pNext = &c->multiview;
}

/* What the device has, into v11. */
static void read_old(struct chain *c)
{
    c->v11 = (VkPhysicalDeviceVulkan11Features){
        .multiview = c->multiview.multiview,
        .multiviewGeometryShader = c->multiview.multiviewGeometryShader,
        .multiviewTessellationShader = c->multiview.multiviewTessellationShader,
        .storageBuffer16BitAccess = c->storage16.storageBuffer16BitAccess,
        .storageInputOutput16 = c->storage16.storageInputOutput16,
        .shaderDrawParameters = c->draw_parameters.shaderDrawParameters,
    };
}

/* What is wanted, from v11. */
static void write_old(struct chain *c)
{
    c->multiview.multiview = c->v11.multiview;
    c->multiview.multiviewGeometryShader = c->v11.multiviewGeometryShader;
    c->multiview.multiviewTessellationShader = c->v11.multiviewTessellationShader;
    c->storage16.storageBuffer16BitAccess = c->v11.storageBuffer16BitAccess;
    c->storage16.uniformAndStorageBuffer16BitAccess = VK_FALSE;
    c->storage16.storagePushConstant16 = VK_FALSE;
    c->storage16.storageInputOutput16 = c->v11.storageInputOutput16;
    c->draw_parameters.shaderDrawParameters = c->v11.shaderDrawParameters;
}

static struct vkt_features report(const struct chain *c)
{
    return (struct vkt_features){
        .core = c->features.features,
        .draw_parameters = c->v11.shaderDrawParameters,
        .storage16 = c->v11.storageBuffer16BitAccess,
        .varying16 = c->v11.storageInputOutput16,
        .multiview = c->v11.multiview,
        .multiview_geometry = c->v11.multiviewGeometryShader,
        .multiview_tessellation = c->v11.multiviewTessellationShader,
        .float16 = c->v12.shaderFloat16,
        .int8 = c->v12.shaderInt8,
        .host_reset = c->v12.hostQueryReset,
        .indirect_count = c->v12.drawIndirectCount,
        .imageless = c->v12.imagelessFramebuffer,
        .timeline = c->v12.timelineSemaphore,
        .output_layer = c->v12.shaderOutputLayer,
        .output_viewport = c->v12.shaderOutputViewportIndex,
        .dynamic_rendering = c->v13.dynamicRendering,
        .update_after_bind = c->v12.descriptorBindingSampledImageUpdateAfterBind &&
                             c->v12.descriptorBindingStorageBufferUpdateAfterBind,
        .partial_sets = c->v12.descriptorBindingPartiallyBound &&
                        c->v12.descriptorBindingVariableDescriptorCount,
        .cache_control = c->v13.pipelineCreationCacheControl,
        .inline_blocks = c->v13.inlineUniformBlock,
        .index_u8 = c->index_u8.indexTypeUint8,
        .provoking_last = c->provoking.provokingVertexLast,
        .bresenham_lines = c->lines.bresenhamLines,
        .stippled_bresenham = c->lines.stippledBresenhamLines,
        .stippled_rectangular = c->lines.stippledRectangularLines,
        .divisor = c->divisor.vertexAttributeInstanceRateDivisor,
        .divisor_zero = c->divisor.vertexAttributeInstanceRateZeroDivisor,
        .xfb = c->xfb.transformFeedback,
        .xfb_preserves_provoking = c->provoking.transformFeedbackPreservesProvokingVertex,
        .geometry_streams = c->xfb.geometryStreams,
        .generated = c->generated.primitivesGeneratedQuery,
        .generated_discard = c->generated.primitivesGeneratedQueryWithRasterizerDiscard,
        .generated_streams = c->generated.primitivesGeneratedQueryWithNonZeroStreams,
        .condition = c->condition.conditionalRendering,
        .condition_inherited = c->condition.inheritedConditionalRendering,
        .dynamic_stream = c->states3.extendedDynamicState3RasterizationStream,
        .dynamic_stipple = c->states3.extendedDynamicState3LineStippleEnable,
        .dynamic_provoking = c->states3.extendedDynamicState3ProvokingVertexMode,
        .multi_draw = c->multi_draw.multiDraw,
        .dynamic_domain_origin = c->states3.extendedDynamicState3TessellationDomainOrigin,
        .patch_restart = c->list_restart.primitiveTopologyPatchListRestart,
        .dynamic_patch_points = c->states2.extendedDynamicState2PatchControlPoints,
    };
}

static void read_states3_limits(struct vkt *t)
{
    VkPhysicalDeviceExtendedDynamicState3PropertiesEXT states3 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &states3,
    };
    vkGetPhysicalDeviceProperties2(t->physical, &properties);
    t->features.any_topology = states3.dynamicPrimitiveTopologyUnrestricted;
}

static void read_xfb_limits(struct vkt *t)
{
    t->xfb = (VkPhysicalDeviceTransformFeedbackPropertiesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &t->xfb,
    };
    vkGetPhysicalDeviceProperties2(t->physical, &properties);
}

void vkt_device_create(struct vkt *t)
{
    if (t->properties.apiVersion < VK_API_VERSION_1_1 ||
        t->properties.apiVersion < t->options.api_version ||
        (is_old(t) && (t->options.addresses || t->options.lone_features)))
        vkt_skip("the device is older than the version of Vulkan that the program needs");
    bool has[EXT_COUNT];
    struct chain c;
    find_extensions(t, has);
    link_chain(&c, has);
    if (is_old(t))
        link_old(&c);
    vkGetPhysicalDeviceFeatures2(t->physical, &c.features);
    if (is_old(t))
        read_old(&c);
    if (t->options.addresses && !c.v12.bufferDeviceAddress)
        vkt_skip("the device has no bufferDeviceAddress");
    if (!t->options.without_geometry && !c.features.features.geometryShader)
        vkt_skip("the device has no geometryShader");
    if (t->options.tessellation && !c.features.features.tessellationShader)
        vkt_skip("the device has no tessellationShader");
    narrow(&c, &t->options);
    if (is_old(t))
        write_old(&c);
    if (t->options.memory_model && !c.v12.vulkanMemoryModel)
        vkt_skip("the device has no vulkanMemoryModel");
    leave(&c, &t->options);
    t->features = report(&c);
    if (t->options.xfb && !t->features.xfb)
        vkt_skip("the device has no transformFeedback");
    if (t->options.push_descriptors && !has[EXT_PUSH])
        vkt_skip("the device has no VK_KHR_push_descriptor");
    if ((t->options.pipeline_libraries || t->options.link) &&
        !(has[EXT_GRAPHICS_LIBRARIES] && c.libraries.graphicsPipelineLibrary))
        vkt_skip("the device has no graphicsPipelineLibrary");
    if (t->options.dynamic_input && !c.vertex_input.vertexInputDynamicState)
        vkt_skip("the device has no vertexInputDynamicState");
#ifdef VK_EXT_nested_command_buffer
    if (t->options.nested &&
        !(c.nested.nestedCommandBuffer && c.nested.nestedCommandBufferRendering &&
          c.nested.nestedCommandBufferSimultaneousUse))
        vkt_skip("the device has no nestedCommandBuffer");
#endif
#ifdef VK_KHR_maintenance5
    if (t->options.maintenance == 5 && !(has[EXT_MAINTENANCE5] && c.maintenance5.maintenance5))
        vkt_skip("the device has no maintenance5");
#endif
#ifdef VK_KHR_maintenance6
    if (t->options.maintenance == 6 && !(has[EXT_MAINTENANCE6] && c.maintenance6.maintenance6))
        vkt_skip("the device has no maintenance6");
#else
    if (t->options.maintenance == 6)
        vkt_skip("the Vulkan headers are older than VK_KHR_maintenance6");
#endif
    if (t->features.xfb)
        read_xfb_limits(t);
    if (has[EXT_STATES3])
        read_states3_limits(t);
    take_asked(t, &c);

    const float priorities[2] = {1.0f, 1.0f};
    const uint32_t queue_count = t->options.two_queues && t->queue_max > 1 ? 2 : 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = t->queue_family,
        .queueCount = queue_count,
        .pQueuePriorities = priorities,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &c.features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = c.extension_count,
        .ppEnabledExtensionNames = c.extensions,
    };
    VKT_CALL(vkCreateDevice(t->physical, &info, NULL, &t->device));
    vkGetDeviceQueue(t->device, t->queue_family, 0, &t->queue);
    vkGetDeviceQueue(t->device, t->queue_family, queue_count - 1, &t->other_queue);
}
