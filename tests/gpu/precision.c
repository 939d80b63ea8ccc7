/* SPDX-License-Identifier: MIT
 *
 * Varyings of RelaxedPrecision (mediump) beside others, between all stages: variables, arrays,
 * matrices, members of blocks, components. On drivers that link by precision, as of the profile
 * `minimum`, they have to have one precision in front of the rasterizer and behind it, whoever runs
 * the stages; and what is not mediump has to keep all of its bits.
 */
#include "common/vkt.h"

#include "precision_frag.h"
#include "precision_geom.h"
#include "precision_tesc.h"
#include "precision_tese.h"
#include "precision_vert.h"

#define SIDE_PX 64u
#define VERTICES 27u

static void run(struct vkt *t, const struct vkt_target *target, bool tessellation, bool geometry,
                const char *name)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(precision_vert),
        .fs = VKT_CODE(precision_frag),
        .layout = vkt_layout(t, NULL, 0, NULL, 0),
        .pass = target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (geometry)
        info.gs = VKT_CODE(precision_geom);
    if (tessellation) {
        info.tcs = VKT_CODE(precision_tesc);
        info.tes = VKT_CODE(precision_tese);
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info.patch_points = 3;
    }
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(cmd, VERTICES, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &target->color, 4);
    uint32_t drawn = 0, exact = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t pixel = ((const uint32_t *)pixels.map)[i];
        drawn += pixel >> 31;
        exact += pixel >> 30 == 3;
    }
    VKT_EXPECT(t, drawn > 300, "%s: only %u pixels", name, drawn);
    /* SwiftShader's slopes in slivers are off; halves would be wrong nearly everywhere. */
    VKT_EXPECT(t, exact * 100 >= drawn * 99, "%s: highp lost bits in %u of %u pixels", name,
               drawn - exact, drawn);
    vkt_dump_image(t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-precision", argc, argv);
    options.tessellation = true;
    static struct vkt t;
    vkt_init(&t, &options);
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    run(&t, &target, false, false, "vertex");
    run(&t, &target, false, true, "geometry");
    run(&t, &target, true, false, "tessellation");
    run(&t, &target, true, true, "tessellation-geometry");
    return vkt_finish(&t);
}
