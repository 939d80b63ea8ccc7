/* SPDX-License-Identifier: MIT
 *
 * count_tiles, scan_tiles and expand_polygons, and those for CPUs that go through rows: lists of
 * the primitives in random strips, in one stream or several, against a list made one by one.
 */
#include "harness.h"
#include "poly_gs/abi.h"
#include "poly_gs/slices.h"
#include "shaders/embedded.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 0xA5A5A5A5u
#define GUARD_EL 64

struct kernels {
    VkPipeline count, scan, expand;
};

struct scene {
    uint32_t gs_invocations, max_vertices, kind, streams, stream;
    uint32_t slices; /* raster draws that share the list; 0: there is one */
    bool provoking_last;
    uint32_t words; /* of a plane of strip ends */
    uint32_t *counts, *primitives, *strip_ends;
    uint32_t *expected, index_count;
};

static uint32_t *plane(const struct scene *s, uint32_t gs_invocation, uint32_t number)
{
    const uint32_t planes = s->streams > 1 ? 3 : 1;
    return s->strip_ends + ((size_t)gs_invocation * planes + number) * s->words;
}

/* Lists the newest primitive of a strip, whose last three vertices these are. */
static void list(struct scene *s, const uint32_t newest[3], uint32_t length_el)
{
    uint32_t *to = s->expected + s->index_count;
    for (uint32_t i = 0; i < s->kind; i++)
        to[i] = newest[3 - s->kind + i];
    if (s->kind == 3 && length_el % 2 == 0) { /* turned, with the provoking vertex in its place */
        const uint32_t from = s->provoking_last ? 0 : 1, kept = to[from];
        to[from] = to[from + 1];
        to[from + 1] = kept;
    }
    s->index_count += s->kind;
}

static void make_gs_invocation(struct scene *s, uint32_t gs_invocation, uint32_t mean_strip)
{
    const uint32_t draw = gpu_random_below(8), before = s->index_count;
    const uint32_t emitted = draw == 0   ? 0
                             : draw == 1 ? s->max_vertices
                                         : gpu_random_below(s->max_vertices + 1);
    uint32_t newest[3] = {0}, length_el = 0;
    for (uint32_t n = 0; n < emitted; n++) {
        const uint32_t stream = gpu_random_below(s->streams);
        const bool ends = n + 1 == emitted || gpu_random_below(mean_strip) == 0;
        plane(s, gs_invocation, 0)[n / 32] |= (ends ? 1u : 0u) << n % 32;
        if (s->streams > 1) {
            plane(s, gs_invocation, 1)[n / 32] |= (stream & 1) << n % 32;
            plane(s, gs_invocation, 2)[n / 32] |= stream >> 1 << n % 32;
        }
        if (stream != s->stream)
            continue;
        newest[0] = newest[1];
        newest[1] = newest[2];
        newest[2] = gs_invocation * s->max_vertices + n;
        if (++length_el >= s->kind)
            list(s, newest, length_el);
        if (ends)
            length_el = 0;
    }
    s->counts[gs_invocation] = 0xABC | emitted << 16; /* of strips: not what is listed */
    s->primitives[(size_t)s->stream * s->gs_invocations + gs_invocation] =
        (s->index_count - before) / s->kind;
}

static void make_scene(struct scene *s)
{
    const size_t count = s->gs_invocations;
    s->words = gpu_div_up(s->max_vertices, 32);
    s->stream = gpu_random_below(s->streams);
    s->provoking_last = gpu_random() % 2;
    s->index_count = 0;
    s->counts = calloc(count + 1, 4);
    s->primitives = calloc(count * s->streams + 1, 4);
    s->strip_ends = calloc(count * s->words * 3 + 1, 4);
    s->expected = calloc(count * s->max_vertices * s->kind + 1, 4);
    const uint32_t mean_strip = 1 + gpu_random_below(6);
    for (uint32_t i = 0; i < s->gs_invocations; i++)
        make_gs_invocation(s, i, mean_strip);
}

static void free_scene(struct scene *s)
{
    free(s->counts);
    free(s->primitives);
    free(s->strip_ends);
    free(s->expected);
}

/* What the record of a scene names, and the kernels write. */
struct arrays {
    struct gpu_buffer *sums, *indices, *args;
};

static uint64_t uploaded(struct gpu *gpu, const uint32_t *words, size_t count)
{
    struct gpu_buffer *buffer = gpu_buffer(gpu, (count + 1) * 4, 0);
    memcpy(buffer->map, words, count * 4);
    return buffer->address;
}

static void upload(struct gpu *gpu, const struct scene *s, struct arrays *arrays,
                   struct pgs_draw_record *record)
{
    const size_t count = s->gs_invocations;
    *arrays = (struct arrays){
        .sums = gpu_buffer(gpu, (gpu_div_up(s->gs_invocations, PGS_TILE_EL) + 1) * 4, 0xA5),
        .indices = gpu_buffer(gpu, ((size_t)s->index_count + GUARD_EL) * 4, 0xA5),
        .args = gpu_buffer(gpu, PGS_MOST_SLICES * 20 + 4, 0xA5),
    };
    *record = (struct pgs_draw_record){
        .flags = PGS_DRAW_LISTS | (s->streams > 1 ? PGS_DRAW_STREAMS : 0) |
                 (s->provoking_last ? PGS_DRAW_PROVOKING_LAST : 0),
        .raster_stream = s->stream,
        .gs_invocation_bound = s->gs_invocations,
        .max_vertices = s->max_vertices,
        .out_kind = s->kind,
        .first_index = 77,
        .packed_vertices = s->slices,
        .vertex_offset = 5,
        .raster_instance = 3,
        .counts = uploaded(gpu, s->counts, count),
        .primitives = uploaded(gpu, s->primitives, count * s->streams),
        .strip_ends = uploaded(gpu, s->strip_ends, count * s->words * (s->streams > 1 ? 3 : 1)),
        .tile_sums = arrays->sums->address,
        .indices = arrays->indices->address,
        .draw_args = arrays->args->address,
    };
}

/* Slices have equal numbers of primitives, but for the last one and those behind it. */
static void check_args(struct gpu *gpu, const struct scene *s, const uint32_t *got)
{
    const uint32_t slices = s->slices ? s->slices : 1;
    const uint32_t equal = gpu_div_up(s->index_count / s->kind, slices) * s->kind;
    const uint32_t least = PGS_SLICE_LEAST_EL / s->kind * s->kind;
    const uint32_t most = !s->slices ? s->index_count : equal > least ? equal : least;
    uint32_t first = 0;
    for (uint32_t i = 0; i < slices; i++, got += 5) {
        const uint32_t left = s->index_count - first, count = left < most ? left : most;
        const uint32_t args[5] = {count, 1, 77 + first, 5, 3};
        if (memcmp(got, args, sizeof(args)) != 0)
            gpu_fail(gpu,
                     "%u GS invocations of %u, kind %u: draw %u of %u {%u %u %u %u %u}, not %u "
                     "indices from %u",
                     s->gs_invocations, s->max_vertices, s->kind, i, slices, got[0], got[1], got[2],
                     got[3], got[4], count, first);
        first += count;
    }
    if (*got != GUARD)
        gpu_fail(gpu, "%u GS invocations: arguments behind %u draws", s->gs_invocations, slices);
}

static void check(struct gpu *gpu, const struct scene *s, const struct arrays *arrays)
{
    const uint32_t *indices = arrays->indices->map;
    const uint32_t tiles = gpu_div_up(s->gs_invocations, PGS_TILE_EL);
    if (s->gs_invocations)
        check_args(gpu, s, arrays->args->map);
    for (uint32_t i = 0; i < s->index_count + GUARD_EL; i++) {
        const uint32_t expected = i < s->index_count ? s->expected[i] : GUARD;
        if (indices[i] == expected)
            continue;
        gpu_fail(gpu, "%u GS invocations of %u, kind %u: index %u of %u is %u, not %u",
                 s->gs_invocations, s->max_vertices, s->kind, i, s->index_count, indices[i],
                 expected);
        return;
    }
    if (((const uint32_t *)arrays->sums->map)[tiles] != GUARD)
        gpu_fail(gpu, "%u GS invocations: a sum beyond the last tile", s->gs_invocations);
}

static void run_scene(struct gpu *gpu, const struct kernels *k, const struct scene *s)
{
    const uint32_t tiles = gpu_div_up(s->gs_invocations, PGS_TILE_EL);
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    struct arrays arrays;
    upload(gpu, s, &arrays, record->map);
    /* As the draw module has them. */
    struct gpu_dispatch dispatches[3];
    uint32_t count = 0;
    if (tiles > PGS_COUNT_TILES_FREE)
        dispatches[count++] = (struct gpu_dispatch){k->count, tiles};
    if (tiles > PGS_SCAN_TILES_FREE)
        dispatches[count++] = (struct gpu_dispatch){k->scan, 1};
    dispatches[count++] = (struct gpu_dispatch){k->expand, tiles};
    gpu_run(gpu, dispatches, count, record->address);
    check(gpu, s, &arrays);
    gpu_release_buffers(gpu);
}

#define RUN_DRAWS 8

/* Draws of different sizes whose records lie a stride apart, in dispatches as large as the largest
 * of them needs. */
static void run_draws(struct gpu *gpu, const struct kernels *k, uint32_t kind)
{
    static const uint32_t gs_invocations[RUN_DRAWS] = {1, 300, 256, 0, 3000, 257, 700, 1};
    const uint32_t stride_B = sizeof(struct pgs_draw_record) + 48;
    struct gpu_buffer *records = gpu_buffer(gpu, RUN_DRAWS * stride_B, 0);
    struct scene scenes[RUN_DRAWS];
    struct arrays arrays[RUN_DRAWS];
    for (uint32_t i = 0; i < RUN_DRAWS; i++) {
        scenes[i] = (struct scene){.gs_invocations = gs_invocations[i],
                                   .max_vertices = 1 + gpu_random_below(70),
                                   .kind = kind,
                                   .slices = i % 2 * 4,
                                   .streams = 1 + i % 3};
        make_scene(&scenes[i]);
        upload(gpu, &scenes[i], &arrays[i], (void *)((char *)records->map + i * stride_B));
    }
    const uint32_t tiles = gpu_div_up(3000, PGS_TILE_EL);
    const struct gpu_dispatch dispatches[] = {{k->count, tiles}, {k->expand, tiles}};
    gpu_run_strided(gpu, dispatches, 2, records->address, RUN_DRAWS, stride_B);
    for (uint32_t i = 0; i < RUN_DRAWS; i++) {
        check(gpu, &scenes[i], &arrays[i]);
        free_scene(&scenes[i]);
    }
    gpu_release_buffers(gpu);
}

static void run_all(struct gpu *gpu, const struct kernels *k)
{
    static const struct {
        uint32_t gs_invocations, max_vertices;
    } sizes[] = {
        {1, 1},
        {1, 1024},
        {31, 3},
        {255, 33},
        {257, 64},
        {700, 257},
        {2 * PGS_TILE_EL, 9},
        {PGS_COUNT_TILES_FREE * PGS_TILE_EL, 9},
        {PGS_COUNT_TILES_FREE * PGS_TILE_EL + 1, 9},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL - 3, 2},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL + 1, 4},
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (uint32_t kind = 1; kind <= 3; kind++) {
            struct scene scene = {.gs_invocations = sizes[i].gs_invocations,
                                  .max_vertices = sizes[i].max_vertices,
                                  .kind = kind,
                                  .slices = (i + kind) % 3 ? 0 : PGS_MOST_SLICES - kind,
                                  .streams = i % 2 ? 1 : 1 + gpu_random_below(PGS_MAX_STREAMS)};
            make_scene(&scene);
            run_scene(gpu, k, &scene);
            free_scene(&scene);
        }
    }
    for (uint32_t kind = 1; kind <= 3; kind++)
        run_draws(gpu, k, kind);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline scan = gpu_pipeline(&gpu, pgs_kernel_scan_tiles, pgs_kernel_scan_tiles_words);
    const struct kernels all[] = {
        {gpu_pipeline(&gpu, pgs_kernel_count_tiles, pgs_kernel_count_tiles_words), scan,
         gpu_pipeline(&gpu, pgs_kernel_expand_polygons, pgs_kernel_expand_polygons_words)},
        {gpu_pipeline(&gpu, pgs_kernel_count_tiles_rows, pgs_kernel_count_tiles_rows_words), scan,
         gpu_pipeline(&gpu, pgs_kernel_expand_polygons_rows,
                      pgs_kernel_expand_polygons_rows_words)},
    };
    for (int i = 0; i < 2; i++)
        run_all(&gpu, &all[i]);
    return gpu_close(&gpu);
}
