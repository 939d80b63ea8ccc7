/* SPDX-License-Identifier: MIT
 *
 * restart_tiles, restart_scan and restart_emit: index streams with restarts against a list made run
 * by run.
 */
#include "../../shaders/lib/topology.glsl"
#include "harness.h"
#include "shaders/embedded.h"

#include <stdlib.h>

#define GUARD 0xA5A5A5A5u

struct kernels {
    VkPipeline tiles, scan, emit;
};

struct stream {
    uint32_t count;    /* positions */
    uint32_t bound_el; /* indices in the bound range; what lies beyond is no restart */
    bool *restarts;    /* [count] */
};

enum pattern { NO_CUT, ONLY_CUTS, LEADING, DOUBLE, TRAILING, RANDOM, RARE, PATTERN_COUNT };

static void make_stream(struct stream *s, uint32_t count, enum pattern pattern)
{
    *s = (struct stream){
        .count = count, .bound_el = count, .restarts = calloc(count + 1, sizeof(bool))};
    const uint32_t mean_run = pattern == RARE ? 5000 : 1 + gpu_random_below(20);
    for (uint32_t i = 0; i < count; i++) {
        const bool by_chance = gpu_random_below(mean_run + 1) == 0;
        s->restarts[i] = pattern == ONLY_CUTS || (pattern == RANDOM && by_chance) ||
                         (pattern == RARE && by_chance) || (pattern == LEADING && i < 3) ||
                         (pattern == TRAILING && i + 3 > count) ||
                         (pattern == DOUBLE && (i % 11 == 6 || i % 11 == 7));
    }
    if (pattern == RANDOM && count > 4 && gpu_random() & 1) {
        s->bound_el = count - 3;
        for (uint32_t i = s->bound_el; i < count; i++)
            s->restarts[i] = false;
    }
}

/* One index of the stream; beyond the bound there is a restart that must not be read. */
static void put_index(uint8_t *at, uint32_t size_B, bool cut)
{
    uint32_t value = cut ? 0xFFFFFFFFu : gpu_random();
    if (!cut &&
        (value << (32 - 8 * size_B)) >> (32 - 8 * size_B) == 0xFFFFFFFFu >> (32 - 8 * size_B))
        value--;
    memcpy(at, &value, size_B);
}

static uint32_t model(const struct stream *s, pgs_u32 topology, struct pgs_primitive *list)
{
    uint32_t total = 0, start = 0;
    for (uint32_t i = 0; i <= s->count; i++) {
        if (i < s->count && !s->restarts[i])
            continue;
        const uint32_t primitives = pgs_topology_primitives(topology, i - start);
        for (uint32_t p = 0; p < primitives; p++) {
            const bool last = topology == PGS_TRIANGLE_STRIP_ADJACENCY && p + 1 == primitives;
            list[total++] = (struct pgs_primitive){start, p | (last ? PGS_PRIMITIVE_LAST : 0)};
        }
        start = i + 1;
    }
    return total;
}

static void check_list(struct gpu *gpu, const struct stream *s, pgs_u32 topology, uint32_t size_B,
                       const struct pgs_primitive *got, const uint32_t counts[2])
{
    const uint32_t got_count = counts[0];
    uint32_t restarts = 0;
    for (uint32_t i = 0; i < s->count; i++)
        restarts += s->restarts[i];
    if (counts[1] != restarts)
        gpu_fail(gpu, "topology %u, %u indices of %u bytes: %u restarts, not %u", topology,
                 s->count, size_B, counts[1], restarts);
    struct pgs_primitive *list = calloc(s->count + 1, sizeof(*list));
    const uint32_t count = model(s, topology, list);
    if (got_count != count)
        gpu_fail(gpu, "topology %u, %u indices of %u bytes: %u primitives, not %u", topology,
                 s->count, size_B, got_count, count);
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(&got[i], &list[i], sizeof(list[i])) != 0) {
            gpu_fail(gpu, "topology %u, %u indices of %u bytes, primitive %u: {%u %x}, not {%u %x}",
                     topology, s->count, size_B, i, got[i].segment_start, got[i].index_in_segment,
                     list[i].segment_start, list[i].index_in_segment);
            break;
        }
    }
    if (got[count].segment_start != GUARD)
        gpu_fail(gpu, "topology %u, %u indices of %u bytes: written beyond the end", topology,
                 s->count, size_B);
    free(list);
}

static void run_stream(struct gpu *gpu, const struct kernels *k, const struct stream *s,
                       pgs_u32 topology, uint32_t size_B)
{
    const uint32_t tiles = gpu_div_up(s->count, PGS_TILE_EL);
    const uint32_t skip_B = gpu_random_below(5) * size_B; /* aligned to the index only */
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    struct gpu_buffer *indices = gpu_buffer(gpu, skip_B + s->count * size_B + 4, 0xFF);
    struct gpu_buffer *sums = gpu_buffer(gpu, (tiles + 1) * 16, 0xA5);
    struct gpu_buffer *list = gpu_buffer(gpu, (s->count + 1) * 8, 0xA5);
    struct gpu_buffer *count = gpu_buffer(gpu, 8, 0xA5);
    for (uint32_t i = 0; i < s->bound_el; i++)
        put_index((uint8_t *)indices->map + skip_B + i * size_B, size_B, s->restarts[i]);
    *(struct pgs_draw_record *)record->map = (struct pgs_draw_record){
        .flags = PGS_DRAW_INDEXED | PGS_DRAW_RESTART,
        .topology = topology,
        .index_address = indices->address + skip_B,
        .index_size_B = size_B,
        .index_bound_el = s->bound_el,
        .vertex_count = s->count,
        .primitive_count = pgs_topology_primitives(topology, s->count),
        .primitive_list = list->address,
        .restart_tiles = sums->address,
        .restart_count = count->address,
    };
    const struct gpu_dispatch dispatches[] = {{k->tiles, tiles}, {k->scan, 1}, {k->emit, tiles}};
    gpu_run(gpu, dispatches, 3, record->address);
    check_list(gpu, s, topology, size_B, list->map, count->map);
    if (((const uint32_t *)sums->map)[4 * tiles] != GUARD)
        gpu_fail(gpu, "%u indices: a summary beyond the last tile", s->count);
    gpu_release_buffers(gpu);
}

/* All that there are; patches of some size. */
static pgs_u32 topology_of(uint32_t run)
{
    const pgs_u32 topology = run % 11;
    if (topology != PGS_PATCH_LIST)
        return topology;
    return topology | (1 + gpu_random_below(32)) << PGS_PATCH_VERTICES_LOG2;
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const struct kernels kernels = {
        .tiles = gpu_pipeline(&gpu, pgs_kernel_restart_tiles, pgs_kernel_restart_tiles_words),
        .scan = gpu_pipeline(&gpu, pgs_kernel_restart_scan, pgs_kernel_restart_scan_words),
        .emit = gpu_pipeline(&gpu, pgs_kernel_restart_emit, pgs_kernel_restart_emit_words),
    };
    static const uint32_t counts[] = {1, 2, 7, 13, 255, 256, 257, 511, 1500};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (uint32_t run = 0; run < PATTERN_COUNT * 11; run++) {
            struct stream stream;
            make_stream(&stream, counts[i], (enum pattern)(run / 11));
            run_stream(&gpu, &kernels, &stream, topology_of(run), 1u << gpu_random_below(3));
            free(stream.restarts);
        }
    }
    /* More tiles than restart_scan takes at a time. */
    for (uint32_t run = 0; run < 11; run++) {
        struct stream stream;
        make_stream(&stream, run == 9 ? 1000001 : 70000, run % 2 ? RANDOM : RARE);
        run_stream(&gpu, &kernels, &stream, topology_of(run), 1u << run % 3);
        free(stream.restarts);
    }
    return gpu_close(&gpu);
}
