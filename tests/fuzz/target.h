/* SPDX-License-Identifier: MIT
 *
 * What targets of libFuzzer have in common. Each is a file with fuzz_one, and an
 * LLVMFuzzerCustomMutator of its own or the one of module_input.c or byte_input.c. It is linked to
 * target.c, and to libFuzzer (preset "fuzz") or to short.c, which runs a few inputs in CI.
 */
#ifndef PGS_TESTS_FUZZ_TARGET_H
#define PGS_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Runs one input, of any contents, aligned as malloc's memory. Whatever it is, fuzz_one returns, in
 * time and with nothing left allocated; where something is wrong it calls fuzz_die. */
void fuzz_one(const uint8_t *data, size_t size_B);

/* Says so on stderr and aborts. */
_Noreturn void fuzz_die(const char *reason);

/* Words that byte_input.c writes into inputs; the last is NULL. */
extern const char *const fuzz_words[];

/* The names that libFuzzer looks for, and what it has for mutators. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_B, size_t most_B, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size_B, size_t most_B);

#endif
