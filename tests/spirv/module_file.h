/* SPDX-License-Identifier: MIT
 *
 * A module read from a file, for programs that change a word of it. To be included by one file of a
 * program.
 */
#ifndef MODULE_FILE_H
#define MODULE_FILE_H

#include "spirv/spirv.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

struct module {
    uint32_t *words; /* malloc */
    size_t count;
};

/* Ends the program when the file cannot be read. */
static struct module read_module(const char *path)
{
    struct module module = {.words = malloc(1 << 20)};
    FILE *file = fopen(path, "rb");
    if (!file || !module.words)
        exit(2);
    module.count = fread(module.words, 4, (1 << 20) / 4, file);
    fclose(file);
    return module;
}

/* One for each argument of the program, which ends unless there are `count`. */
static void read_modules(struct module *modules, int count, int argc, char **argv)
{
    if (argc != 1 + count)
        exit(2);
    for (int i = 0; i < count; i++)
        modules[i] = read_module(argv[1 + i]);
}

static struct pgs_spv_shader shader_of(const struct module *module, enum pgs_spv_stage stage)
{
    return (struct pgs_spv_shader){
        .words = module->words, .word_count = module->count, .entry_point = "main", .stage = stage};
}

/* 0, or 1 and a line about it. */
static int compare_result(const char *why, enum pgs_spv_result result, enum pgs_spv_result wanted)
{
    if (result == wanted)
        return 0;
    fprintf(stderr, "%s: %d instead of %d\n", why, (int)result, (int)wanted);
    return 1;
}

#endif
