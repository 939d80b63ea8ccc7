/* SPDX-License-Identifier: MIT
 *
 * starts[p] = vertices and primitives of the patches before p in its tile; tile_sums[t] = those of
 * tile t. With PGS_TESS_ALONE there is one tile, and it writes its total and the arguments of the inline draw.
 *
 * One workgroup per tile of the patches. Root: draw record. Step STEP_TESS_COUNT
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "patch.glsl"
#include "tess_alone.glsl"
#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"

void main()
{
    const uint number = pgs_linear_id(PGS_TILE_EL);
    const uint tile = number / PGS_TILE_EL;
    const uint patches = PGS_DRAW.primitive_count * PGS_DRAW.instance_count;
    uvec2 count = uvec2(0u);
    if (number < patches) {
        const pgs_tess_patch tess = pgs_patch_read(number);
        const uint flags = PGS_TESSELLATION.flags;
        if ((flags & PGS_TESS_RULED) != 0u && tess.primitive_count != 0u)
            pgs_patch_rule(pgs_patch_address(number), tess, flags, flags);
        count = uvec2(tess.vertex_count, tess.primitive_count);
    }
    const uvec2 before = pgs_scan_exclusive(count);
    if (number < patches) {
        const uvec2 start = pgs_mul_add(PGS_TESSELLATION.starts, number, 8u);
        pgs_write_near(start, 0u, before.x);
        pgs_write_near(start, 1u, before.y);
    }
    if (PGS_LOCAL_ID != 0u)
        return;
    if ((PGS_TESSELLATION.flags & PGS_TESS_ALONE) != 0u) {
        if (tile == 0u)
            pgs_tess_finish_alone(PGS_TESSELLATION, pgs_scan_total);
    } else if (tile * PGS_TILE_EL < patches) {
        const uvec2 sums = pgs_mul_add(PGS_TESSELLATION.tile_sums, tile, 8u);
        pgs_write_near(sums, 0u, pgs_scan_total.x);
        pgs_write_near(sums, 1u, pgs_scan_total.y);
    }
}
