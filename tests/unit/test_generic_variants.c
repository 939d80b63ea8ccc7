/* SPDX-License-Identifier: MIT
 *
 * Generic variants of linked pipelines, on a fake driver: which libraries compile them, which links
 * draw with them, and what takes their places.
 */
#include "base/alloc.h"
#include "base/workers.h"
#include "pipeline/device.h"
#include "pipeline/find.h"
#include "pipeline/generic.h"
#include "pipeline/kept_render_pass.h"
#include "pipeline/kernels.h"
#include "pipeline/layout.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../common/within.h"

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

#include "library_driver.h"

#include "library_app.h"

enum {
    FUSED = PGS_VARIANT_BIT(PGS_VARIANT_FUSED),
    STORED = PGS_VARIANT_BIT(PGS_VARIANT_STORED_0),
    INLINE = PGS_VARIANT_BIT(PGS_VARIANT_INLINE),
};

/* -- a driver that may take long -- */

static pthread_t linker;
/* While one is shut, threads that are to compile such shaders wait, so that the linker sees what is
 * there without them. */
enum gate { GENERIC, OWN, GATES };
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool is_shut[GATES];
static int waiting[GATES];
static _Atomic int compiled;
static _Atomic(VkPipelineCache) generic_cache; /* of the last generic variant */

static void set_gate(enum gate gate, bool shut)
{
    pthread_mutex_lock(&gate_lock);
    is_shut[gate] = shut;
    pthread_cond_broadcast(&gate_changed);
    pthread_mutex_unlock(&gate_lock);
}

static void set_gates(bool shut)
{
    set_gate(GENERIC, shut);
    set_gate(OWN, shut);
}

static void pass_gate(enum gate gate)
{
    if (pthread_equal(linker, pthread_self()))
        return;
    pthread_mutex_lock(&gate_lock);
    waiting[gate]++;
    pthread_cond_broadcast(&gate_changed);
    while (is_shut[gate])
        pthread_cond_wait(&gate_changed, &gate_lock);
    waiting[gate]--;
    pthread_mutex_unlock(&gate_lock);
}

/* Returns when a thread is in front of the gate. */
static void await_at(enum gate gate)
{
    pthread_mutex_lock(&gate_lock);
    while (!waiting[gate])
        pthread_cond_wait(&gate_changed, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
}

static void *open_gate(void *gate)
{
    usleep(2000); /* whichever comes first must be right */
    set_gate(*(const enum gate *)gate, false);
    return NULL;
}

static pthread_t opener;

/* It lives until join_opener. */
static void open_later(const enum gate *gate)
{
    assert_int_equal(pthread_create(&opener, NULL, open_gate, (void *)(uintptr_t)gate), 0);
}

static void join_opener(void)
{
    pthread_join(opener, NULL);
}

static VkResult compile_behind(VkDevice handle, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    pipelines[0] = VK_NULL_HANDLE;
    if (infos[0].flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)
        return VK_PIPELINE_COMPILE_REQUIRED;
    pass_gate(fuses_generic ? GENERIC : OWN);
    if (fuses_generic)
        generic_cache = cache;
    compiled++;
    return create_compute(handle, cache, count, infos, allocator, pipelines);
}

static VkResult compile_raster_behind(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                      const VkGraphicsPipelineCreateInfo *infos,
                                      const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;
    pass_gate(OWN);
    pthread_mutex_lock(&noting);
    const VkResult result = create_any(handle, cache, count, infos, allocator, pipelines);
    pthread_mutex_unlock(&noting);
    return result;
}

/* The application's may have flags. */
static VkResult create_any_cache(VkDevice handle, const VkPipelineCacheCreateInfo *info,
                                 const VkAllocationCallbacks *allocator, VkPipelineCache *cache)
{
    const VkPipelineCacheCreateInfo plain = {.sType = info->sType};
    return create_cache(handle, &plain, allocator, cache);
}

/* They are not counted. */
static void make_kernels(void)
{
    VkPipelineLayout layout;
    VkPipeline kernel;
    for (int k = 0; k < PGS_KERNEL_COUNT; k++)
        assert_int_equal(pgs_kernel_get(&device, (enum pgs_kernel)k, &kernel, &layout), VK_SUCCESS);
}

static void set_threads(uint32_t threads)
{
    pgs_workers_destroy(device.pipelines->workers);
    device.pipelines->workers = pgs_workers_create(threads);
    assert_non_null(device.pipelines->workers);
}

static void do_nothing(struct pgs_task *task)
{
    (void)task;
}

/* Returns when all is compiled that libraries have left to threads, which do that one by one. */
static void settle(void)
{
    struct pgs_task last = {.run = do_nothing, .rank = PGS_TASK_LIKELY};
    pgs_workers_offer(device.pipelines->workers, &last);
    while (!pgs_workers_are_done(device.pipelines->workers, &last))
        usleep(100);
}

static int set_up_threads(void **state)
{
    if (set_up_libraries(state) != 0)
        return -1;
    instance.settings.compile = PGS_COMPILE_LAZY;
    instance.settings.threads = 1;
    set_threads(1);
    device.vk.CreatePipelineCache = create_any_cache;
    device.vk.CreateComputePipelines = compile_behind;
    physical.traits.kind = PGS_DEVICE_IMMEDIATE;
    vertex_info.steps = 10; /* also strips are fused */
    linker = pthread_self();
    make_kernels();
    compiled = fused_generic = 0;
    return 0;
}

static int tear_down_threads(void **state)
{
    set_gates(false);
    fused_result = PGS_SPV_OK;
    instance.settings.threads = 0;
    instance.settings.compile = PGS_COMPILE_LAZY;
    physical.traits.kind = PGS_DEVICE_ANY;
    device.vk.CreatePipelineCache = create_cache;
    return tear_down_libraries(state);
}

static const struct pgs_emulated_pipeline *link_four(const VkPipeline libraries[4],
                                                     VkPipeline *pipeline)
{
    assert_int_equal(try_link(4, libraries, 0, app.layout, pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, *pipeline);
    assert_non_null(p);
    return p;
}

static VkPipeline fused_of(const struct pgs_emulated_pipeline *p)
{
    return pgs_variant_handle(p, PGS_VARIANT_FUSED);
}

/* The library compiles, and none of its links, whatever formats and topology they have; their own
 * shaders come when a thread has compiled them, and what was drawn with stays. */
static void draws_at_once(void **state)
{
    static const VkPrimitiveTopology topologies[3] = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    VkPipeline libraries[4], pipelines[3], generic = VK_NULL_HANDLE;
    bool lost;
    (void)state;
    make_four(libraries);
    settle();
    assert_int_equal(fused_generic, 1);
    const int of_library = compiled;
    for (int i = 0; i < 3; i++) {
        destroy(libraries[0]);
        app.attributes[1].format = VK_FORMAT_R8G8_UNORM + (VkFormat)i;
        app.input_assembly.topology = topologies[i];
        app.input_assembly.primitiveRestartEnable = i > 0;
        libraries[0] = library_of(INPUT);
        set_gate(OWN, true);
        const struct pgs_emulated_pipeline *p = link_four(libraries, &pipelines[i]);
        assert_int_equal(compiled, of_library + i);
        assert_true(p->bridges);
        assert_int_equal(atomic_load(&p->variants->generic_mask), FUSED);
        assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
        assert_false(lost);
        assert_int_equal(compiled, of_library + i);
        assert_true(!generic || fused_of(p) == generic);
        generic = fused_of(p);
        set_gate(OWN, false);
        assert_int_equal(pgs_variants_make_ahead(p, FUSED, &lost), VK_SUCCESS);
        assert_int_equal(compiled, of_library + i + 1);
        assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
        assert_ptr_not_equal(fused_of(p), generic);
        assert_non_null(p->variants->generic[PGS_VARIANT_FUSED]);
    }
    assert_int_equal(fused_generic, 1);
    destroy_four(libraries);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);
}

/* A link that must compile nothing has what the library has compiled, but does not wait for it. */
static void links_without_compiling(void **state)
{
    const VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    (void)state;
    for (int knows_formats = 0; knows_formats < 2; knows_formats++) {
        VkPipeline libraries[4] = {VK_NULL_HANDLE}, pipeline;
        uint32_t count = 4;
        set_gates(true);
        if (knows_formats) {
            libraries[0] = library_of(INPUT | BEFORE);
            libraries[1] = library_of(FRAGMENT | OUTPUT);
            count = 2;
        } else {
            make_four(libraries);
        }
        await_at(knows_formats ? OWN : GENERIC);
        const int before = compiled;
        assert_int_equal(try_link(count, libraries, flags, app.layout, &pipeline),
                         VK_PIPELINE_COMPILE_REQUIRED);
        assert_null(pipeline);
        set_gates(false);
        settle();
        assert_int_equal(compiled, before + 1);
        set_gates(true);
        assert_int_equal(try_link(count, libraries, flags, app.layout, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(compiled, before + 1);
        assert_non_null(fused_of(p));
        assert_int_equal(atomic_load(&p->variants->generic_mask), knows_formats ? 0 : FUSED);
        set_gates(false);
        destroy(pipeline);
        destroy_four(libraries);
    }
}

/* A library that has the vertex input compiles for it, and its links have that. */
static void compiles_for_known_formats(void **state)
{
    VkPipeline libraries[2], pipeline;
    (void)state;
    libraries[0] = library_of(INPUT | BEFORE);
    libraries[1] = library_of(FRAGMENT | OUTPUT);
    settle();
    assert_int_equal(fused_generic, 0);
    const int of_library = compiled;
    assert_true(of_library > 0);
    set_gate(OWN, true);
    assert_int_equal(try_link(2, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
    assert_non_null(fused_of(p));
    assert_int_equal(compiled, of_library);
    set_gate(OWN, false);
    destroy(pipeline);
    destroy(libraries[0]);
    destroy(libraries[1]);
}

/* An input without an attribute is not in the record, so the generic variant must not read it. */
static void leaves_inputs_without_attributes(void **state)
{
    (void)state;
    app.vertex_input.vertexAttributeDescriptionCount = 1;
    for (int is_compiled = 0; is_compiled < 2; is_compiled++) {
        VkPipeline libraries[4], pipeline;
        set_gates(true);
        make_four(libraries);
        await_at(GENERIC);
        set_gate(GENERIC, !is_compiled);
        if (is_compiled)
            settle();
        const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
        assert_int_equal(fused_generic, is_compiled + 1);
        assert_null(fused_of(p));
        assert_false(p->bridges);
        set_gates(false);
        destroy(pipeline);
        destroy_four(libraries);
    }
}

static void expect_none(void)
{
    VkPipeline libraries[4];
    make_four(libraries);
    settle();
    assert_int_equal(compiled, 0);
    destroy_four(libraries);
}

/* Where it costs more than it saves, libraries compile none. */
static void knows_where_it_pays(void **state)
{
    (void)state;
    physical.traits.kind = PGS_DEVICE_CPU;
    expect_none();
    physical.traits.kind = PGS_DEVICE_IMMEDIATE;
    instance.settings.compile = PGS_COMPILE_ALL;
    expect_none();
    instance.settings.compile = PGS_COMPILE_LAZY;
    instance.settings.threads = 0;
    expect_none();
    app.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    instance.settings.threads = 1;
    expect_none();
}

/* -- while threads compile -- */

/* As on GPUs, if the shaders may be inline. */
static void make_inline(void)
{
    geometry_info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    geometry_info.stream_mask = 1;
    places_geometry = true;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    device.vk.CreateGraphicsPipelines = compile_raster_behind;
}

static uint32_t missing(const struct pgs_emulated_pipeline *p, uint32_t variants)
{
    return variants & ~atomic_load(&p->variants->made_mask);
}

/* Neither the library nor its links wait; a draw does, for what is there first: its own shader, or
 * those of the library with which it is stored. */
static void draws_with_what_is_there_first(void **state)
{
    static const enum gate gates[GATES] = {GENERIC, OWN};
    (void)state;
    set_threads(2);
    for (uint32_t i = 0; i < 4; i++) {
        const enum gate first = gates[i % 2];
        const uint32_t own = i < 2 ? FUSED : INLINE;
        VkPipeline libraries[4], pipeline;
        bool lost;
        app.spec_value = 10 + i; /* other shaders each time */
        if (i == 2)
            make_inline();
        set_gates(true);
        const int before = compiled;
        make_four(libraries);
        const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
        assert_int_equal(compiled, before);
        assert_true(p->bridges);
        assert_int_equal(missing(p, FUSED | own | STORED), FUSED | own);
        await_at(GENERIC);
        await_at(OWN);
        open_later(&gates[i % 2]);
        pgs_generic_await(p, own, FUSED | STORED);
        assert_int_equal(missing(p, own) != 0, first == GENERIC && own == INLINE);
        assert_int_equal(missing(p, FUSED) != 0, first == OWN && own == INLINE);
        assert_int_equal(atomic_load(&p->variants->generic_mask), first == GENERIC ? FUSED : 0);
        join_opener();
        set_gates(false);
        assert_int_equal(pgs_variants_make_ahead(p, FUSED | own, &lost), VK_SUCCESS);
        assert_int_equal(missing(p, FUSED | own), 0);
        assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
        settle();
        destroy(pipeline);
        destroy_four(libraries);
    }
}

/* Where no thread is free for the pipeline's own shaders, the draw does not wait for the library,
 * which may take longer. */
static void takes_its_own_without_a_thread(void **state)
{
    VkPipeline libraries[4], pipeline;
    bool lost;
    (void)state;
    set_gate(GENERIC, true);
    make_four(libraries);
    await_at(GENERIC);
    const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
    pgs_generic_await(p, FUSED, FUSED);
    assert_null(fused_of(p));
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_non_null(fused_of(p));
    const VkPipeline own = fused_of(p);
    set_gate(GENERIC, false);
    settle();
    pgs_generic_await(p, FUSED, FUSED);
    assert_ptr_equal(fused_of(p), own);
    assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
    destroy(pipeline);
    destroy_four(libraries);
}

/* Shaders that cannot be fused are compiled one by one. */
static void compiles_the_rest(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    fused_result = PGS_SPV_UNSUPPORTED;
    formats_are_dynamic = true;
    make_four(libraries);
    settle();
    formats_are_dynamic = false;
    assert_int_equal(fused_generic, 1);
    assert_int_equal(compiled, 2);
    set_gates(true);
    const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
    assert_int_equal(compiled, 2);
    assert_null(fused_of(p)); /* it is still to learn that */
    set_gates(false);
    destroy(pipeline);
    destroy_four(libraries);
}

/* -- what does not live long -- */

/* What links await goes on without the library. */
static void links_outlive_libraries(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    set_threads(2);
    set_gates(true);
    make_four(libraries);
    const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
    await_at(GENERIC);
    destroy_four(libraries); /* waits for nothing */
    set_gate(GENERIC, false);
    settle();
    pgs_generic_await(p, FUSED, FUSED);
    assert_int_equal(atomic_load(&p->variants->generic_mask), FUSED);
    set_gates(false);
    destroy(pipeline);
}

/* A thread that has begun is waited for; else nothing is compiled. */
static void libraries_may_end(void **state)
{
    static const enum gate gate = GENERIC;
    VkPipeline first[4], second[4];
    (void)state;
    set_gate(GENERIC, true);
    make_four(first);
    await_at(GENERIC);
    app.spec_value++; /* other shaders */
    make_four(second);
    destroy_four(second);
    assert_int_equal(compiled, 0);
    open_later(&gate);
    destroy_four(first);
    assert_int_equal(compiled, 1);
    join_opener();
    settle();
    assert_int_equal(compiled, 1);
}

/* Also with the device, to which the application may leave its libraries. */
static void devices_may_end(void **state)
{
    static const enum gate gate = GENERIC;
    VkPipeline libraries[2][4];
    (void)state;
    set_gate(GENERIC, true);
    for (uint32_t i = 0; i < 2; i++) {
        app.spec_value = 20 + i;
        make_four(libraries[i]);
    }
    await_at(GENERIC);
    for (int i = 0; i < 8; i++)
        device.vk.DestroyPipeline(VK_NULL_HANDLE, libraries[i / 4][i % 4], NULL);
    open_later(&gate);
    pgs_workers_destroy(device.pipelines->workers); /* as the device does first */
    device.pipelines->workers = NULL;
    assert_within(compiled, 1, 2); /* the second may have begun */
    join_opener();
}

static VkPipelineCache new_cache(VkPipelineCacheCreateFlags flags)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .flags = flags};
    VkPipelineCache cache;
    assert_int_equal(pgs_CreatePipelineCache(VK_NULL_HANDLE, &info, NULL, &cache), VK_SUCCESS);
    return cache;
}

/* The application's cache has what was compiled when it is destroyed, and is not used later. */
static void caches_may_end(void **state)
{
    static const enum gate gate = GENERIC;
    VkPipeline libraries[4];
    (void)state;
    for (uint32_t begun = 0; begun < 2; begun++) {
        const VkPipelineCache cache = app.cache = new_cache(0);
        app.spec_value = 30 + begun;
        set_gate(GENERIC, begun);
        make_four(libraries);
        if (begun) {
            await_at(GENERIC);
            open_later(&gate);
        }
        pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL);
        assert_int_equal(compiled, (int)begun + 1);
        assert_ptr_equal(generic_cache, cache);
        if (begun)
            join_opener();
        destroy_four(libraries);
        settle();
        assert_int_equal(compiled, (int)begun + 1);
        app.cache = VK_NULL_HANDLE;
    }
}

/* What only the calling thread may use is not the threads'. */
static void threads_leave_what_is_the_callers(void **state)
{
    const VkAllocationCallbacks allocator = {.pUserData = &gate_lock};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        VkPipeline libraries[4];
        const VkPipelineCache cache = app.cache =
            new_cache(i ? VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT : 0);
        app.allocator = i ? NULL : &allocator;
        app.spec_value = 40 + i;
        set_gate(GENERIC, true);
        make_four(libraries);
        await_at(GENERIC);
        pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL); /* waits for nothing */
        set_gate(GENERIC, false);
        settle();
        assert_int_equal(compiled, (int)i + 1);
        assert_ptr_not_equal(generic_cache, cache);
        destroy_four(libraries);
        app.cache = VK_NULL_HANDLE;
        app.allocator = NULL;
    }
}

/* The library is none the worse; its links compile. */
static void failures_are_left_to_links(void **state)
{
    static const enum gate gates[GATES] = {GENERIC, OWN};
    VkPipeline libraries[4], pipelines[2];
    bool lost;
    (void)state;
    set_threads(2);
    set_gates(true);
    fake.compute_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    make_four(libraries);
    const struct pgs_emulated_pipeline *p = link_four(libraries, &pipelines[0]);
    await_at(GENERIC);
    await_at(OWN);
    set_gate(GENERIC, false);
    settle();
    fake.compute_result = VK_SUCCESS;
    open_later(&gates[OWN]);
    pgs_generic_await(p, FUSED, FUSED); /* for its own, or finds that nothing comes */
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
    assert_non_null(fused_of(p));
    join_opener();
    p = link_four(libraries, &pipelines[1]);
    assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
    destroy_four(libraries);
    for (int i = 0; i < 2; i++)
        destroy(pipelines[i]);
}

/* Whatever fails, the threads' or the application's, nobody waits for ever and nothing is left.
 * True: all has been made. */
static bool make_and_draw(void)
{
    VkPipeline libraries[4] = {VK_NULL_HANDLE}, pipeline = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    bool lost, is_generic = false;
    for (int i = 0; i < 4 && result == VK_SUCCESS; i++)
        result = try_library(1u << i, &libraries[i]);
    if (result == VK_SUCCESS)
        result = try_link(4, libraries, 0, app.layout, &pipeline);
    if (result == VK_SUCCESS) {
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        pgs_generic_await(p, INLINE, FUSED | STORED);
        result = pgs_variants_make(p, FUSED, &lost);
        assert_true(result != VK_SUCCESS || lost || fused_of(p));
        settle();
        is_generic = atomic_load(&p->variants->generic_mask);
    }
    assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
                result == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    destroy(pipeline);
    destroy_four(libraries);
    return result == VK_SUCCESS && (is_generic || fused_generic);
}

static void survives_all_failures(void **state)
{
    int made_count = 0, failed_count = 0;
    (void)state;
    set_threads(2);
    for (int n = 1; n < 300; n++) {
        const bool driver = n % 4 == 0;
        if (driver)
            fake_fail_after((unsigned)n / 4, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        else
            pgs_alloc_fail_after(n, n % 3 == 0);
        fused_generic = 0;
        const bool is_made = make_and_draw();
        made_count += is_made;
        failed_count += !is_made;
        pgs_alloc_fail_after(0, false);
        fake_fail_after(0, VK_SUCCESS);
    }
    assert_true(made_count > 10 && failed_count > 10);
    assert_true(make_and_draw());
}

/* -- what nobody waits for any more -- */

struct draw {
    const struct pgs_emulated_pipeline *pipeline;
    _Atomic bool is_recorded;
};

static void *record_draw(void *context)
{
    struct draw *draw = context;
    pgs_generic_await(draw->pipeline, FUSED, FUSED);
    atomic_store(&draw->is_recorded, true);
    return NULL;
}

/* A draw that has its own variant, of libraries that are gone, lets go of the generic one. */
static void draws_do_not_wait_for_a_gone_library(void **state)
{
    VkPipeline libraries[4], pipeline;
    pthread_t thread;
    (void)state;
    set_threads(2);
    set_gates(true);
    make_four(libraries);
    struct draw draw = {.pipeline = link_four(libraries, &pipeline)};
    await_at(GENERIC);
    await_at(OWN);
    destroy_four(libraries);
    assert_int_equal(pthread_create(&thread, NULL, record_draw, &draw), 0);
    set_gate(OWN, false);
    for (int i = 0; i < 10000 && !atomic_load(&draw.is_recorded); i++)
        usleep(1000);
    assert_true(atomic_load(&draw.is_recorded));
    set_gates(false);
    pthread_join(thread, NULL);
    destroy(pipeline);
}

/* Libraries that are made with a cache, and end before a thread has come to them. */
static void libraries_end_without_compiling(void **state)
{
    VkPipeline first[4], second[4];
    (void)state;
    set_gate(GENERIC, true);
    app.spec_value = 80;
    make_four(first);
    await_at(GENERIC);
    const VkPipelineCache cache = app.cache = new_cache(0);
    for (int i = 0; i < 5; i++) {
        app.spec_value = 81 + i;
        make_four(second);
        destroy_four(second);
    }
    assert_int_equal(compiled, 0);
    set_gate(GENERIC, false);
    destroy_four(first);
    pgs_DestroyPipelineCache(VK_NULL_HANDLE, cache, NULL);
    app.cache = VK_NULL_HANDLE;
}

/* Each library has two shaders to compile, but all of them half of the threads. */
static void libraries_leave_threads_to_what_is_wanted(void **state)
{
    VkPipeline libraries[3][4];
    struct pgs_task wanted = {.run = do_nothing};
    (void)state;
    set_threads(4);
    instance.settings.fuse = PGS_FUSE_NEVER;
    formats_are_dynamic = true;
    set_gates(true);
    for (uint32_t i = 0; i < 3; i++) {
        app.spec_value = 90 + i;
        make_four(libraries[i]);
    }
    usleep(100000); /* for threads that ought not to begin */
    pgs_workers_offer(device.pipelines->workers, &wanted);
    for (int i = 0; i < 10000 && !pgs_workers_are_done(device.pipelines->workers, &wanted); i++)
        usleep(1000);
    assert_true(pgs_workers_are_done(device.pipelines->workers, &wanted));
    set_gates(false);
    for (uint32_t i = 0; i < 3; i++)
        destroy_four(libraries[i]);
    instance.settings.fuse = PGS_FUSE_AUTO;
    formats_are_dynamic = false;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_threads, tear_down_threads)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(draws_at_once),
        TEST(links_without_compiling),
        TEST(compiles_for_known_formats),
        TEST(leaves_inputs_without_attributes),
        TEST(knows_where_it_pays),
        TEST(draws_with_what_is_there_first),
        TEST(takes_its_own_without_a_thread),
        TEST(compiles_the_rest),
        TEST(links_outlive_libraries),
        TEST(libraries_may_end),
        TEST(devices_may_end),
        TEST(caches_may_end),
        TEST(threads_leave_what_is_the_callers),
        TEST(failures_are_left_to_links),
        TEST(survives_all_failures),
        TEST(draws_do_not_wait_for_a_gone_library),
        TEST(libraries_end_without_compiling),
        TEST(libraries_leave_threads_to_what_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
