/* SPDX-License-Identifier: MIT
 *
 * Generic variants of linked pipelines, on a fake driver: which libraries compile them, which links
 * draw with them, and what takes their places.
 */
#include "base/alloc.h"
#include "base/workers.h"
#include "pipeline/device.h"
#include "pipeline/find.h"
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

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

#include "library_driver.h"

#include "library_app.h"

#define FUSED PGS_VARIANT_BIT(PGS_VARIANT_FUSED)

static pthread_t linker;
/* While it is shut, threads that are to compile wait, so that the linker sees what is there without
 * them. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opened = PTHREAD_COND_INITIALIZER;
static bool is_shut;
static _Atomic int compiled;

static void set_gate(bool shut)
{
    pthread_mutex_lock(&gate_lock);
    is_shut = shut;
    pthread_cond_broadcast(&gate_opened);
    pthread_mutex_unlock(&gate_lock);
}

static void pass_gate(void)
{
    pthread_mutex_lock(&gate_lock);
    while (is_shut)
        pthread_cond_wait(&gate_opened, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
}

static VkResult compile_behind(VkDevice handle, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    if (!pthread_equal(linker, pthread_self()))
        pass_gate();
    compiled++;
    return create_compute(handle, cache, count, infos, allocator, pipelines);
}

/* They are not counted. */
static void make_kernels(void)
{
    VkPipelineLayout layout;
    VkPipeline kernel;
    for (int k = 0; k < PGS_KERNEL_COUNT; k++)
        assert_int_equal(pgs_kernel_get(&device, (enum pgs_kernel)k, &kernel, &layout), VK_SUCCESS);
}

static int set_up_threads(void **state)
{
    if (set_up_libraries(state) != 0)
        return -1;
    instance.settings.compile = PGS_COMPILE_LAZY;
    instance.settings.threads = 1;
    pgs_workers_destroy(device.pipelines->workers);
    device.pipelines->workers = pgs_workers_create(1);
    device.vk.CreateComputePipelines = compile_behind;
    physical.traits.kind = PGS_DEVICE_IMMEDIATE;
    vertex_info.steps = 10; /* also strips are fused */
    linker = pthread_self();
    make_kernels();
    compiled = fused_generic = 0;
    return device.pipelines->workers ? 0 : -1;
}

static int tear_down_threads(void **state)
{
    set_gate(false);
    instance.settings.threads = 0;
    instance.settings.compile = PGS_COMPILE_LAZY;
    physical.traits.kind = PGS_DEVICE_ANY;
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
    assert_int_equal(fused_generic, 1);
    const int of_library = compiled;
    for (int i = 0; i < 3; i++) {
        destroy(libraries[0]);
        app.attributes[1].format = VK_FORMAT_R8G8_UNORM + (VkFormat)i;
        app.input_assembly.topology = topologies[i];
        app.input_assembly.primitiveRestartEnable = i > 0;
        libraries[0] = library_of(INPUT);
        set_gate(true);
        const struct pgs_emulated_pipeline *p = link_four(libraries, &pipelines[i]);
        assert_int_equal(compiled, of_library + i);
        assert_true(p->bridges);
        assert_int_equal(atomic_load(&p->variants->generic_mask), FUSED);
        assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
        assert_false(lost);
        assert_int_equal(compiled, of_library + i);
        assert_true(!generic || fused_of(p) == generic);
        generic = fused_of(p);
        set_gate(false);
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

/* So a link need not fail where it must not compile. */
static void links_without_compiling(void **state)
{
    const VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    VkPipeline libraries[4], pipeline;
    (void)state;
    make_four(libraries);
    const int of_library = compiled;
    set_gate(true);
    assert_int_equal(try_link(4, libraries, flags, app.layout, &pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(compiled, of_library);
    assert_int_equal(atomic_load(&p->variants->generic_mask), FUSED);
    set_gate(false);
    destroy(pipeline);
    destroy_four(libraries);
}

/* A library that has the vertex input compiles for it, and its links have that. */
static void compiles_for_known_formats(void **state)
{
    VkPipeline libraries[2], pipeline;
    (void)state;
    libraries[0] = library_of(INPUT | BEFORE);
    libraries[1] = library_of(FRAGMENT | OUTPUT);
    assert_int_equal(fused_generic, 0);
    const int of_library = compiled;
    assert_true(of_library > 0);
    set_gate(true);
    assert_int_equal(try_link(2, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(atomic_load(&p->variants->generic_mask), 0);
    assert_non_null(fused_of(p));
    assert_int_equal(compiled, of_library);
    set_gate(false);
    destroy(pipeline);
    destroy(libraries[0]);
    destroy(libraries[1]);
}

/* An input without an attribute is not in the record, so the generic variant must not read it. */
static void leaves_inputs_without_attributes(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.vertex_input.vertexAttributeDescriptionCount = 1;
    make_four(libraries);
    assert_int_equal(fused_generic, 1);
    set_gate(true);
    const struct pgs_emulated_pipeline *p = link_four(libraries, &pipeline);
    assert_null(fused_of(p));
    assert_false(p->bridges);
    set_gate(false);
    destroy(pipeline);
    destroy_four(libraries);
}

static void expect_none(void)
{
    VkPipeline libraries[4];
    make_four(libraries);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_threads, tear_down_threads)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(draws_at_once),
        TEST(links_without_compiling),
        TEST(compiles_for_known_formats),
        TEST(leaves_inputs_without_attributes),
        TEST(knows_where_it_pays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
