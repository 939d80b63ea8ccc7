/* SPDX-License-Identifier: MIT
 *
 * Per-device state for passes that are recorded once per layer.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_DEVICE_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_DEVICE_H

#include "base/map.h"
#include "memory/memory.h"
#include "vulkan/device.h"

#include <pthread.h>

/* Per-device state. NULL in struct pgs_command_device if passes are never recorded per layer. */
struct pgs_fb_layer_device {
    /* The driver's commands, which also note the graphics state that they set. Direct recording and
     * replay both use them. */
    struct pgs_device_dispatch noting_vk;
    struct pgs_device_dispatch layer_vk; /* noting_vk for one layer of a pass */
    struct pgs_device_dispatch scan_vk;  /* scans for queries */
    struct pgs_map views;                /* VkImageView -> struct pgs_view */
    struct pgs_map framebuffers;         /* VkFramebuffer -> struct pgs_framebuffer */
    struct pgs_map sliced_images;        /* VkImage, 3D with layered views -> non-NULL */
    pthread_mutex_t lock;                /* protects the objects that are made on demand, and
                                          * `numbers` */
    struct pgs_linear *memory;
    struct pgs_range numbers; /* struct layer_numbers, one per layer that a framebuffer can have */
};

#endif
