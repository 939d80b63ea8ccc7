/* SPDX-License-Identifier: MIT
 *
 * The inputs of an evaluation shader that is another stage now.
 */
#include "spirv/patch.h"

/* What there is once per vertex of the tessellation or per patch; 0: nothing to be stored. */
static uint32_t single_value(const struct pgs_spv_evaluation_source *s,
                             const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = s->m;
    const struct pgs_spv_port port = {.m = m,
                                      .list = s->list,
                                      .layout = &s->patch->patch,
                                      .load = s->patch_load,
                                      .load4 = s->patch_load4};
    switch (leaf->builtin) {
    case PGS_SPV_NO_BUILTIN:
        return pgs_spv_load_leaf(&port, leaf, 0);
    case SpvBuiltInTessLevelOuter:
    case SpvBuiltInTessLevelInner: {
        const uint32_t word =
            PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, pgs_spv_type_uint(m), s->level_load,
                          pgs_spv_uint(m, pgs_spv_level_word(leaf)));
        return PGS_SPV_VALUE(m, s->list, SpvOpBitcast, leaf->type, word);
    }
    case SpvBuiltInTessCoord:
        return PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, leaf->type, s->tess_coord,
                             pgs_spv_uint(m, s->triangles ? 3 : 2));
    case SpvBuiltInPatchVertices:
        return pgs_spv_from_uint(m, s->list, leaf, pgs_spv_uint(m, s->patch->vertex_count));
    default:
        return 0;
    }
}

static void fill_single(const struct pgs_spv_evaluation_source *s, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = s->m;
    const struct pgs_spv_builtin_source sources[] = {{SpvBuiltInPrimitiveId, s->primitive_id}};
    const uint32_t value = single_value(s, leaf);
    if (value)
        PGS_SPV_APPEND(m, s->list, SpvOpStore,
                       pgs_spv_leaf_pointer(m, s->list, leaf, SpvStorageClassPrivate, 0), value);
    else if (leaf->builtin != PGS_SPV_NO_BUILTIN)
        pgs_spv_fill_builtin(m, s->list, leaf, sources, 1);
}

void pgs_spv_fill_evaluation(const struct pgs_spv_evaluation_source *s,
                             const struct pgs_spv_leaves *inputs)
{
    const struct pgs_spv_vertex_source vertices = {.port = {.m = s->m,
                                                            .list = s->list,
                                                            .layout = &s->patch->vertex,
                                                            .load = s->load,
                                                            .load4 = s->load4},
                                                   .count_el = s->patch->vertex_count};
    pgs_spv_fill_vertices(&vertices, inputs);
    for (uint32_t i = 0; i < inputs->count && s->m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            fill_single(s, &inputs->items[i]);
    }
}
