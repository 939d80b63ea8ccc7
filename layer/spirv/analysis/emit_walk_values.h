/* SPDX-License-Identifier: MIT
 *
 * Values of an emit walk, and the contents of variables.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_VALUES_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_VALUES_H

#include "spirv/analysis/emit_walk.h"

/* Evaluates constants and the initial values of private variables. */
void pgs_spv_emit_walk_constants(struct pgs_spv_emit_walk *w);
struct pgs_spv_emit_walk_value pgs_spv_emit_walk_value(const struct pgs_spv_emit_walk *w,
                                                       uint32_t id);

/* Stores a result as unknown if implementations may differ: RelaxedPrecision results may be
 * computed in 16 bits, and results decorated with NoSignedWrap or NoUnsignedWrap may assume that
 * they do not wrap. */
void pgs_spv_emit_walk_assign(struct pgs_spv_emit_walk *w, uint32_t id,
                              struct pgs_spv_emit_walk_value value);

/* The result of an instruction without side effects. */
struct pgs_spv_emit_walk_value pgs_spv_emit_walk_compute(const struct pgs_spv_emit_walk *w,
                                                         const uint32_t *ins);

/* Finds the variable that a pointer leads to, if only this invocation can access it. */
enum pgs_spv_emit_walk_target {
    PGS_SPV_TARGET_LOST,    /* such a variable, but unknown which */
    PGS_SPV_TARGET_FOREIGN, /* no such variable, or a variable of a function that is not active */
    PGS_SPV_TARGET_VARIABLE,
};

enum pgs_spv_emit_walk_target pgs_spv_emit_walk_target(const struct pgs_spv_emit_walk *w,
                                                       uint32_t pointer, uint32_t *variable,
                                                       bool *is_whole);
void pgs_spv_emit_walk_store(struct pgs_spv_emit_walk *w, const uint32_t *ins);

/* Makes unknown whatever the instruction could write through its operands. */
void pgs_spv_emit_walk_forget(struct pgs_spv_emit_walk *w, const uint32_t *ins);

#endif
