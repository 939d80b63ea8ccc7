/* SPDX-License-Identifier: MIT */
#include "capture_scene.h"

#include <stdlib.h>
#include <string.h>

void scene_add_primitive(struct draw *draw, uint32_t stream, struct primitive primitive)
{
    const uint32_t count = draw->counts[stream]++;
    if ((count & (count - 1)) == 0)
        draw->primitives[stream] =
            realloc(draw->primitives[stream], (count ? 2 * count : 1) * sizeof(primitive));
    draw->primitives[stream][count] = primitive;
}

uint64_t scene_random_vertices(struct scene *s, uint32_t count)
{
    const uint32_t words = count * s->vertex_stride_w;
    const uint64_t address = arena_take(&s->arena, "vertices", (size_t)words * 4, 16);
    for (uint32_t w = 0; w < words; w++)
        arena_set_u32(&s->arena, address + (uint64_t)w * 4, gpu_random());
    return address;
}

/* Where a run of words begins, all in one array. */
static uint32_t source_of(const struct scene *s, uint32_t count_w)
{
    const uint32_t word = gpu_random_below(s->vertex_stride_w - count_w + 1);
    return word < s->head_w && word + count_w > s->head_w ? s->head_w : word;
}

/* Runs with holes between them. */
static void make_layout(struct scene *s)
{
    const bool many_streams = s->stream_count > 1;
    s->copy_count = 0;
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        s->stream[b] = many_streams ? gpu_random_below(PGS_MAX_STREAMS) : 0;
        s->stride_B[b] = gpu_random() % 3 ? 4 + 4 * gpu_random_below(24) : 0;
        for (uint32_t w = gpu_random_below(3); w < s->stride_B[b] / 4;) {
            const uint32_t left_w = s->stride_B[b] / 4 - w, wanted_w = 1 + gpu_random_below(4);
            const uint32_t count_w = wanted_w < left_w ? wanted_w : left_w;
            s->copies[s->copy_count++] = (struct pgs_xfb_copy){
                .source_w = source_of(s, count_w),
                .buffer_index = b,
                .target_w = w,
                .count_w = count_w,
            };
            w += count_w + gpu_random_below(3);
        }
    }
}

static void make_capture(struct scene *s, struct draw *draw, uint64_t copies)
{
    struct pgs_capture c = {
        .copies = copies,
        .copy_count = s->copy_count,
        .flags = s->geometry ? PGS_CAPTURE_GEOMETRY : 0,
        .vertices_per_primitive = s->vertices_per_primitive,
        .vertex_stride_w = s->vertex_stride_w,
    };
    unsigned char both[PGS_CAPTURE_BEFORE_B + sizeof(draw->record)];
    memset(both, ARENA_GUARD, sizeof(both));
    memcpy(both + PGS_CAPTURE_BEFORE_B, &draw->record, sizeof(draw->record));
    draw->capture = arena_put(&s->arena, "capture, record", both, sizeof(both));
    draw->address = c.draw = draw->capture + PGS_CAPTURE_BEFORE_B;
    memcpy(c.stride_B, s->stride_B, sizeof(c.stride_B));
    memcpy(c.stream, s->stream, sizeof(c.stream));
    memset(c.total, ARENA_GUARD, sizeof(c.total));
    if (s->geometry)
        c.tiles = arena_take(&s->arena, "tiles", (size_t)draw->tile_count * s->stream_count * 4, 4);
    memcpy(arena_at(&s->arena, draw->capture), &c, sizeof(c));
}

/* Buffers that end where all fits, at any primitive, or 4 bytes before. Some begin GiB before their
 * memory, which a counter then points into: as if they were that large. */
static void make_interval(struct scene *s)
{
    struct pgs_xfb_interval v = {0};
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        uint32_t needed = 0;
        for (uint32_t d = 0; d < s->draw_count; d++)
            needed += s->draws[d].counts[s->stream[b]];
        const uint32_t count = gpu_random() % 2 ? needed : gpu_random_below(needed + 2);
        uint32_t size_B = count * s->vertices_per_primitive * s->stride_B[b];
        uint32_t start_B = gpu_random() % 2 ? 0 : 4 * gpu_random_below(20);
        if (gpu_random() % 4 == 0 && size_B >= 4)
            size_B -= 4;
        uint32_t before_B = 0;
        if (gpu_random() % 16 == 0) { /* nonsense, or beyond the end */
            start_B = gpu_random();
        } else {
            size_B += start_B;
            if (gpu_random() % 4 == 0)
                before_B = 0x7fffff00u + 4 * gpu_random_below(0x1ff00000u);
            start_B += before_B;
        }
        v.size_B[b] = size_B + before_B;
        v.load[b] = start_B || gpu_random() % 2
                        ? arena_put(&s->arena, "counter", &start_B, sizeof(start_B))
                        : 0;
        if (gpu_random() % 5 != 0)
            v.base[b] = arena_take(&s->arena, "buffer", size_B ? size_B : 4, 4) - before_B;
    }
    s->interval = arena_put(&s->arena, "interval", &v, sizeof(v));
}

static bool captures_to(const struct scene *s, const struct pgs_xfb_interval *v, uint32_t b,
                        uint32_t stream)
{
    return v->base[b] && s->stride_B[b] && s->stream[b] == stream;
}

/* What the CPU can do where it knows how much each draw captures. */
static void fix_places(struct scene *s)
{
    const struct pgs_xfb_interval *v = arena_at(&s->arena, s->interval);
    uint32_t offset_B[PGS_MAX_XFB_BUFFERS];
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        offset_B[b] = v->load[b] ? arena_u32(&s->arena, v->load[b]) : 0;
    for (uint32_t d = 0; d < s->draw_count; d++) {
        struct pgs_capture *c = arena_at(&s->arena, s->draws[d].capture);
        uint32_t space_el = UINT32_MAX;
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
            if (!captures_to(s, v, b, 0))
                continue;
            const bool any = offset_B[b] % 4 == 0 && offset_B[b] < v->size_B[b];
            const uint32_t here =
                any ? (v->size_B[b] - offset_B[b]) / (s->vertices_per_primitive * s->stride_B[b])
                    : 0;
            space_el = here < space_el ? here : space_el;
            c->target[b] = v->base[b] + offset_B[b];
        }
        c->flags |= PGS_CAPTURE_FIXED;
        c->written[0] = space_el == UINT32_MAX ? 0 : space_el;
        const uint32_t count = s->draws[d].counts[0];
        const uint32_t written = count < c->written[0] ? count : c->written[0];
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
            if (c->target[b])
                offset_B[b] += written * s->vertices_per_primitive * s->stride_B[b];
    }
}

static void make_program(struct scene *s)
{
    struct pgs_xfb_op ops[MAX_DRAWS + 1] = {
        {.kind = PGS_XFB_OP_BEGIN, .interval = s->interval},
    };
    for (uint32_t d = 0; d < s->draw_count; d++)
        ops[1 + d] = (struct pgs_xfb_op){
            .kind = PGS_XFB_OP_DRAW,
            .interval = s->interval,
            .capture = s->draws[d].capture,
        };
    const struct pgs_xfb_program program = {
        .ops = arena_put(&s->arena, "ops", ops, (1 + s->draw_count) * sizeof(ops[0])),
        .op_count = 1 + s->draw_count,
    };
    s->program = arena_put(&s->arena, "program", &program, sizeof(program));
}

void scene_make(struct scene *s, struct gpu *gpu, bool geometry, uint32_t most)
{
    memset(s, 0, sizeof(*s));
    arena_open(&s->arena, gpu, most > 100 ? 40 << 20 : 3 << 20);
    s->geometry = geometry;
    s->provoking_last = gpu_random() % 2;
    s->vertices_per_primitive = 1 + gpu_random_below(3);
    s->stream_count = geometry && gpu_random() % 2 ? 2 + gpu_random_below(PGS_MAX_STREAMS - 1) : 1;
    s->vertex_stride_w = 4 + 4 * gpu_random_below(3);
    s->packed = geometry && gpu_random() % 2;
    s->head_w = geometry && s->vertex_stride_w > 4 && gpu_random() % 2 ? 4 : 0;
    make_layout(s);
    const uint64_t copies =
        arena_put(&s->arena, "runs", s->copies, s->copy_count * sizeof(s->copies[0]));
    s->draw_count = 1 + gpu_random_below(MAX_DRAWS);
    for (uint32_t d = 0; d < s->draw_count; d++) {
        const uint32_t size = gpu_random() % 8 ? gpu_random_below(most + 1) : 0;
        if (geometry)
            scene_make_geometry(s, &s->draws[d], size);
        else
            scene_make_vertices(s, &s->draws[d], size);
        make_capture(s, &s->draws[d], copies);
    }
    make_interval(s);
    s->fixed = s->stream_count == 1 && gpu_random() % 2;
    for (uint32_t d = 0; d < s->draw_count; d++)
        s->fixed &= s->draws[d].tile_count <= PGS_COUNT_TILES_FREE;
    if (s->fixed)
        fix_places(s);
    make_program(s);
}

void scene_free(struct scene *s, struct gpu *gpu)
{
    for (uint32_t d = 0; d < s->draw_count; d++)
        for (uint32_t stream = 0; stream < PGS_MAX_STREAMS; stream++)
            free(s->draws[d].primitives[stream]);
    arena_close(&s->arena, gpu);
}

/* capture_tiles and capture_scan. */
static void model_totals(struct scene *s, const struct draw *draw)
{
    struct pgs_capture *c = arena_at(&s->arena, draw->capture);
    if (!s->geometry || draw->tile_count == 0)
        return;
    for (uint32_t stream = 0; stream < PGS_MAX_STREAMS; stream++)
        c->total[stream] = draw->counts[stream];
    if (draw->tile_count == 1)
        return;
    const uint32_t gs_invocations = draw->record.gs_invocation_bound;
    for (uint32_t stream = 0; stream < s->stream_count; stream++) {
        uint32_t before = 0;
        for (uint32_t gs_invocation = 0; gs_invocation < gs_invocations; gs_invocation++) {
            const uint32_t tile = stream * draw->tile_count + gs_invocation / PGS_TILE_EL;
            if (gs_invocation % PGS_TILE_EL == 0)
                arena_set_u32(&s->arena, c->tiles + tile * 4, before);
            before += arena_u32(&s->arena, draw->record.primitives +
                                               (stream * gs_invocations + gs_invocation) * 4);
        }
    }
}

static bool is_captured(const struct scene *s, const struct pgs_xfb_interval *v, uint32_t stream)
{
    bool any = false;
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        any |= captures_to(s, v, b, stream);
    return any;
}

static bool fits(const struct scene *s, const struct pgs_xfb_interval *v, uint32_t stream)
{
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        if (!captures_to(s, v, b, stream))
            continue;
        const uint64_t end_B =
            (uint64_t)v->offset_B[b] + s->vertices_per_primitive * s->stride_B[b];
        if (v->offset_B[b] % 4 != 0 || end_B > v->size_B[b])
            return false;
    }
    return true;
}

static uint64_t word_of(const struct scene *s, const struct pgs_draw_record *record,
                        uint64_t vertex, uint32_t word)
{
    const uint64_t number = (vertex - record->out_vertices) / 4 / s->vertex_stride_w;
    if (!s->head_w)
        return vertex + word * 4;
    return word < s->head_w
               ? record->out_vertices + (number * s->head_w + word) * 4
               : record->out_rest +
                     (number * (s->vertex_stride_w - s->head_w) + word - s->head_w) * 4;
}

static void write_vertex(struct scene *s, struct pgs_xfb_interval *v,
                         const struct pgs_draw_record *record, uint32_t stream, uint64_t vertex)
{
    for (uint32_t i = 0; i < s->copy_count; i++) {
        const struct pgs_xfb_copy *run = &s->copies[i];
        const uint32_t b = run->buffer_index;
        if (captures_to(s, v, b, stream))
            memcpy(arena_at(&s->arena, v->base[b] + v->offset_B[b] + run->target_w * 4),
                   arena_at(&s->arena, word_of(s, record, vertex, run->source_w)),
                   run->count_w * 4);
    }
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        if (captures_to(s, v, b, stream))
            v->offset_B[b] += s->stride_B[b];
}

void scene_model(struct scene *s)
{
    struct pgs_xfb_interval *v = arena_at(&s->arena, s->interval);
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++)
        v->offset_B[b] = v->load[b] ? arena_u32(&s->arena, v->load[b]) : 0;
    for (uint32_t d = 0; d < s->draw_count; d++) {
        const struct draw *draw = &s->draws[d];
        struct pgs_capture *c = arena_at(&s->arena, draw->capture);
        model_totals(s, draw);
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS && !s->fixed; b++)
            c->target[b] = v->base[b] && s->stride_B[b] ? v->base[b] + v->offset_B[b] : 0;
        for (uint32_t stream = 0; stream < PGS_MAX_STREAMS; stream++) {
            for (uint32_t i = 0; i < draw->counts[stream]; i++) {
                if (!is_captured(s, v, stream) || !fits(s, v, stream))
                    continue;
                c->written[stream] += s->fixed ? 0 : 1;
                for (uint32_t k = 0; k < s->vertices_per_primitive; k++)
                    write_vertex(s, v, &draw->record, stream,
                                 draw->primitives[stream][i].vertices[k]);
            }
        }
    }
}
