/* SPDX-License-Identifier: MIT */
#include "memory/limit.h"

#define MIB (UINT64_C(1) << 20)
/* Android ends processes by the memory that they hold, and games need it. */
#define SHARED_MOST_B (256 * MIB)
#define SHARED_LEAST_B (16 * MIB)

uint64_t pgs_largest_heap_B(const struct pgs_physical_device *physical)
{
    const VkPhysicalDeviceMemoryProperties *memory = &physical->memory;
    uint64_t local_B = 0, any_B = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++) {
        const uint64_t size_B = memory->memoryHeaps[i].size;
        const bool local = memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
        if (local && size_B > local_B)
            local_B = size_B;
        if (size_B > any_B)
            any_B = size_B;
    }
    return local_B ? local_B : any_B;
}

uint64_t pgs_memory_limit_B(const struct pgs_physical_device *physical)
{
    const uint32_t setting_MiB = physical->instance ? physical->instance->settings.memory_MiB : 0;
    if (setting_MiB)
        return setting_MiB * MIB;
    if (!physical->traits.shares_memory)
        return UINT64_MAX;
    const uint64_t part_B = pgs_largest_heap_B(physical) / 16;
    return part_B < SHARED_LEAST_B  ? SHARED_LEAST_B
           : part_B < SHARED_MOST_B ? part_B
                                    : SHARED_MOST_B;
}

uint64_t pgs_memory_budget_B(const struct pgs_physical_device *physical, uint32_t heap)
{
    if (!physical->has_memory_budget)
        return UINT64_MAX;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    physical->instance->vk.GetPhysicalDeviceMemoryProperties2(physical->handle, &properties);
    const uint64_t budget_B = budget.heapBudget[heap], used_B = budget.heapUsage[heap];
    return budget_B > used_B ? budget_B - used_B : 0;
}
