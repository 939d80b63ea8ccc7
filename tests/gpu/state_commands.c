/* SPDX-License-Identifier: MIT
 *
 * Cases of gpu-state that are about command buffers: secondaries, dynamic state, several threads.
 */
#include "common/vkt_query.h"
#include "gpu/state.h"

#include <pthread.h>

#define THREADS 4u
#define PASSES_PER_THREAD 5u

static VkCommandBuffer make_secondary(struct state_suite *s, VkPipeline pipeline)
{
    const VkCommandBuffer cmd = vkt_secondary_in(&s->t, s->target.pass, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    state_bind(s, cmd);
    state_push(s, cmd, 5.0f, 7.0f, 0, 11);
    vkCmdDraw(cmd, 12, 1, 0, 0);
    state_push(s, cmd, 6.0f, 30.0f, 0, 12);
    vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

/* A secondary without geometry shaders in one pass, a draw with one in the next. */
void state_case_secondary(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const struct vkt_pipeline_info with = state_info(s, true, s->target.pass);
    const struct vkt_pipeline_info without = state_info(s, false, s->target.pass);
    const VkPipeline emulated = vkt_pipeline(t, &with), plain = vkt_pipeline(t, &without);
    const VkCommandBuffer secondary = make_secondary(s, plain);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &secondary);
    vkCmdEndRenderPass(cmd);
    vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, emulated);
    state_bind(s, cmd);
    state_push(s, cmd, 20.0f, 12.0f, 5, 13);
    vkCmdDraw(cmd, 6, 1, 6, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    state_dump(s, "secondary", &s->target.color);
}

/* One pipeline draws lists, strips and fans; restart, stride, culling and discard are dynamic too.
 */
void state_case_dynamic_state(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,          VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
        VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_CULL_MODE,
        VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
    };
    struct vkt_pipeline_info info = state_info(s, true, s->target.pass);
    info.dynamic = dynamic;
    info.dynamic_count = VKT_COUNT(dynamic);
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    const uint16_t indices[] = {0, 1, 2, 4, 5, 0xffff, 6, 7, 8, 0xffff, 0xffff, 3, 4, 5, 8};
    const struct vkt_buffer restarts =
        vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    static const struct {
        VkPrimitiveTopology topology;
        bool restart, indexed, discard;
        VkDeviceSize stride_B;
    } steps[] = {
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false, false, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, false, false, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, false, false, false, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, true, false, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, true, false, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false, true, 12},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false, false, 24},
    };
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    state_bind(s, cmd);
    vkCmdBindIndexBuffer(cmd, restarts.buffer, 0, VK_INDEX_TYPE_UINT16);
    for (uint32_t i = 0; i < VKT_COUNT(steps); i++) {
        const VkDeviceSize zero = 0, size_B = s->vertices.size_B;
        vkCmdSetPrimitiveTopology(cmd, steps[i].topology);
        vkCmdSetPrimitiveRestartEnable(cmd, steps[i].restart);
        vkCmdSetRasterizerDiscardEnable(cmd, steps[i].discard);
        vkCmdSetCullMode(cmd, i == 1 ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
        vkCmdBindVertexBuffers2(cmd, 0, 1, &s->vertices.buffer, &zero, &size_B, &steps[i].stride_B);
        state_push(s, cmd, (float)(i % 2) * 31.0f, (float)(i / 2) * 14.0f, 10 + i, 100 * i);
        if (steps[i].indexed)
            vkCmdDrawIndexed(cmd, VKT_COUNT(indices), 1, 0, 0, 0);
        else
            vkCmdDraw(cmd, steps[i].stride_B == 24 ? 6 : 11, 1, 0, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    state_dump(s, "dynamic-state", &s->target.color);
}

static void dump_query(struct vkt *t, const char *name, VkQueryPool pool, uint32_t expected)
{
    uint32_t value = 0;
    VKT_CALL(vkGetQueryPoolResults(t->device, pool, 0, 1, sizeof(value), &value, 4,
                                   VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(t, expected == 0 || value == expected, "%s: %u, wanted %u", name, value, expected);
    vkt_dump_buffer(t, name, &value, sizeof(value));
}

/* An occlusion query around a draw with a geometry shader, and compute invocations around the
 * whole: the application's, nobody else's. */
void state_case_queries(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const bool statistics = t->features.core.pipelineStatisticsQuery;
    const VkQueryPool samples = vkt_query_pool(t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    const VkQueryPool invocations =
        statistics ? vkt_query_pool(t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                                    VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT)
                   : VK_NULL_HANDLE;
    const struct vkt_pipeline_info info = state_info(s, true, s->target.pass);
    const VkPipeline emulated = vkt_pipeline(t, &info);
    const uint32_t push[2] = {32, 1};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, samples, 0, 1);
    if (statistics) {
        vkCmdResetQueryPool(cmd, invocations, 0, 1);
        vkCmdBeginQuery(cmd, invocations, 0, 0);
    }
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, emulated);
    state_bind(s, cmd);
    state_push(s, cmd, 3.0f, 3.0f, 6, 1);
    vkCmdBeginQuery(cmd, samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdDraw(cmd, 12, 1, 0, 0);
    vkCmdEndQuery(cmd, samples, 0);
    vkCmdDraw(cmd, 6, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, STATE_PUSH_COMPUTE_B,
                       sizeof(push), push);
    vkCmdDispatch(cmd, 1, 1, 1);
    if (statistics)
        vkCmdEndQuery(cmd, invocations, 0);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    dump_query(t, "queries/samples", samples, 0);
    if (statistics)
        dump_query(t, "opt/compute-invocations", invocations, 4);
    state_dump(s, "queries", &s->target.color);
}

struct worker {
    struct state_suite *s;
    pthread_t thread;
    uint32_t number;
    struct vkt_target target;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkResult result;
};

/* Records with functions that may be called from any thread only: pipelines are made here too. */
static void *work(void *argument)
{
    struct worker *w = argument;
    struct state_suite *s = w->s;
    const struct vkt_pipeline_info with = state_info(s, true, w->target.pass);
    VkPipeline pipeline;
    w->result = vkt_pipeline_try(&s->t, &with, &pipeline);
    if (w->result != VK_SUCCESS)
        return NULL;
    vkt_begin(w->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < PASSES_PER_THREAD; i++) {
        vkt_target_begin(w->cmd, &w->target, i != 0, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(w->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        state_bind(s, w->cmd);
        state_push(s, w->cmd, 4.0f * (float)i + (float)w->number, 5.0f * (float)i, 20 + w->number,
                   i);
        vkCmdDraw(w->cmd, 12, 1 + i % 2, 0, 0);
        vkCmdEndRenderPass(w->cmd);
    }
    vkt_barrier_all(w->cmd);
    w->result = vkEndCommandBuffer(w->cmd);
    return (void *)(uintptr_t)pipeline;
}

static void prepare(struct state_suite *s, struct worker *w, uint32_t number)
{
    *w = (struct worker){.s = s, .number = number};
    w->target =
        vkt_target(&s->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, STATE_SIDE_PX, STATE_SIDE_PX);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = s->t.queue_family,
    };
    VKT_CALL(vkCreateCommandPool(s->t.device, &pool, NULL, &w->pool));
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VKT_CALL(vkAllocateCommandBuffers(s->t.device, &allocate, &w->cmd));
}

void state_case_threads(struct state_suite *s)
{
    struct worker workers[THREADS];
    VkCommandBuffer all[THREADS];
    VkPipeline pipelines[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        prepare(s, &workers[i], i);
    for (uint32_t i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            vkt_die("no thread");
    for (uint32_t i = 0; i < THREADS; i++) {
        void *pipeline = NULL;
        pthread_join(workers[i].thread, &pipeline);
        pipelines[i] = (VkPipeline)(uintptr_t)pipeline;
        VKT_CALL(workers[i].result);
        all[i] = workers[i].cmd;
    }
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = THREADS,
        .pCommandBuffers = all,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
    for (uint32_t i = 0; i < THREADS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "thread-%u", i);
        state_dump(s, name, &workers[i].target.color);
        vkDestroyPipeline(s->t.device, pipelines[i], NULL);
        vkDestroyCommandPool(s->t.device, workers[i].pool, NULL);
    }
}
