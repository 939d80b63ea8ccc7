/* SPDX-License-Identifier: MIT
 *
 * What attachments have, and keep.
 */
#ifndef PGS_COMMAND_STATE_ATTACHMENT_H
#define PGS_COMMAND_STATE_ATTACHMENT_H

#include "vulkan/device.h"

/* Of an attachment of that format. */
VkImageAspectFlags pgs_format_aspects(VkFormat format);

/* Whether an attachment still has its contents after the instance. aspect: one bit. */
bool pgs_attachment_stays(VkAttachmentLoadOp load, VkAttachmentStoreOp store, VkImageLayout layout,
                          VkImageAspectFlagBits aspect);

#endif
