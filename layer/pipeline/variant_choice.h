/* SPDX-License-Identifier: MIT
 *
 * Chooses which variants a pipeline has, and which are made at creation. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_VARIANT_CHOICE_H
#define PGS_PIPELINE_VARIANT_CHOICE_H

#include "pipeline/source.h"

/* Bits of the variants that a pipeline can have. Sets strips_stipple,
 * inline_is_exact, prefers_inline, small_gs_invocations, inline_limit_el, learns_emits, joined_el,
 * inline_steps, inline_is_bounded, uninstanced, joins_lines, expands_any, lists, cull_planes,
 * cut_from, goes_in_rounds and reads_instances; all other facts must be known. */
uint32_t pgs_variants_of(struct pgs_pipeline_source *source);

/* Bits of the variants to make at creation: those of a usual draw, which is direct, in a pass
 * without queries, and captured if the shaders declare captures. For emulated pipelines that
 * includes exactly one raster variant, the application's handle. */
uint32_t pgs_usual_variants(const struct pgs_pipeline_source *source);

/* Bits of those that draws take in place of them, as dynamic state wants or because they are small.
 * They may be made later. */
uint32_t pgs_other_variants(const struct pgs_pipeline_source *source);

/* Those of a usual draw that stores what it rasterizes. Not of native pipelines. */
uint32_t pgs_storing_variants(const struct pgs_emulated_pipeline *pipeline);

/* Kernels that a usual draw with these variants runs, as a mask of PGS_KERNEL_BIT. */
uint64_t pgs_usual_kernels(const struct pgs_pipeline_source *source, uint32_t variants);

/* Kernels that its draws may run besides, as far as the features that the application enabled and
 * the shaders tell: those of indirect draws and captures. Likewise a mask. None on CPUs, where a
 * thread that compiles ahead takes from those that draw. */
uint64_t pgs_probable_kernels(const struct pgs_pipeline_source *source);

#endif
