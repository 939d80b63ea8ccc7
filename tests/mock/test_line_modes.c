/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_line_rasterization through the whole layer, on drivers with and without it: who brings it,
 * what is reported with it, and that the driver never hears of it where the layer does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

#include <string.h>

#define KHR_NAME "VK_KHR_line_rasterization"
#define KHR_COMMAND "vkCmdSetLineStippleKHR"

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_LINE_MODES");
    unsetenv("VK_POLY_GS_LINES");
    begin_test(true);
    return 0;
}

/* What a driver has, and what is to come of it. */
struct driver {
    bool sample_shading, has_extension, has_features, emulate; /* the last: is set */
    const char *other; /* an extension that would have to be hidden; NULL: none */
    bool reported, ours;
};
static const struct driver drivers[] = {
    {.sample_shading = true, .reported = true, .ours = true},
    {.sample_shading = true, .has_extension = true, .reported = true, .ours = true},
    {.has_extension = false},
    {.sample_shading = true, .has_extension = true, .has_features = true, .reported = true},
    {.has_extension = true, .has_features = true, .emulate = true, .reported = true, .ours = true},
    {.sample_shading = true, .other = VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME},
    {.sample_shading = true, .other = VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME},
    {.sample_shading = true,
     .other = VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
     .emulate = true,
     .reported = true,
     .ours = true},
};

static VkInstance open_instance(const struct driver *driver)
{
    static const char *names[2];
    static const char *const missing[] = {"vkCmdSetLineStippleEXT", KHR_COMMAND, NULL};
    struct fake_config config = fake_default_config();
    config.sample_shading = driver->sample_shading;
    config.line_modes = driver->has_features;
    config.limits.subPixelPrecisionBits = 6;
    config.extensions = names;
    config.missing = driver->has_extension ? NULL : missing;
    if (driver->has_extension)
        names[config.extension_count++] = VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME;
    if (driver->other)
        names[config.extension_count++] = driver->other;
    fake_reset(&config);
    if (driver->emulate)
        setenv("VK_POLY_GS_LINE_MODES", "emulate", 1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    unsetenv("VK_POLY_GS_LINE_MODES");
    return instance;
}

static bool lists(VkInstance instance, const char *name)
{
    VkExtensionProperties list[32];
    uint32_t count = COUNT(list), found = 0;
    assert_int_equal(((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                         instance, "vkEnumerateDeviceExtensionProperties"))(
                         fake_first_physical_device(instance), NULL, &count, list),
                     VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(list[i].extensionName, name) == 0;
    assert_true(found <= 1);
    return found;
}

static void reports_the_extension(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT(drivers); i++) {
        const struct driver *driver = &drivers[i];
        const VkInstance instance = open_instance(driver);
        const VkPhysicalDevice physical = fake_first_physical_device(instance);
        VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
        VkPhysicalDeviceLineRasterizationPropertiesEXT bits = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT,
            .lineSubPixelPrecisionBits = 99};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &lines};
        VkPhysicalDeviceProperties2 properties = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &bits};
        ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
        ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties2"))(physical, &properties);
        assert_int_equal(lists(instance, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME),
                         driver->reported || driver->has_extension);
        if (driver->reported) {
            assert_true(lines.rectangularLines && lines.bresenhamLines);
            assert_true(lines.stippledRectangularLines && lines.stippledBresenhamLines);
            assert_int_equal(lines.smoothLines, !driver->ours);
            assert_int_equal(lines.stippledSmoothLines, !driver->ours);
        }
        assert_int_equal(bits.lineSubPixelPrecisionBits == 99, !driver->ours);
        if (driver->ours)
            assert_int_equal(bits.lineSubPixelPrecisionBits,
                             properties.properties.limits.subPixelPrecisionBits);
        if (driver->other)
            assert_int_equal(lists(instance, driver->other), !driver->ours);
        fake_close_instance(instance);
    }
}

static VkResult create(VkInstance instance, const void *chain, const char *const *name,
                       const VkPhysicalDeviceFeatures *features, VkDevice *device)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = chain,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = name,
        .pEnabledFeatures = features,
    };
    return fake_create_device(instance, fake_first_physical_device(instance), &info, device);
}

/* Also if the application enables nothing else. The command is there either way. */
static void keeps_it_from_the_driver(void **state)
{
    (void)state;
    static const char *const name = VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME;
    for (uint32_t i = 0; i < 2 * COUNT(drivers); i++) {
        const struct driver *driver = &drivers[i / 2];
        if (!driver->reported)
            continue;
        const VkInstance instance = open_instance(driver);
        const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};
        const VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
            .rectangularLines = VK_TRUE,
            .stippledBresenhamLines = VK_TRUE};
        VkDevice device;
        assert_int_equal(create(instance, &lines, &name, i % 2 ? &geometry : NULL, &device),
                         VK_SUCCESS);
        const struct fake_created *created = &fake_device_created;
        assert_int_equal(fake_created_has_extension(created, name), !driver->ours);
        assert_int_equal(fake_created_has_struct(created, lines.sType), !driver->ours);
        if (driver->ours) /* gaps of stipples may be samples */
            assert_int_equal(created->features.sampleRateShading, driver->sample_shading);
        assert_non_null(fake_device_proc(device, "vkCmdSetLineStippleEXT"));
        if (driver->ours && lists(instance, KHR_NAME)) /* headers may be too old to know it */
            assert_non_null(fake_device_proc(device, KHR_COMMAND));
        else if (!driver->has_extension)
            assert_null(fake_device_proc(device, KHR_COMMAND));
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

static void refuses_smooth_lines(void **state)
{
    (void)state;
    static const char *const name = VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME;
    for (uint32_t i = 0; i < 3; i++) {
        const VkInstance instance = open_instance(&drivers[0]);
        const VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
            .rectangularLines = VK_TRUE,
            .smoothLines = i == 1,
            .stippledSmoothLines = i == 2};
        VkDevice device;
        const VkResult result = create(instance, &lines, &name, NULL, &device);
        assert_int_equal(result, i ? VK_ERROR_FEATURE_NOT_PRESENT : VK_SUCCESS);
        if (result == VK_SUCCESS)
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
        TEST(refuses_smooth_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
