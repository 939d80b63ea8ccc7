/* SPDX-License-Identifier: MIT */
#include "command/pass/split_locations.h"

#include <string.h>

static const VkSampleLocationsInfoEXT *
after_subpass(const VkRenderPassSampleLocationsBeginInfoEXT *whole, uint32_t subpass)
{
    for (uint32_t i = 0; i < whole->postSubpassSampleLocationsCount; i++)
        if (whole->pPostSubpassSampleLocations[i].subpassIndex == subpass)
            return &whole->pPostSubpassSampleLocations[i].sampleLocationsInfo;
    return NULL;
}

static const VkSampleLocationsInfoEXT *
at_begin(const VkRenderPassSampleLocationsBeginInfoEXT *whole, uint32_t attachment)
{
    for (uint32_t i = 0; i < whole->attachmentInitialSampleLocationsCount; i++)
        if (whole->pAttachmentInitialSampleLocations[i].attachmentIndex == attachment)
            return &whole->pAttachmentInitialSampleLocations[i].sampleLocationsInfo;
    return NULL;
}

/* Of what is in a depth attachment when the subpass has drawn; NULL: the application does not say
 * it. A subpass in which drivers support only one set of locations draws with those it ends with.
 */
static const VkSampleLocationsInfoEXT *
of_contents(const VkRenderPassSampleLocationsBeginInfoEXT *whole, const struct pgs_split_pass *pass,
            uint32_t attachment, uint32_t subpass)
{
    for (uint32_t i = subpass + 1; i-- > 0;) {
        const VkSampleLocationsInfoEXT *found =
            pgs_split_pass_depth(pass, i) == attachment ? after_subpass(whole, i) : NULL;
        if (found)
            return found;
    }
    return at_begin(whole, attachment);
}

static void set_subpass(VkRenderPassSampleLocationsBeginInfoEXT *info,
                        VkSubpassSampleLocationsEXT *list, uint32_t subpass,
                        const VkSampleLocationsInfoEXT *locations)
{
    uint32_t i = 0;
    while (i < info->postSubpassSampleLocationsCount && list[i].subpassIndex != subpass)
        i++;
    if (i == info->postSubpassSampleLocationsCount)
        info->postSubpassSampleLocationsCount++;
    list[i] = (VkSubpassSampleLocationsEXT){subpass, *locations};
}

static void set_begin(VkRenderPassSampleLocationsBeginInfoEXT *info,
                      VkAttachmentSampleLocationsEXT *list, uint32_t attachment,
                      const VkSampleLocationsInfoEXT *locations)
{
    uint32_t i = 0;
    while (i < info->attachmentInitialSampleLocationsCount && list[i].attachmentIndex != attachment)
        i++;
    if (i == info->attachmentInitialSampleLocationsCount)
        info->attachmentInitialSampleLocationsCount++;
    list[i] = (VkAttachmentSampleLocationsEXT){attachment, *locations};
}

VkRenderPassSampleLocationsBeginInfoEXT *
pgs_split_locations(struct pgs_arena *arena, const VkRenderPassSampleLocationsBeginInfoEXT *whole,
                    const struct pgs_split_pass *pass, bool resumed, uint32_t first, uint32_t last)
{
    const uint32_t count = pgs_split_pass_subpass_count(pass);
    const size_t begins = whole->attachmentInitialSampleLocationsCount;
    const size_t ends = whole->postSubpassSampleLocationsCount;
    VkRenderPassSampleLocationsBeginInfoEXT *info = pgs_arena_copy(
        arena, whole, 1, sizeof(*whole), _Alignof(VkRenderPassSampleLocationsBeginInfoEXT));
    VkAttachmentSampleLocationsEXT *begin = pgs_arena_alloc(
        arena, (begins + count) * sizeof(*begin), _Alignof(VkAttachmentSampleLocationsEXT));
    VkSubpassSampleLocationsEXT *end = pgs_arena_alloc(arena, (ends + count) * sizeof(*end),
                                                       _Alignof(VkSubpassSampleLocationsEXT));
    if (!info || !begin || !end)
        return NULL;
    if (begins)
        memcpy(begin, whole->pAttachmentInitialSampleLocations, begins * sizeof(*begin));
    if (ends)
        memcpy(end, whole->pPostSubpassSampleLocations, ends * sizeof(*end));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t depth = pgs_split_pass_depth(pass, i);
        const VkSampleLocationsInfoEXT *left = of_contents(whole, pass, depth, first);
        const VkSampleLocationsInfoEXT *now =
            i < first ? left : of_contents(whole, pass, depth, last);
        if (depth == VK_ATTACHMENT_UNUSED)
            continue;
        if (resumed && left)
            set_begin(info, begin, depth, left);
        if ((i < first || i > last) && now)
            set_subpass(info, end, i, now);
    }
    info->pNext = NULL;
    info->pAttachmentInitialSampleLocations = begin;
    info->pPostSubpassSampleLocations = end;
    return info;
}

static bool are_equal(const VkSampleLocationsInfoEXT *a, const VkSampleLocationsInfoEXT *b)
{
    return a->sampleLocationsPerPixel == b->sampleLocationsPerPixel &&
           a->sampleLocationGridSize.width == b->sampleLocationGridSize.width &&
           a->sampleLocationGridSize.height == b->sampleLocationGridSize.height &&
           a->sampleLocationsCount == b->sampleLocationsCount &&
           memcmp(a->pSampleLocations, b->pSampleLocations,
                  a->sampleLocationsCount * sizeof(*a->pSampleLocations)) == 0;
}

bool pgs_split_locations_stay(const VkRenderPassSampleLocationsBeginInfoEXT *whole,
                              const struct pgs_split_pass *pass, uint32_t subpass)
{
    for (uint32_t i = subpass + 1; i < pgs_split_pass_subpass_count(pass); i++) {
        const uint32_t depth = pgs_split_pass_depth(pass, i);
        const VkSampleLocationsInfoEXT *then = after_subpass(whole, i);
        const VkSampleLocationsInfoEXT *now = of_contents(whole, pass, depth, subpass);
        if (depth != VK_ATTACHMENT_UNUSED && then && (!now || !are_equal(then, now)))
            return false;
    }
    return true;
}
