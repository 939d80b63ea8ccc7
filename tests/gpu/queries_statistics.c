/* SPDX-License-Identifier: MIT
 *
 * Pipeline statistics: what the layer counts and what the driver counts, mixed in one pool; of
 * native draws and of those with a geometry shader, in a primary and in secondaries that inherit
 * the query; and compute shaders, to which the layer's own must not be added. With --alone as on a
 * driver that counts nothing (VK_POLY_GS_STATISTICS).
 */
#include "gpu/queries.h"
#include "gpu/xfb_move.h"

#include "queries_count_comp.h"

#define VERTICES VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT
#define PRIMITIVES VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT
#define VERTEX_SHADER VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT
#define GEOMETRY_SHADER VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT
#define GEOMETRY_PRIMITIVES VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT
/* What fragment shaders are invoked, lavapipe multiplies by 16 each time that it is asked. */
#define CLIPPING VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT
#define CLIPPED VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT
#define FRAGMENTS VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT
#define COMPUTE_SHADER VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT

#define SUBMISSIONS 3u

struct rig {
    struct move m;
    VkPipeline compute;
    struct vkt_buffer arguments;
    bool indirect;
    bool alone; /* the driver counts nothing */
};

/* Values by the number of their bit. */
enum { BITS = 11 };

/* --- What is drawn --- */

/* 40 points without a geometry shader, and 17 in two instances that become 70. */
static const VkDrawIndirectCommand draws[] = {{MOVE_ITEMS, 1, 0, 0}, {17, 2, 3, 0}};

static void draw(struct rig *r, VkCommandBuffer cmd)
{
    const struct move_item change = {0};
    for (uint32_t i = 0; i < VKT_COUNT(draws); i++) {
        const VkDrawIndirectCommand *d = &draws[i];
        move_bind(&r->m, cmd, i ? MOVE_SHOW_GEOMETRY : MOVE_SHOW, r->m.items.buffer, 0, change);
        if (r->indirect)
            vkCmdDrawIndirect(cmd, r->arguments.buffer, i * sizeof(*d), 1, 0);
        else
            vkCmdDraw(cmd, d->vertexCount, d->instanceCount, d->firstVertex, d->firstInstance);
    }
}

static const uint64_t drawn[BITS] = {40 + 34, 40 + 34, 40 + 34, 34, 70, 0, 0, 0, 0, 0, 0};

static void dispatch(struct rig *r, VkCommandBuffer cmd)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->compute);
    vkCmdDispatch(cmd, 3, 1, 1);
}

/* --- Where it is drawn --- */

static void draw_in_pass(struct rig *r, VkCommandBuffer cmd)
{
    move_begin_pass(&r->m, cmd, false);
    draw(r, cmd);
    vkCmdEndRenderPass(cmd);
}

static VkCommandBuffer secondary(struct rig *r, VkQueryPipelineStatisticFlags statistics)
{
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = r->m.target.pass,
        .pipelineStatistics = r->m.t.features.core.inheritedQueries ? statistics : 0,
    };
    const VkCommandBuffer cmd = vkt_secondary(&r->m.t,
                                              VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                                                  VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                              &inherit); /* executed three times */
    draw(r, cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

/* The same inline where a secondary may not be executed in a query. */
static void execute(struct rig *r, VkCommandBuffer cmd, VkCommandBuffer second)
{
    if (!r->m.t.features.core.inheritedQueries) {
        draw_in_pass(r, cmd);
        return;
    }
    vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &second);
    vkCmdEndRenderPass(cmd);
}

/* --- Queries --- */

/* 0: a pass in the query. 1: the query in a pass. 2: a secondary in a pass. 3: two passes of it,
 * one without a query in between. 4: dispatches around a pass. 5: nothing. */
enum { QUERIES = 6 };

static void record(struct rig *r, VkCommandBuffer cmd, VkQueryPool pool, VkCommandBuffer second)
{
    vkCmdResetQueryPool(cmd, pool, 0, QUERIES + 1);
    vkCmdBeginQuery(cmd, pool, 0, 0);
    draw_in_pass(r, cmd);
    vkCmdEndQuery(cmd, pool, 0);
    move_begin_pass(&r->m, cmd, false);
    draw(r, cmd); /* before it, and behind */
    vkCmdBeginQuery(cmd, pool, 1, 0);
    draw(r, cmd);
    vkCmdEndQuery(cmd, pool, 1);
    draw(r, cmd);
    vkCmdEndRenderPass(cmd);
    vkCmdBeginQuery(cmd, pool, 2, 0);
    execute(r, cmd, second);
    vkCmdEndQuery(cmd, pool, 2);
    vkt_barrier_all(cmd);
    execute(r, cmd, second);
    vkt_barrier_all(cmd);
    vkCmdBeginQuery(cmd, pool, 3, 0);
    execute(r, cmd, second);
    vkt_barrier_all(cmd);
    execute(r, cmd, second);
    vkCmdEndQuery(cmd, pool, 3);
    vkt_barrier_all(cmd);
    vkCmdBeginQuery(cmd, pool, 4, 0);
    dispatch(r, cmd);
    draw_in_pass(r, cmd);
    vkt_barrier_all(cmd);
    dispatch(r, cmd);
    vkCmdEndQuery(cmd, pool, 4);
    vkCmdBeginQuery(cmd, pool, 5, 0);
    vkCmdEndQuery(cmd, pool, 5);
}

static void expect(const struct rig *r, VkQueryPipelineStatisticFlags bits,
                   uint64_t values[][QUERIES_MAX_VALUES])
{
    static const uint32_t times[QUERIES] = {1, 1, 1, 2, 1, 0};
    for (uint32_t q = 0; q < QUERIES; q++)
        for (uint32_t bit = 0, v = 0; bit < BITS; bit++) {
            if (!(bits >> bit & 1))
                continue;
            uint64_t value = times[q] * drawn[bit];
            if (1u << bit == COMPUTE_SHADER)
                value = q == 4 && !r->alone ? 6 * 64 : 0;
            if (1u << bit == CLIPPING)
                value = times[q] * (40 + 70);
            values[q][v++] = value;
        }
}

static uint32_t count_bits(VkQueryPipelineStatisticFlags bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void run(struct rig *r, const char *name, VkQueryPipelineStatisticFlags bits)
{
    struct vkt *t = &r->m.t;
    uint64_t values[QUERIES + 1][QUERIES_MAX_VALUES] = {{0}};
    expect(r, bits, values);
    /* What the driver alone counts it copies itself. */
    const bool ours = (bits != CLIPPING || r->alone) && vkt_has_layer(&t->options, "poly_gs");
    const struct queries_expected e = {
        name,
        vkt_query_pool(t, VK_QUERY_TYPE_PIPELINE_STATISTICS, QUERIES + 1, bits),
        count_bits(bits),
        QUERIES,
        (const void *)values,
        ours,
        false,
        /* else it waits for the driver's part */
        ours && (r->alone || !(bits & (CLIPPING | COMPUTE_SHADER))),
    };
    const struct vkt_buffer copies = queries_copy_buffer(t, &e);
    const VkCommandBuffer second = secondary(r, bits);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    record(r, cmd, e.pool, second);
    queries_copy(cmd, &e, &copies);
    VKT_CALL(vkEndCommandBuffer(cmd));
    for (uint32_t n = 0; n < SUBMISSIONS; n++) {
        const VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .commandBufferCount = 1,
            .pCommandBuffers = &cmd,
        };
        VKT_CALL(vkQueueSubmit(t->queue, 1, &submit, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(t->queue));
        queries_check_host(t, &e);
        queries_check_copies(t, &e, &copies);
    }
    xfb_dump(t, values, sizeof(values), "opt/%s", name);
}

static void make_compute(struct rig *r)
{
    r->compute = vkt_compute_pipeline(&r->m.t, VKT_CODE(queries_count_comp), r->m.layout);
}

/* What the driver counts elsewhere, of compute shaders and behind clipping, is 0. */
static void run_alone(struct rig *r)
{
    run(r, "clipping", GEOMETRY_PRIMITIVES | CLIPPING);
    run(r, "zeros", VERTICES | CLIPPED | FRAGMENTS | COMPUTE_SHADER);
    run(r, "only_zeros", FRAGMENTS);
    r->indirect = true;
    run(r, "indirect", PRIMITIVES | GEOMETRY_SHADER | CLIPPING | COMPUTE_SHADER);
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-queries_statistics", argc, argv);
    if (!r.m.t.features.core.pipelineStatisticsQuery)
        vkt_skip("no pipelineStatisticsQuery");
    r.alone = vkt_flag(&r.m.t.options, "--alone");
    make_compute(&r);
    r.arguments =
        vkt_buffer_from(&r.m.t, draws, sizeof(draws), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    run(&r, "ours", VERTICES | PRIMITIVES | VERTEX_SHADER | GEOMETRY_SHADER | GEOMETRY_PRIMITIVES);
    run(&r, "one", GEOMETRY_PRIMITIVES);
    run(&r, "drivers", CLIPPING);
    if (r.alone) {
        run_alone(&r);
        return vkt_finish(&r.m.t);
    }
    run(&r, "mixed", PRIMITIVES | GEOMETRY_SHADER | CLIPPING | COMPUTE_SHADER);
    run(&r, "compute", COMPUTE_SHADER);
    r.indirect = true;
    run(&r, "indirect", PRIMITIVES | GEOMETRY_SHADER | CLIPPING | COMPUTE_SHADER);
    run(&r, "indirect_compute", COMPUTE_SHADER);
    return vkt_finish(&r.m.t);
}
