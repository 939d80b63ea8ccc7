/* SPDX-License-Identifier: MIT
 *
 * Words that a function of spirv/ returns.
 */
#ifndef PGS_SPIRV_IR_BLOB_H
#define PGS_SPIRV_IR_BLOB_H

#include <stddef.h>
#include <stdint.h>

/* Owned words; free with pgs_spv_blob_free. */
struct pgs_spv_blob {
    uint32_t *words;
    size_t word_count;
};

void pgs_spv_blob_free(struct pgs_spv_blob *blob);

#endif
