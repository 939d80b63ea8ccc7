/* SPDX-License-Identifier: MIT
 *
 * Which variants a pipeline has, and which of them are made when it is created. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_VARIANT_CHOICE_H
#define PGS_PIPELINE_VARIANT_CHOICE_H

#include "pipeline/source.h"

/* Bits of the variants that a pipeline can have. All facts but tes_stored, inline_is_exact and
 * prefers_inline are known, of which it sets the last two. */
uint32_t pgs_variants_of(struct pgs_pipeline_source *source);

/* Bits of those to make when the pipeline is created: what a usual draw takes, which is direct, in
 * a pass without queries, and captured if the shaders say that they capture. Emulated pipelines
 * get exactly one raster variant among them, the application's handle. */
uint32_t pgs_usual_variants(const struct pgs_pipeline_source *source);

#endif
