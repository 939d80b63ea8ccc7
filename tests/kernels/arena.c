/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_B 32
#define MAX_PIECES (sizeof(((struct arena *)0)->names) / sizeof(const char *))

void arena_open(struct arena *arena, struct gpu *gpu, size_t size_B)
{
    *arena = (struct arena){.buffer = gpu_buffer(gpu, size_B, ARENA_GUARD)};
    arena->model = malloc(size_B);
    memset(arena->model, ARENA_GUARD, size_B);
}

void arena_close(struct arena *arena, struct gpu *gpu)
{
    free(arena->model);
    gpu_release_buffers(gpu);
}

uint64_t arena_take(struct arena *arena, const char *name, size_t size_B, size_t align_B)
{
    const size_t start_B = (arena->used_B + align_B - 1) / align_B * align_B;
    arena->used_B = start_B + size_B + GUARD_B;
    if (arena->used_B > arena->buffer->size_B) {
        fprintf(stderr, "the arena is too small\n");
        exit(1);
    }
    const size_t last = arena->count < MAX_PIECES ? arena->count++ : MAX_PIECES - 1;
    arena->names[last] = name;
    arena->ends_B[last] = arena->used_B;
    return arena->buffer->address + start_B;
}

uint64_t arena_put(struct arena *arena, const char *name, const void *data, size_t size_B)
{
    const uint64_t address = arena_take(arena, name, size_B, 16);
    memcpy(arena_at(arena, address), data, size_B);
    return address;
}

void *arena_at(const struct arena *arena, uint64_t address)
{
    return arena->model + (address - arena->buffer->address);
}

uint32_t arena_u32(const struct arena *arena, uint64_t address)
{
    uint32_t value;
    memcpy(&value, arena_at(arena, address), sizeof(value));
    return value;
}

void arena_set_u32(const struct arena *arena, uint64_t address, uint32_t value)
{
    memcpy(arena_at(arena, address), &value, sizeof(value));
}

void arena_upload(struct arena *arena)
{
    memcpy(arena->buffer->map, arena->model, arena->buffer->size_B);
}

void arena_compare(const struct arena *arena, struct gpu *gpu, const char *what, uint32_t number)
{
    const uint8_t *got = arena->buffer->map;
    if (memcmp(got, arena->model, arena->buffer->size_B) == 0)
        return;
    size_t at = 0, piece = 0;
    while (got[at] == arena->model[at])
        at++;
    while (piece + 1 < arena->count && arena->ends_B[piece] <= at)
        piece++;
    const size_t end_B = arena->ends_B[piece], word = at / 4;
    gpu_fail(gpu, "%s %u: %s differs, %zu bytes before its end: %#x, not %#x", what, number,
             arena->names[piece], end_B - GUARD_B - word * 4, ((const uint32_t *)got)[word],
             ((const uint32_t *)arena->model)[word]);
}
