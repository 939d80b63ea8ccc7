/* SPDX-License-Identifier: MIT
 *
 * Amplification: 1, 2 and 32 invocations, up to 256 vertices each, as many as the data say, in
 * pictures in which the order of everything shows: integers where the last one stays, and blending.
 * A shader that emits more vertices than it declared (undefined, so not compared) must at least
 * leave what stands around it alone.
 */
#include "common/vkt.h"

#include "amplify_1_256.h"
#include "amplify_2_40.h"
#include "amplify_32_16.h"
#include "amplify_blend_frag.h"
#include "amplify_frag.h"
#include "amplify_over.h"
#include "amplify_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define LOG_W 256u

struct kind {
    const char *name;
    struct vkt_code gs;
    uint32_t points, instances;
    bool over_emits;
};

struct suite {
    struct vkt t;
    struct vkt_buffer log;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_target integers, colors;
};

static VkPipeline make_pipeline(struct suite *s, struct vkt_code gs, bool blend)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(amplify_vert),
        .gs = gs,
        .fs = blend ? VKT_CODE(amplify_blend_frag) : VKT_CODE(amplify_frag),
        .layout = s->layout,
        .pass = blend ? s->colors.pass : s->integers.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .rasterization_next = s->t.features.bresenham_lines ? &line : NULL,
        .blend = blend ? VKT_BLEND_OVER : VKT_BLEND_NONE,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, const struct kind *kind, bool blend)
{
    const struct vkt_target *target = blend ? &s->colors : &s->integers;
    const VkPipeline pipeline = make_pipeline(s, kind->gs, blend);
    memset(s->log.map, 0, s->log.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdDraw(cmd, kind->points, kind->instances, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);

    char name[64];
    if (kind->over_emits)
        return;
    snprintf(name, sizeof(name), "%s/%s-log", kind->name, blend ? "blend" : "last");
    vkt_dump_buffer(&s->t, name, s->log.map, LOG_W * 4);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &target->color, 4);
    snprintf(name, sizeof(name), "%s/%s", kind->name, blend ? "blend" : "last");
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > SIDE_PX, "%s: only %u pixels", name, drawn);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-amplify", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    s.integers = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&s.t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.log = vkt_buffer(&s.t, LOG_W * 4,
                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = vkt_layout(&s.t, &set_layout, 1, NULL, 0);
    const struct kind kinds[] = {
        {"1x256", VKT_CODE(amplify_1_256), 150, 1, false},
        {"2x40", VKT_CODE(amplify_2_40), 100, 3, false},
        {"32x16", VKT_CODE(amplify_32_16), 40, 2, false},
        {"over", VKT_CODE(amplify_over), 60, 1, true},
        {"2x40-again", VKT_CODE(amplify_2_40), 61, 1, false},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        /* Only the layer promises to survive the last of these. */
        if (kinds[i].over_emits && !vkt_has_layer(&options, "poly_gs"))
            continue;
        draw(&s, &kinds[i], false);
        if (!kinds[i].over_emits)
            draw(&s, &kinds[i], true);
    }
    return vkt_finish(&s.t);
}
