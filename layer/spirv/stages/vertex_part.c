/* SPDX-License-Identifier: MIT
 *
 * A vertex shader as a function in another stage's module.
 */
#include "spirv/stages/vertex_part.h"

#include "spirv/analysis/effects.h"
#include "spirv/analysis/vertex_info.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/merge.h"

uint32_t pgs_spv_make_part_outputs(struct pgs_spv_module *m, uint32_t stride_w)
{
    const uint32_t quad = pgs_spv_type_uvec(m, 4), array = pgs_spv_new_id(m);
    const uint32_t length = pgs_spv_uint(m, stride_w >= 4 ? stride_w / 4 : 1);
    PGS_SPV_APPEND(m, &m->sections[PGS_SPV_GLOBALS], SpvOpTypeArray, array, quad, length);
    return pgs_spv_variable(m, SpvStorageClassPrivate, array);
}

void pgs_spv_store_initial_values(struct pgs_spv_module *m)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[3] != SpvStorageClassPrivate ||
            pgs_spv_length(ins) < 5)
            continue;
        PGS_SPV_APPEND(m, &m->sections[PGS_SPV_FUNCTIONS], SpvOpStore, ins[2], ins[4]);
        ins[0] = 4u << 16 | SpvOpVariable;
    }
}

void pgs_spv_store_part_outputs(struct pgs_spv_module *m, const struct pgs_spv_layout *out,
                                uint32_t stored, const struct pgs_spv_io_vars *outputs,
                                uint8_t writes[])
{
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = &m->sections[PGS_SPV_FUNCTIONS],
                                             .layout = out,
                                             .variable = stored,
                                             .stored_class = SpvStorageClassPrivate};
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        pgs_spv_store_io_var(&access, &outputs->items[i], 0);
        for (uint32_t k = pgs_spv_io_access_words(&access, &outputs->items[i], words); k; k--)
            if (words[k - 1] != PGS_NO_WORD)
                writes[words[k - 1]] = 1;
    }
}

static uint32_t begin_function(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    return function;
}

static void end_function(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
}

static void note_fetched(struct pgs_spv_module *m, const struct pgs_spv_io_vars *inputs,
                         struct pgs_spv_vertex_part *part)
{
    part->fetched = pgs_spv_alloc(m, inputs->count + 1u, sizeof(*part->fetched));
    for (uint32_t i = 0; i < inputs->count && part->fetched; i++) {
        const uint32_t variable = inputs->items[i].variable;
        uint32_t k = 0;
        while (k < part->fetched_count && part->fetched[k] != variable)
            k++;
        part->fetched[k] = variable;
        part->fetched_count += k == part->fetched_count;
    }
}

static void write_run(struct pgs_spv_module *m, const struct pgs_spv_vertex_options *options,
                      const struct pgs_spv_io_vars *inputs, const struct pgs_spv_io_vars *outputs,
                      uint32_t functions[], uint8_t writes[], struct pgs_spv_vertex_part *part)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const struct pgs_spv_attribute_source source = {.m = m,
                                                    .list = list,
                                                    .options = options,
                                                    .functions = functions,
                                                    .locations = &part->locations};
    if (options->fetches_first) {
        part->fetch = begin_function(m);
        pgs_spv_fill_attributes(&source, inputs);
        end_function(m);
        note_fetched(m, inputs, part);
    }
    part->run = begin_function(m);
    pgs_spv_zero_targets(m, list, outputs);
    pgs_spv_store_initial_values(m);
    if (!options->fetches_first)
        pgs_spv_fill_attributes(&source, inputs);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, pgs_spv_type_void(m), m->entry[2]);
    pgs_spv_store_part_outputs(m, &options->out, part->stored, outputs, writes);
    end_function(m);
}

/* Translators to other languages need unique function names, and m has a "main" of its own. */
static bool drop_entry_name(const uint32_t *ins, void *context)
{
    const struct pgs_spv_module *m = context;
    return pgs_spv_op(ins) == SpvOpName && ins[1] == m->entry[2];
}

void pgs_spv_join_part(struct pgs_spv_module *m, struct pgs_spv_module *from,
                       const uint32_t calls[], uint32_t functions[], uint32_t count,
                       struct pgs_spv_vertex_part *part)
{
    pgs_spv_filter(&from->sections[PGS_SPV_NAMES], drop_entry_name, from);
    uint32_t *ids = from->result == PGS_SPV_OK ? pgs_spv_zalloc(m, from->bound, 4) : NULL;
    for (uint32_t i = 0; i < count && ids; i++) {
        if (!calls[i])
            continue;
        if (!functions[i])
            functions[i] = pgs_spv_new_id(m);
        ids[calls[i]] = functions[i];
    }
    pgs_spv_merge(m, from, ids);
    if (m->result != PGS_SPV_OK)
        return;
    part->run = ids[part->run];
    part->stored = ids[part->stored];
    part->fetch = ids[part->fetch];
    uint32_t *fetched = pgs_spv_alloc(m, part->fetched_count + 1u, sizeof(*fetched));
    for (uint32_t i = 0; i < part->fetched_count && fetched; i++)
        fetched[i] = ids[part->fetched[i]];
    part->fetched = fetched; /* what it was goes with `from` */
}

void pgs_spv_add_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                        const struct pgs_spv_vertex_options *options,
                        uint32_t functions[PGS_SPV_VERTEX_FUNCTIONS],
                        struct pgs_spv_vertex_part *part)
{
    struct pgs_spv_module v;
    struct pgs_spv_io_vars inputs, outputs;
    uint32_t calls[PGS_SPV_VERTEX_FUNCTIONS] = {0};
    uint8_t *writes = pgs_spv_zalloc(m, options->out.stride_w + 1u, 1);
    *part = (struct pgs_spv_vertex_part){.writes = writes};
    if (!writes)
        return;
    if (pgs_spv_open_vertex(&v, vs, false, &inputs, &outputs) == PGS_SPV_OK) {
        if (pgs_spv_needs_subgroups(&v) || pgs_spv_has_side_effects(&v))
            pgs_spv_fail(&v, PGS_SPV_UNSUPPORTED);
        pgs_spv_lower_io(&v, SpvStorageClassPrivate);
        if (pgs_spv_has_push_constants(&v) && !options->is_native) {
            calls[PGS_SPV_VERTEX_PUSH_ADDRESS] = pgs_spv_new_id(&v);
            pgs_spv_push_constants_to_memory(&v, calls[PGS_SPV_VERTEX_PUSH_ADDRESS]);
            pgs_spv_add_capability(&v, SpvCapabilityPhysicalStorageBufferAddresses);
        }
        part->stored = pgs_spv_make_part_outputs(&v, options->out.stride_w);
        write_run(&v, options, &inputs, &outputs, calls, writes, part);
    }
    pgs_spv_join_part(m, &v, calls, functions, PGS_SPV_VERTEX_FUNCTIONS, part);
    pgs_spv_finish(&v);
}
