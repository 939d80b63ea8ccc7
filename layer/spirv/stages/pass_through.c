/* SPDX-License-Identifier: MIT
 *
 * The pass-through geometry shader: it emits each primitive unchanged. Outputs of the vertex shader
 * keep their variables, and each gets an input of the same type. What the vertex shader captures is
 * captured here.
 */
#include "spirv/stages/pass_through.h"

#include "spirv/io/lacks.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/spec_constants.h"

#define MAX_VERTICES_PER_PRIMITIVE 3

struct builtin {
    bool present;
    bool written;                /* else it only has a location in the captured vertex */
    uint32_t elements;           /* of an array; 0: no array */
    struct pgs_spv_io_var first; /* says where the built-in is captured */
    uint32_t input, output, type;
};

enum {
    POSITION,
    POINT_SIZE,
    LAYER,
    VIEWPORT_INDEX,
    SHADING_RATE,
    CLIP_DISTANCE,
    CULL_DISTANCE,
    BUILTIN_COUNT
};

/* Built-ins that a vertex shader can write. Applications' geometry shaders cannot read layer,
 * viewport index and shading rate, but this one can. */
static const struct {
    uint32_t builtin, capability;
} builtins[BUILTIN_COUNT] = {
    [POSITION] = {SpvBuiltInPosition, SpvCapabilityShader},
    [POINT_SIZE] = {SpvBuiltInPointSize, SpvCapabilityGeometryPointSize},
    [LAYER] = {SpvBuiltInLayer, SpvCapabilityGeometry},
    [VIEWPORT_INDEX] = {SpvBuiltInViewportIndex, SpvCapabilityMultiViewport},
    [SHADING_RATE] = {SpvBuiltInPrimitiveShadingRateKHR, SpvCapabilityFragmentShadingRateKHR},
    [CLIP_DISTANCE] = {SpvBuiltInClipDistance, SpvCapabilityClipDistance},
    [CULL_DISTANCE] = {SpvBuiltInCullDistance, SpvCapabilityCullDistance},
};

struct pass_through {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    uint32_t vertices_per_primitive;
    struct builtin builtins[BUILTIN_COUNT];
    uint32_t user_count;
    uint32_t *user_inputs, *user_outputs, *user_types; /* variables, and their types */
    uint32_t id_input, id_output;                      /* gl_PrimitiveID; 0: not wanted */
};

/* Finds the built-ins that the vertex shader writes. */
static void find_builtins(struct pass_through *p, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        uint32_t which = 0;
        if (var->builtin == PGS_SPV_NO_BUILTIN)
            continue;
        while (which < BUILTIN_COUNT && builtins[which].builtin != var->builtin)
            which++;
        if (which == BUILTIN_COUNT) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        const bool is_number = which == LAYER || which == VIEWPORT_INDEX || which == SHADING_RATE;
        if (var->is_float == is_number || var->width_bits != 32 ||
            var->count != (which == POSITION ? 4 : 1)) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        struct builtin *b = &p->builtins[which];
        if (!b->present)
            b->first = *var;
        b->present = true;
        b->written |= var->referenced;
        if (which >= CLIP_DISTANCE && var->element >= b->elements)
            b->elements = var->element + 1;
    }
}

static uint32_t array_of(struct pgs_spv_module *m, uint32_t type, uint32_t count)
{
    return pgs_spv_type(m, SpvOpTypeArray, (const uint32_t[]){type, pgs_spv_uint(m, count)}, 2);
}

static uint32_t builtin_variable(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type,
                                 uint32_t builtin)
{
    const uint32_t variable = pgs_spv_variable(m, storage_class, type);
    PGS_SPV_DECORATE(m, variable, SpvDecorationBuiltIn, builtin);
    return variable;
}

static void capture_builtin(struct pgs_spv_module *m, const struct builtin *b)
{
    if (!b->first.captured)
        return;
    PGS_SPV_DECORATE(m, b->output, SpvDecorationXfbBuffer, b->first.buffer);
    PGS_SPV_DECORATE(m, b->output, SpvDecorationOffset, b->first.offset_B);
    if (b->first.stride_B)
        PGS_SPV_DECORATE(m, b->output, SpvDecorationXfbStride, b->first.stride_B);
}

static void declare_builtins(struct pass_through *p, bool primitive_id)
{
    struct pgs_spv_module *m = p->m;
    for (uint32_t i = 0; i < BUILTIN_COUNT; i++) {
        struct builtin *b = &p->builtins[i];
        if (!b->present)
            continue;
        b->type = b->elements ? array_of(m, b->first.type, b->elements) : b->first.type;
        if (b->written)
            b->input = builtin_variable(m, SpvStorageClassInput,
                                        array_of(m, b->type, p->vertices_per_primitive),
                                        builtins[i].builtin);
        b->output = builtin_variable(m, SpvStorageClassOutput, b->type, builtins[i].builtin);
        capture_builtin(m, b);
        pgs_spv_add_capability(m, builtins[i].capability);
        if (i == SHADING_RATE)
            pgs_spv_need_rates(m);
    }
    if (!primitive_id)
        return;
    const uint32_t type = pgs_spv_type_int(m);
    p->id_input = builtin_variable(m, SpvStorageClassInput, type, SpvBuiltInPrimitiveId);
    p->id_output = builtin_variable(m, SpvStorageClassOutput, type, SpvBuiltInPrimitiveId);
}

/* After pgs_spv_keep_outputs the global variables are the user outputs. */
static void declare_users(struct pass_through *p)
{
    static const uint32_t placing[] = {SpvDecorationLocation, SpvDecorationComponent};
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t count = globals->count;
    p->user_inputs = pgs_spv_zalloc(m, count + 1u, sizeof(*p->user_inputs));
    p->user_outputs = pgs_spv_zalloc(m, count + 1u, sizeof(*p->user_outputs));
    p->user_types = pgs_spv_zalloc(m, count + 1u, sizeof(*p->user_types));
    for (uint32_t i = 0; i < count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable)
            continue;
        const uint32_t *pointer = pgs_spv_def_op(m, ins[1], SpvOpTypePointer);
        if (!pointer) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        const uint32_t input = pgs_spv_variable(m, SpvStorageClassInput,
                                                array_of(m, pointer[3], p->vertices_per_primitive));
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t value;
            if (pgs_spv_decoration(m, ins[2], -1, placing[k], &value))
                PGS_SPV_DECORATE(m, input, placing[k], value);
        }
        p->user_inputs[p->user_count] = input;
        p->user_outputs[p->user_count] = ins[2];
        p->user_types[p->user_count++] = pointer[3];
    }
}

static void copy(const struct pass_through *p, uint32_t type, uint32_t input, uint32_t output,
                 uint32_t vertex)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t from = PGS_SPV_VALUE(m, p->list, SpvOpAccessChain,
                                        pgs_spv_type_pointer(m, SpvStorageClassInput, type), input,
                                        pgs_spv_uint(m, vertex));
    PGS_SPV_APPEND(m, p->list, SpvOpStore, output,
                   PGS_SPV_VALUE(m, p->list, SpvOpLoad, type, from));
}

static uint32_t write_main(const struct pass_through *p)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t function = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, p->list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, p->list, SpvOpLabel, pgs_spv_new_id(m));
    for (uint32_t vertex = 0; vertex < p->vertices_per_primitive; vertex++) {
        for (uint32_t i = 0; i < BUILTIN_COUNT; i++) {
            const struct builtin *b = &p->builtins[i];
            if (b->written)
                copy(p, b->type, b->input, b->output, vertex);
        }
        for (uint32_t i = 0; i < p->user_count; i++)
            copy(p, p->user_types[i], p->user_inputs[i], p->user_outputs[i], vertex);
        if (p->id_output)
            PGS_SPV_APPEND(m, p->list, SpvOpStore, p->id_output,
                           PGS_SPV_VALUE(m, p->list, SpvOpLoad, pgs_spv_type_int(m), p->id_input));
        pgs_spv_append(m, p->list, SpvOpEmitVertex, NULL, 0);
    }
    pgs_spv_append(m, p->list, SpvOpEndPrimitive, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

static void add_modes(const struct pass_through *p, uint32_t function, bool xfb)
{
    static const uint32_t inputs[MAX_VERTICES_PER_PRIMITIVE] = {
        SpvExecutionModeInputPoints, SpvExecutionModeInputLines, SpvExecutionModeTriangles};
    static const uint32_t outputs[MAX_VERTICES_PER_PRIMITIVE] = {
        SpvExecutionModeOutputPoints, SpvExecutionModeOutputLineStrip,
        SpvExecutionModeOutputTriangleStrip};
    struct pgs_spv_module *m = p->m;
    struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    const uint32_t kind = p->vertices_per_primitive - 1;
    pgs_spv_add_capability(m, SpvCapabilityGeometry);
    PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, inputs[kind]);
    PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, SpvExecutionModeInvocations, 1);
    PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, outputs[kind]);
    PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, SpvExecutionModeOutputVertices,
                   p->vertices_per_primitive);
    if (xfb) {
        pgs_spv_add_capability(m, SpvCapabilityTransformFeedback);
        PGS_SPV_APPEND(m, modes, SpvOpExecutionMode, function, SpvExecutionModeXfb);
    }
}

static void open_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                        struct pgs_spv_io_vars *outputs)
{
    pgs_spv_parse(m, vs->words, vs->word_count);
    if (m->result != PGS_SPV_OK)
        return;
    pgs_spv_fold(m, vs);
    pgs_spv_dce_functions(m, vs);
    if (m->result != PGS_SPV_OK)
        return;
    pgs_spv_dce_globals(m, true);
    pgs_spv_collect_io_vars(
        m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassOutput, .unreferenced = true},
        outputs);
}

enum pgs_spv_result pgs_spv_pass_through_geometry(const struct pgs_spv_shader *vs,
                                                  uint32_t vertices_per_primitive,
                                                  bool primitive_id, struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars outputs;
    *out = (struct pgs_spv_blob){0};
    if ((vs->stage != PGS_SPV_VERTEX && vs->stage != PGS_SPV_EVALUATION) ||
        vertices_per_primitive == 0 || vertices_per_primitive > MAX_VERTICES_PER_PRIMITIVE)
        return PGS_SPV_INVALID;
    open_vertex(&m, vs, &outputs);
    struct pass_through p = {.m = &m,
                             .list = &m.sections[PGS_SPV_FUNCTIONS],
                             .vertices_per_primitive = vertices_per_primitive};
    const bool xfb = pgs_spv_has_mode(&m, SpvExecutionModeXfb);
    if (m.result == PGS_SPV_OK) {
        outputs = pgs_spv_io_vars_of_stream(&m, &outputs, 0);
        find_builtins(&p, &outputs);
        pgs_spv_keep_outputs(&m, &outputs, xfb);
        declare_users(&p);
        declare_builtins(&p, primitive_id);
    }
    if (m.result == PGS_SPV_OK) {
        const uint32_t function = write_main(&p);
        add_modes(&p, function, xfb);
        pgs_spv_set_entry(&m, SpvExecutionModelGeometry, function, "main");
        pgs_spv_dce_globals(&m, true);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
