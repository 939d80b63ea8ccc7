/* SPDX-License-Identifier: MIT
 *
 * Scenes that change (scenes.h), of several threads on several devices at once. Each picture must
 * be the one that its scene gave alone, at the start, and nothing may grow.
 *
 * --devices N, --actors N (threads of a device), --frames N (of each thread) or --seconds S,
 * --parts N, --seed N. With --seconds it says after each part, a quarter by default, what frames
 * took and what the process holds, and fails if that is more at the end than after the first.
 */
#include "scenes.h"

#include "common/held.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 4u
#define MAX_ACTORS 16u
/* What a long run may grow by after its first part; lavapipe alone goes up and down by 2000. */
#define MOST_KiB 4096
/* The same of what is resident on SwiftShader, which keeps the code of the last 1024 vertex and the
 * last 1024 fragment shaders: some 20 MiB. */
#define MOST_RESIDENT_KiB 32768

static struct {
    uint32_t devices, actors, frames, parts, seed;
    double seconds;
} how = {.devices = 2, .actors = 4, .frames = 8, .parts = 4};

static double end_s; /* of this part of the run, with how.seconds */

/* -- devices -- */

static VkRenderPass make_pass(struct vkt *t, VkAttachmentLoadOp load, VkImageLayout before,
                              VkImageLayout after)
{
    const VkAttachmentDescription color = {
        .format = SCENE_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = before,
        .finalLayout = after,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, stages, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, all, all, 0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, stages, all, all, 0}};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

void scene_device_open(struct scene_device *d, const struct vkt_options *options)
{
    struct vkt *t = &d->t;
    vkt_init(t, options);
    pthread_mutex_init(&d->queue_lock, NULL);
    d->passes[SCENE_CLEARS] = make_pass(t, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_IMAGE_LAYOUT_UNDEFINED,
                                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    d->passes[SCENE_LOADS] =
        make_pass(t, VK_ATTACHMENT_LOAD_OP_LOAD, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    d->passes[SCENE_SHOWS] = make_pass(t, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_IMAGE_LAYOUT_UNDEFINED,
                                       VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    d->set_layout = vkt_set_layout(t, &scene_binding, 1);
    d->layout = vkt_layout(t, &d->set_layout, 1, NULL, 0);
    d->input = scene_input(t);
}

int scene_device_close(struct scene_device *d)
{
    pthread_mutex_destroy(&d->queue_lock);
    return vkt_finish(&d->t);
}

static void dump_pictures(struct scene_device *d)
{
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++)
        for (uint32_t size = 0; size < SCENE_SIZES; size++) {
            char name[32];
            snprintf(name, sizeof(name), "scene-%u-%u", kind, size);
            vkt_dump_image(&d->t, name, d->pictures[kind][size], SCENE_SIDE_PX(size),
                           SCENE_LAYERS * SCENE_SIDE_PX(size), 4);
        }
}

/* -- threads -- */

static void *act(void *argument)
{
    struct scene_actor *a = argument;
    for (uint32_t i = 0; how.seconds > 0 ? held_time_s() < end_s : i < how.frames; i++) {
        scene_frame(a);
        held_cpu_s(); /* notices soon if the process was frozen */
    }
    scene_actor_settle(a);
    return NULL;
}

/* Returns the frames that all have drawn up to now. */
static uint32_t act_all(struct scene_actor (*actors)[MAX_ACTORS])
{
    const uint32_t count = how.devices * how.actors;
    uint32_t frames = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct scene_actor *a = &actors[i / how.actors][i % how.actors];
        if (pthread_create(&a->id, NULL, act, a) != 0)
            vkt_die("no thread");
    }
    for (uint32_t i = 0; i < count; i++) {
        struct scene_actor *a = &actors[i / how.actors][i % how.actors];
        pthread_join(a->id, NULL);
        frames += a->frames;
    }
    return frames;
}

static void expect_same(struct vkt *t, const struct held *first, const struct held *last)
{
    /* SwiftShader's threads keep stacks of 1 MiB, most of which is never touched. */
    const bool keeps_stacks = strstr(t->properties.deviceName, "SwiftShader");
    VKT_EXPECT(t, last->files <= first->files && last->threads <= first->threads,
               "files or threads are left");
    const long more_KiB =
        keeps_stacks ? last->resident_KiB - first->resident_KiB : last->used_KiB - first->used_KiB;
    VKT_EXPECT(t, more_KiB <= (keeps_stacks ? MOST_RESIDENT_KiB : MOST_KiB),
               "memory grows by %ld KiB", more_KiB);
}

/* A part of a long run; says what it took and what is held at its end. */
static struct held act_part(const struct vkt *t, struct scene_actor (*actors)[MAX_ACTORS])
{
    static uint32_t frames;
    const uint32_t before = frames;
    const double begun_cpu_s = held_cpu_s();
    frames = act_all(actors);
    const double took_s = held_cpu_s() - begun_cpu_s;
    const struct held held = held_now();
    printf("%s: %u frames of %u threads on each of %u devices, %.2f ms of CPU time for a frame; "
           "%ld KiB resident and %ld in use, %ld threads, %ld files\n",
           t->options.name, frames - before, how.actors, how.devices,
           took_s * 1e3 / (frames - before), held.resident_KiB, held.used_KiB, held.threads,
           held.files);
    fflush(stdout);
    return held;
}

static void act_long(struct vkt *t, struct scene_actor (*actors)[MAX_ACTORS])
{
    const double begun_s = held_time_s();
    struct held first = {0}, last = {0};
    for (uint32_t i = 1; i <= how.parts; i++) {
        end_s = begun_s + how.seconds * i / how.parts;
        last = act_part(t, actors);
        if (i == 1)
            first = last;
    }
    expect_same(t, &first, &last);
}

/* -- the whole -- */

static void read_options(const struct vkt_options *options)
{
    for (int i = 0; i + 1 < options->rest_count; i += 2) {
        const char *word = options->rest[i];
        const double value = atof(options->rest[i + 1]);
        if (strcmp(word, "--devices") == 0)
            how.devices = (uint32_t)value;
        else if (strcmp(word, "--actors") == 0)
            how.actors = (uint32_t)value;
        else if (strcmp(word, "--frames") == 0)
            how.frames = (uint32_t)value;
        else if (strcmp(word, "--seconds") == 0)
            how.seconds = value;
        else if (strcmp(word, "--parts") == 0)
            how.parts = (uint32_t)value;
        else if (strcmp(word, "--seed") == 0)
            how.seed = (uint32_t)value;
        else
            vkt_die("no such option: %s", word);
    }
    if (how.devices - 1 >= MAX_DEVICES || how.actors - 1 >= MAX_ACTORS)
        vkt_die("up to %u devices with %u actors", MAX_DEVICES, MAX_ACTORS);
}

int main(int argc, char **argv)
{
    static const struct vkt_extension extensions[] = {{.name = VK_KHR_SWAPCHAIN_EXTENSION_NAME},
                                                      {0}};
    static struct scene_device devices[MAX_DEVICES];
    static struct scene_actor actors[MAX_DEVICES][MAX_ACTORS];
    struct vkt_options options = vkt_parse("gpu-scenes", argc, argv);
    int status = 0;
    options.xfb = options.tessellation = options.surfaces = true;
    options.extensions = extensions;
    read_options(&options);
    for (uint32_t i = 0; i < how.devices; i++) {
        scene_device_open(&devices[i], &options);
        if (i == 0) {
            scene_draw_pictures(&devices[0]);
            dump_pictures(&devices[0]);
            options.dump_path = NULL;
        }
        memcpy(devices[i].pictures, devices[0].pictures, sizeof(devices[i].pictures));
        for (uint32_t k = 0; k < how.actors; k++)
            scene_actor_open(&actors[i][k], &devices[i], how.seed + i * MAX_ACTORS + k + 1);
    }
    if (how.seconds > 0)
        act_long(&devices[0].t, actors);
    else
        act_all(actors);
    for (uint32_t i = 0; i < how.devices; i++) {
        for (uint32_t k = 0; k < how.actors; k++) {
            VKT_EXPECT(&devices[i].t, actors[i][k].wrong == 0, "%u of %u frames are wrong",
                       actors[i][k].wrong, actors[i][k].frames);
            scene_actor_close(&actors[i][k]);
        }
        status |= scene_device_close(&devices[i]);
    }
    return status;
}
