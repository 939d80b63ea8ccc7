/* SPDX-License-Identifier: MIT
 *
 * gl_Layer and gl_ViewportIndex of vertex shaders, on drivers that take both, one or none of them:
 * what the layer reports, what the driver hears of it, and which modules it gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

#include "vulkan/device.h"

#include <string.h>

#define NAME VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_LAYERS");
    unsetenv("VK_POLY_GS_VIEWPORTS");
    unsetenv("VK_POLY_GS_MISSING");
    begin_test(true);
    return 0;
}

/* What a driver has, and what is to come of it. */
struct driver {
    bool geometry, one_viewport, has_extension, has_layer, has_viewport;
    const char *layers, *viewports, *missing; /* settings */
    bool gives_layer, gives_viewport;         /* by the layer */
    bool layer, viewport, extension;          /* reported */
};
static const struct driver drivers[] = {
    {.gives_layer = true,
     .gives_viewport = true,
     .layer = true,
     .viewport = true,
     .extension = true},
    {.has_extension = true,
     .has_layer = true,
     .has_viewport = true,
     .layer = true,
     .viewport = true,
     .extension = true},
    {.has_extension = true,
     .has_layer = true,
     .has_viewport = true,
     .layers = "replay",
     .gives_layer = true,
     .layer = true,
     .viewport = true,
     .extension = true},
    {.has_extension = true,
     .has_layer = true,
     .has_viewport = true,
     .missing = "shaderOutputViewportIndex",
     .gives_viewport = true,
     .layer = true,
     .viewport = true,
     .extension = true},
    {.has_extension = true, /* whose index could only be 0 */
     .has_layer = true,
     .has_viewport = true,
     .one_viewport = true,
     .gives_viewport = true,
     .layer = true,
     .viewport = true,
     .extension = true},
    /* Its own geometry shaders, and nothing that is worth recording passes by layer. */
    {.geometry = true, .has_layer = true, .layer = true},
};

static VkInstance open_instance(const struct driver *driver)
{
    static const char *names[2] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, NAME};
    struct fake_config config = fake_default_config();
    config.geometry = config.tessellation = driver->geometry;
    config.one_viewport = driver->one_viewport;
    config.output_layer = driver->has_layer;
    config.output_viewport = driver->has_viewport;
    config.extensions = names;
    config.extension_count = driver->has_extension ? 2 : 1;
    fake_reset(&config);
    if (driver->layers)
        setenv("VK_POLY_GS_LAYERS", driver->layers, 1);
    if (driver->missing)
        setenv("VK_POLY_GS_MISSING", driver->missing, 1);
    if (driver->geometry)
        setenv("VK_POLY_GS_MISSING",
               "-multiViewport -fillModeNonSolid -shaderClipDistance -shaderCullDistance "
               "-wideLines -largePoints -vertexPipelineStoresAndAtomics geometryStreams "
               "-shaderTessellationAndGeometryPointSize",
               1);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    unsetenv("VK_POLY_GS_LAYERS");
    unsetenv("VK_POLY_GS_MISSING");
    return instance;
}

static uint32_t times_listed(VkInstance instance, const char *name)
{
    VkExtensionProperties list[16];
    uint32_t count = COUNT(list), found = 0;
    assert_int_equal(((PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
                         instance, "vkEnumerateDeviceExtensionProperties"))(
                         fake_first_physical_device(instance), NULL, &count, list),
                     VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(list[i].extensionName, name) == 0;
    return found;
}

static void reports_what_there_is(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT(drivers); i++) {
        const struct driver *driver = &drivers[i];
        const VkInstance instance = open_instance(driver);
        VkPhysicalDeviceVulkan12Features core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &core};
        ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures2"))(fake_first_physical_device(instance),
                                                       &features);
        assert_int_equal(core.shaderOutputLayer, driver->layer);
        assert_int_equal(core.shaderOutputViewportIndex, driver->viewport);
        assert_int_equal(times_listed(instance, NAME), driver->extension);
        fake_close_instance(instance);
    }
}

/* chain: NULL, or features that are asked; with_name: the extension is. */
static VkDevice open_device(VkInstance instance, const void *chain, bool with_name)
{
    static const char *const name = NAME;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = chain,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = with_name,
                                     .ppEnabledExtensionNames = &name};
    VkDevice device;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
        VK_SUCCESS);
    return device;
}

/* The layer's own shaders may write what the driver takes. */
static void asks_the_driver_for_its_own(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT(drivers); i++) {
        const struct driver *driver = &drivers[i];
        const VkInstance instance = open_instance(driver);
        const VkPhysicalDeviceVulkan12Features core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
            .shaderOutputLayer = driver->layer,
            .shaderOutputViewportIndex = driver->viewport};
        const VkPhysicalDeviceVulkan12Features before = core;
        const VkDevice device = open_device(instance, &core, driver->extension);
        const struct pgs_device *dev = pgs_device_from_handle(device);
        const struct fake_created *created = &fake_device_created;
        assert_int_equal(created->shader_output_layer, driver->has_layer);
        assert_int_equal(created->shader_output_viewport_index, driver->has_viewport);
        assert_int_equal(fake_created_has_extension(created, NAME), driver->has_extension);
        assert_int_equal(dev->layer_output, driver->gives_layer);
        assert_int_equal(dev->viewport_output, driver->gives_viewport);
        assert_memory_equal(&before, &core, sizeof(core));
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* The extension permits both, and is enough to be asked for. */
static void takes_the_extension_for_both(void **state)
{
    (void)state;
    const VkInstance instance = open_instance(&drivers[0]);
    VkDevice device = open_device(instance, NULL, true);
    const struct pgs_device *dev = pgs_device_from_handle(device);
    assert_true(dev->active && dev->layer_output && dev->viewport_output);
    fake_close_device(device);
    device = open_device(instance, NULL, false);
    dev = pgs_device_from_handle(device);
    assert_false(dev->active || dev->layer_output || dev->viewport_output);
    fake_close_device(device);
    fake_close_instance(instance);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_what_there_is),
        TEST(asks_the_driver_for_its_own),
        TEST(takes_the_extension_for_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
