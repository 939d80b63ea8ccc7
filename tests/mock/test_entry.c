/* SPDX-License-Identifier: MIT
 *
 * Instances, what physical devices report, and the entry points, on the fake driver.
 */
#include "base/log.h"
#include "entry/layer_settings_ext.h"
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

#define BROUGHT 2 /* extensions that the layer brings (test_brought.c) */

static int set_up(void **state)
{
    (void)state;
    begin_test(false); /* test_xfb_program tests that half */
    return 0;
}

static VkPhysicalDeviceFeatures reported_features(VkInstance instance)
{
    const PFN_vkGetPhysicalDeviceFeatures get = (PFN_vkGetPhysicalDeviceFeatures)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures");
    VkPhysicalDeviceFeatures features;
    get(fake_first_physical_device(instance), &features);
    return features;
}

/* -- negotiation and entry points -- */

static void negotiates_version_2(void **state)
{
    (void)state;
    VkNegotiateLayerInterface layer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                       .loaderLayerInterfaceVersion = 5};
    assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(&layer), VK_SUCCESS);
    assert_int_equal(layer.loaderLayerInterfaceVersion, 2);
    layer.loaderLayerInterfaceVersion = 1;
    assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(&layer),
                     VK_ERROR_INITIALIZATION_FAILED);
    assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(NULL), VK_ERROR_INITIALIZATION_FAILED);
}

static void answers_global_commands_without_an_instance(void **state)
{
    (void)state;
    static const char *const ours[] = {"vkCreateInstance",
                                       "vkCreateDevice",
                                       "vkGetInstanceProcAddr",
                                       "vkGetDeviceProcAddr",
                                       "vkEnumerateInstanceExtensionProperties",
                                       "vkEnumerateInstanceLayerProperties"};
    for (size_t i = 0; i < COUNT(ours); i++)
        assert_non_null(fake_instance_proc(NULL, ours[i]));
    assert_null(fake_instance_proc(NULL, "vkCreateBuffer"));
    assert_null(fake_instance_proc(NULL, "vkNoSuchCommand"));
}

static void answers_what_the_next_layer_has(void **state)
{
    (void)state;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const PFN_GetPhysicalDeviceProcAddr gpdpa = fake_layer()->pfnGetPhysicalDeviceProcAddr;
    assert_null(fake_instance_proc(instance, "vkNoSuchCommand"));
    assert_ptr_not_equal(fake_instance_proc(instance, "vkCreateBuffer"),
                         fake_CreateBuffer); /* hooked */
    assert_ptr_equal(fake_instance_proc(instance, "vkCreateFence"),
                     fake_CreateFence); /* not hooked */
    assert_ptr_equal(gpdpa(instance, "vkGetPhysicalDeviceFeatures2KHR"),
                     fake_instance_proc(instance, "vkGetPhysicalDeviceFeatures2"));
    assert_ptr_equal(gpdpa(instance, "vkGetPhysicalDeviceFormatProperties"),
                     fake_GetPhysicalDeviceFormatProperties);
    assert_null(gpdpa(instance, "vkCreateBuffer")); /* ours, but no physical device's */
    assert_null(gpdpa(instance, "vkDestroyInstance"));
    assert_null(gpdpa(instance, "vkNoSuchCommand"));
    fake_close_instance(instance);
}

static void hides_unknown_commands_of_active_devices_only(void **state)
{
    (void)state;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkDevice device = fake_open_geometry_device(instance);
    assert_null(fake_device_proc(device, "vkCmdFromTheFuture"));
    assert_null(fake_device_proc(device, "vkNoSuchCommand"));
    assert_ptr_equal(fake_device_proc(device, "vkCreateFence"), fake_CreateFence);
    assert_ptr_not_equal(fake_device_proc(device, "vkCreateBuffer"), fake_CreateBuffer);
    fake_close_device(device);

    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    VkDevice idle;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &idle),
        VK_SUCCESS);
    assert_non_null(fake_device_proc(idle, "vkCmdFromTheFuture"));
    assert_ptr_equal(fake_device_proc(idle, "vkCreateBuffer"), fake_CreateBuffer);
    assert_ptr_equal(fake_device_proc(idle, "vkCmdDraw"), fake_CmdDraw);
    assert_ptr_not_equal(fake_device_proc(idle, "vkDestroyDevice"), fake_DestroyDevice);
    assert_ptr_not_equal(fake_device_proc(idle, "vkGetDeviceProcAddr"), fake_GetDeviceProcAddr);
    fake_close_device(idle);
    fake_close_instance(instance);
}

/* -- instances -- */

static void raises_old_versions_only(void **state)
{
    (void)state;
    static const uint32_t asked[] = {0,
                                     VK_API_VERSION_1_0,
                                     VK_API_VERSION_1_1,
                                     VK_API_VERSION_1_2,
                                     VK_API_VERSION_1_3,
                                     VK_MAKE_API_VERSION(0, 1, 4, 0)};
    struct fake_config config = fake_default_config();
    config.instance_version = VK_MAKE_API_VERSION(0, 1, 4, 0);
    for (size_t i = 0; i < COUNT(asked); i++) {
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(asked[i]);
        const bool old = asked[i] < VK_API_VERSION_1_2;
        assert_int_equal(fake_instance_created.api_version, old ? VK_API_VERSION_1_2 : asked[i]);
        assert_int_equal(fake_instance_created.attempts, 1);
        assert_int_equal(fake_instance_created.extension_count,
                         asked[i] < VK_API_VERSION_1_1 ? 2 : 0);
        fake_close_instance(instance);
    }
}

static void falls_back_to_what_was_asked(void **state)
{
    (void)state;
    static const char *const extensions[] = {"VK_KHR_buffer_device_address", "VK_KHR_device_group"};
    struct fake_config config = fake_default_config();
    config.extensions = extensions;
    config.extension_count = COUNT(extensions);
    config.instance_version = config.device_version = VK_API_VERSION_1_0;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_0);
    assert_int_equal(fake_instance_created.attempts, 2);
    assert_int_equal(fake_instance_created.api_version, VK_API_VERSION_1_0);
    assert_int_equal(fake_instance_created.extension_count, 0);
    assert_false(
        reported_features(instance).geometryShader); /* the instance extensions are missing */
    fake_close_instance(instance);
}

static void does_not_fall_back_for_want_of_memory(void **state)
{
    (void)state;
    static const VkResult results[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    for (size_t i = 0; i < COUNT(results); i++) {
        VkInstance instance;
        fake_fail_after(1, results[i]);
        assert_int_equal(fake_create_instance(&info, &instance), results[i]);
        fake_fail_after(0, VK_SUCCESS);
    }
}

static void needs_no_application_info(void **state)
{
    (void)state;
    static const char *const names[] = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = names};
    const VkInstanceCreateInfo before = info;
    VkInstance instance;
    assert_int_equal(fake_create_instance(&info, &instance), VK_SUCCESS);
    assert_int_equal(fake_instance_created.api_version, VK_API_VERSION_1_2);
    assert_int_equal(fake_instance_created.extension_count, 2);
    assert_memory_equal(&before, &info, sizeof(info));
    assert_true(reported_features(instance).geometryShader);
    fake_close_instance(instance);
}

static void refuses_without_a_link(void **state)
{
    (void)state;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)fake_instance_proc(NULL, "vkCreateInstance");
    assert_int_equal(create(&info, NULL, &instance), VK_ERROR_INITIALIZATION_FAILED);
}

static void keeps_instances_apart(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.geometry = true;
    config.physical_device_count = 3;
    fake_reset(&config);
    VkInstance instances[12];
    for (size_t i = 0; i < COUNT(instances); i++) {
        setenv("VK_POLY_GS_FORCE", i % 2 ? "1" : "0", 1);
        instances[i] = fake_open_instance(VK_API_VERSION_1_3);
    }
    for (size_t i = 0; i < COUNT(instances); i++)
        assert_int_equal(
            pgs_physical_device_from_handle(fake_first_physical_device(instances[i]))->emulates,
            i % 2);
    const VkDevice device = fake_open_geometry_device(instances[1]);
    for (size_t i = 2; i < COUNT(instances); i++)
        fake_close_instance(instances[i]);
    fake_close_instance(instances[0]);
    assert_true(pgs_device_from_handle(device)->active);
    fake_close_device(device);
    fake_close_instance(instances[1]);
}

static void knows_the_devices_of_groups(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.physical_device_count = 2;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const PFN_vkEnumeratePhysicalDeviceGroups enumerate =
        (PFN_vkEnumeratePhysicalDeviceGroups)fake_instance_proc(
            instance, "vkEnumeratePhysicalDeviceGroupsKHR");
    VkPhysicalDeviceGroupProperties group = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
    uint32_t count = 1;
    assert_int_equal(enumerate(instance, &count, &group), VK_SUCCESS);
    assert_int_equal(group.physicalDeviceCount, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_ptr_equal(pgs_physical_device_from_handle(group.physicalDevices[i])->handle,
                         group.physicalDevices[i]);
    fake_close_instance(instance);
}

static void learns_of_late_devices(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.physical_device_count = 0;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    struct fake_config more = config;
    more.physical_device_count = 1;
    fake_change(&more);
    assert_true(reported_features(instance).geometryShader);
    fake_close_instance(instance);
}

/* -- what is reported -- */

#ifdef VK_API_VERSION_1_4
enum { KNOWN_MINOR = 4 };
#else
enum { KNOWN_MINOR = 3 };
#endif

/* With headers that are older than Vulkan 1.4 its features are hidden: drivers of that version fill
 * them, too, whatever version we let them report. */
static void reports_the_features_of_known_versions(void **state)
{
    (void)state;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    struct {
        VkBaseOutStructure header;
        VkBool32 features[FAKE_VULKAN_1_4_FEATURE_COUNT];
    } later = {.header.sType = (VkStructureType)FAKE_VULKAN_1_4_FEATURES};
    VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    later.header.pNext = (VkBaseOutStructure *)&core;
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &later};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
    assert_true(core.multiview);
    for (size_t i = 0; i < COUNT(later.features); i++)
        assert_int_equal(later.features[i], KNOWN_MINOR >= 4);
    fake_close_instance(instance);
}

/* Where there is but one size it can be required of every stage. */
static void reports_stages_that_require_subgroup_sizes(void **state)
{
    (void)state;
    const VkShaderStageFlags kept = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    const VkShaderStageFlags all = kept | VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    for (uint32_t max_el = 32; max_el <= 64; max_el += 32) {
        VkPhysicalDeviceVulkan13Properties core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES,
            .minSubgroupSize = 32,
            .maxSubgroupSize = max_el,
            .requiredSubgroupSizeStages = all,
        };
        VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
            .minSubgroupSize = 32,
            .maxSubgroupSize = max_el,
            .requiredSubgroupSizeStages = all,
        };
        for (int old = 0; old < 2; old++) {
            VkPhysicalDeviceProperties2 properties = {
                .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                .pNext = old ? (void *)&sizes : (void *)&core,
            };
            ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
                instance, "vkGetPhysicalDeviceProperties2"))(fake_first_physical_device(instance),
                                                             &properties);
        }
        assert_int_equal(core.requiredSubgroupSizeStages, max_el == 32 ? all : kept);
        assert_int_equal(sizes.requiredSubgroupSizeStages, max_el == 32 ? all : kept);
    }
    fake_close_instance(instance);
}

static void reports_known_versions(void **state)
{
    (void)state;
    for (uint32_t minor = 1; minor < 8; minor++) {
        struct fake_config config = fake_default_config();
        config.device_version = VK_MAKE_API_VERSION(0, 1, minor, 77);
        const char *const extensions[] = {"VK_KHR_buffer_device_address"};
        config.extensions = extensions;
        config.extension_count = 1;
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        VkPhysicalDeviceProperties properties;
        ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties"))(fake_first_physical_device(instance),
                                                        &properties);
        assert_int_equal(VK_API_VERSION_MAJOR(properties.apiVersion), 1);
        assert_int_equal(VK_API_VERSION_MINOR(properties.apiVersion),
                         minor < KNOWN_MINOR ? minor : KNOWN_MINOR);
        assert_int_equal(VK_API_VERSION_PATCH(properties.apiVersion),
                         minor <= KNOWN_MINOR ? 77 : VK_HEADER_VERSION);
        fake_close_instance(instance);
    }
}

static void reports_the_features(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.tessellation = true;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_1);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    static const char *const names[] = {"vkGetPhysicalDeviceFeatures2",
                                        "vkGetPhysicalDeviceFeatures2KHR"};
    for (size_t i = 0; i < COUNT(names); i++) {
        VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
        VkPhysicalDeviceMultiviewFeatures multiview = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .pNext = &capture};
        VkPhysicalDeviceProtectedMemoryFeatures protection = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
            .pNext = &multiview};
        VkPhysicalDeviceVulkan11Features core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &protection};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &core};
        ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(instance, names[i]))(physical,
                                                                                   &features);
        const VkPhysicalDeviceFeatures old = reported_features(instance);
        assert_memory_equal(&old, &features.features, sizeof(old));
        assert_true(old.geometryShader && old.shaderTessellationAndGeometryPointSize &&
                    old.tessellationShader && old.fullDrawIndexUint32);
        assert_true(old.multiViewport);
        assert_false(old.pipelineStatisticsQuery);
        assert_true(core.multiview && multiview.multiview);
        assert_true(core.multiviewGeometryShader && multiview.multiviewGeometryShader);
        assert_true(core.multiviewTessellationShader && multiview.multiviewTessellationShader);
        assert_false(core.protectedMemory || protection.protectedMemory);
        assert_false(capture.transformFeedback || capture.geometryStreams);
        assert_ptr_equal(capture.pNext, NULL);
    }
    fake_close_instance(instance);
}

static void reports_the_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t vertex, fragment, input, output;
        uint32_t uniform, storage; /* dynamic offsets: as many as the driver likes */
    } cases[] = {{128, 128, 128, 128, 8, 4},
                 {256, 256, 128, 128, 256, 256},
                 {124, 112, 124, 112, 63, 1},
                 {60, 60, 64, 64, UINT32_MAX, 512}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_config config = fake_default_config();
        config.limits.maxVertexOutputComponents = cases[i].vertex;
        config.limits.maxFragmentInputComponents = cases[i].fragment;
        config.limits.maxPushConstantsSize = 4096;
        config.limits.maxBoundDescriptorSets = 4;
        config.limits.maxVertexInputBindings = config.limits.maxVertexInputAttributes = 64;
        config.limits.maxDescriptorSetUniformBuffersDynamic = cases[i].uniform;
        config.limits.maxDescriptorSetStorageBuffersDynamic = cases[i].storage;
        config.device_version = VK_MAKE_API_VERSION(0, 1, 4, 300);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDevice physical = fake_first_physical_device(instance);
        VkPhysicalDeviceCooperativeMatrixPropertiesNV cooperative = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV,
            .cooperativeMatrixSupportedStages = VK_SHADER_STAGE_ALL};
        VkPhysicalDeviceVulkan11Properties core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
            .pNext = &cooperative};
        VkPhysicalDeviceSubgroupProperties subgroup = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &core};
        VkPhysicalDeviceProperties2 new = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &subgroup};
        VkPhysicalDeviceProperties old;
        ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties"))(physical, &old);
        ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties2KHR"))(physical, &new);
        assert_memory_equal(&old.limits, &new.properties.limits, sizeof(old.limits));
        assert_int_equal(old.limits.maxGeometryShaderInvocations, 32);
        assert_int_equal(old.limits.maxGeometryInputComponents, cases[i].input);
        assert_int_equal(old.limits.maxGeometryOutputComponents, cases[i].output);
        assert_int_equal(old.limits.maxGeometryOutputVertices, 1024);
        assert_int_equal(old.limits.maxGeometryTotalOutputComponents, 1024);
        assert_int_equal(old.limits.maxPushConstantsSize, 256);
        assert_int_equal(old.limits.maxBoundDescriptorSets, 4);
        assert_int_equal(old.limits.maxVertexInputBindings, 32);
        assert_int_equal(old.limits.maxVertexInputAttributes, 32);
        assert_int_equal(old.limits.maxDescriptorSetUniformBuffersDynamic, cases[i].uniform);
        assert_int_equal(old.limits.maxDescriptorSetStorageBuffersDynamic, cases[i].storage);
        assert_int_equal(VK_API_VERSION_MINOR(old.apiVersion), KNOWN_MINOR);
        assert_true(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
        /* it runs as compute, and so does tessellation */
        const VkShaderStageFlags ours = VK_SHADER_STAGE_GEOMETRY_BIT |
                                        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
        assert_int_equal(subgroup.supportedStages,
                         ours | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT);
        assert_int_equal(core.subgroupSupportedStages, subgroup.supportedStages);
        assert_int_equal(cooperative.cooperativeMatrixSupportedStages, VK_SHADER_STAGE_COMPUTE_BIT);
        fake_close_instance(instance);
    }
}

/* What the layer and the driver say of the same families, by both commands. */
static void assert_queues(bool geometry, bool timelines, const uint32_t *counts)
{
    static const VkQueueFlags families[] = {
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_PROTECTED_BIT, VK_QUEUE_COMPUTE_BIT,
        VK_QUEUE_TRANSFER_BIT | VK_QUEUE_PROTECTED_BIT, VK_QUEUE_GRAPHICS_BIT};
    const VkQueueFlags hidden = geometry ? 0 : VK_QUEUE_PROTECTED_BIT;
    struct fake_config config = fake_default_config();
    config.geometry = geometry;
    config.families = families;
    config.family_count = COUNT(families);
    config.queue_count = 16;
    config.timeline_semaphores = timelines;
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    const PFN_vkGetPhysicalDeviceQueueFamilyProperties get =
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties)fake_instance_proc(
            instance, "vkGetPhysicalDeviceQueueFamilyProperties");
    const PFN_vkGetPhysicalDeviceQueueFamilyProperties2 get2 =
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceQueueFamilyProperties2KHR");
    uint32_t count = 0;
    get(physical, &count, NULL);
    assert_int_equal(count, COUNT(families));
    VkQueueFamilyProperties old[COUNT(families)];
    VkQueueFamilyProperties2 new[COUNT(families)];
    count = COUNT(families) - 1; /* and nothing is touched behind those */
    memset(old, 0xff, sizeof(old));
    get(physical, &count, old);
    assert_int_equal(count, COUNT(families) - 1);
    assert_int_equal(old[count].queueCount, UINT32_MAX);
    count = COUNT(families);
    get(physical, &count, old);
    get2(physical, &count, new);
    assert_int_equal(count, COUNT(families));
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(old[i].queueFlags, families[i] & ~hidden);
        assert_int_equal(old[i].queueCount, counts[i]);
        assert_memory_equal(&old[i], &new[i].queueFamilyProperties, sizeof(old[i]));
    }
    fake_close_instance(instance);
}

/* On two queues a command buffer could run at the same time, with the same scratch, if semaphores
 * did not order them. */
static void reports_several_queues_with_timeline_semaphores(void **state)
{
    (void)state;
    assert_queues(false, false, (const uint32_t[]){1, 16, 16, 1});
    assert_queues(false, true, (const uint32_t[]){16, 16, 16, 16});
    assert_queues(true, false, (const uint32_t[]){16, 16, 16, 16});
}

static void reports_nothing_without_addresses(void **state)
{
    (void)state;
    static const VkQueueFlags apart[] = {VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT};
    for (int lack = 0; lack < 3; lack++) {
        struct fake_config config = fake_default_config();
        if (lack == 0)
            config.buffer_device_address = false;
        if (lack == 1) {
            config.families = apart;
            config.family_count = 2;
        }
        if (lack == 2) /* no core addresses, and no extension */
            config.device_version = VK_API_VERSION_1_1;
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDeviceFeatures features = reported_features(instance);
        assert_false(features.geometryShader);
        assert_true(features.multiViewport && features.pipelineStatisticsQuery);
        fake_close_instance(instance);
    }
}

static void leaves_native_drivers_alone(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = true;
    fake_reset(&config);
    VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    assert_true(reported_features(instance).tessellationShader &&
                reported_features(instance).multiViewport);
    fake_close_instance(instance);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    instance = fake_open_instance(VK_API_VERSION_1_3);
    assert_true(reported_features(instance).geometryShader);
    assert_true(reported_features(instance).tessellationShader);
    fake_close_instance(instance);
}

static const char *const driver_extensions[] = {
    "VK_KHR_swapchain",          "VK_NV_mesh_shader", "VK_EXT_shader_viewport_index_layer",
    "VK_EXT_transform_feedback", "VK_XYZ_unheard_of", "VK_EXT_robustness2"};

/* Where passes are recorded once for each layer, mesh shaders could not choose theirs. */
static void hides_mesh_shaders_from_recorded_layers(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_mesh_shader", "VK_KHR_fragment_shading_rate",
                                        "VK_EXT_shader_viewport_index_layer"};
    for (uint32_t replays = 0; replays < 2; replays++) {
        struct fake_config config = fake_default_config();
        config.extensions = names;
        config.extension_count = COUNT(names);
        fake_reset(&config);
        if (replays)
            setenv("VK_POLY_GS_LAYERS", "replay", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_LAYERS");
        uint32_t count = 0;
        assert_int_equal(((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                             instance, "vkEnumerateDeviceExtensionProperties"))(
                             fake_first_physical_device(instance), NULL, &count, NULL),
                         VK_SUCCESS);
        assert_int_equal(count, COUNT(names) - 2 * replays + BROUGHT);
        fake_close_instance(instance);
    }
}

static void filters_extensions(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.extensions = driver_extensions;
    config.extension_count = COUNT(driver_extensions);
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        (PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
            instance, "vkEnumerateDeviceExtensionProperties");
    VkExtensionProperties list[8];
    uint32_t count = 0;
    assert_int_equal(enumerate(physical, NULL, &count, NULL), VK_SUCCESS);
    assert_int_equal(count, 3 + BROUGHT);
    assert_int_equal(enumerate(physical, NULL, &count, list), VK_SUCCESS);
    assert_string_equal(list[0].extensionName, "VK_KHR_swapchain");
    assert_string_equal(list[1].extensionName, "VK_EXT_shader_viewport_index_layer");
    assert_string_equal(list[2].extensionName, "VK_EXT_robustness2");
    memset(list, 0, sizeof(list));
    count = 2;
    assert_int_equal(enumerate(physical, NULL, &count, list), VK_INCOMPLETE);
    assert_int_equal(count, 2);
    assert_int_equal(list[2].extensionName[0], 0);
    count = 0;
    assert_int_equal(enumerate(physical, NULL, &count, list), VK_INCOMPLETE);
    assert_int_equal(enumerate(physical, "VK_LAYER_poly_gs", &count, NULL), VK_SUCCESS);
    assert_int_equal(count, 0);
    assert_int_equal(enumerate(physical, "VK_LAYER_else", &count, NULL),
                     VK_SUCCESS); /* goes down */
    assert_int_equal(count, COUNT(driver_extensions));
    assert_true(reported_features(instance).multiViewport);
    fake_close_instance(instance);
}

static void names_itself(void **state)
{
    (void)state;
    const PFN_vkEnumerateInstanceExtensionProperties extensions =
        (PFN_vkEnumerateInstanceExtensionProperties)fake_instance_proc(
            NULL, "vkEnumerateInstanceExtensionProperties");
    const PFN_vkEnumerateInstanceLayerProperties layers =
        (PFN_vkEnumerateInstanceLayerProperties)fake_instance_proc(
            NULL, "vkEnumerateInstanceLayerProperties");
    VkExtensionProperties extension;
    VkLayerProperties layer;
    uint32_t count = 0;
    assert_int_equal(extensions("VK_LAYER_poly_gs", &count, NULL), VK_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(extensions("VK_LAYER_poly_gs", &count, &extension), VK_SUCCESS);
    assert_string_equal(extension.extensionName, VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
    assert_int_equal(extensions(NULL, &count, NULL), VK_ERROR_LAYER_NOT_PRESENT);
    assert_int_equal(extensions("VK_LAYER_else", &count, NULL), VK_ERROR_LAYER_NOT_PRESENT);
    assert_int_equal(layers(&count, NULL), VK_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(layers(&count, &layer), VK_SUCCESS);
    assert_string_equal(layer.layerName, "VK_LAYER_poly_gs");
    assert_true(strlen(layer.description) < 254);
    count = 0;
    assert_int_equal(layers(&count, &layer), VK_INCOMPLETE);
}

/* -- failures -- */

/* Whoever fails: the instance is not there, or its devices are known once they are listed. */
static VkResult finish_instance(VkResult created, VkInstance instance)
{
    if (created == VK_SUCCESS) {
        assert_true(reported_features(instance).geometryShader);
        fake_close_instance(instance);
    }
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    return created;
}

static const VkInstanceCreateInfo plain_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};

/* An instance that is destroyed in the middle of its creation is freed twice by some loaders. */
static void survives_failures_of_the_driver(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.physical_device_count = 2;
    for (unsigned n = 1;; n++) {
        VkInstance instance;
        fake_reset(&config);
        fake_fail_after(n, VK_ERROR_OUT_OF_HOST_MEMORY);
        const VkResult result = fake_create_instance(&plain_info, &instance);
        const bool failed = fake_has_failed();
        fake_fail_after(0, VK_SUCCESS);
        finish_instance(result, instance);
        assert_int_equal(result, n == 1 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
        if (!failed) {
            /* create, enumerate twice, and the extensions of each device twice */
            assert_int_equal(n, 8);
            break;
        }
    }
}

static void lists_devices_after_failures(void **state)
{
    (void)state;
    VkPhysicalDevice devices[2];
    VkInstance instance;
    struct fake_config config = fake_default_config();
    config.physical_device_count = 2;
    fake_reset(&config);
    fake_fail_after(2, VK_ERROR_OUT_OF_DEVICE_MEMORY); /* nothing is known of the devices */
    assert_int_equal(fake_create_instance(&plain_info, &instance), VK_SUCCESS);
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)fake_instance_proc(instance, "vkEnumeratePhysicalDevices");
    for (unsigned n = 1;; n++) {
        uint32_t count = COUNT(devices);
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        const VkResult result = enumerate(instance, &count, devices);
        const bool failed = fake_has_failed();
        fake_fail_after(0, VK_SUCCESS);
        assert_int_equal(result, failed ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS);
        if (!failed)
            break;
        assert_true(n < 10);
    }
    assert_true(reported_features(instance).geometryShader);
    fake_close_instance(instance);
}

/* What the driver answers when it is asked for its devices is between it and the application. */
static void other_failures_do_not_cost_the_instance(void **state)
{
    (void)state;
    for (unsigned n = 2;; n++) { /* after vkCreateInstance itself */
        fake_reset(NULL);
        fake_fail_after(n, VK_ERROR_INITIALIZATION_FAILED);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const bool failed = fake_has_failed();
        fake_fail_after(0, VK_SUCCESS);
        assert_true(reported_features(instance).geometryShader);
        fake_close_instance(instance);
        if (!failed) {
            assert_int_equal(n, 6); /* enumerate twice, the extensions twice */
            break;
        }
    }
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.physical_device_count = 4;
    setenv("VK_POLY_GS_DUMP", "/nowhere", 1);
    bool reached = true;
    for (int64_t n = 1; reached; n++) {
        for (int all_after = 1; all_after >= 0 && reached; all_after--) {
            VkInstance instance;
            fake_reset(&config);
            pgs_alloc_fail_after(n, all_after);
            VkResult result = fake_create_instance(&plain_info, &instance);
            void *probe = pgs_alloc(1);
            reached = !all_after || !probe;
            pgs_free(probe);
            pgs_alloc_fail_after(0, false);
            result = finish_instance(result, instance);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            assert_true(reached || n > 10);
        }
    }
    unsetenv("VK_POLY_GS_DUMP");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(negotiates_version_2),
        TEST(answers_global_commands_without_an_instance),
        TEST(answers_what_the_next_layer_has),
        TEST(hides_unknown_commands_of_active_devices_only),
        TEST(raises_old_versions_only),
        TEST(falls_back_to_what_was_asked),
        TEST(does_not_fall_back_for_want_of_memory),
        TEST(needs_no_application_info),
        TEST(refuses_without_a_link),
        TEST(keeps_instances_apart),
        TEST(knows_the_devices_of_groups),
        TEST(learns_of_late_devices),
        TEST(reports_the_features),
        TEST(reports_the_features_of_known_versions),
        TEST(reports_known_versions),
        TEST(reports_stages_that_require_subgroup_sizes),
        TEST(reports_the_limits),
        TEST(reports_several_queues_with_timeline_semaphores),
        TEST(reports_nothing_without_addresses),
        TEST(leaves_native_drivers_alone),
        TEST(filters_extensions),
        TEST(hides_mesh_shaders_from_recorded_layers),
        TEST(names_itself),
        TEST(survives_failures_of_the_driver),
        TEST(lists_devices_after_failures),
        TEST(other_failures_do_not_cost_the_instance),
        TEST(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
