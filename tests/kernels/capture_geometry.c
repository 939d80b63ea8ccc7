/* SPDX-License-Identifier: MIT
 *
 * The output of a geometry shader in memory: vertices, strip ends, counts.
 */
#include "capture_scene.h"

#include <stdlib.h>
#include <string.h>

struct strip {
    uint32_t vertices[64], length_el;
};

struct gs_invocation {
    uint32_t number;
    uint64_t strip_ends, places; /* places: where its vertices are */
    struct strip open[PGS_MAX_STREAMS];
};

static uint32_t plane_w(const struct pgs_draw_record *record)
{
    return gpu_div_up(record->max_vertices, 32);
}

static uint32_t planes_w(const struct scene *s, const struct pgs_draw_record *record)
{
    return (s->stream_count > 1 ? 3 : 1) * plane_w(record);
}

static uint32_t strip_ends_w(const struct scene *s, const struct pgs_draw_record *record)
{
    return planes_w(s, record) + (s->packed ? record->max_vertices : 0);
}

static uint64_t stored_at(struct scene *s, const struct draw *draw, const struct gs_invocation *u,
                          uint32_t n)
{
    const struct pgs_draw_record *r = &draw->record;
    const uint64_t place = s->packed ? arena_u32(&s->arena, u->places + (uint64_t)n * 4)
                                     : (uint64_t)u->number * r->max_vertices + n;
    return r->out_vertices + place * s->vertex_stride_w * 4;
}

static void set_bit(struct scene *s, const struct draw *draw, const struct gs_invocation *u,
                    uint32_t plane, uint32_t n)
{
    const uint64_t word = u->strip_ends + (uint64_t)(plane * plane_w(&draw->record) + n / 32) * 4;
    arena_set_u32(&s->arena, word, arena_u32(&s->arena, word) | 1u << n % 32);
}

/* As "Triangle Strips" of the specification has it, from the provoking vertex. */
static void add_triangle(struct scene *s, struct draw *draw, uint32_t stream, uint32_t k,
                         const uint64_t v[3])
{
    struct primitive p = {{v[0], v[1], v[2]}};
    if (k % 2 && s->provoking_last)
        p = (struct primitive){{v[1], v[0], v[2]}};
    else if (k % 2)
        p = (struct primitive){{v[0], v[2], v[1]}};
    scene_add_primitive(draw, stream, p);
}

static void end_strip(struct scene *s, struct draw *draw, struct gs_invocation *u, uint32_t stream)
{
    struct strip *strip = &u->open[stream];
    if (strip->length_el == 0)
        return;
    if (s->vertices_per_primitive > 1)
        set_bit(s, draw, u, 0, strip->vertices[strip->length_el - 1]);
    for (uint32_t k = 0; k + s->vertices_per_primitive <= strip->length_el; k++) {
        uint64_t v[3] = {0};
        for (uint32_t i = 0; i < s->vertices_per_primitive; i++)
            v[i] = stored_at(s, draw, u, strip->vertices[k + i]);
        if (s->vertices_per_primitive == 3)
            add_triangle(s, draw, stream, k, v);
        else
            scene_add_primitive(draw, stream, (struct primitive){{v[0], v[1]}});
    }
    strip->length_el = 0;
}

static void make_gs_invocation(struct scene *s, struct draw *draw, uint32_t number)
{
    struct pgs_draw_record *r = &draw->record;
    const uint32_t planes = s->stream_count > 1 ? 3 : 1;
    struct gs_invocation u = {
        .number = number,
        .strip_ends = r->strip_ends + (uint64_t)number * strip_ends_w(s, r) * 4,
    };
    u.places = u.strip_ends + (uint64_t)planes_w(s, r) * 4;
    uint32_t before[PGS_MAX_STREAMS];
    memcpy(before, draw->counts, sizeof(before));
    const uint32_t emitted = gpu_random_below(r->max_vertices + 1), mean = 1 + gpu_random_below(8);
    for (uint32_t n = 0; n < emitted; n++) {
        const uint32_t stream = gpu_random_below(s->stream_count);
        struct strip *strip = &u.open[stream];
        if (s->packed) /* the last vertex first */
            arena_set_u32(&s->arena, u.places + (uint64_t)n * 4,
                          r->gs_invocation_bound * r->max_vertices - 1 - draw->packed++);
        strip->vertices[strip->length_el++] = n;
        if (planes > 1 && stream & 1)
            set_bit(s, draw, &u, 1, n);
        if (planes > 1 && stream & 2)
            set_bit(s, draw, &u, 2, n);
        if (gpu_random_below(mean) == 0)
            end_strip(s, draw, &u, gpu_random_below(s->stream_count));
    }
    for (uint32_t stream = 0; stream < s->stream_count; stream++) {
        end_strip(s, draw, &u, stream);
        arena_set_u32(&s->arena,
                      r->primitives + ((uint64_t)stream * r->gs_invocation_bound + number) * 4,
                      draw->counts[stream] - before[stream]);
    }
    arena_set_u32(&s->arena, r->counts + (uint64_t)number * 4,
                  emitted << 16 | gpu_random() % 65536);
}

void scene_make_geometry(struct scene *s, struct draw *draw, uint32_t gs_invocation_count)
{
    struct pgs_draw_record *r = &draw->record;
    const uint32_t planes = s->stream_count > 1 ? 3 : 1;
    *r = (struct pgs_draw_record){
        .flags = (planes > 1 ? PGS_DRAW_STREAMS : 0) | (s->packed ? PGS_DRAW_PACKED : 0) |
                 (s->provoking_last ? PGS_DRAW_PROVOKING_LAST : 0),
        .gs_invocation_bound = gs_invocation_count,
        .max_vertices = 1 + gpu_random_below(gpu_random() % 2 ? 64 : 6),
        .out_kind = s->vertices_per_primitive,
        .stream_count = s->stream_count,
    };
    draw->tile_count = draw->group_count = gpu_div_up(gs_invocation_count, PGS_TILE_EL);
    r->out_vertices = scene_random_vertices(s, gs_invocation_count * r->max_vertices);
    r->out_head_w = s->head_w;
    r->out_rest = r->out_vertices + (uint64_t)gs_invocation_count * r->max_vertices * s->head_w * 4;
    const size_t strip_ends_B = (size_t)gs_invocation_count * strip_ends_w(s, r) * 4;
    r->strip_ends = arena_take(&s->arena, "cuts", strip_ends_B, 4);
    memset(arena_at(&s->arena, r->strip_ends), 0, strip_ends_B);
    r->counts = arena_take(&s->arena, "counts", (size_t)gs_invocation_count * 4, 4);
    r->primitives =
        arena_take(&s->arena, "primitives", (size_t)gs_invocation_count * s->stream_count * 4, 4);
    for (uint32_t gs_invocation = 0; gs_invocation < gs_invocation_count; gs_invocation++)
        make_gs_invocation(s, draw, gs_invocation);
}
