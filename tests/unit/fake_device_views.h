/* SPDX-License-Identifier: MIT
 *
 * Modules that follow VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT are copies.
 */
#ifndef PGS_TESTS_UNIT_FAKE_DEVICE_VIEWS_H
#define PGS_TESTS_UNIT_FAKE_DEVICE_VIEWS_H

#include "base/alloc.h"
#include "spirv/spirv.h"

#include <string.h>

static uint32_t device_view_modules; /* how many were made */

enum pgs_spv_result pgs_spv_device_views(const uint32_t *words, size_t word_count,
                                         struct pgs_spv_blob *out)
{
    *out = (struct pgs_spv_blob){.words = pgs_alloc(word_count * 4), .word_count = word_count};
    assert_non_null(out->words);
    memcpy(out->words, words, word_count * 4);
    device_view_modules++;
    return PGS_SPV_OK;
}

#endif
