/* SPDX-License-Identifier: MIT
 *
 * xfb_program and xfb_steps: random programs against a model that takes one operation after the
 * other. Bounds that end anywhere, counters with any value, intervals that share counters,
 * thousands of draws, sums beyond 32 bits.
 */
#include "arena.h"
#include "poly_gs/tessellation.h"
#include "poly_gs/xfb.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPS 6000
#define INTERVALS 3
#define COUNTERS 5
#define QUERIES 12
#define SETS 3
#define QUERY_B (PGS_QUERY_VALUES_B + 8 * PGS_STATISTIC_COUNT)

struct program {
    struct arena arena;
    struct pgs_xfb_op ops[MAX_OPS];
    uint32_t op_count, max_ops;
    uint64_t counters[COUNTERS], queries[QUERIES], sets[SETS], intervals[INTERVALS];
    /* What the captures of the program have in common. */
    uint32_t stride_B[PGS_MAX_XFB_BUFFERS], stream[PGS_MAX_XFB_BUFFERS], vertices_per_primitive;
    bool hostile;
};

/* ---- The model. ---- */

static void add_u64(struct arena *arena, uint64_t address, uint64_t value)
{
    uint64_t sum;
    if (!address)
        return;
    memcpy(&sum, arena_at(arena, address), 8);
    sum += value;
    memcpy(arena_at(arena, address), &sum, 8);
}

static bool captures_stream(const struct pgs_xfb_interval *v, const struct pgs_capture *c,
                            uint32_t stream)
{
    bool any = false;
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        any |= c->stream[b] == stream && c->stride_B[b] && v->base[b];
    return any;
}

/* Primitives of `total` that fit in all buffers of the stream. */
static uint64_t fitting(const struct pgs_xfb_interval *v, const struct pgs_capture *c,
                        uint32_t stream, uint64_t total)
{
    uint64_t most = total;
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        if (c->stream[b] != stream || !c->stride_B[b] || !v->base[b])
            continue;
        uint64_t space_el = 0;
        if (v->offset_B[b] % 4 == 0 && v->offset_B[b] < v->size_B[b])
            space_el =
                (v->size_B[b] - v->offset_B[b]) / (c->stride_B[b] * c->vertices_per_primitive);
        most = space_el < most ? space_el : most;
    }
    return most;
}

struct counted {
    uint64_t total[PGS_MAX_STREAMS], statistics[PGS_STATISTIC_COUNT];
};

static struct counted count(const struct arena *arena, const struct pgs_capture *c)
{
    const struct pgs_draw_record *r = arena_at(arena, c->draw);
    struct counted counted = {0};
    uint64_t primitives = r->primitive_count, vertices = r->vertex_count;
    if (r->flags & PGS_DRAW_RESTART) {
        vertices -= arena_u32(arena, r->restart_count + 4);
        const uint32_t exact = arena_u32(arena, r->restart_count);
        primitives = exact < primitives ? exact : primitives;
    }
    primitives *= r->instance_count;
    uint64_t *s = counted.statistics;
    if (c->flags & PGS_CAPTURE_STATISTICS) {
        s[PGS_STATISTIC_VERTICES] = vertices * r->instance_count;
        s[PGS_STATISTIC_VERTEX_SHADER] = s[PGS_STATISTIC_VERTICES];
        s[PGS_STATISTIC_PRIMITIVES] = primitives;
    }
    if (r->flags & PGS_DRAW_TESSELLATED) {
        const struct pgs_tessellation *tess = arena_at(arena, r->tessellation);
        if (c->flags & PGS_CAPTURE_STATISTICS)
            s[PGS_STATISTIC_CONTROL_PATCHES] = primitives;
        s[PGS_STATISTIC_EVALUATION] = tess->vertex_count; /* of this round */
        primitives = tess->primitive_count;
    }
    const bool pass_through = c->flags & PGS_CAPTURE_PASS_THROUGH;
    const uint32_t rasterized = r->raster_stream;
    if (!(c->flags & PGS_CAPTURE_GEOMETRY)) {
        counted.total[0] = primitives;
        s[PGS_STATISTIC_CLIPPING] = rasterized ? 0 : primitives;
        return counted;
    }
    if ((c->flags & PGS_CAPTURE_STATISTICS || r->flags & PGS_DRAW_TESSELLATED) && !pass_through)
        s[PGS_STATISTIC_GEOMETRY_SHADER] = primitives * r->invocations;
    for (uint32_t stream = 0; stream < PGS_MAX_STREAMS; stream++) {
        counted.total[stream] = r->gs_invocation_bound ? c->total[stream] : 0;
        s[PGS_STATISTIC_GEOMETRY_PRIMITIVES] += pass_through ? 0 : counted.total[stream];
    }
    s[PGS_STATISTIC_CLIPPING] = counted.total[rasterized];
    return counted;
}

static void model_queries(struct arena *arena, const struct pgs_query_set *q, bool captures,
                          const struct counted *counted, const uint64_t *written)
{
    for (uint32_t s = 0; s < PGS_MAX_STREAMS; s++) {
        add_u64(arena, q->generated[s], counted->total[s]);
        if (!captures || !q->xfb[s])
            continue;
        add_u64(arena, q->xfb[s], written[s]);
        add_u64(arena, q->xfb[s] + 8, counted->total[s]);
    }
    for (uint32_t i = 0; i < PGS_STATISTIC_COUNT && q->statistics; i++)
        add_u64(arena, q->statistics + i * 8, counted->statistics[i]);
}

static void model_draw(struct arena *arena, const struct pgs_xfb_op *op)
{
    struct pgs_capture *c = arena_at(arena, op->capture);
    const struct counted counted = count(arena, c);
    struct pgs_xfb_interval *v = op->interval ? arena_at(arena, op->interval) : NULL;
    uint64_t written[PGS_MAX_STREAMS] = {0};
    for (uint32_t s = 0; s < PGS_MAX_STREAMS; s++) {
        written[s] = v ? fitting(v, c, s, counted.total[s]) : 0;
        c->written[s] = v && captures_stream(v, c, s) ? (uint32_t)written[s] : 0;
    }
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        c->target[b] = 0;
        if (!v || !v->base[b] || !c->stride_B[b])
            continue;
        c->target[b] = v->base[b] + v->offset_B[b];
        v->offset_B[b] +=
            (uint32_t)written[c->stream[b]] * c->stride_B[b] * c->vertices_per_primitive;
    }
    if (op->queries)
        model_queries(arena, arena_at(arena, op->queries), v != NULL, &counted, written);
}

static void model_op(struct arena *arena, const struct pgs_xfb_op *op)
{
    struct pgs_xfb_interval *v = op->interval ? arena_at(arena, op->interval) : NULL;
    switch (op->kind) {
    case PGS_XFB_OP_BEGIN:
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
            v->offset_B[b] = v->load[b] ? arena_u32(arena, v->load[b]) : 0;
        break;
    case PGS_XFB_OP_END: {
        const struct pgs_xfb_end *end = arena_at(arena, op->queries);
        for (uint32_t b = 0; v && b < PGS_MAX_XFB_BUFFERS; b++)
            if (end->store[b])
                arena_set_u32(arena, end->store[b], v->offset_B[b]);
        break;
    }
    case PGS_XFB_OP_DRAW:
        model_draw(arena, op);
        break;
    case PGS_XFB_OP_AVAILABLE:
        arena_set_u32(arena, op->queries, 1);
        break;
    }
}

/* ---- Random programs. ---- */

static uint32_t some_total(void)
{
    switch (gpu_random_below(16)) {
    case 0:
        return 0;
    case 1:
        return gpu_random();
    case 2:
        return UINT32_MAX;
    }
    return gpu_random_below(20);
}

static uint64_t make_record(struct program *p, bool geometry)
{
    struct pgs_draw_record r = {
        .vertex_count = gpu_random_below(100),
        .instance_count = gpu_random_below(4),
        .primitive_count = gpu_random_below(30),
        .invocations = 1 + gpu_random_below(32),
        .gs_invocation_bound = gpu_random_below(8) == 0 ? 0 : 1 + gpu_random_below(1000),
        .raster_stream = gpu_random_below(4) ? 0 : gpu_random_below(PGS_MAX_STREAMS),
    };
    if (!geometry && gpu_random_below(30) == 0) /* more than 32 bits of them */
        r.primitive_count = gpu_random(), r.vertex_count = gpu_random(),
        r.instance_count = gpu_random();
    if (gpu_random_below(4) == 0) {
        const struct pgs_tessellation tess = {.vertex_count = some_total(),
                                              .primitive_count = some_total()};
        r.flags |= PGS_DRAW_TESSELLATED;
        r.tessellation = arena_put(&p->arena, "tessellation", &tess, sizeof(tess));
    } else if (gpu_random_below(3) == 0) {
        const uint32_t exact[2] = {gpu_random_below(40), gpu_random_below(r.vertex_count + 1)};
        r.flags |= PGS_DRAW_RESTART;
        r.restart_count = arena_put(&p->arena, "restart count", exact, sizeof(exact));
    }
    return arena_put(&p->arena, "record", &r, sizeof(r));
}

static uint64_t make_capture(struct program *p)
{
    const bool geometry = gpu_random() % 2;
    struct pgs_capture c = {
        .draw = make_record(p, geometry),
        .flags = (geometry ? PGS_CAPTURE_GEOMETRY : 0) |
                 (gpu_random() % 2 ? PGS_CAPTURE_STATISTICS : 0) |
                 (gpu_random_below(4) ? 0 : PGS_CAPTURE_PASS_THROUGH),
        .vertices_per_primitive = p->vertices_per_primitive,
    };
    memcpy(c.stride_B, p->stride_B, sizeof(c.stride_B));
    memcpy(c.stream, p->stream, sizeof(c.stream));
    /* Another pipeline, or another topology of one. */
    if (gpu_random_below(50) == 0)
        c.vertices_per_primitive = 1 + gpu_random_below(3);
    if (gpu_random_below(50) == 0)
        c.stride_B[0] = 4 + 4 * gpu_random_below(20);
    if (gpu_random_below(50) == 0)
        c.stream[gpu_random_below(PGS_MAX_XFB_BUFFERS)] = gpu_random_below(PGS_MAX_STREAMS);
    for (uint32_t s = 0; s < PGS_MAX_STREAMS; s++)
        c.total[s] = geometry ? some_total() : 0x55555555;
    return arena_put(&p->arena, "capture", &c, sizeof(c));
}

/* Nothing is there: the kernel only computes addresses. Sizes end at whole primitives or 4 bytes
 * off. */
static void make_intervals(struct program *p)
{
    for (uint32_t i = 0; i < INTERVALS; i++) {
        struct pgs_xfb_interval v = {0};
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
            const uint32_t primitive_B =
                (p->stride_B[b] ? p->stride_B[b] : 8) * p->vertices_per_primitive;
            const uint32_t count =
                gpu_random() % 2 ? gpu_random_below(10) : gpu_random_below(20000);
            v.size_B[b] = count * primitive_B + gpu_random_below(3) * 4;
            v.size_B[b] -= v.size_B[b] > 4 ? 4 : 0;
            if (gpu_random_below(8) == 0)
                v.size_B[b] = UINT32_MAX - 3;
            if (gpu_random_below(5) != 0)
                v.base[b] = ((uint64_t)gpu_random() << 32 | gpu_random()) & 0xFFFFFFFFFFFCull;
            if (gpu_random() % 2)
                v.load[b] = p->counters[gpu_random_below(COUNTERS)];
            v.offset_B[b] = gpu_random_below(50) * 4;
        }
        p->intervals[i] = arena_put(&p->arena, "interval", &v, sizeof(v));
    }
}

/* The query that follows `next`, or none. It has one type and one stream: a set has it once. */
static uint64_t some_query(const struct program *p, uint32_t *next)
{
    const uint64_t query = p->queries[(*next)++ % QUERIES];
    return gpu_random_below(3) == 0 ? 0 : query + PGS_QUERY_VALUES_B;
}

static void make_memory(struct program *p)
{
    for (uint32_t i = 0; i < COUNTERS; i++) {
        const uint32_t value =
            p->hostile && gpu_random() % 2 ? gpu_random() : gpu_random_below(100) * 4;
        p->counters[i] = arena_put(&p->arena, "counter", &value, 4);
    }
    for (uint32_t i = 0; i < QUERIES; i++) {
        uint32_t words[QUERY_B / 4] = {0};
        words[PGS_QUERY_VALUES_B / 4] = gpu_random(); /* sums that carry */
        p->queries[i] = arena_put(&p->arena, "query", words, sizeof(words));
    }
    for (uint32_t i = 0; i < SETS; i++) {
        uint32_t next = gpu_random_below(QUERIES);
        struct pgs_query_set set = {.statistics = some_query(p, &next)};
        for (uint32_t s = 0; s < PGS_MAX_STREAMS; s++)
            set.xfb[s] = some_query(p, &next), set.generated[s] = some_query(p, &next);
        p->sets[i] = arena_put(&p->arena, "query set", &set, sizeof(set));
    }
    make_intervals(p);
}

static void add_op(struct program *p, struct pgs_xfb_op op)
{
    if (p->op_count < p->max_ops)
        p->ops[p->op_count++] = op;
}

static void add_draws(struct program *p, uint64_t interval, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t set = gpu_random() % 2 ? p->sets[gpu_random_below(SETS)] : 0;
        /* The same query set for a while: a run. */
        for (uint32_t left = 1 + gpu_random_below(6) * gpu_random_below(100);
             left > 0 && i < count && p->op_count < p->max_ops; left--, i++)
            add_op(p, (struct pgs_xfb_op){.kind = PGS_XFB_OP_DRAW,
                                          .interval = interval,
                                          .capture = make_capture(p),
                                          .queries = set});
        if (gpu_random_below(4) == 0)
            add_op(p, (struct pgs_xfb_op){.kind = PGS_XFB_OP_AVAILABLE,
                                          .queries = p->queries[gpu_random_below(QUERIES)]});
    }
}

static void add_interval(struct program *p, uint32_t draws)
{
    const uint64_t interval = p->intervals[gpu_random_below(INTERVALS)];
    if (gpu_random_below(6) != 0) /* else it began in another batch */
        add_op(p, (struct pgs_xfb_op){.kind = PGS_XFB_OP_BEGIN, .interval = interval});
    add_draws(p, interval, draws);
    if (gpu_random_below(6) == 0)
        return;
    struct pgs_xfb_end end = {0};
    const uint32_t first = gpu_random_below(COUNTERS); /* no counter twice */
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        end.store[b] = gpu_random() % 2 ? p->counters[(first + b) % COUNTERS] : 0;
    add_op(p, (struct pgs_xfb_op){.kind = PGS_XFB_OP_END,
                                  .interval = gpu_random_below(6) ? interval : 0,
                                  .queries = arena_put(&p->arena, "end", &end, sizeof(end))});
}

static void make_program(struct program *p, uint32_t most_draws)
{
    p->op_count = 0;
    p->hostile = gpu_random() % 2;
    p->vertices_per_primitive = 1 + gpu_random_below(3);
    const bool one_stream = gpu_random() % 2;
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        p->stride_B[b] = gpu_random() % 4 ? 4 + 4 * gpu_random_below(32) : 0;
        p->stream[b] = one_stream ? 0 : gpu_random_below(PGS_MAX_STREAMS);
    }
    make_memory(p);
    for (uint32_t i = gpu_random_below(8); i > 0; i--) {
        if (gpu_random() % 4 == 0)
            add_draws(p, 0, gpu_random_below(5));
        add_interval(p, gpu_random() % 2 ? gpu_random_below(4) : gpu_random_below(most_draws));
    }
}

static void run(struct gpu *gpu, VkPipeline kernel, struct program *p, uint32_t number,
                uint32_t most_draws)
{
    arena_open(&p->arena, gpu, 16 << 20);
    make_program(p, most_draws);
    const struct pgs_xfb_program root = {
        .ops = arena_put(&p->arena, "ops", p->ops, p->op_count * sizeof(p->ops[0])),
        .op_count = p->op_count,
    };
    const uint64_t address = arena_put(&p->arena, "program", &root, sizeof(root));
    arena_upload(&p->arena);
    for (uint32_t i = 0; i < p->op_count; i++)
        model_op(&p->arena, &p->ops[i]);
    gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, address);
    arena_compare(&p->arena, gpu, "program", number);
    arena_close(&p->arena, gpu);
}

static void run_some(struct gpu *gpu, const uint32_t *words, size_t word_count, uint32_t max_ops)
{
    const VkPipeline kernel = gpu_pipeline(gpu, words, word_count);
    struct program *program = calloc(1, sizeof(*program));
    program->max_ops = max_ops;
    for (uint32_t i = 0; i < 100; i++)
        run(gpu, kernel, program, i, i % 20 == 0 ? 2000 : i % 4 == 0 ? 300 : 20);
    free(program);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    run_some(&gpu, pgs_kernel_xfb_program, pgs_kernel_xfb_program_words, MAX_OPS);
    run_some(&gpu, pgs_kernel_xfb_steps, pgs_kernel_xfb_steps_words, PGS_XFB_STEPS_MAX_OPS);
    return gpu_close(&gpu);
}
