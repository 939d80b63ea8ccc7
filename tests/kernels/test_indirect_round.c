/* SPDX-License-Identifier: MIT
 *
 * indirect_round: the rounds of a call take each GS invocation of each draw once, in order, within
 * the pool, and say which vertices it reads, for all topologies; each draw is counted as begun
 * once; what never fits is left out.
 */
#include "../../shaders/lib/topology.glsl"
#include "arena.h"
#include "poly_gs/indirect.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <string.h>

#define MOST_RECORDS 150
static const uint32_t inputs_of[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6};

struct scene {
    struct arena arena;
    uint64_t root, pool, args, records, grids, progress, captures;
    uint32_t count, topology, invocations, stride_w, restart;
    uint32_t vertices[MOST_RECORDS], instances[MOST_RECORDS], primitives[MOST_RECORDS];
    uint32_t all[MOST_RECORDS];  /* GS invocations */
    uint32_t done[MOST_RECORDS]; /* so far */
};

static void *on_gpu(const struct scene *s, uint64_t address)
{
    return (uint8_t *)s->arena.buffer->map + (address - s->arena.buffer->address);
}

static const struct pgs_draw_record *record_of(const struct scene *s, uint32_t i)
{
    return on_gpu(s, s->records + i * sizeof(struct pgs_draw_record));
}

static uint64_t make_args(struct scene *s)
{
    const uint64_t args = arena_take(&s->arena, "args", (size_t)s->count * 20, 16);
    for (uint32_t i = 0; i < s->count; i++) {
        s->vertices[i] = gpu_random() % 4 ? gpu_random_below(300) : 0;
        s->instances[i] = gpu_random() % 4 ? 1 : gpu_random_below(4);
        s->primitives[i] =
            s->instances[i] ? pgs_topology_primitives(s->topology, s->vertices[i]) : 0;
        s->all[i] = s->primitives[i] * s->instances[i] * s->invocations;
        s->done[i] = 0;
        const uint32_t words[] = {s->vertices[i], s->instances[i], i, i + 1, 0};
        memcpy(arena_at(&s->arena, args + i * 20), words, sizeof(words));
    }
    return args;
}

static void make_records(struct scene *s)
{
    const bool counted = gpu_random() % 2;
    s->records = arena_take(&s->arena, "records", s->count * sizeof(struct pgs_draw_record), 16);
    s->captures =
        counted ? arena_take(&s->arena, "captures", s->count * sizeof(struct pgs_capture), 16) : 0;
    const struct pgs_draw_record record = {
        .flags = PGS_DRAW_ROUND | PGS_DRAW_INDIRECT | (s->restart ? PGS_DRAW_RESTART : 0),
        .topology = s->topology,
        .invocations = s->invocations,
        .max_vertices = 1 + gpu_random_below(40),
        .out_kind = 1 + gpu_random_below(3),
        .stream_count = 1,
        .out_stride_w = 4 + 4 * gpu_random_below(4),
        .in_stride_w = s->stride_w,
        .pool = s->pool,
        .grids = s->grids,
        .max_gs_invocations = gpu_random() % 4 ? UINT32_MAX : 100 + gpu_random_below(400),
        .restart_count = s->restart ? arena_take(&s->arena, "restart_count", 8, 8) : 0,
        .draw_args = gpu_random() % 4 ? arena_take(&s->arena, "draw_args", 20, 16) : 0,
    };
    for (uint32_t i = 0; i < s->count; i++) {
        struct pgs_draw_record *own =
            arena_at(&s->arena, s->records + i * sizeof(struct pgs_draw_record));
        *own = record;
        if (counted) {
            own->capture = s->captures + i * sizeof(struct pgs_capture);
            memset(arena_at(&s->arena, own->capture), 0, sizeof(struct pgs_capture));
        }
    }
}

static void make_scene(struct scene *s, struct gpu *gpu)
{
    arena_open(&s->arena, gpu, 1 << 19);
    s->count = 1 + gpu_random_below(gpu_random() % 4 ? 4 : MOST_RECORDS);
    s->topology = gpu_random_below(10);
    s->invocations = 1 + gpu_random_below(3);
    s->stride_w = gpu_random() % 4 ? 4 + 4 * gpu_random_below(3) : 0;
    s->restart = gpu_random() % 4 == 0;
    const struct pgs_pool pool = {
        .first = UINT64_C(0x123456700), /* nothing is written there */
        .index_base = UINT64_C(0x123450000),
        .size_units = s->count > 4 || gpu_random() % 4 ? 100 + gpu_random_below(4000)
                                                       : 1 + gpu_random_below(20),
        .limit_units = 1 << 20,
    };
    s->pool = arena_put(&s->arena, "pool", &pool, sizeof(pool));
    s->grids = arena_take(&s->arena, "grids", sizeof(struct pgs_grids), 16);
    s->progress = arena_take(
        &s->arena, "progress",
        sizeof(struct pgs_indirect_progress) + s->count * sizeof(struct pgs_indirect_kept), 16);
    memset(arena_at(&s->arena, s->progress), 0, sizeof(struct pgs_indirect_progress));
    s->args = make_args(s);
    make_records(s);
    const struct pgs_indirect root = {
        .records = s->records,
        .args = s->args,
        .args_stride_B = 20,
        .args_count = s->count,
        .record_count = s->count,
        .record_stride_B = sizeof(struct pgs_draw_record),
        .flags = PGS_INDIRECT_STORES,
        .progress = s->progress,
    };
    s->root = arena_put(&s->arena, "indirect", &root, sizeof(root));
    arena_upload(&s->arena);
}

/* One behind the last vertex that is stored; all of them if kernels have yet to find primitives. */
static uint32_t stored_end(const struct scene *s, uint32_t i)
{
    return s->restart ? s->vertices[i] * s->instances[i]
                      : (uint32_t)(record_of(s, i)->restart_tiles >> 32);
}

/* The vertices of the primitives of a share lie within what is stored. */
static void check_vertices(struct gpu *gpu, const struct scene *s, uint32_t i, uint32_t from,
                           uint32_t count)
{
    const struct pgs_draw_record *r = record_of(s, i);
    const uint32_t begin = s->restart ? 0 : (uint32_t)r->restart_tiles;
    const uint32_t end = stored_end(s, i);
    const uint64_t first = r->vertices + (uint64_t)begin * s->stride_w * 4;
    if (end < begin || end > s->vertices[i] * s->instances[i] || first < UINT64_C(0x123456700))
        gpu_fail(gpu, "vertices %u to %u of %u", begin, end, s->vertices[i] * s->instances[i]);
    for (uint32_t n = from; n < from + count; n++) {
        const uint32_t in_order = n / s->invocations, instance = in_order / s->primitives[i];
        const uint32_t primitive = in_order % s->primitives[i];
        for (uint32_t k = 0; k < inputs_of[s->topology]; k++) {
            const uint32_t vertex = instance * s->vertices[i] +
                                    pgs_topology_vertex(s->topology, primitive, k,
                                                        primitive + 1 == s->primitives[i], n % 2);
            if (!s->restart && (vertex < begin || vertex >= end))
                gpu_fail(gpu, "topology %u, primitive %u of %u: vertex %u is not in %u to %u",
                         s->topology, primitive, s->primitives[i], vertex, begin, end);
        }
    }
}

/* Adds up what a round takes. Returns its GS invocations. */
static uint32_t check_round(struct gpu *gpu, struct scene *s)
{
    const struct pgs_grids *grids = on_gpu(s, s->grids);
    const struct pgs_pool *pool = on_gpu(s, s->pool);
    uint32_t sum = 0, most = 0, most_vertices = 0, end = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct pgs_draw_record *r = record_of(s, i);
        const uint32_t bound = r->gs_invocation_bound;
        if (!bound && (r->primitive_count || r->vertex_count))
            gpu_fail(gpu, "record %u draws without memory", i);
        if (!bound)
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (s->done[k] < s->all[k] && !pool->left_out)
                gpu_fail(gpu, "record %u before the rest of %u", i, k);
        if (r->gs_invocation_first != s->done[i] || bound > s->all[i] - s->done[i])
            gpu_fail(gpu, "record %u: %u from %u on, behind %u of %u", i, bound,
                     r->gs_invocation_first, s->done[i], s->all[i]);
        if (s->stride_w)
            check_vertices(gpu, s, i, s->done[i], bound);
        const struct pgs_capture *capture = r->capture ? on_gpu(s, r->capture) : NULL;
        if (capture && !(capture->flags & PGS_CAPTURE_STATISTICS) != (s->done[i] != 0))
            gpu_fail(gpu, "record %u is counted as begun %u times", i, s->done[i] ? 2 : 0);
        s->done[i] += bound;
        sum += bound;
        end = i + 1;
        most = bound > most ? bound : most;
        const uint32_t stored = stored_end(s, i) - (s->restart ? 0 : (uint32_t)r->restart_tiles);
        most_vertices = stored > most_vertices ? stored : most_vertices;
    }
    if (grids->geometry.x != gpu_div_up(most, PGS_SHADER_GROUP_EL) || grids->one.z != end ||
        grids->vertex.x != (s->stride_w ? gpu_div_up(most_vertices, PGS_SHADER_GROUP_EL) : 0))
        gpu_fail(gpu, "grids of %u vertices, %u GS invocations: %u, %u; %u of %u records",
                 most_vertices, most, grids->vertex.x, grids->geometry.x, grids->one.z, end);
    return sum;
}

static uint32_t count_lost(const struct scene *s)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < s->count; i++)
        lost += s->all[i] - s->done[i];
    return lost;
}

static void run(struct gpu *gpu, VkPipeline kernel, uint32_t *rounds, uint32_t *out)
{
    struct scene s;
    make_scene(&s, gpu);
    struct pgs_indirect *root = on_gpu(&s, s.root);
    struct pgs_pool *pool = on_gpu(&s, s.pool);
    const struct pgs_indirect_progress *progress = on_gpu(&s, s.progress);
    uint32_t needed = 0, used = 0;
    for (uint32_t round = 0; round < 1000 && (!round || progress->record < s.count); round++) {
        root->flags = PGS_INDIRECT_STORES | (round ? 0 : PGS_INDIRECT_FIRST_ROUND);
        gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, s.root);
        if (pool->used_units > pool->size_units)
            gpu_fail(gpu, "%u of %u units", pool->used_units, pool->size_units);
        if (!round) {
            needed = progress->needed_units;
            used = pool->used_units + pool->refused_units;
        }
        check_round(gpu, &s);
        memset(on_gpu(&s, s.args), round, s.count * 20); /* as a shader of the round might */
        pool->used_units = pool->refused_units = 0;
        ++*rounds;
    }
    if (progress->record != s.count || needed != used)
        gpu_fail(gpu, "stopped at record %u of %u, needed %u, asked for %u", progress->record,
                 s.count, needed, used);
    if (!count_lost(&s) != !pool->left_out)
        gpu_fail(gpu, "%u lost of %u records, and %s", count_lost(&s), s.count,
                 pool->left_out ? "it is told" : "nobody is told");
    *out += pool->left_out;
    root->flags = PGS_INDIRECT_STORES;
    gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, s.root);
    if (check_round(gpu, &s))
        gpu_fail(gpu, "a round behind the last one draws");
    arena_close(&s.arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    uint32_t rounds = 0, out = 0;
    gpu_open(&gpu);
    const VkPipeline kernel =
        gpu_pipeline(&gpu, pgs_kernel_indirect_round, pgs_kernel_indirect_round_words);
    for (uint32_t i = 0; i < 60; i++)
        run(&gpu, kernel, &rounds, &out);
    if (rounds < 200 || !out)
        gpu_fail(&gpu, "only %u rounds, %u calls with something left out", rounds, out);
    return gpu_close(&gpu);
}
