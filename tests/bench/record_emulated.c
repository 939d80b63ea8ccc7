/* SPDX-License-Identifier: MIT
 *
 * `record_emulated`: what it costs the CPU to record a pass of 64 draws with geometry shaders, and
 * one without, on a device that has seen geometry shaders.
 */
#include "bench/scenes.h"

#include "plain_frag.h"
#include "plain_vert.h"

#define DRAWS 64u
/* A recording takes some 50 us: too little for one look at a clock. */
#define RECORDINGS 8u
/* Variants are compiled while a draw is recorded for the first time. */
#define WARM_UP 3u
#define DRAW_SIZE 100u /* points or triangles; nothing runs */

/* After the scenes: a pipeline every eighth draw, and a pass without geometry shaders. */
enum { MIXED = BENCH_SCENES, PLAIN, PASSES };

struct recorder {
    struct bench_device *device;
    struct bench_shaders shaders;
    struct bench_scene_data data;
    VkPipelineLayout layout;
    VkPipeline pipelines[BENCH_SCENES], plain;
    VkCommandBuffer cmd;
};

static VkPipeline make_plain(struct recorder *r)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct bench_vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, place)},
        {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, tint)},
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(plain_vert),
        .fs = VKT_CODE(plain_frag),
        .layout = r->layout,
        .pass = r->device->pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
    };
    return vkt_pipeline(&r->device->t, &info);
}

static void recorder_init(struct recorder *r, struct bench_device *d)
{
    *r = (struct recorder){.device = d, .shaders = bench_shaders(d)};
    r->data = bench_scene_data(d, DRAWS * DRAW_SIZE);
    r->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    bench_scene_pipelines(d, &r->shaders, r->layout, VK_NULL_HANDLE, r->pipelines);
    r->plain = make_plain(r);
    r->cmd = vkt_commands(&d->t);
}

static void recorder_finish(struct recorder *r)
{
    VKT_CALL(vkDeviceWaitIdle(r->device->t.device));
    bench_destroy_pipelines(r->device, r->pipelines, BENCH_SCENES);
    bench_shaders_finish(&r->shaders);
}

static void bind(struct recorder *r, uint32_t pass, uint32_t draw)
{
    const uint32_t scene = pass == MIXED ? draw / 8 % BENCH_SCENES : pass == PLAIN ? 0 : pass;
    if (draw % 8 != 0 || (draw != 0 && pass != MIXED))
        return;
    r->device->vk.vkCmdBindPipeline(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    pass == PLAIN ? r->plain : r->pipelines[scene]);
    bench_scene_bind(r->device, &r->data, scene, r->cmd);
}

static void record_pass(struct recorder *r, uint32_t pass)
{
    const struct VolkDeviceTable *vk = &r->device->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VKT_CALL(vk->vkBeginCommandBuffer(r->cmd, &begin));
    bench_begin_pass(r->device, r->cmd, false);
    for (uint32_t i = 0; i < DRAWS; i++) {
        const uint32_t scene = pass == MIXED ? i / 8 % BENCH_SCENES : pass;
        bind(r, pass, i);
        if (pass == PLAIN)
            vk->vkCmdDraw(r->cmd, DRAW_SIZE, 1, i * DRAW_SIZE, 0);
        else
            bench_scene_draw(r->device, scene, r->cmd, i * DRAW_SIZE, DRAW_SIZE);
    }
    vk->vkCmdEndRenderPass(r->cmd);
    VKT_CALL(vk->vkEndCommandBuffer(r->cmd));
}

static void measure(struct recorder recorders[2], uint32_t pass, uint32_t runs,
                    struct bench_cost_row *row)
{
    for (uint32_t run = 0; run < WARM_UP + runs; run++)
        for (uint32_t turn = 0; turn < 2; turn++) {
            const uint32_t i = (turn + run) % 2;
            if (!recorders[i].device)
                continue;
            const struct bench_clock start = bench_clock_now();
            for (uint32_t k = 0; k < RECORDINGS; k++)
                record_pass(&recorders[i], pass);
            if (run >= WARM_UP)
                bench_cost_add(&row->costs[i], start, RECORDINGS);
        }
}

void bench_record_emulated(const struct bench_options *options, struct bench_report **report)
{
    static struct bench_cost_row row;
    struct bench_device *devices[2];
    struct recorder recorders[2] = {0};
    struct bench_options own = *options;
    own.by_hand = true;
    if (!bench_selected(options, "record_emulated"))
        return;
    bench_devices_init(devices, &own, report);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i])
            recorder_init(&recorders[i], devices[i]);
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        row = (struct bench_cost_row){.workload = "record_emulated", .count = DRAWS};
        row.what = pass == MIXED ? "mixed" : pass == PLAIN ? "plain" : bench_scene_names[pass];
        measure(recorders, pass, options->runs, &row);
        bench_cost_note(&row, devices);
        bench_report_cost(*report, &row);
    }
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i])
            recorder_finish(&recorders[i]);
    bench_devices_finish(devices);
}
