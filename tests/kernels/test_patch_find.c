/* SPDX-License-Identifier: MIT
 *
 * Finds primitives among as many patches as a draw may have. Nobody has the memory for these: the
 * program reserves the addresses, and fills the few places that a search reads. So only drivers run
 * it that compute where the program does.
 */
#define _GNU_SOURCE
#include "harness.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"

#include "geometry_capture_test.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PRIMITIVES PGS_SHADER_GROUP_EL
#define STARTS_B ((size_t)PGS_MAX_PATCHES * 8)
#define SUMS_B (((size_t)PGS_MAX_PATCHES / PGS_TILE_EL + 1) * 8)
/* What lies before: an index that became negative reads zeros there, not what is nowhere. */
#define BEFORE_B ((size_t)1 << 34)

static bool runs_here(const struct gpu *gpu)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(gpu->physical, &properties);
    return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* Patch n begins at primitive n. */
static void fill_path(uint32_t *starts, uint32_t patches, uint32_t patch)
{
    uint32_t low = 0, high = patches;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        starts[2 * (size_t)middle + 1] = middle;
        if (middle <= patch)
            low = middle;
        else
            high = middle;
    }
}

static void run(struct gpu *gpu, unsigned char *memory, uint32_t patches)
{
    uint32_t *starts = (uint32_t *)(memory + BEFORE_B);
    struct gpu_buffer *list = gpu_buffer(gpu, PRIMITIVES * 4, 0);
    struct gpu_buffer *found = gpu_buffer(gpu, PRIMITIVES * 8, 0);
    struct gpu_buffer *at = gpu_buffer(gpu, sizeof(struct pgs_tessellation), 0);
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    const struct pgs_tessellation tessellation = {
        .starts = (uintptr_t)starts, .tile_sums = (uintptr_t)(memory + BEFORE_B + STARTS_B)};
    const struct pgs_draw_record draw = {.primitive_list = list->address,
                                         .vertices = found->address,
                                         .primitive_count = patches,
                                         .instance_count = 1,
                                         .tessellation = at->address};
    for (uint32_t i = 0; i < PRIMITIVES; i++) {
        const uint32_t patch = i == 0 ? 0 : i == 1 ? patches - 1 : gpu_random_below(patches);
        ((uint32_t *)list->map)[i] = patch;
        fill_path(starts, patches, patch);
    }
    memcpy(at->map, &tessellation, sizeof(tessellation));
    memcpy(record->map, &draw, sizeof(draw));
    const struct gpu_dispatch dispatch = {
        gpu_pipeline(gpu, geometry_capture_test, sizeof(geometry_capture_test) / 4), 1};
    gpu_run(gpu, &dispatch, 1, record->address);
    for (uint32_t i = 0; i < PRIMITIVES; i++) {
        const uint32_t wanted = ((const uint32_t *)list->map)[i];
        const uint32_t *got = (const uint32_t *)found->map + 2 * (size_t)i;
        if (got[0] != wanted || got[1] != 0)
            gpu_fail(gpu, "of %u patches %u was looked for, and %u found, primitive %u", patches,
                     wanted, got[0], got[1]);
    }
    gpu_release_buffers(gpu);
    gpu_release_pipelines(gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    unsigned char *memory = runs_here(&gpu)
                                ? mmap(NULL, BEFORE_B + STARTS_B + SUMS_B, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                : MAP_FAILED;
    if (memory == MAP_FAILED) {
        fprintf(stderr, "skipped: no addresses that a driver shares\n");
        gpu_close(&gpu);
        return 77;
    }
    static const uint32_t counts[] = {1, 2, 300, 1u << 28, (1u << 30) + 5, PGS_MAX_PATCHES};
    for (uint32_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        run(&gpu, memory, counts[i]);
    munmap(memory, BEFORE_B + STARTS_B + SUMS_B);
    return gpu_close(&gpu);
}
