/* SPDX-License-Identifier: MIT */
#include "draw/pass_kernels.h"

#include "draw/plan_listing.h"
#include "pipeline/kernels.h"

static enum pgs_kernel expand_kernel(enum pgs_expand expand)
{
    switch (expand) {
    case PGS_EXPAND_EACH:
        break;
    case PGS_EXPAND_SHARED:
        return PGS_KERNEL_EXPAND_SHARED;
    case PGS_EXPAND_CUT:
        return PGS_KERNEL_EXPAND_CUT;
    }
    return PGS_KERNEL_EXPAND;
}

enum pgs_kernel pgs_stage_kernel(enum pgs_stage stage, const struct pgs_draw_plan *plan)
{
    const bool sifts = plan->raster == PGS_RASTER_SIFTED;
    const bool picks = plan->raster == PGS_RASTER_PICKED;
    switch (stage) {
    case PGS_STAGE_SETUP:
        return plan->serial && !plan->subdraw_count ? PGS_KERNEL_SETUP_ARGS : PGS_KERNEL_SETUP;
    case PGS_STAGE_INDIRECT:
        return PGS_KERNEL_INDIRECT;
    case PGS_STAGE_INDIRECT_INLINE:
        return plan->serial ? PGS_KERNEL_INDIRECT_ONE : PGS_KERNEL_INDIRECT_INLINE;
    case PGS_STAGE_INDIRECT_ROUND:
        return PGS_KERNEL_INDIRECT_ROUND;
    case PGS_STAGE_INDIRECT_PATCHES:
        return PGS_KERNEL_INDIRECT_PATCHES;
    case PGS_STAGE_DRAW_COUNT:
        return PGS_KERNEL_DRAW_COUNT;
    case PGS_STAGE_RESTART_TILES:
        return PGS_KERNEL_RESTART_TILES;
    case PGS_STAGE_RESTART_SCAN:
        return PGS_KERNEL_RESTART_SCAN;
    case PGS_STAGE_RESTART_EMIT:
        return PGS_KERNEL_RESTART_EMIT;
    case PGS_STAGE_TESS_COUNT:
        return plan->serial ? PGS_KERNEL_TESS_FEW : PGS_KERNEL_TESS_COUNT;
    case PGS_STAGE_TESS_ALLOT:
        return PGS_KERNEL_TESS_ALLOT;
    case PGS_STAGE_TESS_ROUND:
        return PGS_KERNEL_TESS_ROUND;
    case PGS_STAGE_TESSELLATE:
        return PGS_KERNEL_TESSELLATE;
    case PGS_STAGE_COUNT_TILES:
        return PGS_KERNEL_COUNT_TILES;
    case PGS_STAGE_COUNT_TILES_ANY:
        return PGS_KERNEL_COUNT_TILES_ANY;
    case PGS_STAGE_SCAN_TILES:
        return sifts ? PGS_KERNEL_SIFT_SCAN : picks ? PGS_KERNEL_PICK_SCAN : PGS_KERNEL_SCAN_TILES;
    case PGS_STAGE_EXPAND:
        return sifts   ? PGS_KERNEL_SIFT_LIST
               : picks ? PGS_KERNEL_PICK_LIST
                       : expand_kernel(plan->expand);
    case PGS_STAGE_EXPAND_ANY:
        return PGS_KERNEL_EXPAND_ANY;
    case PGS_STAGE_EXPAND_POLYGONS:
        return PGS_KERNEL_EXPAND_POLYGONS;
    case PGS_STAGE_STIPPLE:
        return PGS_KERNEL_STIPPLE;
    case PGS_STAGE_XFB_TILES:
        return PGS_KERNEL_CAPTURE_TILES;
    case PGS_STAGE_XFB_SCAN:
        return PGS_KERNEL_CAPTURE_SCAN;
    case PGS_STAGE_XFB_COPY:
        return PGS_KERNEL_CAPTURE_GEOMETRY;
    case PGS_STAGE_POOL_CLOSE:
        return PGS_KERNEL_POOL_CLOSE;
    case PGS_STAGE_XFB_SHADER:
    case PGS_STAGE_VERTEX:
    case PGS_STAGE_CONTROL:
    case PGS_STAGE_EVALUATION:
    case PGS_STAGE_CHUNKS_COUNT:
    case PGS_STAGE_GEOMETRY:
    case PGS_STAGE_CHUNKS_CAPTURE:
    case PGS_STAGE_XFB_PROGRAM: /* known when the program is complete: pgs_kernels_fetch_program */
        break;
    }
    return PGS_KERNEL_COUNT;
}

/* Bit k stands for kernel k. */
static uint64_t kernels_of(uint32_t stages, const struct pgs_draw_plan *plan)
{
    uint64_t kernels = 0;
    for (; stages; stages &= stages - 1) {
        const enum pgs_kernel kernel =
            pgs_stage_kernel((enum pgs_stage)__builtin_ctz(stages), plan);
        kernels |= kernel == PGS_KERNEL_COUNT ? 0 : PGS_KERNEL_BIT(kernel);
    }
    return kernels;
}

VkResult pgs_kernels_fetch(struct pgs_device *dev, const struct pgs_draw_plan *plan,
                           struct pgs_kernels *kernels)
{
    const uint32_t lists = plan->raster == PGS_RASTER_SIFTED   ? 1
                           : plan->raster == PGS_RASTER_PICKED ? 2
                                                               : 0;
    uint32_t *here = &kernels->stages[plan->serial][plan->expand][!plan->subdraw_count][lists];
    const uint32_t stages = pgs_plan_kernel_stages(plan), missing = stages & ~*here;
    if (!missing) /* nearly always: each draw asks */
        return VK_SUCCESS;
    const uint64_t mask = kernels_of(missing, plan);
    kernels->by_rows = pgs_row_kernels(dev->physical);
    VkResult result = VK_SUCCESS;
    for (int k = 0; k < PGS_KERNEL_COUNT && result == VK_SUCCESS; k++)
        if ((mask >> k & 1) && !kernels->pipelines[k])
            result = pgs_kernel_get(dev, k, &kernels->pipelines[k], &kernels->layout);
    if (result == VK_SUCCESS)
        *here |= stages;
    return result;
}

VkResult pgs_kernels_fetch_program(struct pgs_device *dev, const struct pgs_program *program,
                                   struct pgs_kernels *kernels)
{
    if (!program->ops.count)
        return VK_SUCCESS;
    const bool is_cpu = dev->physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    kernels->program = pgs_program_kernel(program, is_cpu);
    return pgs_kernel_get(dev, kernels->program, &kernels->pipelines[kernels->program],
                          &kernels->layout);
}
