/* SPDX-License-Identifier: MIT
 *
 * What one thread does: it makes what a frame needs and is not there, records, submits, compares,
 * and destroys some of it.
 */
#include "scenes.h"

#include "common/vkt_undo.h"

#include <string.h>

#define QUARTERS 4u

/* What a frame shows. */
struct frame {
    uint32_t kinds[QUARTERS]; /* SCENE_KINDS: nothing */
    uint32_t window_kind, window_index;
    VkCommandBuffer primary, secondary; /* the latter has all of SCENE_SECONDARY */
};

uint32_t scene_random(struct scene_actor *a, uint32_t count)
{
    a->random = a->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(a->random >> 33) % count;
}

/* -- objects -- */

static void make_image(struct scene_actor *a)
{
    struct vkt *t = &a->own;
    const uint32_t side_px = 2 * SCENE_SIDE_PX(a->size);
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = SCENE_FORMAT,
        .extent = {side_px, side_px, 1},
        .mipLevels = 1,
        .arrayLayers = SCENE_LAYERS,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &a->image));
    vkGetImageMemoryRequirements(t->device, a->image, &needs);
    const VkMemoryAllocateInfo memory_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits),
    };
    VKT_CALL(vkAllocateMemory(t->device, &memory_info, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    vkt_defer(t, vkt_destroy_image, (uint64_t)a->image);
    VKT_CALL(vkBindImageMemory(t->device, a->image, memory, 0));
}

static void make_framebuffer(struct scene_actor *a)
{
    struct vkt *t = &a->own;
    const uint32_t side_px = 2 * SCENE_SIDE_PX(a->size);
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = a->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = SCENE_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, SCENE_LAYERS},
    };
    VkImageView view;
    VKT_CALL(vkCreateImageView(t->device, &view_info, NULL, &view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)view);
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = a->device->passes[SCENE_CLEARS],
        .attachmentCount = 1,
        .pAttachments = &view,
        .width = side_px,
        .height = side_px,
        .layers = SCENE_LAYERS,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &a->framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)a->framebuffer);
}

static VkDeviceSize target_size_B(const struct scene_actor *a)
{
    return (VkDeviceSize)SCENE_LAYERS * 4 * 4 * SCENE_SIDE_PX(a->size) * SCENE_SIDE_PX(a->size);
}

VkDeviceSize scene_window_offset_B(const struct scene_actor *a)
{
    return target_size_B(a);
}

/* All but pipelines and the window. */
static void make_objects(struct scene_actor *a, uint32_t size)
{
    const VkQueryPoolCreateInfo query_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 1,
    };
    a->size = size;
    make_image(a);
    make_framebuffer(a);
    a->captured =
        vkt_buffer(&a->own, SCENE_CAPTURED_B + 16,
                   VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                       VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                       VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                   0);
    a->read =
        vkt_buffer(&a->own, target_size_B(a) + (VkDeviceSize)4 * SCENE_MOST_PX * SCENE_MOST_PX,
                   VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    a->set = vkt_set(&a->own, a->device->set_layout, &scene_binding, 1);
    scene_write_set(a);
    VKT_CALL(vkCreateQueryPool(a->own.device, &query_info, NULL, &a->queries));
    vkt_defer(&a->own, vkt_destroy_query_pool, (uint64_t)a->queries);
}

static void make_pipelines(struct scene_actor *a)
{
    for (uint32_t i = 0; i < SCENE_PIPELINES; i++)
        if (!a->pipelines[i])
            a->pipelines[i] = scene_pipeline(a->device, i);
}

/* Presenting, too, for which no fence tells. */
static void wait_for_queue(struct scene_actor *a)
{
    pthread_mutex_lock(&a->device->queue_lock);
    VKT_CALL(vkQueueWaitIdle(a->own.queue));
    pthread_mutex_unlock(&a->device->queue_lock);
}

void scene_actor_settle(struct scene_actor *a)
{
    wait_for_queue(a);
    vkt_undo_idle(&a->own, a->lasting);
    make_objects(a, 0);
    scene_window_resize(a, 0);
    make_pipelines(a);
    VKT_CALL(vkResetCommandPool(a->own.device, a->thread.pool,
                                VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT));
    /* Else a layer may keep what it had at some moment, for whoever comes next. */
    vkTrimCommandPool(a->own.device, a->thread.pool, 0);
}

void scene_actor_open(struct scene_actor *a, struct scene_device *d, uint64_t seed)
{
    *a = (struct scene_actor){.device = d, .own = d->t, .random = seed};
    a->own.cleanup = NULL;
    vkt_thread_open(&a->thread, &d->t, &d->queue_lock);
    scene_window_open(a);
    a->lasting = a->own.cleanup;
    scene_actor_settle(a);
}

void scene_actor_close(struct scene_actor *a)
{
    for (uint32_t i = 0; i < SCENE_PIPELINES; i++)
        vkDestroyPipeline(a->own.device, a->pipelines[i], NULL);
    wait_for_queue(a);
    scene_window_close(a);
    vkt_undo_idle(&a->own, NULL);
    vkt_thread_close(&a->thread);
}

/* -- recording -- */

static VkRect2D quarter(const struct scene_actor *a, uint32_t which)
{
    const uint32_t side_px = SCENE_SIDE_PX(a->size);
    return (VkRect2D){{(int32_t)(side_px * (which & 1)), (int32_t)(side_px * (which >> 1))},
                      {side_px, side_px}};
}

static void begin_pass(const struct scene_actor *a, VkCommandBuffer cmd, enum scene_pass pass,
                       VkSubpassContents contents)
{
    const VkClearValue clear = {.color = {{0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = a->device->passes[pass],
        .framebuffer = a->framebuffer,
        .renderArea = {.extent = {2 * SCENE_SIDE_PX(a->size), 2 * SCENE_SIDE_PX(a->size)}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    vkCmdBeginRenderPass(cmd, &info, contents);
}

static void record_secondary(struct scene_actor *a, struct frame *f)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = a->thread.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = a->device->passes[SCENE_LOADS],
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    VKT_CALL(vkAllocateCommandBuffers(a->own.device, &info, &f->secondary));
    VKT_CALL(vkBeginCommandBuffer(f->secondary, &begin));
    for (uint32_t i = 0; i < QUARTERS; i++) {
        const VkRect2D place = quarter(a, i);
        if (f->kinds[i] == SCENE_SECONDARY)
            scene_record(a, f->secondary, SCENE_SECONDARY, &place);
    }
    VKT_CALL(vkEndCommandBuffer(f->secondary));
}

/* In a pass of its own each: what is drawn at once, what another command buffer draws, and what was
 * captured. */
static void record_passes(const struct scene_actor *a, const struct frame *f)
{
    const VkCommandBuffer cmd = f->primary;
    vkCmdResetQueryPool(cmd, a->queries, 0, 1);
    begin_pass(a, cmd, SCENE_CLEARS, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < QUARTERS; i++) {
        const VkRect2D place = quarter(a, i);
        if (f->kinds[i] < SCENE_KINDS && f->kinds[i] != SCENE_SECONDARY)
            scene_record(a, cmd, f->kinds[i], &place);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    begin_pass(a, cmd, SCENE_LOADS, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &f->secondary);
    vkCmdEndRenderPass(cmd);
    begin_pass(a, cmd, SCENE_LOADS, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < QUARTERS; i++) {
        const VkRect2D place = quarter(a, i);
        if (f->kinds[i] == SCENE_CAPTURED)
            scene_record_shown(a, cmd, &place);
    }
    vkCmdEndRenderPass(cmd);
}

static void record(struct scene_actor *a, struct frame *f)
{
    const uint32_t side_px = 2 * SCENE_SIDE_PX(a->size);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, SCENE_LAYERS},
        .imageExtent = {side_px, side_px, 1},
    };
    record_secondary(a, f);
    f->primary = vkt_thread_commands(&a->thread);
    vkt_begin(f->primary, 0);
    record_passes(a, f);
    vkt_image_barrier(f->primary, a->image,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, SCENE_LAYERS},
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(f->primary, a->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           a->read.buffer, 1, &region);
    if (a->window.surface)
        scene_window_record(a, f->primary, f->window_index, f->window_kind);
    vkt_barrier_all(f->primary);
    VKT_CALL(vkEndCommandBuffer(f->primary));
}

/* -- pictures -- */

/* A quarter of what was read back. */
static const uint32_t *row_of(const struct scene_actor *a, uint32_t which, uint32_t layer,
                              uint32_t y)
{
    const uint32_t side_px = SCENE_SIDE_PX(a->size);
    const VkRect2D place = quarter(a, which);
    const uint32_t row = layer * 2 * side_px + (uint32_t)place.offset.y + y;
    return (const uint32_t *)a->read.map + (size_t)row * 2 * side_px + (uint32_t)place.offset.x;
}

/* The first ones only. */
static void say_wrong(struct scene_actor *a, uint32_t kind, uint32_t size, const char *where,
                      uint32_t pixel, const uint32_t colors[2])
{
    const uint32_t side_px = SCENE_SIDE_PX(size);
    if (a->wrong++ < 4)
        fprintf(stderr, "frame %u: scene %u, %u pixels wide, in %s: %08x for %08x at %u, %u, %u\n",
                a->frames, kind, side_px, where, colors[0], colors[1], pixel % side_px,
                pixel / side_px % side_px, pixel / side_px / side_px);
}

static void compare_quarter(struct scene_actor *a, uint32_t which, uint32_t kind)
{
    static const char *const names[QUARTERS] = {"quarter 0", "quarter 1", "quarter 2", "quarter 3"};
    const uint32_t side_px = SCENE_SIDE_PX(a->size);
    const uint32_t *picture = a->device->pictures[kind][a->size];
    for (uint32_t i = 0; i < SCENE_LAYERS * side_px * side_px; i++) {
        const uint32_t y = i / side_px;
        const uint32_t got = row_of(a, which, y / side_px, y % side_px)[i % side_px];
        if (got == picture[i])
            continue;
        say_wrong(a, kind, a->size, names[which], i, (const uint32_t[2]){got, picture[i]});
        return;
    }
}

static void compare_window(struct scene_actor *a, uint32_t kind)
{
    const uint32_t side_px = SCENE_SIDE_PX(a->window.size);
    const uint32_t *picture = a->device->pictures[kind][a->window.size];
    const uint32_t *got =
        (const uint32_t *)((const uint8_t *)a->read.map + scene_window_offset_B(a));
    for (uint32_t i = 0; i < side_px * side_px; i++) {
        if (got[i] == picture[i])
            continue;
        say_wrong(a, kind, a->window.size, "the window", i,
                  (const uint32_t[2]){got[i], picture[i]});
        return;
    }
}

/* What was written and needed. */
static void compare_counts(struct scene_actor *a)
{
    uint64_t counts[2] = {0};
    VKT_CALL(vkGetQueryPoolResults(a->own.device, a->queries, 0, 1, sizeof(counts), counts,
                                   sizeof(counts), VK_QUERY_RESULT_64_BIT));
    if (counts[0] == SCENE_CAPTURED_PRIMITIVES && counts[1] == SCENE_CAPTURED_PRIMITIVES)
        return;
    if (a->wrong++ < 4)
        fprintf(stderr, "frame %u: %u of %u primitives captured\n", a->frames, (unsigned)counts[0],
                (unsigned)counts[1]);
}

static void compare(struct scene_actor *a, const struct frame *f)
{
    for (uint32_t i = 0; i < QUARTERS; i++) {
        if (f->kinds[i] < SCENE_KINDS)
            compare_quarter(a, i, f->kinds[i]);
        if (f->kinds[i] == SCENE_CAPTURED)
            compare_counts(a);
    }
    if (a->window.surface)
        compare_window(a, f->window_kind);
}

/* -- frames -- */

/* Waits for the end. */
static void submit(struct scene_actor *a, const struct frame *f)
{
    static const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint32_t count = a->window.surface ? 1 : 0;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = count,
        .pWaitSemaphores = &a->window.acquired,
        .pWaitDstStageMask = &all,
        .commandBufferCount = 1,
        .pCommandBuffers = &f->primary,
        .signalSemaphoreCount = count,
        .pSignalSemaphores = &a->window.drawn[f->window_index],
    };
    pthread_mutex_lock(&a->device->queue_lock);
    VKT_CALL(vkQueueSubmit(a->own.queue, 1, &info, a->thread.fence));
    pthread_mutex_unlock(&a->device->queue_lock);
    VKT_CALL(vkWaitForFences(a->own.device, 1, &a->thread.fence, VK_TRUE, UINT64_MAX));
    VKT_CALL(vkResetFences(a->own.device, 1, &a->thread.fence));
}

static void draw(struct scene_actor *a, struct frame *f)
{
    if (a->window.surface)
        f->window_index = scene_window_acquire(a);
    record(a, f);
    submit(a, f);
    if (a->window.surface)
        scene_window_present(a, f->window_index);
}

static void destroy_some(struct scene_actor *a, const struct frame *f)
{
    const VkCommandBuffer both[2] = {f->primary, f->secondary};
    const uint32_t which = scene_random(a, SCENE_PIPELINES);
    vkFreeCommandBuffers(a->own.device, a->thread.pool, 2, both);
    if (scene_random(a, 4) == 0)
        VKT_CALL(vkResetCommandPool(a->own.device, a->thread.pool,
                                    VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT));
    if (scene_random(a, 4) == 0)
        vkTrimCommandPool(a->own.device, a->thread.pool, 0);
    if (scene_random(a, 4) == 0) {
        vkDestroyPipeline(a->own.device, a->pipelines[which], NULL);
        a->pipelines[which] = VK_NULL_HANDLE;
    }
    if (scene_random(a, 8) == 0) {
        vkt_undo_idle(&a->own, a->lasting);
        make_objects(a, scene_random(a, SCENE_SIZES));
    }
    if (scene_random(a, 16) == 0) {
        wait_for_queue(a);
        scene_window_resize(a, scene_random(a, SCENE_SIZES));
    }
    if (scene_random(a, 64) == 0) {
        vkt_thread_close(&a->thread);
        vkt_thread_open(&a->thread, &a->device->t, &a->device->queue_lock);
    }
}

void scene_frame(struct scene_actor *a)
{
    struct frame f = {.window_kind = scene_random(a, SCENE_LAYERED)};
    bool captured = false;
    for (uint32_t i = 0; i < QUARTERS; i++) {
        /* What is captured is there once. */
        f.kinds[i] = scene_random(a, captured ? SCENE_CAPTURED : SCENE_KINDS);
        captured |= f.kinds[i] == SCENE_CAPTURED;
    }
    make_pipelines(a);
    draw(a, &f);
    compare(a, &f);
    destroy_some(a, &f);
    a->frames++;
}

static void keep_picture(struct scene_actor *a, uint32_t kind)
{
    const uint32_t side_px = SCENE_SIDE_PX(a->size);
    uint32_t *picture = a->device->pictures[kind][a->size];
    for (uint32_t layer = 0; layer < SCENE_LAYERS; layer++)
        for (uint32_t y = 0; y < side_px; y++, picture += side_px)
            memcpy(picture, row_of(a, 0, layer, y), side_px * sizeof(uint32_t));
}

void scene_draw_pictures(struct scene_device *d)
{
    struct scene_actor a;
    scene_actor_open(&a, d, 0);
    for (uint32_t size = 0; size < SCENE_SIZES; size++) {
        vkt_undo_idle(&a.own, a.lasting);
        make_objects(&a, size);
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            struct frame f = {.kinds = {kind, SCENE_KINDS, SCENE_KINDS, SCENE_KINDS}};
            const VkCommandBuffer *both[2] = {&f.primary, &f.secondary};
            draw(&a, &f);
            keep_picture(&a, kind);
            for (uint32_t i = 0; i < 2; i++)
                vkFreeCommandBuffers(a.own.device, a.thread.pool, 1, both[i]);
        }
    }
    scene_actor_close(&a);
}
