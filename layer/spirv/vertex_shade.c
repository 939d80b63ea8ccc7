/* SPDX-License-Identifier: MIT
 *
 * The vertices of a primitive, shaded where a geometry shader wants them.
 */
#include "spirv/vertex.h"

struct shade {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_vertex_part *part;
    uint32_t choose;
    const struct pgs_spv_geometry_info *info;
    const struct pgs_spv_leaves *inputs;
};

void pgs_spv_fill_vertex(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                         uint32_t vertex)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t value = pgs_spv_load_leaf(port, leaf, vertex);
    if (value)
        PGS_SPV_APPEND(m, port->list, SpvOpStore,
                       pgs_spv_leaf_pointer(m, port->list, leaf, SpvStorageClassPrivate, vertex),
                       value);
}

static void shade_vertex(const struct shade *s, uint32_t vertex)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t void_type = pgs_spv_type_void(m);
    const struct pgs_spv_port port = {
        .m = m, .list = s->list, .layout = &s->info->in, .variable = s->part->stored};
    PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->choose, vertex);
    PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->part->run);
    for (uint32_t i = 0; i < s->inputs->count && m->result == PGS_SPV_OK; i++) {
        if (s->inputs->items[i].vertices >= s->info->input_vertices)
            pgs_spv_fill_vertex(&port, &s->inputs->items[i], vertex);
    }
}

/* In a loop, since compilers inline the vertex shader, and some take their time with what it then
 * is several times. They are asked to unroll it: those that do have no arrays to index. */
static void shade_in_loop(const struct shade *s)
{
    struct pgs_spv_module *m = s->m;
    struct pgs_spv_list *list = s->list;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t before = pgs_spv_new_id(m), header = pgs_spv_new_id(m), test = pgs_spv_new_id(m),
                   body = pgs_spv_new_id(m), step = pgs_spv_new_id(m), after = pgs_spv_new_id(m),
                   next = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, list, SpvOpBranch, before);
    PGS_SPV_APPEND(m, list, SpvOpLabel, before);
    PGS_SPV_APPEND(m, list, SpvOpBranch, header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, header);
    const uint32_t vertex =
        PGS_SPV_VALUE(m, list, SpvOpPhi, uint_type, pgs_spv_uint(m, 0), before, next, step);
    PGS_SPV_APPEND(m, list, SpvOpLoopMerge, after, step, SpvLoopControlUnrollMask);
    PGS_SPV_APPEND(m, list, SpvOpBranch, test);
    PGS_SPV_APPEND(m, list, SpvOpLabel, test);
    const uint32_t any = PGS_SPV_VALUE(m, list, SpvOpULessThan, bool_type, vertex,
                                       pgs_spv_uint(m, s->info->input_vertices));
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, any, body, after);
    PGS_SPV_APPEND(m, list, SpvOpLabel, body);
    shade_vertex(s, vertex);
    PGS_SPV_APPEND(m, list, SpvOpBranch, step);
    PGS_SPV_APPEND(m, list, SpvOpLabel, step);
    PGS_SPV_APPEND(m, list, SpvOpIAdd, uint_type, next, vertex, pgs_spv_uint(m, 1));
    PGS_SPV_APPEND(m, list, SpvOpBranch, header);
    PGS_SPV_APPEND(m, list, SpvOpLabel, after);
}

void pgs_spv_shade_vertices(struct pgs_spv_module *m, struct pgs_spv_list *list,
                            const struct pgs_spv_vertex_part *part, uint32_t choose,
                            const struct pgs_spv_geometry_info *info,
                            const struct pgs_spv_leaves *inputs)
{
    const struct shade shade = {
        .m = m, .list = list, .part = part, .choose = choose, .info = info, .inputs = inputs};
    if (info->input_vertices == 1)
        shade_vertex(&shade, pgs_spv_uint(m, 0));
    else
        shade_in_loop(&shade);
}
