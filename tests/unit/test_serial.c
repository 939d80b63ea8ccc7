/* SPDX-License-Identifier: MIT
 *
 * Compilers that are not thread-safe: of several threads that create pipelines, one at a time
 * reaches the driver, also on different devices.
 */
#include "pipeline/device.h"
#include "pipeline/serial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { DEVICES = 2, THREADS = 4, TURNS = 8 };

static _Atomic int inside, most;
static _Atomic bool deferred_one;
static void *keys[DEVICES] = {&keys[0], &keys[1]};
static struct {
    const void *key; /* the loader's; what a handle points to begins with it */
} handles[DEVICES];
static struct pgs_pipeline_device pipelines[DEVICES];
static struct pgs_device devices[DEVICES];

static void stay(void)
{
    const struct timespec a_while = {.tv_nsec = 2000000};
    const int now = atomic_fetch_add(&inside, 1) + 1;
    int before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
    nanosleep(&a_while, NULL);
    atomic_fetch_sub(&inside, 1);
}

static VKAPI_ATTR VkResult VKAPI_CALL driver_graphics(VkDevice device, VkPipelineCache cache,
                                                      uint32_t count,
                                                      const VkGraphicsPipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *made)
{
    (void)device, (void)cache, (void)infos, (void)allocator;
    stay();
    *made = (VkPipeline)(uintptr_t)count;
    return VK_PIPELINE_COMPILE_REQUIRED;
}

static VKAPI_ATTR VkResult VKAPI_CALL driver_compute(VkDevice device, VkPipelineCache cache,
                                                     uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkPipeline *made)
{
    (void)device, (void)cache, (void)infos, (void)allocator;
    stay();
    *made = (VkPipeline)(uintptr_t)(count + 100);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* What is deferred would be compiled later, by threads that nobody holds back. */
static VKAPI_ATTR VkResult VKAPI_CALL driver_rays(VkDevice device, VkDeferredOperationKHR deferred,
                                                  VkPipelineCache cache, uint32_t count,
                                                  const VkRayTracingPipelineCreateInfoKHR *infos,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkPipeline *made)
{
    (void)device, (void)cache, (void)infos, (void)allocator;
    stay();
    *made = (VkPipeline)(uintptr_t)(count + 200);
    return deferred ? VK_OPERATION_DEFERRED_KHR : VK_SUCCESS;
}

#ifdef VK_EXT_shader_object
static VKAPI_ATTR VkResult VKAPI_CALL driver_shaders(VkDevice device, uint32_t count,
                                                     const VkShaderCreateInfoEXT *infos,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkShaderEXT *made)
{
    (void)device, (void)infos, (void)allocator;
    stay();
    *made = (VkShaderEXT)(uintptr_t)(count + 300);
    return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
}
#endif

/* False if an answer of the driver is lost. */
static bool create_rays(const struct pgs_device *dev, uint32_t count)
{
    const VkDeferredOperationKHR operations[2] = {VK_NULL_HANDLE,
                                                  (VkDeferredOperationKHR)(uintptr_t)1};
    const VkResult expected[2] = {VK_SUCCESS, VK_OPERATION_NOT_DEFERRED_KHR};
    for (int i = 0; i < 2; i++) {
        VkPipeline made = VK_NULL_HANDLE;
        const VkResult result = dev->vk.CreateRayTracingPipelinesKHR(
            dev->handle, operations[i], VK_NULL_HANDLE, count, NULL, NULL, &made);
        if ((result != expected[i] && result != VK_OPERATION_DEFERRED_KHR) ||
            (uintptr_t)made != count + 200)
            return false;
        if (result == VK_OPERATION_DEFERRED_KHR)
            atomic_store(&deferred_one, true);
    }
    return true;
}

static bool create_shaders(const struct pgs_device *dev, uint32_t count)
{
#ifdef VK_EXT_shader_object
    VkShaderEXT made = VK_NULL_HANDLE;
    return dev->vk.CreateShadersEXT(dev->handle, count, NULL, NULL, &made) ==
               VK_INCOMPATIBLE_SHADER_BINARY_EXT &&
           (uintptr_t)made == count + 300;
#else
    (void)dev, (void)count;
    return true;
#endif
}

static void *create(void *context)
{
    struct pgs_device *dev = context;
    VkPipeline made;
    for (uint32_t i = 1; i <= TURNS; i++) {
        if (dev->vk.CreateGraphicsPipelines(dev->handle, VK_NULL_HANDLE, i, NULL, NULL, &made) !=
                VK_PIPELINE_COMPILE_REQUIRED ||
            (uintptr_t)made != i)
            return dev;
        if (dev->vk.CreateComputePipelines(dev->handle, VK_NULL_HANDLE, i, NULL, NULL, &made) !=
                VK_ERROR_OUT_OF_HOST_MEMORY ||
            (uintptr_t)made != i + 100)
            return dev;
        if (!create_rays(dev, i) || !create_shaders(dev, i))
            return dev;
    }
    return NULL;
}

/* The most that were in the driver at once. */
static int run(void)
{
    pthread_t threads[THREADS];
    atomic_store(&most, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, create, &devices[i % DEVICES]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    return atomic_load(&most);
}

static void one_thread_at_a_time_reaches_the_driver(void **state)
{
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        handles[i].key = &keys[i];
        devices[i] = (struct pgs_device){
            .handle = (VkDevice)(void *)&handles[i],
            .pipelines = &pipelines[i],
            .vk = {.CreateGraphicsPipelines = driver_graphics,
                   .CreateComputePipelines = driver_compute,
                   .CreateRayTracingPipelinesKHR = driver_rays},
        };
#ifdef VK_EXT_shader_object
        devices[i].vk.CreateShadersEXT = driver_shaders;
#endif
        assert_int_equal(pgs_registry_add_device(&devices[i]), VK_SUCCESS);
    }
    assert_true(run() > 1); /* without it */
    assert_true(atomic_exchange(&deferred_one, false));
    for (int i = 0; i < DEVICES; i++)
        pgs_serial_begin(&devices[i]);
    assert_int_equal(run(), 1);
    assert_false(atomic_load(&deferred_one));
    for (int i = 0; i < DEVICES; i++)
        pgs_registry_remove_device(&devices[i]);
}

static void brings_no_command(void **state)
{
    (void)state;
    struct pgs_pipeline_device own = {0};
    struct pgs_device dev = {.pipelines = &own,
                             .vk = {.CreateGraphicsPipelines = driver_graphics,
                                    .CreateComputePipelines = driver_compute}};
    pgs_serial_begin(&dev);
    assert_true(dev.vk.CreateGraphicsPipelines != driver_graphics);
    assert_true(dev.vk.CreateRayTracingPipelinesKHR == NULL);
#ifdef VK_EXT_shader_object
    assert_true(dev.vk.CreateShadersEXT == NULL);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brings_no_command),
        cmocka_unit_test(one_thread_at_a_time_reaches_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
