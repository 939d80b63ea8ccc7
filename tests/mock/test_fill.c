/* SPDX-License-Identifier: MIT
 *
 * fillModeNonSolid where the driver lacks it, through the whole layer: what is reported and hidden,
 * and what the driver's device is asked for.
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
    unsetenv("VK_POLY_GS_FILL");
    begin_test(false);
    return 0;
}

static const char *const extensions[] = {
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
};

static struct fake_config config_of(bool only_fills)
{
    struct fake_config config = fake_default_config();
    config.only_fills = only_fills;
    config.extensions = extensions;
    config.extension_count = sizeof(extensions) / sizeof(extensions[0]);
    return config;
}

static bool reports_fill(VkInstance instance, VkBool32 *dynamic, uint32_t *visible)
{
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &states};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
    VkExtensionProperties list[64];
    uint32_t count = 64;
    assert_int_equal(
        ((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
            instance, "vkEnumerateDeviceExtensionProperties"))(physical, NULL, &count, list),
        VK_SUCCESS);
    *visible = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 1; k < sizeof(extensions) / sizeof(extensions[0]); k++)
            *visible += strcmp(list[i].extensionName, extensions[k]) == 0;
    *dynamic = states.extendedDynamicState3PolygonMode;
    return features.features.fillModeNonSolid;
}

/* The feature is always there; where the layer emulates it, what needs the driver's is not. */
static void reports_the_feature(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct fake_config config = config_of(i == 1);
        VkBool32 dynamic;
        uint32_t visible;
        fake_reset(&config);
        if (i == 2)
            setenv("VK_POLY_GS_FILL", "emulate", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_FILL");
        assert_true(reports_fill(instance, &dynamic, &visible));
        assert_int_equal(dynamic, i == 0);
        assert_int_equal(visible, i == 0 ? 1 : 0);
        fake_close_instance(instance);
    }
}

/* With fillModeNonSolid alone the layer is active, too. */
static void keeps_it_from_the_driver(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool only_fills = i & 1, geometry = i & 2;
        const struct fake_config config = config_of(only_fills);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkPhysicalDeviceFeatures features = {.geometryShader = geometry,
                                                   .fillModeNonSolid = VK_TRUE};
        VkDevice device;
        assert_int_equal(fake_create_device_with(instance, &features, &device), VK_SUCCESS);
        assert_int_equal(fake_device_created.features.fillModeNonSolid, !only_fills);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* The dynamic state is refused where it is hidden. */
static void refuses_the_dynamic_state(void **state)
{
    (void)state;
    const struct fake_config config = config_of(true);
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const char *const name = VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME;
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3PolygonMode = VK_TRUE};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &states,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = &name,
    };
    VkDevice device;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
        VK_ERROR_FEATURE_NOT_PRESENT);
    fake_close_instance(instance);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_feature),
        TEST(keeps_it_from_the_driver),
        TEST(refuses_the_dynamic_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
