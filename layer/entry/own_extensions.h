/* SPDX-License-Identifier: MIT
 *
 * Extensions of devices that the layer enables for itself: what they bring is not the
 * application's. Internal to entry/.
 */
#ifndef PGS_ENTRY_OWN_EXTENSIONS_H
#define PGS_ENTRY_OWN_EXTENSIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Names of extensions, as a create info has them. */
struct pgs_extension_names {
    const char *const *names;
    uint32_t count;
};

/* Bits of those with commands that are enabled, and not by the application. */
uint32_t pgs_own_extensions(struct pgs_extension_names enabled, struct pgs_extension_names asked);

/* True if the command is of one of these. */
bool pgs_own_extensions_bring(uint32_t own, const char *command);

#endif
