/* SPDX-License-Identifier: MIT
 *
 * wideLines where the driver lacks it, through the whole layer: what is reported and hidden, and
 * what the driver's device is asked for.
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
    unsetenv("VK_POLY_GS_LINES");
    begin_test(false);
    return 0;
}

static const char *const extensions[] = {
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
};

static struct fake_config config_of(bool thin_lines)
{
    struct fake_config config = fake_default_config();
    config.thin_lines = thin_lines;
    config.extensions = extensions;
    config.extension_count = sizeof(extensions) / sizeof(extensions[0]);
    return config;
}

/* The feature is always there, and where the layer emulates it, widths that it draws. */
static void reports_the_feature(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct fake_config config = config_of(i == 1);
        const bool ours = i > 0;
        fake_reset(&config);
        if (i == 2)
            setenv("VK_POLY_GS_LINES", "emulate", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_LINES");
        const VkPhysicalDevice physical = fake_first_physical_device(instance);
        VkPhysicalDeviceFeatures features;
        VkPhysicalDeviceProperties properties;
        ((PFN_vkGetPhysicalDeviceFeatures)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures"))(physical, &features);
        ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties"))(physical, &properties);
        assert_true(features.wideLines);
        assert_true(properties.limits.lineWidthRange[0] == (ours ? 1 : 0));
        assert_true(properties.limits.lineWidthRange[1] == (ours ? 64 : 8));
        assert_true(properties.limits.lineWidthGranularity == (ours ? 0.125f : 0));
        fake_close_instance(instance);
    }
}

static VkResult create(VkInstance instance, const void *chain,
                       const VkPhysicalDeviceFeatures *features, VkDevice *device)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = chain,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = sizeof(extensions) / sizeof(extensions[0]),
        .ppEnabledExtensionNames = extensions,
        .pEnabledFeatures = features,
    };
    return fake_create_device(instance, fake_first_physical_device(instance), &info, device);
}

/* With wideLines alone the layer is active, too. */
static void keeps_it_from_the_driver(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct fake_config config = config_of(i & 1);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDeviceFeatures features = {.geometryShader = (i & 2) != 0,
                                                   .wideLines = VK_TRUE};
        VkDevice device;
        assert_int_equal(create(instance, NULL, &features, &device), VK_SUCCESS);
        assert_int_equal(fake_device_created.features.wideLines, !(i & 1));
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Smooth lines, and the dynamic state of modes, are refused where they are hidden; stippled ones
 * are not. */
static void refuses_what_wide_lines_cannot_be(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const struct fake_config config = config_of(i & 1);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
            .rectangularLines = VK_TRUE,
            .bresenhamLines = VK_TRUE,
            .smoothLines = i / 2 == 1,
            .stippledRectangularLines = i / 2 == 4,
            .stippledBresenhamLines = i / 2 == 4,
            .stippledSmoothLines = i / 2 == 2};
        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
            .pNext = &lines,
            .extendedDynamicState3LineRasterizationMode = i / 2 == 3,
            .extendedDynamicState3LineStippleEnable = i / 2 == 5};
        const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
        VkDevice device;
        const VkResult result = create(instance, &states, &features, &device);
        const bool hidden = (i & 1) && i / 2 >= 1 && i / 2 <= 3;
        assert_int_equal(result, hidden ? VK_ERROR_FEATURE_NOT_PRESENT : VK_SUCCESS);
        if (result == VK_SUCCESS)
            fake_close_device(device);
        fake_close_instance(instance);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_feature),
        TEST(keeps_it_from_the_driver),
        TEST(refuses_what_wide_lines_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
