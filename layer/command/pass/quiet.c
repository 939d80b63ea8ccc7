/* SPDX-License-Identifier: MIT
 *
 * What is kept of a pass is a number in a small table, for which passes may meet: it decides what
 * the recording costs, never what is drawn.
 */
#include "command/pass/quiet.h"

#include "base/hash.h"
#include "base/log.h"
#include "command/pass/resumable.h"
#include "pipeline/possible.h"

void pgs_quiet_init(struct pgs_command_device *device)
{
    atomic_init(&device->quiet_trust, PGS_QUIET_TRUST);
}

bool pgs_quiet_is_possible(const struct pgs_device *dev)
{
    return !dev->commands->fb_layers && !dev->first_instances && !dev->counts_draws &&
           !dev->physical->traits.keeps_passes;
}

/* Nothing that began before the pass may want to know of its draws, and the driver draws them all
 * without the layer. */
static bool is_free(const struct pgs_command_buffer *cb)
{
    return cb->plain ||
           (!cb->continues && !cb->inherited.buffer && !cb->graphics.pipeline && !cb->counts &&
            !cb->objects.active && !cb->topologies && pgs_quiet_is_possible(cb->dev));
}

static bool is_quiet(const struct pgs_command_buffer *cb)
{
    return pgs_quiet_is_likely(cb) && is_free(cb);
}

bool pgs_render_pass_is_unqueued(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                                 const VkRenderPassBeginInfo *info)
{
    pgs_quiet_begin_render_pass(cb, info);
    if (!pgs_command_buffer_may_emulate(cb))
        return pgs_render_pass_is_resumable(kept, info);
    if (!is_quiet(cb) || !pgs_render_pass_loses_nothing(kept, info))
        return false;
    pgs_quiet_note(cb);
    return true;
}

static uint64_t hash_view(const VkRenderingAttachmentInfo *attachment, uint64_t seed)
{
    return attachment ? pgs_hash(&attachment->imageView, sizeof(attachment->imageView), seed)
                      : seed;
}

static uint64_t hash_rendering(const VkRenderingInfo *info)
{
    uint64_t hash = hash_view(info->pStencilAttachment, hash_view(info->pDepthAttachment, 0));
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        hash = hash_view(&info->pColorAttachments[i], hash);
    return hash;
}

bool pgs_rendering_is_unqueued(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    pgs_quiet_begin(cb, hash_rendering(info));
    if (!pgs_command_buffer_may_emulate(cb))
        return pgs_rendering_is_resumable(info);
    if (!is_quiet(cb) || !pgs_rendering_loses_nothing(info))
        return false;
    pgs_quiet_note(cb);
    return true;
}

/* Two threads may write a slot at once; either number will do. */
void pgs_quiet_end(struct pgs_command_buffer *cb, bool emulated)
{
    const int16_t times = atomic_load_explicit(pgs_quiet_times(cb), memory_order_relaxed);
    if (emulated ? times > 0 : times < PGS_QUIET_TIMES)
        atomic_store_explicit(pgs_quiet_times(cb), emulated ? 0 : (int16_t)(times + 1),
                              memory_order_relaxed);
}

void pgs_quiet_broken(struct pgs_command_buffer *cb)
{
    if (!cb->pass.quiet)
        return;
    pgs_log(PGS_LOG_DEBUG, "a pass is ended and resumed, since it has something to emulate for the "
                           "first time in a while");
    atomic_store_explicit(pgs_quiet_times(cb), -PGS_QUIET_BROKEN_TIMES, memory_order_relaxed);
    atomic_fetch_sub_explicit(&cb->dev->commands->quiet_trust, PGS_QUIET_BROKEN_TIMES,
                              memory_order_relaxed);
}
