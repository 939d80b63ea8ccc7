/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <string.h>

/* Frames of one submission on a GPU. */
#define GPU_FRAMES 8
/* The first ones compile and allocate: they do not count. */
#define WARM_UP 3

/* A frame on one device, and how long it took. */
struct frame {
    struct bench_device *device;
    bench_record_frame *record;
    const void *scene;
    VkCommandBuffer cmd;
    double record_us[BENCH_MAX_RUNS], wall_us[BENCH_MAX_RUNS], gpu_us[BENCH_MAX_RUNS];
};

/* On CPU drivers the work is done some time after the timestamps: there, the wall tells. */
static bool on_gpu(const struct bench_device *device)
{
    return device->timestamps && device->t.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static void record_frame(struct frame *f)
{
    const struct VolkDeviceTable *vk = &f->device->vk;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
    };
    VKT_CALL(vk->vkBeginCommandBuffer(f->cmd, &begin));
    /* The frame before has ended when the first time is taken, so that it counts for itself only.
     */
    bench_begin_pass(f->device, f->cmd, false);
    vk->vkCmdEndRenderPass(f->cmd);
    vkt_barrier_all(f->cmd);
    if (f->device->timestamps) {
        vk->vkCmdResetQueryPool(f->cmd, f->device->timestamps, 0, 2);
        vk->vkCmdWriteTimestamp(f->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, f->device->timestamps,
                                0);
    }
    f->record(f->scene, f->cmd);
    if (f->device->timestamps)
        vk->vkCmdWriteTimestamp(f->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, f->device->timestamps,
                                1);
    VKT_CALL(vk->vkEndCommandBuffer(f->cmd));
}

static void run_frame(struct frame *f, uint32_t run)
{
    struct vkt *t = &f->device->t;
    /* A GPU that wakes up for one frame, and changes from one device's work to another's, takes
     * longer for that than for a small frame: it gets several in a row, and the last one's times
     * stay. */
    VkCommandBuffer frames[GPU_FRAMES];
    for (uint32_t i = 0; i < GPU_FRAMES; i++)
        frames[i] = f->cmd;
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = on_gpu(f->device) ? GPU_FRAMES : 1,
        .pCommandBuffers = frames,
    };
    const double start = bench_now_us();
    record_frame(f);
    const double recorded = bench_now_us();
    VKT_CALL(vkQueueSubmit(t->queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(t->queue));
    f->record_us[run] = recorded - start;
    f->wall_us[run] = bench_now_us() - recorded;
    if (f->device->timestamps) {
        uint64_t ticks[2];
        VKT_CALL(vkGetQueryPoolResults(t->device, f->device->timestamps, 0, 2, sizeof(ticks), ticks,
                                       8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        f->gpu_us[run] =
            (double)(ticks[1] - ticks[0]) * (double)t->properties.limits.timestampPeriod * 1e-3;
    }
}

static void run_frames(struct frame frames[2], uint32_t run)
{
    for (uint32_t i = 0; i < 2; i++)
        if (frames[i].device)
            run_frame(&frames[i], run);
}

void bench_run_frames(struct bench_row *row, const struct bench_options *options,
                      struct bench_device *const devices[2], bench_record_frame *record,
                      const void *const scenes[2])
{
    static struct frame frames[2];
    memset(frames, 0, sizeof(frames));
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i]) {
            frames[i].device = devices[i];
            frames[i].record = record;
            frames[i].scene = scenes[i];
            frames[i].cmd = vkt_commands(&devices[i]->t);
        }
    const double until_us = bench_now_us() + BENCH_SETTLE_US;
    for (uint32_t run = 0; run < WARM_UP || bench_now_us() < until_us; run++)
        run_frames(frames, 0);
    for (uint32_t run = 0; run < options->runs; run++)
        run_frames(frames, run);
    const bool use_gpu = on_gpu(devices[0] ? devices[0] : devices[1]);
    row->clock = use_gpu ? "gpu" : "wall";
    for (uint32_t i = 0; i < 2; i++) {
        if (!devices[i])
            continue;
        row->time_us[i] =
            bench_median(use_gpu ? frames[i].gpu_us : frames[i].wall_us, options->runs);
        row->record_us[i] = bench_median(frames[i].record_us, options->runs);
    }
}
