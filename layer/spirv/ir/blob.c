/* SPDX-License-Identifier: MIT
 *
 * Words that a function of spirv/ returns.
 */
#include "spirv/ir/blob.h"

#include "base/alloc.h"

void pgs_spv_blob_free(struct pgs_spv_blob *blob)
{
    pgs_free(blob->words);
    *blob = (struct pgs_spv_blob){0};
}
