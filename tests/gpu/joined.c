/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that emit one strip of triangles each, of as many vertices as the data say:
 * none, too few for a triangle, an even or an odd number, as many as may be. The layer joins them
 * to one strip in inline draws. Nothing may be seen of the triangles between them, and what can be
 * seen of a strip is what it would be alone: its order, sides, provoking vertices, what is clipped.
 */
#include "common/vkt.h"

#include "joined_clips.h"
#include "joined_cut.h"
#include "joined_ends.h"
#include "joined_even.h"
#include "joined_invocations.h"
#include "joined_loop_0.h"
#include "joined_loop_1.h"
#include "joined_loop_2.h"
#include "joined_loop_3.h"
#include "joined_loop_4.h"
#include "joined_loop_5.h"
#include "joined_loop_6.h"
#include "joined_loop_7.h"
#include "joined_number.h"
#include "joined_odd.h"
#include "joined_phi_geom.h"
#include "joined_shade.h"
#include "joined_short.h"
#include "joined_sized.h"
#include "joined_value.h"
#include "joined_vert.h"
#include "joined_viewports.h"

#include <string.h>

#define SIDE_PX 256u
#define CELLS 32u /* points; with several instances the later ones lie above */
#define ROWS 4u

struct suite {
    struct vkt t;
    struct vkt_buffer shapes, inner, rows, arguments;
    struct vkt_target target;
    VkPipelineLayout layout;
};

struct kind {
    const char *name;
    struct vkt_code gs, fs;
    VkPolygonMode mode;
    VkCullModeFlags cull;
    bool last, two_viewports, indirect;
};

static void make_buffers(struct suite *s)
{
    static uint32_t shapes[CELLS][2], inner[CELLS][2], rows[ROWS];
    static const VkDrawIndirectCommand arguments[] = {{CELLS, 2, 0, 1}, {7, 1, 9, 0}};
    for (uint32_t i = 0; i < CELLS; i++) {
        shapes[i][0] = i < 24 ? i : i * 7 % 16; /* more than may be: the shader stops there */
        shapes[i][1] = (i & 1) | (i % 5 == 4 ? 2u : 0u) | (i % 7 == 5 ? 4u : 0u);
    }
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = i;
    for (uint32_t i = 0; i < CELLS; i++) {
        inner[i][0] = shapes[i][0];
        inner[i][1] = shapes[i][1] & 1;
    }
    s->inner = vkt_buffer_from(&s->t, inner, sizeof(inner), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->shapes = vkt_buffer_from(&s->t, shapes, sizeof(shapes), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->rows = vkt_buffer_from(&s->t, rows, sizeof(rows), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->arguments =
        vkt_buffer_from(&s->t, arguments, sizeof(arguments), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    static const VkVertexInputBindingDescription bindings[] = {
        {0, 8, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
    static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_UINT, 0},
                                                                   {1, 1, VK_FORMAT_R32_UINT, 0}};
    static const VkViewport viewports[] = {{0, 0, SIDE_PX, SIDE_PX, 0, 1},
                                           {64, 32, SIDE_PX, SIDE_PX / 2, 0, 1}};
    static const VkRect2D scissors[] = {{{0, 0}, {SIDE_PX, SIDE_PX}},
                                        {{80, 0}, {SIDE_PX - 80, SIDE_PX}}};
    static const VkPipelineViewportStateCreateInfo two = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 2,
        .pViewports = viewports,
        .scissorCount = 2,
        .pScissors = scissors,
    };
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(joined_vert),
        .gs = kind->gs,
        .fs = kind->fs,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .viewports = kind->two_viewports ? &two : NULL,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = bindings,
        .binding_count = 2,
        .attributes = attributes,
        .attribute_count = 2,
        .rasterization_next = kind->last ? &provoking : NULL,
        .polygon_mode = kind->mode,
        .cull = kind->cull,
    };
    return vkt_pipeline(&s->t, &info);
}

/* Edges that are cut are another matter. */
static VkBuffer shapes_of(const struct suite *s, const struct kind *kind)
{
    return kind->mode == VK_POLYGON_MODE_FILL ? s->shapes.buffer : s->inner.buffer;
}

/* The first two are alike, so that they may be instances of one draw. */
static void draw(VkCommandBuffer cmd, const struct suite *s, const struct kind *kind)
{
    if (kind->indirect) {
        vkCmdDrawIndirect(cmd, s->arguments.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
        vkCmdDrawIndirect(cmd, s->arguments.buffer, sizeof(VkDrawIndirectCommand), 1,
                          sizeof(VkDrawIndirectCommand));
        return;
    }
    vkCmdDraw(cmd, 20, 1, 0, 0);
    vkCmdDraw(cmd, 20, 1, 12, 0);
    vkCmdDraw(cmd, 1, 1, 2, 0); /* no triangle comes of it */
    vkCmdDraw(cmd, CELLS - 1, ROWS - 1, 1, 1);
}

static void run(struct suite *s, const struct kind *kind)
{
    const VkBuffer buffers[] = {shapes_of(s, kind), s->rows.buffer};
    const VkPipeline pipeline = make_pipeline(s, kind);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, (const VkDeviceSize[]){0, 0});
    draw(cmd, s, kind);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_image(&s->t, kind->name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > 200, "%s: only %u pixels", kind->name, drawn);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-joined", argc, argv);
    const bool unfilled = vkt_flag(&options, "--unfilled");
    struct suite s;
    options.polygon_modes = options.layer_outputs = true;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    const struct vkt_code value = VKT_CODE(joined_value), number = VKT_CODE(joined_number),
                          shade = VKT_CODE(joined_shade);
    const struct kind kinds[] = {
        {.name = "odd", .gs = VKT_CODE(joined_odd), .fs = value},
        {.name = "even", .gs = VKT_CODE(joined_even), .fs = value},
        {.name = "short", .gs = VKT_CODE(joined_short), .fs = value},
        {.name = "opt/last", .gs = VKT_CODE(joined_odd), .fs = value, .last = true},
        {.name = "back", .gs = VKT_CODE(joined_odd), .fs = value, .cull = VK_CULL_MODE_BACK_BIT},
        {.name = "front", .gs = VKT_CODE(joined_even), .fs = value, .cull = VK_CULL_MODE_FRONT_BIT},
        {.name = "ends", .gs = VKT_CODE(joined_ends), .fs = value},
        {.name = "cut", .gs = VKT_CODE(joined_cut), .fs = value},
        {.name = "invocations", .gs = VKT_CODE(joined_invocations), .fs = value},
        {.name = "number", .gs = VKT_CODE(joined_odd), .fs = number},
        {.name = "shade", .gs = VKT_CODE(joined_even), .fs = shade},
        {.name = "clips", .gs = VKT_CODE(joined_clips), .fs = value},
        {.name = "viewports", .gs = VKT_CODE(joined_viewports), .fs = value, .two_viewports = true},
        {.name = "lines", .gs = VKT_CODE(joined_odd), .fs = value, .mode = VK_POLYGON_MODE_LINE},
        {.name = "points",
         .gs = VKT_CODE(joined_sized),
         .fs = value,
         .mode = VK_POLYGON_MODE_POINT},
        {.name = "loop/pairs", .gs = VKT_CODE(joined_loop_0), .fs = value},
        {.name = "loop/inclusive", .gs = VKT_CODE(joined_loop_1), .fs = value},
        {.name = "loop/sum", .gs = VKT_CODE(joined_loop_2), .fs = value},
        {.name = "loop/sometimes", .gs = VKT_CODE(joined_loop_3), .fs = value},
        {.name = "loop/inner", .gs = VKT_CODE(joined_loop_4), .fs = value},
        {.name = "loop/phi", .gs = VKT_CODE(joined_phi_geom), .fs = value},
        {.name = "loop/break", .gs = VKT_CODE(joined_loop_5), .fs = value},
        {.name = "loop/before", .gs = VKT_CODE(joined_loop_6), .fs = value},
        {.name = "loop/down", .gs = VKT_CODE(joined_loop_7), .fs = value},
        {.name = "loop/indirect", .gs = VKT_CODE(joined_loop_0), .fs = value, .indirect = true},
        {.name = "indirect", .gs = VKT_CODE(joined_odd), .fs = value, .indirect = true},
    };
    /* Natively lavapipe draws edges and corners of what is no strip. */
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        if ((!kinds[i].last || s.t.features.provoking_last) &&
            unfilled == (kinds[i].mode != VK_POLYGON_MODE_FILL))
            run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
