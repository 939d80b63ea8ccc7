/* SPDX-License-Identifier: MIT
 *
 * W1 to W5: what applications do with geometry shaders, from a fixed quad for each point to long
 * strips of a length that the data decide. T1 to T3: with tessellation, from triangles that become
 * four to terrain with levels of its own for each edge, and that with a geometry shader.
 */
#include "bench/bench.h"

#include "bench_frag.h"
#include "bench_vert.h"
#include "edges_geom.h"
#include "flat_geom.h"
#include "layers_geom.h"
#include "quads_geom.h"
#include "ribbon_geom.h"
#include "smooth_tesc.h"
#include "smooth_tese.h"
#include "terrain_tesc.h"
#include "terrain_tese.h"

struct workload {
    const char *name;
    uint32_t corners; /* of an indexed primitive; 1: points without indices */
    struct vkt_code tcs, tes, gs;
};

/* One workload on one device. */
struct scene {
    struct bench_device *device;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBuffer vertices, indices;
    VkBuffer arguments; /* of the draws, all in one call; NULL: the calls have them */
    uint32_t primitives, corners, draws;
};

/* The first primitive of a draw, and how many it has. */
static uint32_t first_of(const struct scene *s, uint32_t draw, uint32_t *count)
{
    const uint32_t first = (uint32_t)((uint64_t)s->primitives * draw / s->draws);
    *count = (uint32_t)((uint64_t)s->primitives * (draw + 1) / s->draws) - first;
    return first;
}

static VkBuffer make_arguments(const struct scene *s)
{
    const VkDeviceSize size_B = s->draws * sizeof(VkDrawIndexedIndirectCommand);
    const struct vkt_buffer b =
        vkt_buffer(&s->device->t, size_B, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < s->draws; i++) {
        uint32_t count;
        const uint32_t first = first_of(s, i, &count);
        if (s->indices)
            ((VkDrawIndexedIndirectCommand *)b.map)[i] =
                (VkDrawIndexedIndirectCommand){.indexCount = count * s->corners,
                                               .instanceCount = 1,
                                               .firstIndex = first * s->corners};
        else
            ((VkDrawIndirectCommand *)b.map)[i] = (VkDrawIndirectCommand){
                .vertexCount = count, .instanceCount = 1, .firstVertex = first};
    }
    return b.buffer;
}

/* False where the device cannot make the pipeline. */
static bool scene_init(struct scene *s, struct bench_device *d, const struct workload *w,
                       const struct bench_mesh *m, uint32_t primitives,
                       const struct bench_options *options)
{
    *s = (struct scene){
        .device = d, .primitives = primitives, .corners = w->corners, .draws = options->draws};
    const VkVertexInputBindingDescription binding = {0, sizeof(struct bench_vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, place)},
        {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, tint)},
    };
    s->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(bench_vert),
        .tcs = w->tcs,
        .tes = w->tes,
        .gs = w->gs,
        .fs = VKT_CODE(bench_frag),
        .layout = s->layout,
        .pass = d->pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology = w->tcs.words      ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                    : w->corners == 3 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                      : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .patch_points = w->corners,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
    };
    if (vkt_pipeline_try(&d->t, &info, &s->pipeline) != VK_SUCCESS)
        return false;
    s->vertices = vkt_buffer_from(&d->t, m->vertices,
                                  (VkDeviceSize)m->vertex_count * sizeof(struct bench_vertex),
                                  VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)
                      .buffer;
    if (w->corners > 1)
        s->indices = vkt_buffer_from(&d->t, m->indices, (VkDeviceSize)m->index_count * 4,
                                     VK_BUFFER_USAGE_INDEX_BUFFER_BIT)
                         .buffer;
    if (options->indirect)
        s->arguments = make_arguments(s);
    return true;
}

static void draw_indirectly(const struct scene *s, VkCommandBuffer cmd)
{
    const struct VolkDeviceTable *vk = &s->device->vk;
    if (s->indices)
        vk->vkCmdDrawIndexedIndirect(cmd, s->arguments, 0, s->draws,
                                     sizeof(VkDrawIndexedIndirectCommand));
    else
        vk->vkCmdDrawIndirect(cmd, s->arguments, 0, s->draws, sizeof(VkDrawIndirectCommand));
}

static void draw_directly(const struct scene *s, VkCommandBuffer cmd)
{
    const struct VolkDeviceTable *vk = &s->device->vk;
    for (uint32_t i = 0; i < s->draws; i++) {
        uint32_t count;
        const uint32_t first = first_of(s, i, &count);
        if (s->indices)
            vk->vkCmdDrawIndexed(cmd, count * s->corners, 1, first * s->corners, 0, 0);
        else
            vk->vkCmdDraw(cmd, count, 1, first, 0);
    }
}

static void record_scene(const void *scene, VkCommandBuffer cmd)
{
    const struct scene *s = scene;
    const struct VolkDeviceTable *vk = &s->device->vk;
    bench_begin_pass(s->device, cmd, true);
    vk->vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vk->vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices, &(VkDeviceSize){0});
    if (s->indices)
        vk->vkCmdBindIndexBuffer(cmd, s->indices, 0, VK_INDEX_TYPE_UINT32);
    (s->arguments ? draw_indirectly : draw_directly)(s, cmd);
    vk->vkCmdEndRenderPass(cmd);
}

static void run_workload(struct bench_report *report, const struct bench_options *options,
                         struct bench_device *devices[2], const struct workload *w, uint32_t size)
{
    static struct scene scenes[2];
    struct bench_mesh m = w->corners > 1 ? bench_grid(size, w->corners) : bench_points(size);
    struct bench_row row = {.workload = w->name, .size = size, .draws = options->draws};
    bool ready = true;
    if (options->edges != 500)
        bench_mesh_draw_edges(&m, options->edges);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i] && !scene_init(&scenes[i], devices[i], w, &m, size, options)) {
            snprintf(row.note, sizeof(row.note), "not supported (%s)", devices[i]->name);
            ready = false;
        }
    bench_mesh_finish(&m);
    if (ready)
        bench_run_frames(&row, options, devices, record_scene,
                         (const void *[]){&scenes[0], &scenes[1]});
    if (ready && devices[0] && devices[1])
        snprintf(row.note, sizeof(row.note), "%u pixels differ",
                 bench_differing_pixels(devices[0], devices[1]));
    bench_report_row(report, &row);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i]) {
            VKT_CALL(vkDeviceWaitIdle(devices[i]->t.device));
            vkDestroyPipeline(devices[i]->t.device, scenes[i].pipeline, NULL);
        }
}

void bench_workloads(const struct bench_options *options, struct bench_report **report)
{
    const struct vkt_code none = {0}, quads = VKT_CODE(quads_geom), flat = VKT_CODE(flat_geom),
                          edges = VKT_CODE(edges_geom), layers = VKT_CODE(layers_geom),
                          ribbon = VKT_CODE(ribbon_geom), smooth = VKT_CODE(smooth_tesc),
                          smooth_tes = VKT_CODE(smooth_tese), terrain = VKT_CODE(terrain_tesc),
                          terrain_tes = VKT_CODE(terrain_tese);
    const struct workload workloads[] = {
        {"w1", 1, none, none, quads},          {"w2", 3, none, none, flat},
        {"w3", 3, none, none, edges},          {"w4", 3, none, none, layers},
        {"w5", 1, none, none, ribbon},         {"t1", 3, smooth, smooth_tes, none},
        {"t2", 4, terrain, terrain_tes, none}, {"t3", 4, terrain, terrain_tes, flat},
    };
    struct bench_options own = *options;
    for (uint32_t i = 0; i < VKT_COUNT(workloads); i++) {
        if (!bench_selected(options, workloads[i].name))
            continue;
        for (uint32_t k = 0; k < options->size_count; k++) {
            struct bench_device *devices[2];
            own.base.tessellation = workloads[i].tcs.words != NULL;
            bench_devices_init(devices, &own, report);
            run_workload(*report, options, devices, &workloads[i], options->sizes[k]);
            bench_devices_finish(devices);
        }
    }
}
