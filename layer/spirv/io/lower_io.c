/* SPDX-License-Identifier: MIT
 *
 * Moves a shader to another stage: storage classes, entry point, modes, capabilities.
 */
#include "spirv/io/lower_io.h"

#include "spirv/io/io_access.h"
#include "spirv/io/xfb.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/explicit_layout.h"
#include "spirv/ir/float_modes.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/shrink.h"
#include "spirv/ir/specialize.h"
#include "spirv/ir/storage_class.h"

bool pgs_spv_is_interface_decoration(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationLocation:
    case SpvDecorationComponent:
    case SpvDecorationIndex:
    case SpvDecorationBuiltIn:
    case SpvDecorationFlat:
    case SpvDecorationNoPerspective:
    case SpvDecorationCentroid:
    case SpvDecorationSample:
    case SpvDecorationInvariant:
    case SpvDecorationPatch:
    case SpvDecorationHlslSemanticGOOGLE:
        return true;
    default:
        return false;
    }
}

struct lower_io {
    struct pgs_spv_module *m;
    uint8_t *is_buffer; /* by id: the struct lies in a buffer */
    uint8_t *stays;     /* by id: the variable keeps its class, or a struct that such a variable
                         * holds */
};

static bool drop_decoration(const uint32_t *ins, void *context)
{
    const struct lower_io *r = context;
    if (ins[1] < r->m->bound && r->stays[ins[1]])
        return false;
    switch (pgs_spv_op(ins)) {
    case SpvOpDecorate:
        if (ins[2] == SpvDecorationBlock)
            return ins[1] < r->m->bound && !r->is_buffer[ins[1]];
        return pgs_spv_is_interface_decoration(ins[2]);
    case SpvOpDecorateString:
        return pgs_spv_is_interface_decoration(ins[2]);
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
        return pgs_spv_is_interface_decoration(ins[3]);
    default:
        return false;
    }
}

static void note_buffer(struct lower_io *r, const uint32_t *pointer)
{
    const uint32_t *held = pgs_spv_held_struct(r->m, pointer);
    if (held && pgs_spv_is_buffer(pointer[2]))
        r->is_buffer[held[1]] = 1;
}

/* By id: structs with interface decorations on themselves or their members. */
static uint8_t *find_decorated(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    uint8_t *decorated = pgs_spv_zalloc(m, m->bound, 1);
    for (uint32_t i = 0; decorated && i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool block = op == SpvOpDecorate && ins[2] == SpvDecorationBlock;
        const bool member = op == SpvOpMemberDecorate || op == SpvOpMemberDecorateString;
        if (ins[1] < m->bound && (block || (member && pgs_spv_is_interface_decoration(ins[3]))))
            decorated[ins[1]] = 1;
    }
    return decorated;
}

/* Marks outputs that keep their class, and the structs that they hold. A decorated struct cannot be
 * both input and output, since only the output keeps its decorations. */
static void note_outputs(struct lower_io *r)
{
    const struct pgs_spv_list *globals = &r->m->sections[PGS_SPV_GLOBALS];
    const uint8_t *decorated = find_decorated(r->m);
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[3] != SpvStorageClassOutput)
            continue;
        const uint32_t *held = pgs_spv_held_struct(r->m, ins);
        r->stays[ins[2]] = 1;
        if (held)
            r->stays[held[1]] = 1;
    }
    for (uint32_t i = 0; decorated && i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        const bool is_input = pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassInput;
        const uint32_t *held = is_input ? pgs_spv_held_struct(r->m, ins) : NULL;
        if (held && r->stays[held[1]] && decorated[held[1]])
            pgs_spv_fail(r->m, PGS_SPV_UNSUPPORTED);
    }
}

void pgs_spv_lower_io(struct pgs_spv_module *m, uint32_t output_class)
{
    struct lower_io r = {.m = m,
                         .is_buffer = pgs_spv_zalloc(m, m->bound, 1),
                         .stays = pgs_spv_zalloc(m, m->bound, 1)};
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    if (!r.is_buffer || !r.stays)
        return;
    if (output_class == SpvStorageClassOutput)
        note_outputs(&r);
    pgs_spv_drop_xfb(m);
    for (uint32_t i = 0; i < globals->count; i++) {
        uint32_t *ins = globals->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (op == SpvOpTypePointer)
            note_buffer(&r, ins);
        uint32_t *storage_class = op == SpvOpTypePointer ? &ins[2]
                                  : op == SpvOpVariable  ? &ins[3]
                                                         : NULL;
        if (storage_class && *storage_class == SpvStorageClassInput)
            *storage_class = SpvStorageClassPrivate;
        else if (storage_class && *storage_class == SpvStorageClassOutput)
            *storage_class = output_class;
    }
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_decoration, &r);
}

uint32_t pgs_spv_from_uint(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_io_var *var, uint32_t value)
{
    if (!var->is_float && !var->is_signed)
        return value;
    return PGS_SPV_VALUE(m, list, SpvOpBitcast, var->type, value);
}

/* Loads the input that another stage of the module has already, which may have the other sign. 0:
 * there is none. An entry point may have a builtin but once. */
static uint32_t load_again(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_io_var *var)
{
    const struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        if (pgs_spv_op(ins) != SpvOpDecorate || pgs_spv_length(ins) < 4 ||
            ins[2] != SpvDecorationBuiltIn || ins[3] != (uint32_t)var->builtin)
            continue;
        const uint32_t *def = pgs_spv_def_op(m, ins[1], SpvOpVariable);
        const uint32_t *pointer = def ? pgs_spv_def_op(m, def[1], SpvOpTypePointer) : NULL;
        if (!pointer || def[3] != SpvStorageClassInput)
            continue;
        const uint32_t type = pointer[3], value = PGS_SPV_VALUE(m, list, SpvOpLoad, type, ins[1]);
        return type == var->type ? value : PGS_SPV_VALUE(m, list, SpvOpBitcast, var->type, value);
    }
    return 0;
}

uint32_t pgs_spv_native_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var)
{
    switch (var->builtin) {
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupLocalInvocationId:
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
    case SpvBuiltInDeviceIndex:
    case SpvBuiltInCoreIDARM:
    case SpvBuiltInCoreCountARM:
    case SpvBuiltInCoreMaxIDARM:
    case SpvBuiltInWarpIDARM:
    case SpvBuiltInWarpMaxIDARM:
    case SpvBuiltInWarpsPerSMNV:
    case SpvBuiltInSMCountNV:
    case SpvBuiltInWarpIDNV:
    case SpvBuiltInSMIDNV:
        break;
    default:
        return 0;
    }
    const uint32_t again = load_again(m, list, var);
    return again ? again
                 : pgs_spv_load_input(m, list, var->type, SpvDecorationBuiltIn, var->builtin);
}

void pgs_spv_fill_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_io_var *var,
                          const struct pgs_spv_builtin_source *sources, uint32_t source_count)
{
    const bool is_word = var->count == 1 && var->width_bits == 32 && !var->is_float;
    uint32_t value = 0, i = 0;
    while (i < source_count && sources[i].builtin != var->builtin)
        i++;
    if (i < source_count && is_word)
        value = pgs_spv_from_uint(
            m, list, var,
            PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_uint(m), sources[i].function));
    else
        value = pgs_spv_native_builtin(m, list, var);
    if (!value) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    PGS_SPV_APPEND(m, list, SpvOpStore,
                   pgs_spv_io_var_pointer(m, list, var, SpvStorageClassPrivate, 0), value);
}

static bool drop_capability(const uint32_t *ins, void *context)
{
    (void)context;
    switch (ins[1]) {
    case SpvCapabilityGeometry:
    case SpvCapabilityTessellation:
    case SpvCapabilityTessellationPointSize:
    case SpvCapabilityGeometryPointSize:
    case SpvCapabilityGeometryStreams:
    case SpvCapabilityTransformFeedback:
    case SpvCapabilityMultiViewport:
    case SpvCapabilityClipDistance:
    case SpvCapabilityCullDistance:
    case SpvCapabilityShaderLayer:
    case SpvCapabilityShaderViewportIndex:
    case SpvCapabilityShaderViewportIndexLayerEXT:
    case SpvCapabilityMultiView:
    case SpvCapabilityDrawParameters:
    case SpvCapabilityStorageInputOutput16:
    case SpvCapabilityFragmentShadingRateKHR:
    case SpvCapabilitySampleRateShading:
    case SpvCapabilityInterpolationFunction:
    case SpvCapabilityInputAttachment:
        return true;
    default:
        return false;
    }
}

static bool drop_extension(const uint32_t *ins, void *context)
{
    (void)context;
    return pgs_spv_string_is(ins, 1, "SPV_KHR_shader_draw_parameters") ||
           pgs_spv_string_is(ins, 1, "SPV_KHR_multiview") ||
           pgs_spv_string_is(ins, 1, "SPV_EXT_shader_viewport_index_layer") ||
           pgs_spv_string_is(ins, 1, "SPV_KHR_fragment_shading_rate");
}

/* 16-bit types that only the interface used may now be used in arithmetic. Floats with an encoding
 * of their own are in no interface. */
static void need_narrow_types(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpTypeFloat && ins[2] == 16 && pgs_spv_length(ins) == 3)
            pgs_spv_add_capability(m, SpvCapabilityFloat16);
        if (pgs_spv_op(ins) == SpvOpTypeInt && ins[2] == 16)
            pgs_spv_add_capability(m, SpvCapabilityInt16);
    }
}

static bool drop_mode(const uint32_t *ins, void *context)
{
    (void)context;
    return !pgs_spv_is_float_mode(ins[2]);
}

/* Of compute shaders, which may have subgroup operations: a guarantee for these is no less true in
 * another stage. */
static bool drop_mode_of_stage(const uint32_t *ins, void *context)
{
    return drop_mode(ins, context) && ins[2] != SpvExecutionModeSubgroupUniformControlFlowKHR &&
           ins[2] != PGS_SPV_MODE_MAXIMALLY_RECONVERGES;
}

/* `context` is the id of the application's entry point. The new one is called "main", and
 * translators to other languages need unique function names. */
static bool drop_entry_name(const uint32_t *ins, void *context)
{
    return pgs_spv_op(ins) == SpvOpName && ins[1] == *(const uint32_t *)context;
}

void pgs_spv_leave_stage(struct pgs_spv_module *m)
{
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_capability, NULL);
    pgs_spv_filter(&m->sections[PGS_SPV_EXTENSIONS], drop_extension, NULL);
}

void pgs_spv_make_compute(struct pgs_spv_module *m, uint32_t function, uint32_t group_el)
{
    if (m->result != PGS_SPV_OK || m->is_trial)
        return;
    if (m->version < PGS_SPV_VERSION(1, 3))
        m->version = PGS_SPV_VERSION(1, 3);
    const bool narrow = pgs_spv_has_capability(m, SpvCapabilityStorageInputOutput16);
    pgs_spv_leave_stage(m);
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], drop_entry_name, &m->entry[2]);
    struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    pgs_spv_filter(modes, drop_mode_of_stage, NULL);
    for (uint32_t i = 0; i < modes->count; i++)
        modes->items[i][1] = function;
    PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, SpvExecutionModeLocalSize, group_el, 1,
                   1);
    pgs_spv_add_capability(m, SpvCapabilityShader);
    pgs_spv_specialize(m);
    pgs_spv_shrink(m);
    pgs_spv_dce_globals(m, false);
    pgs_spv_drop_unused_layouts(m);
    if (narrow)
        need_narrow_types(m);
    pgs_spv_set_entry(m, SpvExecutionModelGLCompute, function, "main");
}

static bool drop_tessellation(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[1] == SpvCapabilityTessellation || ins[1] == SpvCapabilityTessellationPointSize ||
           ins[1] == SpvCapabilityTransformFeedback || ins[1] == SpvCapabilityGeometryStreams;
}

void pgs_spv_make_vertex(struct pgs_spv_module *m, uint32_t function)
{
    if (m->result != PGS_SPV_OK || m->is_trial)
        return;
    if (m->version < PGS_SPV_VERSION(1, 3))
        m->version = PGS_SPV_VERSION(1, 3);
    struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_tessellation, NULL);
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], drop_entry_name, &m->entry[2]);
    pgs_spv_filter(modes, drop_mode, NULL);
    for (uint32_t i = 0; i < modes->count; i++)
        modes->items[i][1] = function;
    pgs_spv_add_capability(m, SpvCapabilityShader);
    pgs_spv_specialize(m);
    pgs_spv_shrink(m);
    pgs_spv_dce_globals(m, false);
    pgs_spv_drop_unused_layouts(m);
    pgs_spv_set_entry(m, SpvExecutionModelVertex, function, "main");
}
