/* SPDX-License-Identifier: MIT
 *
 * Lists for each strip the indices of the primitives of which it may be seen, in the application's
 * order (poly_gs/sift.h).
 *
 * One workgroup per tile of primitives. Root: draw record. Step STEP_EXPAND
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
#include "poly_gs/sift.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "index.glsl"

/* Bits of the primitives of which a strip may be seen, for each strip. */
#define WORD_EL 32u
#define GROUP_W (PGS_SHADER_GROUP_EL / WORD_EL)
#define TILE_W (PGS_TILE_EL / WORD_EL)
shared uint seen[PGS_SIFT_STRIPS * TILE_W];

/* Primitives of the strip in front of this one, within its group. */
uint before_in_group(const uint strip, const uint local)
{
    const uint word = local / WORD_EL;
    const uint first = word - word % GROUP_W;
    uint before = uint(bitCount(seen[strip * TILE_W + word] & ((1u << local % WORD_EL) - 1u)));
    for (uint i = first; i < word; i++)
        before += uint(bitCount(seen[strip * TILE_W + i]));
    return before;
}

void main()
{
    const uint local = PGS_LOCAL_ID;
    const uint primitive = pgs_linear_id(PGS_TILE_EL);
    const uint primitives = PGS_DRAW.gs_invocation_bound;
    const uint strips = PGS_DRAW.max_vertices;
    const uint groups = PGS_SIFT_GROUPS(primitives);
    const bool exists = primitive < primitives;
    const uint kept = exists ? pgs_read_at(PGS_DRAW.counts, primitive) : 0u;
    for (uint i = local; i < strips * TILE_W; i += PGS_TILE_EL)
        seen[i] = 0u;
    barrier();
    for (uint left = kept; left != 0u; left &= left - 1u)
        atomicOr(seen[uint(findLSB(left)) * TILE_W + local / WORD_EL], 1u << local % WORD_EL);
    barrier();
    if (kept == 0u)
        return;

    const bool indexed = (PGS_DRAW.flags & PGS_DRAW_INDEXED) != 0u;
    uvec3 indices = 3u * primitive + uvec3(0u, 1u, 2u);
    if (indexed)
        indices = uvec3(pgs_index_at(indices.x), pgs_index_at(indices.y), pgs_index_at(indices.z));
    for (uint left = kept; left != 0u; left &= left - 1u) {
        const uint strip = uint(findLSB(left));
        const uint in_front = pgs_read_at(PGS_DRAW.tile_sums, strip * groups + primitive / PGS_SHADER_GROUP_EL);
        const uint number = strip * primitives + in_front + before_in_group(strip, local);
        const uvec2 to = pgs_mul_add(PGS_DRAW.indices, number, 12u);
        pgs_write_near(to, 0u, indices.x);
        pgs_write_near(to, 1u, indices.y);
        pgs_write_near(to, 2u, indices.z);
    }
}
