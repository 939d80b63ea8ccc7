/* SPDX-License-Identifier: MIT
 *
 * Every pass over shaders on one module, with the options that reach most of its code.
 */
#ifndef PGS_TESTS_SPIRV_ALL_PASSES_H
#define PGS_TESTS_SPIRV_ALL_PASSES_H

#include "spirv/spirv.h"

#include <stddef.h>

struct tally {
    uint32_t results[4]; /* by pgs_spv_result */
};

/* Runs all passes, as if the module were of each stage. It may be broken: then they have to say so.
 * Ends the process with a line on stderr where a result contradicts itself. */
struct tally run_all_passes(const uint32_t *words, size_t count, const char *entry);

/* The same without the passes: what they, and draws, have to know before. */
void read_of_passes(const uint32_t *words, size_t count, const char *entry);

/* A shader of the module, with specialization constants, some of which lie beyond their data. The
 * word that names the generator, for nobody reads it, says which integers of the device it may use.
 */
struct pgs_spv_shader specialized_shader(const uint32_t *words, size_t count, const char *entry,
                                         enum pgs_spv_stage stage);

/* Runs one of the passes that take such a shader, and what it needs first. Returns how many there
 * are at least; less if what they all need fails. */
uint32_t run_one_pass(const struct pgs_spv_shader *shader, uint32_t number);

#endif
