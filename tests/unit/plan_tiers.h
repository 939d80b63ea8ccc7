/* SPDX-License-Identifier: MIT
 *
 * What is inline on CPUs, and for how long, and how much on GPUs. Included by the test of the
 * chooser.
 */
#ifndef PLAN_TIERS_H
#define PLAN_TIERS_H

#include "plan_facts.h"

#define CONDITIONAL (SMALL | PREFERRED | STATIC | CONDITION)

static const struct {
    uint32_t facts, spare_ksteps, views;
    bool trusts_size;
    enum pgs_raster_path raster;
    uint32_t extra_ksteps;
    bool watched, again; /* the last: by commands that may be executed several times */
} tiers[] = {
    /* What costs next to nothing is inline for ever. LARGE: 3000 times 5000 steps. */
    {SMALL | STATIC, 0, 0, false, PGS_RASTER_INLINE_GS, 0, false, false},
    {SMALL, 0, 0, false, PGS_RASTER_INLINE_GS, 0, false, false},
    {SMALL, 0, 1, false, PGS_RASTER_INLINE_GS, 0, false, false},
    {SMALL | STATIC | LARGE, 14999, 0, false, PGS_RASTER_STORED, 0, false, false},
    {SMALL | STATIC | LARGE, 15000, 0, false, PGS_RASTER_INLINE_GS, 15000, false, false},
    {SMALL | LARGE, 14999, 0, false, PGS_RASTER_STORED, 0, false, false},
    {SMALL | LARGE, 15000, 0, false, PGS_RASTER_INLINE_GS, 15000, false, false},
    {SMALL | HUGE, UINT32_MAX, 0, false, PGS_RASTER_STORED, 0, false, false},
    {PREFERRED | STATIC | LARGE, 0, 0, false, PGS_RASTER_INLINE_GS, 0, false, false},
    /* So is what a condition may leave out, if it is short. The last three: a GPU, a longer shader,
     * and one of which nobody knows what it emits. */
    {CONDITIONAL, 0, 0, false, PGS_RASTER_INLINE_GS, 0, false, false},
    {CONDITIONAL | LARGE, 0, 0, false, PGS_RASTER_INLINE_GS, 0, false, false},
    {CONDITIONAL | DRIVER_QUERY, 0, 0, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL | RESTART, 0, 0, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL | BYTE_COUNT, 0, 0, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL, 0, 2, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL & ~SMALL, 0, 0, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL & ~PREFERRED, 15000, 0, false, PGS_RASTER_STORED, 0, false, false},
    {CONDITIONAL & ~STATIC, 15000, 0, false, PGS_RASTER_STORED, 0, false, false},
    /* What may come out otherwise is never inline. */
    {SMALL, 15000, 2, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | RESTART, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | DRIVER_QUERY, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | GENERATED, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | XFB, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | STIPPLED, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | CONDITION, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | BYTE_COUNT, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | DISCARD, 15000, 0, true, PGS_RASTER_NONE, 0, false, false},
    {SMALL | WISH_COMPUTE, 15000, 0, true, PGS_RASTER_STORED, 0, false, false},
    /* Nobody knows the size. */
    {SMALL | INDIRECT, 15000, 0, false, PGS_RASTER_STORED_OR_INLINE, 0, false, false},
    {SMALL | INDIRECT, 0, 0, true, PGS_RASTER_INLINE_GS, 0, true, false},
    {SMALL | INDIRECT | STATIC, 0, 0, true, PGS_RASTER_INLINE_GS, 0, true, false},
    {SMALL | INDIRECT | DRIVER_QUERY, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false, false},
    {SMALL | INDIRECT, 0, 2, true, PGS_RASTER_STORED_OR_INLINE, 0, false, false},
    {SMALL | INDIRECT | WISH_VERTEX, 0, 0, true, PGS_RASTER_INLINE_GS, 0, false, false},
    {INLINE | INDIRECT, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false, false},
    {SMALL | TES | SURE, 0, 0, false, PGS_RASTER_TES_STORED, 0, false, false},
    {SMALL | TES | SURE, 0, 0, true, PGS_RASTER_INLINE_TES, 0, true, false},
    {SMALL | TES | SURE, 0, 2, true, PGS_RASTER_TES_STORED, 0, false, false},
    {SMALL | TES | SURE | INDIRECT, 0, 0, true, PGS_RASTER_INLINE_TES, 0, true, false},
    {SMALL | TESS | SURE, 0, 0, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | TESS | STATIC | SURE, 0, 0, true, PGS_RASTER_INLINE_TES_GS, 0, true, false},
    {SMALL | TESS | STATIC | SURE | CONDITION, 0, 0, true, PGS_RASTER_INLINE_TES_GS, 0, true,
     false},
    {SMALL | TESS | STATIC | SURE, 0, 2, true, PGS_RASTER_STORED, 0, false, false},
    {SMALL | TESS | STATIC | SURE | LARGE, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false,
     false},
    {SMALL | TESS | STATIC | SURE | INDIRECT, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false,
     false},
    {SMALL | TESS | STATIC | SURE | GENERATED, 0, 0, true, PGS_RASTER_STORED, 0, false, false},
    /* Nor how often commands are executed, but few patches cost little. */
    {SMALL | INDIRECT, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false, true},
    {SMALL | TES | SURE, 0, 0, true, PGS_RASTER_INLINE_TES, 0, true, true},
    {SMALL | TES | SURE, 0, 0, false, PGS_RASTER_TES_STORED, 0, false, true},
    {SMALL | TES | SURE | LARGE, 0, 0, true, PGS_RASTER_TES_STORED, 0, false, true},
    {SMALL | TES | SURE | INDIRECT, 0, 0, true, PGS_RASTER_TES_STORED_OR_INLINE, 0, false, true},
    {SMALL | TESS | STATIC | SURE, 0, 0, true, PGS_RASTER_INLINE_TES_GS, 0, true, true},
    {SMALL | TESS | STATIC | SURE | LARGE, 0, 0, true, PGS_RASTER_STORED_OR_INLINE, 0, false, true},
};

/* 20 triangles emit up to 186 vertices each, as lists, or exactly so many. */
static const struct {
    uint64_t facts, so_far_el;
    uint32_t limit_el, calls, views;
    enum pgs_raster_path raster;
    uint32_t el;
} limits[] = {
    {INLINE, 0, 3719, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE, 0, 3720, 0, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE | STATIC, 0, 3719, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE | STATIC, 0, 3720, 0, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE, 1, 3720, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE, 80, 3800, 0, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE, UINT32_MAX, 3800, 0, 0, PGS_RASTER_STORED, 0},
    /* There were more of them. */
    {INLINE, 0, 7440, 2, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE, 0, 7439, 2, 0, PGS_RASTER_STORED, 0},
    {INLINE, 3720, 7440, 1, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE, 3720, 7440, 2, 0, PGS_RASTER_STORED, 0},
    {INLINE | HUGE, 0, UINT32_MAX, UINT32_MAX, 0, PGS_RASTER_STORED, 0},
    /* Somebody counts them, or could tell. */
    {INLINE | DRIVER_QUERY, 0, 3720, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE | STATIC | DRIVER_QUERY, 0, 3720, 0, 0, PGS_RASTER_INLINE_GS, 3720},
    {INLINE | GENERATED, 0, 3720, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE | RESTART, 0, 3720, 0, 0, PGS_RASTER_STORED, 0},
    {INLINE, 0, 3720, 0, 2, PGS_RASTER_STORED, 0},
    {INLINE | INDIRECT, 0, 3720, 0, 0, PGS_RASTER_STORED_OR_INLINE, 0},
    {INLINE | WISH_VERTEX, 1, 3720, 0, 0, PGS_RASTER_INLINE_GS, 0},
    {INLINE | WISH_COMPUTE, 0, 3720, 0, 0, PGS_RASTER_STORED, 0},
};

/* Of few patches, whether each is a raster draw, if the pipeline may do so. */
static const struct {
    uint64_t facts;
    bool by_patch;
} patch_cases[] = {
    {TES | INLINE, true},
    {TES | INLINE | SURE | WISH_VERTEX, true},
    {TES | INLINE | LARGE | WISH_VERTEX, false},
    {TES | INLINE | LARGE, false},
    {TES | INLINE | SURE, false},
    {TES | INLINE | RESTART | WISH_VERTEX, false},
    {TES | INLINE | CONDITION | WISH_VERTEX, false},
    {TES | INLINE | INDIRECT | WISH_VERTEX, false},
    {TES | INLINE | GENERATED, false},
    {TES | INLINE | XFB, false},
    {TES, false},
    {TESS | INLINE | STATIC, false},
    {TESS | SMALL | STATIC, true},
    {TESS | SMALL | STATIC | RESTART, false},
};

#endif
