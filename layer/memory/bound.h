/* SPDX-License-Identifier: MIT
 *
 * Where buffers and images of the application lie in device memory.
 */
#ifndef PGS_MEMORY_BOUND_H
#define PGS_MEMORY_BOUND_H

#include "base/map.h"
#include "vulkan/device.h"

#include <stdatomic.h>

/* Usages that let shaders read through descriptors or pointers. */
#define PGS_SHADER_USAGE                                                                           \
    (VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |         \
     VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |                     \
     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

struct pgs_buffer_range {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B; /* up to the end of the buffer */
};

/* True if the two may share memory. Sparse buffers may share with all. Only tracked if the layer
 * emulates transform feedback. Thread-safe. */
bool pgs_buffers_meet(struct pgs_device *dev, const struct pgs_buffer_range *a,
                      const struct pgs_buffer_range *b);

/* The usages of everything that may share memory with a range, its own included: buffers that
 * shaders or draws can read, and images, with usages of texel buffers. Walks all of them. Otherwise
 * like pgs_buffers_meet. */
VkBufferUsageFlags pgs_usage_of_memory(struct pgs_device *dev,
                                       const struct pgs_buffer_range *range);

/* Call it when an image of the application was created, and before it is destroyed. Notes only
 * images that pgs_usage_of_memory has to know. Thread-safe. */
VkResult pgs_image_note(struct pgs_device *dev, VkImage image, const VkImageCreateInfo *info);

void pgs_image_forget(struct pgs_device *dev, VkImage image);

/* The following is internal to memory/. */

/* A buffer or an image. What the binding sets is valid once `memory` is not 0. */
struct pgs_bound {
    VkDeviceSize size_B;
    VkBufferUsageFlags usage; /* as the application asked; see pgs_image_note */
    bool anywhere; /* sparse or bound in pieces: its memory may change until it is used */
    VkDeviceSize offset_B;
    _Atomic uint64_t memory; /* VkDeviceMemory; 0: not bound yet */
};

/* The bytes of memory behind a range of a buffer or image. */
struct pgs_bytes {
    bool anywhere;   /* could be any memory */
    uint64_t memory; /* 0: none */
    VkDeviceSize begin_B, end_B;
};

struct pgs_buffer_table {
    struct pgs_map map;    /* VkBuffer -> struct buffer, which begins with a struct pgs_bound */
    struct pgs_map images; /* VkImage -> struct pgs_bound; only with emulated transform feedback */
    VkDeviceSize max_buffer_size_B;
    _Atomic VkDeviceSize largest_xfb_B;
};

void pgs_bound_to(struct pgs_bound *bound, VkDeviceMemory memory, VkDeviceSize offset_B);

/* Bytes behind a range, which is cut at the end of the buffer or image. */
struct pgs_bytes pgs_bytes_of(const struct pgs_bound *bound, VkDeviceSize offset_B,
                              VkDeviceSize size_B);

/* True if they may overlap. */
bool pgs_bytes_meet(const struct pgs_bytes *a, const struct pgs_bytes *b);

#endif
