/* SPDX-License-Identifier: MIT
 *
 * Indirect draws: the root record of the kernel `indirect`. Each draw that a call may have has a
 * pgs_draw_record; the kernel writes what follows from the arguments, and the addresses of the
 * memory that it allocates.
 */
#ifndef PGS_INDIRECT_ABI_H
#define PGS_INDIRECT_ABI_H

#include "poly_gs/xfb.h"

#define PGS_INDIRECT_GROUP_EL 64 /* workgroup size of `indirect` */

/* pgs_indirect.flags, beside PGS_SETUP_CONDITION and PGS_SETUP_INVERTED */
#define PGS_INDIRECT_STORES 8u   /* shader outputs are stored, so the draws need memory */
#define PGS_INDIRECT_CAPTURE 16u /* a shader captures by itself (capture_bound_el, capture_el) */
#define PGS_INDIRECT_CHUNKS 32u  /* draws without memory are counted and captured in chunks */
/* vkCmdDrawIndirectByteCountEXT: `args` is the counter, whose vertices the only record draws. */
#define PGS_INDIRECT_BYTE_COUNT 64u
/* The call goes in rounds (kernels indirect_round and indirect_patches): this one begins anew; what it
 * leaves is lost. */
#define PGS_INDIRECT_FIRST_ROUND 128u
#define PGS_INDIRECT_LAST_ROUND 256u
#define PGS_INDIRECT_TESS_ROUND 512u /* tess_round takes from the pool behind indirect_patches */

#define PGS_INDIRECT_PROGRESS_B 32 /* sizes of what follows */
#define PGS_INDIRECT_KEPT_B 32

/* How far the rounds of a call have come. Host-visible, zeros when recorded. */
PGS_ABI_STRUCT(pgs_indirect_progress)
{
    pgs_u32 record;       /* *: the next round begins with this one; record_count: none is left */
    pgs_u32 element;      /* *: with this GS invocation of it, or with this patch */
    pgs_u32 needed_units; /* *: of a pool that would hold all of the call, the most so far */
    pgs_u32 rounds;       /* *: those of the last execution that had something to draw */
    pgs_u32 setup_units;  /* * by first rounds: of a pool that would hold what is known then */
    pgs_u32 made_units;   /* * by tess_round: what all rounds so far took for what patches became */
    pgs_u32 reserved[2];
};
PGS_ABI_END(pgs_indirect_progress, 32)

/* Behind it, for each record: the arguments. The first round writes them for the others, as shaders of
 * a round may write what they came from. */
PGS_ABI_STRUCT(pgs_indirect_kept)
{
    pgs_address index_address; /* * */
    pgs_u32 index_bound_el;    /* * */
    pgs_u32 first_vertex;      /* * */
    pgs_u32 first_instance;    /* * */
    pgs_u32 vertices;          /* *: 0: nothing is drawn */
    pgs_u32 instances;         /* * */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_indirect_kept, 32)

/* The records are contiguous and point to their grids, and to a pool if they need one. */
PGS_ABI_STRUCT(pgs_indirect)
{
    pgs_address records;      /* [record_count] pgs_draw_record */
    /* First VkDrawIndirectCommand, or with PGS_DRAW_INDEXED VkDrawIndexedIndirectCommand. */
    pgs_address args;
    pgs_address count;        /* u32: draws of the call; 0: record_count */
    pgs_address condition;    /* u32 */
    pgs_address indices;      /* start of the bound range; 0: none can be read */
    pgs_u32 index_bound_el;   /* indices in the bound range */
    pgs_u32 args_stride_B;
    pgs_u32 args_count;       /* arguments that can be read; later records draw nothing */
    pgs_u32 record_count;     /* not 0 */
    pgs_u32 record_stride_B;
    pgs_u32 first_draw;       /* number of the first record in the call */
    pgs_u32 flags;            /* PGS_SETUP_*, PGS_INDIRECT_* */
    pgs_u32 capture_bound_el; /* CAPTURE: limit of invocations per draw */
    pgs_u32 capture_el;       /* CAPTURE: invocations per input primitive */
    /* BYTE_COUNT: vertices = max(0, counter - this) / vertex_stride_B. */
    pgs_u32 counter_offset_B;
    /* struct pgs_inline_draw that draws all records if one of them gets no memory, and always
     * without PGS_INDIRECT_STORES. 0: such a draw is left out. */
    pgs_address inline_draw;
    pgs_address native_args;  /* BYTE_COUNT: VkDrawIndirectCommand to write; 0: none */
    pgs_u32 vertex_stride_B;  /* BYTE_COUNT, and so are the following */
    pgs_u32 instance_count;
    pgs_u32 first_instance;
    pgs_u32 most_vertices;    /* the layer draws no more: that many begin in the bound buffers */
    pgs_address progress;     /* * struct pgs_indirect_progress, in a round; 0: all that fits is drawn at once */
};
PGS_ABI_END(pgs_indirect, 120)

#endif
