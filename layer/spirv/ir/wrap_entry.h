/* SPDX-License-Identifier: MIT
 *
 * Functions around an entry point, which become the entry point.
 */
#ifndef PGS_SPIRV_IR_WRAP_ENTRY_H
#define PGS_SPIRV_IR_WRAP_ENTRY_H

#include "spirv/ir/module.h"

/* Begins a function that takes the place of m->entry's. Returns its id. */
uint32_t pgs_spv_begin_wrapper(struct pgs_spv_module *m);

/* Appends a call of m->entry's function, which must not stay the entry point. */
void pgs_spv_call_wrapped(struct pgs_spv_module *m);

/* Ends the function and makes it the entry point of that name, with the model and the modes of
 * m->entry. Drops globals that nothing uses. */
void pgs_spv_end_wrapper(struct pgs_spv_module *m, uint32_t function, const char *name);

#endif
