/* SPDX-License-Identifier: MIT
 *
 * Finds the primitive of a GS invocation and its input vertices.
 */
#ifndef PGS_GEOMETRY_INVOCATION_GLSL
#define PGS_GEOMETRY_INVOCATION_GLSL

#include "record.glsl"
#include "tessellation.glsl"
#include "topology.glsl"
#include "vertex_inputs.glsl"

uint pgs_g_primitive;
uint pgs_g_invocation;
uvec2 pgs_g_input[6];   /* addresses of the input vertices */
uint pgs_g_last_input;
uint pgs_g_instance;    /* not set with tessellation, like pgs_g_position */
uint pgs_g_position[6]; /* of the input vertices in the draw */

/* Finds the input vertices of pgs_g_primitive. */
void pgs_geometry_find_inputs(const uint instance, const uint primitives, const uint input_vertices,
                              const uint in_stride_w, const uint topology, const uint flags)
{
    uint segment_start = 0u;
    uint in_run = pgs_g_primitive;
    bool last = pgs_g_primitive + 1u == primitives;
    if ((flags & PGS_DRAW_RESTART) != 0u) {
        const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, pgs_g_primitive, 8u);
        segment_start = pgs_read(entry);
        in_run = pgs_read(pgs_add(entry, 4u));
        last = (in_run & PGS_PRIMITIVE_LAST) != 0u;
        in_run &= ~PGS_PRIMITIVE_LAST;
    }
    const uint first = instance * PGS_DRAW.vertex_count;
    pgs_g_instance = instance;
    const uvec2 vertices = PGS_DRAW.vertices;
    const bool main_only = (flags & PGS_DRAW_MAIN) != 0u;
    const bool provoking_last = (flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    for (uint k = 0u; k < input_vertices; k++) {
        const uint input_k = main_only ? pgs_topology_main(topology, k) : k;
        pgs_g_position[k] =
            segment_start + pgs_topology_vertex(topology, in_run, input_k, last, provoking_last);
        pgs_g_input[k] = pgs_mul_add(vertices, first + pgs_g_position[k], in_stride_w * 4u);
    }
}

/* The same for a tessellated primitive, numbered over all instances. */
void pgs_geometry_find_tessellated(const uint number, const uint input_vertices, const uint in_stride_w)
{
    const uvec4 primitive =
        pgs_read4(pgs_mul_add(PGS_TESSELLATION.primitives, number, PGS_TESS_PRIMITIVE_STRIDE_B));
    const uvec2 vertices = PGS_TESSELLATION.vertices;
    for (uint k = 0u; k < min(input_vertices, 3u); k++)
        pgs_g_input[k] = pgs_mul_add(vertices, primitive[k], in_stride_w * 4u);
    pgs_g_primitive = primitive.w % max(PGS_DRAW.primitive_count, 1u);
}

/* Primitives per instance, without tessellation. */
uint pgs_geometry_known_primitives(const uint flags)
{
    const uint primitives = PGS_DRAW.primitive_count;
    if ((flags & PGS_DRAW_RESTART) == 0u)
        return primitives;
    return min(primitives, pgs_read(PGS_DRAW.restart_count));
}

uint pgs_geometry_primitives()
{
    return pgs_geometry_known_primitives(PGS_DRAW.flags);
}

/* Finds the inputs of a GS invocation. False: the draw has no such GS invocation. topology, flags:
 * of the record, or constants that agree with it. */
bool pgs_geometry_find_known_invocation(const uint gs_invocation, const uint invocations, const uint input_vertices, const uint in_stride_w,
                                  const uint topology, const uint flags)
{
    const uint in_order = gs_invocation / invocations;
    pgs_g_invocation = gs_invocation - in_order * invocations;
    pgs_g_last_input = input_vertices - 1u;
    if ((flags & PGS_DRAW_TESSELLATED) != 0u) {
        if (in_order >= PGS_TESSELLATION.primitive_count)
            return false;
        pgs_geometry_find_tessellated(in_order, input_vertices, in_stride_w);
        return true;
    }
    const uint primitives = pgs_geometry_known_primitives(flags);
    const uint instance = in_order / max(primitives, 1u);
    if (primitives == 0u || instance >= PGS_DRAW.instance_count)
        return false;
    pgs_g_primitive = in_order - instance * primitives;
    pgs_geometry_find_inputs(instance, primitives, input_vertices, in_stride_w, topology, flags);
    return true;
}

/* A word of an input vertex. An index out of range, which the application may compute, selects the
 * last vertex. */
uint pgs_load(const uint vertex, const uint word)
{
    return pgs_read(pgs_add(pgs_g_input[min(vertex, pgs_g_last_input)], word * 4u));
}

/* word: a multiple of 4. */
uvec4 pgs_load4(const uint vertex, const uint word)
{
    return pgs_read4(pgs_add(pgs_g_input[min(vertex, pgs_g_last_input)], word * 4u));
}

bool pgs_geometry_find_invocation(const uint gs_invocation, const uint invocations, const uint input_vertices, const uint in_stride_w)
{
    return pgs_geometry_find_known_invocation(gs_invocation, invocations, input_vertices, in_stride_w, PGS_DRAW.topology, PGS_DRAW.flags);
}

/* If the vertex shader runs in the same shader: selects the input vertex for which it runs next. */
void pgs_geometry_choose_vertex(const uint vertex)
{
    pgs_vertex_at(pgs_g_instance, pgs_g_position[vertex]);
}

uint pgs_primitive_id()
{
    return pgs_g_primitive;
}

uint pgs_invocation_id()
{
    return pgs_g_invocation;
}

#endif
