/* SPDX-License-Identifier: MIT
 *
 * What fails when, and the commands of instances.
 */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_INSTANCES 8

/* -- the plan -- */

/* Threads of the layer ask while the program makes a new plan. */
static pthread_mutex_t plan_lock = PTHREAD_MUTEX_INITIALIZER;
static struct starve_plan kept_plan;
static atomic_uint asked, failed;
static _Atomic(const char *) first_failed;
static atomic_bool lost;
static uint64_t limit_memory_B;
static uint32_t limit_allocations;

static struct starve_plan current_plan(void)
{
    pthread_mutex_lock(&plan_lock);
    const struct starve_plan plan = kept_plan;
    pthread_mutex_unlock(&plan_lock);
    return plan;
}

EXPORT void starve_begin(const struct starve_plan *new_plan)
{
    pthread_mutex_lock(&plan_lock);
    kept_plan = *new_plan;
    pthread_mutex_unlock(&plan_lock);
    atomic_store(&asked, 0);
    atomic_store(&failed, 0);
    atomic_store(&first_failed, NULL);
}

EXPORT bool starve_has_reached(void)
{
    return atomic_load(&asked) >= current_plan().n;
}

EXPORT uint32_t starve_failures(const char **first)
{
    if (first)
        *first = atomic_load(&first_failed);
    return atomic_load(&failed);
}

EXPORT void starve_limit(uint64_t memory_B, uint32_t allocations)
{
    limit_memory_B = memory_B;
    limit_allocations = allocations;
    starve_forget_peaks();
}

uint64_t starve_memory_limit_B(void)
{
    return limit_memory_B;
}

uint32_t starve_allocation_limit(void)
{
    return limit_allocations;
}

bool starve_is_lost(void)
{
    return atomic_load(&lost);
}

void starve_find_again(void)
{
    atomic_store(&lost, false);
}

/* Of the bits of x each one changes half of the result. */
static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static unsigned bit_of(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return MAY_HOST;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return MAY_DEVICE;
    case VK_ERROR_DEVICE_LOST:
        return MAY_LOST;
    default:
        return 0;
    }
}

bool starve_fails(const char *command, unsigned may, VkResult *result)
{
    if (may & MAY_LOST && starve_is_lost()) {
        *result = VK_ERROR_DEVICE_LOST;
        return true;
    }
    const struct starve_plan plan = current_plan();
    if (!(may & bit_of(plan.result)))
        return false;
    const uint32_t number = atomic_fetch_add(&asked, 1) + 1;
    if (number < plan.n || (number > plan.n && !plan.seed) ||
        (number > plan.n && mix(plan.seed * 0x9e3779b9u + number) & 1))
        return false;
    if (atomic_fetch_add(&failed, 1) == 0)
        atomic_store(&first_failed, command);
    if (plan.result == VK_ERROR_DEVICE_LOST)
        atomic_store(&lost, true);
    *result = plan.result;
    return true;
}

/* -- instances -- */

#define COMMANDS(X)                                                                                \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceMemoryProperties2)                                                          \
    X(CreateDevice)

static struct instance {
    void *key;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next;
#define X(name) PFN_vk##name name;
    COMMANDS(X)
#undef X
} instances[MAX_INSTANCES];

static struct instance *find(const void *dispatchable)
{
    for (int i = 0; i < MAX_INSTANCES; i++)
        if (instances[i].key == starve_key(dispatchable))
            return &instances[i];
    fprintf(stderr, "starve: an instance that was not created\n");
    abort();
}

/* Once only: later the loader hands out what is above. */
static void load(struct instance *own)
{
#define X(command) own->command = (PFN_vk##command)own->next(own->handle, "vk" #command);
    COMMANDS(X)
#undef X
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link =
        starve_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    struct instance *own = instances;
    VkResult result;
    while (own < instances + MAX_INSTANCES && own->key)
        own++;
    if (!link || own == instances + MAX_INSTANCES)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (starve_fails("vkCreateInstance", MAY_MEMORY, &result))
        return result;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    result = ((PFN_vkCreateInstance)next(NULL, "vkCreateInstance"))(info, allocator, instance);
    if (result == VK_SUCCESS) {
        *own = (struct instance){.key = starve_key(*instance), .handle = *instance, .next = next};
        load(own);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                   const VkAllocationCallbacks *allocator)
{
    if (!instance)
        return;
    struct instance *own = find(instance);
    const PFN_vkDestroyInstance destroy = own->DestroyInstance;
    *own = (struct instance){0};
    destroy(instance, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_devices(VkInstance instance, uint32_t *count,
                                                        VkPhysicalDevice *devices)
{
    VkResult result;
    if (starve_fails("vkEnumeratePhysicalDevices", MAY_MEMORY, &result))
        return result;
    return find(instance)->EnumeratePhysicalDevices(instance, count, devices);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physical,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *properties)
{
    VkResult result;
    if (starve_fails("vkEnumerateDeviceExtensionProperties", MAY_MEMORY, &result))
        return result;
    return find(physical)->EnumerateDeviceExtensionProperties(physical, layer, count, properties);
}

static void limit_heaps(VkPhysicalDeviceMemoryProperties *memory)
{
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if (limit_memory_B && memory->memoryHeaps[i].size > limit_memory_B)
            memory->memoryHeaps[i].size = limit_memory_B;
}

static VKAPI_ATTR void VKAPI_CALL get_memory(VkPhysicalDevice physical,
                                             VkPhysicalDeviceMemoryProperties *memory)
{
    find(physical)->GetPhysicalDeviceMemoryProperties(physical, memory);
    limit_heaps(memory);
}

static VKAPI_ATTR void VKAPI_CALL get_memory2(VkPhysicalDevice physical,
                                              VkPhysicalDeviceMemoryProperties2 *memory)
{
    find(physical)->GetPhysicalDeviceMemoryProperties2(physical, memory);
    limit_heaps(&memory->memoryProperties);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    VkResult result;
    if (starve_fails("vkCreateDevice", MAY_MEMORY | MAY_LOST, &result)) {
        starve_find_again(); /* there is none that stays lost */
        return result;
    }
    return starve_create_device(find(physical)->CreateDevice, physical, info, allocator, device);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance,
                                                                       const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } own[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc_addr},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
        {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)enumerate_devices},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)enumerate_extensions},
        {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)get_memory},
        {"vkGetPhysicalDeviceMemoryProperties2", (PFN_vkVoidFunction)get_memory2},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)starve_device_proc},
    };
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(name, own[i].name) == 0)
            return own[i].function;
    return instance ? find(instance)->next(instance, name) : NULL;
}

EXPORT VkResult pgs_test_starve_negotiate(VkNegotiateLayerInterface *interface);

EXPORT VkResult pgs_test_starve_negotiate(VkNegotiateLayerInterface *interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance_proc_addr;
    interface->pfnGetDeviceProcAddr = starve_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
