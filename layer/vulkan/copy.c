/* SPDX-License-Identifier: MIT
 *
 * Building blocks of deep copies.
 */
#include "vulkan/copy.h"

#include "base/log.h"

void *pgs_copy_unknown(struct pgs_copy *c, const VkBaseInStructure *node)
{
    c->misses = true;
    if (!c->exact)
        pgs_log_once(
            PGS_LOG_WARN,
            "the layer does not know the structure type %d in the pNext chain of a command: "
            "the driver does not see the structure",
            (int)node->sType);
    return NULL;
}
