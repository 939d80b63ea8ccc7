/* SPDX-License-Identifier: MIT
 *
 * `link`: what it costs to make libraries of pipelines, and to link pipelines of them. As games do:
 * one library in front of the rasterizer, behind it many, and some ways to blend. And as zink does:
 * all shaders of a program in one library.
 */
#include "bench/scenes.h"
#include "common/vkt_link.h"

#include <stdlib.h>
#include <string.h>

#define BLENDS 3u
#define MAX_PIPELINES 1024u

/* One run of a case on one device. */
struct linker {
    struct bench_device *device;
    const struct bench_options *options;
    struct bench_shaders *shaders; /* a set for each fragment shader */
    bool plain;                    /* without a geometry shader */
    bool joined;                   /* a library of `fragments` has all shaders */
    VkShaderModule vs, gs, *fs;
    VkPipelineLayout layout;
    VkPipeline input, before, output[BLENDS], *fragments;
    VkPipeline *pipelines;
    uint32_t count;
};

struct link_case {
    const char *name;
    bool plain, joined;
    bool captures;                     /* the device has transform feedback */
    void (*prepare)(struct linker *l); /* before the clock runs; NULL: nothing to do */
    void (*run)(struct linker *l);
};

static uint32_t fragment_count(const struct bench_options *options)
{
    return (options->pipelines + BLENDS - 1) / BLENDS;
}

/* A library in place of the pipeline that is asked for. */
static PFN_vkCreateGraphicsPipelines create_whole;
static VkGraphicsPipelineLibraryFlagsEXT wanted_part;

static VKAPI_ATTR VkResult VKAPI_CALL make_part(VkDevice device, VkPipelineCache cache,
                                                uint32_t count,
                                                const VkGraphicsPipelineCreateInfo *infos,
                                                const VkAllocationCallbacks *allocator,
                                                VkPipeline *pipelines)
{
    (void)count, (void)allocator;
    vkCreateGraphicsPipelines = create_whole;
    const VkResult result = vkt_library(device, cache, infos, wanted_part, 0, pipelines);
    vkCreateGraphicsPipelines = make_part;
    return result;
}

static VkPipeline library_of(struct bench_device *d, uint32_t scene,
                             VkGraphicsPipelineLibraryFlagsEXT part, VkShaderModule vs,
                             VkShaderModule gs, VkShaderModule fs, VkPipelineLayout layout,
                             enum vkt_blend blend)
{
    create_whole = vkCreateGraphicsPipelines;
    wanted_part = part;
    vkCreateGraphicsPipelines = make_part;
    const VkPipeline library =
        bench_scene_pipeline(d, scene, vs, gs, fs, layout, blend, VK_NULL_HANDLE);
    vkCreateGraphicsPipelines = create_whole;
    return library;
}

static VkPipeline link_libraries(struct bench_device *d, const VkPipeline *libraries,
                                 uint32_t count, VkPipelineLayout layout,
                                 VkPipelineCreateFlags flags)
{
    VkPipeline pipeline;
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = count,
        .pLibraries = libraries,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .flags = flags,
        .layout = layout,
        .basePipelineIndex = -1,
    };
    VKT_CALL(
        d->vk.vkCreateGraphicsPipelines(d->t.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

/* -- scenes -- */

void bench_scene_libraries(struct bench_device *d, const struct bench_shaders *shaders,
                           VkPipelineLayout layout, VkPipeline *libraries)
{
    const VkShaderModule fs = bench_module(d, shaders->fs);
    for (uint32_t i = 0; i < BENCH_SCENES; i++) {
        const VkShaderModule vs = bench_module(d, shaders->vs[i]);
        const VkShaderModule gs = d->by_hand ? VK_NULL_HANDLE : bench_module(d, shaders->gs[i]);
        for (uint32_t part = 0; part < BENCH_PARTS; part++)
            libraries[i * BENCH_PARTS + part] =
                library_of(d, i, 1u << part, vs, gs, fs, layout, VKT_BLEND_NONE);
        d->vk.vkDestroyShaderModule(d->t.device, vs, NULL);
        d->vk.vkDestroyShaderModule(d->t.device, gs, NULL);
    }
    d->vk.vkDestroyShaderModule(d->t.device, fs, NULL);
}

void bench_link_scenes(struct bench_device *d, const VkPipeline *libraries, VkPipelineLayout layout,
                       VkPipeline pipelines[BENCH_SCENES])
{
    for (uint32_t i = 0; i < BENCH_SCENES; i++)
        pipelines[i] = link_libraries(d, &libraries[i * BENCH_PARTS], BENCH_PARTS, layout, 0);
}

/* -- cases -- */

static VkPipeline own_library(struct linker *l, VkGraphicsPipelineLibraryFlagsEXT part,
                              VkShaderModule fs, enum vkt_blend blend)
{
    return library_of(l->device, 0, part, l->vs, l->gs, fs, l->layout, blend);
}

static void make_libraries(struct linker *l)
{
    const VkGraphicsPipelineLibraryFlagsEXT before =
        VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
    l->count = 2 + BLENDS;
    l->input = own_library(l, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, l->fs[0],
                           VKT_BLEND_NONE);
    if (!l->joined)
        l->before = own_library(l, before, l->fs[0], VKT_BLEND_NONE);
    for (uint32_t i = 0; i < BLENDS; i++)
        l->output[i] =
            own_library(l, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, l->fs[0],
                        (enum vkt_blend)i);
    for (uint32_t i = 0; i < fragment_count(l->options); i++, l->count++)
        l->fragments[i] = own_library(
            l, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT | (l->joined ? before : 0),
            l->fs[i], VKT_BLEND_NONE);
}

static void link_all(struct linker *l)
{
    for (l->count = 0; l->count < l->options->pipelines; l->count++) {
        const VkPipeline libraries[4] = {l->input, l->fragments[l->count / BLENDS],
                                         l->output[l->count % BLENDS], l->before};
        l->pipelines[l->count] =
            link_libraries(l->device, libraries, l->joined ? 3 : 4, l->layout,
                           l->joined ? VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT : 0);
    }
}

static void link_and_destroy(struct linker *l)
{
    make_libraries(l);
    link_all(l);
    bench_destroy_pipelines(l->device, l->pipelines, l->count);
    memset(l->pipelines, 0, MAX_PIPELINES * sizeof(*l->pipelines));
}

static void *allocate(size_t count, size_t size_B)
{
    void *memory = calloc(count, size_B);
    if (!memory)
        vkt_die("out of memory");
    return memory;
}

static void linker_init(struct linker *l, struct bench_device *d,
                        const struct bench_options *options, const struct link_case *c)
{
    const uint32_t fragments = fragment_count(options);
    *l = (struct linker){.device = d, .options = options, .plain = c->plain, .joined = c->joined};
    l->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    l->pipelines = allocate(MAX_PIPELINES, sizeof(*l->pipelines));
    l->fragments = allocate(fragments, sizeof(*l->fragments));
    l->fs = allocate(fragments, sizeof(*l->fs));
    l->shaders = allocate(fragments, sizeof(*l->shaders));
    for (uint32_t i = 0; i < fragments; i++) {
        l->shaders[i] = bench_shaders(d);
        l->fs[i] = bench_module(d, l->shaders[i].fs);
    }
    l->vs = bench_module(d, l->shaders[0].vs[0]);
    if (!c->plain && !d->by_hand)
        l->gs = bench_module(d, l->shaders[0].gs[0]);
}

static void linker_finish(struct linker *l)
{
    struct bench_device *d = l->device;
    const uint32_t fragments = fragment_count(l->options);
    bench_destroy_pipelines(d, l->pipelines, MAX_PIPELINES);
    bench_destroy_pipelines(d, &l->input, 1);
    bench_destroy_pipelines(d, &l->before, 1);
    bench_destroy_pipelines(d, l->output, BLENDS);
    bench_destroy_pipelines(d, l->fragments, fragments);
    for (uint32_t i = 0; i < fragments; i++) {
        vkDestroyShaderModule(d->t.device, l->fs[i], NULL);
        bench_shaders_finish(&l->shaders[i]);
    }
    vkDestroyShaderModule(d->t.device, l->vs, NULL);
    vkDestroyShaderModule(d->t.device, l->gs, NULL);
    free(l->pipelines);
    free(l->fragments);
    free(l->fs);
    free(l->shaders);
}

static void run_once(const struct link_case *c, const struct bench_options *options, uint32_t run,
                     struct bench_cost_row *row, struct bench_report **report)
{
    struct bench_device *devices[2];
    bench_devices_init(devices, options, report);
    for (uint32_t turn = 0; turn < 2; turn++) {
        const uint32_t i = (turn + run) % 2;
        struct linker l;
        if (!devices[i])
            continue;
        linker_init(&l, devices[i], options, c);
        if (c->prepare)
            c->prepare(&l);
        const struct bench_clock start = bench_clock_now();
        c->run(&l);
        bench_cost_add(&row->costs[i], start, 1);
        row->count = l.count;
        linker_finish(&l);
    }
    bench_cost_note(row, devices);
    bench_devices_finish(devices);
}

bool bench_has_extension(const struct bench_options *options, struct bench_report **report,
                         const char *name)
{
    struct bench_device *devices[2];
    VkExtensionProperties list[512];
    bool has = true;
    bench_devices_init(devices, options, report);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t count = VKT_COUNT(list), k = 0;
        if (!devices[i])
            continue;
        vkEnumerateDeviceExtensionProperties(devices[i]->t.physical, NULL, &count, list);
        while (k < count && strcmp(list[k].extensionName, name) != 0)
            k++;
        has &= k < count;
    }
    bench_devices_finish(devices);
    return has;
}

void bench_link(const struct bench_options *options, struct bench_report **report)
{
    static const struct link_case cases[] = {
        {.name = "libraries", .run = make_libraries},
        {.name = "link", .prepare = make_libraries, .run = link_all},
        {.name = "again", .prepare = link_and_destroy, .run = link_all},
        {.name = "joined_libraries", .joined = true, .run = make_libraries},
        {.name = "joined", .joined = true, .prepare = make_libraries, .run = link_all},
        {.name = "plain", .plain = true, .prepare = make_libraries, .run = link_all},
        {.name = "captured",
         .plain = true,
         .captures = true,
         .prepare = make_libraries,
         .run = link_all},
    };
    static struct bench_cost_row row;
    struct bench_options own = *options;
    own.by_hand = true;
    if (!bench_selected(options, "link"))
        return;
    if (!bench_has_extension(&own, report, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME)) {
        fputs("link: the device has no graphicsPipelineLibrary\n", stderr);
        return;
    }
    own.base.pipeline_libraries = true;
    for (uint32_t i = 0; i < VKT_COUNT(cases); i++) {
        if (cases[i].captures &&
            !bench_has_extension(&own, report, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
            continue;
        row = (struct bench_cost_row){.workload = "link", .what = cases[i].name};
        row.costs[0].of_thread = row.costs[1].of_thread = true; /* others compile what draws want */
        own.base.xfb = cases[i].captures;
        for (uint32_t run = 0; run < options->starts; run++)
            run_once(&cases[i], &own, run, &row, report);
        bench_report_cost(*report, &row);
    }
}
