/* SPDX-License-Identifier: MIT
 *
 * The draws of one render pass instance: planned one by one, recorded together. A public header of
 * draw/.
 */
#ifndef PGS_DRAW_BATCH_H
#define PGS_DRAW_BATCH_H

#include "draw/draw.h"

/* Owned by the command buffer. All memory that a batch takes (records, scratch) belongs to the
 * command buffer until pgs_batch_reset. Not thread-safe: a command buffer is externally
 * synchronised. */
struct pgs_batch;
struct pgs_replacement; /* see replay.h; lives until pgs_batch_reset */

/* `sibling`: the first batch of the same command buffer, or NULL. Siblings share its memory, which
 * is freed when the first one is reset or destroyed and reused when it begins its next pass. So
 * reset, destroy and advance all siblings together. `commons`: where pools may lie, or NULL. */
VkResult pgs_batch_create(struct pgs_device *dev, struct pgs_batch *sibling,
                          struct pgs_commons *commons, struct pgs_batch **batch);

/* The GPU must be done with it. NULL is fine. */
void pgs_batch_destroy(struct pgs_batch *batch);

/* The command buffer is reset: returns all memory. begins: it is recorded again at once, so what it
 * had mostly stays with it. */
void pgs_batch_reset(struct pgs_batch *batch, bool begins);

/* The command buffer is recorded: returns what it kept if it has no draws this time. */
void pgs_batch_give_unused(struct pgs_batch *batch);

/* The pass is recorded: the next pass of the command buffer may reuse its scratch. */
void pgs_batch_next_pass(struct pgs_batch *batch);

/* Plans one draw and takes the memory for it. With a pipeline that has a view_mask, add it once for
 * each of its views, which is state->view_index, in rising order. Draws of native pipelines
 * (state->counted) are planned for what transform feedback and queries want of them. Captures with
 * state->interval, counts for state->queries.
 *
 * *replacement is what pgs_draw_replay draws in place of the application's draw. It is NULL if
 * there is nothing to replay: no vertices, no complete primitive, or a native draw that goes to the
 * driver unchanged. Two native draws have a *replacement: one by byte count, and one that captures
 * while nothing is rasterized, whose replay does nothing.
 *
 * `follows`: the replay of this draw comes right after that of the last *replacement, with nothing
 * recorded between them. Then *replacement is also NULL if the last one draws this draw, too.
 *
 * By byte count, the records have room for the vertices in the bound vertex buffers, or if none
 * are bound for those in the largest buffer that transform feedback can write.
 * Errors: out of host or device memory. */
VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, bool follows,
                       struct pgs_replacement **replacement);

/* Adds an indirect draw of the driver with a count, of up to max_draws, on drivers that cannot read
 * it. Its captures and counts are added apart. Errors: as pgs_batch_add. */
VkResult pgs_batch_add_draw_count(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call,
                                  struct pgs_replacement **replacement);

/* False: the draw goes in no rounds (rounds.h). Quick. */
bool pgs_batch_may_round(const struct pgs_batch *batch, const struct pgs_graphics_state *state,
                         const struct pgs_draw_call *call);
/* Finds the rounds of a draw that may go in some, in a pass that may be split. Errors: as
 * pgs_batch_add. */
VkResult pgs_batch_rounds(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                          const struct pgs_draw_call *call, struct pgs_rounds *rounds);

/* As pgs_batch_add for a draw that follows, if *replacement would be NULL because the last one
 * draws it, too. Quick. False: the draw was not added. */
bool pgs_batch_add_next(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                        const struct pgs_direct_call *call);
/* As pgs_batch_add for a draw that follows and differs from the last one in what is bound and
 * pushed. Nearly as quick. False: as above. */
bool pgs_batch_add_changed(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                           const struct pgs_direct_call *call,
                           struct pgs_replacement **replacement);
/* As pgs_batch_add for a draw that goes on, after others, with an earlier inline one of its
 * pipeline. Quick. *replacement is NULL: the draw was not added. Errors: out of host memory. */
VkResult pgs_batch_add_back(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                            const struct pgs_direct_call *call,
                            struct pgs_replacement **replacement);
/* As pgs_batch_add_next for an indirect call of one draw without a count. */
bool pgs_batch_add_next_indirect(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                 bool indexed, struct pgs_counter args);
bool pgs_batch_is_empty(const struct pgs_batch *batch);

/* The pass gets no more draws, in this batch or its siblings: takes memory for the pools from which
 * the GPU allocates, and says which calls of the batch are drawn at once. Call it for each batch
 * of the pass. Call it before recording, or before a secondary ends. Errors: out of host or
 * device memory. */
VkResult pgs_batch_seal(struct pgs_batch *batch);

/* vkCmdBeginTransformFeedbackEXT, in the order of the draws. The interval lies in the batch's
 * memory. It may continue in later batches of the same command buffer, which stay ordered. Buffers
 * that are not bound or that the layer cannot write capture nothing. Arrays are indexed by
 * binding. *interval is for pgs_graphics_state. Errors: out of host or device memory. */
VkResult pgs_batch_begin_xfb(struct pgs_batch *batch,
                             const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS],
                             const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS],
                             VkDeviceAddress *interval);

/* `interval` is the one of Begin, `batch` the batch that takes draws now. */
VkResult pgs_batch_end_xfb(struct pgs_batch *batch, VkDeviceAddress interval,
                           const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS]);

/* A query ends after the draws so far and becomes available. `query`: address of its first word. */
VkResult pgs_batch_end_query(struct pgs_batch *batch, VkDeviceAddress query);

/* Records the compute work of all draws, stage by stage, with the barriers that it needs: before it
 * (scratch that earlier commands used), between stages, and after it (compute to index, indirect,
 * vertex attribute, vertex shader). Outside a render pass. Clobbers the compute bind point and push
 * constants, which the caller restores. Adds to *invocations the compute shader invocations that it
 * dispatches, as a driver counts them. own: mapped memory that lives as long as the commands, of
 * which large dispatches may take a little; NULL: they do without. Errors: as
 * vkCreateComputePipelines; then it records nothing. */
VkResult pgs_batch_record(const struct pgs_batch *batch, VkCommandBuffer cb,
                          enum pgs_batch_place place, struct pgs_linear *own,
                          uint64_t *invocations);

/* Call it after pgs_batch_record. Adds the invocations of dispatches whose grids the GPU writes to
 * the 64-bit value at `value`. Records nothing if there are none. Memory from `linear` must live as
 * long as the commands. Adds its own invocations to *invocations. Clobbers as pgs_batch_record. */
VkResult pgs_batch_count_grids(struct pgs_batch *batch, VkCommandBuffer cb, VkDeviceAddress value,
                               struct pgs_linear *linear, uint64_t *invocations);

#endif
