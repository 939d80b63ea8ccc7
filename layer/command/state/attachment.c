/* SPDX-License-Identifier: MIT
 *
 * Aspects and contents of attachments.
 */
#include "command/state/attachment.h"

#include "vulkan/chain.h"

/* True if nothing can write this aspect in the layout. */
static bool reads_only(VkImageLayout layout, VkImageAspectFlagBits aspect)
{
    switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
        return true;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
        return aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
        return aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return false;
    }
}

bool pgs_attachment_stays(VkAttachmentLoadOp load, VkAttachmentStoreOp store, VkImageLayout layout,
                          VkImageAspectFlagBits aspect)
{
    if (store == VK_ATTACHMENT_STORE_OP_STORE)
        return true;
    /* STORE_OP_NONE keeps the contents if nothing was written, not even a clear. */
    return store == VK_ATTACHMENT_STORE_OP_NONE && load == VK_ATTACHMENT_LOAD_OP_LOAD &&
           reads_only(layout, aspect);
}

bool pgs_has_lone_samples(const void *chain)
{
    const VkMultisampledRenderToSingleSampledInfoEXT *info =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT);
    return info && info->multisampledRenderToSingleSampledEnable;
}

VkImageAspectFlags pgs_format_aspects(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}
