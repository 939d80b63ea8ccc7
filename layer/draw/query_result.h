/* SPDX-License-Identifier: MIT
 *
 * Query results as the host reads them. A public header of draw/.
 */
#ifndef PGS_DRAW_QUERY_RESULT_H
#define PGS_DRAW_QUERY_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan.h>

/* Writes one result in the layout of vkGetQueryPoolResults (VkQueryResultFlags) and returns its
 * size in bytes. Values that are not available are not written unless `flags` ask for partial
 * results. */
size_t pgs_query_pack(void *target, const uint64_t *values, uint32_t count, bool available,
                      VkQueryResultFlags flags);

#endif
