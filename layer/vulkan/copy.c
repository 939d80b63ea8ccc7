/* SPDX-License-Identifier: MIT
 *
 * What deep copies are made of.
 */
#include "vulkan/copy.h"

#include "base/log.h"

void *pgs_copy_unknown(struct pgs_copy *c, const VkBaseInStructure *node)
{
    c->misses = true;
    if (!c->exact)
        pgs_log_once(PGS_LOG_WARN, "a structure of unknown type %d is left out of a queued command",
                     (int)node->sType);
    return NULL;
}
