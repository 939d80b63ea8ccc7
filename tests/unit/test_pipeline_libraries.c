/* SPDX-License-Identifier: MIT
 *
 * Pipelines that are linked from libraries, on a fake driver: what the driver gets for libraries
 * and for pipelines, whatever the application has destroyed since, and every failure.
 */
#include "base/alloc.h"
#include "base/workers.h"
#include "pipeline/device.h"
#include "pipeline/find.h"
#include "pipeline/kept_render_pass.h"
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

#define WHOLE VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT /* the driver links nothing */
#define MAX_FAILURES 400

/* -- tests -- */

static void keeps_what_is_emulated(void **state)
{
    VkPipeline libraries[4], pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    for (int i = 0; i < 4; i++) {
        libraries[i] = library_of(1u << i);
        /* The fragment shader is not changed, so the driver could link it. */
        const VkShaderStageFlags stages[4] = {0, VK_SHADER_STAGE_VERTEX_BIT,
                                              VK_SHADER_STAGE_FRAGMENT_BIT, 0};
        assert_int_equal(got.parts, i == 1 ? INPUT | BEFORE : 1u << i);
        assert_int_equal(got.stage_mask, stages[i]);
    }
    memset(&app.vertex_input, 0, sizeof(app.vertex_input)); /* the application's again */
    app.rasterization.rasterizerDiscardEnable = VK_TRUE;
    multisample.rasterizationSamples = 64;
    memset(app.stages, 0, sizeof(app.stages));
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.plain, NULL);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.geometry, NULL);
    app.plain = app.geometry = VK_NULL_HANDLE;
    assert_int_equal(try_link(4, libraries, WHOLE, app.layout, &pipeline), VK_SUCCESS);
    assert_false(got.library || got.links);
    assert_int_equal(got.stage_mask, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_int_equal(got.view_mask, 5);
    assert_int_equal(got.color_count, 1);
    assert_int_equal(fake.discarding_calls, 0);
    destroy_four(libraries);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_non_null(p);
    assert_int_equal(p->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
    assert_int_equal(p->attribute_count, 1);
    assert_int_equal(p->bindings[4].divisor, 0);
    assert_int_equal(pgs_variants_make(p, PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY), &lost),
                     VK_SUCCESS);
    assert_false(lost);
    destroy(pipeline);
}

/* The driver links what is behind the rasterizer with a library of the layer, which all links of a
 * library share, and which lives as long as any of them. */
static void links_the_raster_pipeline(void **state)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_SCISSOR,
                                            VK_DYNAMIC_STATE_STENCIL_REFERENCE};
    VkPipeline libraries[4], pipelines[3];
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    app.dynamic.dynamicStateCount = 2;
    app.dynamic.pDynamicStates = states;
    app.info.pDynamicState = &app.dynamic;
    make_four(libraries);
    assert_int_equal(got.front.calls, 1); /* the links find it */
    const int calls = got.calls;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipelines[i]), VK_SUCCESS);
        assert_true(!got.library && got.links && got.linked_count == 3);
        assert_ptr_equal(got.linked[1], libraries[2]);
        assert_ptr_equal(got.linked[2], libraries[3]);
        assert_ptr_equal(got.info.layout, app.layout);
        assert_int_equal(got.info.flags | got.info.stageCount, 0);
        assert_non_null(pgs_emulated_pipeline_find(&device, pipelines[i]));
    }
    assert_int_equal(got.calls, calls + 2);
    assert_int_equal(got.front.calls, 1);
    assert_int_equal(got.front.stage_mask, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(got.front.view_mask, 5);
    assert_int_equal(got.front.dynamic_count, 1);
    assert_int_equal(got.front.dynamic, VK_DYNAMIC_STATE_SCISSOR);
    assert_ptr_equal(got.front.info.layout, app.layout);
    assert_int_equal(got.front.info.flags, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
    assert_null(got.front.info.pMultisampleState);
    assert_null(got.front.info.pDepthStencilState);
    assert_null(got.front.info.pColorBlendState);
    /* It has been made, so nothing needs to be compiled. */
    assert_int_equal(try_link(4, libraries,
                              VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, app.layout,
                              &pipelines[2]),
                     VK_SUCCESS);
    assert_true(got.links);
    destroy(pipelines[2]);
    const int alive = fakes.alive[FAKE_PIPELINE];
    destroy_four(libraries);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], alive - 4);
    destroy(pipelines[0]);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], alive - 5);
    destroy(pipelines[1]);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

/* As zink makes them: the driver gets a library of its own for what it draws. */
static void separates_what_the_driver_draws(void **state)
{
    VkPipeline libraries[3], pipeline;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    libraries[0] = library_of(INPUT);
    libraries[1] = library_of(OUTPUT);
    const int alive = fakes.alive[FAKE_PIPELINE], calls = got.calls;
    libraries[2] = library_of(BEFORE | FRAGMENT); /* that stands in, one on each side */
    assert_int_equal(got.calls, calls + 3);
    assert_int_equal(got.front.calls, 1);
    assert_int_equal(got.behind.parts, FRAGMENT);
    assert_int_equal(got.behind.stage_mask, VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_null(got.behind.info.pRasterizationState);
    assert_ptr_equal(got.behind.info.layout, app.layout);
    assert_int_equal(
        try_link(3, libraries, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT, app.layout, &pipeline),
        VK_SUCCESS);
    assert_int_equal(got.calls, calls + 4);
    assert_true(got.links && got.linked_count == 3);
    assert_ptr_equal(got.linked[1], libraries[1]);
    assert_int_equal(got.info.flags, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT);
    const int linked = fakes.alive[FAKE_PIPELINE];
    destroy(libraries[2]); /* the pipeline keeps what it was linked of */
    assert_int_equal(fakes.alive[FAKE_PIPELINE], linked - 1);
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], alive);
    destroy(libraries[0]);
    destroy(libraries[1]);
}

/* The driver may refuse a part of a library alone, and take the pipeline as a whole. */
static void makes_whole_what_cannot_be_separated(void **state)
{
    VkPipeline libraries[3] = {library_of(INPUT), library_of(OUTPUT)}, pipeline;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    for (int i = 0; i < 2; i++) {
        refused_parts = i ? INPUT | BEFORE : FRAGMENT;
        libraries[2] = library_of(BEFORE | FRAGMENT);
        assert_int_equal(try_link(3, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        assert_false(got.links);
        refused_parts = 0;
        destroy(pipeline);
        destroy(libraries[2]);
    }
    destroy(libraries[0]);
    destroy(libraries[1]);
}

static pthread_t linker;
static _Atomic int compute_of_linker;

static VkResult count_compute(VkDevice handle, VkPipelineCache cache, uint32_t count,
                              const VkComputePipelineCreateInfo *infos,
                              const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    compute_of_linker += pthread_equal(linker, pthread_self()) != 0;
    return create_compute(handle, cache, count, infos, allocator, pipelines);
}

/* Whether the driver knows the formats of the vertices or not: threads compile what reads them. */
static void compiles_nothing_in_links(void **state)
{
    VkPipeline libraries[4], pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    instance.settings.threads = 1;
    pgs_workers_destroy(device.pipelines->workers);
    device.pipelines->workers = pgs_workers_create(1);
    device.vk.CreateComputePipelines = count_compute;
    linker = pthread_self();
    make_four(libraries);
    for (int i = 0; i < 2; i++) {
        const int calls = got.calls;
        compute_of_linker = 0;
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        assert_int_equal(got.calls, calls + 1);
        assert_true(got.links);
        assert_int_equal(compute_of_linker, 0);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(pgs_variants_make(p, PGS_VARIANT_BIT(PGS_VARIANT_FUSED), &lost),
                         VK_SUCCESS);
        destroy(pipeline);
        destroy(libraries[0]);
        app.attributes[1].format = VK_FORMAT_R8G8_UNORM;
        libraries[0] = library_of(INPUT);
    }
    destroy_four(libraries);
    instance.settings.threads = 0;
}

/* What is optimized across libraries is new, so nobody asks the driver. */
static void refuses_to_optimize_without_compiling(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    make_four(libraries);
    const int calls = got.calls;
    assert_int_equal(try_link(4, libraries,
                              WHOLE | VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                              app.layout, &pipeline),
                     VK_PIPELINE_COMPILE_REQUIRED);
    assert_null(pipeline);
    assert_int_equal(got.calls, calls);
    destroy_four(libraries);
}

static void lets_the_driver_link_its_own(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    for (int i = 0; i < 4; i++) {
        libraries[i] = library_of(1u << i);
        assert_int_equal(got.parts, 1u << i);
        assert_int_equal(!got.info.pRasterizationState, i != 1);
        assert_int_equal(!got.info.pColorBlendState, i != 3);
    }
    for (int counts = 0; counts < 2; counts++) {
        device.xfb = physical.emulates_xfb = counts;
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        assert_true(!got.library && got.links && got.linked_count == 4);
        for (int i = 0; i < 4; i++)
            assert_ptr_equal(got.linked[i], libraries[i]);
        assert_int_equal(got.info.stageCount, 0);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(p != NULL, counts);
        if (p) {
            assert_true(p->native_raster);
            assert_int_equal(p->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
        }
        destroy(pipeline);
    }
    destroy_four(libraries);
}

/* The driver may lack the feature that a topology belongs to. */
static void hides_topologies_of_emulated_stages(void **state)
{
    static const struct {
        VkPrimitiveTopology topology;
        bool hidden, hidden_with_tessellation;
    } cases[] = {
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, false},
        {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, true, true},
        {VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, false, true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(*cases); i++) {
        physical.emulates_tessellation = i % 2;
        const bool hidden = i % 2 ? cases[i / 2].hidden_with_tessellation : cases[i / 2].hidden;
        app.input_assembly.topology = cases[i / 2].topology;
        destroy(library_of(INPUT));
        assert_int_equal(got.topology,
                         hidden ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : cases[i / 2].topology);
    }
    physical.emulates_tessellation = false;
}

static void links_libraries_of_libraries(void **state)
{
    VkPipeline libraries[4], two[2], pipeline;
    (void)state;
    make_four(libraries);
    assert_int_equal(
        try_link(2, &libraries[2], VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, VK_NULL_HANDLE, &two[0]),
        VK_SUCCESS);
    assert_true(got.linked_count == 2 && got.linked[0] == libraries[2]);
    assert_int_equal(
        try_link(2, libraries, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, VK_NULL_HANDLE, &two[1]),
        VK_SUCCESS);
    assert_true(!got.links && got.parts == INPUT);
    destroy_four(libraries);
    assert_int_equal(
        try_link(2, two, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT, app.layout, &pipeline),
        VK_SUCCESS);
    assert_int_equal(got.info.flags, 0);
    assert_non_null(pgs_emulated_pipeline_find(&device, pipeline));
    destroy(pipeline);
    destroy(two[0]);
    destroy(two[1]);
}

static void filters_dynamic_states(void **state)
{
    static const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_SCISSOR,
        VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.dynamic.dynamicStateCount = 4;
    app.dynamic.pDynamicStates = states;
    for (int i = 0; i < 4; i++) {
        app.info.pDynamicState = i == 1 ? NULL : &app.dynamic;
        libraries[i] = library_of(1u << i);
        if (i == 1)
            continue;
        assert_int_equal(fake.dynamic_count, 1);
        assert_int_equal(fake.dynamic[0], states[i]);
    }
    assert_int_equal(try_link(4, libraries, WHOLE, app.layout, &pipeline), VK_SUCCESS);
    /* The scissor is static, and the stride is the layer's. */
    assert_int_equal(fake.dynamic_count, 2);
    assert_true(fake.dynamic[0] == states[2] && fake.dynamic[1] == states[3]);
    destroy(pipeline);
    destroy_four(libraries);
}

static void takes_parts_of_the_call(void **state)
{
    VkPipeline libraries[2], pipeline;
    (void)state;
    libraries[0] = library_of(BEFORE);
    libraries[1] = library_of(OUTPUT);
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .pNext = &rendering,
        .libraryCount = 2,
        .pLibraries = libraries};
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)&linked,
        .flags = INPUT | FRAGMENT};
    VkGraphicsPipelineCreateInfo info = app.info;
    info.pNext = &part;
    info.stageCount = 1;
    info.pStages = &app.stages[2];
    info.pRasterizationState = INVALID;
    info.pColorBlendState = INVALID;
    rendering.pColorAttachmentFormats = INVALID;
    assert_int_equal(create(1, &info, &pipeline), VK_SUCCESS);
    rendering.pColorAttachmentFormats = &color_format;
    assert_int_equal(got.stage_mask, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(p->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
    destroy(pipeline);
    destroy(libraries[0]);
    destroy(libraries[1]);
}

static VkPipelineLayout layout_of(const VkDescriptorSetLayout sets[2], uint32_t push_stages)
{
    VkPipelineLayout layout;
    const VkPushConstantRange range = {push_stages, 0, 8};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .flags =
                                                 VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
                                             .setLayoutCount = 2,
                                             .pSetLayouts = sets,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static void merges_independent_sets(void **state)
{
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    VkDescriptorSetLayout sets[2], halves[2][2] = {{VK_NULL_HANDLE}};
    VkPipelineLayout layouts[2], whole;
    VkPipeline libraries[4], pipeline;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &set_info, NULL, &sets[i]),
                         VK_SUCCESS);
        halves[i][i] = sets[i];
        layouts[i] = layout_of(halves[i], VK_SHADER_STAGE_VERTEX_BIT << 4 * i);
    }
    whole = layout_of(sets, VK_SHADER_STAGE_ALL_GRAPHICS);
    for (int i = 0; i < 4; i++) {
        app.info.layout = layouts[i == 2];
        libraries[i] = library_of(1u << i);
    }
    app.info.layout = app.layout;
    const VkPipelineLayout given[3] = {whole, layouts[0], VK_NULL_HANDLE};
    for (int i = 0; i < 3; i++) {
        if (i == 2) { /* the last link has only what the libraries keep */
            for (int k = 0; k < 2; k++) {
                pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layouts[k], NULL);
                pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, sets[k], NULL);
            }
        }
        fake.layout_count = 0;
        assert_int_equal(try_link(4, libraries, 0, given[i], &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(p->layout->set_count, 2);
        assert_ptr_equal(p->layout->set_handles[0], sets[0]);
        assert_ptr_equal(p->layout->set_handles[1], sets[1]);
        assert_int_equal(p->layout->handle == whole, i == 0);
        assert_int_equal(p->layout->flags, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
        if (i > 0) {
            assert_int_equal(p->layout->range_count, 2);
            assert_int_equal(p->layout->ranges[0].stageFlags, VK_SHADER_STAGE_VERTEX_BIT);
            assert_int_equal(p->layout->ranges[1].stageFlags, VK_SHADER_STAGE_FRAGMENT_BIT);
        }
        destroy(pipeline);
    }
    destroy_four(libraries);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, whole, NULL);
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 0);
}

static void keeps_render_passes(void **state)
{
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpasses[2] = {
        {.colorAttachmentCount = 1, .pColorAttachments = &color}, {0}};
    const VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                              .subpassCount = 2,
                                              .pSubpasses = subpasses};
    const VkRenderPass pass = (VkRenderPass)(uintptr_t)fake_new_handle(FAKE_PASS);
    VkPipeline libraries[4], pipeline;
    (void)state;
    assert_int_equal(pgs_kept_render_pass_note(&device, &pass_info, NULL, pass), VK_SUCCESS);
    app.info.renderPass = pass;
    app.info.pDepthStencilState = INVALID; /* the subpass has none */
    app.info.pNext = NULL;
    make_four(libraries);
    pgs_kept_render_pass_destroy(&device, pass, NULL);
    assert_int_equal(fakes.alive[FAKE_PASS], 1);
    assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
    assert_ptr_equal(got.front.info.renderPass, pass);
    destroy(pipeline);
    assert_int_equal(try_link(4, libraries, WHOLE, app.layout, &pipeline), VK_SUCCESS);
    assert_ptr_equal(got.info.renderPass, pass);
    assert_null(got.info.pDepthStencilState);
    assert_non_null(got.info.pColorBlendState);
    destroy_four(libraries);
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PASS], 0);
}

static void refuses_what_it_cannot_keep(void **state)
{
    const VkSubmitInfo elsewhere = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &rendering};
    VkPipeline library;
    (void)state;
    app.info.pNext = &elsewhere;
    assert_int_equal(try_library(BEFORE, &library), VK_ERROR_UNKNOWN);
    assert_null(library);
    library = library_of(OUTPUT); /* the driver's: it may know the structure */
    app.info.pNext = &rendering;
    const VkPipeline before = library_of(BEFORE);
    VkPipeline pipeline;
    assert_int_equal(try_link(2, (VkPipeline[]){before, library}, 0, app.layout, &pipeline),
                     VK_ERROR_UNKNOWN);
    assert_null(pipeline);
    assert_int_equal(try_link(1, (VkPipeline[]){INVALID}, 0, app.layout, &pipeline),
                     VK_ERROR_UNKNOWN);
    destroy(library);
    destroy(before);
}

/* The other part's shaders must not get the device's index, so the modules say it, not the link. */
static void counts_views_of_devices_by_part(void **state)
{
    const VkPipelineCreateFlags device_views = VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
    (void)state;
    for (uint32_t with = 0; with < 16; with++) {
        VkPipeline libraries[4], pipeline;
        device_view_modules = 0;
        for (uint32_t i = 0; i < 4; i++) {
            app.info.flags = with >> i & 1 ? device_views : 0;
            libraries[i] = library_of(1u << i);
        }
        app.info.flags = 0;
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        assert_int_equal(got.info.flags & device_views, 0);
        assert_int_equal(device_view_modules,
                         (with & BEFORE ? app.info.stageCount - 1 : 0) + (with & FRAGMENT ? 1 : 0));
        destroy(pipeline);
        destroy_four(libraries);
    }
}

#ifdef VK_KHR_maintenance5
static void keeps_flags_that_fit_nowhere_else(void **state)
{
    const VkPipelineCreateFlags2KHR dithers = VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT;
    VkPipelineCreateFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .pNext = &rendering};
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.info.pNext = &flags;
    for (uint32_t i = 0; i < 4; i++) {
        flags.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | (i == 3 ? dithers : 0);
        libraries[i] = library_of(1u << i);
    }
    assert_int_equal(
        try_link(4, libraries, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT, app.layout, &pipeline),
        VK_SUCCESS);
    assert_true(got.flags == (dithers | VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT));
    assert_int_equal(got.view_mask, 5);
    destroy(pipeline);
    destroy_four(libraries);
}
#endif

/* What a library says holds for its own stages, and what these say themselves comes first. */
static void keeps_robustness_of_parts(void **state)
{
    const VkPipelineRobustnessBufferBehaviorEXT
        disabled = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        robust = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
        robust_2 = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
    VkPipelineRobustnessCreateInfoEXT said = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT, .pNext = &rendering};
    const VkPipelineRobustnessCreateInfoEXT of_stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT, .storageBuffers = robust_2};
    const VkPipelineRobustnessBufferBehaviorEXT of_parts[4] = {disabled, disabled, robust,
                                                               disabled};
    VkPipeline libraries[4], pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    app.info.pNext = &said;
    for (int by_stage = 0; by_stage < 2; by_stage++) {
        for (int i = 0; i < 4; i++) {
            said.storageBuffers = of_parts[i];
            app.stages[1].pNext = by_stage && i == 1 ? &of_stage : NULL;
            libraries[i] = library_of(1u << i);
        }
        app.stages[1].pNext = NULL;
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        assert_int_equal(got.robust_pipeline, -1);
        assert_int_equal(got.robust_fragment, robust);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        got.robust_compute = -1;
        assert_int_equal(pgs_variants_make(p, PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY), &lost),
                         VK_SUCCESS);
        assert_int_equal(got.robust_compute, by_stage ? robust_2 : disabled);
        destroy(pipeline);
        destroy_four(libraries);
    }
    app.info.pNext = &rendering;
}

/* Both parts with shaders have a shading rate; the test of fragments is that of their shader, and
 * the samples of attachments are the output's. */
static void keeps_rates_of_fragments(void **state)
{
    VkPipelineRepresentativeFragmentTestStateCreateInfoNV test = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV,
        .pNext = &rendering};
    const VkSampleCountFlagBits four = VK_SAMPLE_COUNT_4_BIT;
    VkAttachmentSampleCountInfoAMD samples = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD,
        .pNext = &test,
        .colorAttachmentCount = 1};
    VkPipelineFragmentShadingRateEnumStateCreateInfoNV rate_enum = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV,
        .pNext = &samples};
    VkPipelineFragmentShadingRateStateCreateInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        .pNext = &rate_enum};
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.info.pNext = &rate;
    for (uint32_t i = 0; i < 4; i++) {
        const bool shades = (1u << i) & (BEFORE | FRAGMENT);
        rate.fragmentSize = (VkExtent2D){shades ? 2 : 7, shades ? 4 : 7};
        test.representativeFragmentTestEnable = (1u << i) == FRAGMENT;
        rate_enum.shadingRate = shades ? VK_FRAGMENT_SHADING_RATE_4_INVOCATIONS_PER_PIXEL_NV : 0;
        samples.pColorAttachmentSamples = (1u << i) == OUTPUT ? &four : INVALID;
        libraries[i] = library_of(1u << i);
    }
    assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
    assert_non_null(pgs_emulated_pipeline_find(&device, pipeline));
    assert_int_equal(got.rate.width, 2);
    assert_int_equal(got.rate.height, 4);
    assert_true(got.representative);
    assert_int_equal(got.rate_enum, VK_FRAGMENT_SHADING_RATE_4_INVOCATIONS_PER_PIXEL_NV);
    assert_int_equal(got.color_samples, four);
    destroy(pipeline);
    destroy_four(libraries);
    app.info.pNext = &rendering;
}

/* Its formats and strides are no one's. */
static void ignores_dynamic_vertex_input(void **state)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.dynamic.dynamicStateCount = 1;
    app.dynamic.pDynamicStates = states;
    app.info.pDynamicState = &app.dynamic;
    app.info.pVertexInputState = INVALID;
    formats_are_dynamic = true;
    for (int emulated = 0; emulated < 2; emulated++) {
        device.xfb = physical.emulates_xfb = true;
        app.info.stageCount = emulated ? 3 : 2;
        if (emulated)
            set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
        else
            app.stages[1] = app.stages[2];
        make_four(libraries);
        assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_non_null(p);
        assert_true(p->dynamic & PGS_DYNAMIC_VERTEX_INPUT);
        destroy(pipeline);
        destroy_four(libraries);
    }
    formats_are_dynamic = false;
}

#ifdef VK_KHR_dynamic_rendering_local_read
/* Each of the two mappings is taken from one part, and others need not even have it. */
static void keeps_attachment_mappings(void **state)
{
    uint32_t locations[2] = {1, 0}, depth_index = 4;
    VkRenderingInputAttachmentIndexInfoKHR index = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR, .pNext = &rendering};
    VkRenderingAttachmentLocationInfoKHR location = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR, .pNext = &index};
    VkPipeline libraries[4], pipeline;
    (void)state;
    app.info.pNext = &location;
    for (int i = 0; i < 4; i++) {
        const bool has_index = i == 2, has_location = i == 3;
        index.colorAttachmentCount = has_index ? 0 : 9;
        index.pDepthInputAttachmentIndex = has_index ? &depth_index : INVALID;
        location.colorAttachmentCount = has_location ? 2 : 7;
        location.pColorAttachmentLocations = has_location ? locations : INVALID;
        libraries[i] = library_of(1u << i);
    }
    app.info.pNext = &rendering;
    locations[0] = depth_index = 100;
    assert_int_equal(try_link(4, libraries, WHOLE, app.layout, &pipeline), VK_SUCCESS);
    assert_true(got.location_count == 2 && got.location == 1);
    assert_int_equal(got.index, 4);
    assert_int_equal(got.view_mask, 5);
    destroy(pipeline);
    destroy_four(libraries);
}
#endif

static void passes_compile_required_on(void **state)
{
    VkPipeline libraries[4], pipeline;
    (void)state;
    make_four(libraries);
    fake.graphics_result = fake.compute_result = VK_PIPELINE_COMPILE_REQUIRED;
    assert_int_equal(try_link(4, libraries,
                              VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, app.layout,
                              &pipeline),
                     VK_PIPELINE_COMPILE_REQUIRED);
    assert_null(pipeline);
    fake.graphics_result = fake.compute_result = VK_SUCCESS;
    assert_int_equal(try_link(4, libraries, 0, app.layout, &pipeline), VK_SUCCESS);
    destroy(pipeline);
    destroy_four(libraries);
}

static void frees_what_the_application_forgets(void **state)
{
    (void)state;
    VkPipeline libraries[4];
    make_four(libraries);
    for (int i = 0; i < 4; i++) /* the driver's objects alone */
        device.vk.DestroyPipeline(device.handle, libraries[i], NULL);
}

/* All that one failure may leave is what a program destroys. */
static VkResult try_all(void)
{
    VkPipeline libraries[4] = {VK_NULL_HANDLE}, two = VK_NULL_HANDLE, pipeline = VK_NULL_HANDLE,
               linked = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    for (int i = 0; i < 4 && result == VK_SUCCESS; i++)
        result = try_library(1u << i, &libraries[i]);
    if (result == VK_SUCCESS)
        result = try_link(2, libraries, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, app.layout, &two);
    if (result == VK_SUCCESS)
        result = try_link(4, libraries, 0, app.layout, &linked);
    if (result == VK_SUCCESS)
        result = try_link(3, (VkPipeline[]){two, libraries[2], libraries[3]}, 0, VK_NULL_HANDLE,
                          &pipeline);
    assert_int_equal(!pipeline, result != VK_SUCCESS);
    destroy(pipeline);
    destroy(linked);
    destroy(two);
    destroy_four(libraries);
    return result;
}

static void reports_every_failure(void **state)
{
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    for (int kind = 0; kind < 4; kind++) {
        device.xfb = physical.emulates_xfb = kind & 1;
        app.info.stageCount = kind & 2 ? 3 : 2;
        app.stages[1] = app.stages[kind & 2 ? 1 : 2];
        VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
        int n = 1;
        if (kind & 2)
            set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
        assert_int_equal(try_all(),
                         VK_SUCCESS); /* the application's layout keeps those of groups */
        for (; result != VK_SUCCESS && n < MAX_FAILURES; n++) {
            const int64_t live = pgs_alloc_live();
            const int modules = fakes.alive[FAKE_MODULE], layouts = fakes.alive[FAKE_LAYOUT];
            pgs_alloc_fail_after(n, false);
            result = try_all();
            pgs_alloc_fail_after(0, false);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            assert_true(pgs_alloc_live() <= live || result == VK_SUCCESS);
            assert_int_equal(fakes.alive[FAKE_MODULE], modules);
            assert_int_equal(fakes.alive[FAKE_LAYOUT], layouts);
            assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        }
        assert_int_equal(result, VK_SUCCESS);
        assert_true(n > 10);
        for (n = 1, result = VK_ERROR_UNKNOWN; result != VK_SUCCESS && n < MAX_FAILURES; n++) {
            fake_fail_after((unsigned)n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            result = try_all();
            const bool failed = fake_has_failed();
            fake_fail_after(0, VK_SUCCESS);
            assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
            assert_true(result == VK_SUCCESS || failed);
        }
        assert_int_equal(result, VK_SUCCESS);
        assert_true(n > 4);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_libraries, tear_down_libraries)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_what_is_emulated),
        TEST(links_the_raster_pipeline),
        TEST(separates_what_the_driver_draws),
        TEST(makes_whole_what_cannot_be_separated),
        TEST(compiles_nothing_in_links),
        TEST(refuses_to_optimize_without_compiling),
        TEST(lets_the_driver_link_its_own),
        TEST(hides_topologies_of_emulated_stages),
        TEST(links_libraries_of_libraries),
        TEST(filters_dynamic_states),
        TEST(takes_parts_of_the_call),
        TEST(merges_independent_sets),
        TEST(keeps_render_passes),
        TEST(refuses_what_it_cannot_keep),
        TEST(keeps_robustness_of_parts),
        TEST(keeps_rates_of_fragments),
        TEST(ignores_dynamic_vertex_input),
        TEST(passes_compile_required_on),
        TEST(frees_what_the_application_forgets),
        TEST(reports_every_failure),
        TEST(counts_views_of_devices_by_part),
#ifdef VK_KHR_maintenance5
        TEST(keeps_flags_that_fit_nowhere_else),
#endif
#ifdef VK_KHR_dynamic_rendering_local_read
        TEST(keeps_attachment_mappings),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
