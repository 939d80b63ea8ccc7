/* SPDX-License-Identifier: MIT */
#include "command/pass/local_read.h"

#include "vulkan/chain.h"

void pgs_local_read_begin(struct pgs_command_buffer *cb, uint32_t color_count)
{
    pgs_arena_reset(&cb->begun);
    cb->pass.local_read =
        (struct pgs_local_read){.location_count = color_count, .index_count = color_count};
}

#ifdef VK_KHR_dynamic_rendering_local_read

/* NULL stays NULL; out of memory is latched. */
static const uint32_t *copy_words(struct pgs_command_buffer *cb, const uint32_t *words,
                                  uint32_t count)
{
    if (!words)
        return NULL;
    const uint32_t *copy =
        pgs_arena_copy(&cb->begun, words, count, sizeof(*words), _Alignof(uint32_t));
    if (!copy)
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    return copy;
}

static void take_locations(struct pgs_command_buffer *cb,
                           const VkRenderingAttachmentLocationInfoKHR *info)
{
    struct pgs_local_read *set = &cb->pass.local_read;
    set->locations = copy_words(cb, info->pColorAttachmentLocations, info->colorAttachmentCount);
    set->location_count = info->colorAttachmentCount;
}

static void take_indices(struct pgs_command_buffer *cb,
                         const VkRenderingInputAttachmentIndexInfoKHR *info)
{
    struct pgs_local_read *set = &cb->pass.local_read;
    set->indices = copy_words(cb, info->pColorAttachmentInputIndices, info->colorAttachmentCount);
    set->index_count = info->colorAttachmentCount;
    set->depth_index = copy_words(cb, info->pDepthInputAttachmentIndex, 1);
    set->stencil_index = copy_words(cb, info->pStencilInputAttachmentIndex, 1);
}

void pgs_local_read_inherit(struct pgs_command_buffer *cb,
                            const VkCommandBufferInheritanceInfo *info)
{
    const void *chain = info ? info->pNext : NULL;
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    const VkRenderingAttachmentLocationInfoKHR *locations =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    const VkRenderingInputAttachmentIndexInfoKHR *indices =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
    const bool continues_pass = info && info->renderPass; /* the structures are ignored */
    pgs_local_read_begin(cb, rendering && !continues_pass ? rendering->colorAttachmentCount : 0);
    if (locations && !continues_pass)
        take_locations(cb, locations);
    if (indices && !continues_pass)
        take_indices(cb, indices);
}

void pgs_local_read_note_locations(struct pgs_command_buffer *cb,
                                   const VkRenderingAttachmentLocationInfoKHR *info)
{
    cb->pass.local_read.has_locations = true;
    take_locations(cb, info);
}

void pgs_local_read_note_indices(struct pgs_command_buffer *cb,
                                 const VkRenderingInputAttachmentIndexInfoKHR *info)
{
    cb->pass.local_read.has_indices = true;
    take_indices(cb, info);
}

static void set_locations(struct pgs_command_buffer *cb)
{
    const struct pgs_local_read *set = &cb->pass.local_read;
    const VkRenderingAttachmentLocationInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .colorAttachmentCount = set->location_count,
        .pColorAttachmentLocations = set->locations,
    };
    PGS_EMIT(cb, CmdSetRenderingAttachmentLocationsKHR, &info);
}

static void set_indices(struct pgs_command_buffer *cb)
{
    const struct pgs_local_read *set = &cb->pass.local_read;
    const VkRenderingInputAttachmentIndexInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
        .colorAttachmentCount = set->index_count,
        .pColorAttachmentInputIndices = set->indices,
        .pDepthInputAttachmentIndex = set->depth_index,
        .pStencilInputAttachmentIndex = set->stencil_index,
    };
    PGS_EMIT(cb, CmdSetRenderingInputAttachmentIndicesKHR, &info);
}

void pgs_local_read_set_again(struct pgs_command_buffer *cb)
{
    if (cb->pass.local_read.has_locations)
        set_locations(cb);
    if (cb->pass.local_read.has_indices)
        set_indices(cb);
}

void pgs_local_read_restore(struct pgs_command_buffer *cb,
                            const struct pgs_command_buffer *secondary)
{
    if (secondary->pass.local_read.has_locations)
        set_locations(cb);
    if (secondary->pass.local_read.has_indices)
        set_indices(cb);
}

#else

void pgs_local_read_inherit(struct pgs_command_buffer *cb,
                            const VkCommandBufferInheritanceInfo *info)
{
    (void)info;
    pgs_local_read_begin(cb, 0);
}

void pgs_local_read_set_again(struct pgs_command_buffer *cb)
{
    (void)cb;
}

void pgs_local_read_restore(struct pgs_command_buffer *cb,
                            const struct pgs_command_buffer *secondary)
{
    (void)cb;
    (void)secondary;
}

#endif
