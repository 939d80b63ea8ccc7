/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries.
 */
#ifndef PGS_SPIRV_IR_LINK_H
#define PGS_SPIRV_IR_LINK_H

#include "spirv/ir/library.h"
#include "spirv/ir/module.h"

/* Lets m call library functions; copies what they need of globals. ids[i] becomes the function
 * names[i]; an id that is not 0 is used as given. NULL names are skipped. The library must outlive
 * m. */
void pgs_spv_link(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                  const char *const *names, uint32_t *ids, uint32_t count);

/* As pgs_spv_link, for given ids, but only links functions that m already calls. */
void pgs_spv_link_called(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                         const char *const *names, const uint32_t *ids, uint32_t count);

#endif
