/* SPDX-License-Identifier: MIT
 *
 * Growable arrays of any element type. Declare one as PGS_ARRAY(struct thing) things = {0}; and use
 * items and count directly. Growth that fails leaves the array unchanged.
 */
#ifndef PGS_BASE_ARRAY_H
#define PGS_BASE_ARRAY_H

#include "base/alloc.h"

#include <stdbool.h>
#include <stddef.h>

#define PGS_ARRAY(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

/* Makes room for `extra` more elements of size_B. False: out of memory. */
bool pgs_array_reserve_raw(void **items, size_t count, size_t *capacity, size_t extra,
                           size_t size_B);

#define pgs_array_reserve(array, extra)                                                            \
    pgs_array_reserve_raw((void **)&(array)->items, (array)->count, &(array)->capacity, (extra),   \
                          sizeof(*(array)->items))

/* True: the value was appended. */
#define pgs_array_push(array, ...)                                                                 \
    (pgs_array_reserve(array, 1) ? ((array)->items[(array)->count++] = (__VA_ARGS__), true) : false)

/* Frees the storage and leaves an empty array. */
#define pgs_array_finish(array)                                                                    \
    do {                                                                                           \
        pgs_free((array)->items);                                                                  \
        (array)->items = NULL;                                                                     \
        (array)->count = (array)->capacity = 0;                                                    \
    } while (0)

#endif
