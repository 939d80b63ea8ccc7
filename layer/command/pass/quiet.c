/* SPDX-License-Identifier: MIT
 *
 * What is kept of a pass is a number in a small table, for which passes may meet: it decides what
 * the recording costs, never what is drawn.
 */
#include "command/pass/quiet.h"

#include "base/hash.h"
#include "command/pass/resumable.h"

/* So often a pass must have had nothing to emulate, one time after the other. */
#define QUIET_TIMES 16
/* And so much more often if it was taken for quiet and was not: resuming costs the GPU the contents
 * of its attachments. */
#define BROKEN_TIMES 4096

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

static bool is_quiet(struct pgs_command_buffer *cb, uint64_t hash)
{
    cb->pass.quiet_slot = (uint16_t)(hash % PGS_QUIET_SLOTS);
    return atomic_load_explicit(times_of(cb), memory_order_relaxed) >= QUIET_TIMES && is_free(cb);
}

/* What is set in a pass that is not queued gets no versions, so no later draw may rely on those
 * from before. */
static bool begin(struct pgs_command_buffer *cb, bool quiet)
{
    cb->pass.quiet = quiet;
    if (quiet) {
        pgs_state_changed(cb);
        pgs_state_data_changed(cb);
    }
    return quiet;
}

bool pgs_quiet_render_pass(struct pgs_command_buffer *cb, const VkRenderPassBeginInfo *info)
{
    const uint64_t key[2] = {(uint64_t)(uintptr_t)info->renderPass,
                             (uint64_t)(uintptr_t)info->framebuffer};
    return begin(cb, is_quiet(cb, pgs_hash(key, sizeof(key), 0)) &&
                         pgs_render_pass_loses_nothing(cb->dev, info));
}

static uint64_t hash_view(const VkRenderingAttachmentInfo *attachment, uint64_t seed)
{
    return attachment ? pgs_hash(&attachment->imageView, sizeof(attachment->imageView), seed)
                      : seed;
}

bool pgs_quiet_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    uint64_t hash = hash_view(info->pDepthAttachment, 0);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        hash = hash_view(&info->pColorAttachments[i], hash);
    return begin(cb, is_quiet(cb, hash) && pgs_rendering_loses_nothing(info));
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
    atomic_store_explicit(times_of(cb), -BROKEN_TIMES, memory_order_relaxed);
}
