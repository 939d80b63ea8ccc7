/* SPDX-License-Identifier: MIT
 *
 * Copies the arguments of indirect draws, up to the count in a buffer. Draws beyond it get zeros,
 * so they draw nothing. One word of all of them may become zero: the first instance.
 *
 * One invocation per draw that there may be. Root: pgs_draw_count. Step STEP_SETUP
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
#include "poly_gs/draw_count.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_draw_count_ref
{
    pgs_draw_count call;
};

#define PGS_CALL pgs_draw_count_ref(pgs_root_address()).call

void main()
{
    const uint i = pgs_linear_id(PGS_TILE_EL);
    if (i >= PGS_CALL.draw_count)
        return;
    const bool drawn = i < PGS_CALL.args_count && i < pgs_read(PGS_CALL.count);
    const uvec2 from = pgs_mul_add(PGS_CALL.args, i, PGS_CALL.args_stride_B);
    const uvec2 to = pgs_mul_add(PGS_CALL.copies, i, PGS_DRAW_COUNT_STRIDE_W * 4u);
    for (uint word = 0u; word < PGS_CALL.args_words; word++)
        pgs_write_at(to, word,
                     drawn && word != PGS_CALL.zero_word ? pgs_read_at(from, word) : 0u);
}
