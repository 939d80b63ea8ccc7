/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "poly_gs/abi.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIP 77
#define MAX_REPORTS 20
#define CALL(call) check((call), #call)

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

static void skip(const char *why)
{
    fprintf(stderr, "skipped: %s\n", why);
    exit(EXIT_SKIP);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    (void)severity;
    (void)types;
    struct gpu *gpu = user;
    gpu->messages++;
    fprintf(stderr, "validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static void open_instance(struct gpu *gpu)
{
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = gpu,
    };
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &messenger,
        .pApplicationInfo = &app,
        .enabledLayerCount = 1,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    if (volkInitialize() != VK_SUCCESS)
        skip("no Vulkan loader");
    const VkResult result = vkCreateInstance(&info, NULL, &gpu->instance);
    if (result == VK_ERROR_LAYER_NOT_PRESENT || result == VK_ERROR_INCOMPATIBLE_DRIVER)
        skip("no validation layer or no driver");
    check(result, "vkCreateInstance");
    volkLoadInstance(gpu->instance);
    CALL(vkCreateDebugUtilsMessengerEXT(gpu->instance, &messenger, NULL, &gpu->messenger));
}

static void open_device(struct gpu *gpu)
{
    uint32_t count = 1;
    vkEnumeratePhysicalDevices(gpu->instance, &count, &gpu->physical);
    if (count == 0)
        skip("no device");
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &address,
    };
    vkGetPhysicalDeviceFeatures2(gpu->physical, &features);
    if (!address.bufferDeviceAddress)
        skip("no bufferDeviceAddress");
    address.bufferDeviceAddressCaptureReplay = VK_FALSE;
    address.bufferDeviceAddressMultiDevice = VK_FALSE;

    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    gpu->has_float64 = features.features.shaderFloat64;
    const VkPhysicalDeviceFeatures enabled = {.shaderFloat64 = gpu->has_float64};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &address,
        .pEnabledFeatures = &enabled,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    CALL(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device));
    volkLoadDevice(gpu->device);
    vkGetDeviceQueue(gpu->device, 0, 0, &gpu->queue);
}

void gpu_open(struct gpu *gpu)
{
    memset(gpu, 0, sizeof(*gpu));
    open_instance(gpu);
    open_device(gpu);

    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    CALL(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct pgs_root)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    CALL(vkCreatePipelineLayout(gpu->device, &layout, NULL, &gpu->layout));

    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    while ((memory.memoryTypes[gpu->host_memory_type].propertyFlags & wanted) != wanted)
        gpu->host_memory_type++;
}

int gpu_close(struct gpu *gpu)
{
    gpu_release_buffers(gpu);
    gpu_release_pipelines(gpu);
    vkDestroyPipelineLayout(gpu->device, gpu->layout, NULL);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDevice(gpu->device, NULL);
    vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    vkDestroyInstance(gpu->instance, NULL);
    if (gpu->failures || gpu->messages)
        fprintf(stderr, "%u failures, %u validation messages\n", gpu->failures, gpu->messages);
    return gpu->failures || gpu->messages ? 1 : 0;
}

struct gpu_buffer *gpu_buffer_unfilled(struct gpu *gpu, size_t size_B)
{
    if (gpu->buffer_count == GPU_MAX_BUFFERS) {
        fprintf(stderr, "too many buffers\n");
        exit(1);
    }
    struct gpu_buffer *b = &gpu->buffers[gpu->buffer_count++];
    b->size_B = size_B;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_B,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    CALL(vkCreateBuffer(gpu->device, &info, NULL, &b->buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, b->buffer, &needs);
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs.size,
        .memoryTypeIndex = gpu->host_memory_type,
    };
    CALL(vkAllocateMemory(gpu->device, &allocate, NULL, &b->memory));
    CALL(vkBindBufferMemory(gpu->device, b->buffer, b->memory, 0));
    CALL(vkMapMemory(gpu->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->map));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = b->buffer,
    };
    b->address = vkGetBufferDeviceAddress(gpu->device, &address);
    return b;
}

struct gpu_buffer *gpu_buffer(struct gpu *gpu, size_t size_B, uint8_t fill)
{
    struct gpu_buffer *b = gpu_buffer_unfilled(gpu, size_B);
    memset(b->map, fill, size_B);
    return b;
}

void gpu_release_buffers(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->buffer_count; i++) {
        vkDestroyBuffer(gpu->device, gpu->buffers[i].buffer, NULL);
        vkFreeMemory(gpu->device, gpu->buffers[i].memory, NULL);
    }
    gpu->buffer_count = 0;
}

VkPipeline gpu_pipeline(struct gpu *gpu, const uint32_t *words, size_t word_count)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = word_count * 4,
        .pCode = words,
    };
    VkShaderModule module;
    CALL(vkCreateShaderModule(gpu->device, &code, NULL, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
            },
        .layout = gpu->layout,
    };
    VkPipeline *pipeline = &gpu->pipelines[gpu->pipeline_count++];
    CALL(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
    return *pipeline;
}

void gpu_release_pipelines(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->pipeline_count; i++)
        vkDestroyPipeline(gpu->device, gpu->pipelines[i], NULL);
    gpu->pipeline_count = 0;
}

/* What the workgroups of the dispatches work on. */
struct roots {
    const uint64_t *first;
    size_t step; /* to that of the next dispatch */
    uint32_t count, stride_B;
    const uint32_t *modes; /* by dispatch; NULL: 0 */
};

static void record(struct gpu *gpu, VkCommandBuffer cb, const struct gpu_dispatch *dispatches,
                   size_t count, const struct roots *roots)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask =
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT,
    };
    for (size_t i = 0; i < count; i++) {
        const struct pgs_root root = {
            .first = roots->first[i * roots->step],
            .stride_B = roots->stride_B,
            .mode = roots->modes ? roots->modes[i] : 0,
        };
        vkCmdPushConstants(cb, gpu->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(root), &root);
        const uint32_t groups = dispatches[i].group_count;
        const uint32_t width = groups < PGS_GRID_X ? groups : PGS_GRID_X;
        vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, dispatches[i].pipeline);
        if (groups > 0)
            vkCmdDispatch(cb, width, gpu_div_up(groups, width), roots->count);
        vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0,
                             1, &barrier, 0, NULL, 0, NULL);
    }
}

static void run(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count,
                const struct roots *roots)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkCommandBuffer cb;
    CALL(vkAllocateCommandBuffers(gpu->device, &allocate, &cb));
    CALL(vkBeginCommandBuffer(cb, &begin));
    record(gpu, cb, dispatches, count, roots);
    CALL(vkEndCommandBuffer(cb));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    CALL(vkQueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE));
    CALL(vkQueueWaitIdle(gpu->queue));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &cb);
}

void gpu_run(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count, uint64_t root)
{
    run(gpu, dispatches, count, &(struct roots){.first = &root, .count = 1});
}

void gpu_run_each(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count,
                  const uint64_t *roots)
{
    run(gpu, dispatches, count, &(struct roots){.first = roots, .step = 1, .count = 1});
}

void gpu_run_strided(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count,
                     uint64_t first_root, uint32_t root_count, uint32_t stride_B)
{
    const struct roots roots = {.first = &first_root, .count = root_count, .stride_B = stride_B};
    run(gpu, dispatches, count, &roots);
}

void gpu_run_modes(struct gpu *gpu, const struct gpu_dispatch *dispatches, const uint32_t *modes,
                   size_t count, uint64_t first_root, uint32_t root_count, uint32_t stride_B)
{
    const struct roots roots = {
        .first = &first_root, .count = root_count, .stride_B = stride_B, .modes = modes};
    run(gpu, dispatches, count, &roots);
}

void gpu_fail(struct gpu *gpu, const char *format, ...)
{
    if (gpu->failures++ >= MAX_REPORTS)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static uint32_t random_state = 20240229;

uint32_t gpu_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

uint32_t gpu_random_below(uint32_t bound)
{
    return gpu_random() % bound;
}

uint32_t gpu_div_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}
