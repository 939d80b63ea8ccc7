/* SPDX-License-Identifier: MIT
 *
 * Statistics that a secondary counts for inherited queries.
 */
#include "command/state/query_state.h"

#include "command/state/graphics_state.h"
#include "command/state/host_memory.h"
#include "pipeline/possible.h"

#include <string.h>

VkDeviceAddress pgs_query_own_grids(VkDeviceAddress values)
{
    return values + PGS_STATISTIC_OWN_GRIDS * sizeof(uint64_t);
}

void pgs_query_inherit(struct pgs_command_buffer *cb, VkQueryPipelineStatisticFlags statistics)
{
    const VkDeviceSize size_B = PGS_STATISTIC_COUNT * sizeof(uint64_t);
    const VkQueryPipelineStatisticFlags ours = statistics & pgs_statistics_of_layer(cb->dev);
    const bool draws = ours;
    const bool compute =
        statistics & ~ours & VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    struct pgs_linear *memory = NULL;
    cb->graphics.driver_queries = statistics != 0;
    if (cb->dev->queries && (draws || compute))
        memory = pgs_query_memory(cb);
    if (!memory)
        return;
    struct pgs_range *range = &cb->queries.inherited;
    const VkResult result = pgs_linear_alloc(memory, size_B, sizeof(uint64_t), range);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    memset(range->mapped, 0, size_B);
    if (compute)
        cb->queries.own_grids = pgs_query_own_grids(range->address);
    if (!draws)
        return;
    pgs_pipelines_note_possible(cb->dev); /* the pool may be created after this is recorded */
    cb->graphics.queries.statistics = range->address;
    pgs_state_update_counts(cb);
}

struct pgs_query_drain pgs_query_drain_of(const struct pgs_command_buffer *cb,
                                          const struct pgs_command_buffer *secondary)
{
    return (struct pgs_query_drain){
        .from = secondary->queries.inherited.address,
        .to = cb->graphics.queries.statistics,
    };
}

void pgs_query_record_drained(struct pgs_command_buffer *cb, const struct pgs_query_drain *drain)
{
    struct pgs_linear *memory = drain->from ? pgs_query_memory(cb) : NULL;
    if (memory)
        pgs_recorder_latch(&cb->recorder, pgs_query_record_drain(cb->dev, cb->handle, drain, memory,
                                                                 &cb->queries.own_invocations));
}
