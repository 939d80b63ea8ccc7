/* SPDX-License-Identifier: MIT
 *
 * Which stored primitives need not reach the rasterizer, because they lie outside of the clip
 * volume, cover no sample or face away. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_CULLING_H
#define PGS_PIPELINE_CULLING_H

#include "pipeline/source.h"

/* PGS_DRAW_PLANES of the clip volume behind which strips of the pipeline's draws may be left out,
 * and PGS_DRAW_COVERAGE, or PGS_DRAW_CUTS, if so may what draws nothing within it; 0: none. Its
 * other facts, and its info, must be known. variants: PGS_VARIANT_BIT() of those that it will have
 * of compute shaders. */
uint32_t pgs_culling_planes(const struct pgs_pipeline_source *source, uint32_t variants);

/* True if strips that are drawn should lie without gaps in front of the slots that others leave: of
 * shaders of which most strips are left out. */
bool pgs_culling_gathers(const struct pgs_pipeline_source *source);

#endif
