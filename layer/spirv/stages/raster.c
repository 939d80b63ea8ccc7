/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that passes emitted vertices to the rasterizer. User outputs keep their
 * variables; built-ins get new ones.
 */
#include "spirv/stages/raster.h"

#include "shaders/embedded.h"
#include "spirv/io/io_access.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/link.h"
#include "spirv/ir/specialize.h"
#include "spirv/stages/raster_builtins.h"

enum { BEGIN, LOAD, LOAD4, SELECT_VIEWPORT, FUNCTION_COUNT };

static const char *const function_names[FUNCTION_COUNT] = {
    [BEGIN] = "pgs_raster_begin",
    [LOAD] = "pgs_raster_load",
    [LOAD4] = "pgs_raster_load4",
    [SELECT_VIEWPORT] = "pgs_select_viewport",
};

struct raster_pass {
    struct pgs_spv_raster_access access; /* with this struct as `source` */
    const struct pgs_spv_geometry_info *info;
    uint32_t functions[FUNCTION_COUNT];
};

static uint32_t word_of(const struct pgs_spv_layout *layout, uint32_t builtin, uint32_t element)
{
    const struct pgs_spv_io_var var = {
        .builtin = builtin, .element = element, .count = 1, .width_bits = 32};
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    pgs_spv_io_var_words(&var, layout, words);
    return words[0];
}

static uint32_t load(const struct pgs_spv_raster_access *access, uint32_t type, uint32_t builtin,
                     uint32_t element)
{
    const struct raster_pass *p = access->source;
    struct pgs_spv_module *m = access->m;
    const bool quad = builtin == SpvBuiltInPosition;
    const uint32_t words =
        PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, quad ? 4 : 1),
                      p->functions[quad ? LOAD4 : LOAD],
                      pgs_spv_uint(m, word_of(access->layout, builtin, element)));
    return type == pgs_spv_type_uint(m) ? words
                                        : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, type, words);
}

static uint32_t write_main(const struct raster_pass *p)
{
    struct pgs_spv_module *m = p->access.m;
    struct pgs_spv_list *list = p->access.list;
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t uint_type = pgs_spv_type_uint(m), pair_type = pgs_spv_type_uvec(m, 2);
    const uint32_t function = pgs_spv_new_id(m);
    const struct pgs_spv_io_access access = {.m = m,
                                             .list = list,
                                             .layout = p->access.layout,
                                             .load = p->functions[LOAD],
                                             .load4 = p->functions[LOAD4]};
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    const uint32_t out_vertices = pgs_spv_load_input(m, list, pair_type, SpvDecorationLocation, 0);
    const uint32_t index =
        pgs_spv_load_input(m, list, uint_type, SpvDecorationBuiltIn, SpvBuiltInVertexIndex);
    PGS_SPV_VALUE(m, list, SpvOpFunctionCall, void_type, p->functions[BEGIN], out_vertices, index,
                  pgs_spv_uint(m, p->info->out_stride_w));
    for (uint32_t i = 0; i < p->access.outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &p->access.outputs->items[i];
        const uint32_t value =
            var->builtin == PGS_SPV_NO_BUILTIN ? pgs_spv_load_io_var(&access, var, 0) : 0;
        if (value)
            PGS_SPV_APPEND(m, list, SpvOpStore,
                           pgs_spv_io_var_pointer(m, list, var, SpvStorageClassOutput, 0), value);
    }
    pgs_spv_store_raster_builtins(&p->access);
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_blob){0};
    if (options->stream >= PGS_SPV_STREAMS)
        return PGS_SPV_INVALID;
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        struct raster_pass p = {.info = info};
        p.access = pgs_spv_open_raster(&m, info, options, &outputs);
        p.access.load = load;
        p.access.source = &p;
        pgs_spv_keep_outputs(&m, &outputs, false);
        if (m.version < PGS_SPV_VERSION(1, 3))
            m.version = PGS_SPV_VERSION(1, 3);
        pgs_spv_link(&m, &pgs_lib_raster, function_names, p.functions,
                     options->select_viewport ? FUNCTION_COUNT : SELECT_VIEWPORT);
        p.access.select_viewport = p.functions[SELECT_VIEWPORT];
        const uint32_t function = m.result == PGS_SPV_OK ? write_main(&p) : 0;
        pgs_spv_specialize(&m);
        pgs_spv_dce_globals(&m, false);
        pgs_spv_set_entry(&m, SpvExecutionModelVertex, function, "main");
    }
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
