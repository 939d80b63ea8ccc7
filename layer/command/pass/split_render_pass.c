/* SPDX-License-Identifier: MIT
 *
 * Nearly no render pass is ever split, so only its create info is kept. In a part of an instance
 * the subpasses before and after it are empty: they load and store, and resolve what is resolved in
 * another part.
 */
#include "command/pass/split_render_pass.h"

#include "base/alloc.h"
#include "command/state/attachment.h"
#include "vulkan/chain.h"
#include "vulkan/create_copy.h"

#include <pthread.h>

/* Fits a usual create info; larger ones get larger blocks. */
#define BLOCK_B 1024

struct pgs_split_pass {
    struct pgs_arena arena;             /* of the copy */
    const VkRenderPassCreateInfo *info; /* one of the two */
    const VkRenderPassCreateInfo2 *info2;
    const char *obstacle; /* wherever it is split */
    bool splits_anywhere; /* there is no obstacle in any subpass */
    bool stores_all;
    uint32_t subpass_count;
    pthread_mutex_t lock; /* guards `made` */
    VkRenderPass made[PGS_PART_COUNT];
};

static const char unknown_struct[] = "its render pass has a structure that the layer does not know";

static const char aliases[] = "attachments of its several subpasses may share memory";

const char pgs_lone_samples[] = "it has samples that no attachment keeps";

static const char resolves[] = "it resolves an attachment that it uses between there and here";

/* -- attachments -- */

/* The members that both versions of VkAttachmentDescription have. */
struct ops {
    VkFormat format;
    VkAttachmentLoadOp *load, *stencil_load;
    VkAttachmentStoreOp *store, *stencil_store;
    VkImageLayout layout; /* if there is one subpass: as its depth and stencil attachment */
    VkImageLayout *initial, final;
    VkAttachmentDescriptionStencilLayout *stencil_layout; /* NULL: none */
    bool is_map;
};

#define OPS_OF(described, in, map)                                                                 \
    (struct ops)                                                                                   \
    {                                                                                              \
        .is_map = (map), .format = (described)->format, .load = &(described)->loadOp,              \
        .stencil_load = &(described)->stencilLoadOp, .store = &(described)->storeOp,               \
        .stencil_store = &(described)->stencilStoreOp, .layout = (in),                             \
        .initial = &(described)->initialLayout, .final = (described)->finalLayout                  \
    }

/* `reference` is the depth and stencil attachment, or NULL. */
#define LAYOUT_IN(reference, index, subpass_count)                                                 \
    ((subpass_count) == 1 && (reference) && (reference)->attachment == (index)                     \
         ? (reference)->layout                                                                     \
         : VK_IMAGE_LAYOUT_UNDEFINED)

static bool aspect_stays(const struct ops *ops, VkImageAspectFlagBits aspect)
{
    const bool stencil = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
    return pgs_attachment_stays(stencil ? *ops->stencil_load : *ops->load,
                                stencil ? *ops->stencil_store : *ops->store, ops->layout, aspect);
}

/* The aspect that loadOp and storeOp are for; 0: none. */
static VkImageAspectFlagBits main_aspect(VkFormat format)
{
    return (VkImageAspectFlagBits)(pgs_format_aspects(format) &
                                   (VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT));
}

static bool has_stencil(VkFormat format)
{
    return pgs_format_aspects(format) & VK_IMAGE_ASPECT_STENCIL_BIT;
}

/* The density map, which passes only read: its contents stay, and it has to have no storeOp. */
static uint32_t density_map(const void *chain)
{
    const VkRenderPassFragmentDensityMapCreateInfoEXT *map =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT);
    return map ? map->fragmentDensityMapAttachment.attachment : VK_ATTACHMENT_UNUSED;
}

static bool stays(const struct ops *ops)
{
    return ops->is_map ||
           ((!main_aspect(ops->format) || aspect_stays(ops, main_aspect(ops->format))) &&
            (!has_stencil(ops->format) || aspect_stays(ops, VK_IMAGE_ASPECT_STENCIL_BIT)));
}

/* What resumes has no values to clear to. Drivers and rules may look at the operation of an aspect
 * that the format lacks, too. */
static VkAttachmentLoadOp resumed(VkAttachmentLoadOp op, bool has_aspect)
{
    if (has_aspect)
        return VK_ATTACHMENT_LOAD_OP_LOAD;
    return op == VK_ATTACHMENT_LOAD_OP_CLEAR ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : op;
}

static void change(const struct ops *ops, enum pgs_pass_part part)
{
    const VkImageAspectFlagBits aspect = main_aspect(ops->format);
    if (ops->is_map) {
        if (part != PGS_PART_FIRST)
            *ops->initial = ops->final;
        return;
    }
    if (part != PGS_PART_LAST && aspect && !aspect_stays(ops, aspect))
        *ops->store = VK_ATTACHMENT_STORE_OP_STORE;
    if (part != PGS_PART_LAST && has_stencil(ops->format) &&
        !aspect_stays(ops, VK_IMAGE_ASPECT_STENCIL_BIT))
        *ops->stencil_store = VK_ATTACHMENT_STORE_OP_STORE;
    if (part == PGS_PART_FIRST)
        return;
    *ops->load = resumed(*ops->load, aspect);
    *ops->stencil_load = resumed(*ops->stencil_load, has_stencil(ops->format));
    *ops->initial = ops->final;
    if (ops->stencil_layout)
        ops->stencil_layout->stencilInitialLayout = ops->stencil_layout->stencilFinalLayout;
}

/* -- resolves -- */

/* Both versions of VkSubpassDescription. */
struct uses {
    uint32_t colors, inputs;
    const VkAttachmentReference *color, *resolve, *depth, *input; /* of version 1 */
    const VkAttachmentReference2 *color2, *resolve2, *depth2, *input2, *depth_resolve2;
};

static struct uses uses_of(const struct pgs_split_pass *pass, uint32_t subpass)
{
    if (pass->info) {
        const VkSubpassDescription *s = &pass->info->pSubpasses[subpass];
        return (struct uses){
            .colors = s->colorAttachmentCount,
            .inputs = s->inputAttachmentCount,
            .color = s->pColorAttachments,
            .resolve = s->pResolveAttachments,
            .depth = s->pDepthStencilAttachment,
            .input = s->pInputAttachments,
        };
    }
    const VkSubpassDescription2 *s = &pass->info2->pSubpasses[subpass];
    const VkSubpassDescriptionDepthStencilResolve *depth =
        pgs_chain_find(s->pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
    return (struct uses){
        .colors = s->colorAttachmentCount,
        .inputs = s->inputAttachmentCount,
        .color2 = s->pColorAttachments,
        .resolve2 = s->pResolveAttachments,
        .depth2 = s->pDepthStencilAttachment,
        .input2 = s->pInputAttachments,
        .depth_resolve2 = depth ? depth->pDepthStencilResolveAttachment : NULL,
    };
}

static uint32_t attachment_in(const VkAttachmentReference *one, const VkAttachmentReference2 *two,
                              uint32_t index)
{
    if (one)
        return one[index].attachment;
    return two ? two[index].attachment : VK_ATTACHMENT_UNUSED;
}

/* Color attachment `color` of a subpass, or with color == colors its depth attachment, and what it
 * is resolved to. */
static void find_pair(const struct uses *uses, uint32_t color, uint32_t *from, uint32_t *to)
{
    if (color < uses->colors) {
        *from = attachment_in(uses->color, uses->color2, color);
        *to = attachment_in(uses->resolve, uses->resolve2, color);
    } else {
        *from = attachment_in(uses->depth, uses->depth2, 0);
        *to = attachment_in(NULL, uses->depth_resolve2, 0);
    }
}

static bool writes(const struct uses *uses, uint32_t attachment)
{
    for (uint32_t i = 0; i <= uses->colors; i++) {
        uint32_t from, to;
        find_pair(uses, i, &from, &to);
        if (from == attachment || to == attachment)
            return true;
    }
    return false;
}

static bool reads(const struct uses *uses, uint32_t attachment)
{
    for (uint32_t i = 0; i < uses->inputs; i++)
        if (attachment_in(uses->input, uses->input2, i) == attachment)
            return true;
    return false;
}

/* Every part resolves what subpass `at` resolves, also if it is empty there. In the parts that
 * begin in `split` or later both attachments must still be as the subpass has left them. Those that
 * end there resolve too early what is drawn later: nothing may see that. */
static bool resolves_wrongly(const struct pgs_split_pass *pass, uint32_t at, uint32_t split)
{
    const struct uses uses = uses_of(pass, at);
    const uint32_t first = at < split ? at + 1 : split;
    const uint32_t end = at < split ? split + 1 : at;
    for (uint32_t i = 0; i <= uses.colors; i++) {
        uint32_t from, to;
        find_pair(&uses, i, &from, &to);
        for (uint32_t k = first; k < end && to != VK_ATTACHMENT_UNUSED; k++) {
            const struct uses other = uses_of(pass, k);
            if (writes(&other, to) || (at < split ? writes(&other, from) : reads(&other, to)))
                return true;
        }
    }
    return false;
}

/* -- create infos -- */

static bool may_alias(const struct pgs_split_pass *pass)
{
    const uint32_t count = pass->info ? pass->info->attachmentCount : pass->info2->attachmentCount;
    for (uint32_t i = 0; i < count; i++)
        if ((pass->info ? pass->info->pAttachments[i].flags : pass->info2->pAttachments[i].flags) &
            VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT)
            return true;
    return false;
}

/* VK_EXT_multisampled_render_to_single_sampled: attachments of one sample keep what is resolved. */
static bool has_lone_samples(const struct pgs_split_pass *pass)
{
    for (uint32_t i = 0; pass->info2 && i < pass->subpass_count; i++)
        if (pgs_has_lone_samples(pass->info2->pSubpasses[i].pNext))
            return true;
    return false;
}

static const char *find_obstacle(const struct pgs_split_pass *pass, bool misses)
{
    if (misses)
        return unknown_struct;
    if (has_lone_samples(pass))
        return pgs_lone_samples;
    return pass->subpass_count > 1 && may_alias(pass) ? aliases : NULL;
}

static struct pgs_split_pass *new_pass(void)
{
    struct pgs_split_pass *pass = pgs_calloc(1, sizeof(*pass));
    if (pass) {
        pass->arena.block_B = BLOCK_B;
        pthread_mutex_init(&pass->lock, NULL);
    }
    return pass;
}

static VkResult finish(struct pgs_split_pass *pass, const struct pgs_copy *copy,
                       struct pgs_split_pass **made)
{
    *made = pass;
    if (!copy->failed) {
        pass->obstacle = find_obstacle(pass, copy->misses);
        pass->splits_anywhere = true;
        for (uint32_t i = 0; i < pass->subpass_count; i++)
            pass->splits_anywhere &= !pgs_split_pass_obstacle(pass, i);
        return VK_SUCCESS;
    }
    pgs_split_pass_destroy(NULL, pass);
    *made = NULL;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_split_pass_create(const VkRenderPassCreateInfo *info, struct pgs_split_pass **made)
{
    struct pgs_split_pass *pass = *made = new_pass();
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct pgs_copy copy = {.arena = &pass->arena, .exact = true};
    pass->info = pgs_copy_VkRenderPassCreateInfo(&copy, info, 1);
    pass->subpass_count = info->subpassCount;
    pass->stores_all = true;
    const uint32_t map = density_map(info->pNext);
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        VkAttachmentDescription a = info->pAttachments[i];
        const struct ops ops = OPS_OF(
            &a, LAYOUT_IN(info->pSubpasses[0].pDepthStencilAttachment, i, info->subpassCount),
            i == map);
        pass->stores_all &= stays(&ops);
    }
    return finish(pass, &copy, made);
}

VkResult pgs_split_pass_create2(const VkRenderPassCreateInfo2 *info, struct pgs_split_pass **made)
{
    struct pgs_split_pass *pass = *made = new_pass();
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct pgs_copy copy = {.arena = &pass->arena, .exact = true};
    pass->info2 = pgs_copy_VkRenderPassCreateInfo2(&copy, info, 1);
    pass->subpass_count = info->subpassCount;
    pass->stores_all = true;
    const uint32_t map = density_map(info->pNext);
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        VkAttachmentDescription2 a = info->pAttachments[i];
        const struct ops ops = OPS_OF(
            &a, LAYOUT_IN(info->pSubpasses[0].pDepthStencilAttachment, i, info->subpassCount),
            i == map);
        pass->stores_all &= stays(&ops);
    }
    return finish(pass, &copy, made);
}

void pgs_split_pass_destroy(struct pgs_device *dev, struct pgs_split_pass *pass)
{
    if (!pass)
        return;
    for (int part = 0; part < PGS_PART_COUNT; part++)
        if (pass->made[part])
            dev->vk.DestroyRenderPass(dev->handle, pass->made[part], NULL);
    pthread_mutex_destroy(&pass->lock);
    pgs_arena_finish(&pass->arena);
    pgs_free(pass);
}

const char *pgs_split_pass_obstacle(const struct pgs_split_pass *pass, uint32_t subpass)
{
    for (uint32_t i = 0; i < pass->subpass_count && !pass->obstacle; i++)
        if (resolves_wrongly(pass, i, subpass))
            return resolves;
    return pass->obstacle;
}

bool pgs_split_pass_splits_anywhere(const struct pgs_split_pass *pass)
{
    return pass->splits_anywhere;
}

bool pgs_split_pass_stores_all(const struct pgs_split_pass *pass)
{
    return pass->stores_all;
}

uint32_t pgs_split_pass_subpass_count(const struct pgs_split_pass *pass)
{
    return pass->subpass_count;
}

uint32_t pgs_split_pass_depth(const struct pgs_split_pass *pass, uint32_t subpass)
{
    const struct uses uses = uses_of(pass, subpass);
    return attachment_in(uses.depth, uses.depth2, 0);
}

/* -- render passes -- */

/* The copies are ours to edit. */
static VkResult make(struct pgs_device *dev, const VkRenderPassCreateInfo *kept,
                     enum pgs_pass_part part, struct pgs_copy *copy, VkRenderPass *handle)
{
    const VkRenderPassCreateInfo *info = pgs_copy_VkRenderPassCreateInfo(copy, kept, 1);
    if (copy->failed)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint32_t map = density_map(info->pNext);
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        VkAttachmentDescription *a = (VkAttachmentDescription *)&info->pAttachments[i];
        const struct ops ops =
            OPS_OF(a, LAYOUT_IN(info->pSubpasses[0].pDepthStencilAttachment, i, info->subpassCount),
                   i == map);
        change(&ops, part);
    }
    return dev->vk.CreateRenderPass(dev->handle, info, NULL, handle);
}

static VkResult make2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *kept,
                      enum pgs_pass_part part, struct pgs_copy *copy, VkRenderPass *handle)
{
    const VkRenderPassCreateInfo2 *info = pgs_copy_VkRenderPassCreateInfo2(copy, kept, 1);
    if (copy->failed)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint32_t map = density_map(info->pNext);
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        VkAttachmentDescription2 *a = (VkAttachmentDescription2 *)&info->pAttachments[i];
        struct ops ops =
            OPS_OF(a, LAYOUT_IN(info->pSubpasses[0].pDepthStencilAttachment, i, info->subpassCount),
                   i == map);
        ops.stencil_layout =
            pgs_chain_find(a->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
        change(&ops, part);
    }
    return dev->vk.CreateRenderPass2(dev->handle, info, NULL, handle);
}

VkResult pgs_split_pass_get(struct pgs_device *dev, struct pgs_split_pass *pass, VkRenderPass whole,
                            enum pgs_pass_part part, VkRenderPass *handle)
{
    *handle = whole;
    if (pass->stores_all && part == PGS_PART_FIRST)
        return VK_SUCCESS;
    if (pass->stores_all)
        part = PGS_PART_LAST; /* is like the middle ones */
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&pass->lock);
    if (!pass->made[part]) {
        struct pgs_arena arena = {.block_B = BLOCK_B};
        struct pgs_copy copy = {.arena = &arena, .exact = true};
        result = pass->info ? make(dev, pass->info, part, &copy, &pass->made[part])
                            : make2(dev, pass->info2, part, &copy, &pass->made[part]);
        if (result != VK_SUCCESS)
            pass->made[part] = VK_NULL_HANDLE;
        pgs_arena_finish(&arena);
    }
    if (result == VK_SUCCESS)
        *handle = pass->made[part];
    pthread_mutex_unlock(&pass->lock);
    return result;
}
