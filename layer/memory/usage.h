/* SPDX-License-Identifier: MIT
 *
 * Usages of the application's buffers.
 */
#ifndef PGS_MEMORY_USAGE_H
#define PGS_MEMORY_USAGE_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* Usages of transform feedback. The driver never sees them: they are invalid if it lacks the
 * extension. */
#define PGS_XFB_USAGE                                                                              \
    (VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |                                           \
     VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT)

/* Usages of buffers that a draw, its captures or its conditions can name. */
#define PGS_DRAW_USAGE                                                                             \
    (VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |                        \
     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |         \
     PGS_XFB_USAGE)

/* The usage with which a buffer is created, given the application's. `widened`: kernels may access
 * it (false: external memory whose other side does not allow that). `xfb`: results of queries that
 * the layer counts may be copied to it. */
VkBufferUsageFlags pgs_buffer_usage(VkBufferUsageFlags usage, bool widened, bool xfb);

#endif
