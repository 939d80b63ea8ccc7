/* SPDX-License-Identifier: MIT
 *
 * The raster draws inside the pass that replace the application's. A public header of draw/.
 */
#ifndef PGS_DRAW_REPLAY_H
#define PGS_DRAW_REPLAY_H

#include "draw/draw.h"

struct pgs_bound_sets;
struct pgs_draw;
struct pgs_draw_sets;
struct pgs_viewport_parts;

/* What takes the place of calls of the application that follow each other without anything between
 * them: `count` calls of the draw, from `first` on. */
struct pgs_replacement {
    const struct pgs_draw *draw; /* see batch.h */
    uint32_t first, count;
    VkPipeline bind; /* pipeline to bind before it; VK_NULL_HANDLE: it is bound already */
    /* Its vertex buffer 0 and its index buffer are bound already. */
    bool has_vertices, has_indices;
    bool has_sets;                    /* likewise `sets` */
    const struct pgs_draw_sets *sets; /* of an inline draw; NULL: it binds none */
    /* With sets: the application's, which are bound again after it; NULL: the next replacement has
     * sets, too, and does that. */
    const struct pgs_bound_sets *sets_before;
    const struct pgs_viewport_parts *parts; /* with by_viewport: what it is repeated for */
};

/* Inside the render pass, with the application's pipeline bound, which is the raster pipeline.
 * Binds vertex buffer 0 and the index buffer to ours, which the caller restores for later native
 * draws, and draws. No-op under rasterizer discard. An inline draw binds another pipeline and
 * leaves it bound for the next draw of the batch. With by_viewport, also binds vertex buffer 2, and
 * leaves viewport and scissor as they were. A native draw by byte count binds nothing; its
 * firstInstance may be any number, so drawIndirectFirstInstance should be enabled. */
void pgs_draw_replay(const struct pgs_replacement *replacement, VkCommandBuffer cb);

/* Finds the instances of a draw that has its memory, once for all its replacements. */
void pgs_draw_find_instances(struct pgs_draw *draw);

/* True if the draw reads the application's own vertex and index buffers: they must be bound. */
bool pgs_draw_takes_buffers(const struct pgs_replacement *replacement);

/* True if one that reads these leaves an index buffer of its own bound. */
bool pgs_draw_binds_indices(const struct pgs_replacement *replacement);

/* Of one that takes buffers: it draws the application's primitives, with its input assembly. */
bool pgs_draw_takes_assembly(const struct pgs_replacement *replacement);

/* What the raster draw needs of the application's descriptor sets. */
enum pgs_draw_wants_sets {
    PGS_DRAW_WANTS_NO_SETS,
    PGS_DRAW_WANTS_SETS,   /* they must be bound */
    PGS_DRAW_RESTORES_SETS /* nothing: it binds its own, and then all of the application's */
};
enum pgs_draw_wants_sets pgs_draw_wants_sets(const struct pgs_replacement *replacement);

/* True if the raster draw runs shaders of the application in front of the rasterizer. They read
 * what is bound in the pass. */
bool pgs_draw_shades(const struct pgs_replacement *replacement);

#endif
