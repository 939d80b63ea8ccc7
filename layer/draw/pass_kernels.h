/* SPDX-License-Identifier: MIT
 *
 * The kernels that the draws of a pass run. Internal to draw/.
 */
#ifndef PGS_DRAW_PASS_KERNELS_H
#define PGS_DRAW_PASS_KERNELS_H

#include "draw/program.h"
#include "draw/technique.h"
#include "pipeline/kernel.h"

/* Those that are here by now. They are made before recording, so that recording cannot fail. */
struct pgs_kernels {
    VkPipeline pipelines[PGS_KERNEL_COUNT];
    VkPipelineLayout layout;
    uint64_t by_rows; /* pgs_row_kernels */
    /* PGS_STAGE_BIT() of those whose kernels are here: by plan.serial, by plan.expand, by
     * whether the plan has no draws with records, and by which lists it has of its own */
    uint32_t stages[2][PGS_EXPAND_COUNT][2][3];
    enum pgs_kernel program; /* that runs the feedback program (pgs_program_kernel) */
};

/* The kernel that runs a stage of a draw of this plan, where one may stand in for another, too.
 * PGS_KERNEL_COUNT: a shader of the application runs it, or what the feedback program has. */
enum pgs_kernel pgs_stage_kernel(enum pgs_stage stage, const struct pgs_draw_plan *plan);

/* Makes those that a draw of this plan needs and that are not here. Errors: as
 * vkCreateComputePipelines. */
VkResult pgs_kernels_fetch(struct pgs_device *dev, const struct pgs_draw_plan *plan,
                           struct pgs_kernels *kernels);

/* The kernel of a complete feedback program. An empty one has none. Errors: as
 * vkCreateComputePipelines. */
VkResult pgs_kernels_fetch_program(struct pgs_device *dev, const struct pgs_program *program,
                                   struct pgs_kernels *kernels);

#endif
