/* SPDX-License-Identifier: MIT
 *
 * Name and versions of the layer.
 */
#ifndef PGS_ENTRY_ENTRY_H
#define PGS_ENTRY_ENTRY_H

#include "vulkan/device.h"

#define PGS_LAYER_NAME "VK_LAYER_poly_gs"
#define PGS_LAYER_DESCRIPTION                                                                      \
    "Geometry shaders, tessellation and transform feedback in compute, for drivers without"
/* The build defines PGS_LAYER_VERSION, since CMake knows the version of the project. */

/* The newest core version whose commands and structs this build of the layer understands. */
#define PGS_CORE_VERSION VK_API_VERSION_1_3

#endif
