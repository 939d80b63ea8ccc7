/* SPDX-License-Identifier: MIT
 *
 * Entry points drawn out of the application's modules, without what the driver lacks.
 */
#include "spirv/interface.h"

static bool needs(struct pgs_spv_lacks lacks, uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityGeometry:
    case SpvCapabilityGeometryPointSize:
    case SpvCapabilityMultiViewport:
    case SpvCapabilityShaderViewportIndexLayerEXT:
        return lacks.geometry;
    case SpvCapabilityGeometryStreams:
    case SpvCapabilityTransformFeedback:
        return lacks.geometry || lacks.feedback;
    case SpvCapabilityTessellation:
    case SpvCapabilityTessellationPointSize:
        return lacks.tessellation;
    default:
        return false;
    }
}

bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks)
{
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at + 1 < word_count && (words[at] & 0xFFFFu) == SpvOpCapability;) {
        const uint32_t length = words[at] >> 16;
        if (length < 2)
            return false;
        if (needs(lacks, words[at + 1]))
            return true;
        at += length;
    }
    return false;
}

enum pgs_spv_result pgs_spv_open_stage(struct pgs_spv_module *m,
                                       const struct pgs_spv_shader *shader, bool fold)
{
    pgs_spv_parse(m, shader->words, shader->word_count);
    if (fold && m->result == PGS_SPV_OK)
        pgs_spv_fold(m, shader);
    pgs_spv_reduce(m, shader);
    if (m->result == PGS_SPV_OK)
        pgs_spv_collect_garbage(m, true);
    return m->result;
}

static bool drop_capability(const uint32_t *ins, void *context)
{
    const struct pgs_spv_lacks *lacks = context;
    return needs(*lacks, ins[1]);
}

/* A capability that goes may be all that stood for one that it implies. */
void pgs_spv_clean(struct pgs_spv_module *m, struct pgs_spv_lacks lacks)
{
    const bool streams = pgs_spv_has_capability(m, SpvCapabilityGeometryStreams);
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_capability, &lacks);
    if (lacks.geometry || lacks.feedback)
        pgs_spv_drop_feedback(m);
    if (streams && !lacks.geometry)
        pgs_spv_add_capability(m, SpvCapabilityGeometry);
    pgs_spv_add_capability(m, SpvCapabilityShader);
}

enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK) {
        const bool layered =
            lacks.geometry && pgs_spv_has_capability(&m, SpvCapabilityShaderViewportIndexLayerEXT);
        if (shader->stage == PGS_SPV_GEOMETRY && lacks.feedback)
            pgs_spv_keep_stream(&m, raster_stream);
        pgs_spv_clean(&m, lacks);
        if (layered && shader->stage == PGS_SPV_VERTEX)
            pgs_spv_add_capability(&m, SpvCapabilityShaderViewportIndexLayerEXT);
        pgs_spv_set_entry(&m, (uint32_t)shader->stage, m.entry[2], shader->entry_point);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
