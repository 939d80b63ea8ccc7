/* SPDX-License-Identifier: MIT
 *
 * Which passes are not queued. Before the device knows a geometry shader those are all that can be
 * ended and resumed. Later it is quiet ones: passes in which nothing has been emulated for a while.
 * They cost what the driver's cost. If something is to be emulated in one after all, it is ended
 * and resumed (pgs_pass_split), and then it is queued for long.
 */
#ifndef PGS_COMMAND_PASS_QUIET_H
#define PGS_COMMAND_PASS_QUIET_H

#include "command/state/buffer.h"

/* So often a pass must have had nothing to emulate, one time after the other. */
#define PGS_QUIET_TIMES 16
/* And so much more often if it was taken for quiet and was not: resuming costs the GPU the contents
 * of its attachments. So many quiet passes also make up for one that was not. */
#define PGS_QUIET_BROKEN_TIMES 4096
/* Of programs whose passes have other framebuffers in each frame nothing can be known, so after so
 * many mistakes in a row no pass of the device is quiet any more. */
#define PGS_QUIET_MISTAKES 32
#define PGS_QUIET_TRUST (PGS_QUIET_MISTAKES * PGS_QUIET_BROKEN_TIMES)

/* A device is made. */
void pgs_quiet_init(struct pgs_command_device *device);

/* False: no pass of the device is quiet, for what it is or has enabled. */
bool pgs_quiet_is_possible(const struct pgs_device *dev);

/* The pass of a primary begins. True: the driver may have its commands at once, since it could be
 * ended and resumed, and if it is quiet with nothing lost. Which pass it is, the render pass and
 * the framebuffer say, or the views of its attachments. `kept`: what is kept of the render pass. */
bool pgs_render_pass_is_unqueued(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                                 const VkRenderPassBeginInfo *info);
bool pgs_rendering_is_unqueued(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* A queued pass ends. `emulated`: it had work of the layer. */
void pgs_quiet_end(struct pgs_command_buffer *cb, bool emulated);

/* A pass is ended and resumed that was not queued. */
void pgs_quiet_broken(struct pgs_command_buffer *cb);

/* -- the parts of these that a plain command buffer needs in line -- */

static inline _Atomic int16_t *pgs_quiet_times(const struct pgs_command_buffer *cb)
{
    return &cb->dev->commands->quiet_times[cb->pass.quiet_slot];
}

static inline void pgs_quiet_begin(struct pgs_command_buffer *cb, uint64_t hash)
{
    cb->pass.quiet = false;
    cb->pass.quiet_slot = (uint16_t)(hash % PGS_QUIET_SLOTS);
}

/* By a hash of two handles, for which pgs_hash would cost a pass more. */
static inline void pgs_quiet_begin_render_pass(struct pgs_command_buffer *cb,
                                               const VkRenderPassBeginInfo *info)
{
    const uint64_t pass = (uint64_t)(uintptr_t)info->renderPass;
    const uint64_t mixed =
        (pass * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)(uintptr_t)info->framebuffer;
    pgs_quiet_begin(cb, (mixed * UINT64_C(0xd6e8feb86659fd93)) >> 32);
}

/* True if the pass was quiet the last times, and passes of the device are what they seem. */
static inline bool pgs_quiet_is_likely(const struct pgs_command_buffer *cb)
{
    return atomic_load_explicit(pgs_quiet_times(cb), memory_order_relaxed) >= PGS_QUIET_TIMES &&
           atomic_load_explicit(&cb->dev->commands->quiet_trust, memory_order_relaxed) > 0;
}

/* Commands of a pass that is not queued give state no new versions, so no later draw may take
 * itself for the same as one from before. */
static inline void pgs_quiet_note(struct pgs_command_buffer *cb)
{
    _Atomic int32_t *trust = &cb->dev->commands->quiet_trust;
    cb->pass.quiet = true;
    if (atomic_load_explicit(trust, memory_order_relaxed) < PGS_QUIET_TRUST)
        atomic_fetch_add_explicit(trust, 1, memory_order_relaxed);
    pgs_state_changed(cb);
    pgs_state_data_changed(cb);
}

/* As pgs_render_pass_is_unqueued of a plain command buffer, for an instance without a chain. `kept`
 * is not NULL. True: the state has another version. False means nothing. */
static inline bool pgs_render_pass_is_plain(struct pgs_command_buffer *cb,
                                            const struct pgs_render_pass *kept,
                                            const VkRenderPassBeginInfo *info)
{
    pgs_quiet_begin_render_pass(cb, info);
    if (!pgs_command_buffer_may_emulate(cb)) {
        pgs_state_changed(cb);
        return kept->resumable;
    }
    if (!kept->loses_nothing || !pgs_quiet_is_likely(cb))
        return false;
    pgs_quiet_note(cb);
    return true;
}

#endif
