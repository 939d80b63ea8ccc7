/* SPDX-License-Identifier: MIT
 *
 * What transform feedback and queries are told of a draw: its struct pgs_capture and the tables
 * that many draws share. Internal to draw/.
 */
#ifndef PGS_DRAW_CAPTURE_H
#define PGS_DRAW_CAPTURE_H

#include "base/arena.h"
#include "draw/interval.h"
#include "draw/technique.h"
#include "memory/memory.h"

/* Tables in upload memory, kept from draw to draw while they fit. Zero-initialised is empty. */
struct pgs_capture_tables {
    struct pgs_copies_table *copies; /* by pipeline, newest first; in the batch's arena */
    struct pgs_query_set queries;
    VkDeviceAddress queries_address; /* of the copy of `queries`; 0: none yet */
};

/* Address of the pipeline's table of pgs_capture_run. */
VkResult pgs_capture_copies(struct pgs_capture_tables *tables,
                            const struct pgs_emulated_pipeline *pipeline, struct pgs_arena *arena,
                            struct pgs_linear *upload, VkDeviceAddress *address);

/* Address of a pgs_query_set; 0 when no query counts. */
VkResult pgs_capture_queries(struct pgs_capture_tables *tables, const struct pgs_query_set *queries,
                             struct pgs_linear *upload, VkDeviceAddress *address);

/* Vertices of a captured primitive. */
uint32_t pgs_xfb_vertices_per_primitive(const struct pgs_emulated_pipeline *pipeline,
                                        const struct pgs_draw_plan *plan);

/* The record of subdraw `subdraw`. `tiles` and `copies` may be 0 where the plan has no use for
 * them. */
void pgs_capture_fill(struct pgs_capture *capture, const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan, uint32_t subdraw, VkDeviceAddress record,
                      VkDeviceAddress tiles, VkDeviceAddress copies,
                      const struct pgs_xfb_target *target);

/* Bytes from one of several pgs_capture to the next. */
#define PGS_CAPTURE_STRIDE_B ((sizeof(struct pgs_capture) + 15) / 16 * 16)
static_assert(PGS_CAPTURE_STRIDE_B == PGS_CAPTURE_BEFORE_B, "a record follows its capture");

#endif
