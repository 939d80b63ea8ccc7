/* SPDX-License-Identifier: MIT
 *
 * Tessellated draws in every way that commands have: from a primary and from a secondary, with
 * arguments from a buffer that the host or an earlier command wrote, by byte count, under
 * conditions and many with one command, among draws of other pipelines, and in a command buffer
 * that is submitted again with levels and arguments that have changed; with and without a geometry
 * shader behind; many at once; and behind restart indices.
 */
#include "common/vkt_query.h"
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_commands_frag.h"
#include "tessellation_commands_geom.h"
#include "tessellation_commands_pass_tese.h"
#include "tessellation_commands_plain_vert.h"
#include "tessellation_commands_tesc.h"
#include "tessellation_commands_tese.h"
#include "tessellation_commands_unsized_tese.h"
#include "tessellation_commands_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define CELLS 64u
#define CELL_PX 8u
#define CAPTURE_B (8u << 20)
#define MANY 65600u /* patches: more than a dispatch has workgroups in one dimension */
#define INDEX_SHIFT 100u
#define BYTES 12u /* that count as a vertex */

enum way {
    DIRECT,
    INDEXED,
    SECONDARY,
    INDIRECT,
    INDEXED_INDIRECT,
    COPIED,
    BYTE_COUNT,
    CONDITION,
    MULTI,
    WAYS
};
/* Not every driver can do the last ones. */
static const char *const way_names[WAYS] = {"direct",     "indexed",          "secondary",
                                            "indirect",   "indexed_indirect", "copied",
                                            "byte_count", "opt/condition",    "opt/multi"};

/* What is drawn: patches of one vertex, each a cell. */
struct run {
    uint32_t first, count, instances;
};
#define RUNS 7u
static const struct run all_runs[RUNS] = {{3, 10, 1},  {20, 7, 2}, {30, 0, 1}, {32, 8, 0},
                                          {40, 20, 1}, {18, 4, 3}, {50, 1, 1}};

/* Draws by byte count begin at the first vertex; a condition is false for every second draw; one
 * command draws many with as many instances. */
static struct run run_of(enum way way, uint32_t number)
{
    struct run run = all_runs[number];
    if (way == BYTE_COUNT)
        run.first = 0;
    if (way == CONDITION && number % 2)
        run.instances = 0;
    if (way == MULTI)
        run.instances = 2;
    return run;
}

/* Where nothing is captured, a triangle of another pipeline is drawn over a cell after this run. */
#define PLAIN_AFTER 4u
#define PLAIN_CELL 41u

static bool brief;

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter, levels, indices;
    struct vkt_buffer arguments, indexed_arguments, late_arguments, byte_counts, conditions;
    VkPipelineLayout layout;
    VkPipeline pipelines[2], plain; /* [with a geometry shader] */
    struct vkt_target target;
    VkQueryPool stream;
};

/* --- What is expected --- */

static float level_of(uint32_t cell, uint32_t round)
{
    const float rounds[3] = {3, brief ? 5 : 9, 1};
    return cell % 7 == 5 ? 0 : rounds[round] + (float)(cell % 3);
}

static void set_levels(struct suite *s, uint32_t round)
{
    for (uint32_t i = 0; i < CELLS; i++)
        ((float *)s->levels.map)[i] = level_of(i, round);
}

static void check_picture(struct suite *s, const char *name, enum way way, uint32_t round,
                          bool plain)
{
    uint32_t color[CELLS] = {0};
    for (uint32_t r = 0; r < RUNS; r++) {
        const struct run run = run_of(way, r);
        for (uint32_t i = 0; i < run.instances * run.count; i++) {
            const uint32_t cell = run.first + i % run.count;
            if (level_of(cell, round) > 0)
                color[cell] = 1 + cell + 1000 * (i / run.count);
        }
    }
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t x_px = i % SIDE_PX, y_px = i / SIDE_PX;
        const uint32_t cell = y_px / CELL_PX * 8 + x_px / CELL_PX;
        const bool half = x_px % CELL_PX + y_px % CELL_PX < CELL_PX - 1;
        const bool over = plain && cell == PLAIN_CELL && half;
        const uint32_t want = over ? 500 + PLAIN_CELL : color[cell];
        if (((const uint32_t *)pixels.map)[i] != want && wrong++ == 0)
            first = i;
    }
    VKT_EXPECT(&s->t, wrong == 0, "%s: %u pixels are wrong, first %u,%u: %u", name, wrong,
               first % SIDE_PX, first / SIDE_PX, ((const uint32_t *)pixels.map)[first]);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static void check_captured(struct suite *s, const char *name, enum way way, uint32_t round)
{
    static const struct tess_mode mode = {TESS_QUADS, TESS_EQUAL, true, false, false};
    const struct tess_vertex *vertices = s->capture.map;
    const uint32_t total = xfb_word(&s->counter, 0) / (uint32_t)sizeof(*vertices);
    uint32_t at = 0;
    for (uint32_t r = 0; r < RUNS; r++) {
        const struct run run = run_of(way, r);
        for (uint32_t i = 0; i < run.instances * run.count; i++) {
            const uint32_t cell = run.first + i % run.count;
            const uint32_t number = 1 + cell + 1000 * (i / run.count), first = at;
            const float n = level_of(cell, round);
            const struct tess_levels levels = {{n, n, n, n}, {n, n}};
            struct tess_patch patch;
            tess_patch(&mode, &levels, 64, &patch);
            while (at < total && vertices[at].patch == number && at - first < 3 * patch.primitives)
                at++;
            tess_check(&s->t, name, &mode, &patch, vertices + first, at - first);
        }
    }
    VKT_EXPECT(&s->t, at == total, "%s: %u of %u vertices are as they should be", name, at, total);
    xfb_expect_rest(&s->t, name, &s->capture, (VkDeviceSize)total * sizeof(*vertices));
    uint64_t results[2] = {0};
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->stream, 0, 1, sizeof(results), results,
                                   sizeof(results),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, results[0] == total / 3 && results[1] == total / 3,
               "%s: the query says %llu of %llu, wanted %u", name, (unsigned long long)results[0],
               (unsigned long long)results[1], total / 3);
}

/* --- Drawing --- */

static VkPipeline make_pipeline(struct suite *s, bool tessellated, bool geometry)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_commands_plain_vert),
        .fs = VKT_CODE(tessellation_commands_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (tessellated) {
        info.vs = VKT_CODE(tessellation_commands_vert);
        info.tcs = VKT_CODE(tessellation_commands_tesc);
        info.tes = VKT_CODE(tessellation_commands_tese);
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info.patch_points = 1;
        info.bindings = &binding;
        info.binding_count = 1;
        info.attributes = &attribute;
        info.attribute_count = 1;
    }
    if (geometry) {
        info.tes = VKT_CODE(tessellation_commands_pass_tese);
        info.gs = VKT_CODE(tessellation_commands_geom);
    }
    return vkt_pipeline(&s->t, &info);
}

static void draw_run(struct suite *s, VkCommandBuffer cmd, enum way way, uint32_t number)
{
    const struct run *run = &all_runs[number];
    const VkConditionalRenderingBeginInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = s->conditions.buffer,
        .offset = number * 4,
    };
    const VkDeviceSize at_B = number * sizeof(VkDrawIndirectCommand);
    switch (way) {
    case INDEXED:
        vkCmdDrawIndexed(cmd, run->count, run->instances, run->first + 2, -(int32_t)INDEX_SHIFT, 0);
        break;
    case INDIRECT:
        vkCmdDrawIndirect(cmd, s->arguments.buffer, at_B, 1, 0);
        break;
    case COPIED:
        vkCmdDrawIndirect(cmd, s->late_arguments.buffer, at_B, 1, 0);
        break;
    case INDEXED_INDIRECT:
        vkCmdDrawIndexedIndirect(cmd, s->indexed_arguments.buffer,
                                 number * sizeof(VkDrawIndexedIndirectCommand), 1, 0);
        break;
    case BYTE_COUNT:
        vkCmdDrawIndirectByteCountEXT(cmd, run->instances, 0, s->byte_counts.buffer, number * 4, 0,
                                      BYTES);
        break;
    case CONDITION:
        vkCmdBeginConditionalRenderingEXT(cmd, &condition);
        vkCmdDraw(cmd, run->count, run->instances, run->first, 0);
        vkCmdEndConditionalRenderingEXT(cmd);
        break;
    default:
        vkCmdDraw(cmd, run->count, run->instances, run->first, 0);
        break;
    }
}

/* All of them with one command. */
static void draw_multi(VkCommandBuffer cmd)
{
    VkMultiDrawInfoEXT draws[RUNS];
    for (uint32_t i = 0; i < RUNS; i++)
        draws[i] = (VkMultiDrawInfoEXT){all_runs[i].first, all_runs[i].count};
    vkCmdDrawMultiEXT(cmd, RUNS, draws, 2, 0, sizeof(draws[0]));
}

static void draw_runs(struct suite *s, VkCommandBuffer cmd, enum way way, VkPipeline pipeline,
                      bool capture)
{
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (capture) {
        xfb_bind(cmd, 0, 1, &range);
        vkCmdBeginQueryIndexedEXT(cmd, s->stream, 0, 0, 0);
        xfb_begin(cmd, 0, 0, NULL);
    }
    if (way == MULTI)
        draw_multi(cmd);
    for (uint32_t i = 0; way != MULTI && i < RUNS; i++) {
        draw_run(s, cmd, way, i);
        if (i != PLAIN_AFTER || capture)
            continue;
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->plain);
        vkCmdDraw(cmd, 3, 1, 3 * PLAIN_CELL, 0);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    }
    if (capture) {
        xfb_end(cmd, 0, 1, &counter);
        vkCmdEndQueryIndexedEXT(cmd, s->stream, 0, 0);
    }
}

static VkCommandBuffer secondary(struct suite *s, VkPipeline pipeline, bool capture)
{
    const VkCommandBuffer cmd = vkt_secondary_in(&s->t, s->target.pass, 0);
    draw_runs(s, cmd, DIRECT, pipeline, capture);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

/* The arguments come when the host wrote something else long ago. */
static void copy_arguments(struct suite *s, VkCommandBuffer cmd)
{
    const VkBufferCopy region = {0, 0, sizeof(VkDrawIndirectCommand) * RUNS};
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
    };
    vkCmdCopyBuffer(cmd, s->arguments.buffer, s->late_arguments.buffer, 1, &region);
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

static void record(struct suite *s, VkCommandBuffer cmd, enum way way, VkPipeline pipeline,
                   bool capture)
{
    vkCmdResetQueryPool(cmd, s->stream, 0, 1);
    if (way == COPIED)
        copy_arguments(s, cmd);
    if (way == SECONDARY) {
        const VkCommandBuffer commands = secondary(s, pipeline, capture);
        vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(cmd, 1, &commands);
    } else {
        vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
        draw_runs(s, cmd, way, pipeline, capture);
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static void submit(struct suite *s, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counter.map, XFB_FILL, s->counter.size_B);
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
}

static VkCommandBuffer record_way(struct suite *s, enum way way, bool geometry, bool capture,
                                  VkCommandBufferUsageFlags usage)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, usage);
    record(s, cmd, way, s->pipelines[geometry], capture);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

/* Recorded once and submitted with levels that become higher and lower. `anew`: recorded each time,
 * for one submission, for which few patches may be drawn in another way. */
static void run_way(struct suite *s, enum way way, bool geometry, bool capture, bool anew)
{
    VkCommandBuffer cmd = VK_NULL_HANDLE;
    for (uint32_t round = 0; round < (anew && brief ? 1 : 3); round++) {
        char name[64];
        snprintf(name, sizeof(name), "%s/%s/%s/%u", way_names[way],
                 geometry ? "geometry" : "direct",
                 capture ? "captured"
                 : anew  ? "once"
                         : "drawn",
                 round);
        if (anew || !round)
            cmd = record_way(s, way, geometry, capture,
                             anew ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0);
        set_levels(s, round);
        submit(s, cmd);
        check_picture(s, name, way, round, !capture && way != MULTI);
        if (capture)
            check_captured(s, name, way, round);
    }
}

static uint32_t drawn_pixels(struct suite *s)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    return drawn;
}

/* Arguments that say nothing any more when the command buffer is submitted again. */
static void run_emptied(struct suite *s, bool geometry)
{
    VkDrawIndirectCommand *arguments = s->arguments.map;
    const VkDeviceSize zero = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    uint32_t cells = 0;
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[geometry]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    draw_run(s, cmd, INDIRECT, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    set_levels(s, 0);
    for (uint32_t i = 0; i < all_runs[0].count; i++)
        cells += level_of(all_runs[0].first + i, 0) > 0;
    for (uint32_t round = 0; round < 3; round++) {
        arguments[0].instanceCount = round != 1;
        submit(s, cmd);
        const uint32_t drawn = drawn_pixels(s), want = round != 1 ? cells * CELL_PX * CELL_PX : 0;
        VKT_EXPECT(&s->t, drawn == want, "emptied/%u/%u: %u pixels, wanted %u", geometry, round,
                   drawn, want);
    }
}

/* The first four of so many patches are not discarded. MANY is a multiple of it. */
static uint32_t many_period(void)
{
    return brief ? 50 : 5;
}

/* Many patches of two triangles: none is lost. */
static void run_many(struct suite *s, bool geometry)
{
    const struct vkt_buffer ones =
        vkt_buffer(&s->t, MANY * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < MANY; i++)
        ((float *)ones.map)[i] = i % many_period() < 4 ? 1.0f : 0.0f;
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    const VkDeviceSize zero = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->stream, 0, 1);
    vkCmdBeginQueryIndexedEXT(cmd, s->stream, 0, 0, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[geometry]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &ones.buffer, &zero);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, MANY, 1, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndRenderPass(cmd);
    vkCmdEndQueryIndexedEXT(cmd, s->stream, 0, 0);
    xfb_barrier(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    submit(s, cmd);
    uint64_t results[2] = {0};
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->stream, 0, 1, sizeof(results), results,
                                   sizeof(results),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    const uint32_t fit = CAPTURE_B / (3 * sizeof(struct tess_vertex));
    const uint32_t all = MANY / many_period() * 4 * 2;
    VKT_EXPECT(&s->t, results[0] == (fit < all ? fit : all) && results[1] == all,
               "many: %llu of %llu, wanted %u of %u", (unsigned long long)results[0],
               (unsigned long long)results[1], fit < all ? fit : all, all);
    const struct tess_vertex *vertices = s->capture.map;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < results[0] && i < fit; i++)
        for (uint32_t k = 0; k < 3; k++)
            wrong += vertices[3 * i + k].patch != 1 + i / 8 * many_period() + i / 2 % 4;
    VKT_EXPECT(&s->t, wrong == 0, "many: %u vertices are of another patch", wrong);
    xfb_dump(&s->t, results, sizeof(results), "many/%u", geometry);
}

/* --- Restart --- */

#define CUT UINT32_MAX
/* Patches of two vertices; the first one says where they are. */
static const uint32_t cut_indices[] = {3, 4, 5, CUT, 6, 7, CUT, CUT, 8, 9, 10, 11, 13};
static const uint32_t cut_cells[] = {3, 6, 8, 10};
static const uint32_t whole_indices[] = {20, 21, 22, 23, CUT};
#define SHIFT 32u

static VkPipeline restarting_pipeline(struct suite *s, bool dynamic)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    static const VkDynamicState state = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE;
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = VKT_CODE(tessellation_commands_vert),
                                   .tcs = VKT_CODE(tessellation_commands_tesc),
                                   .tes = VKT_CODE(tessellation_commands_unsized_tese),
                                   .fs = VKT_CODE(tessellation_commands_frag),
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .width_px = SIDE_PX,
                                   .height_px = SIDE_PX,
                                   .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                                   .patch_points = 2,
                                   .bindings = &binding,
                                   .binding_count = 1,
                                   .attributes = &attribute,
                                   .attribute_count = 1,
                                   .restart = !dynamic,
                                   .dynamic = &state,
                                   .dynamic_count = dynamic,
                               });
}

static void check_restart(struct suite *s)
{
    uint32_t color[CELLS] = {0}, wrong = 0, first = 0;
    for (uint32_t i = 0; i < VKT_COUNT(cut_cells); i++) {
        color[cut_cells[i]] = 1 + cut_cells[i];
        color[cut_cells[i] + SHIFT] = 1 + cut_cells[i] + SHIFT;
    }
    for (uint32_t i = 0; i < 4; i += 2) {
        color[whole_indices[i]] = 1 + whole_indices[i];
        color[whole_indices[i] + SHIFT] = 1 + whole_indices[i] + SHIFT;
    }
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t cell = i / SIDE_PX / CELL_PX * 8 + i % SIDE_PX / CELL_PX;
        const uint32_t want = level_of(cell, 0) > 0 ? color[cell] : 0;
        if (((const uint32_t *)pixels.map)[i] != want && wrong++ == 0)
            first = i;
    }
    VKT_EXPECT(&s->t, wrong == 0, "restart: %u pixels are wrong, first %u,%u: %u", wrong,
               first % SIDE_PX, first / SIDE_PX, ((const uint32_t *)pixels.map)[first]);
    vkt_dump_image(&s->t, "opt/restart", pixels.map, SIDE_PX, SIDE_PX, 4);
}

/* Set for some draws of a pipeline, and not for others; and of one that always restarts. */
static void run_restart(struct suite *s)
{
    const VkPipeline dynamic = restarting_pipeline(s, true), always = restarting_pipeline(s, false);
    const struct vkt_buffer cut =
        vkt_buffer_from(&s->t, cut_indices, sizeof(cut_indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const struct vkt_buffer whole = vkt_buffer_from(&s->t, whole_indices, sizeof(whole_indices),
                                                    VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const VkDeviceSize zero = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vkCmdBindIndexBuffer(cmd, whole.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 4, 1, 0, 0, 0);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
    vkCmdBindIndexBuffer(cmd, cut.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, VKT_COUNT(cut_indices), 1, 0, 0, 0);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vkCmdBindIndexBuffer(cmd, whole.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 4, 1, 0, SHIFT, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, always);
    vkCmdBindIndexBuffer(cmd, cut.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, VKT_COUNT(cut_indices), 1, 0, SHIFT, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    set_levels(s, 0);
    submit(s, cmd);
    check_restart(s);
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkDrawIndirectCommand commands[RUNS];
    VkDrawIndexedIndirectCommand indexed[RUNS];
    for (uint32_t i = 0; i < RUNS; i++) {
        const struct run *run = &all_runs[i];
        commands[i] = (VkDrawIndirectCommand){run->count, run->instances, run->first, 0};
        indexed[i] = (VkDrawIndexedIndirectCommand){run->count, run->instances, run->first + 2,
                                                    -(int32_t)INDEX_SHIFT, 0};
    }
    s->arguments = vkt_buffer_from(t, commands, sizeof(commands), usage);
    s->indexed_arguments = vkt_buffer_from(t, indexed, sizeof(indexed), usage);
    uint32_t byte_counts[RUNS], conditions[RUNS];
    for (uint32_t i = 0; i < RUNS; i++) {
        byte_counts[i] = all_runs[i].count * BYTES;
        conditions[i] = i % 2 == 0;
    }
    s->byte_counts = xfb_buffer(t, sizeof(byte_counts));
    memcpy(s->byte_counts.map, byte_counts, sizeof(byte_counts));
    s->conditions =
        vkt_buffer_from(t, conditions, sizeof(conditions),
                        t->features.condition ? VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT
                                              : VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    s->late_arguments = xfb_buffer(t, sizeof(commands));
    memset(s->late_arguments.map, 0, sizeof(commands));
    s->capture = xfb_buffer(t, CAPTURE_B);
    s->counter = xfb_buffer(t, 4);
    s->levels = vkt_buffer(t, CELLS * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    s->indices = vkt_buffer(t, (CELLS + 2) * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < CELLS; i++)
        ((uint32_t *)s->indices.map)[i + 2] = i + INDEX_SHIFT;
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_commands", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    brief = vkt_flag(&options, "--brief");
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.stream = vkt_query_pool(&s.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    s.pipelines[0] = make_pipeline(&s, true, false);
    s.pipelines[1] = make_pipeline(&s, true, true);
    s.plain = make_pipeline(&s, false, false);
    const bool can[WAYS] = {
        [BYTE_COUNT] = s.t.xfb.transformFeedbackDraw,
        [CONDITION] = s.t.features.condition,
        [MULTI] = s.t.features.multi_draw,
    };
    /* Mesa 22.3 captures nothing of several draws in one command. */
    const bool layer = options.layers && strstr(options.layers, "poly_gs");
    if (s.t.features.patch_restart && s.t.properties.apiVersion >= VK_API_VERSION_1_3)
        run_restart(&s);
    if (vkt_flag(&options, "--restart")) /* that alone */
        return vkt_finish(&s.t);
    for (enum way way = 0; way < WAYS; way++)
        for (uint32_t i = 0; i < 6; i++)
            if ((way < BYTE_COUNT || can[way]) && (way != MULTI || layer || !(i & 2)))
                run_way(&s, way, i & 1, i & 2, i & 4);
    run_emptied(&s, false);
    run_emptied(&s, true);
    run_many(&s, false);
    run_many(&s, true);
    return vkt_finish(&s.t);
}
