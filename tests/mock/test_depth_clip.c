/* SPDX-License-Identifier: MIT
 *
 * Depth clipping and statistics where the driver lacks them, through the whole layer: what is
 * reported and hidden, and what the driver's device is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

#include <string.h>

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_DEPTH_CLIP");
    unsetenv("VK_POLY_GS_STATISTICS");
    begin_test(true);
    return 0;
}

static const char *const has[] = {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME,
                                  VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME};

/* What a driver has, and what is to come of it. */
struct driver {
    bool clamps, distances, sample_shading, has_extension, emulate; /* the last: is set */
    bool reported, ours;
};
static const struct driver drivers[] = {
    {.clamps = true, .distances = true, .reported = true, .ours = true},
    {.clamps = true, .sample_shading = true, .reported = true, .ours = true},
    {.distances = true},
    {.clamps = true}, /* nothing clips */
    {.clamps = true, .distances = true, .has_extension = true, .reported = true},
    {.clamps = true,
     .distances = true,
     .has_extension = true,
     .emulate = true,
     .reported = true,
     .ours = true},
};

static VkInstance open_instance(const struct driver *driver)
{
    struct fake_config config = fake_default_config();
    config.depth_clamp = driver->clamps;
    config.distances = driver->distances;
    config.sample_shading = driver->sample_shading;
    config.extensions = has;
    config.extension_count = driver->has_extension ? 2 : 1;
    config.depth_clip = driver->has_extension;
    fake_reset(&config);
    if (driver->emulate)
        setenv("VK_POLY_GS_DEPTH_CLIP", "emulate", 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    unsetenv("VK_POLY_GS_DEPTH_CLIP");
    return instance;
}

static bool lists(VkInstance instance, const char *name)
{
    VkExtensionProperties list[32];
    uint32_t count = COUNT(list);
    assert_int_equal(((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                         instance, "vkEnumerateDeviceExtensionProperties"))(
                         fake_first_physical_device(instance), NULL, &count, list),
                     VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

static void reports_the_extension(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT(drivers); i++) {
        const VkInstance instance = open_instance(&drivers[i]);
        VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &clip};
        ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures2"))(fake_first_physical_device(instance),
                                                       &features);
        assert_int_equal(lists(instance, has[1]), drivers[i].reported);
        assert_int_equal(clip.depthClipEnable, drivers[i].reported);
        /* Who may leave depths unclamped has to know who clamps. */
        assert_int_equal(lists(instance, has[0]), !drivers[i].ours);
        fake_close_instance(instance);
    }
}

/* Also if the application enables nothing else. */
static void keeps_it_from_the_driver(void **state)
{
    (void)state;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    for (uint32_t i = 0; i < 2 * COUNT(drivers); i++) {
        const struct driver *driver = &drivers[i / 2];
        if (!driver->reported)
            continue;
        const VkInstance instance = open_instance(driver);
        const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
        const VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
            .depthClipEnable = VK_TRUE};
        const VkDeviceCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = &clip,
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = &queue,
            .enabledExtensionCount = 1,
            .ppEnabledExtensionNames = &has[1],
            .pEnabledFeatures = i % 2 ? &geometry : NULL,
        };
        VkDevice device;
        assert_int_equal(
            fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
            VK_SUCCESS);
        const struct fake_created *created = &fake_device_created;
        assert_int_equal(fake_created_has_extension(created, has[1]), !driver->ours);
        assert_int_equal(fake_created_has_struct(created, clip.sType), !driver->ours);
        assert_int_equal(created->features.depthClamp, driver->ours);
        assert_int_equal(created->features.shaderClipDistance, driver->ours && driver->distances);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Setting, what the driver can, what is reported, and whether it is the driver's. */
static void counts_statistics_on_demand(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool can, reported, native;
    } cases[] = {
        {NULL, false, false, false},     {NULL, true, true, true},   {"1", false, true, false},
        {"1", true, true, true},         {"0", false, false, false}, {"emulate", true, true, false},
        {"emulate", false, true, false},
    };
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        struct fake_config config = fake_default_config();
        config.no_statistics = !cases[i].can;
        fake_reset(&config);
        if (cases[i].value)
            setenv("VK_POLY_GS_STATISTICS", cases[i].value, 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_STATISTICS");
        VkPhysicalDeviceFeatures features;
        ((PFN_vkGetPhysicalDeviceFeatures)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures"))(fake_first_physical_device(instance),
                                                      &features);
        assert_int_equal(features.pipelineStatisticsQuery, cases[i].reported);
        const VkPhysicalDeviceFeatures asked = {.pipelineStatisticsQuery = cases[i].reported};
        VkDevice device;
        assert_int_equal(fake_create_device_with(instance, &asked, &device), VK_SUCCESS);
        assert_int_equal(fake_device_created.features.pipelineStatisticsQuery, cases[i].native);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_extension),
        TEST(keeps_it_from_the_driver),
        TEST(counts_statistics_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
