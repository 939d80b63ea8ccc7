/* SPDX-License-Identifier: MIT
 *
 * Recording dispatches, with what they bind and the barriers between stages. Neighbours that differ
 * in nothing but their root become one: a pass of many small draws costs a few dispatches, not a
 * few for each draw. Internal to draw/.
 */
#ifndef PGS_DRAW_DISPATCH_H
#define PGS_DRAW_DISPATCH_H

#include "poly_gs/abi.h"
#include "vulkan/device.h"

struct pgs_draw_sets;

struct pgs_dispatch {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    const struct pgs_draw_sets *sets; /* NULL: a kernel, which has none */
    VkDeviceAddress root;
    uint32_t mode;             /* of struct pgs_root */
    uint32_t groups, group_el; /* a linear grid of abi.h */
    /* Instead of groups: a struct pgs_grid that the GPU writes. The roots of its z records lie
     * grid_stride_B apart. Its invocations are not counted. */
    VkBuffer grid;
    VkDeviceSize grid_offset_B;
    uint32_t grid_stride_B;
    bool writes_grids; /* of later stages */
};

/* Dispatches that are not recorded yet: their roots lie stride_B apart. */
struct pgs_dispatch_run {
    struct pgs_dispatch first;
    uint32_t count, stride_B;
    uint32_t groups;       /* of the largest */
    uint64_t total_groups; /* of all */
};

/* Zero-initialised but for dev and cb. */
struct pgs_dispatcher {
    const struct pgs_device *dev;
    VkCommandBuffer cb;
    VkPipeline pipeline; /* what is bound, to bind nothing twice */
    const struct pgs_draw_sets *sets;
    struct pgs_dispatch_run run;
    bool wrote;        /* since the last barrier */
    bool wrote_grids;  /* likewise: the next barrier is for those, too */
    bool stage_begins; /* what follows reads what was written before */
    uint64_t invocations;
};

/* The order of the dispatches of a stage means nothing. */
void pgs_dispatch(struct pgs_dispatcher *d, const struct pgs_dispatch *next);

/* What follows depends on what came before; no barrier unless something does follow. */
void pgs_dispatch_begin_stage(struct pgs_dispatcher *d);

/* Records what is pending. Before anything else is recorded. */
void pgs_dispatch_flush(struct pgs_dispatcher *d);

#endif
