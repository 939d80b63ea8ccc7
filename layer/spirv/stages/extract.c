/* SPDX-License-Identifier: MIT
 *
 * Entry points extracted from the application's modules, without what the driver lacks.
 */
#include "spirv/stages/extract.h"

#include "spirv/analysis/stores.h"
#include "spirv/io/private_builtin.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"
#include "spirv/stages/streams.h"

/* True if a vertex or evaluation shader writes the built-in and nothing that is left permits it. */
static bool needs_views(const struct pgs_spv_module *m, uint32_t builtin, uint32_t capability)
{
    struct pgs_spv_place place;
    return pgs_spv_find_builtin(m, SpvStorageClassOutput, builtin, &place) &&
           !pgs_spv_has_capability(m, capability) &&
           !pgs_spv_has_capability(m, SpvCapabilityShaderViewportIndexLayerEXT);
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
        if ((shader->stage == PGS_SPV_VERTEX || shader->stage == PGS_SPV_EVALUATION) &&
            (needs_views(&m, SpvBuiltInLayer, SpvCapabilityShaderLayer) ||
             needs_views(&m, SpvBuiltInViewportIndex, SpvCapabilityShaderViewportIndex)))
            pgs_spv_need_views(&m);
        pgs_spv_set_entry(&m, (uint32_t)shader->stage, m.entry[2], shader->entry_point);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
