/* SPDX-License-Identifier: MIT
 *
 * Creates, resets and frees command buffers.
 */
#include "command/pass/lifetime.h"

#include "command/fb_layers/fb_layer_device.h"
#include "command/fb_layers/fb_layer_state.h"
#include "command/pass/hazards.h"
#include "command/pass/open_query.h"
#include "command/pass/parts.h"
#include "command/pass/quiet.h"
#include "command/pass/segments.h"
#include "command/state/graphics_state.h"
#include "pipeline/possible.h"

/* Those that were not in use have nothing to forget. Where the command buffer does not begin, they
 * give back the memory that they have kept. */
static void reset_batches(struct pgs_command_buffer *cb, bool begins)
{
    size_t left = begins ? cb->batches_used : cb->batches.count;
    for (; left > 0; left--) /* the first one has the memory of all */
        pgs_batch_reset(cb->batches.items[left - 1], begins);
    cb->batches_used = 0;
    cb->batches_keep &= begins;
}

/* All but the state: what a plain command buffer has not touched. */
static void forget_rest(struct pgs_command_buffer *cb, bool begins)
{
    pgs_command_buffer_drop_layouts(cb);
    pgs_queue_reset(&cb->queue);
    pgs_queue_reset(&cb->held);
    pgs_queue_reset(&cb->before);
    pgs_segments_reset(cb);
    reset_batches(cb, begins);
    cb->recorder.queue = NULL;
    cb->pass.batches.count = 0;
    cb->pass.own_batches = 0;
    cb->pass.query_count = 0;
    pgs_parts_begin(&cb->pass);
    cb->pass.open_batch = NULL;
    cb->pass.by_layer = cb->pass.has_draws = cb->pass.layers_counted = false;
    pgs_reads_reset(&cb->pass);
    pgs_fb_layer_state_reset(cb->fb_layers);
    cb->pass.executes_emulated = cb->pass.executes_unqueued = false;
    cb->continues = cb->queue_kept = cb->emulates = cb->executable = false;
    cb->ended_queries = cb->computes = false;
    cb->graphics.condition = (struct pgs_condition){0};
    cb->graphics.inherited_condition = 0;
    cb->inherited = (struct pgs_condition){0};
    cb->heeds_inherited = false;
    cb->graphics.queries = (struct pgs_query_set){0};
    cb->graphics.driver_queries = 0;
    cb->graphics.interval = 0;
    cb->counts = false;
    cb->memory_use.secondaries.count = 0;
    cb->queries.inherited = (struct pgs_range){0};
    cb->queries.own_invocations = cb->queries.own_grids = 0;
    if (cb->queries.memory)
        pgs_linear_reset(cb->queries.memory);
    pgs_kept_pushes_reset(&cb->kept_pushes, cb->dev);
}

/* Returns whether it is plain until more is recorded. */
static PGS_SLOW bool reset_slowly(struct pgs_command_buffer *cb, bool begins)
{
    if (!cb->plain || !begins)
        forget_rest(cb, begins);
    pgs_compute_state_reset(&cb->compute);
    return cb->may_be_plain && !cb->batches_keep; /* its end would give memory back */
}

void pgs_command_buffer_reset(struct pgs_command_buffer *cb, bool begins)
{
    cb->recorder.result = VK_SUCCESS;
    cb->pass.state = PGS_PASS_NONE;
    cb->memory_use.simultaneous = false;
    cb->memory_use.queue = NULL;
    if (!cb->plain || !begins || cb->compute.pushes.ranges.count)
        cb->plain = reset_slowly(cb, begins);
    pgs_state_reset(cb);
}

static void destroy_buffer(struct pgs_command_buffer *cb)
{
    if (!cb)
        return;
    for (size_t i = 0; i < cb->batches.count; i++)
        pgs_batch_destroy(cb->batches.items[i]);
    pgs_array_finish(&cb->batches);
    pgs_command_buffer_drop_layouts(cb);
    pgs_array_finish(&cb->layouts);
    pgs_segments_reset(cb);
    pgs_array_finish(&cb->segments);
    pgs_array_finish(&cb->pass.batches);
    pgs_array_finish(&cb->pass.reads);
    pgs_array_finish(&cb->pass.captures);
    pgs_open_queries_finish(&cb->pass);
    pgs_parts_finish(&cb->pass);
    pgs_linear_destroy(cb->queries.memory);
    pgs_array_finish(&cb->memory_use.secondaries);
    pgs_compute_state_finish(&cb->compute);
    pgs_dynamic_offsets_finish(cb->graphics.dynamic_offsets, PGS_MAX_SETS);
    pgs_pushed_set_finish(&cb->pushed);
    pgs_pushed_set_finish(&cb->pushing);
    pgs_kept_pushes_finish(&cb->kept_pushes, cb->dev);
    pgs_queue_finish(&cb->queue);
    pgs_queue_finish(&cb->held);
    pgs_queue_finish(&cb->before);
    pgs_arena_finish(&cb->scratch);
    pgs_fb_layer_state_destroy(cb->fb_layers);
    pgs_arena_finish(&cb->begun);
    pgs_free(cb);
}

void pgs_command_buffer_remove(struct pgs_command_buffer *cb)
{
    pgs_recorder_unregister(cb->handle);
    if (cb->prev)
        cb->prev->next = cb->next;
    else
        cb->pool->buffers = cb->next;
    if (cb->next)
        cb->next->prev = cb->prev;
    destroy_buffer(cb);
}

VkResult pgs_command_pool_add(struct pgs_command_pool *pool, VkCommandBufferLevel level,
                              VkCommandBuffer handle)
{
    struct pgs_command_buffer *cb = pgs_calloc(1, sizeof(*cb));
    if (!cb)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const struct pgs_fb_layer_device *fb_layers = pool->dev->commands->fb_layers;
    cb->recorder.vk = fb_layers ? &fb_layers->noting_vk : &pool->dev->vk;
    cb->dev = pool->dev;
    cb->pool = pool;
    cb->handle = handle;
    cb->level = level;
    cb->possible = pgs_pipelines_possible_flag(pool->dev);
    cb->may_be_plain = level == VK_COMMAND_BUFFER_LEVEL_PRIMARY && pgs_quiet_is_possible(pool->dev);
    cb->compute.graphics_push = cb->graphics.push;
    cb->graphics.version = 1; /* tracked */
    cb->graphics.pushed = &cb->pushed;
    pgs_queue_init(&cb->queue);
    pgs_queue_init(&cb->held);
    pgs_queue_init(&cb->before);
    pgs_arena_init(&cb->scratch);
    pgs_arena_init(&cb->begun);
    if (pgs_fb_layer_state_create(pool->dev, &cb->fb_layers) != VK_SUCCESS ||
        !pgs_recorder_register(handle, &cb->recorder)) {
        destroy_buffer(cb);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    cb->next = pool->buffers;
    if (cb->next)
        cb->next->prev = cb;
    pool->buffers = cb;
    return VK_SUCCESS;
}

void pgs_command_pool_destroy(struct pgs_command_pool *pool)
{
    if (!pool)
        return;
    while (pool->buffers)
        pgs_command_buffer_remove(pool->buffers);
    pgs_free(pool);
}
