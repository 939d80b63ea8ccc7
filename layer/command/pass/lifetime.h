/* SPDX-License-Identifier: MIT
 *
 * Creates, resets and frees command buffers.
 */
#ifndef PGS_COMMAND_PASS_LIFETIME_H
#define PGS_COMMAND_PASS_LIFETIME_H

#include "command/state/buffer.h"

/* Creates the layer's object for a command buffer that the driver has allocated. */
VkResult pgs_command_pool_add(struct pgs_command_pool *pool, VkCommandBufferLevel level,
                              VkCommandBuffer handle);

/* Frees it. Call it before the driver frees the handle, as another thread may get the same handle
 * then. */
void pgs_command_buffer_remove(struct pgs_command_buffer *cb);

/* Frees the pool and its command buffers. pool may be NULL. */
void pgs_command_pool_destroy(struct pgs_command_pool *pool);

/* Drops all recorded commands and state. begins: others follow at once. */
void pgs_command_buffer_reset(struct pgs_command_buffer *cb, bool begins);

#endif
