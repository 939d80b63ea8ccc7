/* SPDX-License-Identifier: MIT
 *
 * Pipelines that most applications never come to need: what they are made from is kept.
 */
#include "pipeline/room.h"

#include "base/alloc.h"

#include <stdatomic.h>

struct pgs_late_pipeline {
    struct pgs_spv_blob code;
    _Atomic uint64_t pipeline; /* VkPipeline */
};

struct pgs_late_pipeline *pgs_late_pipeline_create(struct pgs_spv_blob *blob)
{
    struct pgs_late_pipeline *late = pgs_calloc(1, sizeof(*late));
    if (late)
        late->code = *blob;
    else
        pgs_spv_blob_free(blob);
    *blob = (struct pgs_spv_blob){0};
    return late;
}

void pgs_late_pipeline_destroy(struct pgs_device *dev, struct pgs_late_pipeline *late)
{
    if (!late)
        return;
    dev->vk.DestroyPipeline(dev->handle, (VkPipeline)atomic_load(&late->pipeline), NULL);
    pgs_spv_blob_free(&late->code);
    pgs_free(late);
}

VkResult pgs_late_pipeline_get(struct pgs_device *dev, struct pgs_late_pipeline *late,
                               VkPipelineLayout layout, VkPipeline *pipeline)
{
    uint64_t known = atomic_load(&late->pipeline);
    VkPipeline made = VK_NULL_HANDLE;
    if (!known) {
        const VkResult result = pgs_compute_pipeline_create(dev, late->code.words,
                                                            late->code.word_count, layout, &made);
        if (result != VK_SUCCESS)
            return result;
        /* Whoever is first: the others' go. */
        if (atomic_compare_exchange_strong(&late->pipeline, &known, (uint64_t)made))
            known = (uint64_t)made;
        else
            dev->vk.DestroyPipeline(dev->handle, made, NULL);
    }
    *pipeline = (VkPipeline)known;
    return VK_SUCCESS;
}
