/* SPDX-License-Identifier: MIT
 *
 * Tiles: what a workgroup of the kernels that count and list takes. Internal to draw/.
 */
#ifndef PGS_DRAW_TILES_H
#define PGS_DRAW_TILES_H

#include "poly_gs/abi.h"

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t pgs_tiles(uint32_t elements)
{
    return elements / PGS_TILE_EL + (elements % PGS_TILE_EL != 0);
}

/* Subdraws of few `gs_invocations` skip the kernels count_tiles and scan_tiles (abi.h). */
static inline bool pgs_needs_count_tiles(uint32_t gs_invocations)
{
    return pgs_tiles(gs_invocations) > PGS_COUNT_TILES_FREE;
}

static inline bool pgs_needs_scan_tiles(uint32_t gs_invocations)
{
    return pgs_tiles(gs_invocations) > PGS_SCAN_TILES_FREE;
}

#endif
