/* SPDX-License-Identifier: MIT
 *
 * Query commands outside of render passes: resets, ends and copies. Compute and transfers write
 * values, so every function begins and ends with a barrier against both.
 */
#include "draw/query_record.h"

#include "base/alloc.h"
#include "pipeline/kernel.h"
#include "pipeline/kernels.h"

#include <string.h>

/* Stages that access queries on the GPU. */
#define QUERY_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)
#define QUERY_WRITES (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT)
#define QUERY_ACCESSES (QUERY_WRITES | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT)

static void barrier(const struct pgs_device *dev, VkCommandBuffer cb, VkPipelineStageFlags from,
                    VkAccessFlags from_access, VkPipelineStageFlags to, VkAccessFlags to_access)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = from_access,
        .dstAccessMask = to_access,
    };
    dev->vk.CmdPipelineBarrier(cb, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

/* Also makes values visible to the host before the available word is written. */
static void begin_transfer(const struct pgs_device *dev, VkCommandBuffer cb)
{
    barrier(dev, cb, QUERY_STAGES, QUERY_WRITES,
            VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
}

static void end_transfer(const struct pgs_device *dev, VkCommandBuffer cb)
{
    barrier(dev, cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            QUERY_STAGES | VK_PIPELINE_STAGE_HOST_BIT, QUERY_ACCESSES | VK_ACCESS_HOST_READ_BIT);
}

static void begin_dispatch(const struct pgs_device *dev, VkCommandBuffer cb)
{
    barrier(dev, cb, QUERY_STAGES, QUERY_WRITES, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* A kernel, and the sum to which it adds its invocations. */
struct kernel {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    uint64_t *invocations;
};

static uint32_t groups_of(uint32_t elements)
{
    return elements / PGS_SHADER_GROUP_EL + (elements % PGS_SHADER_GROUP_EL != 0);
}

void pgs_query_record_to_host(const struct pgs_device *dev, VkCommandBuffer cb)
{
    barrier(dev, cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static VkDeviceSize query_offset_B(const struct pgs_query_pool *pool, uint32_t query)
{
    return pool->memory.offset_B + (VkDeviceSize)query * pool->stride_B;
}

void pgs_query_record_reset(const struct pgs_device *dev, VkCommandBuffer cb,
                            const struct pgs_query_pool *pool, uint32_t first, uint32_t count)
{
    if (!count)
        return;
    begin_transfer(dev, cb);
    dev->vk.CmdFillBuffer(cb, pool->memory.buffer, query_offset_B(pool, first),
                          (VkDeviceSize)count * pool->stride_B, 0);
    end_transfer(dev, cb);
}

void pgs_query_record_end(const struct pgs_device *dev, VkCommandBuffer cb,
                          const struct pgs_query_pool *pool, uint32_t query,
                          uint64_t own_dispatches)
{
    const VkDeviceSize query_B = query_offset_B(pool, query);
    begin_transfer(dev, cb);
    if (own_dispatches)
        dev->vk.CmdUpdateBuffer(cb, pool->memory.buffer,
                                query_B + PGS_QUERY_VALUES_B +
                                    PGS_STATISTIC_OWN_DISPATCHES * sizeof(uint64_t),
                                sizeof(own_dispatches), &own_dispatches);
    dev->vk.CmdFillBuffer(cb, pool->memory.buffer,
                          query_B + PGS_QUERY_AVAILABLE_W * sizeof(uint32_t), sizeof(uint32_t), 1);
    end_transfer(dev, cb);
}

/* Packed results in the layer's memory, and the regions of the application's buffer that get
 * them. */
struct copy {
    const struct pgs_query_pool *pool;
    const struct pgs_query_copy_call *call;
    struct pgs_range root, results, driver;
    uint32_t result_B, driver_stride_B;
    VkBufferCopy *regions;
    uint32_t region_count;
};

static uint32_t result_size_B(const struct pgs_query_pool *pool, VkQueryResultFlags flags)
{
    const uint32_t value_B = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    return (pool->result_count + !!(flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)) * value_B;
}

static VkResult copy_init(struct copy *copy, struct pgs_linear *linear)
{
    const struct pgs_query_copy_call *call = copy->call;
    const uint32_t count = call->count;
    copy->result_B = result_size_B(copy->pool, call->flags);
    copy->driver_stride_B = (copy->pool->driver_count + 1) * (uint32_t)sizeof(uint64_t);
    const bool packed = call->stride_B == copy->result_B || count == 1;
    copy->region_count = packed ? 1 : count;
    copy->regions = pgs_calloc(copy->region_count, sizeof(*copy->regions));
    if (!copy->regions)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < copy->region_count; i++)
        copy->regions[i] = (VkBufferCopy){
            .dstOffset = call->offset_B + i * call->stride_B,
            .size = (VkDeviceSize)copy->result_B * (packed ? count : 1),
        };
    VkResult result = pgs_linear_alloc(linear, sizeof(struct pgs_query_copy), 16, &copy->root);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(linear, (VkDeviceSize)count * copy->result_B, 16, &copy->results);
    if (result == VK_SUCCESS && copy->pool->driver_count)
        result = pgs_linear_alloc(linear, (VkDeviceSize)count * copy->driver_stride_B, 16,
                                  &copy->driver);
    for (uint32_t i = 0; i < copy->region_count; i++)
        copy->regions[i].srcOffset = copy->results.offset_B + (VkDeviceSize)i * copy->result_B;
    return result;
}

static void write_root(const struct copy *copy)
{
    const struct pgs_query_pool *pool = copy->pool;
    const VkQueryResultFlags flags = copy->call->flags;
    const VkQueryResultFlags written = VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WAIT_BIT;
    struct pgs_query_copy root = {
        .queries = pgs_query_address(pool, copy->call->first),
        .target = copy->results.address,
        .driver = copy->driver.address,
        .query_stride_B = pool->stride_B,
        .driver_stride_B = copy->driver_stride_B,
        .target_stride_B = copy->result_B,
        .query_count = copy->call->count,
        .flags = (flags & VK_QUERY_RESULT_64_BIT ? PGS_QUERY_COPY_64 : 0) |
                 (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? PGS_QUERY_COPY_AVAILABILITY : 0) |
                 (flags & written ? PGS_QUERY_COPY_PARTIAL : 0),
        .value_count = pool->result_count,
    };
    for (uint32_t i = 0; i < pool->result_count; i++)
        root.sources[i / 4] |= (uint32_t)pool->sources[i] << i % 4 * 8;
    memcpy(copy->root.mapped, &root, sizeof(root));
}

/* The kernel leaves out some words, which must keep their contents, so fetch them first. The
 * application ordered its writes before the transfer that it asked for, whatever their stage. */
static void copy_contents(const struct pgs_device *dev, VkCommandBuffer cb, const struct copy *copy)
{
    barrier(dev, cb, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < copy->region_count; i++) {
        const VkBufferCopy back = {
            .srcOffset = copy->regions[i].dstOffset,
            .dstOffset = copy->regions[i].srcOffset,
            .size = copy->regions[i].size,
        };
        dev->vk.CmdCopyBuffer(cb, copy->call->target, copy->results.buffer, 1, &back);
    }
}

static void copy_driver(const struct pgs_device *dev, VkCommandBuffer cb, const struct copy *copy)
{
    const VkQueryResultFlags passed = VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WAIT_BIT;
    const VkDeviceSize size_B = (VkDeviceSize)copy->call->count * copy->driver_stride_B;
    /* An earlier submission may still read this memory, and the driver does not write results that
     * are not available. */
    begin_transfer(dev, cb);
    dev->vk.CmdFillBuffer(cb, copy->driver.buffer, copy->driver.offset_B, size_B, 0);
    barrier(dev, cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    dev->vk.CmdCopyQueryPoolResults(cb, copy->pool->handle, copy->call->first, copy->call->count,
                                    copy->driver.buffer, copy->driver.offset_B,
                                    copy->driver_stride_B,
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT |
                                        (copy->call->flags & passed));
}

/* Runs the kernel with one invocation for each of `elements`. */
static void dispatch(const struct pgs_device *dev, VkCommandBuffer cb, const struct kernel *kernel,
                     const struct pgs_range *root, uint32_t elements)
{
    const uint32_t groups = groups_of(elements);
    const uint32_t x = groups < PGS_GRID_X ? groups : PGS_GRID_X;
    dev->vk.CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    const struct pgs_root push = {.first = root->address};
    dev->vk.CmdPushConstants(cb, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push),
                             &push);
    dev->vk.CmdDispatch(cb, x, (groups + x - 1) / x, 1);
    *kernel->invocations += (uint64_t)x * ((groups + x - 1) / x) * PGS_SHADER_GROUP_EL;
}

/* Uploads a root and runs its kernel. */
static VkResult run(struct pgs_device *dev, VkCommandBuffer cb, enum pgs_kernel which,
                    const void *contents, size_t size_B, uint32_t elements,
                    struct pgs_linear *linear, uint64_t *invocations)
{
    struct kernel kernel = {.invocations = invocations};
    struct pgs_range root;
    VkResult result = pgs_kernel_get(dev, which, &kernel.pipeline, &kernel.layout);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(linear, size_B, 16, &root);
    if (result != VK_SUCCESS)
        return result;
    memcpy(root.mapped, contents, size_B);
    begin_dispatch(dev, cb);
    dispatch(dev, cb, &kernel, &root, elements);
    return VK_SUCCESS;
}

VkResult pgs_query_record_drain(struct pgs_device *dev, VkCommandBuffer cb,
                                const struct pgs_query_drain *drain, struct pgs_linear *linear,
                                uint64_t *invocations)
{
    return run(dev, cb, PGS_KERNEL_QUERY_DRAIN, drain, sizeof(*drain), PGS_STATISTIC_COUNT, linear,
               invocations);
}

VkResult pgs_query_record_grids(struct pgs_device *dev, VkCommandBuffer cb,
                                const struct pgs_query_grids *grids, struct pgs_linear *linear,
                                uint64_t *invocations)
{
    return run(dev, cb, PGS_KERNEL_QUERY_GRIDS, grids, sizeof(*grids), PGS_SHADER_GROUP_EL, linear,
               invocations);
}

/* The application's barriers expect a transfer to write its buffer, so the last step is one. */
VkResult pgs_query_record_copy(struct pgs_device *dev, VkCommandBuffer cb,
                               const struct pgs_query_pool *pool,
                               const struct pgs_query_copy_call *call, struct pgs_linear *linear,
                               uint64_t *invocations)
{
    struct copy copy = {.pool = pool, .call = call};
    struct kernel kernel = {.invocations = invocations};
    VkResult result = pgs_kernel_get(dev, PGS_KERNEL_QUERY_COPY, &kernel.pipeline, &kernel.layout);
    if (result == VK_SUCCESS)
        result = copy_init(&copy, linear);
    if (result == VK_SUCCESS) {
        write_root(&copy);
        if (!(call->flags & (VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_PARTIAL_BIT)))
            copy_contents(dev, cb, &copy);
        if (pool->driver_count)
            copy_driver(dev, cb, &copy);
        begin_dispatch(dev, cb);
        dispatch(dev, cb, &kernel, &copy.root, call->count);
        barrier(dev, cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                QUERY_STAGES, VK_ACCESS_TRANSFER_READ_BIT);
        dev->vk.CmdCopyBuffer(cb, copy.results.buffer, call->target, copy.region_count,
                              copy.regions);
    }
    pgs_free(copy.regions);
    return result;
}
