/* SPDX-License-Identifier: MIT
 *
 * Draws with a geometry shader whose memory may be too small: nothing of the picture may be missing
 * or out of order, the first time as little as when the layer has learned how much it takes. To be
 * compared with what is drawn natively, with arguments in a buffer and a pool of 1 MiB.
 */
#include "common/vkt.h"

#include "inline_frag.h"
#include "inline_lines_triangle_strip.h"
#include "inline_points_line_strip.h"
#include "inline_points_points.h"
#include "inline_points_triangle_strip.h"
#include "inline_triangles_line_strip.h"
#include "inline_vert.h"

#include <string.h>

#define SIDE_PX 256u
#define CELLS 1024u
#define INSTANCES 2u
#define RESTART_EVERY 7u
#define ROUNDS 2u

struct kind {
    const char *name;
    struct vkt_code gs;
    VkPrimitiveTopology topology;
    bool indexed; /* and primitives restart */
    bool last;    /* vertices are provoking */
};

struct suite {
    struct vkt t;
    bool near; /* the layer draws the lines, whose ends may be a pixel off */
    struct vkt_buffer cells, turns, indices;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void make_buffers(struct suite *s)
{
    static uint32_t cells[CELLS], turns[INSTANCES + 1][2];
    static uint16_t indices[CELLS];
    for (uint32_t i = 0; i < CELLS; i++) {
        cells[i] = i * 371 % CELLS;
        indices[i] = i % RESTART_EVERY == RESTART_EVERY - 1 ? 0xFFFF : (uint16_t)(i * 3 % CELLS);
    }
    for (uint32_t i = 0; i <= INSTANCES; i++) {
        turns[i][0] = i;
        turns[i][1] = i % 2;
    }
    s->cells = vkt_buffer_from(&s->t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->turns = vkt_buffer_from(&s->t, turns, sizeof(turns), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

static void make_set(struct suite *s)
{
    static const float scale[4] = {1.25f, 0.75f, 2.0f / 32, 2.0f / 32};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 8};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    const struct vkt_buffer field =
        vkt_buffer_from(&s->t, scale, sizeof(scale), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, field.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &layout, 1, &range, 1);
}

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    static const VkVertexInputBindingDescription bindings[] = {
        {0, 4, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 8, VK_VERTEX_INPUT_RATE_INSTANCE}};
    static const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32_UINT, 0}, {1, 1, VK_FORMAT_R32G32_UINT, 0}};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const void *next = kind->last ? &provoking : NULL;
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = (void *)next,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(inline_vert),
        .gs = kind->gs,
        .fs = VKT_CODE(inline_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = kind->topology,
        .restart = kind->indexed,
        .bindings = bindings,
        .binding_count = 2,
        .attributes = attributes,
        .attribute_count = 2,
        .rasterization_next = s->t.features.bresenham_lines ? &line : next,
    };
    return vkt_pipeline(&s->t, &info);
}

/* A small draw, one of everything with instances, and a last one that lies above. */
static void draw(struct suite *s, VkCommandBuffer cmd, const struct kind *kind)
{
    static const struct {
        uint32_t base, first, count, first_instance, instances;
    } draws[] = {{1, 40, 17, 0, 1}, {3, 0, CELLS, 1, INSTANCES}, {8000, 100, 300, 0, 1}};
    for (uint32_t i = 0; i < VKT_COUNT(draws); i++) {
        const uint32_t push[2] = {draws[i].base, 0};
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), push);
        if (kind->indexed)
            vkCmdDrawIndexed(cmd, draws[i].count, draws[i].instances, draws[i].first, 0,
                             draws[i].first_instance);
        else
            vkCmdDraw(cmd, draws[i].count, draws[i].instances, draws[i].first,
                      draws[i].first_instance);
    }
}

static void record(struct suite *s, VkCommandBuffer cmd, const struct kind *kind,
                   VkPipeline pipeline)
{
    const VkBuffer buffers[] = {s->cells.buffer, s->turns.buffer};
    const VkDeviceSize zeros[] = {0, 0};
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, zeros);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    draw(s, cmd, kind);
    vkCmdEndRenderPass(cmd);
}

static void run(struct suite *s, const struct kind *kind, VkCommandBuffer cmd, VkPipeline pipeline,
                uint32_t round)
{
    char name[64];
    record(s, cmd, kind, pipeline);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    snprintf(name, sizeof(name), "%s%s/%u", s->near ? "near/" : "", kind->name, round);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > SIDE_PX * SIDE_PX / 16, "%s: only %u pixels", name, drawn);
}

/* The layer learns what a command buffer needs when it is recorded anew. */
int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-inline", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    s.near = vkt_flag(&options, "--near");
    make_buffers(&s);
    make_set(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const struct kind kinds[] = {
        {"points", VKT_CODE(inline_points_points), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, false},
        {"lines", VKT_CODE(inline_points_line_strip), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false,
         false},
        {"triangles", VKT_CODE(inline_points_triangle_strip), VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
         false, false},
        {"strips", VKT_CODE(inline_lines_triangle_strip), VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true,
         false},
        {"fans", VKT_CODE(inline_triangles_line_strip), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true,
         false},
        {"fans-last", VKT_CODE(inline_triangles_line_strip), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
         true, true},
        {"strips-last", VKT_CODE(inline_triangles_line_strip), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
         false, true},
    };
    VkCommandBuffer cmd[VKT_COUNT(kinds)];
    VkPipeline pipelines[VKT_COUNT(kinds)];
    const uint32_t count = VKT_COUNT(kinds) - (s.t.features.provoking_last ? 0 : 2);
    for (uint32_t i = 0; i < count; i++) {
        cmd[i] = vkt_commands(&s.t);
        pipelines[i] = make_pipeline(&s, &kinds[i]);
    }
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < count; i++)
            run(&s, &kinds[i], cmd[i], pipelines[i], round);
    vkFreeCommandBuffers(s.t.device, s.t.pool, count, cmd);
    return vkt_finish(&s.t);
}
