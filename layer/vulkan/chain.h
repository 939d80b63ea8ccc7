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

/* Size of the struct with this sType, including the loader's two create-info structs; 0:
 * unknown. */
size_t pgs_struct_size(VkStructureType type);

/* First node of the type in the chain, which may be NULL; NULL: none. The node belongs to the
 * application: write it only where the specification says that the callee does. */
void *pgs_chain_find(const void *chain, VkStructureType type);

/* Copies the start of a chain for editing: all nodes up to the last one whose type is in `types`,
 * flat. The rest is shared. *copy is the new head, or the given chain if it has none of the types.
 * *block owns the copies; free it with pgs_free. Nodes of unknown size in front of the last one are
 * left out, which the log says: they belong to extensions that the layer hides, and whoever does
 * not support those has to skip them. Errors: VK_ERROR_OUT_OF_HOST_MEMORY. *copy is then the given
 * chain and *block NULL. */
VkResult pgs_chain_copy_prefix(const void *chain, const VkStructureType *types, size_t type_count,
                               const void **copy, void **block);

/* True if pgs_chain_copy_prefix leaves nothing out. */
bool pgs_chain_is_known(const void *chain, const VkStructureType *types, size_t type_count);

/* Removes the nodes of the types from a chain that pgs_chain_copy_prefix copied for them. *head is
 * its `copy`. */
void pgs_chain_remove(const void **head, const VkStructureType *types, size_t type_count);

/* For chains that the callee fills, and that are known: copies the contents of the copies back to
 * the nodes of `chain`, except those that pgs_chain_remove removed. Links do not change. */
void pgs_chain_copy_back(void *chain, const void *copy, const VkStructureType *types,
                         size_t type_count);

#endif
