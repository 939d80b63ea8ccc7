/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders behind tessellation: what comes in (every vertex of every primitive of a patch,
 * with everything that the evaluation shader wrote, and the number of the patch), in which order
 * what goes out is captured, and the picture of it.
 *
 * Option --primitive-id: the number of the patch is gl_PrimitiveIDIn, else the evaluation shader
 * hands it on. For Mesa 22.3 gl_PrimitiveIDIn is that of a primitive that tessellation made.
 */
#include "common/vkt_query.h"
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_geometry_frag.h"
#include "tessellation_geometry_lines_0.h"
#include "tessellation_geometry_lines_1.h"
#include "tessellation_geometry_points_0.h"
#include "tessellation_geometry_points_1.h"
#include "tessellation_geometry_tesc.h"
#include "tessellation_geometry_tese.h"
#include "tessellation_geometry_triangles_0.h"
#include "tessellation_geometry_triangles_1.h"
#include "tessellation_levels_vert.h"

#include <stdlib.h>
#include <string.h>

#define CAPTURE_B (4u << 20)
#define SIDE_PX 64u
#define INSTANCES 2u
#define INVOCATIONS VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT
#define EMITTED VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT

/* As the geometry shader captures it. */
struct row {
    struct tess_vertex vertex;
    uint32_t primitive_id, invocation, corners;
    float right;
};

static const struct tess_levels levels[] = {
    {{3, 4, 5, 6}, {4, 3}},       {{1, 1, 1, 1}, {1, 1}},    {{0, 0, 0, 0}, {1, 1}},
    {{7, 2, 9, 3}, {5, 6}},       {{2.5f, 3, 4, 4}, {3, 3}}, {{2, 4, 8, 16}, {2, 2}},
    {{3, -1, -1, 2}, {2, 2}},     {{1, 1, 1, 1}, {1, 7}},    {{1, 1, 1, 1}, {4, 1}},
    {{14, 16, 16, 12}, {16, 16}},
};

static const struct kind {
    const char *name;
    struct tess_mode mode;
    struct vkt_code gs[2]; /* [primitive_id] */
} kinds[] = {
    {"triangles",
     {TESS_TRIANGLES, TESS_EQUAL, false, false, false},
     {VKT_CODE(tessellation_geometry_triangles_0), VKT_CODE(tessellation_geometry_triangles_1)}},
    {"quads",
     {TESS_QUADS, TESS_FRACTIONAL_ODD, true, false, false},
     {VKT_CODE(tessellation_geometry_triangles_0), VKT_CODE(tessellation_geometry_triangles_1)}},
    {"lower_left",
     {TESS_QUADS, TESS_FRACTIONAL_EVEN, true, false, true},
     {VKT_CODE(tessellation_geometry_triangles_0), VKT_CODE(tessellation_geometry_triangles_1)}},
    {"isolines",
     {TESS_ISOLINES, TESS_FRACTIONAL_EVEN, false, false, false},
     {VKT_CODE(tessellation_geometry_lines_0), VKT_CODE(tessellation_geometry_lines_1)}},
    {"points",
     {TESS_QUADS, TESS_EQUAL, false, true, false},
     {VKT_CODE(tessellation_geometry_points_0), VKT_CODE(tessellation_geometry_points_1)}},
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter, levels, indices;
    VkPipelineLayout layout;
    struct vkt_target target;
    bool primitive_id;
};

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct tess_levels),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct tess_levels, outer)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct tess_levels, inner)},
    };
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_levels_vert),
        .tcs = VKT_CODE(tessellation_geometry_tesc),
        .tes = tess_modes(&s->t, VKT_CODE(tessellation_geometry_tese), &kind->mode),
        .gs = kind->gs[s->primitive_id],
        .fs = VKT_CODE(tessellation_geometry_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .lower_left = kind->mode.lower_left,
        .rasterization_next = s->t.features.bresenham_lines ? &line : NULL,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    return vkt_pipeline(&s->t, &info);
}

/* --- Checks --- */

/* Rows of the first invocation of a patch, and that those of the second follow where they should.
 * Returns how many rows there are. */
static uint32_t gather(struct suite *s, const char *name, const struct row *rows, uint32_t limit,
                       uint32_t patch, uint32_t corners, uint32_t primitives,
                       struct tess_vertex *out)
{
    const bool twice = patch % 2 == 0;
    const uint32_t count = primitives * corners * (twice ? 2 : 1);
    if (count > limit) {
        VKT_EXPECT(&s->t, false, "%s, patch %u: %u rows are there, wanted %u", name, patch, limit,
                   count);
        return limit;
    }
    uint32_t wrong = 0, misplaced = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        const uint32_t primitive = i / corners / (twice ? 2 : 1);
        const uint32_t invocation = twice ? i / corners % 2 : 0;
        struct tess_vertex *first = &out[primitive * corners + i % corners];
        if (invocation == 0)
            *first = row->vertex;
        misplaced += memcmp(first, &row->vertex, sizeof(*first)) != 0 ||
                     row->invocation != invocation || row->primitive_id != patch;
        wrong += row->right != 1.0f || row->corners != corners;
    }
    VKT_EXPECT(&s->t, misplaced == 0, "%s, patch %u: %u of %u rows are another's", name, patch,
               misplaced, count);
    VKT_EXPECT(&s->t, wrong == 0, "%s, patch %u: %u of %u rows found wrong inputs", name, patch,
               wrong, count);
    return count;
}

/* Returns the number of primitives that went into the geometry shader, and which came out. */
static uint32_t check(struct suite *s, const struct kind *kind, const char *name, uint32_t *emitted)
{
    static struct tess_vertex vertices[CAPTURE_B / sizeof(struct row)];
    const struct row *rows = s->capture.map;
    const uint32_t total = xfb_word(&s->counter, 0) / (uint32_t)sizeof(*rows);
    const uint32_t corners = tess_corners(&kind->mode);
    uint32_t at = 0, entered = 0;
    for (uint32_t i = 0; i < INSTANCES * VKT_COUNT(levels); i++) {
        const uint32_t number = i % VKT_COUNT(levels);
        struct tess_patch patch;
        tess_patch(&kind->mode, &levels[number],
                   s->t.properties.limits.maxTessellationGenerationLevel, &patch);
        at += gather(s, name, rows + at, total - at, number, corners, patch.primitives, vertices);
        tess_check(&s->t, name, &kind->mode, &patch, vertices, patch.primitives * corners);
        entered += patch.primitives;
    }
    VKT_EXPECT(&s->t, at == total, "%s: %u rows, wanted %u", name, total, at);
    xfb_expect_rest(&s->t, name, &s->capture, (VkDeviceSize)total * sizeof(*rows));
    *emitted = total / corners;
    return entered;
}

/* All that the picture of a patch may be. Triangles and quads fill their cell. */
static void check_picture(struct suite *s, const struct kind *kind, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *map = pixels.map;
    uint32_t wrong = 0, drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t patch = i / SIDE_PX / 16 * 4 + i % SIDE_PX / 16;
        const uint32_t invocation = patch % 2 == 0;
        const uint32_t color = (1 + patch + 16 * invocation) * 1000 + patch + 100;
        struct tess_patch made = {.discarded = true};
        if (patch < VKT_COUNT(levels))
            tess_patch(&kind->mode, &levels[patch],
                       s->t.properties.limits.maxTessellationGenerationLevel, &made);
        const uint32_t x = i % 16, y = i / SIDE_PX % 16;
        const bool full = kind->mode.domain == TESS_QUADS || x + y < 15;
        bool right = map[i] == 0 || (map[i] == color && !made.discarded);
        if (tess_corners(&kind->mode) == 3)
            right = map[i] == (made.discarded || !full ? 0 : color);
        wrong += !right;
        drawn += map[i] != 0;
    }
    VKT_EXPECT(&s->t, wrong == 0, "%s: %u pixels are wrong", name, wrong);
    VKT_EXPECT(&s->t, drawn > 64, "%s: only %u pixels", name, drawn);
    xfb_dump_target(&s->t, &s->target, "%s/image", name);
}

/* --- Drawing --- */

static VkCommandBuffer begin(struct suite *s)
{
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counter.map, XFB_FILL, s->counter.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    return cmd;
}

static void draw(struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline, bool capture,
                 bool indexed)
{
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    const VkDeviceSize zero = 0;
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    if (capture) {
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
    }
    if (indexed)
        vkCmdDrawIndexed(cmd, VKT_COUNT(levels), INSTANCES, 0, -5, 0);
    else
        vkCmdDraw(cmd, VKT_COUNT(levels), INSTANCES, 0, 0);
    if (capture)
        xfb_end(cmd, 0, 1, &counter);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static void run_statistics(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                           uint32_t entered, uint32_t emitted)
{
    const VkQueryPool pool =
        vkt_query_pool(&s->t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, INVOCATIONS | EMITTED);
    uint64_t values[2] = {0};
    VkCommandBuffer cmd = begin(s);
    vkCmdResetQueryPool(cmd, pool, 0, 1);
    vkCmdBeginQuery(cmd, pool, 0, 0);
    draw(s, cmd, pipeline, false, false);
    vkCmdEndQuery(cmd, pool, 0);
    vkt_submit(&s->t, cmd);
    VKT_CALL(vkGetQueryPoolResults(s->t.device, pool, 0, 1, sizeof(values), values, sizeof(values),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    /* Mesa 22.3 counts the invocations of a primitive as one. */
    const bool layer = vkt_has_layer(&s->t.options, "poly_gs");
    const bool invoked = values[0] == 2 * entered || (!layer && values[0] == entered);
    VKT_EXPECT(&s->t, invoked && values[1] == emitted,
               "%s: %llu invocations, %llu primitives, wanted %u and %u", kind->name,
               (unsigned long long)values[0], (unsigned long long)values[1], 2 * entered, emitted);
}

static void run(struct suite *s, const struct kind *kind)
{
    const VkPipeline pipeline = make_pipeline(s, kind);
    char name[64];
    uint32_t entered = 0, emitted = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const bool capture = i / 2 == 0, indexed = i % 2;
        snprintf(name, sizeof(name), "%s/%s/%s", kind->name, capture ? "captured" : "drawn",
                 indexed ? "indexed" : "plain");
        VkCommandBuffer cmd = begin(s);
        draw(s, cmd, pipeline, capture, indexed);
        vkt_submit(&s->t, cmd);
        if (capture)
            entered = check(s, kind, name, &emitted);
        check_picture(s, kind, name);
    }
    if (s->t.features.core.pipelineStatisticsQuery)
        run_statistics(s, kind, pipeline, entered, emitted);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_geometry", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    s.primitive_id = vkt_flag(&options, "--primitive-id");
    vkt_init(&s.t, &options);
    s.capture = xfb_buffer(&s.t, CAPTURE_B);
    s.counter = xfb_buffer(&s.t, 4);
    s.levels = vkt_buffer_from(&s.t, levels, sizeof(levels), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.indices = vkt_buffer(&s.t, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < VKT_COUNT(levels); i++)
        ((uint16_t *)s.indices.map)[i] = (uint16_t)(i + 5);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
