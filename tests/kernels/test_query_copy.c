/* SPDX-License-Identifier: MIT
 *
 * query_drain, and query_copy: every form of vkCmdCopyQueryPoolResults against the same made on the
 * CPU, with what must stay untouched.
 */
#include "harness.h"
#include "poly_gs/query.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <string.h>

#define MAX_QUERIES 200
#define UNTOUCHED 0xA5

struct scene {
    uint32_t query_count, query_stride_B, driver_values, value_count, flags, target_stride_B;
    uint8_t sources[PGS_QUERY_MAX_VALUES];
    struct gpu_buffer *queries, *driver, *target;
};

static uint32_t driver_stride_B(const struct scene *s)
{
    return (s->driver_values + 1) * 8;
}

/* Values around the carries of 32 bits. */
static uint64_t random_value(void)
{
    static const uint64_t edges[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 3};
    const uint32_t choice = gpu_random_below(8);
    return choice < 5 ? edges[choice] : (uint64_t)gpu_random() << 32 | gpu_random();
}

static uint64_t *query_words(const struct scene *s, uint32_t query)
{
    return (uint64_t *)((char *)s->queries->map + (size_t)query * s->query_stride_B);
}

static uint64_t *driver_words(const struct scene *s, uint32_t query)
{
    return (uint64_t *)((char *)s->driver->map + (size_t)query * driver_stride_B(s));
}

static void fill(const struct scene *s)
{
    for (uint32_t q = 0; q < s->query_count; q++) {
        uint64_t *words = query_words(s, q);
        words[0] = gpu_random() & 1;
        for (uint32_t i = 1; i < s->query_stride_B / 8; i++)
            words[i] = random_value();
        for (uint32_t i = 0; s->driver_values && i < s->driver_values; i++)
            driver_words(s, q)[i] = random_value();
        if (s->driver_values)
            driver_words(s, q)[s->driver_values] = gpu_random_below(4) ? 1 : 0;
    }
}

static uint64_t expected_value(const struct scene *s, uint32_t query, uint8_t source)
{
    const uint64_t *ours = query_words(s, query) + PGS_QUERY_VALUES_B / 8;
    const uint32_t index = source & PGS_QUERY_SOURCE_VALUE;
    if (!(source & PGS_QUERY_SOURCE_DRIVER))
        return ours[index];
    const uint64_t value = driver_words(s, query)[index];
    const uint64_t own = ours[PGS_STATISTIC_OWN_DISPATCHES] + ours[PGS_STATISTIC_OWN_GRIDS];
    return source & PGS_QUERY_SOURCE_OWN ? value - own : value;
}

static void check_query(struct gpu *gpu, const struct scene *s, uint32_t query)
{
    const size_t value_B = s->flags & PGS_QUERY_COPY_64 ? 8 : 4;
    bool available = (uint32_t)query_words(s, query)[0] != 0;
    if (s->driver_values)
        available = available && driver_words(s, query)[s->driver_values] != 0;
    unsigned char expected[(PGS_QUERY_MAX_VALUES + 2) * 8];
    memset(expected, UNTOUCHED, sizeof(expected));
    if (available || s->flags & PGS_QUERY_COPY_PARTIAL)
        for (uint32_t i = 0; i < s->value_count; i++) {
            const uint64_t value = expected_value(s, query, s->sources[i]);
            memcpy(expected + i * value_B, &value, value_B); /* little-endian */
        }
    if (s->flags & PGS_QUERY_COPY_AVAILABILITY) {
        const uint64_t value = available;
        memcpy(expected + s->value_count * value_B, &value, value_B);
    }
    const unsigned char *got =
        (const unsigned char *)s->target->map + (size_t)query * s->target_stride_B;
    if (memcmp(got, expected, s->target_stride_B) != 0)
        gpu_fail(gpu, "%u queries of %u values, flags %u: query %u is wrong", s->query_count,
                 s->value_count, s->flags, query);
}

static void run_scene(struct gpu *gpu, VkPipeline kernel, struct scene *s)
{
    s->queries = gpu_buffer(gpu, (size_t)s->query_count * s->query_stride_B, 0);
    s->driver = gpu_buffer(gpu, (size_t)s->query_count * driver_stride_B(s), 0);
    s->target = gpu_buffer(gpu, (size_t)(s->query_count + 1) * s->target_stride_B, UNTOUCHED);
    struct gpu_buffer *root = gpu_buffer(gpu, sizeof(struct pgs_query_copy), 0);
    fill(s);
    struct pgs_query_copy copy = {
        .queries = s->queries->address,
        .target = s->target->address,
        .driver = s->driver_values ? s->driver->address : 0,
        .query_stride_B = s->query_stride_B,
        .driver_stride_B = driver_stride_B(s),
        .target_stride_B = s->target_stride_B,
        .query_count = s->query_count,
        .flags = s->flags,
        .value_count = s->value_count,
    };
    for (uint32_t i = 0; i < s->value_count; i++)
        copy.sources[i / 4] |= (uint32_t)s->sources[i] << i % 4 * 8;
    memcpy(root->map, &copy, sizeof(copy));
    const struct gpu_dispatch dispatch = {kernel, gpu_div_up(s->query_count, PGS_SHADER_GROUP_EL)};
    gpu_run(gpu, &dispatch, 1, root->address);
    for (uint32_t q = 0; q < s->query_count; q++)
        check_query(gpu, s, q);
    const unsigned char *end =
        (const unsigned char *)s->target->map + (size_t)s->query_count * s->target_stride_B;
    for (uint32_t i = 0; i < s->target_stride_B; i++)
        if (end[i] != UNTOUCHED)
            gpu_fail(gpu, "%u queries: written beyond the last", s->query_count);
    gpu_release_buffers(gpu);
}

/* query_drain: sums with carries, and what is drained begins again. */
static void run_drain(struct gpu *gpu, VkPipeline kernel, bool wanted)
{
    const size_t size_B = (PGS_STATISTIC_COUNT + 1) * 8;
    struct gpu_buffer *from = gpu_buffer(gpu, size_B, UNTOUCHED);
    struct gpu_buffer *to = gpu_buffer(gpu, size_B, UNTOUCHED);
    struct gpu_buffer *root = gpu_buffer(gpu, sizeof(struct pgs_query_drain), 0);
    uint64_t *const source = from->map, *const target = to->map, sums[PGS_STATISTIC_COUNT];
    const uint64_t guard = source[PGS_STATISTIC_COUNT];
    for (uint32_t i = 0; i < PGS_STATISTIC_COUNT; i++) {
        source[i] = random_value();
        target[i] = random_value();
        sums[i] = target[i] + (wanted ? source[i] : 0);
    }
    const struct pgs_query_drain drain = {from->address, wanted ? to->address : 0};
    memcpy(root->map, &drain, sizeof(drain));
    const struct gpu_dispatch dispatch = {kernel, 1};
    gpu_run(gpu, &dispatch, 1, root->address);
    for (uint32_t i = 0; i < PGS_STATISTIC_COUNT; i++)
        if (target[i] != sums[i] || source[i])
            gpu_fail(gpu, "drained value %u is %llx, not %llx; %llx are left", i,
                     (unsigned long long)target[i], (unsigned long long)sums[i],
                     (unsigned long long)source[i]);
    if (source[PGS_STATISTIC_COUNT] != guard || target[PGS_STATISTIC_COUNT] != guard)
        gpu_fail(gpu, "drained beyond the last value");
    gpu_release_buffers(gpu);
}

/* A linear grid: less than 2^32 workgroups. */
static struct pgs_grid some_grid(void)
{
    const uint32_t x = gpu_random_below(PGS_GRID_X + 1), y = x ? gpu_random_below(65536) : 0;
    return (struct pgs_grid){x, y, gpu_random_below(65536)};
}

/* query_grids: sums beyond 32 bits, and grids that nobody has used hold anything. */
static void run_grids(struct gpu *gpu, VkPipeline kernel, uint32_t count)
{
    struct gpu_buffer *grids = gpu_buffer(gpu, (count + 1) * sizeof(struct pgs_grids), 0);
    struct gpu_buffer *uses = gpu_buffer(gpu, (count + 1) * sizeof(struct pgs_grids_use), 0);
    struct gpu_buffer *value = gpu_buffer(gpu, 3 * 8, 0);
    struct gpu_buffer *root = gpu_buffer(gpu, sizeof(struct pgs_query_grids), 0);
    struct pgs_grid *grid = grids->map;
    struct pgs_grids_use *use = uses->map;
    uint64_t *const words = value->map;
    words[1] = random_value();
    uint64_t sum = words[1];
    for (uint32_t i = 0; i < count * PGS_GRID_COUNT; i++) {
        grid[i] = some_grid();
        const uint32_t weight = gpu_random_below(3) ? gpu_random_below(4) * 64 : 0;
        use[i / PGS_GRID_COUNT].grids =
            grids->address + i / PGS_GRID_COUNT * sizeof(struct pgs_grids);
        use[i / PGS_GRID_COUNT].weights[i % PGS_GRID_COUNT] = weight;
        sum += (uint64_t)grid[i].x * grid[i].y * grid[i].z * weight;
    }
    const struct pgs_query_grids counted = {value->address + 8, uses->address, count, 0};
    memcpy(root->map, &counted, sizeof(counted));
    gpu_run(gpu, &(struct gpu_dispatch){kernel, 1}, 1, root->address);
    if (words[1] != sum || words[0] || words[2])
        gpu_fail(gpu, "the grids of %u draws are %llx, not %llx", count,
                 (unsigned long long)words[1], (unsigned long long)sum);
    gpu_release_buffers(gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline kernel =
        gpu_pipeline(&gpu, pgs_kernel_query_copy, pgs_kernel_query_copy_words);
    /* Our values of a query and the driver's: a plain pool has only the former. */
    static const struct {
        uint32_t ours, driver, value_count;
        uint8_t sources[PGS_QUERY_MAX_VALUES];
    } kinds[] = {
        {1, 0, 1, {0}},
        {2, 0, 2, {0, 1}},
        {7, 0, 2, {1, 4}},
        {7, 3, 8, {0, 1, 2, 3, 4, 0x80, 0x81, 0x82 | 0x40}},
        {7, 2, 3, {0x81 | 0x40, 2, 0x80}},
        {7, 8, 13, {0, 1, 2, 3, 4, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85 | 0x40, 0x86, 0x87}},
    };
    static const uint32_t counts[] = {1, 5, PGS_SHADER_GROUP_EL, MAX_QUERIES};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        for (uint32_t flags = 0; flags < 8; flags++)
            for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
                const uint32_t value_B = flags & PGS_QUERY_COPY_64 ? 8 : 4;
                struct scene scene = {
                    .query_count = counts[c],
                    .query_stride_B = PGS_QUERY_VALUES_B + kinds[k].ours * 8,
                    .driver_values = kinds[k].driver,
                    .value_count = kinds[k].value_count,
                    .flags = flags,
                    .target_stride_B = (kinds[k].value_count + 1 + c % 2) * value_B,
                };
                memcpy(scene.sources, kinds[k].sources, sizeof(scene.sources));
                run_scene(&gpu, kernel, &scene);
            }
    const VkPipeline drain =
        gpu_pipeline(&gpu, pgs_kernel_query_drain, pgs_kernel_query_drain_words);
    for (int i = 0; i < 40; i++)
        run_drain(&gpu, drain, i % 4 != 0);
    const VkPipeline grids =
        gpu_pipeline(&gpu, pgs_kernel_query_grids, pgs_kernel_query_grids_words);
    for (uint32_t i = 0; i < 40; i++)
        run_grids(&gpu, grids, i);
    return gpu_close(&gpu);
}
