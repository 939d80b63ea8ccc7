/* SPDX-License-Identifier: MIT
 *
 * A create info that outlives vkCreateGraphicsPipelines, for raster variants that are made later.
 * Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_KEPT_INFO_H
#define PGS_PIPELINE_KEPT_INFO_H

#include "base/arena.h"
#include "pipeline/kept_render_pass.h"

struct pgs_kept_info {
    struct pgs_arena arena;
    struct pgs_kept_render_pass *pass; /* NULL: dynamic rendering */
    /* Without stages before the fragment shader, input assembly, layout and base pipeline; without
     * vertex input unless it is kept. The fragment shader's module is VK_NULL_HANDLE. */
    const VkGraphicsPipelineCreateInfo *info;
    bool had_fragment_module; /* else it is in the stage's chain */
};

/* keeps_input: with the vertex input. VK_SUCCESS with *kept == NULL: it cannot be kept, since it
 * contains something that is unknown to the layer or may be destroyed. Errors: out of host memory.
 */
VkResult pgs_kept_info_create(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info, bool keeps_input,
                              struct pgs_kept_info **kept);
void pgs_kept_info_destroy(const struct pgs_device *dev, struct pgs_kept_info *kept); /* or NULL */

#endif
