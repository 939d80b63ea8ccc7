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
                   .CreateComputePipelines = driver_compute},
        };
        assert_int_equal(pgs_registry_add_device(&devices[i]), VK_SUCCESS);
    }
    assert_true(run() > 1); /* without it */
    for (int i = 0; i < DEVICES; i++)
        pgs_serial_begin(&devices[i]);
    assert_int_equal(run(), 1);
    for (int i = 0; i < DEVICES; i++)
        pgs_registry_remove_device(&devices[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_at_a_time_reaches_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
