/* SPDX-License-Identifier: MIT
 *
 * Pipelines with structures in their chains that the layer does not know, in front of those that it
 * has to change. They belong to extensions that it hides, so they are to be skipped.
 */
#include "base/alloc.h"
#include "base/workers.h"
#include "pipeline/device.h"
#include "pipeline/find.h"
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

#define UNKNOWN ((VkStructureType)0x7fff0001)

static VkBaseInStructure in_front_of(const void *next)
{
    return (VkBaseInStructure){.sType = UNKNOWN, .pNext = next};
}

/* Those of the application's create info, and of a state that is copied whole. */
static void links_libraries(void **state)
{
    (void)state;
    const VkBaseInStructure first = in_front_of(&rendering), alone = in_front_of(NULL);
    VkPipeline libraries[4], pipeline;
    for (uint32_t flags = 0; flags < 2; flags++) {
        app.info.pNext = &first;
        app.rasterization.pNext = &alone;
        make_four(libraries);
        assert_int_equal(try_link(4, libraries,
                                  flags ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0,
                                  app.layout, &pipeline),
                         VK_SUCCESS);
        assert_non_null(pgs_emulated_pipeline_find(&device, pipeline));
        destroy(pipeline);
        destroy_four(libraries);
    }
    app.info.pNext = &rendering;
    app.rasterization.pNext = NULL;
}

/* The driver hears neither of the line modes nor of the stream, with and without emulated stages.
 */
static void changes_rasterization(void **state)
{
    (void)state;
    const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
    const VkBaseInStructure second = in_front_of(&stream);
    const VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = &second,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT};
    const VkBaseInStructure first = in_front_of(&lines);
    const uint32_t stages = app.info.stageCount;
    device.line_modes = true;
    app.rasterization.pNext = &first;
    for (uint32_t plain = 0; plain < 2; plain++) {
        VkPipeline pipeline;
        app.info.stageCount = plain ? 1 : stages;
        fake.rasterization_nodes = 9;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        assert_int_equal(fake.rasterization_nodes, 0);
        assert_int_equal(pgs_emulated_pipeline_find(&device, pipeline) == NULL, plain);
        destroy(pipeline);
    }
    app.rasterization.pNext = NULL;
    device.line_modes = false;
}

#define TEST(name, set_up, tear_down) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(links_libraries, set_up_libraries, tear_down_libraries),
        TEST(changes_rasterization, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
