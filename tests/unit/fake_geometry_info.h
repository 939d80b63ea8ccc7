/* SPDX-License-Identifier: MIT
 *
 * What the fake spirv module finds in geometry shaders. Part of fake_spirv.h.
 */
#ifndef PGS_TEST_FAKE_GEOMETRY_INFO_H
#define PGS_TEST_FAKE_GEOMETRY_INFO_H

#include "spirv/spirv.h"

#define WORD_BAD 3u /* first word of a fake module in which nothing is right */

static struct pgs_spv_geometry_info geometry_info;
static bool reads_primitive_id, reads_layer, reads_viewport_index;
static _Atomic int geometry_reflections; /* how often a geometry shader was looked at */

enum pgs_spv_result pgs_spv_geometry_info(const struct pgs_spv_shader *gs,
                                          struct pgs_spv_geometry_info *info)
{
    assert_int_equal(gs->stage, PGS_SPV_GEOMETRY);
    geometry_reflections++;
    *info = geometry_info;
    return gs->words[0] == WORD_BAD ? PGS_SPV_INVALID : PGS_SPV_OK;
}

enum pgs_spv_result pgs_spv_geometry_split_info(const struct pgs_spv_shader *gs,
                                                struct pgs_spv_geometry_info *info)
{
    return pgs_spv_geometry_info(gs, info);
}

#endif
