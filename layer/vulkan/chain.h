/* SPDX-License-Identifier: MIT
 *
 * pNext chains.
 */
#ifndef PGS_VULKAN_CHAIN_H
#define PGS_VULKAN_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

/* Size of the struct with this sType, the loader's two create-info structs included; 0 when we do
 * not know it. */
size_t pgs_struct_size(VkStructureType type);

/* The first node of the type in the chain, which may be NULL; NULL when there is none. The node is
 * the application's: to be written only where the specification says that the callee writes it. */
void *pgs_chain_find(const void *chain, VkStructureType type);

/* Copies the first nodes of a chain so that they can be edited: all nodes up to the last one whose
 * type is in `types`; the rest is shared. *copy is the new head (the given chain itself when none
 * of the types is in it), and *block, to be freed with pgs_free when the copy is not used any more,
 * owns the copies. The nodes are copied flat. VK_ERROR_OUT_OF_HOST_MEMORY, or
 * VK_ERROR_FEATURE_NOT_PRESENT when a node of unknown size stands before the last node to edit, so
 * that no copy is possible; *copy is the given chain then and *block NULL. */
VkResult pgs_chain_copy_prefix(const void *chain, const VkStructureType *types, size_t type_count,
                               const void **copy, void **block);

/* Takes the nodes of the types out of a chain that pgs_chain_copy_prefix copied for them; *head is
 * its `copy`. */
void pgs_chain_remove(const void **head, const VkStructureType *types, size_t type_count);

/* For a chain that somebody fills: what was written to the copies goes back to the nodes of
 * `chain`, but for those that pgs_chain_remove took out. Neither chain's links change. */
void pgs_chain_copy_back(void *chain, const void *copy, const VkStructureType *types,
                         size_t type_count);

#endif
