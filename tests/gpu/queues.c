/* SPDX-License-Identifier: MIT
 *
 * Two queues of a family execute command buffers with SIMULTANEOUS_USE at once: the same one, and
 * two that have a secondary in common, also when the first queue has to wait for what the second
 * one signals later. All fragments add to sums, so whatever one execution does to another one is
 * seen. On drivers with one queue both are the same.
 * --many: often enough for a GPU to be caught.
 * --turns: on one queue, command buffers of different sizes that nothing orders, of which some are
 * recorded once and others anew, in between.
 */
#include "common/vkt.h"

#include "queues_frag.h"
#include "queues_geom.h"
#include "queues_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define POINTS (SIDE_PX * SIDE_PX)
#define SUMS 64u
#define DRAWS 6u /* of POINTS each */
#define TURNS 10u

struct suite {
    struct vkt t;
    struct vkt_buffer sums, args;
    VkRenderPass pass; /* without attachments */
    VkFramebuffer framebuffer;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint32_t executions; /* of each kind; even, and a multiple of 3 */
};

/* --- Recording --- */

static void draw(const struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdDrawIndirect(cmd, s->args.buffer, 0, 1, 0);
    vkCmdDrawIndirect(cmd, s->args.buffer, 16, 1, 0);
}

static void begin_pass(const struct suite *s, VkCommandBuffer cmd, VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = s->pass,
        .framebuffer = s->framebuffer,
        .renderArea = {.extent = {SIDE_PX, SIDE_PX}},
    };
    vkCmdBeginRenderPass(cmd, &info, contents);
}

/* Two passes, which draw so many times or execute the secondary. */
static void record_into(const struct suite *s, VkCommandBuffer cmd, VkCommandBufferUsageFlags flags,
                        const VkCommandBuffer *secondary, uint32_t times)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkt_begin(cmd, flags);
    for (int i = 0; i < 2; i++) {
        begin_pass(s, cmd,
                   secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                             : VK_SUBPASS_CONTENTS_INLINE);
        if (secondary)
            vkCmdExecuteCommands(cmd, 1, secondary);
        for (uint32_t k = 0; k < times; k++)
            draw(s, cmd);
        vkCmdEndRenderPass(cmd);
    }
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &barrier, 0, NULL, 0, NULL);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static VkCommandBuffer record(struct suite *s, const VkCommandBuffer *secondary)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    record_into(s, cmd, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, secondary, secondary ? 0 : 1);
    return cmd;
}

static VkCommandBuffer record_secondary(struct suite *s)
{
    VkCommandBuffer cmd =
        vkt_secondary_in(&s->t, s->pass, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    draw(s, cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

/* --- Submission --- */

static VkQueue queue_of(const struct suite *s, uint32_t i)
{
    return i % 2 ? s->t.other_queue : s->t.queue;
}

/* A semaphore may be VK_NULL_HANDLE; cmd, too. */
static void submit(VkQueue queue, VkCommandBuffer cmd, VkSemaphore wait, VkSemaphore signal,
                   uint64_t value)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait ? 1 : 0,
        .pWaitSemaphoreValues = &value,
        .signalSemaphoreValueCount = signal ? 1 : 0,
        .pSignalSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = wait || signal ? &timeline : NULL,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = cmd ? 1 : 0,
        .pCommandBuffers = &cmd,
        .signalSemaphoreCount = signal ? 1 : 0,
        .pSignalSemaphores = &signal,
    };
    VKT_CALL(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

/* Waits for all of it; every pixel of every draw must have been counted once. */
static void check(struct suite *s, const char *name, uint32_t draws)
{
    struct vkt *t = &s->t;
    uint32_t wanted[SUMS] = {0};
    VKT_CALL(vkQueueWaitIdle(t->queue));
    VKT_CALL(vkQueueWaitIdle(t->other_queue));
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint32_t k = 0; k < (i & 3u); k++)
            wanted[(i * 7 + k) % SUMS] += draws * (i * 7 + k);
    const uint32_t *sums = s->sums.map;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < SUMS; i++)
        wrong += sums[i] != wanted[i];
    VKT_EXPECT(t, !wrong, "%s: %u of %u sums are wrong", name, wrong, SUMS);
    vkt_dump_buffer(t, name, sums, SUMS * 4);
    memset(s->sums.map, 0, SUMS * 4);
}

static void run_both(struct suite *s)
{
    VkCommandBuffer cmd = record(s, NULL);
    for (uint32_t i = 0; i < s->executions; i++)
        submit(queue_of(s, i), cmd, VK_NULL_HANDLE, VK_NULL_HANDLE, 0);
    check(s, "same", DRAWS * s->executions);
}

static void run_secondary(struct suite *s)
{
    VkCommandBuffer secondary = record_secondary(s);
    VkCommandBuffer primaries[2] = {record(s, &secondary), record(s, &secondary)};
    for (uint32_t i = 0; i < s->executions; i++)
        submit(queue_of(s, i), primaries[i % 2], VK_NULL_HANDLE, VK_NULL_HANDLE, 0);
    check(s, "secondary", DRAWS * s->executions);
}

static void destroy_semaphore(struct vkt *t, uint64_t handle)
{
    vkDestroySemaphore(t->device, (VkSemaphore)handle, NULL);
}

/* The first queue gets its work, and what it waits for, before the second one signals that. One
 * queue alone would wait for ever. */
static void run_late(struct suite *s)
{
    const bool two = s->t.queue != s->t.other_queue && s->t.features.timeline;
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    if (two) {
        VKT_CALL(vkCreateSemaphore(s->t.device, &info, NULL, &semaphore));
        vkt_defer(&s->t, destroy_semaphore, (uint64_t)semaphore);
    }
    VkCommandBuffer cmd = record(s, NULL);
    for (uint32_t i = 1; i <= s->executions / 3; i++) {
        submit(s->t.queue, cmd, semaphore, VK_NULL_HANDLE, i);
        submit(s->t.queue, cmd, VK_NULL_HANDLE, VK_NULL_HANDLE, 0);
        submit(s->t.other_queue, cmd, VK_NULL_HANDLE, VK_NULL_HANDLE, 0);
        submit(s->t.other_queue, NULL, VK_NULL_HANDLE, semaphore, i);
    }
    check(s, "late", DRAWS * s->executions);
}

/* Each submission has all of them, and in between some are recorded anew, larger or smaller. */
static void run_turns(struct suite *s)
{
    VkCommandBuffer cmd[TURNS];
    uint32_t times[TURNS], draws = 0;
    for (uint32_t i = 0; i < TURNS; i++)
        cmd[i] = vkt_commands(&s->t);
    for (uint32_t turn = 0; turn < s->executions / 3; turn++) {
        for (uint32_t i = 0; i < TURNS; i++) {
            if (turn > 0 && (i + turn) % 3) /* stays as it is */
                continue;
            times[i] = 1 + (i * 5 + turn * 3) % 6;
            record_into(s, cmd[i], 0, NULL, times[i]);
        }
        for (uint32_t i = 0; i < TURNS; i++) {
            submit(s->t.queue, cmd[i * 7 % TURNS], VK_NULL_HANDLE, VK_NULL_HANDLE, 0);
            draws += DRAWS * times[i];
        }
        VKT_CALL(vkQueueWaitIdle(s->t.queue));
    }
    check(s, "turns", draws);
}

/* --- Set-up --- */

static void make_pass(struct suite *s)
{
    const VkAttachmentReference none = {.attachment = VK_ATTACHMENT_UNUSED};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &none};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &s->pass));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)s->pass);
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = s->pass,
        .width = SIDE_PX,
        .height = SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(s->t.device, &framebuffer, NULL, &s->framebuffer));
    vkt_defer(&s->t, vkt_destroy_framebuffer, (uint64_t)s->framebuffer);
}

static void make_pipeline(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkDescriptorSetLayout layout = vkt_set_layout(t, &binding, 1);
    s->set = vkt_set(t, layout, &binding, 1);
    vkt_write_buffer(t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->sums.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(t, &layout, 1, NULL, 0);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(queues_vert),
        .gs = VKT_CODE(queues_geom),
        .fs = VKT_CODE(queues_frag),
        .layout = s->layout,
        .pass = s->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    s->pipeline = vkt_pipeline(t, &info);
}

int main(int argc, char **argv)
{
    static struct suite s;
    struct vkt *t = &s.t;
    struct vkt_options options = vkt_parse("gpu-queues", argc, argv);
    const bool turns = vkt_flag(&options, "--turns");
    options.two_queues = !turns;
    vkt_init(t, &options);
    if (!t->features.core.fragmentStoresAndAtomics)
        vkt_skip("no fragmentStoresAndAtomics");
    const VkDrawIndirectCommand args[2] = {{POINTS, 1, 0, 0}, {POINTS, 1, 0, 0}};
    s.sums = vkt_buffer(t, SUMS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s.args = vkt_buffer_from(t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s.executions = vkt_flag(&options, "--many") ? 1200 : 18;
    make_pass(&s);
    make_pipeline(&s);
    if (turns) {
        run_turns(&s);
        return vkt_finish(t);
    }
    run_both(&s);
    run_secondary(&s);
    run_late(&s);
    if (t->queue == t->other_queue)
        printf("%s: the driver has one queue only\n", options.name);
    return vkt_finish(t);
}
