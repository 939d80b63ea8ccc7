/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_B 32
/* Behind all pieces, to be left alone, too. What is beyond was never touched: filling and comparing
 * that as well took most of the time of scenes that differ in size. */
#define MARGIN_B (256u << 10)
#define MAX_PIECES (sizeof(((struct arena *)0)->names) / sizeof(const char *))

void arena_open(struct arena *arena, struct gpu *gpu, size_t size_B)
{
    *arena = (struct arena){.buffer = gpu_buffer_unfilled(gpu, size_B)};
    arena->model = malloc(size_B);
}

void arena_close(struct arena *arena, struct gpu *gpu)
{
    free(arena->model);
    gpu_release_buffers(gpu);
}

uint64_t arena_take(struct arena *arena, const char *name, size_t size_B, size_t align_B)
{
    const size_t old_B = arena->used_B, start_B = (old_B + align_B - 1) / align_B * align_B;
    arena->used_B = start_B + size_B + GUARD_B;
    if (arena->used_B > arena->buffer->size_B) {
        fprintf(stderr, "the arena is too small\n");
        exit(1);
    }
    memset(arena->model + old_B, ARENA_GUARD, arena->used_B - old_B);
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

static size_t compared_B(const struct arena *arena)
{
    const size_t left_B = arena->buffer->size_B - arena->used_B;
    return arena->used_B + (left_B < MARGIN_B ? left_B : MARGIN_B);
}

void arena_upload(struct arena *arena)
{
    memset(arena->model + arena->used_B, ARENA_GUARD, compared_B(arena) - arena->used_B);
    memcpy(arena->buffer->map, arena->model, compared_B(arena));
}

void arena_compare(const struct arena *arena, struct gpu *gpu, const char *what, uint32_t number)
{
    const uint8_t *got = arena->buffer->map;
    if (memcmp(got, arena->model, compared_B(arena)) == 0)
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
