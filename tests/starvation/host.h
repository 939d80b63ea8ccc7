/* SPDX-License-Identifier: MIT
 *
 * Host memory that a layer asks for in vain: this program's malloc, calloc and realloc fail for
 * calls from the layer, and for no others. Thread-safe. Only with the GNU C library, and without
 * sanitizers, which have their own.
 */
#ifndef STARVE_HOST_H
#define STARVE_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct starve_plan; /* starve.h */

/* Finds VK_LAYER_poly_gs among the loaded libraries. False: it is not there, or it cannot be told
 * from others. */
bool host_find_layer(void);

/* As their likes of starve.h, of the layer's allocations, whatever the result of the plan is. */
void host_begin(const struct starve_plan *plan);
bool host_has_reached(void);
uint32_t host_failures(const char **first);

#endif
