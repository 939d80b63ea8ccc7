/* SPDX-License-Identifier: MIT
 *
 * Native pipelines, if transform feedback is emulated: captures and counts their draws. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_NATIVE_H
#define PGS_PIPELINE_NATIVE_H

#include "pipeline/emulated.h"

/* The driver's pipelines for an application's. */
struct pgs_native_pipelines {
    VkPipeline handle;                     /* the handle that the application gets */
    VkPipeline of_stream[PGS_SPV_STREAMS]; /* for other streams than own_stream */
    VkPipeline nothing;                    /* draws nothing */
    uint32_t own_stream;                   /* of `handle` */
    uint32_t hidden_streams;               /* as in struct pgs_emulated_pipeline */
    bool uncounted;                        /* as in struct pgs_emulated_pipeline */
};

/* Destroys all but `handle`. */
void pgs_native_pipelines_destroy(const struct pgs_device *dev,
                                  const struct pgs_native_pipelines *natives);

/* Streams that the driver could draw with the pipeline. A geometry shader whose module it refuses
 * is reduced to one stream; everything else emits to stream 0. */
VkResult pgs_native_streams(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask);

/* Finds the variants that capture and count draws of a native pipeline, and publishes them under
 * its handle, which was just created. Takes the pipelines over, and destroys all of them on
 * failure. */
VkResult pgs_native_pipeline_note(const struct pgs_create_call *call,
                                  const struct pgs_native_pipelines *natives);

/* True if the creation may succeed although the layer could not make its own shaders: the driver
 * can draw the pipeline, and most pipelines are never counted. False if it captures, which the
 * driver cannot do. Logs the failure. */
bool pgs_runs_anyway(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                     VkResult result);

/* Finds out if a shader in front of the rasterizer writes memory and the driver lacks
 * vertexPipelineStoresAndAtomics. Such a pipeline is never the driver's. */
VkResult pgs_needs_stores(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                          bool *needs);

/* Finds out if shaders of a pipeline that the driver could draw would run again for captures or
 * counts (a vertex shader that captures; all of them with tessellation or a geometry shader) and
 * write memory. Such shaders must not run twice. */
VkResult pgs_runs_twice_with_effects(struct pgs_device *dev,
                                     const VkGraphicsPipelineCreateInfo *info, bool *effects);

#endif
