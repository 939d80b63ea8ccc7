/* SPDX-License-Identifier: MIT */
#include "command/fb_layers/fb_layer_queries.h"

#include "base/log.h"
#include "command/fb_layers/fb_layer_device.h"
#include "command/fb_layers/fb_layer_state.h"
#include "command/state/buffer.h"

static struct pgs_fb_layer_queries *queries_of(VkCommandBuffer handle)
{
    return &pgs_command_buffer_find(handle)->fb_layers->queries;
}

/* -- scanning -- */

static void add_query(VkCommandBuffer handle, const struct pgs_fb_layer_query *query)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    struct pgs_fb_layer_query added = *query;
    added.before = queries->draws;
    if (!pgs_array_push(&queries->items, added))
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

static VKAPI_ATTR void VKAPI_CALL scan_begin(VkCommandBuffer handle, VkQueryPool pool,
                                             uint32_t query, VkQueryControlFlags flags)
{
    add_query(handle, &(struct pgs_fb_layer_query){.pool = pool, .query = query, .flags = flags});
}

static VKAPI_ATTR void VKAPI_CALL scan_begin_indexed(VkCommandBuffer handle, VkQueryPool pool,
                                                     uint32_t query, VkQueryControlFlags flags,
                                                     uint32_t index)
{
    add_query(handle,
              &(struct pgs_fb_layer_query){
                  .pool = pool, .query = query, .flags = flags, .index = index, .indexed = true});
}

static VKAPI_ATTR void VKAPI_CALL scan_end(VkCommandBuffer handle, VkQueryPool pool, uint32_t query)
{
    struct pgs_fb_layer_queries *queries = queries_of(handle);
    for (size_t i = 0; i < queries->items.count; i++) {
        struct pgs_fb_layer_query *item = &queries->items.items[i];
        if (item->pool != pool || item->query != query || item->ended)
            continue;
        item->until = queries->draws;
        item->ended = true;
    }
}

static VKAPI_ATTR void VKAPI_CALL scan_end_indexed(VkCommandBuffer handle, VkQueryPool pool,
                                                   uint32_t query, uint32_t index)
{
    (void)index;
    scan_end(handle, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL scan_draw(VkCommandBuffer handle, uint32_t a, uint32_t b,
                                            uint32_t c, uint32_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    queries_of(handle)->draws.all++;
}

static VKAPI_ATTR void VKAPI_CALL scan_draw_indexed(VkCommandBuffer handle, uint32_t a, uint32_t b,
                                                    uint32_t c, int32_t d, uint32_t e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
    queries_of(handle)->draws.all++;
}

static VKAPI_ATTR void VKAPI_CALL scan_draw_indirect(VkCommandBuffer handle, VkBuffer buffer,
                                                     VkDeviceSize offset, uint32_t count,
                                                     uint32_t stride)
{
    (void)buffer, (void)offset, (void)count, (void)stride;
    queries_of(handle)->draws.all++;
}

static VKAPI_ATTR void VKAPI_CALL scan_draw_count(VkCommandBuffer handle, VkBuffer buffer,
                                                  VkDeviceSize offset, VkBuffer counter,
                                                  VkDeviceSize counter_offset, uint32_t most,
                                                  uint32_t stride)
{
    (void)buffer, (void)offset, (void)counter, (void)counter_offset, (void)most, (void)stride;
    queries_of(handle)->draws.all++;
}

static VKAPI_ATTR void VKAPI_CALL scan_secondaries(VkCommandBuffer handle, uint32_t count,
                                                   const VkCommandBuffer *handles)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (secondary)
            pgs_queue_scan(&secondary->queue, handle, &cb->dev->commands->fb_layers->scan_vk, NULL);
    }
}

void pgs_fb_layer_scan_dispatch_init(struct pgs_device_dispatch *scan_vk)
{
    *scan_vk = (struct pgs_device_dispatch){
        .CmdBeginQuery = scan_begin,
        .CmdEndQuery = scan_end,
        .CmdBeginQueryIndexedEXT = scan_begin_indexed,
        .CmdEndQueryIndexedEXT = scan_end_indexed,
        .CmdDraw = scan_draw,
        .CmdDrawIndexed = scan_draw_indexed,
        .CmdDrawIndirect = scan_draw_indirect,
        .CmdDrawIndexedIndirect = scan_draw_indirect,
        .CmdDrawIndirectCount = scan_draw_count,
        .CmdDrawIndexedIndirectCount = scan_draw_count,
        .CmdExecuteCommands = scan_secondaries,
    };
}

/* -- results -- */

static void judge(struct pgs_fb_layer_query *query, const struct pgs_fb_layer_draws *draws)
{
    if (!query->ended)
        return;
    query->around = query->before.all == 0 && query->until.all == draws->all;
    if (!query->around && query->before.by_layer != query->until.by_layer)
        pgs_log_once(
            PGS_LOG_ERROR,
            "a query covers a part of a render pass whose geometry shaders write gl_Layer: "
            "it counts only what is drawn to layer 0");
}

void pgs_fb_layer_queries_find(struct pgs_command_buffer *cb)
{
    struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    queries->items.count = 0;
    queries->draws = (struct pgs_fb_layer_draws){0};
    queries->scanning = true;
    pgs_queue_scan(&cb->queue, cb->handle, &cb->dev->commands->fb_layers->scan_vk, NULL);
    queries->scanning = false;
    for (size_t i = 0; i < queries->items.count; i++)
        judge(&queries->items.items[i], &queries->draws);
}

void pgs_fb_layer_queries_begin(const struct pgs_command_buffer *cb)
{
    const struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    for (size_t i = 0; i < queries->items.count; i++) {
        const struct pgs_fb_layer_query *q = &queries->items.items[i];
        if (q->around && q->indexed)
            cb->dev->vk.CmdBeginQueryIndexedEXT(cb->handle, q->pool, q->query, q->flags, q->index);
        else if (q->around)
            cb->dev->vk.CmdBeginQuery(cb->handle, q->pool, q->query, q->flags);
    }
}

void pgs_fb_layer_queries_end(const struct pgs_command_buffer *cb)
{
    const struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    for (size_t i = queries->items.count; i-- > 0;) {
        const struct pgs_fb_layer_query *q = &queries->items.items[i];
        if (q->around && q->indexed)
            cb->dev->vk.CmdEndQueryIndexedEXT(cb->handle, q->pool, q->query, q->index);
        else if (q->around)
            cb->dev->vk.CmdEndQuery(cb->handle, q->pool, q->query);
    }
}

bool pgs_fb_layer_query_is_around(const struct pgs_command_buffer *cb, VkQueryPool pool,
                                  uint32_t query)
{
    const struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    for (size_t i = 0; i < queries->items.count; i++) {
        const struct pgs_fb_layer_query *q = &queries->items.items[i];
        if (q->pool == pool && q->query == query)
            return q->around;
    }
    return false;
}
