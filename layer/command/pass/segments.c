/* SPDX-License-Identifier: MIT */
#include "command/pass/segments.h"

#include "command/pass/hazards.h"
#include "command/pass/local_read.h"
#include "command/pass/parts.h"
#include "command/pass/paused_condition.h"
#include "command/state/graphics_state.h"

static struct pgs_pass_segment *add_segment(struct pgs_command_buffer *cb)
{
    struct pgs_pass_segment *segment = pgs_calloc(1, sizeof(*segment));
    if (!segment || !pgs_array_push(&cb->segments, segment)) {
        pgs_free(segment);
        return NULL;
    }
    pgs_queue_init(&segment->queue);
    segment->first_batch = cb->pass.batches.count;
    return segment;
}

/* The compute work between segments clobbers them, and the primary, which restores its own, does
 * not know the secondary's. */
static void bind_buffers_again(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    const struct pgs_descriptor_buffers *buffers = &cb->compute.buffers;
    struct pgs_descriptor_buffer_infos infos;
    if (!buffers->count)
        return;
    pgs_descriptor_buffers_fill(buffers, &infos);
    PGS_EMIT(cb, CmdBindDescriptorBuffersEXT, buffers->count, infos.infos);
    for (uint32_t i = 0; i < PGS_MAX_SETS; i++) {
        const uint32_t *words = state->dynamic_offsets[i].items;
        if (state->sets[i] != PGS_BUFFER_SET)
            continue;
        const VkDeviceSize offset_B = words[1] | (VkDeviceSize)words[2] << 32;
        PGS_EMIT(cb, CmdSetDescriptorBufferOffsetsEXT, VK_PIPELINE_BIND_POINT_GRAPHICS,
                 state->set_layouts[i], i, 1, &words[0], &offset_B);
    }
}

/* Binds and sets again what earlier segments did: with a view mask drivers may forget it where
 * the pass that executes the secondary is resumed (parts.h). */
static void set_again(struct pgs_command_buffer *cb)
{
    if (!cb->graphics.view_count)
        return;
    pgs_parts_set_queue_again(cb, &cb->queue);
    for (size_t i = 0; i + 1 < cb->segments.count; i++)
        pgs_parts_set_queue_again(cb, &cb->segments.items[i]->queue);
}

const char *pgs_segments_begin(struct pgs_command_buffer *cb)
{
    if (cb->pass.begin.open_queries)
        return "a query that began in it is active";
    if (cb->executable)
        return "the driver executes the secondary";
    const struct pgs_condition paused = pgs_condition_pause(cb);
    struct pgs_pass_segment *segment = add_segment(cb);
    if (segment) {
        pgs_recorder_start_queue(&cb->recorder, cb->handle, &segment->queue);
        set_again(cb);
        pgs_state_push_again(cb);
        bind_buffers_again(cb);
        pgs_local_read_set_again(cb);
        cb->pass.open_batch = NULL;
        cb->pass.has_draws = cb->pass.layers_counted = false;
        pgs_reads_begin_segment(&cb->pass);
    } else {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    pgs_condition_unpause(cb, &paused);
    return NULL;
}

size_t pgs_segments_batch_end(const struct pgs_command_buffer *secondary, size_t segment)
{
    return segment < secondary->segments.count ? secondary->segments.items[segment]->first_batch
                                               : secondary->pass.batches.count;
}

/* A dispatch table for scanning a queue lacks some commands. */
static void replay_segment(void *segment, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                           void *context)
{
    pgs_queue_scan(&((const struct pgs_pass_segment *)segment)->queue, cb, vk, context);
}

void pgs_segments_emit(struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary,
                       size_t segment)
{
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_custom(cb->recorder.queue, replay_segment,
                                          secondary->segments.items[segment - 1], 0));
}

void pgs_segments_reset(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->segments.count; i++) {
        pgs_queue_finish(&cb->segments.items[i]->queue);
        pgs_free(cb->segments.items[i]);
    }
    cb->segments.count = 0;
}
