/* SPDX-License-Identifier: MIT
 *
 * `record_emulated`: what it costs the CPU to record a pass of 64 draws with geometry shaders, and
 * one without, on a device that has seen geometry shaders.
 */
#include "bench/scenes.h"

#include "bound_by_hand_vert.h"
#include "bound_geom.h"
#include "bound_vert.h"
#include "plain_frag.h"
#include "plain_vert.h"

#define DRAWS 64u
/* A recording takes some 50 us: too little for one look at a clock. */
#define RECORDINGS 8u
/* Variants are compiled while a draw is recorded for the first time. */
#define WARM_UP 3u
#define DRAW_SIZE 100u /* points or triangles; nothing runs */
#define SETS 8u
#define PUSH_B 32u
#define TONE_STRIDE_B 256u /* no driver wants more of minUniformBufferOffsetAlignment */

/* After the scenes, which draw from one place after the other: */
enum {
    MIXED = BENCH_SCENES, /* another scene every eighth draw */
    ALTERNATE,            /* two scenes in turn */
    BOUND,                /* each draw with a vertex buffer, a set and push constants of its own */
    INDIRECT,             /* each draw from a buffer */
    PLAIN,                /* without geometry shaders */
    PASSES
};

struct recorder {
    struct bench_device *device;
    struct bench_shaders shaders;
    struct bench_scene_data data;
    VkPipelineLayout layout, bound_layout;
    VkPipeline pipelines[BENCH_SCENES], plain, bound;
    VkDescriptorSet sets[SETS];
    VkBuffer commands; /* of the indirect draws */
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

/* The first scene with a set and push constants. */
static void make_bound(struct recorder *r)
{
    struct bench_device *d = r->device;
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT,
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, PUSH_B};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&d->t, &binding, 1);
    const VkBuffer tones =
        vkt_buffer(&d->t, SETS * TONE_STRIDE_B, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0).buffer;
    r->bound_layout = vkt_layout(&d->t, &set_layout, 1, &range, 1);
    for (uint32_t i = 0; i < SETS; i++) {
        r->sets[i] = vkt_set(&d->t, set_layout, &binding, 1);
        vkt_write_buffer(&d->t, r->sets[i], 0, 0, binding.descriptorType, tones,
                         (VkDeviceSize)i * TONE_STRIDE_B, TONE_STRIDE_B);
    }
    const struct vkt_code none = {0};
    const VkShaderModule vs =
        bench_module(d, d->by_hand ? VKT_CODE(bound_by_hand_vert) : VKT_CODE(bound_vert));
    const VkShaderModule gs = bench_module(d, d->by_hand ? none : VKT_CODE(bound_geom));
    const VkShaderModule fs = bench_module(d, VKT_CODE(plain_frag));
    r->bound = bench_scene_pipeline(d, 0, vs, gs, fs, r->bound_layout, VKT_BLEND_NONE, NULL);
    d->vk.vkDestroyShaderModule(d->t.device, vs, NULL);
    d->vk.vkDestroyShaderModule(d->t.device, gs, NULL);
    d->vk.vkDestroyShaderModule(d->t.device, fs, NULL);
}

static void make_commands(struct recorder *r)
{
    const bool by_hand = r->device->by_hand;
    VkDrawIndirectCommand commands[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++)
        commands[i] = (VkDrawIndirectCommand){
            .vertexCount = by_hand ? 4 : DRAW_SIZE,
            .instanceCount = by_hand ? DRAW_SIZE : 1,
        };
    r->commands = vkt_buffer_from(&r->device->t, commands, sizeof(commands),
                                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)
                      .buffer;
}

static void recorder_init(struct recorder *r, struct bench_device *d)
{
    *r = (struct recorder){.device = d, .shaders = bench_shaders(d)};
    r->data = bench_scene_data(d, DRAWS * DRAW_SIZE);
    r->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    bench_scene_pipelines(d, &r->shaders, r->layout, VK_NULL_HANDLE, r->pipelines);
    r->plain = make_plain(r);
    make_bound(r);
    make_commands(r);
    r->cmd = vkt_commands(&d->t);
}

static void recorder_finish(struct recorder *r)
{
    VKT_CALL(vkDeviceWaitIdle(r->device->t.device));
    bench_destroy_pipelines(r->device, r->pipelines, BENCH_SCENES);
    bench_destroy_pipelines(r->device, &r->bound, 1);
    bench_shaders_finish(&r->shaders);
}

static uint32_t scene_of(uint32_t pass, uint32_t draw)
{
    if (pass < BENCH_SCENES)
        return pass;
    if (pass == MIXED)
        return draw / 8 % BENCH_SCENES;
    return pass == ALTERNATE ? draw % 2 : 0;
}

static VkPipeline pipeline_of(const struct recorder *r, uint32_t pass, uint32_t scene)
{
    if (pass == PLAIN)
        return r->plain;
    return pass == BOUND ? r->bound : r->pipelines[scene];
}

static void bind_own(struct recorder *r, uint32_t draw)
{
    const struct VolkDeviceTable *vk = &r->device->vk;
    const VkDeviceSize offset_B = (VkDeviceSize)draw * DRAW_SIZE * sizeof(struct bench_vertex);
    uint32_t push[PUSH_B / 4] = {draw};
    vk->vkCmdBindVertexBuffers(r->cmd, 0, 1, &r->data.points, &offset_B);
    vk->vkCmdBindDescriptorSets(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->bound_layout, 0, 1,
                                &r->sets[draw % SETS], 0, NULL);
    vk->vkCmdPushConstants(r->cmd, r->bound_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, PUSH_B, push);
}

static void bind(struct recorder *r, uint32_t pass, uint32_t draw)
{
    const uint32_t scene = scene_of(pass, draw);
    const bool again = draw != 0 && scene == scene_of(pass, draw - 1);
    if (!again) {
        r->device->vk.vkCmdBindPipeline(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                        pipeline_of(r, pass, scene));
        bench_scene_bind(r->device, &r->data, scene, r->cmd);
    }
    if (pass == BOUND)
        bind_own(r, draw);
}

static void draw(struct recorder *r, uint32_t pass, uint32_t i)
{
    const struct VolkDeviceTable *vk = &r->device->vk;
    const uint32_t first = pass == BOUND ? 0 : i * DRAW_SIZE;
    if (pass == PLAIN)
        vk->vkCmdDraw(r->cmd, DRAW_SIZE, 1, first, 0);
    else if (pass == INDIRECT)
        vk->vkCmdDrawIndirect(r->cmd, r->commands, i * sizeof(VkDrawIndirectCommand), 1,
                              sizeof(VkDrawIndirectCommand));
    else
        bench_scene_draw(r->device, scene_of(pass, i), r->cmd, first, DRAW_SIZE);
}

static void record_pass(struct recorder *r, uint32_t pass)
{
    const struct VolkDeviceTable *vk = &r->device->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VKT_CALL(vk->vkBeginCommandBuffer(r->cmd, &begin));
    bench_begin_pass(r->device, r->cmd, false);
    for (uint32_t i = 0; i < DRAWS; i++) {
        bind(r, pass, i);
        draw(r, pass, i);
    }
    vk->vkCmdEndRenderPass(r->cmd);
    VKT_CALL(vk->vkEndCommandBuffer(r->cmd));
}

static void measure(struct recorder recorders[2], uint32_t pass, uint32_t runs,
                    struct bench_cost_row *row)
{
    const double until_us = bench_now_us() + BENCH_SETTLE_US;
    uint32_t unmeasured = WARM_UP;
    for (uint32_t run = 0; run < unmeasured + runs; run++) {
        if (run == unmeasured - 1 && bench_now_us() < until_us)
            unmeasured++;
        for (uint32_t turn = 0; turn < 2; turn++) {
            const uint32_t i = (turn + run) % 2;
            if (!recorders[i].device)
                continue;
            const struct bench_clock start = bench_clock_now();
            for (uint32_t k = 0; k < RECORDINGS; k++)
                record_pass(&recorders[i], pass);
            if (run >= unmeasured)
                bench_cost_add(&row->costs[i], start, RECORDINGS);
        }
    }
}

static const char *name_of(uint32_t pass)
{
    static const char *const names[PASSES] = {
        [MIXED] = "mixed",       [ALTERNATE] = "alternate", [BOUND] = "bound",
        [INDIRECT] = "indirect", [PLAIN] = "plain",
    };
    return pass < BENCH_SCENES ? bench_scene_names[pass] : names[pass];
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
        row.what = name_of(pass);
        measure(recorders, pass, options->runs, &row);
        bench_cost_note(&row, devices);
        bench_report_cost(*report, &row);
    }
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i])
            recorder_finish(&recorders[i]);
    bench_devices_finish(devices);
}
