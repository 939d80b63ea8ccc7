/* SPDX-License-Identifier: MIT
 *
 * Kernels setup and setup_args: what only the GPU knows of a draw's size.
 */
#ifndef PGS_SETUP_GLSL
#define PGS_SETUP_GLSL

#include "poly_gs/xfb.h"
#include "byte_count.glsl"
#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_setup_ref
{
    pgs_setup setup;
};

#define PGS_SETUP pgs_setup_ref(pgs_root_address()).setup

/* By conditional rendering. */
uint pgs_setup_instances()
{
    const uint flags = PGS_SETUP.flags;
    bool is_drawn = true;
    if ((flags & PGS_SETUP_CONDITION) != 0u)
        is_drawn = (pgs_read_readable(PGS_SETUP.condition) != 0u) != ((flags & PGS_SETUP_INVERTED) != 0u);
    return is_drawn ? PGS_SETUP.instance_count : 0u;
}

uint pgs_setup_vertices()
{
    if ((PGS_SETUP.flags & PGS_SETUP_BYTE_COUNT) == 0u)
        return PGS_SETUP.vertex_count;
    return pgs_byte_count_vertices(pgs_read_readable(PGS_SETUP.counter), PGS_SETUP.counter_offset_B,
                                   PGS_SETUP.vertex_stride_B);
}

/* Writes the VkDrawIndirectCommand, if there is one. */
void pgs_setup_args(const uint vertex_count, const uint instance_count)
{
    const uvec2 args = PGS_SETUP.args;
    if (args == uvec2(0u))
        return;
    pgs_write_near(args, 0u, vertex_count);
    pgs_write_near(args, 1u, instance_count);
    pgs_write_near(args, 2u, 0u);
    pgs_write_near(args, 3u, PGS_SETUP.first_instance);
}

#endif
