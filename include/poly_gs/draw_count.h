/* SPDX-License-Identifier: MIT
 *
 * Indirect draws of the driver with a count, or a first instance, that only the layer can read: the
 * root record of the kernel `draw_count`, which copies their arguments.
 */
#ifndef PGS_DRAW_COUNT_ABI_H
#define PGS_DRAW_COUNT_ABI_H

#include "poly_gs/types.h"

/* Words of the copy of one draw's arguments. */
#define PGS_DRAW_COUNT_STRIDE_W 5u

PGS_ABI_STRUCT(pgs_draw_count)
{
    pgs_address args;      /* first VkDrawIndirectCommand or VkDrawIndexedIndirectCommand */
    pgs_address count;     /* u32: draws of the call */
    pgs_address copies;    /* * [draw_count] of PGS_DRAW_COUNT_STRIDE_W words; 0 beyond the count */
    pgs_u32 args_stride_B;
    pgs_u32 args_words;    /* of the arguments of one draw */
    pgs_u32 args_count;    /* arguments that can be read; later draws are empty */
    pgs_u32 draw_count;    /* not 0 */
    pgs_u32 zero_word;     /* of the arguments: 0 in the copies; args_words: none */
    pgs_u32 unused;
};
PGS_ABI_END(pgs_draw_count, 48)

#endif
