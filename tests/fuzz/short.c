/* SPDX-License-Identifier: MIT
 *
 * A target without libFuzzer: runs each seed, and then so many inputs that are changed seeds, the
 * same at each run: what ends the process does so in a debugger, too.
 * usage: PROGRAM CHANGED [FILE | FOLDER]...
 */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SEEDS 4096
#define MOST_B (1u << 16)

struct seed {
    uint8_t *data;
    size_t size_B;
};

static struct seed seeds[MOST_SEEDS];
static size_t seed_count;

/* Larger ones are left out. */
static void read_seed(const char *path)
{
    static uint8_t data[MOST_B];
    FILE *file = seed_count < MOST_SEEDS ? fopen(path, "rb") : NULL;
    if (!file)
        return;
    const size_t size_B = fread(data, 1, sizeof(data), file);
    fclose(file);
    struct seed *seed = &seeds[seed_count];
    if (size_B == sizeof(data) || !(seed->data = malloc(size_B + 1)))
        return;
    memcpy(seed->data, data, size_B);
    seed->size_B = size_B;
    seed_count++;
}

static int is_seed(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".spv") == 0;
}

/* In the order of their names. */
static void read_seeds(const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_seed, alphasort);
    if (count < 0)
        read_seed(path);
    for (int i = 0; i < count; i++) {
        char name[1024];
        snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        read_seed(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static uint32_t random_word(void)
{
    static uint64_t state = 0x9E3779B97F4A7C15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* A byte, a bit, or one more or less of them. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size_B, size_t most_B)
{
    const size_t at = size_B ? random_word() % size_B : 0;
    const uint32_t kind = size_B ? random_word() % 4 : 2;
    if (kind == 0) {
        data[at] = (uint8_t)random_word();
    } else if (kind == 1) {
        data[at] ^= (uint8_t)(1u << random_word() % 8);
    } else if (kind == 2 && size_B < most_B) {
        memmove(data + at + 1, data + at, size_B - at);
        data[at] = (uint8_t)random_word();
        size_B++;
    } else if (kind == 3) {
        memmove(data + at, data + at + 1, size_B - at - 1);
        size_B--;
    }
    return size_B;
}

/* A block of exactly that size, so that a read beyond its end is seen. */
static void run(const uint8_t *data, size_t size_B)
{
    uint8_t *block = malloc(size_B + (size_B == 0));
    if (!block)
        fuzz_die("out of memory");
    memcpy(block, data, size_B);
    LLVMFuzzerTestOneInput(block, size_B);
    free(block);
}

int main(int argc, char **argv)
{
    static uint8_t data[MOST_B];
    if (argc < 2)
        return 2;
    LLVMFuzzerInitialize(&argc, &argv);
    const unsigned long changed = strtoul(argv[1], NULL, 10);
    for (int i = 2; i < argc; i++)
        read_seeds(argv[i]);
    if (argc > 2 && !seed_count)
        fuzz_die("no seeds");
    for (size_t i = 0; i < seed_count; i++)
        run(seeds[i].data, seeds[i].size_B);
    size_t size_B = 0;
    for (unsigned long n = 0; n < changed; n++) {
        /* A change of the last one, or of a seed. */
        if (seed_count && (n % 4 == 0 || size_B < 4)) {
            const struct seed *seed = &seeds[random_word() % seed_count];
            memcpy(data, seed->data, size_B = seed->size_B);
        }
        size_B = LLVMFuzzerCustomMutator(data, size_B, sizeof(data), random_word());
        run(data, size_B);
    }
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i].data);
    return 0;
}
