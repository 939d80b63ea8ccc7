/* SPDX-License-Identifier: MIT */
#include "entry/extensions.h"

#include "base/alloc.h"
#include "base/words.h"
#include "entry/brought_names.h"
#include "entry/entry.h"
#include "entry/layer_settings_ext.h"
#include "vulkan/hooks.h"
#include "vulkan/outarray.h"
#include "vulkan/replaced_primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

/* True if the name is in a list that a user wrote. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    struct pgs_word word;
    while (list && pgs_word_next(&list, &word))
        if (word.length == length && memcmp(word.start, name, length) == 0)
            return true;
    return false;
}

static bool is_among(const char *const names[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* True for what needs primitives of the driver, where the layer makes lines or points of polygons,
 * or polygons of lines or points. */
static bool needs_polygons(const char *name)
{
    static const char *const names[] = {
        /* They draw polygons that the layer does not see. */
        VK_EXT_MESH_SHADER_EXTENSION_NAME,
        /* The bias of lines and points is the layer's. */
        "VK_EXT_depth_bias_control",
        /* Fragments read the vertices of their polygon. */
        VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
        VK_NV_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
        VK_AMD_SHADER_EXPLICIT_VERTEX_PARAMETER_EXTENSION_NAME,
        /* A polygon mode of its own, whose feature is fillModeNonSolid. */
        VK_NV_FILL_RECTANGLE_EXTENSION_NAME,
        /* The driver draws them. */
        "VK_EXT_device_generated_commands",
    };
    return is_among(names, COUNT(names), name);
}

/* True for what needs the rasterizer to clip by distances, where fragment shaders do it: coverage
 * that is not of samples, or not of one pixel; and mesh shaders, which the layer does not change.
 */
static bool needs_clipping(const char *name)
{
    static const char *const names[] = {
        VK_EXT_MESH_SHADER_EXTENSION_NAME,
        VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
        VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
        VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME,
        VK_NV_FRAGMENT_SHADING_RATE_ENUMS_EXTENSION_NAME,
        VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
        VK_EXT_FRAGMENT_DENSITY_MAP_2_EXTENSION_NAME,
        VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME,
        VK_NV_COVERAGE_REDUCTION_MODE_EXTENSION_NAME,
        VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME,
        "VK_EXT_device_generated_commands",
    };
    return is_among(names, COUNT(names), name);
}

/* True for what belongs to viewports or areas of the application, where draws of the layer have
 * others. */
static bool needs_viewports(const char *name)
{
    static const char *const names[] = {
        VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME,
        VK_NV_SCISSOR_EXCLUSIVE_EXTENSION_NAME,
        VK_NV_INHERITED_VIEWPORT_SCISSOR_EXTENSION_NAME,
        VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME,
        VK_QCOM_MULTIVIEW_PER_VIEW_VIEWPORTS_EXTENSION_NAME,
    };
    return is_among(names, COUNT(names), name);
}

bool pgs_hides_for_lines(const char *name)
{
    return needs_polygons(name) || needs_viewports(name);
}

/* True for other ways to clamp depths, or not to, which the driver does not have to itself where
 * the layer decides whether it clamps; and for stages that the layer cannot let clip. */
static bool needs_depth_clamp(const char *name)
{
    static const char *const names[] = {
        VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME,
        "VK_EXT_depth_clamp_control",
        VK_EXT_DEPTH_CLAMP_ZERO_ONE_EXTENSION_NAME,
        "VK_KHR_depth_clamp_zero_one",
        VK_EXT_MESH_SHADER_EXTENSION_NAME,
    };
    return is_among(names, COUNT(names), name);
}

/* True for attachments with fewer samples than pixels: pipelines that stand in for shader objects
 * would have to know how many. */
static bool mixes_samples(const char *name)
{
    static const char *const names[] = {
        VK_AMD_MIXED_ATTACHMENT_SAMPLES_EXTENSION_NAME,
        VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME,
        VK_NV_COVERAGE_REDUCTION_MODE_EXTENSION_NAME,
    };
    return is_among(names, COUNT(names), name);
}

/* True for what a pass cannot do that is recorded once for each layer, for shader objects that lack
 * what they consist of, and for a form of addresses that the layer does not enable. */
static bool is_impossible(const struct pgs_physical_device *phys, const char *name)
{
    static const char *const impossible[] = {
        /* They write gl_Layer. */
        "VK_EXT_device_generated_commands",
        VK_EXT_MESH_SHADER_EXTENSION_NAME,
        /* Dynamic state that a layer does not begin with; an attachment with layers. */
        VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
        "VK_EXT_attachment_feedback_loop_dynamic_state",
        "VK_EXT_depth_bias_control",
        "VK_EXT_depth_clamp_control",
        VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME,
        VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME,
        VK_NV_SCISSOR_EXCLUSIVE_EXTENSION_NAME,
        VK_NV_INHERITED_VIEWPORT_SCISSOR_EXTENSION_NAME,
        VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME,
        VK_NV_COVERAGE_REDUCTION_MODE_EXTENSION_NAME,
        VK_NV_FRAGMENT_SHADING_RATE_ENUMS_EXTENSION_NAME,
        /* A map with layers, or for all of them; framebuffers of other sizes. */
        VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
        VK_EXT_FRAGMENT_DENSITY_MAP_2_EXTENSION_NAME,
        VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME,
        VK_QCOM_MULTIVIEW_PER_VIEW_VIEWPORTS_EXTENSION_NAME,
        "VK_QCOM_multiview_per_view_render_areas",
        /* Images of layers, which would need the flag that says so. */
        VK_EXT_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXTENSION_NAME,
        /* Layouts of single slices. */
        "VK_KHR_maintenance9",
        /* State that binds invalidate. */
        VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
    };
    if (!phys->fits_shader_objects && strcmp(name, "VK_EXT_shader_object") == 0)
        return true;
    /* It excludes the newer form. */
    if (phys->address != PGS_ADDRESS_EXT &&
        strcmp(name, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0)
        return true;
    if (pgs_replaces_primitives(phys) && needs_polygons(name))
        return true;
    if (phys->emulates_clip && needs_clipping(name))
        return true;
    if (phys->brings_depth_clip && needs_depth_clamp(name))
        return true;
    if ((pgs_replaces_primitives(phys) || phys->replays_viewports) && needs_viewports(name))
        return true;
    if (phys->fits_shader_objects && mixes_samples(name))
        return true;
    /* Their indirect draws are the driver's. */
    if (phys->splits_draws && strcmp(name, VK_EXT_MESH_SHADER_EXTENSION_NAME) == 0)
        return true;
    /* It may push to buffers, too. */
    if (phys->keeps_pushes && strcmp(name, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME) == 0)
        return true;
    /* It promises what the driver reads, while the layer reads zeros. */
    if (phys->has_absent_ones && strcmp(name, "VK_KHR_maintenance9") == 0)
        return true;
    /* Its draws are the driver's, whose first instance would be any. */
    if (phys->lacks_first_instance && strcmp(name, "VK_EXT_device_generated_commands") == 0)
        return true;
    /* Divisors that are set when the pipeline is there already. */
    if (phys->lacks_zero_divisor &&
        strcmp(name, VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME) == 0)
        return true;
    return phys->replays_layers && is_among(impossible, COUNT(impossible), name);
}

bool pgs_extension_is_visible(const struct pgs_physical_device *phys, const char *name)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    if (is_listed(settings->hidden_extensions, name))
        return false;
    if (is_listed(settings->shown_extensions, name))
        return true;
    return !is_impossible(phys, name) &&
           bsearch(name, pgs_visible_extensions, pgs_visible_extension_count,
                   sizeof(pgs_visible_extensions[0]), compare_name) != NULL;
}

bool pgs_features_are_hidden(const struct pgs_physical_device *phys,
                             const struct pgs_extension_features *features)
{
    for (int i = 0; i < PGS_FEATURE_OWNERS && features->owners[i]; i++) {
        if (pgs_extension_is_visible(phys, features->owners[i]))
            return false;
    }
    return true;
}

uint32_t pgs_emulated_extension(const char *name)
{
    for (size_t i = 0; i < pgs_emulated_extension_count; i++) {
        if (strcmp(name, pgs_emulated_extensions[i].name) == 0)
            return pgs_emulated_extensions[i].bit;
    }
    return 0;
}

bool pgs_extension_in(const char *name, const VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

VkResult pgs_driver_extensions(const struct pgs_instance *inst, VkPhysicalDevice handle,
                               VkExtensionProperties **list, uint32_t *count)
{
    VkResult result;
    *list = NULL;
    do { /* repeat if the list grew between the two calls */
        pgs_free(*list);
        *list = NULL;
        *count = 0;
        result = inst->vk.EnumerateDeviceExtensionProperties(handle, NULL, count, NULL);
        if (result != VK_SUCCESS)
            return result;
        *list = pgs_calloc(*count, sizeof(**list));
        if (!*list)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        result = inst->vk.EnumerateDeviceExtensionProperties(handle, NULL, count, *list);
    } while (result == VK_INCOMPLETE);
    if (result != VK_SUCCESS) {
        pgs_free(*list);
        *list = NULL;
    }
    return result;
}

static void report(struct pgs_outarray *out, VkExtensionProperties *properties,
                   const VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index;
        if (pgs_outarray_next(out, &index))
            properties[index] = list[i];
    }
}

static void report_emulated(struct pgs_outarray *out, VkExtensionProperties *properties)
{
    for (size_t i = 0; i < pgs_emulated_extension_count; i++) {
        VkExtensionProperties one = {.specVersion = pgs_emulated_extensions[i].spec_version};
        snprintf(one.extensionName, sizeof(one.extensionName), "%s",
                 pgs_emulated_extensions[i].name);
        report(out, properties, &one, 1);
    }
}

/* Reports the driver's visible extensions, then the emulated ones. The driver's own ones of the
 * same names are not visible. */
static VkResult report_all(const struct pgs_physical_device *phys, uint32_t *count,
                           VkExtensionProperties *properties)
{
    VkExtensionProperties *list;
    uint32_t list_count, kept = 0;
    VkResult result = pgs_driver_extensions(phys->instance, phys->handle, &list, &list_count);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < list_count; i++) {
        if (pgs_extension_is_visible(phys, list[i].extensionName))
            list[kept++] = list[i];
    }
    struct pgs_outarray out = pgs_outarray_begin(properties, count);
    const VkExtensionProperties *brought;
    report(&out, properties, list, kept);
    for (uint32_t next = 0; (brought = pgs_brought_next(phys, &next)) != NULL;)
        if (pgs_extension_is_visible(phys, brought->extensionName) &&
            !pgs_extension_in(brought->extensionName, list, kept))
            report(&out, properties, brought, 1);
    if (phys->emulates_xfb)
        report_emulated(&out, properties);
    pgs_free(list);
    return pgs_outarray_end(&out);
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice, const char *pLayerName,
                                       uint32_t *pPropertyCount, VkExtensionProperties *pProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    if (pLayerName && strcmp(pLayerName, PGS_LAYER_NAME) == 0) {
        struct pgs_outarray out = pgs_outarray_begin(pProperties, pPropertyCount);
        if (phys->emulates_xfb)
            report_emulated(&out, pProperties);
        return pgs_outarray_end(&out);
    }
    if ((pLayerName && pLayerName[0]) || !phys->emulates)
        return phys->instance->vk.EnumerateDeviceExtensionProperties(physicalDevice, pLayerName,
                                                                     pPropertyCount, pProperties);
    return report_all(phys, pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_EnumerateInstanceExtensionProperties(
    const char *pLayerName, uint32_t *pPropertyCount, VkExtensionProperties *pProperties)
{
    static const VkExtensionProperties ours[] = {
        {VK_EXT_LAYER_SETTINGS_EXTENSION_NAME, VK_EXT_LAYER_SETTINGS_SPEC_VERSION},
    };
    if (!pLayerName || strcmp(pLayerName, PGS_LAYER_NAME) != 0)
        return VK_ERROR_LAYER_NOT_PRESENT;
    struct pgs_outarray out = pgs_outarray_begin(pProperties, pPropertyCount);
    report(&out, pProperties, ours, 1);
    return pgs_outarray_end(&out);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_EnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                                    VkLayerProperties *pProperties)
{
    if (!pProperties) {
        *pPropertyCount = 1;
        return VK_SUCCESS;
    }
    if (*pPropertyCount == 0)
        return VK_INCOMPLETE;
    *pPropertyCount = 1;
    pProperties[0] = (VkLayerProperties){
        .layerName = PGS_LAYER_NAME,
        .specVersion = PGS_CORE_VERSION,
        .implementationVersion = PGS_LAYER_VERSION,
        .description = PGS_LAYER_DESCRIPTION,
    };
    return VK_SUCCESS;
}
