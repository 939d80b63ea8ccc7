/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_depth_clip_enable on drivers without it, which clip depths exactly where they do not clamp
 * them. What the application wants of both:
 *
 *   clamps clips
 *     0      0    the driver clamps. What is outside of the viewport's depth range is undefined
 *                 otherwise ("Depth Clamping and Range Adjustment"), so that is as good
 *     0      1    the driver clips
 *     1      0    the driver clamps
 *     1      1    the driver clips. If something moves depths behind clipping, a bias or a fragment
 *                 shader, the driver clamps them, and two more clip distances clip
 *
 * Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DEPTH_CLIP_H
#define PGS_PIPELINE_DEPTH_CLIP_H

#include "pipeline/raster_info.h"
#include "spirv/spirv.h"

/* What becomes of depths. Of a part of a pipeline nothing is known that its libraries have.
 * Thread-safe. */
struct pgs_depth_clip pgs_depth_clip_of(const struct pgs_device *dev,
                                        const VkGraphicsPipelineCreateInfo *info);

/* Notes the distances of a pipeline whose last shader in front of the rasterizer has that many, if
 * both are to be had; else logs that, and depths are only clipped. */
void pgs_depth_clip_place(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                          uint32_t clip_count, uint32_t cull_count, struct pgs_depth_clip *clip,
                          struct pgs_spv_depth_planes *planes);

/* No distances for it: logs that. */
void pgs_depth_clip_refuse(struct pgs_depth_clip *clip, struct pgs_spv_depth_planes *planes);

#endif
