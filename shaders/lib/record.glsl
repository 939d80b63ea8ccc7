/* SPDX-License-Identifier: MIT
 *
 * The root of the workgroup, and the draw record if that is the root.
 */
#ifndef PGS_RECORD_GLSL
#define PGS_RECORD_GLSL

#include "address.glsl"
#include "poly_gs/bound.h"
#include "poly_gs/digits.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pgs_draw_ref
{
    pgs_draw_record draw;
};

#define PGS_DRAW pgs_draw_ref(pgs_root_address()).draw

#ifdef PGS_RECORD_INPUTS /* what most draws read has been read: on CPUs each load takes long to compile */
struct pgs_near_record
{
    uvec2 index_address;
    uint flags;
    uint topology;
    uint index_size_B;
    uint index_bound_el;
    uint first_vertex;
    uint primitive_count;
    uint instance_count;
    uint first_instance;
};
pgs_near_record pgs_near;
uvec4 pgs_near_attributes[PGS_MAX_ATTRIBUTES]; /* address, stride, elements */

#define PGS_NEAR pgs_near
#define PGS_ATTRIBUTE_ADDRESS(location) pgs_near_attributes[location].xy
#define PGS_ATTRIBUTE_STRIDE_B(location) pgs_near_attributes[location].z
#define PGS_ATTRIBUTE_COUNT_EL(location) pgs_near_attributes[location].w

/* The quads of the record that begin with index_address, flags and topology. */
void pgs_near_take(const uvec4 indices, const uvec4 numbers, const uvec4 rest)
{
    pgs_near.index_address = indices.xy;
    pgs_near.index_size_B = indices.z;
    pgs_near.index_bound_el = indices.w;
    pgs_near.flags = numbers.x;
    pgs_near.first_vertex = numbers.y;
    pgs_near.instance_count = numbers.z;
    pgs_near.primitive_count = numbers.w;
    pgs_near.topology = rest.x;
    pgs_near.first_instance = rest.y;
}
#else
#define PGS_NEAR PGS_DRAW
#define PGS_ATTRIBUTE_ADDRESS(location) PGS_DRAW.attributes[location].address
#define PGS_ATTRIBUTE_STRIDE_B(location) PGS_DRAW.attributes[location].stride_B
#define PGS_ATTRIBUTE_COUNT_EL(location) PGS_DRAW.attributes[location].element_count_el
#endif

#ifdef PGS_ROOT_GIVEN /* graphics pipelines: push constants are the application's, so the shader sets this */
uvec2 pgs_given_root;

uvec2 pgs_root_address()
{
    return pgs_given_root;
}
#else
layout(push_constant, std430) uniform pgs_root_block
{
    pgs_root root;
#ifdef PGS_RECORD_INPUTS
    uint digits[PGS_ROOT_DIGITS];
#endif
#ifdef PGS_BOUND
    uint bases[PGS_BOUND_BUFFERS];
#endif
} pgs_push;

/* The record of this workgroup. PGS_ROOT_ALONE: dispatches have one root. lavapipe loads once for all invocations of a
 * vector where it sees that the address is made of push constants, of whatever number, alone. So the number of the
 * workgroup is put together from those. */
uvec2 pgs_root_of_workgroup()
{
#ifdef PGS_ROOT_ALONE
    return pgs_push.root.first;
#else
    const uvec3 group = gl_WorkGroupID; /* loaded once for all numbers of it */
#ifdef PGS_RECORD_INPUTS
    const uint low = pgs_push.digits[group.z & 15u] | pgs_push.digits[group.z >> 4u & 15u] << 4u;
    const uint high = pgs_push.digits[group.z >> 8u & 15u] | pgs_push.digits[group.z >> 12u & 15u] << 4u;
    const uint number = low | high << 8u;
#else
    const uint number = group.z;
#endif
    return pgs_add(pgs_push.root.first, number * pgs_push.root.stride_B);
#endif
}

#ifdef PGS_ROOT_KEPT /* libraries need the address in many places; their first call computes it */
uvec2 pgs_kept_root;

void pgs_keep_root()
{
    pgs_kept_root = pgs_root_of_workgroup();
}

uvec2 pgs_root_address()
{
    return pgs_kept_root;
}
#else
uvec2 pgs_root_address()
{
    return pgs_root_of_workgroup();
}
#endif

/* Number of this invocation in the linear grid of its draw. group_el: workgroup size. */
uint pgs_linear_id(const uint group_el)
{
    const uvec3 group = gl_WorkGroupID;
    return (group.y * PGS_GRID_X + group.x) * group_el + PGS_LOCAL_ID;
}
#endif

/* `address`, or the root's if `base`, of which it was computed, is 0. Drivers of CPUs execute short
 * branches that no invocation takes, and only drop what they computed: where all invocations have
 * the same address they load from it, even behind the end of a loop. So such a load needs an address
 * that can be read even if its condition is false. If the condition is that the base is not 0, the
 * load belongs in front of the branch, in which the compiler would take the address for known. */
uvec2 pgs_readable(const uvec2 base, const uvec2 address)
{
    return mix(address, pgs_root_address(), bvec2(base == uvec2(0u)));
}

/* A word at `address`; any word if that is 0. */
uint pgs_read_readable(const uvec2 address)
{
    return pgs_read(pgs_readable(address, address));
}

/* gl_ViewIndex: the shaders run once for each view. */
uint pgs_view_index()
{
    return PGS_DRAW.view_index;
}

/* Address of the application's push constants. */
uvec2 pgs_push_address()
{
    return pgs_add(pgs_root_address(), PGS_RECORD_PUSH_B);
}

#endif
