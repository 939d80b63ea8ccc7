/* SPDX-License-Identifier: MIT */
#include "command/pass/segments.h"

#include "command/pass/hazards.h"
#include "command/pass/paused_condition.h"

static struct pgs_secondary_part *add_part(struct pgs_command_buffer *cb)
{
    struct pgs_secondary_part *part = pgs_calloc(1, sizeof(*part));
    if (!part || !pgs_array_push(&cb->parts, part)) {
        pgs_free(part);
        return NULL;
    }
    pgs_queue_init(&part->queue);
    part->first_batch = cb->pass.batches.count;
    return part;
}

/* The compute work between the parts disturbs them, and the primary that redoes its own does not
 * know those of the secondary. */
static void push_again(struct pgs_command_buffer *cb)
{
    const struct pgs_pushes *pushes = &cb->saved.pushes;
    for (size_t i = 0; i < pushes->ranges.count; i++) {
        const struct pgs_pushed_range *range = &pushes->ranges.items[i];
        const uint32_t *words = range->graphics ? cb->saved.graphics_push : pushes->words;
        PGS_EMIT(cb, CmdPushConstants, range->layout, range->stages, range->offset_B, range->size_B,
                 (const char *)words + range->offset_B);
    }
}

const char *pgs_parts_begin(struct pgs_command_buffer *cb)
{
    if (cb->pass.begin.open_queries)
        return "a query begun in the pass is active";
    const struct pgs_condition paused = pgs_condition_pause(cb);
    struct pgs_secondary_part *part = add_part(cb);
    if (part) {
        pgs_recorder_start_queue(&cb->recorder, cb->handle, &part->queue);
        push_again(cb);
        cb->pass.batch_open = false;
        pgs_reads_part(&cb->pass);
    } else {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    pgs_condition_unpause(cb, &paused);
    return NULL;
}

size_t pgs_parts_batch_end(const struct pgs_command_buffer *secondary, size_t part)
{
    return part < secondary->parts.count ? secondary->parts.items[part]->first_batch
                                         : secondary->pass.batches.count;
}

/* A table to look through a queue with has not all commands. */
static void replay_part(void *part, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                        void *context)
{
    pgs_queue_scan(&((const struct pgs_secondary_part *)part)->queue, cb, vk, context);
}

void pgs_parts_emit(struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary,
                    size_t part)
{
    pgs_recorder_latch(&cb->recorder, pgs_enqueue_custom(cb->recorder.queue, replay_part,
                                                         secondary->parts.items[part - 1], 0));
}

void pgs_parts_reset(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->parts.count; i++) {
        pgs_queue_finish(&cb->parts.items[i]->queue);
        pgs_free(cb->parts.items[i]);
    }
    cb->parts.count = 0;
}
