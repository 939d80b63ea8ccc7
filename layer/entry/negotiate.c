/* SPDX-License-Identifier: MIT
 *
 * The only symbol that the library exports, but on Android (android.c).
 */
#include "entry/proc_addr.h"
#include "vulkan/hooks.h"

#define INTERFACE_VERSION 2

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    if (!interface || interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        interface->loaderLayerInterfaceVersion < INTERFACE_VERSION)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = INTERFACE_VERSION;
    interface->pfnGetInstanceProcAddr = pgs_GetInstanceProcAddr;
    interface->pfnGetDeviceProcAddr = pgs_GetDeviceProcAddr;
    interface->pfnGetPhysicalDeviceProcAddr = pgs_layer_GetPhysicalDeviceProcAddr;
    return VK_SUCCESS;
}
