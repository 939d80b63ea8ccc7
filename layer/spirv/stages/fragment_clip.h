/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders that clip and cull, for drivers that do neither by distances, and that stipple
 * lines.
 */
#ifndef PGS_SPIRV_STAGES_FRAGMENT_CLIP_H
#define PGS_SPIRV_STAGES_FRAGMENT_CLIP_H

#include "spirv/io/distances.h"

#define PGS_SPV_NO_STIPPLE UINT32_MAX

/* Where the fragment shader leaves gaps. */
struct pgs_spv_cuts {
    const struct pgs_spv_distances *distances; /* NULL: the driver clips and culls */
    uint32_t stipple_location;                 /* PGS_SPV_NO_STIPPLE: of no lines */
    uint32_t sample_count;                     /* of a pixel */
};

/* Lets the fragment shader end where a varying of `distances` says that its primitive is not, or
 * the one at stipple_location (fragment_stipple.h) that a line has a gap. What it reads of
 * distances and of the sample mask is as if the rasterizer had clipped. With several samples a
 * sample is clipped where the distance is negative at it, or the gap is. A shader that needs
 * derivatives and writes no memory ends last, else first. Early tests are no longer demanded if
 * that makes no other difference. The new entry point has that name. */
void pgs_spv_clip_fragments(struct pgs_spv_module *m, const struct pgs_spv_cuts *cuts,
                            const char *name);

/* A fragment shader that does nothing. Its words live as long as the program. */
struct pgs_spv_shader pgs_spv_empty_fragment(void);

#endif
