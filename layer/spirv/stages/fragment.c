/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders for drivers without geometryShader or tessellationShader.
 */
#include "spirv/stages/fragment.h"

#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/open.h"
#include "spirv/ir/operands.h"
#include "spirv/stages/fragment_clip.h"

/* A scalar built-in input variable of the module, or NULL. */
static uint32_t *find_builtin(const struct pgs_spv_module *m, uint32_t builtin)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        uint32_t *ins = globals->items[i];
        uint32_t value;
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassInput &&
            pgs_spv_decoration(m, ins[2], -1, SpvDecorationBuiltIn, &value) && value == builtin)
            return ins;
    }
    return NULL;
}

struct target {
    uint32_t id, decoration;
};

static bool is_target(const uint32_t *ins, void *context)
{
    const struct target *target = context;
    return pgs_spv_op(ins) == SpvOpDecorate && ins[1] == target->id && ins[2] == target->decoration;
}

/* The varying is an int. A shader with an unsigned built-in reads it through a bitcast. */
static uint32_t read_through_int(struct pgs_spv_module *m, uint32_t variable, uint32_t type)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], rewritten = {0};
    const uint32_t int_type = pgs_spv_type_int(m);
    const uint32_t varying = pgs_spv_variable(m, SpvStorageClassInput, int_type);
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpLoad && ins[3] == variable) {
            const uint32_t value = PGS_SPV_VALUE(m, &rewritten, SpvOpLoad, int_type, varying);
            ins = pgs_spv_make(m, SpvOpBitcast, (const uint32_t[]){type, ins[2], value}, 3);
        } else {
            for (uint32_t k = 1; k < pgs_spv_length(ins); k++) {
                if (pgs_spv_is_id(ins, k) && ins[k] == variable)
                    pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            }
        }
        pgs_spv_push(m, &rewritten, ins);
    }
    *list = rewritten;
    return varying;
}

/* Turns a built-in input into a varying. */
static void move_builtin(struct pgs_spv_module *m, uint32_t builtin, uint32_t location)
{
    const uint32_t *variable = find_builtin(m, builtin);
    if (!variable)
        return;
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    const uint32_t *type = pointer ? pgs_spv_def_op(m, pointer[3], SpvOpTypeInt) : NULL;
    if (!type || type[2] != 32) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    const uint32_t id = variable[2];
    const uint32_t varying = type[3] ? id : read_through_int(m, id, type[1]);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_target,
                   &(struct target){id, SpvDecorationBuiltIn});
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_target,
                   &(struct target){id, SpvDecorationFlat});
    PGS_SPV_DECORATE(m, varying, SpvDecorationLocation, location);
    pgs_spv_decorate(m, varying, SpvDecorationFlat, NULL, 0);
}

/* Turns gl_FrontFacing into a varying, an int. */
static void move_front_facing(struct pgs_spv_module *m, uint32_t location)
{
    const uint32_t *variable = find_builtin(m, SpvBuiltInFrontFacing);
    if (!variable)
        return;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], rewritten = {0};
    const uint32_t id = variable[2], int_type = pgs_spv_type_int(m);
    const uint32_t varying = pgs_spv_variable(m, SpvStorageClassInput, int_type);
    const uint32_t zero =
        PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, int_type, 0);
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpLoad && ins[3] == id) {
            const uint32_t value = PGS_SPV_VALUE(m, &rewritten, SpvOpLoad, int_type, varying);
            ins =
                pgs_spv_make(m, SpvOpINotEqual, (const uint32_t[]){ins[1], ins[2], value, zero}, 4);
        } else {
            for (uint32_t k = 1; k < pgs_spv_length(ins); k++) {
                if (pgs_spv_is_id(ins, k) && ins[k] == id)
                    pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            }
        }
        pgs_spv_push(m, &rewritten, ins);
    }
    *list = rewritten;
    PGS_SPV_DECORATE(m, varying, SpvDecorationLocation, location);
    pgs_spv_decorate(m, varying, SpvDecorationFlat, NULL, 0);
}

/* True for a type of which each member is at a location or a built-in, and says how it is
 * interpolated. */
static bool has_builtin_members(const struct pgs_spv_module *m, uint32_t type)
{
    const struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        if (pgs_spv_op(ins) == SpvOpMemberDecorate && ins[1] == type &&
            ins[3] == SpvDecorationBuiltIn)
            return true;
    }
    return false;
}

/* The struct that a variable is, or is an array of; 0: none. */
static uint32_t struct_of(const struct pgs_spv_module *m, const uint32_t *variable)
{
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    uint32_t type = pointer ? pointer[3] : 0;
    const uint32_t *array;
    for (int depth = 0; depth < PGS_SPV_MAX_PATH; depth++)
        if ((array = pgs_spv_def_op(m, type, SpvOpTypeArray)))
            type = array[2];
    return pgs_spv_def_op(m, type, SpvOpTypeStruct) ? type : 0;
}

/* True if members of this struct are decorated, not the variable: it is a block, and no array. */
static bool is_block(const struct pgs_spv_module *m, const uint32_t *variable, uint32_t type)
{
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    return type && pointer && pointer[3] == type &&
           pgs_spv_decoration(m, type, -1, SpvDecorationBlock, NULL);
}

static bool is_interpolation(const uint32_t *ins, void *context)
{
    const struct target *target = context; /* a variable, or its struct */
    const uint32_t word = pgs_spv_op(ins) == SpvOpDecorate         ? 2
                          : pgs_spv_op(ins) == SpvOpMemberDecorate ? 3
                                                                   : 0;
    return word && ins[1] == target->id &&
           (ins[word] == SpvDecorationFlat || ins[word] == SpvDecorationNoPerspective);
}

static void flatten_input(struct pgs_spv_module *m, const uint32_t *variable)
{
    struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    const uint32_t id = variable[2], type = struct_of(m, variable);
    pgs_spv_filter(annotations, is_interpolation, &(struct target){.id = id});
    if (type)
        pgs_spv_filter(annotations, is_interpolation, &(struct target){.id = type});
    if (!is_block(m, variable, type)) {
        pgs_spv_decorate(m, id, SpvDecorationFlat, NULL, 0);
        return;
    }
    for (uint32_t member = 0; member + 2 < pgs_spv_length(pgs_spv_def(m, type)); member++)
        PGS_SPV_APPEND(m, annotations, SpvOpMemberDecorate, type, member, SpvDecorationFlat);
}

/* Interpolated between equal values rounding may miss them by a little. Where a shader interpolates
 * itself, it does. */
static void flatten_inputs(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassInput &&
            !pgs_spv_decoration(m, ins[2], -1, SpvDecorationBuiltIn, NULL) &&
            !has_builtin_members(m, struct_of(m, ins)))
            flatten_input(m, ins);
    }
}

/* Turns gl_PointCoord into a varying, which is linear in the framebuffer. */
static void move_point_coord(struct pgs_spv_module *m, uint32_t location)
{
    const uint32_t *variable = find_builtin(m, SpvBuiltInPointCoord);
    if (!variable)
        return;
    const uint32_t id = variable[2];
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_target,
                   &(struct target){id, SpvDecorationBuiltIn});
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_target,
                   &(struct target){id, SpvDecorationFlat});
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_target,
                   &(struct target){id, SpvDecorationNoPerspective});
    PGS_SPV_DECORATE(m, id, SpvDecorationLocation, location);
    pgs_spv_decorate(m, id, SpvDecorationNoPerspective, NULL, 0);
}

/* Replaces the built-in input by a constant 0; fails if it is not only read. */
static void read_zero(struct pgs_spv_module *m, uint32_t builtin)
{
    uint32_t *variable = find_builtin(m, builtin);
    if (!variable)
        return;
    const uint32_t id = variable[2];
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    const uint32_t type = pointer ? pointer[3] : 0;
    if (!pgs_spv_def_op(m, type, SpvOpTypeInt)) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    const uint32_t zero =
        pgs_spv_value(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull, type, NULL, 0);
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = functions->items[i];
        if (pgs_spv_op(ins) == SpvOpLoad && ins[3] == id) {
            functions->items[i] =
                pgs_spv_make(m, SpvOpCopyObject, (const uint32_t[]){type, ins[2], zero}, 3);
            continue;
        }
        for (uint32_t k = 1; k < pgs_spv_length(ins); k++) {
            if (pgs_spv_is_id(ins, k) && ins[k] == id)
                pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        }
    }
}

/* True if a capability that is left permits to read gl_Layer, or gl_ViewportIndex. */
static bool permits(const struct pgs_spv_module *m, uint32_t own)
{
    return pgs_spv_has_capability(m, own) ||
           pgs_spv_has_capability(m, SpvCapabilityShaderViewportIndexLayerEXT) ||
           pgs_spv_has_capability(m, own == SpvCapabilityShaderLayer ? SpvCapabilityGeometry
                                                                     : SpvCapabilityMultiViewport);
}

static void fix_views(struct pgs_spv_module *m, const struct pgs_spv_fragment_options *options)
{
    const bool layer = find_builtin(m, SpvBuiltInLayer) != NULL;
    const bool viewport_index = find_builtin(m, SpvBuiltInViewportIndex) != NULL;
    if (options->take_layer)
        move_builtin(m, SpvBuiltInLayer, options->layer_location);
    else if (!options->has_layer && !permits(m, SpvCapabilityShaderLayer))
        read_zero(m, SpvBuiltInLayer);
    if (options->take_viewport)
        move_builtin(m, SpvBuiltInViewportIndex, options->viewport_location);
    else if (options->lacks.viewports ||
             (!options->has_viewport_index && !permits(m, SpvCapabilityShaderViewportIndex)))
        read_zero(m, SpvBuiltInViewportIndex);
    if ((layer && options->has_layer && !options->take_layer &&
         !permits(m, SpvCapabilityShaderLayer)) ||
        (viewport_index && options->has_viewport_index && !options->take_viewport &&
         !permits(m, SpvCapabilityShaderViewportIndex)))
        pgs_spv_need_views(m);
}

/* Needs no other capability, but this version. */
static void need_mesh(struct pgs_spv_module *m)
{
    if (!find_builtin(m, SpvBuiltInPrimitiveId) && !find_builtin(m, SpvBuiltInLayer) &&
        !find_builtin(m, SpvBuiltInViewportIndex))
        return;
    pgs_spv_add_capability(m, SpvCapabilityMeshShadingEXT);
    pgs_spv_add_extension(m, "SPV_EXT_mesh_shader");
    if (m->version < PGS_SPV_VERSION(1, 4))
        m->version = PGS_SPV_VERSION(1, 4);
}

enum pgs_spv_result pgs_spv_fragment_fix_up(const struct pgs_spv_shader *fs,
                                            const struct pgs_spv_fragment_options *options,
                                            struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (fs->stage != PGS_SPV_FRAGMENT)
        return PGS_SPV_INVALID;
    if (pgs_spv_open_stage(&m, fs, false) == PGS_SPV_OK) {
        const bool clips =
            options->lacks.distances && (pgs_spv_distance_floats(&options->distances) ||
                                         pgs_spv_has_capability(&m, SpvCapabilityClipDistance) ||
                                         pgs_spv_has_capability(&m, SpvCapabilityCullDistance));
        pgs_spv_clean(&m, options->lacks);
        if (options->behind_mesh)
            need_mesh(&m);
        else if (options->primitive_id_location != UINT32_MAX)
            move_builtin(&m, SpvBuiltInPrimitiveId, options->primitive_id_location);
        else if (options->lacks.tessellation && !options->lacks.geometry &&
                 find_builtin(&m, SpvBuiltInPrimitiveId))
            pgs_spv_add_capability(&m, SpvCapabilityGeometry);
        if (!options->behind_mesh)
            fix_views(&m, options);
        if (options->take_front)
            move_front_facing(&m, options->front_location);
        if (options->flat_inputs)
            flatten_inputs(&m);
        if (options->take_point_coord)
            move_point_coord(&m, options->point_coord_location);
        pgs_spv_dce_globals(&m, false);
        if (clips || options->take_stipple)
            pgs_spv_clip_fragments(&m,
                                   &(struct pgs_spv_cuts){
                                       .distances = clips ? &options->distances : NULL,
                                       .stipple_location = options->take_stipple
                                                               ? options->stipple_location
                                                               : PGS_SPV_NO_STIPPLE,
                                       .sample_count = options->sample_count,
                                   },
                                   fs->entry_point);
        else
            pgs_spv_set_entry(&m, SpvExecutionModelFragment, m.entry[2], fs->entry_point);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
