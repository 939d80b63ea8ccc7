/* SPDX-License-Identifier: MIT
 *
 * Name and versions of the layer.
 */
#ifndef PGS_ENTRY_ENTRY_H
#define PGS_ENTRY_ENTRY_H

#include "vulkan/device.h"

#include <stdbool.h>

#define PGS_LAYER_NAME "VK_LAYER_poly_gs"
#define PGS_LAYER_DESCRIPTION                                                                      \
    "Geometry shaders, tessellation and transform feedback in compute, for drivers without"
/* The build defines PGS_LAYER_VERSION, since CMake knows the version of the project. */

/* The newest core version whose commands and structs this build of the layer understands: at most
 * that of the headers (CORE_VERSION of scripts/vk_registry.py, api_version of the manifest). */
#ifdef VK_API_VERSION_1_4
#define PGS_CORE_VERSION VK_API_VERSION_1_4
#else
#define PGS_CORE_VERSION VK_API_VERSION_1_3
#endif

/* True for versions that are reported as an older one. */
static inline bool pgs_is_later_version(uint32_t version)
{
    return VK_API_VERSION_MAJOR(version) > VK_API_VERSION_MAJOR(PGS_CORE_VERSION) ||
           (VK_API_VERSION_MAJOR(version) == VK_API_VERSION_MAJOR(PGS_CORE_VERSION) &&
            VK_API_VERSION_MINOR(version) > VK_API_VERSION_MINOR(PGS_CORE_VERSION));
}

/* True for failures of the moment, which say nothing of what the driver can do. */
static inline bool pgs_is_shortage(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
           result == VK_ERROR_TOO_MANY_OBJECTS || result == VK_ERROR_DEVICE_LOST;
}

#endif
