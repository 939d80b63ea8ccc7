/* SPDX-License-Identifier: MIT
 *
 * Draws without a geometry shader, and the order of their vertices in each provoking mode.
 */
#include "capture_scene.h"

#include "../../shaders/lib/topology.glsl"

#include <stdlib.h>
#include <string.h>

/* The vertices of primitive i, counted from the begin of its run. */
static void captured_order(uint32_t topology, uint32_t i, bool last_mode, uint32_t v[3])
{
    const bool odd = i % 2;
    uint32_t order[3] = {i, i + 1, i + 2};
    switch (topology) {
    case PGS_LINE_LIST:
        order[0] = 2 * i, order[1] = 2 * i + 1;
        break;
    case PGS_TRIANGLE_LIST:
        order[0] = 3 * i, order[1] = 3 * i + 1, order[2] = 3 * i + 2;
        break;
    case PGS_TRIANGLE_STRIP:
        if (odd && last_mode)
            order[0] = i + 1, order[1] = i;
        else if (odd)
            order[1] = i + 2, order[2] = i + 1;
        break;
    case PGS_TRIANGLE_FAN:
        order[0] = last_mode ? 0 : i + 1;
        order[1] = last_mode ? i + 1 : i + 2;
        order[2] = last_mode ? i + 2 : 0;
        break;
    case PGS_LINE_LIST_ADJACENCY:
        order[0] = 4 * i + 1, order[1] = 4 * i + 2;
        break;
    case PGS_LINE_STRIP_ADJACENCY:
        order[0] = i + 1, order[1] = i + 2;
        break;
    case PGS_TRIANGLE_LIST_ADJACENCY:
        order[0] = 6 * i, order[1] = 6 * i + 2, order[2] = 6 * i + 4;
        break;
    case PGS_TRIANGLE_STRIP_ADJACENCY:
        order[0] = 2 * i + (odd && last_mode ? 2 : 0);
        order[1] = 2 * i + (!odd ? 2 : last_mode ? 0 : 4);
        order[2] = 2 * i + (odd && !last_mode ? 2 : 4);
        break;
    }
    memcpy(v, order, sizeof(order));
}

/* The vertex at a position of the draw. */
static uint32_t vertex_at(const struct scene *s, const struct pgs_draw_record *r, uint32_t position)
{
    if (!(r->flags & PGS_DRAW_INDEXED))
        return position;
    return position < r->index_bound_el ? arena_u32(&s->arena, r->index_address + position * 4) : 0;
}

/* Indices of vertices that there are, of which not all may be read. */
static void make_indices(struct scene *s, struct pgs_draw_record *r)
{
    r->flags |= PGS_DRAW_INDEXED;
    r->index_size_B = 4;
    r->index_address = arena_take(&s->arena, "indices", (size_t)r->vertex_count * 4, 4);
    r->index_bound_el = r->vertex_count - (gpu_random() % 4 ? 0 : r->vertex_count / 3);
    for (uint32_t i = 0; i < r->vertex_count; i++)
        arena_set_u32(&s->arena, r->index_address + i * 4, gpu_random_below(r->vertex_count));
}

static void add_run(struct scene *s, struct draw *draw, struct pgs_primitive *list, uint32_t start,
                    uint32_t length_el)
{
    const struct pgs_draw_record *r = &draw->record;
    const uint32_t count = pgs_topology_primitives(r->topology, length_el);
    for (uint32_t i = 0; i < count; i++) {
        const bool last = r->topology == PGS_TRIANGLE_STRIP_ADJACENCY && i + 1 == count;
        list[draw->counts[0]] = (struct pgs_primitive){start, i | (last ? PGS_PRIMITIVE_LAST : 0)};
        uint32_t order[3];
        captured_order(r->topology, i, s->provoking_last, order);
        struct primitive p;
        for (uint32_t k = 0; k < 3; k++)
            p.vertices[k] =
                r->vertices + (uint64_t)vertex_at(s, r, start + order[k]) * s->vertex_stride_w * 4;
        scene_add_primitive(draw, 0, p);
    }
}

/* The other instances repeat the first. */
static void add_instances(struct scene *s, struct draw *draw)
{
    const uint32_t in_instance = draw->counts[0];
    const uint64_t instance_B = (uint64_t)draw->record.vertex_count * s->vertex_stride_w * 4;
    if (draw->record.instance_count == 0)
        draw->counts[0] = 0;
    for (uint32_t instance = 1; instance < draw->record.instance_count; instance++) {
        for (uint32_t i = 0; i < in_instance; i++) {
            struct primitive p = draw->primitives[0][i];
            for (uint32_t k = 0; k < 3; k++)
                p.vertices[k] += instance * instance_B;
            scene_add_primitive(draw, 0, p);
        }
    }
}

void scene_make_vertices(struct scene *s, struct draw *draw, uint32_t vertex_count)
{
    static const uint8_t of_primitive[3][4] = {
        {PGS_POINT_LIST, PGS_POINT_LIST, PGS_POINT_LIST, PGS_POINT_LIST},
        {PGS_LINE_LIST, PGS_LINE_STRIP, PGS_LINE_LIST_ADJACENCY, PGS_LINE_STRIP_ADJACENCY},
        {PGS_TRIANGLE_LIST, PGS_TRIANGLE_STRIP, PGS_TRIANGLE_LIST_ADJACENCY,
         PGS_TRIANGLE_STRIP_ADJACENCY},
    };
    struct pgs_draw_record *r = &draw->record;
    const bool restart = gpu_random() % 2;
    *r = (struct pgs_draw_record){
        .flags =
            (restart ? PGS_DRAW_RESTART : 0) | (s->provoking_last ? PGS_DRAW_PROVOKING_LAST : 0),
        .topology = of_primitive[s->vertices_per_primitive - 1][gpu_random_below(4)],
        .vertex_count = vertex_count,
        .first_vertex = gpu_random(),
        .instance_count = gpu_random_below(4),
        .first_instance = gpu_random(),
    };
    if (s->vertices_per_primitive == 3 && gpu_random() % 4 == 0)
        r->topology = PGS_TRIANGLE_FAN;
    r->primitive_count = pgs_topology_primitives(r->topology, vertex_count);
    if (gpu_random() % 2)
        make_indices(s, r);
    r->vertices = scene_random_vertices(s, vertex_count * r->instance_count);
    struct pgs_primitive *list = calloc(r->primitive_count + 1, sizeof(*list));
    if (!restart)
        add_run(s, draw, list, 0, vertex_count);
    for (uint32_t start = 0, end; restart && start < vertex_count; start = end + 1) {
        end = start + gpu_random_below(30);
        end = end < vertex_count ? end : vertex_count;
        add_run(s, draw, list, start, end - start);
    }
    r->primitive_list =
        arena_put(&s->arena, "primitive list", list, draw->counts[0] * sizeof(*list));
    r->restart_count = arena_put(&s->arena, "restart count", (uint32_t[2]){draw->counts[0]}, 8);
    free(list);
    draw->group_count = gpu_div_up(
        r->instance_count * r->primitive_count * s->vertices_per_primitive, PGS_SHADER_GROUP_EL);
    add_instances(s, draw);
}
