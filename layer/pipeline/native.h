/* SPDX-License-Identifier: MIT
 *
 * Pipelines that the driver draws by itself, where transform feedback is the layer's: what it takes
 * to capture and to count their draws beside them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_NATIVE_H
#define PGS_PIPELINE_NATIVE_H

#include "pipeline/emulated.h"

/* The driver's pipelines for an application's. */
struct pgs_native_pipelines {
    VkPipeline handle;                     /* the one that the application gets */
    VkPipeline of_stream[PGS_SPV_STREAMS]; /* that draw another stream than it does */
    VkPipeline nothing;                    /* draws nothing */
    uint32_t own_stream;                   /* of `handle` */
    uint32_t hidden_streams;               /* as in struct pgs_emulated_pipeline */
    bool uncounted;                        /* likewise */
};

/* All but the handle. */
void pgs_native_pipelines_destroy(const struct pgs_device *dev,
                                  const struct pgs_native_pipelines *natives);

/* Which streams could the driver draw of such a pipeline? A geometry shader whose module it cannot
 * take is left one of its own; all else emits to stream 0. */
VkResult pgs_native_streams(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask);

/* Finds out which captures and counts the draws of a native pipeline need, and publishes that under
 * its handle, which was just created. Takes the pipelines over: on failure all are destroyed. */
VkResult pgs_native_pipeline_note(const struct pgs_create_call *call,
                                  const struct pgs_native_pipelines *natives);

/* Is this failure, to make what the layer wants beside a pipeline or in its place, no reason for
 * the creation to fail? The driver can draw what the layer cannot run, and most pipelines are never
 * counted; but it knows nothing of captures. Logs it. */
bool pgs_runs_anyway(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                     VkResult result);

/* Do shaders of a pipeline that the driver could draw run once more for what is captured or counted
 * (a vertex shader that captures, or all with tessellation or a geometry shader), and write memory
 * besides? Such shaders may not run twice. */
VkResult pgs_runs_twice_with_effects(const struct pgs_device *dev,
                                     const VkGraphicsPipelineCreateInfo *info, bool *effects);

#endif
