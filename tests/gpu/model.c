/* SPDX-License-Identifier: MIT
 *
 * The Vulkan memory model on a device that has enabled it, but not vulkanMemoryModelDeviceScope,
 * and gl_Layer from a geometry shader: nothing that the layer gives to the driver may need more
 * than is enabled. With --lone the features stand in structs of their own, without those of core
 * versions. What is checked is above all what the validation layer says.
 */
#include "common/vkt.h"

#include "model_counts.h"
#include "model_frag.h"
#include "model_plain.h"
#include "model_tesc.h"
#include "model_tese.h"
#include "model_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define PRIMITIVES 64u

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer count, arguments;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

struct kind {
    const char *name;
    struct vkt_code gs;
    bool tessellated, indirect;
};

static void make_resources(struct suite *s)
{
    static const VkDrawIndirectCommand arguments = {PRIMITIVES * 3, 1, 0, 0};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    s->target = vkt_target(&s->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s->count = vkt_buffer(&s->t, 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->arguments =
        vkt_buffer_from(&s->t, &arguments, sizeof(arguments), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->count.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &layout, 1, NULL, 0);
}

static void run(struct suite *s, const struct kind *kind)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(model_vert),
        .gs = kind->gs,
        .fs = VKT_CODE(model_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (kind->tessellated) {
        info.tcs = VKT_CODE(model_tesc);
        info.tes = VKT_CODE(model_tese);
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info.patch_points = 3;
    }
    const VkPipeline pipeline = vkt_pipeline(&s->t, &info);
    memset(s->count.map, 0, 4);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    if (kind->indirect)
        vkCmdDrawIndirect(cmd, s->arguments.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
    else
        vkCmdDraw(cmd, PRIMITIVES * 3, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);

    char name[64];
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > PRIMITIVES * 20, "%s: only %u pixels", kind->name, drawn);
    snprintf(name, sizeof(name), "%s/image", kind->name);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    snprintf(name, sizeof(name), "%s/count", kind->name);
    vkt_dump_buffer(&s->t, name, s->count.map, 4);
}

int main(int argc, char **argv)
{
    const struct kind kinds[] = {
        {"direct", VKT_CODE(model_plain), false, false},
        {"counted", VKT_CODE(model_counts), false, false},
        {"indirect", VKT_CODE(model_plain), false, true},
        {"tessellated", {NULL, 0}, true, false},
        {"tessellated-geometry", VKT_CODE(model_plain), true, false},
    };
    struct vkt_options options = vkt_parse("gpu-model", argc, argv);
    options.tessellation = options.memory_model = true;
    options.lone_features = vkt_flag(&options, "--lone");
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    make_resources(&s);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
