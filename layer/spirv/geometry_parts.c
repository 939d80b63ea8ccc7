/* SPDX-License-Identifier: MIT
 *
 * What becomes of a geometry shader's own words and built-ins, whatever it becomes itself.
 */
#include "spirv/geometry.h"

void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t void_type = pgs_spv_type_void(m);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool is_stream = op == SpvOpEmitStreamVertex || op == SpvOpEndStreamPrimitive;
        const bool is_emit = op == SpvOpEmitVertex || op == SpvOpEmitStreamVertex;
        uint32_t stream = 0;
        if (!is_stream && !is_emit && op != SpvOpEndPrimitive) {
            list->items[kept++] = ins;
            continue;
        }
        if (is_stream && (!pgs_spv_constant(m, ins[1], &stream) || stream >= PGS_SPV_STREAMS)) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        if (!emits[stream]) {
            if (is_emit)
                pgs_spv_fail(m, PGS_SPV_INVALID); /* info is another shader's */
            continue;
        }
        const uint32_t words[] = {void_type, pgs_spv_new_id(m),
                                  is_emit ? emits[stream] : end_primitive, pgs_spv_uint(m, stream)};
        uint32_t *call = pgs_spv_make(m, SpvOpFunctionCall, words, is_emit ? 3 : 4);
        if (call)
            list->items[kept++] = call;
    }
    list->count = kept;
}

void pgs_spv_fill_geometry_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                   const struct pgs_spv_leaf *leaf, uint32_t primitive_id,
                                   uint32_t invocation_id)
{
    const struct pgs_spv_builtin_source sources[] = {{SpvBuiltInPrimitiveId, primitive_id},
                                                     {SpvBuiltInInvocationId, invocation_id}};
    pgs_spv_fill_builtin(m, list, leaf, sources, sizeof(sources) / sizeof(sources[0]));
}
