/* SPDX-License-Identifier: MIT
 *
 * The facts of a pipeline with tessellation. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_TESSELLATION_H
#define PGS_PIPELINE_TESSELLATION_H

#include "pipeline/source.h"

/* Combines the facts of both shaders, which must respect the reported limits, and the state of
 * patches. The state must be recorded and both shaders open. */
VkResult pgs_reflect_tessellation(struct pgs_pipeline_source *source);

/* Vertices per primitive. Call it after pgs_reflect_tessellation. */
uint32_t pgs_tessellated_primitive_vertices(const struct pgs_emulated_pipeline *pipeline);

#endif
