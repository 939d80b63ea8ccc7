/* SPDX-License-Identifier: MIT */
#include "vulkan/chain.h"

#include "base/alloc.h"
#include "base/log.h"

#include <string.h>

#define NODE_ALIGN_B sizeof(uint64_t)

void *pgs_chain_find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *node = chain;
    while (node && node->sType != type)
        node = node->pNext;
    return (void *)node;
}

static bool is_listed(VkStructureType type, const VkStructureType *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (types[i] == type)
            return true;
    }
    return false;
}

static size_t padded_size(VkStructureType type)
{
    return (pgs_struct_size(type) + NODE_ALIGN_B - 1) & ~(NODE_ALIGN_B - 1);
}

static const VkBaseInStructure *last_listed(const void *chain, const VkStructureType *types,
                                            size_t count)
{
    const VkBaseInStructure *last = NULL;
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (is_listed(node->sType, types, count) && pgs_struct_size(node->sType))
            last = node;
    }
    return last;
}

bool pgs_chain_is_known(const void *chain, const VkStructureType *types, size_t type_count)
{
    const VkBaseInStructure *last = last_listed(chain, types, type_count);
    for (const VkBaseInStructure *node = chain; last && node != last->pNext; node = node->pNext) {
        if (!pgs_struct_size(node->sType))
            return false;
    }
    return true;
}

/* What the copies take. */
static size_t measure(const VkBaseInStructure *chain, const VkBaseInStructure *last)
{
    size_t total_B = 0;
    for (const VkBaseInStructure *node = chain; node != last->pNext; node = node->pNext) {
        const size_t size_B = padded_size(node->sType);
        if (!size_B)
            pgs_log_once(PGS_LOG_ERROR,
                         "the layer does not know the structure type %d in a pNext chain that it "
                         "has to change: the driver does not see the structure",
                         (int)node->sType);
        total_B += size_B;
    }
    return total_B;
}

VkResult pgs_chain_copy_prefix(const void *chain, const VkStructureType *types, size_t type_count,
                               const void **copy, void **block)
{
    const VkBaseInStructure *last = last_listed(chain, types, type_count);
    *copy = chain;
    *block = NULL;
    if (!last)
        return VK_SUCCESS;
    unsigned char *storage = pgs_alloc(measure(chain, last));
    if (!storage)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    *copy = *block = storage;
    for (const VkBaseInStructure *node = chain; node != last->pNext; node = node->pNext) {
        VkBaseInStructure *to = (VkBaseInStructure *)storage;
        if (!pgs_struct_size(node->sType))
            continue;
        memcpy(to, node, pgs_struct_size(node->sType));
        storage += padded_size(node->sType);
        to->pNext = node == last ? last->pNext : (const VkBaseInStructure *)storage;
    }
    return VK_SUCCESS;
}

void pgs_chain_remove(const void **head, const VkStructureType *types, size_t type_count)
{
    VkBaseInStructure *last = NULL; /* last node that stays */
    for (const VkBaseInStructure *node = *head; node; node = node->pNext) {
        if (!is_listed(node->sType, types, type_count)) {
            last = (VkBaseInStructure *)node;
            continue;
        }
        if (last) /* precedes one of the types, so it is a copy */
            last->pNext = node->pNext;
        else
            *head = node->pNext;
    }
}

void pgs_chain_copy_back(void *chain, const void *copy, const VkStructureType *types,
                         size_t type_count)
{
    const VkBaseInStructure *from = copy;
    for (VkBaseOutStructure *to = chain; to; to = to->pNext) {
        if ((const void *)to == (const void *)from) /* the rest is shared */
            return;
        if (is_listed(to->sType, types, type_count))
            continue;
        memcpy(to + 1, from + 1, pgs_struct_size(to->sType) - sizeof(*to));
        from = from->pNext;
    }
}
