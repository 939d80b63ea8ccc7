/* SPDX-License-Identifier: MIT
 *
 * Makes variants when they are first needed.
 */
#ifndef PGS_PIPELINE_MAKE_VARIANTS_H
#define PGS_PIPELINE_MAKE_VARIANTS_H

#include "pipeline/pipeline.h"

struct pgs_made;

/* Makes those of the mask that are not made yet. VK_SUCCESS with *lost: one of them cannot be had
 * after all, since its shaders cannot be put together. It is not available any more, and the draw
 * is to be planned again. A native pipeline that captures nothing loses them all: its draws are not
 * counted any more. Errors: those of vkCreateGraphicsPipelines. Thread-safe. */
VkResult pgs_variants_make(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost);

/* The same for a thread that works ahead: also those of which there is a generic variant only,
 * which draws go on with. */
VkResult pgs_variants_make_ahead(const struct pgs_emulated_pipeline *pipeline, uint32_t mask,
                                 bool *lost);

/* Puts a finished variant here, with its reference, in place of a generic one, but not of another.
 * False: it is not taken. Thread-safe. */
bool pgs_variants_put(struct pgs_variants *variants, enum pgs_variant variant,
                      const struct pgs_made *made, bool is_generic);

/* Tries whether those of the mask can be had, so that pgs_variants_make loses none of them unless
 * the driver refuses it. *lost: as there. Errors: those of vkCreateGraphicsPipelines. While it
 * runs, by one thread. */
VkResult pgs_variants_try(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost);

/* Logs that a native pipeline's draws will not be counted. */
void pgs_log_uncounted(void);

#endif
