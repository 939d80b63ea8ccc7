/* SPDX-License-Identifier: MIT
 *
 * A draw with more possible output vertices (17.9 million) than an index may name everywhere (2^24
 * - 1), so that the layer takes it in several parts: in the middle of an instance, with nothing
 * lost, doubled or out of order.
 */
#include "common/vkt.h"

#include "amplify_frag.h"
#include "large_geom.h"
#include "large_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define LOG_W 1009u
#define POINTS 23400u
#define INSTANCES 3u

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-large", argc, argv);
    static struct vkt t;
    vkt_init(&t, &options);
    if (!t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const struct vkt_buffer log = vkt_buffer(&t, LOG_W * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    memset(log.map, 0, log.size_B);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&t, &binding, 1);
    const VkDescriptorSet set = vkt_set(&t, set_layout, &binding, 1);
    vkt_write_buffer(&t, set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, log.buffer, 0,
                     VK_WHOLE_SIZE);
    const VkPipelineLayout layout = vkt_layout(&t, &set_layout, 1, NULL, 0);
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(large_vert),
        .gs = VKT_CODE(large_geom),
        .fs = VKT_CODE(amplify_frag),
        .layout = layout,
        .pass = target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .rasterization_next = t.features.bresenham_lines ? &line : NULL,
    };
    const VkPipeline pipeline = vkt_pipeline(&t, &info);

    VkCommandBuffer cmd = vkt_commands(&t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(cmd, POINTS, INSTANCES, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&t, cmd);

    uint32_t expected[LOG_W] = {0};
    for (uint32_t i = 0; i < POINTS * INSTANCES; i++)
        expected[i % LOG_W] += i + i % POINTS * 3;
    VKT_EXPECT(&t, !memcmp(log.map, expected, sizeof(expected)), "not every unit ran once");
    vkt_dump_buffer(&t, "log", log.map, LOG_W * 4);
    const struct vkt_buffer pixels = vkt_image_read(&t, &target.color, 4);
    vkt_dump_image(&t, "last", pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&t, drawn == SIDE_PX * SIDE_PX, "only %u pixels", drawn);
    return vkt_finish(&t);
}
