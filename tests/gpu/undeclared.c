/* SPDX-License-Identifier: MIT
 *
 * Modules that use what they do not declare, as some compilers' do: drivers do not mind, so the
 * layer must not rely on capabilities either. No validation.
 */
#include "common/vkt.h"

#include "undeclared_distances.h"
#include "undeclared_frag.h"
#include "undeclared_geom.h"
#include "undeclared_primitive.h"
#include "undeclared_tesc.h"
#include "undeclared_tese.h"
#include "undeclared_vert.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u
#define VERTICES (64u * 3)

struct kind {
    const char *name;
    struct vkt_code vs, tes, gs, fs;
};

static bool goes(uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityClipDistance:
    case SpvCapabilityCullDistance:
    case SpvCapabilityGeometry:
    case SpvCapabilityTessellation:
        return true;
    default:
        return false;
    }
}

/* The module without such declarations, in memory that the program keeps. */
static struct vkt_code strip(struct vkt_code code)
{
    const size_t count = code.size_B / 4;
    uint32_t *words = code.words ? malloc(code.size_B) : NULL;
    size_t kept = 5;
    if (!words)
        return code;
    memcpy(words, code.words, 5 * sizeof(*words));
    for (size_t at = 5, length; at < count; at += length) {
        length = code.words[at] >> 16;
        if ((code.words[at] & 0xFFFFu) == SpvOpCapability && goes(code.words[at + 1]))
            continue;
        memcpy(words + kept, code.words + at, length * sizeof(*words));
        kept += length;
    }
    return (struct vkt_code){words, kept * 4};
}

static void run(struct vkt *t, const struct vkt_target *target, VkPipelineLayout layout,
                const struct kind *kind)
{
    struct vkt_pipeline_info info = {
        .vs = strip(kind->vs),
        .tes = strip(kind->tes),
        .gs = strip(kind->gs),
        .fs = strip(kind->fs),
        .layout = layout,
        .pass = target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (info.tes.words) {
        info.tcs = strip(VKT_CODE(undeclared_tesc));
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
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    /* A triangle has some 32 pixels; a quarter of them is culled, and some half of the others
     * clipped. */
    VKT_EXPECT(t, drawn > 48 * 8 && drawn < 48 * 24, "%s: %u pixels", kind->name, drawn);
    vkt_dump_image(t, kind->name, pixels.map, SIDE_PX, SIDE_PX, 4);
    free((void *)info.vs.words);
    free((void *)info.tcs.words);
    free((void *)info.tes.words);
    free((void *)info.gs.words);
    free((void *)info.fs.words);
}

int main(int argc, char **argv)
{
    const struct vkt_code none = {NULL, 0};
    const struct kind kinds[] = {
        {"evaluation", VKT_CODE(undeclared_vert), VKT_CODE(undeclared_tese), none,
         VKT_CODE(undeclared_frag)},
        {"evaluation-primitive", VKT_CODE(undeclared_vert), VKT_CODE(undeclared_tese), none,
         VKT_CODE(undeclared_primitive)},
        {"geometry", VKT_CODE(undeclared_distances), none, VKT_CODE(undeclared_geom),
         VKT_CODE(undeclared_frag)},
        {"vertex-primitive", VKT_CODE(undeclared_distances), none, none,
         VKT_CODE(undeclared_primitive)},
        {"evaluation-geometry", VKT_CODE(undeclared_vert), VKT_CODE(undeclared_tese),
         VKT_CODE(undeclared_geom), VKT_CODE(undeclared_frag)},
    };
    struct vkt_options options = vkt_parse("gpu-undeclared", argc, argv);
    options.tessellation = true;
    static struct vkt t;
    vkt_init(&t, &options);
    if (!t.features.core.shaderClipDistance || !t.features.core.shaderCullDistance)
        vkt_skip("no clip and cull distances");
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const VkPipelineLayout layout = vkt_layout(&t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        run(&t, &target, layout, &kinds[i]);
    return vkt_finish(&t);
}
