/* SPDX-License-Identifier: MIT
 *
 * Indirect draws: what the CPU writes and the kernel `indirect` reads. Each draw of the application's call has a record; all
 * that stands in the arguments, and all memory whose size they say, is the kernel's to patch.
 */
#ifndef PGS_INDIRECT_ABI_H
#define PGS_INDIRECT_ABI_H

#include "poly_gs/xfb.h"

#define PGS_INDIRECT_GROUP_EL 64 /* invocations of the kernel, the one workgroup */

/* pgs_indirect.flags; besides PGS_SETUP_CONDITION and PGS_SETUP_INVERTED */
#define PGS_INDIRECT_STORES 8u /* what shaders make is stored, for which the draws need memory */
#define PGS_INDIRECT_CAPTURE 16u /* a shader captures by itself */
#define PGS_INDIRECT_CHUNKS 32u /* what there is no memory for is counted and captured in chunks */

/* Root of the kernel. The records are contiguous; they have their grids, and their pool if they need one. */
PGS_ABI_STRUCT(pgs_indirect)
{
    pgs_address records;    /* [record_count] struct pgs_draw_record */
    pgs_address args;       /* VkDrawIndirectCommand, or with PGS_DRAW_INDEXED VkDrawIndexedIndirectCommand, of the first */
    pgs_address count;      /* u32: draws of the call; 0: as many as there are records */
    pgs_address condition;  /* u32 */
    pgs_address indices;    /* begin of the bound range; 0: none can be read */
    pgs_u32 index_bound_el; /* of it */
    pgs_u32 args_stride_B;
    pgs_u32 args_count;     /* arguments that may be read; records beyond draw nothing */
    pgs_u32 record_count;   /* not 0 */
    pgs_u32 record_stride_B;
    pgs_u32 first_draw;     /* number of the first record in the call */
    pgs_u32 flags;          /* PGS_SETUP_*, PGS_INDIRECT_* */
    pgs_u32 capture_bound_el; /* with PGS_INDIRECT_CAPTURE: no draw needs more invocations for it */
    pgs_u32 capture_el;     /* likewise: invocations for each input primitive */
    pgs_u32 reserved;
    pgs_address inline_draw;     /* struct pgs_inline_draw of the records: how they are drawn where memory is short, all of them; without
                               PGS_INDIRECT_STORES in any case. 0: such draws are left out */
};
PGS_ABI_END(pgs_indirect, 88)

#endif
