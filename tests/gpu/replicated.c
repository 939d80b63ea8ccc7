/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_replicated_composites around geometry shaders: composites of one value, constants,
 * specialization constants and others. Compilers of GLSL do not write them, so they are put in the
 * place here of those that name one value several times.
 */
#include "common/vkt.h"

#include "replicated_geom.h"
#include "replicated_vert.h"
#include "value_frag.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 32u
#define POINTS 64u

#ifdef VK_EXT_shader_replicated_composites

/* Of SPIR-V. */
enum {
    OP_CAPABILITY = 17,
    OP_EXTENSION = 10,
    CAPABILITY_REPLICATED_COMPOSITES = 6024,
};

static struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_target target;
} s;

/* The form with one value; 0: there is none. */
static uint32_t replicating_op(uint32_t op)
{
    switch (op) {
    case 44: /* OpConstantComposite */
        return 4461;
    case 51: /* OpSpecConstantComposite */
        return 4462;
    case 80: /* OpCompositeConstruct */
        return 4463;
    default:
        return 0;
    }
}

static bool has_one_value(const uint32_t *ins)
{
    for (uint32_t i = 4; i < ins[0] >> 16; i++)
        if (ins[i] != ins[3])
            return false;
    return ins[0] >> 16 > 4;
}

/* The caller frees the words. *replaced counts what changes. */
static struct vkt_code replicate(struct vkt_code code, uint32_t *replaced)
{
    static const char extension[] = "SPV_EXT_replicated_composites";
    uint32_t name[sizeof(extension) / 4 + 1] = {0};
    uint32_t *words = malloc(code.size_B + 256);
    size_t count = 5;
    bool extended = false;
    memcpy(name, extension, sizeof(extension));
    memcpy(words, code.words, 5 * sizeof(*words));
    words[count++] = 2u << 16 | OP_CAPABILITY;
    words[count++] = CAPABILITY_REPLICATED_COMPOSITES;
    for (size_t at = 5; at < code.size_B / 4; at += code.words[at] >> 16) {
        const uint32_t *ins = code.words + at, op = ins[0] & 0xFFFF, more = replicating_op(op);
        if (op != OP_CAPABILITY && !extended) {
            extended = true;
            words[count++] = (1 + VKT_COUNT(name)) << 16 | OP_EXTENSION;
            memcpy(words + count, name, sizeof(name));
            count += VKT_COUNT(name);
        }
        const bool replaces = more && has_one_value(ins);
        const uint32_t length = replaces ? 4 : ins[0] >> 16;
        memcpy(words + count, ins, length * sizeof(*words));
        if (replaces)
            words[count] = length << 16 | more;
        *replaced += replaces;
        count += length;
    }
    return (struct vkt_code){words, count * 4};
}

static void draw(const char *name, struct vkt_code vert, struct vkt_code geom)
{
    const float eighth = 0.125f;
    const uint32_t count = 3;
    const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 0, 4}};
    const VkSpecializationInfo vs = {1, &entries[0], sizeof(eighth), &eighth},
                               gs = {1, &entries[1], sizeof(count), &count};
    const struct vkt_pipeline_info info = {
        .vs = vert,
        .gs = geom,
        .fs = VKT_CODE(value_frag),
        .vs_constants = &vs,
        .gs_constants = &gs,
        .layout = s.layout,
        .pass = s.target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    const VkPipeline pipeline = vkt_pipeline(&s.t, &info);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t drawn = 0, wrong = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        drawn += texels[i] != 0;
        /* 64 * (x / 8 + 1 / 16), x up to 7 */
        wrong += texels[i] && ((texels[i] - 3001) % 8 != 4 || texels[i] > 3001 + 60);
    }
    VKT_EXPECT(&s.t, drawn > 400 && !wrong, "%s: %u of %u pixels are wrong", name, wrong, drawn);
    vkt_dump_image(&s.t, name, texels, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_REPLICATED_COMPOSITES_FEATURES_EXT,
        .shaderReplicatedComposites = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_SHADER_REPLICATED_COMPOSITES_EXTENSION_NAME, &features, 1}, {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("replicated", argc, argv);
    uint32_t replaced[2] = {0};
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const struct vkt_code vert = VKT_CODE(replicated_vert), geom = VKT_CODE(replicated_geom),
                          one_vert = replicate(vert, &replaced[0]),
                          one_geom = replicate(geom, &replaced[1]);
    VKT_EXPECT(&s.t, replaced[0] >= 3 && replaced[1] >= 5, "only %u and %u composites", replaced[0],
               replaced[1]);
    draw("both", one_vert, one_geom);
    draw("vertex", one_vert, geom);
    draw("geometry", vert, one_geom);
    free((void *)one_vert.words);
    free((void *)one_geom.words);
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("replicated", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_EXT_shader_replicated_composites");
}
#endif
