/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/stores.h"

#include "spirv/analysis/effects.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"
#include "spirv/ir/storage_class.h"

#define IMAGE_DIM_W 3
#define IMAGE_SAMPLED_W 7
#define STORAGE_IMAGE 2 /* the operand Sampled */

static bool is_storage_image(const struct pgs_spv_module *m, const uint32_t *variable)
{
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    const uint32_t *def = pointer ? pgs_spv_def(m, pointer[3]) : NULL;
    while (def && (pgs_spv_op(def) == SpvOpTypeArray || pgs_spv_op(def) == SpvOpTypeRuntimeArray))
        def = pgs_spv_def(m, def[2]);
    return def && pgs_spv_op(def) == SpvOpTypeImage && pgs_spv_length(def) > IMAGE_SAMPLED_W &&
           def[IMAGE_SAMPLED_W] == STORAGE_IMAGE && def[IMAGE_DIM_W] != SpvDimSubpassData;
}

static bool has_writable_member(const struct pgs_spv_module *m, const uint32_t *type)
{
    const uint32_t count = (uint32_t)pgs_spv_length(type) - 2;
    for (uint32_t i = 0; i < count; i++)
        if (!pgs_spv_decoration(m, type[1], (int32_t)i, SpvDecorationNonWritable, NULL))
            return true;
    return false;
}

static bool is_storage_buffer(const struct pgs_spv_module *m, const uint32_t *variable,
                              const uint32_t *held)
{
    return variable[3] == SpvStorageClassStorageBuffer ||
           (variable[3] == SpvStorageClassUniform &&
            pgs_spv_decoration(m, held[1], -1, SpvDecorationBufferBlock, NULL));
}

/* A variable of a buffer or image that could be written. */
static bool is_writable(const struct pgs_spv_module *m, const uint32_t *ins)
{
    if (pgs_spv_op(ins) != SpvOpVariable)
        return false;
    if (ins[3] == SpvStorageClassUniformConstant) {
        if (!is_storage_image(m, ins))
            return false;
    } else {
        const uint32_t *held = pgs_spv_held_struct(m, ins);
        if (!held || !is_storage_buffer(m, ins, held) || !has_writable_member(m, held))
            return false;
    }
    return !pgs_spv_decoration(m, ins[2], -1, SpvDecorationNonWritable, NULL);
}

static bool is_before_raster(uint32_t model)
{
    return model == SpvExecutionModelVertex || model == SpvExecutionModelTessellationControl ||
           model == SpvExecutionModelTessellationEvaluation || model == SpvExecutionModelGeometry;
}

static enum pgs_spv_stores find_stores(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *entries = &m->sections[PGS_SPV_ENTRIES];
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    bool before_raster = false;
    for (uint32_t i = 0; i < entries->count; i++)
        before_raster |= is_before_raster(entries->items[i][1]);
    if (!before_raster)
        return PGS_SPV_STORES_NONE;
    if (pgs_spv_has_side_effects(m))
        return PGS_SPV_STORES_DONE;
    for (uint32_t i = 0; i < globals->count; i++)
        if (is_writable(m, globals->items[i]))
            return PGS_SPV_STORES_DECLARED;
    return PGS_SPV_STORES_NONE;
}

enum pgs_spv_stores pgs_spv_module_stores(const uint32_t *words, size_t word_count)
{
    struct pgs_spv_module m;
    enum pgs_spv_stores stores = PGS_SPV_STORES_NONE;
    if (pgs_spv_parse(&m, words, word_count) == PGS_SPV_OK)
        stores = find_stores(&m);
    pgs_spv_finish(&m);
    return stores;
}

void pgs_spv_forbid_stores(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count && m->result == PGS_SPV_OK; i++)
        if (is_writable(m, globals->items[i]))
            pgs_spv_decorate(m, globals->items[i][2], SpvDecorationNonWritable, NULL, 0);
}

enum pgs_spv_result pgs_spv_shader_forbid_stores(const struct pgs_spv_shader *shader,
                                                 struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK)
        pgs_spv_forbid_stores(&m);
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
