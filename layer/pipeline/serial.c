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

void pgs_serial_begin(struct pgs_device *dev)
{
    struct pgs_serial_commands *serial = &dev->pipelines->serial;
    serial->graphics = dev->vk.CreateGraphicsPipelines;
    serial->compute = dev->vk.CreateComputePipelines;
    dev->vk.CreateGraphicsPipelines = create_graphics;
    dev->vk.CreateComputePipelines = create_compute;
}
