/* SPDX-License-Identifier: MIT
 *
 * Secondaries. One that continues a render pass and has emulated draws cannot be executed as it is:
 * its compute work goes before the primary's pass, and its queue is replayed in the pass. As a
 * subpass must either be inline or execute secondaries, all secondaries of that pass are then
 * replayed. A secondary that executes such a one is one itself (VK_EXT_nested_command_buffer): its
 * batches include those of the other one, and replays go down through all queues.
 */
#include "command/pass/secondary.h"

#include "command/fb_layers/fb_layers.h"
#include "command/pass/hazards.h"
#include "command/pass/layer_queries.h"
#include "command/pass/local_read.h"
#include "command/pass/segments.h"
#include "command/pass/split.h"
#include "command/state/condition.h"
#include "command/state/query_state.h"

static void add_item(struct pgs_command_buffer *cb, struct pgs_pass_batch item)
{
    if (!pgs_array_push(&cb->pass.batches, item))
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* Adds the batches of one segment (segments.h), also those of secondaries that it executes. Where
 * it has no condition of its own, the one of `cb` applies. */
static void add_batches(struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary,
                        size_t segment)
{
    struct pgs_pass *pass = &cb->pass;
    const size_t count = secondary->pass.batches.count;
    pass->executes_emulated |= secondary->queue_kept;
    pass->open_batch = NULL; /* keeps the order */
    if (segment == 0 && count)
        add_item(cb, (struct pgs_pass_batch){
                         .before = &secondary->before,
                         .condition = cb->graphics.condition,
                         .condition_slot = secondary->graphics.inherited_condition,
                     });
    const size_t end = pgs_segments_batch_end(secondary, segment);
    for (size_t i = segment ? pgs_segments_batch_end(secondary, segment - 1) : 0; i < end; i++) {
        struct pgs_pass_batch item = secondary->pass.batches.items[i];
        if (!item.condition.buffer)
            item.condition = cb->graphics.condition;
        add_item(cb, item);
    }
    if (segment == secondary->segments.count && count)
        add_item(cb, (struct pgs_pass_batch){.drain = pgs_query_drain_of(cb, secondary)});
}

static void note_secondary(struct pgs_command_buffer *cb,
                           const struct pgs_command_buffer *secondary)
{
    struct pgs_pass *pass = &cb->pass;
    if (!secondary->queue_kept)
        pass->executes_unqueued = true;
    pgs_recorder_latch(&cb->recorder, secondary->recorder.result);
    pass->by_layer |= secondary->pass.by_layer;
    if (!secondary->emulates)
        return;
    cb->emulates = true;
    cb->ended_queries |= secondary->ended_queries;
    add_batches(cb, secondary, 0);
}

/* Executes the segments after the first, each in an instance of its own if that is possible. */
static void execute_segments(struct pgs_command_buffer *cb,
                             const struct pgs_command_buffer *secondary)
{
    for (size_t segment = 1; segment <= secondary->segments.count; segment++) {
        if (secondary->segments.items[segment - 1]->for_layers)
            pgs_layer_queries_begin_segment(cb);
        else
            pgs_pass_begin_segment(cb, pgs_reads_captured_to);
        cb->pass.by_layer |= secondary->pass.by_layer;
        add_batches(cb, secondary, segment);
        pgs_segments_emit(cb, secondary, segment);
    }
}

static void split_for(struct pgs_command_buffer *cb, uint32_t count, const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count && pgs_pass_is_native(&cb->pass); i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (secondary && secondary->emulates && secondary->continues)
            pgs_pass_split(cb);
    }
}

/* A second execution would compute into the same memory. */
static bool was_executed(const struct pgs_pass *pass, const struct pgs_command_buffer *secondary)
{
    for (size_t i = 0; i < pass->batches.count; i++)
        for (size_t k = 0; k < secondary->pass.batches.count; k++)
            if (pass->batches.items[i].batch &&
                pass->batches.items[i].batch == secondary->pass.batches.items[k].batch)
                return true;
    return false;
}

/* An instance of a primary replays all of its secondaries or none. A secondary recorded before the
 * first emulated pipeline has no queue to replay. */
static bool mixes(const struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary)
{
    const struct pgs_pass *pass = &cb->pass;
    if (cb->executable)
        return false;
    if (!secondary->queue_kept)
        return pass->executes_emulated || pgs_fb_layers_wanted(cb);
    return pass->executes_unqueued && (secondary->emulates || secondary->pass.by_layer);
}

/* NULL: it can be executed in the instance as it is. */
static const char *reason_to_split(const struct pgs_command_buffer *cb,
                                   const struct pgs_command_buffer *secondary)
{
    if (mixes(cb, secondary))
        return "a render pass executes secondaries with geometry shaders or transform feedback and "
               "others that were recorded before the device had any";
    const char *counted = pgs_layer_queries_reason(cb, secondary);
    if (counted || !secondary->emulates)
        return counted;
    if (cb->pass.reads_wait || cb->pass.stores_wait)
        return "a render pass executes a secondary with geometry shaders or transform feedback "
               "that may depend on earlier draws of the pass";
    if (was_executed(&cb->pass, secondary))
        return "a render pass executes a secondary with geometry shaders or transform feedback "
               "twice";
    return pgs_reads_secondary_captures_to(cb, secondary) ? pgs_reads_captured_to : NULL;
}

/* Executes secondaries in a queued pass. */
static void execute_in_pass(struct pgs_command_buffer *cb, uint32_t count,
                            const VkCommandBuffer *handles)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        /* In a secondary the driver may execute some while others are replayed. */
        if (secondary && cb->continues && !cb->segments.count && mixes(cb, secondary))
            cb->executable = true;
        const char *reason = secondary ? reason_to_split(cb, secondary) : NULL;
        if (reason) {
            if (i > first)
                PGS_EMIT(cb, CmdExecuteCommands, i - first, handles + first);
            pgs_pass_begin_segment(cb, reason);
            first = i;
        }
        if (!secondary)
            continue;
        note_secondary(cb, secondary);
        const struct pgs_local_read *set = &secondary->pass.local_read;
        if (secondary->segments.count || set->has_locations || set->has_indices) {
            PGS_EMIT(cb, CmdExecuteCommands, i + 1 - first, handles + first);
            execute_segments(cb, secondary);
            pgs_local_read_restore(cb, secondary);
            first = i + 1;
        }
        pgs_reads_note_secondary(cb, secondary);
        pgs_layer_queries_note_secondary(cb, secondary);
        cb->pass.drawn = true;
    }
    if (first < count)
        PGS_EMIT(cb, CmdExecuteCommands, count - first, handles + first);
}

/* Outside of a pass: the secondaries have recorded whole passes. */
static void take_statistics(struct pgs_command_buffer *cb, uint32_t count,
                            const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (!secondary)
            continue;
        cb->queries.own_invocations += secondary->queries.own_invocations;
        const struct pgs_query_drain drain = pgs_query_drain_of(cb, secondary);
        pgs_query_record_drained(cb, &drain);
    }
}

/* Secondaries that record whole passes begin an inherited condition themselves, from memory that is
 * written here. Returns true if no condition is active now. */
static bool hand_down_condition(struct pgs_command_buffer *cb, uint32_t count,
                                const VkCommandBuffer *handles)
{
    bool handed = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (!secondary || !secondary->inherited.buffer)
            continue;
        if (!handed)
            pgs_condition_end(cb, pgs_condition_outer(cb));
        handed = true;
        pgs_condition_write(cb, &cb->graphics.condition, secondary->graphics.inherited_condition);
    }
    return handed;
}

static void execute_outside(struct pgs_command_buffer *cb, uint32_t count,
                            const VkCommandBuffer *handles)
{
    const bool handed = hand_down_condition(cb, count, handles);
    cb->recorder.vk->CmdExecuteCommands(cb->handle, count, handles);
    take_statistics(cb, count, handles);
    if (handed)
        pgs_condition_begin(cb, pgs_condition_outer(cb));
}

void pgs_secondaries_execute(struct pgs_command_buffer *cb, uint32_t count,
                             const VkCommandBuffer *handles)
{
    split_for(cb, count, handles);
    if (cb->pass.state == PGS_PASS_NONE)
        execute_outside(cb, count, handles);
    else if (cb->pass.state == PGS_PASS_UNQUEUED)
        PGS_EMIT(cb, CmdExecuteCommands, count, handles);
    else
        execute_in_pass(cb, count, handles);
}
