/* SPDX-License-Identifier: MIT
 *
 * Graphics pipelines whose create info says everything: who draws them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_WHOLE_H
#define PGS_PIPELINE_WHOLE_H

#include "pipeline/native.h"

/* True if the info can be passed on unchanged. */
bool pgs_whole_is_native(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* Finds out if the driver draws all pipelines that this part of an info may belong to, as far as
 * this part decides it. Members of other parts must be NULL. Errors: a stage cannot be read. */
VkResult pgs_whole_draws_natively(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                  bool *native);

/* Creates a pipeline, emulated or native. On failure nothing is left. Errors: those of
 * vkCreateGraphicsPipelines. */
VkResult pgs_whole_create(const struct pgs_create_call *call, VkPipeline *pipeline);

/* Ends what the layer has of a pipeline, before its handle is destroyed; of others, nothing. */
void pgs_whole_forget(struct pgs_device *dev, VkPipeline pipeline,
                      const VkAllocationCallbacks *allocator);

/* Registers a native pipeline, which may be VK_NULL_HANDLE, if its draws could be captured. On
 * failure it is destroyed, and *pipeline is VK_NULL_HANDLE. Errors: out of memory, and those of the
 * shaders that capture. */
VkResult pgs_whole_note_native(const struct pgs_create_call *call,
                               const struct pgs_native_pipelines *natives, VkPipeline *pipeline);

#endif
