/* SPDX-License-Identifier: MIT */
#include "draw/listing.h"

#include <stddef.h>
#include <string.h>

/* A look takes a GPU some 500 ns, so this is some milliseconds, beside which it does not matter
 * that one workgroup lists what others have left. */
#define PATIENCE 4096

VkResult pgs_listing_new(struct pgs_linear *upload, uint32_t groups, VkDeviceAddress *listing)
{
    const struct pgs_listing header = {.groups = groups, .patience = PATIENCE};
    const size_t size_B = sizeof(header) + groups * sizeof(uint32_t);
    struct pgs_range range;
    const VkResult result = pgs_linear_alloc(upload, size_B, PGS_RECORD_LINE_B, &range);
    if (result != VK_SUCCESS)
        return result;
    memcpy(range.mapped, &header, sizeof(header));
    memset((unsigned char *)range.mapped + sizeof(header), 0, size_B - sizeof(header));
    *listing = range.address;
    return VK_SUCCESS;
}

static VkResult seal(struct pgs_draw *draw, struct pgs_linear *upload)
{
    const struct pgs_subdraw *subdraw = &draw->subdraws[0];
    const VkResult result =
        pgs_listing_new(upload, pgs_listing_groups(subdraw->gs_invocations), &draw->listing);
    if (result == VK_SUCCESS)
        memcpy((unsigned char *)subdraw->record.mapped + offsetof(struct pgs_draw_record, grids),
               &draw->listing, sizeof(draw->listing));
    return result;
}

VkResult pgs_listings_seal(struct pgs_draw *draws, struct pgs_linear *upload)
{
    VkResult result = VK_SUCCESS;
    for (; draws && result == VK_SUCCESS; draws = draws->next)
        if (draws->plan.self_listed && !draws->chains && draws->call_count == 1 && !draws->listing)
            result = seal(draws, upload);
    return result;
}
