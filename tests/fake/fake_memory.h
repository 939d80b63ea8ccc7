/* SPDX-License-Identifier: MIT
 *
 * Buffers and memory of the fake driver, which can be refused and looked into. The number of a
 * buffer, its handle without the shift, is the high word of its address. Memory is there once it is
 * mapped, and all of its bytes are 0xa5.
 */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include "fake_commands.h"
#include "fake_objects.h"

/* Three memory types: host-visible, host-visible and coherent, device-local. */
#define FAKE_MEMORY_TYPES                                                                          \
    {                                                                                              \
        .memoryTypeCount = 3, .memoryTypes = {                                                     \
            {.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT},                                \
            {.propertyFlags =                                                                      \
                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},      \
            {.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}                                 \
        }                                                                                          \
    }

struct fake_memories {
    int limit;              /* of allocations; 0: none */
    VkDeviceSize largest_B; /* of an allocation; 0: any */
    VkDeviceSize last_B;    /* of a buffer or an allocation */
    uint32_t last_type;
    VkBufferUsageFlags last_usage;
    bool last_has_address; /* was allocated for buffers with addresses */
};
extern struct fake_memories fake_memories;

/* What lies at the address of a buffer whose memory is mapped, or NULL. */
void *fake_at(VkDeviceAddress address);

/* The entries of a dispatch table. */
#define FAKE_MEMORY_DISPATCH                                                                       \
    .CreateBuffer = fake_CreateBuffer, .DestroyBuffer = fake_DestroyBuffer,                        \
    .GetBufferMemoryRequirements = fake_GetBufferMemoryRequirements,                               \
    .AllocateMemory = fake_AllocateMemory, .FreeMemory = fake_FreeMemory,                          \
    .BindBufferMemory = fake_BindBufferMemory, .MapMemory = fake_MapMemory,                        \
    .GetBufferDeviceAddress = fake_GetBufferDeviceAddress

#endif
