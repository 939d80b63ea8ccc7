/* SPDX-License-Identifier: MIT
 *
 * Stored vertices as vertex attributes of the raster pipeline, on devices that fetch these ahead of
 * the vertex shader.
 */
#ifndef PGS_PIPELINE_FETCHED_INPUTS_H
#define PGS_PIPELINE_FETCHED_INPUTS_H

#include "pipeline/pipeline.h"
#include "spirv/spirv.h"

/* True if the raster pipelines of stored vertices may read them so: the class of the device says
 * it, and what `gs` stores fits into the driver's attributes. gs: with vertices in one array. Call
 * it when `polygons`, native_raster and tes_stored are known. physical: of the pipeline. */
bool pgs_may_fetch_vertices(const struct pgs_physical_device *physical,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_spv_geometry_info *gs);

/* The attributes of binding 0 for a stream: the quads that it has (pgs_spv_quad_location), and the
 * stride of the binding. Returns how many there are. */
uint32_t pgs_fetched_inputs(const struct pgs_emulated_pipeline *pipeline, uint32_t stream,
                            VkVertexInputAttributeDescription inputs[PGS_SPV_MAX_FETCHED_QUADS],
                            uint32_t *stride_B);

#endif
