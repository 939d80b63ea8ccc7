/* SPDX-License-Identifier: MIT
 *
 * lib/listing.glsl: the lists that geometry shaders write of what they emit, for one record and for
 * several in a row, with workgroups that run at once, in order, in any other order, and again, of
 * vertices in a row or spread. The model reads what they emitted, which test_geometry.c checks.
 */
#include "../../shaders/lib/topology.glsl"
#include "geometry_test_1_1.h"
#include "geometry_test_2_1.h"
#include "geometry_test_3_1.h"
#include "geometry_test_4_1.h"
#include "harness.h"
#include "poly_gs/listing.h"
#include "poly_gs/places.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 0xA5A5A5A5u
#define OUT_W 12
#define RESTART 0xFFFFFFFFu
#define FIRST_INDEX 7
#define VERTEX_OFFSET 11
#define ARGS 5
#define SPREAD_EL 4 /* PGS_SPREAD_EL of out_vertices.glsl */

struct variant {
    VkPipeline pipeline;
    uint32_t topology, inputs, invocations, max_vertices, kind;
};

struct scene {
    const struct variant *variant;
    uint32_t records, gs_invocations; /* of each record */
    bool spread;
    struct gpu_buffer *record, *vertices, *out_vertices, *strip_ends, *counts, *indices, *args;
    struct gpu_buffer *listing;
};

static uint32_t ends_w(const struct variant *v)
{
    return gpu_div_up(v->max_vertices, 32);
}

/* With a restart index behind the shortest strips. */
static size_t most_indices(const struct scene *s)
{
    return (size_t)s->records * s->gs_invocations * s->variant->max_vertices * 2;
}

static uint32_t groups(const struct scene *s)
{
    return gpu_div_up(s->gs_invocations, PGS_SHADER_GROUP_EL);
}

static void make_records(const struct scene *s)
{
    const struct variant *v = s->variant;
    const uint32_t primitives = gpu_div_up(s->gs_invocations, v->invocations);
    struct pgs_draw_record r = {
        .flags = PGS_DRAW_SELF_LISTED | (s->spread ? PGS_DRAW_SPREAD : 0),
        .topology = v->topology,
        .vertex_count = primitives * v->inputs,
        .instance_count = 1,
        .primitive_count = primitives,
        .invocations = v->invocations,
        .max_vertices = v->max_vertices,
        .out_kind = v->kind,
        .stream_count = 1,
        .gs_invocation_bound = s->gs_invocations,
        .vertices = s->vertices->address,
        .out_vertices = s->out_vertices->address,
        .strip_ends = s->strip_ends->address,
        .counts = s->counts->address,
        .indices = s->indices->address,
        .draw_args = s->args->address,
        .first_index = FIRST_INDEX,
        .vertex_offset = VERTEX_OFFSET,
        .grids = s->listing->address,
    };
    for (uint32_t i = 0; i < s->records; i++) {
        memcpy((struct pgs_draw_record *)s->record->map + i, &r, sizeof(r));
        r.packed_vertices++;
        r.vertices += (uint64_t)r.vertex_count * 16;
        r.out_vertices += (uint64_t)s->gs_invocations * v->max_vertices * OUT_W * 4;
        r.strip_ends += (uint64_t)s->gs_invocations * ends_w(v) * 4;
        r.counts += (uint64_t)s->gs_invocations * 4;
        r.indices = r.draw_args = r.grids = 0; /* of the first one only */
    }
}

static void make(struct gpu *gpu, struct scene *s, uint32_t patience)
{
    const struct variant *v = s->variant;
    const size_t all = (size_t)s->records * s->gs_invocations;
    const size_t vertex_count = (all + s->records * v->invocations) * v->inputs;
    s->record = gpu_buffer(gpu, s->records * sizeof(struct pgs_draw_record), 0);
    s->vertices = gpu_buffer(gpu, vertex_count * 16, 0);
    s->out_vertices = gpu_buffer(gpu, all * v->max_vertices * OUT_W * 4, 0xA5);
    s->strip_ends = gpu_buffer(gpu, all * ends_w(v) * 4, 0xA5);
    s->counts = gpu_buffer(gpu, all * 4, 0xA5);
    s->indices = gpu_buffer(gpu, (most_indices(s) + 1) * 4, 0xA5);
    s->args = gpu_buffer(gpu, (ARGS + 1) * 4, 0xA5);
    s->listing = gpu_buffer(
        gpu, sizeof(struct pgs_listing) + (size_t)s->records * groups(s) * sizeof(uint32_t), 0);
    for (size_t i = 0; i < vertex_count * 4; i++)
        ((uint32_t *)s->vertices->map)[i] = gpu_random();
    struct pgs_listing *listing = s->listing->map;
    listing->groups = s->records * groups(s);
    listing->patience = patience;
    make_records(s);
}

/* Where a GS invocation, by its number in the list, has a vertex. */
static uint32_t place(const struct scene *s, size_t number, uint32_t n)
{
    const uint32_t most = s->variant->max_vertices;
    const uint32_t in_record = (uint32_t)(number % s->gs_invocations);
    const uint32_t lane = in_record % SPREAD_EL, rest = s->gs_invocations - in_record + lane;
    if (!s->spread)
        return (uint32_t)number * most + n;
    return (uint32_t)(number - lane) * most + lane + n * (rest < SPREAD_EL ? rest : SPREAD_EL);
}

/* Adds the indices of one GS invocation. Returns how many there are then. */
static size_t list_one(const struct scene *s, size_t number, uint32_t *list, size_t count)
{
    const struct variant *v = s->variant;
    const uint32_t *ends = (const uint32_t *)s->strip_ends->map + number * ends_w(v);
    const uint32_t emitted = ((const uint32_t *)s->counts->map)[number] >> 16;
    size_t strip = count;
    for (uint32_t n = 0; n < emitted; n++) {
        list[count++] = place(s, number, n);
        if (v->kind == 1 || !(ends[n / 32] >> n % 32 & 1))
            continue;
        if (count - strip < v->kind)
            count = strip;
        else
            list[count++] = RESTART;
        strip = count;
    }
    return count;
}

static void check(struct gpu *gpu, const struct scene *s, const char *what)
{
    const size_t all = (size_t)s->records * s->gs_invocations;
    uint32_t *list = malloc((most_indices(s) + 1) * 4);
    size_t count = 0;
    for (size_t i = 0; i < all; i++)
        count = list_one(s, i, list, count);
    const uint32_t args[ARGS + 1] = {(uint32_t)count, 1, FIRST_INDEX, VERTEX_OFFSET, 0, GUARD};
    for (size_t i = count; i <= most_indices(s); i++)
        list[i] = GUARD;
    if (memcmp(list, s->indices->map, (most_indices(s) + 1) * 4) != 0)
        gpu_fail(gpu, "%s, %u records of %u, kind %u: the list differs", what, s->records,
                 s->gs_invocations, s->variant->kind);
    if (memcmp(args, s->args->map, sizeof(args)) != 0)
        gpu_fail(gpu, "%s, %u records of %u, kind %u: the arguments differ", what, s->records,
                 s->gs_invocations, s->variant->kind);
    const struct pgs_listing *listing = s->listing->map;
    const uint32_t *words = (const uint32_t *)(listing + 1);
    uint32_t left = listing->gone;
    for (uint32_t i = 0; i < listing->groups; i++)
        left |= words[i];
    if (left)
        gpu_fail(gpu, "%s, %u records of %u: the listing is not zero again", what, s->records,
                 s->gs_invocations);
    memset(s->indices->map, 0xA5, (most_indices(s) + 1) * 4);
    memset(s->args->map, 0xA5, sizeof(args));
    free(list);
}

/* Runs the records one after the other: by steps of `step` from the last one on, which has no
 * divisor in common with their number. */
static void run_apart(struct gpu *gpu, const struct scene *s, uint32_t step)
{
    const uint32_t stride_B = sizeof(struct pgs_draw_record);
    for (uint32_t i = 0; i < s->records; i++) {
        const uint32_t number = (s->records - 1 + i * step) % s->records;
        gpu_run_strided(gpu, &(struct gpu_dispatch){s->variant->pipeline, groups(s)}, 1,
                        s->record->address + (uint64_t)number * stride_B, 1, stride_B);
    }
}

static void run_scene(struct gpu *gpu, const struct variant *v, uint32_t records,
                      uint32_t gs_invocations, uint32_t patience, bool spread)
{
    struct scene s = {
        .variant = v, .records = records, .gs_invocations = gs_invocations, .spread = spread};
    make(gpu, &s, patience);
    for (uint32_t again = 0; again < 3; again++) {
        gpu_run_strided(gpu, &(struct gpu_dispatch){v->pipeline, groups(&s) + again}, 1,
                        s.record->address, records, sizeof(struct pgs_draw_record));
        check(gpu, &s, "at once");
    }
    if (records > 1) {
        run_apart(gpu, &s, records - 1);
        check(gpu, &s, "backwards");
        run_apart(gpu, &s, 3);
        check(gpu, &s, "in disorder");
    }
    gpu_release_buffers(gpu);
}

static void run(struct gpu *gpu, const struct variant *v, uint32_t records, uint32_t gs_invocations,
                uint32_t patience)
{
    run_scene(gpu, v, records, gs_invocations, patience, false);
    run_scene(gpu, v, records, gs_invocations, patience, true);
}

/* Without a listing, or without the flag, nothing is listed. */
static void run_unlisted(struct gpu *gpu, const struct variant *v, bool flag)
{
    struct scene s = {.variant = v, .records = 1, .gs_invocations = 70};
    make(gpu, &s, 1);
    struct pgs_draw_record *record = s.record->map;
    if (flag)
        record->grids = 0;
    else
        record->flags = 0;
    gpu_run(gpu, &(struct gpu_dispatch){v->pipeline, groups(&s)}, 1, s.record->address);
    if (*(const uint32_t *)s.indices->map != GUARD || *(const uint32_t *)s.args->map != GUARD)
        gpu_fail(gpu, "listed without %s", flag ? "a listing" : "the flag");
    gpu_release_buffers(gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
#define PIPELINE(name) gpu_pipeline(&gpu, name, sizeof(name) / 4)
    /* As CMakeLists.txt compiles them. */
    const struct variant variants[] = {
        {PIPELINE(geometry_test_1_1), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 1, 1, 5, 1},
        {PIPELINE(geometry_test_2_1), VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 2, 2, 40, 2},
        {PIPELINE(geometry_test_3_1), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 3, 1, 70, 3},
        {PIPELINE(geometry_test_4_1), VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 4, 1, 3, 2},
    };
    static const uint32_t sizes[] = {1, 63, 64, 65, 130, 256}, patience[] = {0, 1, 1000};
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            run(&gpu, &variants[i], 1, sizes[k], patience[k % 3]);
            run(&gpu, &variants[i], 2 + 3 * (uint32_t)(k % 3), sizes[k], patience[(k + i) % 3]);
        }
        run(&gpu, &variants[i], 1, PGS_LISTING_GROUPS * PGS_SHADER_GROUP_EL / 8, patience[i % 3]);
        run(&gpu, &variants[i], PGS_LISTING_GROUPS, 3, 0);
        run_unlisted(&gpu, &variants[i], true);
        run_unlisted(&gpu, &variants[i], false);
    }
    return gpu_close(&gpu);
}
