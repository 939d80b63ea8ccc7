/* SPDX-License-Identifier: MIT */
#include "pipeline/serial.h"

#include "pipeline/device.h"

#include <pthread.h>

/* Compilers have globals, so devices share the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice device, VkPipelineCache cache,
                                                      uint32_t count,
                                                      const VkGraphicsPipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *pipelines)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    pthread_mutex_lock(&lock);
    const VkResult result =
        dev->pipelines->serial.graphics(device, cache, count, infos, allocator, pipelines);
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice device, VkPipelineCache cache,
                                                     uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkPipeline *pipelines)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    pthread_mutex_lock(&lock);
    const VkResult result =
        dev->pipelines->serial.compute(device, cache, count, infos, allocator, pipelines);
    pthread_mutex_unlock(&lock);
    return result;
}

/* Whoever joins a deferred operation would compile without the lock. */
static VKAPI_ATTR VkResult VKAPI_CALL create_rays(VkDevice device, VkDeferredOperationKHR deferred,
                                                  VkPipelineCache cache, uint32_t count,
                                                  const VkRayTracingPipelineCreateInfoKHR *infos,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkPipeline *pipelines)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    pthread_mutex_lock(&lock);
    const VkResult result = dev->pipelines->serial.rays(device, VK_NULL_HANDLE, cache, count, infos,
                                                        allocator, pipelines);
    pthread_mutex_unlock(&lock);
    return result == VK_SUCCESS && deferred ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

#ifdef VK_EXT_shader_object
static VKAPI_ATTR VkResult VKAPI_CALL create_shaders(VkDevice device, uint32_t count,
                                                     const VkShaderCreateInfoEXT *infos,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkShaderEXT *shaders)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    pthread_mutex_lock(&lock);
    const VkResult result =
        dev->pipelines->serial.shaders(device, count, infos, allocator, shaders);
    pthread_mutex_unlock(&lock);
    return result;
}
#endif

void pgs_serial_begin(struct pgs_device *dev)
{
    struct pgs_serial_commands *serial = &dev->pipelines->serial;
    serial->graphics = dev->vk.CreateGraphicsPipelines;
    serial->compute = dev->vk.CreateComputePipelines;
    serial->rays = dev->vk.CreateRayTracingPipelinesKHR;
    dev->vk.CreateGraphicsPipelines = create_graphics;
    dev->vk.CreateComputePipelines = create_compute;
    if (serial->rays)
        dev->vk.CreateRayTracingPipelinesKHR = create_rays;
#ifdef VK_EXT_shader_object
    serial->shaders = dev->vk.CreateShadersEXT;
    if (serial->shaders)
        dev->vk.CreateShadersEXT = create_shaders;
#endif
}
