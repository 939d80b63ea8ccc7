/* SPDX-License-Identifier: MIT */
#include "device_internal.h"

#include <stdlib.h>

VKAPI_ATTR VkResult VKAPI_CALL profile_AllocateMemory(VkDevice device,
                                                      const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkDeviceMemory *memory)
{
    struct profile_device *d = profile_device_of(device);
    if (d->max_allocation_B && info->allocationSize > d->max_allocation_B)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY; /* as drivers do, and no mistake */
    const VkResult result = d->vk.AllocateMemory(device, info, allocator, memory);
    if (result != VK_SUCCESS)
        return result;
    uint64_t *size_B = malloc(sizeof(*size_B));
    if (size_B)
        *size_B = info->allocationSize;
    objects_add(&d->objects, HANDLE(*memory), size_B);
    const uint64_t now_B =
        atomic_fetch_add(&d->memory_B, info->allocationSize) + info->allocationSize;
    uint_fast64_t peak_B = atomic_load(&d->memory_peak_B);
    while (now_B > peak_B && !atomic_compare_exchange_weak(&d->memory_peak_B, &peak_B, now_B))
        ;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                              const VkAllocationCallbacks *allocator)
{
    struct profile_device *d = profile_device_of(device);
    const uint64_t *size_B = objects_find(&d->objects, HANDLE(memory));
    if (size_B)
        atomic_fetch_sub(&d->memory_B, *size_B);
    objects_remove(&d->objects, HANDLE(memory));
    d->vk.FreeMemory(device, memory, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL profile_CreateQueryPool(VkDevice device,
                                                       const VkQueryPoolCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkQueryPool *pool)
{
    const struct profile_device *d = profile_device_of(device);
    if (info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS &&
        !d->features.pipelineStatisticsQuery)
        return profile_exceeded(d, "a query pool without pipelineStatisticsQuery");
    return d->vk.CreateQueryPool(device, info, allocator, pool);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdPushConstants(VkCommandBuffer cmd, VkPipelineLayout layout,
                                                    VkShaderStageFlags stages, uint32_t offset,
                                                    uint32_t size, const void *values)
{
    const struct profile_device *d = profile_device_of(cmd);
    if (offset + size > d->limits.maxPushConstantsSize)
        profile_exceeded(d, "vkCmdPushConstants up to byte %u of %u", offset + size,
                         d->limits.maxPushConstantsSize);
    d->vk.CmdPushConstants(cmd, layout, stages, offset, size, values);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdBindDescriptorSets(
    VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
    uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    const struct profile_device *d = profile_device_of(cmd);
    if (first + count > d->limits.maxBoundDescriptorSets)
        profile_exceeded(d, "set %u is bound, of %u", first + count - 1,
                         d->limits.maxBoundDescriptorSets);
    d->vk.CmdBindDescriptorSets(cmd, point, layout, first, count, sets, offset_count, offsets);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdBindVertexBuffers(VkCommandBuffer cmd, uint32_t first,
                                                        uint32_t count, const VkBuffer *buffers,
                                                        const VkDeviceSize *offsets)
{
    const struct profile_device *d = profile_device_of(cmd);
    if (first + count > d->limits.maxVertexInputBindings)
        profile_exceeded(d, "vertex buffer %u is bound, of %u", first + count - 1,
                         d->limits.maxVertexInputBindings);
    d->vk.CmdBindVertexBuffers(cmd, first, count, buffers, offsets);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdBindVertexBuffers2(VkCommandBuffer cmd, uint32_t first,
                                                         uint32_t count, const VkBuffer *buffers,
                                                         const VkDeviceSize *offsets,
                                                         const VkDeviceSize *sizes,
                                                         const VkDeviceSize *strides)
{
    const struct profile_device *d = profile_device_of(cmd);
    const VkPhysicalDeviceLimits *l = &d->limits;
    if (first + count > l->maxVertexInputBindings)
        profile_exceeded(d, "vertex buffer %u is bound, of %u", first + count - 1,
                         l->maxVertexInputBindings);
    for (uint32_t i = 0; strides && i < count; i++)
        if (strides[i] > l->maxVertexInputBindingStride)
            profile_exceeded(d, "vertex buffer %u is bound with a stride of %llu, of %u", first + i,
                             (unsigned long long)strides[i], l->maxVertexInputBindingStride);
    d->vk.CmdBindVertexBuffers2(cmd, first, count, buffers, offsets, sizes, strides);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdSetVertexInputEXT(
    VkCommandBuffer cmd, uint32_t binding_count,
    const VkVertexInputBindingDescription2EXT *bindings, uint32_t attribute_count,
    const VkVertexInputAttributeDescription2EXT *attributes)
{
    const struct profile_device *d = profile_device_of(cmd);
    const VkPhysicalDeviceLimits *l = &d->limits;
    if (attribute_count > l->maxVertexInputAttributes || binding_count > l->maxVertexInputBindings)
        profile_exceeded(d, "%u vertex attributes of %u bindings are set, of %u and %u",
                         attribute_count, binding_count, l->maxVertexInputAttributes,
                         l->maxVertexInputBindings);
    for (uint32_t i = 0; i < attribute_count; i++)
        if (attributes[i].location >= l->maxVertexInputAttributes ||
            attributes[i].binding >= l->maxVertexInputBindings ||
            attributes[i].offset > l->maxVertexInputAttributeOffset)
            profile_exceeded(d, "the vertex attribute %u of binding %u is set at byte %u",
                             attributes[i].location, attributes[i].binding, attributes[i].offset);
    for (uint32_t i = 0; i < binding_count; i++)
        if (bindings[i].binding >= l->maxVertexInputBindings ||
            bindings[i].stride > l->maxVertexInputBindingStride)
            profile_exceeded(d, "the vertex binding %u is set with a stride of %u",
                             bindings[i].binding, bindings[i].stride);
    d->vk.CmdSetVertexInputEXT(cmd, binding_count, bindings, attribute_count, attributes);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y,
                                               uint32_t z)
{
    const struct profile_device *d = profile_device_of(cmd);
    const uint32_t *most = d->limits.maxComputeWorkGroupCount;
    if (x > most[0] || y > most[1] || z > most[2])
        profile_exceeded(d, "a dispatch of %u x %u x %u groups, of %u x %u x %u", x, y, z, most[0],
                         most[1], most[2]);
    d->vk.CmdDispatch(cmd, x, y, z);
}

static void check_indirect(const struct profile_device *d, uint32_t count)
{
    if (count > 1 && !d->features.multiDrawIndirect)
        profile_exceeded(d, "%u indirect draws without multiDrawIndirect", count);
    if (count > d->limits.maxDrawIndirectCount)
        profile_exceeded(d, "%u indirect draws, of %u", count, d->limits.maxDrawIndirectCount);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdDrawIndirect(VkCommandBuffer cmd, VkBuffer buffer,
                                                   VkDeviceSize offset, uint32_t count,
                                                   uint32_t stride)
{
    const struct profile_device *d = profile_device_of(cmd);
    check_indirect(d, count);
    d->vk.CmdDrawIndirect(cmd, buffer, offset, count, stride);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdDrawIndexedIndirect(VkCommandBuffer cmd, VkBuffer buffer,
                                                          VkDeviceSize offset, uint32_t count,
                                                          uint32_t stride)
{
    const struct profile_device *d = profile_device_of(cmd);
    check_indirect(d, count);
    d->vk.CmdDrawIndexedIndirect(cmd, buffer, offset, count, stride);
}

static void check_viewports(const struct profile_device *d, const char *what, uint32_t first,
                            uint32_t count)
{
    const uint32_t most = d->features.multiViewport ? d->limits.maxViewports : 1;
    if (first + count > most)
        profile_exceeded(d, "%s %u is set, of %u", what, first + count - 1, most);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdSetViewport(VkCommandBuffer cmd, uint32_t first,
                                                  uint32_t count, const VkViewport *viewports)
{
    const struct profile_device *d = profile_device_of(cmd);
    check_viewports(d, "viewport", first, count);
    d->vk.CmdSetViewport(cmd, first, count, viewports);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdSetScissor(VkCommandBuffer cmd, uint32_t first,
                                                 uint32_t count, const VkRect2D *scissors)
{
    const struct profile_device *d = profile_device_of(cmd);
    check_viewports(d, "scissor", first, count);
    d->vk.CmdSetScissor(cmd, first, count, scissors);
}
