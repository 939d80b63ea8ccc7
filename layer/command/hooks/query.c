/* SPDX-License-Identifier: MIT
 *
 * Queries. Those that the layer counts are part of the state of draws; the driver's are passed on.
 * Queries end in the order of the draws inside a pass, and after all earlier work outside.
 */
#include "base/log.h"
#include "command/pass/layer_queries.h"
#include "command/pass/open_query.h"
#include "command/pass/pass.h"
#include "command/pass/split.h"
#include "command/state/condition.h"
#include "command/state/graphics_state.h"
#include "command/state/host_memory.h"
#include "command/state/query_state.h"
#include "command/state/views.h"
#include "poly_gs/abi.h"
#include "vulkan/hooks.h"

/* The member that holds the address of the query's values. `index`: a vertex stream. */
static VkDeviceAddress *slot_of(struct pgs_query_set *queries, VkQueryType type, uint32_t index)
{
    switch ((int)type) {
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
        return &queries->xfb[index % PGS_MAX_STREAMS];
    case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
        return &queries->generated[index % PGS_MAX_STREAMS];
    default:
        return &queries->statistics;
    }
}

static bool in_pass(const struct pgs_command_buffer *cb)
{
    return cb->recorder.queue;
}

static void begin_driver_query(struct pgs_command_buffer *cb, const struct pgs_open_query *query)
{
    pgs_pass_hold(cb);
    pgs_layer_queries_before_begin(cb);
    cb->pass.begin.open_queries++; /* queries that began outside of a pass are not counted here */
    cb->graphics.driver_queries++;
    pgs_state_changed(cb);
    if (in_pass(cb) && !cb->continues)
        pgs_open_query_begin(cb, query);
    else
        PGS_EMIT(cb, CmdBeginQuery, query->pool, query->query, query->flags);
}

static void end_driver_query(struct pgs_command_buffer *cb, VkQueryPool handle, uint32_t query)
{
    cb->pass.begin.open_queries--;
    cb->graphics.driver_queries--;
    pgs_state_changed(cb);
    struct pgs_open_query *open = pgs_open_query_find(cb, handle, query);
    if (open && open->around)
        pgs_pass_end_query(cb, open);
    else
        PGS_EMIT(cb, CmdEndQuery, handle, query);
    pgs_layer_queries_after_end(cb, open && open->first && !open->around);
    if (open)
        open->ended = true;
    if (cb->pass.state == PGS_PASS_HELD && !cb->pass.begin.open_queries)
        pgs_pass_release(cb);
}

/* A draw counts for one query of each type and stream; two are not valid (VUID-vkCmdBeginQuery-
 * queryPool-01922), but zink begins two for statistics. Inherited statistics may end here. */
static void warn_of_second(const struct pgs_command_buffer *cb, VkDeviceAddress active)
{
    if (active && active != cb->queries.inherited.address)
        pgs_log_once(PGS_LOG_WARN, "a query began while another of its type was active, which is "
                                   "not valid: the earlier one counts no further");
}

static void begin_query(struct pgs_command_buffer *cb, VkQueryPool handle, uint32_t query,
                        VkQueryControlFlags flags, uint32_t index)
{
    const struct pgs_query_pool *pool = pgs_query_pool_find(cb->dev, handle);
    if (pool) {
        if (pgs_pass_is_native(&cb->pass)) /* begun before such a pool existed, or quiet */
            pgs_pass_split(cb);
        VkDeviceAddress *slot = slot_of(&cb->graphics.queries, pool->type, index);
        warn_of_second(cb, *slot);
        *slot = pgs_query_address(pool, query) + PGS_QUERY_VALUES_B;
        pgs_state_update_counts(cb);
        if (pool->counts_compute) {
            cb->queries.own_before = cb->queries.own_invocations;
            cb->queries.own_grids =
                in_pass(cb)
                    ? 0
                    : pgs_query_own_grids(pgs_query_address(pool, query) + PGS_QUERY_VALUES_B);
        }
    }
    if (!pool || pool->driver_count)
        begin_driver_query(cb, &(struct pgs_open_query){.pool = handle,
                                                        .query = query,
                                                        .flags = flags,
                                                        .fixed = pool && pool->counts_compute});
}

static void make_available(struct pgs_command_buffer *cb, const struct pgs_query_pool *pool,
                           uint32_t query)
{
    if (!in_pass(cb)) {
        const uint64_t own =
            pool->counts_compute ? cb->queries.own_invocations - cb->queries.own_before : 0;
        pgs_query_record_end(cb->dev, cb->handle, pool, query, own);
        return;
    }
    /* Between Begin and End in a pass the driver sees no dispatches of the layer. */
    struct pgs_batch *batch = pgs_pass_batch(cb);
    if (!batch)
        return;
    for (uint32_t i = 0; i < pgs_views_query_count(cb); i++) /* the first query has counted for all
                                                              * views */
        pgs_recorder_latch(&cb->recorder,
                           pgs_batch_end_query(batch, pgs_query_address(pool, query + i)));
    cb->emulates = true;
    cb->ended_queries = true;
}

static void end_query(struct pgs_command_buffer *cb, VkQueryPool handle, uint32_t query,
                      uint32_t index)
{
    const struct pgs_query_pool *pool = pgs_query_pool_find(cb->dev, handle);
    if (!pool || pool->driver_count)
        end_driver_query(cb, handle, query);
    if (pool) {
        *slot_of(&cb->graphics.queries, pool->type, index) = 0;
        if (pool->counts_compute)
            cb->queries.own_grids = 0;
        pgs_state_update_counts(cb);
        make_available(cb, pool, query);
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                             uint32_t query, VkQueryControlFlags flags)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        begin_query(cb, queryPool, query, flags, 0);
    else
        PGS_FORWARD(commandBuffer, CmdBeginQuery, queryPool, query, flags);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                           uint32_t query)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        end_query(cb, queryPool, query, 0);
    else
        PGS_FORWARD(commandBuffer, CmdEndQuery, queryPool, query);
}

/* The driver does not have the indexed commands; its own queries have index 0. */
VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginQueryIndexedEXT(VkCommandBuffer commandBuffer,
                                                       VkQueryPool queryPool, uint32_t query,
                                                       VkQueryControlFlags flags, uint32_t index)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        begin_query(cb, queryPool, query, flags, index);
    else
        PGS_FORWARD(commandBuffer, CmdBeginQueryIndexedEXT, queryPool, query, flags, index);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndQueryIndexedEXT(VkCommandBuffer commandBuffer,
                                                     VkQueryPool queryPool, uint32_t query,
                                                     uint32_t index)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        end_query(cb, queryPool, query, index);
    else
        PGS_FORWARD(commandBuffer, CmdEndQueryIndexedEXT, queryPool, query, index);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdResetQueryPool(VkCommandBuffer commandBuffer,
                                                 VkQueryPool queryPool, uint32_t firstQuery,
                                                 uint32_t queryCount)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    const struct pgs_query_pool *pool = cb ? pgs_query_pool_find(cb->dev, queryPool) : NULL;
    if (pool)
        pgs_query_record_reset(cb->dev, commandBuffer, pool, firstQuery, queryCount);
    if (!pool || pool->driver_count)
        PGS_FORWARD(commandBuffer, CmdResetQueryPool, queryPool, firstQuery, queryCount);
}

/* The layer's part of a copy is a dispatch, which conditional rendering could skip. */
static VkResult copy_unconditionally(struct pgs_command_buffer *cb,
                                     const struct pgs_query_pool *pool,
                                     const struct pgs_query_copy_call *call,
                                     struct pgs_linear *memory)
{
    pgs_condition_end(cb, pgs_condition_outer(cb));
    const VkResult result = pgs_query_record_copy(cb->dev, cb->handle, pool, call, memory,
                                                  &cb->queries.own_invocations);
    pgs_condition_begin(cb, pgs_condition_outer(cb));
    return result;
}

static void copy_results(struct pgs_command_buffer *cb, const struct pgs_query_pool *pool,
                         const struct pgs_query_copy_call *call)
{
    struct pgs_linear *memory = call->count ? pgs_query_memory(cb) : NULL;
    if (!memory)
        return;
    const VkResult result = copy_unconditionally(cb, pool, call, memory);
    if (result == VK_SUCCESS)
        pgs_compute_state_restore(&cb->compute, &cb->dev->vk, cb->handle);
    pgs_recorder_latch(&cb->recorder, result);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer,
                                                       VkQueryPool queryPool, uint32_t firstQuery,
                                                       uint32_t queryCount, VkBuffer dstBuffer,
                                                       VkDeviceSize dstOffset, VkDeviceSize stride,
                                                       VkQueryResultFlags flags)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    const struct pgs_query_pool *pool = cb ? pgs_query_pool_find(cb->dev, queryPool) : NULL;
    if (pool)
        copy_results(cb, pool,
                     &(struct pgs_query_copy_call){firstQuery, queryCount, dstBuffer, dstOffset,
                                                   stride, flags});
    else
        PGS_FORWARD(commandBuffer, CmdCopyQueryPoolResults, queryPool, firstQuery, queryCount,
                    dstBuffer, dstOffset, stride, flags);
}
