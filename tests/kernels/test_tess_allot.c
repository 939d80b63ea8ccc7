/* SPDX-License-Identifier: MIT
 *
 * tess_allot: prefix sums over few and many tiles, memory for what is made of them in pools that
 * are large enough and too small, grids, totals beyond 32 bits, and draws that nothing is drawn of.
 */
#include "../../shaders/lib/allot_sizes.glsl"
#include "arena.h"
#include "poly_gs/tessellation.h"
#include "poly_gs/xfb.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <string.h>

struct scene {
    struct arena arena;
    uint64_t root;
    struct pgs_draw_record *record; /* the model's, like all of them */
    struct pgs_tessellation *tess;
    struct pgs_pool *pool;
    struct pgs_capture *capture; /* NULL: nobody counts */
    uint32_t tiles;
};

struct sizes {
    uint32_t patches, most_of_tile, pool_units;
    bool count_only;
};

static void make_pool(struct scene *s, uint32_t size_units)
{
    const struct pgs_pool pool = {
        .size_units = size_units,
        .limit_units = size_units + gpu_random_below(2) * 1000,
        .used_units = gpu_random_below(3) * 7,
        .refused_units = gpu_random_below(2) * 5,
    };
    s->record->pool = arena_put(&s->arena, "pool", &pool, sizeof(pool));
    s->pool = arena_at(&s->arena, s->record->pool);
    /* Nothing is written there. */
    s->pool->first = arena_take(&s->arena, "pooled", 16, PGS_POOL_UNIT_B);
    s->pool->index_base = s->pool->first - 4096;
}

static void make_tess(struct scene *s, const struct sizes *sizes)
{
    const struct pgs_tessellation tess = {
        .flags = gpu_random() % 64 | (sizes->count_only ? PGS_TESS_COUNT_ONLY : 0) |
                 (gpu_random() % 2 && s->record->draw_args ? PGS_TESS_STORED : 0),
        .vertex_stride_w = 4 + 4 * gpu_random_below(20),
        .coords = 1,
        .vertices = 2,
        .primitives = 3,
        .vertex_count = 4,
        .primitive_count = 5,
    };
    s->tiles = gpu_div_up(sizes->patches, PGS_TILE_EL);
    s->record->tessellation = arena_put(&s->arena, "tessellation", &tess, sizeof(tess));
    s->tess = arena_at(&s->arena, s->record->tessellation);
    static const uint32_t ways[] = {0, PGS_TESS_INLINE, PGS_TESS_INLINE_GS,
                                    PGS_TESS_INLINE_GS | PGS_TESS_INLINE_LIST};
    const uint32_t way = ways[gpu_random_below(4)];
    s->tess->flags |= way | (gpu_random() % 2 ? PGS_TESS_CHUNKS : 0);
    s->tess->inline_vertices = gpu_random_below(5);
    if (way)
        s->tess->inline_args = arena_take(&s->arena, "inline_args", 16, 4);
    s->tess->tile_sums = arena_take(&s->arena, "tile_sums", (size_t)s->tiles * 8, 8);
    for (uint32_t i = 0; i < 2 * s->tiles; i++)
        arena_set_u32(&s->arena, s->tess->tile_sums + i * 4,
                      gpu_random_below(sizes->most_of_tile + 1));
}

static void make_scene(struct scene *s, struct gpu *gpu, const struct sizes *sizes)
{
    arena_open(&s->arena, gpu, (size_t)sizes->patches / 32 + 65536);
    const struct pgs_draw_record record = {
        .flags = PGS_DRAW_TESSELLATED | (gpu_random() % 2 ? PGS_DRAW_STREAMS : 0) |
                 (gpu_random() % 2 ? PGS_DRAW_PACKED : 0) |
                 (const uint32_t[]){0, 0, PGS_DRAW_LISTS, PGS_DRAW_POLYGONS}[gpu_random() % 4],
        (const uint32_t[]){0, PGS_DRAW_FETCHED, PGS_DRAW_LISTS | PGS_DRAW_FETCHED,
                           PGS_DRAW_POLYGONS}[gpu_random() % 4],
        .gs_invocation_bound = 99,
        .instance_count = sizes->patches % 3 ? 1 : 3,
        .primitive_count = sizes->patches % 3 ? sizes->patches : sizes->patches / 3,
        .invocations = gpu_random_below(5), /* none: no geometry shader */
        .max_vertices = 1 + gpu_random_below(70),
        .out_kind = 1 + gpu_random_below(3),
        .out_stride_w = 8 + 4 * gpu_random_below(10),
        .out_head_w = 4 * gpu_random_below(3),
        .stream_count = 1 + gpu_random_below(4),
        .max_gs_invocations = gpu_random_below(5) ? UINT32_MAX / 2 : 200,
    };
    s->root = arena_put(&s->arena, "record", &record, sizeof(record));
    s->record = arena_at(&s->arena, s->root);
    if (gpu_random() % 2)
        s->record->draw_args = arena_take(&s->arena, "draw_args", 20, 4);
    s->capture = NULL;
    if (gpu_random() % 2) {
        s->record->capture = arena_take(&s->arena, "capture", sizeof(struct pgs_capture), 16);
        s->capture = arena_at(&s->arena, s->record->capture);
    }
    s->record->grids = arena_take(&s->arena, "grids", sizeof(struct pgs_grids), 4);
    make_tess(s, sizes);
    make_pool(s, sizes->pool_units);
    if (sizes->count_only && gpu_random() % 2)
        s->record->pool = 0; /* nobody takes from it */
}

static uint64_t next(uint64_t *place, uint32_t quads)
{
    const uint64_t start = *place;
    *place += (uint64_t)quads * 16;
    return start;
}

/* Returns false if there is no memory left. */
static bool take(struct scene *s, uint32_t gs_invocations, uint64_t *place)
{
    struct pgs_pool *pool = s->pool;
    if (gs_invocations > pool->limit_units) {
        pool->too_large = 1;
        return false;
    }
    if (gs_invocations > pool->size_units || pool->used_units > pool->size_units - gs_invocations) {
        pool->refused_units += gs_invocations;
        return false;
    }
    *place = pool->first + (uint64_t)pool->used_units * PGS_POOL_UNIT_B;
    pool->used_units += gs_invocations;
    return true;
}

static bool draws_vertex_buffer(const struct scene *s, uint32_t vertices)
{
    return vertices && (s->tess->flags & PGS_TESS_STORED) && (s->record->flags & PGS_DRAW_FETCHED);
}

static uint32_t vertices_per_primitive(const struct scene *s)
{
    const bool lines = (s->tess->flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES;
    return s->tess->flags & PGS_TESS_POINT_MODE ? 1 : lines ? 2 : 3;
}

/* Words of a primitive: an index list has nothing but vertices. */
static uint32_t primitive_w(const struct scene *s)
{
    return s->tess->flags & PGS_TESS_STORED ? vertices_per_primitive(s) : 4;
}

/* The next vertex that lies so many whole ones from the begin of the pool. */
static uint64_t whole_vertex(struct scene *s, uint64_t place, uint32_t stride_w)
{
    const uint64_t stride_B = stride_w * 4;
    s->record->vertex_offset = (uint32_t)((place - s->pool->first + stride_B - 1) / stride_B);
    return s->pool->first + s->record->vertex_offset * stride_B;
}

static bool model_memory(struct scene *s, uint32_t vertices, uint32_t primitives,
                         uint32_t gs_invocations)
{
    struct pgs_draw_record *r = s->record;
    const struct pgs_allot_shape shape = {
        .max_vertices = r->max_vertices,
        .out_stride_w = r->out_stride_w,
        .out_kind = r->out_kind,
        .stream_count = r->stream_count,
        .draw_flags = r->flags,
        .raster = r->draw_args != 0,
        .counted = r->capture != 0,
    };
    const struct pgs_allot_sizes sizes = pgs_allot_sizes_of(shape, gs_invocations);
    const uint32_t coords = pgs_quads(vertices, 4),
                   stored = pgs_quads_add(
                       pgs_quads(vertices, s->tess->vertex_stride_w),
                       draws_vertex_buffer(s, vertices) ? s->tess->vertex_stride_w / 4 - 1 : 0),
                   listed = pgs_quads(primitives, primitive_w(s));
    const uint64_t quads = (uint64_t)pgs_allot_sum(sizes) + coords + stored + listed;
    const uint32_t wanted = quads < PGS_QUADS_MAX ? (uint32_t)quads : PGS_QUADS_MAX;
    uint64_t place = 0;
    if (wanted && !take(s, pgs_quads_to_units(wanted), &place))
        return false;
    s->tess->coords = next(&place, coords);
    const uint64_t stored_at = next(&place, stored);
    s->tess->primitives = next(&place, listed);
    s->tess->vertices = stored_at;
    if (!wanted)
        return true;
    r->gs_invocation_bound = gs_invocations;
    r->out_vertices = next(&place, sizes.out_vertices);
    if (r->flags & PGS_DRAW_FETCHED)
        r->out_vertices = whole_vertex(s, r->out_vertices, r->out_stride_w);
    if (draws_vertex_buffer(s, vertices))
        s->tess->vertices = whole_vertex(s, stored_at, s->tess->vertex_stride_w);
    r->out_rest = r->out_vertices + (uint64_t)gs_invocations * r->max_vertices * r->out_head_w * 4;
    r->strip_ends = next(&place, sizes.strip_ends);
    r->counts = next(&place, sizes.counts);
    r->tile_sums = next(&place, sizes.tile_sums);
    r->first_index = (uint32_t)((place - s->pool->index_base) / 4);
    r->indices = next(&place, sizes.indices);
    if (s->capture || (r->flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)))
        r->primitives = next(&place, sizes.primitives);
    if (s->capture)
        s->capture->tiles = next(&place, sizes.capture_tiles);
    return true;
}

static struct pgs_grid grid_of(uint32_t groups)
{
    const uint32_t x = groups < PGS_GRID_X ? groups : PGS_GRID_X;
    return (struct pgs_grid){x, groups ? gpu_div_up(groups, x) : 0, 1};
}

static void model_grids(const struct scene *s, uint32_t vertices, uint32_t gs_invocations)
{
    struct pgs_grids *grids = arena_at(&s->arena, s->record->grids);
    const uint32_t tiles = gpu_div_up(gs_invocations, PGS_TILE_EL);
    grids->evaluation = grid_of(gpu_div_up(vertices, PGS_SHADER_GROUP_EL));
    grids->geometry = grid_of(gpu_div_up(gs_invocations, PGS_SHADER_GROUP_EL));
    grids->tiles = grid_of(tiles ? tiles : 1);
    grids->one = grid_of(1);
    if (s->tess->flags & PGS_TESS_CHUNKS)
        grids->chunks = grid_of(gs_invocations ? 0 : PGS_CHUNKS);
}

static uint32_t limited(uint64_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Both counts of the tiles, of which each gets the sum of those before it, or what a word holds. */
static void model_scan(struct scene *s, uint32_t totals[2])
{
    uint64_t sums[2] = {0, 0};
    for (uint32_t tile = 0; tile < s->tiles; tile++) {
        for (uint32_t k = 0; k < 2; k++) {
            const uint64_t at = s->tess->tile_sums + tile * 8 + k * 4;
            const uint32_t sum = arena_u32(&s->arena, at);
            if (tile % PGS_TILE_EL == 0)
                sums[k] = limited(sums[k]);
            arena_set_u32(&s->arena, at, limited(sums[k]));
            sums[k] += sum;
        }
    }
    totals[0] = limited(sums[0]);
    totals[1] = limited(sums[1]);
}

static void model_direct(const struct scene *s, uint32_t primitives)
{
    if (!(s->tess->flags & PGS_TESS_STORED) || !primitives)
        return;
    const uint32_t args[5] = {primitive_w(s) * primitives, 1,
                              (uint32_t)((s->tess->primitives - s->pool->index_base) / 4),
                              s->record->vertex_offset};
    memcpy(arena_at(&s->arena, s->record->draw_args), args, sizeof(args));
}

/* Only whole primitives, as many as a draw can have vertices for. */
static void model_placed(const struct scene *s, uint64_t primitives)
{
    const uint32_t each = vertices_per_primitive(s);
    const uint64_t all = primitives * each;
    const uint32_t args[4] = {all <= UINT32_MAX ? (uint32_t)all : UINT32_MAX - UINT32_MAX % each,
                              1};
    memcpy(arena_at(&s->arena, s->tess->inline_args), args, sizeof(args));
    if (all > UINT32_MAX && s->record->pool)
        s->pool->too_large = 1;
}

/* The same with a geometry shader. False: that would be too many vertices. */
static bool model_placed_geometry(const struct scene *s, uint32_t gs_invocations)
{
    const bool list = s->tess->flags & PGS_TESS_INLINE_LIST;
    const uint32_t each = s->tess->inline_vertices;
    const uint32_t vertices = list ? limited((uint64_t)gs_invocations * each) : each;
    const uint32_t args[4] = {vertices, list ? 1 : gs_invocations};
    if (gs_invocations == UINT32_MAX || vertices == UINT32_MAX) {
        s->pool->too_large = 1;
        return false;
    }
    memcpy(arena_at(&s->arena, s->tess->inline_args), args, sizeof(args));
    return true;
}

/* True if something can be done without memory. */
static bool model_without_memory(const struct scene *s, uint32_t primitives,
                                 uint32_t gs_invocations)
{
    const uint32_t flags = s->tess->flags;
    const bool chunks =
        s->capture && flags & PGS_TESS_CHUNKS && gs_invocations <= PGS_CHUNKS_MAX_GS_INVOCATIONS;
    bool drawn = flags & PGS_TESS_INLINE;
    if (drawn && (flags & PGS_TESS_STORED))
        model_placed(s, primitives);
    if (flags & PGS_TESS_INLINE_GS)
        drawn = model_placed_geometry(s, gs_invocations);
    s->tess->coords = 0;
    const bool missed = s->record->draw_args || !s->capture; /* the latter may store */
    if ((missed && !drawn) || (s->capture && !chunks))
        s->pool->left_out = 1;
    return drawn || chunks;
}

static void model(struct scene *s)
{
    uint32_t totals[2];
    model_scan(s, totals);
    uint32_t vertices = totals[0], primitives = totals[1];
    if ((s->tess->flags & (PGS_TESS_INLINE | PGS_TESS_STORED)) == PGS_TESS_INLINE)
        model_placed(s, primitives);
    else if (s->tess->flags & (PGS_TESS_INLINE | PGS_TESS_INLINE_GS))
        memset(arena_at(&s->arena, s->tess->inline_args), 0, 16);
    if (!(s->tess->flags & PGS_TESS_COUNT_ONLY)) {
        uint32_t gs_invocations = limited((uint64_t)primitives * s->record->invocations);
        const bool too_many = gs_invocations > s->record->max_gs_invocations;
        s->pool->too_large |= too_many;
        s->record->gs_invocation_bound = 0;
        if (s->record->draw_args)
            memset(arena_at(&s->arena, s->record->draw_args), 0, 20);
        if (s->capture)
            memset(s->capture->total, 0, sizeof(s->capture->total));
        if ((s->tess->flags & PGS_TESS_STORED) &&
            vertices > (uint64_t)s->record->max_gs_invocations * s->record->max_vertices)
            vertices = UINT32_MAX;
        uint32_t stored = 0;
        if (!too_many && model_memory(s, vertices, primitives, gs_invocations)) {
            model_direct(s, primitives);
            stored = vertices;
        } else {
            const bool some = model_without_memory(s, primitives, gs_invocations);
            vertices = some ? totals[0] : 0;
            primitives = some ? primitives : 0;
            gs_invocations = 0;
        }
        model_grids(s, stored, gs_invocations);
    }
    s->tess->vertex_count = vertices;
    s->tess->primitive_count = primitives;
}

static void run(struct gpu *gpu, VkPipeline kernel, const struct sizes *sizes, uint32_t number)
{
    struct scene scene;
    make_scene(&scene, gpu, sizes);
    arena_upload(&scene.arena);
    model(&scene);
    gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, scene.root);
    arena_compare(&scene.arena, gpu, "tess_allot", number);
    arena_close(&scene.arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline kernel =
        gpu_pipeline(&gpu, pgs_kernel_tess_allot, pgs_kernel_tess_allot_words);
    const uint32_t most = PGS_TILE_EL * 8192;
    const struct sizes fixed[] = {
        {0, 0, 0, false},
        {0, 0, 100, true},
        {1, 0, 0, false}, /* all discarded */
        {1, 8192, 1 << 20, false},
        {256, 3, 1, false},
        {257, 100, 1 << 20, false},
        {PGS_TILE_EL * PGS_TILE_EL + 1, 200, 1 << 21, false},
        {3 * PGS_TILE_EL * PGS_TILE_EL, most, 1 << 22, false},
        {40 * PGS_TILE_EL * PGS_TILE_EL, most, 1 << 22, false}, /* more than a word counts */
        {40 * PGS_TILE_EL * PGS_TILE_EL, most, 1 << 22, true},
    };
    uint32_t number = 0;
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        for (uint32_t k = 0; k < 4; k++)
            run(&gpu, kernel, &fixed[i], number++);
    for (uint32_t i = 0; i < 200; i++) {
        const struct sizes sizes = {
            .patches = gpu_random_below(3000),
            .most_of_tile = gpu_random_below(3) ? gpu_random_below(100) : most,
            .pool_units = gpu_random_below(3) ? 1 << 18 : gpu_random_below(500),
            .count_only = gpu_random_below(5) == 0,
        };
        run(&gpu, kernel, &sizes, number++);
    }
    return gpu_close(&gpu);
}
