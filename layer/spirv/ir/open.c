/* SPDX-License-Identifier: MIT
 *
 * Parses the module of a shader for a pass.
 */
#include "spirv/ir/open.h"

#include "spirv/ir/dce.h"
#include "spirv/ir/spec_constants.h"

enum pgs_spv_result pgs_spv_open_stage(struct pgs_spv_module *m,
                                       const struct pgs_spv_shader *shader, bool fold)
{
    pgs_spv_parse(m, shader->words, shader->word_count);
    if (fold && m->result == PGS_SPV_OK)
        pgs_spv_fold(m, shader);
    pgs_spv_dce_functions(m, shader);
    if (m->result == PGS_SPV_OK)
        pgs_spv_dce_globals(m, true);
    return m->result;
}
