/* SPDX-License-Identifier: MIT
 *
 * Where users put values for a process: its environment and, on Android, system properties.
 * Internal to entry/.
 */
#ifndef PGS_ENTRY_USER_VALUES_H
#define PGS_ENTRY_USER_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* Does the process have more rights than the user who started it? Then it takes neither values nor
 * paths from that user. */
bool pgs_is_privileged(void);

/* As getenv; NULL in a privileged process. */
const char *pgs_getenv(const char *name);

/* Name of the process for settings that concern it alone: on Android the package, without the part
 * after a colon that tells an application's processes apart; elsewhere the program, without its
 * folder. False, and an empty name: not known, or longer than fits. */
bool pgs_process_name(char *name, size_t size_B);

#endif
