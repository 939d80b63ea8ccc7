/* SPDX-License-Identifier: MIT
 *
 * A link compiles nothing, so the first one of a library in front of the rasterizer, and of formats
 * of vertices, draws stored vertices, and its inline variant is compiled behind it (ahead.h).
 * Behind the second link a guess makes the driver's library with the inline vertex shader, of which
 * later links with the same formats have their inline variants at once: programs such as zink link
 * most libraries once. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_FRONT_AHEAD_H
#define PGS_PIPELINE_FRONT_AHEAD_H

#include "pipeline/source.h"

/* Notes what to make of a pipeline that is linked, and whose variants in `later` are left to
 * threads. */
void pgs_front_ahead_choose(struct pgs_pipeline_source *source, uint32_t later);

/* Offers the guess, if there is one. */
void pgs_front_ahead_begin(struct pgs_emulated_pipeline *pipeline);

/* Takes it back, or waits for it. */
void pgs_front_ahead_end(struct pgs_emulated_pipeline *pipeline);

#endif
