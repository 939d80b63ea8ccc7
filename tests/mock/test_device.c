/* SPDX-License-Identifier: MIT
 *
 * What vkCreateDevice asks of the driver, on the fake driver.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

static const float priority = 1.0f;
static const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
static const VkPhysicalDeviceFeatures geometry = {.robustBufferAccess = VK_TRUE,
                                                  .geometryShader = VK_TRUE};

#define DEVICE_INFO                                                                                \
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,                      \
    .pQueueCreateInfos = &queue

static int set_up(void **state)
{
    (void)state;
    begin_test(false); /* test_xfb_program tests that half */
    return 0;
}

static struct fake_config with_extensions(const char *const *names, uint32_t count)
{
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = count;
    return config;
}

/* Creates and destroys a device; *active tells what became of it. */
static VkResult try_device(uint32_t api_version, const VkDeviceCreateInfo *info, bool *active)
{
    const VkInstance instance = fake_open_instance(api_version);
    const VkDeviceCreateInfo before = *info;
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), info, &device);
    assert_memory_equal(&before, info, sizeof(before));
    *active = result == VK_SUCCESS && pgs_device_from_handle(device)->active;
    if (result == VK_SUCCESS)
        fake_close_device(device);
    fake_close_instance(instance);
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    return result;
}

static void assert_asked_for_emulation(void)
{
    const struct fake_created *created = &fake_device_created;
    assert_int_equal(created->attempts, 1);
    assert_false(created->features.geometryShader ||
                 created->features.shaderTessellationAndGeometryPointSize);
    assert_true(created->features.robustBufferAccess && created->features.fullDrawIndexUint32);
    assert_true(created->buffer_device_address);
    assert_int_equal(created->address_structs, 1);
}

/* -- the forms in which features come -- */

static void patches_enabled_features(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures before = geometry;
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();
    assert_int_equal(fake_device_created.extension_count, 0);
    assert_memory_equal(&before, &geometry, sizeof(before));
}

static void point_size_alone_is_enough(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures features = {.robustBufferAccess = VK_TRUE,
                                               .shaderTessellationAndGeometryPointSize = VK_TRUE};
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &features};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();
}

static void patches_features2(void **state)
{
    (void)state;
    const VkPhysicalDevicePrivateDataFeatures tail = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .privateData = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .pNext = (void *)&tail,
                                                .features = geometry};
    const VkPhysicalDeviceFeatures2 before = features;
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &features};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();
    assert_memory_equal(&before, &features, sizeof(before));
    bool tail_seen = false;
    for (uint32_t i = 0; i < fake_device_created.chain_count; i++)
        tail_seen |= fake_device_created.chain[i] == tail.sType;
    assert_true(tail_seen);
}

static void patches_core_structs(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_shader_viewport_index_layer"};
    for (uint32_t with = 0; with < 2; with++) {
        const struct fake_config config = with_extensions(names, with);
        fake_reset(&config);
        const VkPhysicalDeviceVulkan12Features core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        const VkPhysicalDeviceVulkan11Features old = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&core};
        const VkPhysicalDeviceFeatures2 features = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
            .pNext = (void *)&old,
            .features = geometry};
        const VkPhysicalDeviceVulkan12Features before = core;
        const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &features};
        bool active;
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_asked_for_emulation();
        assert_int_equal(fake_device_created.shader_output_layer, with);
        assert_int_equal(fake_device_created.shader_output_viewport_index, with);
        assert_int_equal(fake_created_has_extension(&fake_device_created, names[0]), with);
        assert_memory_equal(&before, &core, sizeof(before));
    }
}

/* The stages that the layer emulates do not reach the driver. */
static void patches_multiview(void **state)
{
    (void)state;
    const VkPhysicalDeviceMultiviewFeatures lone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
        .multiview = VK_TRUE,
        .multiviewGeometryShader = VK_TRUE,
        .multiviewTessellationShader = VK_TRUE};
    const VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .multiview = VK_TRUE,
        .multiviewGeometryShader = VK_TRUE,
        .multiviewTessellationShader = VK_TRUE};
    const void *const chains[] = {&lone, &core};
    const VkPhysicalDeviceMultiviewFeatures lone_before = lone;
    const VkPhysicalDeviceVulkan11Features core_before = core;
    for (size_t i = 0; i < COUNT(chains); i++) {
        const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = chains[i],
                                         .pEnabledFeatures = &geometry};
        bool active;
        fake_reset(NULL);
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        assert_true(active && fake_device_created.multiview);
        assert_false(fake_device_created.multiview_geometry ||
                     fake_device_created.multiview_tessellation);
    }
    assert_memory_equal(&lone_before, &lone, sizeof(lone));
    assert_memory_equal(&core_before, &core, sizeof(core));
}

/* Queues of a family that draws take turns, for which the layer needs timeline semaphores. */
static void orders_several_queues(void **state)
{
    (void)state;
    static const float priorities[2] = {1.0f, 1.0f};
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueCount = 2,
                                            .pQueuePriorities = priorities};
    const VkPhysicalDeviceTimelineSemaphoreFeatures lone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    const VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    const void *const chains[] = {NULL, &lone, &core};
    for (size_t i = 0; i < 2 * COUNT(chains); i++) {
        struct fake_config config = fake_default_config();
        config.timeline_semaphores = true;
        config.queue_count = 2;
        fake_reset(&config);
        const bool several = i % 2;
        const VkDeviceCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = chains[i / 2],
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = several ? &queues : &queue,
            .pEnabledFeatures = &geometry,
        };
        bool active;
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_int_equal(fake_device_created.timeline_semaphores, several);
        assert_int_equal(fake_log_count_of("vkCreateSemaphore"), several ? 6 : 0);
        assert_int_equal(fake_log_count_of("vkDestroySemaphore"), several ? 6 : 0);
    }
    assert_false(lone.timelineSemaphore || core.timelineSemaphore);
}

static void patches_the_address_struct(void **state)
{
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        fake_reset(NULL);
        const VkPhysicalDeviceBufferDeviceAddressFeatures address = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
            .bufferDeviceAddress = asked};
        const VkPhysicalDeviceBufferDeviceAddressFeatures before = address;
        const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &address,
                                         .pEnabledFeatures = &geometry};
        bool active;
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_asked_for_emulation();
        assert_memory_equal(&before, &address, sizeof(before));
    }
}

static void reads_what_the_application_enabled(void **state)
{
    (void)state;
    const VkPhysicalDeviceRobustness2FeaturesEXT robustness = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
        .robustBufferAccess2 = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = (void *)&robustness,
        .synchronization2 = VK_TRUE};
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &core, .pEnabledFeatures = &geometry};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice device;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
        VK_SUCCESS);
    const struct pgs_device *dev = pgs_device_from_handle(device);
    assert_true(dev->robust_buffer_access && dev->robust_buffer_access2 && dev->sync2);
    assert_false(dev->null_descriptor);
    assert_non_null(dev->set_loader_data);
    VkQueue handle;
    ((PFN_vkGetDeviceQueue)fake_device_proc(device, "vkGetDeviceQueue"))(device, 0, 0, &handle);
    assert_ptr_equal(pgs_device_from_handle(handle), dev);
    fake_close_device(device);
    fake_close_instance(instance);
}

/* -- inactive -- */

static void stays_out_of_the_way(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures features = {.robustBufferAccess = VK_TRUE};
    static const char *const hidden[] = {"VK_EXT_mesh_shader"};
    const VkDeviceCreateInfo cases[] = {
        {DEVICE_INFO},
        {DEVICE_INFO, .pEnabledFeatures = &features},
        {DEVICE_INFO, .enabledExtensionCount = 1, .ppEnabledExtensionNames = hidden},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fake_reset(NULL);
        bool active;
        assert_int_equal(try_device(VK_API_VERSION_1_3, &cases[i], &active), VK_SUCCESS);
        assert_false(active);
        assert_false(fake_device_created.buffer_device_address ||
                     fake_device_created.features.fullDrawIndexUint32);
        assert_int_equal(fake_device_created.extension_count, cases[i].enabledExtensionCount);
        assert_int_equal(fake_device_created.chain_count, 2); /* the loader's */
    }
}

static void native_drivers_keep_their_feature(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.geometry = true;
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                               .tessellationShader = VK_TRUE};
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &features};
    bool active;
    fake_reset(&config);
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_false(active);
    assert_true(fake_device_created.features.geometryShader &&
                fake_device_created.features.tessellationShader);
}

static void force_hides_the_native_feature(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.geometry = true;
    fake_reset(&config);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();
}

static void force_falls_back_to_the_native_feature(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.geometry = true;
    fake_reset(&config);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkDevice device;
    fake_fail_after(1, VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(fake_create_device(instance, physical, &info, &device), VK_SUCCESS);
    assert_int_equal(fake_device_created.attempts, 2);
    assert_true(fake_device_created.features.geometryShader);
    assert_false(pgs_device_from_handle(device)->active);
    fake_close_device(device);
    fake_close_instance(instance);
}

/* Without memory the application is not told of another device than the one it would get. */
static void does_not_fall_back_for_want_of_memory(void **state)
{
    (void)state;
    static const VkResult results[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                       VK_ERROR_DEVICE_LOST, VK_ERROR_TOO_MANY_OBJECTS};
    struct fake_config config = fake_default_config();
    config.geometry = true;
    fake_reset(&config);
    setenv("VK_POLY_GS_FORCE", "1", 1);
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    for (size_t i = 0; i < COUNT(results); i++) {
        VkDevice device;
        fake_fail_after(1, results[i]);
        assert_int_equal(fake_create_device(instance, physical, &info, &device), results[i]);
        fake_fail_after(0, VK_SUCCESS);
    }
    pgs_alloc_fail_after(2, false); /* the first is the device, the second the request */
    VkDevice device;
    assert_int_equal(fake_create_device(instance, physical, &info, &device),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    fake_close_instance(instance);
}

/* -- what cannot be had -- */

static void refuses_what_it_does_not_report(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures tessellation = {.geometryShader = VK_TRUE,
                                                   .tessellationShader = VK_TRUE};
    const VkPhysicalDeviceFeatures tessellation_alone = {.tessellationShader = VK_TRUE};
    const VkPhysicalDeviceFeatures statistics = {.geometryShader = VK_TRUE,
                                                 .pipelineStatisticsQuery = VK_TRUE};
    const VkPhysicalDeviceMultiviewFeatures multiview = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
        .multiviewTessellationShader = VK_TRUE};
    const VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .multiviewTessellationShader = VK_TRUE};
    const VkPhysicalDeviceProtectedMemoryFeatures protection = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
        .protectedMemory = VK_TRUE};
    const VkPhysicalDeviceVulkan11Features protection_in_core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .protectedMemory = VK_TRUE};
#ifndef VK_API_VERSION_1_4
    const struct {
        VkBaseInStructure header;
        VkBool32 features[FAKE_VULKAN_1_4_FEATURE_COUNT];
    } later = {.header.sType = (VkStructureType)FAKE_VULKAN_1_4_FEATURES, .features = {[3] = 1}};
#endif
    const VkDeviceCreateInfo cases[] = {
#ifndef VK_API_VERSION_1_4
        {DEVICE_INFO, .pNext = &later, .pEnabledFeatures = &geometry},
#endif
        {DEVICE_INFO, .pEnabledFeatures = &tessellation},
        {DEVICE_INFO, .pEnabledFeatures = &tessellation_alone}, /* where nothing is emulated */
        {DEVICE_INFO, .pEnabledFeatures = &statistics},
        {DEVICE_INFO, .pNext = &multiview, .pEnabledFeatures = &geometry},
        {DEVICE_INFO, .pNext = &core, .pEnabledFeatures = &geometry},
        {DEVICE_INFO, .pNext = &protection, .pEnabledFeatures = &geometry},
        {DEVICE_INFO, .pNext = &protection_in_core, .pEnabledFeatures = &geometry},
    };
    bool active;
    setenv("VK_POLY_GS_TESSELLATION", "0", 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        fake_reset(NULL);
        assert_int_equal(try_device(VK_API_VERSION_1_3, &cases[i], &active),
                         VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(fake_device_created.attempts, 0);
    }
    unsetenv("VK_POLY_GS_TESSELLATION");
    static const char *const hidden[] = {"VK_KHR_swapchain", "VK_EXT_transform_feedback"};
    const VkDeviceCreateInfo info = {DEVICE_INFO, .enabledExtensionCount = 2,
                                     .ppEnabledExtensionNames = hidden,
                                     .pEnabledFeatures = &geometry};
    fake_reset(NULL);
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active),
                     VK_ERROR_EXTENSION_NOT_PRESENT);
    assert_int_equal(fake_device_created.attempts, 0);
}

/* Raster vertex shaders write the rates of primitives, too. */
static void shows_shading_rates_where_layers_are_drawn_at_once(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_shader_viewport_index_layer"};
    static const char *const wanted[] = {"VK_KHR_fragment_shading_rate"};
    for (VkBool32 primitives = 0; primitives < 2; primitives++) {
        const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
            .pipelineFragmentShadingRate = VK_TRUE,
            .primitiveFragmentShadingRate = primitives,
            .attachmentFragmentShadingRate = VK_TRUE};
        const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &rates, .enabledExtensionCount = 1,
                                         .ppEnabledExtensionNames = wanted,
                                         .pEnabledFeatures = &geometry};
        struct fake_config config = fake_default_config();
        bool active;
        config.extensions = names;
        config.extension_count = COUNT(names);
        fake_reset(&config);
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        fake_reset(NULL); /* takes no layer from a vertex shader */
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active),
                         VK_ERROR_FEATURE_NOT_PRESENT);
    }
}

/* The settings hide an extension and its features, and show others. */
static void settings_hide_and_show_extensions(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_EXT_multi_draw", "VK_NV_mesh_shader"};
    VkPhysicalDeviceMultiDrawFeaturesEXT multi = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT, .multiDraw = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesNV mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV, .meshShader = VK_TRUE};
    const VkDeviceCreateInfo infos[] = {
        {DEVICE_INFO, .pNext = &multi, .enabledExtensionCount = 1, .ppEnabledExtensionNames = names,
         .pEnabledFeatures = &geometry},
        {DEVICE_INFO, .pNext = &mesh, .enabledExtensionCount = 1,
         .ppEnabledExtensionNames = &names[1], .pEnabledFeatures = &geometry}};
    bool active;
    for (int swapped = 0; swapped < 2; swapped++) {
        if (swapped) {
            setenv("VK_POLY_GS_HIDE", "VK_EXT_multi_draw", 1);
            setenv("VK_POLY_GS_SHOW", "VK_EXT_multi_draw VK_NV_mesh_shader", 1);
        }
        for (int i = 0; i < 2; i++) {
            fake_reset(NULL);
            assert_int_equal(try_device(VK_API_VERSION_1_3, &infos[i], &active),
                             i == swapped ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        }
    }
    unsetenv("VK_POLY_GS_HIDE");
    unsetenv("VK_POLY_GS_SHOW");
}

static void groups_and_halved_queues_cannot_emulate(void **state)
{
    (void)state;
    static const VkQueueFlags families[] = {VK_QUEUE_GRAPHICS_BIT,
                                            VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT};
    for (int native = 0; native < 2; native++) {
        for (int group = 0; group < 2; group++) {
            struct fake_config config = fake_default_config();
            config.families = families;
            config.family_count = 2;
            config.geometry = native;
            config.physical_device_count = 2;
            fake_reset(&config);
            setenv("VK_POLY_GS_FORCE", "1", 1);
            const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
            VkPhysicalDevice physical[2];
            uint32_t count = 2;
            fake_EnumeratePhysicalDevices(instance, &count, physical);
            const VkDeviceGroupDeviceCreateInfo both = {
                .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
                .physicalDeviceCount = 2,
                .pPhysicalDevices = physical};
            VkDeviceQueueCreateInfo second = queue;
            second.queueFamilyIndex = 1;
            const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                             .pNext = group ? &both : NULL,
                                             .queueCreateInfoCount = 1,
                                             .pQueueCreateInfos = group ? &second : &queue,
                                             .pEnabledFeatures = &geometry};
            VkDevice device;
            const VkResult result = fake_create_device(instance, physical[0], &info, &device);
            assert_int_equal(result, native ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
            if (native) {
                assert_false(pgs_device_from_handle(device)->active);
                assert_true(fake_device_created.features.geometryShader);
                fake_close_device(device);
            }
            fake_close_instance(instance);
        }
    }
}

/* The extension is hidden, so whoever stands between the application and the hardware may skip it.
 */
static void unknown_structs_in_front_are_left_out(void **state)
{
    (void)state;
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = geometry};
    const VkBaseInStructure unknown = {.sType = (VkStructureType)1999999999,
                                       .pNext = (const void *)&features};
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &unknown};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();

    VkPhysicalDeviceFeatures2 first = features;
    const VkBaseInStructure last = {.sType = (VkStructureType)1999999999};
    first.pNext = (void *)&last;
    const VkDeviceCreateInfo better = {DEVICE_INFO, .pNext = &first};
    fake_reset(NULL);
    assert_int_equal(try_device(VK_API_VERSION_1_3, &better, &active), VK_SUCCESS);
    assert_true(active);
    assert_asked_for_emulation();
}

/* -- versions -- */

static void brings_extensions_below_1_2(void **state)
{
    (void)state;
    static const char *const names[] = {"VK_KHR_buffer_device_address", "VK_KHR_device_group",
                                        "VK_KHR_storage_buffer_storage_class",
                                        "VK_EXT_shader_viewport_index_layer", "VK_KHR_swapchain"};
    static const struct {
        uint32_t instance, device, app;
        bool group;
    } cases[] = {
        {VK_API_VERSION_1_3, VK_API_VERSION_1_3, VK_API_VERSION_1_0, false},
        {VK_API_VERSION_1_3, VK_API_VERSION_1_3, VK_API_VERSION_1_3, false},
        {VK_API_VERSION_1_3, VK_API_VERSION_1_2, VK_API_VERSION_1_3, false},
        {VK_API_VERSION_1_3, VK_API_VERSION_1_1, VK_API_VERSION_1_3, false},
        {VK_API_VERSION_1_3, VK_API_VERSION_1_1, VK_API_VERSION_1_0, false},
        {VK_API_VERSION_1_1, VK_API_VERSION_1_1, VK_API_VERSION_1_1, false},
        {VK_API_VERSION_1_3, VK_API_VERSION_1_0, VK_API_VERSION_1_0, true},
    };
    static const char *const asked[] = {"VK_KHR_swapchain", "VK_KHR_device_group"};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_config config = with_extensions(names, COUNT(names));
        config.instance_version = cases[i].instance;
        config.device_version = cases[i].device;
        fake_reset(&config);
        const VkDeviceCreateInfo info = {DEVICE_INFO, .enabledExtensionCount = 2,
                                         .ppEnabledExtensionNames = asked,
                                         .pEnabledFeatures = &geometry};
        bool active;
        assert_int_equal(try_device(cases[i].app, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_asked_for_emulation();
        /* Also where the feature is core: some loaders find its command only then. */
        assert_true(fake_created_has_extension(&fake_device_created, names[0]));
        assert_int_equal(fake_created_has_extension(&fake_device_created, names[2]),
                         cases[i].group);
        assert_true(fake_created_has_extension(&fake_device_created, names[3]));
        assert_int_equal(fake_device_created.extension_count, 4 + cases[i].group);
    }
}

static void does_not_ask_for_wide_indices_that_are_not_there(void **state)
{
    (void)state;
    struct fake_config config = fake_default_config();
    config.full_draw_index = false;
    fake_reset(&config);
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
    assert_true(active);
    assert_false(fake_device_created.features.fullDrawIndexUint32);
}

static void draws_several_at_once_on_cpus(void **state)
{
    (void)state;
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    for (int i = 0; i < 4; i++) {
        struct fake_config config = fake_default_config();
        config.multi_draw_indirect = i & 1;
        config.type = i & 2 ? VK_PHYSICAL_DEVICE_TYPE_CPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
        fake_reset(&config);
        bool active;
        assert_int_equal(try_device(VK_API_VERSION_1_3, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_int_equal(fake_device_created.features.multiDrawIndirect, i == 3);
    }
}

/* -- failures -- */

static VkResult create_and_destroy(VkInstance instance, uint32_t queue_count)
{
    static const float priorities[2] = {1.0f, 1.0f};
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueCount = queue_count,
                                            .pQueuePriorities = priorities};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .pEnabledFeatures = &geometry};
    const int objects = fakes_alive();
    const int64_t blocks = pgs_alloc_live();
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device);
    if (result == VK_SUCCESS)
        fake_close_device(device);
    pgs_alloc_fail_after(0, false);
    fake_fail_after(0, VK_SUCCESS);
    assert_int_equal(fakes_alive(), objects);
    assert_int_equal(pgs_alloc_live(), blocks);
    return result;
}

/* A driver whose devices have several queues, which take turns. */
static VkInstance open_with_queues(void)
{
    struct fake_config config = fake_default_config();
    config.timeline_semaphores = true;
    config.queue_count = 2;
    fake_reset(&config);
    return fake_open_instance(VK_API_VERSION_1_3);
}

static void survives_failures_of_the_driver(void **state)
{
    (void)state;
    const VkInstance instance = open_with_queues();
    for (unsigned n = 2, queues = 1; queues <= 2; n++) { /* 1 is the test's own enumeration */
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        const VkResult result = create_and_destroy(instance, queues);
        if (result == VK_SUCCESS) {
            assert_true(n > (queues == 1 ? 2 : 8));
            queues++;
            n = 1;
            continue;
        }
        assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    fake_close_instance(instance);
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    const VkInstance instance = open_with_queues();
    int64_t n = 1;
    for (uint32_t queues = 1; queues <= 2; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create_and_destroy(instance, queues);
        if (result == VK_SUCCESS) {
            assert_true(n > 5);
            queues++;
            n = 0;
            continue;
        }
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    fake_close_instance(instance);
}

static void many_devices_live_side_by_side(void **state)
{
    (void)state;
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice devices[20];
    for (size_t i = 0; i < COUNT(devices); i++)
        devices[i] = fake_open_geometry_device(instance);
    for (size_t i = 0; i < COUNT(devices); i += 2)
        fake_close_device(devices[i]);
    for (size_t i = 1; i < COUNT(devices); i += 2) {
        assert_ptr_equal(pgs_device_from_handle(devices[i])->handle, devices[i]);
        fake_close_device(devices[i]);
    }
    ((PFN_vkDestroyDevice)fake_instance_proc(instance, "vkDestroyDevice"))(VK_NULL_HANDLE, NULL);
    fake_close_instance(instance);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(patches_enabled_features),
        TEST(point_size_alone_is_enough),
        TEST(patches_features2),
        TEST(patches_core_structs),
        TEST(patches_multiview),
        TEST(orders_several_queues),
        TEST(patches_the_address_struct),
        TEST(reads_what_the_application_enabled),
        TEST(stays_out_of_the_way),
        TEST(native_drivers_keep_their_feature),
        TEST(force_hides_the_native_feature),
        TEST(force_falls_back_to_the_native_feature),
        TEST(does_not_fall_back_for_want_of_memory),
        TEST(refuses_what_it_does_not_report),
        TEST(shows_shading_rates_where_layers_are_drawn_at_once),
        TEST(settings_hide_and_show_extensions),
        TEST(groups_and_halved_queues_cannot_emulate),
        TEST(unknown_structs_in_front_are_left_out),
        TEST(brings_extensions_below_1_2),
        TEST(does_not_ask_for_wide_indices_that_are_not_there),
        TEST(draws_several_at_once_on_cpus),
        TEST(survives_failures_of_the_driver),
        TEST(survives_want_of_memory),
        TEST(many_devices_live_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
