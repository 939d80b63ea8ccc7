/* SPDX-License-Identifier: MIT
 *
 * The facts of a pipeline with tessellation. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_TESSELLATION_H
#define PGS_PIPELINE_TESSELLATION_H

#include "pipeline/source.h"

/* What the two shaders, which must keep to the reported limits, say together, and all else that the
 * pipeline knows of patches. The state is recorded and both are open. */
VkResult pgs_reflect_tessellation(struct pgs_pipeline_source *source);

/* After that: vertices of a primitive. */
uint32_t pgs_tessellated_corners(const struct pgs_emulated_pipeline *pipeline);

#endif
