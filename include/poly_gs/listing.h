/* SPDX-License-Identifier: MIT
 *
 * Small draws of which the geometry shader itself writes the index list and the arguments of the
 * raster draw (shaders/lib/listing.glsl).
 */
#ifndef PGS_LISTING_ABI_H
#define PGS_LISTING_ABI_H

#include "poly_gs/types.h"

/* pgs_draw_record.flags: the record is one of a list, which is that of one draw, or of calls whose
 * records and arrays follow each other. packed_vertices is its number in the list, counted from 0,
 * and the first record has the pgs_listing at `grids`; 0: a kernel lists, after all. */
#define PGS_DRAW_SELF_LISTED 32768u

/* Workgroups of a list, at most. */
#define PGS_LISTING_GROUPS 256u

/* A word for each workgroup of the list, in order: the sum of its indices, and what it has done. */
#define PGS_LISTING_SUMMED 0x80000000u /* the sum is there */
#define PGS_LISTING_LEFT 0x40000000u   /* somebody else has to list them */
#define PGS_LISTING_SUM 0x3FFFFFFFu

/* Followed by the words. The CPU writes zeros for what is marked *, and so does the last workgroup,
 * for the next execution. Between workgroups these are accessed by atomic operations only. */
PGS_ABI_STRUCT(pgs_listing)
{
    pgs_u32 gone;     /* * workgroups that are through, | those that have left theirs << 16 */
    pgs_u32 groups;   /* of the list */
    pgs_u32 patience; /* looks at words that are not there yet, until a workgroup goes without */
    pgs_u32 unused;
};
PGS_ABI_END(pgs_listing, 16)

#endif
