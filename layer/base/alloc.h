/* SPDX-License-Identifier: MIT
 *
 * All heap memory of the layer: malloc, with a count of live blocks, and a hook that lets tests
 * fail a chosen allocation. Thread-safe.
 */
#ifndef PGS_BASE_ALLOC_H
#define PGS_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: out of memory. A size of zero gives a valid, unique block. */
void *pgs_alloc(size_t size_B);

/* Zeroed. NULL also if count * size_B overflows. */
void *pgs_calloc(size_t count, size_t size_B);

/* As realloc: on failure NULL is returned and the old block stays valid. block may be NULL. */
void *pgs_realloc(void *block, size_t size_B);

/* block may be NULL. */
void pgs_free(void *block);

/* A block of PGS_KEPT_B bytes, uninitialised, that pgs_free_kept frees. Up to 1 MiB of such blocks
 * stay for the next ones: malloc hands the pages of what a translation frees back at once, and to
 * fault them in again takes a third of the next translation's time. */
#define PGS_KEPT_B ((size_t)64 * 1024)
void *pgs_alloc_kept(void);
void pgs_free_kept(void *block);

char *pgs_strdup(const char *text);

/* For tests: fails the n-th allocation from now (1: the next), and with `all_after` every later
 * one. n <= 0 switches the hook off. */
void pgs_alloc_fail_after(int64_t n, bool all_after);

/* For tests: fails the n-th allocation from now (n > 0), and of the later ones one of two, chosen
 * by the seed, until pgs_alloc_fail_after is called. */
void pgs_alloc_fail_half(int64_t n, uint32_t seed);

/* For tests: blocks that are allocated and not yet freed. */
int64_t pgs_alloc_live(void);

#endif
