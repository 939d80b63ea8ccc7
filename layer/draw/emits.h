/* SPDX-License-Identifier: MIT
 *
 * What draws of a pipeline emit of what they could, where data decide that. An inline draw shades
 * all that may come, a stored one stores and draws what comes; so of a medium-sized draw nobody
 * knows beforehand which is faster. Stored draws tell: the GPU counts their indices anyway, and
 * some of them do so where the CPU sees it. It reads that when their command buffer is reset, and
 * draws of pipelines that emit much go inline from then on. Now and then one is stored again, as
 * data change. What is drawn is the same. Internal to draw/.
 */
#ifndef PGS_DRAW_EMITS_H
#define PGS_DRAW_EMITS_H

#include "draw/compute.h"
#include "draw/plan.h"

/* Sets rules->dense_el from what is known of the pipeline, which may be NULL. Thread-safe. */
void pgs_emits_rules(const struct pgs_emulated_pipeline *pipeline, struct pgs_device *dev,
                     struct pgs_plan_rules *rules);

/* Notes a draw of the memory that has just been planned or copied, and sets draw->tells if its
 * counts are wanted. Thread-safe. */
void pgs_emits_note(struct pgs_draw *draw, struct pgs_batch_memory *memory);

/* Lets those of the draws that tell count where the CPU sees it, once nothing is added to them and
 * before they are recorded. Without memory they do not. */
void pgs_emits_seal(struct pgs_draw *draws, struct pgs_batch_memory *memory);

/* Learns from what was sealed, and forgets it. When the GPU is done with it, and the memory is not
 * reset yet. The pipelines may be gone. */
void pgs_emits_read(struct pgs_batch_memory *memory, struct pgs_device *dev);

/* How draws that learn are inline. */
enum pgs_emits_inline {
    PGS_EMITS_LISTS,
    PGS_EMITS_JOINED,  /* one strip, of which each vertex runs what it needs */
    PGS_EMITS_INDEXED, /* each vertex is shaded once; all come but what is left out if stored */
};

/* Of draws that emit so many per cent of what they could: vertices that a pass may shade inline.
 * 0: as of others. Pure. */
uint64_t pgs_emits_most_el(const struct pgs_costs *costs, uint32_t percent,
                           enum pgs_emits_inline in_line);

#endif
