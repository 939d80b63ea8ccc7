/* SPDX-License-Identifier: MIT
 *
 * The blocks of a function, and which dominate which.
 */
#ifndef PGS_SPIRV_IR_BLOCKS_H
#define PGS_SPIRV_IR_BLOCKS_H

#include "spirv/ir/module.h"

#define PGS_SPV_NO_BLOCK UINT32_MAX

struct pgs_spv_block {
    uint32_t begin, end;   /* behind the label; behind the last instruction: places in the list */
    uint32_t to, to_count; /* blocks that it branches to, as places in `ways` */
    uint32_t from, from_count; /* the blocks that branch to it, in `ways_back` */
    uint32_t dominator;        /* the nearest; its own number: it is the first block */
    uint32_t turn;             /* in `order`; PGS_SPV_NO_BLOCK: nothing leads to it */
};

struct pgs_spv_blocks {
    struct pgs_spv_module *m;
    uint32_t *number_of; /* by label: number + 1 */
    uint32_t bound;
    struct pgs_spv_block *items;
    uint32_t count, capacity;
    uint32_t *ways, *ways_back;
    uint32_t way_count, way_capacity;
    uint32_t *order; /* blocks that can be reached, each behind its dominators */
    uint32_t order_count;
};

/* Room for any function of m. */
struct pgs_spv_blocks pgs_spv_no_blocks(struct pgs_spv_module *m);

/* Finds the blocks between an OpFunction and its end, places in the functions of m. Forgets those
 * of an earlier function. */
void pgs_spv_find_blocks(struct pgs_spv_blocks *b, uint32_t first, uint32_t end);

/* Whether all ways to a block, which can be reached, lead through `by`. */
bool pgs_spv_dominates(const struct pgs_spv_blocks *b, uint32_t by, uint32_t block);

/* The last block that is on all ways to both, which can be reached. */
uint32_t pgs_spv_common_dominator(const struct pgs_spv_blocks *b, uint32_t one, uint32_t other);

#endif
