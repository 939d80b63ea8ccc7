/* SPDX-License-Identifier: MIT
 *
 * Clip and cull distances of pipelines, on drivers that have neither: varyings, by which the
 * fragment shader clips and culls. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DISTANCES_H
#define PGS_PIPELINE_DISTANCES_H

#include "pipeline/source.h"

/* True if the stage's module says that it has distances, which the driver refuses. */
bool pgs_stage_has_distances(const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage);

/* True if any stage of the pipeline, or of the part of one, does. */
bool pgs_info_has_distances(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* Samples of a pixel that the pipeline draws to. */
uint32_t pgs_sample_count(const VkGraphicsPipelineCreateInfo *info);

/* Finds locations that are not in use for the varyings, and marks them as used. limit_el: of the
 * components of varyings. Errors: there are not enough of them; logged. */
VkResult pgs_distances_place(struct pgs_spv_distances *distances, uint32_t limit_el,
                             uint64_t *used_mask);

/* How a pipeline clips that the driver draws. */
struct pgs_clipping {
    struct pgs_depth_clip depth;
    struct pgs_spv_depth_planes planes;
    struct pgs_spv_distances distances; /* varyings in their place */
    bool varyings;                      /* the driver lacks distances that there are */
};

/* That of a pipeline of a vertex shader alone. Errors: as those above, and those of reflection. */
VkResult pgs_distances_of_plain(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                struct pgs_clipping *clipping);

/* That of an emulated pipeline, in source->distances and depth_planes; takes planes for which there
 * is no room out of depth_clip. used_mask: locations of other varyings. */
VkResult pgs_distances_of_emulated(struct pgs_pipeline_source *source, uint64_t *used_mask);

#endif
