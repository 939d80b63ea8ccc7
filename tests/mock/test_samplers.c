/* SPDX-License-Identifier: MIT
 *
 * Immutable samplers through the whole layer: the driver's live as long as its layouts that have
 * them, which the layer keeps longer than the application.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver_test.h"

#define VK(name) ((PFN_vk##name)fake_device_proc(device, "vk" #name))

static VkInstance instance;
static VkDevice device;

static int set_up(void **state)
{
    (void)state;
    begin_test(false);
    const struct fake_config config = fake_default_config();
    fake_reset(&config);
    instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    return fake_create_device_with(instance, &features, &device) != VK_SUCCESS;
}

static int close_all(void **state)
{
    fake_close_device(device);
    fake_close_instance(instance);
    return tear_down(state);
}

static VkSampler make_sampler(void)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler;
    assert_int_equal(VK(CreateSampler)(device, &info, NULL, &sampler), VK_SUCCESS);
    return sampler;
}

static VkDescriptorSetLayout make_sets(const VkSampler samplers[2])
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 2,
                                                  .stageFlags = VK_SHADER_STAGE_GEOMETRY_BIT,
                                                  .pImmutableSamplers = samplers};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout;
    assert_int_equal(VK(CreateDescriptorSetLayout)(device, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static VkPipelineLayout make_layout(VkDescriptorSetLayout sets)
{
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &sets};
    VkPipelineLayout layout;
    assert_int_equal(VK(CreatePipelineLayout)(device, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static size_t destroyed(void)
{
    return fake_log_count_of("vkDestroySampler");
}

/* The application may destroy samplers when it has destroyed the set layouts, but the pipeline
 * layout is still there to compile with. */
static void samplers_outlive_their_layouts(void **state)
{
    (void)state;
    const VkSampler pair[2] = {make_sampler(), make_sampler()}, twice[2] = {pair[1], pair[1]};
    const VkSampler other = make_sampler();
    const VkDescriptorSetLayout sets[2] = {make_sets(pair), make_sets(twice)};
    const VkPipelineLayout layouts[2] = {make_layout(sets[0]), make_layout(sets[1])};
    for (int i = 0; i < 2; i++)
        VK(DestroyDescriptorSetLayout)(device, sets[i], NULL);
    fake_log_clear();
    VK(DestroySampler)(device, other, NULL); /* of no layout */
    assert_int_equal(destroyed(), 1);
    for (int i = 0; i < 2; i++)
        VK(DestroySampler)(device, pair[i], NULL);
    VK(DestroySampler)(device, VK_NULL_HANDLE, NULL);
    assert_int_equal(fake_log_count_of("vkDestroyDescriptorSetLayout"), 0);
    fake_log_clear();
    VK(DestroyPipelineLayout)(device, layouts[0], NULL);
    assert_int_equal(fake_log_count_of("vkDestroyDescriptorSetLayout"), 1);
    assert_int_equal(destroyed(), 1);
    assert_int_equal(fake_log_find("vkDestroySampler", 0)->arguments[1], (uint64_t)pair[0]);
    VK(DestroyPipelineLayout)(device, layouts[1], NULL);
    assert_int_equal(destroyed(), 2);
    assert_int_equal(fake_log_find("vkDestroySampler", 1)->arguments[1], (uint64_t)pair[1]);
}

/* In any other order they are destroyed when the application says so. */
static void samplers_die_when_they_are_destroyed(void **state)
{
    (void)state;
    const VkSampler pair[2] = {make_sampler(), make_sampler()};
    const VkDescriptorSetLayout sets = make_sets(pair);
    VK(DestroyDescriptorSetLayout)(device, sets, NULL);
    fake_log_clear();
    for (int i = 0; i < 2; i++)
        VK(DestroySampler)(device, pair[i], NULL);
    assert_int_equal(destroyed(), 2);
}

static VkSamplerYcbcrConversion make_conversion(void)
{
    const VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO};
    VkSamplerYcbcrConversion conversion;
    assert_int_equal(VK(CreateSamplerYcbcrConversion)(device, &info, NULL, &conversion),
                     VK_SUCCESS);
    return conversion;
}

static VkResult make_converter(VkSamplerYcbcrConversion conversion, VkSampler *sampler)
{
    const VkSamplerYcbcrConversionInfo by = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &by};
    return VK(CreateSampler)(device, &info, NULL, sampler);
}

static size_t conversions_destroyed(void)
{
    return fake_log_count_of("vkDestroySamplerYcbcrConversion");
}

/* Drivers look into the conversions of the samplers when they compile with a layout. */
static void conversions_outlive_their_samplers(void **state)
{
    (void)state;
    const VkSamplerYcbcrConversion conversion = make_conversion(), other = make_conversion();
    VkSampler pair[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(make_converter(conversion, &pair[i]), VK_SUCCESS);
    const VkSampler twice[2] = {pair[1], pair[1]};
    const VkDescriptorSetLayout sets[2] = {make_sets(pair), make_sets(twice)};
    const VkPipelineLayout layouts[2] = {make_layout(sets[0]), make_layout(sets[1])};
    fake_log_clear();
    for (int i = 0; i < 2; i++) {
        VK(DestroyDescriptorSetLayout)(device, sets[i], NULL);
        VK(DestroySampler)(device, pair[i], NULL);
    }
    VK(DestroySamplerYcbcrConversion)(device, conversion, NULL);
    assert_int_equal(conversions_destroyed(), 0);
    VK(DestroySamplerYcbcrConversion)(device, other, NULL); /* of no sampler */
    VK(DestroySamplerYcbcrConversion)(device, VK_NULL_HANDLE, NULL);
    fake_log_clear();
    VK(DestroyPipelineLayout)(device, layouts[0], NULL);
    assert_int_equal(destroyed(), 1);
    assert_int_equal(conversions_destroyed(), 0);
    VK(DestroyPipelineLayout)(device, layouts[1], NULL);
    assert_int_equal(destroyed(), 2);
    assert_int_equal(conversions_destroyed(), 1);
    assert_int_equal(fake_log_find("vkDestroySamplerYcbcrConversion", 0)->arguments[1],
                     (uint64_t)conversion);
}

static void conversions_die_when_they_are_destroyed(void **state)
{
    (void)state;
    const VkSamplerYcbcrConversion conversion = make_conversion();
    VkSampler sampler;
    pgs_alloc_fail_after(1, false);
    assert_int_equal(make_converter(conversion, &sampler), VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    assert_int_equal(make_converter(conversion, &sampler), VK_SUCCESS);
    VK(DestroySampler)(device, sampler, NULL);
    fake_log_clear();
    VK(DestroySamplerYcbcrConversion)(device, conversion, NULL);
    assert_int_equal(conversions_destroyed(), 1);
}

/* Nothing is kept of a layout that could not be made. */
static void survives_lost_memory(void **state)
{
    (void)state;
    const VkSampler pair[2] = {make_sampler(), make_sampler()};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 2,
                                                  .stageFlags = VK_SHADER_STAGE_GEOMETRY_BIT,
                                                  .pImmutableSamplers = pair};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout;
    int failures = 0;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = VK(CreateDescriptorSetLayout)(device, &info, NULL, &layout);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    assert_true(failures >= 3);
    VK(DestroyDescriptorSetLayout)(device, layout, NULL);
    fake_log_clear();
    for (int i = 0; i < 2; i++)
        VK(DestroySampler)(device, pair[i], NULL);
    assert_int_equal(destroyed(), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, close_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samplers_outlive_their_layouts),
        TEST(samplers_die_when_they_are_destroyed),
        TEST(conversions_outlive_their_samplers),
        TEST(conversions_die_when_they_are_destroyed),
        TEST(survives_lost_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
