/* SPDX-License-Identifier: MIT
 *
 * Commands of the driver that note what they are given. To be included, after fake_events.h, by
 * the one file of a program that draws.
 */
#ifndef FAKE_DRAW_COMMANDS_H
#define FAKE_DRAW_COMMANDS_H

static void draw_indexed_count(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                               VkBuffer count_buffer, VkDeviceSize count_offset, uint32_t max_count,
                               uint32_t stride)
{
    (void)cb, (void)buffer, (void)count_buffer;
    note("draw indexed indirect %u@%u*%u,%u", max_count, (unsigned)offset, stride,
         (unsigned)count_offset);
}

static void draw_multi(VkCommandBuffer cb, uint32_t count, const VkMultiDrawInfoEXT *draws,
                       uint32_t instances, uint32_t first_instance, uint32_t stride)
{
    (void)cb;
    note("draw multi %u*%u,%u:", count, instances, first_instance);
    for (uint32_t i = 0; i < count; i++) {
        VkMultiDrawInfoEXT info;
        memcpy(&info, (const char *)draws + (size_t)i * stride, sizeof(info));
        note_more("%u@%u,", info.vertexCount, info.firstVertex);
    }
}

static void draw_multi_indexed(VkCommandBuffer cb, uint32_t count,
                               const VkMultiDrawIndexedInfoEXT *draws, uint32_t instances,
                               uint32_t first_instance, uint32_t stride, const int32_t *offset)
{
    (void)cb;
    note("draw multi indexed %u*%u,%u:", count, instances, first_instance);
    for (uint32_t i = 0; i < count; i++) {
        VkMultiDrawIndexedInfoEXT info;
        memcpy(&info, (const char *)draws + (size_t)i * stride, sizeof(info));
        note_more("%u@%u,", info.indexCount, info.firstIndex);
    }
    if (offset)
        note_more("%d", *offset);
}

static void set_discard(VkCommandBuffer cb, VkBool32 discard)
{
    (void)cb;
    note("discard %u", discard);
}

static void set_provoking(VkCommandBuffer cb, VkProvokingVertexModeEXT mode)
{
    (void)cb;
    note("provoking %u", (unsigned)mode);
}

static void set_polygon_mode(VkCommandBuffer cb, VkPolygonMode mode)
{
    (void)cb;
    note("polygon %u", (unsigned)mode);
}

static void set_sample_mask(VkCommandBuffer cb, VkSampleCountFlagBits samples,
                            const VkSampleMask *mask)
{
    (void)cb;
    note("samples %u:%x", (unsigned)samples, mask[(samples - 1) / 32]);
}

static void set_blend(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkBool32 *enables)
{
    (void)cb;
    for (uint32_t i = 0; i < count; i++)
        note("blend %u:%u", first + i, enables[i]);
}

static void set_equation(VkCommandBuffer cb, uint32_t first, uint32_t count,
                         const VkColorBlendEquationEXT *equations)
{
    (void)cb;
    for (uint32_t i = 0; i < count; i++)
        note("equation %u:%u", first + i, (unsigned)equations[i].alphaBlendOp);
}

static void bind_vertices_of_driver(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                    const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)count;
    note("vertex %u:%u+%u", first, (unsigned)(uintptr_t)buffers[0], (unsigned)offsets[0]);
}

static void bind_vertices2_of_driver(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                     const VkBuffer *buffers, const VkDeviceSize *offsets,
                                     const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
    bind_vertices_of_driver(cb, first, count, buffers, offsets);
    if (sizes)
        note_more(" size %u", (unsigned)sizes[0]);
    if (strides)
        note_more(" stride %u", (unsigned)strides[0]);
}

static void push_to_driver(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset_B, uint32_t size_B, const void *values)
{
    uint32_t first;
    (void)cb;
    memcpy(&first, values, sizeof(first));
    note("push %x for %u at %u+%u: %u", (unsigned)stages, (unsigned)(uintptr_t)layout, offset_B,
         size_B, first);
}

static void bind_indices_of_driver(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                                   VkIndexType type)
{
    (void)cb, (void)type;
    note("index %u+%u", (unsigned)(uintptr_t)buffer, (unsigned)offset);
}

static void set_vertex_input_of_driver(VkCommandBuffer cb, uint32_t binding_count,
                                       const VkVertexInputBindingDescription2EXT *bindings,
                                       uint32_t attribute_count,
                                       const VkVertexInputAttributeDescription2EXT *attributes)
{
    (void)cb;
    note("input");
    for (uint32_t i = 0; i < binding_count; i++)
        note_more(" %u:%u/%u", bindings[i].binding, bindings[i].stride, bindings[i].divisor);
    for (uint32_t i = 0; i < attribute_count; i++)
        note_more(" %u=%u+%u", attributes[i].location, attributes[i].binding, attributes[i].offset);
}

static void set_line_width(VkCommandBuffer cb, float width)
{
    (void)cb;
    note("width %g", (double)width);
}

static void set_restart_enable(VkCommandBuffer cb, VkBool32 enable)
{
    (void)cb;
    note("restart %u", enable);
}

/* --- Set-up --- */

#endif
