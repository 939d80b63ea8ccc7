/* SPDX-License-Identifier: MIT
 *
 * Lifetime of the emulated pipeline behind an application's pipeline. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_EMULATED_H
#define PGS_PIPELINE_EMULATED_H

#include "pipeline/source.h"

/* The arguments of vkCreateGraphicsPipelines for one pipeline. Borrowed. */
struct pgs_create_call {
    struct pgs_device *dev;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *info;
    const VkAllocationCallbacks *allocator;
    /* What the driver links an emulated pipeline of; NULL: it is made as a whole. */
    const struct pgs_raster_link *link;
    /* The caller does something else if shaders turn out not to run as compute: so creation, also
     * of a link, translates them. */
    bool falls_back;
    bool in_no_set; /* no indirect execution set can have it, whatever its flags say */
};

/* Makes a pipeline with its source and no variants. NULL: out of host memory. */
struct pgs_emulated_pipeline *pgs_emulated_pipeline_new(const struct pgs_create_call *call);

/* Finds the variants and makes those that usual draws need. Facts and layout must be known. Errors:
 * those of vkCreateGraphicsPipelines. */
VkResult pgs_emulated_pipeline_make(struct pgs_emulated_pipeline *pipeline);

/* Ends a creation, given its result so far. VK_SUCCESS: publishes the pipeline under its handle. On
 * failure, also of publishing, destroys everything, including the handle's pipeline. Returns the
 * final result. With an error the pipeline may be NULL. */
VkResult pgs_emulated_pipeline_finish(const struct pgs_create_call *call,
                                      struct pgs_emulated_pipeline *pipeline, VkResult result);

/* Creates a pipeline with a geometry shader, the application's or a pass-through one. On failure
 * nothing is left and *handle is VK_NULL_HANDLE. */
VkResult pgs_emulated_pipeline_create(const struct pgs_create_call *call, VkPipeline *handle);

/* Likewise one that draws lines which are wider than the driver's, of whatever stages. Only
 * VK_NULL_HANDLE: the pipeline has no such lines. */
VkResult pgs_wide_pipeline_create(const struct pgs_create_call *call, VkPipeline *handle);

/* Finds the facts of such a pipeline and keeps what it is made from, but makes nothing yet. Only
 * NULL: its create info cannot be kept. The caller makes or destroys it. */
VkResult pgs_emulated_pipeline_reflect(const struct pgs_create_call *call,
                                       struct pgs_emulated_pipeline **pipeline);

/* Makes what pipelines that are linked of call->link will want, each of them: of an info in which
 * the state of other parts may be a guess. Nobody may have the library of the part yet, which keeps
 * what threads go on with. Errors: those of vkCreateGraphicsPipelines. */
VkResult pgs_emulated_pipeline_prepare_links(const struct pgs_create_call *call);

/* Makes and publishes it, under a handle without allocation callbacks, or destroys it: then *handle
 * is VK_NULL_HANDLE. */
VkResult pgs_emulated_pipeline_make_later(struct pgs_emulated_pipeline *pipeline,
                                          VkPipeline *handle);

/* Destroys everything except the handle's pipeline. */
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
