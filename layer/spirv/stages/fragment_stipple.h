/* SPDX-License-Identifier: MIT
 *
 * Stippled lines whose gaps a fragment shader leaves: one varying of three floats without
 * perspective, which all fragments of a line have. The first one is where in the pattern a fragment
 * is, in pixels; the others are the stipple factor and the pattern.
 */
#ifndef PGS_SPIRV_STAGES_FRAGMENT_STIPPLE_H
#define PGS_SPIRV_STAGES_FRAGMENT_STIPPLE_H

#include "spirv/ir/module.h"

/* Declares the varying as an input or output. Returns its id. */
uint32_t pgs_spv_declare_stipple(struct pgs_spv_module *m, uint32_t storage_class,
                                 uint32_t location);

/* Id of its type. */
uint32_t pgs_spv_stipple_type(struct pgs_spv_module *m);

/* Id of a bool: the pattern has a bit there. value: id of the varying's. */
uint32_t pgs_spv_stipple_has(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t value);

#endif
