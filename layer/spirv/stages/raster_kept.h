/* SPDX-License-Identifier: MIT
 *
 * The vertex of a geometry shader that the vertex shader around it outputs: its outputs, copied
 * when it is emitted.
 */
#ifndef PGS_SPIRV_STAGES_RASTER_KEPT_H
#define PGS_SPIRV_STAGES_RASTER_KEPT_H

#include "spirv/io/output_copies.h"
#include "spirv/stages/raster_builtins.h"

/* By output of the access: ids of variables; after pgs_spv_kept_load, of their values. */
uint32_t *pgs_spv_kept_new(const struct pgs_spv_raster_access *access);
void pgs_spv_kept_declare(const struct pgs_spv_raster_access *access, uint32_t *kept);

/* Copies the outputs, which are Private, to the variables. */
void pgs_spv_kept_copy(const struct pgs_spv_raster_access *access, const uint32_t *kept);

void pgs_spv_kept_load(const struct pgs_spv_raster_access *access, uint32_t *kept);

/* Stores the values to the user's outputs. */
void pgs_spv_kept_store(const struct pgs_spv_raster_access *access,
                        const struct pgs_spv_output_copies *copies, const uint32_t *kept);

/* A built-in, as `load` of struct pgs_spv_raster_access. */
uint32_t pgs_spv_kept_builtin(const struct pgs_spv_raster_access *access, const uint32_t *kept,
                              uint32_t type, uint32_t builtin, uint32_t element);

#endif
