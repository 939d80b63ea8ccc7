/* SPDX-License-Identifier: MIT
 *
 * The create info of a whole pipeline, made of those of its parts. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_LINKED_INFO_H
#define PGS_PIPELINE_LINKED_INFO_H

#include "pipeline/create_info.h"
#include "pipeline/library_part.h"

/* The parts of a pipeline, or of a library, by the number of their bit. NULL: it has none. A part
 * that is several is in several places. */
struct pgs_linked_parts {
    struct pgs_library_part *of[PGS_PART_COUNT];
};

/* Points to itself and to the parts, which must outlive it. */
struct pgs_linked_info {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineShaderStageCreateInfo stages[2 * PGS_MAX_STAGES];
    struct pgs_dynamic_states dynamic;
    VkPipelineRenderingCreateInfo rendering;
    VkPipelineDiscardRectangleStateCreateInfoEXT discard_rectangles;
    VkPipelineFragmentShadingRateStateCreateInfoKHR shading_rate;
    VkPipelineFragmentShadingRateEnumStateCreateInfoNV shading_rate_enum;
    VkAttachmentSampleCountInfoAMD sample_counts;
    VkPipelineRepresentativeFragmentTestStateCreateInfoNV representative_test;
    VkPipelineRobustnessCreateInfoEXT robustness[2 * PGS_MAX_STAGES]; /* of the stages */
#ifdef VK_KHR_dynamic_rendering_local_read
    VkRenderingAttachmentLocationInfoKHR locations;
    VkRenderingInputAttachmentIndexInfoKHR indices;
#endif
    pgs_flags_info flags;
    void *chain;             /* a block */
    VkPipelineLayout merged; /* VK_NULL_HANDLE: the application's layout has everything */
};

/* Makes the info of a pipeline that `call` links. All parts must have been kept. The caller
 * finishes it, also after an error. Errors: out of memory; VK_ERROR_UNKNOWN, logged, if there are
 * too many dynamic states. */
VkResult pgs_linked_info_init(struct pgs_linked_info *linked, struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *call,
                              const struct pgs_linked_parts *parts);
void pgs_linked_info_finish(struct pgs_linked_info *linked, struct pgs_device *dev);

#endif
