/* SPDX-License-Identifier: MIT
 *
 * Variants that usual draws take, compiled behind vkCreateGraphicsPipelines. Internal to pipeline/.
 *
 * The application gets its handle as soon as one short raster variant is compiled; the device's
 * threads go on with what takes longer, for several pipelines side by side. A draw that comes
 * earlier waits for it, or compiles it itself if no thread has begun. Before it returns, creation
 * only tries whether the shaders of usual draws can be translated (is_trial of pgs_spv_shader).
 */
#ifndef PGS_PIPELINE_AHEAD_H
#define PGS_PIPELINE_AHEAD_H

#include "pipeline/source.h"

/* Those of the variants that need not be made before creation returns: of the usual ones what would
 * be compiled, and the others, which draws may take in their place. 0 where no thread would make
 * them, or where they must stay in the calling thread. While vkCreateGraphicsPipelines runs. */
uint32_t pgs_ahead_choose(struct pgs_pipeline_source *source, uint32_t usual, uint32_t others);

/* Offers source->ahead.mask to the threads; nothing of the arguments of
 * vkCreateGraphicsPipelines is looked at any more, except for the cache. */
void pgs_ahead_begin(struct pgs_emulated_pipeline *pipeline);

/* Returns when what has begun is made. Thread-safe. */
void pgs_ahead_finish(struct pgs_emulated_pipeline *pipeline);

/* Before the pipeline is destroyed: nobody works on it any more. What was to go into a cache of the
 * application is compiled first. */
void pgs_ahead_end(struct pgs_emulated_pipeline *pipeline);

/* Returns when all that is to go into the application's cache is in it. Thread-safe. */
void pgs_ahead_settle(struct pgs_device *dev, VkPipelineCache cache);

#endif
