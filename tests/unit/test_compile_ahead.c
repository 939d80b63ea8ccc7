/* SPDX-License-Identifier: MIT
 *
 * What threads do for the creation of pipelines, on a fake driver: parts are compiled side by side,
 * kernels ahead of the draws that want them; but what may be used by one thread only stays there.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/kernels.h"
#include "pipeline/pipeline.h"
#include "pipeline/variant_choice.h"
#include "poly_gs/abi.h"
#include "vulkan/hooks.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

enum {
    FUSED = PGS_VARIANT_BIT(PGS_VARIANT_FUSED),
    STORED = PGS_VARIANT_BIT(PGS_VARIANT_STORED_0),
};

/* -- a driver that tells its threads -- */

static struct {
    _Atomic bool graphics_elsewhere; /* than in the thread of the test */
    pthread_t tester;
    bool waits;          /* compute shaders are not compiled before the raster pipeline is */
    sem_t graphics_done; /* once for each compute shader */
    _Atomic bool waited_in_vain;
    _Atomic int compiling; /* raster pipelines, at this moment */
    _Atomic bool met;      /* two of them */
} seen;

static VkResult compute_beside(VkDevice handle, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    if (seen.waits && sem_timedwait(&seen.graphics_done, &until))
        seen.waited_in_vain = true;
    return create_compute(handle, cache, count, infos, allocator, pipelines);
}

/* The application's may have flags. */
static VkResult create_any_cache(VkDevice handle, const VkPipelineCacheCreateInfo *info,
                                 const VkAllocationCallbacks *allocator, VkPipelineCache *cache)
{
    const VkPipelineCacheCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    (void)info;
    return create_cache(handle, &plain, allocator, cache);
}

static VkResult graphics_beside(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                const VkGraphicsPipelineCreateInfo *infos,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    if (atomic_fetch_add(&seen.compiling, 1))
        seen.met = true;
    sched_yield();
    const VkResult result = create_graphics(handle, cache, count, infos, allocator, pipelines);
    atomic_fetch_sub(&seen.compiling, 1);
    seen.graphics_elsewhere = !pthread_equal(seen.tester, pthread_self());
    for (int i = 0; i < 2; i++)
        sem_post(&seen.graphics_done);
    return result;
}

static void set_threads(uint32_t threads)
{
    pgs_workers_destroy(device.pipelines->workers);
    device.pipelines->workers = pgs_workers_create(threads);
}

/* Short shaders, so there are a fused variant and a raster one to make, and one kernel to expect.
 */
static int set_up_threads(void **state)
{
    const int result = set_up(state);
    instance.settings.compile = PGS_COMPILE_LAZY;
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    vertex_info.steps = 10;
    app.info.pNext = NULL;
    memset(&seen, 0, sizeof(seen));
    sem_init(&seen.graphics_done, 0, 0);
    seen.tester = pthread_self();
    device.vk.CreatePipelineCache = create_any_cache;
    device.vk.CreateComputePipelines = compute_beside;
    device.vk.CreateGraphicsPipelines = graphics_beside;
    set_threads(2);
    return result;
}

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

static uint32_t made_mask(const struct pgs_emulated_pipeline *p)
{
    return atomic_load(&p->variants->made_mask);
}

/* -- tests -- */

static void compiles_side_by_side(void **state)
{
    VkPipeline pipeline;
    (void)state;
    seen.waits = true;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(made_mask(p), FUSED | STORED);
    assert_true(seen.graphics_elsewhere && !seen.waited_in_vain);
    destroy(pipeline);
}

/* They share modules that the first of them makes. */
static void raster_variants_follow_each_other(void **state)
{
    VkPipeline pipeline;
    (void)state;
    instance.settings.compile = PGS_COMPILE_ALL;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    for (int i = 0; i < 20; i++) {
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        const uint32_t raster = made_mask(p) & PGS_VARIANTS_RASTER;
        assert_true(raster & (raster - 1));
        destroy(pipeline);
    }
    assert_false(seen.met);
}

/* A thread would take longer to wake. */
static void finds_what_others_have_alone(void **state)
{
    VkPipeline first, second;
    (void)state;
    seen.waits = true;
    create_and_find(&first);
    assert_true(seen.graphics_elsewhere);
    create_and_find(&second);
    assert_false(seen.graphics_elsewhere);
    destroy(first);
    destroy(second);
}

static void compiles_kernels_ahead_and_once(void **state)
{
    VkPipeline pipeline, kernel, again;
    VkPipelineLayout layout;
    (void)state;
    for (uint32_t threads = 0; threads < 3; threads++) {
        set_threads(threads);
        const int before = fake.compute_calls;
        create_and_find(&pipeline);
        assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_EXPAND, &kernel, &layout), VK_SUCCESS);
        assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_EXPAND, &again, &layout), VK_SUCCESS);
        assert_true(kernel && kernel == again && layout);
        set_threads(0);
        assert_int_equal(fake.compute_calls, before + (threads == 0 ? 2 : 1));
        destroy(pipeline);
    }
}

static bool expects(const struct pgs_emulated_pipeline *p, enum pgs_kernel kernel)
{
    return pgs_probable_kernels(p->variants->source) & PGS_KERNEL_BIT(kernel);
}

/* The features that an application enables tell what it is about to do. */
static void expects_what_is_probable(void **state)
{
    VkPipeline pipeline;
    (void)state;
    set_threads(0);
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    device.draws_indirectly = true;
    assert_false(expects(p, PGS_KERNEL_INDIRECT)); /* on a CPU */
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    assert_true(expects(p, PGS_KERNEL_INDIRECT));
    assert_false(expects(p, PGS_KERNEL_XFB_PROGRAM));
    device.draws_indirectly = false;
    assert_false(expects(p, PGS_KERNEL_INDIRECT));
    destroy(pipeline);
}

/* What failed ahead is tried again where somebody can be told. */
static void reports_failures_where_they_matter(void **state)
{
    VkPipeline pipeline = VK_NULL_HANDLE, kernel;
    VkPipelineLayout layout;
    (void)state;
    for (uint32_t threads = 0; threads < 3; threads++) {
        set_threads(threads);
        fake.graphics_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
        assert_int_equal(create(1, &app.info, &pipeline), VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_null(pipeline);
        fake.graphics_result = VK_SUCCESS;
        set_threads(threads); /* no kernel is left to be made */
        fake.compute_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
        assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_TESSELLATE, &kernel, &layout),
                         VK_ERROR_OUT_OF_DEVICE_MEMORY);
        pgs_kernels_expect(&device, PGS_KERNEL_BIT(PGS_KERNEL_TESSELLATE));
        assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_TESSELLATE, &kernel, &layout),
                         VK_ERROR_OUT_OF_DEVICE_MEMORY);
        fake.compute_result = VK_SUCCESS;
    }
    assert_int_equal(pgs_kernel_get(&device, PGS_KERNEL_TESSELLATE, &kernel, &layout), VK_SUCCESS);
}

static void uses_some_caches_in_one_thread(void **state)
{
    static const VkPipelineCacheCreateFlags flags[] = {
        0, VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const VkPipelineCacheCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .flags = flags[i]};
        VkPipelineCache cache;
        VkPipeline pipeline;
        assert_int_equal(pgs_CreatePipelineCache(VK_NULL_HANDLE, &info, NULL, &cache), VK_SUCCESS);
        seen.waits = i == 0;
        assert_int_equal(
            pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, cache, 1, &app.info, NULL, &pipeline),
            VK_SUCCESS);
        assert_int_equal(seen.graphics_elsewhere, i == 0);
        destroy(pipeline);
        set_threads(2); /* no kernel is left to be made */
        destroy_cache(VK_NULL_HANDLE, cache, NULL);
    }
}

/* Vulkan: "from the same thread that called the provoking API command". */
static void calls_allocators_in_one_thread(void **state)
{
    const VkAllocationCallbacks allocator = {.pUserData = &seen};
    VkPipeline pipeline;
    (void)state;
    assert_int_equal(pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &app.info,
                                                 &allocator, &pipeline),
                     VK_SUCCESS);
    assert_false(seen.graphics_elsewhere);
    pgs_DestroyPipeline(VK_NULL_HANDLE, pipeline, &allocator);
}

static int tear_down_threads(void **state)
{
    const int result = tear_down(state);
    device.vk.CreatePipelineCache = create_cache;
    device.vk.CreateComputePipelines = create_compute;
    device.vk.CreateGraphicsPipelines = create_graphics;
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    return result;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_threads, tear_down_threads)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(compiles_side_by_side),          TEST(raster_variants_follow_each_other),
        TEST(finds_what_others_have_alone),   TEST(compiles_kernels_ahead_and_once),
        TEST(expects_what_is_probable),       TEST(reports_failures_where_they_matter),
        TEST(uses_some_caches_in_one_thread), TEST(calls_allocators_in_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
