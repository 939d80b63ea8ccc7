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

/* A driver that copies no loop puts an array that the loop indexes into memory, element by element
 * of each invocation. Up to so many vectors are moved from place to place instead. */
#define MAX_MOVED 48

static bool is_filled(const struct shade *s, const struct pgs_spv_io_var *var)
{
    return var->vertices >= s->info->input_vertices;
}

static bool moves(const struct shade *s)
{
    uint32_t vectors = 0;
    for (uint32_t i = 0; i < s->inputs->count; i++)
        vectors += is_filled(s, &s->inputs->items[i]) ? s->info->input_vertices : 0;
    return s->assembly->stays_loop && s->info->input_vertices > 1 && vectors <= MAX_MOVED;
}

static uint32_t input_pointer(const struct shade *s, const struct pgs_spv_io_var *var,
                              uint32_t vertex)
{
    return pgs_spv_io_var_pointer(s->m, s->list, var, SpvStorageClassPrivate,
                                  pgs_spv_uint(s->m, vertex));
}

/* The vertices shaded before move up, so that all are in their places after the last one. That
 * takes fewer selections than to choose a place for each. */
static void push_vertex(const struct shade *s, const struct pgs_spv_io_access *access,
                        const struct pgs_spv_io_var *var, uint32_t vertex)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t value = pgs_spv_load_io_var(access, var, vertex);
    const uint32_t last = s->info->input_vertices - 1;
    if (!value)
        return;
    for (uint32_t v = 0; v < last && m->result == PGS_SPV_OK; v++) {
        const uint32_t to = input_pointer(s, var, v), from = input_pointer(s, var, v + 1);
        PGS_SPV_APPEND(m, s->list, SpvOpStore, to,
                       PGS_SPV_VALUE(m, s->list, SpvOpLoad, var->type, from));
    }
    PGS_SPV_APPEND(m, s->list, SpvOpStore, input_pointer(s, var, last), value);
}

static void choose_vertex(const struct shade *s, uint32_t vertex)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t void_type = pgs_spv_type_void(m);
    const struct pgs_spv_patch *patch = s->part->patch;
    if (patch)
        PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->choose, vertex,
                      pgs_spv_uint(m, patch->stride_w), pgs_spv_uint(m, patch->vertices_w),
                      pgs_spv_uint(m, patch->vertex.stride_w), pgs_spv_uint(m, patch->vertex_count),
                      pgs_spv_uint(m, patch->modes));
    else
        PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, void_type, s->choose, vertex,
                      pgs_spv_uint(m, s->assembly->topology), pgs_spv_uint(m, s->assembly->flags));
}

static void run_vertex(const struct shade *s, uint32_t vertex)
{
    struct pgs_spv_module *m = s->m;
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = s->list,
                                             .layout = &s->info->in,
                                             .variable = s->part->stored,
                                             .writes = s->part->writes};
    PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, pgs_spv_type_void(m), s->part->run);
    for (uint32_t i = 0; i < s->inputs->count && m->result == PGS_SPV_OK; i++) {
        if (!is_filled(s, &s->inputs->items[i]))
            continue;
        if (moves(s))
            push_vertex(s, &access, &s->inputs->items[i], vertex);
        else
            pgs_spv_fill_vertex(&access, &s->inputs->items[i], vertex);
    }
}

static void shade_vertex(const struct shade *s, uint32_t vertex)
{
    choose_vertex(s, vertex);
    run_vertex(s, vertex);
}

static uint32_t value_type(const struct pgs_spv_module *m, uint32_t variable)
{
    const uint32_t *def = pgs_spv_def_op(m, variable, SpvOpVariable);
    const uint32_t *pointer = def ? pgs_spv_def_op(m, def[1], SpvOpTypePointer) : NULL;
    return pointer ? pointer[3] : 0;
}

/* No loop of the vertex shader stands between the loads of two vertices, and none around it that
 * drivers would have to unroll. */
static void fetch_and_shade(const struct shade *s)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t vertices = s->info->input_vertices, count = s->part->fetched_count;
    uint32_t *values = pgs_spv_alloc(m, (size_t)vertices * count + 1, sizeof(*values));
    for (uint32_t v = 0; v < vertices && m->result == PGS_SPV_OK; v++) {
        choose_vertex(s, pgs_spv_uint(m, v));
        PGS_SPV_VALUE(m, s->list, SpvOpFunctionCall, pgs_spv_type_void(m), s->part->fetch);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t variable = s->part->fetched[i];
            values[v * count + i] =
                PGS_SPV_VALUE(m, s->list, SpvOpLoad, value_type(m, variable), variable);
        }
    }
    for (uint32_t v = 0; v < vertices && m->result == PGS_SPV_OK; v++) {
        for (uint32_t i = 0; i < count; i++)
            PGS_SPV_APPEND(m, s->list, SpvOpStore, s->part->fetched[i], values[v * count + i]);
        run_vertex(s, pgs_spv_uint(m, v));
    }
}

/* Uses a loop, since compilers inline the vertex shader, and some take long for several copies. Nor
 * does it ask to be unrolled: SwiftShader needs minutes and 18 GiB for the six of gpu-xfb_pool. */
static void shade_in_loop(const struct shade *s)
{
    struct pgs_spv_module *m = s->m;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, s->list, pgs_spv_uint(m, s->info->input_vertices),
                       moves(s) ? SpvLoopControlDontUnrollMask : SpvLoopControlMaskNone, &loop);
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
    if (part->fetch)
        fetch_and_shade(&shade);
    else if (info->input_vertices == 1)
        shade_vertex(&shade, pgs_spv_uint(m, 0));
    else
        shade_in_loop(&shade);
}
