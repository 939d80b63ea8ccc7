/* SPDX-License-Identifier: MIT
 *
 * setup: byte counts that saturate, conditions of both kinds, records in several parts and
 * arguments. setup_args does the same without records.
 */
#include "../../shaders/lib/topology.glsl"
#include "arena.h"
#include "poly_gs/xfb.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <stddef.h>

static uint32_t some_count(void)
{
    static const uint32_t values[] = {0,   1,    2,          3,          4,         7,
                                      100, 4096, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC};
    return gpu_random() % 2 ? gpu_random() : values[gpu_random_below(sizeof(values) / 4)];
}

static void model(struct arena *arena, const struct pgs_setup *s)
{
    uint32_t vertices = s->vertex_count;
    if (s->flags & PGS_SETUP_BYTE_COUNT) {
        const int64_t left_B = (int64_t)arena_u32(arena, s->counter) - s->counter_offset_B;
        vertices = left_B < 0 ? 0 : (uint32_t)(left_B / s->vertex_stride_B);
    }
    bool drawn = true;
    if (s->flags & PGS_SETUP_CONDITION)
        drawn = s->flags & PGS_SETUP_INVERTED ? arena_u32(arena, s->condition) == 0
                                              : arena_u32(arena, s->condition) != 0;
    const uint32_t instances = drawn ? s->instance_count : 0;
    if (s->args) {
        const uint32_t args[] = {vertices, instances, 0, s->first_instance};
        memcpy(arena_at(arena, s->args), args, sizeof(args));
    }
    const uint32_t bounded = vertices < s->vertex_count ? vertices : s->vertex_count;
    for (uint32_t i = 0; s->records && i < s->record_count; i++) {
        struct pgs_draw_record *r = arena_at(arena, s->records + (uint64_t)i * s->record_stride_B);
        r->vertex_count = bounded;
        r->instance_count = instances;
        r->primitive_count = pgs_topology_primitives(s->topology, bounded);
    }
}

static void run(struct gpu *gpu, VkPipeline kernel, VkPipeline args_kernel, uint32_t number)
{
    struct arena arena;
    arena_open(&arena, gpu, 16384);
    struct pgs_setup s = {
        .record_count = gpu_random_below(4),
        .record_stride_B = sizeof(struct pgs_draw_record) + 16 * gpu_random_below(3),
        .flags = gpu_random_below(8),
        .vertex_stride_B = 4 + 4 * gpu_random_below(512),
        .counter_offset_B = gpu_random() % 2 ? some_count() : gpu_random_below(100),
        .vertex_count = some_count(),
        .instance_count = 1 + gpu_random_below(5),
        .first_instance = gpu_random(),
        .topology = gpu_random_below(11),
    };
    if (s.topology == PGS_PATCH_LIST)
        s.topology |= (1 + gpu_random_below(32)) << PGS_PATCH_VERTICES_LOG2;
    const uint32_t counter =
        gpu_random() % 4 ? some_count() : s.counter_offset_B + gpu_random_below(9) - 4;
    const uint32_t condition = gpu_random() % 2 ? 0 : 1u << gpu_random_below(32);
    s.counter = arena_put(&arena, "counter", &counter, 4);
    s.condition = arena_put(&arena, "condition", &condition, 4);
    if (gpu_random() % 4)
        s.args = arena_take(&arena, "args", 16, 4);
    if (gpu_random() % 4)
        s.records = arena_take(&arena, "records", (size_t)s.record_count * s.record_stride_B, 16);
    const uint64_t root = arena_put(&arena, "setup", &s, sizeof(s));
    arena_upload(&arena);
    model(&arena, &s);
    const bool by_args = !s.records && gpu_random() % 2;
    gpu_run(gpu, &(struct gpu_dispatch){by_args ? args_kernel : kernel, 1}, 1, root);
    arena_compare(&arena, gpu, "setup", number);
    arena_close(&arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline kernel = gpu_pipeline(&gpu, pgs_kernel_setup, pgs_kernel_setup_words);
    const VkPipeline args_kernel =
        gpu_pipeline(&gpu, pgs_kernel_setup_args, pgs_kernel_setup_args_words);
    for (uint32_t i = 0; i < 400; i++)
        run(&gpu, kernel, args_kernel, i);
    return gpu_close(&gpu);
}
