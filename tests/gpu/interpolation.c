/* SPDX-License-Identifier: MIT
 *
 * Outputs of a geometry shader that say how they are interpolated, and a fragment shader that says
 * the same, or something else: that is what counts.
 */
#include "common/vkt.h"

#include "interpolation_geom.h"
#include "interpolation_other.h"
#include "interpolation_same.h"
#include "interpolation_vert.h"

#define SIDE_PX 64u

/* How many values a field of the pixels has. */
static uint32_t count_values(const uint32_t *pixels, uint32_t shift)
{
    uint32_t mask = 0, count = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        mask |= 1u << ((pixels[i] >> shift) & 31u);
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

static void run(struct vkt *t, const struct vkt_target *target, struct vkt_code fs,
                uint32_t flat_shift, const char *name)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(interpolation_vert),
        .gs = VKT_CODE(interpolation_geom),
        .fs = fs,
        .layout = vkt_layout(t, NULL, 0, NULL, 0),
        .pass = target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    };
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(cmd, 4, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    for (uint32_t shift = 0; shift < 30; shift += 5) {
        const uint32_t count = count_values(pixels.map, shift);
        VKT_EXPECT(t, shift == flat_shift ? count <= 2 : count > 8, "%s: %u values at bit %u", name,
                   count, shift);
    }
    vkt_dump_image(t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-interpolation", argc, argv);
    static struct vkt t;
    vkt_init(&t, &options);
    if (!t.features.core.sampleRateShading)
        vkt_skip("no sampleRateShading");
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    run(&t, &target, VKT_CODE(interpolation_same), 10, "same");
    run(&t, &target, VKT_CODE(interpolation_other), 5, "other");
    return vkt_finish(&t);
}
