/* SPDX-License-Identifier: MIT
 *
 * What threads do for the creation of pipelines, on a fake driver: parts are compiled side by side,
 * what takes long behind the creation, kernels ahead of the draws that want them; but what may be
 * used by one thread only stays there.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/kernels.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "pipeline/stored_ahead.h"
#include "pipeline/usual_raster.h"
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
    INLINE = PGS_VARIANT_BIT(PGS_VARIANT_INLINE),
};

/* -- a driver that tells its threads -- */

static struct {
    _Atomic bool graphics_elsewhere; /* than in the thread of the test */
    pthread_t tester;
    bool waits;          /* compute shaders are not compiled before the raster pipeline is */
    sem_t graphics_done; /* once for each compute shader */
    _Atomic bool waited_in_vain;
    _Atomic bool holds; /* what is compiled elsewhere is not before `released` */
    sem_t released;
    _Atomic VkPipelineCache compute_caches[64];
    _Atomic uint32_t compute_count;
    _Atomic int compiling;             /* raster pipelines, at this moment */
    _Atomic bool met;                  /* two of them */
    _Atomic enum pgs_spv_result later; /* of translations behind that, if not OK */
} seen;

static void hold(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    if (seen.holds && !pthread_equal(seen.tester, pthread_self()) &&
        sem_timedwait(&seen.released, &until))
        seen.waited_in_vain = true;
}

static VkResult compute_beside(VkDevice handle, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    if (seen.waits && sem_timedwait(&seen.graphics_done, &until))
        seen.waited_in_vain = true;
    hold();
    seen.compute_caches[seen.compute_count++ % 64] = cache;
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
    hold();
    const enum pgs_spv_result later = seen.later;
    if (later != PGS_SPV_OK)
        fused_result = later;
    const VkResult result = create_graphics(handle, cache, count, infos, allocator, pipelines);
    atomic_fetch_sub(&seen.compiling, 1);
    seen.graphics_elsewhere = !pthread_equal(seen.tester, pthread_self());
    for (int i = 0; i < 2; i++)
        sem_post(&seen.graphics_done);
    return result;
}

static VkResult get_cache_data(VkDevice handle, VkPipelineCache cache, size_t *size_B, void *data)
{
    (void)handle;
    (void)cache;
    (void)data;
    *size_B = 0;
    return VK_SUCCESS;
}

static VkResult merge_caches(VkDevice handle, VkPipelineCache to, uint32_t count,
                             const VkPipelineCache *from)
{
    (void)handle;
    (void)to;
    (void)from;
    assert_int_equal(count, 1);
    return VK_SUCCESS;
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
    instance.settings.threads = 0; /* nothing is left behind creation */
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    physical.traits.costs.of[PGS_COST_INLINE_INVOCATIONS] = 1000;
    vertex_info.steps = 10;
    app.info.pNext = NULL;
    memset(&seen, 0, sizeof(seen));
    sem_init(&seen.graphics_done, 0, 0);
    sem_init(&seen.released, 0, 0);
    seen.tester = pthread_self();
    device.vk.CreatePipelineCache = create_any_cache;
    device.vk.GetPipelineCacheData = get_cache_data;
    device.vk.MergePipelineCaches = merge_caches;
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
    physical.traits.costs.of[PGS_COST_INLINE_INVOCATIONS] = 0;
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
    const uint32_t destroyed = pgs_count_destroyed(&device.destroyed.pipelines);
    pgs_DestroyPipeline(VK_NULL_HANDLE, pipeline, &allocator);
    assert_int_not_equal(pgs_count_destroyed(&device.destroyed.pipelines), destroyed);
}

/* -- behind creation -- */

static int set_up_ahead(void **state)
{
    const int result = set_up_threads(state);
    instance.settings.threads = 2;
    seen.holds = true;
    return result;
}

static void release(int count)
{
    for (int i = 0; i < count; i++)
        sem_post(&seen.released);
}

static bool with_cache(VkPipelineCache cache)
{
    bool found = false;
    for (int i = 0; i < 64; i++)
        found |= seen.compute_caches[i] == cache;
    return found;
}

static void make_inline(void)
{
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    physical.traits.costs.of[PGS_COST_INLINE_INVOCATIONS] = 0;
    geometry_info.xfb.enabled = false;
    geometry_info.xfb.copy_count = 0;
    geometry_info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    geometry_info.stream_mask = 1;
    places_geometry = true;
}

static void compute_is_left_behind(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(made_mask(p), STORED);
    release(2); /* the kernel, too */
    assert_int_equal(pgs_variants_make(p, FUSED | STORED, &lost), VK_SUCCESS);
    assert_int_equal(made_mask(p), FUSED | STORED);
    assert_true(!lost && !seen.waited_in_vain);
    destroy(pipeline);
}

/* The handle is what draws stored vertices, until the other one is there. */
static void inline_is_left_behind(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    make_inline();
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(made_mask(p), STORED);
    assert_ptr_equal(made(p, PGS_VARIANT_STORED_0), pipeline);
    assert_ptr_equal(pgs_usual_handle(p), pipeline);
    release(1);
    assert_int_equal(pgs_variants_make(p, INLINE, &lost), VK_SUCCESS);
    assert_int_equal(made_mask(p), STORED | INLINE);
    assert_ptr_equal(pgs_usual_handle(p), made(p, PGS_VARIANT_INLINE));
    assert_ptr_not_equal(pgs_usual_handle(p), pipeline);
    /* Another one with the same shaders waits for what may be short. */
    VkPipeline second;
    const struct pgs_emulated_pipeline *q = create_and_find(&second);
    assert_int_equal(made_mask(q), INLINE);
    assert_ptr_equal(made(q, PGS_VARIANT_INLINE), second);
    destroy(pipeline);
    destroy(second);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

/* Nobody else would make the variant of small draws, but the thread that records one. */
static void known_variants_of_small_draws_are_left_behind(void **state)
{
    VkPipeline first, second;
    bool lost;
    (void)state;
    make_inline();
    geometry_info.pattern.is_known = false;
    physical.traits.costs.of[PGS_COST_PASS_EMITS] = 1000;
    const struct pgs_emulated_pipeline *p = create_and_find(&first);
    assert_int_equal(p->variants->source->ahead.mask, FUSED | INLINE);
    release(10);
    assert_int_equal(pgs_variants_make(p, FUSED | INLINE, &lost), VK_SUCCESS);
    const struct pgs_emulated_pipeline *q = create_and_find(&second);
    assert_int_equal(q->variants->source->ahead.mask, INLINE);
    destroy(first);
    destroy(second);
}

/* Inline draws go on until what stores is compiled, and a pipeline may end before. */
static void stored_variants_follow(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    make_inline();
    for (int i = 0; i < 2; i++) {
        app.spec_value = (uint32_t)i; /* other shaders each time */
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        release(1);
        assert_int_equal(pgs_variants_make(p, INLINE, &lost), VK_SUCCESS);
        assert_false(pgs_stored_is_made(p));
        pgs_stored_expect(p);
        pgs_stored_expect(p); /* once */
        if (i == 0) {
            assert_int_equal(made_mask(p) & FUSED, 0);
            release(10); /* the kernels, too */
            assert_int_equal(pgs_variants_make(p, FUSED | STORED, &lost), VK_SUCCESS);
            assert_true(pgs_stored_is_made(p));
        }
        destroy(pipeline);
    }
    assert_false(seen.waited_in_vain);
}

/* Whether the geometry shader picks vertices a thread finds out for a draw. If it does not, the
 * driver compiles nothing for that. */
static void picking_is_found_out_later(void **state)
{
    VkPipeline pipeline;
    (void)state;
    make_inline();
    instances_geometry = geometry_info.may_pick = true;
    physical.features.drawIndirectFirstInstance = true;
    for (int i = 0; i < 3; i++) {
        picks_nothing = i == 1;
        picks_made = 0;
        physical.traits.costs.of[PGS_COST_PICK_PRIMITIVES] = i < 2;
        app.spec_value = (uint32_t)i; /* other shaders each time */
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(pgs_pipeline_has(p, PGS_VARIANT_PICK), i < 2);
        assert_int_equal(picks_made, 0);
        release(20);
        const uint32_t before = seen.compute_count;
        for (bool waits = i < 2; waits; sched_yield()) {
            pgs_pick_expect(p);
            waits = picks_nothing ? pgs_pipeline_has(p, PGS_VARIANT_PICK) : !pgs_pick_is_made(p);
        }
        assert_int_equal(picks_made, i < 2);
        destroy(pipeline);
        assert_int_equal(seen.compute_count > before, i == 0);
    }
    physical.traits.costs.of[PGS_COST_PICK_PRIMITIVES] = 0;
    physical.features.drawIndirectFirstInstance = false;
    instances_geometry = geometry_info.may_pick = false;
    picks_nothing = false;
}

/* Threads translate, which may be done before creation returns; creation tries. */
static void translations_are_left_behind(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    fused_tried = fused_made = fused_made_here = 0;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_true(pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    assert_int_equal(fused_tried, 1);
    assert_int_equal(fused_made_here, 0);
    release(3);
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_false(lost);
    assert_int_equal(fused_tried, 1);
    assert_int_equal(fused_made, 1);
    destroy(pipeline);
}

/* Creation knows whether shaders go together, whatever is left behind. */
static void trials_are_not_left_behind(void **state)
{
    VkPipeline pipeline;
    (void)state;
    fused_result = PGS_SPV_UNSUPPORTED;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    assert_int_equal(made_mask(p), STORED);
    release(3);
    destroy(pipeline);
    fused_result = PGS_SPV_OK;
    make_inline();
    places_geometry = false;
    p = create_and_find(&pipeline);
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_INLINE));
    assert_int_equal(p->handle_variant, PGS_VARIANT_STORED_0);
    release(3);
    destroy(pipeline);
}

/* A cache is complete when the application looks at it, and is not used after it is destroyed. */
static void caches_are_completed(void **state)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    (void)state;
    release(100);
    for (int how = 0; how < 4; how++) {
        VkPipelineCache cache;
        VkPipeline pipeline = VK_NULL_HANDLE;
        size_t size_B = 0;
        assert_int_equal(pgs_CreatePipelineCache(VK_NULL_HANDLE, &info, NULL, &cache), VK_SUCCESS);
        vertex_info.steps = 10u + (uint32_t)how;
        app.spec_value = 100u + (uint32_t)how; /* other shaders each time */
        const int before = fake.compute_calls;
        assert_int_equal(
            pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, cache, 1, &app.info, NULL, &pipeline),
            VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        if (how == 1)
            pgs_GetPipelineCacheData(VK_NULL_HANDLE, cache, &size_B, NULL);
        else if (how == 2)
            pgs_MergePipelineCaches(VK_NULL_HANDLE, (VkPipelineCache)(uintptr_t)1, 1, &cache);
        if (how == 3)
            destroy(pipeline);
        else
            pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL);
        assert_true(fake.compute_calls > before); /* not only the kernel */
        assert_true(with_cache(cache));
        if (how == 3) {
            pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL);
        } else {
            assert_int_equal(made_mask(p), FUSED | STORED);
            assert_null(p->variants->source->cache);
            destroy(pipeline);
        }
    }
}

static void *look_at_cache(void *cache)
{
    size_t size_B = 0;
    pgs_GetPipelineCacheData(VK_NULL_HANDLE, cache, &size_B, NULL);
    return NULL;
}

/* Who completes a cache leaves others alone: they make and destroy pipelines of other caches. The
 * driver compiles nothing elsewhere before they have. */
static void only_one_waits_for_a_cache(void **state)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    const struct timespec soon = {.tv_nsec = 50 * 1000 * 1000};
    VkPipelineCache caches[2];
    VkPipeline pipelines[2];
    pthread_t thread;
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pgs_CreatePipelineCache(VK_NULL_HANDLE, &info, NULL, &caches[i]),
                         VK_SUCCESS);
    app.spec_value = 200;
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, caches[0], 1, &app.info, NULL, &pipelines[0]),
        VK_SUCCESS);
    assert_int_equal(pthread_create(&thread, NULL, look_at_cache, caches[0]), 0);
    nanosleep(&soon, NULL); /* else it may see nothing, which is right, too */
    app.spec_value = 201;
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, caches[1], 1, &app.info, NULL, &pipelines[1]),
        VK_SUCCESS);
    const uint32_t before = seen.compute_count;
    release(100);
    pthread_join(thread, NULL);
    assert_int_equal(before, 0);
    assert_false(seen.waited_in_vain);
    for (int i = 0; i < 2; i++)
        destroy(pipelines[i]);
    set_threads(0); /* the fake's counter of caches is for one thread */
    for (int i = 0; i < 2; i++)
        pgs_DestroyPipelineCache(VK_NULL_HANDLE, caches[i], NULL);
}

static _Atomic bool cache_is_gone;

static VKAPI_ATTR void VKAPI_CALL lose_cache(VkDevice handle, VkPipelineCache cache,
                                             const VkAllocationCallbacks *allocator)
{
    (void)handle, (void)cache, (void)allocator;
    cache_is_gone = true;
}

static void *destroy_pipeline(void *pipeline)
{
    destroy(pipeline);
    return NULL;
}

static void *destroy_pipeline_cache(void *cache)
{
    pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL);
    return NULL;
}

/* While a thread still compiles a pipeline that another one destroys, its cache stays. */
static void caches_outlive_their_last_use(void **state)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    const struct timespec soon = {.tv_nsec = 50 * 1000 * 1000};
    VkPipelineCache cache;
    VkPipeline pipeline;
    pthread_t threads[2];
    (void)state;
    assert_int_equal(pgs_CreatePipelineCache(VK_NULL_HANDLE, &info, NULL, &cache), VK_SUCCESS);
    app.spec_value = 300;
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, cache, 1, &app.info, NULL, &pipeline),
        VK_SUCCESS);
    cache_is_gone = false;
    device.vk.DestroyPipelineCache = lose_cache;
    nanosleep(&soon, NULL); /* if threads are later, all is in order anyway */
    assert_int_equal(pthread_create(&threads[0], NULL, destroy_pipeline, pipeline), 0);
    nanosleep(&soon, NULL);
    assert_int_equal(pthread_create(&threads[1], NULL, destroy_pipeline_cache, cache), 0);
    nanosleep(&soon, NULL);
    const bool early = cache_is_gone;
    release(100);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_false(early || seen.waited_in_vain);
    assert_true(cache_is_gone);
    set_threads(0);
    device.vk.DestroyPipelineCache = destroy_cache;
    destroy_cache(VK_NULL_HANDLE, cache, NULL);
}

/* What nobody wants any more is not compiled, unless a thread has begun. */
static void destroyed_pipelines_are_left_alone(void **state)
{
    VkPipeline pipelines[6];
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        app.spec_value = i;
        create_and_find(&pipelines[i]);
    }
    for (uint32_t i = 6; i-- > 2;)
        destroy(pipelines[i]);
    assert_true(fake.compute_calls == 0);
    release(3);
    destroy(pipelines[0]);
    destroy(pipelines[1]);
    set_threads(0);
    assert_true(fake.compute_calls <= 3);
    assert_false(seen.waited_in_vain);
}

/* The draw that wants it is told. */
static void failures_are_told_later(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    release(100);
    fake.compute_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake.compute_result = VK_SUCCESS;
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_false(lost);
    destroy(pipeline);
    app.spec_value++;
    fake.compute_result = VK_ERROR_UNKNOWN;
    p = create_and_find(&pipeline);
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_true(lost && !pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    fake.compute_result = VK_SUCCESS;
    destroy(pipeline);
}

/* A trial has said that they can be had. */
static void translations_may_fail_later(void **state)
{
    static const enum pgs_spv_result results[] = {PGS_SPV_OUT_OF_MEMORY, PGS_SPV_INVALID,
                                                  PGS_SPV_UNSUPPORTED};
    const uint32_t apart =
        PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY);
    VkPipeline pipeline;
    bool lost;
    (void)state;
    release(100);
    for (uint32_t i = 0; i < 3; i++) {
        const bool retries = results[i] == PGS_SPV_OUT_OF_MEMORY;
        app.spec_value = i;
        seen.later = results[i];
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(pgs_variants_make(p, FUSED, &lost),
                         retries ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
        assert_int_equal(lost, !retries);
        seen.later = PGS_SPV_OK;
        fused_result = PGS_SPV_OK;
        assert_int_equal(made_mask(p), STORED);
        assert_int_equal(pgs_variants_make(p, retries ? FUSED : apart, &lost), VK_SUCCESS);
        assert_false(lost);
        destroy(pipeline);
    }
}

static void some_creations_leave_nothing(void **state)
{
    const VkAllocationCallbacks allocator = {.pUserData = &seen};
    VkPipeline pipeline;
    (void)state;
    release(100);
    for (int how = 0; how < 4; how++) {
        const VkAllocationCallbacks *callbacks = how == 0 ? &allocator : NULL;
        instance.settings.threads = how == 1 ? 0 : 2;
        instance.settings.compile = how == 2 ? PGS_COMPILE_ALL : PGS_COMPILE_LAZY;
        app.info.flags = how == 3 ? VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0;
        app.spec_value = (uint32_t)how;
        assert_int_equal(pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &app.info,
                                                     callbacks, &pipeline),
                         VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(made_mask(p) & (FUSED | STORED), FUSED | STORED);
        assert_int_equal(p->variants->source->ahead.mask, 0);
        pgs_DestroyPipeline(VK_NULL_HANDLE, pipeline, callbacks);
    }
}

static int tear_down_threads(void **state)
{
    const int result = tear_down(state);
    device.vk.CreatePipelineCache = create_cache;
    device.vk.CreateComputePipelines = create_compute;
    device.vk.CreateGraphicsPipelines = create_graphics;
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    physical.traits.costs.of[PGS_COST_INLINE_INVOCATIONS] = 0;
    return result;
}

#define AHEAD(name) cmocka_unit_test_setup_teardown(name, set_up_ahead, tear_down_threads)
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_threads, tear_down_threads)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(compiles_side_by_side),
        TEST(raster_variants_follow_each_other),
        TEST(finds_what_others_have_alone),
        TEST(compiles_kernels_ahead_and_once),
        TEST(expects_what_is_probable),
        TEST(reports_failures_where_they_matter),
        TEST(uses_some_caches_in_one_thread),
        TEST(calls_allocators_in_one_thread),
        AHEAD(compute_is_left_behind),
        AHEAD(inline_is_left_behind),
        AHEAD(known_variants_of_small_draws_are_left_behind),
        AHEAD(stored_variants_follow),
        AHEAD(picking_is_found_out_later),
        AHEAD(translations_are_left_behind),
        AHEAD(trials_are_not_left_behind),
        AHEAD(caches_are_completed),
        AHEAD(only_one_waits_for_a_cache),
        AHEAD(caches_outlive_their_last_use),
        AHEAD(destroyed_pipelines_are_left_alone),
        AHEAD(failures_are_told_later),
        AHEAD(translations_may_fail_later),
        AHEAD(some_creations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
