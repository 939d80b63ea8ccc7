/* SPDX-License-Identifier: MIT
 *
 * The application of test_pipeline_libraries.c: parts of one create info, and what is linked of
 * them.
 */
#ifndef PGS_TESTS_UNIT_LIBRARY_APP_H
#define PGS_TESTS_UNIT_LIBRARY_APP_H

#include "library_driver.h"
#include "pipeline_app.h"

#define INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define ALL (INPUT | BEFORE | FRAGMENT | OUTPUT)

/* Nobody may read through this. */
#define INVALID ((void *)(uintptr_t)16)

static VkPipelineMultisampleStateCreateInfo multisample;
static VkPipelineDepthStencilStateCreateInfo depth;
static VkPipelineColorBlendStateCreateInfo blend;
static VkPipelineViewportStateCreateInfo viewport;
static VkPipelineRenderingCreateInfo rendering;
static const VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM;

static int set_up_libraries(void **state)
{
    device.vk.CreateGraphicsPipelines = create_any;
    device.vk.CreateComputePipelines = note_compute;
    device.pipeline_libraries = true;
    memset(&got, 0, sizeof(got));
    if (set_up(state) != 0)
        return -1;
    multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = 1};
    depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .maxDepthBounds = 3};
    blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .blendConstants = {5}};
    viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1};
    rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .viewMask = 5,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = &color_format};
    app.info.pNext = &rendering;
    app.info.pMultisampleState = &multisample;
    app.info.pDepthStencilState = &depth;
    app.info.pColorBlendState = &blend;
    app.info.pViewportState = &viewport;
    app.info.pDynamicState = NULL;
    return 0;
}

static int tear_down_libraries(void **state)
{
    device.pipeline_libraries = false;
    device.xfb = physical.emulates_xfb = false;
    return tear_down(state);
}

/* What the parts do not have leads nowhere. */
static VkResult try_library(VkGraphicsPipelineLibraryFlagsEXT parts, VkPipeline *library)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)app.info.pNext,
        .flags = parts};
    VkPipelineShaderStageCreateInfo stages[3];
    VkGraphicsPipelineCreateInfo info = app.info;
    info.pNext = &part;
    info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.stageCount = 0;
    info.pStages = stages;
    for (uint32_t i = 0; i < app.info.stageCount; i++)
        if (parts & (app.stages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? FRAGMENT : BEFORE))
            stages[info.stageCount++] = app.stages[i];
    if (!(parts & (BEFORE | FRAGMENT))) {
        info.stageCount = 7;
        info.pStages = INVALID;
        info.layout = INVALID;
    }
    if (!(parts & INPUT)) {
        info.pVertexInputState = INVALID;
        info.pInputAssemblyState = INVALID;
    }
    if (!(parts & BEFORE)) {
        info.pViewportState = INVALID;
        info.pRasterizationState = INVALID;
    }
    info.pTessellationState = INVALID;
    if (!(parts & (FRAGMENT | OUTPUT)))
        info.pMultisampleState = INVALID;
    if (!(parts & FRAGMENT))
        info.pDepthStencilState = INVALID;
    if (!(parts & OUTPUT)) {
        info.pColorBlendState = INVALID;
        rendering.pColorAttachmentFormats = INVALID;
    }
    const VkResult result = create(1, &info, library);
    rendering.pColorAttachmentFormats = &color_format;
    return result;
}

static VkPipeline library_of(VkGraphicsPipelineLibraryFlagsEXT parts)
{
    VkPipeline library;
    assert_int_equal(try_library(parts, &library), VK_SUCCESS);
    assert_non_null(library);
    assert_true(got.library);
    return library;
}

static VkResult try_link(uint32_t count, const VkPipeline *libraries, VkPipelineCreateFlags flags,
                         VkPipelineLayout layout, VkPipeline *pipeline)
{
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = count,
        .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &linked,
                                               .flags = flags,
                                               .stageCount = 9, /* ignored */
                                               .pStages = INVALID,
                                               .pVertexInputState = INVALID,
                                               .pInputAssemblyState = INVALID,
                                               .pTessellationState = INVALID,
                                               .pViewportState = INVALID,
                                               .pRasterizationState = INVALID,
                                               .pMultisampleState = INVALID,
                                               .pDepthStencilState = INVALID,
                                               .pColorBlendState = INVALID,
                                               .pDynamicState = INVALID,
                                               .layout = layout,
                                               .basePipelineIndex = -1};
    return create(1, &info, pipeline);
}

static void make_four(VkPipeline libraries[4])
{
    for (int i = 0; i < 4; i++)
        libraries[i] = library_of(1u << i);
}

static void destroy_four(const VkPipeline libraries[4])
{
    for (int i = 0; i < 4; i++)
        destroy(libraries[i]);
}

#endif
