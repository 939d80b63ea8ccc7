/* SPDX-License-Identifier: MIT
 *
 * `first_frame`: from the code of the shaders to the end of the first frame that is drawn with
 * them, on a new device; and what the frame after that takes. Or from libraries, which are linked,
 * to the end of that frame: at once, or when they have been there for some time.
 */
#include "bench/scenes.h"

#include <string.h>
#include <time.h>

/* Of each pipeline. */
#define DRAWS 2u

struct start {
    struct bench_device *device;
    struct bench_shaders shaders;
    struct bench_scene_data data;
    VkPipelineLayout layout;
    VkPipeline pipelines[BENCH_SCENES], libraries[BENCH_SCENES * BENCH_PARTS];
    VkCommandBuffer cmd;
    uint32_t size;
};

static void start_init(struct start *s, struct bench_device *d, uint32_t size)
{
    *s = (struct start){.device = d, .size = size, .shaders = bench_shaders(d)};
    s->data = bench_scene_data(d, size);
    s->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    s->cmd = vkt_commands(&d->t);
}

static void start_finish(struct start *s)
{
    bench_destroy_pipelines(s->device, s->pipelines, BENCH_SCENES);
    bench_destroy_pipelines(s->device, s->libraries, BENCH_SCENES * BENCH_PARTS);
    bench_shaders_finish(&s->shaders);
}

static void draw_frame(struct start *s)
{
    const struct VolkDeviceTable *vk = &s->device->vk;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, /* as programs that draw anew do */
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &s->cmd,
    };
    VKT_CALL(vk->vkBeginCommandBuffer(s->cmd, &begin));
    bench_begin_pass(s->device, s->cmd, false);
    for (uint32_t i = 0; i < BENCH_SCENES; i++) {
        vk->vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[i]);
        bench_scene_bind(s->device, &s->data, i, s->cmd);
        for (uint32_t draw = 0; draw < DRAWS; draw++) {
            const uint32_t first = s->size * draw / DRAWS;
            bench_scene_draw(s->device, i, s->cmd, first, s->size * (draw + 1) / DRAWS - first);
        }
    }
    vk->vkCmdEndRenderPass(s->cmd);
    VKT_CALL(vk->vkEndCommandBuffer(s->cmd));
    VKT_CALL(vk->vkQueueSubmit(s->device->t.queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vk->vkQueueWaitIdle(s->device->t.queue));
}

/* As a program does that loads more. */
static void pause_for(uint32_t ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    if (ms)
        nanosleep(&time, NULL);
}

/* next: NULL, where the pipelines are linked. */
static void run_once(struct bench_device *devices[2], uint32_t size, uint32_t run,
                     uint32_t pause_ms, struct bench_cost_row *first, struct bench_cost_row *next)
{
    static struct start starts[2];
    for (uint32_t turn = 0; turn < 2; turn++) {
        const uint32_t i = (turn + run) % 2;
        struct start *s = &starts[i];
        if (!devices[i])
            continue;
        start_init(s, devices[i], size);
        if (!next)
            bench_scene_libraries(s->device, &s->shaders, s->layout, s->libraries);
        pause_for(pause_ms);
        const struct bench_clock start = bench_clock_now();
        if (next)
            bench_scene_pipelines(s->device, &s->shaders, s->layout, VK_NULL_HANDLE, s->pipelines);
        else
            bench_link_scenes(s->device, s->libraries, s->layout, s->pipelines);
        draw_frame(s);
        bench_cost_add(&first->costs[i], start, 1);
        if (!next)
            continue;
        const struct bench_clock again = bench_clock_now();
        draw_frame(s);
        bench_cost_add(&next->costs[i], again, 1);
    }
    bench_cost_note(first, devices);
    if (next)
        bench_cost_note(next, devices);
    if (devices[0] && devices[1])
        snprintf(first->note + strlen(first->note), sizeof(first->note) - strlen(first->note),
                 "%s%u pixels differ", first->note[0] ? ", " : "",
                 bench_differing_pixels(devices[0], devices[1]));
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i])
            start_finish(&starts[i]);
}

static void bench_linked(const struct bench_options *options, uint32_t size, const char *what,
                         uint32_t pause_ms, struct bench_report **report)
{
    static struct bench_cost_row row;
    struct bench_options own = *options;
    if (!bench_has_extension(options, report, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
        return;
    own.base.pipeline_libraries = true;
    row = (struct bench_cost_row){.workload = "first_frame", .what = what, .size = size};
    row.count = BENCH_SCENES * DRAWS;
    for (uint32_t run = 0; run < options->starts; run++) {
        struct bench_device *devices[2];
        bench_devices_init(devices, &own, report);
        run_once(devices, size, run, pause_ms, &row, NULL);
        bench_devices_finish(devices);
    }
    bench_report_cost(*report, &row);
}

void bench_first_frame(const struct bench_options *options, struct bench_report **report)
{
    static struct bench_cost_row first, next;
    struct bench_options own = *options;
    own.by_hand = true;
    if (!bench_selected(options, "first_frame"))
        return;
    for (uint32_t k = 0; k < options->size_count; k++) {
        const uint32_t size = options->sizes[k];
        first = (struct bench_cost_row){.workload = "first_frame", .what = "first", .size = size};
        first.count = BENCH_SCENES * DRAWS;
        next = first;
        next.what = "next";
        for (uint32_t run = 0; run < options->starts; run++) {
            struct bench_device *devices[2];
            bench_devices_init(devices, &own, report);
            run_once(devices, size, run, 0, &first, &next);
            bench_devices_finish(devices);
        }
        bench_report_cost(*report, &first);
        bench_report_cost(*report, &next);
        bench_linked(&own, size, "linked", 0, report);
        bench_linked(&own, size, "linked_later", 500, report);
    }
}
