/* SPDX-License-Identifier: MIT
 *
 * Runs every pass on what a module becomes when it is truncated, changed at random (fixed seed),
 * names what is not there, or when memory ends: an error or a result, never a crash, a hang or a
 * leak. Meant for a build with sanitizers.
 */
#include "all_passes.h"
#include "base/alloc.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint32_t random_word(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

static void mutate(uint32_t *words, size_t count)
{
    for (uint32_t n = 1 + random_word() % 3; n; n--) {
        uint32_t *word = &words[random_word() % count];
        switch (random_word() % 5) {
        case 0:
            *word = random_word();
            break;
        case 1:
            *word ^= 1u << (random_word() % 32);
            break;
        case 2:
            *word += random_word() % 5 - 2;
            break;
        case 3:
            *word = words[random_word() % count];
            break;
        default:
            *word = random_word() % 64;
            break;
        }
    }
}

/* Exactly sized blocks, so that a read beyond the end is seen. */
static void run_copy(const uint32_t *words, size_t count, const char *entry, bool change)
{
    uint32_t *copy = malloc(count * 4 + (count == 0));
    if (!copy)
        exit(1);
    memcpy(copy, words, count * 4);
    if (change)
        mutate(copy, count);
    run_all_passes(copy, count, entry);
    free(copy);
}

/* Each operand in functions names what is not there: what is read of the module in front of passes
 * walks along them. */
static void run_unknown(const uint32_t *words, size_t count, const char *entry)
{
    uint32_t *copy = malloc(count * 4);
    if (!copy)
        exit(1);
    memcpy(copy, words, count * 4);
    bool in_function = false;
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        in_function |= (words[at] & 0xFFFF) == SpvOpFunction;
        for (size_t k = 1; in_function && k < words[at] >> 16; k++) {
            copy[at + k] = UINT32_MAX;
            read_of_passes(copy, count, entry);
            copy[at + k] = words[at + k];
        }
    }
    free(copy);
}

/* Every allocation in turn fails once. */
static int run_without_memory(const uint32_t *words, size_t count, const char *entry,
                              const struct tally *good)
{
    for (int64_t n = 1; n < 100000; n++) {
        pgs_alloc_fail_after(n, false);
        const struct tally tally = run_all_passes(words, count, entry);
        pgs_alloc_fail_after(0, false);
        if (pgs_alloc_live() != 0) {
            fprintf(stderr, "allocation %lld failed and %lld blocks leaked\n", (long long)n,
                    (long long)pgs_alloc_live());
            return 1;
        }
        if (memcmp(&tally, good, sizeof(tally)) == 0)
            return n == 1;
        if (tally.results[PGS_SPV_OUT_OF_MEMORY] == 0) {
            fprintf(stderr, "allocation %lld failed and nobody said so\n", (long long)n);
            return 1;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    static uint32_t words[1 << 18];
    if (argc < 3)
        return 2;
    const unsigned long rounds = strtoul(argv[2], NULL, 10);
    const char *entry = argc > 3 ? argv[3] : "main";
    FILE *file = fopen(argv[1], "rb");
    if (!file)
        return 2;
    const size_t count = fread(words, 4, sizeof(words) / 4, file);
    fclose(file);
    const struct tally good = run_all_passes(words, count, entry);
    if (good.results[PGS_SPV_OK] == 0 || good.results[PGS_SPV_OUT_OF_MEMORY] != 0) {
        fprintf(stderr, "no pass takes %s\n", argv[1]);
        return 1;
    }
    for (size_t cut = 0; cut < count; cut++)
        run_copy(words, cut, entry, false);
    for (unsigned long round = 0; round < rounds; round++)
        run_copy(words, count, entry, true);
    run_unknown(words, count, entry);
    if (pgs_alloc_live() != 0) {
        fprintf(stderr, "%lld blocks leaked\n", (long long)pgs_alloc_live());
        return 1;
    }
    return run_without_memory(words, count, entry, &good);
}
