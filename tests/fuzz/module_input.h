/* SPDX-License-Identifier: MIT
 *
 * Inputs of targets that are modules. Changes are made by word and by instruction, so that most of
 * them still have the form of SPIR-V; half of them know values and their types, so that many are
 * not refused at the door.
 */
#ifndef PGS_TESTS_FUZZ_MODULE_INPUT_H
#define PGS_TESTS_FUZZ_MODULE_INPUT_H

#include "spirv/spirv.h"

struct module_input {
    const uint32_t *words; /* those of the input, so that a read beyond them is seen */
    size_t count;
    char entry[64];           /* of the first entry point */
    enum pgs_spv_stage stage; /* likewise */
    uint32_t choice; /* which pass; the word that names the generator, for nobody reads it */
};

/* data: aligned to words. False: larger than any module that is worth the time. */
bool module_input_read(const uint8_t *data, size_t size_B, struct module_input *module);

#endif
