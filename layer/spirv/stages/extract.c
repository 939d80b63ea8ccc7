/* SPDX-License-Identifier: MIT
 *
 * Entry points extracted from the application's modules, without what the driver lacks.
 */
#include "spirv/stages/extract.h"

#include "spirv/analysis/stores.h"
#include "spirv/analysis/targets.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"
#include "spirv/stages/streams.h"

/* True if a vertex or evaluation shader has an output that nothing which is left permits. */
static bool needs_views(const struct pgs_spv_module *m, const struct pgs_spv_shader *shader)
{
    const struct pgs_spv_targets targets = pgs_spv_targets_of(m);
    return (shader->stage == PGS_SPV_VERTEX || shader->stage == PGS_SPV_EVALUATION) &&
           ((targets.layer && !pgs_spv_has_capability(m, SpvCapabilityShaderLayer)) ||
            (targets.viewport_index &&
             !pgs_spv_has_capability(m, SpvCapabilityShaderViewportIndex)));
}

enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK) {
        if (shader->stage == PGS_SPV_GEOMETRY && lacks.xfb)
            pgs_spv_keep_stream(&m, raster_stream);
        pgs_spv_clean(&m, lacks);
        if (lacks.stores && shader->stage <= PGS_SPV_GEOMETRY)
            pgs_spv_forbid_stores(&m);
        if (needs_views(&m, shader))
            pgs_spv_need_views(&m);
        pgs_spv_set_entry(&m, (uint32_t)shader->stage, m.entry[2], shader->entry_point);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
