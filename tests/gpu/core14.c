/* SPDX-License-Identifier: MIT
 *
 * Vulkan 1.4 by its core names: the version, features and properties that a device reports, which
 * must be the driver's own, and draws with and without a geometry shader whose commands all are
 * those of 1.4.
 */
#include "row.h"

#include "core14_geom.h"
#include "maintenance5_vert.h"
#include "value_frag.h"

#include <string.h>

#define TABLES 3u

#ifdef VK_API_VERSION_1_4

static struct suite {
    struct vkt t;
    struct vkt_buffer places, indices, pushed[TABLES], bound[TABLES];
    VkDescriptorSet sets[TABLES];
    VkPipelineLayout layout;
    struct vkt_target target;
    VkPipeline with, without; /* a geometry shader */
} s;

/* -- what is reported -- */

static void dump_report(void)
{
    VkPhysicalDeviceVulkan14Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};
    VkPhysicalDeviceFeatures2 features2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &features};
    vkGetPhysicalDeviceFeatures2(s.t.physical, &features2);
    VkPhysicalDeviceVulkan14Properties properties;
    memset(&properties, 0, sizeof(properties)); /* its padding, too */
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES;
    VkPhysicalDeviceProperties2 properties2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};
    vkGetPhysicalDeviceProperties2(s.t.physical, &properties2);
    features.pNext = properties.pNext = NULL;
    /* "Feature Requirements" of Vulkan 1.4; the rest depends on the device. */
    VKT_EXPECT(&s.t,
               features.globalPriorityQuery && features.shaderSubgroupRotate &&
                   features.shaderSubgroupRotateClustered && features.shaderFloatControls2 &&
                   features.shaderExpectAssume && features.vertexAttributeInstanceRateDivisor &&
                   features.indexTypeUint8 && features.dynamicRenderingLocalRead &&
                   features.maintenance5 && features.maintenance6 && features.pipelineRobustness &&
                   features.pushDescriptor,
               "a feature that Vulkan 1.4 demands is missing");
    vkt_dump_buffer(&s.t, "features", &features, sizeof(features));
    vkt_dump_buffer(&s.t, "properties", &properties, sizeof(properties));
    vkt_dump_buffer(&s.t, "version", &properties2.properties.apiVersion, sizeof(uint32_t));
}

/* -- draws -- */

static void make_buffers(void)
{
    const struct row_places row = row_places();
    uint8_t indices[ROW_VERTICES];
    for (uint32_t i = 0; i < ROW_VERTICES; i++)
        indices[i] = (uint8_t)(ROW_VERTICES - 1 - i);
    s.places = vkt_buffer_from(&s.t, &row, sizeof(row), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (uint32_t i = 0; i < TABLES; i++) {
        const uint32_t pushed[4] = {i + 1, i + 4}, bound[4] = {2 * i + 1, 2 * i + 2};
        s.pushed[i] =
            vkt_buffer_from(&s.t, pushed, sizeof(pushed), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        s.bound[i] =
            vkt_buffer_from(&s.t, bound, sizeof(bound), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    }
}

static void destroy_set_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorSetLayout(t->device, (VkDescriptorSetLayout)handle, NULL);
}

static void make_layouts(void)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkDescriptorSetLayoutBinding pushed = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages,
                                                 NULL},
                                       bound = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages,
                                                NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
        .bindingCount = 1,
        .pBindings = &pushed,
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    VkDescriptorSetLayout layouts[2];
    VKT_CALL(vkCreateDescriptorSetLayout(s.t.device, &info, NULL, &layouts[0]));
    vkt_defer(&s.t, destroy_set_layout, (uint64_t)layouts[0]);
    layouts[1] = vkt_set_layout(&s.t, &bound, 1);
    s.layout = vkt_layout(&s.t, layouts, 2, &range, 1);
    for (uint32_t i = 0; i < TABLES; i++) {
        s.sets[i] = vkt_set(&s.t, layouts[1], &bound, 1);
        vkt_write_buffer(&s.t, s.sets[i], 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                         s.bound[i].buffer, 0, 16);
    }
}

/* As with maintenance5: without modules, and with what pipelineRobustness takes. */
static VkPipeline make_pipeline(bool geometry)
{
    const VkPipelineRobustnessCreateInfo robustness = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS,
    };
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .pNext = &robustness,
        .flags = VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT,
    };
    struct vkt_pipeline_info info = row_pipeline(s.layout, s.target.pass);
    info.vs = VKT_CODE(maintenance5_vert);
    if (geometry)
        info.gs = VKT_CODE(core14_geom);
    info.fs = VKT_CODE(value_frag);
    info.next = &flags;
    info.without_modules = info.fs_first = true;
    return vkt_pipeline(&s.t, &info);
}

/* In two ways by turns. */
static void bind_table(VkCommandBuffer cmd, uint32_t table)
{
    const VkDescriptorBufferInfo buffer = {s.pushed[table].buffer, 0, 16};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer,
    };
    const VkPushDescriptorSetInfo push = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
        .stageFlags = VK_SHADER_STAGE_GEOMETRY_BIT,
        .layout = s.layout,
        .descriptorWriteCount = 1,
        .pDescriptorWrites = &write,
    };
    const VkBindDescriptorSetsInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
        .stageFlags = VK_SHADER_STAGE_GEOMETRY_BIT,
        .layout = s.layout,
        .firstSet = 1,
        .descriptorSetCount = 1,
        .pDescriptorSets = &s.sets[table],
    };
    if (table % 2)
        vkCmdPushDescriptorSet2(cmd, &push);
    else
        vkCmdPushDescriptorSet(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &write);
    vkCmdBindDescriptorSets2(cmd, &bind);
}

static void record(VkCommandBuffer cmd)
{
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    for (uint32_t i = 0; i < 8; i++) {
        const struct row_push values = row_push(i);
        const VkPushConstantsInfo push = {
            .sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
            .layout = s.layout,
            .stageFlags = VK_SHADER_STAGE_VERTEX_BIT,
            .size = sizeof(values),
            .pValues = &values,
        };
        if (i % 3 != 1)
            bind_table(cmd, i % TABLES);
        if (i % 4 == 0)
            vkCmdBindIndexBuffer2(cmd, s.indices.buffer, i / 4 * 4, 12, VK_INDEX_TYPE_UINT8);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, i % 3 ? s.with : s.without);
        vkCmdPushConstants2(cmd, &push);
        vkCmdDrawIndexed(cmd, 12, 1, 0, 0, 0);
    }
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceVulkan14Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
        .indexTypeUint8 = VK_TRUE,
        .maintenance5 = VK_TRUE,
        .maintenance6 = VK_TRUE,
        .pipelineRobustness = VK_TRUE,
        .pushDescriptor = VK_TRUE,
    };
    const struct vkt_extension wanted[] = {
        {NULL, &features, (sizeof(features) - sizeof(VkBaseOutStructure)) / sizeof(VkBool32)},
        {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("core14", argc, argv);
    options.extensions = wanted;
    options.api_version = VK_API_VERSION_1_4;
    vkt_init(&s.t, &options);
    dump_report();
    make_buffers();
    make_layouts();
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, ROW_SIDE_PX, ROW_SIDE_PX);
    s.with = make_pipeline(true);
    s.without = make_pipeline(false);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    record(cmd);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, "image", 300, 1000000); /* of geometry shaders */
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("core14", argc, argv);
    vkt_skip("the Vulkan headers are older than Vulkan 1.4");
}
#endif
