/* SPDX-License-Identifier: MIT */
#include "pipeline/fetched_inputs.h"

#define QUAD_W 4
#define QUAD_B (QUAD_W * (uint32_t)sizeof(uint32_t))

bool pgs_may_fetch_vertices(const struct pgs_physical_device *physical,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_spv_geometry_info *gs)
{
    const VkPhysicalDeviceLimits *limits = &physical->properties.limits;
    const uint32_t quads = (pipeline->tes_stored ? gs->in.stride_w : gs->out_stride_w) / QUAD_W;
    if (!physical->traits.fetches_vertices || pipeline->native_raster ||
        pipeline->polygons != PGS_SPV_POLYGONS_FILLED || !quads ||
        quads > PGS_SPV_MAX_FETCHED_QUADS)
        return false;
    return pgs_spv_quad_location(quads - 1) < limits->maxVertexInputAttributes &&
           (quads - 1) * QUAD_B <= limits->maxVertexInputAttributeOffset &&
           quads * QUAD_B <= limits->maxVertexInputBindingStride;
}

uint32_t pgs_fetched_inputs(const struct pgs_emulated_pipeline *pipeline, uint32_t stream,
                            VkVertexInputAttributeDescription inputs[PGS_SPV_MAX_FETCHED_QUADS],
                            uint32_t *stride_B)
{
    const struct pgs_spv_layout *layout =
        pipeline->tes_stored ? &pipeline->gs.in : &pipeline->gs.out[stream];
    const uint32_t mask = pgs_spv_quad_mask(layout);
    uint32_t count = 0;
    *stride_B = (pipeline->tes_stored ? layout->stride_w : pipeline->gs.out_stride_w) *
                (uint32_t)sizeof(uint32_t);
    for (uint32_t quad = 0; quad < PGS_SPV_MAX_FETCHED_QUADS; quad++)
        if (mask >> quad & 1)
            inputs[count++] = (VkVertexInputAttributeDescription){
                .location = pgs_spv_quad_location(quad),
                .binding = 0,
                .format = VK_FORMAT_R32G32B32A32_UINT,
                .offset = quad * QUAD_B,
            };
    return count;
}
