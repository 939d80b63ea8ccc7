/* SPDX-License-Identifier: MIT
 *
 * interval_end where the CPU knows everything: nothing precedes it, so nothing has to be found and waited for. CPUs
 * take a third of the time to compile it.
 *
 * One workgroup, an invocation for each buffer. Root: pgs_interval_end, whose draw is 0. Dispatched by
 * pgs_compute_record.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_ALONE
#include "poly_gs/xfb.h"
layout(local_size_x = PGS_MAX_XFB_BUFFERS) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_interval_end_ref
{
    pgs_interval_end end;
};

void main()
{
    pgs_interval_end_ref ref = pgs_interval_end_ref(pgs_root_address());
    const uint index = PGS_LOCAL_ID;
    const uvec2 store = ref.end.store[index];
    const uint offset_B = ref.end.offset_B[index];
    if (store != uvec2(0u))
        pgs_write(store, offset_B);
}
