/* SPDX-License-Identifier: MIT
 *
 * Building blocks of deep copies.
 */
#include "vulkan/copy.h"

#include "base/log.h"
#include "vulkan/chain.h"

void *pgs_copy_unknown(struct pgs_copy *c, const VkBaseInStructure *node)
{
    const bool may_matter = pgs_struct_size(node->sType) != 0;
    c->misses |= may_matter;
    if (!c->exact || !may_matter)
        pgs_log_once(PGS_LOG_ERROR,
                     "the layer does not know the structure type %d in a pNext chain that it "
                     "copies: the driver does not see the structure",
                     (int)node->sType);
    return NULL;
}
