/* SPDX-License-Identifier: MIT
 *
 * A bump allocator over blocks. Nothing is freed individually; a reset keeps the blocks. Not
 * thread-safe.
 */
#ifndef PGS_BASE_ARENA_H
#define PGS_BASE_ARENA_H

#include "base/alloc.h"

#include <stddef.h>
#include <stdint.h>

struct pgs_arena_block {
    struct pgs_arena_block *next;
    size_t size_B; /* of data */
    size_t used_B; /* set when the arena moves to the next block; see pgs_arena_block_used */
    _Alignas(max_align_t) unsigned char data[];
};

/* Usual blocks are kept ones. */
#define PGS_ARENA_BLOCK_B (PGS_KEPT_B - offsetof(struct pgs_arena_block, data))

/* Zero-initialised is a valid empty arena. */
struct pgs_arena {
    struct pgs_arena_block *first, *current;
    unsigned char *cursor, *end; /* in current */
    size_t block_B;              /* of new blocks; 0: PGS_ARENA_BLOCK_B */
};

void pgs_arena_init(struct pgs_arena *arena);
void pgs_arena_finish(struct pgs_arena *arena);

/* Slow path of pgs_arena_reset: several blocks, or a large one. */
void pgs_arena_reset_blocks(struct pgs_arena *arena);

/* Frees all allocations. Keeps the blocks, except those larger than the usual size. */
static inline void pgs_arena_reset(struct pgs_arena *arena)
{
    struct pgs_arena_block *first = arena->first;
    if (arena->current != first || (first && first->size_B > PGS_ARENA_BLOCK_B))
        pgs_arena_reset_blocks(arena);
    else if (first)
        arena->cursor = first->data;
}

/* Slow path of pgs_arena_alloc: opens a block for the request. */
void *pgs_arena_alloc_block(struct pgs_arena *arena, size_t size_B, size_t align_B);

/* Uninitialised memory. NULL: out of memory, and the arena is unchanged. align_B: a power of two,
 * at most that of max_align_t. A size of zero gives a valid pointer. */
static inline void *pgs_arena_alloc(struct pgs_arena *arena, size_t size_B, size_t align_B)
{
    const size_t pad_B = (size_t)(-(uintptr_t)arena->cursor) & (align_B - 1);
    const size_t left_B = (size_t)(arena->end - arena->cursor);
    if (!arena->cursor || left_B < pad_B || left_B - pad_B < size_B)
        return pgs_arena_alloc_block(arena, size_B, align_B);
    unsigned char *p = arena->cursor + pad_B;
    arena->cursor = p + size_B;
    return p;
}

/* Copies count elements. NULL: out of memory or overflow. */
void *pgs_arena_copy(struct pgs_arena *arena, const void *from, size_t count, size_t size_B,
                     size_t align_B);

/* Bytes of a block that hold data; blocks after the current one hold none. */
static inline size_t pgs_arena_block_used(const struct pgs_arena *arena,
                                          const struct pgs_arena_block *block)
{
    return block == arena->current ? (size_t)(arena->cursor - block->data) : block->used_B;
}

#endif
