/* SPDX-License-Identifier: MIT
 *
 * The UUID of caches, and the data of the application's VkPipelineCache, through the whole layer.
 * Programs keep what they make of features and limits under that UUID: a driver with the layer is
 * another one.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"
#include "fake_cache.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t drivers[VK_UUID_SIZE] = FAKE_CACHE_UUID;

/* A device on a driver with or without geometry shaders, and what it needs. */
struct opened {
    VkInstance instance;
    VkDevice device;
    uint8_t uuid[VK_UUID_SIZE]; /* that is reported */
    PFN_vkCreatePipelineCache create;
    PFN_vkDestroyPipelineCache destroy;
    PFN_vkGetPipelineCacheData get_data;
};

static int set_up(void **state)
{
    (void)state;
    begin_test(false);
    memset(&fake_cache_given, 0, sizeof(fake_cache_given));
    return 0;
}

static struct opened open_device(bool native, bool wants_geometry)
{
    struct fake_config config = fake_default_config();
    const VkPhysicalDeviceFeatures features = {.geometryShader = wants_geometry};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pEnabledFeatures = &features};
    struct opened opened;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceProperties2 again = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    config.geometry = native;
    fake_reset(&config);
    opened.instance = fake_open_instance(VK_API_VERSION_1_2);
    const VkPhysicalDevice physical = fake_first_physical_device(opened.instance);
    ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
        opened.instance, "vkGetPhysicalDeviceProperties"))(physical, &properties);
    ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
        opened.instance, "vkGetPhysicalDeviceProperties2"))(physical, &again);
    assert_memory_equal(properties.pipelineCacheUUID, again.properties.pipelineCacheUUID,
                        VK_UUID_SIZE);
    memcpy(opened.uuid, properties.pipelineCacheUUID, VK_UUID_SIZE);
    assert_int_equal(fake_create_device(opened.instance, physical, &info, &opened.device),
                     VK_SUCCESS);
    assert_int_equal(pgs_device_from_handle(opened.device)->active, !native && wants_geometry);
    opened.create =
        (PFN_vkCreatePipelineCache)fake_device_proc(opened.device, "vkCreatePipelineCache");
    opened.destroy =
        (PFN_vkDestroyPipelineCache)fake_device_proc(opened.device, "vkDestroyPipelineCache");
    opened.get_data =
        (PFN_vkGetPipelineCacheData)fake_device_proc(opened.device, "vkGetPipelineCacheData");
    return opened;
}

static void close_device(const struct opened *opened)
{
    fake_close_device(opened->device);
    fake_close_instance(opened->instance);
}

static VkPipelineCache create(const struct opened *opened, const void *data, size_t data_B)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = data_B,
        .pInitialData = data,
    };
    VkPipelineCache cache;
    assert_int_equal(opened->create(opened->device, &info, NULL, &cache), VK_SUCCESS);
    return cache;
}

/* What the driver is given, and what its data became, for data with this UUID. */
static void goes_there_and_back(const struct opened *opened)
{
    VkPipelineCacheHeaderVersionOne header;
    unsigned char data[FAKE_CACHE_DATA_B], before[FAKE_CACHE_DATA_B];
    size_t size_B = 0;
    const VkPipelineCache first = create(opened, NULL, 0);
    assert_int_equal(opened->get_data(opened->device, first, &size_B, NULL), VK_SUCCESS);
    assert_int_equal(size_B, sizeof(data));
    assert_int_equal(opened->get_data(opened->device, first, &size_B, data), VK_SUCCESS);
    memcpy(&header, data, sizeof(header));
    assert_memory_equal(header.pipelineCacheUUID, opened->uuid, VK_UUID_SIZE);
    memcpy(before, data, sizeof(data));
    const VkPipelineCache second = create(opened, data, sizeof(data));
    assert_memory_equal(data, before, sizeof(data)); /* the program's */
    memcpy(&header, fake_cache_given.bytes, sizeof(header));
    assert_int_equal(fake_cache_given.size_B, sizeof(data));
    assert_memory_equal(header.pipelineCacheUUID, drivers, VK_UUID_SIZE);
    assert_memory_equal(fake_cache_given.bytes + sizeof(header), data + sizeof(header),
                        sizeof(data) - sizeof(header));
    opened->destroy(opened->device, first, NULL);
    opened->destroy(opened->device, second, NULL);
}

/* Also on a device that enables nothing that the layer emulates, as it is told the same UUID. */
static void is_another_driver(void **state)
{
    (void)state;
    for (int wants_geometry = 0; wants_geometry < 2; wants_geometry++) {
        const struct opened opened = open_device(false, wants_geometry);
        assert_memory_not_equal(opened.uuid, drivers, VK_UUID_SIZE);
        goes_there_and_back(&opened);
        close_device(&opened);
    }
}

static void leaves_the_driver_alone(void **state)
{
    (void)state;
    const struct opened opened = open_device(true, true);
    assert_memory_equal(opened.uuid, drivers, VK_UUID_SIZE);
    goes_there_and_back(&opened);
    close_device(&opened);
}

/* Data that are cut off have their header whole, or none. */
static void changes_what_is_incomplete(void **state)
{
    (void)state;
    const struct opened opened = open_device(false, true);
    const VkPipelineCache cache = create(&opened, NULL, 0);
    for (size_t room_B = 0; room_B < FAKE_CACHE_DATA_B; room_B += 4) {
        unsigned char data[FAKE_CACHE_DATA_B];
        VkPipelineCacheHeaderVersionOne header;
        size_t size_B = room_B;
        memset(data, 0xee, sizeof(data));
        assert_int_equal(opened.get_data(opened.device, cache, &size_B, data), VK_INCOMPLETE);
        assert_int_equal(size_B, room_B < sizeof(header) ? 0 : sizeof(header));
        memcpy(&header, data, sizeof(header));
        if (size_B)
            assert_memory_equal(header.pipelineCacheUUID, opened.uuid, VK_UUID_SIZE);
        for (size_t i = size_B; i < sizeof(data); i++)
            assert_int_equal(data[i], 0xee);
    }
    opened.destroy(opened.device, cache, NULL);
    close_device(&opened);
}

/* Of other drivers, of versions to come, or too short: the driver knows what to do. */
static void passes_on_what_is_not_ours(void **state)
{
    (void)state;
    const struct opened opened = open_device(false, true);
    VkPipelineCacheHeaderVersionOne header = {
        .headerSize = sizeof(header), .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE};
    for (int i = 0; i < 3; i++) {
        memcpy(header.pipelineCacheUUID, opened.uuid, VK_UUID_SIZE);
        header.pipelineCacheUUID[VK_UUID_SIZE - 1] ^= i == 0;
        header.headerVersion = i == 1 ? 7 : VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
        const size_t size_B = i == 2 ? sizeof(header) - 1 : sizeof(header);
        const VkPipelineCache cache = create(&opened, &header, size_B);
        assert_int_equal(fake_cache_given.size_B, size_B);
        assert_memory_equal(fake_cache_given.bytes, &header, size_B);
        opened.destroy(opened.device, cache, NULL);
    }
    close_device(&opened);
}

/* Settings that change what is reported make another driver of it, others do not. */
static void depends_on_what_is_reported(void **state)
{
    static const struct {
        const char *name, *value;
        bool differs;
    } cases[] = {
        {"VK_POLY_GS_PLAN", "compute", false},
        {"VK_POLY_GS_HIDE", "VK_KHR_maintenance4", true},
        {"VK_POLY_GS_DRAWS", "emulate", true},
    };
    const struct opened usual = open_device(false, true);
    (void)state;
    close_device(&usual);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setenv(cases[i].name, cases[i].value, 1);
        const struct opened opened = open_device(false, true);
        unsetenv(cases[i].name);
        assert_int_equal(memcmp(opened.uuid, usual.uuid, VK_UUID_SIZE) != 0, cases[i].differs);
        goes_there_and_back(&opened);
        close_device(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(is_another_driver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_the_driver_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changes_what_is_incomplete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(passes_on_what_is_not_ours, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depends_on_what_is_reported, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
