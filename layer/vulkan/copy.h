/* SPDX-License-Identifier: MIT
 *
 * Building blocks of deep copies: space in an arena, and one out-of-memory flag that is checked
 * once at the end. All functions return NULL for NULL and for nothing to copy.
 */
#ifndef PGS_VULKAN_COPY_H
#define PGS_VULKAN_COPY_H

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>
#include <vulkan/vulkan.h>

struct pgs_copy {
    struct pgs_arena *arena;
    bool failed; /* out of memory: do not use any copy made since the start */
    bool exact;  /* report structs that cannot be copied */
    bool misses; /* with `exact`: something was left out */
};

/* Uninitialised. */
static inline void *pgs_copy_space(struct pgs_copy *c, size_t count, size_t size_B)
{
    if (count == 0)
        return NULL;
    void *to = count <= SIZE_MAX / size_B
                   ? pgs_arena_alloc(c->arena, count * size_B, sizeof(uint64_t))
                   : NULL;
    if (__builtin_expect(!to, 0))
        c->failed = true;
    return to;
}

static inline void *pgs_copy_array(struct pgs_copy *c, const void *from, size_t count,
                                   size_t size_B)
{
    void *to = from ? pgs_copy_space(c, count, size_B) : NULL;
    if (to && count * size_B == sizeof(uint64_t)) /* most arrays are one handle */
        memcpy(to, from, sizeof(uint64_t));
    else if (to)
        memcpy(to, from, count * size_B);
    return to;
}

/* An array whose elements lie stride_B apart, as they lie. */
static inline void *pgs_copy_strided(struct pgs_copy *c, const void *from, size_t count,
                                     size_t stride_B, size_t size_B)
{
    return count ? pgs_copy_array(c, from, (count - 1) * stride_B + size_B, 1) : NULL;
}

static inline const char *pgs_copy_string(struct pgs_copy *c, const char *from)
{
    return from ? pgs_copy_array(c, from, strlen(from) + 1, 1) : NULL;
}

/* A chain node for whose type there is no copy: left out (NULL), and noted with `exact`, else said
 * once in the log. A type that the layer does not know at all belongs to an extension that it
 * hides, so that nobody has to see the node: that is said, and not noted. */
void *pgs_copy_unknown(struct pgs_copy *c, const VkBaseInStructure *node);

#endif
