/* SPDX-License-Identifier: MIT */
#include "draw/slices.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "draw/compute.h"
#include "poly_gs/slices.h"

/* A pass takes a block for all of its draws, so that none writes what another one has written. The
 * primaries that use the pool run on one queue, one after the other, and each resets what it uses.
 * The driver waits for what last used a block when it is reset. */
#define BLOCK_EL (2 * PGS_MOST_SLICES)
#define BLOCKS 16

struct pgs_slices {
    VkQueryPool queries; /* [BLOCKS][BLOCK_EL] */
    _Atomic uint32_t next;
};

VkResult pgs_slices_create(struct pgs_device *dev)
{
    if (!dev->physical->traits.costs.of[PGS_COST_SLICE_VERTICES] || !dev->physical->has_timestamps)
        return VK_SUCCESS;
    struct pgs_slices *slices = pgs_calloc(1, sizeof(*slices));
    if (!slices)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = BLOCKS * BLOCK_EL};
    const VkResult result = dev->vk.CreateQueryPool(dev->handle, &info, NULL, &slices->queries);
    if (result == VK_SUCCESS)
        dev->slices = slices;
    else
        pgs_free(slices);
    return result;
}

void pgs_slices_destroy(struct pgs_device *dev)
{
    if (!dev->slices)
        return;
    dev->vk.DestroyQueryPool(dev->handle, dev->slices->queries, NULL);
    pgs_free(dev->slices);
    dev->slices = NULL;
}

uint32_t pgs_slices_from(const struct pgs_device *dev, const struct pgs_batch_memory *memory)
{
    return dev->slices && memory->takes_turns
               ? dev->physical->traits.costs.of[PGS_COST_SLICE_VERTICES]
               : 0;
}

static void take_block(struct pgs_slices *slices, struct pgs_batch_memory *memory)
{
    const uint32_t block =
        atomic_fetch_add_explicit(&slices->next, 1, memory_order_relaxed) % BLOCKS;
    memory->next_query = block * BLOCK_EL;
    memory->queries_left = BLOCK_EL;
    memory->has_queries = true;
}

void pgs_slices_seal(struct pgs_draw *draws, struct pgs_batch_memory *memory)
{
    for (struct pgs_draw *draw = draws; draw; draw = draw->next) {
        if (!draw->plan.slices || draw->query_count)
            continue;
        if (!memory->has_queries)
            take_block(draw->dev->slices, memory);
        const uint64_t wanted = (uint64_t)draw->plan.slices * draw->call_count - 1;
        draw->first_query = memory->next_query;
        draw->query_count = (uint32_t)pgs_least_of(wanted, memory->queries_left);
        memory->next_query += draw->query_count;
        memory->queries_left -= draw->query_count;
    }
}

void pgs_slices_reset(const struct pgs_draw *pass, VkCommandBuffer cb)
{
    for (const struct pgs_draw *draw = pass; draw; draw = draw->next)
        if (draw->query_count)
            draw->dev->vk.CmdResetQueryPool(cb, draw->dev->slices->queries, draw->first_query,
                                            draw->query_count);
}

void pgs_slices_next(const struct pgs_draw *draw, uint32_t number, VkCommandBuffer cb)
{
    if (number && number <= draw->query_count)
        draw->dev->vk.CmdWriteTimestamp(cb, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                        draw->dev->slices->queries, draw->first_query + number - 1);
}
