/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

/* The grid is made of blocks of this many quads, so that its vertices are shared
 * nearby. */
#define BLOCK_COLUMNS 8u
#define BLOCK_ROWS 64u
#define BLOCK_VERTICES ((BLOCK_COLUMNS + 1) * (BLOCK_ROWS + 1))

static float unit_hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (float)((x ^ x >> 16) >> 8) / 16777216.0f;
}

static struct bench_vertex make_vertex(float x, float y, float z, uint32_t seed)
{
    return (struct bench_vertex){
        .place = {x, y, z, 1},
        .tint = {unit_hash(seed), unit_hash(seed + 1), unit_hash(seed + 2), 1},
    };
}

static void *checked(void *memory)
{
    if (!memory)
        vkt_die("out of memory");
    return memory;
}

struct bench_mesh bench_points(uint32_t count)
{
    struct bench_mesh m = {.vertex_count = count};
    m.vertices = checked(malloc(sizeof(*m.vertices) * count));
    for (uint32_t i = 0; i < count; i++)
        m.vertices[i] = make_vertex(unit_hash(i * 5 + 1) * 1.9f - 0.95f,
                                    unit_hash(i * 5 + 2) * 1.9f - 0.95f, 0.5f, i * 5 + 3);
    return m;
}

/* The corners of a primitive of a block: half of a quad, or a quad in the order in which patches
 * have them. */
static void write_corners(uint32_t *to, uint32_t first, uint32_t i, uint32_t corners)
{
    const uint32_t quad = corners == 3 ? i / 2 : i, right = corners == 3 ? i & 1 : 0;
    const uint32_t corner =
        first + quad / BLOCK_COLUMNS * (BLOCK_COLUMNS + 1) + quad % BLOCK_COLUMNS;
    const uint32_t below = corner + BLOCK_COLUMNS + 1;
    to[0] = corner + right;
    to[1] = right ? below + 1 : corner + 1;
    to[2] = below;
    if (corners == 4)
        to[3] = below + 1;
}

struct bench_mesh bench_grid(uint32_t primitives, uint32_t corners)
{
    const uint32_t block_primitives = BLOCK_COLUMNS * BLOCK_ROWS * (corners == 3 ? 2 : 1);
    const uint32_t blocks = (primitives + block_primitives - 1) / block_primitives;
    uint32_t side = 1;
    while (side * side < blocks)
        side++;
    struct bench_mesh m = {.vertex_count = blocks * BLOCK_VERTICES,
                           .index_count = primitives * corners};
    m.vertices = checked(malloc(sizeof(*m.vertices) * m.vertex_count));
    m.indices = checked(malloc(sizeof(*m.indices) * blocks * block_primitives * corners));
    const float width = 1.9f / (float)side;
    for (uint32_t b = 0; b < blocks; b++) {
        const float left = -0.95f + width * (float)(b % side),
                    top = -0.95f + width * (float)(b / side);
        for (uint32_t i = 0; i < BLOCK_VERTICES; i++) {
            const uint32_t column = i % (BLOCK_COLUMNS + 1), row = i / (BLOCK_COLUMNS + 1);
            m.vertices[b * BLOCK_VERTICES + i] = make_vertex(
                left + width * (float)column / BLOCK_COLUMNS, top + width * (float)row / BLOCK_ROWS,
                0.25f + 0.5f * unit_hash(b + i * 3), (b * BLOCK_VERTICES + i) * 3);
        }
        for (uint32_t i = 0; i < block_primitives; i++)
            write_corners(m.indices + (b * block_primitives + i) * corners, b * BLOCK_VERTICES, i,
                          corners);
    }
    return m;
}

/* An edge is drawn if two tints from 0 to 1 add up to 1 or more (edges.geom). With tints up to s
 * only, (2 - 1/s)^2 / 2 of all do; from 1 - s on, all others. */
void bench_mesh_draw_edges(struct bench_mesh *m, uint32_t edges)
{
    const bool few = edges <= 500;
    const float part = (float)(few ? edges : 1000 - edges) / 1000;
    const float most = 1 / (2 - sqrtf(2 * part));
    for (uint32_t i = 0; i < m->vertex_count; i++)
        for (uint32_t k = 0; k < 2; k++)
            m->vertices[i].tint[k] =
                few ? most * m->vertices[i].tint[k] : 1 - most * (1 - m->vertices[i].tint[k]);
}

void bench_mesh_finish(struct bench_mesh *m)
{
    free(m->vertices);
    free(m->indices);
}
