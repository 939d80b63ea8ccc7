/* SPDX-License-Identifier: MIT
 *
 * Makes functions that the layer put together shorter.
 */
#include "spirv/ir/shrink.h"

#include "spirv/ir/dead_values.h"
#include "spirv/ir/flatten.h"
#include "spirv/ir/inline_calls.h"
#include "spirv/ir/join_blocks.h"
#include "spirv/ir/join_loads.h"
#include "spirv/ir/pair_words.h"
#include "spirv/ir/rewrite.h"
#include "spirv/ir/same_conditions.h"
#include "spirv/ir/values.h"
#include "spirv/ir/wide_words.h"

/* Selections in selections that become choices. */
#define MAX_ROUNDS 2

/* Blocks and selections that are not needed. True: there may be values that nothing uses. */
static bool shorten_ways(struct pgs_spv_module *m)
{
    uint32_t rounds = 0;
    pgs_spv_join_blocks(m);
    while (rounds < MAX_ROUNDS && pgs_spv_flatten(m)) {
        rounds++;
        pgs_spv_join_blocks(m);
    }
    return rounds > 0;
}

void pgs_spv_shrink(struct pgs_spv_module *m)
{
    if (m->result != PGS_SPV_OK || !pgs_spv_can_rename(m))
        return;
    if (pgs_spv_drop_unread_variables(m))
        pgs_spv_drop_dead_code(m);
    pgs_spv_inline_calls(m);
    pgs_spv_flatten(m);
    pgs_spv_join_selections(m);
    pgs_spv_join_blocks(m);
    if (m->int64)
        pgs_spv_widen_words(m);
    pgs_spv_number_values(m);
    pgs_spv_drop_unread_variables(m);
    pgs_spv_drop_dead_code(m);
    /* Values that are gone may have been all that read a variable. */
    const bool shortens = shorten_ways(m);
    if (pgs_spv_drop_unread_variables(m) || shortens)
        pgs_spv_drop_dead_code(m);
    if (m->int64 && m->pairs_words)
        pgs_spv_pair_words(m);
    if (m->joins_loads)
        pgs_spv_join_loads(m);
}
