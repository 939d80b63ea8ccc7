/* SPDX-License-Identifier: MIT
 *
 * Inputs of a vertex shader, in whichever stage it runs. The first call selects the vertex of the
 * draw.
 */
#ifndef PGS_VERTEX_INPUTS_GLSL
#define PGS_VERTEX_INPUTS_GLSL

#include "fetch.glsl"
#include "index.glsl"

uint pgs_v_instance; /* counted from 0 */
uint pgs_v_vertex_index;

/* Selects a vertex whose index has been read. */
void pgs_vertex_choose(const uint instance, const uint index)
{
    pgs_v_instance = instance;
    pgs_v_vertex_index = index + PGS_NEAR.first_vertex;
}

/* Selects the vertex at a position of the draw, which has no restart index. */
void pgs_vertex_at(const uint instance, const uint position)
{
    const bool indexed = (PGS_NEAR.flags & PGS_DRAW_INDEXED) != 0u;
#ifdef PGS_RECORD_INPUTS
    uint index = indexed ? 0u : position;
    if (indexed && position < PGS_NEAR.index_bound_el)
        index = pgs_index_within(position);
    pgs_vertex_choose(instance, index);
#else
    pgs_vertex_choose(instance, indexed ? pgs_index_at(position) : position);
#endif
}

uint pgs_vertex_index()
{
    return pgs_v_vertex_index;
}

uint pgs_instance_index()
{
    return PGS_NEAR.first_instance + pgs_v_instance;
}

uint pgs_base_vertex()
{
    return PGS_NEAR.first_vertex;
}

uint pgs_base_instance()
{
    return PGS_NEAR.first_instance;
}

uint pgs_draw_index()
{
    return PGS_DRAW.draw_index;
}

/* An attribute of the vertex. wide: whether it is one of pgs_fetch_wide. */
uvec4 pgs_fetch_at(const uint location, const uint format, const bool wide, const uint half_id)
{
    const uint element = pgs_element_of(location, format, pgs_v_vertex_index, pgs_v_instance);
    const bool there = pgs_element_is_there(location, element);
    const uvec2 address = pgs_element_address(location, element, there);
    uint actual = format;
    if (format == PGS_FORMAT_DYNAMIC)
        actual = PGS_DRAW.attributes[location].format;
    if (wide)
        return pgs_fetch_element_wide(address, there, actual, half_id);
    if (format == PGS_FORMAT_DYNAMIC)
        return pgs_fetch_any_element(address, there, actual);
    return pgs_fetch_element(address, there, actual);
}

/* The attribute at a location as four 32-bit components. format: PGS_FORMAT_MAKE (format.h),
 * preferably a constant. */
uvec4 pgs_fetch(const uint location, const uint format)
{
    return pgs_fetch_at(location, format, false, 0u);
}

#ifdef PGS_RECORD_INPUTS
/* The same of the attribute that lies offset_B behind that at a location, as far as it is one of 32-bit components: what
 * several of one element compute is computed once. No lane loads what is not there, so there is no address to choose. */
uvec4 pgs_fetch_near(const uint location, const uint format, const uint offset_B)
{
    const bool words = PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_32;
    /* Without a stride the count is UINT32_MAX, and every element is the same. */
    const uint element = min(pgs_element_number(location, format, pgs_v_vertex_index, pgs_v_instance), 0xFFFFFFFEu);
    uvec4 raw = uvec4(0u);
    if (element < PGS_ATTRIBUTE_COUNT_EL(location)) {
        const uvec2 first =
            pgs_mul_add(PGS_ATTRIBUTE_ADDRESS(location), element, PGS_ATTRIBUTE_STRIDE_B(location));
        const uvec2 address = pgs_add(first, offset_B);
        raw = words ? pgs_element_words(address, PGS_FORMAT_COUNT(format))
                    : pgs_element_bytes(address, pgs_format_size_B(format));
    }
    return pgs_element_of_raw(format, raw);
}
#endif

/* The same for 64-bit formats: components x and y (half_id 0), z and w (1), low words first. */
uvec4 pgs_fetch_wide(const uint location, const uint format, const uint half_id)
{
    return pgs_fetch_at(location, format, true, half_id);
}

#endif
