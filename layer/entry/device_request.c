/* SPDX-License-Identifier: MIT */
#include "entry/device_request.h"

#include "base/alloc.h"
#include "base/log.h"
#include "entry/brought.h"
#include "entry/brought_names.h"
#include "entry/driver_features.h"
#include "entry/extensions.h"
#include "entry/features.h"
#include "entry/narrow_varyings.h"
#include "entry/own_extensions.h"
#include "entry/queue_families.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"
#include "vulkan/replaced_primitives.h"

#include <string.h>

const VkPhysicalDeviceFeatures *pgs_enabled_features(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceFeatures2 *features2 =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    return features2 ? &features2->features : info->pEnabledFeatures;
}

/* -- judge -- */

/* Every queue that can draw must be able to compute, since both halves of a draw go into the same
 * command buffer. *several: families that draw with several queues. */
static VkResult queues_suit(const struct pgs_physical_device *phys, const VkDeviceCreateInfo *info,
                            bool *suit, uint64_t *several)
{
    VkQueueFamilyProperties *families;
    uint32_t count;
    const VkResult result = pgs_queue_families(phys, &families, &count);
    if (result != VK_SUCCESS)
        return result;
    *suit = true;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const uint32_t index = info->pQueueCreateInfos[i].queueFamilyIndex;
        const VkQueueFlags flags = index < count ? families[index].queueFlags : 0;
        if ((flags & VK_QUEUE_GRAPHICS_BIT) && !(flags & VK_QUEUE_COMPUTE_BIT))
            *suit = false;
        if ((flags & VK_QUEUE_GRAPHICS_BIT) && index < 64 && pgs_queue_count_of(info, index) > 1)
            *several |= UINT64_C(1) << index;
    }
    pgs_free(families);
    return VK_SUCCESS;
}

static VkResult check_features(const struct pgs_physical_device *phys,
                               const VkDeviceCreateInfo *info)
{
    const char *feature =
        phys->emulates ? pgs_hidden_feature_asked(phys, info, pgs_enabled_features(info)) : NULL;
    if (!feature)
        return VK_SUCCESS;
    pgs_log(PGS_LOG_ERROR,
            "%s: vkCreateDevice fails: %s is hidden while the layer emulates "
            "(docs/support.md)",
            phys->properties.deviceName, feature);
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

static VkResult check_extensions(const struct pgs_physical_device *phys,
                                 const VkDeviceCreateInfo *info)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *extension = info->ppEnabledExtensionNames[i];
        if (pgs_extension_is_visible(phys, extension) ||
            (phys->emulates_xfb && pgs_emulated_extension(extension)))
            continue;
        pgs_log(PGS_LOG_ERROR,
                "%s: vkCreateDevice fails: %s is hidden while the layer emulates "
                "(docs/support.md)",
                phys->properties.deviceName, extension);
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    return VK_SUCCESS;
}

/* What the application wants of the layer, whether or not it can have it. */
static struct pgs_device_role wanted_role(const struct pgs_physical_entry *entry,
                                          const VkDeviceCreateInfo *info)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const VkPhysicalDeviceFeatures *features = pgs_enabled_features(info);
    struct pgs_device_role role = {0};
    role.geometry = phys->emulates_geometry && features &&
                    (features->geometryShader || features->shaderTessellationAndGeometryPointSize);
    for (uint32_t i = 0; phys->emulates_xfb && i < info->enabledExtensionCount; i++)
        role.emulated_extensions |= pgs_emulated_extension(info->ppEnabledExtensionNames[i]);
    role.xfb = phys->emulates_xfb && (role.emulated_extensions || pgs_emulated_feature_asked(info));
    role.tessellation = phys->emulates_tessellation && features && features->tessellationShader;
    role.viewports = phys->one_viewport && features && features->multiViewport;
    role.fill = phys->emulates_fill && features && features->fillModeNonSolid;
    role.clip = phys->emulates_clip && features &&
                (features->shaderClipDistance || features->shaderCullDistance);
    role.lines = phys->emulates_lines && features && features->wideLines;
    role.points = phys->emulates_points && features && features->largePoints;
    role.stores = phys->emulates_stores && features && features->vertexPipelineStoresAndAtomics;
    const struct pgs_brought_asked brought = pgs_brought_find_asked(entry, info, features);
    role.views = brought.views;
    role.splits_draws = brought.splits_draws;
    role.counts_draws = brought.counts_draws;
    role.first_instances = brought.first_instances;
    role.divisors = brought.divisors;
    role.keeps_pushes = brought.keeps_pushes;
    role.depth_clip = brought.depth_clip;
    role.line_modes = brought.line_modes;
    role.layer_output = brought.layer_output;
    role.viewport_output = brought.viewport_output;
    role.statistics = phys->counts_statistics && features && features->pipelineStatisticsQuery;
    role.gaps = pgs_gaps_asked(phys, info, features);
    role.active = role.geometry || role.gaps || role.xfb || role.tessellation || role.fill ||
                  role.clip || role.lines || role.points || role.stores || role.views ||
                  role.viewports || role.splits_draws || role.counts_draws ||
                  role.first_instances || role.divisors || role.keeps_pushes || role.depth_clip ||
                  role.line_modes || role.layer_output || role.viewport_output || role.statistics;
    role.native_too =
        brought.native_too && (!role.viewports || phys->features.multiViewport) &&
        (!role.fill || phys->features.fillModeNonSolid) &&
        (!role.lines || phys->features.wideLines) && (!role.points || phys->features.largePoints) &&
        (!role.stores || phys->features.vertexPipelineStoresAndAtomics) &&
        (!role.clip || (phys->features.shaderClipDistance && phys->features.shaderCullDistance)) &&
        (!role.statistics || phys->features.pipelineStatisticsQuery) &&
        (!role.geometry || phys->features.geometryShader) &&
        (!role.tessellation || phys->features.tessellationShader) && !role.gaps &&
        (!role.xfb || !(phys->lacks & (PGS_FEATURE_BIT(XFB) | PGS_FEATURE_BIT(STREAMS)))) &&
        !(role.emulated_extensions & ~entry->native_extensions);
    if (role.active) /* shaders that nobody enabled that for are not the driver's either */
        role.gaps |= phys->gaps & PGS_FEATURE_BIT(POINT_SIZE);
    /* If the layer emulates nothing else on the device, the driver counts statistics. */
    if (role.active && phys->emulates_xfb && features && features->pipelineStatisticsQuery)
        role.xfb = true;
    return role;
}

/* One that makes the device active. xfb and gaps may follow from others. */
static const char *asked_feature(const struct pgs_device_role *role)
{
    const struct {
        bool asked;
        const char *name;
    } features[] = {
        {role->geometry, "geometryShader"},
        {role->tessellation, "tessellationShader"},
        {role->fill, "fillModeNonSolid"},
        {role->clip, "shaderClipDistance"},
        {role->lines, "wideLines"},
        {role->points, "largePoints"},
        {role->stores, "vertexPipelineStoresAndAtomics"},
        {role->splits_draws, "multiDrawIndirect"},
        {role->counts_draws, "drawIndirectCount"},
        {role->first_instances, "drawIndirectFirstInstance"},
        {role->divisors, "vertexAttributeInstanceRateDivisor"},
        {role->views, "multiviewGeometryShader"},
        {role->viewports, "multiViewport"},
        {role->keeps_pushes, "VK_KHR_push_descriptor"},
        {role->depth_clip, "VK_EXT_depth_clip_enable"},
        {role->line_modes, "VK_EXT_line_rasterization"},
        {role->layer_output, "shaderOutputLayer"},
        {role->viewport_output, "shaderOutputViewportIndex"},
        {role->statistics, "pipelineStatisticsQuery"},
        {role->xfb, "transformFeedback"},
    };
    for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
        if (features[i].asked)
            return features[i].name;
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++)
        if (role->gaps >> i & 1)
            return pgs_feature_rules[i].name;
    return "a feature";
}

VkResult pgs_device_request_judge(const struct pgs_physical_entry *entry,
                                  const VkDeviceCreateInfo *info, struct pgs_device_role *role)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const VkDeviceGroupDeviceCreateInfo *group =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
    *role = wanted_role(entry, info);
    if (phys->emulates && !role->active)
        pgs_log(PGS_LOG_INFO,
                "%s: inactive in this device: the program enables nothing that is emulated",
                phys->properties.deviceName);
    VkResult result = check_features(phys, info);
    if (result != VK_SUCCESS || !role->active)
        return result;

    bool suit;
    result = queues_suit(phys, info, &suit, &role->several_queues);
    if (result != VK_SUCCESS)
        return result;
    const char *obstacle = group && group->physicalDeviceCount > 1 ? "on a group of devices"
                           : !suit ? "with a graphics queue that cannot compute"
                                   : NULL;
    if (obstacle) {
        pgs_log(PGS_LOG_ERROR, "%s: %s cannot be emulated %s", phys->properties.deviceName,
                asked_feature(role), obstacle);
        const VkResult refusal = role->native_too ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
        *role = (struct pgs_device_role){0};
        return refusal;
    }
    return check_extensions(phys, info);
}

/* -- the request -- */

static void add_extension(struct pgs_device_request *request, const char *name)
{
    for (uint32_t i = 0; i < request->info.enabledExtensionCount; i++) {
        if (strcmp(request->extensions[i], name) == 0)
            return;
    }
    request->extensions[request->info.enabledExtensionCount++] = name;
}

/* The newer extension even where the feature is core: some loaders find its command only then. */
static void add_address(struct pgs_device_request *request, const struct pgs_physical_entry *entry)
{
    const bool ext = entry->shared.address == PGS_ADDRESS_EXT;
    for (uint32_t i = 0; i < request->info.enabledExtensionCount; i++) {
        if (strcmp(request->extensions[i], VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0)
            return; /* they exclude each other */
    }
    if (ext)
        add_extension(request, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
    else if (entry->has_khr_address)
        add_extension(request, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
}

static VkResult collect_extensions(struct pgs_device_request *request,
                                   const struct pgs_physical_entry *entry,
                                   const VkDeviceCreateInfo *info)
{
    enum { MOST_ADDED = 9 };
    request->extensions =
        pgs_calloc(info->enabledExtensionCount + MOST_ADDED, sizeof(*request->extensions));
    if (!request->extensions)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    request->info.enabledExtensionCount = 0;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (!pgs_emulated_extension(info->ppEnabledExtensionNames[i]) &&
            !(pgs_brought_extension(info->ppEnabledExtensionNames[i]) & entry->shared.brought))
            add_extension(request, info->ppEnabledExtensionNames[i]);
    }
    if (entry->has_viewport_index_layer)
        add_extension(request, VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
    add_address(request, entry);
    if (entry->shared.api_version < VK_API_VERSION_1_1) {
        add_extension(request, VK_KHR_DEVICE_GROUP_EXTENSION_NAME);
        if (entry->has_storage_buffer_class)
            add_extension(request, VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME);
    }
    if (entry->shared.traits.binds_words)
        add_extension(request, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    const char *narrow = pgs_narrow_varyings_extension(&entry->shared);
    if (narrow && pgs_narrow_varyings_asked(info))
        add_extension(request, narrow);
    for (uint32_t i = 0; i < pgs_shader_object_extension_count; i++)
        if (pgs_shader_objects_asked(info))
            add_extension(request, pgs_shader_object_extensions[i]);
    request->info.ppEnabledExtensionNames = request->extensions;
    return VK_SUCCESS;
}

static void patch_core_features(const struct pgs_physical_device *phys,
                                VkPhysicalDeviceFeatures *features)
{
    const bool native = phys->native_geometry || phys->native_tessellation;
    if (phys->emulates_geometry)
        features->geometryShader = VK_FALSE;
    if (phys->emulates_tessellation)
        features->tessellationShader = VK_FALSE;
    if (!native || !phys->features.shaderTessellationAndGeometryPointSize)
        features->shaderTessellationAndGeometryPointSize = VK_FALSE;
    if (phys->one_viewport)
        features->multiViewport = VK_FALSE;
    if (phys->emulates_fill)
        features->fillModeNonSolid = VK_FALSE;
    if (phys->emulates_clip) {
        features->shaderClipDistance = features->shaderCullDistance = VK_FALSE;
        features->sampleRateShading = VK_TRUE; /* fragment shaders clip samples */
    }
    if (phys->brings_depth_clip) {
        features->depthClamp = VK_TRUE;
        if (!phys->emulates_clip)
            features->shaderClipDistance = VK_TRUE;
    }
    if (phys->emulates_lines)
        features->wideLines = VK_FALSE;
    if (phys->emulates_points)
        features->largePoints = VK_FALSE;
    if (pgs_may_draw_lines(phys) &&
        phys->features.sampleRateShading) /* fragment shaders stipple samples */
        features->sampleRateShading = VK_TRUE;
    if (phys->emulates_stores)
        features->vertexPipelineStoresAndAtomics = VK_FALSE;
    if (phys->counts_statistics)
        features->pipelineStatisticsQuery = VK_FALSE;
    if (phys->features
            .fullDrawIndexUint32) /* replacement draws have larger indices than the application's */
        features->fullDrawIndexUint32 = VK_TRUE;
    if ((phys->traits.splits_vertices || pgs_draws_at_once(phys)) &&
        pgs_knows_first_instances(phys))
        features->drawIndirectFirstInstance = VK_TRUE; /* instances find their vertices */
    if (phys->features.shaderInt64)                    /* arithmetic on addresses */
        features->shaderInt64 = VK_TRUE;
    /* Draws with a count that the layer reads are several draws of the driver. */
    if (pgs_draws_at_once(phys) ||
        ((phys->counts_draws || phys->lacks_first_instance) && phys->features.multiDrawIndirect))
        features->multiDrawIndirect = VK_TRUE;
    if (phys->splits_draws)
        features->multiDrawIndirect = VK_FALSE;
    if (phys->lacks_first_instance)
        features->drawIndirectFirstInstance = VK_FALSE;
}

/* Clears features that depend on transform feedback (preserved provoking vertex, rasterization
 * stream) or tessellation, if the driver's device does not enable those. */
static void patch_states(const struct pgs_physical_device *phys, const void *chain)
{
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states2 = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
    if (states)
        states->extendedDynamicState3RasterizationStream = VK_FALSE;
    if (states && phys->emulates_tessellation)
        states->extendedDynamicState3TessellationDomainOrigin = VK_FALSE;
    if (states2 && phys->emulates_tessellation)
        states2->extendedDynamicState2PatchControlPoints = VK_FALSE;
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *restart = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT);
    if (restart && (phys->lacks & PGS_FEATURE_BIT(PATCH_RESTART) || phys->emulates_tessellation))
        restart->primitiveTopologyPatchListRestart = VK_FALSE;
    VkPhysicalDeviceProvokingVertexFeaturesEXT *provoking =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT);
    if (provoking)
        provoking->transformFeedbackPreservesProvokingVertex = VK_FALSE;
}

/* Clears what the driver may not have, and what it needs only for stages that it does not get. */
static void patch_multiview(const struct pgs_physical_device *phys, const void *chain)
{
    VkPhysicalDeviceVulkan11Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    VkPhysicalDeviceMultiviewFeatures *multiview =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES);
    const bool geometry = phys->emulates_geometry || phys->emulates_views;
    if (core && geometry)
        core->multiviewGeometryShader = VK_FALSE;
    if (core && phys->emulates_tessellation)
        core->multiviewTessellationShader = VK_FALSE;
    if (multiview && geometry)
        multiview->multiviewGeometryShader = VK_FALSE;
    if (multiview && phys->emulates_tessellation)
        multiview->multiviewTessellationShader = VK_FALSE;
}

/* Kernels use Device scope. It needs no feature unless vulkanMemoryModel is enabled, which has one
 * of its own for it. */
static void patch_memory_model(const struct pgs_physical_entry *entry, const void *chain)
{
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceVulkanMemoryModelFeatures *model =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
    if (core && core->vulkanMemoryModel && entry->has_device_scope)
        core->vulkanMemoryModelDeviceScope = VK_TRUE;
    if (model && model->vulkanMemoryModel && entry->has_device_scope)
        model->vulkanMemoryModelDeviceScope = VK_TRUE;
}

/* Likewise timelineSemaphore, if queues take turns. */
static void patch_timeline(struct pgs_device_request *request)
{
    const void *chain = request->info.pNext;
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceTimelineSemaphoreFeatures *timeline =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES);
    if (core) {
        core->timelineSemaphore = VK_TRUE;
    } else if (timeline) {
        timeline->timelineSemaphore = VK_TRUE;
    } else {
        request->timeline = (VkPhysicalDeviceTimelineSemaphoreFeatures){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
            .pNext = (void *)chain,
            .timelineSemaphore = VK_TRUE,
        };
        request->info.pNext = &request->timeline;
    }
}

/* Enables bufferDeviceAddress in the struct of the application that has the member, since only one
 * struct may have it. */
static void patch_address(struct pgs_device_request *request)
{
    const void *chain = request->info.pNext;
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceBufferDeviceAddressFeatures *address =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    if (core) {
        core->bufferDeviceAddress = VK_TRUE;
    } else if (address) {
        address->bufferDeviceAddress = VK_TRUE;
    } else {
        request->address.khr = (VkPhysicalDeviceBufferDeviceAddressFeatures){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
            .pNext = (void *)chain,
            .bufferDeviceAddress = VK_TRUE,
        };
        request->info.pNext = &request->address.khr;
    }
}

/* Likewise the one of VK_EXT_buffer_device_address, which is in no other struct. */
static void patch_ext_address(struct pgs_device_request *request)
{
    const void *chain = request->info.pNext;
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *address =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    if (address) {
        address->bufferDeviceAddress = VK_TRUE;
    } else {
        request->address.ext = (VkPhysicalDeviceBufferDeviceAddressFeaturesEXT){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
            .pNext = (void *)chain,
            .bufferDeviceAddress = VK_TRUE,
        };
        request->info.pNext = &request->address.ext;
    }
}

static void patch_chain(struct pgs_device_request *request, const struct pgs_physical_entry *entry)
{
    pgs_chain_remove(&request->info.pNext, pgs_emulated_features, pgs_emulated_features_count);
    const void *chain = request->info.pNext;
    VkPhysicalDeviceFeatures2 *features2 =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    patch_states(&entry->shared, chain);
    patch_multiview(&entry->shared, chain);
    patch_memory_model(entry, chain);
    pgs_brought_patch_request(&entry->shared, &request->info.pNext);
    chain = request->info.pNext;
    if (features2)
        patch_core_features(&entry->shared, &features2->features);
    /* The features of the core struct must not contradict the extension. */
    if (core && entry->has_viewport_index_layer)
        core->shaderOutputLayer = core->shaderOutputViewportIndex = VK_TRUE;
    if (entry->shared.address == PGS_ADDRESS_EXT)
        patch_ext_address(request);
    else
        patch_address(request);
}

VkResult pgs_device_request_init(struct pgs_device_request *request,
                                 const struct pgs_physical_entry *entry,
                                 const VkDeviceCreateInfo *info, struct pgs_device_role *role)
{
    static const VkStructureType edited[] = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
#ifdef VK_VERSION_1_4
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
#endif
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
        /* pgs_emulated_features */
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    };
    *request = (struct pgs_device_request){.info = *info};
    VkResult result = collect_extensions(request, entry, info);
    if (result != VK_SUCCESS)
        return result;
    role->own_extensions = pgs_own_extensions(
        (struct pgs_extension_names){request->extensions, request->info.enabledExtensionCount},
        (struct pgs_extension_names){info->ppEnabledExtensionNames, info->enabledExtensionCount});
    result = pgs_chain_copy_prefix(info->pNext, edited, sizeof(edited) / sizeof(edited[0]),
                                   &request->info.pNext, &request->chain);
    if (result != VK_SUCCESS) {
        pgs_device_request_finish(request);
        return result;
    }
    patch_chain(request, entry);
    if (role->several_queues && entry->shared.has_timeline_semaphores)
        patch_timeline(request);
    if (pgs_shader_objects_asked(info))
        pgs_shader_objects_enable(entry, info, &request->info.pNext, &request->objects);
    /* Depth clipping, draw counts and others need features of the driver even if the application
     * enables none. */
    const bool none = !pgs_enabled_features(info);
    if (info->pEnabledFeatures || none) {
        if (info->pEnabledFeatures)
            request->features = *info->pEnabledFeatures;
        patch_core_features(&entry->shared, &request->features);
        request->info.pEnabledFeatures = &request->features;
    }
    if (pgs_narrow_varyings_asked(info))
        pgs_narrow_varyings_enable(&request->info.pNext, &request->features, &request->floats);
    return VK_SUCCESS;
}

void pgs_device_request_finish(struct pgs_device_request *request)
{
    pgs_free(request->extensions);
    pgs_free(request->chain);
}
