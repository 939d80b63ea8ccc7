/* SPDX-License-Identifier: MIT */
#include "memory/spans.h"

#include "base/alloc.h"

#include <string.h>

bool pgs_spans_init(struct pgs_spans *spans, uint64_t size)
{
    *spans = (struct pgs_spans){.capacity = 4, .size = size};
    spans->free = pgs_alloc(spans->capacity * sizeof(*spans->free));
    if (!spans->free)
        return false;
    spans->free[0] = (struct pgs_span){.offset = 0, .size = size};
    spans->free_count = 1;
    return true;
}

void pgs_spans_finish(struct pgs_spans *spans)
{
    pgs_free(spans->free);
    *spans = (struct pgs_spans){0};
}

/* n taken ranges leave at most n + 1 free ones between them. */
static bool reserve_one_more(struct pgs_spans *spans)
{
    if (spans->capacity >= spans->taken_count + 2)
        return true;
    const size_t capacity = spans->capacity * 2;
    struct pgs_span *grown = pgs_realloc(spans->free, capacity * sizeof(*grown));
    if (!grown)
        return false;
    spans->free = grown;
    spans->capacity = capacity;
    return true;
}

static void remove_at(struct pgs_spans *spans, size_t i)
{
    spans->free_count--;
    memmove(&spans->free[i], &spans->free[i + 1], (spans->free_count - i) * sizeof(*spans->free));
}

enum pgs_spans_result pgs_spans_take(struct pgs_spans *spans, uint64_t size, uint64_t *offset)
{
    for (size_t i = 0; i < spans->free_count; i++) {
        struct pgs_span *span = &spans->free[i];
        if (span->size < size)
            continue;
        if (!reserve_one_more(spans))
            return PGS_SPANS_OUT_OF_MEMORY;
        span = &spans->free[i];
        *offset = span->offset;
        span->offset += size;
        span->size -= size;
        if (span->size == 0)
            remove_at(spans, i);
        spans->taken_count++;
        return PGS_SPANS_OK;
    }
    return PGS_SPANS_FULL;
}

void pgs_spans_give(struct pgs_spans *spans, uint64_t offset, uint64_t size)
{
    size_t i = 0;
    while (i < spans->free_count && spans->free[i].offset < offset)
        i++;
    spans->taken_count--;

    const bool joins_left = i > 0 && spans->free[i - 1].offset + spans->free[i - 1].size == offset;
    const bool joins_right = i < spans->free_count && offset + size == spans->free[i].offset;
    if (joins_left && joins_right) {
        spans->free[i - 1].size += size + spans->free[i].size;
        remove_at(spans, i);
    } else if (joins_left) {
        spans->free[i - 1].size += size;
    } else if (joins_right) {
        spans->free[i].offset = offset;
        spans->free[i].size += size;
    } else {
        memmove(&spans->free[i + 1], &spans->free[i],
                (spans->free_count - i) * sizeof(*spans->free));
        spans->free[i] = (struct pgs_span){.offset = offset, .size = size};
        spans->free_count++;
    }
}

bool pgs_spans_all_free(const struct pgs_spans *spans)
{
    return spans->taken_count == 0;
}
