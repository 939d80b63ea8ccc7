/* SPDX-License-Identifier: MIT
 *
 * Which inline draws have an index list.
 */
#ifndef PGS_PIPELINE_INDEXED_STRIPS_H
#define PGS_PIPELINE_INDEXED_STRIPS_H

#include "pipeline/source.h"

/* Vertices of each strip of a pipeline whose direct inline draws have an index list, so that
 * primitives of a strip share its vertices; 0: their vertices are those of primitive after
 * primitive. That takes static emits of one stream, in strips that are equally long and have two
 * primitives or more. Call it once the geometry shader, the streams and the dynamic states of the
 * pipeline are known. */
uint32_t pgs_indexed_el(const struct pgs_pipeline_source *source);

#endif
