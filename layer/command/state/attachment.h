/* SPDX-License-Identifier: MIT
 *
 * Aspects and contents of attachments.
 */
#ifndef PGS_COMMAND_STATE_ATTACHMENT_H
#define PGS_COMMAND_STATE_ATTACHMENT_H

#include "vulkan/device.h"

/* The aspects of an attachment with this format. */
VkImageAspectFlags pgs_format_aspects(VkFormat format);

/* True if an attachment keeps its contents after the instance. aspect: one bit. */
bool pgs_attachment_stays(VkAttachmentLoadOp load, VkAttachmentStoreOp store, VkImageLayout layout,
                          VkImageAspectFlagBits aspect);

/* True if the chain of a VkRenderingInfo or VkSubpassDescription2 says that attachments of one
 * sample are drawn to with several (VK_EXT_multisampled_render_to_single_sampled). These live as
 * long as the instance or subpass: attachments keep what is resolved. */
bool pgs_has_lone_samples(const void *chain);

#endif
