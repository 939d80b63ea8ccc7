/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering of a command buffer: its own, or inherited.
 */
#ifndef PGS_COMMAND_STATE_CONDITION_H
#define PGS_COMMAND_STATE_CONDITION_H

#include "command/state/buffer.h"

/* A secondary may inherit a condition: its draws ask for what will stand in a slot of its own. One
 * that records whole passes begins that condition here, and the driver does not know of any other:
 * what is inherited could not be ended for the work of the layer. */
void pgs_condition_inherit(struct pgs_command_buffer *cb,
                           const VkCommandBufferInheritanceInfo *inherited); /* NULL is fine */

/* A condition of the command buffer's own begins, so there is none to inherit. If that is within a
 * pass, nothing of the pass has been recorded yet. */
void pgs_condition_leave_inherited(struct pgs_command_buffer *cb);

/* Outside of passes, where a condition of the command buffer's own has ended: it heeds the
 * inherited one again. */
void pgs_condition_resume(struct pgs_command_buffer *cb);

/* Writes the slot; 0: nothing to do. */
void pgs_condition_write(struct pgs_command_buffer *cb, const struct pgs_condition *condition,
                         VkDeviceAddress slot);

/* The condition, if any, that the driver heeds now outside of passes. */
const struct pgs_condition *pgs_condition_outer(const struct pgs_command_buffer *cb);

/* What begins the condition. */
VkConditionalRenderingBeginInfoEXT pgs_condition_begin_info(const struct pgs_condition *condition);

/* The driver heeds the condition, or not for what the layer does. Nothing for one without buffer.
 */
void pgs_condition_begin(const struct pgs_command_buffer *cb,
                         const struct pgs_condition *condition);
void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition);

#endif
