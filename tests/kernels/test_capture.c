/* SPDX-License-Identifier: MIT
 *
 * The kernels from the counts of geometry shaders, or the vertex shaders that capture, to what
 * stands in the buffers of transform feedback: all topologies, strips of several streams, restart,
 * holes, buffers that end anywhere.
 */
#include "capture_scene.h"
#include "shaders/embedded.h"
#include "vertex_capture_test.h"

#include <stdlib.h>

struct kernels {
    VkPipeline tiles, scan, xfb, geometry, vertices;
};

struct dispatches {
    struct gpu_dispatch items[4 * MAX_DRAWS + 1];
    uint64_t roots[4 * MAX_DRAWS + 1];
    uint32_t count;
};

static void add(struct dispatches *d, VkPipeline pipeline, uint32_t groups, uint64_t root)
{
    d->items[d->count] = (struct gpu_dispatch){pipeline, groups};
    d->roots[d->count++] = root;
}

static void add_captures(struct dispatches *d, const struct kernels *k, const struct scene *s)
{
    for (uint32_t i = 0; i < s->draw_count; i++) {
        const struct draw *draw = &s->draws[i];
        if (s->geometry)
            add(d, k->geometry, draw->group_count, draw->capture);
        else
            add(d, k->vertices, draw->group_count, draw->address);
    }
}

static void run(struct gpu *gpu, const struct kernels *k, uint32_t number, bool geometry,
                uint32_t most)
{
    struct scene *s = malloc(sizeof(*s));
    scene_make(s, gpu, geometry, most);
    struct dispatches d = {.count = 0};
    const bool capture_first = s->fixed && number % 2;
    if (capture_first)
        add_captures(&d, k, s);
    for (uint32_t i = 0; i < s->draw_count && geometry; i++) {
        const struct draw *draw = &s->draws[i];
        if (draw->tile_count > PGS_COUNT_TILES_FREE)
            add(&d, k->tiles, draw->tile_count, draw->capture);
        if (draw->tile_count > 0)
            add(&d, k->scan, 1, draw->capture);
    }
    add(&d, k->xfb, 1, s->program);
    if (!capture_first)
        add_captures(&d, k, s);
    arena_upload(&s->arena);
    scene_model(s);
    gpu_run_each(gpu, d.items, d.count, d.roots);
    arena_compare(&s->arena, gpu, geometry ? "geometry" : "vertices", number);
    scene_free(s, gpu);
    free(s);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const struct kernels kernels = {
        .tiles = gpu_pipeline(&gpu, pgs_kernel_capture_tiles, pgs_kernel_capture_tiles_words),
        .scan = gpu_pipeline(&gpu, pgs_kernel_capture_scan, pgs_kernel_capture_scan_words),
        .xfb = gpu_pipeline(&gpu, pgs_kernel_xfb_program, pgs_kernel_xfb_program_words),
        .geometry =
            gpu_pipeline(&gpu, pgs_kernel_capture_geometry, pgs_kernel_capture_geometry_words),
        .vertices = gpu_pipeline(&gpu, vertex_capture_test, sizeof(vertex_capture_test) / 4),
    };
    for (uint32_t i = 0; i < 80; i++) {
        run(&gpu, &kernels, i, true, i % 4 ? 30 : i % 16 ? 700 : 4000);
        run(&gpu, &kernels, i, false, i % 4 ? 30 : 2000);
    }
    return gpu_close(&gpu);
}
