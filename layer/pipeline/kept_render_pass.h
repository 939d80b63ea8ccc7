/* SPDX-License-Identifier: MIT
 *
 * Render passes that pipelines keep. A variant may be made after the application has destroyed the
 * VkRenderPass of its pipeline. The driver's object is kept alive for that, as the variant must be
 * compatible with it.
 */
#ifndef PGS_PIPELINE_KEPT_RENDER_PASS_H
#define PGS_PIPELINE_KEPT_RENDER_PASS_H

#include "vulkan/device.h"

#include <stdatomic.h>

/* The attachments and views of a subpass. */
struct pgs_subpass_uses {
    bool color, depth_stencil;
    VkFormat depth_format; /* VK_FORMAT_UNDEFINED: it has no such attachment */
    uint32_t view_mask;    /* 0: no multiview */
};

struct pgs_kept_render_pass {
    _Atomic uint32_t refs; /* the application's handle counts as one */
    VkRenderPass handle;
    bool may_outlive; /* created without the application's allocation callbacks */
    uint32_t subpass_count;
    struct pgs_subpass_uses subpasses[];
};

/* Call it when the render pass has been created. Errors: out of host memory. */
VkResult pgs_kept_render_pass_note(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass handle);
VkResult pgs_kept_render_pass_note2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                    const VkAllocationCallbacks *allocator, VkRenderPass handle);

/* Replaces vkDestroyRenderPass, which is called with the last reference. Until then the handle is
 * known: the driver has no other object with it. */
void pgs_kept_render_pass_destroy(struct pgs_device *dev, VkRenderPass handle,
                                  const VkAllocationCallbacks *allocator);

/* The view mask of a subpass; 0: no multiview. Thread-safe. */
uint32_t pgs_render_pass_view_mask(const struct pgs_device *dev, VkRenderPass handle,
                                   uint32_t subpass);

/* The format of a subpass's depth and stencil attachment; VK_FORMAT_UNDEFINED: it has none.
 * Thread-safe. */
VkFormat pgs_render_pass_depth_format(const struct pgs_device *dev, VkRenderPass handle,
                                      uint32_t subpass);

/* NULL: it cannot be kept. Thread-safe, as is the release. */
struct pgs_kept_render_pass *pgs_kept_render_pass_acquire(const struct pgs_device *dev,
                                                          VkRenderPass handle);
void pgs_kept_render_pass_release(const struct pgs_device *dev, struct pgs_kept_render_pass *pass);

#endif
