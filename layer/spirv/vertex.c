/* SPDX-License-Identifier: MIT
 *
 * Vertex shader -> compute shader.
 */
#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/interface.h"

enum {
    BEGIN,
    VERTEX_INDEX,
    INSTANCE_INDEX,
    BASE_VERTEX,
    BASE_INSTANCE,
    DRAW_INDEX,
    FETCH,
    FETCH_WIDE,
    STORE,
    STORE4,
    PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_vertex_begin",
    [VERTEX_INDEX] = "pgs_vertex_index",
    [INSTANCE_INDEX] = "pgs_instance_index",
    [BASE_VERTEX] = "pgs_base_vertex",
    [BASE_INSTANCE] = "pgs_base_instance",
    [DRAW_INDEX] = "pgs_draw_index",
    [FETCH] = "pgs_fetch",
    [FETCH_WIDE] = "pgs_fetch_wide",
    [STORE] = "pgs_vertex_store",
    [STORE4] = "pgs_vertex_store4",
    [PUSH_ADDRESS] = "pgs_push_address",
};

struct vertex_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_vertex_options *options;
    uint32_t functions[FUNCTION_COUNT];
    uint32_t fetched[32]; /* by location: the attribute as uvec4, once it has been fetched */
};

static uint32_t fetch_wide(const struct vertex_pass *p, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = p->m;
    uint32_t halves[2] = {0}, parts[4] = {0};
    for (uint32_t i = 0; i < leaf->count; i++) {
        const uint32_t component = leaf->component / 2 + i, half = component / 2 & 1;
        if (!halves[half])
            halves[half] = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, 4),
                                         p->functions[FETCH_WIDE], pgs_spv_uint(m, leaf->location),
                                         pgs_spv_uint(m, p->options->format[leaf->location]),
                                         pgs_spv_uint(m, half));
        const uint32_t at = component % 2 * 2;
        const uint32_t pair = PGS_SPV_VALUE(m, p->list, SpvOpVectorShuffle, pgs_spv_type_uvec(m, 2),
                                            halves[half], halves[half], at, at + 1);
        parts[i] = PGS_SPV_VALUE(m, p->list, SpvOpBitcast, leaf->scalar, pair);
    }
    return pgs_spv_join(m, p->list, leaf, parts);
}

/* One 32-bit component as the type that the shader declares: fetching makes 32-bit numbers of all
 * formats. */
static uint32_t convert(const struct vertex_pass *p, const struct pgs_spv_leaf *leaf, uint32_t word)
{
    struct pgs_spv_module *m = p->m;
    if (leaf->width_bits == 32)
        return pgs_spv_from_uint(m, p->list,
                                 &(struct pgs_spv_leaf){.type = leaf->scalar,
                                                        .is_float = leaf->is_float,
                                                        .is_signed = leaf->is_signed},
                                 word);
    if (leaf->is_float) {
        const uint32_t wide =
            PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_float(m, 32), word);
        return PGS_SPV_VALUE(m, p->list, SpvOpFConvert, leaf->scalar, wide);
    }
    if (leaf->is_signed) {
        const uint32_t wide = PGS_SPV_VALUE(m, p->list, SpvOpBitcast, pgs_spv_type_int(m), word);
        return PGS_SPV_VALUE(m, p->list, SpvOpSConvert, leaf->scalar, wide);
    }
    return PGS_SPV_VALUE(m, p->list, SpvOpUConvert, leaf->scalar, word);
}

static uint32_t fetch(struct vertex_pass *p, const struct pgs_spv_leaf *leaf)
{
    struct pgs_spv_module *m = p->m;
    if (leaf->location >= 32) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return 0;
    }
    if (leaf->width_bits == 64)
        return fetch_wide(p, leaf);
    if (leaf->width_bits == 16)
        pgs_spv_add_capability(m, leaf->is_float ? SpvCapabilityFloat16 : SpvCapabilityInt16);
    uint32_t *all = &p->fetched[leaf->location], parts[4];
    if (!*all)
        *all = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, 4),
                             p->functions[FETCH], pgs_spv_uint(m, leaf->location),
                             pgs_spv_uint(m, p->options->format[leaf->location]));
    for (uint32_t i = 0; i < leaf->count; i++) {
        const uint32_t word = PGS_SPV_VALUE(m, p->list, SpvOpCompositeExtract, pgs_spv_type_uint(m),
                                            *all, (leaf->component + i) & 3u);
        parts[i] = convert(p, leaf, word);
    }
    return pgs_spv_join(m, p->list, leaf, parts);
}

static uint32_t builtin_value(const struct vertex_pass *p, const struct pgs_spv_leaf *leaf)
{
    static const struct {
        uint32_t builtin, function;
    } known[] = {
        {SpvBuiltInVertexIndex, VERTEX_INDEX}, {SpvBuiltInInstanceIndex, INSTANCE_INDEX},
        {SpvBuiltInBaseVertex, BASE_VERTEX},   {SpvBuiltInBaseInstance, BASE_INSTANCE},
        {SpvBuiltInDrawIndex, DRAW_INDEX},
    };
    struct pgs_spv_module *m = p->m;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].builtin != leaf->builtin)
            continue;
        if (leaf->is_float || leaf->count != 1 || leaf->width_bits != 32)
            break;
        const uint32_t value = PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                             p->functions[known[i].function]);
        return pgs_spv_from_uint(m, p->list, leaf, value);
    }
    const uint32_t value = pgs_spv_native_builtin(m, p->list, leaf);
    if (!value)
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    return value;
}

/* main: begin, inputs, the application's main, outputs. Returns its id. */
static uint32_t write_main(struct vertex_pass *p, uint32_t app_main,
                           const struct pgs_spv_leaves *inputs,
                           const struct pgs_spv_leaves *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m);
    const struct pgs_spv_port port = {.m = m,
                                      .list = p->list,
                                      .layout = &p->options->out,
                                      .store = p->functions[STORE],
                                      .store4 = p->functions[STORE4],
                                      .stored_class = SpvStorageClassPrivate};
    const uint32_t done = pgs_spv_begin_guarded(m, p->list, function, p->functions[BEGIN],
                                                (const uint32_t[]){p->options->out.stride_w}, 1);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_leaf *leaf = &inputs->items[i];
        const uint32_t value =
            leaf->builtin == PGS_SPV_NO_BUILTIN ? fetch(p, leaf) : builtin_value(p, leaf);
        PGS_SPV_APPEND(m, p->list, SpvOpStore,
                       pgs_spv_leaf_pointer(m, p->list, leaf, SpvStorageClassPrivate, 0), value);
    }
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++)
        pgs_spv_store_leaf(&port, &outputs->items[i], 0);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

/* keep_interface: also what the functions do not touch. */
static enum pgs_spv_result open_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                                       bool keep_interface, struct pgs_spv_leaves *inputs,
                                       struct pgs_spv_leaves *outputs)
{
    pgs_spv_parse(m, vs->words, vs->word_count);
    if (vs->stage != PGS_SPV_VERTEX)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_fold(m, vs);
    pgs_spv_reduce(m, vs);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_collect_garbage(m, keep_interface);
    pgs_spv_collect_leaves(m, (struct pgs_spv_scope){.storage_class = SpvStorageClassInput},
                           inputs);
    pgs_spv_collect_leaves(m, (struct pgs_spv_scope){.storage_class = SpvStorageClassOutput},
                           outputs);
    return m->result;
}

enum pgs_spv_result pgs_spv_vertex_info(const struct pgs_spv_shader *vs,
                                        struct pgs_spv_vertex_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *info = (struct pgs_spv_vertex_info){0};
    if (open_vertex(&m, vs, false, &inputs, &outputs) == PGS_SPV_OK) {
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_has_side_effects(&m);
        for (uint32_t i = 0; i < inputs.count; i++) {
            const struct pgs_spv_leaf *leaf = &inputs.items[i];
            if (leaf->builtin != PGS_SPV_NO_BUILTIN)
                continue;
            if (leaf->location >= 32)
                pgs_spv_fail(&m, PGS_SPV_INVALID);
            else
                info->attribute_mask |= 1u << leaf->location;
            if (leaf->width_bits == 64 && leaf->count > 2 && leaf->location < 31)
                info->attribute_mask |= 2u << leaf->location;
        }
    }
    pgs_spv_finish(&m);
    return m.result;
}

enum pgs_spv_result pgs_spv_vertex_feedback(const struct pgs_spv_shader *vs,
                                            struct pgs_spv_layout *out,
                                            struct pgs_spv_feedback *feedback)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *out = (struct pgs_spv_layout){0};
    *feedback = (struct pgs_spv_feedback){0};
    if (open_vertex(&m, vs, true, &inputs, &outputs) == PGS_SPV_OK) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < outputs.count; i++) {
            if (outputs.items[i].captured && outputs.items[i].stream == 0)
                outputs.items[count++] = outputs.items[i];
        }
        outputs.count = count;
        if (!pgs_spv_make_layout(&outputs, out))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        else
            pgs_spv_make_feedback(&m, &outputs, out, feedback);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK) {
        *out = (struct pgs_spv_layout){0};
        *feedback = (struct pgs_spv_feedback){0};
    }
    return m.result;
}

enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_leaves inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (open_vertex(&m, vs, false, &inputs, &outputs) == PGS_SPV_OK) {
        struct vertex_pass p = {
            .m = &m, .list = &m.sections[PGS_SPV_FUNCTIONS], .options = options};
        const uint32_t app_main = m.entry[2];
        pgs_spv_rehome(&m, SpvStorageClassPrivate);
        const bool pushes = pgs_spv_has_push_constants(&m);
        p.functions[PUSH_ADDRESS] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        pgs_spv_link(&m, pgs_lib_vertex, pgs_lib_vertex_words, function_names, p.functions,
                     pushes ? FUNCTION_COUNT : PUSH_ADDRESS);
        pgs_spv_make_compute(&m, write_main(&p, app_main, &inputs, &outputs), PGS_SHADER_GROUP_EL);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
