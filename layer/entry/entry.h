/* SPDX-License-Identifier: MIT
 *
 * What the layer says of itself.
 */
#ifndef PGS_ENTRY_ENTRY_H
#define PGS_ENTRY_ENTRY_H

#include "vulkan/device.h"

#define PGS_LAYER_NAME "VK_LAYER_poly_gs"
#define PGS_LAYER_DESCRIPTION                                                                      \
    "Geometry shaders, tessellation and transform feedback in compute, for drivers without"
/* PGS_LAYER_VERSION comes from the build, which knows the version of the project. */

/* The newest core version whose commands and structs this layer was built to understand. */
#define PGS_CORE_VERSION VK_API_VERSION_1_3

#endif
