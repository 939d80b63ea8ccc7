/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader puts out, seen by the rasterizer: strips that end at every place,
 * incomplete strips, the flat value of the provoking vertex in both modes, facing and culling,
 * point sizes, stippled line strips. The pictures hold integers and their vertices lie on
 * sixteenths of pixels, so that every rasterizer can be exact.
 */
#include "common/vkt.h"

#include "strips_frag.h"
#include "strips_lines.h"
#include "strips_points.h"
#include "strips_triangles.h"
#include "strips_vert.h"

#define SIDE_PX 256u
#define CELLS 64u

struct cell {
    uint32_t vertices, cuts, mirrored;
};

struct kind {
    const char *name;
    struct vkt_code gs;
    VkCullModeFlags cull;
    bool last, stipple;
};

static void make_cells(struct cell *cells)
{
    static const uint8_t cuts[] = {0x00, 0x04, 0x08, 0x10, 0x02, 0x14,
                                   0x2a, 0xff, 0x01, 0x24, 0x80, 0x66};
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = (struct cell){
            .vertices = i < 18 ? i / 2 : 8 - i % 3,
            .cuts = i < 18 ? 0 : cuts[i % VKT_COUNT(cuts)],
            .mirrored = i & 1,
        };
}

static void draw_kind(struct vkt *t, const struct kind *kind, const struct vkt_target *target,
                      VkPipelineLayout layout, VkBuffer vertices)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct cell),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_UINT, 0};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = kind->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                          : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    const void *provoking_next = t->features.provoking_last ? &provoking : NULL;
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = (void *)provoking_next,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
        .stippledLineEnable = kind->stipple,
        .lineStippleFactor = 2,
        .lineStipplePattern = 0x3d,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(strips_vert),
        .gs = kind->gs,
        .fs = VKT_CODE(strips_frag),
        .layout = layout,
        .pass = target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .rasterization_next = t->features.bresenham_lines ? &line : provoking_next,
        .cull = kind->cull,
    };
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &vertices, &(VkDeviceSize){0});
    vkCmdDraw(cmd, CELLS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    vkt_dump_image(t, kind->name, pixels.map, SIDE_PX, SIDE_PX, 4);

    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        drawn += ((const uint32_t *)pixels.map)[i] != 0;
    VKT_EXPECT(t, drawn > 500, "%s: only %u pixels", kind->name, drawn);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-strips", argc, argv);
    struct vkt t;
    vkt_init(&t, &options);
    struct cell cells[CELLS];
    make_cells(cells);
    const struct vkt_buffer vertices =
        vkt_buffer_from(&t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const VkPipelineLayout layout = vkt_layout(&t, NULL, 0, NULL, 0);
    const struct kind kinds[] = {
        {"triangles/first", VKT_CODE(strips_triangles), VK_CULL_MODE_NONE, false, false},
        {"opt/triangles/last", VKT_CODE(strips_triangles), VK_CULL_MODE_NONE, true, false},
        {"triangles/cull-back", VKT_CODE(strips_triangles), VK_CULL_MODE_BACK_BIT, false, false},
        {"triangles/cull-front", VKT_CODE(strips_triangles), VK_CULL_MODE_FRONT_BIT, false, false},
        {"lines/first", VKT_CODE(strips_lines), VK_CULL_MODE_NONE, false, false},
        {"opt/lines/last", VKT_CODE(strips_lines), VK_CULL_MODE_NONE, true, false},
        {"opt/lines/stipple", VKT_CODE(strips_lines), VK_CULL_MODE_NONE, false, true},
        {"points", VKT_CODE(strips_points), VK_CULL_MODE_NONE, false, false},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        if ((kinds[i].last && !t.features.provoking_last) ||
            (kinds[i].stipple && !t.features.stippled_bresenham))
            continue;
        draw_kind(&t, &kinds[i], &target, layout, vertices.buffer);
    }
    return vkt_finish(&t);
}
