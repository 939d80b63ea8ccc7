/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders of several invocations behind tessellation, whose emits are static, so that a
 * raster vertex shader may run both stages: what each invocation draws, and with which number of
 * the patch, in commands that are submitted once and in others, with arguments in a buffer, indexed
 * and in several draws.
 *
 * Option --primitive-id: the number of the patch is gl_PrimitiveIDIn, else the evaluation shader
 * hands it on. For Mesa 22.3 gl_PrimitiveIDIn is that of a primitive that tessellation made.
 */
#include "gpu/tessellation.h"

#include "tessellation_commands_tesc.h"
#include "tessellation_commands_vert.h"
#include "tessellation_invocations_frag.h"
#include "tessellation_invocations_lines_0.h"
#include "tessellation_invocations_lines_1.h"
#include "tessellation_invocations_points_0.h"
#include "tessellation_invocations_points_1.h"
#include "tessellation_invocations_tese.h"
#include "tessellation_invocations_triangles_0.h"
#include "tessellation_invocations_triangles_1.h"

#include <string.h>

#define SIDE_PX 128u
#define CELLS 64u
#define CELL_PX 16u
#define INVOCATIONS 4u

/* Patches of one vertex, each a cell; the last instance of a cell is seen. */
#define RUNS 4u
static const struct run {
    uint32_t first, count, instances;
} runs[RUNS] = {{0, 20, 1}, {20, 1, 3}, {24, 30, 2}, {56, 8, 1}};

static const struct kind {
    const char *name;
    struct tess_mode mode;
    struct vkt_code gs[2]; /* [primitive_id] */
} kinds[] = {
    {"triangles",
     {TESS_TRIANGLES, TESS_EQUAL, false, false, false},
     {VKT_CODE(tessellation_invocations_triangles_0),
      VKT_CODE(tessellation_invocations_triangles_1)}},
    {"quads",
     {TESS_QUADS, TESS_FRACTIONAL_ODD, true, false, true},
     {VKT_CODE(tessellation_invocations_triangles_0),
      VKT_CODE(tessellation_invocations_triangles_1)}},
    {"isolines",
     {TESS_ISOLINES, TESS_FRACTIONAL_EVEN, false, false, false},
     {VKT_CODE(tessellation_invocations_lines_0), VKT_CODE(tessellation_invocations_lines_1)}},
    {"points",
     {TESS_TRIANGLES, TESS_EQUAL, false, true, false},
     {VKT_CODE(tessellation_invocations_points_0), VKT_CODE(tessellation_invocations_points_1)}},
};

enum way { ONCE, AGAIN, INDEXED, INDIRECT, WAYS };
static const char *const way_names[WAYS] = {"once", "again", "indexed", "indirect"};

static struct suite {
    struct vkt t;
    struct vkt_buffer levels, indices, arguments;
    VkPipelineLayout layout;
    struct vkt_target target;
    bool primitive_id;
} s;

/* 0: the patch is discarded. */
static float level_of(uint32_t cell)
{
    return cell % 7 == 5 ? 0 : 1 + (float)(cell % 4);
}

static VkPipeline make_pipeline(const struct kind *kind)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT};
    return vkt_pipeline(
        &s.t, &(struct vkt_pipeline_info){
                  .vs = VKT_CODE(tessellation_commands_vert),
                  .tcs = VKT_CODE(tessellation_commands_tesc),
                  .tes = tess_modes(&s.t, VKT_CODE(tessellation_invocations_tese), &kind->mode),
                  .gs = kind->gs[s.primitive_id],
                  .fs = VKT_CODE(tessellation_invocations_frag),
                  .layout = s.layout,
                  .pass = s.target.pass,
                  .width_px = SIDE_PX,
                  .height_px = SIDE_PX,
                  .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                  .patch_points = 1,
                  .lower_left = kind->mode.lower_left,
                  .rasterization_next = s.t.features.bresenham_lines ? &line : NULL,
                  .bindings = &binding,
                  .binding_count = 1,
                  .attributes = &attribute,
                  .attribute_count = 1,
              });
}

/* Colours of the cells; 0: nothing is drawn there. */
static void find_colors(uint32_t colors[CELLS])
{
    memset(colors, 0, CELLS * sizeof(*colors));
    for (uint32_t r = 0; r < RUNS; r++)
        for (uint32_t i = 0; i < runs[r].count; i++)
            if (level_of(runs[r].first + i) > 0)
                colors[runs[r].first + i] =
                    1 + i + 1000 * (runs[r].instances - 1) + 10000 * (i + 10);
}

/* Triangles of quads fill their quarter of the cell, those of triangles half of it. */
static void check(const struct kind *kind, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    const uint32_t *map = pixels.map, corners = tess_corners(&kind->mode);
    uint32_t colors[CELLS], seen[CELLS * INVOCATIONS] = {0}, wrong = 0, first = 0, missing = 0;
    find_colors(colors);
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t x_px = i % SIDE_PX, y_px = i / SIDE_PX, half_px = CELL_PX / 2;
        const uint32_t cell = y_px / CELL_PX * 8 + x_px / CELL_PX;
        const uint32_t at = y_px / half_px % 2 * 2 + x_px / half_px % 2;
        const uint32_t want = colors[cell] ? colors[cell] + 100 * at : 0;
        const bool full = corners == 3 && (kind->mode.domain == TESS_QUADS ||
                                           x_px % half_px + y_px % half_px < half_px - 1);
        const bool right = map[i] == want || (map[i] == 0 && !full);
        seen[cell * INVOCATIONS + at] += map[i] == want;
        if (!right && wrong++ == 0)
            first = i;
    }
    for (uint32_t i = 0; i < CELLS * INVOCATIONS; i++)
        missing += seen[i] == 0;
    VKT_EXPECT(&s.t, wrong == 0, "%s: %u pixels are wrong, first %u,%u: %u", name, wrong,
               first % SIDE_PX, first / SIDE_PX, map[first]);
    VKT_EXPECT(&s.t, missing == 0, "%s: of %u invocations nothing is drawn", name, missing);
    vkt_dump_image(&s.t, name, map, SIDE_PX, SIDE_PX, 4);
}

static void draw(VkCommandBuffer cmd, enum way way, uint32_t r)
{
    if (way == INDEXED)
        vkCmdDrawIndexed(cmd, runs[r].count, runs[r].instances, runs[r].first, -7, 0);
    else if (way == INDIRECT)
        vkCmdDrawIndirect(cmd, s.arguments.buffer, r * sizeof(VkDrawIndirectCommand), 1, 0);
    else
        vkCmdDraw(cmd, runs[r].count, runs[r].instances, runs[r].first, 0);
}

static void run(const struct kind *kind, VkPipeline pipeline, enum way way)
{
    const VkDeviceSize zero = 0;
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    char name[64];
    snprintf(name, sizeof(name), "%s/%s", kind->name, way_names[way]);
    vkt_begin(cmd, way == AGAIN ? 0 : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.levels.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s.indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    for (uint32_t r = 0; r < RUNS; r++)
        draw(cmd, way, r);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    check(kind, name);
}

static void make_buffers(void)
{
    VkDrawIndirectCommand arguments[RUNS];
    float levels[CELLS];
    uint32_t indices[CELLS];
    for (uint32_t r = 0; r < RUNS; r++)
        arguments[r] = (VkDrawIndirectCommand){runs[r].count, runs[r].instances, runs[r].first, 0};
    for (uint32_t i = 0; i < CELLS; i++) {
        levels[i] = level_of(i);
        indices[i] = i + 7;
    }
    s.arguments =
        vkt_buffer_from(&s.t, arguments, sizeof(arguments), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s.levels = vkt_buffer_from(&s.t, levels, sizeof(levels), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_invocations", argc, argv);
    options.tessellation = true;
    s.primitive_id = vkt_flag(&options, "--primitive-id");
    vkt_init(&s.t, &options);
    make_buffers();
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        const VkPipeline pipeline = make_pipeline(&kinds[i]);
        for (enum way way = 0; way < WAYS; way++)
            run(&kinds[i], pipeline, way);
    }
    return vkt_finish(&s.t);
}
