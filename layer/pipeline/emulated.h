/* SPDX-License-Identifier: MIT
 *
 * The life of what stands behind one application pipeline. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_EMULATED_H
#define PGS_PIPELINE_EMULATED_H

#include "pipeline/source.h"

/* What vkCreateGraphicsPipelines got for one pipeline. Borrowed. */
struct pgs_create_call {
    struct pgs_device *dev;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *info;
    const VkAllocationCallbacks *allocator;
};

/* An empty pipeline with its source, and no variants; NULL: out of host memory. */
struct pgs_emulated_pipeline *pgs_emulated_pipeline_new(const struct pgs_create_call *call);

/* The facts and the layout are known: finds the variants and makes those that usual draws take.
 * Errors: those of vkCreateGraphicsPipelines. */
VkResult pgs_emulated_pipeline_make(struct pgs_emulated_pipeline *pipeline);

/* The end of a creation, with its result so far. VK_SUCCESS: publishes the pipeline under its
 * handle. Else, or if that fails, destroys what there is of it, the handle's pipeline included.
 * Returns the final result. NULL is fine with an error. */
VkResult pgs_emulated_pipeline_finish(const struct pgs_create_call *call,
                                      struct pgs_emulated_pipeline *pipeline, VkResult result);

/* Creates an application's pipeline with a geometry shader, or with one that hands primitives
 * through where the application gave none. On failure nothing is left and *handle is
 * VK_NULL_HANDLE. */
VkResult pgs_emulated_pipeline_create(const struct pgs_create_call *call, VkPipeline *handle);

/* Destroys all of it but the handle's pipeline. */
void pgs_emulated_pipeline_destroy(struct pgs_device *dev, struct pgs_emulated_pipeline *pipeline);

/* Takes it from the table and destroys it; nothing is done for other handles. */
void pgs_emulated_pipeline_forget(struct pgs_device *dev, VkPipeline handle);

/* The stream that the pipeline under the application's handle draws: the wanted one, or where
 * nobody emits to that, so that nothing is to be drawn, one that fits the fragment shader. */
static inline uint32_t pgs_handle_stream(uint32_t stream_mask, uint32_t wanted)
{
    uint32_t first = 0;
    if (!stream_mask || (wanted < 32 && (stream_mask >> wanted & 1)))
        return wanted;
    while (!(stream_mask >> first & 1))
        first++;
    return first;
}

#endif
