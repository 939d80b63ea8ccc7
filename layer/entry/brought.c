/* SPDX-License-Identifier: MIT */
#include "entry/brought.h"

#include "entry/brought_names.h"
#include "entry/extensions.h"
#include "pipeline/pushed_set.h"
#include "vulkan/chain.h"

#define DEPTH_CLIP_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT
#define DIVISOR_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT
#define DIVISOR_PROPERTIES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT

static void query(const struct pgs_physical_device *phys, void *node)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = node};
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
}

static bool driver_counts(const struct pgs_physical_device *phys, const VkExtensionProperties *list,
                          uint32_t count)
{
    VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    if (pgs_extension_in(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME, list, count))
        return true;
    if (phys->api_version < VK_API_VERSION_1_2)
        return false;
    query(phys, &core);
    return core.drawIndirectCount;
}

static VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT
driver_divisors(const struct pgs_physical_device *phys, const VkExtensionProperties *list,
                uint32_t count)
{
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT features = {.sType = DIVISOR_FEATURES};
    if (phys->api_version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ||
        pgs_extension_in(VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME, list, count) ||
        pgs_extension_in(PGS_KHR_DIVISOR_NAME, list, count))
        query(phys, &features);
    return features;
}

static bool driver_depth_clip(const struct pgs_physical_device *phys,
                              const VkExtensionProperties *list, uint32_t count)
{
    VkPhysicalDeviceDepthClipEnableFeaturesEXT features = {.sType = DEPTH_CLIP_FEATURES};
    if (pgs_extension_in(VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, list, count))
        query(phys, &features);
    return features.depthClipEnable;
}

/* Depth is clamped by the driver, and clipped by distances, of which the layer adds two. Pipelines
 * with geometry shaders of the driver are emulated for that, as where they have distances. */
static void decide_depth_clip(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                              uint32_t count)
{
    struct pgs_physical_device *phys = &entry->shared;
    const bool clips = phys->emulates_clip || phys->features.shaderClipDistance;
    entry->has_depth_clip = driver_depth_clip(phys, list, count);
    phys->brings_depth_clip =
        phys->features.depthClamp && clips &&
        (!entry->has_depth_clip || phys->instance->settings.depth_clip == PGS_BRING_EMULATE);
    if (phys->brings_depth_clip)
        phys->brought |= PGS_BROUGHT_DEPTH_CLIP;
}

/* True if it has geometry shaders and views, but not both together. */
static bool lacks_views(const struct pgs_physical_device *phys)
{
    VkPhysicalDeviceMultiviewFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
    if (!phys->native_geometry || phys->api_version < VK_API_VERSION_1_1)
        return false;
    query(phys, &features);
    return features.multiview && !features.multiviewGeometryShader;
}

void pgs_brought_decide(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                        uint32_t count)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_settings *settings = &phys->instance->settings;
    if (!pgs_replaces_geometry(phys))
        return;
    decide_depth_clip(entry, list, count);
    phys->emulates_views = lacks_views(phys);
    entry->has_draw_count = driver_counts(phys, list, count);
    const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors =
        driver_divisors(phys, list, count);
    entry->has_divisors = divisors.vertexAttributeInstanceRateDivisor &&
                          divisors.vertexAttributeInstanceRateZeroDivisor;
    const bool draws = settings->draws == PGS_BRING_EMULATE;
    phys->splits_draws = (phys->lacks & PGS_FEATURE_BIT(DRAWS)) || draws;
    phys->counts_draws = !entry->has_draw_count || draws;
    phys->lacks_first_instance = (phys->lacks & PGS_FEATURE_BIT(FIRST)) || draws;
    const bool all = settings->divisors == PGS_BRING_EMULATE;
    /* With dynamic vertex input, divisors are set when the pipeline is there already. */
    const bool dynamic =
        pgs_extension_in(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, list, count);
    phys->lacks_divisors = all || (!divisors.vertexAttributeInstanceRateDivisor && !dynamic);
    phys->lacks_zero_divisor =
        all || (!divisors.vertexAttributeInstanceRateZeroDivisor && !dynamic);
    entry->has_push_descriptors =
        phys->api_version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ||
        pgs_extension_in(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, list, count);
    phys->keeps_pushes = !entry->has_push_descriptors || settings->pushes == PGS_BRING_EMULATE;
    if (phys->counts_draws)
        phys->brought |= PGS_BROUGHT_COUNT;
    if (phys->keeps_pushes)
        phys->brought |= PGS_BROUGHT_PUSH;
    if (phys->lacks_divisors)
        phys->brought |= PGS_BROUGHT_DIVISOR | PGS_BROUGHT_KHR_DIVISOR;
}

static bool asks_extension(const VkDeviceCreateInfo *info, uint32_t bits)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (pgs_brought_extension(info->ppEnabledExtensionNames[i]) & bits)
            return true;
    return false;
}

static bool asks_count(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    return (core && core->drawIndirectCount) || asks_extension(info, PGS_BROUGHT_COUNT);
}

static bool asks_divisors(const struct pgs_physical_device *phys, const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *divisors =
        pgs_chain_find(info->pNext, DIVISOR_FEATURES);
    bool any = divisors && divisors->vertexAttributeInstanceRateDivisor;
    bool zero = divisors && divisors->vertexAttributeInstanceRateZeroDivisor;
#ifdef VK_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    any |= core && core->vertexAttributeInstanceRateDivisor;
    zero |= core && core->vertexAttributeInstanceRateZeroDivisor;
#endif
    return (any && phys->lacks_divisors) || (zero && phys->lacks_zero_divisor) ||
           (phys->lacks_divisors &&
            asks_extension(info, PGS_BROUGHT_DIVISOR | PGS_BROUGHT_KHR_DIVISOR));
}

static bool asks_views(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceMultiviewFeatures *features =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES);
    const VkPhysicalDeviceVulkan11Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    return (features && features->multiviewGeometryShader) ||
           (core && core->multiviewGeometryShader);
}

static bool asks_pushes(const VkDeviceCreateInfo *info)
{
    bool asked = asks_extension(info, PGS_BROUGHT_PUSH);
#ifdef VK_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    asked |= core && core->pushDescriptor;
#endif
    return asked;
}

static bool asks_depth_clip(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceDepthClipEnableFeaturesEXT *features =
        pgs_chain_find(info->pNext, DEPTH_CLIP_FEATURES);
    return (features && features->depthClipEnable) || asks_extension(info, PGS_BROUGHT_DEPTH_CLIP);
}

struct pgs_brought_asked pgs_brought_find_asked(const struct pgs_physical_entry *entry,
                                                const VkDeviceCreateInfo *info,
                                                const VkPhysicalDeviceFeatures *features)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const bool counts = asks_count(info), several = features && features->multiDrawIndirect;
    const bool first = features && features->drawIndirectFirstInstance;
    const bool divisors = asks_divisors(phys, info), pushes = asks_pushes(info);
    const bool depth_clip = asks_depth_clip(info);
    const bool views = phys->emulates_views && asks_views(info);
    const struct pgs_brought_asked asked = {
        .views = views,
        .splits_draws = phys->splits_draws && (several || counts),
        .counts_draws = phys->counts_draws && counts,
        .first_instances = phys->lacks_first_instance && first,
        .divisors = divisors,
        .keeps_pushes = phys->keeps_pushes && pushes,
        .depth_clip = phys->brings_depth_clip && depth_clip,
        .native_too = !views && (!several || phys->features.multiDrawIndirect) &&
                      (!first || phys->features.drawIndirectFirstInstance) &&
                      (!counts || entry->has_draw_count) && (!divisors || entry->has_divisors) &&
                      (!pushes || entry->has_push_descriptors) &&
                      (!depth_clip || entry->has_depth_clip),
    };
    return asked;
}

void pgs_brought_patch_features(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
        if (phys->counts_draws)
            ((VkPhysicalDeviceVulkan12Features *)node)->drawIndirectCount = VK_TRUE;
    } else if (node->sType == DEPTH_CLIP_FEATURES) {
        if (phys->brings_depth_clip)
            ((VkPhysicalDeviceDepthClipEnableFeaturesEXT *)node)->depthClipEnable = VK_TRUE;
    } else if (node->sType == DIVISOR_FEATURES) {
        VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *divisors =
            (VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *)node;
        if (phys->lacks_divisors)
            divisors->vertexAttributeInstanceRateDivisor = VK_TRUE;
        if (phys->lacks_zero_divisor)
            divisors->vertexAttributeInstanceRateZeroDivisor = VK_TRUE;
    }
#ifdef VK_VERSION_1_4
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES) {
        VkPhysicalDeviceVulkan14Features *core = (VkPhysicalDeviceVulkan14Features *)node;
        core->vertexAttributeInstanceRateDivisor |= phys->lacks_divisors;
        core->vertexAttributeInstanceRateZeroDivisor |= phys->lacks_zero_divisor;
    }
#endif
}

void pgs_brought_patch_properties(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    if (phys->keeps_pushes &&
        node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR)
        ((VkPhysicalDevicePushDescriptorPropertiesKHR *)node)->maxPushDescriptors = PGS_MAX_PUSHED;
#ifdef VK_VERSION_1_4
    if (phys->keeps_pushes &&
        node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES)
        ((VkPhysicalDeviceVulkan14Properties *)node)->maxPushDescriptors = PGS_MAX_PUSHED;
#endif
    if (!phys->lacks_divisors)
        return;
    if (node->sType == DIVISOR_PROPERTIES) {
        ((VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT *)node)->maxVertexAttribDivisor =
            UINT32_MAX;
    }
#ifdef VK_KHR_vertex_attribute_divisor
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR) {
        VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR *divisors =
            (VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR *)node;
        divisors->maxVertexAttribDivisor = UINT32_MAX;
        divisors->supportsNonZeroFirstInstance = VK_TRUE;
    }
#endif
}

void pgs_brought_patch_request(const struct pgs_physical_device *phys, const void **chain)
{
    static const VkStructureType types[] = {DEPTH_CLIP_FEATURES, DIVISOR_FEATURES};
    if (phys->brings_depth_clip)
        pgs_chain_remove(chain, &types[0], 1);
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    if (core && phys->counts_draws)
        core->drawIndirectCount = VK_FALSE;
#ifdef VK_VERSION_1_4
    VkPhysicalDeviceVulkan14Features *core14 =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    if (core14 && phys->keeps_pushes)
        core14->pushDescriptor = VK_FALSE;
    if (core14 && phys->lacks_divisors)
        core14->vertexAttributeInstanceRateDivisor = VK_FALSE;
    if (core14 && phys->lacks_zero_divisor)
        core14->vertexAttributeInstanceRateZeroDivisor = VK_FALSE;
#endif
    if (phys->lacks_divisors) {
        pgs_chain_remove(chain, &types[1], 1);
        return;
    }
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *divisors =
        pgs_chain_find(*chain, DIVISOR_FEATURES);
    if (divisors && phys->lacks_zero_divisor)
        divisors->vertexAttributeInstanceRateZeroDivisor = VK_FALSE;
}
