/* SPDX-License-Identifier: MIT
 *
 * Tessellated draws for which there is too little working memory: each is drawn, captured and
 * counted as a whole all the same, the first time, too. Whichever way it is done, nothing differs.
 * To be run with a pool of 1 MiB, through the layer.
 */
#include "common/vkt_query.h"
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_commands_frag.h"
#include "tessellation_commands_geom.h"
#include "tessellation_commands_pass_tese.h"
#include "tessellation_commands_tesc.h"
#include "tessellation_commands_tese.h"
#include "tessellation_commands_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define CELLS 64u
#define CELL_PX 8u
#define ROUNDS 3u

/* Patches of one vertex, each a cell, and what they are divided into. */
static const struct part {
    uint32_t first, count;
    float level;
} few[] = {{0, 8, 4}, {8, 3, 64}, {11, 4, 32}, {15, 49, 3}};
/* So many that they do not fit themselves. Those behind the last cell are not seen. */
static const struct part many[] = {{0, 10, 2}, {10, 15000, 1}};

struct suite {
    struct vkt t;
    const struct part *parts;
    uint32_t part_count;
    struct vkt_buffer capture, counters, levels, arguments;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    struct vkt_target target;
    VkQueryPool stream;
    struct vkt_buffer first; /* what the first draws captured */
    bool only_draws;         /* nothing is captured or counted, and no shader says it could be */
};

static uint32_t vertices_of(const struct part *part)
{
    return part->count * 6 * (uint32_t)(part->level * part->level);
}

/* --- Drawing --- */

static VkPipeline make_pipeline(struct suite *s, bool geometry)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_commands_vert),
        .tcs = VKT_CODE(tessellation_commands_tesc),
        .tes = geometry || s->only_draws ? VKT_CODE(tessellation_commands_pass_tese)
                                         : VKT_CODE(tessellation_commands_tese),
        .gs = geometry ? VKT_CODE(tessellation_commands_geom) : (struct vkt_code){0},
        .fs = VKT_CODE(tessellation_commands_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(const struct suite *s, VkCommandBuffer cmd, uint32_t part, bool indirect)
{
    if (indirect)
        vkCmdDrawIndirect(cmd, s->arguments.buffer, part * sizeof(VkDrawIndirectCommand), 1, 0);
    else
        vkCmdDraw(cmd, s->parts[part].count, 1, s->parts[part].first, 0);
}

/* In an interval and a query of its own. */
static void draw_captured(const struct suite *s, VkCommandBuffer cmd, uint32_t part,
                          VkDeviceSize at_B, bool indirect)
{
    const VkDeviceSize size_B = vertices_of(&s->parts[part]) * sizeof(struct tess_vertex);
    const struct xfb_range range = {s->capture.buffer, at_B, size_B};
    const struct xfb_range counter = {s->counters.buffer, part * 4, 0};
    xfb_bind(cmd, 0, 1, &range);
    vkCmdBeginQueryIndexedEXT(cmd, s->stream, part, 0, 0);
    xfb_begin(cmd, 0, 0, NULL);
    draw(s, cmd, part, indirect);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndQueryIndexedEXT(cmd, s->stream, part, 0);
}

/* Each part into the next piece of the buffer. */
static void record(struct suite *s, VkCommandBuffer cmd, bool indirect)
{
    const VkDeviceSize zero = 0;
    VkDeviceSize at_B = 0;
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (!s->only_draws)
        vkCmdResetQueryPool(cmd, s->stream, 0, s->part_count);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (s->only_draws)
            draw(s, cmd, i, indirect);
        else
            draw_captured(s, cmd, i, at_B, indirect);
        at_B += vertices_of(&s->parts[i]) * sizeof(struct tess_vertex);
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

/* --- Checks --- */

static uint32_t count_captured(const struct suite *s, const struct part *part, VkDeviceSize at_B)
{
    const struct tess_vertex *vertices = (const void *)((const char *)s->capture.map + at_B);
    const uint32_t count = vertices_of(part);
    uint32_t captured = 0;
    for (uint32_t i = 0; i < count; i++)
        captured += vertices[i].patch == 1 + part->first + i / (count / part->count);
    return captured;
}

static uint32_t count_drawn(const struct vkt_buffer *pixels, const struct part *part)
{
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t cell = i / SIDE_PX / CELL_PX * 8 + i % SIDE_PX / CELL_PX;
        if (cell >= part->first && cell - part->first < part->count)
            drawn += ((const uint32_t *)pixels->map)[i] == 1 + cell;
    }
    return drawn;
}

static uint32_t cells_of(const struct part *part)
{
    const uint32_t last = part->first + part->count;
    return (last < CELLS ? last : CELLS) - part->first;
}

/* Returns how many parts are there. */
static uint32_t check_captures(struct suite *s, const char *name)
{
    VkDeviceSize at_B = 0;
    uint32_t present = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const uint32_t all = vertices_of(&s->parts[i]);
        uint64_t results[2] = {0};
        VKT_CALL(vkGetQueryPoolResults(s->t.device, s->stream, i, 1, sizeof(results), results,
                                       sizeof(results),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        const bool there = xfb_word(&s->counters, i * 4) != 0;
        const uint32_t want = there ? all : 0;
        const uint32_t captured = count_captured(s, &s->parts[i], at_B);
        VKT_EXPECT(&s->t,
                   xfb_word(&s->counters, i * 4) == want * sizeof(struct tess_vertex) &&
                       captured == want && results[0] == want / 3 && results[1] == want / 3,
                   "%s, part %u: counter %u, %u vertices, query %llu of %llu; there are %u "
                   "vertices",
                   name, i, xfb_word(&s->counters, i * 4), captured, (unsigned long long)results[0],
                   (unsigned long long)results[1], all);
        present += there;
        at_B += all * sizeof(struct tess_vertex);
    }
    return present;
}

static void check_pixels(struct suite *s, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const uint32_t want = cells_of(&s->parts[i]) * CELL_PX * CELL_PX;
        const uint32_t drawn = count_drawn(&pixels, &s->parts[i]);
        VKT_EXPECT(&s->t, drawn == want, "%s, part %u: %u of %u pixels", name, i, drawn, want);
    }
}

static void submit(struct suite *s, VkCommandBuffer cmd)
{
    if (!s->only_draws) {
        memset(s->capture.map, XFB_FILL, s->capture.size_B);
        memset(s->counters.map, XFB_FILL, s->counters.size_B);
    }
    vkt_submit(&s->t, cmd);
}

/* What direct draws want at most is known, and there is as much. Of indirect ones some get none the
 * first time. */
static void run(struct suite *s, bool indirect, bool first)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    for (uint32_t round = 0; round < (s->parts == many ? 1 : ROUNDS); round++) {
        char name[32];
        snprintf(name, sizeof(name), "%s/%u", indirect ? "indirect" : "direct", round);
        record(s, cmd, indirect);
        submit(s, cmd);
        check_pixels(s, name);
        if (s->only_draws)
            continue;
        const uint32_t present = check_captures(s, name);
        VKT_EXPECT(&s->t, present == s->part_count, "%s: %u of %u parts are there", name, present,
                   s->part_count);
        if (first && round == 0)
            memcpy(s->first.map, s->capture.map, s->capture.size_B);
        VKT_EXPECT(&s->t, memcmp(s->first.map, s->capture.map, s->capture.size_B) == 0,
                   "%s: another capture", name);
    }
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

static void make_buffers(struct suite *s)
{
    VkDrawIndirectCommand commands[VKT_COUNT(few)];
    const struct part *last = &s->parts[s->part_count - 1];
    VkDeviceSize size_B = 0;
    s->levels =
        vkt_buffer(&s->t, (last->first + last->count) * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < s->part_count; i++) {
        size_B += vertices_of(&s->parts[i]) * sizeof(struct tess_vertex);
        commands[i] = (VkDrawIndirectCommand){s->parts[i].count, 1, s->parts[i].first, 0};
        for (uint32_t k = 0; k < s->parts[i].count; k++)
            ((float *)s->levels.map)[s->parts[i].first + k] = s->parts[i].level;
    }
    if (!s->only_draws) {
        s->capture = xfb_buffer(&s->t, size_B);
        s->first = xfb_buffer(&s->t, size_B);
        s->counters = xfb_buffer(&s->t, s->part_count * 4);
    }
    s->arguments = vkt_buffer_from(&s->t, commands, s->part_count * sizeof(commands[0]),
                                   VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

/* Option --buffer: the first draws are indirect, so that setup takes from the pool, too. Option
 * --geometry: there is a geometry shader behind. Option --many: thousands of patches. Option
 * --draws: they are only drawn. */
int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_pool", argc, argv);
    static struct suite s;
    s.only_draws = vkt_flag(&options, "--draws");
    options.xfb = !s.only_draws;
    options.tessellation = true;
    const bool indirect = vkt_flag(&options, "--buffer"),
               geometry = vkt_flag(&options, "--geometry");
    const bool is_many = vkt_flag(&options, "--many");
    s.parts = is_many ? many : few;
    s.part_count = is_many ? VKT_COUNT(many) : VKT_COUNT(few);
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    if (!s.only_draws)
        s.stream =
            vkt_query_pool(&s.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, s.part_count, 0);
    s.pipeline = make_pipeline(&s, geometry);
    run(&s, indirect, true);
    run(&s, !indirect, false);
    return vkt_finish(&s.t);
}
