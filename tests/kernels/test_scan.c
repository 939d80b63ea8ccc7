/* SPDX-License-Identifier: MIT
 *
 * count_tiles, scan_tiles and expand: random strips of random GS invocations, in one stream or
 * several, or cut, against a list made one by one. With --rows only more tiles than a row of the
 * grid has, which takes a quarter of a minute.
 */
#include "harness.h"
#include "poly_gs/abi.h"
#include "poly_gs/coverage.h"
#include "shaders/embedded.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 0xA5A5A5A5u
#define GUARD_EL 64

struct kernels {
    VkPipeline count, scan, expand[2]; /* the second one also of packed vertices and streams */
    VkPipeline shared, cut;            /* of strips; of those that are cut */
};

/* Most that a kernel counts itself (struct pgs_device_class). */
#define SUMMED_TILES 32

struct scene {
    uint32_t gs_invocation_count, max_vertices, out_kind, strip_end_words;
    uint32_t streams, raster_stream;
    bool packed, cut;
    uint32_t emitted; /* of all GS invocations */
    uint32_t *counts, *strip_ends;
    uint32_t *expected; /* indices */
    uint32_t index_count;
};

static uint32_t worst_case_el(uint32_t max_vertices)
{
    return 2 * max_vertices;
}

/* The strip of each stream that is open. */
struct open_strips {
    uint32_t length_el[PGS_MAX_STREAMS], newest[PGS_MAX_STREAMS];
    uint32_t *raster; /* the vertices of the one that is rasterized */
};

static uint32_t planes_w(const struct scene *s)
{
    return (s->streams > 1 ? 3 : s->cut ? 2 : 1) * s->strip_end_words;
}

/* Words of strip_ends for each GS invocation. */
static uint32_t strip_ends_w(const struct scene *s)
{
    return planes_w(s) + (s->packed ? s->max_vertices : 0);
}

static uint32_t *cut_plane(const struct scene *s, uint32_t gs_invocation, uint32_t plane)
{
    return s->strip_ends + (size_t)gs_invocation * strip_ends_w(s) + plane * s->strip_end_words;
}

/* Where a packed vertex is. */
static uint32_t *place(const struct scene *s, uint32_t gs_invocation, uint32_t n)
{
    return cut_plane(s, gs_invocation, 0) + planes_w(s) + n;
}

static uint32_t index_of(const struct scene *s, uint32_t gs_invocation, uint32_t n)
{
    return s->packed ? *place(s, gs_invocation, n) : gs_invocation * s->max_vertices + n;
}

/* Draws some triangles of a strip, so that none lists the one in front of it in vain
 * (PGS_DRAW_CUTS). */
static void choose_drawn(const struct scene *s, uint32_t gs_invocation, uint32_t first,
                         uint32_t length_el, bool *drawn)
{
    const uint32_t rarity = 1 + gpu_random_below(6);
    for (uint32_t i = 2; i < length_el; i++) {
        drawn[i] = gpu_random_below(rarity) == 0;
        if (i % 2)
            drawn[i - 1] |= drawn[i];
    }
    for (uint32_t i = 2; i < length_el; i++)
        cut_plane(s, gs_invocation, 1)[(first + i) / 32] |= (uint32_t)drawn[i] << (first + i) % 32;
}

/* Lists the vertices of triangles that are drawn. Returns the number of indices. */
static uint32_t end_cut_strip(struct scene *s, uint32_t gs_invocation, uint32_t first,
                              uint32_t length_el)
{
    const uint32_t before = s->index_count;
    bool *drawn = calloc(length_el + 3, sizeof(*drawn));
    choose_drawn(s, gs_invocation, first, length_el, drawn);
    for (uint32_t i = 0; i < length_el; i++) {
        const bool listed = drawn[i] || drawn[i + 1] || drawn[i + 2];
        if (listed)
            s->expected[s->index_count++] = index_of(s, gs_invocation, first + i);
        if (listed && !(drawn[i + 1] || drawn[i + 2] || drawn[i + 3]))
            s->expected[s->index_count++] = 0xFFFFFFFFu;
    }
    free(drawn);
    return s->index_count - before;
}

/* Returns the number of indices that the strip gives. */
static uint32_t end_strip(struct scene *s, uint32_t gs_invocation, struct open_strips *open,
                          uint32_t stream)
{
    const uint32_t length_el = open->length_el[stream], last = open->newest[stream];
    if (length_el == 0 || s->out_kind == 1)
        return 0;
    cut_plane(s, gs_invocation, 0)[last / 32] |= 1u << last % 32;
    open->length_el[stream] = 0;
    if (stream != s->raster_stream || length_el < s->out_kind)
        return 0;
    if (s->cut)
        return end_cut_strip(s, gs_invocation, open->raster[0], length_el);
    for (uint32_t i = 0; i < length_el; i++)
        s->expected[s->index_count++] = index_of(s, gs_invocation, open->raster[i]);
    s->expected[s->index_count++] = 0xFFFFFFFFu;
    return length_el + 1;
}

/* Returns the number of indices that the vertex gives by itself. */
static uint32_t emit(struct scene *s, uint32_t gs_invocation, struct open_strips *open, uint32_t n,
                     uint32_t stream)
{
    if (s->streams > 1) {
        cut_plane(s, gs_invocation, 1)[n / 32] |= (stream & 1) << n % 32;
        cut_plane(s, gs_invocation, 2)[n / 32] |= stream >> 1 << n % 32;
    }
    if (stream == s->raster_stream)
        open->raster[open->length_el[stream]] = n;
    open->length_el[stream]++;
    open->newest[stream] = n;
    if (s->out_kind != 1 || stream != s->raster_stream)
        return 0;
    s->expected[s->index_count++] = index_of(s, gs_invocation, n);
    return 1;
}

static void make_gs_invocation(struct scene *s, uint32_t gs_invocation, uint32_t mean_strip,
                               uint32_t *raster)
{
    uint32_t emitted = gpu_random_below(s->max_vertices + 1);
    if (gpu_random_below(8) == 0)
        emitted = gpu_random() & 1 ? 0 : s->max_vertices;
    struct open_strips open = {.raster = raster};
    uint32_t indices = 0;
    for (uint32_t n = 0; n < emitted; n++) {
        if (s->packed) /* the last vertex first */
            *place(s, gs_invocation, n) =
                s->gs_invocation_count * s->max_vertices - 1 - s->emitted++;
        indices += emit(s, gs_invocation, &open, n, gpu_random_below(s->streams));
        if (gpu_random_below(mean_strip) == 0)
            indices += end_strip(s, gs_invocation, &open, gpu_random_below(s->streams));
    }
    for (uint32_t stream = 0; stream < s->streams; stream++)
        indices += end_strip(s, gs_invocation, &open, stream);
    s->counts[gs_invocation] = indices | emitted << 16;
}

static void make_scene(struct scene *s, uint32_t gs_invocation_count, uint32_t max_vertices,
                       uint32_t out_kind, uint32_t streams, bool packed, bool cut)
{
    *s = (struct scene){
        .gs_invocation_count = gs_invocation_count,
        .max_vertices = max_vertices,
        .out_kind = out_kind,
        .strip_end_words = gpu_div_up(max_vertices, 32),
        .streams = streams,
        .packed = packed,
        .cut = cut,
        .raster_stream = gpu_random_below(streams),
    };
    s->counts = calloc(gs_invocation_count + 1, 4);
    s->strip_ends = calloc((size_t)gs_invocation_count * strip_ends_w(s) + 1, 4);
    s->expected = calloc((size_t)gs_invocation_count * worst_case_el(max_vertices) + 1, 4);
    uint32_t *raster = calloc(max_vertices, 4);
    const uint32_t mean_strip = 1 + gpu_random_below(cut ? 40 : 6);
    for (uint32_t gs_invocation = 0; gs_invocation < gs_invocation_count; gs_invocation++)
        make_gs_invocation(s, gs_invocation, mean_strip, raster);
    free(raster);
}

static void free_scene(struct scene *s)
{
    free(s->counts);
    free(s->strip_ends);
    free(s->expected);
}

static void check_scene(struct gpu *gpu, const struct scene *s, const uint32_t *args,
                        const uint32_t *indices)
{
    const uint32_t expected_args[5] = {s->index_count, 1, 77, 0, 0};
    if (memcmp(args, expected_args, sizeof(expected_args)) != 0)
        gpu_fail(gpu, "%u GS invocations of %u, kind %u: draw {%u %u %u %u %u}, not %u indices",
                 s->gs_invocation_count, s->max_vertices, s->out_kind, args[0], args[1], args[2],
                 args[3], args[4], s->index_count);
    for (uint32_t i = 0; i < s->index_count; i++) {
        if (indices[i] != s->expected[i]) {
            gpu_fail(gpu, "%u GS invocations of %u, kind %u: index %u of %u is %u, not %u",
                     s->gs_invocation_count, s->max_vertices, s->out_kind, i, s->index_count,
                     indices[i], s->expected[i]);
            return;
        }
    }
    for (uint32_t i = 0; i < GUARD_EL; i++) {
        if (indices[s->index_count + i] != GUARD)
            gpu_fail(gpu, "%u GS invocations of %u, kind %u: written beyond the end",
                     s->gs_invocation_count, s->max_vertices, s->out_kind);
    }
}

/* What the record of a scene names. */
struct arrays {
    struct gpu_buffer *counts, *strip_ends, *sums, *indices, *args;
};

static uint32_t tiles_of(const struct scene *s)
{
    return gpu_div_up(s->gs_invocation_count, PGS_TILE_EL);
}

static void upload(struct gpu *gpu, const struct scene *s, struct arrays *arrays,
                   struct pgs_draw_record *record)
{
    const size_t strip_ends_B = ((size_t)s->gs_invocation_count * strip_ends_w(s) + 1) * 4;
    *arrays = (struct arrays){
        .counts = gpu_buffer(gpu, (s->gs_invocation_count + 1) * 4, 0),
        .strip_ends = gpu_buffer(gpu, strip_ends_B, 0),
        .sums = gpu_buffer(gpu, (tiles_of(s) + 1) * 4, 0xA5),
        .indices = gpu_buffer(gpu, ((size_t)s->index_count + GUARD_EL) * 4, 0xA5),
        .args = gpu_buffer(gpu, 20, 0xA5),
    };
    memcpy(arrays->counts->map, s->counts, s->gs_invocation_count * 4);
    memcpy(arrays->strip_ends->map, s->strip_ends, strip_ends_B);
    *record = (struct pgs_draw_record){
        .flags = (s->streams > 1 ? PGS_DRAW_STREAMS : 0) | (s->packed ? PGS_DRAW_PACKED : 0) |
                 (s->cut ? PGS_DRAW_CUTS : 0),
        .raster_stream = s->raster_stream,
        .gs_invocation_bound = s->gs_invocation_count,
        .max_vertices = s->max_vertices,
        .out_kind = s->out_kind,
        .first_index = 77,
        .packed_vertices = s->emitted,
        .counts = arrays->counts->address,
        .strip_ends = arrays->strip_ends->address,
        .tile_sums = arrays->sums->address,
        .indices = arrays->indices->address,
        .draw_args = arrays->args->address,
    };
}

static void check_arrays(struct gpu *gpu, const struct scene *s, const struct arrays *arrays)
{
    check_scene(gpu, s, arrays->args->map, arrays->indices->map);
    if (((const uint32_t *)arrays->sums->map)[tiles_of(s)] != GUARD)
        gpu_fail(gpu, "%u GS invocations: a sum beyond the last tile", s->gs_invocation_count);
}

/* `summed`: no kernel counts the tiles before. */
/* One of those that can list the scene. */
static VkPipeline expand_of(const struct kernels *k, const struct scene *s)
{
    if (s->cut)
        return k->cut;
    if (s->packed || s->streams > 1)
        return k->expand[1];
    if (s->out_kind != 1 && gpu_random() % 2)
        return k->shared;
    return k->expand[gpu_random() % 2];
}

static void run_scene(struct gpu *gpu, const struct kernels *k, const struct scene *s, bool summed)
{
    const uint32_t tiles = tiles_of(s);
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    struct arrays arrays;
    upload(gpu, s, &arrays, record->map);
    if (summed)
        ((struct pgs_draw_record *)record->map)->tile_sums = 0;
    /* As the draw module has them. */
    struct gpu_dispatch dispatches[3];
    uint32_t dispatch_count = 0;
    if (tiles > PGS_COUNT_TILES_FREE && !summed)
        dispatches[dispatch_count++] = (struct gpu_dispatch){k->count, tiles};
    if (tiles > PGS_SCAN_TILES_FREE || tiles == 0)
        dispatches[dispatch_count++] = (struct gpu_dispatch){k->scan, 1};
    if (tiles > 0)
        dispatches[dispatch_count++] = (struct gpu_dispatch){expand_of(k, s), tiles};
    gpu_run(gpu, dispatches, dispatch_count, record->address);
    check_arrays(gpu, s, &arrays);
    const uint32_t left = ((const struct pgs_draw_record *)record->map)->packed_vertices;
    if (left != (s->packed ? 0 : s->emitted))
        gpu_fail(gpu, "%u packed vertices are left for the next execution", left);
    gpu_release_buffers(gpu);
}

#define RUN_DRAWS 8

/* Draws of different sizes whose records lie a stride apart, in dispatches as large as the largest
 * of them needs. */
static void run_draws(struct gpu *gpu, const struct kernels *k, uint32_t kind)
{
    static const uint32_t gs_invocations[RUN_DRAWS] = {1, 300, 256, 7, 3000, 257, 700, 1};
    const uint32_t stride_B = sizeof(struct pgs_draw_record) + 48;
    struct gpu_buffer *records = gpu_buffer(gpu, RUN_DRAWS * stride_B, 0);
    struct scene scenes[RUN_DRAWS];
    struct arrays arrays[RUN_DRAWS];
    uint32_t tiles = 0;
    for (uint32_t i = 0; i < RUN_DRAWS; i++) {
        make_scene(&scenes[i], gs_invocations[i], 1 + gpu_random_below(40), kind, 1, i % 2, false);
        upload(gpu, &scenes[i], &arrays[i], (void *)((char *)records->map + i * stride_B));
        tiles = tiles_of(&scenes[i]) > tiles ? tiles_of(&scenes[i]) : tiles;
    }
    const struct gpu_dispatch dispatches[] = {{k->count, tiles}, {k->expand[1], tiles}};
    gpu_run_strided(gpu, dispatches, 2, records->address, RUN_DRAWS, stride_B);
    for (uint32_t i = 0; i < RUN_DRAWS; i++) {
        check_arrays(gpu, &scenes[i], &arrays[i]);
        free_scene(&scenes[i]);
    }
    gpu_release_buffers(gpu);
}

static void run_size(struct gpu *gpu, const struct kernels *k, uint32_t gs_invocations,
                     uint32_t max_vertices, uint32_t kind, uint32_t streams, bool packed, bool cut)
{
    struct scene scene;
    make_scene(&scene, gs_invocations, max_vertices, kind, streams, packed, cut);
    run_scene(gpu, k, &scene, false);
    if (tiles_of(&scene) > PGS_COUNT_TILES_FREE && tiles_of(&scene) <= SUMMED_TILES)
        run_scene(gpu, k, &scene, true);
    free_scene(&scene);
}

static void run_all(struct gpu *gpu, const struct kernels *k)
{
    static const struct {
        uint32_t gs_invocations, max_vertices, kind; /* 0: all of them */
    } sizes[] = {
        {0, 4, 0},
        {1, 1, 0},
        {1, 1024, 0},
        {255, 3, 0},
        {256, 33, 0},
        {257, 64, 0},
        {300, 1, 0},
        {700, 257, 0},
        {2 * PGS_TILE_EL, 9, 0},
        {PGS_COUNT_TILES_FREE * PGS_TILE_EL, 9, 0},
        {PGS_COUNT_TILES_FREE * PGS_TILE_EL + 1, 9, 0},
        {SUMMED_TILES * PGS_TILE_EL - 5, 9, 0},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL - 3, 2, 0},
        {PGS_SCAN_TILES_FREE * PGS_TILE_EL, 6, 0},
        {65537, 6, 0},
        {65537, 40, 2},
        {1000000, 5, 3},
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (uint32_t kind = 1; kind <= 3; kind++) {
            if (!sizes[i].kind || sizes[i].kind == kind)
                run_size(gpu, k, sizes[i].gs_invocations, sizes[i].max_vertices, kind, 1, i % 2,
                         false);
        }
        if (sizes[i].kind % 3 == 0)
            run_size(gpu, k, sizes[i].gs_invocations, sizes[i].max_vertices, 3, 1, false, true);
    }
    for (uint32_t streams = 2; streams <= PGS_MAX_STREAMS; streams++) {
        for (uint32_t kind = 1; kind <= 3; kind++)
            run_size(gpu, k, 700, 1 + gpu_random_below(200), kind, streams, kind != streams, false);
    }
    for (uint32_t kind = 1; kind <= 3; kind++)
        run_draws(gpu, k, kind);
    for (uint32_t i = 0; i < 8; i++) /* strips of all lengths across words */
        run_size(gpu, k, 300, 1 + gpu_random_below(200), 3, 1, false, true);
}

int main(int argc, char **argv)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const struct kernels kernels = {
        .count = gpu_pipeline(&gpu, pgs_kernel_count_tiles, pgs_kernel_count_tiles_words),
        .scan = gpu_pipeline(&gpu, pgs_kernel_scan_tiles, pgs_kernel_scan_tiles_words),
        .expand = {gpu_pipeline(&gpu, pgs_kernel_expand, pgs_kernel_expand_words),
                   gpu_pipeline(&gpu, pgs_kernel_expand_any, pgs_kernel_expand_any_words)},
        .shared = gpu_pipeline(&gpu, pgs_kernel_expand_shared, pgs_kernel_expand_shared_words),
        .cut = gpu_pipeline(&gpu, pgs_kernel_expand_cut, pgs_kernel_expand_cut_words),
    };
    if (argc > 1 && strcmp(argv[1], "--rows") == 0)
        run_size(&gpu, &kernels, PGS_GRID_X * PGS_TILE_EL + 1000, 1, 1, 1, false, false);
    else
        run_all(&gpu, &kernels);
    return gpu_close(&gpu);
}
