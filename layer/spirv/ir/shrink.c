/* SPDX-License-Identifier: MIT
 *
 * Makes functions that the layer put together shorter.
 */
#include "spirv/ir/shrink.h"

#include "spirv/ir/dead_values.h"
#include "spirv/ir/inline_calls.h"
#include "spirv/ir/join_blocks.h"
#include "spirv/ir/pair_words.h"
#include "spirv/ir/rewrite.h"
#include "spirv/ir/values.h"

/* Values that are gone may have been all that read a variable. */
#define MAX_ROUNDS 2

void pgs_spv_shrink(struct pgs_spv_module *m)
{
    uint32_t rounds = MAX_ROUNDS;
    if (m->result != PGS_SPV_OK || !pgs_spv_can_rename(m))
        return;
    if (pgs_spv_drop_unread_variables(m))
        pgs_spv_drop_dead_code(m);
    pgs_spv_inline_calls(m);
    pgs_spv_number_values(m);
    do
        pgs_spv_drop_dead_code(m);
    while (rounds-- > 0 && m->result == PGS_SPV_OK && pgs_spv_drop_unread_variables(m));
    pgs_spv_join_blocks(m);
    if (m->int64 && m->pairs_words)
        pgs_spv_pair_words(m);
}
