/* SPDX-License-Identifier: MIT
 *
 * Makes, resets and frees command buffers.
 */
#ifndef PGS_COMMAND_PASS_LIFETIME_H
#define PGS_COMMAND_PASS_LIFETIME_H

#include "command/state/buffer.h"

/* Makes the layer's side of a command buffer that the driver has allocated. */
VkResult pgs_command_pool_add(struct pgs_command_pool *pool, VkCommandBufferLevel level,
                              VkCommandBuffer handle);

/* Frees it. Before the handle goes down: another thread may get the same one as soon as the driver
 * has it. */
void pgs_command_buffer_remove(struct pgs_command_buffer *cb);

/* Frees the pool and its command buffers. NULL is fine. */
void pgs_command_pool_destroy(struct pgs_command_pool *pool);

/* Drops everything recorded. */
void pgs_command_buffer_reset(struct pgs_command_buffer *cb);

#endif
