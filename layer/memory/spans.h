/* SPDX-License-Identifier: MIT
 *
 * First-fit allocation of ranges in one block of memory. Pure bookkeeping, without Vulkan, units
 * (the heap counts bytes) or locks.
 */
#ifndef PGS_MEMORY_SPANS_H
#define PGS_MEMORY_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgs_span {
    uint64_t offset, size;
};

/* Free ranges, sorted by offset. No two are adjacent. */
struct pgs_spans {
    struct pgs_span *free;
    size_t free_count, capacity;
    size_t taken_count;
    uint64_t size;
};

/* Makes all of [0, size) free. False: out of host memory, nothing to finish. */
bool pgs_spans_init(struct pgs_spans *spans, uint64_t size);
void pgs_spans_finish(struct pgs_spans *spans);

enum pgs_spans_result { PGS_SPANS_OK, PGS_SPANS_FULL, PGS_SPANS_OUT_OF_MEMORY };

/* Takes the first free range of `size` (not 0). Reserves what pgs_spans_give needs, so that it
 * cannot fail. */
enum pgs_spans_result pgs_spans_take(struct pgs_spans *spans, uint64_t size, uint64_t *offset);

/* Returns a taken range and merges it with its neighbours. */
void pgs_spans_give(struct pgs_spans *spans, uint64_t offset, uint64_t size);

bool pgs_spans_all_free(const struct pgs_spans *spans);

#endif
