/* SPDX-License-Identifier: MIT
 *
 * Calls of a vertex and a geometry shader that run to find out which strips may be seen
 * (poly_gs/sift.h): one invocation per primitive, which runs all of its GS invocations.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
#include "poly_gs/planes.h"
#include "poly_gs/sift.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "geometry_invocation.glsl"

/* Of the workgroup, by strip. All accesses are atomic: others in a Vulkan memory model would be private. */
shared uint pgs_s_counts[PGS_SIFT_STRIPS];

uint pgs_s_planes;  /* of the record */
uint pgs_s_outside; /* those behind which all vertices of the open strip lie */
uint pgs_s_emitted; /* vertices of the open strip */
uint pgs_s_strip;   /* number of the open strip */
uint pgs_s_kept;    /* bits of those that may be seen */

/* The first call. What the shader fixes is passed as constants. topology, flags: as for
 * pgs_geometry_find_invocation. False: there is no such primitive. */
bool pgs_sift_begin(const uint input_vertices, const uint topology, const uint flags)
{
    pgs_keep_root();
    const uint primitive = pgs_linear_id(PGS_SHADER_GROUP_EL);
    pgs_s_planes = PGS_NEAR.flags & flags & PGS_DRAW_PLANES;
    pgs_s_strip = 0u;
    pgs_s_kept = 0u;
    const bool exists = pgs_geometry_find_invocation(primitive, 1u, input_vertices, 0u, topology, flags);
    return exists && primitive < PGS_DRAW.gs_invocation_bound;
}

/* Before each GS invocation. */
void pgs_sift_invocation(const uint invocation)
{
    pgs_g_invocation = invocation;
    pgs_s_outside = pgs_s_planes;
    pgs_s_emitted = 0u;
}

/* For each emitted vertex: the bits of gl_Position. kind: vertices of a strip. Comparisons with NaN are false, and for any
 * w the points between vertices behind a plane lie behind it, too. */
void pgs_sift_emit(const uvec4 bits, const uint kind)
{
    const vec4 p = uintBitsToFloat(bits);
    const vec3 margin = (abs(p.xyz) + abs(p.w)) * PGS_SIFT_MARGIN;
    const uint sides = (p.x + margin.x < -p.w ? PGS_DRAW_PLANE_LEFT : 0u) | (p.x - margin.x > p.w ? PGS_DRAW_PLANE_RIGHT : 0u) |
                       (p.y + margin.y < -p.w ? PGS_DRAW_PLANE_TOP : 0u) | (p.y - margin.y > p.w ? PGS_DRAW_PLANE_BOTTOM : 0u);
    const uint depths = (p.z - margin.z > p.w ? PGS_DRAW_PLANE_FAR : 0u) | (p.z + margin.z < 0.0 ? PGS_DRAW_PLANE_NEAR : 0u) |
                        (p.z + margin.z < -p.w ? PGS_DRAW_PLANE_BEGIN : 0u);
    pgs_s_outside &= sides | depths;
    pgs_s_emitted++;
    if (pgs_s_emitted == kind) {
        pgs_s_kept |= pgs_s_outside == 0u ? 1u << (pgs_s_strip & 31u) : 0u;
        pgs_s_strip++;
        pgs_s_outside = pgs_s_planes;
        pgs_s_emitted = 0u;
    }
}

/* The last call, of the whole workgroup. */
void pgs_sift_end(const uint strips)
{
    const uint primitive = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uint group = primitive / PGS_SHADER_GROUP_EL;
    const uint groups = PGS_SIFT_GROUPS(bound);
    if (PGS_LOCAL_ID < PGS_SIFT_STRIPS)
        atomicExchange(pgs_s_counts[PGS_LOCAL_ID], 0u);
    barrier();
    for (uint left = pgs_s_kept; left != 0u; left &= left - 1u)
        atomicAdd(pgs_s_counts[findLSB(left)], 1u);
    if (primitive < bound)
        pgs_write_at(PGS_DRAW.counts, primitive, pgs_s_kept);
    barrier();
    if (PGS_LOCAL_ID < strips && group < groups)
        pgs_write_at(PGS_DRAW.tile_sums, PGS_LOCAL_ID * groups + group, atomicOr(pgs_s_counts[PGS_LOCAL_ID], 0u));
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
