/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

bool pgs_array_reserve_raw(void **items, size_t count, size_t *capacity, size_t extra,
                           size_t size_B)
{
    if (extra <= *capacity - count)
        return true;
    if (extra > SIZE_MAX / 2 - count || count > SIZE_MAX / 4)
        return false;
    const size_t doubled = *capacity ? *capacity * 2 : 8;
    const size_t wanted = count + extra > doubled ? count + extra : doubled;
    if (wanted > SIZE_MAX / size_B)
        return false;
    /* The caller's pointer has another type, so access it by memcpy and not as a void *. */
    void *old;
    memcpy(&old, items, sizeof(old));
    void *grown = pgs_realloc(old, wanted * size_B);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof(grown));
    *capacity = wanted;
    return true;
}
