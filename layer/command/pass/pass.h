/* SPDX-License-Identifier: MIT
 *
 * A render pass instance: queued while a draw in it could need emulation, then recorded with
 * the compute work of those draws before it.
 */
#ifndef PGS_COMMAND_PASS_PASS_H
#define PGS_COMMAND_PASS_PASS_H

#include "command/state/buffer.h"

/* Begins to queue where emulated draws are possible. `render_pass` may be VK_NULL_HANDLE. */
void pgs_pass_begin(struct pgs_command_buffer *cb, VkRenderPass render_pass);

/* The batch for the next emulated draw of the pass. NULL: out of memory, and latched. */
struct pgs_batch *pgs_pass_batch(struct pgs_command_buffer *cb);

/* Draws that follow may depend on what earlier ones of the pass wrote. */
void pgs_pass_split_batch(struct pgs_command_buffer *cb);

/* No more draws come to its batches. */
void pgs_pass_seal(struct pgs_command_buffer *cb);

/* Records the compute work of the pass and then what was queued. */
void pgs_pass_flush(struct pgs_command_buffer *cb);

#endif
