/* SPDX-License-Identifier: MIT
 *
 * multiViewport where the driver lacks it, through the whole layer: what is reported, what the
 * driver's device is asked for, and which viewports reach it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_VIEWPORTS");
    begin_test(false);
    return 0;
}

static struct fake_config one_viewport(void)
{
    struct fake_config config = fake_default_config();
    config.one_viewport = true;
    config.limits.maxViewports = 1;
    return config;
}

static void reports_viewports(void **state)
{
    (void)state;
    const struct fake_config config = one_viewport();
    fake_reset(&config);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkPhysicalDeviceFeatures features;
    VkPhysicalDeviceProperties properties;
    ((PFN_vkGetPhysicalDeviceFeatures)fake_instance_proc(instance, "vkGetPhysicalDeviceFeatures"))(
        physical, &features);
    ((PFN_vkGetPhysicalDeviceProperties)fake_instance_proc(
        instance, "vkGetPhysicalDeviceProperties"))(physical, &properties);
    assert_true(features.multiViewport);
    assert_int_equal(properties.limits.maxViewports, 16);
    fake_close_instance(instance);
}

static uint64_t argument(const char *name, size_t call, int number)
{
    const struct fake_call *found = fake_log_find(name, call);
    assert_non_null(found);
    return found->arguments[number];
}

static void record(VkDevice device)
{
#define VK(name) ((PFN_vk##name)fake_device_proc(device, "vk" #name))
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkViewport viewports[4] = {{.width = 1}, {.width = 2}, {.width = 3}, {.width = 4}};
    const VkRect2D scissors[4] = {{.extent = {1, 1}}};
    VkCommandPool pool;
    VkCommandBuffer cb;
    assert_int_equal(VK(CreateCommandPool)(device, &pool_info, NULL, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1,
    };
    assert_int_equal(VK(AllocateCommandBuffers)(device, &info, &cb), VK_SUCCESS);
    assert_int_equal(VK(BeginCommandBuffer)(cb, &begin), VK_SUCCESS);
    VK(CmdSetViewport)(cb, 0, 3, viewports);
    VK(CmdSetViewport)(cb, 1, 2, viewports);
    VK(CmdSetScissor)(cb, 0, 4, scissors);
    VK(CmdSetScissor)(cb, 3, 1, scissors);
    VK(CmdSetViewportWithCount)(cb, 4, viewports);
    VK(CmdSetScissorWithCount)(cb, 2, scissors);
    VK(CmdSetLineWidth)(cb, 1);
    assert_int_equal(VK(EndCommandBuffer)(cb), VK_SUCCESS);
    VK(FreeCommandBuffers)(device, pool, 1, &cb);
    VK(DestroyCommandPool)(device, pool, NULL);
#undef VK
}

/* With multiViewport alone the layer is active, too: only it can cut what the driver gets. */
static void cuts_what_the_driver_lacks(void **state)
{
    (void)state;
    for (int geometry = 0; geometry < 2; geometry++)
        for (int one = 0; one < 2; one++) {
            const struct fake_config config = one ? one_viewport() : fake_default_config();
            fake_reset(&config);
            const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
            const VkPhysicalDeviceFeatures features = {.geometryShader = geometry,
                                                       .multiViewport = VK_TRUE};
            VkDevice device;
            assert_int_equal(fake_create_device_with(instance, &features, &device), VK_SUCCESS);
            assert_int_equal(fake_device_created.features.multiViewport, !one);
            assert_false(fake_device_created.features.geometryShader);
            fake_log_clear();
            record(device);
            assert_int_equal(fake_log_count_of("vkCmdSetViewport"), one ? 1 : 2);
            assert_int_equal(fake_log_count_of("vkCmdSetScissor"), one ? 1 : 2);
            assert_int_equal(argument("vkCmdSetViewport", 0, 2), one ? 1 : 3);
            assert_int_equal(argument("vkCmdSetScissor", 0, 2), one ? 1 : 4);
            assert_int_equal(argument("vkCmdSetViewportWithCount", 0, 1), one ? 1 : 4);
            assert_int_equal(argument("vkCmdSetScissorWithCount", 0, 1), one ? 1 : 2);
            assert_int_equal(fake_log_count_of("vkCmdSetLineWidth"), 1);
            fake_close_device(device);
            fake_close_instance(instance);
        }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_viewports),
        TEST(cuts_what_the_driver_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
