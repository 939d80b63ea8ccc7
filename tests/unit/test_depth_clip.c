/* SPDX-License-Identifier: MIT
 *
 * What becomes of depths that are clamped and clipped, on drivers without
 * VK_EXT_depth_clip_enable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pipeline/depth_clip.h"
#include "vulkan/device.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct pgs_instance instance;
static struct pgs_physical_device physical;
static struct pgs_device dev;

static int set_up(void **state)
{
    (void)state;
    physical = (struct pgs_physical_device){.instance = &instance, .brings_depth_clip = true};
    physical.properties.limits.maxClipDistances = 8;
    physical.properties.limits.maxCombinedClipAndCullDistances = 8;
    dev = (struct pgs_device){.physical = &physical};
    return 0;
}

enum bias { NO_BIAS, NO_SLOPE, SLOPE, LATE, MAYBE };

struct row {
    bool clamps, clips, discards;
    enum bias bias;
    bool driver_clamps, planes;
};

static struct pgs_depth_clip decide(const struct row *row, bool stated)
{
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
        .depthClipEnable = row->clips};
    const VkPipelineRasterizationStateCreateInfo state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = stated ? &clip : NULL,
        .depthClampEnable = row->clamps,
        .rasterizerDiscardEnable = row->discards,
        .depthBiasEnable = row->bias == NO_SLOPE || row->bias == SLOPE || row->bias == LATE,
        .depthBiasSlopeFactor = row->bias == SLOPE ? 1.0f : 0,
    };
    const VkDynamicState late[] = {row->bias == LATE ? VK_DYNAMIC_STATE_DEPTH_BIAS
                                                     : VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = row->bias >= LATE,
        .pDynamicStates = late};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pRasterizationState = &state,
                                               .pDynamicState = &dynamic};
    return pgs_depth_clip_of(&dev, &info);
}

static void decides(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {false, false, false, NO_BIAS, true, false}, {false, true, false, NO_BIAS, false, false},
        {true, false, false, NO_BIAS, true, false},  {true, true, false, NO_BIAS, false, false},
        {false, false, false, SLOPE, true, false},   {false, true, false, SLOPE, false, false},
        {true, false, false, SLOPE, true, false},    {true, true, false, SLOPE, true, true},
        {true, true, false, NO_SLOPE, false, false}, {true, true, false, LATE, true, true},
        {true, true, false, MAYBE, true, true},      {true, true, true, SLOPE, false, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct pgs_depth_clip clip = decide(&rows[i], true);
        assert_true(clip.stated);
        assert_int_equal(clip.clamps, rows[i].driver_clamps);
        assert_int_equal(clip.planes, rows[i].planes);
        assert_false(decide(&rows[i], false).stated);
    }
    physical.brings_depth_clip = false;
    assert_false(decide(&rows[0], true).stated);
}

/* Both planes need distances of the driver, or of the layer. */
static void needs_room(void **state)
{
    (void)state;
    static const struct {
        uint32_t clips, culls, most_clips;
        bool ours, fits;
    } rows[] = {
        {0, 0, 8, false, true}, {6, 0, 8, false, true},  {7, 0, 8, false, false},
        {4, 2, 8, false, true}, {4, 3, 8, false, false}, {0, 0, 0, false, false},
        {0, 0, 0, true, true},  {4, 2, 0, true, true},   {4, 3, 0, true, false},
    };
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pgs_depth_clip clip = {.stated = true, .clamps = true, .planes = true};
        struct pgs_spv_depth_planes planes;
        physical.properties.limits.maxClipDistances = rows[i].most_clips;
        physical.emulates_clip = rows[i].ours;
        pgs_depth_clip_place(&dev, &info, rows[i].clips, rows[i].culls, &clip, &planes);
        assert_int_equal(planes.wanted, rows[i].fits);
        assert_int_equal(planes.first, rows[i].fits ? rows[i].clips : 0);
        assert_int_equal(clip.clamps, rows[i].fits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(decides, set_up),
        cmocka_unit_test_setup(needs_room, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
