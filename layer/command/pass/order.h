/* SPDX-License-Identifier: MIT
 *
 * Compute work that must not be done before what its pass has drawn so far: it reads what fragment
 * shaders or draws of the driver store, or overwrites what draws of the driver read. A barrier of
 * the application says so, or a dependency between subpasses. The pass is then ended and resumed.
 */
#ifndef PGS_COMMAND_PASS_ORDER_H
#define PGS_COMMAND_PASS_ORDER_H

#include "command/state/buffer.h"

/* Notes a barrier in the pass. Parameters: of synchronization2, as the application gave them. */
void pgs_order_note_barrier(struct pgs_pass *pass, VkPipelineStageFlags2 source,
                            VkAccessFlags2 source_access, VkPipelineStageFlags2 target);

/* Notes a dependency between two subpasses of a render pass that is created. */
void pgs_order_note_dependency(struct pgs_subpass_order *order, uint32_t to,
                               VkPipelineStageFlags2 source, VkAccessFlags2 source_access,
                               VkPipelineStageFlags2 target, VkAccessFlags2 target_access,
                               bool by_region);

/* Call it when the next subpass has begun. */
void pgs_order_next_subpass(struct pgs_command_buffer *cb);

/* Call it before a draw with compute work is added to the pass, or secondaries with such draws are
 * executed. stores: the work may store to memory of the application, other than by capture. */
void pgs_order_compute(struct pgs_command_buffer *cb, bool stores);

#endif
