/* SPDX-License-Identifier: MIT
 *
 * count_tiles, scan_tiles and expand: random strips of random units against a list made one by one.
 */
#include "harness.h"
#include "poly_gs/abi.h"
#include "shaders/embedded.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 0xA5A5A5A5u
#define GUARD_EL 64

struct kernels {
    VkPipeline count, scan, expand;
};

struct scene {
    uint32_t unit_count, max_vertices, out_kind, cut_words;
    uint32_t *counts, *cuts;
    uint32_t *expected; /* indices */
    uint32_t index_count;
};

static uint32_t worst_case_el(uint32_t max_vertices)
{
    return 2 * max_vertices;
}

/* Ends the strip that began at `start` with vertex n. Returns the number of indices that it gives.
 */
static uint32_t end_strip(struct scene *s, uint32_t unit, uint32_t start, uint32_t n)
{
    s->cuts[unit * s->cut_words + n / 32] |= 1u << n % 32;
    if (n + 1 - start < s->out_kind)
        return 0;
    for (uint32_t v = start; v <= n; v++)
        s->expected[s->index_count++] = unit * s->max_vertices + v;
    s->expected[s->index_count++] = 0xFFFFFFFFu;
    return n + 2 - start;
}

static void make_unit(struct scene *s, uint32_t unit, uint32_t mean_strip)
{
    uint32_t emitted = gpu_random_below(s->max_vertices + 1);
    if (gpu_random_below(8) == 0)
        emitted = gpu_random() & 1 ? 0 : s->max_vertices;
    uint32_t indices = 0, start = 0;
    for (uint32_t n = 0; n < emitted; n++) {
        if (s->out_kind == 1) {
            s->expected[s->index_count++] = unit * s->max_vertices + n;
            indices++;
        } else if (n + 1 == emitted || gpu_random_below(mean_strip) == 0) {
            indices += end_strip(s, unit, start, n);
            start = n + 1;
        }
    }
    s->counts[unit] = indices | emitted << 16;
}

static void make_scene(struct scene *s, uint32_t unit_count, uint32_t max_vertices,
                       uint32_t out_kind)
{
    *s = (struct scene){
        .unit_count = unit_count,
        .max_vertices = max_vertices,
        .out_kind = out_kind,
        .cut_words = gpu_div_up(max_vertices, 32),
    };
    s->counts = calloc(unit_count + 1, 4);
    s->cuts = calloc((size_t)unit_count * s->cut_words + 1, 4);
    s->expected = calloc((size_t)unit_count * worst_case_el(max_vertices) + 1, 4);
    const uint32_t mean_strip = 1 + gpu_random_below(6);
    for (uint32_t unit = 0; unit < unit_count; unit++)
        make_unit(s, unit, mean_strip);
}

static void free_scene(struct scene *s)
{
    free(s->counts);
    free(s->cuts);
    free(s->expected);
}

static void check_scene(struct gpu *gpu, const struct scene *s, const uint32_t *args,
                        const uint32_t *indices)
{
    const uint32_t expected_args[5] = {s->index_count, 1, 77, 0, 0};
    if (memcmp(args, expected_args, sizeof(expected_args)) != 0)
        gpu_fail(gpu, "%u units of %u, kind %u: draw {%u %u %u %u %u}, not %u indices",
                 s->unit_count, s->max_vertices, s->out_kind, args[0], args[1], args[2], args[3],
                 args[4], s->index_count);
    for (uint32_t i = 0; i < s->index_count; i++) {
        if (indices[i] != s->expected[i]) {
            gpu_fail(gpu, "%u units of %u, kind %u: index %u of %u is %u, not %u", s->unit_count,
                     s->max_vertices, s->out_kind, i, s->index_count, indices[i], s->expected[i]);
            return;
        }
    }
    for (uint32_t i = 0; i < GUARD_EL; i++) {
        if (indices[s->index_count + i] != GUARD)
            gpu_fail(gpu, "%u units of %u, kind %u: written beyond the end", s->unit_count,
                     s->max_vertices, s->out_kind);
    }
}

static void run_scene(struct gpu *gpu, const struct kernels *k, const struct scene *s)
{
    const uint32_t tiles = gpu_div_up(s->unit_count, PGS_TILE_EL);
    const size_t cuts_B = ((size_t)s->unit_count * s->cut_words + 1) * 4;
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    struct gpu_buffer *counts = gpu_buffer(gpu, (s->unit_count + 1) * 4, 0);
    struct gpu_buffer *cuts = gpu_buffer(gpu, cuts_B, 0);
    struct gpu_buffer *sums = gpu_buffer(gpu, (tiles + 1) * 4, 0xA5);
    struct gpu_buffer *indices = gpu_buffer(gpu, ((size_t)s->index_count + GUARD_EL) * 4, 0xA5);
    struct gpu_buffer *args = gpu_buffer(gpu, 20, 0xA5);
    memcpy(counts->map, s->counts, s->unit_count * 4);
    memcpy(cuts->map, s->cuts, cuts_B);
    *(struct pgs_draw_record *)record->map = (struct pgs_draw_record){
        .unit_bound = s->unit_count,
        .max_vertices = s->max_vertices,
        .out_kind = s->out_kind,
        .cut_words = s->cut_words,
        .first_index = 77,
        .counts = counts->address,
        .cuts = cuts->address,
        .tile_sums = sums->address,
        .indices = indices->address,
        .draw_args = args->address,
    };
    /* As the draw room has them. */
    struct gpu_dispatch dispatches[3];
    uint32_t dispatch_count = 0;
    if (tiles > 1)
        dispatches[dispatch_count++] = (struct gpu_dispatch){k->count, tiles};
    if (tiles > PGS_SCAN_TILES_FREE || tiles == 0)
        dispatches[dispatch_count++] = (struct gpu_dispatch){k->scan, 1};
    if (tiles > 0)
        dispatches[dispatch_count++] = (struct gpu_dispatch){k->expand, tiles};
    gpu_run(gpu, dispatches, dispatch_count, record->address);
    check_scene(gpu, s, args->map, indices->map);
    if (((const uint32_t *)sums->map)[tiles] != GUARD)
        gpu_fail(gpu, "%u units: a sum beyond the last tile", s->unit_count);
    gpu_release_buffers(gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const struct kernels kernels = {
        .count = gpu_pipeline(&gpu, pgs_kernel_count_tiles, pgs_kernel_count_tiles_words),
        .scan = gpu_pipeline(&gpu, pgs_kernel_scan_tiles, pgs_kernel_scan_tiles_words),
        .expand = gpu_pipeline(&gpu, pgs_kernel_expand, pgs_kernel_expand_words),
    };
    static const struct {
        uint32_t units, max_vertices, kinds;
    } sizes[] = {
        {0, 4, 3},
        {1, 1, 3},
        {1, 1024, 3},
        {255, 3, 3},
        {256, 33, 3},
        {257, 64, 3},
        {300, 1, 3},
        {700, 257, 3},
        {2 * PGS_TILE_EL, 9, 3},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL - 3, 2, 3},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL, 6, 3},
        {65537, 6, 3},
        {65537, 40, 3},
        {1000000, 5, 3},
        {PGS_GRID_X * PGS_TILE_EL + 1000, 1, 1}, /* more tiles than a row of the grid */
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (uint32_t kind = 1; kind <= sizes[i].kinds; kind++) {
            struct scene scene;
            make_scene(&scene, sizes[i].units, sizes[i].max_vertices, kind);
            run_scene(&gpu, &kernels, &scene);
            free_scene(&scene);
        }
    }
    return gpu_close(&gpu);
}
