/* SPDX-License-Identifier: MIT */
#include "vulkan/chain.h"

#include "base/alloc.h"

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

VkResult pgs_chain_copy_prefix(const void *chain, const VkStructureType *types, size_t type_count,
                               const void **copy, void **block)
{
    *copy = chain;
    *block = NULL;
    const VkBaseInStructure *last = NULL;
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (is_listed(node->sType, types, type_count))
            last = node;
    }
    if (!last)
        return VK_SUCCESS;

    size_t total_B = 0;
    for (const VkBaseInStructure *node = chain; node != last->pNext; node = node->pNext) {
        const size_t size_B = padded_size(node->sType);
        if (!size_B)
            return VK_ERROR_FEATURE_NOT_PRESENT;
        total_B += size_B;
    }
    unsigned char *storage = pgs_alloc(total_B);
    if (!storage)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    *copy = *block = storage;
    for (const VkBaseInStructure *node = chain; node != last->pNext; node = node->pNext) {
        VkBaseInStructure *to = (VkBaseInStructure *)storage;
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
