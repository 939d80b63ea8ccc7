/* SPDX-License-Identifier: MIT */
#include "gpu/xfb.h"

#include <stdarg.h>
#include <string.h>

#define MAX_RANGES 4

struct vkt_buffer xfb_buffer(struct vkt *t, VkDeviceSize size_B)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
        VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return vkt_buffer(t, size_B, usage, XFB_FILL);
}

void xfb_bind(VkCommandBuffer cmd, uint32_t first, uint32_t count, const struct xfb_range *ranges)
{
    VkBuffer buffers[MAX_RANGES];
    VkDeviceSize offsets_B[MAX_RANGES], sizes_B[MAX_RANGES];
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = ranges[i].buffer;
        offsets_B[i] = ranges[i].offset_B;
        sizes_B[i] = ranges[i].size_B;
    }
    vkCmdBindTransformFeedbackBuffersEXT(cmd, first, count, buffers, offsets_B, sizes_B);
}

static void split(uint32_t count, const struct xfb_range *counters, VkBuffer *buffers,
                  VkDeviceSize *offsets_B)
{
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = counters[i].buffer;
        offsets_B[i] = counters[i].offset_B;
    }
}

void xfb_begin(VkCommandBuffer cmd, uint32_t first, uint32_t count,
               const struct xfb_range *counters)
{
    VkBuffer buffers[MAX_RANGES];
    VkDeviceSize offsets_B[MAX_RANGES];
    split(count, counters, buffers, offsets_B);
    vkCmdBeginTransformFeedbackEXT(cmd, first, count, count ? buffers : NULL,
                                   count ? offsets_B : NULL);
}

void xfb_end(VkCommandBuffer cmd, uint32_t first, uint32_t count, const struct xfb_range *counters)
{
    VkBuffer buffers[MAX_RANGES];
    VkDeviceSize offsets_B[MAX_RANGES];
    split(count, counters, buffers, offsets_B);
    vkCmdEndTransformFeedbackEXT(cmd, first, count, count ? buffers : NULL,
                                 count ? offsets_B : NULL);
}

void xfb_barrier(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |
                         VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                         VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT |
                             VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                             VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                             VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Stages before the rasterizer, which may depend on one another in any order. VERTEX_INPUT cannot
 * be said with VkSubpassDependency alone: the validation layer takes its two halves for more, and
 * it wants BY_REGION, which means nothing to these stages. xfb_target adds conditional
 * rendering where there is any. */
static VkMemoryBarrier2 inside = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
    .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
                    VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
                    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
    .srcAccessMask = VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                     VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
    .dstStageMask = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
                    VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
    .dstAccessMask = VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                     VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                     VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |
                     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT,
};

void xfb_subpass_barrier(VkCommandBuffer cmd)
{
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &inside,
    };
    vkCmdPipelineBarrier2(cmd, &info);
}

void xfb_subpass_counter_barrier(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
    };
    const VkPipelineStageFlags xfb = VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT;
    vkCmdPipelineBarrier(cmd, xfb, xfb | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL, 0, NULL);
}

/* The same for devices of Vulkan 1.1, which know neither half of VERTEX_INPUT alone. */
static bool is_old;

static VkPipelineStageFlags old_stages(VkPipelineStageFlags2 stages)
{
    const VkPipelineStageFlags2 input =
        VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
    return (VkPipelineStageFlags)(stages & ~(input | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)) |
           (stages & input ? VK_PIPELINE_STAGE_VERTEX_INPUT_BIT : 0) |
           (stages & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0);
}

static VkSubpassDependency old_dependency(const VkSubpassDependency2 *dependency)
{
    const VkMemoryBarrier2 *barrier = dependency->pNext;
    return (VkSubpassDependency){
        .srcSubpass = dependency->srcSubpass,
        .dstSubpass = dependency->dstSubpass,
        .srcStageMask = old_stages(barrier->srcStageMask),
        .dstStageMask = old_stages(barrier->dstStageMask),
        .srcAccessMask = (VkAccessFlags)barrier->srcAccessMask,
        .dstAccessMask = (VkAccessFlags)barrier->dstAccessMask,
        .dependencyFlags = dependency->dependencyFlags,
    };
}

/* The same pass by vkCreateRenderPass. */
static VkRenderPass make_old_pass(struct vkt *t, const VkRenderPassCreateInfo2 *info2)
{
    const VkAttachmentDescription2 *from = info2->pAttachments;
    const VkAttachmentDescription attachment = {
        .format = from->format,
        .samples = from->samples,
        .loadOp = from->loadOp,
        .storeOp = from->storeOp,
        .stencilLoadOp = from->stencilLoadOp,
        .stencilStoreOp = from->stencilStoreOp,
        .initialLayout = from->initialLayout,
        .finalLayout = from->finalLayout,
    };
    const VkAttachmentReference reference = {
        .layout = info2->pSubpasses->pColorAttachments->layout,
    };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    VkSubpassDependency dependencies[3];
    for (uint32_t i = 0; i < info2->dependencyCount; i++)
        dependencies[i] = old_dependency(&info2->pDependencies[i]);
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = info2->dependencyCount,
        .pDependencies = dependencies,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

static VkRenderPass make_pass(struct vkt *t, VkFormat format, bool load)
{
    const VkAttachmentDescription2 attachment = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = load ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference2 reference = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
        .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    VkMemoryBarrier2 before = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask =
            VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstAccessMask =
            VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
    };
    VkMemoryBarrier2 after = before;
    after.srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    after.dstStageMask |= VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    after.dstAccessMask |= VK_ACCESS_2_TRANSFER_READ_BIT;
    const VkStructureType type = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2;
    const VkSubpassDependency2 dependencies[3] = {
        {.sType = type, .pNext = &before, .srcSubpass = VK_SUBPASS_EXTERNAL},
        {.sType = type, .pNext = &inside, .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT},
        {.sType = type, .pNext = &after, .dstSubpass = VK_SUBPASS_EXTERNAL},
    };
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    if (is_old)
        return make_old_pass(t, &info);
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass2(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

struct vkt_target xfb_target(struct vkt *t, uint32_t side_px)
{
    struct vkt_target target = {0};
    is_old = t->properties.apiVersion < VK_API_VERSION_1_3;
    if (t->features.condition)
        inside.srcStageMask |= VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
    target.color = vkt_image(t, VK_FORMAT_R32_UINT, side_px, side_px,
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    target.pass = make_pass(t, VK_FORMAT_R32_UINT, false);
    target.load_pass = make_pass(t, VK_FORMAT_R32_UINT, true);
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target.pass,
        .attachmentCount = 1,
        .pAttachments = &target.color.view,
        .width = side_px,
        .height = side_px,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &target.framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)target.framebuffer);
    return target;
}

uint32_t xfb_word(const struct vkt_buffer *buffer, VkDeviceSize offset_B)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)buffer->map + offset_B, sizeof(word));
    return word;
}

void xfb_expect_rest(struct vkt *t, const char *name, const struct vkt_buffer *buffer,
                     VkDeviceSize offset_B)
{
    const uint8_t *bytes = buffer->map;
    for (VkDeviceSize i = offset_B; i < buffer->size_B; i++) {
        if (bytes[i] == XFB_FILL)
            continue;
        VKT_EXPECT(t, false, "%s: byte %llu was written", name, (unsigned long long)i);
        return;
    }
}

void xfb_dump(struct vkt *t, const void *bytes, size_t size_B, const char *format, ...)
{
    char name[128];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    vkt_dump_buffer(t, name, bytes, size_B);
}

void xfb_dump_target(struct vkt *t, const struct vkt_target *target, const char *format, ...)
{
    char name[128];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    vkt_dump_image(t, name, pixels.map, target->color.width_px, target->color.height_px, 4);
}
