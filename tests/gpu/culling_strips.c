/* SPDX-License-Identifier: MIT */
#include "culling_strips.h"

#include <stdio.h>
#include <string.h>

#define PIXELS ((size_t)CULLING_SIDE_PX * CULLING_SIDE_PX)

void culling_init(struct vkt *t, struct culling_strips *s, uint32_t strips, uint32_t positions)
{
    const struct vkt_buffer *buffers[] = {&s->strips, &s->positions, &s->sums};
    const VkDeviceSize sizes_B[] = {strips * sizeof(struct culling_strip),
                                    (VkDeviceSize)positions * 16, PIXELS * 4};
    const VkShaderStageFlags stages[] = {VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                                         VK_SHADER_STAGE_FRAGMENT_BIT};
    VkDescriptorSetLayoutBinding bindings[3];
    s->target =
        vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, CULLING_SIDE_PX, CULLING_SIDE_PX);
    s->strips = vkt_buffer(t, sizes_B[0], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->positions = vkt_buffer(t, sizes_B[1], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->sums = vkt_buffer(t, sizes_B[2], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     stages[i], NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, bindings, 3);
    s->set = vkt_set(t, set_layout, bindings, 3);
    for (uint32_t i = 0; i < 3; i++)
        vkt_write_buffer(t, s->set, i, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers[i]->buffer, 0,
                         VK_WHOLE_SIZE);
    const VkPushConstantRange range = {VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       sizeof(struct culling_push)};
    s->layout = vkt_layout(t, &set_layout, 1, &range, 1);
}

uint32_t culling_random_below(struct culling_strips *s, uint32_t bound)
{
    s->random = s->random * 1664525u + 1013904223u;
    return (s->random >> 8) % bound;
}

void culling_bind(const struct culling_strips *s, VkCommandBuffer cmd,
                  const struct culling_push *push)
{
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(*push), push);
}

void culling_clear_sums(struct culling_strips *s)
{
    memset(s->sums.map, 0, s->sums.size_B);
}

void culling_expect_sums(struct vkt *t, const struct culling_strips *s, const char *name,
                         uint32_t least)
{
    char sums[64];
    snprintf(sums, sizeof(sums), "%s-sums", name);
    vkt_dump_image(t, sums, s->sums.map, CULLING_SIDE_PX, CULLING_SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(s->sums.map, PIXELS);
    VKT_EXPECT(t, drawn > least, "%s: only %u pixels", name, drawn);
}
