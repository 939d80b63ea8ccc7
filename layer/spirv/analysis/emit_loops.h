/* SPDX-License-Identifier: MIT
 *
 * The loops of a geometry shader's entry point that emit vertices.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_LOOPS_H
#define PGS_SPIRV_ANALYSIS_EMIT_LOOPS_H

#include "spirv/io/io_limits.h"
#include "spirv/ir/blocks.h"
#include "spirv/ir/module.h"

/* What stands for the emits of each stream and for ends of strips behind pgs_spv_replace_emits:
 * functions; 0: nothing. */
struct pgs_spv_emit_functions {
    uint32_t emits[PGS_SPV_STREAMS], end_primitive;
};

struct pgs_spv_emit_loops {
    struct pgs_spv_module *m;
    const struct pgs_spv_list *list;
    struct pgs_spv_emit_functions functions;
    uint32_t first, end; /* of the entry point: places in the list */
    struct pgs_spv_blocks blocks;
};

/* False: the module is broken. What is found holds until the list of functions changes. */
bool pgs_spv_find_emit_loops(struct pgs_spv_module *m,
                             const struct pgs_spv_emit_functions *functions,
                             struct pgs_spv_emit_loops *loops);

/* The last instruction of a block, which may be empty in a broken module: NULL. */
const uint32_t *pgs_spv_block_end(const struct pgs_spv_emit_loops *loops, uint32_t block);

/* The OpLoopMerge of the block; NULL: it begins no loop. */
const uint32_t *pgs_spv_loop_merge(const struct pgs_spv_emit_loops *loops, uint32_t block);

/* PGS_SPV_NO_BLOCK: there is none, or nothing leads to it. */
uint32_t pgs_spv_labelled_block(const struct pgs_spv_emit_loops *loops, uint32_t label);

/* True if all ways to the block, which can be reached, lead through the label. */
bool pgs_spv_is_behind(const struct pgs_spv_emit_loops *loops, uint32_t label, uint32_t block);

/* The OpLoopMerge of the innermost loop around the block; NULL: it is in none, or begins it. */
const uint32_t *pgs_spv_loop_around(const struct pgs_spv_emit_loops *loops, uint32_t block);

/* True if nothing but ends of strips, and that of the shader, comes at the label. */
bool pgs_spv_shader_ends(const struct pgs_spv_emit_loops *loops, uint32_t label);

bool pgs_spv_is_emit(const struct pgs_spv_emit_loops *loops, const uint32_t *ins);

#endif
