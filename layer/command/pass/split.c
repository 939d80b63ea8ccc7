/* SPDX-License-Identifier: MIT
 *
 * Ends render pass instances early and resumes them. The usual case: a program compiles its first
 * geometry shader in the middle of an unqueued pass. The instance ends there, and a queued one
 * resumes with the contents of its attachments.
 */
#include "command/pass/split.h"

#include "base/log.h"
#include "command/pass/hazards.h"
#include "command/pass/local_read.h"
#include "command/pass/pass.h"
#include "command/pass/paused_condition.h"
#include "command/pass/segments.h"
#include "command/state/attachment.h"
#include "pipeline/possible.h"
#include "vulkan/copy.h"
#include "vulkan/queue_copy.h"

static const char out_of_memory[] = "no memory is left";

static struct pgs_copy start_copy(struct pgs_command_buffer *cb)
{
    pgs_arena_reset(&cb->begun);
    return (struct pgs_copy){.arena = &cb->begun};
}

void pgs_split_note_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
    struct pgs_copy c = start_copy(cb);
    const VkRenderPassBeginInfo *copy = pgs_copy_VkRenderPassBeginInfo(&c, info, 1);
    cb->pass.begin = (struct pgs_noted_begin){
        .kind = kind,
        .contents = contents,
        .render_pass = c.failed ? NULL : (VkRenderPassBeginInfo *)copy,
        .kept =
            pgs_map_find(&cb->dev->commands->render_passes, (uint64_t)(uintptr_t)info->renderPass),
    };
}

void pgs_split_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    struct pgs_copy c = start_copy(cb);
    const VkRenderingInfo *copy = pgs_copy_VkRenderingInfo(&c, info, 1);
    cb->pass.begin = (struct pgs_noted_begin){
        .kind = PGS_BEGIN_RENDERING,
        .rendering = c.failed ? NULL : (VkRenderingInfo *)copy,
    };
}

/* Edits the copy so that it loads the contents; false if they are not preserved. The parameter
 * points to const because VkRenderingInfo does; the memory is ours. */
static bool load_again(const VkRenderingAttachmentInfo *attachment, VkImageAspectFlagBits aspect)
{
    if (!attachment || !attachment->imageView)
        return true;
    if (!pgs_attachment_stays(attachment->loadOp, attachment->storeOp, attachment->imageLayout,
                              aspect))
        return false;
    ((VkRenderingAttachmentInfo *)attachment)->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    return true;
}

/* NULL: possible, and the copy of Begin loads all attachments. Otherwise the reason. */
static const char *prepare_rendering(const VkRenderingInfo *info)
{
    bool stay = load_again(info->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT);
    stay &= load_again(info->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        stay &= load_again(&info->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT);
    return stay ? NULL : "it does not store all of its attachments";
}

/* NULL: possible, and begin_again will load all attachments. Otherwise the reason. */
static const char *prepare(struct pgs_command_buffer *cb)
{
    struct pgs_noted_begin *begin = &cb->pass.begin;
    if (cb->continues)
        return "it is recorded into a secondary";
    if (begin->open_queries)
        return "a query that began in it is active";
    if (begin->rendering)
        return prepare_rendering(begin->rendering);
    if (!begin->render_pass || !begin->kept)
        return out_of_memory;
    begin->render_pass->renderPass = begin->kept->again;
    return begin->kept->obstacle;
}

static void end_instance(struct pgs_command_buffer *cb)
{
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    switch (cb->pass.begin.kind) {
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
static void record_barrier(struct pgs_command_buffer *cb)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    cb->dev->vk.CmdPipelineBarrier(cb->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0,
                                   NULL);
}

static void begin_again(struct pgs_command_buffer *cb)
{
    const struct pgs_noted_begin *begin = &cb->pass.begin;
    const VkSubpassBeginInfo subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
        .contents = begin->contents,
    };
    switch (begin->kind) {
    case PGS_BEGIN_RENDER_PASS:
        PGS_EMIT(cb, CmdBeginRenderPass, begin->render_pass, begin->contents);
        break;
    case PGS_BEGIN_RENDER_PASS2:
        PGS_EMIT(cb, CmdBeginRenderPass2, begin->render_pass, &subpass);
        break;
    case PGS_BEGIN_RENDERING:
        PGS_EMIT(cb, CmdBeginRendering, begin->rendering);
        pgs_local_read_set_again(cb);
        break;
    }
}

/* Begins the second instance, queued, with the contents that the first has left. */
static void go_on(struct pgs_command_buffer *cb, const struct pgs_condition *paused)
{
    const struct pgs_render_pass *kept = cb->pass.begin.kept;
    pgs_pass_begin(cb, VK_NULL_HANDLE);
    if (kept)
        cb->pass.sync.after = kept->sync.after;
    record_barrier(cb);
    begin_again(cb);
    pgs_condition_unpause(cb, paused);
}

void pgs_pass_split(struct pgs_command_buffer *cb)
{
    const struct pgs_render_pass *kept = cb->continues ? NULL : cb->pass.begin.kept;
    const char *obstacle = prepare(cb);
    /* A draw by byte count may be the only emulated draw. */
    pgs_pipelines_note_possible(cb->dev);
    /* With further subpasses to come, ending the pass would be illegal. */
    struct pgs_condition paused = {0};
    if (!cb->continues && (!kept || !kept->several_subpasses)) {
        paused = pgs_condition_pause(cb);
        end_instance(cb);
    }
    if (!obstacle) {
        go_on(cb, &paused);
        return;
    }
    pgs_pass_begin(cb, VK_NULL_HANDLE); /* queued, but not recorded yet */
    pgs_log(PGS_LOG_ERROR,
            "a render pass was begun before the device had a geometry shader or transform feedback "
            "and now uses one, and %s: vkEndCommandBuffer fails. Create the first such pipeline "
            "before recording",
            obstacle);
    pgs_recorder_latch(&cb->recorder,
                       obstacle == out_of_memory ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN);
}

void pgs_pass_begin_segment(struct pgs_command_buffer *cb, const char *why)
{
    const char *obstacle = cb->continues ? pgs_segments_begin(cb) : prepare(cb);
    if (obstacle == out_of_memory) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    if (obstacle) {
        pgs_log_once(PGS_LOG_ERROR,
                     "%s, and the pass cannot be split, since %s: earlier draws may see "
                     "later results",
                     why, obstacle);
        return;
    }
    if (cb->continues)
        return;
    const struct pgs_condition paused = pgs_condition_pause(cb);
    end_instance(cb);
    pgs_pass_flush(cb);
    go_on(cb, &paused);
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
