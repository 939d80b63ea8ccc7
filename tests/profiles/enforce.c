/* SPDX-License-Identifier: MIT
 *
 * Does the layer of profiles refuse what a profile lacks? Each case is tried with what is still
 * allowed, too. Runs without VK_LAYER_poly_gs and without the validation layer; PGS_TEST_PROFILE is
 * rogue, panvk or pi.
 */
#include "common/vkt.h"

#include "group_511.h"
#include "group_513.h"
#include "long_comp.h"
#include "shared_16.h"
#include "shared_17.h"
#include "store_readonly_vert.h"
#include "store_vert.h"

#include <stdlib.h>
#include <string.h>

#define REFUSED VK_ERROR_UNKNOWN

static struct vkt t;

static VkResult layout(uint32_t sets, uint32_t push_B, uint32_t buffers)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout set, list[64];
    VKT_CALL(vkCreateDescriptorSetLayout(t.device, &set_info, NULL, &set));
    for (uint32_t i = 0; i < VKT_COUNT(list); i++)
        list[i] = set;
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_B};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = sets,
        .pSetLayouts = list,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout made = VK_NULL_HANDLE;
    const VkResult result = vkCreatePipelineLayout(t.device, &info, NULL, &made);
    vkDestroyPipelineLayout(t.device, made, NULL);
    vkDestroyDescriptorSetLayout(t.device, set, NULL);
    return result;
}

static VkResult module(struct vkt_code code, VkShaderModule *made)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
    *made = VK_NULL_HANDLE;
    return vkCreateShaderModule(t.device, &info, NULL, made);
}

static VkResult try_module(struct vkt_code code)
{
    VkShaderModule made;
    const VkResult result = module(code, &made);
    vkDestroyShaderModule(t.device, made, NULL);
    return result;
}

static VkResult compute(struct vkt_code code)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayout set = vkt_set_layout(&t, &binding, 1);
    VkShaderModule made;
    VKT_CALL(module(code, &made));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = made,
                  .pName = "main"},
        .layout = vkt_layout(&t, &set, 1, NULL, 0),
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vkCreateComputePipelines(t.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    vkDestroyPipeline(t.device, pipeline, NULL);
    vkDestroyShaderModule(t.device, made, NULL);
    return result;
}

/* Another device, with one feature or extension. */
static VkResult device(const VkPhysicalDeviceFeatures *features, const char *extension)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = t.queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension ? 1 : 0,
        .ppEnabledExtensionNames = &extension,
        .pEnabledFeatures = features,
    };
    VkDevice made;
    const VkResult result = vkCreateDevice(t.physical, &info, NULL, &made);
    if (result == VK_SUCCESS)
        ((PFN_vkDestroyDevice)vkGetDeviceProcAddr(made, "vkDestroyDevice"))(made, NULL);
    return result;
}

static void expect(const char *what, VkResult got, VkResult wanted)
{
    VKT_EXPECT(&t, got == wanted, "%s: %d, expected %d", what, (int)got, (int)wanted);
}

static void every_profile(void)
{
    const VkPhysicalDeviceLimits *limits = &t.properties.limits;
    const VkPhysicalDeviceFeatures geometry = {.geometryShader = VK_TRUE}, none = {0};
    expect("all sets", layout(limits->maxBoundDescriptorSets, 4, 1), VK_SUCCESS);
    expect("one set too many", layout(limits->maxBoundDescriptorSets + 1, 4, 1), REFUSED);
    expect("all push constants", layout(1, limits->maxPushConstantsSize, 1), VK_SUCCESS);
    expect("more push constants", layout(1, limits->maxPushConstantsSize + 4, 1), REFUSED);
    const uint32_t most = limits->maxPerStageDescriptorStorageBuffers;
    expect("all buffers of a stage", layout(1, 4, most), VK_SUCCESS);
    expect("more buffers of a stage", layout(1, 4, most + 1), REFUSED);
    expect("a device", device(&none, NULL), VK_SUCCESS);
    expect("geometryShader", device(&geometry, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    expect("transform feedback", device(&none, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME),
           VK_ERROR_EXTENSION_NOT_PRESENT);
    VKT_EXPECT(&t, !vkGetDeviceProcAddr(t.device, "vkCmdBeginTransformFeedbackEXT"),
               "a command of a hidden extension");
    VKT_EXPECT(&t, vkGetDeviceProcAddr(t.device, "vkCmdDraw"), "a command of Vulkan 1.0");
}

static void of_rogue(void)
{
    VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core};
    vkGetPhysicalDeviceFeatures2(t.physical, &features);
    VKT_EXPECT(&t, !core.bufferDeviceAddress && !core.timelineSemaphore, "features of Vulkan 1.2");
    VKT_EXPECT(&t, !vkGetDeviceProcAddr(t.device, "vkGetBufferDeviceAddress"),
               "a command of Vulkan 1.2");
    VKT_EXPECT(&t, !vkGetDeviceProcAddr(t.device, "vkCmdBeginRendering"),
               "a command of Vulkan 1.3");
    expect("511 invocations", compute(VKT_CODE(group_511)), VK_SUCCESS);
    expect("513 invocations", compute(VKT_CODE(group_513)), REFUSED);
    expect("16 KiB of shared memory", compute(VKT_CODE(shared_16)), VK_SUCCESS);
    expect("more shared memory", compute(VKT_CODE(shared_17)), REFUSED);
    expect("64-bit integers", try_module(VKT_CODE(long_comp)), VK_SUCCESS);
}

static void of_panvk(void)
{
    expect("a vertex shader that stores", try_module(VKT_CODE(store_vert)), REFUSED);
    expect("a vertex shader that loads", try_module(VKT_CODE(store_readonly_vert)), VK_SUCCESS);
}

static void of_pi(void)
{
    expect("64-bit integers", try_module(VKT_CODE(long_comp)), REFUSED);
    expect("stores", try_module(VKT_CODE(store_vert)), VK_SUCCESS);
    VKT_EXPECT(&t, t.properties.limits.maxComputeWorkGroupSize[0] == 256, "the workgroup of pi");
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("profiles-enforce", argc, argv);
    options.without_geometry = true;
    vkt_init(&t, &options);
    const char *profile = getenv("PGS_TEST_PROFILE");
    every_profile();
    if (profile && strcmp(profile, "rogue") == 0)
        of_rogue();
    if (profile && strcmp(profile, "panvk") == 0)
        of_panvk();
    if (profile && strcmp(profile, "pi") == 0)
        of_pi();
    return vkt_finish(&t);
}
