/* SPDX-License-Identifier: MIT
 *
 * What a vertex shader calls once it is a compute shader. One invocation per (instance, position in the draw).
 * Linked into the application's shader, so parameters and results are values; what lasts is private here.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "fetch.glsl"
#include "index.glsl"

uint pgs_v_instance;     /* counted from 0 */
uint pgs_v_vertex_index;
uvec2 pgs_v_output;      /* address of the vertex that is stored */

/* First of all. False: this invocation has no vertex and returns at once. */
bool pgs_vertex_begin(const uint out_stride_w)
{
    const uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uint vertex_count = PGS_DRAW.vertex_count;
    if (vertex_count == 0u)
        return false;
    const uint instance = id / vertex_count;
    if (instance >= PGS_DRAW.instance_count)
        return false;

    uint vertex = id - instance * vertex_count;
    const uint flags = PGS_DRAW.flags;
    if ((flags & PGS_DRAW_INDEXED) != 0u) {
        vertex = pgs_index_at(vertex);
        if ((flags & PGS_DRAW_RESTART) != 0u && vertex == pgs_restart_index())
            return false;
    }
    pgs_v_instance = instance;
    pgs_v_vertex_index = vertex + PGS_DRAW.first_vertex;
    pgs_v_output = pgs_mul_add(PGS_DRAW.vertices, id, out_stride_w * 4u);
    return true;
}

uint pgs_vertex_index()
{
    return pgs_v_vertex_index;
}

uint pgs_instance_index()
{
    return PGS_DRAW.first_instance + pgs_v_instance;
}

uint pgs_base_vertex()
{
    return PGS_DRAW.first_vertex;
}

uint pgs_base_instance()
{
    return PGS_DRAW.first_instance;
}

uint pgs_draw_index()
{
    return PGS_DRAW.draw_index;
}

/* The attribute at a location as four 32-bit components. format: enum of poly_gs/format.h, best a constant. */
uvec4 pgs_fetch(const uint location, const uint format)
{
    uint actual = format;
    if (format == PGS_FORMAT_DYNAMIC)
        actual = PGS_DRAW.attributes[location].format;
    return pgs_fetch_element(pgs_element_address(location, pgs_v_vertex_index, pgs_v_instance), actual);
}

/* The same for 64-bit formats: components x and y (half_id 0), z and w (1), low words first. */
uvec4 pgs_fetch_wide(const uint location, const uint format, const uint half_id)
{
    uint actual = format;
    if (format == PGS_FORMAT_DYNAMIC)
        actual = PGS_DRAW.attributes[location].format;
    return pgs_fetch_element_wide(pgs_element_address(location, pgs_v_vertex_index, pgs_v_instance), actual,
                                  half_id);
}

void pgs_vertex_store(const uint word, const uint value)
{
    pgs_write(pgs_add(pgs_v_output, word * 4u), value);
}

/* word: a multiple of 4. */
void pgs_vertex_store4(const uint word, const uvec4 value)
{
    pgs_write4(pgs_add(pgs_v_output, word * 4u), value);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
