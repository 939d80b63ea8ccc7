/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <string.h>

void pgs_arena_init(struct pgs_arena *arena)
{
    *arena = (struct pgs_arena){0};
}

static void free_block(struct pgs_arena_block *block)
{
    if (block->size_B == PGS_ARENA_BLOCK_B)
        pgs_free_kept(block);
    else
        pgs_free(block);
}

void pgs_arena_finish(struct pgs_arena *arena)
{
    struct pgs_arena_block *block = arena->first;
    while (block) {
        struct pgs_arena_block *next = block->next;
        free_block(block);
        block = next;
    }
    *arena = (struct pgs_arena){0};
}

static void enter_block(struct pgs_arena *arena, struct pgs_arena_block *block)
{
    arena->current = block;
    arena->cursor = block ? block->data : NULL;
    arena->end = block ? block->data + block->size_B : NULL;
}

void pgs_arena_reset_blocks(struct pgs_arena *arena)
{
    struct pgs_arena_block **link = &arena->first;
    while (*link) {
        struct pgs_arena_block *block = *link;
        if (block->size_B > PGS_ARENA_BLOCK_B) {
            *link = block->next;
            free_block(block);
        } else {
            block->used_B = 0;
            link = &block->next;
        }
    }
    enter_block(arena, arena->first);
}

static struct pgs_arena_block *create_block(size_t size_B)
{
    if (size_B > SIZE_MAX - sizeof(struct pgs_arena_block))
        return NULL;
    struct pgs_arena_block *block =
        size_B == PGS_ARENA_BLOCK_B ? pgs_alloc_kept() : pgs_alloc(sizeof(*block) + size_B);
    if (!block)
        return NULL;
    block->next = NULL;
    block->size_B = size_B;
    block->used_B = 0;
    return block;
}

void *pgs_arena_alloc_block(struct pgs_arena *arena, size_t size_B, size_t align_B)
{
    (void)align_B; /* block data suits every alignment */
    struct pgs_arena_block *current = arena->current;
    struct pgs_arena_block *block = current ? current->next : NULL;
    if (!block || block->size_B < size_B) {
        const size_t usual_B = arena->block_B ? arena->block_B : PGS_ARENA_BLOCK_B;
        struct pgs_arena_block *fresh = create_block(size_B > usual_B ? size_B : usual_B);
        if (!fresh)
            return NULL;
        fresh->next = block;
        if (current)
            current->next = fresh;
        else
            arena->first = fresh;
        block = fresh;
    }
    if (current)
        current->used_B = (size_t)(arena->cursor - current->data);
    enter_block(arena, block);
    arena->cursor += size_B;
    return block->data;
}

void *pgs_arena_copy(struct pgs_arena *arena, const void *from, size_t count, size_t size_B,
                     size_t align_B)
{
    if (size_B && count > SIZE_MAX / size_B)
        return NULL;
    const size_t total_B = count * size_B;
    void *to = pgs_arena_alloc(arena, total_B, align_B);
    if (to && total_B > 0) /* from may be NULL if there is nothing to copy */
        memcpy(to, from, total_B);
    return to;
}
