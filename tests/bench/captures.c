/* SPDX-License-Identifier: MIT
 *
 * X1 to X4: transform feedback without the rasterizer. The vertices of a mesh, quads that a
 * geometry shader makes of points, many small draws in one interval beside a large one, and buffers
 * that take turns, each step drawn by the counter of the one before. X5 and X6: X1 and X2 with the
 * rasterizer, behind which no shader runs.
 */
#include "bench/bench.h"

#include "capture_geom.h"
#include "capture_pass_vert.h"
#include "capture_vert.h"

#define MANY_DRAWS 64u
#define STEPS 8u

struct workload {
    const char *name;
    struct vkt_code vs, gs;
    bool mesh;
    uint32_t stride_B, vertices; /* captured, for each input primitive */
    uint32_t draws, steps;
    bool rasterized;
};

/* One workload on one device. */
struct scene {
    struct bench_device *device;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    struct vkt_buffer vertices, indices;
    struct vkt_buffer sides[2], counters; /* where is captured to */
    uint32_t primitives, draws, steps;
};

static bool scene_init(struct scene *s, struct bench_device *d, const struct workload *w,
                       const struct bench_mesh *m, uint32_t primitives)
{
    struct vkt *t = &d->t;
    *s =
        (struct scene){.device = d, .primitives = primitives, .draws = w->draws, .steps = w->steps};
    const VkVertexInputBindingDescription binding = {0, sizeof(struct bench_vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, place)},
        {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, tint)},
    };
    s->layout = vkt_layout(t, NULL, 0, NULL, 0);
    const struct vkt_pipeline_info info = {
        .vs = w->vs,
        .gs = w->gs,
        .layout = s->layout,
        .pass = d->pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology =
            w->mesh ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .discard = !w->rasterized,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
    };
    if (vkt_pipeline_try(t, &info, &s->pipeline) != VK_SUCCESS)
        return false;
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    const VkDeviceSize size_B = (VkDeviceSize)primitives * w->vertices * w->stride_B;
    s->vertices =
        vkt_buffer_from(t, m->vertices, (VkDeviceSize)m->vertex_count * sizeof(struct bench_vertex),
                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    if (w->mesh)
        s->indices = vkt_buffer_from(t, m->indices, (VkDeviceSize)m->index_count * 4,
                                     VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (uint32_t i = 0; i < (w->steps > 1 ? 2 : 1); i++)
        s->sides[i] = vkt_buffer(t, size_B, usage, 0xcd);
    s->counters = vkt_buffer(t, STEPS * 4,
                             VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                             0xcd);
    return true;
}

static void draw_all(const struct scene *s, VkCommandBuffer cmd)
{
    const struct VolkDeviceTable *vk = &s->device->vk;
    for (uint32_t i = 0; i < s->draws; i++) {
        const uint32_t first = (uint32_t)((uint64_t)s->primitives * i / s->draws);
        const uint32_t count = (uint32_t)((uint64_t)s->primitives * (i + 1) / s->draws) - first;
        if (s->indices.buffer)
            vk->vkCmdDrawIndexed(cmd, count * 3, 1, first * 3, 0, 0);
        else
            vk->vkCmdDraw(cmd, count, 1, first, 0);
    }
}

static void order_steps(const struct scene *s, VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
    };
    s->device->vk.vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                                       VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                           VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                                       0, 1, &barrier, 0, NULL, 0, NULL);
}

static void record_scene(const void *scene, VkCommandBuffer cmd)
{
    const struct scene *s = scene;
    const struct VolkDeviceTable *vk = &s->device->vk;
    const VkDeviceSize zero = 0, whole = VK_WHOLE_SIZE;
    for (uint32_t i = 0; i < s->steps; i++) {
        const VkBuffer from = i ? s->sides[(i + 1) % 2].buffer : s->vertices.buffer;
        const VkDeviceSize counter_B = i * 4;
        if (i)
            order_steps(s, cmd);
        bench_begin_pass(s->device, cmd, true);
        vk->vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
        vk->vkCmdBindVertexBuffers(cmd, 0, 1, &from, &zero);
        if (s->indices.buffer)
            vk->vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
        vk->vkCmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &s->sides[i % 2].buffer, &zero, &whole);
        vk->vkCmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
        if (i)
            vk->vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, s->counters.buffer, counter_B - 4, 0,
                                              sizeof(struct bench_vertex));
        else
            draw_all(s, cmd);
        vk->vkCmdEndTransformFeedbackEXT(cmd, 0, 1, &s->counters.buffer, &counter_B);
        vk->vkCmdEndRenderPass(cmd);
    }
}

static uint32_t differing_words(const struct scene *a, const struct scene *b)
{
    const uint32_t side = (a->steps - 1) % 2;
    const uint32_t *x = a->sides[side].map, *y = b->sides[side].map;
    uint32_t count = 0;
    for (VkDeviceSize i = 0; i < a->sides[side].size_B / 4; i++)
        count += x[i] != y[i];
    const uint32_t *c = a->counters.map, *d = b->counters.map;
    for (uint32_t i = 0; i < a->steps; i++)
        count += c[i] != d[i];
    return count;
}

/* Fails the program where nothing was captured: that would be quick. */
static void expect_full(struct scene *s)
{
    const uint32_t *counters = s->counters.map;
    const uint32_t got = counters[s->steps - 1];
    VKT_EXPECT(&s->device->t, got == s->sides[0].size_B, "%s: captured %u bytes of %llu",
               s->device->name, got, (unsigned long long)s->sides[0].size_B);
}

static void run_workload(struct bench_report *report, const struct bench_options *options,
                         struct bench_device *devices[2], const struct workload *w, uint32_t size)
{
    static struct scene scenes[2];
    struct bench_mesh m = w->mesh ? bench_grid(size, 3) : bench_points(size);
    struct bench_row row = {
        .workload = w->name, .size = size, .draws = w->steps > 1 ? w->steps : w->draws};
    bool ready = true;
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i] && !scene_init(&scenes[i], devices[i], w, &m, size)) {
            snprintf(row.note, sizeof(row.note), "not supported (%s)", devices[i]->name);
            ready = false;
        }
    bench_mesh_finish(&m);
    if (ready)
        bench_run_frames(&row, options, devices, record_scene,
                         (const void *[]){&scenes[0], &scenes[1]});
    for (uint32_t i = 0; ready && i < 2; i++)
        if (devices[i])
            expect_full(&scenes[i]);
    if (ready && devices[0] && devices[1])
        snprintf(row.note, sizeof(row.note), "%u words differ",
                 differing_words(&scenes[0], &scenes[1]));
    bench_report_row(report, &row);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i]) {
            VKT_CALL(vkDeviceWaitIdle(devices[i]->t.device));
            vkDestroyPipeline(devices[i]->t.device, scenes[i].pipeline, NULL);
        }
}

void bench_captures(const struct bench_options *options, struct bench_report **report)
{
    const struct vkt_code vs = VKT_CODE(capture_vert), none = {0};
    const struct vkt_code quad_vs = VKT_CODE(capture_pass_vert), quads = VKT_CODE(capture_geom);
    const uint32_t draws = options->draws;
    const struct workload workloads[] = {
        {"x1", vs, none, true, 32, 3, draws, 1, false},
        {"x2", quad_vs, quads, false, 16, 6, draws, 1, false},
        {"x3", vs, none, false, 32, 1, 1, 1, false},
        {"x3", vs, none, false, 32, 1, MANY_DRAWS, 1, false},
        {"x4", vs, none, false, 32, 1, 1, STEPS, false},
        {"x5", vs, none, true, 32, 3, draws, 1, true},
        {"x6", quad_vs, quads, false, 16, 6, draws, 1, true},
    };
    struct bench_options own = *options;
    own.base.xfb = true;
    for (uint32_t i = 0; i < VKT_COUNT(workloads); i++) {
        if (!bench_selected(options, workloads[i].name))
            continue;
        for (uint32_t k = 0; k < options->size_count; k++) {
            struct bench_device *devices[2];
            bench_devices_init(devices, &own, report);
            run_workload(*report, options, devices, &workloads[i], options->sizes[k]);
            bench_devices_finish(devices);
        }
    }
}
