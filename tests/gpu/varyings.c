/* SPDX-License-Identifier: MIT
 *
 * What travels from stage to stage: structs, matrices, arrays, blocks, packed components, arrays
 * sized by specialization constants, gl_PrimitiveID through to the fragment shader, clip and cull
 * distances, 64-bit and 16-bit types.
 */
#include "common/vkt.h"

#include "distances_frag.h"
#include "distances_geom.h"
#include "distances_vert.h"
#include "narrow_frag.h"
#include "narrow_geom.h"
#include "narrow_vert.h"
#include "varyings_frag.h"
#include "varyings_geom.h"
#include "varyings_vert.h"
#include "wide_frag.h"
#include "wide_geom.h"
#include "wide_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define LOG_B 8192u

struct suite {
    struct vkt t;
    struct vkt_buffer log;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_target target;
};

static struct vkt_pipeline_info common_info(const struct suite *s, VkPrimitiveTopology topology)
{
    return (struct vkt_pipeline_info){
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = topology,
    };
}

static void draw(struct suite *s, const struct vkt_pipeline_info *info, uint32_t vertices,
                 const char *name)
{
    const VkPipeline pipeline = vkt_pipeline(&s->t, info);
    memset(s->log.map, 0xcd, s->log.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdDraw(cmd, vertices, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);

    char full[64];
    snprintf(full, sizeof(full), "%s/log", name);
    vkt_dump_buffer(&s->t, full, s->log.map, LOG_B);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    snprintf(full, sizeof(full), "%s/image", name);
    vkt_dump_image(&s->t, full, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > 200, "%s: only %u pixels", name, drawn);
}

static void draw_varyings(struct suite *s, int32_t length, int32_t out_length, const char *name)
{
    const int32_t values[2] = {length, out_length};
    const VkSpecializationMapEntry entries[2] = {{3, 0, 4}, {5, 4, 4}};
    const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
    struct vkt_pipeline_info info = common_info(s, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    info.vs = VKT_CODE(varyings_vert);
    info.gs = VKT_CODE(varyings_geom);
    info.fs = VKT_CODE(varyings_frag);
    info.vs_constants = info.gs_constants = info.fs_constants = &constants;
    draw(s, &info, 14, name);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-varyings", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    const VkPhysicalDeviceFeatures *core = &s.t.features.core;
    if (!core->vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.log = vkt_buffer(&s.t, LOG_B,
                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = vkt_layout(&s.t, &set_layout, 1, NULL, 0);

    draw_varyings(&s, 4, 3, "varyings");
    draw_varyings(&s, 2, 4, "varyings-sized");
    if (core->shaderClipDistance && core->shaderCullDistance) {
        struct vkt_pipeline_info info = common_info(&s, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
        info.vs = VKT_CODE(distances_vert);
        info.gs = VKT_CODE(distances_geom);
        info.fs = VKT_CODE(distances_frag);
        draw(&s, &info, 16, "opt/distances");
    }
    if (core->shaderFloat64 && core->shaderInt64 && core->shaderInt16) {
        struct vkt_pipeline_info info = common_info(&s, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
        info.vs = VKT_CODE(wide_vert);
        info.gs = VKT_CODE(wide_geom);
        info.fs = VKT_CODE(wide_frag);
        draw(&s, &info, 14, "opt/wide");
    }
    if (core->shaderInt16 && s.t.features.float16 && s.t.features.varying16) {
        struct vkt_pipeline_info info = common_info(&s, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
        info.vs = VKT_CODE(narrow_vert);
        info.gs = VKT_CODE(narrow_geom);
        info.fs = VKT_CODE(narrow_frag);
        draw(&s, &info, 14, "opt/narrow");
    }
    return vkt_finish(&s.t);
}
