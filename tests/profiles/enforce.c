/* SPDX-License-Identifier: MIT
 *
 * Does the layer of profiles refuse what a profile lacks? Each case is tried with what is still
 * allowed, too. Runs without VK_LAYER_poly_gs and without the validation layer; PGS_TEST_PROFILE is
 * rogue, panvk, pi or bxm.
 */
#include "common/vkt.h"

#include "group_511.h"
#include "group_513.h"
#include "long_comp.h"
#include "precise_member_vert.h"
#include "precise_vert.h"
#include "precision_frag.h"
#include "relaxed_vert.h"
#include "shared_16.h"
#include "shared_17.h"
#include "store_readonly_vert.h"
#include "store_vert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* The same with another version in its header. */
static VkResult try_version(struct vkt_code code, uint32_t version)
{
    uint32_t *words = malloc(code.size_B);
    if (!words)
        vkt_die("no memory");
    memcpy(words, code.words, code.size_B);
    words[1] = version;
    const VkResult result = try_module((struct vkt_code){words, code.size_B});
    free(words);
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

/* Does the layer of profiles say something while it is done? */
static bool is_refused(void (*act)(void))
{
    fflush(stderr);
    FILE *said = tmpfile();
    const int kept = dup(STDERR_FILENO);
    if (!said || kept < 0 || dup2(fileno(said), STDERR_FILENO) < 0)
        vkt_die("stderr cannot be read");
    act();
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    char text[4096] = "";
    rewind(said);
    text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
    fclose(said);
    return strstr(text, "profile ") != NULL;
}

static void expect_refused(const char *what, void (*act)(void), bool wanted)
{
    VKT_EXPECT(&t, is_refused(act) == wanted, "%s: is %srefused", what, wanted ? "not " : "");
}

/* -- templates of updates -- */

/* What the acts have in common. */
static struct {
    VkBuffer buffer;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkDescriptorUpdateTemplate update, push;
    VkCommandBuffer cmd;
} with;

static VkDescriptorSetLayout one_buffer(VkDescriptorSetLayoutCreateFlags flags)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout made;
    VKT_CALL(vkCreateDescriptorSetLayout(t.device, &info, NULL, &made));
    return made;
}

static VkDescriptorUpdateTemplate make_template(VkDescriptorUpdateTemplateType type,
                                                VkDescriptorSetLayout set)
{
    const VkDescriptorUpdateTemplateEntry entry = {
        0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, sizeof(VkDescriptorBufferInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = type,
        .descriptorSetLayout = set,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = with.layout,
    };
    VkDescriptorUpdateTemplate made;
    VKT_CALL(vkCreateDescriptorUpdateTemplate(t.device, &info, NULL, &made));
    return made;
}

static VkDescriptorBufferInfo in_buffer(bool aligned)
{
    const VkDeviceSize step_B = t.properties.limits.minStorageBufferOffsetAlignment;
    return (VkDescriptorBufferInfo){with.buffer, aligned ? step_B : step_B / 2, 64};
}

static void update(bool aligned)
{
    const VkDescriptorBufferInfo info = in_buffer(aligned);
    vkUpdateDescriptorSetWithTemplate(t.device, with.set, with.update, &info);
}

static void push(bool aligned)
{
    const VkDescriptorBufferInfo info = in_buffer(aligned);
    vkCmdPushDescriptorSetWithTemplateKHR(with.cmd, with.push, with.layout, 0, &info);
}

static void update_aligned(void)
{
    update(true);
}

static void update_between(void)
{
    update(false);
}

static void push_aligned(void)
{
    push(true);
}

static void push_between(void)
{
    push(false);
}

static void templates(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayout layout = one_buffer(0);
    const VkDescriptorSetLayout pushed =
        one_buffer(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
    with.buffer = vkt_buffer(&t, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0).buffer;
    with.set = vkt_set(&t, layout, &binding, 1);
    with.layout = vkt_layout(&t, &pushed, 1, NULL, 0);
    with.update = make_template(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET, layout);
    with.push = make_template(VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR, pushed);
    expect_refused("an update with a template", update_aligned, false);
    expect_refused("an update with a template at another offset", update_between, true);
    expect_refused("a push with a template", push_aligned, false);
    expect_refused("a push with a template at another offset", push_between, true);
    vkDestroyDescriptorUpdateTemplate(t.device, with.update, NULL);
    vkDestroyDescriptorUpdateTemplate(t.device, with.push, NULL);
    vkDestroyDescriptorSetLayout(t.device, layout, NULL);
    vkDestroyDescriptorSetLayout(t.device, pushed, NULL);
}

/* -- vertices -- */

static void bind_2(uint32_t first, VkDeviceSize stride_B)
{
    const VkDeviceSize offset_B = 0, size_B = 64;
    vkCmdBindVertexBuffers2(with.cmd, first, 1, &with.buffer, &offset_B, &size_B, &stride_B);
}

static void bind_last(void)
{
    bind_2(t.properties.limits.maxVertexInputBindings - 1, 16);
}

static void bind_behind(void)
{
    bind_2(t.properties.limits.maxVertexInputBindings, 16);
}

static void bind_wide(void)
{
    bind_2(0, t.properties.limits.maxVertexInputBindingStride + 4);
}

static void set_input(uint32_t location, uint32_t stride_B)
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = stride_B,
        .divisor = 1,
    };
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = location,
        .format = VK_FORMAT_R32_SFLOAT,
    };
    vkCmdSetVertexInputEXT(with.cmd, 1, &binding, 1, &attribute);
}

static void set_last(void)
{
    set_input(t.properties.limits.maxVertexInputAttributes - 1, 16);
}

static void set_behind(void)
{
    set_input(t.properties.limits.maxVertexInputAttributes, 16);
}

static void set_wide(void)
{
    set_input(0, t.properties.limits.maxVertexInputBindingStride + 4);
}

/* Of drivers that have these commands. */
static void vertices(void)
{
    expect_refused("the last vertex buffer", bind_last, false);
    expect_refused("a vertex buffer more", bind_behind, true);
    expect_refused("a wide stride", bind_wide, true);
    expect_refused("the last attribute", set_last, false);
    expect_refused("an attribute more", set_behind, true);
    expect_refused("a binding with a wide stride", set_wide, true);
}

/* -- sets that are updated after they are bound -- */

static VkResult after_bind(uint32_t count)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout set;
    VKT_CALL(vkCreateDescriptorSetLayout(t.device, &info, NULL, &set));
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set,
    };
    VkPipelineLayout made = VK_NULL_HANDLE;
    const VkResult result = vkCreatePipelineLayout(t.device, &layout_info, NULL, &made);
    vkDestroyPipelineLayout(t.device, made, NULL);
    vkDestroyDescriptorSetLayout(t.device, set, NULL);
    return result;
}

static void of_bxm(void)
{
    VkPhysicalDeviceDescriptorIndexingProperties indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &indexing};
    vkGetPhysicalDeviceProperties2(t.physical, &properties);
    if (!indexing.maxPerStageUpdateAfterBindResources)
        vkt_skip("the driver below has no descriptor indexing");
    expect("all buffers that are updated after they are bound", after_bind(16), VK_SUCCESS);
    expect("one more", after_bind(17), REFUSED);
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

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, struct vkt_code code)
{
    VkPipelineShaderStageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .pName = "main",
    };
    VKT_CALL(module(code, &info.module));
    return info;
}

/* A pipeline of a vertex shader and precision.frag. */
static VkResult link_precisions(struct vkt_code vs)
{
    static struct vkt_target target;
    if (!target.pass)
        target = vkt_target(&t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, 16, 16);
    const VkPipelineShaderStageCreateInfo stages[] = {
        stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(precision_frag)),
        stage_of(VK_SHADER_STAGE_VERTEX_BIT, vs)};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, 16, 16, 0, 1};
    const VkRect2D scissor = {{0, 0}, {16, 16}};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = VKT_COUNT(stages),
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewports,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend,
        .layout = vkt_layout(&t, NULL, 0, NULL, 0),
        .renderPass = target.pass,
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vkCreateGraphicsPipelines(t.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    vkDestroyPipeline(t.device, pipeline, NULL);
    for (uint32_t i = 0; i < VKT_COUNT(stages); i++)
        vkDestroyShaderModule(t.device, stages[i].module, NULL);
    return result;
}

static void precisions(bool links)
{
    const VkResult mixed = links ? REFUSED : VK_SUCCESS;
    expect("varyings of one precision", link_precisions(VKT_CODE(relaxed_vert)), VK_SUCCESS);
    expect("a varying of two", link_precisions(VKT_CODE(precise_vert)), mixed);
    expect("a member of two", link_precisions(VKT_CODE(precise_member_vert)), mixed);
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
    expect("SPIR-V 1.3", try_version(VKT_CODE(group_511), 0x10300), VK_SUCCESS);
    expect("SPIR-V 1.4", try_version(VKT_CODE(group_511), 0x10400), REFUSED);
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
    const char *named = getenv("PGS_TEST_PROFILE"), *profile = named ? named : "";
    options.without_geometry = true;
    options.push_descriptors = true;
    options.dynamic_input = strcmp(profile, "panvk") == 0 || strcmp(profile, "pi") == 0;
    vkt_init(&t, &options);
    if (strcmp(profile, "bxm") == 0) {
        of_bxm(); /* which has geometry shaders */
        return vkt_finish(&t);
    }
    every_profile();
    precisions(strcmp(profile, "rogue") == 0);
    with.cmd = vkt_commands(&t);
    vkt_begin(with.cmd, 0);
    templates();
    if (options.dynamic_input)
        vertices();
    vkEndCommandBuffer(with.cmd); /* which nobody executes */
    if (strcmp(profile, "rogue") == 0)
        of_rogue();
    if (strcmp(profile, "panvk") == 0)
        of_panvk();
    if (strcmp(profile, "pi") == 0)
        of_pi();
    return vkt_finish(&t);
}
