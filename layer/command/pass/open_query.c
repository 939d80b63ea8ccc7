/* SPDX-License-Identifier: MIT */
#include "command/pass/open_query.h"

#include "command/fb_layers/fb_layers.h"
#include "command/state/views.h"

/* A table for scans of a queue may lack commands. */
static void replay_begin(void *query, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                         void *context)
{
    const struct pgs_open_query *q = query;
    if (q->front)
        return;
    if (q->around)
        pgs_queue_scan(&q->queue, cb, vk, context);
    else if (vk->CmdBeginQuery)
        vk->CmdBeginQuery(cb, q->pool, q->query, q->flags);
}

/* Those of earlier passes are used again. */
static struct pgs_open_query *next_query(struct pgs_pass *pass)
{
    if (pass->query_count < pass->queries.count)
        return pass->queries.items[pass->query_count];
    struct pgs_open_query *added = pgs_calloc(1, sizeof(*added));
    if (!added || !pgs_array_push(&pass->queries, added)) {
        pgs_free(added);
        return NULL;
    }
    pgs_queue_init(&added->queue);
    return added;
}

struct pgs_held pgs_held_here(const struct pgs_command_buffer *cb)
{
    struct pgs_held held = {.local_read = cb->pass.local_read};
    if (cb->pass.begin.open_condition)
        held.condition = cb->graphics.condition;
    return held;
}

void pgs_open_query_begin(struct pgs_command_buffer *cb, const struct pgs_open_query *query)
{
    struct pgs_pass *pass = &cb->pass;
    struct pgs_open_query *q = next_query(pass);
    if (!q) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    const struct pgs_queue queue = q->queue;
    *q = *query;
    q->queue = queue;
    pgs_queue_reset(&q->queue);
    q->at = pgs_held_here(cb);
    q->first = !pass->has_draws;
    pass->query_count++;
    pgs_recorder_latch(&cb->recorder, pgs_enqueue_custom(cb->recorder.queue, replay_begin, q, 0));
}

struct pgs_open_query *pgs_open_query_find(const struct pgs_command_buffer *cb, VkQueryPool pool,
                                           uint32_t query)
{
    for (size_t i = 0; i < cb->pass.query_count; i++) {
        struct pgs_open_query *q = cb->pass.queries.items[i];
        if (q->pool == pool && q->query == query && !q->ended)
            return q;
    }
    return NULL;
}

const char *pgs_open_queries_obstacle(const struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->pass.query_count; i++) {
        const struct pgs_open_query *q = cb->pass.queries.items[i];
        if (q->ended || q->around)
            continue;
        if (q->fixed)
            return "a query that counts compute shaders began in it and is active";
        if (pgs_views_query_count(cb) > 1)
            return "a query of several views is active";
        if (pgs_fb_layers_wanted(cb) && !q->first)
            return "it is recorded once for each layer, and a query that began in it is active";
    }
    return NULL;
}

void pgs_open_queries_keep(struct pgs_pass *pass)
{
    size_t kept = 0;
    for (size_t i = 0; i < pass->query_count; i++) {
        struct pgs_open_query *q = pass->queries.items[i];
        if (!q->around || q->ended)
            continue;
        pass->queries.items[i] = pass->queries.items[kept];
        pass->queries.items[kept++] = q;
    }
    pass->query_count = kept;
}

void pgs_open_queries_finish(struct pgs_pass *pass)
{
    for (size_t i = 0; i < pass->queries.count; i++) {
        pgs_queue_finish(&pass->queries.items[i]->queue);
        pgs_free(pass->queries.items[i]);
    }
    pgs_array_finish(&pass->queries);
}
