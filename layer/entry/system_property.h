/* SPDX-License-Identifier: MIT
 *
 * Android's system properties. Internal to entry/.
 */
#ifndef PGS_ENTRY_SYSTEM_PROPERTY_H
#define PGS_ENTRY_SYSTEM_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>

/* The value of a property. False: it is not set, empty, does not fit, or this is no Android. Any
 * thread. */
bool pgs_system_property(const char *name, char *value, size_t size_B);

#endif
