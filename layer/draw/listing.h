/* SPDX-License-Identifier: MIT
 *
 * Draws that their geometry shader lists (poly_gs/listing.h). Internal to draw/.
 */
#ifndef PGS_DRAW_LISTING_H
#define PGS_DRAW_LISTING_H

#include "draw/compute.h"
#include "poly_gs/listing.h"

/* Workgroups of one record in its list. */
static inline uint32_t pgs_listing_groups(uint32_t gs_invocations)
{
    return (gs_invocations + PGS_SHADER_GROUP_EL - 1) / PGS_SHADER_GROUP_EL;
}

/* Makes the struct pgs_listing of a list with so many workgroups. Errors: out of host or device
 * memory. */
VkResult pgs_listing_new(struct pgs_linear *upload, uint32_t groups, VkDeviceAddress *listing);

/* No draw gets any more calls: makes what the draws without chains lack that list themselves. Those
 * of several calls go without, and a kernel lists them. Errors: as above. */
VkResult pgs_listings_seal(struct pgs_draw *draws, struct pgs_linear *upload);

/* True if the shader lists the draw, which is sealed. */
static inline bool pgs_is_self_listed(const struct pgs_draw *draw)
{
    return draw->plan.self_listed && (draw->chains || draw->listing);
}

#endif
