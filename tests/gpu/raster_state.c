/* SPDX-License-Identifier: MIT
 *
 * State of the rasterizer that extensions bring, static and dynamic, with and without a geometry
 * shader: locations of samples, scaled viewports, exclusive scissors, shading rates by name. Each
 * is a run of its own, on GPUs that have it: no driver that runs on a CPU does.
 */
#include "row.h"

#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "raster_state_frag.h"

#include <string.h>

enum { PLAIN, STATIC, DYNAMIC, KINDS };

static struct suite {
    struct vkt t;
    const struct scene *scene;
    struct vkt_buffer places;
    VkPipelineLayout layout;
    struct vkt_target target;
    VkPipeline pipelines[KINDS][2]; /* [][with a geometry shader] */
} s;

/* -- the states: [0] is static, [1] dynamic -- */

static const VkSampleLocationEXT places[2] = {{0.0625f, 0.9375f}, {0.875f, 0.125f}};

static VkSampleLocationsInfoEXT locations(int which)
{
    return (VkSampleLocationsInfoEXT){.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                      .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                      .sampleLocationGridSize = {1, 1},
                                      .sampleLocationsCount = 1,
                                      .pSampleLocations = &places[which]};
}

static const VkViewportWScalingNV scalings[2] = {{0.4f, 0.1f}, {-0.2f, 0.3f}};
static const VkRect2D scissors[2] = {{{7, 3}, {18, 40}}, {{40, 20}, {11, 30}}};
static const VkFragmentShadingRateCombinerOpKHR keep[2] = {
    VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR, VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR};

/* Chains of a static state, or with what is ignored. */
static struct {
    VkPipelineSampleLocationsStateCreateInfoEXT locations;
    VkPipelineViewportWScalingStateCreateInfoNV scaling;
    VkPipelineViewportExclusiveScissorStateCreateInfoNV scissor;
    VkPipelineFragmentShadingRateEnumStateCreateInfoNV rate;
    VkPipelineViewportStateCreateInfo viewport;
} chains;

static const VkViewport viewport = {.width = ROW_SIDE_PX, .height = ROW_SIDE_PX, .maxDepth = 1};
static const VkRect2D area = {{0, 0}, {ROW_SIDE_PX, ROW_SIDE_PX}};

static void chain_viewport(struct vkt_pipeline_info *info, const void *next)
{
    chains.viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = next,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &area};
    info->viewports = &chains.viewport;
}

static void take_locations(struct vkt_pipeline_info *info)
{
    chains.locations = (VkPipelineSampleLocationsStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE,
        .sampleLocationsInfo = locations(0)};
    info->multisample_next = &chains.locations;
}

static void set_locations(VkCommandBuffer cmd)
{
    const VkSampleLocationsInfoEXT info = locations(1);
    vkCmdSetSampleLocationsEXT(cmd, &info);
}

static bool has_locations(void)
{
    VkPhysicalDeviceSampleLocationsPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT};
    vkGetPhysicalDeviceProperties2(
        s.t.physical,
        &(VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &limits});
    return limits.sampleLocationSampleCounts & VK_SAMPLE_COUNT_1_BIT;
}

static void take_scaling(struct vkt_pipeline_info *info)
{
    chains.scaling = (VkPipelineViewportWScalingStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
        .viewportWScalingEnable = VK_TRUE,
        .viewportCount = 1,
        .pViewportWScalings = &scalings[0]};
    chain_viewport(info, &chains.scaling);
}

static void set_scaling(VkCommandBuffer cmd)
{
    vkCmdSetViewportWScalingNV(cmd, 0, 1, &scalings[1]);
}

static void take_scissor(struct vkt_pipeline_info *info)
{
    chains.scissor = (VkPipelineViewportExclusiveScissorStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
        .exclusiveScissorCount = 1,
        .pExclusiveScissors = &scissors[0]};
    chain_viewport(info, &chains.scissor);
}

static void set_scissor(VkCommandBuffer cmd)
{
    vkCmdSetExclusiveScissorNV(cmd, 0, 1, &scissors[1]);
}

static void take_rate(struct vkt_pipeline_info *info)
{
    chains.rate = (VkPipelineFragmentShadingRateEnumStateCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV,
        .shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV,
        .shadingRate = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_2X2_PIXELS_NV,
        .combinerOps = {keep[0], keep[1]}};
    info->next = &chains.rate;
}

static void set_rate(VkCommandBuffer cmd)
{
    vkCmdSetFragmentShadingRateEnumNV(cmd, VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_4X2_PIXELS_NV,
                                      keep);
}

/* -- scenes -- */

static VkPhysicalDeviceExclusiveScissorFeaturesNV exclusive = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV,
    .exclusiveScissor = VK_TRUE};
static VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE};
static VkPhysicalDeviceFragmentShadingRateEnumsFeaturesNV rate_enums = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV,
    .fragmentShadingRateEnums = VK_TRUE};

static const struct scene {
    const char *word; /* of the command line */
    VkDynamicState state;
    void (*take)(struct vkt_pipeline_info *info);
    void (*set)(VkCommandBuffer cmd);
    bool (*has)(void); /* NULL: always */
    struct vkt_extension extensions[3];
} scenes[] = {
    {"--locations",
     VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT,
     take_locations,
     set_locations,
     has_locations,
     {{VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME, NULL, 0}}},
    {"--scaling",
     VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV,
     take_scaling,
     set_scaling,
     NULL,
     {{VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME, NULL, 0}}},
    {"--exclusive",
     VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV,
     take_scissor,
     set_scissor,
     NULL,
     {{VK_NV_SCISSOR_EXCLUSIVE_EXTENSION_NAME, &exclusive, 1}}},
    {"--rates",
     VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR,
     take_rate,
     set_rate,
     NULL,
     {{VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME, &rates, 3},
      {VK_NV_FRAGMENT_SHADING_RATE_ENUMS_EXTENSION_NAME, &rate_enums, 3}}},
};

static void make_pipelines(void)
{
    for (int i = 0; i < 2 * KINDS; i++) {
        struct vkt_pipeline_info info = row_pipeline(s.layout, s.target.pass);
        info.vs = VKT_CODE(maintenance5_vert);
        if (i % 2)
            info.gs = VKT_CODE(maintenance5_geom);
        info.fs = VKT_CODE(raster_state_frag);
        if (i / 2 != PLAIN)
            s.scene->take(&info);
        if (i / 2 == DYNAMIC) {
            info.dynamic = &s.scene->state;
            info.dynamic_count = 1;
        }
        s.pipelines[i / 2][i % 2] = vkt_pipeline(&s.t, &info);
    }
}

/* Both pipelines of a kind, in turns. */
static struct vkt_buffer draw(int kind, const char *name)
{
    const VkDeviceSize zero = 0;
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    if (kind == DYNAMIC)
        s.scene->set(cmd);
    for (uint32_t at = 0; at < 8; at++) {
        const struct row_push push = row_push(at);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[kind][at % 2]);
        vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
        vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, name, 200, 0);
    return vkt_image_read(&s.t, &s.target.color, 4);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("raster_state", argc, argv);
    s.scene = &scenes[0];
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        if (vkt_flag(&options, scenes[i].word))
            s.scene = &scenes[i];
    options.extensions = s.scene->extensions;
    vkt_init(&s.t, &options);
    if (s.scene->has && !s.scene->has())
        vkt_skip("the driver has no such state for one sample");
    row_init(&s.t, &s.places, &s.layout, &s.target);
    make_pipelines();
    const struct vkt_buffer plain = draw(PLAIN, "plain"), fixed = draw(STATIC, "static"),
                            dynamic = draw(DYNAMIC, "dynamic");
    const size_t size_B = ROW_SIDE_PX * ROW_SIDE_PX * 4;
    VKT_EXPECT(&s.t,
               memcmp(plain.map, fixed.map, size_B) && memcmp(plain.map, dynamic.map, size_B) &&
                   memcmp(fixed.map, dynamic.map, size_B),
               "the state changes nothing");
    return vkt_finish(&s.t);
}
