/* SPDX-License-Identifier: MIT
 *
 * The first time that a device hears of transform feedback, while a pass is already being recorded:
 * a draw by byte count where no module captures, a pipeline that captures from a vertex shader or a
 * geometry shader made and bound in that pass. Every case on a device of its own.
 */
#include "gpu/xfb.h"

#include "move_capture_geom.h"
#include "move_capture_vert.h"
#include "move_vert.h"
#include "xfb_geometry_frag.h"

#include <string.h>

#define SIDE_PX 64u
#define ITEMS 9u
#define ITEM_B 16u

enum lazy_case { LAZY_BYTE_COUNT, LAZY_VERTEX, LAZY_GEOMETRY, LAZY_CASES };

static const char *const names[LAZY_CASES] = {"byte-count", "vertex", "geometry"};

struct rig {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer items, capture, counters;
    VkPipelineLayout layout;
};

static VkPipeline make_pipeline(struct rig *r, enum lazy_case which)
{
    const VkVertexInputBindingDescription binding = {0, ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = which == LAZY_VERTEX ? VKT_CODE(move_capture_vert) : VKT_CODE(move_vert),
        .gs = which == LAZY_GEOMETRY ? VKT_CODE(move_capture_geom) : (struct vkt_code){0},
        .fs = VKT_CODE(xfb_geometry_frag),
        .layout = r->layout,
        .pass = r->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&r->t, &info);
}

static void make_resources(struct rig *r)
{
    uint32_t items[ITEMS][4];
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t item[4] = {i, 100 + i, 3 * i, 2 * i};
        memcpy(items[i], item, sizeof(item));
    }
    r->target = vkt_target(&r->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    r->items = vkt_buffer_from(&r->t, items, sizeof(items), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    r->capture = xfb_buffer(&r->t, 4096);
    r->counters = xfb_buffer(&r->t, 16);
    const uint32_t counter_B = ITEMS * ITEM_B;
    memcpy((uint8_t *)r->counters.map + 4, &counter_B, sizeof(counter_B));
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    r->layout = vkt_layout(&r->t, NULL, 0, &range, 1);
}

static void record(struct rig *r, VkCommandBuffer cmd, enum lazy_case which)
{
    const uint32_t change[4] = {1, 1000, 1, 1};
    const struct xfb_range range = {r->capture.buffer, 0, r->capture.size_B};
    const struct xfb_range counter = {r->counters.buffer, 0, 0};
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &r->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &r->items.buffer, &(VkDeviceSize){0});
    vkCmdPushConstants(cmd, r->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), change);
    const VkPipeline pipeline = make_pipeline(r, which);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (which == LAZY_BYTE_COUNT) {
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counters.buffer, 4, 0, ITEM_B);
    } else {
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
        vkCmdDraw(cmd, ITEMS, 1, 0, 0);
        xfb_end(cmd, 0, 1, &counter);
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static int run(const struct vkt_options *options, enum lazy_case which)
{
    static struct rig rigs[LAZY_CASES];
    struct rig *r = &rigs[which];
    vkt_init(&r->t, options);
    make_resources(r);
    VkCommandBuffer cmd = vkt_commands(&r->t);
    record(r, cmd, which);
    vkt_submit(&r->t, cmd);
    uint32_t count = ITEMS;
    if (which == LAZY_GEOMETRY) /* item i has become number i + 1, and then (2 i + 1) modulo 4 */
        for (uint32_t i = count = 0; i < ITEMS; i++)
            count += (2 * i + 1) % 4;
    if (which != LAZY_BYTE_COUNT) {
        VKT_EXPECT(&r->t, xfb_word(&r->counters, 0) == count * ITEM_B, "%s: counter %u",
                   names[which], xfb_word(&r->counters, 0));
        VKT_EXPECT(&r->t, xfb_word(&r->capture, 4) == 1100, "%s: first value %u", names[which],
                   xfb_word(&r->capture, 4));
        xfb_expect_rest(&r->t, names[which], &r->capture, count * ITEM_B);
    }
    const struct vkt_buffer pixels = vkt_image_read(&r->t, &r->target.color, 4);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t at = (2 * i + 1) * SIDE_PX + 3 * i + 1;
        VKT_EXPECT(&r->t, xfb_word(&pixels, 4 * at) == 1100 + i, "%s: item %u is not drawn",
                   names[which], i);
    }
    xfb_dump(&r->t, r->capture.map, r->capture.size_B, "%s", names[which]);
    xfb_dump_target(&r->t, &r->target, "%s/image", names[which]);
    return vkt_finish(&r->t);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_lazy", argc, argv);
    options.xfb = true;
    const char *dump_path = options.dump_path;
    int status = 0;
    for (uint32_t i = 0; i < LAZY_CASES; i++) {
        options.dump_path = i + 1 == LAZY_CASES ? dump_path : NULL;
        status |= run(&options, (enum lazy_case)i);
    }
    return status;
}
