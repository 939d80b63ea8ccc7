/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries.
 */
#ifndef PGS_SPIRV_IR_LINK_H
#define PGS_SPIRV_IR_LINK_H

#include "spirv/ir/module.h"

/* Copies library functions and their dependencies into m. ids[i] becomes the function names[i]; an
 * id that is not 0 is used as given. NULL names are skipped. */
void pgs_spv_link(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                  const char *const *names, uint32_t *ids, uint32_t count);

/* As pgs_spv_link, for given ids, but only links functions that m already calls. */
void pgs_spv_link_called(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                         const char *const *names, const uint32_t *ids, uint32_t count);

#endif
