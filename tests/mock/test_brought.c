/* SPDX-License-Identifier: MIT
 *
 * What the driver lacks of draws and vertex input, through the whole layer: what is reported and
 * hidden, what the driver's device is asked for, and which commands there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"
#include "pipeline/possible.h"

#include <string.h>

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_DRAWS");
    unsetenv("VK_POLY_GS_DIVISORS");
    begin_test(false);
    return 0;
}

static VkInstance open_instance(bool lacks, uint32_t version, const char *const *extensions,
                                uint32_t count)
{
    struct fake_config config = fake_default_config();
    config.multi_draw_indirect = config.draw_count = !lacks;
    config.limits.maxDrawIndirectCount = lacks ? 1 : 100000;
    config.device_version = version;
    config.extensions = extensions;
    config.extension_count = count;
    fake_reset(&config);
    return fake_open_instance(version);
}

/* How often a device extension is listed. */
static uint32_t listed(VkInstance instance, const char *name)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        (PFN_vkEnumerateDeviceExtensionProperties)fake_instance_proc(
            instance, "vkEnumerateDeviceExtensionProperties");
    const VkPhysicalDevice physical = fake_first_physical_device(instance);
    VkExtensionProperties list[32];
    uint32_t count = COUNT(list), found = 0;
    assert_int_equal(enumerate(physical, NULL, &count, list), VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(list[i].extensionName, name) == 0;
    return found;
}

static void reports_the_features(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const bool ours = i > 0;
        if (i == 2)
            setenv("VK_POLY_GS_DRAWS", "emulate", 1);
        const VkInstance instance = open_instance(i == 1, VK_API_VERSION_1_3, NULL, 0);
        unsetenv("VK_POLY_GS_DRAWS");
        const VkPhysicalDevice physical = fake_first_physical_device(instance);
        VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT limits = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT};
        VkPhysicalDeviceProperties2 properties = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
        VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT};
        VkPhysicalDeviceVulkan12Features core = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &divisors};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &core};
        ((PFN_vkGetPhysicalDeviceFeatures2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceFeatures2"))(physical, &features);
        ((PFN_vkGetPhysicalDeviceProperties2)fake_instance_proc(
            instance, "vkGetPhysicalDeviceProperties2"))(physical, &properties);
        assert_true(features.features.multiDrawIndirect && core.drawIndirectCount);
        assert_true(features.features.drawIndirectFirstInstance);
        assert_true(divisors.vertexAttributeInstanceRateDivisor);
        assert_true(divisors.vertexAttributeInstanceRateZeroDivisor);
        assert_true(limits.maxVertexAttribDivisor == UINT32_MAX);
        assert_int_equal(properties.properties.limits.maxDrawIndirectCount, ours ? 65535 : 100000);
        assert_int_equal(listed(instance, VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME), ours);
        assert_int_equal(listed(instance, VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME), 1);
        fake_close_instance(instance);
    }
}

/* Divisors of dynamic vertex input are found too late, so one of both is hidden. */
static void reports_one_of_divisors_and_dynamic_input(void **state)
{
    (void)state;
    static const char *const has[] = {VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME};
    for (int i = 0; i < 2; i++) {
        if (i)
            setenv("VK_POLY_GS_DIVISORS", "emulate", 1);
        const VkInstance instance = open_instance(false, VK_API_VERSION_1_3, has, 1);
        unsetenv("VK_POLY_GS_DIVISORS");
        assert_int_equal(listed(instance, has[0]), !i);
        assert_int_equal(listed(instance, VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME), i);
        fake_close_instance(instance);
    }
}

/* Their indirect draws are the driver's. */
static void hides_mesh_shaders(void **state)
{
    (void)state;
    static const char *const has[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                      VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME};
    for (int i = 0; i < 2; i++) {
        const VkInstance instance = open_instance(i, VK_API_VERSION_1_3, has, COUNT(has));
        assert_int_equal(listed(instance, has[0]), !i);
        fake_close_instance(instance);
    }
}

static const VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueCount = 1,
    .pQueuePriorities = &(const float){1},
};

/* By extensions alone, below Vulkan 1.2. The driver never hears of them, and the commands are the
 * layer's. */
static void brings_extensions(void **state)
{
    (void)state;
    static const char *const asked[] = {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,
                                        VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                                        VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    static const char *const has[] = {VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
    static const char *const missing[] = {"vkCmdDrawIndirectCount",
                                          "vkCmdDrawIndexedIndirectCount",
                                          "vkCmdDrawIndirectCountKHR",
                                          "vkCmdDrawIndexedIndirectCountKHR",
                                          "vkCmdPushDescriptorSetKHR",
                                          "vkCmdPushDescriptorSetWithTemplateKHR",
                                          NULL};
    for (int i = 0; i < 2; i++) {
        struct fake_config config = fake_default_config();
        config.multi_draw_indirect = config.draw_count = false;
        config.device_version = VK_API_VERSION_1_1;
        config.extensions = has;
        config.extension_count = 1;
        config.missing = missing;
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_1);
        VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
            .vertexAttributeInstanceRateDivisor = VK_TRUE};
        const VkPhysicalDeviceFeatures features = {.multiDrawIndirect = VK_TRUE,
                                                   .drawIndirectFirstInstance = VK_TRUE};
        const VkDeviceCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = i ? &divisors : NULL,
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = &queue,
            .enabledExtensionCount = i ? COUNT(asked) : 0,
            .ppEnabledExtensionNames = asked,
            .pEnabledFeatures = &features,
        };
        VkDevice device;
        assert_int_equal(
            fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
            VK_SUCCESS);
        assert_false(fake_device_created.features.multiDrawIndirect);
        assert_false(fake_device_created.features.drawIndirectFirstInstance);
        for (uint32_t e = 0; e < COUNT(asked); e++)
            assert_false(fake_created_has_extension(&fake_device_created, asked[e]));
        assert_false(fake_created_has_struct(&fake_device_created, divisors.sType));
        assert_int_equal(fake_device_proc(device, "vkCmdDrawIndirectCountKHR") != NULL, i);
        assert_int_equal(fake_device_proc(device, "vkCmdDrawIndexedIndirectCountKHR") != NULL, i);
        assert_int_equal(fake_device_proc(device, "vkCmdPushDescriptorSetKHR") != NULL, i);
        assert_int_equal(fake_device_proc(device, "vkCmdPushDescriptorSetWithTemplateKHR") != NULL,
                         i);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Without any feature of the core. The GPU reads counts, so the driver takes several draws at once,
 * and any pass may need compute work. */
static void counts_without_features(void **state)
{
    (void)state;
    static const char *const asked[] = {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,
                                        VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    for (int i = 0; i < 2; i++) {
        struct fake_config config = fake_default_config();
        config.multi_draw_indirect = true;
        config.draw_count = false;
        fake_reset(&config);
        const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
        const VkDeviceCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = &queue,
            .enabledExtensionCount = 1,
            .ppEnabledExtensionNames = &asked[i],
        };
        VkDevice device;
        assert_int_equal(
            fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
            VK_SUCCESS);
        assert_true(fake_device_created.features.multiDrawIndirect);
        assert_int_equal(pgs_pipelines_possible(pgs_device_from_handle(device)), i == 0);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Likewise if it asks for first instances that the driver lacks. */
static void first_instances_come_in_any_pass(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const VkInstance instance = open_instance(true, VK_API_VERSION_1_3, NULL, 0);
        const VkPhysicalDeviceFeatures asked = {.drawIndirectFirstInstance = i,
                                                .geometryShader = VK_TRUE};
        VkDevice device;
        assert_int_equal(fake_create_device_with(instance, &asked, &device), VK_SUCCESS);
        assert_int_equal(pgs_pipelines_possible(pgs_device_from_handle(device)), i);
        fake_close_device(device);
        fake_close_instance(instance);
    }
}

/* Pushes into one command buffer, which is begun and ended. */
static void push_often(VkDevice device, VkCommandBuffer cmd, VkPipelineLayout layout)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDescriptorBufferInfo buffer = {.range = 16};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &buffer,
    };
    const PFN_vkCmdPushDescriptorSetKHR push =
        (PFN_vkCmdPushDescriptorSetKHR)fake_device_proc(device, "vkCmdPushDescriptorSetKHR");
    assert_int_equal(
        ((PFN_vkBeginCommandBuffer)fake_device_proc(device, "vkBeginCommandBuffer"))(cmd, &begin),
        VK_SUCCESS);
    for (int i = 0; i < 50; i++)
        push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
    assert_int_equal(((PFN_vkEndCommandBuffer)fake_device_proc(device, "vkEndCommandBuffer"))(cmd),
                     VK_SUCCESS);
}

/* The pools of sets that stand in for pushes live as long as the command buffer, and are used
 * again when it is recorded again. */
static void uses_pools_of_pushes_again(void **state)
{
    (void)state;
    static const char *const asked[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const VkInstance instance = open_instance(true, VK_API_VERSION_1_3, NULL, 0);
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = COUNT(asked),
        .ppEnabledExtensionNames = asked,
    };
    VkDevice device;
    assert_int_equal(
        fake_create_device(instance, fake_first_physical_device(instance), &info, &device),
        VK_SUCCESS);
#define CALL(name, ...) ((PFN_vk##name)fake_device_proc(device, "vk" #name))(__VA_ARGS__)
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout set;
    assert_int_equal(CALL(CreateDescriptorSetLayout, device, &set_info, NULL, &set), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set,
    };
    VkPipelineLayout layout;
    assert_int_equal(CALL(CreatePipelineLayout, device, &layout_info, NULL, &layout), VK_SUCCESS);
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .flags =
                                                   VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    VkCommandPool pool;
    assert_int_equal(CALL(CreateCommandPool, device, &pool_info, NULL, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    assert_int_equal(CALL(AllocateCommandBuffers, device, &buffer_info, &cmd), VK_SUCCESS);
    fake_log_clear();
    for (int i = 0; i < 3; i++)
        push_often(device, cmd, layout);
    assert_int_equal(fake_log_count_of("vkCreateDescriptorPool"), 1);
    assert_int_equal(fake_log_count_of("vkResetDescriptorPool"), 2);
    assert_int_equal(fake_log_count_of("vkAllocateDescriptorSets"), 150);
    assert_int_equal(fake_log_count_of("vkCmdBindDescriptorSets"), 150);
    assert_int_equal(fake_log_count_of("vkCmdPushDescriptorSet"), 0);
    CALL(FreeCommandBuffers, device, pool, 1, &cmd);
    CALL(DestroyCommandPool, device, pool, NULL);
    assert_int_equal(fake_log_count_of("vkDestroyDescriptorPool"), 1);
    CALL(DestroyPipelineLayout, device, layout, NULL);
    CALL(DestroyDescriptorSetLayout, device, set, NULL);
    fake_close_device(device);
    fake_close_instance(instance);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_the_features),       TEST(reports_one_of_divisors_and_dynamic_input),
        TEST(hides_mesh_shaders),         TEST(brings_extensions),
        TEST(counts_without_features),    TEST(first_instances_come_in_any_pass),
        TEST(uses_pools_of_pushes_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
