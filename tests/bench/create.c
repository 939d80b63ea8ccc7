/* SPDX-License-Identifier: MIT
 *
 * `create`: what it costs to make pipelines, from the shaders' code on. Nothing is drawn.
 */
#include "bench/scenes.h"

#include <pthread.h>
#include <stdlib.h>

#define BLENDS 3u
#define MAX_PIPELINES 1024u

/* One run of a case on one device. */
struct maker {
    struct bench_device *device;
    const struct bench_options *options;
    struct bench_shaders *shaders; /* as many sets as there are threads */
    VkPipelineLayout layout;
    VkPipelineCache cache;
    /* What the case makes while the clock runs. */
    VkPipeline *pipelines;
    uint32_t count;
    /* Of a cache that an earlier device saved, see `save`. */
    void *saved;
    size_t saved_B;
};

struct create_case {
    const char *name;
    bool needs_saved;
    void (*prepare)(struct maker *m); /* before the clock runs; NULL: nothing to do */
    void (*run)(struct maker *m);
};

static VkPipelineCache make_cache(struct bench_device *d, const void *data, size_t size_B)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size_B,
        .pInitialData = data,
    };
    VkPipelineCache cache;
    VKT_CALL(vkCreatePipelineCache(d->t.device, &info, NULL, &cache));
    return cache;
}

static void make_scenes(struct maker *m)
{
    bench_scene_pipelines(m->device, m->shaders, m->layout, m->cache, m->pipelines);
    m->count = BENCH_SCENES;
}

static void fill_cache(struct maker *m)
{
    VkPipeline pipelines[BENCH_SCENES];
    m->cache = make_cache(m->device, NULL, 0);
    bench_scene_pipelines(m->device, m->shaders, m->layout, m->cache, pipelines);
    bench_destroy_pipelines(m->device, pipelines, BENCH_SCENES);
}

static void load_and_make(struct maker *m)
{
    m->cache = make_cache(m->device, m->saved, m->saved_B);
    make_scenes(m);
}

/* As games do: few shaders in front of the rasterizer, behind it many, and some ways to blend. Each
 * fragment shader is another set's. */
static void make_shared(struct maker *m)
{
    struct bench_device *d = m->device;
    const VkShaderModule vs = bench_module(d, m->shaders->vs[0]);
    const VkShaderModule gs = bench_module(d, m->shaders->gs[0]);
    VkShaderModule fs = VK_NULL_HANDLE;
    for (m->count = 0; m->count < m->options->pipelines; m->count++) {
        const enum vkt_blend blend = (enum vkt_blend)(m->count % BLENDS);
        if (blend == VKT_BLEND_NONE) {
            vkDestroyShaderModule(d->t.device, fs, NULL);
            fs = bench_module(d, m->shaders[m->count / BLENDS].fs);
        }
        m->pipelines[m->count] =
            bench_scene_pipeline(d, 0, vs, gs, fs, m->layout, blend, VK_NULL_HANDLE);
    }
    vkDestroyShaderModule(d->t.device, vs, NULL);
    vkDestroyShaderModule(d->t.device, gs, NULL);
    vkDestroyShaderModule(d->t.device, fs, NULL);
}

struct worker {
    pthread_t thread;
    const struct maker *maker;
    uint32_t number;
};

static void *work(void *context)
{
    const struct worker *w = context;
    const struct maker *m = w->maker;
    bench_scene_pipelines(m->device, &m->shaders[w->number], m->layout, VK_NULL_HANDLE,
                          m->pipelines + (size_t)w->number * BENCH_SCENES);
    return NULL;
}

static void make_in_threads(struct maker *m)
{
    struct worker workers[BENCH_MAX_THREADS];
    const uint32_t threads = m->options->threads;
    for (uint32_t i = 0; i < threads; i++) {
        workers[i] = (struct worker){.maker = m, .number = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            vkt_die("cannot start a thread");
    }
    for (uint32_t i = 0; i < threads; i++)
        pthread_join(workers[i].thread, NULL);
    m->count = threads * BENCH_SCENES;
}

static uint32_t shader_sets(const struct bench_options *options)
{
    const uint32_t shared = (options->pipelines + BLENDS - 1) / BLENDS;
    return options->threads > shared ? options->threads : shared;
}

static void *allocate(size_t count, size_t size_B)
{
    void *memory = calloc(count, size_B);
    if (!memory)
        vkt_die("out of memory");
    return memory;
}

static void maker_init(struct maker *m, struct bench_device *d, const struct bench_options *options)
{
    m->device = d;
    m->options = options;
    m->layout = vkt_layout(&d->t, NULL, 0, NULL, 0);
    m->pipelines = allocate(MAX_PIPELINES, sizeof(*m->pipelines));
    if (!m->shaders) {
        m->shaders = allocate(shader_sets(options), sizeof(*m->shaders));
        for (uint32_t i = 0; i < shader_sets(options); i++)
            m->shaders[i] = bench_shaders(d);
    }
}

/* The shaders stay, and what was saved. */
static void maker_leave_device(struct maker *m)
{
    bench_destroy_pipelines(m->device, m->pipelines, m->count);
    vkDestroyPipelineCache(m->device->t.device, m->cache, NULL);
    free(m->pipelines);
    m->pipelines = NULL;
    m->cache = VK_NULL_HANDLE;
    m->count = 0;
}

static void maker_finish(struct maker *m)
{
    maker_leave_device(m);
    for (uint32_t i = 0; i < shader_sets(m->options); i++)
        bench_shaders_finish(&m->shaders[i]);
    free(m->shaders);
    free(m->saved);
}

/* What a program writes to disk when it ends. */
static void save(struct maker *m)
{
    fill_cache(m);
    VKT_CALL(vkGetPipelineCacheData(m->device->t.device, m->cache, &m->saved_B, NULL));
    m->saved = allocate(1, m->saved_B);
    VKT_CALL(vkGetPipelineCacheData(m->device->t.device, m->cache, &m->saved_B, m->saved));
}

static void save_all(struct maker makers[2], const struct bench_options *options,
                     struct bench_report **report)
{
    struct bench_device *devices[2];
    bench_devices_init(devices, options, report);
    for (uint32_t i = 0; i < 2; i++)
        if (devices[i]) {
            maker_init(&makers[i], devices[i], options);
            save(&makers[i]);
            maker_leave_device(&makers[i]);
        }
    bench_devices_finish(devices);
}

static void run_once(const struct create_case *c, const struct bench_options *options, uint32_t run,
                     struct bench_cost_row *row, struct bench_report **report)
{
    struct maker makers[2] = {0};
    struct bench_device *devices[2];
    if (c->needs_saved)
        save_all(makers, options, report);
    bench_devices_init(devices, options, report);
    for (uint32_t turn = 0; turn < 2; turn++) {
        const uint32_t i = (turn + run) % 2;
        if (!devices[i])
            continue;
        maker_init(&makers[i], devices[i], options);
        if (c->prepare)
            c->prepare(&makers[i]);
        const struct bench_clock start = bench_clock_now();
        c->run(&makers[i]);
        bench_cost_add(&row->costs[i], start, 1);
        row->count = makers[i].count;
        maker_finish(&makers[i]);
    }
    bench_cost_note(row, devices);
    bench_devices_finish(devices);
}

void bench_create(const struct bench_options *options, struct bench_report **report)
{
    static const struct create_case cases[] = {
        {"cold", false, NULL, make_scenes},        {"warm", false, fill_cache, make_scenes},
        {"saved", true, NULL, load_and_make},      {"shared", false, NULL, make_shared},
        {"threads", false, NULL, make_in_threads},
    };
    static struct bench_cost_row row;
    struct bench_options own = *options;
    own.by_hand = true;
    if (!bench_selected(options, "create"))
        return;
    for (uint32_t i = 0; i < VKT_COUNT(cases); i++) {
        row = (struct bench_cost_row){.workload = "create", .what = cases[i].name};
        for (uint32_t run = 0; run < options->starts; run++)
            run_once(&cases[i], &own, run, &row, report);
        bench_report_cost(*report, &row);
    }
}
