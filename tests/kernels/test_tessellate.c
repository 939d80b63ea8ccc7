/* SPDX-License-Identifier: MIT
 *
 * tess_count, tess_few, tessellate and tessellate_each against the same arithmetic in C: all
 * domains, spacings and modes, levels that discard, more than one tile of patches, draws that got
 * no memory, and those that take none.
 */
#include "../../shaders/lib/tess_ruled.glsl"
#include "arena.h"
#include "shaders/embedded.h"

struct kernels {
    VkPipeline count, few, tessellate, each;
};

struct scene {
    struct arena arena;
    uint64_t root;
    struct pgs_tessellation *tess; /* the model's */
    uint32_t patches, primitives;  /* the latter of an instance */
    uint32_t complete;             /* of those; restart leaves nothing for the others */
};

static float random_level(uint32_t most)
{
    static const uint32_t specials[] = {0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 0x80000000,
                                        0x00000000, 0x3F800001, 0x40000001, 0x427C0001, 0x42800001};
    if (gpu_random_below(60) == 0)
        return uintBitsToFloat(specials[gpu_random_below(sizeof(specials) / sizeof(specials[0]))]);
    const float level = 0.01f + (float)gpu_random_below(most * 1000) / 999.0f;
    return gpu_random() % 2 ? ceilf(level) : level;
}

static void make_patches(struct scene *s, uint32_t most_level)
{
    for (uint32_t i = 0; i < s->patches; i++) {
        float *patch =
            arena_at(&s->arena, s->tess->patches + (uint64_t)i * s->tess->patch_stride_w * 4);
        const bool all =
            most_level == 64 && gpu_random_below(2) == 0; /* that an invocation may do */
        for (uint32_t k = 0; k < 6; k++)
            patch[k] = all ? 64 : random_level(gpu_random_below(8) == 0 ? 65 : most_level);
    }
}

static void make_scene(struct scene *s, struct gpu *gpu, uint32_t flags, uint32_t instances,
                       uint32_t primitives, uint32_t most_level)
{
    s->patches = instances * primitives;
    arena_open(&s->arena, gpu, (size_t)(s->patches + 8) << 16);
    struct pgs_draw_record record = {.primitive_count = primitives, .instance_count = instances};
    s->primitives = s->complete = primitives;
    if (gpu_random_below(3) == 0) {
        s->complete = gpu_random_below(primitives + 1);
        record.flags = PGS_DRAW_RESTART;
        record.restart_count = arena_put(&s->arena, "restart_count", &s->complete, 4);
    }
    const struct pgs_tessellation tess = {
        .flags = flags,
        .patch_stride_w = PGS_PATCH_OUTPUTS_W + 4 * gpu_random_below(5),
    };
    const uint32_t tiles = gpu_div_up(s->patches, PGS_TILE_EL);
    record.tessellation = arena_put(&s->arena, "tessellation", &tess, sizeof(tess));
    s->tess = arena_at(&s->arena, record.tessellation);
    s->tess->patches =
        arena_take(&s->arena, "patches", (size_t)s->patches * tess.patch_stride_w * 4, 16);
    s->tess->starts = arena_take(&s->arena, "starts", (size_t)s->patches * 8, 8);
    s->tess->tile_sums = arena_take(&s->arena, "tile_sums", (size_t)tiles * 8, 8);
    make_patches(s, most_level);
    s->root = arena_put(&s->arena, "record", &record, sizeof(record));
}

static struct pgs_tess_patch patch_of(const struct scene *s, uint32_t number)
{
    if (number % s->primitives >= s->complete)
        return (struct pgs_tess_patch){0};
    const uint32_t *levels =
        arena_at(&s->arena, s->tess->patches + (uint64_t)number * s->tess->patch_stride_w * 4);
    return pgs_tess_patch_of(s->tess->flags, levels[0], levels[1], levels[2], levels[3], levels[4],
                             levels[5]);
}

/* For shaders that find places by themselves. */
static void model_rules(struct scene *s, uint32_t number)
{
    const struct pgs_tess_patch patch = patch_of(s, number);
    const uint32_t flags = s->tess->flags;
    uint32_t *words =
        arena_at(&s->arena, s->tess->patches + (uint64_t)number * s->tess->patch_stride_w * 4);
    if (!(flags & PGS_TESS_RULED) || !patch.primitive_count)
        return;
    words[PGS_PATCH_DIVIDED_W] = pgs_tess_ruled_outer_word(flags, patch);
    words[PGS_PATCH_DIVIDED_W + 1] = pgs_tess_ruled_inner_word(flags, flags, patch);
    for (uint32_t edge = 0; edge < 4 && pgs_tess_has_steps(flags, patch); edge++) {
        const struct pgs_tess_steps steps = pgs_tess_edge_steps(flags, patch, edge);
        words[PGS_PATCH_STEPS_W + 2 * edge] = steps.low;
        words[PGS_PATCH_STEPS_W + 2 * edge + 1] = steps.high;
    }
}

static void model_count(struct scene *s)
{
    uint32_t vertices = 0, primitives = 0;
    for (uint32_t i = 0; i < s->patches; i++) {
        if (i % PGS_TILE_EL == 0)
            vertices = primitives = 0;
        arena_set_u32(&s->arena, s->tess->starts + (uint64_t)i * 8, vertices);
        arena_set_u32(&s->arena, s->tess->starts + (uint64_t)i * 8 + 4, primitives);
        model_rules(s, i);
        vertices += patch_of(s, i).vertex_count;
        primitives += patch_of(s, i).primitive_count;
        const uint64_t sums = s->tess->tile_sums + (uint64_t)(i / PGS_TILE_EL) * 8;
        arena_set_u32(&s->arena, sums, vertices);
        arena_set_u32(&s->arena, sums + 4, primitives);
    }
}

/* What tess_count, or tess_few, does in the place of tess_allot. */
static void run_alone(struct gpu *gpu, const struct gpu_dispatch *dispatch, const char *kernel,
                      struct scene *s)
{
    const uint32_t flags = s->tess->flags;
    const uint32_t each = 1 + gpu_random_below(18); /* with a geometry shader any number */
    s->tess->inline_vertices = each;
    if (flags & PGS_TESS_INLINE)
        s->tess->inline_args = arena_take(&s->arena, "inline_args", 16, 4);
    arena_upload(&s->arena);
    model_count(s);
    uint32_t *sums = arena_at(&s->arena, s->tess->tile_sums);
    s->tess->vertex_count = sums[0];
    s->tess->primitive_count = sums[1];
    if (flags & PGS_TESS_INLINE) {
        const VkDrawIndirectCommand args = {.vertexCount = sums[1] * each, .instanceCount = 1};
        memcpy(arena_at(&s->arena, s->tess->inline_args), &args, sizeof(args));
    }
    sums[0] = sums[1] = 0;
    gpu_run(gpu, dispatch, 1, s->root);
    arena_compare(&s->arena, gpu, kernel, flags);
    arena_close(&s->arena, gpu);
}

/* Words of a primitive: of those that are drawn nothing but vertices. */
static uint32_t stride_w(const struct scene *s)
{
    const bool lines = (s->tess->flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES;
    return !(s->tess->flags & PGS_TESS_STORED) ? 4 : lines ? 2 : 3;
}

/* What is between the two kernels. */
static void allot(struct scene *s, bool fits)
{
    uint32_t vertices = 0, primitives = 0;
    for (uint32_t tile = 0; tile * PGS_TILE_EL < s->patches; tile++) {
        uint32_t *sums = arena_at(&s->arena, s->tess->tile_sums + (uint64_t)tile * 8);
        const uint32_t these[] = {sums[0], sums[1]};
        sums[0] = vertices;
        sums[1] = primitives;
        vertices += these[0];
        primitives += these[1];
    }
    if (!fits)
        return;
    s->tess->vertex_count = vertices;
    s->tess->primitive_count = primitives;
    s->tess->coords =
        arena_take(&s->arena, "coords", (size_t)vertices * PGS_COORD_STRIDE_B, PGS_POOL_UNIT_B);
    s->tess->primitives =
        arena_take(&s->arena, "primitives", (size_t)primitives * stride_w(s) * 4, PGS_POOL_UNIT_B);
}

static void model_tessellate(struct scene *s)
{
    uint32_t vertices = 0, primitives = 0;
    for (uint32_t i = 0; i < s->patches; i++) {
        const struct pgs_tess_patch tess = patch_of(s, i);
        uint32_t *to = arena_at(&s->arena, s->tess->coords + (uint64_t)vertices * 16);
        for (uint32_t k = 0; k < tess.vertex_count; k++, to += 4) {
            const struct pgs_tess_point point = pgs_tess_vertex(tess, k);
            to[0] = floatBitsToUint(pgs_tess_coordinate(point.u));
            to[1] = floatBitsToUint(pgs_tess_coordinate(point.v));
            to[2] = i;
            to[3] = 0;
        }
        to = arena_at(&s->arena, s->tess->primitives + (uint64_t)primitives * stride_w(s) * 4);
        for (uint32_t k = 0; k < tess.primitive_count; k++, to += stride_w(s)) {
            const struct pgs_tess_indices indices = pgs_tess_primitive(tess, k);
            const uint32_t words[] = {vertices + indices.a, vertices + indices.b,
                                      vertices + indices.c, i};
            memcpy(to, words, stride_w(s) * sizeof(uint32_t));
        }
        vertices += tess.vertex_count;
        primitives += tess.primitive_count;
    }
}

static void run(struct gpu *gpu, const struct kernels *k, struct scene *s, bool fits)
{
    const uint32_t flags = s->tess->flags;
    arena_upload(&s->arena);
    model_count(s);
    /* Grids may be larger than the draw. */
    const uint32_t tiles = gpu_div_up(s->patches, PGS_TILE_EL) + gpu_random_below(3);
    gpu_run(gpu, &(struct gpu_dispatch){k->count, tiles}, 1, s->root);
    arena_compare(&s->arena, gpu, "tess_count", flags);

    allot(s, fits);
    arena_upload(&s->arena);
    if (fits)
        model_tessellate(s);
    const bool each = gpu_random_below(2);
    const uint32_t groups =
        (each ? gpu_div_up(s->patches, PGS_TILE_EL) : s->patches) + gpu_random_below(3);
    gpu_run(gpu, &(struct gpu_dispatch){each ? k->each : k->tessellate, groups}, 1, s->root);
    arena_compare(&s->arena, gpu, each ? "tessellate_each" : "tessellate", flags);
    arena_close(&s->arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const struct kernels kernels = {
        .count = gpu_pipeline(&gpu, pgs_kernel_tess_count, pgs_kernel_tess_count_words),
        .few = gpu_pipeline(&gpu, pgs_kernel_tess_few, pgs_kernel_tess_few_words),
        .tessellate = gpu_pipeline(&gpu, pgs_kernel_tessellate, pgs_kernel_tessellate_words),
        .each = gpu_pipeline(&gpu, pgs_kernel_tessellate_each, pgs_kernel_tessellate_each_words),
    };
    for (uint32_t flags = 0; flags < 64; flags++) {
        if ((flags & PGS_TESS_DOMAIN) == 3 || (flags & PGS_TESS_SPACING) == PGS_TESS_SPACING)
            continue;
        struct scene scene;
        make_scene(&scene, &gpu, flags, 1 + gpu_random_below(2), 1 + gpu_random_below(60), 20);
        run(&gpu, &kernels, &scene, true);
        make_scene(&scene, &gpu, flags, 1, 3, 64);
        run(&gpu, &kernels, &scene, flags % 5 != 0);
        const uint32_t alone = flags | PGS_TESS_COUNT_ONLY | PGS_TESS_ALONE;
        make_scene(&scene, &gpu, alone | (flags % 3 ? PGS_TESS_INLINE : 0), 1 + gpu_random_below(2),
                   1 + gpu_random_below(PGS_TILE_EL / 2), 64);
        run_alone(&gpu, &(struct gpu_dispatch){kernels.count, 1 + gpu_random_below(3)},
                  "tess_count alone", &scene);
        make_scene(&scene, &gpu, alone | (flags % 3 ? PGS_TESS_INLINE : 0), 1 + gpu_random_below(2),
                   1 + gpu_random_below(PGS_TILE_EL / 2), 64);
        run_alone(&gpu, &(struct gpu_dispatch){kernels.few, 1}, "tess_few", &scene);
    }
    for (uint32_t domain = 0; domain < 3; domain++) {
        struct scene scene;
        make_scene(&scene, &gpu, domain, 1, PGS_TILE_EL, 3);
        run(&gpu, &kernels, &scene, true);
        make_scene(&scene, &gpu, domain | PGS_TESS_STORED, 1, 30, 30);
        run(&gpu, &kernels, &scene, true);
        make_scene(&scene, &gpu, domain | PGS_TESS_FRACTIONAL_ODD, 3, 211, 3);
        run(&gpu, &kernels, &scene, true);
    }
    return gpu_close(&gpu);
}
