/* SPDX-License-Identifier: MIT
 *
 * What draws with stored vertices take, compiled behind inline draws that go on until it is there.
 */
#ifndef PGS_PIPELINE_STORED_AHEAD_H
#define PGS_PIPELINE_STORED_AHEAD_H

#include "pipeline/pipeline.h"

/* True if all variants are made that a draw with stored vertices runs. Not of native pipelines.
 * Thread-safe. */
bool pgs_stored_is_made(const struct pgs_emulated_pipeline *pipeline);

/* Offers these variants, and their kernels, to the device's threads, the first time that it is
 * called. What fails is made, and told, by the draw that wants it. Likewise. */
void pgs_stored_expect(const struct pgs_emulated_pipeline *pipeline);

/* Before the pipeline is destroyed: no thread works on it any more. */
void pgs_stored_ahead_end(struct pgs_emulated_pipeline *pipeline);

#endif
