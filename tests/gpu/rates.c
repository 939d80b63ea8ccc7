/* SPDX-License-Identifier: MIT
 *
 * primitiveFragmentShadingRate: rates that vertex and geometry shaders write, in front of fragment
 * shaders that show them; natively, and with a geometry shader that the layer makes because of
 * gl_PrimitiveID. No CPU driver has such rates.
 */
#include "common/vkt.h"

#include "rates_frag.h"
#include "rates_geom.h"
#include "rates_numbered_frag.h"
#include "rates_plain_vert.h"
#include "rates_vert.h"

#define SIDE_PX 64u
#define VERTICES 48u

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
};

static VkPipeline make_pipeline(struct suite *s, bool geometry, bool numbered)
{
    const VkPipelineFragmentShadingRateStateCreateInfoKHR rates = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        .fragmentSize = {1, 1},
        .combinerOps = {VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR,
                        VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR},
    };
    struct vkt_pipeline_info info = {
        .next = &rates,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .vs = geometry ? VKT_CODE(rates_plain_vert) : VKT_CODE(rates_vert),
        .fs = numbered ? VKT_CODE(rates_numbered_frag) : VKT_CODE(rates_frag),
    };
    if (geometry)
        info.gs = VKT_CODE(rates_geom);
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, const char *what, bool geometry, bool numbered)
{
    VkPipeline pipeline = make_pipeline(s, geometry, numbered);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(cmd, VERTICES, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    uint32_t drawn = 0, coarse = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t value = ((const uint32_t *)pixels.map)[i];
        drawn += value != 0;
        coarse += value && (value - 1) % 16;
    }
    VKT_EXPECT(&s->t, drawn > SIDE_PX * SIDE_PX / 3 && coarse > drawn / 4,
               "%s: %u pixels, %u of another rate", what, drawn, coarse);
    vkt_dump_image(&s->t, what, pixels.map, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    static struct suite s;
    VkPhysicalDeviceFragmentShadingRateFeaturesKHR features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
        .pipelineFragmentShadingRate = VK_TRUE,
        .primitiveFragmentShadingRate = VK_TRUE,
    };
    const struct vkt_extension extensions[] = {
        {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME, &features, 3}, {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("gpu-rates", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    draw(&s, "vertex", false, false);
    draw(&s, "vertex-numbered", false, true);
    draw(&s, "geometry", true, false);
    draw(&s, "geometry-numbered", true, true);
    return vkt_finish(&s.t);
}
