/* SPDX-License-Identifier: MIT
 *
 * Records for the CPU how much memory this execution asked for, and resets the pool for the next
 * one.
 *
 * One invocation. Root: pgs_pool. Runs after the last allocation of a pass (stage POOL_CLOSE).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = 1) in;

#include "pool.glsl"
#include "record.glsl"

void main()
{
    pgs_pool_ref at = pgs_pool_ref(pgs_root_address());
    const uint used = min(at.pool.used_units, PGS_POOL_COUNT_MAX);
    const uint refused = min(at.pool.refused_units, PGS_POOL_COUNT_MAX);
    at.pool.needed_units = max(at.pool.needed_units, used + refused);
    at.pool.used_units = 0u;
    at.pool.refused_units = 0u;
}
