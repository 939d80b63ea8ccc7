/* SPDX-License-Identifier: MIT
 *
 * The compute way: vertex and geometry shaders run as kernels, a scan puts what they emitted in
 * order, an indirect draw rasterizes it. Internal to draw/.
 */
#ifndef PGS_DRAW_COMPUTE_H
#define PGS_DRAW_COMPUTE_H

#include "base/arena.h"
#include "draw/record.h"

/* One record and its raster draw. */
struct pgs_draw_part {
    struct pgs_range record; /* upload memory, also vertex buffer 0 of the raster draw */
    struct pgs_range indices, draw_args;
    uint32_t units;
};

struct pgs_draw {
    struct pgs_draw *next; /* in the pass */
    struct pgs_device *dev;
    const struct pgs_emulated_pipeline *pipeline;
    struct pgs_draw_plan plan;
    uint32_t vertex_count;
    uint32_t set_count;          /* of the pipeline's layout */
    struct pgs_draw_part *parts; /* [plan.part_count] */
    VkDescriptorSet *sets;       /* [set_count], VK_NULL_HANDLE where nothing is bound */
    uint32_t *dynamic_counts;    /* [set_count] */
    uint32_t *dynamic_offsets;   /* of all sets in order */
    uint32_t dynamic_offset_count;
};

/* The draw with its sets; its parts are zeroed. NULL: out of memory. */
struct pgs_draw *pgs_draw_new(struct pgs_arena *arena, struct pgs_device *dev,
                              const struct pgs_graphics_state *state,
                              const struct pgs_draw_plan *plan);

/* Takes the draw's memory from the two allocators and writes its records. */
VkResult pgs_compute_prepare(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call, struct pgs_linear *upload,
                             struct pgs_linear *scratch);

/* Kernels that the draws of a pass need, fetched before recording so that recording cannot fail. */
struct pgs_kernels {
    VkPipeline pipelines[PGS_KERNEL_COUNT];
    VkPipelineLayout layout;
};
VkResult pgs_kernels_fetch(struct pgs_device *dev, const struct pgs_draw_plan *plan,
                           struct pgs_kernels *kernels);

/* Records the dispatches of a list of draws, barriers before, between and after included. */
void pgs_compute_record(const struct pgs_device *dev, VkCommandBuffer cb,
                        const struct pgs_draw *draws, const struct pgs_kernels *kernels);

#endif
