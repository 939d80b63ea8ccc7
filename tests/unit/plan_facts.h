/* SPDX-License-Identifier: MIT
 *
 * The facts of which tests of the chooser are made, and what they expect.
 */
#ifndef PLAN_FACTS_H
#define PLAN_FACTS_H

#include "draw/technique.h"

#include <stdint.h>

/* What differs from a list of 20 triangles drawn by a vertex shader and a geometry shader with
 * emits that are not static, whose stream 0 transform feedback could capture. */
enum fact {
    /* Pipeline. */
    NATIVE = 1 << 0,
    TESS = 1 << 1, /* with a geometry shader */
    TES = 1 << 2,  /* without one; ours only copies */
    NO_GS = 1 << 3,
    FUSED = 1 << 4,
    EFFECTS = 1 << 5,
    STATIC = 1 << 6,
    NO_MEMORY = 1 << 7, /* has the variant */
    INLINE = 1 << 8,    /* likewise */
    PREFERRED = 1 << 9, /* likewise, and it is short */
    STIPPLED = 1 << 10,
    DISCARD = 1 << 11,
    NO_XFB = 1 << 12, /* has no outputs to capture */
    STREAM_1 = 1 << 13,
    /* State. */
    XFB = 1 << 14,
    GENERATED = 1 << 15, /* a query of primitives */
    WRITTEN = 1 << 16,
    STATISTICS = 1 << 17,
    DRIVER_QUERY = 1 << 18,
    CONDITION = 1 << 19,
    /* Draw. */
    RESTART = 1 << 20,
    INDIRECT = 1 << 21,
    BYTE_COUNT = 1 << 22,
    LARGE = 1 << 23, /* enough for COUNT_TILES */
    HUGE = 1 << 24,  /* enough for SCAN_TILES, and for more than 2^32 inline vertices */
    /* Rules. */
    WISH_COMPUTE = 1 << 25,
    WISH_VERTEX = 1 << 26,
    SURE = 1 << 27, /* memory that is sure to last for every tessellated draw */
    /* Dynamic restart, discard, stipple, topology and patch size; what does not count, of the
     * pipeline or of the state, says something else. */
    DYNAMIC = 1 << 28,
    UNINDEXED = 1 << 29, /* though primitives restart */
    POLYGONS = 1 << 30,  /* a fact: triangles become lines or points */
};

/* A fact: has the inline variant, for up to 1000 GS invocations. */
#define SMALL (UINT32_C(1) << 31)

/* Likewise the instanced variant, of one strip; and of six in layers. */
#define INSTANCED (UINT64_C(1) << 32)
#define STRIPS (UINT64_C(1) << 33)
#define SIFT (UINT64_C(1) << 34)

#define S(stage) PGS_STAGE_BIT(stage)
#define SETS S(SETUP)
#define RESTARTS PGS_STAGES_RESTART
#define TESSELLATES (S(VERTEX) | PGS_STAGES_TESSELLATION)
#define COUNTS_PATCHES (S(VERTEX) | S(CONTROL) | S(TESS_COUNT)) /* a few */
#define EVALUATES (TESSELLATES | S(TESSELLATE) | S(EVALUATION) | S(POOL_CLOSE))
#define RASTERS (S(COUNT_TILES) | S(SCAN_TILES) | S(EXPAND))
#define CORNERS (S(COUNT_TILES) | S(SCAN_TILES) | S(EXPAND_POLYGONS))
#define COUNTS (S(XFB_TILES) | S(XFB_SCAN) | S(XFB_PROGRAM))
#define CHUNKS S(CHUNKS_COUNT)
#define POOL S(POOL_CLOSE)
#define ANY_CALL S(INDIRECT)
#define INLINE_CALL S(INDIRECT_INLINE)

struct expected {
    uint64_t facts;
    enum pgs_raster_path raster;
    enum pgs_xfb_path xfb;
    enum pgs_count_path count;
    enum pgs_sizing sizing;
    enum pgs_why why;
    uint32_t stages;
};
static inline enum pgs_plan wish_of(uint64_t facts)
{
    return facts & WISH_COMPUTE  ? PGS_PLAN_COMPUTE
           : facts & WISH_VERTEX ? PGS_PLAN_VERTEX
                                 : PGS_PLAN_AUTO;
}

#define ROW(facts, raster, xfb, count, sizing, why, stages)                                        \
    {                                                                                              \
        facts, PGS_RASTER_##raster, PGS_XFB_##xfb, PGS_COUNT_##count, PGS_SIZE_##sizing,           \
            PGS_WHY_##why, stages                                                                  \
    }

#endif
