/* SPDX-License-Identifier: MIT */
#include "row.h"

struct row_push row_push(uint32_t at)
{
    return (struct row_push){{(float)(at % 2) * 31.0f, (float)(at / 2) * 6.5f}, 100 * at + 1};
}

struct row_places row_places(void)
{
    struct row_places row;
    for (uint32_t i = 0; i < ROW_VERTICES; i++) {
        row.places[i][0] = 0.3f + (float)(i / 3) * 5.0f + (float)(i % 3 == 1) * 4.5f;
        row.places[i][1] = 0.3f + (float)(i % 3 == 2) * 9.0f;
    }
    return row;
}

void row_init(struct vkt *t, struct vkt_buffer *places, VkPipelineLayout *layout,
              struct vkt_target *target)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    const struct row_places row = row_places();
    *places = vkt_buffer_from(t, &row, sizeof(row), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    *layout = vkt_layout(t, NULL, 0, &range, 1);
    *target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, ROW_SIDE_PX, ROW_SIDE_PX);
}

struct vkt_pipeline_info row_pipeline(VkPipelineLayout layout, VkRenderPass pass)
{
    static const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    return (struct vkt_pipeline_info){
        .layout = layout,
        .pass = pass,
        .width_px = ROW_SIDE_PX,
        .height_px = ROW_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
}

void row_expect(struct vkt *t, const struct vkt_target *target, const char *name, uint32_t least,
                uint32_t bound)
{
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < ROW_SIDE_PX * ROW_SIDE_PX; i++)
        drawn += ((const uint32_t *)pixels.map)[i] > bound;
    VKT_EXPECT(t, drawn > least, "%s: only %u pixels above %u", name, drawn, bound);
    vkt_dump_image(t, name, pixels.map, ROW_SIDE_PX, ROW_SIDE_PX, 4);
}
