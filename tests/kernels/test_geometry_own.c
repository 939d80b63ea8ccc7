/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that capture by themselves, as the spirv module makes them, on records made by
 * hand: every byte that they leave in memory against a model on the CPU. The model follows
 * shaders/own.vert and shaders/own.geom.
 */
#include "../../shaders/lib/topology.glsl"
#include "arena.h"
#include "own_effect.h"
#include "own_lines.h"
#include "own_lines_any.h"
#include "own_points.h"
#include "own_points_any.h"
#include "own_triangles.h"
#include "own_triangles_3.h"
#include "own_triangles_any.h"
#include "own_vert.h"
#include "poly_gs/xfb.h"
#include "spirv/spirv.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_B (16u << 20)
#define MAX_RECORDS 2
#define MAX_VERTICES 9 /* of own.geom, as CMakeLists.txt compiles it */

struct variant {
    const uint32_t *words;
    size_t size_B;
    uint32_t inputs, kind, invocations, streams;
    bool is_known, has_effect;
};

#define VARIANT(name, ...)                                                                         \
    {                                                                                              \
        name, sizeof(name), __VA_ARGS__                                                            \
    }
static const struct variant variants[] = {
    VARIANT(own_points, 1, 1, 1, 1, true, false),
    VARIANT(own_lines, 2, 2, 2, 3, true, false),
    VARIANT(own_triangles, 3, 3, 1, 1, true, false),
    VARIANT(own_triangles_3, 3, 3, 3, 3, true, false),
    VARIANT(own_effect, 3, 1, 2, 3, true, true),
    VARIANT(own_points_any, 1, 1, 1, 3, false, false),
    VARIANT(own_lines_any, 2, 2, 3, 3, false, false),
    VARIANT(own_triangles_any, 3, 3, 2, 1, false, false),
};

static const uint32_t strides_B[PGS_MAX_XFB_BUFFERS] = {32, 16, 12, 20};
static const uint32_t streams[PGS_MAX_XFB_BUFFERS] = {0, 1, 2, 0};

/* A variant, with its vertices stored or shaded within it. */
struct pass {
    const struct variant *variant;
    struct pgs_spv_geometry_info info;
    VkPipeline pipeline;
    bool is_fused;
};

/* What a record's address leads to. */
struct root {
    struct pgs_capture capture;
    struct pgs_draw_record record;
};
static_assert(offsetof(struct root, record) == PGS_CAPTURE_BEFORE_B, "what lies where");

struct scene {
    struct arena arena;
    const struct pass *pass;
    uint64_t roots; /* [count] */
    uint32_t count;
    bool counts; /* chunks have sums */
};

/* The GS invocation that the model runs. */
struct gs_invocation {
    uint32_t primitive, invocation, tags[3];
};

/* A stream of the vertices of one record. */
struct stream {
    uint32_t newest[3][2]; /* numbers of vertices, and how often the shader had emitted then */
    uint32_t open_el;
    uint64_t next; /* primitive */
};

static void expect_ok(enum pgs_spv_result result, const char *what)
{
    if (result == PGS_SPV_OK)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

static uint32_t hash(uint32_t value)
{
    const uint32_t mixed = (value ^ value >> 15) * 0x2C1B3C6Du;
    return (mixed ^ mixed >> 12) * 0x297A2D39u >> 8;
}

static uint32_t vertex_tag(uint32_t vertex, uint32_t instance)
{
    return vertex * 2654435761u ^ instance * 40503u;
}

/* One captured vertex in all buffers of the stream. */
static void model_vertex(const struct scene *s, const struct root *root, uint32_t stream,
                         uint64_t number, const struct gs_invocation *u, const uint32_t vertex[2])
{
    const uint32_t n = vertex[0], copies = vertex[1], tag = u->tags[n % s->pass->variant->inputs];
    const uint32_t who[] = {u->primitive + root->record.push[1], u->invocation, n, tag};
    const uint32_t first = u->tags[0] ^ copies;
    const uint32_t more[] = {tag ^ 0x55u, n ^ 0x55u, u->invocation ^ 0x55u};
    const uint32_t of_1[] = {who[0] + 1, who[1] + 1, n + 1, tag + 1}, of_2[] = {copies, tag ^ n};
    void *at[PGS_MAX_XFB_BUFFERS];
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        const uint64_t target = streams[b] == stream ? root->capture.target[b] : 0;
        at[b] = target ? arena_at(&s->arena, target + number * strides_B[b]) : NULL;
    }
    if (at[0]) {
        memcpy((uint8_t *)at[0] + 4, &first, 4);
        memcpy((uint8_t *)at[0] + 16, who, sizeof(who));
    }
    if (at[1])
        memcpy(at[1], of_1, sizeof(of_1));
    if (at[2])
        memcpy((uint8_t *)at[2] + 4, of_2, sizeof(of_2));
    if (at[3])
        memcpy((uint8_t *)at[3] + 8, more, sizeof(more));
}

/* A vertex is emitted to the stream: root is NULL where primitives are only counted. */
static void model_emit(const struct scene *s, const struct root *root, uint32_t number,
                       struct stream *stream, const struct gs_invocation *u,
                       const uint32_t vertex[2], uint32_t kind)
{
    /* Which of the last vertices, from the newest, each vertex of the primitive is: of the odd
     * triangles of strips when the provoking vertex comes first, and last. */
    static const uint8_t orders[2][3] = {{2, 0, 1}, {1, 2, 0}};
    memmove(stream->newest[1], stream->newest[0], sizeof(stream->newest[0]) * 2);
    memcpy(stream->newest[0], vertex, sizeof(stream->newest[0]));
    if (++stream->open_el < kind)
        return;
    const bool odd = kind == 3 && (stream->open_el - kind) % 2;
    for (uint32_t k = 0; root && stream->next < root->capture.written[number] && k < kind; k++) {
        const bool last = root->record.flags & PGS_DRAW_PROVOKING_LAST;
        const uint32_t age = odd ? orders[last][k] : kind - 1 - k;
        model_vertex(s, root, number, stream->next * kind + k, u, stream->newest[age]);
    }
    stream->next++;
}

/* own.geom. */
static void model_gs_invocation(const struct scene *s, const struct variant *v,
                                const struct root *root, const struct gs_invocation *u,
                                struct stream of[PGS_MAX_STREAMS])
{
    const uint32_t seed = hash(v->is_known ? 77u : u->tags[0] + u->invocation);
    const uint32_t emits = v->is_known ? MAX_VERTICES + 2 : seed % (MAX_VERTICES + 3);
    for (uint32_t stream = 0; stream < PGS_MAX_STREAMS; stream++)
        of[stream].open_el = 0;
    for (uint32_t n = 0; n < emits; n++) {
        const uint32_t stream = hash(seed ^ n) % v->streams, vertex[] = {n, n + 2};
        if (n < MAX_VERTICES)
            model_emit(s, root, stream, &of[stream], u, vertex, v->kind);
        if (hash(seed + n) % 8 < 2 && v->kind > 1)
            of[hash(seed + 3 * n) % v->streams].open_el = 0;
    }
}

static uint32_t primitives_of(const struct scene *s, const struct pgs_draw_record *r)
{
    return r->flags & PGS_DRAW_RESTART ? arena_u32(&s->arena, r->restart_count)
                                       : r->primitive_count;
}

static struct gs_invocation gs_invocation_at(const struct scene *s, const struct pgs_draw_record *r,
                                             uint32_t number)
{
    const uint32_t invocations = s->pass->variant->invocations, primitives = primitives_of(s, r);
    const uint32_t instance = number / invocations / primitives;
    struct gs_invocation u = {.primitive = number / invocations % primitives,
                              .invocation = number % invocations};
    struct pgs_primitive at = {0, u.primitive};
    if (r->flags & PGS_DRAW_RESTART)
        at = ((const struct pgs_primitive *)arena_at(&s->arena, r->primitive_list))[u.primitive];
    for (uint32_t k = 0; k < s->pass->variant->inputs; k++) {
        const uint32_t position =
            at.segment_start + pgs_topology_vertex(r->topology, at.index_in_segment, k, false,
                                                   (r->flags & PGS_DRAW_PROVOKING_LAST) != 0);
        u.tags[k] = vertex_tag(r->first_vertex + position, r->first_instance + instance);
    }
    return u;
}

static uint32_t gs_invocations_of(const struct scene *s, const struct pgs_draw_record *r)
{
    return r->instance_count * primitives_of(s, r) * s->pass->variant->invocations;
}

static uint32_t chunk_el(uint32_t gs_invocations)
{
    return gpu_div_up(gs_invocations, PGS_CHUNKS * PGS_SHADER_GROUP_EL) * PGS_SHADER_GROUP_EL;
}

static void leave_mark(const struct scene *s, const struct pgs_draw_record *r,
                       const struct gs_invocation *u)
{
    const uint64_t marks = r->push[2] | (uint64_t)r->push[3] << 32;
    const uint32_t number = u->primitive * s->pass->variant->invocations + u->invocation;
    if (s->pass->variant->has_effect)
        arena_set_u32(&s->arena, marks + 4 * (uint64_t)number, r->push[1]);
}

/* Adds what a GS invocation emitted to the sums of its chunk. */
static void add_to_chunk(const struct scene *s, const struct root *root, uint32_t chunk,
                         const struct stream before[], const struct stream after[])
{
    const uint32_t count = s->pass->variant->streams;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = root->capture.chunks + 8 * ((uint64_t)chunk * count + i);
        const uint64_t sum = arena_u32(&s->arena, at) + after[i].next - before[i].next;
        arena_set_u32(&s->arena, at, (uint32_t)sum);
    }
}

/* Runs the first GS invocations of a record. With root NULL it only counts. */
static void model_gs_invocations(const struct scene *s, const struct pgs_draw_record *r,
                                 const struct root *root, uint32_t count,
                                 struct stream of[PGS_MAX_STREAMS])
{
    const uint32_t gs_invocations = gs_invocations_of(s, r);
    for (uint32_t i = 0; i < gs_invocations && i < count; i++) {
        struct stream before[PGS_MAX_STREAMS];
        const struct gs_invocation u = gs_invocation_at(s, r, i);
        memcpy(before, of, sizeof(before));
        model_gs_invocation(s, s->pass->variant, root, &u, of);
        if (root)
            leave_mark(s, r, &u);
        if (root && s->counts)
            add_to_chunk(s, root, i / chunk_el(gs_invocations), before, of);
    }
}

static void store_vertices(struct scene *s, struct pgs_draw_record *r)
{
    const uint32_t stride_w = s->pass->info.in.stride_w;
    const size_t size_B = (size_t)r->vertex_count * r->instance_count * stride_w * 4;
    r->vertices = arena_take(&s->arena, "vertices", size_B, 16);
    for (uint32_t i = 0; i < r->vertex_count * r->instance_count; i++)
        arena_set_u32(&s->arena,
                      r->vertices +
                          4 * ((uint64_t)i * stride_w + s->pass->info.in.location_w[0][0]),
                      vertex_tag(r->first_vertex + i % r->vertex_count,
                                 r->first_instance + i / r->vertex_count));
}

/* Primitives of runs that lie anywhere in the draw. */
static void make_restart(struct scene *s, struct pgs_draw_record *r)
{
    struct pgs_primitive *list = calloc(r->primitive_count + 1, sizeof(*list));
    const uint32_t count = gpu_random_below(r->primitive_count + 1);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (struct pgs_primitive){gpu_random_below(3), gpu_random_below(i + 1)};
    r->flags |= PGS_DRAW_RESTART;
    r->vertex_count += 2;
    r->primitive_list = arena_put(&s->arena, "primitives", list, (count + 1) * sizeof(*list));
    r->restart_count = arena_put(&s->arena, "restart count", (uint32_t[2]){count}, 8);
    free(list);
}

static struct pgs_draw_record make_record(struct scene *s, uint32_t vertex_count)
{
    static const uint8_t topologies[3][3] = {
        {PGS_POINT_LIST, PGS_POINT_LIST, PGS_POINT_LIST},
        {PGS_LINE_LIST, PGS_LINE_STRIP, PGS_LINE_STRIP},
        {PGS_TRIANGLE_LIST, PGS_TRIANGLE_STRIP, PGS_TRIANGLE_FAN}};
    const struct variant *v = s->pass->variant;
    struct pgs_draw_record r = {
        .flags = gpu_random() % 2 ? PGS_DRAW_PROVOKING_LAST : 0,
        .topology = topologies[v->inputs - 1][gpu_random_below(3)],
        .vertex_count = vertex_count,
        .first_vertex = gpu_random(),
        .instance_count = gpu_random_below(4),
        .first_instance = gpu_random(),
        .gs_invocation_bound = 1 + gpu_random_below(3), /* only chunks ask */
    };
    r.primitive_count = pgs_topology_primitives(r.topology, vertex_count);
    if (r.topology != PGS_TRIANGLE_FAN && gpu_random() % 3 == 0)
        make_restart(s, &r);
    if (!s->pass->is_fused)
        store_vertices(s, &r);
    const uint64_t marks =
        arena_take(&s->arena, "marks", (size_t)(r.primitive_count + 1) * v->invocations * 4, 4);
    r.push[1] = gpu_random();
    r.push[2] = (uint32_t)marks;
    r.push[3] = (uint32_t)(marks >> 32);
    return r;
}

/* As many primitives as there are, none, or so many that the captured part ends within a GS
 * invocation; buffers that begin anywhere, and some that are not bound. */
static void make_capture(struct scene *s, const struct pgs_draw_record *r,
                         struct pgs_capture *capture)
{
    struct stream of[PGS_MAX_STREAMS] = {0};
    model_gs_invocations(s, r, NULL, UINT32_MAX, of);
    for (uint32_t i = 0; i < s->pass->variant->streams; i++) {
        const uint32_t all = (uint32_t)of[i].next, choice = gpu_random_below(6);
        capture->written[i] = choice < 2 ? all : choice == 2 ? 0 : gpu_random_below(all + 1);
    }
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        const size_t size_B =
            (size_t)capture->written[streams[b]] * s->pass->variant->kind * strides_B[b];
        capture->target[b] = arena_take(&s->arena, "captured", size_B + 16, 16);
        capture->target[b] += 4 * gpu_random_below(4);
        if (gpu_random_below(4) == 0)
            capture->target[b] = 0;
    }
}

/* The records, which one dispatch works on. */
static void make_scene(struct scene *s, struct gpu *gpu, const struct pass *pass,
                       uint32_t vertex_count)
{
    struct root roots[MAX_RECORDS];
    *s = (struct scene){.pass = pass, .count = 1 + gpu_random_below(MAX_RECORDS)};
    arena_open(&s->arena, gpu, ARENA_B);
    memset(roots, 0, sizeof(roots));
    for (uint32_t i = 0; i < s->count; i++) {
        roots[i].record = make_record(s, vertex_count / (i + 1));
        make_capture(s, &roots[i].record, &roots[i].capture);
    }
    s->roots = arena_put(&s->arena, "records", roots, s->count * sizeof(roots[0]));
}

static uint64_t record_at(const struct scene *s, uint32_t i)
{
    return s->roots + i * sizeof(struct root) + PGS_CAPTURE_BEFORE_B;
}

static const struct root *root_at(const struct scene *s, uint32_t i)
{
    return arena_at(&s->arena, s->roots + i * sizeof(struct root));
}

/* GS invocations of the largest record. */
static uint32_t most_gs_invocations(const struct scene *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t gs_invocations = gs_invocations_of(s, &root_at(s, i)->record);
        most = gs_invocations > most ? gs_invocations : most;
    }
    return most;
}

static void run(struct gpu *gpu, const struct pass *pass, uint32_t vertex_count, uint32_t number)
{
    struct scene s;
    make_scene(&s, gpu, pass, vertex_count);
    const struct gpu_dispatch dispatch = {pass->pipeline,
                                          gpu_div_up(most_gs_invocations(&s), PGS_SHADER_GROUP_EL) +
                                              gpu_random_below(2)};
    arena_upload(&s.arena);
    for (uint32_t i = 0; i < s.count; i++)
        model_gs_invocations(&s, &root_at(&s, i)->record, root_at(&s, i), UINT32_MAX,
                             (struct stream[PGS_MAX_STREAMS]){0});
    gpu_run_strided(gpu, &dispatch, 1, record_at(&s, 0), s.count, sizeof(struct root));
    arena_compare(&s.arena, gpu, pass->is_fused ? "fused" : "stored", number);
    arena_close(&s.arena, gpu);
}

/* What xfb_program tells each chunk: how many primitives are in front of it. far: chunks behind the
 * first one hear that these are too many. */
static void model_prefixes(const struct scene *s, const struct root *root, bool far)
{
    const uint32_t streams_el = s->pass->variant->streams;
    const uint32_t each = chunk_el(gs_invocations_of(s, &root->record));
    for (uint32_t chunk = 0; chunk < PGS_CHUNKS; chunk++) {
        struct stream before[PGS_MAX_STREAMS] = {0}, first[PGS_MAX_STREAMS] = {0};
        if (!far)
            model_gs_invocations(s, &root->record, NULL, chunk * each, before);
        else if (chunk == 0)
            model_gs_invocations(s, &root->record, NULL, each, first);
        for (uint32_t i = 0; i < streams_el; i++) {
            const uint64_t at = root->capture.chunks + 8 * ((uint64_t)chunk * streams_el + i);
            arena_set_u32(&s->arena, at, (uint32_t)first[i].next);
            arena_set_u32(&s->arena, at + 4, far && chunk ? UINT32_MAX : (uint32_t)before[i].next);
        }
    }
}

/* All in chunks: of some records somebody has found memory, and they are left alone. With `far`
 * what the first chunk has is said to have been so much that the others have no places. */
static void run_chunks(struct gpu *gpu, const struct pass *pass, uint32_t vertex_count,
                       uint32_t number, bool far)
{
    struct scene s;
    make_scene(&s, gpu, pass, vertex_count);
    const uint32_t streams_el = pass->variant->streams;
    for (uint32_t i = 0; i < s.count; i++) {
        struct root *root = arena_at(&s.arena, s.roots + i * sizeof(*root));
        root->capture.chunks = arena_take(&s.arena, "sums", (size_t)PGS_CHUNKS * streams_el * 8, 8);
        if (far || gpu_random_below(4) != 0)
            root->record.gs_invocation_bound = 0;
        model_prefixes(&s, root, far);
    }
    arena_upload(&s.arena);
    s.counts = !far;
    for (uint32_t i = 0; i < s.count; i++) {
        const struct root *root = root_at(&s, i);
        if (root->record.gs_invocation_bound != 0)
            continue;
        for (uint32_t w = 0; w < PGS_CHUNKS * streams_el && !far; w++)
            arena_set_u32(&s.arena, root->capture.chunks + 8 * (uint64_t)w, 0);
        model_gs_invocations(&s, &root->record, root,
                             far ? chunk_el(gs_invocations_of(&s, &root->record)) : UINT32_MAX,
                             (struct stream[PGS_MAX_STREAMS]){0});
    }
    const struct gpu_dispatch dispatches[] = {{pass->pipeline, PGS_CHUNKS},
                                              {pass->pipeline, PGS_CHUNKS}};
    gpu_run_modes(gpu, dispatches + far,
                  (const uint32_t[]){PGS_CHUNKS_COUNT, PGS_CHUNKS_CAPTURE} + far, 2u - far,
                  record_at(&s, 0), s.count, sizeof(struct root));
    arena_compare(&s.arena, gpu, far ? "far chunks" : "chunks", number);
    arena_close(&s.arena, gpu);
}

/* What every GS invocation emits, if emits are static. */
static struct pgs_spv_emit_pattern pattern_of(const struct variant *v)
{
    struct pgs_spv_emit_pattern pattern = {.is_known = v->is_known};
    struct stream of[PGS_MAX_STREAMS] = {0};
    model_gs_invocation(NULL, v, NULL, &(struct gs_invocation){0}, of);
    for (uint32_t i = 0; v->is_known && i < PGS_MAX_STREAMS; i++)
        pattern.primitives[i] = (uint32_t)of[i].next;
    return pattern;
}

/* With the pattern of the model, whether that is found or not; what is found must be it. */
static void choose_pattern(struct gpu *gpu, const struct variant *v,
                           struct pgs_spv_geometry_info *info)
{
    const struct pgs_spv_emit_pattern pattern = pattern_of(v);
    if (info->pattern.is_known &&
        (!v->is_known ||
         memcmp(info->pattern.primitives, pattern.primitives, sizeof(pattern.primitives)) != 0))
        gpu_fail(gpu, "variant %u: the pattern is another one", (uint32_t)(v - variants));
    info->pattern = pattern;
}

/* glslang stores what a variable is at first when main begins. Other compilers say it of the
 * variable: so does this copy of the words of a shader with one such variable. */
static struct pgs_spv_shader with_initial_value(const struct variant *v, uint32_t *copy)
{
    uint32_t count = 5, variable[5] = {0};
    memcpy(copy, v->words, 5 * 4);
    for (size_t at = 5; at < v->size_B / 4; at += v->words[at] >> 16) {
        const uint32_t *ins = v->words + at, op = ins[0] & 0xFFFFu, length = ins[0] >> 16;
        if (op == SpvOpVariable && ins[3] == SpvStorageClassPrivate) {
            memcpy(variable, ins, 4 * 4);
            continue;
        }
        if (op == SpvOpStore && ins[1] == variable[2] && !variable[4]) {
            variable[4] = ins[2];
            continue;
        }
        memcpy(copy + count, ins, length * 4);
        count += length;
    }
    uint32_t at = 5;
    while ((copy[at] & 0xFFFFu) != SpvOpFunction)
        at += copy[at] >> 16;
    memmove(copy + at + 5, copy + at, (count - at) * 4);
    variable[0] = 5 << 16 | SpvOpVariable;
    memcpy(copy + at, variable, sizeof(variable));
    return (struct pgs_spv_shader){
        .words = copy, .word_count = count + 5, .entry_point = "main", .stage = PGS_SPV_GEOMETRY};
}

static void make_pass(struct gpu *gpu, const struct variant *v, bool is_fused, struct pass *pass)
{
    uint32_t *copy = malloc(v->size_B + 5 * 4);
    const struct pgs_spv_shader gs = with_initial_value(v, copy);
    const struct pgs_spv_shader vs = {.words = own_vert,
                                      .word_count = sizeof(own_vert) / 4,
                                      .entry_point = "main",
                                      .stage = PGS_SPV_VERTEX};
    struct pgs_spv_blob blob;
    *pass = (struct pass){.variant = v, .is_fused = is_fused};
    expect_ok(pgs_spv_geometry_info(&gs, &pass->info), "geometry info");
    choose_pattern(gpu, v, &pass->info);
    const struct pgs_spv_vertex_options options = {.out = pass->info.in};
    if (!v->is_known && pgs_spv_geometry_to_capture(NULL, &options, &gs, &pass->info, NULL,
                                                    &blob) != PGS_SPV_UNSUPPORTED)
        gpu_fail(gpu, "chunks need no vertex shader");
    expect_ok(
        pgs_spv_geometry_to_capture(is_fused ? &vs : NULL, &options, &gs, &pass->info, NULL, &blob),
        "geometry to capture");
    pass->pipeline = gpu_pipeline(gpu, blob.words, blob.word_count);
    pgs_spv_blob_free(&blob);
    free(copy);
}

/* Each GS invocation is said to have so many primitives that those of the third have no numbers: if
 * they wrapped around, they would be captured. */
static void run_far(struct gpu *gpu)
{
    const struct variant *v = &variants[0];
    const struct pgs_spv_shader gs = {.words = v->words,
                                      .word_count = v->size_B / 4,
                                      .entry_point = "main",
                                      .stage = PGS_SPV_GEOMETRY};
    struct pass pass = {.variant = v};
    struct pgs_spv_blob blob;
    struct scene s;
    expect_ok(pgs_spv_geometry_info(&gs, &pass.info), "geometry info");
    pass.info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {0x80000001}};
    expect_ok(pgs_spv_geometry_to_capture(NULL, NULL, &gs, &pass.info, NULL, &blob), "far");
    pass.pipeline = gpu_pipeline(gpu, blob.words, blob.word_count);
    pgs_spv_blob_free(&blob);

    struct root root = {.record = {.vertex_count = 5, .primitive_count = 5, .instance_count = 1}};
    const uint32_t space_el = 2 * MAX_VERTICES;
    s = (struct scene){.pass = &pass, .count = 1};
    arena_open(&s.arena, gpu, 65536);
    store_vertices(&s, &root.record);
    root.capture.written[0] = space_el;
    root.capture.target[0] = arena_take(&s.arena, "captured", (size_t)space_el * strides_B[0], 16);
    s.roots = arena_put(&s.arena, "records", &root, sizeof(root));
    arena_upload(&s.arena);
    struct stream of[PGS_MAX_STREAMS] = {0};
    const struct gs_invocation u = gs_invocation_at(&s, &root.record, 0);
    model_gs_invocation(&s, v, &root, &u, of);
    gpu_run(gpu, &(struct gpu_dispatch){pass.pipeline, 1}, 1, record_at(&s, 0));
    arena_compare(&s.arena, gpu, "far", 0);
    arena_close(&s.arena, gpu);
}

static void run_known(struct gpu *gpu, const struct variant *v)
{
    static const uint32_t counts[] = {0, 1, 3, 4, 63, 64, 65, 200, 700};
    for (uint32_t fused = 0; fused < 2; fused++) {
        struct pass pass;
        make_pass(gpu, v, fused, &pass);
        for (uint32_t i = 0; i < 3 * sizeof(counts) / sizeof(counts[0]); i++)
            run(gpu, &pass, counts[i / 3], (uint32_t)(v - variants) * 100 + i);
    }
}

static void run_unknown(struct gpu *gpu, const struct variant *v)
{
    static const uint32_t counts[] = {0, 3, 64, 200, 700, 1500};
    struct pass pass;
    make_pass(gpu, v, true, &pass);
    for (uint32_t i = 0; i < 4 * sizeof(counts) / sizeof(counts[0]); i++)
        run_chunks(gpu, &pass, counts[i / 4], (uint32_t)(v - variants) * 100 + i, i % 4 == 3);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if (variants[i].is_known)
            run_known(&gpu, &variants[i]);
        else
            run_unknown(&gpu, &variants[i]);
    }
    run_far(&gpu);
    return gpu_close(&gpu);
}
