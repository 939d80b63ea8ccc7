/* SPDX-License-Identifier: MIT
 *
 * How the primitives of a draw reach the rasterizer, and what follows from that. Internal to draw/.
 */
#ifndef PGS_DRAW_RASTER_PATH_H
#define PGS_DRAW_RASTER_PATH_H

#include <stdbool.h>

enum pgs_raster_path {
    PGS_RASTER_NONE,      /* only effects, captures and counts */
    PGS_RASTER_NATIVE,    /* the application's own draw */
    PGS_RASTER_INSTANCED, /* the application's own draw, with one instance for each strip */
    /* Likewise, with an index list for each strip, of the primitives of which it may be seen. */
    PGS_RASTER_SIFTED,
    /* The application's own vertices, in a list of those that the geometry shader picks. */
    PGS_RASTER_PICKED,
    PGS_RASTER_STORED,        /* vertices and indices that compute shaders stored */
    PGS_RASTER_TES_STORED,    /* the evaluation shader's vertices, the tessellator's indices */
    PGS_RASTER_INLINE_GS,     /* the raster vertex shader runs VS and GS for each vertex */
    PGS_RASTER_INLINE_TES,    /* the raster vertex shader runs the TES for each vertex */
    PGS_RASTER_INLINE_TES_GS, /* TES and GS, of few patches; the emits are static */
    /* Indirect or tessellated: the GPU chooses INLINE_GS, with the TES in place of the VS if there
     * is one, if memory runs out. */
    PGS_RASTER_STORED_OR_INLINE,
    PGS_RASTER_TES_STORED_OR_INLINE, /* likewise TES_STORED or INLINE_TES */
    PGS_RASTER_POLYGONS, /* as STORED, but triangles become lines or points, or lines are wide */
};

/* True if the raster draw reads vertices that compute shaders stored. */
static inline bool pgs_raster_reads_stored(enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
    case PGS_RASTER_POLYGONS:
        return true;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
        break;
    }
    return false;
}

/* True if the raster vertex shader runs the application's shaders, at least for some draws of a
 * call. */
static inline bool pgs_raster_runs_shaders(enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
        return true;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_POLYGONS:
        break;
    }
    return false;
}

/* True if they include the geometry shader. */
static inline bool pgs_raster_runs_geometry(enum pgs_raster_path raster)
{
    return pgs_raster_runs_shaders(raster) && raster != PGS_RASTER_INLINE_TES &&
           raster != PGS_RASTER_TES_STORED_OR_INLINE;
}

/* True if the raster vertex shader always runs the evaluation shader. */
static inline bool pgs_raster_evaluates(enum pgs_raster_path raster)
{
    return raster == PGS_RASTER_INLINE_TES || raster == PGS_RASTER_INLINE_TES_GS;
}

/* True if compute shaders store what the evaluation shader makes, and that is drawn, at least of
 * some draws of a call. */
static inline bool pgs_raster_draws_evaluated(enum pgs_raster_path raster)
{
    return raster == PGS_RASTER_TES_STORED || raster == PGS_RASTER_TES_STORED_OR_INLINE;
}

/* True if the GPU chooses for each draw of a call whether it is inline, so that there are two. */
static inline bool pgs_raster_chooses(enum pgs_raster_path raster)
{
    return raster == PGS_RASTER_STORED_OR_INLINE || raster == PGS_RASTER_TES_STORED_OR_INLINE;
}

#endif
