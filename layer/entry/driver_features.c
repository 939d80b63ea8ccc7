/* SPDX-License-Identifier: MIT */
#include "entry/driver_features.h"

#include "base/log.h"
#include "base/words.h"
#include "entry/brought_names.h"
#include "entry/extensions.h"
#include "poly_gs/xfb.h"
#include "vulkan/hooks.h"

#define STREAMS 4 /* that the layer reports */

#define CORE(member) offsetof(VkPhysicalDeviceFeatures, member)
#define BROUGHT(feature, needed)                                                                   \
    {                                                                                              \
#feature, needed, PGS_REMEDY_BROUGHT, false, CORE(feature)                                 \
    }

const struct pgs_feature_rule pgs_feature_rules[PGS_FEATURE_COUNT] = {
    [PGS_FEATURE_GEOMETRY] = {"geometryShader", "a geometry shader, or adjacency", PGS_REMEDY_STAGE,
                              true, CORE(geometryShader)},
    /* Decided with whether the layer is at work (entry/physical_device.c). */
    [PGS_FEATURE_TESSELLATION] = {"tessellationShader", "tessellation", PGS_REMEDY_STAGE, false,
                                  CORE(tessellationShader)},
    [PGS_FEATURE_XFB] = {"transformFeedback", "a capture", PGS_REMEDY_CAPTURES, true, 0},
    [PGS_FEATURE_STREAMS] = {"geometryStreams", "a geometry shader that emits to streams",
                             PGS_REMEDY_CAPTURES, true, 0},
    [PGS_FEATURE_XFB_BUFFERS] = {"maxTransformFeedbackBuffers", "a capture to four buffers",
                                 PGS_REMEDY_CAPTURES, true, 0},
    [PGS_FEATURE_XFB_DRAW] = {"transformFeedbackDraw", "vkCmdDrawIndirectByteCountEXT",
                              PGS_REMEDY_CAPTURES, true, 0},
    [PGS_FEATURE_XFB_QUERIES] = {"transformFeedbackQueries", "a query of a stream",
                                 PGS_REMEDY_CAPTURES, true, 0},
    [PGS_FEATURE_STREAM_LINES] = {"transformFeedbackStreamsLinesTriangles",
                                  "lines or triangles in several streams", PGS_REMEDY_CAPTURES,
                                  false, 0},
    [PGS_FEATURE_STREAM_SELECT] = {"transformFeedbackRasterizationStreamSelect",
                                   "rasterizationStream", PGS_REMEDY_CAPTURES, false, 0},
    [PGS_FEATURE_POINT_SIZE] = {"shaderTessellationAndGeometryPointSize",
                                "the capability GeometryPointSize or TessellationPointSize",
                                PGS_REMEDY_PIPELINES, true,
                                CORE(shaderTessellationAndGeometryPointSize)},
    [PGS_FEATURE_PATCH_RESTART] = {"primitiveTopologyPatchListRestart",
                                   "primitive restart in patch lists", PGS_REMEDY_PIPELINES, false,
                                   0},
    [PGS_FEATURE_VIEWPORTS] = BROUGHT(multiViewport, "several viewports"),
    [PGS_FEATURE_FILL] = BROUGHT(fillModeNonSolid, "polygons as lines or points"),
    [PGS_FEATURE_CLIP] = BROUGHT(shaderClipDistance, "clip distances"),
    [PGS_FEATURE_CULL] = BROUGHT(shaderCullDistance, "cull distances"),
    [PGS_FEATURE_LINES] = BROUGHT(wideLines, "lines wider than a pixel"),
    [PGS_FEATURE_POINTS] = BROUGHT(largePoints, "points larger than a pixel"),
    [PGS_FEATURE_STORES] =
        BROUGHT(vertexPipelineStoresAndAtomics, "stores in front of the rasterizer"),
    [PGS_FEATURE_DRAWS] = BROUGHT(multiDrawIndirect, "several indirect draws in a call"),
    [PGS_FEATURE_FIRST] =
        BROUGHT(drawIndirectFirstInstance, "indirect draws with a first instance"),
    [PGS_FEATURE_DRAW_COUNT] = {"drawIndirectCount", "indirect draws with a count",
                                PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_DIVISOR] = {"vertexAttributeInstanceRateDivisor", "attributes by divisors",
                             PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_ZERO_DIVISOR] = {"vertexAttributeInstanceRateZeroDivisor", "a divisor of 0",
                                  PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_PUSH] = {"pushDescriptor", "descriptors that are pushed", PGS_REMEDY_BROUGHT,
                          false, 0},
    [PGS_FEATURE_DEPTH_CLIP] = {"depthClipEnable", "depth that is clamped or clipped at will",
                                PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_LINE_MODES] = {"rectangularLines", "lines that are stippled, or of a stated form",
                                PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_LAYER_OUTPUT] = {"shaderOutputLayer", "gl_Layer without a geometry shader",
                                  PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_VIEWPORT_OUTPUT] = {"shaderOutputViewportIndex",
                                     "gl_ViewportIndex without a geometry shader",
                                     PGS_REMEDY_BROUGHT, false, 0},
    [PGS_FEATURE_VIEWS] = {"multiviewGeometryShader", "a geometry shader for several views",
                           PGS_REMEDY_BROUGHT, false, 0},
};

static VkBool32 *core_feature(VkPhysicalDeviceFeatures *features, size_t place)
{
    return (VkBool32 *)((char *)features + place);
}

uint32_t pgs_features_with(uint32_t mask, enum pgs_remedy remedy, bool wakes)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++)
        if (pgs_feature_rules[i].remedy == remedy && (!wakes || pgs_feature_rules[i].wakes))
            found |= 1u << i;
    return found & mask;
}

/* -- what the driver says -- */

struct facts {
    VkPhysicalDeviceFeatures core;
    const VkPhysicalDeviceLimits *limits;
    bool lists_xfb, lists_draw_count, lists_push, lists_outputs;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT xfb;
    VkPhysicalDeviceTransformFeedbackPropertiesEXT xfb_limits;
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart;
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors;
    VkPhysicalDeviceDepthClipEnableFeaturesEXT depth_clip;
    VkPhysicalDeviceLineRasterizationFeaturesEXT lines;
    VkPhysicalDeviceMultiviewFeatures views;
    VkPhysicalDeviceVulkan12Features core12;
};

/* The extensions of a driver. */
struct listed {
    const VkExtensionProperties *list;
    uint32_t count;
};

static bool lists(const struct listed *listed, const char *name)
{
    return pgs_extension_in(name, listed->list, listed->count);
}

static void link_node(VkPhysicalDeviceFeatures2 *features, void *node)
{
    ((VkBaseOutStructure *)node)->pNext = features->pNext;
    features->pNext = node;
}

static void ask(struct facts *facts, const struct pgs_physical_entry *entry,
                const struct listed *listed)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &facts->xfb_limits};
    if (facts->lists_xfb) {
        link_node(&features, &facts->xfb);
        vk->GetPhysicalDeviceProperties2(phys->handle, &properties);
    }
    if (entry->has_list_restart)
        link_node(&features, &facts->restart);
    if (phys->api_version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ||
        lists(listed, VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME) ||
        lists(listed, PGS_KHR_DIVISOR_NAME))
        link_node(&features, &facts->divisors);
    if (lists(listed, VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME))
        link_node(&features, &facts->depth_clip);
    if (phys->api_version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ||
        lists(listed, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME) ||
        lists(listed, PGS_KHR_LINES_NAME))
        link_node(&features, &facts->lines);
    if (phys->api_version >= VK_API_VERSION_1_1)
        link_node(&features, &facts->views);
    if (phys->api_version >= VK_API_VERSION_1_2)
        link_node(&features, &facts->core12);
    if (features.pNext)
        vk->GetPhysicalDeviceFeatures2(phys->handle, &features);
}

static struct facts gather(const struct pgs_physical_entry *entry, const struct listed *listed)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    struct facts facts = {
        .core = phys->features,
        .limits = &phys->properties.limits,
        .lists_xfb = entry->native_extensions & PGS_EMULATED_EXT_TRANSFORM_FEEDBACK,
        .lists_draw_count = lists(listed, VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME),
        .lists_outputs = entry->has_viewport_index_layer,
        .lists_push = phys->api_version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ||
                      lists(listed, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME),
        .xfb = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT},
        .xfb_limits = {.sType =
                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT},
        .restart =
            {.sType =
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT},
        .divisors = {.sType =
                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT},
        .depth_clip = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT},
        .lines = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT},
        .views = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES},
        .core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
    };
    if (phys->instance->api_version >= VK_API_VERSION_1_1 && vk->GetPhysicalDeviceFeatures2 &&
        vk->GetPhysicalDeviceProperties2) {
        ask(&facts, entry, listed);
        return facts;
    }
    /* Nobody can ask, neither can the application: what is listed is taken to be complete. */
    facts.xfb.transformFeedback = facts.xfb.geometryStreams = VK_TRUE;
    facts.xfb_limits.maxTransformFeedbackStreams = STREAMS;
    facts.xfb_limits.maxTransformFeedbackBuffers = PGS_MAX_XFB_BUFFERS;
    facts.xfb_limits.transformFeedbackQueries = facts.xfb_limits.transformFeedbackDraw = VK_TRUE;
    return facts;
}

static bool says(struct facts *facts, enum pgs_feature feature)
{
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *xfb = &facts->xfb_limits;
    if (pgs_feature_rules[feature].core)
        return *core_feature(&facts->core, pgs_feature_rules[feature].core);
    switch (feature) {
    case PGS_FEATURE_XFB:
        return facts->lists_xfb && facts->xfb.transformFeedback;
    case PGS_FEATURE_STREAMS: /* two or three are honest, but too few */
        return facts->xfb.geometryStreams && (xfb->maxTransformFeedbackStreams < 2 ||
                                              xfb->maxTransformFeedbackStreams >= STREAMS);
    case PGS_FEATURE_XFB_BUFFERS:
        return xfb->maxTransformFeedbackBuffers >= PGS_MAX_XFB_BUFFERS;
    case PGS_FEATURE_XFB_DRAW:
        return xfb->transformFeedbackDraw;
    case PGS_FEATURE_XFB_QUERIES:
        return xfb->transformFeedbackQueries;
    case PGS_FEATURE_STREAM_LINES:
        return xfb->transformFeedbackStreamsLinesTriangles;
    case PGS_FEATURE_STREAM_SELECT:
        return xfb->transformFeedbackRasterizationStreamSelect;
    case PGS_FEATURE_PATCH_RESTART:
        return facts->restart.primitiveTopologyPatchListRestart;
    case PGS_FEATURE_DRAW_COUNT:
        return facts->lists_draw_count || facts->core12.drawIndirectCount;
    case PGS_FEATURE_DIVISOR:
        return facts->divisors.vertexAttributeInstanceRateDivisor;
    case PGS_FEATURE_ZERO_DIVISOR:
        return facts->divisors.vertexAttributeInstanceRateZeroDivisor;
    case PGS_FEATURE_PUSH:
        return facts->lists_push;
    case PGS_FEATURE_DEPTH_CLIP:
        return facts->depth_clip.depthClipEnable;
    case PGS_FEATURE_LINE_MODES:
        return facts->lines.rectangularLines || facts->lines.bresenhamLines;
    case PGS_FEATURE_VIEWS:
        return facts->views.multiviewGeometryShader;
    case PGS_FEATURE_LAYER_OUTPUT:
        return facts->lists_outputs || facts->core12.shaderOutputLayer;
    case PGS_FEATURE_VIEWPORT_OUTPUT:
        return facts->lists_outputs || facts->core12.shaderOutputViewportIndex;
    default: /* core */
        return false;
    }
}

/* contradiction() for features with a limit that is 0 or 1 where the driver lacks them. */
static const char *least_limit(const VkPhysicalDeviceLimits *limits, enum pgs_feature feature)
{
    switch (feature) {
    case PGS_FEATURE_VIEWPORTS:
        return limits->maxViewports < 2 ? "there is no second viewport" : NULL;
    case PGS_FEATURE_CLIP:
        return limits->maxClipDistances == 0 ? "maxClipDistances is 0" : NULL;
    case PGS_FEATURE_CULL:
        return limits->maxCullDistances == 0 ? "maxCullDistances is 0" : NULL;
    case PGS_FEATURE_LINES:
        return limits->lineWidthRange[1] <= 1 ? "no line is wider than 1" : NULL;
    case PGS_FEATURE_POINTS:
        return limits->pointSizeRange[1] <= 1 ? "no point is larger than 1" : NULL;
    case PGS_FEATURE_DRAWS:
        return limits->maxDrawIndirectCount < 2 ? "maxDrawIndirectCount is less than 2" : NULL;
    default:
        return NULL;
    }
}

/* The limit that makes a feature impossible, which the driver says it has; NULL: none. Wrappers
 * report features that the driver below them lacks, whose limits show through. */
static const char *contradiction(const struct facts *facts, enum pgs_feature feature)
{
    const VkPhysicalDeviceLimits *limits = facts->limits;
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *xfb = &facts->xfb_limits;
    switch (feature) {
    case PGS_FEATURE_GEOMETRY:
        return limits->maxGeometryOutputVertices == 0 ? "maxGeometryOutputVertices is 0"
               : limits->maxGeometryTotalOutputComponents == 0
                   ? "maxGeometryTotalOutputComponents is 0"
               : limits->maxGeometryShaderInvocations == 0 ? "maxGeometryShaderInvocations is 0"
                                                           : NULL;
    case PGS_FEATURE_TESSELLATION:
        return limits->maxTessellationGenerationLevel == 0 ? "maxTessellationGenerationLevel is 0"
               : limits->maxTessellationPatchSize == 0     ? "maxTessellationPatchSize is 0"
                                                           : NULL;
    case PGS_FEATURE_XFB:
        return xfb->maxTransformFeedbackBuffers == 0   ? "maxTransformFeedbackBuffers is 0"
               : xfb->maxTransformFeedbackStreams == 0 ? "maxTransformFeedbackStreams is 0"
                                                       : NULL;
    case PGS_FEATURE_STREAMS:
        return xfb->maxTransformFeedbackStreams < 2 ? "there is no second stream" : NULL;
    default:
        return least_limit(limits, feature);
    }
}

/* -- what is believed -- */

/* The core features of the layer's own copy, and the extension, say what is believed. */
static void note(struct pgs_physical_entry *entry)
{
    struct pgs_physical_device *phys = &entry->shared;
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++)
        if (pgs_feature_rules[i].core && (phys->lacks >> i & 1))
            *core_feature(&phys->features, pgs_feature_rules[i].core) = VK_FALSE;
    phys->has_shader_output_layer =
        entry->has_viewport_index_layer && !(phys->lacks & PGS_FEATURE_BIT(LAYER_OUTPUT));
    phys->has_shader_output_viewport_index =
        entry->has_viewport_index_layer && !(phys->lacks & PGS_FEATURE_BIT(VIEWPORT_OUTPUT));
    if (phys->lacks & PGS_FEATURE_BIT(XFB))
        entry->native_extensions &= ~(uint32_t)PGS_EMULATED_EXT_TRANSFORM_FEEDBACK;
}

void pgs_driver_features_find(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                              uint32_t count)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_settings *settings = &phys->instance->settings;
    const struct listed listed = {list, count};
    struct facts facts = gather(entry, &listed);
    phys->lacks = 0;
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++) {
        const enum pgs_feature feature = (enum pgs_feature)i;
        const bool said = says(&facts, feature);
        const char *limit = said ? contradiction(&facts, feature) : NULL;
        if (!said || limit)
            phys->lacks |= 1u << i;
        if (limit)
            pgs_log(PGS_LOG_WARN, "%s: the driver reports %s, but %s: it is taken as %s",
                    phys->properties.deviceName, pgs_feature_rules[i].name, limit,
                    settings->present_features >> i & 1 ? "there, as VK_POLY_GS_MISSING says"
                                                        : "missing");
    }
    phys->lacks = (phys->lacks | settings->missing_features) & ~settings->present_features;
    /* What an extension brings that is missing itself is missing, too. */
    if (phys->lacks & PGS_FEATURE_BIT(XFB))
        phys->lacks |= pgs_features_with(UINT32_MAX, PGS_REMEDY_CAPTURES, false);
    if (phys->lacks & PGS_FEATURE_BIT(DIVISOR))
        phys->lacks |= PGS_FEATURE_BIT(ZERO_DIVISOR);
    note(entry);
}

/* -- the setting -- */

static int find(const struct pgs_word *word)
{
    for (int i = 0; i < PGS_FEATURE_COUNT; i++)
        if (pgs_word_is(word, pgs_feature_rules[i].name))
            return i;
    return -1;
}

bool pgs_features_parse(const char *list, uint32_t *missing, uint32_t *present)
{
    uint32_t off = 0, on = 0;
    struct pgs_word word;
    while (pgs_word_next(&list, &word)) {
        const bool there = *word.start == '-';
        word.start += there;
        word.length -= there;
        const int feature = find(&word);
        if (feature < 0)
            return false;
        *(there ? &on : &off) |= 1u << feature;
    }
    *missing = off;
    *present = on;
    return true;
}
