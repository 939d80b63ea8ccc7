/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, last step: the grids of the later dispatches. Each fits its largest record; the
 * earlier steps raise the maxima below.
 */
#ifndef PGS_INDIRECT_GRIDS_GLSL
#define PGS_INDIRECT_GRIDS_GLSL

#include "allot.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer pgs_grids_ref
{
    pgs_grids grids;
};

/* Maxima over the records, in workgroups. */
shared uint pgs_most_vertex;
shared uint pgs_most_restart;
shared uint pgs_most_patches;
shared uint pgs_most_geometry;
shared uint pgs_most_tiles;
shared uint pgs_most_capture;
shared uint pgs_any_chunks; /* not 0: a record without memory is counted in chunks */
shared uint pgs_drawn_end;  /* last record that draws, + 1 */

uint pgs_groups_of(const uint elements, const uint group_el)
{
    return elements / group_el + (elements % group_el != 0u ? 1u : 0u);
}

/* Called first, by one invocation. */
void pgs_grids_clear()
{
    pgs_most_vertex = 0u;
    pgs_most_restart = 0u;
    pgs_most_patches = 0u;
    pgs_most_geometry = 0u;
    pgs_most_tiles = 0u;
    pgs_most_capture = 0u;
    pgs_any_chunks = 0u;
    pgs_drawn_end = 0u;
}

/* Drops the work that only stored vertices need, for calls that are drawn inline. Called by one
 * invocation. */
void pgs_grids_drop_stored()
{
    pgs_most_vertex = 0u;
    pgs_most_geometry = 0u;
    pgs_most_tiles = 0u;
}

/* Writes the grids to `address`. Called last, by one invocation. */
void pgs_grids_write(const uvec2 address)
{
    const uint records = pgs_drawn_end;
    pgs_grids_ref at = pgs_grids_ref(address);
    at.grids.vertex = pgs_grid_of(pgs_most_vertex, records);
    at.grids.restart = pgs_grid_of(pgs_most_restart, records);
    at.grids.control = pgs_grid_of(pgs_most_patches, records);
    at.grids.patches = pgs_grid_of(pgs_tiles_of(pgs_most_patches), records);
    at.grids.evaluation = pgs_grid(0u, 0u, records);
    at.grids.geometry = pgs_grid_of(pgs_most_geometry, records);
    at.grids.tiles = pgs_grid_of(pgs_most_tiles, records);
    at.grids.one = pgs_grid_of(records != 0u ? 1u : 0u, records);
    at.grids.capture = pgs_grid_of(pgs_most_capture, records);
    at.grids.chunks = pgs_grid(pgs_any_chunks != 0u ? PGS_CHUNKS : 0u, 1u, records);
}

#endif
