/* SPDX-License-Identifier: MIT */
#include "spirv/stages/held_strips.h"

#include "poly_gs/places.h"
#include "poly_gs/planes.h"

/* More words of held vertices than these could cost more in registers than their stores do. */
#define MOST_HELD_W 48u

bool pgs_spv_holds_strips(const struct pgs_spv_geometry_info *gs)
{
    const uint32_t longest_el = gs->pattern.is_known ? gs->pattern.longest_el : gs->max_vertices;
    return longest_el <= PGS_HELD_EL && longest_el * gs->out_stride_w <= MOST_HELD_W &&
           pgs_spv_first_stride_w(gs) <= PGS_HELD_QUADS * 4 &&
           pgs_spv_rest_stride_w(gs) <= PGS_HELD_QUADS * 4;
}

bool pgs_spv_gathers_strips(const struct pgs_spv_geometry_info *gs)
{
    return pgs_spv_holds_strips(gs) && gs->output_kind == 3 &&
           gs->max_vertices <= PGS_GATHERED_EL && pgs_spv_can_list(gs);
}
