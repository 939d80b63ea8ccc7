/* SPDX-License-Identifier: MIT
 *
 * The commands that the fake driver does not leave to the generator.
 */
#include "fake_cache.h"
#include "fake_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_created fake_instance_created, fake_device_created;
static struct fake_created queried; /* its chain alone */

/* -- what is created -- */

bool fake_created_has_extension(const struct fake_created *created, const char *name)
{
    for (uint32_t i = 0; i < created->extension_count; i++) {
        if (strcmp(created->extensions[i], name) == 0)
            return true;
    }
    return false;
}

static void note_names(struct fake_created *created, const char *const *names, uint32_t count)
{
    created->extension_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == FAKE_MAX_NAMES)
            fake_die("too many extensions");
        if (fake_created_has_extension(created, names[i]))
            fake_die("an extension was enabled twice");
        snprintf(created->extensions[created->extension_count++], VK_MAX_EXTENSION_NAME_SIZE, "%s",
                 names[i]);
    }
}

static void note_chain(struct fake_created *created, const void *chain)
{
    created->chain_count = 0;
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (created->chain_count == FAKE_MAX_CHAIN)
            fake_die("too long a chain");
        created->chain[created->chain_count++] = node->sType;
    }
}

bool fake_created_has_struct(const struct fake_created *created, VkStructureType type)
{
    for (uint32_t i = 0; i < created->chain_count; i++) {
        if (created->chain[i] == type)
            return true;
    }
    return false;
}

bool fake_queried_struct(VkStructureType type)
{
    return fake_created_has_struct(&queried, type);
}

VKAPI_ATTR VkResult VKAPI_CALL fake_CreateInstance(const VkInstanceCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkInstance *instance)
{
    fake_record("vkCreateInstance", 3,
                (const uint64_t[]){(uint64_t)info, (uint64_t)allocator, (uint64_t)instance});
    struct fake_created *created = &fake_instance_created;
    const VkResult result = fake_result();
    created->attempts++;
    created->api_version = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
    note_names(created, info->ppEnabledExtensionNames, info->enabledExtensionCount);
    note_chain(created, info->pNext);
    if (result != VK_SUCCESS)
        return result;
    if (created->api_version > fake.config.instance_version)
        return VK_ERROR_INCOMPATIBLE_DRIVER;
    fakes.alive[FAKE_DISPATCHABLE]++;
    *instance = (VkInstance)fake_new_object(NULL);
    return VK_SUCCESS;
}

/* The physical devices of an instance are made when they are first asked for. */
static struct fake_object *physical_device(VkInstance instance, uint32_t index)
{
    struct fake_object *newest_first[8];
    uint32_t count = 0;
    for (struct fake_object *object = fake.objects; object && count < 8; object = object->next) {
        if (object->key == (const void *)instance && (void *)object != (void *)instance)
            newest_first[count++] = object;
    }
    while (count < fake.config.physical_device_count && count < 8) {
        memmove(&newest_first[1], newest_first, count++ * sizeof(newest_first[0]));
        newest_first[0] = fake_new_object(instance);
    }
    return newest_first[count - 1 - index];
}

VKAPI_ATTR void VKAPI_CALL fake_DestroyInstance(VkInstance instance,
                                                const VkAllocationCallbacks *allocator)
{
    fake_record("vkDestroyInstance", 2,
                (const uint64_t[]){(uint64_t)instance, (uint64_t)allocator});
    for (struct fake_object *object = fake.objects, *next; object; object = next) {
        next = object->next;
        if (object->key == (const void *)instance && (void *)object != (void *)instance)
            fake_free_object(object);
    }
    fake_free_object(instance);
    fakes.alive[FAKE_DISPATCHABLE]--;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_EnumeratePhysicalDevices(VkInstance instance, uint32_t *count,
                                                             VkPhysicalDevice *devices)
{
    fake_record("vkEnumeratePhysicalDevices", 3,
                (const uint64_t[]){(uint64_t)instance, (uint64_t)count, (uint64_t)devices});
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    const uint32_t all = fake.config.physical_device_count;
    const uint32_t capacity = devices ? *count : all;
    for (uint32_t i = 0; devices && i < all && i < capacity; i++)
        devices[i] = (VkPhysicalDevice)physical_device(instance, i);
    *count = capacity < all ? capacity : all;
    return capacity < all ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_EnumeratePhysicalDeviceGroups(
    VkInstance instance, uint32_t *count, VkPhysicalDeviceGroupProperties *groups)
{
    fake_record("vkEnumeratePhysicalDeviceGroups", 3,
                (const uint64_t[]){(uint64_t)instance, (uint64_t)count, (uint64_t)groups});
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    if (groups && *count > 0) {
        groups[0].physicalDeviceCount = fake.config.physical_device_count;
        for (uint32_t i = 0; i < fake.config.physical_device_count; i++)
            groups[0].physicalDevices[i] = (VkPhysicalDevice)physical_device(instance, i);
    }
    *count = groups && *count == 0 ? 0 : 1;
    return VK_SUCCESS;
}

/* -- physical devices -- */

static bool has_part(const char *name)
{
    return !fake.config.no_xfb_part || strcmp(fake.config.no_xfb_part, name) != 0;
}

static VkPhysicalDeviceFeatures driver_features(void)
{
    return (VkPhysicalDeviceFeatures){
        .robustBufferAccess = VK_TRUE,
        .shaderInt64 = fake.config.int64,
        .shaderInt16 = fake.config.int16,
        .fullDrawIndexUint32 = fake.config.full_draw_index,
        .multiDrawIndirect = fake.config.multi_draw_indirect,
        .drawIndirectFirstInstance = fake.config.multi_draw_indirect,
        .geometryShader = fake.config.geometry,
        .shaderTessellationAndGeometryPointSize =
            (fake.config.geometry && !fake.config.no_point_size) ||
            fake.config.tessellation_point_size,
        .tessellationShader = fake.config.tessellation,
        .fillModeNonSolid = !fake.config.only_fills,
        .depthClamp = fake.config.depth_clamp,
        .sampleRateShading = fake.config.sample_shading,
        .shaderClipDistance = fake.config.distances,
        .shaderCullDistance = fake.config.distances,
        .wideLines = !fake.config.thin_lines,
        .largePoints = !fake.config.small_points,
        .vertexPipelineStoresAndAtomics = !fake.config.no_stores,
        .multiViewport = !fake.config.one_viewport,
        .pipelineStatisticsQuery = !fake.config.no_statistics,
    };
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceFeatures(VkPhysicalDevice device,
                                                          VkPhysicalDeviceFeatures *features)
{
    fake_record("vkGetPhysicalDeviceFeatures", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)features});
    *features = driver_features();
}

static void give_states3(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states)
{
    states->extendedDynamicState3PolygonMode = VK_TRUE;
    states->extendedDynamicState3RasterizationSamples = VK_TRUE;
    states->extendedDynamicState3SampleLocationsEnable = VK_TRUE;
    states->extendedDynamicState3ViewportSwizzle = VK_TRUE;
    states->extendedDynamicState3ViewportWScalingEnable = VK_TRUE;
    states->extendedDynamicState3CoverageModulationTable = VK_TRUE;
    states->extendedDynamicState3CoverageReductionMode = VK_TRUE;
    states->extendedDynamicState3RepresentativeFragmentTestEnable = VK_TRUE;
    states->extendedDynamicState3ShadingRateImageEnable = VK_TRUE;
    states->extendedDynamicState3RasterizationStream = fake.config.geometry;
    states->extendedDynamicState3TessellationDomainOrigin = fake.config.tessellation;
}

static void give_line_modes(VkBaseOutStructure *node)
{
    const VkBool32 has = fake.config.line_modes;
    if (node->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT)
        return;
    VkPhysicalDeviceLineRasterizationFeaturesEXT *lines =
        (VkPhysicalDeviceLineRasterizationFeaturesEXT *)node;
    lines->rectangularLines = lines->bresenhamLines = lines->smoothLines = has;
    lines->stippledRectangularLines = lines->stippledBresenhamLines = has;
    lines->stippledSmoothLines = has;
}

static void give_divisors(VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *features)
{
    features->vertexAttributeInstanceRateDivisor = fake.config.divisors;
    features->vertexAttributeInstanceRateZeroDivisor = fake.config.divisors;
}

/* Features of 16 bits, in whichever struct. */
static void give_narrow(VkBaseOutStructure *node)
{
    switch (node->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        ((VkPhysicalDeviceVulkan11Features *)node)->storageInputOutput16 = fake.config.varyings16;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        ((VkPhysicalDevice16BitStorageFeatures *)node)->storageInputOutput16 =
            fake.config.varyings16;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        ((VkPhysicalDeviceVulkan12Features *)node)->shaderFloat16 = fake.config.float16;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
        ((VkPhysicalDeviceShaderFloat16Int8Features *)node)->shaderFloat16 = fake.config.float16;
        break;
    default:
        break;
    }
}

static void give_12(VkPhysicalDeviceVulkan12Features *core)
{
    core->bufferDeviceAddress = fake.config.buffer_device_address;
    core->drawIndirectCount = fake.config.draw_count;
    core->shaderOutputLayer = fake.config.output_layer;
    core->shaderOutputViewportIndex = fake.config.output_viewport;
}

/* Those of extensions that are given feature by feature. */
static void give_parts(VkBaseOutStructure *node)
{
    give_narrow(node);
    give_line_modes(node);
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceFeatures2(VkPhysicalDevice device,
                                                           VkPhysicalDeviceFeatures2 *features)
{
    fake_record("vkGetPhysicalDeviceFeatures2", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)features});
    features->features = driver_features();
    note_chain(&queried, features->pNext);
    for (VkBaseOutStructure *node = features->pNext; node; node = node->pNext) {
        give_parts(node);
        switch ((int)node->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
            ((VkPhysicalDeviceBufferDeviceAddressFeatures *)node)->bufferDeviceAddress =
                fake.config.buffer_device_address;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT:
            ((VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *)node)->bufferDeviceAddress =
                fake.config.ext_address;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
            give_12((VkPhysicalDeviceVulkan12Features *)node);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT:
            ((VkPhysicalDeviceDepthClipEnableFeaturesEXT *)node)->depthClipEnable =
                fake.config.depth_clip;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT:
            give_divisors((VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *)node);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
            ((VkPhysicalDeviceTimelineSemaphoreFeatures *)node)->timelineSemaphore =
                fake.config.timeline_semaphores;
            break;
        case FAKE_VULKAN_1_4_FEATURES:
            for (size_t i = 0; i < FAKE_VULKAN_1_4_FEATURE_COUNT; i++)
                ((VkBool32 *)(node + 1))[i] = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
            ((VkPhysicalDeviceVulkan11Features *)node)->multiview = VK_TRUE;
            ((VkPhysicalDeviceVulkan11Features *)node)->multiviewGeometryShader =
                !fake.config.no_view_geometry;
            ((VkPhysicalDeviceVulkan11Features *)node)->multiviewTessellationShader =
                fake.config.tessellation;
            ((VkPhysicalDeviceVulkan11Features *)node)->protectedMemory = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
            ((VkPhysicalDeviceProtectedMemoryFeatures *)node)->protectedMemory = VK_TRUE;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES:
            ((VkPhysicalDeviceMultiviewFeatures *)node)->multiview = VK_TRUE;
            ((VkPhysicalDeviceMultiviewFeatures *)node)->multiviewGeometryShader =
                !fake.config.no_view_geometry;
            ((VkPhysicalDeviceMultiviewFeatures *)node)->multiviewTessellationShader =
                fake.config.tessellation;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT:
            ((VkPhysicalDeviceTransformFeedbackFeaturesEXT *)node)->transformFeedback =
                has_part("");
            ((VkPhysicalDeviceTransformFeedbackFeaturesEXT *)node)->geometryStreams =
                has_part("geometryStreams");
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT:
            ((VkPhysicalDeviceProvokingVertexFeaturesEXT *)node)->provokingVertexLast = VK_TRUE;
            ((VkPhysicalDeviceProvokingVertexFeaturesEXT *)node)
                ->transformFeedbackPreservesProvokingVertex = fake.config.geometry;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT: {
            VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states =
                (VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *)node;
            states->extendedDynamicState2LogicOp = VK_TRUE;
            states->extendedDynamicState2PatchControlPoints = fake.config.tessellation;
            break;
        }
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT:
            give_states3((VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *)node);
            break;
        default:
            break;
        }
    }
}

static VkPhysicalDeviceLimits driver_limits(void)
{
    VkPhysicalDeviceLimits limits = fake.config.limits;
    const bool lies = fake.config.lies;
    const uint32_t least[] = {lies ? 0 : 32, lies ? 0 : 256, lies ? 1 : 16, lies ? 0 : 8};
#define AT_LEAST(limit, i) limits.limit = limits.limit ? limits.limit : least[i]
    AT_LEAST(maxGeometryShaderInvocations, 0);
    AT_LEAST(maxGeometryOutputVertices, 1);
    AT_LEAST(maxGeometryTotalOutputComponents, 1);
    AT_LEAST(maxTessellationGenerationLevel, 0);
    AT_LEAST(maxTessellationPatchSize, 0);
    AT_LEAST(maxViewports, 2);
    AT_LEAST(maxDrawIndirectCount, 2);
    AT_LEAST(maxClipDistances, 3);
    AT_LEAST(maxCullDistances, 3);
    AT_LEAST(lineWidthRange[1], 3);
    AT_LEAST(pointSizeRange[1], 3);
#undef AT_LEAST
    return limits;
}

static VkPhysicalDeviceProperties driver_properties(void)
{
    return (VkPhysicalDeviceProperties){
        .apiVersion = fake.config.device_version,
        .vendorID = fake.config.vendor,
        .deviceID = fake.config.device,
        .deviceType = fake.config.type,
        .deviceName = "fake",
        .pipelineCacheUUID = FAKE_CACHE_UUID,
        .limits = driver_limits(),
    };
}

static void fill_xfb(VkPhysicalDeviceTransformFeedbackPropertiesEXT *xfb)
{
    xfb->maxTransformFeedbackStreams = fake.config.lies           ? 0
                                       : !has_part("streams")     ? 1
                                       : has_part("four streams") ? 5
                                                                  : 3;
    xfb->maxTransformFeedbackBuffers = fake.config.lies ? 0 : has_part("buffers") ? 4 : 3;
    xfb->transformFeedbackDraw = has_part("transformFeedbackDraw");
    xfb->transformFeedbackQueries = has_part("transformFeedbackQueries");
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceProperties(VkPhysicalDevice device,
                                                            VkPhysicalDeviceProperties *properties)
{
    fake_record("vkGetPhysicalDeviceProperties", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)properties});
    *properties = driver_properties();
}

VKAPI_ATTR void VKAPI_CALL
fake_GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    fake_record("vkGetPhysicalDeviceProperties2", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)properties});
    properties->properties = driver_properties();
    note_chain(&queried, properties->pNext);
    for (VkBaseOutStructure *node = properties->pNext; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
            ((VkPhysicalDeviceDriverProperties *)node)->driverID = fake.config.driver;
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            ((VkPhysicalDeviceSubgroupProperties *)node)->supportedStages =
                VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT)
            fill_xfb((VkPhysicalDeviceTransformFeedbackPropertiesEXT *)node);
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT)
            ((VkPhysicalDeviceProvokingVertexPropertiesEXT *)node)
                ->transformFeedbackPreservesTriangleFanProvokingVertex = fake.config.geometry;
        if (node->sType ==
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT)
            ((VkPhysicalDeviceExtendedDynamicState3PropertiesEXT *)node)
                ->dynamicPrimitiveTopologyUnrestricted = VK_TRUE;
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            ((VkPhysicalDeviceVulkan11Properties *)node)->subgroupSupportedStages =
                VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    }
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families)
{
    fake_record("vkGetPhysicalDeviceQueueFamilyProperties", 3,
                (const uint64_t[]){(uint64_t)device, (uint64_t)count, (uint64_t)families});
    const uint32_t capacity = families ? *count : fake.config.family_count;
    *count = capacity < fake.config.family_count ? capacity : fake.config.family_count;
    for (uint32_t i = 0; families && i < *count; i++)
        families[i] = (VkQueueFamilyProperties){.queueFlags = fake.config.families[i],
                                                .queueCount = fake.config.queue_count};
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceQueueFamilyProperties2(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties2 *families)
{
    VkQueueFamilyProperties list[8];
    uint32_t capacity = sizeof(list) / sizeof(list[0]);
    if (families && *count < capacity)
        capacity = *count;
    fake_GetPhysicalDeviceQueueFamilyProperties(device, &capacity, list);
    for (uint32_t i = 0; families && i < capacity; i++)
        families[i].queueFamilyProperties = list[i];
    *count = capacity;
}

/* All can be exported. */
VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice device, const VkPhysicalDeviceExternalBufferInfo *info,
    VkExternalBufferProperties *properties)
{
    fake_record("vkGetPhysicalDeviceExternalBufferProperties", 3,
                (const uint64_t[]){(uint64_t)device, info->usage, (uint64_t)properties});
    properties->externalMemoryProperties = (VkExternalMemoryProperties){
        .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT,
        .compatibleHandleTypes = info->handleType,
    };
}

VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory)
{
    fake_record("vkGetPhysicalDeviceMemoryProperties", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)memory});
    *memory = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 1,
        .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT}},
        .memoryHeapCount = 1,
        .memoryHeaps = {{.size = 1u << 30, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
    };
}

VKAPI_ATTR VkResult VKAPI_CALL fake_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
    fake_record("vkEnumerateDeviceExtensionProperties", 4,
                (const uint64_t[]){(uint64_t)device, (uint64_t)layer, (uint64_t)count,
                                   (uint64_t)properties});
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    const uint32_t all = fake.config.extension_count;
    const uint32_t capacity = properties ? *count : all;
    *count = capacity < all ? capacity : all;
    for (uint32_t i = 0; properties && i < *count; i++) {
        properties[i] = (VkExtensionProperties){.specVersion = 1};
        snprintf(properties[i].extensionName, VK_MAX_EXTENSION_NAME_SIZE, "%s",
                 fake.config.extensions[i]);
    }
    return capacity < all ? VK_INCOMPLETE : VK_SUCCESS;
}

/* -- devices -- */

static void note_features(struct fake_created *created, const VkDeviceCreateInfo *info)
{
    if (info->pEnabledFeatures)
        created->features = *info->pEnabledFeatures;
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
            if (info->pEnabledFeatures)
                fake_die("the features came twice");
            created->features = ((const VkPhysicalDeviceFeatures2 *)node)->features;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            const VkPhysicalDeviceVulkan12Features *core =
                (const VkPhysicalDeviceVulkan12Features *)node;
            created->buffer_device_address = core->bufferDeviceAddress;
            created->timeline_semaphores = core->timelineSemaphore;
            created->float16 = core->shaderFloat16;
            created->shader_output_layer = core->shaderOutputLayer;
            created->shader_output_viewport_index = core->shaderOutputViewportIndex;
            created->address_structs++;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES) {
            const VkPhysicalDeviceVulkan11Features *core =
                (const VkPhysicalDeviceVulkan11Features *)node;
            created->multiview = core->multiview;
            created->multiview_geometry = core->multiviewGeometryShader;
            created->multiview_tessellation = core->multiviewTessellationShader;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
            created->timeline_semaphores =
                ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)node)->timelineSemaphore;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES) {
            created->float16 =
                ((const VkPhysicalDeviceShaderFloat16Int8Features *)node)->shaderFloat16;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES) {
            const VkPhysicalDeviceMultiviewFeatures *views =
                (const VkPhysicalDeviceMultiviewFeatures *)node;
            created->multiview = views->multiview;
            created->multiview_geometry = views->multiviewGeometryShader;
            created->multiview_tessellation = views->multiviewTessellationShader;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT) {
            created->preserves_provoking_vertex =
                ((const VkPhysicalDeviceProvokingVertexFeaturesEXT *)node)
                    ->transformFeedbackPreservesProvokingVertex;
        } else if (node->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT) {
            created->patch_restart =
                ((const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *)node)
                    ->primitiveTopologyPatchListRestart;
        } else if (node->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT) {
            const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *states =
                (const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *)node;
            created->raster_stream = states->extendedDynamicState3RasterizationStream;
            created->polygon_mode = states->extendedDynamicState3PolygonMode;
            created->domain_origin = states->extendedDynamicState3TessellationDomainOrigin;
        } else if (node->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT) {
            const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states =
                (const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *)node;
            created->logic_op = states->extendedDynamicState2LogicOp;
            created->patch_control_points = states->extendedDynamicState2PatchControlPoints;
        } else if (node->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES) {
            created->buffer_device_address =
                ((const VkPhysicalDeviceBufferDeviceAddressFeatures *)node)->bufferDeviceAddress;
            created->address_structs++;
        } else if (node->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT) {
            const VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *address =
                (const VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *)node;
            created->ext_address = address->bufferDeviceAddress;
            created->ext_capture_replay = address->bufferDeviceAddressCaptureReplay;
            created->address_structs++;
        }
    }
}

VKAPI_ATTR VkResult VKAPI_CALL fake_CreateDevice(VkPhysicalDevice physical,
                                                 const VkDeviceCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator,
                                                 VkDevice *device)
{
    fake_record("vkCreateDevice", 4,
                (const uint64_t[]){(uint64_t)physical, (uint64_t)info, (uint64_t)allocator,
                                   (uint64_t)device});
    const VkResult result = fake_result();
    fake_device_created = (struct fake_created){.attempts = fake_device_created.attempts + 1};
    note_names(&fake_device_created, info->ppEnabledExtensionNames, info->enabledExtensionCount);
    note_chain(&fake_device_created, info->pNext);
    note_features(&fake_device_created, info);
    if (result != VK_SUCCESS)
        return result;
    fakes.alive[FAKE_DISPATCHABLE]++;
    *device = (VkDevice)fake_new_object(NULL);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_DestroyDevice(VkDevice device,
                                              const VkAllocationCallbacks *allocator)
{
    fake_record("vkDestroyDevice", 2, (const uint64_t[]){(uint64_t)device, (uint64_t)allocator});
    fake_free_object(device);
    fakes.alive[FAKE_DISPATCHABLE]--;
}

/* The queue of a device is the device in disguise: it has the same key. */
VKAPI_ATTR void VKAPI_CALL fake_GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index,
                                               VkQueue *queue)
{
    fake_record("vkGetDeviceQueue", 4,
                (const uint64_t[]){(uint64_t)device, family, index, (uint64_t)queue});
    *queue = (VkQueue)device;
}

/* As in a driver below the loader, the key is there before the loader's trampoline could write it.
 */
VKAPI_ATTR VkResult VKAPI_CALL fake_AllocateCommandBuffers(VkDevice device,
                                                           const VkCommandBufferAllocateInfo *info,
                                                           VkCommandBuffer *buffers)
{
    fake_record("vkAllocateCommandBuffers", 3,
                (const uint64_t[]){(uint64_t)device, (uint64_t)info, (uint64_t)buffers});
    const VkResult result = fake_result();
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        buffers[i] = result == VK_SUCCESS ? (VkCommandBuffer)fake_new_object(device) : NULL;
        fakes.alive[FAKE_DISPATCHABLE] += result == VK_SUCCESS;
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL fake_FreeCommandBuffers(VkDevice device, VkCommandPool pool,
                                                   uint32_t count, const VkCommandBuffer *buffers)
{
    fake_record("vkFreeCommandBuffers", 4,
                (const uint64_t[]){(uint64_t)device, (uint64_t)pool, count, (uint64_t)buffers});
    for (uint32_t i = 0; i < count; i++) {
        if (!buffers[i])
            continue;
        fake_free_object(buffers[i]);
        fakes.alive[FAKE_DISPATCHABLE]--;
    }
}

/* Sets go with their pools, so they do not count. */
VKAPI_ATTR VkResult VKAPI_CALL fake_AllocateDescriptorSets(VkDevice device,
                                                           const VkDescriptorSetAllocateInfo *info,
                                                           VkDescriptorSet *sets)
{
    static _Atomic uint64_t last = 0x5e70000;
    fake_record("vkAllocateDescriptorSets", 3,
                (const uint64_t[]){(uint64_t)device, (uint64_t)info, (uint64_t)sets});
    const VkResult result = fake_result();
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = result == VK_SUCCESS ? (VkDescriptorSet)++last : VK_NULL_HANDLE;
    return result;
}

/* -- entry points -- */

static int compare_name(const void *name, const void *command)
{
    return strcmp(name, ((const struct fake_command *)command)->name);
}

/* A device asks for all of them, and tests make thousands of devices. */
static PFN_vkVoidFunction find_command(const char *name, int least_level)
{
    const struct fake_command *found =
        bsearch(name, fake_commands, fake_command_count, sizeof(*found), compare_name);
    return found && found->level >= least_level ? found->fn : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fake_GetInstanceProcAddr(VkInstance instance,
                                                                  const char *name)
{
    (void)instance;
    return find_command(name, 0);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fake_GetDeviceProcAddr(VkDevice device, const char *name)
{
    (void)device;
    /* A command that is newer than the registry, for the sake of those who must not let it through.
     */
    if (strcmp(name, "vkCmdFromTheFuture") == 0)
        return find_command("vkCmdDraw", 2);
    for (const char *const *missing = fake.config.missing; missing && *missing; missing++) {
        if (strcmp(name, *missing) == 0)
            return NULL;
    }
    return find_command(name, 2);
}
