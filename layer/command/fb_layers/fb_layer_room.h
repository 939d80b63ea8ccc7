/* SPDX-License-Identifier: MIT
 *
 * What a device has for passes that are recorded for each layer.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_ROOM_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_ROOM_H

#include "base/map.h"
#include "memory/memory.h"
#include "vulkan/device.h"

#include <pthread.h>

/* What a device has for it. NULL in the command room where nothing is replayed. */
struct pgs_fb_layer_room {
    /* The driver's commands, which also note the graphics state that they set. What is recorded
     * directly goes through them, and what is replayed, too. */
    struct pgs_device_dispatch noting_vk;
    struct pgs_device_dispatch layer_vk; /* those, for one layer of a pass */
    struct pgs_device_dispatch scan_vk;  /* looks for queries */
    struct pgs_map views;                /* VkImageView -> struct pgs_view */
    struct pgs_map framebuffers;         /* VkFramebuffer -> struct pgs_framebuffer */
    struct pgs_map sliced_images;        /* VkImage, 3D with layers -> something */
    pthread_mutex_t lock;                /* of all that is made from them later, and of the below */
    struct pgs_linear *memory;
    struct pgs_range numbers; /* struct layer_numbers, as many as a framebuffer can have layers */
};

#endif
