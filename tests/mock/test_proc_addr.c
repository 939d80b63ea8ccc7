/* SPDX-License-Identifier: MIT
 *
 * Names that vkGetDeviceProcAddr must not know, since it is the layer alone that has enabled the
 * extension which brings the command; and some that it and vkGetInstanceProcAddr must know all the
 * same.
 */
#include "vulkan/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "driver_test.h"

static const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE};

static int set_up(void **state)
{
    (void)state;
    begin_test(false);
    return 0;
}

static VkDevice open_device(VkInstance instance, const char *const *names, uint32_t count,
                            bool active)
{
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .enabledExtensionCount = count,
                                     .ppEnabledExtensionNames = names,
                                     .pEnabledFeatures = active ? &geometry : NULL};
    VkDevice device;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
        VK_SUCCESS);
    assert_int_equal(pgs_device_from_handle(device)->active, active);
    return device;
}

/* One that the layer enables, and a command of it. */
struct own {
    const char *extension, *command;
    uint32_t device_version;
    bool ext_address;
};

/* The layer has the extension enabled in any case; the application sees its commands if it did so,
 * too. */
static void commands_are_of_enabled_extensions(void **state)
{
    (void)state;
    static const struct own owns[] = {
        {"VK_KHR_buffer_device_address", "vkGetBufferDeviceAddressKHR", VK_API_VERSION_1_3, false},
        {"VK_KHR_buffer_device_address", "vkGetBufferOpaqueCaptureAddressKHR", VK_API_VERSION_1_1,
         false},
        {"VK_EXT_buffer_device_address", "vkGetBufferDeviceAddressEXT", VK_API_VERSION_1_1, true},
        {"VK_KHR_push_descriptor", "vkCmdPushDescriptorSetKHR", VK_API_VERSION_1_3, false},
        {"VK_KHR_push_descriptor", "vkCmdPushDescriptorSetWithTemplateKHR", VK_API_VERSION_1_3,
         false},
    };
    for (size_t i = 0; i < COUNT(owns); i++) {
        struct fake_config config = fake_default_config();
        config.extensions = &owns[i].extension;
        config.extension_count = 1;
        config.device_version = owns[i].device_version;
        config.buffer_device_address = !owns[i].ext_address;
        config.ext_address = config.int64 = owns[i].ext_address;
        if (strcmp(owns[i].extension, "VK_KHR_push_descriptor") == 0) { /* lavapipe 22.3 */
            config.driver = VK_DRIVER_ID_MESA_LLVMPIPE;
            config.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
            config.device_version = VK_MAKE_API_VERSION(0, 1, 3, 230);
            config.geometry = true;
            setenv("VK_POLY_GS_FORCE", "1", 1);
        }
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_2);
        for (uint32_t asked = 0; asked < 2; asked++) {
            const VkDevice device = open_device(instance, &owns[i].extension, asked, true);
            assert_true(fake_created_has_extension(&fake_device_created, owns[i].extension));
            assert_int_equal(fake_device_proc(device, owns[i].command) != NULL, asked);
            assert_non_null(fake_device_proc(device, "vkCmdDraw"));
            fake_close_device(device);
        }
        fake_close_instance(instance);
        unsetenv("VK_POLY_GS_FORCE");
    }
}

/* Instances are raised to 1.2. Many drivers have commands of later versions than a program asked
 * for, and the loader has functions that call them, so they stay. */
static void later_versions_stay(void **state)
{
    (void)state;
    for (uint32_t active = 0; active < 2; active++) {
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_0);
        const VkDevice device = open_device(instance, NULL, 0, active);
        assert_non_null(fake_device_proc(device, "vkBindBufferMemory2"));
        assert_non_null(fake_device_proc(device, "vkGetBufferDeviceAddress"));
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Extensions of instances are another matter: the loader reads what the layer enables, gives the
 * program its own functions for these, and for those of Vulkan 1.1, and calls the layer's there. */
static void loader_finds_commands_of_instances(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "vkGetPhysicalDeviceFeatures2KHR",         "vkGetPhysicalDeviceProperties2KHR",
        "vkGetPhysicalDeviceFormatProperties2KHR", "vkGetPhysicalDeviceQueueFamilyProperties2KHR",
        "vkGetPhysicalDeviceMemoryProperties2KHR", "vkEnumeratePhysicalDeviceGroupsKHR",
    };
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_0);
    for (size_t i = 0; i < COUNT(commands); i++)
        assert_non_null(fake_instance_proc(instance, commands[i]));
    fake_close_instance(instance);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(commands_are_of_enabled_extensions),
        TEST(later_versions_stay),
        TEST(loader_finds_commands_of_instances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
