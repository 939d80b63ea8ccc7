/* SPDX-License-Identifier: MIT
 *
 * Records dispatches, what they bind, and the barriers between stages. Neighbours that differ only
 * in their root become one dispatch, so that a pass of many small draws costs a few dispatches and
 * not a few for each draw. Internal to draw/.
 */
#ifndef PGS_DRAW_DISPATCH_H
#define PGS_DRAW_DISPATCH_H

#include "poly_gs/abi.h"
#include "vulkan/device.h"

struct pgs_bound_buffers;
struct pgs_draw_sets;
struct pgs_linear;

struct pgs_dispatch {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    const struct pgs_draw_sets *sets;      /* NULL: a kernel, which binds none */
    const struct pgs_bound_buffers *bound; /* NULL: none; else what lives until the flush */
    VkDeviceAddress root;
    uint32_t mode;                      /* member of struct pgs_root */
    uint32_t root_count, root_stride_B; /* roots at equal distances, each with `groups` */
    uint32_t groups, group_el;          /* a linear grid (abi.h) */
    /* If set, replaces `groups` and root_count: a struct pgs_grid that the GPU writes, with the
     * number of roots in z. Its invocations are not counted. */
    VkBuffer grid;
    VkDeviceSize grid_offset_B;
    bool writes_grids; /* that later stages use */
    bool shares;       /* invocations of a workgroup may have memory in common */
    bool alone;        /* its shader takes one root (PGS_ROOT_ALONE). Without `grid` */
};

/* Dispatches that wait to be recorded as one. Their roots are stride_B apart. */
struct pgs_dispatch_run {
    struct pgs_dispatch first;
    uint32_t count, stride_B;
    uint32_t groups;       /* of the largest */
    uint64_t total_groups; /* of all */
};

/* Zero-initialised except dev, cb and linear. */
struct pgs_dispatcher {
    const struct pgs_device *dev;
    VkCommandBuffer cb;
    struct pgs_linear *linear; /* mapped, of `cb`: for grids; NULL: none */
    VkPipeline pipeline;       /* bound pipeline, so that it is not bound twice */
    const struct pgs_draw_sets *sets;
    const struct pgs_descriptor_buffers *buffers; /* that were bound for them; NULL: none */
    struct pgs_root root;                         /* that was pushed last, with `pushed` */
    bool pushed;
    struct pgs_dispatch_run run;
    bool wrote;        /* since the last barrier */
    bool wrote_grids;  /* since the last barrier; the next one has to cover them */
    bool stage_begins; /* the next dispatch reads what earlier stages wrote */
    uint64_t invocations;
};

/* Adds a dispatch to the current stage. Dispatches of one stage have no order. */
void pgs_dispatch(struct pgs_dispatcher *d, const struct pgs_dispatch *next);

/* Later dispatches depend on earlier ones. Without later dispatches no barrier is recorded. */
void pgs_dispatch_begin_stage(struct pgs_dispatcher *d);

/* Records what is pending. Call it before anything else is recorded. */
void pgs_dispatch_flush(struct pgs_dispatcher *d);

#endif
