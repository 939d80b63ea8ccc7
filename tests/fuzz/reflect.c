/* SPDX-License-Identifier: MIT
 *
 * What is read of a module and its shader before a pass runs, and by draws later.
 */
#include "all_passes.h"
#include "module_input.h"
#include "target.h"

static void reflect_module(const struct module_input *module)
{
    const struct pgs_spv_lacks lacks = {.geometry = true};
    (void)pgs_spv_module_replaces_depth(module->words, module->count);
    (void)pgs_spv_module_needs_rewrite(module->words, module->count, lacks);
    (void)pgs_spv_module_has_draw_index(module->words, module->count);
    (void)pgs_spv_module_has_instance(module->words, module->count);
    (void)pgs_spv_module_sizes_points(module->words, module->count);
    (void)pgs_spv_module_makes_points(module->words, module->count);
}

static void reflect_vertex(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_vertex_info info;
    struct pgs_spv_targets targets;
    struct pgs_spv_layout captured;
    struct pgs_spv_xfb xfb;
    (void)pgs_spv_vertex_info(shader, &info);
    (void)pgs_spv_shader_targets(shader, &targets);
    (void)pgs_spv_vertex_xfb(shader, &captured, &xfb);
}

static void reflect_geometry(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_geometry_info info;
    (void)pgs_spv_geometry_split_info(shader, &info);
}

static void reflect_tessellation(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_control_info control;
    struct pgs_spv_evaluation_info evaluation;
    if (shader->stage == PGS_SPV_CONTROL)
        (void)pgs_spv_control_info(shader, &control);
    else
        (void)pgs_spv_evaluation_info(shader, &evaluation);
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    struct module_input module;
    struct pgs_spv_fragment_info fragment;
    if (!module_input_read(data, size_B, &module))
        return;
    const struct pgs_spv_shader shader =
        specialized_shader(module.words, module.count, module.entry, module.stage);
    reflect_module(&module);
    if (shader.stage == PGS_SPV_VERTEX)
        reflect_vertex(&shader);
    else if (shader.stage == PGS_SPV_GEOMETRY)
        reflect_geometry(&shader);
    else if (shader.stage == PGS_SPV_FRAGMENT)
        (void)pgs_spv_fragment_info(&shader, &fragment);
    else
        reflect_tessellation(&shader);
}
