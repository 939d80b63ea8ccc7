/* SPDX-License-Identifier: MIT
 *
 * Reflection of fragment shaders.
 */
#include "spirv/analysis/fragment_info.h"

#include "spirv/analysis/effects.h"
#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"

static bool uses_input_attachments(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpTypeImage && ins[3] == SpvDimSubpassData)
            return true;
    }
    return pgs_spv_has_capability(m, SpvCapabilityInputAttachment);
}

/* Also a bool, which is no I/O variable of the others' kind. */
static bool has_builtin(const struct pgs_spv_module *m, uint32_t builtin)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        uint32_t value;
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassInput &&
            pgs_spv_decoration(m, ins[2], -1, SpvDecorationBuiltIn, &value) && value == builtin)
            return true;
    }
    return false;
}

/* Late tests would change what is stored, or be of other depths and samples. */
static bool keeps_early_tests(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    bool demanded = false;
    for (uint32_t i = 0; i < modes->count; i++)
        demanded |= modes->items[i][2] == SpvExecutionModeEarlyFragmentTests;
    return demanded && (pgs_spv_must_run_once(m) || pgs_spv_decides_coverage(m));
}

/* On the variable, or its member, also where it is an array of blocks. */
static bool has_decoration(const struct pgs_spv_module *m, const struct pgs_spv_io_var *var,
                           uint32_t decoration)
{
    if (pgs_spv_decoration(m, var->variable, -1, decoration, NULL))
        return true;
    const uint32_t *variable = pgs_spv_def(m, var->variable);
    const uint32_t *pointer = variable ? pgs_spv_def_op(m, variable[1], SpvOpTypePointer) : NULL;
    uint32_t type = pointer ? pointer[3] : 0, at = 0;
    for (const uint32_t *array;
         at < var->depth && (array = pgs_spv_def_op(m, type, SpvOpTypeArray)); at++)
        type = array[2];
    return at < var->depth && pgs_spv_def_op(m, type, SpvOpTypeStruct) &&
           pgs_spv_decoration(m, type, (int32_t)var->path[at], decoration, NULL);
}

static void note(const struct pgs_spv_io_var *var, uint64_t mask[4])
{
    const uint32_t words = var->count * (var->width_bits == 64 ? 2 : 1);
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t component = var->component + i;
        if (var->location + component / 4 < 64)
            mask[component % 4] |= (uint64_t)1 << (var->location + component / 4);
    }
}

enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs;
    *info = (struct pgs_spv_fragment_info){0};
    if (pgs_spv_open_stage(&m, fs, true) == PGS_SPV_OK) {
        const struct pgs_spv_io_scope scope = {.storage_class = SpvStorageClassInput,
                                               .unreferenced = true};
        pgs_spv_collect_io_vars(&m, scope, &inputs);
        info->reads_input_attachments = uses_input_attachments(&m);
        info->reads_front_facing = has_builtin(&m, SpvBuiltInFrontFacing);
        info->reads_point_coord = has_builtin(&m, SpvBuiltInPointCoord);
        info->keeps_early_tests = keeps_early_tests(&m);
        for (uint32_t i = 0; i < inputs.count; i++) {
            const struct pgs_spv_io_var *var = &inputs.items[i];
            info->reads_primitive_id |= var->builtin == SpvBuiltInPrimitiveId;
            info->reads_layer |= var->builtin == SpvBuiltInLayer;
            info->reads_viewport_index |= var->builtin == SpvBuiltInViewportIndex;
            info->reads_cull_distance |= var->builtin == SpvBuiltInCullDistance;
            const bool flat =
                var->builtin == PGS_SPV_NO_BUILTIN && has_decoration(&m, var, SpvDecorationFlat);
            if (flat)
                note(var, info->flat_mask);
            info->interpolates |= var->builtin == PGS_SPV_NO_BUILTIN && !flat;
            if (var->builtin == PGS_SPV_NO_BUILTIN &&
                has_decoration(&m, var, SpvDecorationNoPerspective))
                note(var, info->linear_mask);
            if (var->builtin == PGS_SPV_NO_BUILTIN)
                info->location_mask |= (uint64_t)1 << var->location;
            if (var->builtin == PGS_SPV_NO_BUILTIN && var->width_bits == 64 && var->count > 2)
                info->location_mask |= (uint64_t)2 << var->location;
        }
        if (pgs_spv_has_capability(&m, SpvCapabilityInterpolationFunction))
            info->interpolates = false;
    }
    pgs_spv_finish(&m);
    return m.result;
}
