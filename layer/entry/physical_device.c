/* SPDX-License-Identifier: MIT */
#include "entry/physical_device.h"

#include "base/alloc.h"
#include "base/log.h"
#include "entry/entry.h"
#include "entry/extensions.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Stages whose shaders never reach the driver as such: nothing is promised about subgroups in them.
 */
#define HIDDEN_SUBGROUP_STAGES                                                                     \
    (VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |                     \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

/* -- what the driver has -- */

static uint32_t effective_version(uint32_t instance_version, uint32_t device_version)
{
    const uint32_t lower = MIN(MIN(instance_version, device_version), PGS_CORE_VERSION);
    return VK_MAKE_API_VERSION(0, VK_API_VERSION_MAJOR(lower), VK_API_VERSION_MINOR(lower), 0);
}

/* bufferDeviceAddress, from the core version or from the extension. */
static bool query_address(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                          uint32_t count)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const PFN_vkGetPhysicalDeviceFeatures2 get_features2 =
        phys->instance->vk.GetPhysicalDeviceFeatures2;
    entry->has_core_address = phys->api_version >= VK_API_VERSION_1_2;
    if (phys->instance->api_version <
        VK_API_VERSION_1_1) /* without the instance extensions, then */
        return false;
    if (!get_features2 ||
        (!entry->has_core_address &&
         !pgs_extension_in(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, list, count)))
        return false;
    if (phys->api_version < VK_API_VERSION_1_1 &&
        !pgs_extension_in(VK_KHR_DEVICE_GROUP_EXTENSION_NAME, list,
                          count)) /* memory flags come with it */
        return false;
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &address};
    get_features2(phys->handle, &features);
    return address.bufferDeviceAddress;
}

/* A family where both halves of an emulated draw can be recorded. */
static VkResult query_families(const struct pgs_physical_device *phys, bool *suitable)
{
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t count = 0;
    *suitable = false;
    vk->GetPhysicalDeviceQueueFamilyProperties(phys->handle, &count, NULL);
    VkQueueFamilyProperties *families = pgs_calloc(count, sizeof(*families));
    if (!families)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    vk->GetPhysicalDeviceQueueFamilyProperties(phys->handle, &count, families);
    for (uint32_t i = 0; i < count; i++)
        *suitable = *suitable || (families[i].queueFlags & both) == both;
    pgs_free(families);
    return VK_SUCCESS;
}

static VkResult examine(struct pgs_physical_entry *entry)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    vk->GetPhysicalDeviceProperties(phys->handle, &phys->properties);
    vk->GetPhysicalDeviceFeatures(phys->handle, &phys->features);
    vk->GetPhysicalDeviceMemoryProperties(phys->handle, &phys->memory);
    phys->api_version = effective_version(phys->instance->api_version, phys->properties.apiVersion);
    phys->native_geometry = phys->features.geometryShader;

    VkExtensionProperties *list;
    uint32_t count;
    VkResult result = pgs_driver_extensions(phys->instance, phys->handle, &list, &count);
    if (pgs_is_out_of_memory(result))
        return result;
    if (result != VK_SUCCESS) /* the application will see that, too, if it asks */
        count = 0;
    entry->has_viewport_index_layer =
        pgs_extension_in(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, list, count);
    entry->has_storage_buffer_class =
        pgs_extension_in(VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME, list, count);
    phys->has_shader_output_layer = entry->has_viewport_index_layer;
    phys->has_shader_output_viewport_index = entry->has_viewport_index_layer;
    const bool has_address = query_address(entry, list, count);
    pgs_free(list);

    bool has_family;
    result = query_families(phys, &has_family);
    if (result != VK_SUCCESS)
        return result;
    const bool wanted = !phys->native_geometry || phys->instance->settings.force;
    const char *lack = !has_address  ? "bufferDeviceAddress"
                       : !has_family ? "a queue family with graphics and compute"
                                     : NULL;
    phys->emulates_geometry = wanted && !lack;
    phys->emulates = phys->emulates_geometry;
    if (wanted && lack)
        pgs_log(PGS_LOG_WARN, "%s: no geometryShader: the driver lacks %s",
                phys->properties.deviceName, lack);
    else
        pgs_log(PGS_LOG_INFO, "%s: geometryShader is %s", phys->properties.deviceName,
                wanted ? "emulated" : "the driver's own");
    return VK_SUCCESS;
}

VkResult pgs_physical_entry_create(struct pgs_instance *inst, VkPhysicalDevice handle,
                                   struct pgs_physical_entry **entry)
{
    *entry = pgs_calloc(1, sizeof(**entry));
    if (!*entry)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    (*entry)->shared.handle = handle;
    (*entry)->shared.instance = inst;
    const VkResult result = examine(*entry);
    if (result != VK_SUCCESS) {
        pgs_physical_entry_destroy(*entry);
        *entry = NULL;
    }
    return result;
}

void pgs_physical_entry_destroy(struct pgs_physical_entry *entry)
{
    pgs_free(entry);
}

/* -- what we report: features -- */

/* A replacement vertex shader that cannot choose the viewport cannot stand in for a geometry shader
 * that does. */
static bool hides_multi_viewport(const struct pgs_physical_device *phys)
{
    return !phys->has_shader_output_viewport_index;
}

static void patch_features(const struct pgs_physical_device *phys,
                           VkPhysicalDeviceFeatures *features)
{
    features->geometryShader = VK_TRUE;
    features->shaderTessellationAndGeometryPointSize = VK_TRUE;
    features->tessellationShader =
        VK_FALSE; /* would allow tessellation in front of a geometry shader */
    features->pipelineStatisticsQuery = VK_FALSE; /* the counters would be those of our stages */
    if (hides_multi_viewport(phys))
        features->multiViewport = VK_FALSE;
}

static void patch_feature_chain(VkBaseOutStructure *chain)
{
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES) {
            VkPhysicalDeviceVulkan11Features *core = (VkPhysicalDeviceVulkan11Features *)node;
            core->multiviewGeometryShader = core->multiviewTessellationShader = VK_FALSE;
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES) {
            VkPhysicalDeviceMultiviewFeatures *multiview =
                (VkPhysicalDeviceMultiviewFeatures *)node;
            multiview->multiviewGeometryShader = multiview->multiviewTessellationShader = VK_FALSE;
        }
        for (size_t i = 0; i < pgs_hidden_features_count; i++) {
            if (node->sType == pgs_hidden_features[i].type)
                memset(node + 1, 0, pgs_hidden_features[i].size_B - sizeof(*node));
        }
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
    phys->instance->vk.GetPhysicalDeviceFeatures2(physicalDevice, pFeatures);
    if (phys->emulates) {
        patch_features(phys, &pFeatures->features);
        patch_feature_chain(pFeatures->pNext);
    }
}

const char *pgs_hidden_feature_asked(const struct pgs_physical_device *phys,
                                     const VkDeviceCreateInfo *info,
                                     const VkPhysicalDeviceFeatures *features)
{
    const VkPhysicalDeviceVulkan11Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    const VkPhysicalDeviceMultiviewFeatures *multiview =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES);
    if (features->tessellationShader)
        return "tessellationShader";
    if (features->pipelineStatisticsQuery)
        return "pipelineStatisticsQuery";
    if (features->multiViewport && hides_multi_viewport(phys))
        return "multiViewport";
    if ((core && core->multiviewGeometryShader) ||
        (multiview && multiview->multiviewGeometryShader))
        return "multiviewGeometryShader";
    if ((core && core->multiviewTessellationShader) ||
        (multiview && multiview->multiviewTessellationShader))
        return "multiviewTessellationShader";
    return NULL;
}

/* -- what we report: properties -- */

/* Limits are the same whether the feature is enabled or not. */
static void patch_properties(VkPhysicalDeviceProperties *properties)
{
    VkPhysicalDeviceLimits *limits = &properties->limits;
    const uint32_t varyings_el =
        MIN(limits->maxVertexOutputComponents, limits->maxFragmentInputComponents);
    limits->maxGeometryShaderInvocations = 32;
    limits->maxGeometryInputComponents = MAX(64, MIN(128, limits->maxVertexOutputComponents));
    limits->maxGeometryOutputComponents =
        MAX(64, MIN(128, varyings_el)); /* our vertex shader carries them */
    limits->maxGeometryOutputVertices = 1024;
    limits->maxGeometryTotalOutputComponents = 1024;
    /* What the draw records and the tracked state have room for. */
    limits->maxPushConstantsSize = MIN(256, limits->maxPushConstantsSize);
    limits->maxBoundDescriptorSets = MIN(32, limits->maxBoundDescriptorSets);
    limits->maxVertexInputBindings = MIN(32, limits->maxVertexInputBindings);
    limits->maxVertexInputAttributes = MIN(32, limits->maxVertexInputAttributes);
    if (properties->apiVersion >=
        VK_MAKE_API_VERSION(0, 1, 4, 0)) /* its commands would go past our queue */
        properties->apiVersion = VK_MAKE_API_VERSION(0, 1, 3, VK_HEADER_VERSION);
}

static void patch_property_chain(VkBaseOutStructure *chain)
{
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        switch (node->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
            ((VkPhysicalDeviceSubgroupProperties *)node)->supportedStages &=
                ~HIDDEN_SUBGROUP_STAGES;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
            ((VkPhysicalDeviceVulkan11Properties *)node)->subgroupSupportedStages &=
                ~HIDDEN_SUBGROUP_STAGES;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES:
            ((VkPhysicalDeviceSubgroupSizeControlProperties *)node)->requiredSubgroupSizeStages &=
                ~HIDDEN_SUBGROUP_STAGES;
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES:
            ((VkPhysicalDeviceVulkan13Properties *)node)->requiredSubgroupSizeStages &=
                ~HIDDEN_SUBGROUP_STAGES;
            break;
        default:
            break;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                           VkPhysicalDeviceProperties *pProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceProperties(physicalDevice, pProperties);
    if (phys->emulates)
        patch_properties(pProperties);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceProperties2(
    VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2 *pProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceProperties2(physicalDevice, pProperties);
    if (phys->emulates) {
        patch_properties(&pProperties->properties);
        patch_property_chain(pProperties->pNext);
    }
}
