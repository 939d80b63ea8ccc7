/* SPDX-License-Identifier: MIT
 *
 * tess_round: of the patches that a round may have, those are made whose vertices and primitives
 * fit in the pool, in order, up to the first one that does not; the next round begins with it. A
 * patch that no round can make is left out. Over one tile of patches and several, with patches that
 * become nothing, with and without a geometry shader.
 */
#include "../../shaders/lib/allot_sizes.glsl"
#include "arena.h"
#include "poly_gs/indirect.h"
#include "poly_gs/tessellation.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <string.h>

#define MOST_RECORDS 4
#define MOST_PATCHES 700

struct made {
    uint32_t vertices, primitives;
};

struct scene {
    struct arena arena;
    uint64_t root, pool, records, progress;
    uint32_t count;
    bool stored; /* without a geometry shader */
    uint32_t patches[MOST_RECORDS];
    struct made made[MOST_RECORDS][MOST_PATCHES];
};

static void *on_gpu(const struct scene *s, uint64_t address)
{
    return (uint8_t *)s->arena.buffer->map + (address - s->arena.buffer->address);
}

static struct pgs_draw_record *record_of(const struct scene *s, uint32_t i)
{
    return on_gpu(s, s->records + i * sizeof(struct pgs_draw_record));
}

static struct pgs_tessellation *tess_of(const struct scene *s, uint32_t i)
{
    return on_gpu(s, record_of(s, i)->tessellation);
}

static void make_record(struct scene *s, uint32_t i)
{
    const struct pgs_tessellation tess = {
        .flags = PGS_TESS_QUADS | (s->stored ? PGS_TESS_STORED : 0),
        .vertex_stride_w = 12,
        .starts = arena_take(&s->arena, "starts", MOST_PATCHES * 8, 8),
        .tile_sums = arena_take(&s->arena, "tile_sums", 64, 8),
    };
    struct pgs_draw_record *own =
        arena_at(&s->arena, s->records + i * sizeof(struct pgs_draw_record));
    own->tessellation = arena_put(&s->arena, "tessellation", &tess, sizeof(tess));
    own->capture = arena_take(&s->arena, "capture", sizeof(struct pgs_capture), 16);
    memset(arena_at(&s->arena, own->capture), 0, sizeof(struct pgs_capture));
    own->draw_args = arena_take(&s->arena, "draw_args", 20, 16);
    s->patches[i] = gpu_random() % 8 ? 1 + gpu_random_below(MOST_PATCHES) : 0;
    for (uint32_t p = 0; p < s->patches[i]; p++) {
        const uint32_t most = gpu_random() % 32 ? 10 : 200;
        const uint32_t size = gpu_random() % 4 ? gpu_random_below(most) : 0;
        s->made[i][p] = (struct made){size, 2 * size};
    }
}

static void make_scene(struct scene *s, struct gpu *gpu)
{
    arena_open(&s->arena, gpu, 1 << 17);
    s->count = 1 + gpu_random_below(MOST_RECORDS);
    s->stored = gpu_random() % 2;
    const struct pgs_pool pool = {
        .first = UINT64_C(0x123456700), /* nothing is written there */
        .index_base = UINT64_C(0x123450000),
        .size_units = 100 + gpu_random_below(gpu_random() % 4 ? 3000 : 200),
        .limit_units = 1 << 20,
    };
    s->pool = arena_put(&s->arena, "pool", &pool, sizeof(pool));
    const uint64_t grids = arena_take(&s->arena, "grids", sizeof(struct pgs_grids), 16);
    s->progress = arena_take(&s->arena, "progress", sizeof(struct pgs_indirect_progress), 16);
    memset(arena_at(&s->arena, s->progress), 0, sizeof(struct pgs_indirect_progress));
    const struct pgs_draw_record record = {
        .flags = PGS_DRAW_TESSELLATED | PGS_DRAW_INDIRECT | PGS_DRAW_ROUND,
        .instance_count = 1,
        .invocations = s->stored ? 0 : 1 + gpu_random_below(2),
        .max_vertices = 3,
        .out_kind = 3,
        .out_stride_w = 8,
        .stream_count = 1,
        .max_gs_invocations = gpu_random() % 4 ? UINT32_MAX / 4 : 500,
        .pool = s->pool,
        .grids = grids,
    };
    s->records = arena_take(&s->arena, "records", s->count * sizeof(record), 16);
    for (uint32_t i = 0; i < s->count; i++) {
        memcpy(arena_at(&s->arena, s->records + i * sizeof(record)), &record, sizeof(record));
        make_record(s, i);
    }
    const struct pgs_indirect root = {
        .records = s->records,
        .record_count = s->count,
        .record_stride_B = sizeof(struct pgs_draw_record),
        .progress = s->progress,
    };
    s->root = arena_put(&s->arena, "indirect", &root, sizeof(root));
    arena_upload(&s->arena);
}

/* What indirect_patches and tess_count leave: a round of all patches that are left. */
static void begin_round(const struct scene *s, uint32_t record, uint32_t patch)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct pgs_draw_record *r = record_of(s, i);
        struct pgs_tessellation *tess = tess_of(s, i);
        const uint32_t first = i == record ? patch : 0;
        uint32_t *starts = on_gpu(s, tess->starts), *sums = on_gpu(s, tess->tile_sums);
        r->primitive_count = i < record || first == s->patches[i] ? 0 : s->patches[i];
        tess->patch_first = first;
        tess->patch_count = s->patches[i] - first;
        ((struct pgs_capture *)on_gpu(s, r->capture))->flags = first ? 0 : PGS_CAPTURE_STATISTICS;
        memset(sums, 0, 64);
        for (uint32_t p = 0; p < s->patches[i]; p++) {
            uint32_t *sum = sums + p / PGS_TILE_EL * 2;
            memcpy(starts + (size_t)p * 2, sum, 8);
            sum[0] += p < first ? 0 : s->made[i][p].vertices;
            sum[1] += p < first ? 0 : s->made[i][p].primitives;
        }
    }
    struct pgs_indirect_progress *progress = on_gpu(s, s->progress);
    progress->record = s->count;
    progress->element = 0;
    memset(on_gpu(s, record_of(s, 0)->grids), 0, sizeof(struct pgs_grids));
}

static uint32_t units_of(const struct scene *s, uint32_t i, struct made made)
{
    const struct pgs_draw_record *r = record_of(s, i);
    const struct pgs_allot_shape shape = {.max_vertices = 3,
                                          .out_stride_w = 8,
                                          .out_kind = 3,
                                          .stream_count = 1,
                                          .raster = true,
                                          .counted = true};
    const struct pgs_allot_sizes sizes =
        pgs_allot_sizes_of(shape, made.primitives * r->invocations);
    const uint32_t listed = s->stored ? (made.primitives * 3 + 3) / 4 : made.primitives;
    return pgs_quads_to_units(pgs_allot_sum(sizes) + made.vertices * (1 + 3) + listed);
}

static bool fits(const struct scene *s, uint32_t i, struct made made, uint32_t left)
{
    const struct pgs_draw_record *r = record_of(s, i);
    return units_of(s, i, made) <= left &&
           made.primitives * r->invocations <= r->max_gs_invocations &&
           (!s->stored || made.vertices <= (uint64_t)r->max_gs_invocations * r->max_vertices);
}

/* Checks a round. Returns false if nothing is left. */
static bool check_round(struct gpu *gpu, const struct scene *s, uint32_t *record, uint32_t *patch,
                        uint32_t *lost)
{
    const struct pgs_pool *pool = on_gpu(s, s->pool);
    const struct pgs_indirect_progress *progress = on_gpu(s, s->progress);
    uint32_t left = pool->size_units, i = *record, p = *patch;
    bool stopped = false, some = false;
    for (; i < s->count && !stopped; i += !stopped) {
        struct made sum = {0, 0}, next = {0, 0};
        const uint32_t first = p;
        for (; p < s->patches[i] && !stopped; p += !stopped) {
            next.vertices += s->made[i][p].vertices;
            next.primitives += s->made[i][p].primitives;
            stopped = !fits(s, i, next, left);
            sum = stopped ? sum : next;
        }
        const struct pgs_tessellation *tess = tess_of(s, i);
        const struct pgs_capture *capture = on_gpu(s, record_of(s, i)->capture);
        if (s->patches[i] && first < s->patches[i] &&
            (tess->vertex_count != sum.vertices || tess->primitive_count != sum.primitives ||
             (p > first && tess->patch_count != p - first) ||
             (capture->flags != 0) != (p > first && !first)))
            gpu_fail(gpu, "record %u, patches %u to %u: %u vertices of %u, %u patches, flags %u", i,
                     first, p, tess->vertex_count, sum.vertices, tess->patch_count, capture->flags);
        left -= units_of(s, i, sum);
        some = some || p > first;
        if (!stopped)
            p = 0;
    }
    for (uint32_t k = i + 1; k < s->count; k++)
        if (s->patches[k] && tess_of(s, k)->vertex_count)
            gpu_fail(gpu, "record %u is made behind the end of the round", k);
    if (pool->used_units != pool->size_units - left)
        gpu_fail(gpu, "%u units are used, not %u", pool->used_units, pool->size_units - left);
    const bool out = stopped && left == pool->size_units && !some;
    if (out != (pool->left_out != 0))
        gpu_fail(gpu, "record %u, patch %u: left out %u", i, p, pool->left_out);
    *lost += out;
    p += out;
    if (progress->record != i || progress->element != p)
        gpu_fail(gpu, "stopped at %u, %u, not at %u, %u", progress->record, progress->element, i,
                 p);
    *record = i;
    *patch = p;
    return stopped;
}

static void run(struct gpu *gpu, VkPipeline kernel, uint32_t *rounds, uint32_t *lost)
{
    struct scene s;
    make_scene(&s, gpu);
    struct pgs_pool *pool = on_gpu(&s, s.pool);
    uint32_t record = 0, patch = 0;
    bool goes_on = true;
    for (uint32_t round = 0; goes_on && round < 2000; round++) {
        begin_round(&s, record, patch);
        gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, s.root);
        goes_on = check_round(gpu, &s, &record, &patch, lost);
        pool->used_units = pool->refused_units = pool->left_out = 0;
        ++*rounds;
    }
    const struct pgs_indirect_progress *progress = on_gpu(&s, s.progress);
    uint32_t least = 0;
    for (uint32_t i = 0; i < s.count; i++)
        for (uint32_t p = 0; p < s.patches[i] && !*lost; p++)
            least += s.made[i][p].vertices * 4 * 16;
    if (goes_on || progress->needed_units < least / PGS_POOL_UNIT_B)
        gpu_fail(gpu, "needed %u units, at least %u", progress->needed_units,
                 least / PGS_POOL_UNIT_B);
    arena_close(&s.arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    uint32_t rounds = 0, lost = 0;
    gpu_open(&gpu);
    const VkPipeline kernel =
        gpu_pipeline(&gpu, pgs_kernel_tess_round, pgs_kernel_tess_round_words);
    for (uint32_t i = 0; i < 40; i++)
        run(&gpu, kernel, &rounds, &lost);
    if (rounds < 100 || !lost)
        gpu_fail(&gpu, "only %u rounds, %u patches left out", rounds, lost);
    return gpu_close(&gpu);
}
