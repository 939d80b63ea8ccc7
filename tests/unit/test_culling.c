/* SPDX-License-Identifier: MIT
 *
 * The planes behind which a pipeline's strips may be left out: those of the clip volume, as far as
 * nothing changes it and filled triangles are drawn; and which look for triangles that cover no
 * sample.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/culling.h"
#include "pipeline/device.h"
#include "poly_gs/coverage.h"
#include "poly_gs/planes.h"

#define DEPTHS (PGS_DRAW_PLANE_FAR | PGS_DRAW_PLANE_NEAR)
#define ALL (PGS_DRAW_PLANES_SIDES | DEPTHS)

static struct pgs_instance instance;
static struct pgs_physical_device physical = {.instance = &instance};
static struct pgs_device device = {.physical = &physical};
static struct pgs_emulated_pipeline pipeline;
static VkPipelineRasterizationStateCreateInfo rasterization;
static VkPipelineViewportStateCreateInfo viewports;
static VkDynamicState dynamic_state;
static VkPipelineDynamicStateCreateInfo dynamic;
static VkGraphicsPipelineCreateInfo info;
static struct pgs_pipeline_source source;
static uint32_t variants; /* of compute shaders */

static int set_up(void **unused)
{
    (void)unused;
    instance.settings.cull = PGS_CULL_ALWAYS;
    variants = PGS_VARIANT_BIT(PGS_VARIANT_FUSED);
    pipeline = (struct pgs_emulated_pipeline){.gs = {.output_kind = 3, .stream_mask = 1}};
    rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .pDynamicStates = &dynamic_state};
    info = (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pRasterizationState = &rasterization,
                                          .pViewportState = &viewports,
                                          .pDynamicState = &dynamic};
    source = (struct pgs_pipeline_source){.dev = &device, .pipeline = &pipeline, .info = &info};
    return 0;
}

static void expect(uint32_t planes)
{
    assert_int_equal(pgs_culling_planes(&source, variants), planes);
}

static void depends_on_the_setting(void **unused)
{
    (void)unused;
    expect(ALL);
    instance.settings.cull = PGS_CULL_NEVER;
    expect(0);
    instance.settings.cull = PGS_CULL_AUTO;
    pipeline.gs.max_vertices = 5;
    expect(0);
    pipeline.gs.writes_layer = true;
    expect(ALL);
    pipeline.gs.writes_layer = false;
    pipeline.gs.writes_viewport_index = true;
    expect(ALL);
}

/* Where strips wait until they are known to be drawn, as far as that was measured. */
static void leaves_short_strips_out_by_default(void **unused)
{
    (void)unused;
    instance.settings.cull = PGS_CULL_AUTO;
    pipeline.gs.max_vertices = 4;
    pipeline.gs.out_stride_w = 12;
    expect(ALL);
    pipeline.gs.out_stride_w = 16;
    expect(0);
    pipeline.gs.max_vertices = 18;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .longest_el = 3};
    expect(ALL);
    pipeline.gs.out_stride_w = 20;
    expect(0);
    pipeline.gs.out_head_w = 4;
    pipeline.gs.out_stride_w = 16;
    expect(ALL);
    for (physical.traits.kind = PGS_DEVICE_IMMEDIATE; physical.traits.kind < PGS_DEVICE_KINDS;
         physical.traits.kind++)
        expect(physical.traits.kind == PGS_DEVICE_IMMEDIATE ? ALL : 0);
    physical.traits.kind = PGS_DEVICE_ANY;
}

/* Of GPUs that gain from it, and of what the kernel that cuts can list. */
static void cuts_longer_strips(void)
{
    pipeline.gs.max_vertices = 5;
    expect(ALL);
    physical.traits.costs.of[PGS_COST_CUT_INVOCATIONS] = 1;
    expect(ALL | PGS_DRAW_CUTS);
    variants = PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY); /* strips are cut by either */
    expect(ALL | PGS_DRAW_CUTS);
    variants = PGS_VARIANT_BIT(PGS_VARIANT_FUSED);
    pipeline.lists = true;
    expect(ALL);
    physical.traits.kind = PGS_DEVICE_CPU; /* whose kernel leaves triangles out */
    expect(ALL | PGS_DRAW_CUTS);
    /* The other geometry shader counts what strips would take, which is more than is listed. */
    variants = PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY);
    expect(ALL);
    variants = PGS_VARIANT_BIT(PGS_VARIANT_FUSED);
    physical.traits.packs_vertices = true;
    expect(ALL);
    physical.traits.packs_vertices = false;
    pipeline.lists = false;
    expect(ALL);
    physical.traits.kind = PGS_DEVICE_ANY;
    pipeline.expands_any = true;
    expect(ALL);
    pipeline.expands_any = false;
    physical.traits.kind = PGS_DEVICE_APPLE;
    expect(ALL);
    physical.traits.kind = PGS_DEVICE_ANY;
    physical.traits.costs.of[PGS_COST_CUT_INVOCATIONS] = 0;
}

/* Where the middle of a pixel is its only sample. */
static void looks_for_uncovered_triangles(void **unused)
{
    (void)unused;
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkBaseInStructure any = {.sType = VK_STRUCTURE_TYPE_MAX_ENUM};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
                                     VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT,
                                     VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT};
    pipeline.gs.max_vertices = 3;
    pipeline.gs.out_stride_w = 4;
    info.pMultisampleState = &samples;
    expect(ALL);
    physical.traits.finds_uncovered = true;
    expect(ALL | PGS_DRAW_COVERAGE);
    pipeline.gs.writes_viewport_index = true;
    expect(ALL);
    pipeline.gs.writes_viewport_index = false;
    pipeline.gs.out[0].clip_distance_count = 1;
    expect(ALL);
    pipeline.gs.out[0].clip_distance_count = 0;
    pipeline.gs.out[0].cull_distance_count = 1;
    expect(ALL | PGS_DRAW_COVERAGE);
    cuts_longer_strips();
    pipeline.gs.max_vertices = 4;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    expect(ALL);
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    samples.pNext = &any;
    expect(ALL);
    samples.pNext = NULL;
    dynamic.dynamicStateCount = 1;
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        dynamic_state = states[i];
        expect(ALL);
    }
    dynamic.dynamicStateCount = 0;
    expect(ALL | PGS_DRAW_COVERAGE);
    info.pMultisampleState = NULL; /* of a library that does not say */
    expect(ALL);
    physical.traits.finds_uncovered = false;
}

static void needs_filled_triangles_with_positions(void **unused)
{
    (void)unused;
    for (pipeline.gs.output_kind = 1; pipeline.gs.output_kind < 3; pipeline.gs.output_kind++)
        expect(0);
    pipeline.gs.stream_mask = 3;
    expect(0);
    pipeline.gs.stream_mask = 1;
    pipeline.tes_stored = true;
    expect(0);
    pipeline.tes_stored = false;
    pipeline.native_raster = true;
    expect(0);
    pipeline.native_raster = false;
    pipeline.polygons = PGS_SPV_POLYGONS_LINES;
    expect(0);
    pipeline.polygons = PGS_SPV_POLYGONS_FILLED;
    rasterization.polygonMode = VK_POLYGON_MODE_POINT;
    expect(0);
    rasterization.polygonMode = VK_POLYGON_MODE_FILL;
    pipeline.gs.out[0].position_w = PGS_NO_WORD;
    expect(0);
    pipeline.gs.out[0].position_w = 0;
    expect(ALL);
    info.pRasterizationState = NULL;
    expect(0);
}

static void clamped_depths_are_not_outside(void **unused)
{
    (void)unused;
    VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT};
    rasterization.depthClampEnable = VK_TRUE;
    expect(PGS_DRAW_PLANES_SIDES);
    rasterization.pNext = &clip;
    expect(PGS_DRAW_PLANES_SIDES);
    clip.depthClipEnable = VK_TRUE;
    expect(ALL);
    rasterization.depthClampEnable = VK_FALSE;
    clip.depthClipEnable = VK_FALSE;
    expect(PGS_DRAW_PLANES_SIDES);
}

static void depths_may_begin_elsewhere(void **unused)
{
    (void)unused;
    VkPipelineViewportDepthClipControlCreateInfoEXT control = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT};
    viewports.pNext = &control;
    expect(ALL);
    control.negativeOneToOne = VK_TRUE;
    expect(PGS_DRAW_PLANES_SIDES | PGS_DRAW_PLANE_FAR | PGS_DRAW_PLANE_BEGIN);
    rasterization.rasterizerDiscardEnable = VK_TRUE; /* the viewport state is not looked at */
    info.pViewportState = (const void *)1;
    expect(ALL);
}

static void dynamic_states_decide_late(void **unused)
{
    (void)unused;
    static const struct {
        VkDynamicState state;
        uint32_t planes;
    } cases[] = {
        {VK_DYNAMIC_STATE_VIEWPORT, ALL},
        {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, PGS_DRAW_PLANES_SIDES},
        {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, PGS_DRAW_PLANES_SIDES},
        {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
         PGS_DRAW_PLANES_SIDES | PGS_DRAW_PLANE_FAR},
        {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, 0},
        {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT, 0},
        {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, 0},
        {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV, 0},
        {VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV, 0},
    };
    dynamic.dynamicStateCount = 1;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dynamic_state = cases[i].state;
        expect(cases[i].planes);
    }
}

/* Whatever is not known could change the volume, or draw beside it. */
static void other_structures_forbid_it(void **unused)
{
    (void)unused;
    VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT};
    VkPipelineViewportSwizzleStateCreateInfoNV swizzle = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV};
    rasterization.pNext = &provoking;
    expect(ALL);
    provoking.pNext = &conservative;
    expect(0);
    rasterization.pNext = NULL;
    viewports.pNext = &swizzle;
    expect(0);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(depends_on_the_setting),         TEST(leaves_short_strips_out_by_default),
        TEST(looks_for_uncovered_triangles),  TEST(needs_filled_triangles_with_positions),
        TEST(clamped_depths_are_not_outside), TEST(depths_may_begin_elsewhere),
        TEST(dynamic_states_decide_late),     TEST(other_structures_forbid_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
