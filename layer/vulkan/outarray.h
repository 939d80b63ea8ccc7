/* SPDX-License-Identifier: MIT
 *
 * The count / VK_INCOMPLETE protocol of Vulkan's enumerations:
 *     struct pgs_outarray out = pgs_outarray_begin(pProperties, pCount);
 *     uint32_t i;
 *     if (pgs_outarray_next(&out, &i)) pProperties[i] = ...;      for each element
 *     return pgs_outarray_end(&out);
 */
#ifndef PGS_VULKAN_OUTARRAY_H
#define PGS_VULKAN_OUTARRAY_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct pgs_outarray {
    uint32_t *count; /* the caller's */
    bool fill;       /* false: the caller only asks for the number */
    uint32_t capacity, written, wanted;
};

static inline struct pgs_outarray pgs_outarray_begin(const void *items, uint32_t *count)
{
    return (struct pgs_outarray){
        .count = count, .fill = items != NULL, .capacity = items ? *count : 0};
}

/* Announces one more element. True: write it at *index. */
static inline bool pgs_outarray_next(struct pgs_outarray *out, uint32_t *index)
{
    out->wanted++;
    if (out->written == out->capacity)
        return false;
    *index = out->written++;
    return true;
}

/* Stores the caller's count. VK_INCOMPLETE when elements did not fit. */
static inline VkResult pgs_outarray_end(const struct pgs_outarray *out)
{
    *out->count = out->fill ? out->written : out->wanted;
    return out->fill && out->written < out->wanted ? VK_INCOMPLETE : VK_SUCCESS;
}

#endif
