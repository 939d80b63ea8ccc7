/* SPDX-License-Identifier: MIT
 *
 * Reads the application's index buffer.
 */
#ifndef PGS_INDEX_GLSL
#define PGS_INDEX_GLSL

#include "record.glsl"
#ifdef PGS_BOUND
#include "bound.glsl"
#endif

/* The index at a position of the draw, zero-extended; 0 beyond the bound range. The address is
 * aligned to the index size only, so the aligned word around the index is read. It may exceed the
 * range, but not the words of the buffer. */
uint pgs_index_at(const uint position)
{
    const bool there = position < PGS_NEAR.index_bound_el;
    const uint size_B = PGS_NEAR.index_size_B;
    const uvec2 address =
        mix(pgs_root_address(), pgs_mul_add(PGS_NEAR.index_address, position, size_B), bvec2(there));
    const uint word = pgs_read(address & uvec2(~3u, ~0u));
    const uint index = bitfieldExtract(word, int((address.x & 3u) * 8u), int(size_B * 8u));
    return mix(0u, index, there);
}

/* All bits of the index size. */
uint pgs_restart_index()
{
    return 0xFFFFFFFFu >> (32u - 8u * PGS_NEAR.index_size_B);
}

#ifdef PGS_RECORD_INPUTS
/* The same at a position within the bound range. */
uint pgs_index_within(const uint position)
{
    const uint size_B = PGS_NEAR.index_size_B;
    const uvec2 address = pgs_mul_add(PGS_NEAR.index_address, position, size_B);
#ifdef PGS_BOUND
    const uint word = pgs_bound_index(address);
#else
    const uint word = pgs_read(address & uvec2(~3u, ~0u));
#endif
    return word >> (address.x & 3u) * 8u & pgs_restart_index();
}
#endif

#endif
