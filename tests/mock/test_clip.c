/* SPDX-License-Identifier: MIT
 *
 * Clip and cull distances where the driver lacks them, through the whole layer: what is reported
 * and hidden, and what the driver's device is asked for.
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
    unsetenv("VK_POLY_GS_CLIP");
    begin_test(false);
    return 0;
}

static const char *const extensions[] = {
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME,
};

static struct fake_config config_of(bool sample_shading, bool distances)
{
    struct fake_config config = fake_default_config();
    config.sample_shading = sample_shading;
    config.distances = distances;
    config.extensions = extensions;
    config.extension_count = sizeof(extensions) / sizeof(extensions[0]);
    return config;
}

struct report {
    bool clip, cull, dynamic_samples, post_depth;
    uint32_t combined;
};

static struct report report_of(VkInstance instance)
{
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &states};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
    VkPhysicalDeviceProperties properties;
    ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties"))(physical, &properties);
    VkExtensionProperties list[64];
    uint32_t count = 64;
    assert_int_equal(
        ((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
            instance, "vkEnumerateDeviceExtensionProperties"))(physical, NULL, &count, list),
        VK_SUCCESS);
    struct report report = {.clip = features.features.shaderClipDistance,
                            .cull = features.features.shaderCullDistance,
                            .dynamic_samples = states.extendedDynamicState3RasterizationSamples,
                            .combined = properties.limits.maxCombinedClipAndCullDistances};
    for (uint32_t i = 0; i < count; i++)
        report.post_depth |=
            strcmp(list[i].extensionName, VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME) == 0;
    return report;
}

/* Where the layer emulates them, what needs the driver's is not there. Without sample shading it
 * does not. */
static void reports_the_features(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct fake_config config = config_of(i != 3, i != 1 && i != 3);
        const bool emulated = i == 1 || i == 2;
        fake_reset(&config);
        if (i >= 2)
            setenv("VK_POLY_GS_CLIP", "emulate", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_CLIP");
        const struct report report = report_of(instance);
        assert_int_equal(report.clip, i != 3);
        assert_int_equal(report.cull, i != 3);
        assert_int_equal(report.post_depth, !emulated);
        assert_int_equal(report.dynamic_samples, !emulated);
        if (emulated)
            assert_int_equal(report.combined, 8);
        fake_close_instance(instance);
    }
}

/* With one of the features alone the layer is active, too. */
static void keeps_them_from_the_driver(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const bool lacks = i & 1, clip = i & 2, cull = i & 4;
        const struct fake_config config = config_of(true, !lacks);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDeviceFeatures features = {.shaderClipDistance = clip,
                                                   .shaderCullDistance = cull};
        VkDevice device;
        assert_int_equal(fake_create_device_with(instance, &features, &device), VK_SUCCESS);
        const VkPhysicalDeviceFeatures *asked = &fake_device_created.features;
        assert_int_equal(asked->shaderClipDistance, clip && !lacks);
        assert_int_equal(asked->shaderCullDistance, cull && !lacks);
        assert_int_equal(asked->sampleRateShading, lacks && (clip || cull));
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_features),
        TEST(keeps_them_from_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
