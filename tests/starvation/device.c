/* SPDX-License-Identifier: MIT
 *
 * The commands of devices: what fails, and what is alive.
 */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_DEVICES 16
#define MAX_ALLOCATIONS 8192
#define GARBAGE ((uintptr_t)0xbad0bad0bad0bad0u)

/* Commands of one shape: vkCreateX(device, info, allocator, &x), vkDestroyX(device, x, allocator).
 */
#define CREATED(X)                                                                                 \
    X(Buffer)                                                                                      \
    X(BufferView)                                                                                  \
    X(Image)                                                                                       \
    X(ImageView)                                                                                   \
    X(ShaderModule)                                                                                \
    X(PipelineLayout)                                                                              \
    X(DescriptorSetLayout)                                                                         \
    X(DescriptorPool)                                                                              \
    X(DescriptorUpdateTemplate)                                                                    \
    X(RenderPass)                                                                                  \
    X(Framebuffer)                                                                                 \
    X(QueryPool)                                                                                   \
    X(CommandPool)                                                                                 \
    X(PipelineCache)                                                                               \
    X(Sampler)                                                                                     \
    X(Fence)                                                                                       \
    X(Semaphore)                                                                                   \
    X(Event)                                                                                       \
    X(PrivateDataSlot)

/* Those that make nothing which is counted: what they may return, parameters, arguments. */
#define PLAIN(X)                                                                                   \
    X(BeginCommandBuffer, MAY_MEMORY,                                                              \
      (VkCommandBuffer object, const VkCommandBufferBeginInfo *info), (object, info))              \
    X(EndCommandBuffer, MAY_MEMORY, (VkCommandBuffer object), (object))                            \
    X(ResetCommandBuffer, MAY_DEVICE, (VkCommandBuffer object, VkCommandBufferResetFlags flags),   \
      (object, flags))                                                                             \
    X(ResetCommandPool, MAY_DEVICE,                                                                \
      (VkDevice object, VkCommandPool pool, VkCommandPoolResetFlags flags), (object, pool, flags)) \
    X(MapMemory, MAY_MEMORY,                                                                       \
      (VkDevice object, VkDeviceMemory memory, VkDeviceSize offset_B, VkDeviceSize size_B,         \
       VkMemoryMapFlags flags, void **data),                                                       \
      (object, memory, offset_B, size_B, flags, data))                                             \
    X(FlushMappedMemoryRanges, MAY_MEMORY,                                                         \
      (VkDevice object, uint32_t count, const VkMappedMemoryRange *ranges),                        \
      (object, count, ranges))                                                                     \
    X(InvalidateMappedMemoryRanges, MAY_MEMORY,                                                    \
      (VkDevice object, uint32_t count, const VkMappedMemoryRange *ranges),                        \
      (object, count, ranges))                                                                     \
    X(BindBufferMemory, MAY_MEMORY,                                                                \
      (VkDevice object, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset_B),            \
      (object, buffer, memory, offset_B))                                                          \
    X(BindBufferMemory2, MAY_MEMORY,                                                               \
      (VkDevice object, uint32_t count, const VkBindBufferMemoryInfo *infos),                      \
      (object, count, infos))                                                                      \
    X(BindImageMemory, MAY_MEMORY,                                                                 \
      (VkDevice object, VkImage image, VkDeviceMemory memory, VkDeviceSize offset_B),              \
      (object, image, memory, offset_B))                                                           \
    X(BindImageMemory2, MAY_MEMORY,                                                                \
      (VkDevice object, uint32_t count, const VkBindImageMemoryInfo *infos),                       \
      (object, count, infos))                                                                      \
    X(QueueSubmit, MAY_MEMORY | MAY_LOST,                                                          \
      (VkQueue object, uint32_t count, const VkSubmitInfo *infos, VkFence fence),                  \
      (object, count, infos, fence))                                                               \
    X(QueueSubmit2, MAY_MEMORY | MAY_LOST,                                                         \
      (VkQueue object, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence),                 \
      (object, count, infos, fence))                                                               \
    X(QueueWaitIdle, MAY_MEMORY | MAY_LOST, (VkQueue object), (object))                            \
    X(DeviceWaitIdle, MAY_MEMORY | MAY_LOST, (VkDevice object), (object))                          \
    X(WaitForFences, MAY_MEMORY | MAY_LOST,                                                        \
      (VkDevice object, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t time_ns),    \
      (object, count, fences, all, time_ns))                                                       \
    X(GetFenceStatus, MAY_MEMORY | MAY_LOST, (VkDevice object, VkFence fence), (object, fence))    \
    X(ResetFences, MAY_DEVICE, (VkDevice object, uint32_t count, const VkFence *fences),           \
      (object, count, fences))                                                                     \
    X(GetQueryPoolResults, MAY_MEMORY | MAY_LOST,                                                  \
      (VkDevice object, VkQueryPool pool, uint32_t first, uint32_t count, size_t size_B,           \
       void *data, VkDeviceSize stride_B, VkQueryResultFlags flags),                               \
      (object, pool, first, count, size_B, data, stride_B, flags))                                 \
    X(GetPipelineCacheData, MAY_MEMORY,                                                            \
      (VkDevice object, VkPipelineCache cache, size_t * size_B, void *data),                       \
      (object, cache, size_B, data))                                                               \
    X(MergePipelineCaches, MAY_MEMORY,                                                             \
      (VkDevice object, VkPipelineCache cache, uint32_t count, const VkPipelineCache *caches),     \
      (object, cache, count, caches))

/* Those that are written out below. */
#define SPECIAL(X)                                                                                 \
    X(DestroyDevice)                                                                               \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(CreateRenderPass2)                                                                           \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateComputePipelines)                                                                      \
    X(DestroyPipeline)

/* -- what is alive -- */

enum kind {
#define X(name) KIND_##name,
    CREATED(X)
#undef X
        KIND_Pipeline,
    KIND_Memory,
    KIND_Device,
    KIND_COUNT
};

static atomic_uint alive[KIND_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    VkDeviceMemory memory;
    uint64_t size_B;
} allocations[MAX_ALLOCATIONS]; /* lock */
static uint64_t memory_B, peak_B;
static uint32_t allocation_count, peak_allocations;

EXPORT uint32_t starve_alive(bool say)
{
    static const char *const names[KIND_COUNT] = {
#define X(name) #name,
        CREATED(X)
#undef X
            "Pipeline",
        "Memory",
        "Device",
    };
    uint32_t sum = 0;
    for (int i = 0; i < KIND_COUNT; i++) {
        const unsigned count = atomic_load(&alive[i]);
        if (count && say)
            fprintf(stderr, "starve: %d of Vk%s alive\n", (int)count, names[i]);
        sum += count;
    }
    return sum;
}

EXPORT uint64_t starve_peak_B(void)
{
    return peak_B;
}

EXPORT uint32_t starve_peak_allocations(void)
{
    return peak_allocations;
}

void starve_forget_peaks(void)
{
    pthread_mutex_lock(&lock);
    peak_B = memory_B;
    peak_allocations = allocation_count;
    pthread_mutex_unlock(&lock);
}

/* -- devices -- */

static struct device {
    void *key;
    VkDevice handle;
    PFN_vkGetDeviceProcAddr next;
    uint64_t limit_B; /* 0: none */
    uint32_t limit_allocations;
#define X(name) PFN_vkCreate##name Create##name;
    CREATED(X)
#undef X
#define X(name) PFN_vkDestroy##name Destroy##name;
    CREATED(X)
#undef X
#define X(name, may, parameters, arguments) PFN_vk##name name;
    PLAIN(X)
#undef X
#define X(name) PFN_vk##name name;
    SPECIAL(X)
#undef X
} devices[MAX_DEVICES];

static struct device *find(const void *dispatchable)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        if (devices[i].key == starve_key(dispatchable))
            return &devices[i];
    fprintf(stderr, "starve: a device that was not created\n");
    abort();
}

/* Under whichever of its names the driver has it. */
static PFN_vkVoidFunction look_up(const struct device *d, const char *name)
{
    static const char *const ends[] = {"", "KHR", "EXT"};
    PFN_vkVoidFunction function = NULL;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && !function; i++) {
        char full[128];
        snprintf(full, sizeof(full), "%s%s", name, ends[i]);
        function = d->next(d->handle, full);
    }
    return function;
}

static void load(struct device *d)
{
#define X(name) d->Create##name = (PFN_vkCreate##name)look_up(d, "vkCreate" #name);
    CREATED(X)
#undef X
#define X(name) d->Destroy##name = (PFN_vkDestroy##name)look_up(d, "vkDestroy" #name);
    CREATED(X)
#undef X
#define X(name, may, parameters, arguments) d->name = (PFN_vk##name)look_up(d, "vk" #name);
    PLAIN(X)
#undef X
#define X(name) d->name = (PFN_vk##name)look_up(d, "vk" #name);
    SPECIAL(X)
#undef X
}

VkResult starve_create_device(PFN_vkCreateDevice next, VkPhysicalDevice physical,
                              const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkLayerDeviceCreateInfo *link =
        starve_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    struct device *d = devices;
    while (d < devices + MAX_DEVICES && d->key)
        d++;
    if (!link || d == devices + MAX_DEVICES)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = next(physical, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    *d = (struct device){.key = starve_key(*device),
                         .handle = *device,
                         .next = next_device,
                         .limit_B = starve_memory_limit_B(),
                         .limit_allocations = starve_allocation_limit()};
    load(d);
    atomic_fetch_add(&alive[KIND_Device], 1);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL starve_DestroyDevice(VkDevice device,
                                                       const VkAllocationCallbacks *allocator)
{
    if (!device)
        return;
    struct device *d = find(device);
    const PFN_vkDestroyDevice destroy = d->DestroyDevice;
    *d = (struct device){0};
    starve_find_again();
    atomic_fetch_sub(&alive[KIND_Device], 1);
    destroy(device, allocator);
}

/* -- commands of one shape -- */

#define X(name)                                                                                    \
    static VKAPI_ATTR VkResult VKAPI_CALL starve_Create##name(                                     \
        VkDevice device, const Vk##name##CreateInfo *info, const VkAllocationCallbacks *allocator, \
        Vk##name *made)                                                                            \
    {                                                                                              \
        VkResult result;                                                                           \
        if (starve_fails("vkCreate" #name, MAY_MEMORY, &result))                                   \
            *made = (Vk##name)GARBAGE;                                                             \
        else                                                                                       \
            result = find(device)->Create##name(device, info, allocator, made);                    \
        atomic_fetch_add(&alive[KIND_##name], result == VK_SUCCESS);                               \
        return result;                                                                             \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL starve_Destroy##name(VkDevice device, Vk##name made,         \
                                                           const VkAllocationCallbacks *allocator) \
    {                                                                                              \
        atomic_fetch_sub(&alive[KIND_##name], made != VK_NULL_HANDLE);                             \
        find(device)->Destroy##name(device, made, allocator);                                      \
    }
CREATED(X)
#undef X

#define X(name, may, parameters, arguments)                                                        \
    static VKAPI_ATTR VkResult VKAPI_CALL starve_##name parameters                                 \
    {                                                                                              \
        VkResult result;                                                                           \
        if (starve_fails("vk" #name, may, &result))                                                \
            return result;                                                                         \
        return find(object)->name arguments;                                                       \
    }
PLAIN(X)
#undef X

/* -- the others -- */

static bool takes_memory(const struct device *d, uint64_t size_B, VkResult *result)
{
    *result = VK_SUCCESS;
    pthread_mutex_lock(&lock);
    if (d->limit_allocations && allocation_count >= d->limit_allocations)
        *result = VK_ERROR_TOO_MANY_OBJECTS;
    else if (d->limit_B && (size_B > d->limit_B || memory_B > d->limit_B - size_B))
        *result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    else {
        memory_B += size_B;
        allocation_count++;
        peak_B = memory_B > peak_B ? memory_B : peak_B;
        peak_allocations =
            allocation_count > peak_allocations ? allocation_count : peak_allocations;
    }
    pthread_mutex_unlock(&lock);
    return *result == VK_SUCCESS;
}

/* Keeps the size of the memory; VK_NULL_HANDLE: there is none after all. */
static void keep_memory(VkDeviceMemory memory, uint64_t size_B)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (memory && i < MAX_ALLOCATIONS && allocations[i].memory)
        i++;
    if (i == MAX_ALLOCATIONS)
        abort();
    if (memory) {
        allocations[i].memory = memory;
        allocations[i].size_B = size_B;
    } else {
        memory_B -= size_B;
        allocation_count--;
    }
    pthread_mutex_unlock(&lock);
}

static void forget_memory(VkDeviceMemory memory)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MAX_ALLOCATIONS && allocations[i].memory != memory)
        i++;
    if (i == MAX_ALLOCATIONS) {
        fprintf(stderr, "starve: memory that was not allocated\n");
        abort();
    }
    memory_B -= allocations[i].size_B;
    allocation_count--;
    allocations[i].memory = VK_NULL_HANDLE;
    pthread_mutex_unlock(&lock);
}

static VKAPI_ATTR VkResult VKAPI_CALL starve_AllocateMemory(VkDevice device,
                                                            const VkMemoryAllocateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkDeviceMemory *memory)
{
    const struct device *d = find(device);
    const uint64_t size_B = info->allocationSize;
    VkResult result;
    *memory = (VkDeviceMemory)GARBAGE;
    if (starve_fails("vkAllocateMemory", MAY_MEMORY, &result) || !takes_memory(d, size_B, &result))
        return result;
    result = d->AllocateMemory(device, info, allocator, memory);
    keep_memory(result == VK_SUCCESS ? *memory : VK_NULL_HANDLE, size_B);
    atomic_fetch_add(&alive[KIND_Memory], result == VK_SUCCESS);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL starve_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                                    const VkAllocationCallbacks *allocator)
{
    if (!memory)
        return;
    forget_memory(memory);
    atomic_fetch_sub(&alive[KIND_Memory], 1);
    find(device)->FreeMemory(device, memory, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL starve_AllocateCommandBuffers(
    VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers)
{
    VkResult result;
    if (!starve_fails("vkAllocateCommandBuffers", MAY_MEMORY, &result))
        return find(device)->AllocateCommandBuffers(device, info, buffers);
    memset(buffers, 0, info->commandBufferCount * sizeof(*buffers));
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL starve_AllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets)
{
    VkResult result;
    if (!starve_fails("vkAllocateDescriptorSets", MAY_MEMORY, &result))
        return find(device)->AllocateDescriptorSets(device, info, sets);
    memset(sets, 0, info->descriptorSetCount * sizeof(*sets));
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
starve_CreateRenderPass2(VkDevice device, const VkRenderPassCreateInfo2 *info,
                         const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    VkResult result;
    if (starve_fails("vkCreateRenderPass2", MAY_MEMORY, &result))
        *pass = (VkRenderPass)GARBAGE;
    else
        result = find(device)->CreateRenderPass2(device, info, allocator, pass);
    atomic_fetch_add(&alive[KIND_RenderPass], result == VK_SUCCESS);
    return result;
}

/* Some may be made where others fail. */
static VkResult count_pipelines(VkResult result, uint32_t count, const VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        atomic_fetch_add(&alive[KIND_Pipeline], pipelines[i] != VK_NULL_HANDLE);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
starve_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                               const VkGraphicsPipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    VkResult result;
    memset(pipelines, 0, count * sizeof(*pipelines));
    if (starve_fails("vkCreateGraphicsPipelines", MAY_MEMORY, &result))
        return result;
    result =
        find(device)->CreateGraphicsPipelines(device, cache, count, infos, allocator, pipelines);
    return count_pipelines(result, count, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL
starve_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                              const VkComputePipelineCreateInfo *infos,
                              const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    VkResult result;
    memset(pipelines, 0, count * sizeof(*pipelines));
    if (starve_fails("vkCreateComputePipelines", MAY_MEMORY, &result))
        return result;
    result =
        find(device)->CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
    return count_pipelines(result, count, pipelines);
}

static VKAPI_ATTR void VKAPI_CALL starve_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                         const VkAllocationCallbacks *allocator)
{
    atomic_fetch_sub(&alive[KIND_Pipeline], pipeline != VK_NULL_HANDLE);
    find(device)->DestroyPipeline(device, pipeline, allocator);
}

/* -- look-up -- */

/* Is it this command, under any of its names? */
static bool is_named(const char *name, const char *command)
{
    const size_t length = strlen(command);
    return strncmp(name, command, length) == 0 &&
           (strcmp(name + length, "") == 0 || strcmp(name + length, "KHR") == 0 ||
            strcmp(name + length, "EXT") == 0);
}

PFN_vkVoidFunction VKAPI_CALL starve_device_proc(VkDevice device, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } own[] = {{"vkGetDeviceProcAddr", (PFN_vkVoidFunction)starve_device_proc},
#define X(name)                                                                                    \
    {"vkCreate" #name, (PFN_vkVoidFunction)starve_Create##name},                                   \
        {"vkDestroy" #name, (PFN_vkVoidFunction)starve_Destroy##name},
               CREATED(X)
#undef X
#define X(name, may, parameters, arguments) {"vk" #name, (PFN_vkVoidFunction)starve_##name},
                   PLAIN(X)
#undef X
#define X(name) {"vk" #name, (PFN_vkVoidFunction)starve_##name},
                       SPECIAL(X)
#undef X
    };
    const struct device *d = find(device);
    const PFN_vkVoidFunction theirs = d->next(device, name);
    for (size_t i = 0; theirs && i < sizeof(own) / sizeof(own[0]); i++)
        if (is_named(name, own[i].name))
            return own[i].function;
    return theirs;
}
