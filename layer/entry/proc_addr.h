/* SPDX-License-Identifier: MIT
 *
 * How programs and the loader find the commands of the layer. Internal to entry/.
 */
#ifndef PGS_ENTRY_PROC_ADDR_H
#define PGS_ENTRY_PROC_ADDR_H

#include <vulkan/vulkan.h>

/* vk_layerGetPhysicalDeviceProcAddr. The loader gets it at negotiation. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pgs_layer_GetPhysicalDeviceProcAddr(VkInstance instance,
                                                                             const char *name);

#endif
