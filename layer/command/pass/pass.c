/* SPDX-License-Identifier: MIT
 *
 * Render pass instances. They are queued if a draw in them could need emulation, then recorded
 * after the compute work of those draws.
 */
#include "command/pass/pass.h"

#include "base/log.h"
#include "command/fb_layers/fb_layers.h"
#include "command/pass/hazards.h"
#include "command/pass/open_query.h"
#include "command/pass/parts.h"
#include "command/pass/quiet.h"
#include "command/pass/sync.h"
#include "command/state/condition.h"
#include "command/state/host_memory.h"
#include "command/state/query_state.h"

static void start_queue(struct pgs_command_buffer *cb, enum pgs_pass_state state,
                        struct pgs_queue *queue)
{
    struct pgs_pass *pass = &cb->pass;
    cb->plain = false;
    pass->state = state;
    pass->sync = (struct pgs_pass_sync){0};
    pgs_reads_reset(pass);
    pass->drawn = cb->continues; /* by another secondary, for all that is known */
    pass->reads_wait = pass->stores_wait = false;
    pass->has_draws = pass->layers_counted = false;
    pgs_recorder_start_queue(&cb->recorder, cb->handle, queue);
    pgs_recorder_latch(&cb->recorder, pgs_compute_state_begin_pass(&cb->compute, &cb->graphics));
}

void pgs_pass_begin(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                    bool unqueued)
{
    struct pgs_pass *pass = &cb->pass;
    /* With an inherited condition, a condition that begins in the pass must take effect before the
     * pass. */
    if (unqueued && !cb->inherited.buffer) {
        pass->state = PGS_PASS_UNQUEUED;
        pgs_recorder_go_direct(&cb->recorder, cb->handle);
        return;
    }
    start_queue(cb, PGS_PASS_QUEUED, &cb->queue);
    if (kept)
        pass->sync = kept->sync;
}

void pgs_pass_hold(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    if (pass->state != PGS_PASS_UNQUEUED || cb->continues)
        return;
    start_queue(cb, PGS_PASS_HELD, &cb->held);
    pass->held = pgs_held_here(cb);
    if (pass->held.condition.buffer)
        pgs_reads_note_buffer(cb, pass->held.condition.buffer, pass->held.condition.offset_B,
                              sizeof(uint32_t));
}

void pgs_pass_release(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    cb->recorder.queue = NULL;
    pass->state = PGS_PASS_UNQUEUED;
    if (cb->recorder.result == VK_SUCCESS)
        pgs_queue_replay(&cb->held, cb->handle, cb->recorder.vk, NULL);
    pgs_queue_reset(&cb->held);
    pgs_queue_reset(&cb->before);
    pgs_open_queries_keep(pass);
    pass->executes_unqueued = false;
    pgs_compute_state_end_pass(&cb->compute);
    pgs_recorder_go_direct(&cb->recorder, cb->handle);
}

/* What a secondary stores has to last while its primary draws. */
static struct pgs_commons *commons_for(const struct pgs_command_buffer *cb)
{
    return cb->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY ? cb->pool->commons : NULL;
}

struct pgs_batch *pgs_pass_batch(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    if (pass->open_batch)
        return pass->open_batch;
    if (pass->own_batches == cb->batches.count) {
        struct pgs_batch *first = cb->batches.count ? cb->batches.items[0] : NULL, *batch = NULL;
        VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
        if (pgs_array_reserve(&cb->batches, 1))
            result = pgs_batch_create(cb->dev, first, commons_for(cb), &batch);
        if (result != VK_SUCCESS) {
            pgs_recorder_latch(&cb->recorder, result);
            return NULL;
        }
        cb->batches.items[cb->batches.count++] = batch;
    }
    struct pgs_batch *batch = cb->batches.items[pass->own_batches];
    if (!pgs_array_push(&pass->batches, ((struct pgs_pass_batch){.batch = batch}))) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return NULL;
    }
    pass->own_batches++;
    if (cb->batches_used < pass->own_batches)
        cb->batches_used = pass->own_batches;
    cb->batches_keep = true;
    pass->open_batch = batch;
    return batch;
}

void pgs_pass_split_batch(struct pgs_command_buffer *cb)
{
    cb->pass.open_batch = NULL;
    pgs_reads_order(&cb->pass);
}

static bool has_draws(const struct pgs_pass *pass)
{
    for (size_t i = 0; i < pass->batches.count; i++)
        if (pass->batches.items[i].batch && !pgs_batch_is_empty(pass->batches.items[i].batch))
            return true;
    return false;
}

static void count_grids(struct pgs_command_buffer *cb, struct pgs_batch *batch)
{
    struct pgs_linear *memory = cb->queries.own_grids ? pgs_query_memory(cb) : NULL;
    if (memory)
        pgs_recorder_latch(&cb->recorder,
                           pgs_batch_count_grids(batch, cb->handle, cb->queries.own_grids, memory,
                                                 &cb->queries.own_invocations));
}

/* A secondary's batches have memory that other command buffers may use, too. */
static enum pgs_batch_place place_of_first(const struct pgs_command_buffer *cb)
{
    const struct pgs_pass *pass = &cb->pass;
    for (size_t i = 0; i < pass->batches.count; i++)
        if (pass->batches.items[i].batch)
            return !cb->computes && !cb->memory_use.simultaneous && pass->own_batches &&
                           pass->batches.items[i].batch == cb->batches.items[0]
                       ? PGS_BATCH_ALONE
                       : PGS_BATCH_FIRST;
    return PGS_BATCH_FIRST;
}

/* The application's condition is suspended: draws test it themselves, and state that carries over
 * between draws must be updated regardless. */
static void record_compute(struct pgs_command_buffer *cb)
{
    const struct pgs_pass *pass = &cb->pass;
    const struct pgs_condition *outer = pgs_condition_outer(cb); /* conditions that began in the
                                                                  * pass have ended */
    const bool guarded = cb->dev->physical->traits.guards & PGS_GUARD_GROUP_MEMORY;
    struct pgs_linear *memory = guarded ? pgs_query_memory(cb) : NULL;
    enum pgs_batch_place place = place_of_first(cb);
    cb->computes = true;
    pgs_condition_end(cb, outer);
    pgs_dependency_record(&pass->sync.before, cb->dev, cb->handle);
    pgs_queue_replay(&cb->before, cb->handle, &cb->dev->vk, NULL);
    for (size_t i = 0; i < pass->batches.count; i++) {
        const struct pgs_pass_batch *item = &pass->batches.items[i];
        if (item->before)
            pgs_queue_replay(item->before, cb->handle, &cb->dev->vk, NULL);
        pgs_condition_write(cb, &item->condition, item->condition_slot);
        if (item->batch)
            pgs_recorder_latch(&cb->recorder,
                               pgs_batch_record(item->batch, cb->handle, place, memory,
                                                &cb->queries.own_invocations));
        if (cb->recorder.result != VK_SUCCESS)
            break;
        if (item->batch) {
            count_grids(cb, item->batch);
            place = PGS_BATCH_LATER;
        }
        pgs_query_record_drained(cb, &item->drain);
    }
    pgs_dependency_record(&pass->sync.after, cb->dev, cb->handle);
    pgs_condition_begin(cb, outer);
    pgs_compute_state_restore(&cb->compute, &cb->dev->vk, cb->handle);
}

bool pgs_pass_check(struct pgs_command_buffer *cb)
{
    const bool replays =
        (cb->pass.executes_emulated && !cb->executable) || pgs_fb_layers_wanted(cb);
    if (replays && cb->pass.executes_unqueued) {
        pgs_log(PGS_LOG_ERROR,
                "a render pass executes secondaries with geometry shaders and others that were "
                "recorded before the device had any: vkEndCommandBuffer fails");
        pgs_recorder_latch(&cb->recorder, VK_ERROR_UNKNOWN);
    }
    return cb->recorder.result == VK_SUCCESS;
}

void pgs_pass_seal(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->pass.own_batches; i++)
        pgs_recorder_latch(&cb->recorder, pgs_batch_seal(cb->batches.items[i]));
}

void pgs_pass_flush(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    if (pass->state == PGS_PASS_HELD)
        pgs_pass_release(cb);
    pass->state = PGS_PASS_NONE;
    if (!cb->recorder.queue)
        return;
    cb->recorder.queue = NULL;
    pgs_pass_seal(cb);
    const bool emulated = has_draws(pass);
    pgs_quiet_end(cb, emulated || cb->graphics.pipeline);
    /* After an error commands may be missing from the queue, even its End, and the command buffer
     * is unusable. */
    if (pgs_pass_check(cb)) {
        if (emulated)
            record_compute(cb);
        if (pgs_fb_layers_wanted(cb))
            pgs_fb_layers_replay(cb);
        else
            pgs_queue_replay(
                &cb->queue, cb->handle,
                pass->executes_emulated ? &cb->dev->commands->inline_vk : cb->recorder.vk, NULL);
    }
    for (size_t i = 0; i < pass->own_batches; i++)
        pgs_batch_next_pass(cb->batches.items[i]);
    pass->own_batches = 0;
    pass->open_batch = NULL;
    pass->replaced_to = NULL;
    pass->replaced_shades = false;
    pass->batches.count = 0;
    pass->executes_emulated = pass->executes_unqueued = false;
    pass->by_layer = false;
    pgs_open_queries_keep(pass);
    pgs_parts_reset_queues(cb);
    pgs_queue_reset(&cb->before);
    pgs_compute_state_end_pass(&cb->compute);
    if (!cb->graphics.condition.buffer)
        pgs_condition_resume(cb);
}
