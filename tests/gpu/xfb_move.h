/* SPDX-License-Identifier: MIT
 *
 * Items that move on: shaders/xfb_move.vert and .geom, with and without capture.
 */
#ifndef PGS_TESTS_GPU_XFB_MOVE_H
#define PGS_TESTS_GPU_XFB_MOVE_H

#include "gpu/xfb.h"

#define MOVE_SIDE_PX 64u
#define MOVE_ITEMS 40u
#define MOVE_ITEM_B 16u

struct move_item {
    uint32_t number, value, x, y;
};

enum move_kind { MOVE_SHOW, MOVE_SHOW_GEOMETRY, MOVE_CAPTURE, MOVE_CAPTURE_GEOMETRY, MOVE_KINDS };

struct move {
    struct vkt t;
    struct vkt_target target; /* xfb_target */
    VkPipelineLayout layout;
    VkPipeline pipelines[MOVE_KINDS];
    struct vkt_buffer items; /* the first ones, written by the host */
};

extern const char *const move_names[MOVE_KINDS];

/* Makes the device, too. */
void move_init(struct move *m, const char *name, int argc, char **argv);
/* Pipelines for another pass, or with pass NULL for dynamic rendering to one R32_UINT attachment.
 */
void move_pipelines(struct move *m, VkRenderPass pass, VkPipeline pipelines[MOVE_KINDS]);
/* Begins a pass: cleared, or what the one before left. */
void move_begin_pass(const struct move *m, VkCommandBuffer cmd, bool load);
/* Binds m->pipelines[kind], the vertex buffer and what is added to every item. */
void move_bind(const struct move *m, VkCommandBuffer cmd, enum move_kind kind, VkBuffer items,
               VkDeviceSize offset_B, struct move_item change);

#endif
