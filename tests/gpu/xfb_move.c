/* SPDX-License-Identifier: MIT */
#include "gpu/xfb_move.h"

#include "move_capture_geom.h"
#include "move_capture_vert.h"
#include "move_geom.h"
#include "move_vert.h"
#include "xfb_geometry_frag.h"

const char *const move_names[MOVE_KINDS] = {"show", "show-geometry", "capture", "capture-geometry"};

void move_pipelines(struct move *m, VkRenderPass pass, VkPipeline pipelines[MOVE_KINDS])
{
    const VkVertexInputBindingDescription binding = {0, MOVE_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    const struct {
        struct vkt_code vs, gs;
    } codes[MOVE_KINDS] = {
        [MOVE_SHOW] = {VKT_CODE(move_vert), {0}},
        [MOVE_SHOW_GEOMETRY] = {VKT_CODE(move_vert), VKT_CODE(move_geom)},
        [MOVE_CAPTURE] = {VKT_CODE(move_capture_vert), {0}},
        [MOVE_CAPTURE_GEOMETRY] = {VKT_CODE(move_vert), VKT_CODE(move_capture_geom)},
    };
    for (uint32_t i = 0; i < MOVE_KINDS; i++) {
        const struct vkt_pipeline_info info = {
            .vs = codes[i].vs,
            .gs = codes[i].gs,
            .fs = VKT_CODE(xfb_geometry_frag),
            .layout = m->layout,
            .pass = pass,
            .dynamic_format = VK_FORMAT_R32_UINT,
            .width_px = MOVE_SIDE_PX,
            .height_px = MOVE_SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
            .bindings = &binding,
            .binding_count = 1,
            .attributes = &attribute,
            .attribute_count = 1,
        };
        pipelines[i] = vkt_pipeline(&m->t, &info);
    }
}

void move_init(struct move *m, const char *name, int argc, char **argv)
{
    struct vkt_options options = vkt_parse(name, argc, argv);
    options.xfb = true;
    options.addresses = vkt_flag(&options, "--pointers");
    vkt_init(&m->t, &options);
    m->target = xfb_target(&m->t, MOVE_SIDE_PX);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct move_item)};
    m->layout = vkt_layout(&m->t, NULL, 0, &range, 1);
    move_pipelines(m, m->target.pass, m->pipelines);
    struct move_item items[MOVE_ITEMS];
    for (uint32_t i = 0; i < MOVE_ITEMS; i++)
        items[i] = (struct move_item){i, 1000 + i, (i * 7) % 64, i};
    m->items = vkt_buffer_from(&m->t, items, sizeof(items), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

void move_begin_pass(const struct move *m, VkCommandBuffer cmd, bool load)
{
    vkt_target_begin(cmd, &m->target, load, VK_SUBPASS_CONTENTS_INLINE);
}

void move_bind(const struct move *m, VkCommandBuffer cmd, enum move_kind kind, VkBuffer items,
               VkDeviceSize offset_B, struct move_item change)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, m->pipelines[kind]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &items, &offset_B);
    vkCmdPushConstants(cmd, m->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), &change);
}
