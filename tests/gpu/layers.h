/* SPDX-License-Identifier: MIT
 *
 * What the files of gpu-layers share: targets of several layers, and ways to draw into them.
 */
#ifndef PGS_TESTS_GPU_LAYERS_H
#define PGS_TESTS_GPU_LAYERS_H

#include "common/vkt.h"

#define LAYERS_SIDE_PX 32u
#define LAYERS_FORMAT VK_FORMAT_R32_UINT
#define LAYERS_DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

enum layers_kind {
    LAYERS_ARRAY, /* not from the first layer of the image */
    LAYERS_CUBE,
    LAYERS_SLICES, /* of a 3D image, without depth */
    LAYERS_ONE,    /* a single layer */
    LAYERS_KINDS
};

enum layers_way {
    LAYERS_PASS,
    LAYERS_IMAGELESS, /* and vkCmdBeginRenderPass2 */
    LAYERS_RENDERING,
    LAYERS_WAYS
};

extern const char *const layers_kind_names[LAYERS_KINDS];
extern const char *const layers_way_names[LAYERS_WAYS];

struct layers_image {
    VkImage image;
    VkImageView view; /* of the target's layers */
    VkImageAspectFlags aspect;
    uint32_t image_layers; /* 1 for slices */
};

struct layers_target {
    enum layers_kind kind;
    uint32_t layer_count, base_layer;
    bool has_depth;
    struct layers_image color, depth;
    VkRenderPass pass; /* clears */
    VkFramebuffer framebuffer, imageless;
};

struct layers_target layers_target(struct vkt *t, enum layers_kind kind);

/* Can the device do that? */
bool layers_way_possible(const struct vkt *t, enum layers_way way);

/* `flags` are added to those of vkCmdBeginRendering; a resuming one has no barriers. */
void layers_begin(VkCommandBuffer cmd, const struct layers_target *target, enum layers_way way,
                  VkSubpassContents contents, VkRenderingFlags flags);
void layers_end(VkCommandBuffer cmd, const struct layers_target *target, enum layers_way way,
                VkRenderingFlags flags);

/* All layers of both images, as results. They are in TRANSFER_SRC_OPTIMAL. */
void layers_dump(struct vkt *t, const struct layers_target *target, const char *name);

#endif
