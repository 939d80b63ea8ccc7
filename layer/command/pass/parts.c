/* SPDX-License-Identifier: MIT */
#include "command/pass/parts.h"

#include "command/state/views.h"

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
    if (pgs_views_query_count(cb) == 1)
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

void pgs_parts_replay_state(const struct pgs_queue *queue, VkCommandBuffer cb,
                            const struct pgs_device_dispatch *vk, void *context)
{
    struct pgs_device_dispatch state = *vk;
    if (!vk->CmdDraw) /* `queue` is an earlier part, of which the same is replayed */
        return;
    pgs_queue_keep_state(&state);
    pgs_queue_scan(queue, cb, &state, context);
}

/* What is replayed in front of a part. */
struct earlier {
    const struct pgs_pass *pass;
    size_t count; /* of its parts */
};

static void replay_earlier(void *payload, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                           void *context)
{
    const struct earlier *earlier = payload;
    for (size_t i = 0; i < earlier->count; i++) {
        pgs_parts_replay_state(&earlier->pass->parts.items[i]->held, cb, vk, context);
        pgs_parts_replay_state(&earlier->pass->parts.items[i]->queue, cb, vk, context);
    }
}

void pgs_parts_set_again(struct pgs_command_buffer *cb)
{
    const struct earlier earlier = {&cb->pass, cb->pass.part_count};
    if (earlier.count)
        pgs_recorder_latch(&cb->recorder, pgs_enqueue_custom(cb->recorder.queue, replay_earlier,
                                                             &earlier, sizeof(earlier)));
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
