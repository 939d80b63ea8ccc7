/* SPDX-License-Identifier: MIT
 *
 * Vertex shader -> compute shader.
 */
#include "spirv/stages/vertex.h"

#include "poly_gs/abi.h"
#include "shaders/embedded.h"
#include "spirv/analysis/vertex_info.h"
#include "spirv/io/lower_io.h"
#include "spirv/io/outputs.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/link.h"
#include "spirv/stages/capture.h"
#include "spirv/stages/vertex_inputs.h"

#include <string.h>

enum {
    CAPTURE_TO, /* when the shader captures */
    BEGIN,
    STORE,
    STORE4,
    INPUTS, /* enum pgs_spv_vertex_function */
    PUSH_ADDRESS = INPUTS + PGS_SPV_VERTEX_PUSH_ADDRESS,
    FUNCTION_COUNT,
};

static const char *const storing_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_vertex_begin",
    [STORE] = "pgs_vertex_store",
    [STORE4] = "pgs_vertex_store4",
    [INPUTS] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

static const char *const capturing_names[FUNCTION_COUNT] = {
    [CAPTURE_TO] = "pgs_self_capture_to",     [BEGIN] = "pgs_vertex_capture_begin",
    [STORE] = "pgs_self_capture_store",       [STORE4] = "pgs_self_capture_store4",
    [INPUTS] = PGS_SPV_VERTEX_FUNCTION_NAMES,
};

struct vertex_pass {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_vertex_options *options;
    struct pgs_spv_assembly assembly;
    uint32_t functions[FUNCTION_COUNT];
};

static void link_functions(struct vertex_pass *p, bool pushes)
{
    const bool capture = p->options->capture;
    const uint32_t first = capture ? CAPTURE_TO : BEGIN;
    const char *names[FUNCTION_COUNT];
    memcpy(names, capture ? capturing_names : storing_names, sizeof(names));
    names[INPUTS + PGS_SPV_VERTEX_FETCH_NEAR] = NULL; /* with reads_near only */
    if (capture && p->m->pairs_words)
        names[STORE4] = "pgs_self_capture_store4_loose";
    pgs_spv_link(p->m, &pgs_lib_vertex, names + first, p->functions + first,
                 (pushes ? FUNCTION_COUNT : PUSH_ADDRESS) - first);
}

/* Begins main with its guard. Pass the result to the end of the guarded code. */
static uint32_t begin_main(const struct vertex_pass *p, uint32_t function)
{
    const struct pgs_spv_assembly *a = &p->assembly;
    const struct pgs_spv_xfb *capture = p->options->capture;
    const uint32_t storing[] = {p->options->out.stride_w, a->flags};
    const uint32_t capturing[] = {capture ? pgs_spv_captured_buffers(capture) : 0, a->topology,
                                  a->flags};
    return pgs_spv_begin_guarded(p->m, p->list, function, p->functions[BEGIN],
                                 capture ? capturing : storing, capture ? 3 : 2);
}

static void store_outputs(const struct vertex_pass *p, const struct pgs_spv_io_vars *outputs)
{
    const struct pgs_spv_io_access access = {.m = p->m,
                                             .list = p->list,
                                             .layout = &p->options->out,
                                             .store = p->functions[STORE],
                                             .store4 = p->functions[STORE4],
                                             .stored_class = SpvStorageClassPrivate};
    if (p->options->capture) {
        pgs_spv_capture_outputs(&(struct pgs_spv_capture){.access = access,
                                                          .to = p->functions[CAPTURE_TO],
                                                          .outputs = outputs,
                                                          .xfb = p->options->capture});
        return;
    }
    for (uint32_t i = 0; i < outputs->count && p->m->result == PGS_SPV_OK; i++)
        pgs_spv_store_io_var(&access, &outputs->items[i], 0);
}

/* main: begin, inputs, the application's main, outputs. Returns its id. */
static uint32_t write_main(struct vertex_pass *p, uint32_t app_main,
                           const struct pgs_spv_io_vars *inputs,
                           const struct pgs_spv_io_vars *outputs)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t function = pgs_spv_new_id(m);
    const uint32_t done = begin_main(p, function);
    pgs_spv_fill_attributes(&(struct pgs_spv_attribute_source){.m = m,
                                                               .list = p->list,
                                                               .options = p->options,
                                                               .functions = p->functions + INPUTS,
                                                               .native_builtins = true},
                            inputs);
    pgs_spv_zero_targets(m, p->list, outputs);
    PGS_SPV_VALUE(m, p->list, SpvOpFunctionCall, pgs_spv_type_void(m), app_main);
    store_outputs(p, outputs);
    pgs_spv_end_guarded(m, p->list, done);
    return function;
}

enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              const struct pgs_spv_assembly *assembly,
                                              struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_vertex(&m, vs, false, &inputs, &outputs) == PGS_SPV_OK) {
        struct vertex_pass p = {.m = &m,
                                .list = &m.sections[PGS_SPV_FUNCTIONS],
                                .options = options,
                                .assembly = pgs_spv_known_assembly(assembly)};
        const uint32_t app_main = m.entry[2];
        pgs_spv_lower_io(&m, SpvStorageClassPrivate);
        const bool pushes = pgs_spv_has_push_constants(&m);
        p.functions[PUSH_ADDRESS] = pgs_spv_new_id(&m);
        pgs_spv_push_constants_to_memory(&m, p.functions[PUSH_ADDRESS]);
        link_functions(&p, pushes);
        pgs_spv_make_compute(&m, write_main(&p, app_main, &inputs, &outputs), PGS_SHADER_GROUP_EL);
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
