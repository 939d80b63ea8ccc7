/* SPDX-License-Identifier: MIT
 *
 * The dynamic offsets of a descriptor set, as tracked state keeps them. Layouts may have as many as
 * the driver likes. A public header of draw/.
 */
#ifndef PGS_DRAW_DYNAMIC_OFFSETS_H
#define PGS_DRAW_DYNAMIC_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owned by the state that it is part of, which also knows how many offsets are valid. All zero:
 * empty. */
struct pgs_dynamic_offsets {
    uint32_t *items;
    size_t capacity;
};

/* Replaces the first `count` offsets. `values` may be NULL if count is 0, and are copied. False:
 * out of host memory, and nothing has changed. */
bool pgs_dynamic_offsets_set(struct pgs_dynamic_offsets *offsets, uint32_t count,
                             const uint32_t *values);

/* Frees those of `count` sets. */
void pgs_dynamic_offsets_finish(struct pgs_dynamic_offsets *offsets, uint32_t count);

#endif
