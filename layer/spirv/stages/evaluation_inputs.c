/* SPDX-License-Identifier: MIT
 *
 * The inputs of an evaluation shader that moves to another stage.
 */
#include "spirv/stages/evaluation_inputs.h"

#include "poly_gs/tessellation.h"
#include "spirv/io/io_memory.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/link.h"
#include "spirv/stages/patch_inputs.h"

#include <string.h>

static const char *const function_names[PGS_SPV_EVALUATION_FUNCTION_COUNT] = {
    PGS_SPV_EVALUATION_OWN_NAMES,
    "pgs_view_index",
    "pgs_push_address",
};

static struct pgs_spv_io_memory input_memory(const struct pgs_spv_evaluation *e)
{
    const uint32_t *functions = e->functions;
    return (struct pgs_spv_io_memory){
        .vertex = {.m = e->m,
                   .list = e->list,
                   .layout = &e->patch->vertex,
                   .load = functions[PGS_SPV_EVALUATION_LOAD],
                   .load4 = functions[PGS_SPV_EVALUATION_LOAD4]},
        .single = {.m = e->m,
                   .list = e->list,
                   .layout = &e->patch->patch,
                   .first_w = e->patch->outputs_w,
                   .load = functions[PGS_SPV_EVALUATION_PATCH_LOAD],
                   .load4 = functions[PGS_SPV_EVALUATION_PATCH_LOAD4]},
        .element = functions[PGS_SPV_EVALUATION_ELEMENT]};
}

bool pgs_spv_lower_evaluation(struct pgs_spv_evaluation *e, uint32_t output_class,
                              struct pgs_spv_io_vars *inputs)
{
    const bool pushes = pgs_spv_has_push_constants(e->m);
    for (uint32_t i = 0; i < PGS_SPV_EVALUATION_FUNCTION_COUNT; i++)
        e->functions[i] = pgs_spv_new_id(e->m);
    const struct pgs_spv_io_memory memory = input_memory(e);
    pgs_spv_address(&memory, inputs);
    pgs_spv_lower_io(e->m, output_class);
    pgs_spv_push_constants_to_memory(e->m, e->functions[PGS_SPV_EVALUATION_PUSH_ADDRESS]);
    return pushes;
}

/* The library is linked once, as its functions share private variables. */
void pgs_spv_link_evaluation(struct pgs_spv_evaluation *e, uint32_t output_class,
                             const struct pgs_spv_evaluation_library *library, uint32_t *own,
                             struct pgs_spv_io_vars *inputs)
{
    enum { MAX = PGS_SPV_EVALUATION_OWN_MAX + PGS_SPV_EVALUATION_FUNCTION_COUNT };
    const char *names[MAX];
    uint32_t ids[MAX] = {0};
    const uint32_t own_count = library->name_count;
    const uint32_t push_address = own_count + PGS_SPV_EVALUATION_PUSH_ADDRESS;
    const bool pushes = pgs_spv_lower_evaluation(e, output_class, inputs);
    memcpy(names, library->names, own_count * sizeof(names[0]));
    memcpy(names + own_count, function_names, sizeof(function_names));
    memcpy(ids + own_count, e->functions, sizeof(e->functions));
    pgs_spv_link(e->m, library->library, names, ids, push_address + pushes);
    memcpy(own, ids, own_count * sizeof(ids[0]));
}

/* An input that exists once per vertex or per patch; 0 if it is not stored. */
static uint32_t single_value(const struct pgs_spv_evaluation *e, const struct pgs_spv_io_var *var)
{
    struct pgs_spv_module *m = e->m;
    const struct pgs_spv_io_memory memory = input_memory(e);
    switch (var->builtin) {
    case PGS_SPV_NO_BUILTIN:
    case SpvBuiltInTessLevelOuter:
    case SpvBuiltInTessLevelInner:
        return pgs_spv_load_io_var(&memory.single, var, 0);
    case SpvBuiltInTessCoord:
        return PGS_SPV_VALUE(m, e->list, SpvOpFunctionCall, var->type,
                             e->functions[PGS_SPV_EVALUATION_TESS_COORD],
                             pgs_spv_uint(m, e->triangles ? 3 : 2));
    case SpvBuiltInPatchVertices:
        return pgs_spv_from_uint(m, e->list, var, pgs_spv_uint(m, e->patch->vertex_count));
    default:
        return 0;
    }
}

static void fill_single(const struct pgs_spv_evaluation *e, const struct pgs_spv_io_var *var)
{
    struct pgs_spv_module *m = e->m;
    const struct pgs_spv_builtin_source sources[] = {
        {SpvBuiltInPrimitiveId, e->functions[PGS_SPV_EVALUATION_PRIMITIVE_ID]},
        {SpvBuiltInViewIndex, e->functions[PGS_SPV_EVALUATION_VIEW_INDEX]}};
    const uint32_t value = single_value(e, var);
    if (value)
        PGS_SPV_APPEND(m, e->list, SpvOpStore,
                       pgs_spv_io_var_pointer(m, e->list, var, SpvStorageClassPrivate, 0), value);
    else if (var->builtin != PGS_SPV_NO_BUILTIN)
        pgs_spv_fill_builtin(m, e->list, var, sources, sizeof(sources) / sizeof(sources[0]));
}

void pgs_spv_fill_evaluation(const struct pgs_spv_evaluation *e,
                             const struct pgs_spv_io_vars *inputs)
{
    const struct pgs_spv_vertex_source vertices = {.access = input_memory(e).vertex,
                                                   .count_el = e->patch->vertex_count};
    pgs_spv_fill_vertices(&vertices, inputs);
    for (uint32_t i = 0; i < inputs->count && e->m->result == PGS_SPV_OK; i++) {
        if (!inputs->items[i].vertices)
            fill_single(e, &inputs->items[i]);
    }
}
