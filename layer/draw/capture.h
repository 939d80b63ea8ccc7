/* SPDX-License-Identifier: MIT
 *
 * Fills struct pgs_capture, which tells transform feedback and queries about a draw, and the tables
 * that many draws share. Internal to draw/.
 */
#ifndef PGS_DRAW_CAPTURE_H
#define PGS_DRAW_CAPTURE_H

#include "base/arena.h"
#include "draw/interval.h"
#include "draw/technique.h"
#include "memory/memory.h"

/* Tables in upload memory, reused by later draws that need the same. Zero-initialised is empty. */
struct pgs_capture_tables {
    struct pgs_copies_table *copies; /* by pipeline, newest first; in the batch's arena */
    struct pgs_query_set queries;
    VkDeviceAddress queries_address; /* address of the copy of `queries`; 0: none yet */
};

/* Finds or makes the pipeline's table of pgs_xfb_copy. Errors: out of host or device memory. */
VkResult pgs_capture_copies(struct pgs_capture_tables *tables,
                            const struct pgs_emulated_pipeline *pipeline, struct pgs_arena *arena,
                            struct pgs_linear *upload, VkDeviceAddress *address);

/* Finds or makes the copy of a pgs_query_set; *address is 0 if no query counts. Errors: out of
 * device memory. */
VkResult pgs_capture_queries(struct pgs_capture_tables *tables, const struct pgs_query_set *queries,
                             struct pgs_linear *upload, VkDeviceAddress *address);

/* Vertices of a primitive that the draw captures. */
uint32_t pgs_xfb_vertices_per_primitive(const struct pgs_emulated_pipeline *pipeline,
                                        const struct pgs_draw_plan *plan);

/* Fills the pgs_capture of one subdraw. `tiles` and `copies` may be 0 if the plan does not use
 * them. */
void pgs_capture_fill(struct pgs_capture *capture, const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan, uint32_t subdraw, VkDeviceAddress record,
                      VkDeviceAddress tiles, VkDeviceAddress copies,
                      const struct pgs_xfb_target *target);

/* Bytes from one pgs_capture of an array to the next. */
#define PGS_CAPTURE_STRIDE_B ((sizeof(struct pgs_capture) + 15) / 16 * 16)
static_assert(PGS_CAPTURE_STRIDE_B == PGS_CAPTURE_BEFORE_B, "a record follows its capture");

#endif
