/* SPDX-License-Identifier: MIT */
#include "entry/shader_objects.h"

#include "entry/extensions.h"
#include "pipeline/object_types.h"
#include "vulkan/chain.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const char *const pgs_shader_object_extensions[] = {
    VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
};
const uint32_t pgs_shader_object_extension_count =
    sizeof(pgs_shader_object_extensions) / sizeof(pgs_shader_object_extensions[0]);

#ifdef VK_EXT_shader_object

/* States of every device. */
static const VkDynamicState core_states[] = {
    VK_DYNAMIC_STATE_LINE_WIDTH,
    VK_DYNAMIC_STATE_DEPTH_BIAS,
    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
    VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_OP,
    VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
    VK_DYNAMIC_STATE_LOGIC_OP_EXT,
    VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
    VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
};

/* States with a feature of VK_EXT_extended_dynamic_state3. */
struct state3 {
    const char *extension; /* that brings the state; NULL: every device has it */
    const char *also;      /* another name of it, or NULL */
    VkDynamicState state;
    size_t feature_B; /* offset of its feature */
};

#define FEATURE(name)                                                                              \
    offsetof(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT, extendedDynamicState3##name)
static const struct state3 states3[] = {
    {NULL, NULL, VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, FEATURE(DepthClampEnable)},
    {NULL, NULL, VK_DYNAMIC_STATE_POLYGON_MODE_EXT, FEATURE(PolygonMode)},
    {NULL, NULL, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, FEATURE(RasterizationSamples)},
    {NULL, NULL, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, FEATURE(SampleMask)},
    {NULL, NULL, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, FEATURE(AlphaToCoverageEnable)},
    {NULL, NULL, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, FEATURE(AlphaToOneEnable)},
    {NULL, NULL, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, FEATURE(LogicOpEnable)},
    {NULL, NULL, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, FEATURE(ColorBlendEnable)},
    {NULL, NULL, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, FEATURE(ColorBlendEquation)},
    {NULL, NULL, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, FEATURE(ColorWriteMask)},
    {VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT, FEATURE(ConservativeRasterizationMode)},
    {VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
     FEATURE(ExtraPrimitiveOverestimationSize)},
    {VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
     FEATURE(DepthClipEnable)},
    {VK_EXT_BLEND_OPERATION_ADVANCED_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, FEATURE(ColorBlendAdvanced)},
    {VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
     FEATURE(ProvokingVertexMode)},
    {VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, "VK_KHR_line_rasterization",
     VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, FEATURE(LineRasterizationMode)},
    {VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, "VK_KHR_line_rasterization",
     VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, FEATURE(LineStippleEnable)},
    {VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, FEATURE(DepthClipNegativeOneToOne)},
    {VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT,
     FEATURE(SampleLocationsEnable)},
    {VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV,
     FEATURE(ViewportWScalingEnable)},
    {VK_NV_VIEWPORT_SWIZZLE_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
     FEATURE(ViewportSwizzle)},
    {VK_NV_FRAGMENT_COVERAGE_TO_COLOR_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV, FEATURE(CoverageToColorEnable)},
    {VK_NV_FRAGMENT_COVERAGE_TO_COLOR_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV, FEATURE(CoverageToColorLocation)},
    {VK_NV_REPRESENTATIVE_FRAGMENT_TEST_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV,
     FEATURE(RepresentativeFragmentTestEnable)},
};
#undef FEATURE

/* States of extensions that need no feature. */
static const struct {
    const char *extension, *also;
    VkDynamicState state;
} other_states[] = {
    {VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, "VK_KHR_line_rasterization",
     VK_DYNAMIC_STATE_LINE_STIPPLE_EXT},
    {VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT},
    {VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT},
    {VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT},
    {VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT},
    {VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT},
    {VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV},
    {VK_NV_SCISSOR_EXCLUSIVE_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV},
    {VK_NV_SCISSOR_EXCLUSIVE_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV},
#ifdef VK_EXT_attachment_feedback_loop_dynamic_state
    {VK_EXT_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_EXTENSION_NAME, NULL,
     VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT},
#endif
#ifdef VK_EXT_depth_clamp_control
    {VK_EXT_DEPTH_CLAMP_CONTROL_EXTENSION_NAME, NULL, VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT},
#endif
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
static_assert(COUNT(core_states) + COUNT(states3) + COUNT(other_states) < PGS_MAX_OBJECT_STATES,
              "a device has room for all states");

static VkBool32 *feature_of(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *features,
                            const struct state3 *state)
{
    return (VkBool32 *)(void *)((char *)features + state->feature_B);
}

static bool has_states3(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *features,
                        const VkExtensionProperties *list, uint32_t count)
{
    bool has = true;
    for (size_t i = 0; i < COUNT(states3); i++) {
        const struct state3 *state = &states3[i];
        const bool wanted = !state->extension || pgs_extension_in(state->extension, list, count) ||
                            (state->also && pgs_extension_in(state->also, list, count));
        has &= !wanted || *feature_of(features, state);
    }
    return has;
}

bool pgs_shader_objects_fit(const struct pgs_physical_entry *entry,
                            const VkExtensionProperties *list, uint32_t count)
{
    const struct pgs_physical_device *phys = &entry->shared;
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT states2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
        .pNext = &objects};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT features3 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .pNext = &states2};
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT input = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
        .pNext = &features3};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &input};
    /* Passes that are recorded once per layer, and draws that are repeated for viewports, would
     * have to bind them again. */
    if (phys->api_version < VK_API_VERSION_1_3 || phys->replays_layers || phys->replays_viewports ||
        phys->properties.limits.maxColorAttachments > PGS_OBJECT_MAX_COLORS ||
        !pgs_extension_in(VK_EXT_SHADER_OBJECT_EXTENSION_NAME, list, count))
        return false;
    for (uint32_t i = 0; i < pgs_shader_object_extension_count; i++)
        if (!pgs_extension_in(pgs_shader_object_extensions[i], list, count))
            return false;
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    const bool tessellates =
        !phys->native_tessellation || (states2.extendedDynamicState2PatchControlPoints &&
                                       features3.extendedDynamicState3TessellationDomainOrigin);
    return objects.shaderObject && states2.extendedDynamicState2LogicOp &&
           input.vertexInputDynamicState && tessellates && has_states3(&features3, list, count);
}

bool pgs_shader_objects_asked(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceShaderObjectFeaturesEXT *objects =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
    return objects && objects->shaderObject;
}

/* Line rasterization of Vulkan 1.4 needs no extension. */
static bool enables_core_lines(const VkDeviceCreateInfo *info)
{
#ifdef VK_API_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    return core && (core->rectangularLines || core->bresenhamLines || core->smoothLines ||
                    core->stippledRectangularLines || core->stippledBresenhamLines ||
                    core->stippledSmoothLines);
#else
    (void)info;
    return false;
#endif
}

/* `also`: another name of the extension; only that of line rasterization has one. */
static bool enables(const VkDeviceCreateInfo *info, const char *extension, const char *also)
{
    bool enabled = !extension || (also && enables_core_lines(info));
    for (uint32_t i = 0; i < info->enabledExtensionCount && !enabled; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        enabled = strcmp(name, extension) == 0 || (also && strcmp(name, also) == 0);
    }
    return enabled;
}

/* Programs without the feature set no rate, but one that is dynamic has to be set. */
static bool sets_shading_rate(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceFragmentShadingRateFeaturesKHR *rates = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR);
    return rates && rates->pipelineFragmentShadingRate;
}

void pgs_shader_objects_list_states(struct pgs_device *dev, const VkDeviceCreateInfo *info)
{
    uint32_t count = 0;
    if (!pgs_shader_objects_asked(info))
        return;
    for (size_t i = 0; i < COUNT(core_states); i++)
        dev->object_states[count++] = core_states[i];
    for (size_t i = 0; i < COUNT(states3); i++)
        if (enables(info, states3[i].extension, states3[i].also))
            dev->object_states[count++] = states3[i].state;
    for (size_t i = 0; i < COUNT(other_states); i++)
        if (enables(info, other_states[i].extension, other_states[i].also))
            dev->object_states[count++] = other_states[i].state;
    if (sets_shading_rate(info))
        dev->object_states[count++] = VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR;
    dev->object_state_count = count;
}

/* The structure of this type: the chain's, or *own, which then stands in front. */
static void *find_or_add(const void **chain, void *own, VkStructureType type)
{
    void *found = pgs_chain_find(*chain, type);
    if (found)
        return found;
    VkBaseInStructure *node = own;
    node->sType = type;
    node->pNext = *chain;
    *chain = node;
    return node;
}

void pgs_shader_objects_enable(const struct pgs_physical_entry *entry,
                               const VkDeviceCreateInfo *info, const void **chain,
                               struct pgs_shader_object_features *own)
{
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT *states2 =
        find_or_add(chain, &own->states2,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *features3 =
        find_or_add(chain, &own->states3,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT *input =
        find_or_add(chain, &own->input,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT);
    const bool native = entry->shared.native_tessellation;
    states2->extendedDynamicState2LogicOp = VK_TRUE;
    states2->extendedDynamicState2PatchControlPoints |= native;
    features3->extendedDynamicState3TessellationDomainOrigin |= native;
    input->vertexInputDynamicState = VK_TRUE;
    for (size_t i = 0; i < COUNT(states3); i++)
        if (enables(info, states3[i].extension, states3[i].also))
            *feature_of(features3, &states3[i]) = VK_TRUE;
}

#else

bool pgs_shader_objects_fit(const struct pgs_physical_entry *entry,
                            const VkExtensionProperties *list, uint32_t count)
{
    (void)entry, (void)list, (void)count;
    return false;
}

bool pgs_shader_objects_asked(const VkDeviceCreateInfo *info)
{
    (void)info;
    return false;
}

void pgs_shader_objects_list_states(struct pgs_device *dev, const VkDeviceCreateInfo *info)
{
    (void)dev, (void)info;
}

void pgs_shader_objects_enable(const struct pgs_physical_entry *entry,
                               const VkDeviceCreateInfo *info, const void **chain,
                               struct pgs_shader_object_features *own)
{
    (void)entry, (void)info, (void)chain, (void)own;
}
#endif
