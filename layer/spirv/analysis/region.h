/* SPDX-License-Identifier: MIT
 *
 * What goes into a part of a shader that a walk skips, and what comes out of it. The same part with
 * the same values going in has the same values coming out, however often it loops.
 */
#ifndef PGS_SPIRV_ANALYSIS_REGION_H
#define PGS_SPIRV_ANALYSIS_REGION_H

#include "spirv/analysis/emit_walk.h"

#define PGS_SPV_REGION_BLOCKS 128u
#define PGS_SPV_REGION_ITEMS 512u
#define PGS_SPV_REGION_DEPTH 16u

/* A value, or a variable of the invocation or an input, which stands for what it holds. */
struct pgs_spv_region_item {
    uint32_t id;
    bool is_read;     /* what it was before goes in */
    bool is_written;  /* comes out */
    bool is_kept;     /* of what comes out: it may be what it was before */
    bool is_used;     /* of chains and loads: by others than loads of parts */
    bool is_left;     /* of what comes out: nothing is known of it */
    bool is_whole;    /* a variable that is written, and not only members of it */
    uint32_t members; /* otherwise: bit i is set if member i, or a part of it, is written */
};

/* A load of a part of a variable that nothing in the region writes. */
struct pgs_spv_region_part {
    uint32_t load; /* its result, which is that part whenever it is loaded */
    bool is_read;  /* others than loads of such parts depend on it */
    uint32_t variable, path[PGS_SPV_REGION_DEPTH], depth;
};

typedef uint32_t pgs_spv_region_set[PGS_SPV_REGION_ITEMS / 32]; /* of items */

struct pgs_spv_region_block {
    uint32_t label, begin, end;          /* places of its first and of its last instruction */
    pgs_spv_region_set written, arrived; /* for sure: at its end; at its beginning */
};

struct pgs_spv_region {
    struct pgs_spv_module *m;
    const uint32_t *arguments; /* by id of an active function's parameter: of its argument */
    uint32_t *numbers;         /* [bound] by id: of the item or block, + 1 */
    struct pgs_spv_region_item *items;
    struct pgs_spv_region_part *parts; /* no more than items, of which each load is one */
    struct pgs_spv_region_block *blocks;
    uint32_t item_count, part_count, block_count;
    uint32_t merge; /* label behind it; 0: its function returns */
    uint32_t entry; /* label of the block whose branch leads into it */
    bool is_refused;
};

/* The memory is the module's. False: out of memory. */
bool pgs_spv_region_init(struct pgs_spv_region *r, struct pgs_spv_module *m,
                         const uint32_t *arguments);

/* Finds out for the blocks and functions that w has found, to which w's own block branches. False:
 * it is too large, or not all that comes out is a function of what goes in. */
bool pgs_spv_region_find(struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                         uint32_t merge);

/* Values from which a phi behind the region chooses, or what it returns, of those that go in: calls
 * `take` for each. */
void pgs_spv_region_choices(const struct pgs_spv_region *r, const struct pgs_spv_emit_walk *w,
                            const uint32_t *phi, void (*take)(void *context, uint32_t id),
                            void *context);

/* Any other instruction than loads whose result depends on its operands only, in each invocation
 * alike. */
bool pgs_spv_is_known_pure(const struct pgs_spv_emit_walk *w, const uint32_t *ins);

/* Memory that only the invocation has, and its inputs. */
bool pgs_spv_is_of_invocation(uint32_t storage_class);

#endif
