/* SPDX-License-Identifier: MIT
 *
 * What the generated test of the command queue is built from: arguments filled with reproducible
 * bytes.
 */
#ifndef PGS_TESTS_UNIT_QUEUE_TEST_H
#define PGS_TESTS_UNIT_QUEUE_TEST_H

#include "base/alloc.h"
#include "vulkan/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COMMAND_BUFFER ((VkCommandBuffer)(uintptr_t)0x1000)

static int calls;

/* Two fillers with the same seed make equal arguments in memory of their own. */
struct filler {
    uint32_t seed;
    size_t block_count;
    void *blocks[256];
    size_t sizes_B[256];
};

static void fill_bytes(struct filler *r, void *to, size_t size_B)
{
    unsigned char *bytes = to;
    for (size_t i = 0; i < size_B; i++) {
        r->seed = r->seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(r->seed >> 24);
    }
}

/* Blocks of the exact size, so that a sanitizer sees a read past the end. */
static void *fill_new(struct filler *r, size_t size_B)
{
    assert_true(r->block_count < sizeof(r->blocks) / sizeof(r->blocks[0]));
    void *block = malloc(size_B);
    assert_non_null(block);
    fill_bytes(r, block, size_B);
    r->blocks[r->block_count] = block;
    r->sizes_B[r->block_count++] = size_B;
    return block;
}

static inline const char *fill_string(struct filler *r)
{
    char *text = fill_new(r, 12);
    for (int i = 0; i < 11; i++)
        text[i] = (char)('a' + (text[i] & 15));
    text[11] = '\0';
    return text;
}

static void filler_destroy(struct filler *r)
{
    while (r->block_count) {
        r->block_count--;
        memset(r->blocks[r->block_count], 0xa5, r->sizes_B[r->block_count]);
        free(r->blocks[r->block_count]);
    }
}

#endif
