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
#ifdef PGS_EVALUATES
#include "patch_find.glsl"
#endif

uint pgs_g_primitive;
uint pgs_g_invocation;
uint pgs_g_instance;
uint pgs_g_segment_start; /* with primitive restart: position of the segment's first vertex, else 0 */
uint pgs_g_in_segment;    /* number of the primitive in its segment */
bool pgs_g_last;          /* it is the last one */
bool pgs_g_provoking_last;
uvec2 pgs_g_input[6];     /* addresses of the input vertices, if they have been stored */
uint pgs_g_last_input;

/* What the pipeline fixes is passed as constants. topology: of the record, 10 if all draws are
 * tessellated, or PGS_TOPOLOGY_ANY. flags: mask of those that the record may have. */

bool pgs_geometry_is_tessellated(const uint topology, const uint flags)
{
    if (topology == PGS_TOPOLOGY_ANY)
        return (PGS_NEAR.flags & flags & PGS_DRAW_TESSELLATED) != 0u;
    return topology == PGS_PATCH_LIST;
}

/* Primitives per instance, without tessellation. */
uint pgs_geometry_primitives(const uint flags)
{
    const uint primitives = PGS_NEAR.primitive_count;
    if ((flags & PGS_DRAW_RESTART) == 0u)
        return primitives;
    return min(primitives, pgs_read_readable(PGS_DRAW.restart_count));
}

/* The position in the draw of an input vertex of the primitive. */
uint pgs_geometry_position(const uint vertex, const uint topology, const uint flags)
{
    const uint actual = topology == PGS_TOPOLOGY_ANY ? PGS_NEAR.topology : topology;
    const uint some = PGS_NEAR.flags & flags;
    const uint k = (some & PGS_DRAW_MAIN) != 0u ? pgs_topology_main(actual, vertex) : vertex;
    const uint in_segment = pgs_topology_vertex(actual, pgs_g_in_segment, k, pgs_g_last, pgs_g_provoking_last);
    return (flags & PGS_DRAW_RESTART) != 0u ? pgs_g_segment_start + in_segment : in_segment;
}

/* Finds the restart segment of the primitive. */
void pgs_geometry_find_segment(const uint primitives, const uint flags, const bool exists)
{
    const uint some = PGS_NEAR.flags & flags;
    pgs_g_segment_start = 0u;
    pgs_g_in_segment = pgs_g_primitive;
    pgs_g_last = pgs_g_primitive + 1u == primitives;
    pgs_g_provoking_last = (some & PGS_DRAW_PROVOKING_LAST) != 0u;
    if ((some & PGS_DRAW_RESTART) != 0u) {
        if (exists) {
            const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, pgs_g_primitive, 8u);
            const uint in_segment = pgs_read(pgs_add(entry, 4u));
            pgs_g_segment_start = pgs_read(entry);
            pgs_g_last = (in_segment & PGS_PRIMITIVE_LAST) != 0u;
            pgs_g_in_segment = in_segment & ~PGS_PRIMITIVE_LAST;
        }
    }
}

/* Finds the stored input vertices of the primitive. */
void pgs_geometry_find_stored(const uint input_vertices, const uint in_stride_w, const uint topology,
                              const uint flags)
{
    const uint first = pgs_g_instance * PGS_DRAW.vertex_count;
    for (uint k = 0u; k < input_vertices; k++)
        pgs_g_input[k] =
            pgs_mul_add(PGS_DRAW.vertices, first + pgs_geometry_position(k, topology, flags), in_stride_w * 4u);
}

/* The same for a tessellated primitive, numbered over all instances. */
void pgs_geometry_find_tessellated(const uint number, const uint input_vertices, const uint in_stride_w, const uint flags)
{
    const bool drawn = (PGS_NEAR.flags & flags & PGS_DRAW_EVALUATED) != 0u;
    const uint last = input_vertices - 1u;
    const uvec2 at =
        pgs_mul_add(PGS_TESSELLATION.primitives, number, drawn ? input_vertices * 4u : PGS_TESS_PRIMITIVE_STRIDE_B);
    uvec4 primitive;
    if (drawn)
        primitive = uvec4(pgs_read_near(at, 0u), pgs_read_near(at, min(1u, last)), pgs_read_near(at, last), 0u);
    else
        primitive = pgs_read4(at);
    const uvec2 vertices = PGS_TESSELLATION.vertices;
    pgs_g_input[0] = pgs_mul_add(vertices, primitive.x, in_stride_w * 4u);
    if (input_vertices > 1u)
        pgs_g_input[1] = pgs_mul_add(vertices, primitive.y, in_stride_w * 4u);
    if (input_vertices > 2u)
        pgs_g_input[2] = pgs_mul_add(vertices, primitive.z, in_stride_w * 4u);
    pgs_g_primitive = primitive.w % max(PGS_NEAR.primitive_count, 1u);
}

/* The same if the evaluation shader runs in the same shader, for which PGS_EVALUATES must be
 * defined. */
void pgs_geometry_find_evaluated(const uint number)
{
#ifdef PGS_EVALUATES
    pgs_patch_find(number);
    pgs_g_primitive = pgs_pf_patch % max(PGS_NEAR.primitive_count, 1u);
#endif
}

/* As pgs_geometry_find_invocation where the evaluation shader runs in the same shader, of the patch pgs_pf_patch, with
 * PGS_TESS_BY_PATCH: gs_invocation is numbered in it, and exists. */
void pgs_geometry_find_in_patch(const uint gs_invocation, const uint invocations, const uint input_vertices)
{
#ifdef PGS_EVALUATES
    pgs_pf_in_patch = pgs_tess_small_quotient(gs_invocation, invocations);
    pgs_g_invocation = gs_invocation - pgs_pf_in_patch * invocations;
    pgs_g_last_input = input_vertices - 1u;
    pgs_g_primitive = pgs_pf_patch % max(PGS_NEAR.primitive_count, 1u);
#endif
}

/* n / d. CPUs divide integers one by one, but floats all at once. Of the quotient of two floats less than one part in 2^21
 * is wrong, so that of what is left is wrong by no more than one. n and d < 2^31. */
uint pgs_geometry_quotient(const uint n, const uint d)
{
#ifdef PGS_DIVIDES_FLOATS
    const float scale = 1.0 / float(int(d));
    uint quotient = uint(int(float(int(n)) * scale));
    quotient += uint(int(floor(float(int(n - quotient * d)) * scale)));
    const int rest = int(n - quotient * d);
    return rest < 0 ? quotient - 1u : rest >= int(d) ? quotient + 1u : quotient;
#else
    return n / d;
#endif
}

/* Finds the inputs of a GS invocation. False: the draw has no such GS invocation. in_stride_w: 0 if
 * the vertex or evaluation shader runs in the same shader. */
bool pgs_geometry_find_invocation(const uint gs_invocation, const uint invocations, const uint input_vertices, const uint in_stride_w,
                            const uint topology, const uint flags)
{
    const uint in_order = gs_invocation / invocations;
    pgs_g_invocation = gs_invocation - in_order * invocations;
    pgs_g_last_input = input_vertices - 1u;
    if (pgs_geometry_is_tessellated(topology, flags)) {
        const bool is_stored = in_stride_w == 0u || pgs_tessellated_is_stored();
        const bool is_made = is_stored && in_order < pgs_tessellated_primitives();
        if (is_made) {
            if (in_stride_w != 0u)
                pgs_geometry_find_tessellated(in_order, input_vertices, in_stride_w, flags);
            else
                pgs_geometry_find_evaluated(in_order);
        }
        return is_made;
    }
    /* What does not exist may be looked for all the same, as long as nothing is loaded for it. */
    const uint primitives = pgs_geometry_primitives(PGS_NEAR.flags & flags);
    const uint instance = pgs_geometry_quotient(in_order, max(primitives, 1u));
    const bool exists = instance < mix(0u, PGS_NEAR.instance_count, primitives != 0u);
    pgs_g_primitive = in_order - instance * primitives;
    pgs_g_instance = instance;
    pgs_geometry_find_segment(primitives, flags, exists);
    if (in_stride_w != 0u)
        pgs_geometry_find_stored(input_vertices, in_stride_w, topology, flags);
    return exists;
}

/* A word of an input vertex. An index out of range, which the application may compute, selects the
 * last vertex. */
uint pgs_load(const uint vertex, const uint word)
{
    return pgs_read_near(pgs_g_input[min(vertex, pgs_g_last_input)], word);
}

/* word: a multiple of 4. */
uvec4 pgs_load4(const uint vertex, const uint word)
{
    return pgs_read4_near(pgs_g_input[min(vertex, pgs_g_last_input)], word);
}

/* If the vertex shader runs in the same shader: selects the input vertex for which it runs next. */
void pgs_geometry_choose_vertex(const uint vertex, const uint topology, const uint flags)
{
    pgs_vertex_at(pgs_g_instance, pgs_geometry_position(vertex, topology, flags));
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
