/* SPDX-License-Identifier: MIT
 *
 * A fake driver for tests of memory/ and draw/: buffers and memory that can be counted, refused and
 * looked into. Each test includes it once, after cmocka.h. It has three memory types: host-visible,
 * host-visible and coherent, device-local; only the second is really there behind the addresses.
 */
#ifndef PGS_TEST_FAKE_DRIVER_H
#define PGS_TEST_FAKE_DRIVER_H

#include "fake_alive.h"
#include "vulkan/device.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_COHERENT 1 /* its memory type */
#define FAKE_BUFFERS 65536

static struct {
    int memories_limit;     /* 0: none */
    VkDeviceSize largest_B; /* of an allocation; 0: any */
    VkDeviceSize last_allocation_B;
    uint32_t last_type;
    VkBufferUsageFlags last_usage;
    VkDeviceMemory bound[FAKE_BUFFERS]; /* by the number of the buffer */
} fake_driver;

/* The handle of a buffer is also its address: its number in the high word. */
static VkResult fake_create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)device;
    (void)allocator;
    if (FAKE_MAKE(FAKE_BUFFER, buffer) != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    fake_driver.last_usage = info->usage;
    fake_driver.last_allocation_B = info->size;
    *buffer = (VkBuffer)((uintptr_t)*buffer << 32);
    return VK_SUCCESS;
}

static void fake_requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)device;
    (void)buffer;
    *out = (VkMemoryRequirements){
        .size = fake_driver.last_allocation_B, .alignment = 256, .memoryTypeBits = 7};
}

static VkResult fake_allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    (void)device;
    (void)allocator;
    const VkMemoryAllocateFlagsInfo *flags = info->pNext;
    assert_non_null(flags);
    assert_int_equal(flags->sType, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    assert_true(flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    if (fake_fails() || (fake_driver.largest_B && info->allocationSize > fake_driver.largest_B) ||
        (fake_driver.memories_limit && fakes.alive[FAKE_MEMORY] >= fake_driver.memories_limit))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    fakes.alive[FAKE_MEMORY]++;
    fake_driver.last_type = info->memoryTypeIndex;
    const bool real = info->memoryTypeIndex == FAKE_COHERENT;
    *memory = (VkDeviceMemory)(uintptr_t)calloc(1, real ? info->allocationSize : 16);
    return VK_SUCCESS;
}

static void fake_free_memory(VkDevice device, VkDeviceMemory memory,
                             const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    fakes.alive[FAKE_MEMORY] -= memory != VK_NULL_HANDLE;
    free((void *)(uintptr_t)memory);
}

static VkResult fake_bind_memory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                 VkDeviceSize offset)
{
    (void)device;
    assert_int_equal(offset, 0);
    const uint64_t number = (uint64_t)(uintptr_t)buffer >> 32;
    assert_true(number < FAKE_BUFFERS);
    fake_driver.bound[number] = memory;
    return fake_fails() ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static VkResult fake_map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
    (void)device;
    (void)offset;
    (void)size;
    (void)flags;
    if (fake_fails())
        return VK_ERROR_MEMORY_MAP_FAILED;
    *data = (void *)(uintptr_t)memory;
    return VK_SUCCESS;
}

static VkDeviceAddress fake_address_of(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    return (VkDeviceAddress)(uintptr_t)info->buffer;
}

static struct pgs_physical_device fake_physical = {
    .memory = {.memoryTypeCount = 3,
               .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT},
                               [FAKE_COHERENT] = {.propertyFlags =
                                                      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
                               {.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}}},
};
static struct pgs_device fake_device = {
    .physical = &fake_physical,
    .active = true,
    .vk = {.CreateBuffer = fake_create_buffer,
           .DestroyBuffer = fake_destroy_buffer,
           .GetBufferMemoryRequirements = fake_requirements,
           .AllocateMemory = fake_allocate,
           .FreeMemory = fake_free_memory,
           .BindBufferMemory = fake_bind_memory,
           .MapMemory = fake_map_memory,
           .GetBufferDeviceAddress = fake_address_of},
};

#endif
