/* SPDX-License-Identifier: MIT
 *
 * Two instances with a device each, and two threads on each device, at once: every thread creates
 * and destroys pipelines with a geometry shader, records and submits, and must always get the same
 * picture. --layered: the geometry shader draws to two layers, so that the layer may sift.
 */
#include "common/vkt.h"
#include "gpu/layers.h"

#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"
#include "threads_layers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX LAYERS_SIDE_PX
#define LAYERS 2u /* that are looked at */
#define CONTEXTS 2
#define THREADS 2 /* of a context */
#define ROUNDS 6

struct push {
    float shift[2], depth;
    uint32_t tint;
};

struct context {
    struct vkt t;
    VkPipelineLayout layout;
    pthread_mutex_t queue_lock;
};

struct worker {
    struct context *context;
    struct vkt_target target;    /* without --layered */
    struct layers_target layers; /* with them */
    bool is_layered;
    struct vkt_buffer pixels;
    uint32_t first[LAYERS * SIDE_PX * SIDE_PX]; /* the picture of the first round */
    uint32_t tint;
    bool differs;
    pthread_t thread;
};

static VkPipeline create_pipeline(struct worker *w)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(lazy_vert),
        .gs = w->is_layered ? VKT_CODE(threads_layers) : VKT_CODE(lazy_geom),
        .fs = VKT_CODE(lazy_frag),
        .layout = w->context->layout,
        .pass = w->is_layered ? w->layers.pass : w->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(&w->context->t, &info, &pipeline));
    return pipeline;
}

static void record(const struct worker *w, VkCommandBuffer cmd, VkPipeline pipeline)
{
    const struct push push = {.depth = 0.5f, .tint = w->tint};
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, w->layers.base_layer,
                             w->is_layered ? LAYERS : 1},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (w->is_layered)
        layers_begin(cmd, &w->layers, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    else
        vkt_target_begin(cmd, &w->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, w->context->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, 300, w->is_layered ? 1 : 2, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, w->is_layered ? w->layers.color.image : w->target.color.image,
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, w->pixels.buffer, 1, &region);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static void *work(void *argument)
{
    struct worker *w = argument;
    const VkDevice device = w->context->t.device;
    struct vkt_thread thread;
    vkt_thread_open(&thread, &w->context->t, &w->context->queue_lock);
    for (int round = 0; round < ROUNDS; round++) {
        const VkCommandBuffer cmd = vkt_thread_commands(&thread);
        const VkPipeline pipeline = create_pipeline(w);
        record(w, cmd, pipeline);
        vkt_thread_submit(&thread, cmd);
        if (round == 0)
            memcpy(w->first, w->pixels.map, sizeof(w->first));
        w->differs |= memcmp(w->first, w->pixels.map, sizeof(w->first)) != 0;
        vkDestroyPipeline(device, pipeline, NULL);
        if (round % 2)
            VKT_CALL(vkResetCommandPool(device, thread.pool, 0));
        vkFreeCommandBuffers(device, thread.pool, 1, &cmd);
    }
    vkt_thread_close(&thread);
    return NULL;
}

static void open_context(struct context *context, struct worker *workers,
                         const struct vkt_options *options)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    vkt_init(&context->t, options);
    pthread_mutex_init(&context->queue_lock, NULL);
    context->layout = vkt_layout(&context->t, NULL, 0, &range, 1);
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i].context = context;
        workers[i].is_layered = vkt_flag(options, "--layered");
        if (workers[i].is_layered)
            workers[i].layers = layers_target(&context->t, LAYERS_ARRAY);
        else
            workers[i].target =
                vkt_target(&context->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
        workers[i].pixels =
            vkt_buffer(&context->t, sizeof(workers[i].first), VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
        workers[i].tint = i + 1;
    }
}

static int close_context(struct context *context, const struct worker *workers)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        const struct worker *w = &workers[i];
        char name[32];
        bool drawn = false;
        for (uint32_t p = 0; p < SIDE_PX * SIDE_PX; p++)
            drawn |= w->first[p] / 16 == w->tint || w->first[p] / 16 == w->tint + 1;
        VKT_EXPECT(&context->t, drawn, "thread %u drew nothing", i);
        VKT_EXPECT(&context->t, !w->differs, "thread %u drew other pictures later", i);
        snprintf(name, sizeof(name), "thread-%u", i);
        vkt_dump_image(&context->t, name, w->first, SIDE_PX, (w->is_layered ? LAYERS : 1) * SIDE_PX,
                       4);
    }
    pthread_mutex_destroy(&context->queue_lock);
    return vkt_finish(&context->t);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-threads", argc, argv);
    static struct context contexts[CONTEXTS];
    static struct worker workers[CONTEXTS][THREADS];
    int status = 0;
    for (int i = 0; i < CONTEXTS; i++) {
        open_context(&contexts[i], workers[i], &options);
        options.dump_path = NULL; /* the others draw the same */
    }
    for (int i = 0; i < CONTEXTS * THREADS; i++) {
        struct worker *w = &workers[i / THREADS][i % THREADS];
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            vkt_die("no thread");
    }
    for (int i = 0; i < CONTEXTS * THREADS; i++)
        pthread_join(workers[i / THREADS][i % THREADS].thread, NULL);
    for (int i = 1; i < CONTEXTS; i++)
        VKT_EXPECT(&contexts[0].t,
                   memcmp(workers[0][0].first, workers[i][0].first, sizeof(workers[0][0].first)) ==
                       0,
                   "two devices draw different pictures");
    for (int i = 0; i < CONTEXTS; i++)
        status |= close_context(&contexts[i], workers[i]);
    return status;
}
