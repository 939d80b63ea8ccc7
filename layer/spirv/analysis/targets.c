/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/targets.h"

#include "spirv/io/private_builtin.h"
#include "spirv/ir/open.h"

struct pgs_spv_targets pgs_spv_targets_of(const struct pgs_spv_module *m)
{
    struct pgs_spv_place place;
    return (struct pgs_spv_targets){
        pgs_spv_find_builtin(m, SpvStorageClassOutput, SpvBuiltInLayer, &place),
        pgs_spv_find_builtin(m, SpvStorageClassOutput, SpvBuiltInViewportIndex, &place)};
}

enum pgs_spv_result pgs_spv_shader_targets(const struct pgs_spv_shader *shader,
                                           struct pgs_spv_targets *targets)
{
    struct pgs_spv_module m;
    *targets = (struct pgs_spv_targets){false, false};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK)
        *targets = pgs_spv_targets_of(&m);
    pgs_spv_finish(&m);
    return m.result;
}
