/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering of a command buffer: its own, or inherited.
 */
#ifndef PGS_COMMAND_CONDITION_H
#define PGS_COMMAND_CONDITION_H

#include "command/state/buffer.h"

/* A secondary may inherit a condition: its draws ask for what will stand in a slot of its own. One
 * that records whole passes begins that condition here, and the driver does not know of any other:
 * what is inherited could not be ended for the work of the layer. */
void pgs_condition_inherit(struct pgs_command_buffer *cb,
                           const VkCommandBufferInheritanceInfo *inherited); /* NULL is fine */

/* Writes the slot; 0: nothing to do. */
void pgs_condition_write(struct pgs_command_buffer *cb, const struct pgs_condition *condition,
                         VkDeviceAddress slot);

/* The condition, if any, that the driver heeds now outside of passes. */
const struct pgs_condition *pgs_condition_outer(const struct pgs_command_buffer *cb);

/* One that began in the pass, which is about to be ended early: ends there, and begins again where
 * the pass goes on. Its buffer may not change in between. */
struct pgs_condition pgs_condition_pause(struct pgs_command_buffer *cb);
void pgs_condition_unpause(struct pgs_command_buffer *cb, const struct pgs_condition *paused);

/* Outside of passes, where a condition of the command buffer's own has ended: it heeds the
 * inherited one again. */
void pgs_condition_resume(struct pgs_command_buffer *cb);

/* The driver heeds the condition, or not for what the layer does. Nothing for one without buffer.
 */
void pgs_condition_begin(const struct pgs_command_buffer *cb,
                         const struct pgs_condition *condition);
void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition);

#endif
