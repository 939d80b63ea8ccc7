/* SPDX-License-Identifier: MIT
 *
 * Calls of a vertex shader that runs as a compute shader: one invocation per (instance, position in
 * the draw). Linked into the application's shader, so parameters and results are values, and state
 * is in private variables.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "vertex_inputs.glsl"

uvec2 pgs_v_output; /* address of the stored vertex */

/* The first call. False: this invocation has no vertex and must return. possible_flags: mask of those
 * that the record may have. */
bool pgs_vertex_begin(const uint out_stride_w, const uint possible_flags)
{
    pgs_keep_root();
    uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    bool in_round = true;
    if ((possible_flags & PGS_DRAW_ROUND) != 0u) { /* known when the shader is made */
        const uvec2 stored = PGS_DRAW.restart_tiles;
        if ((PGS_DRAW.flags & (PGS_DRAW_ROUND | PGS_DRAW_RESTART)) == PGS_DRAW_ROUND) {
            in_round = id < stored.y - stored.x; /* the grid is that of the largest record */
            id += stored.x;
        }
    }
    const uint vertex_count = PGS_DRAW.vertex_count;
    const uvec2 vertices = PGS_DRAW.vertices;
    const uint instance = id / max(vertex_count, 1u);
    bool there = in_round && instance < mix(0u, PGS_DRAW.instance_count, vertex_count != 0u);
    if (out_stride_w != 0u)
        there = there && vertices != uvec2(0u);

    uint vertex = id - instance * vertex_count;
    const uint flags = PGS_DRAW.flags & possible_flags;
    if ((flags & PGS_DRAW_INDEXED) != 0u) {
        vertex = pgs_index_at(vertex);
        if ((flags & PGS_DRAW_RESTART) != 0u)
            there = there && vertex != pgs_restart_index();
    }
    pgs_vertex_choose(instance, vertex);
    pgs_v_output = pgs_mul_add(vertices, id, out_stride_w * 4u);
    return there;
}

void pgs_vertex_store(const uint word, const uint value)
{
    pgs_write_near(pgs_v_output, word, value);
}

/* word: a multiple of 4. */
void pgs_vertex_store4(const uint word, const uvec4 value)
{
    pgs_write4_near(pgs_v_output, word, value);
}

#include "vertex_capture.glsl"

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
