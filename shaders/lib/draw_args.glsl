/* SPDX-License-Identifier: MIT
 *
 * The draw arguments that follow from the number of indices.
 */
#ifndef PGS_DRAW_ARGS_GLSL
#define PGS_DRAW_ARGS_GLSL

#include "index_count.glsl"
#include "polygon_record.glsl"
#include "slice_args.glsl"

/* Raster vertices of wide lines, or large points. A triangle has as many edges as corners. Of other
 * draws `polygons` may be no address (poly_gs/coverage.h). */
uint pgs_wide_vertices(const uint index_count)
{
    const uvec2 polygons = mix(uvec2(0u), PGS_DRAW.polygons, bvec2((PGS_DRAW.flags & PGS_DRAW_POLYGONS) != 0u));
    const uint each = pgs_polygons_ref(pgs_readable(polygons, polygons)).polygons.line_vertices;
    return (PGS_DRAW.out_kind == 2u ? index_count / 2u : index_count) * each;
}

/* Writes the arguments of the raster draw. Called by one invocation. */
void pgs_write_draw_args(const uint index_count)
{
    const uvec2 args = PGS_DRAW.draw_args; /* VkDrawIndexedIndirectCommand */
    const uint flags = PGS_DRAW.flags;
    const bool polygons = PGS_LISTS && (flags & PGS_DRAW_POLYGONS) != 0u; /* VkDrawIndirectCommand */
    const bool lines = polygons && (flags & PGS_DRAW_LINES) != 0u;
    const bool wide = polygons && (flags & PGS_DRAW_WIDE) != 0u;
    const uint slices = (flags & (PGS_DRAW_LISTS | PGS_DRAW_PACKED)) == PGS_DRAW_LISTS ? PGS_DRAW.packed_vertices : 0u;
    if (PGS_LISTS && slices != 0u) {
        pgs_write_slice_args(index_count, slices, PGS_DRAW.vertex_offset, PGS_DRAW.raster_instance);
    } else {
        pgs_write_near(args, 0u, wide ? pgs_wide_vertices(index_count) : lines ? 2u * index_count : index_count);
        pgs_write_near(args, 1u, 1u);
        pgs_write_near(args, 2u, polygons ? 0u : PGS_DRAW.first_index);
        pgs_write_near(args, 3u, polygons ? 0u : PGS_DRAW.vertex_offset);
        pgs_write_near(args, 4u, polygons ? 0u : PGS_DRAW.raster_instance);
    }
}

#endif
