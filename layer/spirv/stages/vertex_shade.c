/* SPDX-License-Identifier: MIT
 *
 * Shades the vertices of a primitive inside a geometry shader.
 */
#include "spirv/stages/vertex_shade.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"

struct shade {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_vertex_part *part;
    uint32_t choose;
    const struct pgs_spv_assembly *assembly;
    const struct pgs_spv_geometry_info *info;
    const struct pgs_spv_io_vars *inputs;
};

void pgs_spv_fill_vertex(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                         uint32_t vertex)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t value = pgs_spv_load_io_var(access, var, vertex);
    if (value)
        PGS_SPV_APPEND(m, access->list, SpvOpStore,
                       pgs_spv_io_var_pointer(m, access->list, var, SpvStorageClassPrivate, vertex),
                       value);
}

static void shade_vertex(const struct shade *s, uint32_t vertex)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t void_type = pgs_spv_type_void(m);
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = s->list,
                                             .layout = &s->info->in,
                                             .variable = s->part->stored,
                                             .writes = s->part->writes};
    const struct pgs_spv_patch *patch = s->part->patch;
    if (patch)
        PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->choose, vertex,
                      pgs_spv_uint(m, patch->stride_w), pgs_spv_uint(m, patch->vertices_w),
                      pgs_spv_uint(m, patch->vertex.stride_w), pgs_spv_uint(m, patch->vertex_count),
                      pgs_spv_uint(m, patch->modes));
    else
        PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->choose, vertex,
                      pgs_spv_uint(m, s->assembly->topology), pgs_spv_uint(m, s->assembly->flags));
    PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->part->run);
    for (uint32_t i = 0; i < s->inputs->count && m->result == PGS_SPV_OK; i++) {
        if (s->inputs->items[i].vertices >= s->info->input_vertices)
            pgs_spv_fill_vertex(&access, &s->inputs->items[i], vertex);
    }
}

/* Uses a loop, since compilers inline the vertex shader, and some take long for several copies. Nor
 * does it ask to be unrolled: SwiftShader needs minutes and 18 GiB for the six of gpu-xfb_pool. */
static void shade_in_loop(const struct shade *s)
{
    struct pgs_spv_module *m = s->m;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, s->list, pgs_spv_uint(m, s->info->input_vertices), SpvLoopControlMaskNone,
                       &loop);
    shade_vertex(s, loop.counter);
    pgs_spv_end_loop(m, s->list, &loop);
}

void pgs_spv_shade_vertices(struct pgs_spv_module *m, struct pgs_spv_list *list,
                            const struct pgs_spv_vertex_part *part, uint32_t choose,
                            const struct pgs_spv_assembly *assembly,
                            const struct pgs_spv_geometry_info *info,
                            const struct pgs_spv_io_vars *inputs)
{
    const struct shade shade = {.m = m,
                                .list = list,
                                .part = part,
                                .choose = choose,
                                .assembly = assembly,
                                .info = info,
                                .inputs = inputs};
    if (info->input_vertices == 1)
        shade_vertex(&shade, pgs_spv_uint(m, 0));
    else
        shade_in_loop(&shade);
}
