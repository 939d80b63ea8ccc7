/* SPDX-License-Identifier: MIT
 *
 * The pipeline module on a fake driver and a fake spirv module: pipelines that draw indirectly in
 * place of the driver's, which knows no first instance.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/instanced.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "poly_gs/format.h"
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

#define WORD_DEPTH 6u /* first word of a module that writes gl_FragDepth */

bool pgs_spv_module_replaces_depth(const uint32_t *words, size_t word_count)
{
    return word_count && words[0] == WORD_DEPTH;
}

static uint32_t clipping_shaders; /* with the two planes */

enum pgs_spv_result pgs_spv_shader_clip_depth(const struct pgs_spv_shader *shader,
                                              const struct pgs_spv_depth_planes *planes,
                                              struct pgs_spv_blob *out)
{
    assert_true(planes->wanted);
    clipping_shaders++;
    return blob(shader, out);
}

/* A pipeline that the driver draws. */
static void be_plain(void)
{
    device.first_instances = physical.lacks_first_instance = true;
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 2;
    app.info.pNext = NULL;
    app.vertex_input.pNext = NULL;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    geometry_info.output_kind = 3;
}

static VkPipeline instanced_of(VkPipeline pipeline)
{
    VkPipeline instanced;
    assert_int_equal(pgs_instanced_get(&device, pipeline, &instanced), VK_SUCCESS);
    return instanced;
}

static int leave(void **state)
{
    device.first_instances = physical.lacks_first_instance = device.xfb = false;
    return tear_down(state);
}

static void the_first_draw_makes_another_pipeline(void **state)
{
    (void)state;
    VkPipeline pipeline;
    be_plain();
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_null(pgs_emulated_pipeline_find(&device, pipeline));
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 1);
    const VkPipeline other = instanced_of(pipeline);
    assert_true(other && other != pipeline);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, other);
    assert_true(p && !p->native_raster && p->pass_through);
    const int64_t alive = fakes.alive[FAKE_PIPELINE];
    assert_true(alive > 1);
    assert_int_equal(instanced_of(pipeline), other); /* once */
    assert_int_equal(fakes.alive[FAKE_PIPELINE], alive);
    destroy(pipeline);
    assert_null(pgs_emulated_pipeline_find(&device, other));
    assert_int_equal(instanced_of(pipeline), VK_NULL_HANDLE);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    /* Without such a draw nothing is made. */
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    destroy(pipeline);
    /* What cannot be kept is made at once. */
    const VkSubmitInfo elsewhere = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    app.rasterization.pNext = &elsewhere;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    const int64_t made = fakes.alive[FAKE_PIPELINE];
    assert_true(made > 1 && instanced_of(pipeline));
    assert_int_equal(fakes.alive[FAKE_PIPELINE], made);
    destroy(pipeline);
}

static void only_what_reads_instances_has_one(void **state)
{
    (void)state;
    static const struct {
        bool asked, captures, lacks, instanced, geometry, has;
    } cases[] = {
        {true, false, true, true, false, true},   {true, false, true, false, false, false},
        {false, false, true, true, false, false}, {false, true, true, true, false, true},
        {true, false, false, true, false, false}, {true, false, true, true, true, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        be_plain();
        device.first_instances = cases[i].asked;
        device.xfb = cases[i].captures;
        physical.lacks_first_instance = cases[i].lacks;
        app.binding.inputRate =
            cases[i].instanced ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX;
        if (cases[i].geometry)
            set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        assert_int_equal(instanced_of(pipeline) != VK_NULL_HANDLE, cases[i].has);
        destroy(pipeline);
    }
}

static void leaves_nothing_without_memory(void **state)
{
    (void)state;
    VkPipeline pipeline, other;
    be_plain();
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    instanced_of(pipeline); /* so that the layer's own layouts are there */
    destroy(pipeline);
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && pipeline == VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 3);
    destroy(pipeline);
    for (int64_t n = 1;; n++, failures++) {
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_instanced_get(&device, pipeline, &other);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && other == VK_NULL_HANDLE);
        /* Later draws do not begin with instance 0 in silence. */
        assert_int_equal(pgs_instanced_get(&device, pipeline, &other), result);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 1);
        destroy(pipeline);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 6);
    destroy(pipeline);
}

/* Depths that its fragment shader writes are clamped as those of the other one, though nothing is
 * left of the shader's module when it is made. */
static void clamps_depths_as_the_other(void **state)
{
    (void)state;
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
        .depthClipEnable = VK_TRUE};
    VkPipeline pipeline;
    be_plain();
    physical.brings_depth_clip = true;
    const VkShaderModule writes = module_of(WORD_DEPTH);
    physical.properties.limits.maxClipDistances = 8;
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, writes);
    app.rasterization.pNext = &clip;
    app.rasterization.depthClampEnable = VK_TRUE;
    clipping_shaders = 0;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_true(fake.rasterization.depthClampEnable);
    assert_int_equal(clipping_shaders, 1);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, writes, NULL);
    fake.rasterization.depthClampEnable = VK_FALSE;
    assert_true(instanced_of(pipeline));
    assert_true(fake.rasterization.depthClampEnable);
    assert_true(clipping_shaders > 1);
    destroy(pipeline);
    physical.brings_depth_clip = false;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_draw_makes_another_pipeline),
        TEST(only_what_reads_instances_has_one),
        TEST(clamps_depths_as_the_other),
        TEST(leaves_nothing_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
