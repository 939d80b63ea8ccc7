/* SPDX-License-Identifier: MIT
 *
 * From VkFormat to the formats of the vertex fetch library (poly_gs/format.h).
 */
#ifndef PGS_PIPELINE_FORMAT_H
#define PGS_PIPELINE_FORMAT_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* The number that the fetch library knows `format` by, and in *size_B the bytes of an element; 0
 * and 0 for formats that cannot be vertex attributes. */
uint32_t pgs_format_from_vk(VkFormat format, uint32_t *size_B);

#endif
