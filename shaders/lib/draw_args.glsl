/* SPDX-License-Identifier: MIT
 *
 * The draw arguments that follow from the number of indices.
 */
#ifndef PGS_DRAW_ARGS_GLSL
#define PGS_DRAW_ARGS_GLSL

#include "index_count.glsl"

/* Writes the arguments of the raster draw. Called by one invocation. */
void pgs_write_draw_args(const uint index_count)
{
    const uvec2 args = PGS_DRAW.draw_args; /* VkDrawIndexedIndirectCommand */
    const bool polygons = PGS_POLYGONS;    /* VkDrawIndirectCommand */
    const bool lines = polygons && (PGS_DRAW.flags & PGS_DRAW_LINES) != 0u;
    pgs_write_near(args, 0u, lines ? 2u * index_count : index_count);
    pgs_write_near(args, 1u, 1u);
    pgs_write_near(args, 2u, polygons ? 0u : PGS_DRAW.first_index);
    pgs_write_near(args, 3u, polygons ? 0u : PGS_DRAW.vertex_offset);
    pgs_write_near(args, 4u, 0u);
}

#endif
