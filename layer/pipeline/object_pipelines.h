/* SPDX-License-Identifier: MIT
 *
 * Pipelines that stand in for shader objects where the driver's cannot draw: a stage is emulated,
 * or the draw is captured or counted. All of their state is dynamic, as it is with shader objects.
 */
#ifndef PGS_PIPELINE_OBJECT_PIPELINES_H
#define PGS_PIPELINE_OBJECT_PIPELINES_H

#include "pipeline/object_types.h"
#include "vulkan/device.h"

/* False: the system has no more locks. */
bool pgs_object_pipelines_init(struct pgs_object_pipelines *all);
/* Also destroys the pipelines. */
void pgs_object_pipelines_finish(struct pgs_device *dev);

/* Finds or makes the pipeline, which lives as long as its objects. VK_NULL_HANDLE on failure.
 * Errors: those of vkCreateGraphicsPipelines. Thread-safe. */
VkResult pgs_object_pipeline_get(struct pgs_device *dev, const struct pgs_object_key *key,
                                 VkPipeline *pipeline);

/* Destroys the pipelines of an object. Thread-safe. */
void pgs_object_pipelines_forget(struct pgs_device *dev, const struct pgs_shader_object *object);

#endif
