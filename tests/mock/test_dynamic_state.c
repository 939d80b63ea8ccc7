/* SPDX-License-Identifier: MIT
 *
 * What is reported of VK_EXT_extended_dynamic_state3, and what vkCreateDevice makes of it, on the
 * fake driver.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

#define STATES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT

static void driver(bool geometry, bool has_states)
{
    static const char *const names[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    struct fake_config config = fake_default_config();
    config.geometry = geometry;
    config.extensions = names;
    config.extension_count = has_states;
    fake_reset(&config);
}

/* The driver takes a layer from a vertex shader, so passes are recorded once. */
static void driver_with_layers(void)
{
    static const char *const names[] = {
        VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
        VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
        VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME,
        VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME,
        VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME,
    };
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = COUNT(names);
    fake_reset(&config);
}

static int set_up(void **state)
{
    (void)state;
    begin_test(true);
    driver(false, true);
    return 0;
}

static VkPhysicalDeviceExtendedDynamicState3FeaturesEXT ask(VkBool32 *unrestricted)
{
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = {.sType = STATES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &states};
    VkPhysicalDeviceExtendedDynamicState3PropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
    ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties2"))(physical, &properties);
    fake_close_instance(instance);
    *unrestricted = limits.dynamicPrimitiveTopologyUnrestricted;
    return states;
}

static void reports_what_it_can_honour(void **state)
{
    (void)state;
    VkBool32 unrestricted;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = ask(&unrestricted);
    assert_true(states.extendedDynamicState3RasterizationStream);
    assert_true(states.extendedDynamicState3PolygonMode);
    assert_true(unrestricted);
    assert_false(states.extendedDynamicState3SampleLocationsEnable ||
                 states.extendedDynamicState3ViewportSwizzle);
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    states = ask(&unrestricted);
    assert_false(states.extendedDynamicState3RasterizationStream);
    assert_true(states.extendedDynamicState3PolygonMode);
    setenv("VK_POLY_GS_FEEDBACK", "1", 1);
    driver(false, false); /* the extension is not there */
    assert_false(ask(&unrestricted).extendedDynamicState3RasterizationStream);
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    driver(true, true); /* nothing is emulated */
    states = ask(&unrestricted);
    assert_true(states.extendedDynamicState3RasterizationStream && unrestricted &&
                states.extendedDynamicState3SampleLocationsEnable &&
                states.extendedDynamicState3ViewportSwizzle);
}

/* The state of an extension is visible where the extension is. */
static void reports_states_of_extensions(void **state)
{
    (void)state;
    for (int lines = 0; lines < 2; lines++) {
        VkBool32 unrestricted;
        driver_with_layers();
        if (lines)
            setenv("VK_POLY_GS_LINES", "emulate", 1);
        const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states = ask(&unrestricted);
        unsetenv("VK_POLY_GS_LINES");
        assert_true(states.extendedDynamicState3SampleLocationsEnable &&
                    states.extendedDynamicState3CoverageModulationTable &&
                    states.extendedDynamicState3CoverageReductionMode &&
                    states.extendedDynamicState3ViewportSwizzle &&
                    states.extendedDynamicState3RepresentativeFragmentTestEnable);
        assert_int_equal(states.extendedDynamicState3ViewportWScalingEnable, !lines);
        assert_false(states.extendedDynamicState3ShadingRateImageEnable);
    }
}

/* What the layer is on a device with these features. */
static VkResult try_device(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states, bool *active)
{
    static const float priority = 1.0f;
    static const VkDeviceQueueCreateInfo queue = {.sType =
                                                      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                  .queueCount = 1,
                                                  .pQueuePriorities = &priority};
    static const char *const names[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    states.sType = STATES;
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT before = states;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &states,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = names};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device);
    assert_memory_equal(&before, &states, sizeof(states));
    if (result == VK_SUCCESS) {
        *active = pgs_device_from_handle(device)->active;
        fake_close_device(device);
    }
    fake_close_instance(instance);
    return result;
}

static void the_stream_is_ours(void **state)
{
    (void)state;
    bool active = false;
    assert_int_equal(try_device(
                         (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT){
                             .extendedDynamicState3RasterizationStream = VK_TRUE,
                             .extendedDynamicState3PolygonMode = VK_TRUE},
                         &active),
                     VK_SUCCESS);
    assert_true(active && fake_device_created.polygon_mode);
    assert_false(fake_device_created.raster_stream);
    assert_true(fake_created_has_extension(&fake_device_created,
                                           VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME));
    /* Without it nothing of ours is asked for. */
    assert_int_equal(try_device(
                         (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT){
                             .extendedDynamicState3PolygonMode = VK_TRUE},
                         &active),
                     VK_SUCCESS);
    assert_true(!active && fake_device_created.polygon_mode);
}

static void refuses_what_is_not_reported(void **state)
{
    (void)state;
    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT wishes[] = {
        {.extendedDynamicState3SampleLocationsEnable = VK_TRUE},
        {.extendedDynamicState3ViewportSwizzle = VK_TRUE},
        {.extendedDynamicState3ShadingRateImageEnable = VK_TRUE},
        {.extendedDynamicState3RasterizationStream = VK_TRUE},
    };
    bool active;
    for (size_t i = 0; i < COUNT(wishes); i++) {
        setenv("VK_POLY_GS_FEEDBACK", i + 1 == COUNT(wishes) ? "0" : "1", 1);
        assert_int_equal(try_device(wishes[i], &active), VK_ERROR_FEATURE_NOT_PRESENT);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_what_it_can_honour),
        TEST(reports_states_of_extensions),
        TEST(the_stream_is_ours),
        TEST(refuses_what_is_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
