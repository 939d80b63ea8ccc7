/* SPDX-License-Identifier: MIT */
#include "bench/scenes.h"

#include <stdlib.h>
#include <string.h>

#include "copies_by_hand_vert.h"
#include "edges_by_hand_vert.h"
#include "flat_by_hand_vert.h"
#include "quads_by_hand_vert.h"
#include "ribbon_by_hand_vert.h"
#include "salted_copies_geom.h"
#include "salted_edges_geom.h"
#include "salted_flat_geom.h"
#include "salted_frag.h"
#include "salted_quads_geom.h"
#include "salted_ribbon_geom.h"
#include "salted_vert.h"

/* As CMakeLists.txt gives it to the shaders. */
#define SALT 1.0e-20f

const char *const bench_scene_names[BENCH_SCENES] = {"quads", "flat", "edges", "copies", "ribbon"};

struct scene {
    struct vkt_code gs, by_hand;
    bool mesh; /* indexed triangles, otherwise points */
    /* By hand, a point or triangle is an instance. */
    VkPrimitiveTopology by_hand_topology;
    uint32_t by_hand_vertices;
};

static struct scene scene_of(uint32_t number)
{
    const VkPrimitiveTopology triangles = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    const VkPrimitiveTopology strip = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    const VkPrimitiveTopology lines = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    const struct scene scenes[BENCH_SCENES] = {
        {VKT_CODE(salted_quads_geom), VKT_CODE(quads_by_hand_vert), false, strip, 4},
        {VKT_CODE(salted_flat_geom), VKT_CODE(flat_by_hand_vert), true, triangles, 3},
        {VKT_CODE(salted_edges_geom), VKT_CODE(edges_by_hand_vert), true, lines, 6},
        {VKT_CODE(salted_copies_geom), VKT_CODE(copies_by_hand_vert), true, triangles, 18},
        {VKT_CODE(salted_ribbon_geom), VKT_CODE(ribbon_by_hand_vert), false, strip, 64},
    };
    return scenes[number];
}

static struct vkt_code salted(struct vkt_code code, uint32_t salt)
{
    const float constant = SALT;
    uint32_t wanted, found = 0, *words = malloc(code.size_B);
    if (!words)
        vkt_die("out of memory");
    memcpy(&wanted, &constant, sizeof(wanted));
    for (uint32_t i = 0; i < code.size_B / 4; i++) {
        found += code.words[i] == wanted;
        words[i] = code.words[i] + (code.words[i] == wanted ? salt : 0);
    }
    if (found != 1)
        vkt_die("a shader has its salt %u times", found);
    return (struct vkt_code){words, code.size_B};
}

struct bench_shaders bench_shaders(const struct bench_device *d)
{
    static uint32_t salt;
    struct bench_shaders s = {0};
    salt++;
    for (uint32_t i = 0; i < BENCH_SCENES; i++) {
        const struct scene scene = scene_of(i);
        s.vs[i] = salted(d->by_hand ? scene.by_hand : VKT_CODE(salted_vert), salt);
        if (!d->by_hand)
            s.gs[i] = salted(scene.gs, salt);
    }
    s.fs = salted(VKT_CODE(salted_frag), salt);
    return s;
}

void bench_shaders_finish(struct bench_shaders *s)
{
    for (uint32_t i = 0; i < BENCH_SCENES; i++) {
        free((void *)s->vs[i].words);
        free((void *)s->gs[i].words);
    }
    free((void *)s->fs.words);
}

VkShaderModule bench_module(struct bench_device *d, struct vkt_code code)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
    VkShaderModule module = VK_NULL_HANDLE;
    if (code.words)
        VKT_CALL(d->vk.vkCreateShaderModule(d->t.device, &info, NULL, &module));
    return module;
}

static uint32_t fill_stages(VkPipelineShaderStageCreateInfo stages[3], VkShaderModule vs,
                            VkShaderModule gs, VkShaderModule fs)
{
    const VkShaderModule modules[3] = {vs, gs, fs};
    const VkShaderStageFlagBits bits[3] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                                           VK_SHADER_STAGE_FRAGMENT_BIT};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (modules[i])
            stages[count++] = (VkPipelineShaderStageCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = bits[i],
                .module = modules[i],
                .pName = "main",
            };
    return count;
}

VkPipeline bench_scene_pipeline(struct bench_device *d, uint32_t number, VkShaderModule vs,
                                VkShaderModule gs, VkShaderModule fs, VkPipelineLayout layout,
                                enum vkt_blend blend, VkPipelineCache cache)
{
    const struct scene scene = scene_of(number);
    const uint32_t vertices = d->by_hand && scene.mesh ? 3 : 1;
    const VkVertexInputBindingDescription binding = {
        0, vertices * (uint32_t)sizeof(struct bench_vertex),
        d->by_hand ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attributes[6];
    for (uint32_t i = 0; i < vertices * 2; i++)
        attributes[i] =
            (VkVertexInputAttributeDescription){i, 0, VK_FORMAT_R32G32B32A32_SFLOAT, i * 16};
    const VkPrimitiveTopology input =
        scene.mesh ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    const struct vkt_pipeline_info info = {
        .layout = layout,
        .pass = d->pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology = d->by_hand ? scene.by_hand_topology : input,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = vertices * 2,
        .blend = blend,
        .cache = cache,
    };
    VkPipelineShaderStageCreateInfo stages[3];
    const uint32_t stage_count = fill_stages(stages, vs, gs, fs);
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_stages(&d->t, &info, stages, stage_count, &pipeline));
    return pipeline;
}

void bench_scene_pipelines(struct bench_device *d, const struct bench_shaders *shaders,
                           VkPipelineLayout layout, VkPipelineCache cache,
                           VkPipeline pipelines[BENCH_SCENES])
{
    const struct VolkDeviceTable *vk = &d->vk;
    const VkShaderModule fs = bench_module(d, shaders->fs);
    for (uint32_t i = 0; i < BENCH_SCENES; i++) {
        const VkShaderModule vs = bench_module(d, shaders->vs[i]);
        const VkShaderModule gs = bench_module(d, shaders->gs[i]);
        pipelines[i] = bench_scene_pipeline(d, i, vs, gs, fs, layout, VKT_BLEND_NONE, cache);
        vk->vkDestroyShaderModule(d->t.device, vs, NULL);
        vk->vkDestroyShaderModule(d->t.device, gs, NULL);
    }
    vk->vkDestroyShaderModule(d->t.device, fs, NULL);
}

void bench_destroy_pipelines(struct bench_device *d, const VkPipeline *pipelines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        d->vk.vkDestroyPipeline(d->t.device, pipelines[i], NULL);
}

/* The mesh without indices. */
static VkBuffer make_corners(struct bench_device *d, const struct bench_mesh *m)
{
    const size_t size_B = m->index_count * sizeof(struct bench_vertex);
    struct bench_vertex *corners = malloc(size_B);
    if (!corners)
        vkt_die("out of memory");
    for (uint32_t i = 0; i < m->index_count; i++)
        corners[i] = m->vertices[m->indices[i]];
    const VkBuffer buffer =
        vkt_buffer_from(&d->t, corners, size_B, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT).buffer;
    free(corners);
    return buffer;
}

struct bench_scene_data bench_scene_data(struct bench_device *d, uint32_t size)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    struct bench_mesh points = bench_points(size), grid = bench_grid(size, 3);
    struct bench_scene_data data = {0};
    data.points =
        vkt_buffer_from(&d->t, points.vertices, size * sizeof(struct bench_vertex), usage).buffer;
    if (d->by_hand) {
        data.corners = make_corners(d, &grid);
    } else {
        data.vertices = vkt_buffer_from(&d->t, grid.vertices,
                                        grid.vertex_count * sizeof(struct bench_vertex), usage)
                            .buffer;
        data.indices = vkt_buffer_from(&d->t, grid.indices, (VkDeviceSize)grid.index_count * 4,
                                       VK_BUFFER_USAGE_INDEX_BUFFER_BIT)
                           .buffer;
    }
    bench_mesh_finish(&points);
    bench_mesh_finish(&grid);
    return data;
}

void bench_scene_bind(const struct bench_device *d, const struct bench_scene_data *data,
                      uint32_t number, VkCommandBuffer cmd)
{
    const bool mesh = scene_of(number).mesh;
    const VkBuffer triangles = d->by_hand ? data->corners : data->vertices;
    d->vk.vkCmdBindVertexBuffers(cmd, 0, 1, mesh ? &triangles : &data->points, &(VkDeviceSize){0});
    if (mesh && !d->by_hand)
        d->vk.vkCmdBindIndexBuffer(cmd, data->indices, 0, VK_INDEX_TYPE_UINT32);
}

void bench_scene_draw(const struct bench_device *d, uint32_t number, VkCommandBuffer cmd,
                      uint32_t first, uint32_t count)
{
    const struct scene scene = scene_of(number);
    if (d->by_hand)
        d->vk.vkCmdDraw(cmd, scene.by_hand_vertices, count, 0, first);
    else if (scene.mesh)
        d->vk.vkCmdDrawIndexed(cmd, count * 3, 1, first * 3, 0, 0);
    else
        d->vk.vkCmdDraw(cmd, count, 1, first, 0);
}
