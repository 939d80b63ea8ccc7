/* SPDX-License-Identifier: MIT
 *
 * The commands of a fake driver that tests of passes with several layers look at. To be included,
 * after fake_events.h, fake_linear.h and fake_objects.h, by one file of a program.
 */
#ifndef FAKE_LAYERS_H
#define FAKE_LAYERS_H

static inline VkResult create_view(VkDevice d, const VkImageViewCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkImageView *view)
{
    const VkResult result = FAKE_MAKE(FAKE_VIEW, view);
    const VkImageViewUsageCreateInfo *usage = info->pNext;
    (void)d, (void)allocator;
    if (result == VK_SUCCESS)
        note("view %u type %d,%u+%u%s", (unsigned)(uintptr_t)*view, (int)info->viewType,
             info->subresourceRange.baseArrayLayer, info->subresourceRange.layerCount,
             usage && usage->usage == 0x10 ? "u" : "");
    return result;
}

static inline VkResult create_framebuffer(VkDevice d, const VkFramebufferCreateInfo *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkFramebuffer *made)
{
    const VkFramebufferAttachmentsCreateInfo *images = info->pNext;
    const VkResult result = FAKE_MAKE(FAKE_FRAMEBUFFER, made);
    (void)d, (void)allocator;
    if (result != VK_SUCCESS)
        return result;
    note("fb %u:%u,pass%u", (unsigned)(uintptr_t)*made, info->layers,
         (unsigned)(uintptr_t)info->renderPass);
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        if (images)
            note("image:%u,%d", images->pAttachmentImageInfos[i].layerCount,
                 images->pAttachmentImageInfos[i].pViewFormats[0]);
        else
            note("with %u", (unsigned)(uintptr_t)info->pAttachments[i]);
    }
    return result;
}

static inline VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    const VkResult result = FAKE_MAKE(FAKE_PASS, pass);
    (void)d, (void)allocator;
    if (result == VK_SUCCESS)
        note("pass %u:%d-%d", (unsigned)(uintptr_t)*pass, (int)info->pAttachments[0].initialLayout,
             (int)info->pAttachments[0].finalLayout);
    return result;
}

static inline void begin_with_views(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                                    VkSubpassContents contents)
{
    const VkRenderPassAttachmentBeginInfo *views = info->pNext;
    (void)cb;
    note("begin pass %u,%u%s", (unsigned)(uintptr_t)info->renderPass,
         (unsigned)(uintptr_t)info->framebuffer, contents ? "s" : "");
    for (uint32_t i = 0; views && i < views->attachmentCount; i++)
        note("on %u", (unsigned)(uintptr_t)views->pAttachments[i]);
}

static inline void begin_on(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    (void)cb;
    const VkRenderingAttachmentInfo *color = info->pColorAttachments;
    note("begin pass %u", info->layerCount);
    if (info->flags || color->loadOp || color->storeOp)
        note("flags %x,load%d,store%d", info->flags, (int)color->loadOp, (int)color->storeOp);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        note("on %u,%u", (unsigned)(uintptr_t)info->pColorAttachments[i].imageView,
             (unsigned)(uintptr_t)info->pColorAttachments[i].resolveImageView);
    if (info->pDepthAttachment)
        note("depth %u", (unsigned)(uintptr_t)info->pDepthAttachment->imageView);
}

static inline void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                             uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                             uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)point;
    note("set %u:%u,layout%u", first, (unsigned)(uintptr_t)sets[0], (unsigned)(uintptr_t)layout);
    for (uint32_t i = 1; i < count; i++)
        note("and %u", (unsigned)(uintptr_t)sets[i]);
    for (uint32_t i = 0; i < offset_count; i++)
        note("at %u", offsets[i]);
}

static inline void bind_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                       const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)count;
    if (buffers[0] == NUMBERS) {
        const uint32_t *read = numbers + (offsets[0] - 64) / 4;
        note("layer %u%s@%u", read[0], read[1] ? "+" : "", first);
    } else
        note("vertex %u:%u", first, (unsigned)(uintptr_t)buffers[0]);
}

static inline void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                        uint32_t offset, uint32_t size, const void *values)
{
    uint32_t first;
    (void)cb, (void)layout, (void)stages, (void)offset, (void)size;
    memcpy(&first, values, sizeof(first));
    note("push %u", first);
}

static inline void push_set(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                            uint32_t index, uint32_t count, const VkWriteDescriptorSet *writes)
{
    (void)cb, (void)layout;
    note("push %s%u:", point ? "compute " : "", index);
    for (uint32_t i = 0; i < count; i++)
        note_more(" %u=%u", writes[i].dstBinding, (unsigned)writes[i].pBufferInfo->offset);
}

static inline void set_line_width(VkCommandBuffer cb, float width)
{
    (void)cb;
    note("width %d", (int)width);
}

static inline void set_viewport(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                const VkViewport *viewports)
{
    (void)cb, (void)count;
    note("viewport %u:%d", first, (int)viewports[0].width);
}

static inline void set_scissor_with_count(VkCommandBuffer cb, uint32_t count,
                                          const VkRect2D *scissors)
{
    (void)cb;
    note("scissors %u:%u", count, scissors[0].extent.width);
}

static inline void set_reference(VkCommandBuffer cb, VkStencilFaceFlags faces, uint32_t value)
{
    (void)cb;
    note("reference %u:%u", faces, value);
}

static inline void clear_attachments(VkCommandBuffer cb, uint32_t count,
                                     const VkClearAttachment *attachments, uint32_t rectangle_count,
                                     const VkClearRect *rectangles)
{
    (void)cb, (void)count, (void)attachments;
    note("clear");
    for (uint32_t i = 0; i < rectangle_count; i++)
        note("%u:%u+%u", rectangles[i].rect.extent.width, rectangles[i].baseArrayLayer,
             rectangles[i].layerCount);
}

static inline void barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                           VkPipelineStageFlags target, VkDependencyFlags flags,
                           uint32_t memory_count, const VkMemoryBarrier *memory,
                           uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                           uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)source, (void)target, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer;
    note("barrier");
    if (image_count)
        note("%d-%d:%u+%u,%x", (int)image[0].oldLayout, (int)image[0].newLayout,
             image[0].subresourceRange.baseArrayLayer, image[0].subresourceRange.layerCount,
             image[0].subresourceRange.aspectMask);
}

static inline void write_timestamp(VkCommandBuffer cb, VkPipelineStageFlagBits stage,
                                   VkQueryPool from, uint32_t query)
{
    (void)cb, (void)stage, (void)from, (void)query;
    note("write timestamp");
}

#endif
