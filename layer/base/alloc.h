/* SPDX-License-Identifier: MIT
 *
 * All heap memory of the layer. Plain malloc underneath, with a count of the live blocks and a way
 * for tests to make a chosen allocation fail. Thread-safe.
 */
#ifndef PGS_BASE_ALLOC_H
#define PGS_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL when out of memory. A size of zero gives a valid, unique block. */
void *pgs_alloc(size_t size_B);

/* Zeroed; NULL also when count * size_B overflows. */
void *pgs_calloc(size_t count, size_t size_B);

/* As realloc: on failure NULL is returned and the old block stays valid. block may be NULL. */
void *pgs_realloc(void *block, size_t size_B);

/* block may be NULL. */
void pgs_free(void *block);

char *pgs_strdup(const char *text);

/* For tests. Makes the n-th allocation from now fail (1 = the next one); with `all_after` every
 * later one fails too. n <= 0 switches the hook off. */
void pgs_alloc_fail_after(int64_t n, bool all_after);

/* For tests: blocks handed out and not yet freed. */
int64_t pgs_alloc_live(void);

#endif
