/* SPDX-License-Identifier: MIT */
#include "draw/dispatch.h"

#include "draw/bound_buffers.h"
#include "draw/descriptors.h"
#include "memory/memory.h"

#include "poly_gs/digits.h"

#include <string.h>

/* Empty workgroups that cost as much as a dispatch. Draws that differ by fewer share a dispatch. A
 * GPU starts a workgroup in 1 ns and a dispatch in 200 ns; SwiftShader on two cores needs some 40
 * us for either. */
#define PGS_RUN_EMPTY_GROUPS 64
#define PGS_RUN_EMPTY_GROUPS_OF_CPU 1
/* A dispatch of this size costs nothing beside its work. */
#define PGS_RUN_LARGE_GROUPS 1024
/* Specified minimum of maxComputeWorkGroupCount[2]. */
#define PGS_RUN_MAX_COUNT 65535
/* Records that were allocated together are never farther apart, and kernels multiply in 32 bits. */
#define PGS_RUN_MAX_STRIDE_B 65536

/* Drivers with PGS_GUARD_GROUP_MEMORY take as much for an indirect dispatch of 64 invocations each
 * on a Mali with four cores. */
#define PGS_GUARDED_GROUPS 128

/* lavapipe points shaders to embedded samplers only while no buffer is bound, so they come first,
 * and again with the other sets. */
static void bind_buffers(struct pgs_dispatcher *d, const struct pgs_draw_sets *sets)
{
    for (uint32_t i = 0; i < sets->count; i++)
        if (sets->sets[i] == PGS_EMBEDDED_SET)
            d->dev->vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(
                d->cb, VK_PIPELINE_BIND_POINT_COMPUTE, sets->layout, i);
    pgs_descriptor_buffers_bind(sets->buffers, &d->dev->vk, d->cb);
    d->buffers = sets->buffers;
}

static void bind_sets(struct pgs_dispatcher *d, const struct pgs_draw_sets *sets)
{
    if (!sets || pgs_draw_sets_match(d->sets, sets))
        return;
    if (sets->buffers && !pgs_descriptor_buffers_match(d->buffers, sets->buffers))
        bind_buffers(d, sets);
    d->sets = sets;
    pgs_draw_sets_bind(sets, VK_PIPELINE_BIND_POINT_COMPUTE, &d->dev->vk, d->cb);
}

static void bind_pipeline(struct pgs_dispatcher *d, VkPipeline pipeline)
{
    if (d->pipeline == pipeline)
        return;
    d->dev->vk.CmdBindPipeline(d->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    d->pipeline = pipeline;
}

/* What the shaders of CPUs have behind the root. */
static void push_digits(const struct pgs_dispatcher *d, VkPipelineLayout layout)
{
    static const uint32_t digits[PGS_ROOT_DIGITS] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                     8, 9, 10, 11, 12, 13, 14, 15};
    _Static_assert(sizeof(digits) == PGS_ROOT_DIGITS_B, "pgs_root_push_B");
    d->dev->vk.CmdPushConstants(d->cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct pgs_root),
                                sizeof(digits), digits);
}

/* All layouts of compute shaders have the same push constants, so these outlive what is bound. */
static void push_root(struct pgs_dispatcher *d, VkPipelineLayout layout, struct pgs_root root)
{
    if (d->pushed && d->root.first == root.first && d->root.stride_B == root.stride_B &&
        d->root.mode == root.mode)
        return;
    d->dev->vk.CmdPushConstants(d->cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(root), &root);
    if (!d->pushed && pgs_runs_on_cpu(d->dev->physical))
        push_digits(d, layout);
    d->root = root;
    d->pushed = true;
}

static void stage_barrier(struct pgs_dispatcher *d)
{
    const bool grids = d->wrote_grids;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         (grids ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0),
    };
    if (d->stage_begins && d->wrote) {
        d->dev->vk.CmdPipelineBarrier(d->cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                          (grids ? VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0),
                                      0, 1, &barrier, 0, NULL, 0, NULL);
        d->wrote_grids = false;
    }
    d->stage_begins = false;
}

/* False: there is no need for that, or no memory. Its grid is behind what the host writes before it
 * submits, so it needs no barrier. */
static bool dispatches_indirectly(const struct pgs_dispatcher *d,
                                  const VkDispatchIndirectCommand *of)
{
    const uint64_t groups = (uint64_t)of->x * of->y * of->z;
    struct pgs_range range;
    if (!(d->dev->physical->traits.guards & PGS_GUARD_GROUP_MEMORY) || !d->run.first.shares ||
        groups <= PGS_GUARDED_GROUPS || !d->linear ||
        pgs_linear_try(d->linear, sizeof(*of), sizeof(uint32_t), &range) != VK_SUCCESS)
        return false;
    memcpy(range.mapped, of, sizeof(*of));
    d->dev->vk.CmdDispatchIndirect(d->cb, range.buffer, range.offset_B);
    return true;
}

void pgs_dispatch_flush(struct pgs_dispatcher *d)
{
    const struct pgs_dispatch_run *run = &d->run;
    if (!run->count)
        return;
    const struct pgs_dispatch *first = &run->first;
    bind_pipeline(d, first->pipeline);
    bind_sets(d, first->sets);
    push_root(
        d, first->layout,
        (struct pgs_root){.first = first->root, .stride_B = run->stride_B, .mode = first->mode});
    if (first->bound)
        pgs_bound_buffers_push(first->bound, d->dev, d->cb);
    stage_barrier(d);
    const uint32_t count = run->count;
    d->wrote = true;
    d->wrote_grids |= first->writes_grids;
    d->run.count = 0;
    if (first->grid) {
        d->dev->vk.CmdDispatchIndirect(d->cb, first->grid, first->grid_offset_B);
        return;
    }
    const uint32_t x = run->groups < PGS_GRID_X ? run->groups : PGS_GRID_X;
    const uint32_t y = run->groups / x + (run->groups % x != 0);
    if (!dispatches_indirectly(d, &(VkDispatchIndirectCommand){x, y, count}))
        d->dev->vk.CmdDispatch(d->cb, x, y, count);
    d->invocations += (uint64_t)x * y * count * first->group_el;
}

void pgs_dispatch_begin_stage(struct pgs_dispatcher *d)
{
    pgs_dispatch_flush(d);
    d->stage_begins = true;
}

/* True if the roots lie where the next ones of the run are expected. The second root of a run sets
 * the stride. */
static bool continues(const struct pgs_dispatch_run *run, const struct pgs_dispatch *next)
{
    const VkDeviceAddress first = run->first.root, root = next->root;
    if (run->count == 1 && (root <= first || root - first > PGS_RUN_MAX_STRIDE_B))
        return false;
    const uint64_t stride_B = run->count == 1 ? root - first : run->stride_B;
    return root == first + run->count * stride_B &&
           (next->root_count == 1 || next->root_stride_B == stride_B);
}

/* Every dispatch of a run gets the largest grid, so limits the empty workgroups. */
static bool fits_size(const struct pgs_device *dev, const struct pgs_dispatch_run *run,
                      uint32_t groups, uint32_t added)
{
    const bool cpu = dev->physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint32_t empty = cpu ? PGS_RUN_EMPTY_GROUPS_OF_CPU : PGS_RUN_EMPTY_GROUPS;
    const uint32_t largest = groups > run->groups ? groups : run->groups;
    const uint64_t count = (uint64_t)run->count + added;
    return largest <= PGS_RUN_LARGE_GROUPS &&
           largest * count <= run->total_groups + (uint64_t)groups * added + empty * count;
}

/* Adds the dispatch to the run if it differs only in its root and size. False: it does not fit. */
static bool join(const struct pgs_device *dev, struct pgs_dispatch_run *run,
                 const struct pgs_dispatch *next)
{
    if (!run->count || run->count + next->root_count > PGS_RUN_MAX_COUNT || run->first.grid ||
        next->grid || next->alone || run->first.bound || next->bound ||
        run->first.pipeline != next->pipeline || run->first.mode != next->mode ||
        !continues(run, next) || !fits_size(dev, run, next->groups, next->root_count) ||
        !pgs_draw_sets_match(run->first.sets, next->sets))
        return false;
    if (run->count == 1)
        run->stride_B = (uint32_t)(next->root - run->first.root);
    if (run->groups < next->groups)
        run->groups = next->groups;
    run->total_groups += (uint64_t)next->groups * next->root_count;
    run->count += next->root_count;
    return true;
}

static void add(struct pgs_dispatcher *d, const struct pgs_dispatch *next)
{
    if (join(d->dev, &d->run, next))
        return;
    pgs_dispatch_flush(d);
    d->run = (struct pgs_dispatch_run){
        .first = *next,
        .count = next->root_count,
        .stride_B = next->root_stride_B,
        .groups = next->groups,
        .total_groups = (uint64_t)next->groups * next->root_count,
    };
}

void pgs_dispatch(struct pgs_dispatcher *d, const struct pgs_dispatch *next)
{
    struct pgs_dispatch one = *next;
    if (!next->alone) {
        add(d, next);
        return;
    }
    one.root_count = 1;
    for (uint32_t i = 0; i < next->root_count; i++) {
        one.root = next->root + (VkDeviceAddress)i * next->root_stride_B;
        add(d, &one);
    }
}
