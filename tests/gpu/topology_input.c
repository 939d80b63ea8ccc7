/* SPDX-License-Identifier: MIT */
#include "gpu/topology_input.h"

#include "gpu/topology_draws.h"

#include <string.h>

#define BUFFER_OFFSET_B 8u
#define VERTEX_STRIDE_B 12u
#define TAG_OFFSET_B 4u
#define INSTANCES 16u
#define INSTANCE_BINDING 3u

struct topology_input topology_input(struct vkt *t)
{
    const struct topology_input input = {
        .vertices = vkt_buffer(t, BUFFER_OFFSET_B + TOPOLOGY_VERTICES * VERTEX_STRIDE_B,
                               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0xee),
        .instances = vkt_buffer(t, INSTANCES * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0),
        .indices = vkt_buffer(t, TOPOLOGY_MAX_DRAWS * TOPOLOGY_MAX_INDICES * 4,
                              VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0),
    };
    uint8_t *first = (uint8_t *)input.vertices.map + BUFFER_OFFSET_B + TAG_OFFSET_B;
    for (uint32_t i = 0; i < TOPOLOGY_VERTICES; i++) {
        const uint32_t tag = topology_vertex_tag(i);
        memcpy(first + i * VERTEX_STRIDE_B, &tag, sizeof(tag));
    }
    for (uint32_t i = 0; i < INSTANCES; i++)
        ((uint32_t *)input.instances.map)[i] = topology_instance_tag(i);
    return input;
}

void topology_input_bind(VkCommandBuffer cmd, const struct topology_input *input)
{
    vkCmdBindVertexBuffers(cmd, 0, 1, &input->vertices.buffer, &(VkDeviceSize){BUFFER_OFFSET_B});
    vkCmdBindVertexBuffers(cmd, INSTANCE_BINDING, 1, &input->instances.buffer, &(VkDeviceSize){0});
}

void topology_input_describe(struct vkt_pipeline_info *info)
{
    static const VkVertexInputBindingDescription bindings[] = {
        {0, VERTEX_STRIDE_B, VK_VERTEX_INPUT_RATE_VERTEX},
        {INSTANCE_BINDING, 4, VK_VERTEX_INPUT_RATE_INSTANCE},
    };
    static const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32_UINT, TAG_OFFSET_B},
        {1, INSTANCE_BINDING, VK_FORMAT_R32_UINT, 0},
    };
    info->bindings = bindings;
    info->binding_count = VKT_COUNT(bindings);
    info->attributes = attributes;
    info->attribute_count = VKT_COUNT(attributes);
}
