/* SPDX-License-Identifier: MIT */
#include "entry/physical_device.h"
#include "entry/queue_families.h"

#include "base/alloc.h"
#include "base/log.h"
#include "entry/brought.h"
#include "entry/driver_features.h"
#include "entry/entry.h"
#include "entry/extensions.h"
#include "entry/narrow_varyings.h"
#include "entry/shader_objects.h"
#include "entry/summary.h"
#include "vulkan/hooks.h"
#include "vulkan/replaced_primitives.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static uint32_t effective_version(uint32_t instance_version, uint32_t device_version)
{
    const uint32_t lower = MIN(MIN(instance_version, device_version), PGS_CORE_VERSION);
    return VK_MAKE_API_VERSION(0, VK_API_VERSION_MAJOR(lower), VK_API_VERSION_MINOR(lower), 0);
}

static bool has_feature(const struct pgs_physical_device *phys, void *node, const VkBool32 *feature)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = node};
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    return *feature;
}

/* bufferDeviceAddress of the core version, of the extension, or of the older one, which is all that
 * some drivers of Vulkan 1.1 have. */
static enum pgs_address query_address(const struct pgs_physical_entry *entry,
                                      const VkExtensionProperties *list, uint32_t count)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const bool core = phys->api_version >= VK_API_VERSION_1_2;
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT ext = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT};
    if (phys->instance->api_version <
            VK_API_VERSION_1_1 || /* since the instance extensions may be missing */
        !phys->instance->vk.GetPhysicalDeviceFeatures2)
        return PGS_ADDRESS_NONE;
    const bool has_flags = /* of memory */
        phys->api_version >= VK_API_VERSION_1_1 ||
        pgs_extension_in(VK_KHR_DEVICE_GROUP_EXTENSION_NAME, list, count);
    if ((core || entry->has_khr_address) && has_flags &&
        has_feature(phys, &address, &address.bufferDeviceAddress))
        return core ? PGS_ADDRESS_CORE : PGS_ADDRESS_KHR;
    if (phys->features.shaderInt64 && /* see pgs_spv_use_ext_addresses */
        pgs_extension_in(VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, list, count) &&
        has_feature(phys, &ext, &ext.bufferDeviceAddress))
        return PGS_ADDRESS_EXT;
    return PGS_ADDRESS_NONE;
}

/* False if the driver does not know the memory model. */
static bool query_device_scope(const struct pgs_physical_entry *entry,
                               const VkExtensionProperties *list, uint32_t count)
{
    const struct pgs_physical_device *phys = &entry->shared;
    if (phys->api_version < VK_API_VERSION_1_2 &&
        !pgs_extension_in(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME, list, count))
        return false;
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &model};
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    return model.vulkanMemoryModelDeviceScope;
}

/* 0: it does not say. */
static VkDriverId query_driver(const struct pgs_physical_device *phys,
                               const VkExtensionProperties *list, uint32_t count)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    if (!phys->instance->vk.GetPhysicalDeviceProperties2 ||
        phys->instance->api_version < VK_API_VERSION_1_1 ||
        (phys->api_version < VK_API_VERSION_1_2 &&
         !pgs_extension_in(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME, list, count)))
        return (VkDriverId)0;
    phys->instance->vk.GetPhysicalDeviceProperties2(phys->handle, &properties);
    return driver.driverID;
}

/* True if the rasterizer sees vertices and samples where poly_gs/coverage.h supposes, and some
 * draws ask for it. Density maps and transforms of a pass would put samples elsewhere, and views
 * may have viewports of their own. */
static bool finds_uncovered(const struct pgs_physical_device *phys,
                            const VkExtensionProperties *list, uint32_t count)
{
    const VkPhysicalDeviceLimits *limits = &phys->properties.limits;
    const uint32_t *costs = phys->traits.costs.of;
    return (costs[PGS_COST_SPREAD_INVOCATIONS] || costs[PGS_COST_CUT_INVOCATIONS]) &&
           phys->instance->settings.cull != PGS_CULL_NEVER && limits->subPixelPrecisionBits >= 8 &&
           limits->standardSampleLocations &&
           !pgs_extension_in(VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME, list, count) &&
           !pgs_extension_in(VK_QCOM_MULTIVIEW_PER_VIEW_VIEWPORTS_EXTENSION_NAME, list, count) &&
           !pgs_extension_in(VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME, list, count);
}

/* False if the driver does not say. */
static bool query_absent_ones(const struct pgs_physical_device *phys,
                              const VkExtensionProperties *list, uint32_t count)
{
#ifdef VK_KHR_maintenance9
    VkPhysicalDeviceMaintenance9PropertiesKHR maintenance = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &maintenance};
    if (!phys->instance->vk.GetPhysicalDeviceProperties2 ||
        phys->instance->api_version < VK_API_VERSION_1_1 ||
        !pgs_extension_in(VK_KHR_MAINTENANCE_9_EXTENSION_NAME, list, count))
        return false;
    phys->instance->vk.GetPhysicalDeviceProperties2(phys->handle, &properties);
    return maintenance.defaultVertexAttributeValue !=
           VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ZERO_KHR;
#else
    (void)phys, (void)list, (void)count;
    return false;
#endif
}

/* True if the driver draws points whose centre lies beside the viewport. */
static bool query_points_beside(const struct pgs_physical_device *phys)
{
    VkPhysicalDevicePointClippingProperties points = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &points};
    if (!phys->instance->vk.GetPhysicalDeviceProperties2 ||
        phys->instance->api_version < VK_API_VERSION_1_1 || phys->api_version < VK_API_VERSION_1_1)
        return false;
    phys->instance->vk.GetPhysicalDeviceProperties2(phys->handle, &properties);
    return points.pointClippingBehavior == VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY;
}

static bool query_any_topology(const struct pgs_physical_device *phys,
                               const VkExtensionProperties *list, uint32_t count)
{
    VkPhysicalDeviceExtendedDynamicState3PropertiesEXT states = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &states};
    if (!phys->instance->vk.GetPhysicalDeviceProperties2 ||
        phys->instance->api_version < VK_API_VERSION_1_1 ||
        !pgs_extension_in(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, list, count))
        return false;
    phys->instance->vk.GetPhysicalDeviceProperties2(phys->handle, &properties);
    return states.dynamicPrimitiveTopologyUnrestricted;
}

static bool query_timeline_semaphores(const struct pgs_physical_device *phys)
{
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &timeline};
    if (phys->api_version < VK_API_VERSION_1_2)
        return false;
    phys->instance->vk.GetPhysicalDeviceFeatures2(phys->handle, &features);
    return timeline.timelineSemaphore;
}

/* Finds a family with graphics and compute, for both halves of an emulated draw. */
static VkResult query_families(struct pgs_physical_device *phys, bool *suitable)
{
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    *suitable = false;
    uint32_t drawing = 0;
    VkQueueFamilyProperties *families;
    uint32_t count;
    const VkResult result = pgs_queue_families(phys, &families, &count);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < count; i++) {
        *suitable = *suitable || (families[i].queueFlags & both) == both;
        if (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            phys->has_timestamps = !drawing++ && families[i].timestampValidBits;
    }
    pgs_free(families);
    return VK_SUCCESS;
}

static void note_extensions(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                            uint32_t count)
{
    struct pgs_physical_device *phys = &entry->shared;
    entry->has_khr_address =
        pgs_extension_in(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, list, count);
    entry->has_viewport_index_layer =
        pgs_extension_in(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, list, count);
    entry->has_storage_buffer_class =
        pgs_extension_in(VK_KHR_STORAGE_BUFFER_STORAGE_CLASS_EXTENSION_NAME, list, count);
    entry->has_provoking_vertex =
        pgs_extension_in(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, list, count);
    entry->has_dynamic_state2 =
        pgs_extension_in(VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME, list, count);
    entry->has_dynamic_state3 =
        pgs_extension_in(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, list, count);
    entry->has_list_restart =
        pgs_extension_in(VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME, list, count);
    for (uint32_t i = 0; i < count; i++)
        entry->native_extensions |= pgs_emulated_extension(list[i].extensionName);
    phys->has_memory_budget = phys->instance->vk.GetPhysicalDeviceMemoryProperties2 &&
                              phys->instance->api_version >= VK_API_VERSION_1_1 &&
                              pgs_extension_in(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, list, count);
}

/* Is tessellation ours, where the layer can work at all and, `beside`, is at work? Whether points
 * have a size is one feature for it and for geometry shaders. */
static bool wants_tessellation(const struct pgs_physical_device *phys, bool geometry, bool beside)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    if (!settings->tessellation)
        return false;
    return settings->force_tessellation ||
           (beside && ((phys->lacks & PGS_FEATURE_BIT(TESSELLATION)) ||
                       (geometry && (phys->lacks & PGS_FEATURE_BIT(POINT_SIZE)))));
}

/* What single pipelines are emulated for, where the layer is at work. If geometry shaders are all
 * emulated, so is tessellation that lacks point sizes; if tessellation is, its patches restart. */
static uint32_t find_gaps(const struct pgs_physical_entry *entry, bool geometry, bool tessellation)
{
    const struct pgs_physical_device *phys = &entry->shared;
    uint32_t gaps = pgs_features_with(phys->lacks, PGS_REMEDY_PIPELINES, false);
    if (geometry)
        gaps &= ~PGS_FEATURE_BIT(POINT_SIZE);
    if (!entry->has_list_restart || tessellation || !phys->features.tessellationShader ||
        !phys->instance->settings.tessellation)
        gaps &= ~PGS_FEATURE_BIT(PATCH_RESTART);
    return gaps;
}

/* True if a driver with geometry shaders of its own lacks what the layer gives single pipelines, so
 * that those that write gl_Layer may be among them. Where it lacks nothing but captures they are
 * not worth what recording passes by layer costs: extensions that are hidden, and that all
 * pipelines with gl_Layer are emulated. */
static bool lacks_drawing(const struct pgs_physical_device *phys)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    const uint32_t drawing = PGS_FEATURE_BIT(VIEWPORTS) | PGS_FEATURE_BIT(FILL) |
                             PGS_FEATURE_BIT(CLIP) | PGS_FEATURE_BIT(CULL) |
                             PGS_FEATURE_BIT(LINES) | PGS_FEATURE_BIT(POINTS) |
                             PGS_FEATURE_BIT(STORES);
    return (phys->gaps & PGS_FEATURE_BIT(POINT_SIZE)) || (phys->lacks & drawing) ||
           settings->fill == PGS_BRING_EMULATE || settings->clip == PGS_BRING_EMULATE ||
           settings->lines == PGS_BRING_EMULATE || settings->points == PGS_BRING_EMULATE ||
           settings->stores == PGS_BRING_EMULATE || settings->depth_clip == PGS_BRING_EMULATE ||
           settings->line_modes == PGS_BRING_EMULATE;
}

/* Decides how emulated draws choose their layer and viewport. */
static void decide_targets(struct pgs_physical_device *phys)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    const bool several = phys->features.multiViewport;
    const bool wanted = several || (phys->lacks & PGS_FEATURE_BIT(VIEWPORTS));
    const bool stages = phys->emulates_geometry || phys->emulates_tessellation;
    phys->replays_layers =
        phys->emulates && (settings->layers == PGS_LAYERS_REPLAY ||
                           (!phys->has_shader_output_layer && (stages || lacks_drawing(phys))));
    phys->replays_viewports = phys->emulates && wanted &&
                              (!phys->has_shader_output_viewport_index || !several ||
                               settings->viewports != PGS_VIEWPORTS_AUTO);
    phys->one_viewport =
        phys->replays_viewports && (!several || settings->viewports == PGS_VIEWPORTS_ONE);
}

/* The driver's geometry shaders stay native but for pipelines that need these, whose raster vertex
 * shader has to write what the geometry shader wrote, or select it. */
static void decide_brought(struct pgs_physical_device *phys)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    const uint32_t lacks = phys->lacks;
    if (!pgs_replaces_geometry(phys))
        return;
    phys->emulates_fill = (lacks & PGS_FEATURE_BIT(FILL)) || settings->fill == PGS_BRING_EMULATE;
    phys->emulates_clip =
        phys->features.sampleRateShading && /* to clip samples */
        ((lacks & (PGS_FEATURE_BIT(CLIP) | PGS_FEATURE_BIT(CULL))) ||
         (phys->traits.guards & PGS_GUARD_NO_DISTANCES) || settings->clip == PGS_BRING_EMULATE);
    phys->emulates_lines = (lacks & PGS_FEATURE_BIT(LINES)) || settings->lines == PGS_BRING_EMULATE;
    phys->emulates_points =
        (lacks & PGS_FEATURE_BIT(POINTS)) || settings->points == PGS_BRING_EMULATE;
    phys->emulates_stores =
        (lacks & PGS_FEATURE_BIT(STORES)) || settings->stores == PGS_BRING_EMULATE;
    phys->emulates_layer_output = phys->replays_layers;
    phys->emulates_viewport_output = phys->replays_viewports;
}

/* Decides what the layer emulates: what the driver lacks, or what is forced. `lack`: why the layer
 * cannot work; NULL: it can. */
static void decide(struct pgs_physical_entry *entry, const char *lack)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_settings *settings = &phys->instance->settings;
    const VkPhysicalDeviceFeatures *driver = &phys->features;
    const bool geometry = (phys->lacks & PGS_FEATURE_BIT(GEOMETRY)) || settings->force_geometry;
    const bool parts = pgs_features_with(phys->lacks, PGS_REMEDY_CAPTURES, true);
    const bool pipelines = pgs_features_with(phys->lacks, PGS_REMEDY_PIPELINES, true);
    bool xfb = settings->xfb && (geometry || parts || pipelines || settings->force_xfb);
    const bool tessellation = wants_tessellation(phys, geometry, geometry || xfb || pipelines);
    xfb |= settings->xfb && tessellation;
    const bool works = geometry || xfb || tessellation || pipelines;
    phys->gaps = works && !lack ? find_gaps(entry, geometry, tessellation) : 0;
    phys->emulates_geometry = geometry && !lack;
    phys->emulates_xfb = xfb && !lack;
    phys->emulates_tessellation = tessellation && !lack;
    phys->counts_statistics =
        phys->emulates_xfb &&
        (settings->statistics == PGS_STATISTICS_EMULATE ||
         (settings->statistics == PGS_STATISTICS_BRING && !driver->pipelineStatisticsQuery));
    phys->emulates =
        phys->emulates_geometry || phys->emulates_xfb || phys->emulates_tessellation || phys->gaps;
    decide_targets(phys);
    decide_brought(phys);
    phys->native_geometry = driver->geometryShader && !phys->emulates_geometry;
    phys->native_tessellation = driver->tessellationShader && !phys->emulates_tessellation &&
                                (settings->tessellation || !phys->emulates);
    if (works && lack)
        pgs_log(PGS_LOG_WARN, "%s: cannot emulate %s: the driver lacks %s",
                phys->properties.deviceName,
                geometry       ? "geometryShader"
                : xfb          ? "transformFeedback"
                : tessellation ? "tessellationShader"
                               : "shaderTessellationAndGeometryPointSize",
                lack);
}

static VkResult examine(struct pgs_physical_entry *entry)
{
    struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    vk->GetPhysicalDeviceProperties(phys->handle, &phys->properties);
    vk->GetPhysicalDeviceFeatures(phys->handle, &phys->features);
    vk->GetPhysicalDeviceMemoryProperties(phys->handle, &phys->memory);
    phys->api_version = effective_version(phys->instance->api_version, phys->properties.apiVersion);

    VkExtensionProperties *list;
    uint32_t count;
    VkResult result = pgs_driver_extensions(phys->instance, phys->handle, &list, &count);
    if (pgs_is_out_of_memory(result))
        return result;
    if (result != VK_SUCCESS) /* the application gets the same error when it asks */
        count = 0;
    note_extensions(entry, list, count);
    phys->traits = pgs_device_class_of(&phys->properties, query_driver(phys, list, count),
                                       &phys->instance->settings.device_class);
    phys->traits.binds_words &=
        pgs_extension_in(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, list, count);
    phys->traits.finds_uncovered = finds_uncovered(phys, list, count);
    phys->has_absent_ones = query_absent_ones(phys, list, count);
    phys->draws_points_beside = query_points_beside(phys);
    phys->any_topology = query_any_topology(phys, list, count);
    pgs_driver_features_find(entry, list, count);
    phys->address = query_address(entry, list, count);
    const bool has_address = phys->address != PGS_ADDRESS_NONE;
    phys->has_timeline_semaphores = has_address && query_timeline_semaphores(phys);
    phys->fits_narrow_varyings = has_address && pgs_narrow_varyings_fit(phys, list, count);
    entry->has_device_scope = has_address && query_device_scope(entry, list, count);

    bool has_family;
    result = query_families(phys, &has_family);
    if (result == VK_SUCCESS) {
        const char *lack = !has_address  ? "bufferDeviceAddress"
                           : !has_family ? "a queue family with graphics and compute"
                                         : NULL;
        decide(entry, lack);
        pgs_brought_decide(entry, list, count);
        entry->shared.fits_shader_objects =
            !lack && !pgs_replaces_primitives(phys) && !phys->emulates_clip &&
            !phys->emulates_stores && !phys->emulates_views && !phys->brings_depth_clip &&
            !phys->splits_draws && !phys->lacks_first_instance && !phys->lacks_zero_divisor &&
            !phys->gaps && pgs_shader_objects_fit(entry, list, count);
        if (!lack)
            pgs_summary_log_physical(entry, list, count);
    }
    pgs_free(list);
    return result;
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
