/* SPDX-License-Identifier: MIT
 *
 * tess_count with PGS_TESS_ALONE, by one invocation: CPUs take long to compile what waits for a workgroup.
 *
 * Root: draw record. Step STEP_TESS_COUNT (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = 1) in;

#include "patch.glsl"
#include "tess_alone.glsl"

void main()
{
    /* All that is read of the records is read here, once: each load takes long to compile. */
    const pgs_tessellation tessellation = PGS_TESSELLATION;
    const uint in_instance = PGS_DRAW.primitive_count;
    const uint restarted = pgs_read_readable(PGS_DRAW.restart_count);
    const uint complete = (PGS_DRAW.flags & PGS_DRAW_RESTART) == 0u ? in_instance : min(in_instance, restarted);
    const uint patches = in_instance * PGS_DRAW.instance_count;
    uvec2 before = uvec2(0u);
    uint place = 0u; /* of the patch in its instance */
    [[dont_unroll]] for (uint number = 0u; number < patches; number++) {
        const uvec2 start = pgs_mul_add(tessellation.starts, number, 8u);
        pgs_write_near(start, 0u, before.x);
        pgs_write_near(start, 1u, before.y);
        if (place < complete && number - tessellation.patch_first <= tessellation.patch_count - 1u) {
            const uvec2 levels = pgs_mul_add(tessellation.patches, number, tessellation.patch_stride_w * 4u);
            const pgs_tess_patch tess = pgs_patch_at(levels, tessellation.flags);
            if ((tessellation.flags & PGS_TESS_RULED) != 0u && tess.primitive_count != 0u)
                pgs_patch_rule(levels, tess, tessellation.flags, tessellation.flags);
            before += uvec2(tess.vertex_count, tess.primitive_count);
        }
        place = place + 1u == in_instance ? 0u : place + 1u;
    }
    pgs_tess_finish_alone(tessellation, before);
}
