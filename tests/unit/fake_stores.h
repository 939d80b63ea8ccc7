/* SPDX-License-Identifier: MIT
 *
 * The part of the fake spirv module that knows what single features permit, stores and outputs,
 * which fake_spirv.h includes.
 */
#ifndef PGS_TEST_FAKE_STORES_H
#define PGS_TEST_FAKE_STORES_H

#include "base/alloc.h"
#include "spirv/spirv.h"

#include <string.h>

#define WORD_STORES 5u /* first word of modules that store what module_stores says */

static enum pgs_spv_stores module_stores;

enum pgs_spv_stores pgs_spv_module_stores(const uint32_t *words, size_t word_count)
{
    return word_count && words[0] == WORD_STORES ? module_stores : PGS_SPV_STORES_NONE;
}

/* A copy. */
enum pgs_spv_result pgs_spv_shader_forbid_stores(const struct pgs_spv_shader *shader,
                                                 struct pgs_spv_blob *out)
{
    out->word_count = shader->word_count;
    out->words = pgs_calloc(shader->word_count, sizeof(*out->words));
    if (!out->words)
        return PGS_SPV_OUT_OF_MEMORY;
    memcpy(out->words, shader->words, shader->word_count * sizeof(*out->words));
    return PGS_SPV_OK;
}

enum pgs_spv_result pgs_spv_shader_targets(const struct pgs_spv_shader *shader,
                                           struct pgs_spv_targets *targets)
{
    (void)shader;
    *targets = (struct pgs_spv_targets){false, false};
    return PGS_SPV_OK;
}

#endif
