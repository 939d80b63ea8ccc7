/* SPDX-License-Identifier: MIT
 *
 * Arrays in the chains of a pipeline's state that something else makes invalid: a view of the
 * create info must not have them, and copies of it neither; what counts is copied whole.
 */
#include "base/alloc.h"
#include "pipeline/info_view.h"
#include "vulkan/chain.h"
#include "vulkan/create_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Nobody may read through this. */
#define INVALID ((void *)(uintptr_t)16)

static VkViewportWScalingNV scalings[2] = {{1, 2}, {3, 4}};
static VkViewportSwizzleNV swizzles[2] = {{.x = 1}, {.x = 2}};
static VkRect2D scissors[2] = {{.extent = {1, 2}}, {.extent = {3, 4}}};
static float table[3] = {0.25f, 0.5f, 1};
static VkSampleLocationEXT places[2] = {{0.25f, 0.5f}, {0.75f, 0.5f}};

/* A create info with all of these structures. */
static struct {
    VkPipelineViewportWScalingStateCreateInfoNV scaling;
    VkPipelineViewportSwizzleStateCreateInfoNV swizzle;
    VkPipelineViewportExclusiveScissorStateCreateInfoNV scissor;
    VkPipelineCoverageReductionStateCreateInfoNV reduction;
    VkPipelineCoverageModulationStateCreateInfoNV modulation;
    VkPipelineSampleLocationsStateCreateInfoEXT locations;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDynamicStateCreateInfo dynamic;
    VkGraphicsPipelineCreateInfo info;
} app;

static int set_up(void **state)
{
    (void)state;
    app.scaling = (VkPipelineViewportWScalingStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
        .viewportWScalingEnable = VK_TRUE,
        .viewportCount = 2,
        .pViewportWScalings = scalings};
    app.swizzle = (VkPipelineViewportSwizzleStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
        .pNext = &app.scaling,
        .viewportCount = 2,
        .pViewportSwizzles = swizzles};
    app.scissor = (VkPipelineViewportExclusiveScissorStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
        .pNext = &app.swizzle,
        .exclusiveScissorCount = 2,
        .pExclusiveScissors = scissors};
    app.reduction = (VkPipelineCoverageReductionStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_REDUCTION_STATE_CREATE_INFO_NV,
        .coverageReductionMode = VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV};
    app.modulation = (VkPipelineCoverageModulationStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV,
        .pNext = &app.reduction,
        .coverageModulationTableEnable = VK_TRUE,
        .coverageModulationTableCount = 3,
        .pCoverageModulationTable = table};
    app.locations = (VkPipelineSampleLocationsStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .pNext = &app.modulation,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                .sampleLocationsPerPixel = VK_SAMPLE_COUNT_2_BIT,
                                .sampleLocationGridSize = {1, 1},
                                .sampleLocationsCount = 2,
                                .pSampleLocations = places}};
    app.viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .pNext = &app.scissor};
    app.multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .pNext = &app.locations,
        .rasterizationSamples = VK_SAMPLE_COUNT_2_BIT};
    app.dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    app.info =
        (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pViewportState = &app.viewport,
                                       .pMultisampleState = &app.multisample,
                                       .pDynamicState = &app.dynamic};
    return 0;
}

/* What a copy of a view has; NULL: nothing. */
struct kept {
    const VkViewportWScalingNV *scalings;
    const VkViewportSwizzleNV *swizzles;
    const VkRect2D *scissors;
    const float *table;
    const VkSampleLocationEXT *places;
    VkCoverageReductionModeNV reduction;
};

static const void *find(const void *chain, VkStructureType type)
{
    const void *node = pgs_chain_find(chain, type);
    assert_non_null(node);
    return node;
}

static struct kept keep(struct pgs_arena *arena)
{
    const struct pgs_subpass_uses uses = {.color = true};
    struct pgs_info_view view;
    struct pgs_copy copy = {.arena = arena, .exact = true};
    assert_int_equal(pgs_info_view_init(&view, &app.info, PGS_ALL_PARTS, uses), VK_SUCCESS);
    const VkGraphicsPipelineCreateInfo *info =
        pgs_copy_VkGraphicsPipelineCreateInfo(&copy, &view.info, 1);
    assert_false(copy.failed || copy.misses);
    pgs_info_view_finish(&view);
    const void *viewport = info->pViewportState->pNext, *samples = info->pMultisampleState->pNext;
    const VkPipelineViewportWScalingStateCreateInfoNV *scaling = find(viewport, app.scaling.sType);
    const VkPipelineViewportSwizzleStateCreateInfoNV *swizzle = find(viewport, app.swizzle.sType);
    const VkPipelineViewportExclusiveScissorStateCreateInfoNV *scissor =
        find(viewport, app.scissor.sType);
    const VkPipelineCoverageModulationStateCreateInfoNV *modulation =
        find(samples, app.modulation.sType);
    const VkPipelineCoverageReductionStateCreateInfoNV *reduction =
        find(samples, app.reduction.sType);
    const VkPipelineSampleLocationsStateCreateInfoEXT *locations =
        find(samples, app.locations.sType);
    return (struct kept){.scalings = scaling->pViewportWScalings,
                         .swizzles = swizzle->pViewportSwizzles,
                         .scissors = scissor->pExclusiveScissors,
                         .table = modulation->pCoverageModulationTable,
                         .places = locations->sampleLocationsInfo.pSampleLocations,
                         .reduction = reduction->coverageReductionMode};
}

static void copies_what_counts(void **state)
{
    (void)state;
    struct pgs_arena arena = {0};
    const struct kept kept = keep(&arena);
    assert_true(kept.scalings != scalings && kept.scalings[1].ycoeff == 4);
    assert_true(kept.swizzles != swizzles && kept.swizzles[1].x == swizzles[1].x);
    assert_true(kept.scissors != scissors && kept.scissors[1].extent.height == 4);
    assert_true(kept.table != table && kept.table[2] == 1);
    assert_true(kept.places != places && kept.places[1].x == 0.75f);
    assert_int_equal(kept.reduction, VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV);
    pgs_arena_finish(&arena);
}

static void leaves_out_what_is_dynamic(void **state)
{
    static const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
        VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV,
        VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT};
    (void)state;
    for (uint32_t i = 0; i <= 5; i++) { /* one after the other, then all */
        struct pgs_arena arena = {0};
        set_up(NULL);
        app.dynamic.dynamicStateCount = i < 5 ? 1 : 5;
        app.dynamic.pDynamicStates = i < 5 ? &states[i] : states;
        if (i == 0 || i == 5)
            app.scaling.pViewportWScalings = INVALID;
        if (i == 1 || i == 5)
            app.swizzle.pViewportSwizzles = INVALID;
        if (i == 2 || i == 5)
            app.scissor.pExclusiveScissors = INVALID;
        if (i == 3 || i == 5)
            app.modulation.pCoverageModulationTable = INVALID;
        if (i == 4 || i == 5)
            app.locations.sampleLocationsInfo = (VkSampleLocationsInfoEXT){
                .pNext = INVALID, .sampleLocationsCount = 7, .pSampleLocations = INVALID};
        const struct kept kept = keep(&arena);
        assert_int_equal(!kept.scalings, i == 0 || i == 5);
        assert_int_equal(!kept.swizzles, i == 1 || i == 5);
        assert_int_equal(!kept.scissors, i == 2 || i == 5);
        assert_int_equal(!kept.table, i == 3 || i == 5);
        assert_int_equal(!kept.places, i == 4 || i == 5);
        pgs_arena_finish(&arena);
    }
}

/* A disabled table or location leads nowhere, unless it is dynamic whether it is enabled. */
static void leaves_out_what_is_disabled(void **state)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV,
                                            VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT};
    (void)state;
    for (uint32_t dynamic = 0; dynamic < 2; dynamic++) {
        struct pgs_arena arena = {0};
        set_up(NULL);
        app.modulation.coverageModulationTableEnable = VK_FALSE;
        app.locations.sampleLocationsEnable = VK_FALSE;
        app.dynamic.dynamicStateCount = dynamic ? 2 : 0;
        app.dynamic.pDynamicStates = states;
        if (!dynamic) {
            app.modulation.pCoverageModulationTable = INVALID;
            app.locations.sampleLocationsInfo.pSampleLocations = INVALID;
        }
        const struct kept kept = keep(&arena);
        assert_true(!kept.table == !dynamic && !kept.places == !dynamic);
        pgs_arena_finish(&arena);
    }
}

static void reports_every_failure(void **state)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV,
                                            VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV};
    const struct pgs_subpass_uses uses = {.color = true};
    const int64_t live = pgs_alloc_live();
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    (void)state;
    app.dynamic.dynamicStateCount = 2;
    app.dynamic.pDynamicStates = states;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        struct pgs_info_view view;
        assert_true(n < 20);
        pgs_alloc_fail_after(n, false);
        result = pgs_info_view_init(&view, &app.info, PGS_ALL_PARTS, uses);
        pgs_alloc_fail_after(0, false);
        pgs_info_view_finish(&view);
        assert_int_equal(result, n > 4 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_ptr_equal(app.scaling.pViewportWScalings, scalings); /* the application's */
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(copies_what_counts),
        TEST(leaves_out_what_is_dynamic),
        TEST(leaves_out_what_is_disabled),
        TEST(reports_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
