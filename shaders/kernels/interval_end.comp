/* SPDX-License-Identifier: MIT
 *
 * Stores the counters at the end of a transform feedback interval, if the CPU knows everything
 * except, perhaps, the size of the last draw. Replaces xfb_program there.
 *
 * One workgroup: one invocation per buffer, the others help to sum the primitives of a geometry
 * shader. Root: pgs_interval_end. Dispatched by pgs_compute_record.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_XFB_GROUP_EL) in;

#include "record.glsl"
#include "byte_count.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_interval_end_ref
{
    pgs_interval_end end;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_ended_capture_ref
{
    pgs_capture capture;
};

/* Captured primitives of the draw, at most `most`: per_primitive for each input primitive. */
uint primitives_of(const uvec2 address, const uint per_primitive, const uint most)
{
    pgs_draw_ref record = pgs_draw_ref(address);
    const uvec2 capture = pgs_subtract(address, PGS_CAPTURE_BEFORE_B);
    const pgs_byte_count count = pgs_ended_capture_ref(capture).capture.count;
    const uint instance_count = record.draw.instance_count;
    uint primitives = pgs_byte_count_primitives(count, record.draw.topology, record.draw.primitive_count);
    if ((record.draw.flags & PGS_DRAW_RESTART) != 0u)
        primitives = min(primitives, pgs_read_readable(record.draw.restart_count));
    uint high, low;
    umulExtended(primitives, instance_count, high, low);
    if (high != 0u || (per_primitive != 0u && low > most / per_primitive))
        return per_primitive != 0u ? most : 0u;
    return low * per_primitive;
}

shared uint gs_invocations_sum;

/* Primitives that the geometry shader emitted, at most `most`. Called by the whole workgroup. */
uint primitives_of_gs_invocations(const uvec2 address, const uint most)
{
    pgs_draw_ref record = pgs_draw_ref(address);
    const uint local = PGS_LOCAL_ID;
    const uint gs_invocation_bound = record.draw.gs_invocation_bound;
    const uvec2 primitives = record.draw.primitives;
    uint sum = 0u;
    for (uint gs_invocation = local; gs_invocation < gs_invocation_bound; gs_invocation += PGS_XFB_GROUP_EL)
        sum += pgs_read_at(primitives, gs_invocation);
    if (local == 0u)
        gs_invocations_sum = 0u;
    barrier();
    atomicAdd(gs_invocations_sum, sum);
    barrier();
    return min(gs_invocations_sum, most);
}

void main()
{
    pgs_interval_end_ref ref = pgs_interval_end_ref(pgs_root_address());
    const uint index = PGS_LOCAL_ID;
    const uvec2 draw = ref.end.draw;
    const uint space_el = ref.end.space_el;
    uint primitives = 0u;
    if ((ref.end.flags & PGS_END_GS_INVOCATIONS) != 0u)
        primitives = primitives_of_gs_invocations(draw, space_el);
    else if (draw != uvec2(0u))
        primitives = primitives_of(draw, ref.end.per_primitive, space_el);
    /* The draw may read one of the counters that are stored below. */
    memoryBarrierBuffer();
    barrier();
    if (index >= PGS_MAX_XFB_BUFFERS)
        return;
    const uvec2 store = ref.end.store[index];
    if (store != uvec2(0u))
        pgs_write(store, ref.end.offset_B[index] + primitives * ref.end.primitive_B[index]);
}
