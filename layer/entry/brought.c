/* SPDX-License-Identifier: MIT */
#include "entry/brought.h"

#include "entry/brought_names.h"
#include "entry/extensions.h"
#include "entry/line_modes.h"
#include "pipeline/pushed_set.h"
#include "vulkan/chain.h"

#define DEPTH_CLIP_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT
#define DIVISOR_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT
#define DIVISOR_PROPERTIES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT

/* Depth is clamped by the driver, and clipped by distances, of which the layer adds two. Pipelines
 * with geometry shaders of the driver are emulated for that, as where they have distances. */
static void decide_depth_clip(struct pgs_physical_device *phys)
{
    const bool clips = phys->emulates_clip || phys->features.shaderClipDistance;
    phys->brings_depth_clip = phys->features.depthClamp && clips &&
                              ((phys->lacks & PGS_FEATURE_BIT(DEPTH_CLIP)) ||
                               phys->instance->settings.depth_clip == PGS_BRING_EMULATE);
}

/* True if it has geometry shaders and views, but not both together. */
static bool lacks_views(const struct pgs_physical_device *phys)
{
    VkPhysicalDeviceMultiviewFeatures views = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &views};
    if (!phys->native_geometry || phys->api_version < VK_API_VERSION_1_1 ||
        !(phys->lacks & PGS_FEATURE_BIT(VIEWS)))
        return false;
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    return views.multiview;
}

/* With dynamic vertex input divisors are set when the pipeline is there already, so one of both is
 * hidden. It is the divisors, unless a setting asks for them. */
static void decide_divisors(struct pgs_physical_device *phys, bool dynamic)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    const uint32_t both = PGS_FEATURE_BIT(DIVISOR) | PGS_FEATURE_BIT(ZERO_DIVISOR);
    const bool all = settings->divisors == PGS_BRING_EMULATE;
    const bool can = !dynamic || (settings->missing_features & both);
    phys->lacks_divisors = all || (can && (phys->lacks & PGS_FEATURE_BIT(DIVISOR)));
    phys->lacks_zero_divisor = all || (can && (phys->lacks & PGS_FEATURE_BIT(ZERO_DIVISOR)));
}

/* The extension permits both outputs: of each, the layer or the driver must have it. */
static bool brings_outputs(const struct pgs_physical_device *phys)
{
    return (phys->emulates_layer_output || phys->emulates_viewport_output) &&
           (phys->emulates_layer_output || phys->has_shader_output_layer) &&
           (phys->emulates_viewport_output || phys->has_shader_output_viewport_index);
}

void pgs_brought_decide(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                        uint32_t count)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_settings *settings = &phys->instance->settings;
    if (!pgs_replaces_geometry(phys))
        return;
    const bool draws = settings->draws == PGS_BRING_EMULATE;
    phys->emulates_views = lacks_views(phys);
    phys->splits_draws = (phys->lacks & PGS_FEATURE_BIT(DRAWS)) || draws;
    phys->counts_draws = (phys->lacks & PGS_FEATURE_BIT(DRAW_COUNT)) || draws;
    phys->lacks_first_instance = (phys->lacks & PGS_FEATURE_BIT(FIRST)) || draws;
    phys->keeps_pushes =
        (phys->lacks & PGS_FEATURE_BIT(PUSH)) || settings->pushes == PGS_BRING_EMULATE;
    decide_depth_clip(phys);
    pgs_line_modes_decide(phys, list, count);
    decide_divisors(
        phys, pgs_extension_in(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, list, count));
    if (phys->counts_draws)
        phys->brought |= PGS_BROUGHT_COUNT;
    if (phys->keeps_pushes)
        phys->brought |= PGS_BROUGHT_PUSH;
    if (phys->lacks_divisors)
        phys->brought |= PGS_BROUGHT_DIVISOR | PGS_BROUGHT_KHR_DIVISOR;
    if (phys->brings_depth_clip)
        phys->brought |= PGS_BROUGHT_DEPTH_CLIP;
    if (phys->brings_line_modes)
        phys->brought |= PGS_BROUGHT_LINE_MODES;
    if (brings_outputs(phys))
        phys->brought |= PGS_BROUGHT_OUTPUTS;
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

struct asked_outputs {
    bool layer, viewport;
};

static struct asked_outputs asks_outputs(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const bool both = asks_extension(info, PGS_BROUGHT_OUTPUTS);
    return (struct asked_outputs){both || (core && core->shaderOutputLayer),
                                  both || (core && core->shaderOutputViewportIndex)};
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
    const bool line_modes =
        pgs_line_modes_asked(info->pNext) || asks_extension(info, PGS_BROUGHT_LINE_MODES);
    const bool views = phys->emulates_views && asks_views(info);
    const struct asked_outputs outputs = asks_outputs(info);
    const uint32_t needed =
        (several ? PGS_FEATURE_BIT(DRAWS) : 0) | (first ? PGS_FEATURE_BIT(FIRST) : 0) |
        (counts ? PGS_FEATURE_BIT(DRAW_COUNT) : 0) |
        (divisors ? PGS_FEATURE_BIT(DIVISOR) | PGS_FEATURE_BIT(ZERO_DIVISOR) : 0) |
        (pushes ? PGS_FEATURE_BIT(PUSH) : 0) | (depth_clip ? PGS_FEATURE_BIT(DEPTH_CLIP) : 0) |
        (line_modes ? PGS_FEATURE_BIT(LINE_MODES) : 0) |
        (outputs.layer ? PGS_FEATURE_BIT(LAYER_OUTPUT) : 0) |
        (outputs.viewport ? PGS_FEATURE_BIT(VIEWPORT_OUTPUT) : 0);
    const struct pgs_brought_asked asked = {
        .views = views,
        .splits_draws = phys->splits_draws && (several || counts),
        .counts_draws = phys->counts_draws && counts,
        .first_instances = phys->lacks_first_instance && first,
        .divisors = divisors,
        .keeps_pushes = phys->keeps_pushes && pushes,
        .depth_clip = phys->brings_depth_clip && depth_clip,
        .line_modes = phys->brings_line_modes && line_modes,
        .layer_output = phys->emulates_layer_output && outputs.layer,
        .viewport_output = phys->emulates_viewport_output && outputs.viewport,
        .native_too = !views && !(phys->lacks & needed),
    };
    return asked;
}

void pgs_brought_patch_features(const struct pgs_physical_device *phys, VkBaseOutStructure *node)
{
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
        VkPhysicalDeviceVulkan12Features *core = (VkPhysicalDeviceVulkan12Features *)node;
        core->drawIndirectCount |= phys->counts_draws;
        core->shaderOutputLayer |= phys->emulates_layer_output;
        core->shaderOutputViewportIndex |= phys->emulates_viewport_output;
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
    pgs_line_modes_patch_properties(phys, node);
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
    pgs_line_modes_patch_request(phys, chain);
    VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(*chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    if (core && phys->counts_draws)
        core->drawIndirectCount = VK_FALSE;
    if (core && phys->emulates_layer_output)
        core->shaderOutputLayer = VK_FALSE;
    if (core && phys->emulates_viewport_output)
        core->shaderOutputViewportIndex = VK_FALSE;
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
