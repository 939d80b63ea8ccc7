/* SPDX-License-Identifier: MIT
 *
 * Values of an emit walk, and what variables hold.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_VALUES_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_VALUES_H

#include "spirv/analysis/emit_walk.h"

/* Constants, and what private variables hold at first. */
void pgs_spv_emit_walk_constants(struct pgs_spv_emit_walk *w);
struct pgs_spv_emit_walk_value pgs_spv_emit_walk_value(const struct pgs_spv_emit_walk *w,
                                                       uint32_t id);

/* Unknown where the value is only right in some implementations: those that compute a
 * RelaxedPrecision result in 16 bits, or rely on a result not to wrap. */
void pgs_spv_emit_walk_assign(struct pgs_spv_emit_walk *w, uint32_t id,
                              struct pgs_spv_emit_walk_value value);

/* The result of an instruction without side effects. */
struct pgs_spv_emit_walk_value pgs_spv_emit_walk_compute(const struct pgs_spv_emit_walk *w,
                                                         const uint32_t *ins);

/* The variable that a pointer leads to, if that is one that only this invocation has. */
enum pgs_spv_emit_walk_target {
    PGS_SPV_TARGET_LOST,    /* maybe, but not known which */
    PGS_SPV_TARGET_FOREIGN, /* none of them; or one of a function that does not run */
    PGS_SPV_TARGET_VARIABLE,
};

enum pgs_spv_emit_walk_target pgs_spv_emit_walk_target(const struct pgs_spv_emit_walk *w,
                                                       uint32_t pointer, uint32_t *variable,
                                                       bool *is_whole);
void pgs_spv_emit_walk_store(struct pgs_spv_emit_walk *w, const uint32_t *ins);

/* Whatever an instruction could write through its operands is unknown. */
void pgs_spv_emit_walk_forget(struct pgs_spv_emit_walk *w, const uint32_t *ins);

#endif
