/* SPDX-License-Identifier: MIT
 *
 * Variants of pipelines, on a fake driver and a fake spirv module: which are made at creation, that
 * others can be made when the application's objects are gone, once, or not at all.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/kept_render_pass.h"
#include "pipeline/layout.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "pipeline/variant_choice.h"
#include "poly_gs/abi.h"
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

enum {
    VERTEX = PGS_VARIANT_BIT(PGS_VARIANT_VERTEX),
    GEOMETRY = PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY),
    FUSED = PGS_VARIANT_BIT(PGS_VARIANT_FUSED),
    XFB = PGS_VARIANT_BIT(PGS_VARIANT_XFB),
    NO_MEMORY = PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY),
    STORED = PGS_VARIANT_BIT(PGS_VARIANT_STORED_0),
    INLINE = PGS_VARIANT_BIT(PGS_VARIANT_INLINE),
    INLINE_CALL = PGS_VARIANT_BIT(PGS_VARIANT_INLINE_CALL),
};

static uint32_t made_mask(const struct pgs_emulated_pipeline *p)
{
    uint32_t mask = 0;
    for (int v = 0; v < PGS_VARIANT_COUNT; v++)
        mask |= made(p, (enum pgs_variant)v) ? PGS_VARIANT_BIT(v) : 0;
    return mask;
}

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

/* Few patches of which nothing is stored are counted by one kernel (PGS_TESS_ALONE), on CPUs by one
 * invocation. Only a GPU has
 * the other one compiled in case there are more. */
static void kernels_of_inline_patches_are_few(void **state)
{
    const uint32_t patches =
        PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_CONTROL) | INLINE;
    const uint64_t count = PGS_KERNEL_BIT(PGS_KERNEL_TESS_COUNT),
                   few = PGS_KERNEL_BIT(PGS_KERNEL_TESS_FEW),
                   allot = PGS_KERNEL_BIT(PGS_KERNEL_TESS_ALLOT);
    struct pgs_physical_device cpu = {.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU,
                                      .traits.kind = PGS_DEVICE_CPU};
    struct pgs_device dev = {.physical = &cpu};
    struct pgs_emulated_pipeline p = {.tessellated = true};
    const struct pgs_pipeline_source source = {.dev = &dev, .pipeline = &p};
    (void)state;
    assert_int_equal(pgs_usual_kernels(&source, patches), few);
    p.patch.by_patch = true; /* control shaders count */
    assert_int_equal(pgs_usual_kernels(&source, patches), 0);
    const uint32_t stored =
        pgs_usual_kernels(&source, patches | PGS_VARIANT_BIT(PGS_VARIANT_EVALUATION));
    assert_int_equal(stored & (few | count | allot), count | allot);
    cpu.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    cpu.traits.kind = PGS_DEVICE_IMMEDIATE;
    assert_int_equal(pgs_usual_kernels(&source, patches), count | allot);
}

/* The number of driver pipelines after creation: the application's handle, and what a usual draw
 * runs. */
static void makes_what_a_usual_draw_takes(void **state)
{
    static const struct {
        bool is_static, captures, is_short, discards;
        uint32_t usual;
    } cases[] = {
        {.usual = VERTEX | GEOMETRY | STORED},
        {.is_short = true, .usual = FUSED | STORED},
        {.is_static = true, .is_short = true, .usual = INLINE},
        {.is_static = true, .usual = VERTEX | GEOMETRY | STORED},
        {.is_static = true, .is_short = true, .captures = true, .usual = XFB | INLINE},
        {.is_static = true, .captures = true, .usual = VERTEX | GEOMETRY | XFB | STORED},
        {.captures = true, .usual = VERTEX | GEOMETRY | STORED},
        {.is_static = true, .captures = true, .discards = true, .usual = VERTEX | XFB | STORED},
        {.is_static = true,
         .captures = true,
         .is_short = true,
         .discards = true,
         .usual = XFB | STORED},
    };
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        geometry_info.pattern =
            (struct pgs_spv_emit_pattern){.is_known = cases[i].is_static, .primitives = {2}};
        geometry_info.xfb.enabled = cases[i].captures;
        geometry_info.xfb.copy_count = cases[i].captures;
        vertex_info.steps = cases[i].is_short ? 10 : UINT32_MAX;
        app.rasterization.rasterizerDiscardEnable = cases[i].discards;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(made_mask(p), cases[i].usual);
        assert_ptr_equal(made(p, p->handle_variant), pipeline);
        destroy(pipeline);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
}

/* What a geometry shader that makes line strips of triangles is, and the vertex shader before it.
 */
struct shape {
    bool unknown;
    uint32_t max_vertices, primitives, vertex_steps, steps;
};

static struct pgs_spv_geometry_info usual_geometry;

/* `costs`: those that are not usual, or 0. */
static void begin_shapes(enum pgs_device_kind kind, const uint32_t costs[PGS_COSTS])
{
    usual_geometry = geometry_info;
    places_geometry = true;
    physical.traits = (struct pgs_device_class){.kind = kind, .costs = pgs_costs_usual};
    for (int i = 0; i < PGS_COSTS; i++)
        if (costs[i])
            physical.traits.costs.of[i] = costs[i];
    instance.settings.compile = PGS_COMPILE_LAZY;
    geometry_info.stream_mask = 1;
    geometry_info.input_vertices = 3;
    geometry_info.output_kind = 2;
}

static const struct pgs_emulated_pipeline *create_shape(const struct shape *shape,
                                                        VkPipeline *pipeline)
{
    geometry_info.pattern = (struct pgs_spv_emit_pattern){
        .is_known = !shape->unknown, .primitives = {shape->primitives}, .steps = shape->steps};
    geometry_info.max_vertices = shape->max_vertices;
    vertex_info.steps = shape->vertex_steps;
    return create_and_find(pipeline);
}

static void end_shapes(void)
{
    physical.traits = (struct pgs_device_class){.costs = pgs_costs_usual};
    geometry_info = usual_geometry;
}

/* How many vertices of a pass GPUs shade inline, by what is not known of a pipeline. */
static void limits_what_is_not_known(void **state)
{
    static const struct {
        struct shape shape;
        uint32_t limit_el;
        bool preferred;
    } cases[] = {
        {{false, 9, 1, 100, 700}, 0, true},        {{false, 9, 1, 100, 701}, 0, false},
        {{false, 9, 1, UINT32_MAX, 0}, 20, false}, {{false, 9, 1, 0, UINT32_MAX}, 20, false},
        {{false, 9, 10, UINT32_MAX, 0}, 0, false}, /* many vertices */
        {{true, 10, 0, 100, 0}, 10, false},        {{true, 10, 0, 334, 0}, 0, false},
        {{true, 11, 0, 100, 0}, 0, false},         {{true, 10, 0, UINT32_MAX, 0}, 30, false},
    };
    (void)state;
    begin_shapes(PGS_DEVICE_IMMEDIATE, (uint32_t[PGS_COSTS]){[PGS_COST_PASS_EMITS] = 10,
                                                             [PGS_COST_PASS_STEPS] = 20,
                                                             [PGS_COST_PASS_BOTH] = 30,
                                                             [PGS_COST_PASS_DENSE] = 40});
    instance.settings.compile = PGS_COMPILE_ALL;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        const struct pgs_emulated_pipeline *p = create_shape(&cases[i].shape, &pipeline);
        assert_int_equal(p->inline_limit_el, cases[i].limit_el);
        assert_int_equal(p->learns_emits, cases[i].limit_el == 10);
        assert_int_equal(p->prefers_inline, cases[i].preferred);
        destroy(pipeline);
    }
    instance.settings.compile = PGS_COMPILE_LAZY;
    VkPipeline pipeline; /* small draws would wait for what no thread makes */
    assert_int_equal(create_shape(&cases[5].shape, &pipeline)->inline_limit_el, 0);
    destroy(pipeline);
    end_shapes();
}

/* How long the shaders run, if push constants say how often loops go round: as often as fits. */
static void push_constants_tell_how_long(void **state)
{
    static const struct {
        uint32_t kind, vertices; /* of what is emitted; 0: not known */
        uint32_t vertex_steps, steps, vertex_loops, loops;
        uint32_t times, limit_el;
    } cases[] = {
        {2, 8, 100, 200, 1, 1, 2, 400}, /* lines: each has its two vertices */
        {3, 3, 100, 200, 1, 1, 2, 400},
        {3, 4, 100, 200, 1, 0, 2, 10}, /* two vertices are shaded twice */
        {2, 0, 100, 0, 1, 0, 3, 10},
        {2, 8, 100, 700, 1, 1, 1, 400},
        {2, 8, 100, 701, 1, 1, 0, 0},
        {2, 8, UINT32_MAX, 0, 1, 1, 0, 0},
        {2, 8, 100, UINT32_MAX, 1, 1, 0, 0},
        {2, 8, 10, 10, 4, 3, 0, 0}, /* too many */
    };
    (void)state;
    begin_shapes(PGS_DEVICE_IMMEDIATE, (uint32_t[PGS_COSTS]){[PGS_COST_PASS_EMITS] = 10,
                                                             [PGS_COST_PASS_STEPS] = 5,
                                                             [PGS_COST_PASS_BOTH] = 5,
                                                             [PGS_COST_PASS_DENSE] = 400});
    instance.settings.compile = PGS_COMPILE_ALL;
    const struct pgs_spv_vertex_info usual_vertex = vertex_info;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        const uint32_t vertices = cases[i].vertices, kind = cases[i].kind;
        geometry_info.output_kind = kind;
        geometry_info.max_vertices = 4;
        geometry_info.pattern = (struct pgs_spv_emit_pattern){0};
        if (vertices)
            geometry_info.pattern = (struct pgs_spv_emit_pattern){
                .is_known = true,
                .vertices = vertices,
                .primitives = {kind == 2 ? vertices / 2 : vertices - 2},
                .steps = UINT32_MAX,
                .round_steps = cases[i].steps};
        geometry_info.push_loops =
            (struct pgs_spv_push_loops){.count = cases[i].loops, .at_w = {7, 8, 9}};
        vertex_info.steps = UINT32_MAX;
        vertex_info.round_steps = cases[i].vertex_steps;
        vertex_info.push_loops = (struct pgs_spv_push_loops){.count = cases[i].vertex_loops};
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(p->inline_limit_el, 5);
        assert_int_equal(p->short_loops.times, cases[i].times);
        assert_int_equal(p->short_loops.limit_el, cases[i].limit_el);
        if (cases[i].times && cases[i].loops)
            assert_int_equal(p->short_loops.loops.at_w[cases[i].vertex_loops], 7);
        uint32_t push[64] = {0};
        assert_int_equal(pgs_loops_are_short(&p->short_loops, push), cases[i].times != 0);
        push[0] = cases[i].times;
        assert_false(pgs_loops_are_short(&p->short_loops, push));
        destroy(pipeline);
    }
    vertex_info = usual_vertex;
    geometry_info.push_loops.count = 0;
    end_shapes();
}

/* What an inline draw takes on a CPU, unless a shader has loops that nobody knows or reads images.
 * The fake shader without static emits has no instructions, and its vertices 10. */
static void knows_what_inline_costs_on_cpus(void **state)
{
    static const struct {
        struct shape shape;
        uint32_t each, small; /* steps of a GS invocation; GS invocations */
        bool bounded;
    } cases[] = {
        {{false, 9, 1, 100, 700}, 2 * 1000 + 1, 1999, true},
        {{false, 9, 1, 100, 701}, 2 * 1001 + 1, 1997, false},
        {{false, 9, 9, 0, 10}, 18 * 10 + 1, 22099, true},
        {{false, 9, 10, 100, 0}, 20 * 300 + 1, 666, false},
        {{false, 9, 1, UINT32_MAX, 0}, 0, 0, false},
        {{false, 9, 1, 0, UINT32_MAX}, 0, 0, false},
        {{false, 9, 0, 0, 0}, 0, 1, false}, /* of the class */
        {{true, 3, 0, 10, 0}, 4 * 30 + 1, 33057, true},
        {{true, 100, 0, 10, 0}, 198 * 30 + 1, 673, false},
        {{true, 3, 0, UINT32_MAX, 0}, 0, 0, false},
    };
    (void)state;
    begin_shapes(PGS_DEVICE_CPU, (uint32_t[PGS_COSTS]){[PGS_COST_INLINE_INVOCATIONS] = 1});
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        const struct pgs_emulated_pipeline *p = create_shape(&cases[i].shape, &pipeline);
        assert_false(p->prefers_inline);
        assert_int_equal(p->inline_steps, cases[i].each);
        assert_int_equal(p->small_gs_invocations, cases[i].small);
        assert_int_equal(p->inline_is_bounded, cases[i].bounded);
        assert_int_equal(!(made_mask(p) & INLINE), !cases[i].each);
        destroy(pipeline);
    }
    end_shapes();
}

/* Once, when it is first wanted; a failure is nobody else's, and may pass. */
static void makes_a_variant_when_it_is_wanted(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    const int before = fakes.alive[FAKE_PIPELINE];
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.geometry, NULL);
    app.geometry = VK_NULL_HANDLE; /* the application's, not ours */
    fake_fail_after(1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(pgs_variants_make(p, NO_MEMORY, &lost), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake_fail_after(0, VK_SUCCESS);
    pgs_alloc_fail_after(1, true);
    assert_int_equal(pgs_variants_make(p, NO_MEMORY, &lost), VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    assert_false(made_mask(p) & NO_MEMORY);
    assert_int_equal(pgs_variants_make(p, NO_MEMORY, &lost), VK_SUCCESS);
    const VkPipeline first = made(p, PGS_VARIANT_NO_MEMORY);
    assert_true(first && !lost);
    assert_int_equal(pgs_variants_make(p, NO_MEMORY | STORED, &lost), VK_SUCCESS);
    assert_ptr_equal(made(p, PGS_VARIANT_NO_MEMORY), first);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], before + 1);
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

/* Shaders that do not go together are known to when they are tried. */
static void goes_without_what_cannot_be_made(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    geometry_info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    geometry_info.stream_mask = 1;
    vertex_info.steps = 10;
    places_geometry = true;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(made_mask(p), INLINE);
    fused_result = PGS_SPV_UNSUPPORTED;
    assert_int_equal(pgs_variants_make(p, FUSED | STORED, &lost), VK_SUCCESS);
    assert_true(lost);
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_FUSED));
    assert_int_equal(pgs_variants_make(p, FUSED, &lost), VK_SUCCESS);
    assert_true(lost); /* somebody planned with it before */
    assert_int_equal(pgs_variants_make(p, VERTEX | GEOMETRY | STORED, &lost), VK_SUCCESS);
    assert_false(lost);
    assert_int_equal(made_mask(p), VERTEX | GEOMETRY | STORED | INLINE);
    destroy(pipeline);
    fused_result = PGS_SPV_OK;
    places_geometry = false;
    p = create_and_find(&pipeline); /* the other way is the handle's */
    assert_false(pgs_pipeline_has(p, PGS_VARIANT_INLINE));
    assert_int_equal(made_mask(p), FUSED | STORED);
    destroy(pipeline);
}

/* The driver's compiler may fail where ours did not. What others stand in for is given up; want of
 * memory may pass. */
static void goes_without_what_the_driver_refuses(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(made_mask(p), VERTEX | GEOMETRY | STORED);
    fake.graphics_result = fake.compute_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(pgs_variants_make(p, INLINE, &lost), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_true(pgs_pipeline_has(p, PGS_VARIANT_INLINE));
    fake.graphics_result = fake.compute_result = VK_ERROR_UNKNOWN;
    assert_int_equal(pgs_variants_make(p, INLINE, &lost), VK_SUCCESS);
    assert_true(lost && !pgs_pipeline_has(p, PGS_VARIANT_INLINE));
    assert_int_equal(pgs_variants_make(p, NO_MEMORY, &lost), VK_SUCCESS);
    assert_true(lost && !pgs_pipeline_has(p, PGS_VARIANT_NO_MEMORY));
    fake.graphics_result = fake.compute_result = VK_SUCCESS;
    destroy(pipeline);
}

/* Its draws are the driver's; that they cannot be counted must not make them fail. */
static void native_draws_do_without_variants(void **state)
{
    VkPipeline pipeline;
    bool lost = false;
    (void)state;
    device.xfb = physical.emulates_xfb = true;
    physical.emulates_geometry = false;
    for (int all = 0; all < 2; all++) {
        instance.settings.compile = all ? PGS_COMPILE_ALL : PGS_COMPILE_LAZY;
        fake.compute_result = VK_ERROR_UNKNOWN;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_true(p->native_raster);
        assert_int_equal(pgs_pipeline_is_uncounted(p), all);
        if (!all)
            assert_int_equal(pgs_variants_make(p, VERTEX | GEOMETRY, &lost), VK_SUCCESS);
        assert_int_equal(lost, true);
        assert_true(pgs_pipeline_is_uncounted(p));
        destroy(pipeline);
    }
    fake.compute_result = VK_SUCCESS;
    device.xfb = physical.emulates_xfb = false;
    physical.emulates_geometry = true;
}

static void *want_no_memory(void *pipeline)
{
    bool lost;
    assert_int_equal(pgs_variants_make(pipeline, NO_MEMORY, &lost), VK_SUCCESS);
    return made(pipeline, PGS_VARIANT_NO_MEMORY);
}

static void threads_make_it_once(void **state)
{
    pthread_t threads[4];
    void *got[4];
    VkPipeline pipeline;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    const int before = fake.compute_calls;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, want_no_memory, (void *)p), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &got[i]);
    for (int i = 0; i < 4; i++)
        assert_ptr_equal(got[i], made(p, PGS_VARIANT_NO_MEMORY));
    assert_int_equal(fake.compute_calls, before + 1);
    destroy(pipeline);
}

/* An info in memory that the application takes back. */
static struct loan {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineShaderStageCreateInfo stages[3];
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkPipelineRasterizationLineStateCreateInfoEXT line;
    VkPipelineRasterizationStateStreamCreateInfoEXT stream;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkSampleMask mask;
    VkPipelineDynamicStateCreateInfo dynamic;
    VkDynamicState dynamic_states[2];
    char entry[8];
} loan;

/* Inline at first, so that the stored variant is made later. Where a pointer is ignored it leads
 * nowhere. */
static void lend(VkRenderPass pass)
{
    const void *const nowhere = (const void *)(uintptr_t)8;
    memset(&loan, 0, sizeof(loan));
    memcpy(loan.stages, app.stages, sizeof(loan.stages));
    memcpy(loan.entry, "entry", sizeof("entry"));
    loan.stages[2].pName = loan.entry;
    loan.line = (VkPipelineRasterizationLineStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = &loan.stream,
        .lineStippleFactor = 9};
    loan.stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
    loan.rasterization = app.rasterization;
    loan.rasterization.pNext = &loan.line;
    loan.viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = nowhere,
        .scissorCount = 1,
        .pScissors = nowhere};
    loan.mask = 0x55;
    loan.multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
        .pSampleMask = &loan.mask};
    loan.dynamic_states[0] = VK_DYNAMIC_STATE_VIEWPORT;
    loan.dynamic_states[1] = VK_DYNAMIC_STATE_SCISSOR;
    loan.dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = loan.dynamic_states};
    loan.info = app.info;
    loan.info.pNext = NULL;
    loan.info.pStages = loan.stages;
    loan.info.pRasterizationState = &loan.rasterization;
    loan.info.pViewportState = &loan.viewport;
    loan.info.pMultisampleState = &loan.multisample;
    loan.info.pDepthStencilState = nowhere; /* no such attachment */
    loan.info.pColorBlendState = nowhere;
    loan.info.pDynamicState = &loan.dynamic;
    loan.info.renderPass = pass;
    geometry_info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    geometry_info.stream_mask = 1;
    vertex_info.steps = 10;
    places_geometry = true;
    instance.settings.compile = PGS_COMPILE_LAZY;
}

static VkRenderPass note_pass(const VkAllocationCallbacks *allocator)
{
    const VkRenderPass pass = (VkRenderPass)(uintptr_t)fake_new_handle(FAKE_PASS);
    const VkSubpassDescription subpass = {0};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    assert_int_equal(pgs_kept_render_pass_note(&device, &info, allocator, pass), VK_SUCCESS);
    return pass;
}

static void makes_raster_variants_when_all_else_is_gone(void **state)
{
    bool lost;
    (void)state;
    for (int with_pass = 0; with_pass < 2; with_pass++) {
        const VkRenderPass pass = with_pass ? note_pass(NULL) : VK_NULL_HANDLE;
        VkPipeline pipeline;
        lend(pass);
        assert_int_equal(create(1, &loan.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(made_mask(p), INLINE);
        memset(&loan, 0xEE, sizeof(loan));
        if (with_pass)
            pgs_kept_render_pass_destroy(&device, pass, NULL);
        assert_int_equal(fakes.alive[FAKE_PASS], with_pass);
        assert_int_equal(pgs_variants_make(p, STORED, &lost), VK_SUCCESS);
        assert_false(lost);
        assert_int_equal(made_mask(p), INLINE | STORED);
        assert_int_equal(fake.graphics.stageCount, 2);
        assert_int_equal(fake.stages[1].stage, VK_SHADER_STAGE_FRAGMENT_BIT);
        assert_int_equal(fake.module_words[1], WORD_PLAIN);
        assert_int_equal(fake.line.lineStippleFactor, 9);
        assert_int_equal(fake.dynamic_count, 2);
        assert_ptr_equal(fake.graphics.renderPass, pass);
        assert_null(fake.graphics.pDepthStencilState);
        assert_null(fake.graphics.pColorBlendState);
        destroy(pipeline);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
        assert_int_equal(fakes.alive[FAKE_MODULE], 3); /* the application's */
    }
}

/* Nobody copies a node that does not belong there, and the application may take back its
 * allocator. */
static void makes_all_raster_variants_of_what_cannot_be_kept(void **state)
{
    const VkSubmitInfo elsewhere = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    const VkAllocationCallbacks callbacks = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const VkRenderPass pass = i ? note_pass(&callbacks) : VK_NULL_HANDLE;
        VkPipeline pipeline;
        lend(pass);
        if (i == 0)
            loan.stream.pNext = &elsewhere;
        assert_int_equal(create(1, &loan.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(made_mask(p), INLINE | INLINE_CALL | STORED);
        pgs_kept_render_pass_destroy(&device, pass, &callbacks);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
        destroy(pipeline);
    }
}

static void keeping_reports_every_failure(void **state)
{
    VkResult result = VK_ERROR_UNKNOWN;
    (void)state;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        VkPipeline pipeline;
        lend(VK_NULL_HANDLE);
        const int64_t live = pgs_alloc_live();
        pgs_alloc_fail_after(n, false);
        result = create(1, &loan.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS) {
            destroy(pipeline);
            break;
        }
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(pgs_alloc_live(), live);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_of_inline_patches_are_few),
        TEST(makes_what_a_usual_draw_takes),
        TEST(limits_what_is_not_known),
        TEST(push_constants_tell_how_long),
        TEST(knows_what_inline_costs_on_cpus),
        TEST(makes_a_variant_when_it_is_wanted),
        TEST(goes_without_what_cannot_be_made),
        TEST(goes_without_what_the_driver_refuses),
        TEST(native_draws_do_without_variants),
        TEST(threads_make_it_once),
        TEST(makes_raster_variants_when_all_else_is_gone),
        TEST(makes_all_raster_variants_of_what_cannot_be_kept),
        TEST(keeping_reports_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
