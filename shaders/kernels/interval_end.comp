/* SPDX-License-Identifier: MIT
 *
 * Stores where an interval of transform feedback ends, for which the CPU knows all but maybe how large its last draw is: one
 * invocation for each buffer. The root is a pgs_interval_end.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_MAX_FEEDBACK_BUFFERS) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_interval_end_ref
{
    pgs_interval_end end;
};

/* Of the draw, up to `most`. */
uint primitives_of(const uvec2 address, const uint most)
{
    pgs_draw_ref record = pgs_draw_ref(address);
    const uint instance_count = record.draw.instance_count;
    uint primitives = record.draw.primitive_count;
    if ((record.draw.flags & PGS_DRAW_RESTART) != 0u)
        primitives = min(primitives, pgs_read(record.draw.restart_count));
    uint high, low;
    umulExtended(primitives, instance_count, high, low);
    return high != 0u ? most : min(low, most);
}

void main()
{
    pgs_interval_end_ref ref = pgs_interval_end_ref(pgs_root_address());
    const uint index = gl_LocalInvocationIndex;
    const uvec2 store = ref.end.store[index];
    const uvec2 draw = ref.end.draw;
    const uint room_el = ref.end.room_el;
    const uint primitive_B = ref.end.primitive_B[index];
    uint offset_B = ref.end.offset_B[index];
    if (store == uvec2(0u))
        return;
    if (draw != uvec2(0u))
        offset_B += primitives_of(draw, room_el) * primitive_B;
    pgs_write(store, offset_B);
}
