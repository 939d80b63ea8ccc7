/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries.
 */
#ifndef PGS_SPIRV_IR_LINK_H
#define PGS_SPIRV_IR_LINK_H

#include "spirv/ir/module.h"

/* Copies library functions and what they need into m; ids[i] becomes the function called
 * names[i]; where it is not 0, that is the id it gets. Names that are NULL are left out. */
void pgs_spv_link(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                  const char *const *names, uint32_t *ids, uint32_t count);

/* The same for ids that are given, but only functions that m calls already. */
void pgs_spv_link_called(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                         const char *const *names, const uint32_t *ids, uint32_t count);

#endif
