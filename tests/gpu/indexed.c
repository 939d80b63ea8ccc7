/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders whose strips are equally long, of which inline draws of the layer have an index
 * list: each vertex comes once, and triangles share it. What is seen is what the strips would be:
 * their order, sides and provoking vertices. Draws of more vertices than the list has go in parts,
 * and those of the application that have indices of their own still find these.
 */
#include "common/vkt.h"

#include "indexed_boxes.h"
#include "indexed_invocations.h"
#include "indexed_lines.h"
#include "indexed_loops.h"
#include "indexed_number.h"
#include "indexed_odd.h"
#include "indexed_plain_vert.h"
#include "indexed_quads.h"
#include "indexed_shade.h"
#include "indexed_small.h"
#include "indexed_unequal.h"
#include "indexed_value.h"
#include "indexed_vert.h"

#include <string.h>

#define SIDE_PX 256u
#define CELLS 32u /* points; with several instances the later ones lie above */
#define ROWS 4u
#define CAPTURED_B 4096u /* more than the counter says */
#define MANY 20000u      /* points that have more vertices than 16 bits can count */
#define SQUARES 16384u   /* where they lie */

struct suite {
    struct vkt t;
    struct vkt_buffer rows, indices, arguments, counter;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline plain, other; /* without a geometry shader; with longer strips */
};

struct kind {
    const char *name;
    struct vkt_code gs, fs;
    VkPolygonMode mode;
    VkCullModeFlags cull;
    bool last, indirect, many, mixed, in_turn, bytes;
};

static void make_buffers(struct suite *s, bool bytes)
{
    static const uint32_t rows[ROWS] = {0, 1, 2, 3};
    static const uint16_t indices[] = {0, 1, 2, 4, 3, 5, 7, 9, 11};
    static const uint32_t counter = 20 * 4;
    static const VkDrawIndirectCommand arguments[] = {{CELLS, 2, 0, 1}, {7, 1, 9, 0}};
    s->rows = vkt_buffer_from(&s->t, rows, sizeof(rows), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->arguments =
        vkt_buffer_from(&s->t, arguments, sizeof(arguments), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    if (!bytes)
        return;
    const VkBufferUsageFlags captured = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    s->counter = vkt_buffer(&s->t, CAPTURED_B, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | captured, 0);
    memcpy(s->counter.map, &counter, sizeof(counter));
}

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    static const VkVertexInputBindingDescription bindings[] = {
        {0, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
    static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32_UINT, 0}};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(indexed_vert),
        .gs = kind->gs,
        .fs = kind->fs,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = bindings,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 1,
        .rasterization_next = kind->last ? &provoking : NULL,
        .polygon_mode = kind->mode,
        .cull = kind->cull,
    };
    return vkt_pipeline(&s->t, &info);
}

static VkPipeline make_plain(struct suite *s)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(indexed_plain_vert),
        .fs = VKT_CODE(indexed_value),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw_indirectly(VkCommandBuffer cmd, const struct suite *s)
{
    vkCmdDrawIndirect(cmd, s->arguments.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
    vkCmdDrawIndirect(cmd, s->arguments.buffer, sizeof(VkDrawIndirectCommand), 1,
                      sizeof(VkDrawIndirectCommand));
}

/* The application's own draws with indices between those of the pipeline: with what it bound before
 * these, and with what it bound while they were bound. */
static void draw_mixed(VkCommandBuffer cmd, const struct suite *s, VkPipeline pipeline)
{
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDraw(cmd, 20, 1, 0, 0);
    vkCmdBindPipeline(cmd, graphics, s->plain);
    vkCmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
    vkCmdBindPipeline(cmd, graphics, pipeline);
    vkCmdDraw(cmd, 10, 1, 3, 0);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 6, VK_INDEX_TYPE_UINT16);
    vkCmdDraw(cmd, 5, 1, 6, 0);
    vkCmdBindPipeline(cmd, graphics, s->plain);
    vkCmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
    vkCmdBindPipeline(cmd, graphics, pipeline);
    vkCmdDrawIndexed(cmd, 3, 1, 3, 8, 0);
    vkCmdDraw(cmd, 10, 1, 20, 0);
}

/* Nobody but the GPU knows how many. */
static void draw_by_bytes(VkCommandBuffer cmd, const struct suite *s)
{
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, s->counter.buffer, 0, 0, 4);
    vkCmdDraw(cmd, 5, 1, 25, 0);
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 1, s->counter.buffer, 0, 0, 8);
}

/* Each of the two has a list of its own. */
static void draw_in_turn(VkCommandBuffer cmd, const struct suite *s, VkPipeline pipeline)
{
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdDraw(cmd, 3, 1, i * 8, 0);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->other);
        vkCmdDraw(cmd, 3, 1, i * 8 + 3, 0);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    }
}

/* Calls that are alike may be instances of one draw, which must stay in order. */
static void draw(VkCommandBuffer cmd, const struct suite *s, const struct kind *kind,
                 VkPipeline pipeline)
{
    if (kind->indirect) {
        draw_indirectly(cmd, s);
    } else if (kind->bytes) {
        draw_by_bytes(cmd, s);
    } else if (kind->mixed) {
        draw_mixed(cmd, s, pipeline);
    } else if (kind->in_turn) {
        draw_in_turn(cmd, s, pipeline);
    } else if (kind->many) {
        vkCmdDraw(cmd, MANY, 1, 0, 0);
        vkCmdDraw(cmd, MANY, 1, SQUARES + 5000, 0);
        vkCmdDraw(cmd, 700, 1, SQUARES, 0);
    } else {
        vkCmdDraw(cmd, 20, 1, 0, 0);
        vkCmdDraw(cmd, 20, 1, 12, 0);
        vkCmdDraw(cmd, CELLS - 1, ROWS - 1, 1, 1);
    }
}

static void run(struct suite *s, const struct kind *kind)
{
    const VkPipeline pipeline = make_pipeline(s, kind);
    const uint32_t times = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->rows.buffer, (const VkDeviceSize[]){0});
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(times), &times);
    draw(cmd, s, kind, pipeline);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_image(&s->t, kind->name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > 200, "%s: only %u pixels", kind->name, drawn);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-indexed", argc, argv);
    const bool unfilled = vkt_flag(&options, "--unfilled");
    const bool bytes = vkt_flag(&options, "--bytes");
    static const VkPushConstantRange times = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, 4};
    struct suite s;
    options.polygon_modes = true;
    options.xfb = bytes;
    vkt_init(&s.t, &options);
    if (bytes && !s.t.xfb.transformFeedbackDraw)
        vkt_skip("no transformFeedbackDraw");
    make_buffers(&s, bytes);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, &times, 1);
    s.plain = make_plain(&s);
    const struct vkt_code value = VKT_CODE(indexed_value), number = VKT_CODE(indexed_number),
                          shade = VKT_CODE(indexed_shade), quads = VKT_CODE(indexed_quads),
                          odd = VKT_CODE(indexed_odd);
    s.other = make_pipeline(&s, &(struct kind){.gs = odd, .fs = value});
    const struct kind kinds[] = {
        {.name = "quads", .gs = quads, .fs = value},
        {.name = "odd", .gs = odd, .fs = value},
        {.name = "boxes", .gs = VKT_CODE(indexed_boxes), .fs = value},
        {.name = "lines", .gs = VKT_CODE(indexed_lines), .fs = value},
        {.name = "unequal", .gs = VKT_CODE(indexed_unequal), .fs = value},
        {.name = "invocations", .gs = VKT_CODE(indexed_invocations), .fs = value},
        {.name = "opt/last", .gs = odd, .fs = value, .last = true},
        {.name = "opt/last/lines", .gs = VKT_CODE(indexed_lines), .fs = value, .last = true},
        {.name = "back", .gs = odd, .fs = value, .cull = VK_CULL_MODE_BACK_BIT},
        {.name = "front", .gs = quads, .fs = value, .cull = VK_CULL_MODE_FRONT_BIT},
        {.name = "number", .gs = odd, .fs = number},
        {.name = "shade", .gs = quads, .fs = shade},
        {.name = "loops", .gs = VKT_CODE(indexed_loops), .fs = value},
        {.name = "many", .gs = VKT_CODE(indexed_small), .fs = value, .many = true},
        {.name = "mixed", .gs = quads, .fs = value, .mixed = true},
        {.name = "in_turn", .gs = quads, .fs = value, .in_turn = true},
        {.name = "indirect", .gs = odd, .fs = value, .indirect = true},
        {.name = "bytes", .gs = quads, .fs = value, .bytes = true},
        {.name = "bytes/odd", .gs = odd, .fs = value, .bytes = true},
        {.name = "edges", .gs = odd, .fs = value, .mode = VK_POLYGON_MODE_LINE},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        if ((!kinds[i].last || s.t.features.provoking_last) && bytes == kinds[i].bytes &&
            unfilled == (kinds[i].mode != VK_POLYGON_MODE_FILL))
            run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
