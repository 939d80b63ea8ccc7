/* SPDX-License-Identifier: MIT */
#include "command/pass/parts.h"

/* Those of earlier passes are used again. */
static struct pgs_kept_part *next_part(struct pgs_pass *pass)
{
    if (pass->part_count < pass->parts.count)
        return pass->parts.items[pass->part_count];
    struct pgs_kept_part *added = pgs_calloc(1, sizeof(*added));
    if (!added || !pgs_array_push(&pass->parts, added)) {
        pgs_free(added);
        return NULL;
    }
    pgs_queue_init(&added->held);
    pgs_queue_init(&added->queue);
    return added;
}

void pgs_parts_keep(struct pgs_command_buffer *cb)
{
    if (!cb->graphics.view_count)
        return;
    cb->pass.keeps = next_part(&cb->pass);
    if (!cb->pass.keeps)
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

static void swap(struct pgs_queue *a, struct pgs_queue *b)
{
    const struct pgs_queue c = *a;
    *a = *b;
    *b = c;
}

void pgs_parts_reset_queues(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    if (pass->keeps) {
        swap(&pass->keeps->held, &cb->held);
        swap(&pass->keeps->queue, &cb->queue);
        pass->part_count++;
        pass->keeps = NULL;
    }
    pgs_queue_reset(&cb->queue);
    pgs_queue_reset(&cb->held);
}

static void replay_state(void *queue, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                         void *context)
{
    if (!vk->CmdDraw) /* this is in an earlier part itself, and what it replays is replayed, too */
        return;
    struct pgs_device_dispatch state = *vk;
    pgs_queue_keep_state(&state);
    pgs_queue_scan(queue, cb, &state, context);
}

void pgs_parts_set_queue_again(struct pgs_command_buffer *cb, const struct pgs_queue *queue)
{
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_custom(cb->recorder.queue, replay_state, queue, 0));
}

void pgs_parts_set_again(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->pass.part_count; i++) {
        pgs_parts_set_queue_again(cb, &cb->pass.parts.items[i]->held);
        pgs_parts_set_queue_again(cb, &cb->pass.parts.items[i]->queue);
    }
}

void pgs_parts_finish(struct pgs_pass *pass)
{
    for (size_t i = 0; i < pass->parts.count; i++) {
        pgs_queue_finish(&pass->parts.items[i]->held);
        pgs_queue_finish(&pass->parts.items[i]->queue);
        pgs_free(pass->parts.items[i]);
    }
    pgs_array_finish(&pass->parts);
}
