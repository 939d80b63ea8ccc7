/* SPDX-License-Identifier: MIT
 *
 * W1 to W5: what applications do with geometry shaders, from a fixed quad for each point to long
 * strips of a length that the data decide.
 */
#include "bench/bench.h"

#include "bench_frag.h"
#include "bench_vert.h"
#include "edges_geom.h"
#include "flat_geom.h"
#include "layers_geom.h"
#include "quads_geom.h"
#include "ribbon_geom.h"

#include <stdlib.h>
#include <string.h>

/* Frames of one submission on a GPU. */
#define GPU_FRAMES 8

/* The grid of W2 to W4 is made of blocks of this many quads, so that its vertices are shared
 * nearby. */
#define BLOCK_COLUMNS 8u
#define BLOCK_ROWS 64u
#define BLOCK_TRIANGLES (BLOCK_COLUMNS * BLOCK_ROWS * 2)
#define BLOCK_VERTICES ((BLOCK_COLUMNS + 1) * (BLOCK_ROWS + 1))

struct vertex {
    float place[4], tint[4];
};

struct workload {
    const char *name;
    struct vkt_code gs;
    bool mesh; /* indexed triangles, otherwise points */
};

/* One workload on one device. */
struct scene {
    struct bench_device *device;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBuffer vertices, indices;
    VkCommandBuffer cmd;
    uint32_t primitives, draws;
    double record_us[BENCH_MAX_RUNS], wall_us[BENCH_MAX_RUNS], gpu_us[BENCH_MAX_RUNS];
};

struct mesh {
    struct vertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
};

static float unit_hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (float)((x ^ x >> 16) >> 8) / 16777216.0f;
}

static struct vertex make_vertex(float x, float y, float z, uint32_t seed)
{
    return (struct vertex){
        .place = {x, y, z, 1},
        .tint = {unit_hash(seed), unit_hash(seed + 1), unit_hash(seed + 2), 1},
    };
}

static void *checked(void *memory)
{
    if (!memory)
        vkt_die("out of memory");
    return memory;
}

static struct mesh make_points(uint32_t count)
{
    struct mesh m = {.vertex_count = count};
    m.vertices = checked(malloc(sizeof(*m.vertices) * count));
    for (uint32_t i = 0; i < count; i++)
        m.vertices[i] = make_vertex(unit_hash(i * 5 + 1) * 1.9f - 0.95f,
                                    unit_hash(i * 5 + 2) * 1.9f - 0.95f, 0.5f, i * 5 + 3);
    return m;
}

static struct mesh make_grid(uint32_t triangles)
{
    const uint32_t blocks = (triangles + BLOCK_TRIANGLES - 1) / BLOCK_TRIANGLES;
    uint32_t side = 1;
    while (side * side < blocks)
        side++;
    struct mesh m = {.vertex_count = blocks * BLOCK_VERTICES, .index_count = triangles * 3};
    m.vertices = checked(malloc(sizeof(*m.vertices) * m.vertex_count));
    m.indices = checked(malloc(sizeof(*m.indices) * blocks * BLOCK_TRIANGLES * 3));
    const float width = 1.9f / (float)side;
    for (uint32_t b = 0; b < blocks; b++) {
        const float left = -0.95f + width * (float)(b % side),
                    top = -0.95f + width * (float)(b / side);
        for (uint32_t i = 0; i < BLOCK_VERTICES; i++) {
            const uint32_t column = i % (BLOCK_COLUMNS + 1), row = i / (BLOCK_COLUMNS + 1);
            m.vertices[b * BLOCK_VERTICES + i] = make_vertex(
                left + width * (float)column / BLOCK_COLUMNS, top + width * (float)row / BLOCK_ROWS,
                0.25f + 0.5f * unit_hash(b + i * 3), (b * BLOCK_VERTICES + i) * 3);
        }
        for (uint32_t i = 0; i < BLOCK_TRIANGLES; i++) {
            const uint32_t quad = i / 2;
            const uint32_t corner = b * BLOCK_VERTICES +
                                    quad / BLOCK_COLUMNS * (BLOCK_COLUMNS + 1) +
                                    quad % BLOCK_COLUMNS;
            uint32_t *to = m.indices + (b * BLOCK_TRIANGLES + i) * 3;
            to[0] = i & 1 ? corner + 1 : corner;
            to[1] = i & 1 ? corner + BLOCK_COLUMNS + 2 : corner + 1;
            to[2] = corner + BLOCK_COLUMNS + 1;
        }
    }
    return m;
}

static void finish_mesh(struct mesh *m)
{
    free(m->vertices);
    free(m->indices);
}

/* False where the device cannot make the pipeline. */
static bool scene_init(struct scene *s, struct bench_device *d, const struct workload *w,
                       const struct mesh *m, uint32_t primitives, uint32_t draws)
{
    *s = (struct scene){.device = d, .primitives = primitives, .draws = draws};
    const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, place)},
        {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, tint)},
    };
    s->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(bench_vert),
        .gs = w->gs,
        .fs = VKT_CODE(bench_frag),
        .layout = s->layout,
        .pass = d->pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology =
            w->mesh ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
    };
    if (vkt_pipeline_try(&d->t, &info, &s->pipeline) != VK_SUCCESS)
        return false;
    s->vertices =
        vkt_buffer_from(&d->t, m->vertices, (VkDeviceSize)m->vertex_count * sizeof(struct vertex),
                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)
            .buffer;
    if (w->mesh)
        s->indices = vkt_buffer_from(&d->t, m->indices, (VkDeviceSize)m->index_count * 4,
                                     VK_BUFFER_USAGE_INDEX_BUFFER_BIT)
                         .buffer;
    s->cmd = vkt_commands(&d->t);
    return true;
}

/* On CPU drivers the work is done some time after the timestamps: there, the wall tells. */
static bool on_gpu(const struct bench_device *device)
{
    return device->timestamps && device->t.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static void record_frame(struct scene *s)
{
    const struct VolkDeviceTable *vk = &s->device->vk;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
    };
    VKT_CALL(vk->vkBeginCommandBuffer(s->cmd, &begin));
    /* The frame before has ended when the first time is taken, so that it counts for itself only.
     */
    bench_begin_pass(s->device, s->cmd, false);
    vk->vkCmdEndRenderPass(s->cmd);
    vkt_barrier_all(s->cmd);
    if (s->device->timestamps) {
        vk->vkCmdResetQueryPool(s->cmd, s->device->timestamps, 0, 2);
        vk->vkCmdWriteTimestamp(s->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s->device->timestamps,
                                0);
    }
    bench_begin_pass(s->device, s->cmd, true);
    vk->vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vk->vkCmdBindVertexBuffers(s->cmd, 0, 1, &s->vertices, &(VkDeviceSize){0});
    if (s->indices)
        vk->vkCmdBindIndexBuffer(s->cmd, s->indices, 0, VK_INDEX_TYPE_UINT32);
    for (uint32_t i = 0; i < s->draws; i++) {
        const uint32_t first = (uint32_t)((uint64_t)s->primitives * i / s->draws);
        const uint32_t count = (uint32_t)((uint64_t)s->primitives * (i + 1) / s->draws) - first;
        if (s->indices)
            vk->vkCmdDrawIndexed(s->cmd, count * 3, 1, first * 3, 0, 0);
        else
            vk->vkCmdDraw(s->cmd, count, 1, first, 0);
    }
    vk->vkCmdEndRenderPass(s->cmd);
    if (s->device->timestamps)
        vk->vkCmdWriteTimestamp(s->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s->device->timestamps,
                                1);
    VKT_CALL(vk->vkEndCommandBuffer(s->cmd));
}

static void run_frame(struct scene *s, uint32_t run)
{
    struct vkt *t = &s->device->t;
    /* A GPU that wakes up for one frame, and changes from one device's work to another's, takes
     * longer for that than for a small frame: it gets several in a row, and the last one's times
     * stay. */
    VkCommandBuffer frames[GPU_FRAMES];
    for (uint32_t i = 0; i < GPU_FRAMES; i++)
        frames[i] = s->cmd;
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = on_gpu(s->device) ? GPU_FRAMES : 1,
        .pCommandBuffers = frames,
    };
    const double start = bench_now_us();
    record_frame(s);
    const double recorded = bench_now_us();
    VKT_CALL(vkQueueSubmit(t->queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(t->queue));
    s->record_us[run] = recorded - start;
    s->wall_us[run] = bench_now_us() - recorded;
    if (s->device->timestamps) {
        uint64_t ticks[2];
        VKT_CALL(vkGetQueryPoolResults(t->device, s->device->timestamps, 0, 2, sizeof(ticks), ticks,
                                       8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        s->gpu_us[run] =
            (double)(ticks[1] - ticks[0]) * (double)t->properties.limits.timestampPeriod * 1e-3;
    }
}

static uint32_t differing_pixels(struct bench_device *a, struct bench_device *b)
{
    bench_read(a);
    bench_read(b);
    const uint32_t *x = a->readback.map, *y = b->readback.map;
    uint32_t count = 0;
    for (uint32_t i = 0; i < BENCH_SIDE_PX * BENCH_SIDE_PX * BENCH_LAYERS; i++)
        count += x[i] != y[i];
    return count;
}

/* Frames of all scenes in turn; the first ones, which compile and allocate, do not count. */
static void run_workload(struct bench_report *report, const struct bench_options *options,
                         struct bench_device *devices[2], const struct workload *w, uint32_t size)
{
    static struct scene scenes[2];
    const uint32_t warm_up = 3;
    struct mesh m = w->mesh ? make_grid(size) : make_points(size);
    char note[64] = "";
    bool ready = true;
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i] && !scene_init(&scenes[i], devices[i], w, &m, size, options->draws)) {
            snprintf(note, sizeof(note), "not supported (%s)", devices[i]->name);
            ready = false;
        }
    finish_mesh(&m);
    for (uint32_t run = 0; ready && run < warm_up + options->runs; run++)
        for (uint32_t i = 0; i < 2; i++)
            if (devices[i])
                run_frame(&scenes[i], run < warm_up ? 0 : run - warm_up);

    const struct bench_device *any = devices[0] ? devices[0] : devices[1];
    const bool use_gpu = on_gpu(any);
    double time_us[2] = {0}, record_us[2] = {0};
    for (uint32_t i = 0; ready && i < 2; i++) {
        if (!devices[i])
            continue;
        time_us[i] = bench_median(use_gpu ? scenes[i].gpu_us : scenes[i].wall_us, options->runs);
        record_us[i] = bench_median(scenes[i].record_us, options->runs);
    }
    if (ready && devices[0] && devices[1])
        snprintf(note, sizeof(note), "%u pixels differ", differing_pixels(devices[0], devices[1]));
    bench_report_row(report, w->name, size, options->draws, use_gpu ? "gpu" : "wall", time_us[0],
                     time_us[1], record_us[0], record_us[1], note);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i]) {
            VKT_CALL(vkDeviceWaitIdle(devices[i]->t.device));
            vkDestroyPipeline(devices[i]->t.device, scenes[i].pipeline, NULL);
        }
}

void bench_workloads(const struct bench_options *options)
{
    const struct workload workloads[] = {
        {"w1", VKT_CODE(quads_geom), false},  {"w2", VKT_CODE(flat_geom), true},
        {"w3", VKT_CODE(edges_geom), true},   {"w4", VKT_CODE(layers_geom), true},
        {"w5", VKT_CODE(ribbon_geom), false},
    };
    bool any = false;
    for (uint32_t i = 0; i < VKT_COUNT(workloads); i++)
        any |= bench_selected(options, workloads[i].name);
    if (!any)
        return;
    struct bench_report *report = NULL;
    for (uint32_t i = 0; i < VKT_COUNT(workloads); i++) {
        if (!bench_selected(options, workloads[i].name))
            continue;
        for (uint32_t k = 0; k < options->size_count; k++) {
            /* Fresh devices for each row: what one leaves behind must not weigh on the next. */
            static struct bench_device native, emulated;
            struct bench_device *devices[2] = {NULL, NULL};
            if (options->native)
                bench_device_init(devices[0] = &native, "native", options, false, false);
            if (options->emulated)
                bench_device_init(devices[1] = &emulated, "emulated", options, true, true);
            if (!report)
                report = bench_report_create(
                    options->json_path,
                    (devices[0] ? &native : &emulated)->t.properties.deviceName);
            run_workload(report, options, devices, &workloads[i], options->sizes[k]);
            for (uint32_t n = 0; n < 2; n++)
                if (devices[n])
                    bench_device_finish(devices[n]);
        }
    }
    bench_report_destroy(report);
}
