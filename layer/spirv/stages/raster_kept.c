/* SPDX-License-Identifier: MIT */
#include "spirv/stages/raster_kept.h"

#include "spirv/io/io_access.h"
#include "spirv/ir/builder.h"

uint32_t *pgs_spv_kept_new(const struct pgs_spv_raster_access *access)
{
    return pgs_spv_zalloc(access->m, access->outputs->count + 1u, sizeof(uint32_t));
}

void pgs_spv_kept_declare(const struct pgs_spv_raster_access *access, uint32_t *kept)
{
    for (uint32_t i = 0; i < access->outputs->count; i++)
        kept[i] =
            pgs_spv_variable(access->m, SpvStorageClassPrivate, access->outputs->items[i].type);
}

void pgs_spv_kept_copy(const struct pgs_spv_raster_access *access, const uint32_t *kept)
{
    struct pgs_spv_module *m = access->m;
    for (uint32_t i = 0; i < access->outputs->count; i++) {
        const struct pgs_spv_io_var *var = &access->outputs->items[i];
        const uint32_t from =
            pgs_spv_io_var_pointer(m, access->list, var, SpvStorageClassPrivate, 0);
        const uint32_t value = PGS_SPV_VALUE(m, access->list, SpvOpLoad, var->type, from);
        PGS_SPV_APPEND(m, access->list, SpvOpStore, kept[i], value);
    }
}

void pgs_spv_kept_load(const struct pgs_spv_raster_access *access, uint32_t *kept)
{
    for (uint32_t i = 0; i < access->outputs->count; i++)
        kept[i] = PGS_SPV_VALUE(access->m, access->list, SpvOpLoad, access->outputs->items[i].type,
                                kept[i]);
}

void pgs_spv_kept_store(const struct pgs_spv_raster_access *access,
                        const struct pgs_spv_output_copies *copies, const uint32_t *kept)
{
    struct pgs_spv_module *m = access->m;
    for (uint32_t i = 0; i < access->outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &access->outputs->items[i];
        if (var->builtin != PGS_SPV_NO_BUILTIN)
            continue;
        if (var->width_bits == 16) {
            pgs_spv_add_capability(m, SpvCapabilityStorageInputOutput16);
            pgs_spv_add_capability(m, var->is_float ? SpvCapabilityFloat16 : SpvCapabilityInt16);
        }
        PGS_SPV_APPEND(m, access->list, SpvOpStore,
                       pgs_spv_output_pointer(m, access->list, copies, var), kept[i]);
    }
}

uint32_t pgs_spv_kept_builtin(const struct pgs_spv_raster_access *access, const uint32_t *kept,
                              uint32_t type, uint32_t builtin, uint32_t element)
{
    struct pgs_spv_module *m = access->m;
    for (uint32_t i = 0; i < access->outputs->count; i++) {
        const struct pgs_spv_io_var *var = &access->outputs->items[i];
        if (var->builtin != builtin || var->element != element)
            continue;
        return var->type == type ? kept[i]
                                 : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, type, kept[i]);
    }
    /* An array element that nothing names. */
    return PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull, type);
}
