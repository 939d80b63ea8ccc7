/* SPDX-License-Identifier: MIT
 *
 * Raster pipelines that the driver links (VK_EXT_graphics_pipeline_library): what is behind the
 * rasterizer, of the application's own libraries; what is in front of it, of one that the layer
 * makes once for each library of the application. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_LINK_H
#define PGS_PIPELINE_RASTER_LINK_H

#include "pipeline/library_part.h"
#include "pipeline/raster_behind.h"
#include "pipeline/source.h"

/* What the driver links of, while vkCreateGraphicsPipelines runs. */
struct pgs_raster_link {
    struct pgs_library_part *part; /* in front of the rasterizer */
    /* The part of the pipeline in front of the rasterizer, whose chain the driver may have, with
     * its layout and render pass, and what stands for it. */
    const VkGraphicsPipelineCreateInfo *before;
    VkPipelineLayout layout;
    VkRenderPass pass; /* or VK_NULL_HANDLE */
    struct pgs_raster_fronts *fronts;
    /* The libraries that have all parts behind it: the application's, or those of its parts, to
     * which there is a reference. */
    uint32_t count;
    VkPipeline behind[2];
    struct pgs_raster_behind *kept[2]; /* of each; NULL: it is the application's */
};

/* Begins one that has nothing behind the rasterizer yet. False: no library of the layer can stand
 * for this part, which may be NULL. */
bool pgs_raster_link_init(struct pgs_raster_link *link, struct pgs_library_part *before);

/* Releases what was added behind it. */
void pgs_raster_link_finish(struct pgs_raster_link *link, struct pgs_device *dev);

/* A create info that links a raster pipeline; points to itself. */
struct pgs_linked_raster {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineLibraryCreateInfoKHR linked;
    VkPipelineCreationFeedbackCreateInfo feedback;
    VkPipeline libraries[3];
};

/* Finds the library in front of the rasterizer with this module, or makes it through the cache if
 * `makes` says so. *found is false if there is none, or if this raster pipeline must be made as a
 * whole. Errors: those of vkCreateGraphicsPipelines. Thread-safe. */
VkResult pgs_raster_link_prepare(const struct pgs_pipeline_source *source,
                                 const struct pgs_raster_link *link, VkPipelineCache cache,
                                 struct pgs_shared *vertex, const struct pgs_raster_info *raster,
                                 bool makes, bool *found);

/* Makes such an info from that of the whole raster pipeline, and the library in front of the
 * rasterizer if there is none yet, to which the source keeps a reference: some drivers read it when
 * they draw. *links is false if the pipeline must be made as a whole. The source must have the
 * variant's module. Errors: those of vkCreateGraphicsPipelines. One thread at a time for each
 * source. */
VkResult pgs_linked_raster_init(struct pgs_linked_raster *linked,
                                struct pgs_pipeline_source *source, enum pgs_variant variant,
                                const struct pgs_raster_info *raster, bool *links);

#endif
