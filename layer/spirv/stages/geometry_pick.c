/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> compute shader that finds out which vertices are emitted.
 */
#include "spirv/stages/geometry_pick.h"

#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/analysis/picked.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"
#include "spirv/stages/geometry_parts.h"

enum {
    TAKE_RECORD,
    TAKE_ATTRIBUTE,
    BEGIN,
    EMIT,
    END_STRIP,
    END,
    PRIMITIVE_ID,
    INVOCATION_ID,
    CHOOSE_VERTEX,
    VERTEX, /* enum pgs_spv_vertex_function */
    PUSH_ADDRESS = VERTEX + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT = VERTEX + PGS_SPV_VERTEX_FUNCTIONS,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [TAKE_RECORD] = "pgs_pick_take_record",
    [TAKE_ATTRIBUTE] = "pgs_pick_take_attribute",
    [BEGIN] = "pgs_pick_begin",
    [EMIT] = "pgs_pick_emit",
    [END_STRIP] = "pgs_pick_end_strip",
    [END] = "pgs_pick_end",
    [PRIMITIVE_ID] = "pgs_primitive_id",
    [INVOCATION_ID] = "pgs_invocation_id",
    [CHOOSE_VERTEX] = "pgs_geometry_choose_vertex",
    [VERTEX] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

struct pick {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_geometry_info *info;
    struct pgs_spv_assembly assembly;
    struct pgs_spv_picked picked;
    uint32_t functions[FUNCTION_COUNT];
    uint32_t kept[PGS_SPV_PICKED_EMITS]; /* variables: the last result of the emit's value */
    uint32_t corner;                     /* variable: that of the next vertex */
    uint32_t emit;                       /* function */
    struct pgs_spv_vertex_part vertex;
};

/* -- which vertex is emitted -- */

/* The first emit that is told by the value; emit_count: there is none. */
static uint32_t emit_of_value(const struct pick *p, uint32_t value)
{
    uint32_t i = 0;
    while (i < p->picked.emit_count && (!value || p->picked.emits[i].value != value))
        i++;
    return i;
}

/* Keeps the result of the instruction if emits are told by it. */
static void keep_value(const struct pick *p, const uint32_t *ins, struct pgs_spv_list *list)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t id_word = pgs_spv_result_word(ins), type = pgs_spv_type_uint(m);
    const uint32_t i = emit_of_value(p, id_word ? ins[id_word] : 0);
    if (i == p->picked.emit_count)
        return;
    uint32_t value = p->picked.emits[i].value;
    if (pgs_spv_type_of(m, value) != type)
        value = PGS_SPV_VALUE(m, list, SpvOpBitcast, type, value);
    PGS_SPV_APPEND(m, list, SpvOpStore, p->kept[i], value);
}

/* Tells in front of an emit which vertex it is. */
static void tell_corner(const struct pick *p, const uint32_t *ins, struct pgs_spv_list *list)
{
    struct pgs_spv_module *m = p->m;
    for (uint32_t i = 0; i < p->picked.emit_count; i++) {
        const struct pgs_spv_picked_emit *emit = &p->picked.emits[i];
        if (emit->emit != ins)
            continue;
        const uint32_t number = emit->value
                                    ? PGS_SPV_VALUE(m, list, SpvOpLoad, pgs_spv_type_uint(m),
                                                    p->kept[emit_of_value(p, emit->value)])
                                    : pgs_spv_uint(m, emit->corner);
        PGS_SPV_APPEND(m, list, SpvOpStore, p->corner, number);
    }
}

/* Lets the shader say which vertices it emits. Phis come first in their blocks. */
static void tell_corners(struct pick *p)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_list code = m->sections[PGS_SPV_FUNCTIONS];
    struct pgs_spv_list out = {0};
    uint32_t phis = 0;
    p->corner = pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type_uint(m));
    for (uint32_t i = 0; i < p->picked.emit_count; i++)
        if (p->picked.emits[i].value && emit_of_value(p, p->picked.emits[i].value) == i)
            p->kept[i] = pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type_uint(m));
    for (uint32_t i = 0; i < code.count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = code.items[i];
        const bool is_phi = pgs_spv_op(ins) == SpvOpPhi;
        for (; !is_phi && phis; phis--)
            keep_value(p, code.items[i - phis], &out);
        tell_corner(p, ins, &out);
        pgs_spv_push(m, &out, ins);
        phis += is_phi;
        if (!is_phi)
            keep_value(p, ins, &out);
    }
    m->sections[PGS_SPV_FUNCTIONS] = out;
}

/* void emit(): notes the vertex. */
static void write_emit(const struct pick *p)
{
    struct pgs_spv_module *m = p->m;
    pgs_spv_begin_procedure(m, p->list, p->emit);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), p->functions[EMIT],
                  PGS_SPV_VALUE(m, p->list, SpvOpLoad, pgs_spv_type_uint(m), p->corner),
                  pgs_spv_uint(m, p->info->output_kind));
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
}

/* -- the shader -- */

static uint32_t write_main(const struct pick *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    const uint32_t arguments[] = {p->info->input_vertices, p->assembly.topology, p->assembly.flags};
    pgs_spv_begin_procedure(m, p->list, function);
    if (p->assembly.takes_record)
        pgs_spv_take_record(m, p->list, p->functions[TAKE_RECORD], p->functions[TAKE_ATTRIBUTE],
                            p->vertex.locations);
    const uint32_t done = pgs_spv_begin_guard(m, p->list, p->functions[BEGIN], arguments, 3);
    pgs_spv_fill_geometry_inputs(
        m, p->list,
        &(struct pgs_spv_geometry_sources){.primitive_id = p->functions[PRIMITIVE_ID],
                                           .invocation_id = p->functions[INVOCATION_ID],
                                           .vertex = &p->vertex,
                                           .choose = p->functions[CHOOSE_VERTEX],
                                           .assembly = p->assembly},
        p->info, inputs);
    pgs_spv_zero_targets(m, p->list, outputs);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, app_main);
    pgs_spv_end_if(m, p->list, done);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, void_type, p->functions[END]);
    pgs_spv_append(m, p->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, p->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

/* Links only the library functions that are called. */
static void link_functions(struct pick *p)
{
    const bool takes = p->assembly.takes_record;
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const bool called =
            i == TAKE_RECORD || i == TAKE_ATTRIBUTE ? takes : i < VERTEX || p->functions[i];
        names[i] = called ? function_names[i] : NULL;
    }
    pgs_spv_link(p->m, takes ? &pgs_lib_pick_near : &pgs_lib_pick, names, p->functions,
                 FUNCTION_COUNT);
}

static void transform(struct pick *p, const struct pgs_spv_shader *vs,
                      const struct pgs_spv_vertex_options *options,
                      const struct pgs_spv_io_vars *inputs, const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t app_main = m->entry[2];
    const uint32_t emits[PGS_SPV_STREAMS] = {p->emit = pgs_spv_new_id(m)};
    const bool pushes = pgs_spv_has_push_constants(m);
    tell_corners(p);
    pgs_spv_lower_io(m, SpvStorageClassPrivate);
    p->functions[PUSH_ADDRESS] = pushes ? pgs_spv_new_id(m) : 0;
    pgs_spv_push_constants_to_memory(m, p->functions[PUSH_ADDRESS]);
    p->functions[END_STRIP] = pgs_spv_new_id(m);
    pgs_spv_replace_emits(m, emits, p->functions[END_STRIP], NULL, 0);
    pgs_spv_add_vertex(m, vs, options, p->functions + VERTEX, &p->vertex);
    link_functions(p);
    write_emit(p);
    pgs_spv_make_compute(m, write_main(p, app_main, inputs, outputs), PGS_SHADER_GROUP_EL);
}

enum pgs_spv_result pgs_spv_geometry_to_pick(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_emit_facts facts = pgs_spv_emit_facts_of(info);
        struct pick p = {.m = &m,
                         .list = &m.sections[PGS_SPV_FUNCTIONS],
                         .info = info,
                         .assembly = pgs_spv_known_assembly(assembly)};
        if (pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex) ||
            !pgs_spv_find_picked(&m, &facts, &inputs, &outputs, &p.picked))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        else
            transform(&p, vs, options, &inputs, &outputs);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
