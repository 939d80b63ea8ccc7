/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader calls once it is a compute shader. One invocation per unit: (instance, primitive,
 * invocation). Linked into the application's shader, so parameters and results are values; what lasts is private.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "record.glsl"
#include "topology.glsl"

uint pgs_g_unit;            /* place in the per-unit arrays of this record */
uint pgs_g_primitive;
uint pgs_g_invocation;
uint pgs_g_last_input;
uint pgs_g_max_vertices;
uint pgs_g_out_kind;
uint pgs_g_out_stride_B;
uvec2 pgs_g_input[6];       /* addresses of the input vertices */

uint pgs_g_emitted;         /* vertices so far */
uint pgs_g_strip_start;     /* first vertex of the open strip */
uint pgs_g_index_count;
uint pgs_g_cuts;            /* the cut word of the newest vertex; it is written when the next one begins */
uvec2 pgs_g_cuts_address;   /* of that word */
uvec2 pgs_g_slot;           /* address of the vertex that is being emitted */

/* Where the input vertices of this primitive are. */
void pgs_geometry_find_inputs(const uint instance, const uint primitives, const uint input_vertices,
                              const uint in_stride_w)
{
    const uint topology = PGS_DRAW.topology;
    uint run_start = 0u;
    uint in_run = pgs_g_primitive;
    bool last = pgs_g_primitive + 1u == primitives;
    if ((PGS_DRAW.flags & PGS_DRAW_RESTART) != 0u) {
        const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, pgs_g_primitive, 8u);
        run_start = pgs_read(entry);
        in_run = pgs_read(pgs_add(entry, 4u));
        last = (in_run & PGS_PRIMITIVE_LAST) != 0u;
        in_run &= ~PGS_PRIMITIVE_LAST;
    }
    const uint first = instance * PGS_DRAW.vertex_count + run_start;
    const uvec2 vertices = PGS_DRAW.vertices;
    const bool main_only = (PGS_DRAW.flags & PGS_DRAW_MAIN) != 0u;
    const bool provoking_last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    for (uint k = 0u; k < input_vertices; k++) {
        const uint input_k = main_only ? pgs_topology_main(topology, in_run, k, provoking_last) : k;
        pgs_g_input[k] =
            pgs_mul_add(vertices, first + pgs_topology_vertex(topology, in_run, input_k, last),
                        in_stride_w * 4u);
    }
}

/* First of all. False: this invocation has no unit and returns at once. out_kind: vertices of an output primitive. */
bool pgs_geometry_begin(const uint input_vertices, const uint invocations, const uint max_vertices,
                        const uint out_kind, const uint in_stride_w, const uint out_stride_w)
{
    const uint place = pgs_linear_id(PGS_SHADER_GROUP_EL);
    if (place >= PGS_DRAW.unit_bound)
        return false;

    const uint unit = PGS_DRAW.unit_first + place;
    uint primitives = PGS_DRAW.primitive_count;
    if ((PGS_DRAW.flags & PGS_DRAW_RESTART) != 0u)
        primitives = min(primitives, pgs_read(PGS_DRAW.restart_count));
    const uint in_order = unit / invocations;
    const uint instance = in_order / max(primitives, 1u);
    if (primitives == 0u || instance >= PGS_DRAW.instance_count) {
        pgs_write_at(PGS_DRAW.counts, place, 0u);
        return false;
    }
    pgs_g_unit = place;
    pgs_g_primitive = in_order - instance * primitives;
    pgs_g_invocation = unit - in_order * invocations;
    pgs_g_last_input = input_vertices - 1u;
    pgs_g_max_vertices = max_vertices;
    pgs_g_out_kind = out_kind;
    pgs_g_out_stride_B = out_stride_w * 4u;
    pgs_geometry_find_inputs(instance, primitives, input_vertices, in_stride_w);

    pgs_g_emitted = 0u;
    pgs_g_strip_start = 0u;
    pgs_g_index_count = 0u;
    pgs_g_cuts = 0u;
    pgs_g_cuts_address = pgs_mul_add(PGS_DRAW.cuts, place, (max_vertices + 31u) / 32u * 4u);
    pgs_g_slot = pgs_mul_add(PGS_DRAW.slots, place, max_vertices * pgs_g_out_stride_B);
    return true;
}

uint pgs_primitive_id()
{
    return pgs_g_primitive;
}

uint pgs_invocation_id()
{
    return pgs_g_invocation;
}

/* A word of input vertex `vertex`. The application may compute that number; beyond the last it reads the last. */
uint pgs_load(const uint vertex, const uint word)
{
    return pgs_read(pgs_add(pgs_g_input[min(vertex, pgs_g_last_input)], word * 4u));
}

/* word: a multiple of 4. */
uvec4 pgs_load4(const uint vertex, const uint word)
{
    return pgs_read4(pgs_add(pgs_g_input[min(vertex, pgs_g_last_input)], word * 4u));
}

/* Before the stores of an emitted vertex. False: there were max_vertices already; nothing is to be stored. */
bool pgs_emit_begin()
{
    if (pgs_g_emitted >= pgs_g_max_vertices)
        return false;
    if (pgs_g_out_kind != 1u && pgs_g_emitted != 0u && (pgs_g_emitted & 31u) == 0u) {
        pgs_write(pgs_g_cuts_address, pgs_g_cuts);
        pgs_g_cuts_address = pgs_add(pgs_g_cuts_address, 4u);
        pgs_g_cuts = 0u;
    }
    return true;
}

void pgs_emit_store(const uint word, const uint value)
{
    pgs_write(pgs_add(pgs_g_slot, word * 4u), value);
}

/* word: a multiple of 4. */
void pgs_emit_store4(const uint word, const uvec4 value)
{
    pgs_write4(pgs_add(pgs_g_slot, word * 4u), value);
}

void pgs_emit_end()
{
    pgs_g_emitted++;
    pgs_g_slot = pgs_add(pgs_g_slot, pgs_g_out_stride_B);
}

/* Points have no strips; a strip too short for a primitive gives no indices. */
void pgs_end_primitive()
{
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    if (pgs_g_out_kind == 1u || length_el == 0u)
        return;
    pgs_g_cuts |= 1u << ((pgs_g_emitted - 1u) & 31u);
    if (length_el >= pgs_g_out_kind)
        pgs_g_index_count += length_el + 1u;
    pgs_g_strip_start = pgs_g_emitted;
}

/* Last of all, for units whose begin was true. */
void pgs_geometry_end()
{
    pgs_end_primitive();
    uint index_count = pgs_g_index_count;
    if (pgs_g_out_kind == 1u)
        index_count = pgs_g_emitted;
    else if (pgs_g_emitted != 0u)
        pgs_write(pgs_g_cuts_address, pgs_g_cuts);
    pgs_write_at(PGS_DRAW.counts, pgs_g_unit, index_count | (pgs_g_emitted << 16u));
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
