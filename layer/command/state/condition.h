/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering of a command buffer: its own, or inherited.
 */
#ifndef PGS_COMMAND_STATE_CONDITION_H
#define PGS_COMMAND_STATE_CONDITION_H

#include "command/state/buffer.h"

/* A secondary may inherit a condition. Its draws read it from memory that is filled at execution. A
 * secondary that records whole passes begins the condition itself, so that the driver knows of no
 * other one: an inherited condition could not be ended around the layer's work. */
void pgs_condition_inherit(struct pgs_command_buffer *cb,
                           const VkCommandBufferInheritanceInfo *inherited); /* may be NULL */

/* Call it when the command buffer begins a condition of its own, which rules out an inherited one.
 * In a pass, call it before anything of the pass is recorded. */
void pgs_condition_leave_inherited(struct pgs_command_buffer *cb);

/* Call it outside of passes when the command buffer's own condition has ended: the inherited one
 * applies again. */
void pgs_condition_resume(struct pgs_command_buffer *cb);

/* Writes the condition's value to its slot; 0: nothing to do. */
void pgs_condition_write(struct pgs_command_buffer *cb, const struct pgs_condition *condition,
                         VkDeviceAddress slot);

/* The condition that the driver applies outside of passes now, or NULL. */
const struct pgs_condition *pgs_condition_outer(const struct pgs_command_buffer *cb);

/* The begin info of the condition. */
VkConditionalRenderingBeginInfoEXT pgs_condition_begin_info(const struct pgs_condition *condition);

/* Makes the driver apply the condition, or not, around the layer's work. Does nothing without a
 * buffer. */
void pgs_condition_begin(const struct pgs_command_buffer *cb,
                         const struct pgs_condition *condition);
void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition);

#endif
