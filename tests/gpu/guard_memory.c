/* SPDX-License-Identifier: MIT */
#include "gpu/guard_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HANDLE_TYPE VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

/* SwiftShader imports the memory, but says that no buffer may lie there. */
static bool may_import(const struct vkt *t, VkBufferUsageFlags usage)
{
    const VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = usage,
        .handleType = HANDLE_TYPE,
    };
    VkExternalBufferProperties properties = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(t->physical, &info, &properties);
    return properties.externalMemoryProperties.externalMemoryFeatures &
           VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

/* Pages that may be accessed, between others that may not. */
static uint8_t *map_between_guards(size_t size_B, size_t page_B)
{
    uint8_t *pages = mmap(NULL, size_B + 2 * page_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page_B, size_B, PROT_READ | PROT_WRITE) != 0)
        vkt_die("no pages for a buffer");
    return pages + page_B;
}

/* Coherent memory that the host sees, of the types in the mask. */
static uint32_t memory_type(const struct vkt *t, uint32_t types)
{
    const VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < t->memory.memoryTypeCount; i++)
        if ((types >> i & 1) && (t->memory.memoryTypes[i].propertyFlags & want) == want)
            return i;
    vkt_die("no coherent memory of these types: %x", types);
}

static VkDeviceMemory import(struct vkt *t, void *pages, VkDeviceSize size_B, uint32_t types)
{
    VkMemoryHostPointerPropertiesEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VKT_CALL(vkGetMemoryHostPointerPropertiesEXT(t->device, HANDLE_TYPE, pages, &pointer));
    const VkImportMemoryHostPointerInfoEXT imported = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = HANDLE_TYPE,
        .pHostPointer = pages,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &imported,
        .allocationSize = size_B,
        .memoryTypeIndex = memory_type(t, types & pointer.memoryTypeBits),
    };
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(t->device, &info, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    return memory;
}

struct vkt_buffer guard_buffer(struct vkt *t, VkDeviceSize size_B, VkBufferUsageFlags usage,
                               uint8_t fill, enum guard_side side)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = HANDLE_TYPE,
    };
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = may_import(t, usage) ? &external : NULL,
        .size = size_B,
        .usage = usage,
    };
    const VkDeviceSize page_B = (VkDeviceSize)sysconf(_SC_PAGESIZE);
    const VkDeviceSize whole_B = (size_B + page_B - 1) / page_B * page_B;
    struct vkt_buffer b = {.size_B = size_B};
    VkMemoryRequirements needs;
    VKT_CALL(vkCreateBuffer(t->device, &info, NULL, &b.buffer));
    vkGetBufferMemoryRequirements(t->device, b.buffer, &needs);
    if (needs.size != size_B || size_B % GUARD_ALIGN_B)
        vkt_die("buffers of %u bytes need %u", (unsigned)size_B, (unsigned)needs.size);
    uint8_t *pages = map_between_guards(whole_B, page_B);
    b.memory = import(t, pages, whole_B, needs.memoryTypeBits);
    vkt_defer(t, vkt_destroy_buffer, (uint64_t)b.buffer);
    const VkDeviceSize at_B = side == GUARD_END ? whole_B - size_B : 0;
    VKT_CALL(vkBindBufferMemory(t->device, b.buffer, b.memory, at_B));
    b.map = pages + at_B;
    memset(b.map, fill, size_B);
    return b;
}
