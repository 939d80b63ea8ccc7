/* SPDX-License-Identifier: MIT
 *
 * Render passes that pipelines keep: a variant may be made after the application has destroyed the
 * VkRenderPass with which it created the pipeline. The driver's object then lives on, since what is
 * made must be compatible with it.
 */
#ifndef PGS_PIPELINE_KEPT_RENDER_PASS_H
#define PGS_PIPELINE_KEPT_RENDER_PASS_H

#include "vulkan/device.h"

#include <stdatomic.h>

/* Attachments that a subpass has. */
struct pgs_subpass_uses {
    bool color, depth_stencil;
};

struct pgs_kept_render_pass {
    _Atomic uint32_t refs; /* the application's handle is one */
    VkRenderPass handle;
    bool may_outlive; /* created without callbacks that the application could take away */
    uint32_t subpass_count;
    struct pgs_subpass_uses subpasses[];
};

/* The render pass was just created. Errors: out of host memory. */
VkResult pgs_kept_render_pass_note(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass handle);
VkResult pgs_kept_render_pass_note2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                    const VkAllocationCallbacks *allocator, VkRenderPass handle);

/* In place of vkDestroyRenderPass, which follows when nobody keeps it any more. */
void pgs_kept_render_pass_destroy(struct pgs_device *dev, VkRenderPass handle,
                                  const VkAllocationCallbacks *allocator);

/* NULL: it cannot be kept. Thread-safe, as the release is. */
struct pgs_kept_render_pass *pgs_kept_render_pass_acquire(const struct pgs_device *dev,
                                                          VkRenderPass handle);
void pgs_kept_render_pass_release(const struct pgs_device *dev, struct pgs_kept_render_pass *pass);

#endif
