/* SPDX-License-Identifier: MIT */
#include "draw/pass_kernels.h"

#include "draw/plan_listing.h"
#include "pipeline/kernels.h"

#define KERNEL_BIT(kernel) PGS_KERNEL_BIT(PGS_KERNEL_##kernel)

/* Bit k stands for kernel k. Shaders of the application have none. */
static uint64_t kernels_of_stage(enum pgs_stage stage)
{
    switch (stage) {
    case PGS_STAGE_SETUP:
        return KERNEL_BIT(SETUP);
    case PGS_STAGE_INDIRECT:
        return KERNEL_BIT(INDIRECT);
    case PGS_STAGE_INDIRECT_INLINE:
        return KERNEL_BIT(INDIRECT_INLINE);
    case PGS_STAGE_INDIRECT_ROUND:
        return KERNEL_BIT(INDIRECT_ROUND);
    case PGS_STAGE_INDIRECT_PATCHES:
        return KERNEL_BIT(INDIRECT_PATCHES);
    case PGS_STAGE_DRAW_COUNT:
        return KERNEL_BIT(DRAW_COUNT);
    case PGS_STAGE_RESTART_TILES:
        return KERNEL_BIT(RESTART_TILES);
    case PGS_STAGE_RESTART_SCAN:
        return KERNEL_BIT(RESTART_SCAN);
    case PGS_STAGE_RESTART_EMIT:
        return KERNEL_BIT(RESTART_EMIT);
    case PGS_STAGE_TESS_COUNT:
        return KERNEL_BIT(TESS_COUNT);
    case PGS_STAGE_TESS_ALLOT:
        return KERNEL_BIT(TESS_ALLOT);
    case PGS_STAGE_TESS_ROUND:
        return KERNEL_BIT(TESS_ROUND);
    case PGS_STAGE_TESSELLATE:
        return KERNEL_BIT(TESSELLATE);
    case PGS_STAGE_COUNT_TILES:
        return KERNEL_BIT(COUNT_TILES);
    case PGS_STAGE_COUNT_TILES_ANY:
        return KERNEL_BIT(COUNT_TILES_ANY);
    case PGS_STAGE_SCAN_TILES:
        return KERNEL_BIT(SCAN_TILES);
    case PGS_STAGE_EXPAND:
        return KERNEL_BIT(EXPAND);
    case PGS_STAGE_EXPAND_ANY:
        return KERNEL_BIT(EXPAND_ANY);
    case PGS_STAGE_EXPAND_POLYGONS:
        return KERNEL_BIT(EXPAND_POLYGONS);
    case PGS_STAGE_STIPPLE:
        return KERNEL_BIT(STIPPLE);
    case PGS_STAGE_XFB_TILES:
        return KERNEL_BIT(CAPTURE_TILES);
    case PGS_STAGE_XFB_SCAN:
        return KERNEL_BIT(CAPTURE_SCAN);
    case PGS_STAGE_XFB_COPY:
        return KERNEL_BIT(CAPTURE_GEOMETRY);
    case PGS_STAGE_POOL_CLOSE:
        return KERNEL_BIT(POOL_CLOSE);
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
    return 0;
}

/* With `from` another one. */
static uint64_t replace_kernel(uint64_t kernels, uint64_t from, uint64_t to)
{
    return kernels & from ? (kernels & ~from) | to : kernels;
}

static uint64_t kernels_of(uint32_t stages, const struct pgs_draw_plan *plan)
{
    uint64_t kernels = 0;
    for (uint32_t stage = 0; stage < PGS_STAGE_COUNT; stage++)
        kernels |= stages >> stage & 1 ? kernels_of_stage((enum pgs_stage)stage) : 0;
    if (plan->serial) {
        kernels = replace_kernel(kernels, KERNEL_BIT(TESS_COUNT), KERNEL_BIT(TESS_FEW));
        kernels = replace_kernel(kernels, KERNEL_BIT(INDIRECT_INLINE), KERNEL_BIT(INDIRECT_ONE));
        if (!plan->subdraw_count)
            kernels = replace_kernel(kernels, KERNEL_BIT(SETUP), KERNEL_BIT(SETUP_ARGS));
    }
    return plan->shares_strips
               ? replace_kernel(kernels, KERNEL_BIT(EXPAND), KERNEL_BIT(EXPAND_SHARED))
               : kernels;
}

VkResult pgs_kernels_fetch(struct pgs_device *dev, const struct pgs_draw_plan *plan,
                           struct pgs_kernels *kernels)
{
    uint32_t *here = &kernels->stages[plan->serial][plan->shares_strips][!plan->subdraw_count];
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
