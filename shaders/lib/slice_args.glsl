/* SPDX-License-Identifier: MIT
 *
 * The draw arguments of slices (poly_gs/slices.h).
 */
#ifndef PGS_SLICE_ARGS_GLSL
#define PGS_SLICE_ARGS_GLSL

#include "poly_gs/slices.h"
#include "record.glsl"

/* Writes them, with whole primitives for each. Called by one invocation. */
void pgs_write_slice_args(const uint index_count, const uint slices, const uint vertex_offset, const uint instance)
{
    const uint kind = PGS_DRAW.out_kind;
    const uint most = max((index_count / kind + slices - 1u) / slices, PGS_SLICE_LEAST_EL / kind) * kind;
    const uint index = PGS_DRAW.first_index;
    uvec2 args = PGS_DRAW.draw_args;
    uint first = 0u;
    [[dont_unroll]] for (uint i = 0u; i < slices; i++) {
        const uint count = min(most, index_count - first);
        pgs_write_near(args, 0u, count);
        pgs_write_near(args, 1u, 1u);
        pgs_write_near(args, 2u, index + first);
        pgs_write_near(args, 3u, vertex_offset);
        pgs_write_near(args, 4u, instance);
        first += count;
        args = pgs_add(args, 20u);
    }
}

#endif
