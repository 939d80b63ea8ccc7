/* SPDX-License-Identifier: MIT
 *
 * All memory of a test in one buffer, and a copy that the test's model of the kernels works on. In
 * the end both must be equal in every byte of the pieces, between and for some way behind them.
 */
#ifndef PGS_TESTS_KERNELS_ARENA_H
#define PGS_TESTS_KERNELS_ARENA_H

#include "harness.h"

#define ARENA_GUARD 0xA5

struct arena {
    struct gpu_buffer *buffer;
    uint8_t *model;
    size_t used_B;
    const char *names[512]; /* of the pieces, in order; the last one stands for all that follow */
    size_t ends_B[512];
    size_t count;
};

void arena_open(struct arena *arena, struct gpu *gpu, size_t size_B);
void arena_close(struct arena *arena, struct gpu *gpu);

/* The address of new memory, filled with ARENA_GUARD, with some more behind it that nobody owns. */
uint64_t arena_take(struct arena *arena, const char *name, size_t size_B, size_t align_B);
/* The same, with contents. */
uint64_t arena_put(struct arena *arena, const char *name, const void *data, size_t size_B);

/* What the model has at an address. */
void *arena_at(const struct arena *arena, uint64_t address);
uint32_t arena_u32(const struct arena *arena, uint64_t address);
void arena_set_u32(const struct arena *arena, uint64_t address, uint32_t value);

/* The GPU gets what the model has. */
void arena_upload(struct arena *arena);
/* Reports the first byte that differs. */
void arena_compare(const struct arena *arena, struct gpu *gpu, const char *what, uint32_t number);

#endif
