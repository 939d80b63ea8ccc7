/* SPDX-License-Identifier: MIT
 *
 * The near and the far plane as clip distances, for drivers that clamp depths only where they do
 * not clip them.
 */
#ifndef PGS_SPIRV_IO_DEPTH_PLANES_H
#define PGS_SPIRV_IO_DEPTH_PLANES_H

#include "spirv/ir/module.h"

#define PGS_SPV_DEPTH_PLANES 2

/* Two more distances of the last shader in front of the rasterizer: z, and w - z. */
struct pgs_spv_depth_planes {
    bool wanted;
    bool symmetric; /* the first is z + w: VkPipelineViewportDepthClipControlCreateInfoEXT */
    uint8_t first;  /* the number of clip distances that the shader has besides */
};

/* Lets the module's vertex or evaluation shader write gl_ClipDistance with both, if it writes a
 * position. The new entry point has that name. UNSUPPORTED: the shader does with gl_ClipDistance
 * what pgs_spv_make_builtin_private cannot do. */
void pgs_spv_clip_depth(struct pgs_spv_module *m, const struct pgs_spv_depth_planes *planes,
                        const char *name);

/* The same, words to words. */
enum pgs_spv_result pgs_spv_shader_clip_depth(const struct pgs_spv_shader *shader,
                                              const struct pgs_spv_depth_planes *planes,
                                              struct pgs_spv_blob *out);

#endif
