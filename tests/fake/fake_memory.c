/* SPDX-License-Identifier: MIT
 *
 * Buffers and memory of the fake driver.
 */
#include "fake_memory.h"

#include "fake_internal.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_BUFFERS 65536 /* the last so many are known */

struct fake_memories fake_memories;

struct memory {
    VkDeviceSize size_B;
    unsigned char *bytes; /* once it is mapped */
};
static const struct memory *bound[FAKE_BUFFERS]; /* by the number of the buffer */

static uint64_t number_of(VkBuffer buffer)
{
    return (uint64_t)buffer >> fakes.handle_shift;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator,
                                                 VkBuffer *buffer)
{
    fake_record("vkCreateBuffer", 4,
                (const uint64_t[]){(uint64_t)device, (uint64_t)info, (uint64_t)allocator,
                                   (uint64_t)buffer});
    const VkResult result = FAKE_MAKE(FAKE_BUFFER, buffer);
    fake_memories.last_usage = info->usage;
    fake_memories.last_B = info->size;
    return result;
}

VKAPI_ATTR void VKAPI_CALL fake_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                            VkMemoryRequirements *requirements)
{
    fake_record("vkGetBufferMemoryRequirements", 3,
                (const uint64_t[]){(uint64_t)device, (uint64_t)buffer, (uint64_t)requirements});
    *requirements =
        (VkMemoryRequirements){.size = fake_memories.last_B, .alignment = 256, .memoryTypeBits = 7};
}

VKAPI_ATTR VkResult VKAPI_CALL fake_AllocateMemory(VkDevice device,
                                                   const VkMemoryAllocateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkDeviceMemory *memory)
{
    fake_record("vkAllocateMemory", 4,
                (const uint64_t[]){(uint64_t)device, (uint64_t)info, (uint64_t)allocator,
                                   (uint64_t)memory});
    const struct fake_memories *m = &fake_memories;
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    if ((m->largest_B && info->allocationSize > m->largest_B) ||
        (m->limit && fakes.alive[FAKE_MEMORY] >= m->limit))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryAllocateFlagsInfo *flags = info->pNext;
    fake_memories.last_has_address = flags &&
                                     flags->sType == VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO &&
                                     flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    fake_memories.last_type = info->memoryTypeIndex;
    fake_memories.last_B = info->allocationSize;
    struct memory *made = calloc(1, sizeof(*made));
    if (!made)
        fake_die("out of memory");
    made->size_B = info->allocationSize;
    fakes.alive[FAKE_MEMORY]++;
    *memory = (VkDeviceMemory)made;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                           const VkAllocationCallbacks *allocator)
{
    fake_record("vkFreeMemory", 3,
                (const uint64_t[]){(uint64_t)device, (uint64_t)memory, (uint64_t)allocator});
    struct memory *gone = (struct memory *)memory;
    if (!gone)
        return;
    for (size_t i = 0; i < FAKE_BUFFERS; i++)
        if (bound[i] == gone)
            bound[i] = NULL;
    fakes.alive[FAKE_MEMORY]--;
    free(gone->bytes);
    free(gone);
}

VKAPI_ATTR VkResult VKAPI_CALL fake_BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                     VkDeviceMemory memory, VkDeviceSize offset_B)
{
    fake_record("vkBindBufferMemory", 4,
                (const uint64_t[]){(uint64_t)device, (uint64_t)buffer, (uint64_t)memory, offset_B});
    const VkResult result = fake_result();
    if (result == VK_SUCCESS)
        bound[number_of(buffer) % FAKE_BUFFERS] = (const struct memory *)memory;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_MapMemory(VkDevice device, VkDeviceMemory memory,
                                              VkDeviceSize offset_B, VkDeviceSize size_B,
                                              VkMemoryMapFlags flags, void **data)
{
    fake_record("vkMapMemory", 6,
                (const uint64_t[]){(uint64_t)device, (uint64_t)memory, offset_B, size_B, flags,
                                   (uint64_t)data});
    const VkResult result = fake_result();
    struct memory *mapped = (struct memory *)memory;
    *data = NULL;
    if (result != VK_SUCCESS)
        return result;
    if (!mapped->bytes) {
        mapped->bytes = malloc(mapped->size_B);
        if (!mapped->bytes)
            fake_die("out of memory");
        memset(mapped->bytes, 0xa5, mapped->size_B);
    }
    *data = mapped->bytes + offset_B;
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
fake_GetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    fake_record("vkGetBufferDeviceAddress", 2,
                (const uint64_t[]){(uint64_t)device, (uint64_t)info});
    return number_of(info->buffer) << 32;
}

void *fake_at(VkDeviceAddress address)
{
    const struct memory *memory = bound[(address >> 32) % FAKE_BUFFERS];
    return memory && memory->bytes ? memory->bytes + (uint32_t)address : NULL;
}
