/* SPDX-License-Identifier: MIT
 *
 * Generic variants: compute variants that read their vertex input, the topology and whether
 * primitives restart from the records of draws, as those of pipelines do that have all this as
 * dynamic state.
 *
 * A library in front of the rasterizer knows none of it, but the driver would compile its shaders
 * when it makes the library, and so does the layer: the variants that store what is rasterized. A
 * pipeline that is linked of the library draws with them at once, while threads compile its own for
 * its formats (ahead.h), which then take their places. Draws that had better be inline are stored
 * as long as their inline variant is not there. Where the library has the vertex input, or the
 * vertex shader reads none, the variants are those of links right away.
 *
 * Not on CPUs, whose drivers compile most of a shader when it is first run: there the time of two
 * compilations counts, not who waits for them. Nor without threads, as the second one would still
 * be waited for.
 */
#ifndef PGS_PIPELINE_GENERIC_H
#define PGS_PIPELINE_GENERIC_H

#include "pipeline/pipeline.h"

/* Begins to compile what links of source->link will want, of a pipeline whose vertex input and
 * input assembly are guesses unless the part has them; its facts and variants must be known. Some
 * thread may do it until pgs_generic_end. */
void pgs_generic_begin(struct pgs_emulated_pipeline *guess);

/* Returns when it is compiled, and gives it to the part, whose library nobody has yet. What cannot
 * be compiled is left to links, which can tell. */
void pgs_generic_end(struct pgs_emulated_pipeline *guess);

/* True if a link has all of these variants without compiling any. While vkCreateGraphicsPipelines
 * runs. */
bool pgs_generic_suffices(const struct pgs_pipeline_source *source);

/* Lets a new pipeline, whose handle is made, have what is compiled already of the variants that
 * store or capture: its own, else generic ones. Sets `bridges`. While vkCreateGraphicsPipelines
 * runs. */
void pgs_generic_take(struct pgs_emulated_pipeline *pipeline);

/* Offers the pipeline's own variants in place of these generic ones to the threads, unless that has
 * been done since its creation. Thread-safe. */
void pgs_generic_replace(const struct pgs_emulated_pipeline *pipeline, uint32_t variants);

#endif
