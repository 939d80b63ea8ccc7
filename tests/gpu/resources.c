/* SPDX-License-Identifier: MIT
 *
 * Descriptors of every type, in four sets, read and written by a vertex and a geometry shader;
 * dynamic offsets; arrays of descriptors; push constants of three stages in ranges of their own.
 */
#include "common/vkt.h"

#include "resources_frag.h"
#include "resources_geom.h"
#include "resources_vert.h"

#include <string.h>

#define SIDE_PX 32u
#define UNITS 16u
#define LOG_W (2 * UNITS * 24)
#define DYNAMIC_STEP_B 256u

struct push {
    uint32_t vertex[4], geometry[4], log_base, pad[3], fragment[4];
};

struct suite {
    struct vkt t;
    struct vkt_buffer plain, table, log, texels, cells, moving, moving_table, several[4];
    struct vkt_image pictures[5]; /* combined, separate, three of an array */
    struct vkt_image storage;
    VkDescriptorSetLayout set_layouts[4];
    VkDescriptorSet sets[4];
    VkPipelineLayout layout;
    struct vkt_target target;
};

static const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;

static struct vkt_buffer numbers(struct suite *s, uint32_t count, VkBufferUsageFlags usage,
                                 uint32_t seed)
{
    const struct vkt_buffer b = vkt_buffer(&s->t, (VkDeviceSize)count * 4, usage, 0);
    for (uint32_t i = 0; i < count; i++)
        ((uint32_t *)b.map)[i] = seed + i * 17;
    return b;
}

static struct vkt_image picture(struct suite *s, uint32_t seed)
{
    uint32_t texels[16];
    for (uint32_t i = 0; i < 16; i++)
        texels[i] = seed + i;
    const struct vkt_image image =
        vkt_image(&s->t, VK_FORMAT_R32_UINT, 4, 4,
                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    vkt_image_upload(&s->t, &image, texels, sizeof(texels),
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    return image;
}

static void make_resources(struct suite *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    s->plain = numbers(s, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 1000);
    s->table = numbers(s, 64, storage, 2000);
    s->log = numbers(s, LOG_W, storage, 0);
    s->texels = numbers(s, 16, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 3000);
    s->cells = numbers(s, 64, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, 4000);
    s->moving = numbers(s, 3 * DYNAMIC_STEP_B / 4, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 5000);
    s->moving_table = numbers(s, 3 * DYNAMIC_STEP_B / 4, storage, 6000);
    for (uint32_t i = 0; i < 4; i++)
        s->several[i] = numbers(s, 4, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 7000 + 100 * i);
    for (uint32_t i = 0; i < 5; i++)
        s->pictures[i] = picture(s, 8000 + 100 * i);
    uint32_t zeros[64] = {0};
    s->storage = vkt_image(&s->t, VK_FORMAT_R32_UINT, 8, 8,
                           VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                               VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    vkt_image_upload(&s->t, &s->storage, zeros, sizeof(zeros), VK_IMAGE_LAYOUT_GENERAL);
}

static void make_sets(struct suite *s)
{
    const VkDescriptorSetLayoutBinding bindings[4][6] = {
        {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages, NULL},
            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL},
            {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
        },
        {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
            {1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
            {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
            {3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
            {4, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
            {5, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
        },
        {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, stages, NULL},
            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
        },
        {
            {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4, stages, NULL},
            {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3, stages, NULL},
        },
    };
    static const uint32_t counts[4] = {3, 6, 2, 2};
    for (uint32_t i = 0; i < 4; i++) {
        s->set_layouts[i] = vkt_set_layout(&s->t, bindings[i], counts[i]);
        s->sets[i] = vkt_set(&s->t, s->set_layouts[i], bindings[i], counts[i]);
    }
    const VkPushConstantRange ranges[3] = {
        {VK_SHADER_STAGE_VERTEX_BIT, offsetof(struct push, vertex), 16},
        {VK_SHADER_STAGE_GEOMETRY_BIT, offsetof(struct push, geometry), 20},
        {VK_SHADER_STAGE_FRAGMENT_BIT, offsetof(struct push, fragment), 16},
    };
    s->layout = vkt_layout(&s->t, s->set_layouts, 4, ranges, VKT_COUNT(ranges));
}

static void write_sets(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                           storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const VkSampler sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    vkt_write_buffer(t, s->sets[0], 0, 0, uniform, s->plain.buffer, 0, VK_WHOLE_SIZE);
    vkt_write_buffer(t, s->sets[0], 1, 0, storage, s->table.buffer, 0, VK_WHOLE_SIZE);
    vkt_write_buffer(t, s->sets[0], 2, 0, storage, s->log.buffer, 0, VK_WHOLE_SIZE);
    vkt_write_texel(t, s->sets[1], 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                    vkt_buffer_view(t, s->texels.buffer, VK_FORMAT_R32_UINT));
    vkt_write_texel(t, s->sets[1], 1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                    vkt_buffer_view(t, s->cells.buffer, VK_FORMAT_R32_UINT));
    vkt_write_image(t, s->sets[1], 2, 0, combined, s->pictures[0].view, read, sampler);
    vkt_write_image(t, s->sets[1], 3, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, s->pictures[1].view,
                    read, VK_NULL_HANDLE);
    vkt_write_image(t, s->sets[1], 4, 0, VK_DESCRIPTOR_TYPE_SAMPLER, VK_NULL_HANDLE,
                    VK_IMAGE_LAYOUT_UNDEFINED, sampler);
    vkt_write_image(t, s->sets[1], 5, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, s->storage.view,
                    VK_IMAGE_LAYOUT_GENERAL, VK_NULL_HANDLE);
    vkt_write_buffer(t, s->sets[2], 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                     s->moving.buffer, 0, 32);
    vkt_write_buffer(t, s->sets[2], 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                     s->moving_table.buffer, 0, 68);
    for (uint32_t i = 0; i < 4; i++)
        vkt_write_buffer(t, s->sets[3], 0, i, uniform, s->several[i].buffer, 0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i < 3; i++)
        vkt_write_image(t, s->sets[3], 1, i, combined, s->pictures[2 + i].view, read, sampler);
}

static void record(struct suite *s, VkCommandBuffer cmd)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(resources_vert),
        .gs = VKT_CODE(resources_geom),
        .fs = VKT_CODE(resources_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    };
    const VkPipeline pipeline = vkt_pipeline(&s->t, &info);
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, graphics, pipeline);
    for (uint32_t pass = 0; pass < 2; pass++) {
        const struct push push = {
            .vertex = {11 + pass, 12 + pass, 13, 14 + pass},
            .geometry = {21, 22 + pass, 23, 26 + pass},
            .log_base = pass * UNITS * 24,
            .fragment = {31 * (pass + 1), 32, 33, 34},
        };
        const uint32_t offsets_B[2] = {DYNAMIC_STEP_B * pass, DYNAMIC_STEP_B * (2 - pass)};
        /* The sets in two goes, the dynamic one alone. */
        vkCmdBindDescriptorSets(cmd, graphics, s->layout, 2, 2, &s->sets[2], 2, offsets_B);
        if (pass == 0)
            vkCmdBindDescriptorSets(cmd, graphics, s->layout, 0, 2, s->sets, 0, NULL);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 16, push.vertex);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 16, 20, push.geometry);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 48, 16, push.fragment);
        vkCmdDraw(cmd, pass ? 8 : UNITS, 1, pass, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-resources", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_resources(&s);
    make_sets(&s);
    write_sets(&s);
    memset(s.log.map, 0xcd, s.log.size_B);
    VkCommandBuffer cmd = vkt_commands(&s.t);
    record(&s, cmd);
    vkt_submit(&s.t, cmd);

    vkt_dump_buffer(&s.t, "log", s.log.map, s.log.size_B);
    vkt_dump_buffer(&s.t, "cells", s.cells.map, s.cells.size_B);
    vkt_dump_buffer(&s.t, "moving-table", s.moving_table.map, s.moving_table.size_B);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    vkt_dump_image(&s.t, "image", pixels.map, SIDE_PX, SIDE_PX, 4);
    return vkt_finish(&s.t);
}
