/* SPDX-License-Identifier: MIT
 *
 * The part of pgs_spv.c that knows which shaders its passes take.
 */
#ifndef PGS_TEST_PASS_STAGES_H
#define PGS_TEST_PASS_STAGES_H

#include "spirv/spirv.h"

#include <stddef.h>
#include <string.h>

/* Of a pass or a file extension. 0: there is none. */
static int stage_of(const char *text, enum pgs_spv_stage *stage)
{
    static const struct {
        const char *name;
        enum pgs_spv_stage stage;
    } stages[] = {{"vert", PGS_SPV_VERTEX},
                  {"geom", PGS_SPV_GEOMETRY},
                  {"frag", PGS_SPV_FRAGMENT},
                  {"comp", PGS_SPV_COMPUTE},
                  {"tesc", PGS_SPV_CONTROL},
                  {"tese", PGS_SPV_EVALUATION},
                  {"control", PGS_SPV_CONTROL},
                  {"counted", PGS_SPV_CONTROL},
                  {"shades", PGS_SPV_CONTROL},
                  {"evaluation", PGS_SPV_EVALUATION},
                  {"place", PGS_SPV_EVALUATION},
                  {"patch_place", PGS_SPV_EVALUATION},
                  {"vertex", PGS_SPV_VERTEX},
                  {"captured", PGS_SPV_VERTEX},
                  {"fused", PGS_SPV_VERTEX},
                  {"geometry", PGS_SPV_GEOMETRY},
                  {"own", PGS_SPV_GEOMETRY},
                  {"parted", PGS_SPV_GEOMETRY},
                  {"joined", PGS_SPV_GEOMETRY},
                  {"pattern", PGS_SPV_GEOMETRY},
                  {"raster", PGS_SPV_GEOMETRY},
                  {"one_vertex", PGS_SPV_GEOMETRY},
                  {"picks", PGS_SPV_GEOMETRY},
                  {"instanced", PGS_SPV_VERTEX},
                  {"sift", PGS_SPV_VERTEX},
                  {"raster1", PGS_SPV_GEOMETRY},
                  {"raster2", PGS_SPV_GEOMETRY},
                  {"raster3", PGS_SPV_GEOMETRY},
                  {"select", PGS_SPV_GEOMETRY},
                  {"viewed", PGS_SPV_GEOMETRY},
                  {"viewed_place", PGS_SPV_EVALUATION},
                  {"owned", PGS_SPV_VERTEX},
                  {"chunks", PGS_SPV_VERTEX},
                  {"inline0", PGS_SPV_VERTEX},
                  {"inline1", PGS_SPV_VERTEX},
                  {"selected", PGS_SPV_VERTEX},
                  {"taken", PGS_SPV_FRAGMENT},
                  {"fragment", PGS_SPV_FRAGMENT},
                  {"zeroed", PGS_SPV_FRAGMENT},
                  {"clipped", PGS_SPV_FRAGMENT},
                  {"patchless", PGS_SPV_FRAGMENT},
                  {"through1", PGS_SPV_VERTEX},
                  {"through2", PGS_SPV_VERTEX},
                  {"through3", PGS_SPV_VERTEX},
                  {"behind", PGS_SPV_EVALUATION},
                  {"behind_chunks", PGS_SPV_EVALUATION},
                  {"behind_patch", PGS_SPV_EVALUATION},
                  {"fetched", PGS_SPV_GEOMETRY},
                  {"pointed", PGS_SPV_GEOMETRY}};
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        if (strcmp(stages[i].name, text) == 0) {
            *stage = stages[i].stage;
            return 1;
        }
    }
    return 0;
}

#endif
