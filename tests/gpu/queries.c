/* SPDX-License-Identifier: MIT
 *
 * Queries of transform feedback and of generated primitives: what they count, of which stream, in
 * one pass and over several, in primaries and secondaries, with resets of the GPU and of the host;
 * and a draw that such a result decides on.
 */
#include "gpu/queries.h"
#include "gpu/xfb_move.h"

#include "queries_frag.h"
#include "queries_vert.h"
#include "xfb_geometry_vert.h"
#include "xfb_streams_points.h"

#define CAPTURE_B 16384u
#define SUBMISSIONS 16u

struct rig {
    struct move m;
    struct vkt_buffer capture, indices;
    VkPipeline topology[10], discard;
    VkQueryPool xfb, generated;
    bool layered, unavailable;
};

static const uint16_t restart_indices[] = {0, 1, 2, 3, 0xffff, 4, 5, 0xffff, 6, 7, 8, 9, 10};

/* --- What is counted --- */

static void bind(struct rig *r, VkCommandBuffer cmd, VkPipeline pipeline)
{
    const VkDeviceSize zero = 0;
    const struct move_item change = {0};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &r->m.items.buffer, &zero);
    vkCmdPushConstants(cmd, r->m.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), &change);
}

static void begin_capture(struct rig *r, VkCommandBuffer cmd, VkDeviceSize size_B)
{
    const struct xfb_range range = {r->capture.buffer, 0, size_B};
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
}

static void end_capture(VkCommandBuffer cmd)
{
    xfb_end(cmd, 0, 0, NULL);
}

static void draw_vertices(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE]);
    begin_capture(r, cmd, CAPTURE_B);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    end_capture(cmd);
}

/* Every second item gives 3 points, the others 1; in each instance. */
static void draw_geometry(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE_GEOMETRY]);
    begin_capture(r, cmd, CAPTURE_B);
    vkCmdDraw(cmd, 17, 2, 3, 0);
    end_capture(cmd);
}

static void draw_overflow(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE]);
    begin_capture(r, cmd, 10 * MOVE_ITEM_B + 12);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    vkCmdDraw(cmd, 2, 1, 0, 0); /* still no space */
    end_capture(cmd);
}

static void draw_geometry_overflow(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE_GEOMETRY]);
    begin_capture(r, cmd, 5 * MOVE_ITEM_B);
    vkCmdDraw(cmd, 17, 1, 3, 0);
    end_capture(cmd);
}

static void draw_nothing(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE]);
    vkCmdDraw(cmd, 0, 1, 0, 0);
    vkCmdDraw(cmd, 3, 0, 0, 0);
}

/* Nothing is captured outside of intervals, though it is generated. */
static void draw_between(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->m.pipelines[MOVE_CAPTURE]);
    vkCmdDraw(cmd, 5, 1, 0, 0);
    begin_capture(r, cmd, CAPTURE_B);
    vkCmdDraw(cmd, 7, 3, 0, 0);
    end_capture(cmd);
    vkCmdDraw(cmd, 1, 1, 0, 0);
    begin_capture(r, cmd, 2 * MOVE_ITEM_B);
    vkCmdDraw(cmd, 4, 1, 0, 0);
    end_capture(cmd);
    bind(r, cmd, r->m.pipelines[MOVE_SHOW]);
    vkCmdDraw(cmd, 6, 1, 0, 0);
    bind(r, cmd, r->m.pipelines[MOVE_SHOW_GEOMETRY]);
    vkCmdDraw(cmd, 17, 1, 3, 0);
}

/* Every topology, adjacency without a geometry shader among them. */
static void draw_topologies(struct rig *r, VkCommandBuffer cmd)
{
    for (uint32_t i = 0; i < VKT_COUNT(r->topology); i++) {
        bind(r, cmd, r->topology[i]);
        begin_capture(r, cmd, CAPTURE_B);
        vkCmdDraw(cmd, MOVE_ITEMS - 1, 2, 0, 0);
        end_capture(cmd);
    }
}

static void draw_restart(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->topology[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP]);
    vkCmdBindIndexBuffer(cmd, r->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    begin_capture(r, cmd, CAPTURE_B);
    vkCmdDrawIndexed(cmd, VKT_COUNT(restart_indices), 1, 0, 1, 0);
    end_capture(cmd);
}

static void draw_discarded(struct rig *r, VkCommandBuffer cmd)
{
    bind(r, cmd, r->discard);
    begin_capture(r, cmd, CAPTURE_B);
    vkCmdDraw(cmd, 11, 1, 0, 0);
    end_capture(cmd);
    vkCmdDraw(cmd, 12, 1, 0, 0);
}

static const struct scene {
    const char *name;
    void (*draw)(struct rig *r, VkCommandBuffer cmd);
    uint32_t written, needed, generated;
    bool discards;
    bool outside; /* some draws are outside of intervals; Mesa takes them for needed */
} scenes[] = {
    {"vertices", draw_vertices, 40, 40, 40, false, false},
    {"geometry", draw_geometry, 70, 70, 70, false, false},
    {"overflow", draw_overflow, 10, 42, 42, false, false},
    {"geometry-overflow", draw_geometry_overflow, 5, 35, 35, false, false},
    {"nothing", draw_nothing, 0, 0, 0, false, false},
    {"between", draw_between, 23, 25, 5 + 21 + 1 + 4 + 6 + 35, false, true},
    /* Of 39 vertices: list, lines, strips, triangles, fan, and with adjacency. */
    {"topologies", draw_topologies, 502, 502, 502, false, false},
    {"restart", draw_restart, 5, 5, 5, false, false},
    {"discarded", draw_discarded, 11, 11, 23, true, true},
};
#define SCENES VKT_COUNT(scenes)

/* --- Recording --- */

static bool can_run(const struct rig *r, const struct scene *scene)
{
    return !scene->discards || r->m.t.features.generated_discard || !r->m.t.features.generated;
}

static void begin_queries(struct rig *r, VkCommandBuffer cmd, uint32_t query)
{
    if (query & 1)
        vkCmdBeginQuery(cmd, r->xfb, query, 0);
    else
        vkCmdBeginQueryIndexedEXT(cmd, r->xfb, query, 0, 0);
    if (r->generated)
        vkCmdBeginQuery(cmd, r->generated, query, 0);
}

static void end_queries(struct rig *r, VkCommandBuffer cmd, uint32_t query)
{
    if (query & 2) /* the two forms may be mixed */
        vkCmdEndQuery(cmd, r->xfb, query);
    else
        vkCmdEndQueryIndexedEXT(cmd, r->xfb, query, 0);
    if (r->generated)
        vkCmdEndQuery(cmd, r->generated, query);
}

static void reset_queries(struct rig *r, VkCommandBuffer cmd)
{
    vkCmdResetQueryPool(cmd, r->xfb, 0, SCENES + 1);
    if (r->generated)
        vkCmdResetQueryPool(cmd, r->generated, 0, SCENES + 1);
}

/* Where the queries begin and end. */
enum place { IN_PASS, AROUND_PASSES, IN_SECONDARY, PLACES };
static const char *const place_names[PLACES] = {"in-pass", "around-passes", "in-secondary"};

static void record_inline(struct rig *r, VkCommandBuffer cmd, enum place place)
{
    for (uint32_t i = 0; i < SCENES; i++) {
        const bool runs = can_run(r, &scenes[i]);
        if (place == AROUND_PASSES)
            begin_queries(r, cmd, i);
        move_begin_pass(&r->m, cmd, i > 0);
        if (place == IN_PASS)
            begin_queries(r, cmd, i);
        if (runs)
            scenes[i].draw(r, cmd);
        if (place == IN_PASS)
            end_queries(r, cmd, i);
        vkCmdEndRenderPass(cmd);
        xfb_barrier(cmd);
        if (place != AROUND_PASSES)
            continue;
        /* A second pass with the same. */
        move_begin_pass(&r->m, cmd, true);
        if (runs)
            scenes[i].draw(r, cmd);
        vkCmdEndRenderPass(cmd);
        xfb_barrier(cmd);
        end_queries(r, cmd, i);
    }
}

static VkCommandBuffer record_secondary(struct rig *r, uint32_t scene)
{
    const VkCommandBuffer cmd = vkt_secondary_in(&r->m.t, r->m.target.pass, 0);
    begin_queries(r, cmd, scene);
    if (can_run(r, &scenes[scene]))
        scenes[scene].draw(r, cmd);
    end_queries(r, cmd, scene);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void record_secondaries(struct rig *r, VkCommandBuffer cmd)
{
    for (uint32_t i = 0; i < SCENES; i++) {
        const VkCommandBuffer secondary = record_secondary(r, i);
        vkt_target_begin(cmd, &r->m.target, i > 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(cmd, 1, &secondary);
        vkCmdEndRenderPass(cmd);
        xfb_barrier(cmd);
    }
}

/* --- The main test --- */

static void expect(const struct rig *r, enum place place, uint64_t xfb[][QUERIES_MAX_VALUES],
                   uint64_t generated[][QUERIES_MAX_VALUES])
{
    const uint32_t times = place == AROUND_PASSES ? 2 : 1;
    for (uint32_t i = 0; i < SCENES; i++) {
        const uint32_t factor = can_run(r, &scenes[i]) ? times : 0;
        xfb[i][0] = factor * scenes[i].written;
        xfb[i][1] =
            factor * (scenes[i].outside && !r->layered ? scenes[i].generated : scenes[i].needed);
        generated[i][0] = factor * scenes[i].generated;
    }
}

static void dump(struct rig *r, VkQueryPool pool, uint32_t values, const char *what,
                 enum place place)
{
    uint64_t results[SCENES * 2];
    VKT_CALL(vkGetQueryPoolResults(r->m.t.device, pool, 0, SCENES, sizeof(results), results,
                                   values * 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    for (uint32_t i = 0; i < SCENES && values > 1; i++)
        if (scenes[i].outside)
            results[i * values + 1] = 0;
    xfb_dump(&r->m.t, results, SCENES * values * 8, "%s/%s", what, place_names[place]);
}

static void run_place(struct rig *r, enum place place)
{
    struct vkt *t = &r->m.t;
    /* New pools: whoever waits for a query whose reset is still to be executed gets old results. */
    r->xfb = vkt_query_pool(t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, SCENES + 1, 0);
    if (t->features.generated)
        r->generated = vkt_query_pool(t, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, SCENES + 1, 0);
    uint64_t xfb[SCENES + 1][QUERIES_MAX_VALUES] = {{0}};
    uint64_t generated[SCENES + 1][QUERIES_MAX_VALUES] = {{0}};
    expect(r, place, xfb, generated);
    const struct queries_expected all[2] = {
        {"feedback", r->xfb, 2, SCENES, (const void *)xfb, r->layered, r->unavailable, r->layered},
        {"generated", r->generated, 1, SCENES, (const void *)generated, r->layered, r->unavailable,
         r->layered},
    };
    const uint32_t pools = r->generated ? 2 : 1;
    struct vkt_buffer copies[2];
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    reset_queries(r, cmd);
    if (place == IN_SECONDARY)
        record_secondaries(r, cmd);
    else
        record_inline(r, cmd, place);
    for (uint32_t p = 0; p < pools; p++) {
        copies[p] = queries_copy_buffer(t, &all[p]);
        queries_copy(cmd, &all[p], &copies[p]);
    }
    VKT_CALL(vkEndCommandBuffer(cmd));
    for (uint32_t n = 0; n < SUBMISSIONS; n++) {
        const VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .commandBufferCount = 1,
            .pCommandBuffers = &cmd,
        };
        VKT_CALL(vkQueueSubmit(t->queue, 1, &submit, VK_NULL_HANDLE));
        if (n == 0) { /* waits by itself */
            dump(r, r->xfb, 2, "feedback", place);
            if (r->generated)
                dump(r, r->generated, 1, "opt/generated", place);
        }
        VKT_CALL(vkQueueWaitIdle(t->queue));
        for (uint32_t p = 0; p < pools; p++) {
            queries_check_host(t, &all[p]);
            queries_check_copies(t, &all[p], &copies[p]);
        }
    }
}

/* --- Streams --- */

#define CELLS 20u
#define STREAMS 4u

struct cell {
    uint32_t vertices, cuts;
};

static VkPipeline stream_pipeline(struct rig *r)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct cell),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_geometry_vert),
        .gs = VKT_CODE(xfb_streams_points),
        .layout = r->m.layout,
        .pass = r->m.target.pass,
        .width_px = MOVE_SIDE_PX,
        .height_px = MOVE_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .discard = true,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&r->m.t, &info);
}

/* All streams at once; stream 3 has space for two vertices, and stream 2 is not captured. */
static void run_streams(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const bool generated = t->features.generated_streams && t->features.generated_discard;
    struct cell cells[CELLS];
    uint32_t counts[STREAMS] = {0};
    for (uint32_t i = 0; i < CELLS; i++) {
        cells[i] = (struct cell){i * 7 % 33, i * 0x9e3779b9u};
        for (uint32_t n = 0; n < cells[i].vertices; n++)
            counts[((cells[i].cuts >> n % 31) + n) & 3]++;
    }
    const struct vkt_buffer shapes =
        vkt_buffer_from(t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkBuffer capture = r->capture.buffer;
    const struct xfb_range ranges[4] = {
        {capture, 0, 4096}, {capture, 4096, 4096}, {capture, 8192, 2 * 8}, {capture, 12288, 4096}};
    const VkPipeline pipeline = stream_pipeline(r);
    uint64_t values[2 * STREAMS + 1][QUERIES_MAX_VALUES] = {{0}};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    reset_queries(r, cmd);
    move_begin_pass(&r->m, cmd, false);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &shapes.buffer, &(VkDeviceSize){0});
    for (uint32_t s = 0; s < STREAMS; s++) {
        vkCmdBeginQueryIndexedEXT(cmd, r->xfb, s, 0, s);
        if (generated)
            vkCmdBeginQueryIndexedEXT(cmd, r->generated, s, 0, s);
        values[s][1] = counts[s];
        values[s][0] = s == 3 && counts[s] > 2 ? 2 : counts[s];
    }
    xfb_bind(cmd, 0, 4, ranges);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, CELLS, 1, 0, 0);
    for (uint32_t s = 0; s < STREAMS; s++) {
        vkCmdEndQueryIndexedEXT(cmd, r->xfb, s, s);
        if (generated)
            vkCmdEndQueryIndexedEXT(cmd, r->generated, s, s);
    }
    vkCmdDraw(cmd, CELLS, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct queries_expected e = {"streams", r->xfb, 2,    STREAMS, (const void *)values,
                                       false,     false,  false};
    queries_check_host(t, &e);
    for (uint32_t s = 0; s < STREAMS; s++)
        values[s][0] = counts[s];
    const struct queries_expected g = {"generated-streams",  r->generated, 1,     STREAMS,
                                       (const void *)values, false,        false, false};
    if (generated)
        queries_check_host(t, &g);
}

/* --- Resets of the host, and a decision --- */

static void run_host_reset(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const uint64_t values[3][QUERIES_MAX_VALUES] = {{40, 40}, {70, 70}};
    const struct queries_expected e = {"host-reset", r->xfb, 2, 2, values, false, false, false};
    for (uint32_t n = 0; n < 2; n++) {
        vkResetQueryPool(t->device, r->xfb, 0, SCENES + 1);
        uint64_t word[3] = {7, 7, 7};
        VKT_EXPECT(t,
                   vkGetQueryPoolResults(t->device, r->xfb, 1, 1, sizeof(word), word, sizeof(word),
                                         VK_QUERY_RESULT_64_BIT |
                                             VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) == VK_NOT_READY,
                   "a query that was reset is ready");
        VKT_EXPECT(t, word[2] == 0, "a query that was reset is available");
        VkCommandBuffer cmd = vkt_commands(t);
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        move_begin_pass(&r->m, cmd, false);
        for (uint32_t q = 0; q < 2; q++) {
            vkCmdBeginQuery(cmd, r->xfb, q, 0);
            scenes[q].draw(r, cmd);
            vkCmdEndQuery(cmd, r->xfb, q);
        }
        vkCmdEndRenderPass(cmd);
        vkt_submit(t, cmd);
        queries_check_host(t, &e);
    }
}

/* The number of primitives written decides on draws that another query counts: none, then some. */
static void run_condition(struct rig *r)
{
    struct vkt *t = &r->m.t;
    struct vkt_buffer word = vkt_buffer(
        t, 16, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, 1);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    reset_queries(r, cmd);
    for (uint32_t n = 0; n < 2; n++) {
        move_begin_pass(&r->m, cmd, false);
        vkCmdBeginQuery(cmd, r->xfb, 2 * n, 0);
        if (n)
            draw_vertices(r, cmd);
        vkCmdEndQuery(cmd, r->xfb, 2 * n);
        vkCmdEndRenderPass(cmd);
        vkCmdCopyQueryPoolResults(cmd, r->xfb, 2 * n, 1, word.buffer, 8, 8,
                                  VK_QUERY_RESULT_WAIT_BIT);
        const VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT,
        };
        vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0, 1, &barrier, 0,
                             NULL, 0, NULL);
        const VkConditionalRenderingBeginInfoEXT condition = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
            .buffer = word.buffer,
            .offset = 8,
        };
        move_begin_pass(&r->m, cmd, true);
        vkCmdBeginQuery(cmd, r->xfb, 2 * n + 1, 0);
        vkCmdBeginConditionalRenderingEXT(cmd, &condition);
        draw_geometry(r, cmd);
        vkCmdEndConditionalRenderingEXT(cmd);
        vkCmdEndQuery(cmd, r->xfb, 2 * n + 1);
        vkCmdEndRenderPass(cmd);
        vkt_barrier_all(cmd);
    }
    vkt_submit(t, cmd);
    const uint64_t values[5][QUERIES_MAX_VALUES] = {{0, 0}, {0, 0}, {40, 40}, {70, 70}};
    const struct queries_expected e = {"condition", r->xfb, 2, 4, values, false, false, false};
    queries_check_host(t, &e);
}

/* --- Set-up --- */

static void make_pipelines(struct rig *r)
{
    const VkVertexInputBindingDescription binding = {0, MOVE_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(queries_vert),
        .fs = VKT_CODE(queries_frag),
        .layout = r->m.layout,
        .pass = r->m.target.pass,
        .width_px = MOVE_SIDE_PX,
        .height_px = MOVE_SIDE_PX,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    for (uint32_t i = 0; i < VKT_COUNT(r->topology); i++) {
        info.topology = (VkPrimitiveTopology)i;
        info.restart = i == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
        r->topology[i] = vkt_pipeline(&r->m.t, &info);
    }
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    info.restart = false;
    info.discard = true;
    info.fs = (struct vkt_code){0};
    r->discard = vkt_pipeline(&r->m.t, &info);
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-queries", argc, argv);
    struct vkt *t = &r.m.t;
    if (!t->xfb.transformFeedbackQueries)
        vkt_skip("no queries of transform feedback");
    r.layered = vkt_has_layer(&t->options, "poly_gs");
    r.unavailable = vkt_flag(&t->options, "--unavailable");
    make_pipelines(&r);
    r.capture = xfb_buffer(t, CAPTURE_B);
    r.indices = vkt_buffer_from(t, restart_indices, sizeof(restart_indices),
                                VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (enum place place = 0; place < PLACES; place++)
        run_place(&r, place);
    if (t->features.geometry_streams && t->xfb.maxTransformFeedbackStreams >= STREAMS)
        run_streams(&r);
    if (t->features.host_reset)
        run_host_reset(&r);
    if (t->features.condition)
        run_condition(&r);
    return vkt_finish(t);
}
