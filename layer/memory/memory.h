/* SPDX-License-Identifier: MIT
 *
 * Device memory of the layer's own, and what it knows of the application's buffers.
 */
#ifndef PGS_MEMORY_MEMORY_H
#define PGS_MEMORY_MEMORY_H

#include "vulkan/device.h"

/* A range of a buffer of ours. */
struct pgs_range {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B;
    VkDeviceAddress address; /* of the range */
    void *mapped;            /* of the range; NULL for device-only memory */
};

/* What command buffers draw from: a linear allocator over blocks that it takes from the device's
 * heap and gives back at reset. kind: host-visible records, or device-local scratch. Records are
 * device-local as well wherever the host can see such memory, so the few words that kernels write
 * into them need no copy elsewhere. Not thread-safe; the heap behind it is. */
enum pgs_memory_kind { PGS_MEMORY_UPLOAD, PGS_MEMORY_SCRATCH };
struct pgs_linear;
VkResult pgs_linear_create(struct pgs_device *dev, enum pgs_memory_kind kind,
                           struct pgs_linear **linear);
void pgs_linear_destroy(struct pgs_linear *linear); /* NULL is fine */
/* The range lives until the next rewind or reset. align_B: a power of two. Errors: out of host or
 * device memory, with a line in the log. */
VkResult pgs_linear_alloc(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                          struct pgs_range *range);
/* Without a line in the log where there is no memory. */
VkResult pgs_linear_try(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                        struct pgs_range *range);
VkDeviceSize
pgs_linear_held_B(const struct pgs_linear *linear); /* of all its blocks' parts, used or not */
void pgs_linear_rewind(struct pgs_linear *linear);  /* reuse the blocks from the start, keep them */
void pgs_linear_reset(struct pgs_linear *linear);   /* give the blocks back to the heap */

/* Sets dev->heap and allocates nothing on the device yet; out of host memory leaves it NULL.
 * Destroyed when all linears are. */
VkResult pgs_heap_create(struct pgs_device *dev);
void pgs_heap_destroy(struct pgs_device *dev);

/* Application buffers. */

/* Transform feedback, which the driver never has to do with: the usages are not even legal where it
 * does not know them. */
#define PGS_FEEDBACK_USAGE                                                                         \
    (VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |                                           \
     VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT)

struct pgs_buffer_info {
    VkDeviceSize size_B;
    VkDeviceAddress address;  /* 0: not known (not bound to memory yet, or no address usage) */
    VkBufferUsageFlags usage; /* as the application asked */
};
/* False for buffers that are not known. Thread-safe. */
bool pgs_buffer_lookup(struct pgs_device *dev, VkBuffer handle, struct pgs_buffer_info *info);

/* What shaders can read through descriptors or pointers. */
#define PGS_SHADER_USAGE                                                                           \
    (VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |         \
     VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |                     \
     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

struct pgs_buffer_range {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B; /* up to the end of the buffer */
};

/* Could the two share memory? Of sparse buffers nobody knows. Where transform feedback is ours.
 * Thread-safe. */
bool pgs_buffers_meet(struct pgs_device *dev, const struct pgs_buffer_range *a,
                      const struct pgs_buffer_range *b);

/* The usages of all that could share memory with a range, its own included: buffers, but for those
 * neither for shaders nor for draws, and images as if these were texel buffers. Goes through all
 * there are. As pgs_buffers_meet otherwise. */
VkBufferUsageFlags pgs_usage_of_memory(struct pgs_device *dev,
                                       const struct pgs_buffer_range *range);

/* An image of the application was created, where it is to be known of for that; or will be
 * destroyed. Thread-safe. */
VkResult pgs_image_note(struct pgs_device *dev, VkImage image, const VkImageCreateInfo *info);
void pgs_image_forget(struct pgs_device *dev, VkImage image);

/* Size of the largest buffer that transform feedback could capture to, of all that were ever
 * created: no captured counter exceeds it. Thread-safe. */
VkDeviceSize pgs_buffer_largest_feedback_B(struct pgs_device *dev);

/* Sets dev->buffers; out of host memory leaves it NULL. */
VkResult pgs_buffer_table_create(struct pgs_device *dev);
void pgs_buffer_table_destroy(struct pgs_device *dev);

#endif
