/* SPDX-License-Identifier: MIT
 *
 * Which inline draws are one strip of triangles.
 */
#ifndef PGS_PIPELINE_JOINED_STRIPS_H
#define PGS_PIPELINE_JOINED_STRIPS_H

#include "pipeline/source.h"

/* Vertices of the longest strip of a pipeline whose direct inline draws join the strips of all GS
 * invocations to one; 0: they draw lists. Triangles between two strips, and behind those that end
 * early, have no area: nobody may see them. Call it once the geometry shader, the streams and the
 * dynamic states of the pipeline are known. */
uint32_t pgs_joined_el(const struct pgs_pipeline_source *source);

#endif
