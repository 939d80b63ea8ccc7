/* SPDX-License-Identifier: MIT
 *
 * 16-bit varyings (storageInputOutput16), which need no arithmetic of 16 bits between the stages of
 * a driver, but do in kernels.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

static const VkPhysicalDeviceFeatures geometry = {.robustBufferAccess = VK_TRUE,
                                                  .geometryShader = VK_TRUE};
static const char *const names[] = {"VK_KHR_shader_float16_int8", "VK_KHR_buffer_device_address"};

static int set_up(void **state)
{
    (void)state;
    begin_test(false);
    return 0;
}

static struct fake_config with_varyings(bool int16, bool float16)
{
    struct fake_config config = fake_default_config();
    config.extensions = names;
    config.extension_count = COUNT(names);
    config.varyings16 = true;
    config.int16 = int16;
    config.float16 = float16;
    return config;
}

static VkResult try_device(const void *chain, const VkPhysicalDeviceFeatures *enabled)
{
    static const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = chain,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = enabled};
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device);
    if (result == VK_SUCCESS)
        fake_close_device(device);
    fake_close_instance(instance);
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    return result;
}

/* In either struct. */
static bool is_reported(void)
{
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    VkPhysicalDevice16BitStorageFeatures lone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
    VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &lone};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(fake_first_physical_device(instance), &features);
    fake_close_instance(instance);
    assert_int_equal(lone.storageInputOutput16, core.storageInputOutput16);
    return core.storageInputOutput16;
}

static void kernels_have_what_they_need(void **state)
{
    (void)state;
    const VkPhysicalDevice16BitStorageFeatures lone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .storageInputOutput16 = VK_TRUE};
    const VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .storageInputOutput16 = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features later = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&core};
    const VkPhysicalDeviceShaderFloat16Int8Features off = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
        .pNext = (void *)&lone,
        .shaderInt8 = VK_TRUE};
    const VkPhysicalDeviceFeatures2 both = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                            .pNext = (void *)&lone,
                                            .features = geometry};
    const struct {
        const void *chain;
        bool features2;
        uint32_t version;
    } cases[] = {
        {&lone, false, VK_API_VERSION_1_3},  {&core, false, VK_API_VERSION_1_3},
        {&later, false, VK_API_VERSION_1_3}, {&off, false, VK_API_VERSION_1_3},
        {&both, true, VK_API_VERSION_1_3},   {&lone, false, VK_API_VERSION_1_1},
        {&off, false, VK_API_VERSION_1_1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_config config = with_varyings(true, true);
        config.device_version = cases[i].version;
        fake_reset(&config);
        assert_true(is_reported());
        assert_int_equal(try_device(cases[i].chain, cases[i].features2 ? NULL : &geometry),
                         VK_SUCCESS);
        assert_true(fake_device_created.features.shaderInt16 && fake_device_created.float16);
        assert_int_equal(fake_created_has_extension(&fake_device_created, names[0]),
                         cases[i].version < VK_API_VERSION_1_2);
    }
    assert_false(later.shaderFloat16 || off.shaderFloat16 || both.features.shaderInt16);
}

static void nobody_else_gets_them(void **state)
{
    (void)state;
    const VkPhysicalDevice16BitStorageFeatures buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .storageBuffer16BitAccess = VK_TRUE};
    const void *const chains[] = {NULL, &buffers};
    for (size_t i = 0; i < COUNT(chains); i++) {
        const struct fake_config config = with_varyings(true, true);
        fake_reset(&config);
        assert_int_equal(try_device(chains[i], &geometry), VK_SUCCESS);
        assert_false(fake_device_created.features.shaderInt16 || fake_device_created.float16);
    }
}

static void hidden_where_kernels_cannot(void **state)
{
    (void)state;
    const VkPhysicalDevice16BitStorageFeatures lone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .storageInputOutput16 = VK_TRUE};
    const VkPhysicalDeviceVulkan11Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .storageInputOutput16 = VK_TRUE};
    for (unsigned i = 0; i < 3; i++) {
        const struct fake_config config = with_varyings(i & 1, i & 2);
        fake_reset(&config);
        assert_false(is_reported());
        assert_int_equal(try_device(&lone, &geometry), VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(try_device(&core, &geometry), VK_ERROR_FEATURE_NOT_PRESENT);
        assert_int_equal(fake_device_created.attempts, 0);
    }
    struct fake_config config =
        with_varyings(true, true); /* before 1.2, and without the extension */
    config.device_version = VK_API_VERSION_1_1;
    config.extensions = &names[1];
    config.extension_count = 1;
    fake_reset(&config);
    assert_false(is_reported());
}

/* A driver that runs these stages itself needs nothing of it. */
static void shown_where_the_driver_draws(void **state)
{
    (void)state;
    struct fake_config config = with_varyings(false, false);
    config.geometry = true;
    fake_reset(&config);
    setenv("VK_POLY_GS_FEEDBACK", "0", 1);
    assert_true(is_reported());
    unsetenv("VK_POLY_GS_FEEDBACK");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(kernels_have_what_they_need),
        TEST(nobody_else_gets_them),
        TEST(hidden_where_kernels_cannot),
        TEST(shown_where_the_driver_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
