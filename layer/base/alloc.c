/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include "base/asan.h"
#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Written only by pgs_alloc_fail_*. While it is off, an allocation costs one relaxed load. */
static atomic_bool hook_on;
static _Atomic enum { FAIL_ONE, FAIL_ALL_AFTER, FAIL_HALF_AFTER } hook_kind;
static _Atomic uint32_t hook_seed;
static _Atomic int64_t hook_left;
static _Atomic int64_t live_blocks;

static bool must_fail(void)
{
    if (!atomic_load_explicit(&hook_on, memory_order_relaxed))
        return false;
    const int64_t left = atomic_fetch_sub(&hook_left, 1) - 1;
    if (left >= 0)
        return left == 0;
    if (atomic_load(&hook_kind) != FAIL_HALF_AFTER)
        return atomic_load(&hook_kind) == FAIL_ALL_AFTER;
    const int64_t key[2] = {left, atomic_load(&hook_seed)};
    return pgs_hash(key, sizeof(key), 0) >> 32 & 1;
}

static void *count_block(void *block)
{
    if (block)
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return block;
}

void *pgs_alloc(size_t size_B)
{
    return must_fail() ? NULL : count_block(malloc(size_B ? size_B : 1));
}

void *pgs_calloc(size_t count, size_t size_B)
{
    if (size_B && count > SIZE_MAX / size_B)
        return NULL;
    const size_t total_B = count * size_B;
    return must_fail() ? NULL : count_block(calloc(1, total_B ? total_B : 1));
}

void *pgs_realloc(void *block, size_t size_B)
{
    if (!block)
        return pgs_alloc(size_B);
    return must_fail() ? NULL : realloc(block, size_B ? size_B : 1);
}

void pgs_free(void *block)
{
    if (!block)
        return;
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    free(block);
}

/* -- kept blocks -- */

/* ASan is to see who uses a block that was freed. */
#define MOST_KEPT (PGS_HAS_ASAN ? 0u : 16u)

union kept {
    union kept *next;
    unsigned char memory[PGS_KEPT_B];
};

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static union kept *kept;
static uint32_t kept_count;

void *pgs_alloc_kept(void)
{
    if (must_fail())
        return NULL;
    pthread_mutex_lock(&kept_lock);
    union kept *block = kept;
    if (block) {
        kept = block->next;
        kept_count--;
    }
    pthread_mutex_unlock(&kept_lock);
    return count_block(block ? block : malloc(sizeof(*block)));
}

void pgs_free_kept(void *freed)
{
    union kept *block = freed;
    pthread_mutex_lock(&kept_lock);
    const bool keeps = kept_count != MOST_KEPT;
    if (keeps) {
        block->next = kept;
        kept = block;
        kept_count++;
    }
    pthread_mutex_unlock(&kept_lock);
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    if (!keeps)
        free(block);
}

/* When the layer is unloaded. */
__attribute__((destructor)) static void free_all_kept(void)
{
    pthread_mutex_lock(&kept_lock);
    for (union kept *block = kept, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    kept = NULL;
    kept_count = 0;
    pthread_mutex_unlock(&kept_lock);
}

char *pgs_strdup(const char *text)
{
    const size_t size_B = strlen(text) + 1;
    char *copy = pgs_alloc(size_B);
    if (copy)
        memcpy(copy, text, size_B);
    return copy;
}

void pgs_alloc_fail_after(int64_t n, bool all_after)
{
    atomic_store(&hook_on, false);
    atomic_store(&hook_left, n);
    atomic_store(&hook_kind, all_after ? FAIL_ALL_AFTER : FAIL_ONE);
    atomic_store(&hook_on, n > 0);
}

void pgs_alloc_fail_half(int64_t n, uint32_t seed)
{
    pgs_alloc_fail_after(0, false);
    atomic_store(&hook_left, n);
    atomic_store(&hook_kind, FAIL_HALF_AFTER);
    atomic_store(&hook_seed, seed);
    atomic_store(&hook_on, true);
}

int64_t pgs_alloc_live(void)
{
    return atomic_load(&live_blocks);
}
