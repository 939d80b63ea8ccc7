/* SPDX-License-Identifier: MIT
 *
 * Generic variants: compute variants that read their vertex input, the topology and whether
 * primitives restart from the records of draws, as those of pipelines do that have all this as
 * dynamic state.
 *
 * A library in front of the rasterizer knows none of it, but the driver would compile its shaders
 * when it makes the library, and so do the device's threads: the variants that store what is
 * rasterized. The application gets its library meanwhile. A pipeline that is linked of it draws
 * with them, while threads compile its own for its formats (ahead.h), which then take their places.
 * Draws that had better be inline are stored as long as their inline variant is not there. Where
 * the library has the vertex input, or the vertex shader reads none, the variants are those of
 * links right away.
 *
 * A link waits for none of them. A draw that comes before any variant is there with which it could
 * be drawn waits for the first one that threads finish, or makes its own if no thread is at that:
 * so it never takes longer than without generic variants.
 *
 * Not on CPUs, whose drivers compile most of a shader when it is first run: there the time of two
 * compilations counts, not who waits for them. Nor without threads, as somebody would wait for the
 * second one.
 */
#ifndef PGS_PIPELINE_GENERIC_H
#define PGS_PIPELINE_GENERIC_H

#include "pipeline/pipeline.h"

/* Offers what links of source->link will want to the threads, of a pipeline whose vertex input and
 * input assembly are guesses unless the part has them; its facts and variants must be known. True:
 * the part must keep the pipeline, and nobody may have the part's library before. Of the arguments
 * of the call only `info` and `link` may be looked at then, and not by the threads. What cannot be
 * compiled is left to links, which can tell. */
bool pgs_generic_begin(struct pgs_emulated_pipeline *guess);

/* True if a link has all of these variants without compiling any, or waiting for them. While
 * vkCreateGraphicsPipelines runs. */
bool pgs_generic_suffices(const struct pgs_pipeline_source *source);

/* Lets a new pipeline, whose handle is made, have what is compiled already of the variants that
 * store or capture: its own, else generic ones; and notes whether its library still compiles what
 * is missing. Sets `bridges`. While vkCreateGraphicsPipelines runs. */
void pgs_generic_take(struct pgs_emulated_pipeline *pipeline);

/* Before a draw makes variants: takes what the library has compiled meanwhile. If the pipeline then
 * has neither `variants` nor those that will do `instead`, and threads are at both, returns when
 * either are made. Thread-safe. */
void pgs_generic_await(const struct pgs_emulated_pipeline *pipeline, uint32_t variants,
                       uint32_t instead);

/* Offers the pipeline's own variants in place of these generic ones to the threads, unless that has
 * been done since its creation. Thread-safe. */
void pgs_generic_replace(const struct pgs_emulated_pipeline *pipeline, uint32_t variants);

/* Before the pipeline is destroyed: it awaits nothing any more. */
void pgs_generic_end(struct pgs_emulated_pipeline *pipeline);

#endif
