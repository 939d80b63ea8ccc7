/* SPDX-License-Identifier: MIT
 *
 * Replaces emulated draws: an entry in the batch of the pass, and a replacement in its queue.
 */
#include "command/pass/replace.h"

#include "command/fb_layers/fb_layers.h"
#include "command/pass/hazards.h"
#include "command/pass/pass.h"
#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "draw/replay.h"

/* A table for scans of a queue may lack commands. */
static void replay_draw(void *replacement, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                        void *context)
{
    (void)context;
    if (vk->CmdDraw && pgs_fb_layers_draw(cb, false))
        pgs_draw_replay(replacement, cb);
}

/* Where passes are never recorded per layer. */
static void replay_draw_once(void *replacement, VkCommandBuffer cb,
                             const struct pgs_device_dispatch *vk, void *context)
{
    (void)context;
    if (vk->CmdDraw)
        pgs_draw_replay(replacement, cb);
}

/* For pipelines with by_layer. */
static void replay_draw_by_layer(void *replacement, VkCommandBuffer cb,
                                 const struct pgs_device_dispatch *vk, void *context)
{
    (void)context;
    if (vk->CmdDraw && pgs_fb_layers_draw(cb, true))
        pgs_draw_replay(replacement, cb);
}

static bool has_views(const struct pgs_command_buffer *cb)
{
    const struct pgs_emulated_pipeline *pipeline =
        cb->graphics.pipeline ? cb->graphics.pipeline : cb->graphics.counted;
    return pipeline && pipeline->view_mask;
}

/* The views for which a draw of the pipeline is added, one after the other. */
static uint32_t views_of(const struct pgs_command_buffer *cb)
{
    if (!has_views(cb))
        return 1;
    return cb->graphics.pipeline ? cb->graphics.pipeline->view_mask
                                 : cb->graphics.counted->view_mask;
}

static struct pgs_replacement *add(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    struct pgs_batch *batch = pgs_pass_batch(cb);
    if (!batch)
        return NULL;
    struct pgs_replacement *replacement = NULL;
    const bool follows = pgs_queue_end(cb->recorder.queue) == cb->pass.replaced_to;
    const VkResult result = pgs_batch_add(batch, &cb->graphics, call, follows, &replacement);
    pgs_recorder_latch(&cb->recorder, result);
    cb->emulates |= !pgs_batch_is_empty(batch);
    return result == VK_SUCCESS ? replacement : NULL;
}

static const char no_room[] = "a draw could need more memory than there is";

/* A draw that needs more memory than there is, or could need it and would be lost, is done in
 * rounds that use the same memory. Each view has rounds of its own. `one` adds a round, or the
 * whole draw. */
static struct pgs_replacement *
in_rounds(struct pgs_command_buffer *cb, const struct pgs_draw_call *call,
          struct pgs_replacement *(*one)(struct pgs_command_buffer *, const struct pgs_draw_call *))
{
    struct pgs_rounds rounds;
    struct pgs_batch *batch = pgs_pass_batch(cb);
    if (!batch)
        return NULL;
    if (!pgs_batch_may_round(batch, &cb->graphics, call) || !pgs_pass_may_split(cb))
        return one(cb, call);
    const VkResult result = pgs_batch_rounds(batch, &cb->graphics, call, &rounds);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return NULL;
    if (!rounds.all)
        return one(cb, call);
    struct pgs_draw_call part = *call;
    part.rounds = rounds.all;
    part.progress = rounds.progress;
    part.share_B = rounds.share_B;
    struct pgs_replacement *last = NULL;
    for (uint32_t rest = rounds.all; rest; rest -= part.part_count) {
        part.part_count = rest < rounds.each ? rest : rounds.each;
        if (part.part_first || rounds.begins_anew)
            pgs_pass_begin_segment(cb, no_room);
        last = one(cb, &part);
        part.part_first += part.part_count;
    }
    return last;
}

struct pgs_replacement *pgs_pass_add_draw(struct pgs_command_buffer *cb,
                                          const struct pgs_draw_call *call)
{
    struct pgs_replacement *first = NULL;
    uint32_t view = 0;
    for (uint32_t views = views_of(cb); views; views >>= 1, view++) {
        cb->graphics.view_index = view;
        struct pgs_replacement *replacement = views & 1 ? in_rounds(cb, call, add) : NULL;
        if (!first) /* the driver's draw is for all views */
            first = replacement;
    }
    return first;
}

/* Each layer replays draws of its own (fb_layers.h), but must have the same sets bound. */
static void settle_sets(struct pgs_command_buffer *cb, const struct pgs_replacement *replacement)
{
    const enum pgs_draw_wants_sets wants = pgs_draw_wants_sets(replacement);
    if (wants == PGS_DRAW_RESTORES_SETS && !cb->fb_layers)
        pgs_state_drop_kept_sets(cb);
    else if (wants != PGS_DRAW_WANTS_NO_SETS)
        pgs_state_bind_kept_sets(cb);
}

static void queue_replacement(struct pgs_command_buffer *cb, struct pgs_replacement *replacement)
{
    const pgs_queue_call call = !cb->fb_layers                ? replay_draw_once
                                : pgs_fb_layers_note_draw(cb) ? replay_draw_by_layer
                                                              : replay_draw;
    pgs_recorder_latch(&cb->recorder, pgs_enqueue_call(cb->recorder.queue, call, replacement));
    cb->pass.replaced_to = pgs_queue_end(cb->recorder.queue);
    cb->pass.has_draws = true; /* a round may have begun an instance behind what noted the draw */
    cb->emulates = true;
}

static void replace_by(struct pgs_command_buffer *cb, struct pgs_replacement *replacement)
{
    if (cb->sets_kept)
        settle_sets(cb, replacement);
    queue_replacement(cb, replacement);
}

static struct pgs_replacement *replace_draw(struct pgs_command_buffer *cb,
                                            const struct pgs_draw_call *call)
{
    struct pgs_replacement *replacement = add(cb, call);
    if (replacement)
        cb->pass.replaced_shades = pgs_draw_shades(replacement);
    if (cb->pass.replaced_shades) /* the last replacement may draw this draw, too */
        pgs_reads_note_draw(cb);
    pgs_reads_note_fragments(cb);
    if (!replacement)
        return NULL;
    const bool takes_buffers = pgs_draw_takes_buffers(replacement);
    if (takes_buffers)
        pgs_state_restore_input(cb, pgs_draw_takes_assembly(replacement));
    replace_by(cb, replacement);
    if (cb->graphics.pipeline && !takes_buffers) {
        const struct pgs_emulated_pipeline *pipeline = cb->graphics.pipeline;
        pgs_state_clobber_vertex(cb, 1u | (pipeline->by_view ? 1u << 1 : 0u) |
                                         (pipeline->by_viewport ? 1u << 2 : 0u));
        cb->clobbered |= PGS_CLOBBERED_INDEX | PGS_CLOBBERED_INPUT;
    }
    if (cb->graphics.pipeline && pgs_draw_binds_indices(replacement))
        cb->clobbered |= PGS_CLOBBERED_INDEX;
    return replacement;
}

void pgs_pass_replace_draw(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    uint32_t view = 0;
    for (uint32_t views = views_of(cb); views; views >>= 1, view++) {
        cb->graphics.view_index = view;
        if (views & 1)
            in_rounds(cb, call, replace_draw);
    }
}

bool pgs_pass_replace_changed(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    struct pgs_replacement *replacement;
    if (cb->fb_layers || /* whose queries count replacements */
        !pgs_batch_add_changed(cb->pass.open_batch, &cb->graphics, call, &replacement))
        return false;
    pgs_pass_went_on(cb);
    pgs_reads_note_fragments(cb);
    if (!replacement)
        return true;
    replace_by(cb, replacement);
    return true;
}

bool pgs_pass_replace_back(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    struct pgs_replacement *replacement;
    if (!cb->pass.open_batch || cb->fb_layers || cb->pass.reads_wait || cb->pass.stores_wait)
        return false;
    pgs_recorder_latch(&cb->recorder,
                       pgs_batch_add_back(cb->pass.open_batch, &cb->graphics, call, &replacement));
    if (!replacement)
        return false;
    cb->pass.replaced_shades = true;
    pgs_reads_note_draw(cb);
    pgs_reads_note_fragments(cb);
    replace_by(cb, replacement);
    pgs_state_clobber_vertex(cb, 1);
    cb->clobbered |= PGS_CLOBBERED_INDEX | PGS_CLOBBERED_INPUT;
    return true;
}

void pgs_pass_replace_draw_count(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    struct pgs_batch *batch = pgs_pass_batch(cb);
    struct pgs_replacement *replacement;
    if (!batch)
        return;
    const VkResult result = pgs_batch_add_draw_count(batch, &cb->graphics, call, &replacement);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    cb->pass.replaced_shades = false;
    queue_replacement(cb, replacement);
}
