/* SPDX-License-Identifier: MIT
 *
 * What kernels do with queries whose values are in memory (xfb.h): copy them, add them up, and take off what the layer
 * itself had the driver count.
 */
#ifndef PGS_QUERY_ABI_H
#define PGS_QUERY_ABI_H

#include "poly_gs/xfb.h"

/* pgs_query_copy.flags */
#define PGS_QUERY_COPY_64 1u           /* VK_QUERY_RESULT_64_BIT */
#define PGS_QUERY_COPY_AVAILABILITY 2u /* VK_QUERY_RESULT_WITH_AVAILABILITY_BIT */
#define PGS_QUERY_COPY_PARTIAL 4u      /* VK_QUERY_RESULT_PARTIAL_BIT, or WAIT: values are written available or not */

/* Where a value of a result comes from: a value of the query, or one that the driver counted. */
#define PGS_QUERY_SOURCE_DRIVER 0x80u /* | number of the value in the driver's result */
#define PGS_QUERY_SOURCE_OWN 0x40u    /* with DRIVER: less PGS_STATISTIC_OWN_DISPATCHES and PGS_STATISTIC_OWN_GRIDS */
#define PGS_QUERY_SOURCE_VALUE 0x3Fu
#define PGS_QUERY_MAX_VALUES 16       /* of a result */

/* Root of the query_copy kernel: vkCmdCopyQueryPoolResults, one invocation per query. 32-bit results wrap. */
PGS_ABI_STRUCT(pgs_query_copy)
{
    pgs_address queries;     /* the first one */
    pgs_address target;
    pgs_address driver;      /* the driver's results of the same queries: 64 bits, with availability; 0: none */
    pgs_u32 query_stride_B;  /* in the pool */
    pgs_u32 driver_stride_B;
    pgs_u32 target_stride_B;
    pgs_u32 query_count;
    pgs_u32 flags;           /* PGS_QUERY_COPY_* */
    pgs_u32 value_count;     /* of a result */
    pgs_u32 sources[4];      /* of each value PGS_QUERY_SOURCE_*, 8 bits, from the lowest */
};
PGS_ABI_END(pgs_query_copy, 64)

/* Root of the query_drain kernel, one workgroup. Adds what a secondary command buffer counted for a statistics query
 * that it does not know to that query, and clears it. Addresses of values. */
PGS_ABI_STRUCT(pgs_query_drain)
{
    pgs_address from;
    pgs_address to; /* 0: nobody wants them */
};
PGS_ABI_END(pgs_query_drain, 16)

/* The grids of a draw, and for each the invocations in a workgroup, summed over the dispatches that use it; 0: the
 * grid was not used. */
#define PGS_GRID_COUNT 10u   /* in struct pgs_grids */
#define PGS_GRIDS_USE_B 48u  /* of a struct pgs_grids_use */
PGS_ABI_STRUCT(pgs_grids_use)
{
    pgs_address grids; /* struct pgs_grids */
    pgs_u32 weights[PGS_GRID_COUNT];
};
PGS_ABI_END(pgs_grids_use, PGS_GRIDS_USE_B)

/* Root of the query_grids kernel, one workgroup. */
PGS_ABI_STRUCT(pgs_query_grids)
{
    pgs_address value; /* 64 bits, which the invocations of all are added to */
    pgs_address uses;  /* [use_count] struct pgs_grids_use */
    pgs_u32 use_count;
    pgs_u32 pad;
};
PGS_ABI_END(pgs_query_grids, 24)

#endif
