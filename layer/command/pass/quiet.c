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

/* So often a pass must have had nothing to emulate, one time after the other. */
#define QUIET_TIMES 16
/* And so much more often if it was taken for quiet and was not: resuming costs the GPU the contents
 * of its attachments. So many quiet passes also make up for one that was not. */
#define BROKEN_TIMES 4096
/* Of programs whose passes have other framebuffers in each frame nothing can be known, so after so
 * many mistakes in a row no pass of the device is quiet any more. */
#define MISTAKES_MAX 32

void pgs_quiet_init(struct pgs_command_device *device)
{
    atomic_init(&device->quiet_trust, MISTAKES_MAX * BROKEN_TIMES);
}

static _Atomic int16_t *times_of(const struct pgs_command_buffer *cb)
{
    return &cb->dev->commands->quiet_times[cb->pass.quiet_slot];
}

/* Nothing that began before the pass may want to know of its draws, and the driver draws them all
 * without the layer. */
static bool is_free(const struct pgs_command_buffer *cb)
{
    const struct pgs_device *dev = cb->dev;
    return !cb->continues && !cb->inherited.buffer && !cb->fb_layers && !cb->graphics.pipeline &&
           !cb->counts && !cb->objects.active && !cb->topologies && !dev->first_instances &&
           !dev->counts_draws && !dev->physical->traits.keeps_passes;
}

static bool is_quiet(const struct pgs_command_buffer *cb)
{
    return atomic_load_explicit(times_of(cb), memory_order_relaxed) >= QUIET_TIMES &&
           atomic_load_explicit(&cb->dev->commands->quiet_trust, memory_order_relaxed) > 0 &&
           is_free(cb);
}

/* Commands of a pass that is not queued give state no new versions, so no later draw may take
 * itself for the same as one from before. */
static void note_quiet(struct pgs_command_buffer *cb)
{
    _Atomic int32_t *trust = &cb->dev->commands->quiet_trust;
    cb->pass.quiet = true;
    if (atomic_load_explicit(trust, memory_order_relaxed) < MISTAKES_MAX * BROKEN_TIMES)
        atomic_fetch_add_explicit(trust, 1, memory_order_relaxed);
    pgs_state_changed(cb);
    pgs_state_data_changed(cb);
}

static void begin(struct pgs_command_buffer *cb, uint64_t hash)
{
    cb->pass.quiet = false;
    cb->pass.quiet_slot = (uint16_t)(hash % PGS_QUIET_SLOTS);
}

/* A hash of two handles: pgs_hash would cost a pass more. */
static uint64_t hash_handles(uint64_t a, uint64_t b)
{
    const uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) * UINT64_C(0xd6e8feb86659fd93);
    return mixed >> 32;
}

bool pgs_render_pass_is_unqueued(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                                 const VkRenderPassBeginInfo *info)
{
    begin(cb, hash_handles((uint64_t)(uintptr_t)info->renderPass,
                           (uint64_t)(uintptr_t)info->framebuffer));
    if (!pgs_command_buffer_may_emulate(cb))
        return pgs_render_pass_is_resumable(kept, info);
    if (!is_quiet(cb) || !pgs_render_pass_loses_nothing(kept, info))
        return false;
    note_quiet(cb);
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
    begin(cb, hash_rendering(info));
    if (!pgs_command_buffer_may_emulate(cb))
        return pgs_rendering_is_resumable(info);
    if (!is_quiet(cb) || !pgs_rendering_loses_nothing(info))
        return false;
    note_quiet(cb);
    return true;
}

/* Two threads may write a slot at once; either number will do. */
void pgs_quiet_end(struct pgs_command_buffer *cb, bool emulated)
{
    const int16_t times = atomic_load_explicit(times_of(cb), memory_order_relaxed);
    if (emulated ? times > 0 : times < QUIET_TIMES)
        atomic_store_explicit(times_of(cb), emulated ? 0 : (int16_t)(times + 1),
                              memory_order_relaxed);
}

void pgs_quiet_broken(struct pgs_command_buffer *cb)
{
    if (!cb->pass.quiet)
        return;
    pgs_log(PGS_LOG_DEBUG, "a pass is ended and resumed, since it has something to emulate for the "
                           "first time in a while");
    atomic_store_explicit(times_of(cb), -BROKEN_TIMES, memory_order_relaxed);
    atomic_fetch_sub_explicit(&cb->dev->commands->quiet_trust, BROKEN_TIMES, memory_order_relaxed);
}
