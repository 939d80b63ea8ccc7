/* SPDX-License-Identifier: MIT
 *
 * What it costs to record a pass without geometry shaders: without the layer, through the layer
 * when it is inactive (the program enables nothing that is emulated), and through the active layer.
 * CPU time only.
 */
#include "bench/bench.h"

#include "record_frag.h"
#include "record_geom.h"
#include "record_vert.h"

enum { NONE, INACTIVE, ACTIVE, SEEN, KINDS };

static const char *const names[KINDS] = {"no layer", "inactive layer", "active layer",
                                         "geometry seen"};

struct recorder {
    struct bench_device device;
    VkPipelineLayout layout;
    VkPipeline pipelines[2];
    VkBuffer vertices[2];
    VkCommandBuffer cmd;
    double times_us[BENCH_MAX_RUNS];
    bool used;
};

static void see_geometry(const struct recorder *r)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(record_geom),
        .pCode = record_geom,
    };
    VkShaderModule module;
    VKT_CALL(r->device.vk.vkCreateShaderModule(r->device.t.device, &info, NULL, &module));
    r->device.vk.vkDestroyShaderModule(r->device.t.device, module, NULL);
}

static void recorder_init(struct recorder *r, const struct bench_options *options, uint32_t kind)
{
    r->used = true;
    struct bench_options own = *options;
    own.base.without_geometry = kind < ACTIVE;
    bench_device_init(&r->device, names[kind], &own, kind != NONE, kind >= ACTIVE);
    struct vkt *t = &r->device.t;
    if (kind == SEEN)
        see_geometry(r);
    const VkVertexInputBindingDescription binding = {0, 32, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
        {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                       64};
    r->layout = vkt_layout(t, NULL, 0, &range, 1);
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(record_vert),
        .fs = VKT_CODE(record_frag),
        .layout = r->layout,
        .pass = r->device.pass,
        .width_px = BENCH_SIDE_PX,
        .height_px = BENCH_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
    };
    for (uint32_t i = 0; i < 2; i++) {
        info.blend = i ? VKT_BLEND_ADD : VKT_BLEND_NONE;
        r->pipelines[i] = vkt_pipeline(t, &info);
        r->vertices[i] = vkt_buffer(t, 1024, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0).buffer;
    }
    r->cmd = vkt_commands(t);
}

/* As engines do it: a pipeline every eighth draw, buffers and push constants for each. */
static void record_pass(struct recorder *r, uint32_t draws)
{
    const struct VolkDeviceTable *vk = &r->device.vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    uint32_t push[16] = {0};
    VKT_CALL(vk->vkBeginCommandBuffer(r->cmd, &begin));
    bench_begin_pass(&r->device, r->cmd, false);
    for (uint32_t i = 0; i < draws; i++) {
        if (i % 8 == 0)
            vk->vkCmdBindPipeline(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipelines[i / 8 % 2]);
        push[0] = i;
        vk->vkCmdPushConstants(r->cmd, r->layout, stages, 0, sizeof(push), push);
        vk->vkCmdBindVertexBuffers(r->cmd, 0, 1, &r->vertices[i % 2], &(VkDeviceSize){0});
        vk->vkCmdDraw(r->cmd, 3, 1, 0, i);
    }
    vk->vkCmdEndRenderPass(r->cmd);
    VKT_CALL(vk->vkEndCommandBuffer(r->cmd));
}

/* Who comes after whom tells in the caches: every round has an order of its own, so that none of
 * them always follows the same one. */
static void shuffle(uint32_t order[KINDS], uint32_t *seed)
{
    for (uint32_t i = KINDS - 1; i > 0; i--) {
        *seed = *seed * 1664525 + 1013904223;
        const uint32_t other = (uint32_t)((uint64_t)*seed * (i + 1) >> 32), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* Sorts the times. What else the machine does can only add, but a single least one is luck: with
 * the same thing twice the least of 100 differ by 2 %, the tenths by 0.3 %. */
static double tenth_us(struct recorder *r, uint32_t runs)
{
    bench_median(r->times_us, runs);
    return r->times_us[(runs - 1) / 10];
}

static void report(struct recorder recorders[KINDS], const struct bench_options *options)
{
    double base_us = 0;
    printf("record: a pass of %u draws without geometry shaders; ratio of the fastest tenth\n",
           options->record_draws);
    for (uint32_t i = 0; i < KINDS; i++) {
        if (!recorders[i].used)
            continue;
        const double us = tenth_us(&recorders[i], options->runs);
        const double median_us = bench_median(recorders[i].times_us, options->runs);
        if (i == NONE)
            base_us = us;
        printf("%-14s ratio %.3f  tenth %.1f us  least %.1f us  median %.1f us  %.1f ns a draw\n",
               names[i], base_us > 0 ? us / base_us : 0, us, recorders[i].times_us[0], median_us,
               us * 1e3 / (double)options->record_draws);
        bench_device_finish(&recorders[i].device);
    }
}

void bench_record(const struct bench_options *options)
{
    static struct recorder recorders[KINDS];
    const uint32_t warm_up = 5;
    uint32_t order[KINDS] = {NONE, INACTIVE, ACTIVE, SEEN}, seed = 1;
    for (uint32_t i = 0; i < KINDS; i++)
        if (i == NONE ? options->native : options->emulated)
            recorder_init(&recorders[i], options, i);
    for (uint32_t run = 0; run < warm_up + options->runs; run++) {
        shuffle(order, &seed);
        for (uint32_t turn = 0; turn < KINDS; turn++) {
            struct recorder *r = &recorders[order[turn]];
            if (!r->used)
                continue;
            const double start = bench_now_us();
            record_pass(r, options->record_draws);
            r->times_us[run < warm_up ? 0 : run - warm_up] = bench_now_us() - start;
        }
    }
    report(recorders, options);
}
