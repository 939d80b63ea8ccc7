/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader puts out, seen by the rasterizer: strips that end at every place,
 * incomplete strips, the flat value of the provoking vertex in both modes, facing and culling,
 * point sizes, stippled line strips. The pictures hold integers and their vertices lie on
 * sixteenths of pixels, so that every rasterizer can be exact.
 */
#include "common/vkt.h"

#include "strips_constant.h"
#include "strips_frag.h"
#include "strips_lines.h"
#include "strips_number.h"
#include "strips_plain.h"
#include "strips_points.h"
#include "strips_triangles.h"
#include "strips_vert.h"

#include <stdlib.h>
#include <string.h>

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

    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(t, drawn > 500, "%s: only %u pixels", kind->name, drawn);
}

enum {
    PLAIN_LAST = 1,  /* the last vertex is the provoking one */
    PLAIN_FLAT = 2,  /* not indexed */
    PLAIN_INNER = 4, /* without the first and the last vertex */
};

/* Line strips without a geometry shader, which the layer takes apart where fragment shaders read
 * gl_PrimitiveID: along a strip the pattern goes on, and with each strip it begins again. */
static void draw_plain(struct vkt *t, const struct vkt_target *target, struct vkt_code fs,
                       VkPrimitiveTopology topology, const char *name, uint32_t flags)
{
    static const uint16_t indices[] = {0,  1,  2,      3,  4,      0xffff, 5,      6,  7,  8,
                                       9,  10, 0xffff, 11, 0xffff, 0xffff, 12,     13, 14, 15,
                                       16, 17, 18,     19, 20,     21,     0xffff, 30, 31, 32};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = flags & PLAIN_LAST ? (void *)&provoking : NULL,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
        .stippledLineEnable = VK_TRUE,
        .lineStippleFactor = 1,
        .lineStipplePattern = 0x0f35,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(strips_plain),
        .fs = fs,
        .layout = vkt_layout(t, NULL, 0, NULL, 0),
        .pass = target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = topology,
        .restart = true,
        .rasterization_next = &line,
    };
    const struct vkt_buffer buffer =
        vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindIndexBuffer(cmd, buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
    const uint32_t less = flags & PLAIN_INNER ? 1 : 0;
    vkCmdDraw(cmd, 33 - 2 * less, 2, 1 + less, 0);
    if (!(flags & PLAIN_FLAT))
        vkCmdDrawIndexed(cmd, VKT_COUNT(indices), 3, 0, 0, 2);
    vkCmdDraw(cmd, 30 - 2 * less, 9, less, 5); /* more than a tile */
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    vkt_dump_image(t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

/* lavapipe restarts the pattern at each line if the fragment shader reads gl_PrimitiveID, or there
 * is adjacency; so natively there is neither. */
static void draw_all_plain(struct vkt *t, const struct vkt_target *target, bool number)
{
    const struct vkt_code fs = number ? VKT_CODE(strips_number) : VKT_CODE(strips_constant);
    draw_plain(t, target, fs, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, "opt/plain/first", 0);
    if (t->features.provoking_last)
        draw_plain(t, target, fs, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, "opt/plain/last", PLAIN_LAST);
    if (number)
        draw_plain(t, target, fs, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                   "opt/plain/adjacency", PLAIN_FLAT);
    else
        draw_plain(t, target, fs, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, "opt/plain/adjacency",
                   PLAIN_FLAT | PLAIN_INNER);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-strips", argc, argv);
    const bool number = vkt_flag(&options, "--number");
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
    /* Where lavapipe cuts lines it interpolates flat inputs, where the layer does, nothing does. */
    const char *profile = getenv("PGS_TEST_PROFILE");
    const bool stipples = profile && strncmp(profile, "rogue", 5) == 0;
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        if ((kinds[i].last && !t.features.provoking_last) ||
            (kinds[i].stipple && (!t.features.stippled_bresenham || stipples)))
            continue;
        draw_kind(&t, &kinds[i], &target, layout, vertices.buffer);
    }
    if (t.features.stippled_bresenham)
        draw_all_plain(&t, &target, number);
    return vkt_finish(&t);
}
