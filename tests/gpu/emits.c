/* SPDX-License-Identifier: MIT
 *
 * The same draw again and again, recorded anew, of which now all is emitted and now nearly nothing:
 * the layer learns from what it stored and draws otherwise from then on, and nobody is to see that.
 * Likewise with commands that are submitted several times, in secondaries, with pipelines that are
 * destroyed before their commands are reset, and on several threads at once with one pipeline.
 */
#include "common/vkt.h"

#include "amplify_frag.h"
#include "emits_geom.h"
#include "emits_vert.h"

#include <pthread.h>
#include <string.h>

#define SIDE_PX 64u
#define SIDE_TEXELS (SIDE_PX * SIDE_PX)
#define POINTS 3000u
#define THREADS 4u

/* So many frames with so many per cent. */
struct phase {
    uint32_t share, frames;
};
static const struct phase phases[] = {{100, 10}, {3, 20}, {60, 40}, {0, 20}, {100, 20}};

/* One who draws. */
struct painter {
    const struct suite *suite;
    struct vkt_target target;
    struct vkt_buffer pixels;
    uint32_t texels[101][SIDE_TEXELS]; /* by share: the first picture */
    bool known[101];
    uint32_t differing; /* frames that look otherwise */
};

struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    pthread_mutex_t queue_lock;
    struct painter painters[THREADS];
};

static VkPipeline make_pipeline(const struct suite *s, const struct painter *p)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(emits_vert),
        .gs = VKT_CODE(emits_geom),
        .fs = VKT_CODE(amplify_frag),
        .layout = s->layout,
        .pass = p->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try((struct vkt *)&s->t, &info, &pipeline));
    return pipeline;
}

static void draw(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline, uint32_t share)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(share), &share);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdDraw(cmd, POINTS, 1, 100, 0);
    vkCmdDraw(cmd, POINTS - 500, 1, 7, 0);
}

/* secondary: draws; NULL: the primary does. */
static void record(const struct painter *p, VkCommandBuffer cmd, VkCommandBuffer secondary,
                   VkPipeline pipeline, uint32_t share)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vkt_target_begin(cmd, &p->target, false,
                     secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                               : VK_SUBPASS_CONTENTS_INLINE);
    if (secondary)
        vkCmdExecuteCommands(cmd, 1, &secondary);
    else
        draw(p->suite, cmd, pipeline, share);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, p->target.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           p->pixels.buffer, 1, &region);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static void record_secondary(const struct painter *p, VkCommandBuffer secondary,
                             VkPipeline pipeline, uint32_t share)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = p->target.pass,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                 VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    VKT_CALL(vkBeginCommandBuffer(secondary, &begin));
    draw(p->suite, secondary, pipeline, share);
    VKT_CALL(vkEndCommandBuffer(secondary));
}

static void look(struct painter *p, uint32_t share)
{
    if (!p->known[share])
        memcpy(p->texels[share], p->pixels.map, sizeof(p->texels[share]));
    p->known[share] = true;
    p->differing += memcmp(p->texels[share], p->pixels.map, sizeof(p->texels[share])) != 0;
}

static void *paint(void *argument)
{
    struct painter *p = argument;
    struct suite *s = (struct suite *)p->suite;
    struct vkt_thread thread;
    vkt_thread_open(&thread, &s->t, &s->queue_lock);
    const VkCommandBuffer cmds[2] = {vkt_thread_commands(&thread), vkt_thread_commands(&thread)};
    uint32_t frame = 0;
    for (uint32_t i = 0; i < VKT_COUNT(phases); i++)
        for (uint32_t k = 0; k < phases[i].frames; k++, frame++) {
            if (frame % 2 == 0)
                VKT_CALL(vkResetCommandPool(s->t.device, thread.pool, 0));
            record(p, cmds[frame % 2], VK_NULL_HANDLE, s->pipeline, phases[i].share);
            vkt_thread_submit(&thread, cmds[frame % 2]);
            look(p, phases[i].share);
        }
    vkt_thread_close(&thread);
    return NULL;
}

static void on_threads(struct suite *s)
{
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, paint, &s->painters[i]) != 0)
            vkt_die("no thread");
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void submit(struct suite *s, VkCommandBuffer cmd, uint32_t times)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    for (uint32_t i = 0; i < times; i++)
        VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
}

/* Never executed, once, and several times. */
static void submit_again(struct suite *s, struct painter *p)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t share = i < 12 ? 100 : 3;
        record(p, cmd, VK_NULL_HANDLE, s->pipeline, share);
        submit(s, cmd, i % 4);
        if (i % 4)
            look(p, share);
    }
}

static void draw_in_secondaries(struct suite *s, struct painter *p)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    VkCommandBuffer secondary;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->t.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    VKT_CALL(vkAllocateCommandBuffers(s->t.device, &info, &secondary));
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t share = i < 12 ? 100 : 3;
        record_secondary(p, secondary, s->pipeline, share);
        for (uint32_t k = 0; k < i % 3; k++) {
            record(p, cmd, secondary, VK_NULL_HANDLE, share);
            submit(s, cmd, 1);
            look(p, share);
        }
    }
}

/* Each frame has a pipeline of its own, which is gone when its commands are recorded anew. */
static void destroy_early(struct suite *s, struct painter *p)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    for (uint32_t i = 0; i < 4; i++) {
        const VkPipeline pipeline = make_pipeline(s, p);
        for (uint32_t k = 0; k < 3; k++) {
            record(p, cmd, VK_NULL_HANDLE, pipeline, 60);
            submit(s, cmd, 1);
            look(p, 60);
        }
        vkDestroyPipeline(s->t.device, pipeline, NULL);
    }
}

static void open_suite(struct suite *s, const struct vkt_options *options)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(uint32_t)};
    vkt_init(&s->t, options);
    pthread_mutex_init(&s->queue_lock, NULL);
    s->layout = vkt_layout(&s->t, NULL, 0, &range, 1);
    for (uint32_t i = 0; i < THREADS; i++) {
        struct painter *p = &s->painters[i];
        p->suite = s;
        p->target = vkt_target(&s->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
        p->pixels = vkt_buffer(&s->t, sizeof(p->texels[0]), VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    }
    s->pipeline = make_pipeline(s, &s->painters[0]);
}

static void check(struct suite *s, uint32_t number)
{
    struct painter *p = &s->painters[number];
    uint32_t before = 0;
    VKT_EXPECT(&s->t, p->differing == 0, "thread %u: %u frames look otherwise", number,
               p->differing);
    for (uint32_t share = 0; share <= 100; share++) {
        char name[32];
        if (!p->known[share])
            continue;
        const uint32_t drawn = vkt_drawn(p->texels[share], SIDE_TEXELS);
        VKT_EXPECT(&s->t, share ? drawn > before : drawn == 0, "share %u: %u pixels", share, drawn);
        before = drawn;
        snprintf(name, sizeof(name), "thread-%u-%u", number, share);
        vkt_dump_image(&s->t, name, p->texels[share], SIDE_PX, SIDE_PX, 4);
    }
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-emits", argc, argv);
    static struct suite s;
    open_suite(&s, &options);
    on_threads(&s);
    submit_again(&s, &s.painters[0]);
    draw_in_secondaries(&s, &s.painters[0]);
    destroy_early(&s, &s.painters[0]);
    for (uint32_t i = 0; i < THREADS; i++)
        check(&s, i);
    vkDestroyPipeline(s.t.device, s.pipeline, NULL);
    pthread_mutex_destroy(&s.queue_lock);
    return vkt_finish(&s.t);
}
