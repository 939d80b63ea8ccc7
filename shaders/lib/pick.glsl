/* SPDX-License-Identifier: MIT
 *
 * Calls of a vertex and a geometry shader that run to find out which vertices are emitted
 * (poly_gs/pick.h): one invocation per primitive.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
#include "poly_gs/pick.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "geometry_invocation.glsl"
#ifdef PGS_RECORD_INPUTS
#include "near_record.glsl"
#endif

uint pgs_k_emits;      /* as the record has them */
uint pgs_k_shift;      /* of the next vertex */
uint pgs_k_strip_el;   /* vertices of the open strip */
uint pgs_k_primitives; /* of all strips */

#ifdef PGS_RECORD_INPUTS
/* Where invocations of a workgroup wait for each other CPUs take long, so the kernels count. */
uvec2 pgs_k_counts; /* of the record */
uint pgs_k_bound;

/* Called before all else, in front of any branch. */
void pgs_pick_take_record()
{
    pgs_near_take_record();
    pgs_k_counts = PGS_DRAW.counts;
    pgs_k_bound = PGS_DRAW.gs_invocation_bound;
}

/* Then, for each attribute that is fetched. */
void pgs_pick_take_attribute(const uint location)
{
    pgs_near_take_attribute(location);
}
#else
/* Of the workgroup. All accesses are atomic: others in a Vulkan memory model would be private. */
shared uint pgs_k_count;
#endif

/* The first call but for those. What the shader fixes is passed as constants. topology, flags: as for
 * pgs_geometry_find_invocation. False: there is no such primitive. */
bool pgs_pick_begin(const uint input_vertices, const uint topology, const uint flags)
{
#ifdef PGS_RECORD_INPUTS
    const uint bound = pgs_k_bound;
#else
    pgs_keep_root();
    const uint bound = PGS_DRAW.gs_invocation_bound;
#endif
    const uint primitive = pgs_linear_id(PGS_SHADER_GROUP_EL);
    pgs_k_emits = 0u;
    pgs_k_shift = 0u;
    pgs_k_strip_el = 0u;
    pgs_k_primitives = 0u;
    const bool exists = pgs_geometry_find_invocation(primitive, 1u, input_vertices, 0u, topology, flags);
    return exists && primitive < bound;
}

/* For each emitted vertex. kind: vertices of an output primitive. */
void pgs_pick_emit(const uint corner, const uint kind)
{
    pgs_k_emits |= (corner + 1u) << (pgs_k_shift & 31u);
    pgs_k_shift += PGS_PICK_BITS;
    pgs_k_strip_el++;
    pgs_k_primitives += pgs_k_strip_el >= kind ? 1u : 0u;
}

/* For each end of a strip. */
void pgs_pick_end_strip(const uint stream)
{
    const uint last = pgs_k_shift - PGS_PICK_BITS;
    pgs_k_emits |= pgs_k_strip_el != 0u ? PGS_PICK_END << (last & 31u) : 0u;
    pgs_k_strip_el = 0u;
}

/* The last call, of the whole workgroup. */
void pgs_pick_end()
{
    const uint primitive = pgs_linear_id(PGS_SHADER_GROUP_EL);
#ifdef PGS_RECORD_INPUTS
    if (primitive < pgs_k_bound)
        pgs_write_at(pgs_k_counts, primitive, pgs_k_emits);
#else
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uint group = primitive / PGS_SHADER_GROUP_EL;
    if (PGS_LOCAL_ID == 0u)
        atomicExchange(pgs_k_count, 0u);
    barrier();
    if (pgs_k_primitives != 0u)
        atomicAdd(pgs_k_count, pgs_k_primitives);
    if (primitive < bound)
        pgs_write_at(PGS_DRAW.counts, primitive, pgs_k_emits);
    barrier();
    if (PGS_LOCAL_ID == 0u && group < PGS_PICK_GROUPS(bound))
        pgs_write_at(PGS_DRAW.tile_sums, group, atomicOr(pgs_k_count, 0u));
#endif
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
