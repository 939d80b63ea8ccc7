/* SPDX-License-Identifier: MIT
 *
 * Earlier parts of a subpass with a view mask. At the beginning of such a subpass drivers may
 * forget what was bound and set, and the application does not know that its pass was ended and
 * resumed. So what it has recorded in the subpass is kept, and each later part binds and sets it
 * again.
 */
#ifndef PGS_COMMAND_PASS_PARTS_H
#define PGS_COMMAND_PASS_PARTS_H

#include "command/state/buffer.h"

/* A part that the driver has got. */
struct pgs_kept_part {
    struct pgs_queue held; /* of pgs_pass_hold; comes first */
    struct pgs_queue queue;
};

/* Call it when a pass begins that resumes no other, and when the next subpass begins, for which the
 * application binds and sets anew what it needs. */
static inline void pgs_parts_begin(struct pgs_pass *pass)
{
    pass->part_count = 0;
}

/* Call it before pgs_pass_flush if the pass will be resumed. Out of memory is latched. */
void pgs_parts_keep(struct pgs_command_buffer *cb);

/* Empties the queues of the pass when they have been recorded, into the kept part if there is one.
 */
void pgs_parts_reset_queues(struct pgs_command_buffer *cb);

/* Queues what binds and sets again what the kept parts did. */
void pgs_parts_set_again(struct pgs_command_buffer *cb);

/* Likewise what another queue binds and sets, which stays as it is until the pass is recorded. */
void pgs_parts_set_queue_again(struct pgs_command_buffer *cb, const struct pgs_queue *queue);

void pgs_parts_finish(struct pgs_pass *pass);

#endif
