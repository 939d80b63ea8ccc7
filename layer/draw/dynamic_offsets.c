/* SPDX-License-Identifier: MIT */
#include "draw/dynamic_offsets.h"

#include "base/array.h"

#include <string.h>

bool pgs_dynamic_offsets_set(struct pgs_dynamic_offsets *offsets, uint32_t count,
                             const uint32_t *values)
{
    if (!count)
        return true;
    if (count > offsets->capacity &&
        !pgs_array_reserve_raw((void **)&offsets->items, 0, &offsets->capacity, count,
                               sizeof(*offsets->items)))
        return false;
    memcpy(offsets->items, values, count * sizeof(*values));
    return true;
}

void pgs_dynamic_offsets_finish(struct pgs_dynamic_offsets *offsets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pgs_free(offsets[i].items);
        offsets[i] = (struct pgs_dynamic_offsets){0};
    }
}
