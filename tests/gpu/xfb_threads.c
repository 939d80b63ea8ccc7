/* SPDX-License-Identifier: MIT
 *
 * Several threads of one device that each capture and count: every one creates and destroys query
 * pools and pipelines while the others record, and must always find its own results.
 */
#include "gpu/xfb.h"

#include "xfb_counters_geom.h"
#include "xfb_counters_pass_vert.h"
#include "xfb_counters_vert.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX 8u
#define THREADS 4u
#define ROUNDS 8u
#define CAPTURE_B (1u << 14)
#define TRIANGLE_0_B 48u /* in the first buffer */

struct context {
    struct vkt t;
    VkPipelineLayout layout;
    VkPipeline lasting[2]; /* vertex shader alone, with geometry shader */
    pthread_mutex_t queue_lock;
};

struct worker {
    struct context *context;
    uint32_t number;
    struct vkt_target target;
    struct vkt_buffer capture[2];
    uint32_t wrong; /* rounds whose results were not as expected */
    pthread_t thread;
};

static VkPipeline create_pipeline(struct context *context, VkRenderPass pass, bool geometry)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_counters_vert),
        .layout = context->layout,
        .pass = pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .discard = true,
    };
    if (geometry) {
        info.vs = VKT_CODE(xfb_counters_pass_vert);
        info.gs = VKT_CODE(xfb_counters_geom);
    }
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(&context->t, &info, &pipeline));
    return pipeline;
}

static VkQueryPool create_queries(struct context *context)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 2,
    };
    VkQueryPool queries;
    VKT_CALL(vkCreateQueryPool(context->t.device, &info, NULL, &queries));
    return queries;
}

/* Triangles that come of the first `count`: the geometry shader makes 1, 2, 3, 0, 1, ... */
static uint32_t triangles(uint32_t count, bool geometry)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += geometry ? (i + 1) % 4 : 1;
    return sum;
}

static void record(struct worker *w, VkCommandBuffer cmd, VkPipeline pipeline, VkQueryPool queries,
                   uint32_t tag, uint32_t count)
{
    const struct xfb_range ranges[2] = {{w->capture[0].buffer, 0, CAPTURE_B},
                                        {w->capture[1].buffer, 0, CAPTURE_B}};
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, queries, 0, 2);
    vkt_target_begin(cmd, &w->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, w->context->layout,
                       VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(tag),
                       &tag);
    xfb_bind(cmd, 0, 2, ranges);
    vkCmdBeginQuery(cmd, queries, 1, 0);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 3 * count, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndQuery(cmd, queries, 1);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static bool is_right(const struct worker *w, VkQueryPool queries, uint32_t tag, uint32_t count)
{
    uint64_t counted[2] = {0};
    VKT_CALL(vkGetQueryPoolResults(w->context->t.device, queries, 1, 1, sizeof(counted), counted,
                                   sizeof(counted),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return counted[0] == count && counted[1] == count &&
           xfb_word(&w->capture[0], (count - 1) * TRIANGLE_0_B) == tag &&
           xfb_word(&w->capture[0], count * TRIANGLE_0_B) == XFB_FILL * 0x01010101u;
}

static void run_round(struct worker *w, const struct vkt_thread *thread, uint32_t round)
{
    struct context *context = w->context;
    const bool geometry = (w->number + round) % 2, own = round % 4 < 2;
    const uint32_t tag = 100 * w->number + round, count = 5 + 7 * w->number + round;
    const VkCommandBuffer cmd = vkt_thread_commands(thread);
    for (uint32_t i = 0; i < 2; i++)
        memset(w->capture[i].map, XFB_FILL, CAPTURE_B);
    const VkPipeline pipeline =
        own ? create_pipeline(context, w->target.pass, geometry) : context->lasting[geometry];
    const VkQueryPool queries = create_queries(context);
    record(w, cmd, pipeline, queries, tag, count);
    vkt_thread_submit(thread, cmd);
    w->wrong += !is_right(w, queries, tag, triangles(count, geometry));
    vkDestroyQueryPool(context->t.device, queries, NULL);
    if (own)
        vkDestroyPipeline(context->t.device, pipeline, NULL);
    vkFreeCommandBuffers(context->t.device, thread->pool, 1, &cmd);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct vkt_thread thread;
    vkt_thread_open(&thread, &w->context->t, &w->context->queue_lock);
    for (uint32_t round = 0; round < ROUNDS; round++)
        run_round(w, &thread, round);
    vkt_thread_close(&thread);
    return NULL;
}

static void open_workers(struct context *context, struct worker *workers)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        struct worker *w = &workers[i];
        w->context = context;
        w->number = i;
        w->target =
            vkt_target(&context->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
        for (uint32_t k = 0; k < 2; k++)
            w->capture[k] = xfb_buffer(&context->t, CAPTURE_B);
    }
    for (int i = 0; i < 2; i++)
        context->lasting[i] = create_pipeline(context, workers[0].target.pass, i);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_threads", argc, argv);
    options.xfb = true;
    static struct context context;
    static struct worker workers[THREADS];
    vkt_init(&context.t, &options);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       sizeof(uint32_t)};
    context.layout = vkt_layout(&context.t, NULL, 0, &range, 1);
    pthread_mutex_init(&context.queue_lock, NULL);
    open_workers(&context, workers);
    for (uint32_t i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            vkt_die("no thread");
    for (uint32_t i = 0; i < THREADS; i++) {
        const struct worker *w = &workers[i];
        pthread_join(w->thread, NULL);
        VKT_EXPECT(&context.t, !w->wrong, "thread %u: %u of %u rounds went wrong", i, w->wrong,
                   ROUNDS);
        for (uint32_t k = 0; k < 2; k++)
            xfb_dump(&context.t, w->capture[k].map, CAPTURE_B, "thread-%u/%u", i, k);
    }
    for (int i = 0; i < 2; i++)
        vkDestroyPipeline(context.t.device, context.lasting[i], NULL);
    pthread_mutex_destroy(&context.queue_lock);
    return vkt_finish(&context.t);
}
