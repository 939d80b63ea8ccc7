/* SPDX-License-Identifier: MIT
 *
 * Ends render pass instances early and resumes them. The usual case: a program binds its first
 * geometry shader, or the first for a while, in the middle of an unqueued pass. The instance ends
 * there, and a queued one resumes with the contents of its attachments.
 */
#include "command/pass/split.h"

#include "base/log.h"
#include "command/fb_layers/fb_layers.h"
#include "command/pass/hazards.h"
#include "command/pass/local_read.h"
#include "command/pass/open_query.h"
#include "command/pass/parts.h"
#include "command/pass/pass.h"
#include "command/pass/paused_condition.h"
#include "command/pass/quiet.h"
#include "command/pass/resumable.h"
#include "command/pass/segments.h"
#include "command/pass/split_locations.h"
#include "command/pass/split_render_pass.h"
#include "command/state/attachment.h"
#include "command/state/condition.h"
#include "pipeline/possible.h"
#include "vulkan/chain.h"
#include "vulkan/copy.h"
#include "vulkan/queue_copy.h"

#define INLINE_TOO 0x10 /* VK_RENDERING_CONTENTS_INLINE_BIT_KHR, which older headers lack */

static const char out_of_memory[] = "no memory is left";
static const char never[] = "its driver loses memory with each part (VK_POLY_GS_SPLIT=needed)";

static const char locations_change[] = "its later subpasses have other sample locations";

static struct pgs_copy start_copy(struct pgs_command_buffer *cb)
{
    pgs_arena_reset(&cb->begun);
    return (struct pgs_copy){.arena = &cb->begun};
}

/* Without a copy a queue cannot begin. */
static void check_copy(struct pgs_command_buffer *cb, const void *copy)
{
    if (!copy && cb->recorder.queue)
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* Moves the sample locations to the front of a chain that is a copy. */
static const VkRenderPassSampleLocationsBeginInfoEXT *open_locations(VkRenderPassBeginInfo *info)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT;
    VkRenderPassSampleLocationsBeginInfoEXT *found = pgs_chain_find(info->pNext, type);
    if (!found)
        return NULL;
    pgs_chain_remove(&info->pNext, &type, 1);
    found->pNext = info->pNext;
    info->pNext = found;
    return found;
}

/* A copy without a chain, as of most passes. NULL: out of memory. */
static VkRenderPassBeginInfo *copy_alone(struct pgs_command_buffer *cb,
                                         const VkRenderPassBeginInfo *info)
{
    const size_t values_B = info->clearValueCount * sizeof(VkClearValue);
    pgs_arena_reset(&cb->begun);
    VkRenderPassBeginInfo *copy =
        pgs_arena_alloc(&cb->begun, sizeof(*copy) + values_B, sizeof(uint64_t));
    if (!copy)
        return NULL;
    *copy = *info;
    copy->pClearValues = NULL;
    if (values_B && info->pClearValues)
        copy->pClearValues = memcpy(copy + 1, info->pClearValues, values_B);
    return copy;
}

static VkRenderPassBeginInfo *copy_info(struct pgs_command_buffer *cb,
                                        const VkRenderPassBeginInfo *info)
{
    if (!info->pNext)
        return copy_alone(cb, info);
    struct pgs_copy c = start_copy(cb);
    const VkRenderPassBeginInfo *copy = pgs_copy_VkRenderPassBeginInfo(&c, info, 1);
    return c.failed ? NULL : (VkRenderPassBeginInfo *)copy;
}

void pgs_split_note_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                const VkRenderPassBeginInfo *info, VkSubpassContents contents,
                                const struct pgs_render_pass *kept)
{
    VkRenderPassBeginInfo *copy = copy_info(cb, info);
    cb->pass.query_count = 0;
    pgs_parts_begin(&cb->pass);
    cb->pass.begin = (struct pgs_noted_begin){
        .kind = kind,
        .contents = contents,
        .subpass_contents = contents,
        .render_pass = copy,
        .locations = copy && copy->pNext ? open_locations(copy) : NULL,
        .whole = info->renderPass,
        .kept = kept,
    };
    check_copy(cb, copy);
}

void pgs_split_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    struct pgs_copy c = start_copy(cb);
    const VkRenderingInfo *copied = pgs_copy_VkRenderingInfo(&c, info, 1);
    VkRenderingInfo *copy = c.failed ? NULL : (VkRenderingInfo *)copied;
    cb->pass.query_count = 0;
    pgs_parts_begin(&cb->pass);
    cb->pass.begin = (struct pgs_noted_begin){
        .kind = PGS_BEGIN_RENDERING,
        .rendering = copy,
    };
    check_copy(cb, copy);
}

void pgs_split_next_subpass(struct pgs_command_buffer *cb, VkSubpassContents contents)
{
    pgs_parts_begin(&cb->pass);
    cb->pass.begin.subpass++;
    cb->pass.begin.subpass_contents = contents;
}

/* -- the beginning of an instance -- */

/* A table for scans of a queue may lack commands. */
static void begin_now(const struct pgs_noted_begin *begin, VkCommandBuffer cb,
                      const struct pgs_device_dispatch *vk)
{
    const VkSubpassBeginInfo subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
        .contents = begin->contents,
    };
    switch (begin->kind) {
    case PGS_BEGIN_RENDER_PASS:
        if (vk->CmdBeginRenderPass)
            vk->CmdBeginRenderPass(cb, begin->render_pass, begin->contents);
        break;
    case PGS_BEGIN_RENDER_PASS2:
        if (vk->CmdBeginRenderPass2)
            vk->CmdBeginRenderPass2(cb, begin->render_pass, &subpass);
        break;
    case PGS_BEGIN_RENDERING:
        if (vk->CmdBeginRendering)
            vk->CmdBeginRendering(cb, begin->rendering);
        break;
    }
}

static void replay_begin(void *begin, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                         void *context)
{
    (void)context;
    begin_now(begin, cb, vk);
}

static void emit_begin(struct pgs_command_buffer *cb, struct pgs_noted_begin *begin)
{
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_custom(cb->recorder.queue, replay_begin, begin, 0));
}

void pgs_split_emit_begin(struct pgs_command_buffer *cb)
{
    emit_begin(cb, &cb->pass.begin);
}

/* -- operations of attachments -- */

/* For each attachment that is used: the parameters point to const because VkRenderingInfo does; the
 * memory is ours. */
typedef void (*attachment_call)(VkRenderingAttachmentInfo *attachment, VkImageAspectFlagBits aspect,
                                void *context);

static void for_attachments(const VkRenderingInfo *info, attachment_call call, void *context)
{
    if (info->pDepthAttachment && info->pDepthAttachment->imageView)
        call((VkRenderingAttachmentInfo *)info->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT,
             context);
    if (info->pStencilAttachment && info->pStencilAttachment->imageView)
        call((VkRenderingAttachmentInfo *)info->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT,
             context);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        if (info->pColorAttachments[i].imageView)
            call((VkRenderingAttachmentInfo *)&info->pColorAttachments[i],
                 VK_IMAGE_ASPECT_COLOR_BIT, context);
}

static bool stays(const VkRenderingAttachmentInfo *a, VkImageAspectFlagBits aspect)
{
    return pgs_attachment_stays(a->loadOp, a->storeOp, a->imageLayout, aspect);
}

/* The last instance resolves. */
static void store(VkRenderingAttachmentInfo *a, VkImageAspectFlagBits aspect, void *context)
{
    (void)context;
    if (!stays(a, aspect))
        a->storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    a->resolveMode = VK_RESOLVE_MODE_NONE;
    a->resolveImageView = VK_NULL_HANDLE;
}

static void load(VkRenderingAttachmentInfo *a, VkImageAspectFlagBits aspect, void *context)
{
    (void)aspect, (void)context;
    a->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
}

/* True if the instance leaves what a later one needs, as the application began it. */
static bool stores_all(const struct pgs_noted_begin *begin)
{
    return begin->rendering ? pgs_rendering_stores_all(begin->rendering)
                            : pgs_split_pass_stores_all(begin->kept->split);
}

static void set_part(struct pgs_command_buffer *cb, struct pgs_noted_begin *begin,
                     enum pgs_pass_part part)
{
    pgs_recorder_latch(&cb->recorder, pgs_split_pass_get(cb->dev, begin->kept->split, begin->whole,
                                                         part, &begin->render_pass->renderPass));
}

/* The sample locations of a part that draws in subpasses `first` to `last` take the place of the
 * application's. Other parts share the rest of the chain. */
static void set_locations(struct pgs_command_buffer *cb, struct pgs_noted_begin *begin,
                          uint32_t first, uint32_t last)
{
    if (!begin->locations)
        return;
    VkRenderPassSampleLocationsBeginInfoEXT *info = pgs_split_locations(
        &cb->begun, begin->locations, begin->kept->split, begin->resumed, first, last);
    if (!info) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    info->pNext = begin->locations->pNext;
    begin->render_pass->pNext = info;
    begin->first_subpass = first;
}

/* What is queued stores all attachments. Returns how the next instance begins. */
static struct pgs_noted_begin store_all(struct pgs_command_buffer *cb)
{
    struct pgs_noted_begin *begin = &cb->pass.begin, next = *begin;
    if (begin->rendering) {
        struct pgs_copy c = {.arena = &cb->begun};
        const VkRenderingInfo *copy = pgs_copy_VkRenderingInfo(&c, begin->rendering, 1);
        check_copy(cb, &c);
        next.rendering = c.failed ? begin->rendering : (VkRenderingInfo *)copy;
        for_attachments(begin->rendering, store, NULL);
    } else {
        set_part(cb, begin, begin->resumed ? PGS_PART_MIDDLE : PGS_PART_FIRST);
        set_locations(cb, begin, begin->first_subpass, begin->subpass);
    }
    return next;
}

/* NULL: possible. Otherwise the reason; out_of_memory also without a copy of how it began. */
static const char *why_not(const struct pgs_command_buffer *cb)
{
    const struct pgs_noted_begin *begin = &cb->pass.begin;
    const char *obstacle = cb->pass.state == PGS_PASS_QUEUED ? pgs_open_queries_obstacle(cb) : NULL;
    if (obstacle)
        return obstacle;
    if (begin->rendering && pgs_has_lone_samples(begin->rendering->pNext))
        return pgs_lone_samples;
    if (begin->rendering)
        return NULL;
    if (!begin->render_pass || !begin->kept)
        return out_of_memory;
    if (pgs_pass_is_native(&cb->pass) && begin->locations &&
        !pgs_split_locations_stay(begin->locations, begin->kept->split, begin->subpass))
        return locations_change;
    return pgs_split_pass_obstacle(begin->kept->split, begin->subpass);
}

/* -- the end of an instance and the beginning of the next -- */

/* Subpasses that are still to come are empty. */
static void end_instance(struct pgs_command_buffer *cb)
{
    const struct pgs_noted_begin *begin = &cb->pass.begin;
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    const uint32_t subpass_count =
        begin->kept ? pgs_split_pass_subpass_count(begin->kept->split) : 1;
    for (uint32_t i = begin->subpass + 1; i < subpass_count; i++)
        PGS_EMIT(cb, CmdNextSubpass, VK_SUBPASS_CONTENTS_INLINE);
    switch (begin->kind) {
    case PGS_BEGIN_RENDER_PASS:
        PGS_EMIT0(cb, CmdEndRenderPass);
        break;
    case PGS_BEGIN_RENDER_PASS2:
        PGS_EMIT(cb, CmdEndRenderPass2, &end);
        break;
    case PGS_BEGIN_RENDERING:
        PGS_EMIT0(cb, CmdEndRendering);
        break;
    }
}

/* Makes the writes of the first instance to attachments and by shaders visible to the second. */
static void emit_barrier(struct pgs_command_buffer *cb)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    PGS_EMIT(cb, CmdPipelineBarrier, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void record_barrier(struct pgs_command_buffer *cb)
{
    struct pgs_queue *queue = cb->recorder.queue;
    cb->recorder.queue = NULL;
    emit_barrier(cb);
    cb->recorder.queue = queue;
}

/* False: the subpass has nothing but secondaries, each of which binds and sets what it needs. */
static bool takes_commands(const struct pgs_noted_begin *begin)
{
    return begin->rendering
               ? !(begin->rendering->flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) ||
                     (begin->rendering->flags & INLINE_TOO)
               : begin->subpass_contents != VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS;
}

/* Subpasses that are over are empty. */
static void begin_again(struct pgs_command_buffer *cb, struct pgs_noted_begin *begin,
                        enum pgs_pass_part part)
{
    begin->resumed = true;
    begin->contents = begin->subpass ? VK_SUBPASS_CONTENTS_INLINE : begin->subpass_contents;
    if (begin->rendering) {
        for_attachments(begin->rendering, load, NULL);
    } else {
        set_part(cb, begin, part);
        set_locations(cb, begin, begin->subpass,
                      part == PGS_PART_LAST ? pgs_split_pass_subpass_count(begin->kept->split) - 1
                                            : begin->subpass);
    }
    emit_begin(cb, begin);
    for (uint32_t i = 1; i <= begin->subpass; i++)
        PGS_EMIT(cb, CmdNextSubpass,
                 i < begin->subpass ? VK_SUBPASS_CONTENTS_INLINE : begin->subpass_contents);
    if (takes_commands(begin))
        pgs_parts_set_again(cb);
    if (begin->rendering)
        pgs_local_read_set_again(cb);
}

/* Queues the beginning of the second instance. */
static void start_next(struct pgs_command_buffer *cb)
{
    const struct pgs_render_pass *kept = cb->pass.begin.kept;
    if (kept)
        cb->pass.sync.after = kept->sync.after;
    record_barrier(cb);
    begin_again(cb, &cb->pass.begin, PGS_PART_LAST);
}

/* Begins the second instance, queued, with the contents that the first has left. */
static void go_on(struct pgs_command_buffer *cb, const struct pgs_condition *paused)
{
    pgs_pass_begin(cb, NULL, false);
    start_next(cb);
    pgs_condition_unpause(cb, paused);
}

static void replay_held(void *held, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                        void *context)
{
    pgs_queue_scan(held, cb, vk, context);
}

static void emit_condition(struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    const VkConditionalRenderingBeginInfoEXT info = pgs_condition_begin_info(condition);
    if (condition->buffer)
        PGS_EMIT(cb, CmdBeginConditionalRenderingEXT, &info);
}

/* Likewise for a held pass: what was queued since then follows the beginning. */
static void go_on_held(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    const struct pgs_local_read now = pass->local_read;
    pass->state = PGS_PASS_QUEUED;
    pgs_recorder_start_queue(&cb->recorder, cb->handle, &cb->queue);
    pass->local_read = pass->held.local_read;
    start_next(cb);
    pass->local_read = now;
    emit_condition(cb, &pass->held.condition);
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_custom(cb->recorder.queue, replay_held, &cb->held, 0));
}

/* What was queued since the pass is held waits. */
static struct pgs_condition leave_held(struct pgs_command_buffer *cb)
{
    cb->recorder.queue = NULL;
    if (cb->pass.held.condition.buffer)
        PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    return cb->pass.held.condition;
}

/* The driver has recorded a part of the secondary and records the rest at its end. Its compute work
 * goes in front of the pass as that of others. */
static void queue_rest(struct pgs_command_buffer *cb)
{
    const bool ordered = pgs_reads_are_ordered(&cb->pass);
    pgs_pass_begin(cb, NULL, false);
    cb->executable = true;
    pgs_reads_note_unknown(cb);
    if (ordered)
        pgs_reads_order(&cb->pass);
}

void pgs_pass_split(struct pgs_command_buffer *cb)
{
    /* A draw by byte count may be the only emulated draw. */
    pgs_pipelines_note_possible(cb->dev);
    if (cb->continues) {
        queue_rest(cb);
        return;
    }
    pgs_quiet_broken(cb);
    const char *obstacle = why_not(cb);
    const bool held = cb->pass.state == PGS_PASS_HELD;
    const struct pgs_condition paused = held ? leave_held(cb) : pgs_condition_pause(cb);
    end_instance(cb);
    if (!obstacle) {
        if (!stores_all(&cb->pass.begin))
            pgs_log_once(PGS_LOG_ERROR,
                         "a render pass was begun before the device had a geometry shader or "
                         "transform feedback and now uses one: it is ended and resumed, but does "
                         "not store all of its attachments, so the driver may lose what was drawn "
                         "there. Create the first such pipeline before recording");
        if (held)
            go_on_held(cb);
        else
            go_on(cb, &paused);
        return;
    }
    pgs_pass_begin(cb, NULL, false); /* queued, but not recorded yet */
    pgs_log(PGS_LOG_ERROR,
            "a render pass was begun before the device had a geometry shader or transform feedback "
            "and now uses one, and %s: vkEndCommandBuffer fails. Create the first such pipeline "
            "before recording",
            obstacle);
    pgs_recorder_latch(&cb->recorder,
                       obstacle == out_of_memory ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN);
}

/* -- in a queued pass -- */

/* The beginning of an instance that is neither the first nor the last. */
static bool copy_begin(struct pgs_command_buffer *cb, struct pgs_noted_begin *copy)
{
    struct pgs_copy c = {.arena = &cb->begun};
    *copy = cb->pass.begin;
    if (copy->rendering)
        copy->rendering = (VkRenderingInfo *)pgs_copy_VkRenderingInfo(&c, copy->rendering, 1);
    else
        copy->render_pass =
            pgs_arena_copy(&cb->begun, copy->render_pass, 1, sizeof(*copy->render_pass),
                           _Alignof(VkRenderPassBeginInfo));
    if (c.failed || (!copy->rendering && !copy->render_pass)) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return false;
    }
    if (copy->rendering)
        for_attachments(copy->rendering, store, NULL);
    return true;
}

/* Makes the query begin in front of an instance of its own. What is queued has not been recorded
 * yet. */
static void put_around(struct pgs_command_buffer *cb, struct pgs_open_query *query)
{
    struct pgs_pass *pass = &cb->pass;
    struct pgs_queue *queue = cb->recorder.queue;
    const struct pgs_local_read now = pass->local_read;
    if (query->ended || query->around || !copy_begin(cb, &query->begin))
        return;
    query->around = true;
    cb->recorder.queue = &query->queue;
    pass->local_read = query->at.local_read;
    if (query->at.condition.buffer)
        PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    end_instance(cb);
    emit_barrier(cb);
    PGS_EMIT(cb, CmdBeginQuery, query->pool, query->query, query->flags);
    begin_again(cb, &query->begin, PGS_PART_MIDDLE);
    emit_condition(cb, &query->at.condition);
    cb->recorder.queue = queue;
    pass->local_read = now;
}

/* Likewise in front of the queued instance, all of whose draws are in it. Nothing of that has been
 * recorded yet. */
static void put_in_front(struct pgs_command_buffer *cb, struct pgs_open_query *query)
{
    if (query->ended || query->around)
        return;
    query->around = query->front = true;
    cb->dev->vk.CmdBeginQuery(cb->handle, query->pool, query->query, query->flags);
}

/* Records what is queued and resumes. Queries that are active begin between instances. `query`: it
 * ends here; or NULL. */
static void end_early(struct pgs_command_buffer *cb, const struct pgs_open_query *query)
{
    const bool by_layer = pgs_fb_layers_wanted(cb);
    for (size_t i = 0; i < cb->pass.query_count; i++)
        (by_layer ? put_in_front : put_around)(cb, cb->pass.queries.items[i]);
    const struct pgs_condition paused = pgs_condition_pause(cb);
    end_instance(cb);
    const struct pgs_noted_begin next = store_all(cb);
    pgs_parts_keep(cb);
    pgs_pass_flush(cb);
    if (query)
        cb->dev->vk.CmdEndQuery(cb->handle, query->pool, query->query);
    cb->pass.begin = next;
    go_on(cb, &paused);
}

bool pgs_pass_may_split(const struct pgs_command_buffer *cb)
{
    return cb->recorder.result == VK_SUCCESS && cb->pass.state == PGS_PASS_QUEUED &&
           !cb->dev->physical->traits.keeps_passes && !cb->continues && !why_not(cb);
}

void pgs_pass_begin_segment(struct pgs_command_buffer *cb, const char *why)
{
    if (cb->recorder.result != VK_SUCCESS)
        return;
    const char *obstacle = cb->dev->physical->traits.keeps_passes ? never
                           : cb->continues                        ? pgs_segments_begin(cb)
                                                                  : why_not(cb);
    if (obstacle == out_of_memory) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    if (obstacle) {
        pgs_log_once(PGS_LOG_ERROR,
                     "%s, and the pass cannot be split, since %s: what is drawn may be "
                     "wrong",
                     why, obstacle);
        return;
    }
    if (cb->continues)
        return;
    end_early(cb, NULL);
}

void pgs_pass_end_query(struct pgs_command_buffer *cb, struct pgs_open_query *query)
{
    const char *obstacle = cb->recorder.result == VK_SUCCESS ? why_not(cb) : NULL;
    query->ended = true;
    if (!obstacle) {
        end_early(cb, query);
        return;
    }
    pgs_log(PGS_LOG_ERROR,
            "a query was active where a render pass had to be split, and the pass cannot be split "
            "where the query ends, since %s: vkEndCommandBuffer fails",
            obstacle);
    pgs_recorder_latch(&cb->recorder,
                       obstacle == out_of_memory ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN);
}

void pgs_captures_note(struct pgs_command_buffer *cb,
                       const struct pgs_xfb_binding ranges[PGS_MAX_XFB_BUFFERS])
{
    if (pgs_reads_are_captured_to(cb, ranges))
        pgs_pass_begin_segment(cb, pgs_reads_captured_to);
    for (int i = 0; i < PGS_MAX_XFB_BUFFERS && cb->continues; i++)
        if (ranges[i].buffer && !pgs_array_push(&cb->pass.captures, ranges[i]))
            pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}
