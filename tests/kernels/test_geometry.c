/* SPDX-License-Identifier: MIT
 *
 * lib/geometry.glsl: input assembly of every topology, with and without restart, emission with
 * strips of all lengths in one stream and in several that interleave, draws in several records, and
 * strips that lie behind a plane and are left out.
 * The model follows shaders/geometry_main.glsl.
 */
#include "../../shaders/lib/topology.glsl"
#include "geometry_test_1_1.h"
#include "geometry_test_1_4.h"
#include "geometry_test_2_1.h"
#include "geometry_test_2_3.h"
#include "geometry_test_3_1.h"
#include "geometry_test_3_4.h"
#include "geometry_test_4_1.h"
#include "geometry_test_4_2.h"
#include "geometry_test_6_1.h"
#include "geometry_test_6_3.h"
#include "harness.h"
#include "poly_gs/planes.h"
#include "poly_gs/tessellation.h"

#include <stdbool.h>
#include <stdlib.h>

#define GUARD 0xA5A5A5A5u
#define OUT_W 12
#define MAX_CUT_WORDS 4
#define MAX_EMITS 128

struct variant {
    VkPipeline pipeline;
    uint32_t inputs, invocations, max_vertices, kind, streams;
    bool holds; /* vertices are stored when their strip ends */
};

struct gs_invocation {
    uint32_t emitted, index_count, primitives[PGS_MAX_STREAMS];
    uint32_t strip_ends[3][MAX_CUT_WORDS]; /* ends of strips, low and high bits of streams */
    uint32_t open_el[PGS_MAX_STREAMS], newest[PGS_MAX_STREAMS];
    uint32_t numbers[MAX_EMITS]; /* by slot: which of the emits its vertex is */
    uint32_t most;               /* slots that had a vertex at any time */
    uint32_t culled, outside;
};

struct scene {
    const struct variant *variant;
    struct pgs_draw_record record;
    struct pgs_primitive *list;            /* restart only */
    uint32_t (*vertices_per_primitive)[4]; /* tessellation only: vertices and the patch */
    uint32_t primitives;                   /* exact, per instance; of a tessellation all */
};

/* Of all scenes, so that there are some: strips that were left out, and those across two words. */
static uint32_t culled_strips, culled_words;

static uint32_t hash(uint32_t value)
{
    const uint32_t mixed = (value ^ value >> 15) * 0x2C1B3C6Du;
    return (mixed ^ mixed >> 12) * 0x297A2D39u >> 8;
}

static uint32_t vertex_tag(uint32_t vertex)
{
    return vertex * 2654435761u + 17;
}

static void input_tags(const struct scene *s, uint32_t instance, uint32_t primitive,
                       uint32_t tags[6])
{
    for (uint32_t k = 0; k < 6 && s->vertices_per_primitive; k++)
        tags[k] = vertex_tag(
            s->vertices_per_primitive[primitive]
                                     [k < s->variant->inputs ? k : s->variant->inputs - 1]);
    if (s->vertices_per_primitive)
        return;
    uint32_t start = 0, i = primitive;
    bool last = primitive + 1 == s->primitives;
    if (s->list) {
        start = s->list[primitive].segment_start;
        i = s->list[primitive].index_in_segment & ~PGS_PRIMITIVE_LAST;
        last = (s->list[primitive].index_in_segment & PGS_PRIMITIVE_LAST) != 0;
    }
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t input = k < s->variant->inputs ? k : s->variant->inputs - 1;
        const uint32_t vertex = pgs_topology_vertex(
            s->record.topology, i, input, last, (s->record.flags & PGS_DRAW_PROVOKING_LAST) != 0);
        tags[k] = vertex_tag(instance * s->record.vertex_count + start + vertex);
    }
}

/* As the shader's. */
static void make_position(uint32_t seed, uint32_t n, float position[4])
{
    static const uint32_t beyond[] = {0x40400000, 0x7F800000, 0x3F800001, 0x40000000};
    static const uint32_t edges[] = {0x3F800000, 0x7FC00000, 0xBF800000};
    const uint32_t h = hash(seed ^ (n / 6 * 977)), own = hash(seed + 7 * n);
    uint32_t p[4] = {0, 0, 0x3F000000, own % 32 == 0 ? 0xBF800000 : 0x3F800000};
    if (own % 16 != 1)
        p[h % 3] = beyond[own / 64 % 4] | h / 3 % 2 << 31;
    if (own % 16 == 2)
        p[h % 3] = edges[own % 3];
    memcpy(position, p, sizeof(p));
}

/* Planes of the record behind which a vertex lies. */
static uint32_t outside(const struct scene *s, const float p[4])
{
    return s->record.flags &
           ((p[0] < -p[3] ? PGS_DRAW_PLANE_LEFT : 0) | (p[0] > p[3] ? PGS_DRAW_PLANE_RIGHT : 0) |
            (p[1] < -p[3] ? PGS_DRAW_PLANE_TOP : 0) | (p[1] > p[3] ? PGS_DRAW_PLANE_BOTTOM : 0) |
            (p[2] > p[3] ? PGS_DRAW_PLANE_FAR : 0) | (p[2] < 0 ? PGS_DRAW_PLANE_NEAR : 0) |
            (p[2] < -p[3] ? PGS_DRAW_PLANE_BEGIN : 0));
}

/* True if the open strip was left out: what is emitted next takes its slots. */
static bool cull_strip(const struct scene *s, struct gs_invocation *u)
{
    const bool is_culled = s->variant->streams == 1 && u->outside && u->open_el[0];
    u->outside = s->record.flags & PGS_DRAW_PLANES;
    if (!is_culled)
        return false;
    culled_strips++;
    culled_words += (u->emitted - u->open_el[0]) / 32 != (u->emitted - 1) / 32;
    u->culled += u->open_el[0];
    u->emitted -= u->open_el[0];
    u->open_el[0] = 0;
    return true;
}

static void end_strip(const struct scene *s, struct gs_invocation *u, uint32_t stream)
{
    const uint32_t length_el = u->open_el[stream], kind = s->variant->kind;
    if (kind == 1 || cull_strip(s, u) || length_el == 0)
        return;
    u->most = u->emitted > u->most ? u->emitted : u->most;
    u->strip_ends[0][u->newest[stream] / 32] |= 1u << u->newest[stream] % 32;
    if (length_el >= kind) {
        u->primitives[stream] += length_el - kind + 1;
        u->index_count += stream == s->record.raster_stream ? length_el + 1 : 0;
    }
    u->open_el[stream] = 0;
}

static void emit(const struct scene *s, struct gs_invocation *u, uint32_t stream)
{
    const uint32_t n = u->emitted++;
    if (!s->variant->holds && u->emitted > u->most)
        u->most = u->emitted;
    u->strip_ends[1][n / 32] |= (stream & 1) << n % 32;
    u->strip_ends[2][n / 32] |= stream >> 1 << n % 32;
    u->open_el[stream]++;
    u->newest[stream] = n;
    if (s->variant->kind == 1) {
        u->primitives[stream]++;
        u->index_count += stream == s->record.raster_stream;
    }
}

static void check_slot(struct gpu *gpu, const struct scene *s, const uint32_t tags[6],
                       uint32_t primitive, uint32_t invocation, uint32_t n, const uint32_t *slot)
{
    const uint32_t last = tags[s->variant->inputs - 1];
    const uint32_t expected[OUT_W] = {tags[0], tags[1], tags[2],     tags[3],
                                      tags[4], tags[5], primitive,   invocation,
                                      last,    ~last,   last ^ 255u, last + n};
    if (memcmp(slot, expected, sizeof(expected)) != 0)
        gpu_fail(gpu,
                 "topology %u, primitive %u, invocation %u, vertex %u: {%x %x %x %x %x %x, %u %u}",
                 s->record.topology, primitive, invocation, n, slot[0], slot[1], slot[2], slot[3],
                 slot[4], slot[5], slot[6], slot[7]);
}

/* Where the vertices of a GS invocation are. */
struct places {
    const uint32_t *out_vertices, *packed; /* packed: their numbers; NULL: they follow each other */
    uint8_t *used;                         /* by number */
};

static const uint32_t *stored_vertex(struct gpu *gpu, const struct scene *s,
                                     const struct places *places, uint32_t n)
{
    const uint32_t place = places->packed ? places->packed[n] : n;
    if (!places->packed)
        return places->out_vertices + (size_t)n * OUT_W;
    const size_t most = (size_t)s->record.gs_invocation_bound * s->variant->max_vertices;
    if (place >= most || places->used[place]++) {
        gpu_fail(gpu, "topology %u: vertex %u is the packed one %u, as another one is",
                 s->record.topology, n, place);
        return places->out_vertices;
    }
    return places->out_vertices + (size_t)place * OUT_W;
}

static struct gs_invocation model_gs_invocation(struct gpu *gpu, const struct scene *s,
                                                uint32_t number, const struct places *places)
{
    const struct variant *v = s->variant;
    const uint32_t invocation = number % v->invocations, in_order = number / v->invocations;
    struct gs_invocation gs_invocation = {0};
    const uint32_t instances = s->vertices_per_primitive ? 1 : s->record.instance_count;
    if (s->primitives == 0 || in_order >= s->primitives * instances)
        return gs_invocation;
    uint32_t tags[6];
    input_tags(s, in_order / s->primitives, in_order % s->primitives, tags);
    uint32_t primitive_id = in_order % s->primitives;
    if (s->vertices_per_primitive)
        primitive_id = s->vertices_per_primitive[in_order][3] % s->record.primitive_count;
    const uint32_t seed = hash(tags[0] + invocation), emits = seed % (v->max_vertices + 3);
    gs_invocation.outside = s->record.flags & PGS_DRAW_PLANES;
    for (uint32_t n = 0; n < emits; n++) {
        if (gs_invocation.emitted + gs_invocation.culled < v->max_vertices) {
            float position[4];
            make_position(seed, n, position);
            gs_invocation.outside &= outside(s, position);
            gs_invocation.numbers[gs_invocation.emitted] = n;
            emit(s, &gs_invocation, hash(seed ^ n) % v->streams);
        }
        if (v->holds && gs_invocation.open_el[0] == PGS_HELD_EL)
            end_strip(s, &gs_invocation, 0);
        if (seed % 5 != 0 && hash(seed + n) % 8 < 3)
            end_strip(s, &gs_invocation, hash(seed + 3 * n) % v->streams);
    }
    for (uint32_t stream = 0; stream < v->streams; stream++)
        end_strip(s, &gs_invocation, stream);
    for (uint32_t slot = 0; slot < gs_invocation.emitted; slot++)
        check_slot(gpu, s, tags, primitive_id, invocation, gs_invocation.numbers[slot],
                   stored_vertex(gpu, s, places, slot));
    return gs_invocation;
}

static bool packs(const struct scene *s)
{
    return (s->record.flags & PGS_DRAW_PACKED) != 0;
}

static uint32_t planes_w(const struct scene *s)
{
    return (s->variant->streams > 1 ? 3 : 1) * gpu_div_up(s->variant->max_vertices, 32);
}

/* Words of strip_ends for each GS invocation. */
static uint32_t strip_ends_w(const struct scene *s)
{
    return planes_w(s) + (packs(s) ? s->variant->max_vertices : 0);
}

/* Words beyond the last emitted vertex, the ends of points and streams where there is one are not
 * written. */
static void check_cuts(struct gpu *gpu, const struct scene *s, uint32_t place,
                       const struct gs_invocation *gs_invocation, const uint32_t *strip_ends)
{
    const uint32_t planes = s->variant->streams > 1 ? 3 : 1;
    const uint32_t words = gpu_div_up(s->variant->max_vertices, 32);
    const uint32_t *own = strip_ends + (size_t)place * strip_ends_w(s);
    for (uint32_t plane = s->variant->kind == 1; plane < planes; plane++) {
        if (memcmp(own + (size_t)plane * words, gs_invocation->strip_ends[plane],
                   gpu_div_up(gs_invocation->emitted, 32) * 4) != 0)
            gpu_fail(gpu, "topology %u, GS invocation %u+%u: plane %u of strip ends differs",
                     s->record.topology, s->record.gs_invocation_first, place, plane);
    }
}

static void check_counts(struct gpu *gpu, const struct scene *s, uint32_t place,
                         const struct gs_invocation *gs_invocation, const uint32_t *counts,
                         const uint32_t *primitives)
{
    if (counts[place] != (gs_invocation->index_count | gs_invocation->emitted << 16))
        gpu_fail(gpu, "topology %u, GS invocation %u+%u: counts %x, not %u of %u",
                 s->record.topology, s->record.gs_invocation_first, place, counts[place],
                 gs_invocation->index_count, gs_invocation->emitted);
    for (uint32_t stream = 0; stream < s->variant->streams && s->record.primitives; stream++) {
        const uint32_t got = primitives[(size_t)stream * s->record.gs_invocation_bound + place];
        if (got != gs_invocation->primitives[stream])
            gpu_fail(gpu, "topology %u, GS invocation %u+%u: %u primitives of stream %u, not %u",
                     s->record.topology, s->record.gs_invocation_first, place, got, stream,
                     gs_invocation->primitives[stream]);
    }
}

static void check_unwritten(struct gpu *gpu, const struct scene *s, uint32_t place,
                            const uint32_t *out_vertices, size_t first, size_t end)
{
    for (size_t w = first * OUT_W; w < end * OUT_W; w++) {
        if (out_vertices[w] != GUARD)
            gpu_fail(gpu, "topology %u, GS invocation %u: written beyond what it emitted",
                     s->record.topology, place);
    }
}

/* The emitted vertices lie without a gap: all have numbers below their count, each its own. Only
 * the last ones of a GS invocation may have been left out. */
static void check_packed(struct gpu *gpu, const struct scene *s, const uint32_t *out_vertices,
                         uint32_t emitted, uint32_t counted)
{
    const uint32_t most = s->record.gs_invocation_bound * s->variant->max_vertices;
    if (counted != emitted)
        gpu_fail(gpu, "topology %u: %u vertices are packed of %u", s->record.topology, counted,
                 emitted);
    check_unwritten(gpu, s, 0, out_vertices, emitted, most);
}

static void check_record(struct gpu *gpu, const struct scene *s, const uint32_t *out_vertices,
                         const uint32_t *strip_ends, const uint32_t *counts,
                         const uint32_t *primitives, uint32_t packed_vertices)
{
    const struct variant *v = s->variant;
    const size_t most = (size_t)s->record.gs_invocation_bound * v->max_vertices;
    uint8_t *used = calloc(most + 1, 1);
    uint32_t emitted = 0;
    for (uint32_t place = 0; place < s->record.gs_invocation_bound; place++) {
        const struct places places = {
            .out_vertices =
                packs(s) ? out_vertices : out_vertices + (size_t)place * v->max_vertices * OUT_W,
            .packed = packs(s) ? strip_ends + (size_t)place * strip_ends_w(s) + planes_w(s) : NULL,
            .used = used,
        };
        const struct gs_invocation gs_invocation =
            model_gs_invocation(gpu, s, s->record.gs_invocation_first + place, &places);
        check_counts(gpu, s, place, &gs_invocation, counts, primitives);
        check_cuts(gpu, s, place, &gs_invocation, strip_ends);
        if (!packs(s))
            check_unwritten(gpu, s, place, places.out_vertices, gs_invocation.most,
                            v->max_vertices);
        emitted += gs_invocation.most;
    }
    free(used);
    if (packs(s))
        check_packed(gpu, s, out_vertices, emitted, packed_vertices);
    if (counts[s->record.gs_invocation_bound] != GUARD)
        gpu_fail(gpu, "topology %u: counts written beyond the bound", s->record.topology);
    if (primitives[s->record.primitives ? v->streams * s->record.gs_invocation_bound : 0] != GUARD)
        gpu_fail(gpu, "topology %u: primitives written beyond the bound", s->record.topology);
}

/* Runs of random length, as restart_emit writes them. */
static void make_list(struct scene *s)
{
    const uint32_t topology = s->record.topology, count = s->record.vertex_count;
    s->list = calloc(count + 1, sizeof(*s->list));
    s->primitives = 0;
    for (uint32_t start = 0, end; start < count; start = end + 1) {
        end = start + gpu_random_below(24);
        end = end < count ? end : count;
        const uint32_t primitives = pgs_topology_primitives(topology, end - start);
        for (uint32_t i = 0; i < primitives; i++) {
            const bool last = topology == PGS_TRIANGLE_STRIP_ADJACENCY && i + 1 == primitives;
            s->list[s->primitives++] =
                (struct pgs_primitive){start, i | (last ? PGS_PRIMITIVE_LAST : 0)};
        }
    }
}

/* Nothing else is to be read than what the tessellation names. */
static void put_tessellation(struct gpu *gpu, struct scene *s, uint64_t vertices)
{
    struct gpu_buffer *vertices_per_primitive =
        gpu_buffer(gpu, (s->primitives + 1) * sizeof(*s->vertices_per_primitive), 0xA5);
    struct gpu_buffer *tessellation = gpu_buffer(gpu, sizeof(struct pgs_tessellation), 0);
    const struct pgs_tessellation filled = {
        .coords = vertices, /* there is memory; only evaluation shaders read them */
        .vertices = vertices,
        .primitives = vertices_per_primitive->address,
        .primitive_count = s->primitives,
    };
    memcpy(vertices_per_primitive->map, s->vertices_per_primitive,
           s->primitives * sizeof(*s->vertices_per_primitive));
    memcpy(tessellation->map, &filled, sizeof(filled));
    s->record.vertices = 0;
    s->record.tessellation = tessellation->address;
}

/* One record of the draw: GS invocations gs_invocation_first .. gs_invocation_first +
 * gs_invocation_bound.
 */
static void run_record(struct gpu *gpu, struct scene *s, uint32_t gs_invocation_first,
                       uint32_t gs_invocation_bound)
{
    const struct variant *v = s->variant;
    struct pgs_draw_record *r = &s->record;
    const uint32_t vertex_count = r->vertex_count * r->instance_count;
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(*r), 0);
    struct gpu_buffer *vertices = gpu_buffer(gpu, (size_t)vertex_count * 16 + 16, 0);
    struct gpu_buffer *list = gpu_buffer(gpu, (r->vertex_count + 1) * sizeof(*s->list), 0xA5);
    struct gpu_buffer *count = gpu_buffer(gpu, 4, 0);
    struct gpu_buffer *out_vertices =
        gpu_buffer(gpu, ((size_t)gs_invocation_bound * v->max_vertices + 1) * OUT_W * 4, 0xA5);
    struct gpu_buffer *strip_ends =
        gpu_buffer(gpu, (size_t)(gs_invocation_bound + 1) * (strip_ends_w(s) + 3) * 4, 0xA5);
    struct gpu_buffer *counts = gpu_buffer(gpu, (gs_invocation_bound + 1) * 4, 0xA5);
    struct gpu_buffer *primitives =
        gpu_buffer(gpu, (gs_invocation_bound * v->streams + 1) * 4, 0xA5);
    for (uint32_t i = 0; i < vertex_count; i++) {
        const uint32_t tag = vertex_tag(i), words[4] = {tag, ~tag, tag ^ 255u, tag};
        memcpy((uint8_t *)vertices->map + (size_t)i * 16, words, 16);
    }
    if (s->list)
        memcpy(list->map, s->list, s->primitives * sizeof(*s->list));
    memcpy(count->map, &s->primitives, 4);

    r->vertices = vertices->address;
    if (s->vertices_per_primitive)
        put_tessellation(gpu, s, vertices->address);
    r->primitive_list = list->address;
    r->restart_count = count->address;
    r->out_vertices = out_vertices->address;
    r->strip_ends = strip_ends->address;
    r->counts = counts->address;
    r->primitives = gpu_random_below(4) == 0 ? 0 : primitives->address;
    r->raster_stream = gpu_random_below(v->streams + 1) % PGS_MAX_STREAMS;
    r->gs_invocation_first = gs_invocation_first;
    r->gs_invocation_bound = gs_invocation_bound;
    memcpy(record->map, r, sizeof(*r));
    const uint32_t groups = gpu_div_up(gs_invocation_bound, PGS_SHADER_GROUP_EL);
    gpu_run(gpu, &(struct gpu_dispatch){v->pipeline, groups}, 1, record->address);
    check_record(gpu, s, out_vertices->map, strip_ends->map, counts->map, primitives->map,
                 ((const struct pgs_draw_record *)record->map)->packed_vertices);
    gpu_release_buffers(gpu);
}

static void run_draw(struct gpu *gpu, const struct variant *v, uint32_t topology,
                     uint32_t vertex_count, bool restart)
{
    struct scene s = {
        .variant = v,
        .primitives = pgs_topology_primitives(topology, vertex_count),
        .record =
            {
                .flags = (restart ? PGS_DRAW_INDEXED | PGS_DRAW_RESTART : 0) |
                         (gpu_random() % 2 ? PGS_DRAW_PROVOKING_LAST : 0) |
                         (gpu_random() % 2 ? PGS_DRAW_PACKED : 0) |
                         (v->streams > 1 ? PGS_DRAW_STREAMS : 0),
                .topology = topology,
                .vertex_count = vertex_count,
                .instance_count = 1 + gpu_random_below(3),
                .primitive_count = pgs_topology_primitives(topology, vertex_count),
                .invocations = v->invocations,
                .max_vertices = v->max_vertices,
                .out_kind = v->kind,
                .stream_count = v->streams,
            },
    };
    s.record.flags |= (gpu_random() << PGS_DRAW_PLANES_LOG2) & PGS_DRAW_PLANES;
    const uint32_t gs_invocations = s.record.instance_count * s.primitives * v->invocations;
    if (restart)
        make_list(&s);
    run_record(gpu, &s, 0, gs_invocations);
    run_record(gpu, &s, gs_invocations / 3, gs_invocations - gs_invocations / 3);
    free(s.list);
}

/* Patches of all instances, some of which give nothing. */
static void run_tessellated(struct gpu *gpu, const struct variant *v, uint32_t primitives)
{
    struct scene s = {
        .variant = v,
        .primitives = primitives,
        .record =
            {
                .flags = PGS_DRAW_TESSELLATED | (gpu_random() % 2 ? PGS_DRAW_PACKED : 0) |
                         (v->streams > 1 ? PGS_DRAW_STREAMS : 0),
                .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                .vertex_count = 10 + gpu_random_below(200),
                .instance_count = 1 + gpu_random_below(3),
                .primitive_count = 1 + gpu_random_below(9),
                .invocations = v->invocations,
                .max_vertices = v->max_vertices,
                .out_kind = v->kind,
                .stream_count = v->streams,
            },
    };
    s.vertices_per_primitive = calloc(primitives + 1, sizeof(*s.vertices_per_primitive));
    for (uint32_t i = 0; i < primitives; i++) {
        for (uint32_t k = 0; k < 3; k++)
            s.vertices_per_primitive[i][k] = gpu_random_below(s.record.vertex_count);
        s.vertices_per_primitive[i][3] =
            i * s.record.primitive_count * s.record.instance_count / primitives;
    }
    run_record(gpu, &s, 0, primitives * v->invocations);
    run_record(gpu, &s, 0, primitives * v->invocations + 70); /* more than there are */
    free(s.vertices_per_primitive);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
#define PIPELINE(name) gpu_pipeline(&gpu, name, sizeof(name) / 4)
    /* inputs, invocations, max_vertices, kind, streams, whether it holds: as CMakeLists.txt
     * compiles them */
    const struct variant variants[][2] = {
        {{PIPELINE(geometry_test_1_1), 1, 1, 5, 1, 1, false},
         {PIPELINE(geometry_test_1_4), 1, 1, 100, 1, 4, false}},
        {{PIPELINE(geometry_test_2_1), 2, 2, 40, 2, 1, false},
         {PIPELINE(geometry_test_2_3), 2, 2, 70, 2, 3, false}},
        {{PIPELINE(geometry_test_3_1), 3, 1, 70, 3, 1, false},
         {PIPELINE(geometry_test_3_4), 3, 1, 100, 3, 4, false}},
        {{PIPELINE(geometry_test_4_1), 4, 1, 3, 2, 1, false},
         {PIPELINE(geometry_test_4_2), 4, 3, 5, 2, 2, false}},
        {{PIPELINE(geometry_test_6_1), 6, 3, 33, 3, 1, true},
         {PIPELINE(geometry_test_6_3), 6, 1, 33, 3, 3, false}},
    };
    static const uint8_t variant_of_topology[10] = {0, 1, 1, 2, 2, 2, 3, 3, 4, 4};
    static const uint32_t counts[] = {0, 1, 6, 7, 8, 11, 64, 65, 200};
    for (uint32_t topology = 0; topology < 10; topology++) {
        const struct variant *v = variants[variant_of_topology[topology]];
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]) * 2; i++) {
            run_draw(&gpu, &v[i % 2], topology, counts[i / 2], false);
            run_draw(&gpu, &v[i % 2], topology, counts[i / 2], true);
        }
    }
    for (size_t i = 0; i < 6; i++) {
        run_tessellated(&gpu, &variants[i / 2][i % 2], 0);
        run_tessellated(&gpu, &variants[i / 2][i % 2], 1);
        run_tessellated(&gpu, &variants[i / 2][i % 2], 333);
    }
    if (!culled_strips || !culled_words)
        gpu_fail(&gpu, "%u strips were left out, %u across words", culled_strips, culled_words);
    return gpu_close(&gpu);
}
