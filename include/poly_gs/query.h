/* SPDX-License-Identifier: MIT
 *
 * Root records of the kernels that copy and add query values (xfb.h), and that subtract the layer's
 * own dispatches from what the driver counted.
 */
#ifndef PGS_QUERY_ABI_H
#define PGS_QUERY_ABI_H

#include "poly_gs/xfb.h"

/* pgs_query_copy.flags */
#define PGS_QUERY_COPY_64 1u           /* VK_QUERY_RESULT_64_BIT */
#define PGS_QUERY_COPY_AVAILABILITY 2u /* VK_QUERY_RESULT_WITH_AVAILABILITY_BIT */
#define PGS_QUERY_COPY_PARTIAL 4u      /* VK_QUERY_RESULT_PARTIAL_BIT or WAIT: write values in any case */

/* Source of a result: a value of the query, or one that the driver counted. */
#define PGS_QUERY_SOURCE_DRIVER 0x80u /* | index of the value in the driver's result */
#define PGS_QUERY_SOURCE_OWN 0x40u    /* with DRIVER: subtract both PGS_STATISTIC_OWN_* */
#define PGS_QUERY_SOURCE_VALUE 0x3Fu
#define PGS_QUERY_MAX_VALUES 16       /* per result */

/* Root of the kernel query_copy: vkCmdCopyQueryPoolResults, one invocation per query. 32-bit
 * results wrap. */
PGS_ABI_STRUCT(pgs_query_copy)
{
    pgs_address queries;    /* first query */
    pgs_address target;
    /* The driver's results of the same queries, 64 bits, with availability. 0: none. */
    pgs_address driver;
    pgs_u32 query_stride_B; /* in the pool */
    pgs_u32 driver_stride_B;
    pgs_u32 target_stride_B;
    pgs_u32 query_count;
    pgs_u32 flags;          /* PGS_QUERY_COPY_* */
    pgs_u32 value_count;    /* per result */
    pgs_u32 sources[4];     /* PGS_QUERY_SOURCE_* of each value, 8 bits, lowest first */
};
PGS_ABI_END(pgs_query_copy, 64)

/* Root of the kernel query_drain, one workgroup. A secondary command buffer does not know the
 * statistics query that it inherits, so it counts into memory of its own; the kernel adds these
 * values to the query and clears them. */
PGS_ABI_STRUCT(pgs_query_drain)
{
    pgs_address from; /* values */
    pgs_address to;   /* values of the query; 0: only clear */
};
PGS_ABI_END(pgs_query_drain, 16)

/* Grids of a draw. weights[i]: sum of the workgroup sizes of the dispatches that use grid i; 0: not
 * used. */
#define PGS_GRID_COUNT 10u  /* members of struct pgs_grids */
#define PGS_GRIDS_USE_B 48u /* size of struct pgs_grids_use */
PGS_ABI_STRUCT(pgs_grids_use)
{
    pgs_address grids; /* struct pgs_grids */
    pgs_u32 weights[PGS_GRID_COUNT];
};
PGS_ABI_END(pgs_grids_use, PGS_GRIDS_USE_B)

/* Root of the kernel query_grids, one workgroup: adds the invocations of all these dispatches. */
PGS_ABI_STRUCT(pgs_query_grids)
{
    pgs_address value; /* 64 bits, to which the sum is added */
    pgs_address uses;  /* [use_count] pgs_grids_use */
    pgs_u32 use_count;
    pgs_u32 pad;
};
PGS_ABI_END(pgs_query_grids, 24)

#endif
