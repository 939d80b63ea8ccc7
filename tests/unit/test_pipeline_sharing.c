/* SPDX-License-Identifier: MIT
 *
 * What pipelines share, on a fake driver and a fake spirv module: equal shaders are looked at and
 * compiled once, whoever created their modules, and different ones never taken for each other.
 */
#include "base/alloc.h"
#include "pipeline/bind_sets.h"
#include "pipeline/find.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "pipeline/shader.h"
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

static struct pgs_shader *shader_of(const VkPipelineShaderStageCreateInfo *stage)
{
    struct pgs_shader *shader;
    assert_int_equal(pgs_shader_get(&device, stage, &shader), VK_SUCCESS);
    return shader;
}

/* By words, stage, entry point and constants, not by handle. */
static void equal_stages_are_one_shader(void **state)
{
    VkPipelineShaderStageCreateInfo stage = app.stages[0];
    (void)state;
    struct pgs_shader *first = shader_of(&app.stages[0]);
    const VkShaderModule other = module_of(WORD_PLAIN);
    stage.module = other;
    struct pgs_shader *again = shader_of(&stage);
    assert_ptr_equal(again, first);
    assert_int_equal(again->code.spec_entry_count, 1);
    assert_memory_equal(again->code.spec_data, &app.spec_value, 4);
    assert_string_equal(again->code.entry_point, "entry");
    pgs_shader_release(again);
    stage.pSpecializationInfo = NULL;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    app.spec_value++;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    app.spec_value--;
    stage.pName = "entrx";
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    stage.module = app.geometry;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    stage = app.stages[0];
    stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    again = shader_of(&stage);
    assert_ptr_not_equal(again, first);
    pgs_shader_release(again);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, other, NULL);
    pgs_shader_release(first);
}

/* Longer than what is usual, so that the key is allocated. */
static void long_stages_are_shaders(void **state)
{
    char name[1000];
    VkPipelineShaderStageCreateInfo stage = app.stages[0];
    (void)state;
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = 0;
    stage.pName = name;
    struct pgs_shader *first = shader_of(&stage), *again = shader_of(&stage);
    assert_ptr_equal(first, again);
    assert_string_equal(first->code.entry_point, name);
    pgs_shader_release(first);
    pgs_shader_release(again);
    for (int n = 1; n <= 2; n++) { /* the key, the shader */
        pgs_alloc_fail_after(n, false);
        assert_int_equal(pgs_shader_get(&device, &stage, &first), VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(first);
        pgs_alloc_fail_after(0, false);
    }
}

static void looks_at_equal_shaders_once(void **state)
{
    VkPipeline pipelines[2];
    (void)state;
    geometry_reflections = 0;
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    const VkShaderModule other = module_of(WORD_GEOMETRY);
    app.stages[1].module = other;
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_SUCCESS);
    assert_int_equal(geometry_reflections, 1);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, other, NULL);
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

static void makes_one_pass_through(void **state)
{
    VkPipeline pipelines[3];
    (void)state;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    geometry_info.input_vertices = 2;
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    assert_int_equal(pass_through_vertices, 2);
    pass_through_vertices = 0;
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_SUCCESS);
    assert_int_equal(pass_through_vertices, 0);
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    assert_int_equal(create(1, &app.info, &pipelines[2]), VK_SUCCESS);
    assert_int_equal(pass_through_vertices, 3);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);
}

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

enum { SHARED = PGS_VARIANT_STORED_0 }; /* the variants before it are compute shaders */

/* True if no compute variant is the other pipeline's. */
static bool share_nothing(const struct pgs_emulated_pipeline *a,
                          const struct pgs_emulated_pipeline *b)
{
    for (int v = 0; v < SHARED; v++)
        if (made(a, (enum pgs_variant)v) &&
            made(a, (enum pgs_variant)v) == made(b, (enum pgs_variant)v))
            return false;
    return true;
}

/* Blending, the fragment shader, strides and offsets are of no concern to what runs before the
 * rasterizer. */
static void compiles_equal_variants_once(void **state)
{
    VkPipeline pipelines[3];
    (void)state;
    const struct pgs_emulated_pipeline *first = create_and_find(&pipelines[0]);
    const int calls = fake.compute_calls;
    assert_int_equal(calls, 3); /* vertex, geometry, no memory */
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    app.info.pColorBlendState = &blend;
    app.stages[2].pName = "another";
    app.binding.stride = 32;
    app.attributes[1].offset = 16;
    const struct pgs_emulated_pipeline *second = create_and_find(&pipelines[1]);
    assert_int_equal(fake.compute_calls, calls);
    for (int v = 0; v < SHARED; v++)
        assert_ptr_equal(made(first, (enum pgs_variant)v), made(second, (enum pgs_variant)v));
    assert_ptr_not_equal(pipelines[0], pipelines[1]);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 5);
    destroy(pipelines[0]);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 4);
    const struct pgs_emulated_pipeline *third = create_and_find(&pipelines[2]);
    assert_int_equal(fake.compute_calls, calls);
    assert_ptr_equal(made(third, PGS_VARIANT_VERTEX), made(second, PGS_VARIANT_VERTEX));
    destroy(pipelines[1]);
    destroy(pipelines[2]);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

/* A change of anything that a shader depends on. */
static void different_variants_are_not_shared(void **state)
{
    VkPipeline first_pipeline, other_pipeline;
    (void)state;
    const struct pgs_emulated_pipeline *first = create_and_find(&first_pipeline), *other;

    app.attributes[1].format = VK_FORMAT_R32G32B32_SFLOAT;
    other = create_and_find(&other_pipeline);
    assert_ptr_not_equal(made(first, PGS_VARIANT_VERTEX), made(other, PGS_VARIANT_VERTEX));
    assert_ptr_equal(made(first, PGS_VARIANT_GEOMETRY), made(other, PGS_VARIANT_GEOMETRY));
    destroy(other_pipeline);
    app.attributes[1].format = VK_FORMAT_R32G32_SFLOAT;

    app.binding.inputRate = VK_VERTEX_INPUT_RATE_VERTEX;
    other = create_and_find(&other_pipeline);
    assert_ptr_not_equal(made(first, PGS_VARIANT_VERTEX), made(other, PGS_VARIANT_VERTEX));
    destroy(other_pipeline);
    app.binding.inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;

    const VkDynamicState stride = app.dynamic_states[2];
    app.dynamic_states[2] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    formats_are_dynamic = true;
    other = create_and_find(&other_pipeline);
    assert_ptr_not_equal(made(first, PGS_VARIANT_VERTEX), made(other, PGS_VARIANT_VERTEX));
    assert_ptr_not_equal(made(first, PGS_VARIANT_NO_MEMORY), made(other, PGS_VARIANT_NO_MEMORY));
    assert_ptr_equal(made(first, PGS_VARIANT_GEOMETRY), made(other, PGS_VARIANT_GEOMETRY));
    destroy(other_pipeline);
    formats_are_dynamic = false;
    app.dynamic_states[2] = stride;

    app.spec_value++;
    other = create_and_find(&other_pipeline);
    assert_ptr_not_equal(made(first, PGS_VARIANT_VERTEX), made(other, PGS_VARIANT_VERTEX));
    assert_ptr_equal(made(first, PGS_VARIANT_GEOMETRY), made(other, PGS_VARIANT_GEOMETRY));
    destroy(other_pipeline);
    app.spec_value--;

    app.stages[1].pName = "another";
    other = create_and_find(&other_pipeline);
    assert_ptr_equal(made(first, PGS_VARIANT_VERTEX), made(other, PGS_VARIANT_VERTEX));
    assert_ptr_not_equal(made(first, PGS_VARIANT_GEOMETRY), made(other, PGS_VARIANT_GEOMETRY));
    destroy(other_pipeline);
    app.stages[1].pName = "entry";

    app.info.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
    other = create_and_find(&other_pipeline);
    assert_true(share_nothing(first, other));
    destroy(other_pipeline);
    destroy(first_pipeline);
}

static VkDescriptorSetLayout set_layout_of(uint32_t count)
{
    const VkDescriptorSetLayoutBinding binding = {.binding = 0,
                                                  .descriptorType =
                                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                  .descriptorCount = count,
                                                  .stageFlags = VK_SHADER_STAGE_VERTEX_BIT};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout;
    assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &layout),
                     VK_SUCCESS);
    return layout;
}

static VkPipelineLayout layout_of(VkDescriptorSetLayout set, uint32_t push_B)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, push_B};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set,
                                             .pushConstantRangeCount = push_B != 0,
                                             .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

/* Identically defined ones, whatever their handles. */
static void equal_set_layouts_are_one(void **state)
{
    VkPipeline pipelines[2];
    const struct pgs_emulated_pipeline *p[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const VkDescriptorSetLayout set = set_layout_of(3);
        app.info.layout = layout_of(set, 0);
        p[i] = create_and_find(&pipelines[i]);
        pgs_DestroyPipelineLayout(VK_NULL_HANDLE, app.info.layout, NULL);
        pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, set, NULL);
        if (i == 0)
            continue;
        assert_ptr_equal(made(p[0], PGS_VARIANT_VERTEX), made(p[1], PGS_VARIANT_VERTEX));
        destroy(pipelines[0]);
    }
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 2); /* the first is that of the variants */
    destroy(pipelines[1]);
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 0);
}

/* An immutable sampler that is destroyed may have left its handle to another one. */
static void immutable_samplers_are_not_compared(void **state)
{
    const VkSampler sampler = (VkSampler)0x5A;
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT,
        .pImmutableSamplers = &sampler,
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkPipeline pipelines[2];
    const struct pgs_emulated_pipeline *p[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        VkDescriptorSetLayout set;
        assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &set),
                         VK_SUCCESS);
        app.info.layout = layout_of(set, 0);
        p[i] = create_and_find(&pipelines[i]);
        pgs_DestroyPipelineLayout(VK_NULL_HANDLE, app.info.layout, NULL);
        pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, set, NULL);
    }
    assert_true(share_nothing(p[0], p[1]));
    for (int i = 0; i < 2; i++)
        destroy(pipelines[i]);
}

/* With equal set layouts only. Push constants of the application are none of the driver's. The
 * layout that the driver's pipeline was made with lives as long as that. */
static void layouts_decide_what_is_shared(void **state)
{
    VkPipeline pipelines[3];
    const struct pgs_emulated_pipeline *p[3];
    (void)state;
    const VkDescriptorSetLayout sets[2] = {set_layout_of(1), set_layout_of(2)};
    const VkPipelineLayout layouts[3] = {layout_of(sets[0], 0), layout_of(sets[0], 16),
                                         layout_of(sets[1], 0)};
    for (int i = 0; i < 3; i++) {
        app.info.layout = layouts[i];
        p[i] = create_and_find(&pipelines[i]);
    }
    assert_ptr_equal(made(p[0], PGS_VARIANT_VERTEX), made(p[1], PGS_VARIANT_VERTEX));
    const enum pgs_stage_group group = pgs_variant_group(p[1], PGS_VARIANT_VERTEX);
    assert_ptr_not_equal(pgs_layout_of_group(p[1]->layout, group), VK_NULL_HANDLE);
    assert_true(share_nothing(p[0], p[2]));
    const int before = fakes.alive[FAKE_LAYOUT];
    for (int i = 0; i < 3; i++)
        pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layouts[i], NULL);
    for (int i = 0; i < 2; i++)
        pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, sets[i], NULL);
    destroy(pipelines[0]);
    destroy(pipelines[2]);
    /* What is left: app.layout, that of the pipeline, and that of its variants. */
    assert_int_equal(fakes.alive[FAKE_LAYOUT], 1 + (before - 1) / 3 * 2);
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 1);
    destroy(pipelines[1]);
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 0);
}

/* What was destroyed last can be had again. */
static void recreation_compiles_no_compute(void **state)
{
    VkPipeline pipeline;
    (void)state;
    device.pipelines->shared.unused_limit = PGS_SHARED_UNUSED;
    destroy((create_and_find(&pipeline), pipeline));
    const int calls = fake.compute_calls;
    geometry_reflections = 0;
    destroy((create_and_find(&pipeline), pipeline));
    assert_int_equal(fake.compute_calls, calls);
    assert_int_equal(geometry_reflections, 0);
}

/* That shaders do not go together is found out once, too. */
static void refusals_are_remembered(void **state)
{
    VkPipeline pipelines[2];
    (void)state;
    device.pipelines->shared.unused_limit = PGS_SHARED_UNUSED;
    instance.settings.fuse = PGS_FUSE_ALWAYS;
    fused_result = PGS_SPV_UNSUPPORTED;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipelines[0]);
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    fused_result = PGS_SPV_OK; /* nobody asks */
    p = create_and_find(&pipelines[1]);
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    assert_ptr_not_equal(made(p, PGS_VARIANT_VERTEX), VK_NULL_HANDLE);
    instance.settings.fuse = PGS_FUSE_AUTO;
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

/* An application that wants no compilation gets what is there, and nothing else. */
static void finds_what_may_not_be_compiled(void **state)
{
    VkPipeline pipelines[2];
    (void)state;
    app.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    fake.compute_result = VK_PIPELINE_COMPILE_REQUIRED;
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_PIPELINE_COMPILE_REQUIRED);
    assert_ptr_equal(pipelines[1], VK_NULL_HANDLE);
    app.info.flags = 0;
    fake.compute_result = VK_SUCCESS;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipelines[0]);
    app.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    fake.compute_result = VK_PIPELINE_COMPILE_REQUIRED;
    assert_ptr_equal(made(create_and_find(&pipelines[1]), PGS_VARIANT_VERTEX),
                     made(p, PGS_VARIANT_VERTEX));
    fake.compute_result = VK_SUCCESS;
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

static void modules_are_made_once(void **state)
{
    VkPipeline pipelines[3];
    (void)state;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    const int modules = fakes.alive[FAKE_MODULE];
    const struct pgs_emulated_pipeline *p = create_and_find(&pipelines[0]);
    assert_true(made(p, PGS_VARIANT_STORED_0) && made(p, PGS_VARIANT_INLINE));
    const int both = modules + 3; /* inline shaders of one draw, and of a call */
    assert_int_equal(fakes.alive[FAKE_MODULE], both);
    app.stages[2].pName = "another";
    create_and_find(&pipelines[1]);
    assert_int_equal(fakes.alive[FAKE_MODULE], both);
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    app.dynamic.dynamicStateCount = 0; /* an inline draw knows the topology then */
    create_and_find(&pipelines[2]);
    assert_int_equal(fakes.alive[FAKE_MODULE], both + 2);
    assert_int_equal(placed_assembly.topology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules);
}

/* The fragment shader is rewritten if it reads what vertices must supply. */
static void fragment_shaders_are_rewritten_once(void **state)
{
    VkPipeline pipelines[3];
    (void)state;
    reads_primitive_id = true;
    const int modules = fakes.alive[FAKE_MODULE];
    for (int i = 0; i < 2; i++)
        create_and_find(&pipelines[i]);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules + 2); /* a vertex and a fragment shader */
    app.stages[2].pName = "another";
    create_and_find(&pipelines[2]);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules + 3);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);
}

#define CACHE ((VkPipelineCache)0xCAFE) /* the application's */

/* Everything that creation compiles goes through the application's cache, so that a program that
 * saves it finds it compiled the next time. */
static void creation_fills_the_applications_cache(void **state)
{
    VkPipeline pipeline;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    const int compute_calls = fake.compute_calls;
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, CACHE, 1, &app.info, NULL, &pipeline),
        VK_SUCCESS);
    assert_int_equal(fake.compute_calls, compute_calls + 2); /* vertex, geometry */
    assert_ptr_equal(fake.compute_cache, CACHE);
    assert_ptr_equal(fake.graphics_cache, CACHE);
    assert_int_equal(fake_cache.made, 0);
    destroy(pipeline);
}

/* It may be gone, or in use elsewhere. */
static void late_variants_have_a_cache_of_the_layers(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    assert_int_equal(
        pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, CACHE, 1, &app.info, NULL, &pipeline),
        VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(
        pgs_variants_make(
            p, PGS_VARIANT_BIT(PGS_VARIANT_INLINE) | PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY), &lost),
        VK_SUCCESS);
    assert_ptr_equal(fake.compute_cache, (VkPipelineCache)(OWN_CACHE + 1));
    assert_ptr_equal(fake.graphics_cache, (VkPipelineCache)(OWN_CACHE + 1));
    assert_int_equal(fake_cache.made, 1);
    destroy(pipeline);
}

static void without_a_cache_there_is_one_of_the_layers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PGS_OWN_CACHE_PIPELINES; i++) {
        VkPipeline pipeline;
        destroy((create_and_find(&pipeline), pipeline));
        assert_non_null(fake.compute_cache);
        assert_non_null(fake.graphics_cache);
        assert_int_equal(fake_cache.alive, 1);
    }
    assert_true(fake_cache.made > 1); /* its memory is bounded */
}

/* What the cache had does not make it larger. */
static void cache_stays_while_it_has_all(void **state)
{
    (void)state;
    app.info.pNext = NULL; /* the layer asks */
    fake_cache.finds = true;
    physical.api_version = VK_API_VERSION_1_3;
    for (uint32_t i = 0; i < 2 * PGS_OWN_CACHE_PIPELINES; i++) {
        VkPipeline pipeline;
        destroy((create_and_find(&pipeline), pipeline));
    }
    assert_int_equal(fake_cache.made, 1);
    fake_cache.finds = false;
    for (uint32_t i = 0; i < PGS_OWN_CACHE_PIPELINES; i++) {
        VkPipeline pipeline;
        destroy((create_and_find(&pipeline), pipeline));
    }
    assert_true(fake_cache.made > 1);
    physical.api_version = 0;
}

static void compiles_without_any_cache(void **state)
{
    VkPipeline pipeline;
    (void)state;
    fake_cache.result = VK_ERROR_OUT_OF_HOST_MEMORY;
    destroy((create_and_find(&pipeline), pipeline));
    assert_null(fake.graphics_cache);
    fake_cache.result = VK_SUCCESS;
    destroy((create_and_find(&pipeline), pipeline));
    assert_null(fake.graphics_cache); /* not tried again */
}

static void *create_one(void *unused)
{
    VkPipeline pipeline;
    (void)unused;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    return pipeline;
}

static void threads_compile_it_once(void **state)
{
    pthread_t threads[4];
    void *pipelines[4];
    (void)state;
    app.info.pNext = NULL; /* creation feedback would be written by all of them */
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, create_one, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &pipelines[i]);
    assert_int_equal(fake.compute_calls, 3);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 3 + 4);
    for (int i = 0; i < 4; i++)
        destroy(pipelines[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_stages_are_one_shader, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_stages_are_shaders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looks_at_equal_shaders_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(makes_one_pass_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compiles_equal_variants_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(different_variants_are_not_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(layouts_decide_what_is_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_set_layouts_are_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(immutable_samplers_are_not_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recreation_compiles_no_compute, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusals_are_remembered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_what_may_not_be_compiled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_are_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fragment_shaders_are_rewritten_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(creation_fills_the_applications_cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(late_variants_have_a_cache_of_the_layers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_a_cache_there_is_one_of_the_layers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(cache_stays_while_it_has_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compiles_without_any_cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_compile_it_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
