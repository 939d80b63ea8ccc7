/* SPDX-License-Identifier: MIT
 *
 * vertexPipelineStoresAndAtomics where the driver lacks it, through the whole layer: what is
 * reported and hidden, and what the driver's device is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_STORES");
    begin_test(false);
    return 0;
}

static struct fake_config config_of(bool no_stores, bool geometry)
{
    struct fake_config config = fake_default_config();
    config.no_stores = no_stores;
    config.geometry = geometry;
    return config;
}

/* Not where geometry shaders are the driver's: no vertex shader becomes an emulated one there. */
static void reports_the_feature(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool lacks = i & 1, geometry = i & 2;
        const struct fake_config config = config_of(lacks, geometry);
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        VkPhysicalDeviceFeatures features;
        ((PFN_vkGetPhysicalDeviceFeatures)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures"))(fake_first_physical_device(instance),
                                                      &features);
        assert_int_equal(features.vertexPipelineStoresAndAtomics, !lacks || !geometry);
        fake_close_instance(instance);
    }
}

/* With the feature alone the layer is active, too. */
static void keeps_it_from_the_driver(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const bool lacks = i & 1, asks = i & 2, emulates = i & 4;
        const struct fake_config config = config_of(lacks, false);
        fake_reset(&config);
        if (emulates)
            setenv("VK_POLY_GS_STORES", "emulate", 1);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        unsetenv("VK_POLY_GS_STORES");
        const VkPhysicalDeviceFeatures features = {.vertexPipelineStoresAndAtomics = asks};
        VkDevice device;
        assert_int_equal(fake_create_device_with(instance, &features, &device), VK_SUCCESS);
        assert_int_equal(fake_device_created.features.vertexPipelineStoresAndAtomics,
                         asks && !lacks && !emulates);
        assert_int_equal(fake_device_created.buffer_device_address, asks && (lacks || emulates));
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
