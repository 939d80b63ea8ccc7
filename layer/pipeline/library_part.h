/* SPDX-License-Identifier: MIT
 *
 * The part of a graphics pipeline that one create info gives (VK_EXT_graphics_pipeline_library). It
 * outlives the call, and the shader modules, layouts and render passes of the application. Internal
 * to pipeline/.
 */
#ifndef PGS_PIPELINE_LIBRARY_PART_H
#define PGS_PIPELINE_LIBRARY_PART_H

#include "base/arena.h"
#include "pipeline/info_view.h"
#include "pipeline/layout.h"
#include "pipeline/raster_front.h"
#include "pipeline/shader.h"

/* Constant after creation, but for the references and the last five. */
struct pgs_library_part {
    _Atomic uint32_t refs;
    VkGraphicsPipelineLibraryFlagsEXT parts; /* which ones this is: at least one */
    bool native;                             /* the driver draws it */
    struct pgs_arena arena;
    /* What the application gave, with modules of the layer, and without flags that concern the call
     * alone or that the modules follow (device_views.h). NULL: it contains something that the layer
     * cannot keep. */
    const VkGraphicsPipelineCreateInfo *info;
    uint64_t high_flags;               /* that do not fit into info->flags */
    bool has_device_views;             /* the modules follow a flag that info->flags lacks */
    struct pgs_kept_render_pass *pass; /* a reference, as the next; NULL: none */
    struct pgs_layout *layout;
    uint32_t stage_count;
    /* VK_NULL_HANDLE: only the shader is kept (pgs_library_part_keep). */
    VkShaderModule modules[PGS_MAX_STAGES];
    /* References: what is known about the shaders that the layer will run. */
    struct pgs_shader *shaders[PGS_MAX_STAGES];
    struct pgs_raster_fronts fronts;  /* of raster pipelines that were linked (raster_link.h) */
    struct pgs_raster_behind *behind; /* likewise, under the same lock; NULL: none was wanted */
    _Atomic uint32_t link_count;      /* that left something to threads (front_ahead.h) */
    /* Has the compute variants that links draw with at once, which threads compile (generic.h);
     * NULL: there are none. It does not change when the library has been made. */
    struct pgs_emulated_pipeline *guess;
    void (*destroy_guess)(struct pgs_device *dev, struct pgs_emulated_pipeline *guess);
};

/* A part as a view, which lives as long as the call that gives it. */
struct pgs_part_view {
    struct pgs_info_view view;
    VkPipelineRenderingCreateInfo rendering;
    struct pgs_kept_render_pass *pass; /* a reference, or NULL */
    uint64_t high_flags;               /* as in struct pgs_library_part */
    void *block;                       /* of the chain */
    bool keepable;                     /* everything that the view points to is valid */
    bool native;                       /* as in struct pgs_library_part */
};

/* Looks at the parts of an info, without structures of libraries in its chain. The caller says then
 * who draws them, and finishes the view, also after an error. Errors: those of
 * vkCreateGraphicsPipelines. */
VkResult pgs_part_view_init(struct pgs_part_view *view, struct pgs_device *dev,
                            const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts);
void pgs_part_view_finish(struct pgs_part_view *view, const struct pgs_device *dev);

/* Makes a part of a view. The caller owns the reference; NULL on failure. Errors: out of memory,
 * and those of shaders that the layer must read. */
VkResult pgs_library_part_new(struct pgs_device *dev, const struct pgs_part_view *view,
                              VkGraphicsPipelineLibraryFlagsEXT parts,
                              struct pgs_library_part **part);

/* Makes one of all parts, for a pipeline that is seldom wanted: its stages have no modules until
 * pgs_library_part_open makes them. As above, but a stage whose SPIR-V is not known only leaves
 * part->info NULL. */
VkResult pgs_library_part_keep(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                               struct pgs_library_part **part);

/* Makes the module of a stage that has none, for which the caller has to destroy it with
 * pgs_DestroyShaderModule. VK_NULL_HANDLE: it has one, or out of memory, which is returned. */
VkResult pgs_library_part_open(struct pgs_device *dev, const struct pgs_library_part *part,
                               VkPipelineShaderStageCreateInfo *stage, VkShaderModule *module);

struct pgs_library_part *pgs_library_part_refer(struct pgs_library_part *part);
void pgs_library_part_release(struct pgs_device *dev, struct pgs_library_part *part); /* or NULL */

#endif
