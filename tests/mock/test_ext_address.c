/* SPDX-License-Identifier: MIT
 *
 * Drivers whose only buffer addresses are those of VK_EXT_buffer_device_address.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"
#include "fake_memory.h"

#define DEVICE_INFO .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO

static const VkPhysicalDeviceFeatures geometry = {.robustBufferAccess = VK_TRUE,
                                                  .geometryShader = VK_TRUE};

static int set_up(void **state)
{
    (void)state;
    begin_test(false);
    return 0;
}

/* Creates and destroys a device; *active tells what became of it. */
static VkResult try_device(uint32_t api_version, const VkDeviceCreateInfo *info, bool *active)
{
    const VkInstance instance = fake_open_instance(api_version);
    const VkDeviceCreateInfo before = *info;
    VkDevice device;
    const VkResult result =
        fake_create_device(instance, fake_first_physical_device(instance), info, &device);
    assert_memory_equal(&before, info, sizeof(before));
    *active = result == VK_SUCCESS && pgs_device_from_handle(device)->active;
    if (result == VK_SUCCESS)
        fake_close_device(device);
    fake_close_instance(instance);
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    return result;
}

static const char *const ext_names[] = {"VK_EXT_buffer_device_address", "VK_KHR_swapchain"};

/* Like the commonest driver of phones without geometry shaders: Vulkan 1.1, and only this form. */
static struct fake_config with_ext_address(void)
{
    struct fake_config config = fake_default_config();
    config.extensions = ext_names;
    config.extension_count = COUNT(ext_names);
    config.device_version = VK_API_VERSION_1_1;
    config.buffer_device_address = false;
    config.ext_address = config.int64 = true;
    return config;
}

static void assert_asked_for_ext_address(void)
{
    const struct fake_created *created = &fake_device_created;
    assert_true(created->ext_address);
    assert_false(created->buffer_device_address || created->ext_capture_replay);
    assert_int_equal(created->address_structs, 1);
    assert_true(fake_created_has_extension(created, "VK_EXT_buffer_device_address"));
    assert_int_equal(created->extension_count, 1);
}

static void takes_addresses_of_the_older_extension(void **state)
{
    (void)state;
    const struct fake_config config = with_ext_address();
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    const uint32_t versions[] = {VK_API_VERSION_1_0, VK_API_VERSION_1_1, VK_API_VERSION_1_3};
    for (size_t i = 0; i < COUNT(versions); i++) {
        bool active;
        fake_reset(&config);
        assert_int_equal(try_device(versions[i], &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_asked_for_ext_address();
    }
}

static void needs_int64_for_the_older_extension(void **state)
{
    (void)state;
    struct fake_config config = with_ext_address();
    config.int64 = false;
    const VkDeviceCreateInfo info = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    bool active;
    fake_reset(&config);
    assert_int_equal(try_device(VK_API_VERSION_1_1, &info, &active), VK_SUCCESS);
    assert_false(active);
}

static void shares_the_older_extension(void **state)
{
    (void)state;
    const struct fake_config config = with_ext_address();
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_1);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 reported = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &address};
    ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
        instance, "vkGetPhysicalDeviceFeatures2"))(physical, &reported);
    assert_true(address.bufferDeviceAddress && reported.features.geometryShader);
    fake_close_instance(instance);

    const VkBool32 asked[] = {VK_FALSE, VK_TRUE};
    for (size_t i = 0; i < COUNT(asked); i++) {
        address.bufferDeviceAddress = asked[i];
        const VkDeviceCreateInfo info = {DEVICE_INFO, .pNext = &address, .enabledExtensionCount = 1,
                                         .ppEnabledExtensionNames = ext_names,
                                         .pEnabledFeatures = &geometry};
        bool active;
        fake_reset(&config);
        assert_int_equal(try_device(VK_API_VERSION_1_1, &info, &active), VK_SUCCESS);
        assert_true(active);
        assert_asked_for_ext_address();
        assert_int_equal(address.bufferDeviceAddress, asked[i]);
    }
}

static void hides_the_older_extension_where_it_has_the_newer(void **state)
{
    (void)state;
    static const char *const both[] = {"VK_EXT_buffer_device_address",
                                       "VK_KHR_buffer_device_address"};
    struct fake_config config = with_ext_address();
    config.extensions = both;
    config.buffer_device_address = true;
    fake_reset(&config);
    const VkDeviceCreateInfo plain = {DEVICE_INFO, .pEnabledFeatures = &geometry};
    bool active;
    assert_int_equal(try_device(VK_API_VERSION_1_1, &plain, &active), VK_SUCCESS);
    assert_true(active && fake_device_created.buffer_device_address);
    assert_true(fake_created_has_extension(&fake_device_created, both[1]));
    assert_false(fake_created_has_extension(&fake_device_created, both[0]));
    const VkDeviceCreateInfo info = {DEVICE_INFO, .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = both,
                                     .pEnabledFeatures = &geometry};
    assert_int_equal(try_device(VK_API_VERSION_1_1, &info, &active),
                     VK_ERROR_EXTENSION_NOT_PRESENT);
}

/* The flag belongs to the newer form: applications' memory gets it there alone. */
static void gives_memory_no_flags_for_the_older_extension(void **state)
{
    (void)state;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = 256};
    for (int ext = 0; ext < 2; ext++) {
        const struct fake_config config = ext ? with_ext_address() : fake_default_config();
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_1);
        const VkDevice device = fake_open_geometry_device(instance);
        VkDeviceMemory memory;
        fake_memories.last_has_address = ext;
        assert_int_equal(((PFN_vkAllocateMemory)fake_device_proc(device, "vkAllocateMemory"))(
                             device, &info, NULL, &memory),
                         VK_SUCCESS);
        assert_int_equal(fake_memories.last_has_address, !ext);
        ((PFN_vkFreeMemory)fake_device_proc(device, "vkFreeMemory"))(device, memory, NULL);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_addresses_of_the_older_extension),
        TEST(needs_int64_for_the_older_extension),
        TEST(shares_the_older_extension),
        TEST(hides_the_older_extension_where_it_has_the_newer),
        TEST(gives_memory_no_flags_for_the_older_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
