/* SPDX-License-Identifier: MIT
 *
 * Scenes that change: each frame draws four of them into the quarters of a target whose size
 * changes, and a fifth into a window, with pipelines, sets, buffers, command buffers and windows
 * that come and go. What a scene looks like depends on its kind and the size of a quarter alone.
 */
#ifndef PGS_TESTS_GPU_SCENES_H
#define PGS_TESTS_GPU_SCENES_H

#include "common/vkt.h"

#define SCENE_SIZES 3u
/* The side of a quarter of each size, in pixels. Powers of two, so that places are exact. */
#define SCENE_SIDE_PX(size) (16u << (size))
#define SCENE_MOST_PX SCENE_SIDE_PX(SCENE_SIZES - 1)
#define SCENE_LAYERS 2u
#define SCENE_FORMAT VK_FORMAT_R8G8B8A8_UNORM /* of targets and windows */
#define SCENE_CAPTURED_B 8192                 /* for captures; their counter is behind them */
#define SCENE_CAPTURED_PRIMITIVES 48u

enum scene_kind {
    SCENE_PLAIN,       /* without a geometry shader */
    SCENE_SQUARES,     /* points to squares, as many for each point */
    SCENE_STRIPS,      /* as many vertices as the data say */
    SCENE_INDEXED,     /* the same from triangles, with restart */
    SCENE_INDIRECT,    /* SCENE_STRIPS, from arguments in a buffer */
    SCENE_SECONDARY,   /* SCENE_STRIPS, recorded elsewhere */
    SCENE_TESSELLATED, /* without a geometry shader */
    SCENE_BOTH,        /* with one */
    SCENE_LAYERED,     /* squares in both layers */
    SCENE_CAPTURED,    /* squares, captured and counted, and drawn from there in the next pass */
    SCENE_KINDS,
    SCENE_SHOWN = SCENE_KINDS, /* draws what was captured; no scene of its own */
    SCENE_PIPELINES
};

enum scene_pass {
    SCENE_CLEARS, /* what a target gets first; ends to be drawn on */
    SCENE_LOADS,  /* ends to be copied */
    SCENE_SHOWS,  /* one layer of a window, cleared and presented */
    SCENE_PASSES
};

/* A device, what never changes on it, and the pictures that scenes must give: of a layer, row by
 * row, and of the next one. */
struct scene_device {
    struct vkt t;
    pthread_mutex_t queue_lock;
    VkRenderPass passes[SCENE_PASSES];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    struct vkt_buffer input; /* vertices, indices, arguments and colors; see scenes_kinds.c */
    uint32_t pictures[SCENE_KINDS][SCENE_SIZES][SCENE_LAYERS * SCENE_MOST_PX * SCENE_MOST_PX];
};

struct scene_window {
    VkSurfaceKHR surface; /* NULL: the driver has none */
    VkSwapchainKHR swapchain;
    VkSemaphore acquired, drawn[8]; /* the latter: into each image */
    VkImage images[8];
    VkImageView views[8];
    VkFramebuffer framebuffers[8];
    uint32_t size;
};

/* One thread's scenes. */
struct scene_actor {
    struct scene_device *device;
    struct vkt own;                    /* the device's, with what this one has to destroy */
    const struct vkt_cleanup *lasting; /* of that: what stays as long as the actor */
    struct vkt_thread thread;
    uint64_t random;
    VkPipeline pipelines[SCENE_PIPELINES];
    VkDescriptorSet set;
    VkQueryPool queries;
    VkImage image;
    VkFramebuffer framebuffer;
    struct vkt_buffer captured, read; /* the latter: the target's layers, then the window */
    uint32_t size;                    /* of a quarter */
    struct scene_window window;
    uint32_t frames, wrong; /* the latter: pictures that are not what they should be */
    pthread_t id;
};

void scene_device_open(struct scene_device *d, const struct vkt_options *options);
/* Draws each scene in each size; the pictures are right from then on. */
void scene_draw_pictures(struct scene_device *d);
/* Returns the exit status of the program. */
int scene_device_close(struct scene_device *d);

void scene_actor_open(struct scene_actor *a, struct scene_device *d, uint64_t seed);
void scene_actor_close(struct scene_actor *a);
/* Leaves the actor as it was opened, whatever it has drawn, for those who look at what it holds. */
void scene_actor_settle(struct scene_actor *a);
/* A frame of other scenes, whose pictures it compares. */
void scene_frame(struct scene_actor *a);
/* Less than `count`. */
uint32_t scene_random(struct scene_actor *a, uint32_t count);
/* Where the picture of the window lies in what is read back. */
VkDeviceSize scene_window_offset_B(const struct scene_actor *a);

/* -- scenes_kinds.c -- */

/* All that the set has: the colors of geometry shaders. */
extern const VkDescriptorSetLayoutBinding scene_binding;
struct vkt_buffer scene_input(struct vkt *t);
VkPipeline scene_pipeline(struct scene_device *d, uint32_t which);
void scene_write_set(struct scene_actor *a);
/* In a pass of the target or the window, or a secondary of one: draws into this place. */
void scene_record(const struct scene_actor *a, VkCommandBuffer cmd, uint32_t kind,
                  const VkRect2D *place);
/* Draws what SCENE_CAPTURED has captured, in the next pass. */
void scene_record_shown(const struct scene_actor *a, VkCommandBuffer cmd, const VkRect2D *place);

/* -- scenes_window.c -- */

void scene_window_open(struct scene_actor *a);
/* Another swapchain, in place of the one there may be. The device uses neither. */
void scene_window_resize(struct scene_actor *a, uint32_t size);
void scene_window_close(struct scene_actor *a);
/* The image that is drawn next. What draws it waits for window.acquired, and signals window.drawn,
 * for which scene_window_present waits. */
uint32_t scene_window_acquire(struct scene_actor *a);
/* Draws a scene into the image and reads it back; ends as it is presented. */
void scene_window_record(struct scene_actor *a, VkCommandBuffer cmd, uint32_t index, uint32_t kind);
void scene_window_present(struct scene_actor *a, uint32_t index);

#endif
