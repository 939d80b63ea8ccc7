/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_pipeline_robustness on a fake driver: what the application says of its pipeline and stages
 * reaches every variant that runs them, and a shader that does the work of two is as strict as
 * both. The flags of VK_EXT_pipeline_protected_access and VK_EXT_descriptor_buffer reach every
 * variant, too.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "poly_gs/abi.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

#define INFO_TYPE VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT
#define MAX_MADE 16

enum { DEFAULT, DISABLED, ROBUST, ROBUST_2 }; /* of buffers and images */

/* What the driver made, and what it heard about it. */
static struct made {
    VkPipeline pipeline;
    VkPipelineCreateFlags flags;
    bool has_pipeline, has_vertex, has_fragment;
    VkPipelineRobustnessCreateInfoEXT of_pipeline, of_vertex, of_fragment; /* without chains */
} mades[MAX_MADE];
static int made_count;

static bool take(const void *chain, VkPipelineRobustnessCreateInfoEXT *copy)
{
    const VkPipelineRobustnessCreateInfoEXT *info = pgs_chain_find(chain, INFO_TYPE);
    if (info)
        *copy = *info;
    return info;
}

/* The caller holds fake_lock. */
static struct made *note_made(VkPipeline pipeline, VkPipelineCreateFlags flags, const void *chain)
{
    assert_true(made_count < MAX_MADE);
    struct made *made = &mades[made_count++];
    *made = (struct made){.pipeline = pipeline, .flags = flags};
    made->has_pipeline = take(chain, &made->of_pipeline);
    return made;
}

static VkResult note_compute(VkDevice handle, VkPipelineCache cache, uint32_t count,
                             const VkComputePipelineCreateInfo *infos,
                             const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    const VkResult result = create_compute(handle, cache, count, infos, allocator, pipelines);
    pthread_mutex_lock(&fake_lock);
    note_made(pipelines[0], infos[0].flags, infos[0].pNext);
    pthread_mutex_unlock(&fake_lock);
    return result;
}

static VkResult note_raster(VkDevice handle, VkPipelineCache cache, uint32_t count,
                            const VkGraphicsPipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    const VkResult result = create_graphics(handle, cache, count, infos, allocator, pipelines);
    pthread_mutex_lock(&fake_lock);
    struct made *made = note_made(pipelines[0], infos[0].flags, infos[0].pNext);
    made->has_vertex = take(infos[0].pStages[0].pNext, &made->of_vertex);
    if (infos[0].stageCount > 1)
        made->has_fragment = take(infos[0].pStages[1].pNext, &made->of_fragment);
    pthread_mutex_unlock(&fake_lock);
    return result;
}

static int set_up_noting(void **state)
{
    device.vk.CreateComputePipelines = note_compute;
    device.vk.CreateGraphicsPipelines = note_raster;
    device.robust_buffer_access = device.robust_buffer_access2 = false;
    device.robust_image_access = device.robust_image_access2 = false;
    made_count = 0;
    const int result = set_up(state);
    places_geometry = true;
    geometry_info.stream_mask = 1;
    app.info.pNext = NULL; /* instead of the feedback, which is for one call */
    return result;
}

static VkPipelineRobustnessCreateInfoEXT info_of(int storage, int uniform, int inputs, int images)
{
    return (VkPipelineRobustnessCreateInfoEXT){
        .sType = INFO_TYPE,
        .storageBuffers = (VkPipelineRobustnessBufferBehaviorEXT)storage,
        .uniformBuffers = (VkPipelineRobustnessBufferBehaviorEXT)uniform,
        .vertexInputs = (VkPipelineRobustnessBufferBehaviorEXT)inputs,
        .images = (VkPipelineRobustnessImageBehaviorEXT)images};
}

static void check(const VkPipelineRobustnessCreateInfoEXT *info, int storage, int uniform,
                  int images)
{
    assert_int_equal(info->storageBuffers, storage);
    assert_int_equal(info->uniformBuffers, uniform);
    assert_int_equal(info->images, images);
}

static const struct made *find(const struct pgs_emulated_pipeline *p, enum pgs_variant variant)
{
    const VkPipeline pipeline = made(p, variant);
    assert_non_null(pipeline);
    for (int i = 0; i < made_count; i++)
        if (mades[i].pipeline == pipeline)
            return &mades[i];
    fail_msg("a pipeline that nobody made");
    return NULL;
}

static const struct pgs_emulated_pipeline *make(VkPipeline *pipeline)
{
    bool lost;
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, *pipeline);
    assert_non_null(p);
    assert_int_equal(pgs_variants_make(p, atomic_load(&p->variants->available), &lost), VK_SUCCESS);
    return p;
}

static void stages_override_the_pipeline(void **state)
{
    VkPipelineRobustnessCreateInfoEXT whole = info_of(DISABLED, DISABLED, DISABLED, DISABLED),
                                      of_vertex = info_of(ROBUST, DISABLED, ROBUST_2, ROBUST_2),
                                      of_geometry = info_of(DISABLED, ROBUST_2, DEFAULT, ROBUST),
                                      of_fragment = info_of(ROBUST_2, ROBUST, DEFAULT, DISABLED);
    VkPipeline pipeline;
    (void)state;
    app.info.pNext = &whole;
    app.stages[0].pNext = &of_vertex;
    app.stages[1].pNext = &of_geometry;
    app.stages[2].pNext = &of_fragment;
    const struct pgs_emulated_pipeline *p = make(&pipeline);
    const struct made *inlined = find(p, PGS_VARIANT_INLINE),
                      *stored = find(p, PGS_VARIANT_STORED_0),
                      *both = find(p, PGS_VARIANT_NO_MEMORY);
    check(&both->of_pipeline, ROBUST, ROBUST_2, ROBUST_2);
    assert_true(inlined->has_vertex && inlined->has_fragment && stored->has_fragment);
    check(&inlined->of_vertex, ROBUST, ROBUST_2, ROBUST_2);
    check(&inlined->of_fragment, ROBUST_2, ROBUST, DISABLED);
    check(&stored->of_fragment, ROBUST_2, ROBUST, DISABLED);
    check(&stored->of_pipeline, DISABLED, DISABLED, DISABLED);
    /* The variants in which the stages run alone. */
    check(&find(p, PGS_VARIANT_VERTEX)->of_pipeline, ROBUST, DISABLED, ROBUST_2);
    check(&find(p, PGS_VARIANT_GEOMETRY)->of_pipeline, DISABLED, ROBUST_2, ROBUST);
    destroy(pipeline);
}

static void default_is_what_the_device_does(void **state)
{
    VkPipelineRobustnessCreateInfoEXT of_vertex = info_of(ROBUST, ROBUST, DEFAULT, ROBUST);
    VkPipeline pipeline;
    (void)state;
    app.stages[0].pNext = &of_vertex;
    const struct pgs_emulated_pipeline *p = make(&pipeline);
    check(&find(p, PGS_VARIANT_NO_MEMORY)->of_pipeline, ROBUST, ROBUST, ROBUST);
    destroy(pipeline);
}

static void device_may_be_stricter(void **state)
{
    VkPipelineRobustnessCreateInfoEXT of_vertex = info_of(ROBUST, DISABLED, DEFAULT, ROBUST);
    VkPipeline pipeline;
    (void)state;
    /* As pgs_robustness_of_device finds it. */
    device.robust_buffer_access2 = device.robust_image_access2 = true;
    pgs_robustness_of_device(&device, &device.pipelines->robustness);
    app.stages[0].pNext = &of_vertex;
    const struct pgs_emulated_pipeline *p = make(&pipeline);
    check(&find(p, PGS_VARIANT_NO_MEMORY)->of_pipeline, DEFAULT, DEFAULT, DEFAULT);
    destroy(pipeline);
}

static void only_those_that_ask_get_it(void **state)
{
    VkPipelineRobustnessCreateInfoEXT whole = info_of(ROBUST_2, ROBUST_2, ROBUST_2, ROBUST_2);
    VkPipeline plain, robust;
    (void)state;
    const struct pgs_emulated_pipeline *p = make(&plain);
    const VkPipeline both = made(p, PGS_VARIANT_NO_MEMORY);
    assert_false(find(p, PGS_VARIANT_NO_MEMORY)->has_pipeline);
    assert_false(find(p, PGS_VARIANT_INLINE)->has_vertex);
    app.info.pNext = &whole;
    p = make(&robust);
    assert_ptr_not_equal(made(p, PGS_VARIANT_NO_MEMORY), both); /* no sharing */
    check(&find(p, PGS_VARIANT_NO_MEMORY)->of_pipeline, ROBUST_2, ROBUST_2, ROBUST_2);
    check(&find(p, PGS_VARIANT_STORED_0)->of_pipeline, ROBUST_2, ROBUST_2, ROBUST_2);
    destroy(plain);
    destroy(robust);
}

static void later_variants_get_it(void **state)
{
    VkPipelineRobustnessCreateInfoEXT whole = info_of(ROBUST_2, ROBUST, DISABLED, ROBUST),
                                      of_fragment = info_of(ROBUST, DISABLED, DEFAULT, DISABLED);
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    app.info.pNext = &whole;
    app.stages[2].pNext = &of_fragment;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    memset(&whole, 0xFF, sizeof(whole)); /* the application's again */
    memset(&of_fragment, 0xFF, sizeof(of_fragment));
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(pgs_variants_make(p, atomic_load(&p->variants->available), &lost), VK_SUCCESS);
    check(&find(p, PGS_VARIANT_GEOMETRY)->of_pipeline, ROBUST_2, ROBUST, ROBUST);
    check(&find(p, PGS_VARIANT_NO_MEMORY)->of_pipeline, ROBUST_2, ROBUST, ROBUST);
    check(&find(p, PGS_VARIANT_INLINE)->of_vertex, ROBUST_2, ROBUST, ROBUST);
    check(&find(p, PGS_VARIANT_INLINE)->of_fragment, ROBUST, DISABLED, DISABLED);
    destroy(pipeline);
}

static int asked; /* times that the driver was asked for properties */

static void count_asking(VkPhysicalDevice handle, VkPhysicalDeviceProperties2 *properties)
{
    (void)handle;
    (void)properties;
    asked++;
}

static void device_is_asked_once(void **state)
{
    const struct pgs_physical_device before = physical;
    VkPhysicalDeviceLimits *limits = &physical.properties.limits;
    VkPipeline pipeline;
    (void)state;
    limits->maxVertexInputAttributes = 32;
    limits->maxVertexInputBindingStride = limits->maxVertexInputAttributeOffset = 2048;
    instance.vk.GetPhysicalDeviceProperties2 = count_asking;
    physical.traits.kind = PGS_DEVICE_CPU;
    asked = 0;
    pgs_robustness_of_device(&device, &device.pipelines->robustness);
    assert_int_equal(asked, 1);
    const struct pgs_emulated_pipeline *p = make(&pipeline);
    assert_true(p->takes_record); /* which depends on how vertex inputs are read */
    assert_int_equal(asked, 1);
    destroy(pipeline);
    instance.vk.GetPhysicalDeviceProperties2 = NULL;
    physical = before;
}

static void flags_of_protection_reach_all(void **state)
{
    VkPipeline pipeline;
    (void)state;
    app.info.flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT |
                     VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    make(&pipeline);
    for (int i = 0; i < made_count; i++)
        assert_int_equal(mades[i].flags, app.info.flags);
    assert_true(made_count > 2);
    destroy(pipeline);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_noting, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stages_override_the_pipeline),  TEST(default_is_what_the_device_does),
        TEST(device_may_be_stricter),        TEST(only_those_that_ask_get_it),
        TEST(later_variants_get_it),         TEST(device_is_asked_once),
        TEST(flags_of_protection_reach_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
