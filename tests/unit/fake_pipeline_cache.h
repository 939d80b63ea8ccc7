/* SPDX-License-Identifier: MIT
 *
 * The pipeline caches of the fake driver; fake_pipeline_driver.h includes it.
 */
#ifndef PGS_TEST_FAKE_PIPELINE_CACHE_H
#define PGS_TEST_FAKE_PIPELINE_CACHE_H

#include "fake_objects.h"
#include "vulkan/chain.h"

#include <stdatomic.h>

#define OWN_CACHE 0xCAC0 /* the first cache of the layer is the next handle */

static struct {
    _Atomic int made, alive; /* threads of the layer make caches, too */
    VkResult result;         /* of the next creations */
    bool finds;              /* every pipeline is found in the cache that it is created with */
} fake_cache;

static VkResult create_cache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkPipelineCache *cache)
{
    (void)device;
    (void)allocator;
    assert_int_equal(info->flags, 0); /* several threads use it */
    if (fake_cache.result != VK_SUCCESS)
        return fake_cache.result;
    fake_cache.alive++;
    *cache = (VkPipelineCache)(uintptr_t)(OWN_CACHE + atomic_fetch_add(&fake_cache.made, 1) + 1);
    return VK_SUCCESS;
}

static void destroy_cache(VkDevice device, VkPipelineCache cache,
                          const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    fake_cache.alive -= cache != VK_NULL_HANDLE;
}

/* Says whether a pipeline was found, to who asks for it in a create info's chain. */
static void answer_creation(const void *chain)
{
    const VkPipelineCreationFeedbackCreateInfo *asked =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (asked && asked->pPipelineCreationFeedback && fake_cache.finds)
        asked->pPipelineCreationFeedback->flags =
            VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
            VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
}

#endif
