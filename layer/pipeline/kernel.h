/* SPDX-License-Identifier: MIT
 *
 * The whole kernels of shaders/kernels.
 */
#ifndef PGS_PIPELINE_KERNEL_H
#define PGS_PIPELINE_KERNEL_H

#include <stdint.h>

enum pgs_kernel {
    PGS_KERNEL_RESTART_TILES,
    PGS_KERNEL_RESTART_SCAN,
    PGS_KERNEL_RESTART_EMIT,
    PGS_KERNEL_COUNT_TILES,
    PGS_KERNEL_COUNT_TILES_ANY, /* of joined lines, too */
    PGS_KERNEL_SCAN_TILES,
    PGS_KERNEL_EXPAND,
    PGS_KERNEL_EXPAND_SHARED, /* of long strips in large draws */
    PGS_KERNEL_EXPAND_CUT,    /* of those that are cut (PGS_DRAW_CUTS) */
    PGS_KERNEL_EXPAND_ANY,    /* of joined lines and packed vertices, too */
    PGS_KERNEL_EXPAND_POLYGONS,
    PGS_KERNEL_SIFT_SCAN, /* in place of SCAN_TILES and EXPAND for sifted draws (poly_gs/sift.h) */
    PGS_KERNEL_SIFT_LIST,
    PGS_KERNEL_PICK_SCAN, /* likewise for picked ones (poly_gs/pick.h) */
    PGS_KERNEL_PICK_LIST,
    PGS_KERNEL_STIPPLE,
    PGS_KERNEL_SETUP,
    PGS_KERNEL_SETUP_ARGS, /* the same of no records, on CPUs */
    PGS_KERNEL_DRAW_COUNT,
    PGS_KERNEL_TESS_COUNT,
    PGS_KERNEL_TESS_FEW, /* the same for few patches on CPUs */
    PGS_KERNEL_TESS_ALLOT,
    PGS_KERNEL_TESS_ROUND,
    PGS_KERNEL_TESSELLATE,
    PGS_KERNEL_CAPTURE_TILES,
    PGS_KERNEL_CAPTURE_SCAN,
    PGS_KERNEL_XFB_PROGRAM,
    PGS_KERNEL_XFB_STEPS, /* the same for short programs on CPUs */
    PGS_KERNEL_CAPTURE_GEOMETRY,
    PGS_KERNEL_QUERY_COPY,
    PGS_KERNEL_QUERY_DRAIN,
    PGS_KERNEL_QUERY_GRIDS,
    PGS_KERNEL_POOL_CLOSE,
    PGS_KERNEL_INDIRECT,
    PGS_KERNEL_INDIRECT_INLINE,
    PGS_KERNEL_INDIRECT_ONE, /* the same for one draw on CPUs */
    PGS_KERNEL_INDIRECT_ROUND,
    PGS_KERNEL_INDIRECT_PATCHES,
    PGS_KERNEL_INTERVAL_END,
    PGS_KERNEL_INTERVAL_STORE, /* the same on CPUs, of what the CPU knows */
    PGS_KERNEL_COUNT
};

_Static_assert(PGS_KERNEL_COUNT <= 64, "masks of kernels");

/* In a mask of kernels. */
#define PGS_KERNEL_BIT(kernel) (UINT64_C(1) << (kernel))

/* Those that CPUs have of their own, with PGS_TILE_ROWS invocations in a workgroup, or one for each
 * patch of a tile. */
#define PGS_ROW_KERNELS                                                                            \
    (PGS_KERNEL_BIT(PGS_KERNEL_COUNT_TILES) | PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_POLYGONS) |         \
     PGS_KERNEL_BIT(PGS_KERNEL_TESSELLATE) | PGS_KERNEL_BIT(PGS_KERNEL_PICK_SCAN) |                \
     PGS_KERNEL_BIT(PGS_KERNEL_PICK_LIST))

/* Those that load members of records together where the device's class says so (joins_loads of
 * vulkan/device_class.h). The others do not get shorter, or write to what they read. */
#define PGS_JOINED_KERNELS                                                                         \
    (PGS_KERNEL_BIT(PGS_KERNEL_RESTART_TILES) | PGS_KERNEL_BIT(PGS_KERNEL_RESTART_EMIT) |          \
     PGS_KERNEL_BIT(PGS_KERNEL_COUNT_TILES) | PGS_KERNEL_BIT(PGS_KERNEL_COUNT_TILES_ANY) |         \
     PGS_KERNEL_BIT(PGS_KERNEL_SCAN_TILES) | PGS_KERNEL_BIT(PGS_KERNEL_EXPAND) |                   \
     PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_SHARED) | PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_CUT) |            \
     PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_ANY) | PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_POLYGONS) |          \
     PGS_KERNEL_BIT(PGS_KERNEL_SIFT_LIST) | PGS_KERNEL_BIT(PGS_KERNEL_PICK_SCAN) |                 \
     PGS_KERNEL_BIT(PGS_KERNEL_PICK_LIST) | PGS_KERNEL_BIT(PGS_KERNEL_STIPPLE) |                   \
     PGS_KERNEL_BIT(PGS_KERNEL_TESS_COUNT) | PGS_KERNEL_BIT(PGS_KERNEL_TESSELLATE) |               \
     PGS_KERNEL_BIT(PGS_KERNEL_CAPTURE_GEOMETRY))

/* Those whose dispatches have one root each (PGS_ROOT_ALONE): passes run them about once. What each
 * draw runs shares dispatches, for each of which lavapipe takes 25 us of CPU time. */
#define PGS_ALONE_KERNELS                                                                          \
    (PGS_KERNEL_BIT(PGS_KERNEL_XFB_STEPS) | PGS_KERNEL_BIT(PGS_KERNEL_INTERVAL_STORE))

#endif
