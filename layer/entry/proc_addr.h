/* SPDX-License-Identifier: MIT
 *
 * How commands of the layer are found.
 */
#ifndef PGS_ENTRY_PROC_ADDR_H
#define PGS_ENTRY_PROC_ADDR_H

#include <vulkan/vulkan.h>

/* For the loader, which asks for it when the interface is negotiated. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pgs_layer_GetPhysicalDeviceProcAddr(VkInstance instance,
                                                                             const char *name);

#endif
