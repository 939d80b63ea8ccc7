/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_pipeline_robustness around geometry shaders: accesses out of bounds read zeros where the
 * pipeline or its stages ask for it, though the device enables no such feature. Vertex buffers are
 * too short, storage buffers and images are read far behind their ends.
 */
#include "common/vkt.h"

#include "robustness_geom.h"
#include "robustness_vert.h"
#include "value_frag.h"

#define SIDE_PX 64u
#define POINTS 32u
#define NUMBERS 20u /* that the vertex buffer holds */

static struct suite {
    struct vkt t;
    struct vkt_buffer numbers, words, block;
    struct vkt_image image;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_target target;
} s;

static void make_descriptors(void)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
         VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       4};
    uint32_t numbers[NUMBERS], words[4], block[64 * 4], texels[16];
    for (uint32_t i = 0; i < NUMBERS; i++)
        numbers[i] = 17 + 3 * i;
    for (uint32_t i = 0; i < 4; i++)
        words[i] = 5 + i;
    for (uint32_t i = 0; i < VKT_COUNT(block); i++)
        block[i] = 100 + i;
    for (uint32_t i = 0; i < VKT_COUNT(texels); i++)
        texels[i] = i + 1;
    s.numbers = vkt_buffer_from(&s.t, numbers, sizeof(numbers), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.words = vkt_buffer_from(&s.t, words, sizeof(words), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    s.block = vkt_buffer_from(&s.t, block, sizeof(block), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s.image = vkt_image(&s.t, VK_FORMAT_R32_UINT, 4, 4,
                        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    vkt_image_upload(&s.t, &s.image, texels, sizeof(texels), VK_IMAGE_LAYOUT_GENERAL);
    const VkDescriptorSetLayout layout = vkt_set_layout(&s.t, bindings, 3);
    s.set = vkt_set(&s.t, layout, bindings, 3);
    s.layout = vkt_layout(&s.t, &layout, 1, &range, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.words.buffer, 0,
                     sizeof(words));
    vkt_write_buffer(&s.t, s.set, 1, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, s.block.buffer, 0,
                     sizeof(block));
    vkt_write_image(&s.t, s.set, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, s.image.view,
                    VK_IMAGE_LAYOUT_GENERAL, VK_NULL_HANDLE);
}

/* by_stage: the stages ask for it, and the pipeline for nothing. */
static VkPipeline make_pipeline(bool geometry, bool by_stage)
{
    const VkPipelineRobustnessCreateInfoEXT robust = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT,
    };
    const VkPipelineRobustnessCreateInfoEXT disabled = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED_EXT,
    };
    const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(robustness_vert),
        .gs = geometry ? VKT_CODE(robustness_geom) : (struct vkt_code){0},
        .fs = VKT_CODE(value_frag),
        .fs_first = true,
        .next = by_stage ? &disabled : &robust,
        .vs_next = by_stage ? &robust : NULL,
        .gs_next = by_stage ? &robust : NULL,
        .layout = s.layout,
        .pass = s.target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s.t, &info);
}

/* As robustness.vert computes it, with zeros for what is out of bounds. */
static uint32_t vertex_value(uint32_t i)
{
    return 5 + i % 4 + 100 + 4 * (i % 4) + 100 + 4 * 63 + 1 + (i < NUMBERS ? 17 + 3 * i : 0);
}

static void expect_points(const uint32_t *pixels, bool geometry, const char *name)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t number = vertex_value(i);
        const uint32_t want = geometry ? number * 1000 + (4 + number % 4 + 1) * 10 + 1 : number;
        for (uint32_t k = 0; k < SIDE_PX * SIDE_PX; k++) {
            if (pixels[k] != want)
                continue;
            found++;
            break;
        }
    }
    VKT_EXPECT(&s.t, found == POINTS, "%s: %u of %u values are there", name, found, POINTS);
}

static void draw(const char *name, bool geometry, bool by_stage)
{
    const uint32_t beyond = 1u << 20;
    const VkDeviceSize zero = 0;
    const VkPipeline pipeline = make_pipeline(geometry, by_stage);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.numbers.buffer, &zero);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(beyond), &beyond);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    expect_points(pixels.map, geometry, name);
    vkt_dump_image(&s.t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    VkPhysicalDevicePipelineRobustnessFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
        .pipelineRobustness = VK_TRUE};
    VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
    const struct vkt_extension extensions[] = {
        {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME, &features, 1},
        {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, &robustness2, 3},
        {NULL, NULL, 0},
    };
    struct vkt_options options = vkt_parse("robustness", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    make_descriptors();
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    draw("pipeline", true, false);
    draw("stages", true, true);
    draw("native", false, false);
    return vkt_finish(&s.t);
}
