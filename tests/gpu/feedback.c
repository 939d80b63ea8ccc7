/* SPDX-License-Identifier: MIT */
#include "gpu/feedback.h"

#include <stdarg.h>
#include <string.h>

#define MAX_RANGES 4

struct vkt_buffer feedback_buffer(struct vkt *t, VkDeviceSize size_B)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return vkt_buffer(t, size_B, usage, FEEDBACK_FILL);
}

void feedback_bind(VkCommandBuffer cmd, uint32_t first, uint32_t count,
                   const struct feedback_range *ranges)
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

static void split(uint32_t count, const struct feedback_range *counters, VkBuffer *buffers,
                  VkDeviceSize *offsets_B)
{
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = counters[i].buffer;
        offsets_B[i] = counters[i].offset_B;
    }
}

void feedback_begin(VkCommandBuffer cmd, uint32_t first, uint32_t count,
                    const struct feedback_range *counters)
{
    VkBuffer buffers[MAX_RANGES];
    VkDeviceSize offsets_B[MAX_RANGES];
    split(count, counters, buffers, offsets_B);
    vkCmdBeginTransformFeedbackEXT(cmd, first, count, count ? buffers : NULL,
                                   count ? offsets_B : NULL);
}

void feedback_end(VkCommandBuffer cmd, uint32_t first, uint32_t count,
                  const struct feedback_range *counters)
{
    VkBuffer buffers[MAX_RANGES];
    VkDeviceSize offsets_B[MAX_RANGES];
    split(count, counters, buffers, offsets_B);
    vkCmdEndTransformFeedbackEXT(cmd, first, count, count ? buffers : NULL,
                                 count ? offsets_B : NULL);
}

void feedback_barrier(VkCommandBuffer cmd)
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

uint32_t feedback_word(const struct vkt_buffer *buffer, VkDeviceSize offset_B)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)buffer->map + offset_B, sizeof(word));
    return word;
}

void feedback_expect_rest(struct vkt *t, const char *name, const struct vkt_buffer *buffer,
                          VkDeviceSize offset_B)
{
    const uint8_t *bytes = buffer->map;
    for (VkDeviceSize i = offset_B; i < buffer->size_B; i++) {
        if (bytes[i] == FEEDBACK_FILL)
            continue;
        VKT_EXPECT(t, false, "%s: byte %llu was written", name, (unsigned long long)i);
        return;
    }
}

void feedback_dump(struct vkt *t, const void *bytes, size_t size_B, const char *format, ...)
{
    char name[128];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    vkt_dump_buffer(t, name, bytes, size_B);
}

void feedback_dump_target(struct vkt *t, const struct vkt_target *target, const char *format, ...)
{
    char name[128];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    vkt_dump_image(t, name, pixels.map, target->color.width_px, target->color.height_px, 4);
}
