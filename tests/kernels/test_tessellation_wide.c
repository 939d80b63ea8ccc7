/* SPDX-License-Identifier: MIT
 *
 * 64-bit numbers on their way through control and evaluation shaders, bit by bit.
 */
#include "harness.h"
#include "patch_wide_tesc.h"
#include "patch_wide_tese.h"
#include "poly_gs/tessellation.h"
#include "spirv/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATCHES 3
#define VERTICES 2

static const struct pgs_spv_shader tcs = {.words = patch_wide_tesc,
                                          .word_count = sizeof(patch_wide_tesc) / 4,
                                          .entry_point = "main",
                                          .stage = PGS_SPV_CONTROL};
static const struct pgs_spv_shader tes = {.words = patch_wide_tese,
                                          .word_count = sizeof(patch_wide_tese) / 4,
                                          .entry_point = "main",
                                          .stage = PGS_SPV_EVALUATION};

static struct pgs_spv_control_info control;
static struct pgs_spv_evaluation_info evaluation;
static struct pgs_spv_geometry_info geometry;
static struct pgs_spv_patch patch;

static void expect_ok(enum pgs_spv_result result)
{
    if (result == PGS_SPV_OK)
        return;
    fprintf(stderr, "a pass says %d\n", (int)result);
    exit(1);
}

static void reflect(void)
{
    struct pgs_spv_blob blob;
    expect_ok(pgs_spv_control_info(&tcs, &control));
    expect_ok(pgs_spv_evaluation_info(&tes, &evaluation));
    expect_ok(pgs_spv_pass_through_geometry(&tes, 2, false, &blob));
    const struct pgs_spv_shader gs = {.words = blob.words,
                                      .word_count = blob.word_count,
                                      .entry_point = "main",
                                      .stage = PGS_SPV_GEOMETRY};
    expect_ok(pgs_spv_geometry_info(&gs, &geometry));
    pgs_spv_blob_free(&blob);
    pgs_spv_make_patch(&control, &evaluation, 0, &patch);
}

static VkPipeline make(struct gpu *gpu, enum pgs_spv_stage stage)
{
    struct pgs_spv_blob blob;
    expect_ok(stage == PGS_SPV_CONTROL
                  ? pgs_spv_control_to_compute(&tcs, &control, &patch, &blob)
                  : pgs_spv_evaluation_to_compute(&tes, &patch, false, &geometry.in, &blob));
    const VkPipeline pipeline = gpu_pipeline(gpu, blob.words, blob.word_count);
    pgs_spv_blob_free(&blob);
    return pipeline;
}

/* Number `n` of the dvec at a location, as bits. */
static uint64_t wide_at(const struct pgs_spv_layout *layout, const uint32_t *vertex,
                        uint32_t location, uint32_t n)
{
    const uint16_t *words = layout->location_w[location + n / 2] + n % 2 * 2;
    return vertex[words[0]] | (uint64_t)vertex[words[1]] << 32;
}

static void check_patch(struct gpu *gpu, const uint32_t *in, const uint32_t *out, uint32_t number)
{
    uint64_t a[VERTICES][3], b[VERTICES], c[VERTICES][3];
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t *vertex = in + (size_t)(number * VERTICES + v) * control.in.stride_w;
        for (uint32_t n = 0; n < 3; n++)
            a[v][n] = wide_at(&control.in, vertex, 0, n);
        b[v] = wide_at(&control.in, vertex, 2, 1);
    }
    for (uint32_t v = 0; v < VERTICES; v++) {
        c[v][0] = a[1 - v][2];
        c[v][1] = a[1 - v][1];
        c[v][2] = b[v];
    }
    const uint64_t expected[3][4] = {{c[0][0], c[0][1], c[0][2], c[0][1]},
                                     {a[1][0], a[1][1], a[1][2], c[1][2]},
                                     {c[0][0], c[0][1], c[0][2], c[1][0]}};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t n = 0; n < 4; n++) {
            const uint64_t got = wide_at(&geometry.in, out, 2 * i, n);
            if (got != expected[i][n])
                gpu_fail(gpu, "result %u.%u of patch %u: %016llx, not %016llx", i, n, number,
                         (unsigned long long)got, (unsigned long long)expected[i][n]);
        }
    }
}

/* Numbers that no arithmetic can spoil: moving them about is all that the shaders do. */
static void fill_numbers(const struct gpu_buffer *buffer)
{
    for (size_t i = 0; i < buffer->size_B / 4; i++)
        ((uint32_t *)buffer->map)[i] = (gpu_random() & 0x3FFFFFFFu) | 0x10000000u;
}

static void run(struct gpu *gpu)
{
    struct gpu_buffer *in =
        gpu_buffer(gpu, (size_t)PATCHES * VERTICES * control.in.stride_w * 4, 0);
    struct gpu_buffer *patches = gpu_buffer(gpu, (size_t)PATCHES * patch.stride_w * 4, 0);
    struct gpu_buffer *coords = gpu_buffer(gpu, (size_t)PATCHES * PGS_COORD_STRIDE_B, 0);
    struct gpu_buffer *out = gpu_buffer(gpu, (size_t)PATCHES * geometry.in.stride_w * 4, 0);
    struct gpu_buffer *at = gpu_buffer(gpu, sizeof(struct pgs_tessellation), 0);
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    const struct pgs_tessellation tessellation = {.patches = patches->address,
                                                  .coords = coords->address,
                                                  .vertices = out->address,
                                                  .vertex_count = PATCHES,
                                                  .patch_vertices_in = VERTICES};
    const struct pgs_draw_record draw = {.vertices = in->address,
                                         .vertex_count = PATCHES * VERTICES,
                                         .instance_count = 1,
                                         .primitive_count = PATCHES,
                                         .tessellation = at->address};
    fill_numbers(in);
    for (uint32_t i = 0; i < PATCHES; i++) /* one vertex of each patch */
        ((uint32_t *)coords->map)[4 * i + 2] = i;
    memcpy(at->map, &tessellation, sizeof(tessellation));
    memcpy(record->map, &draw, sizeof(draw));
    const struct gpu_dispatch dispatches[] = {{make(gpu, PGS_SPV_CONTROL), PATCHES},
                                              {make(gpu, PGS_SPV_EVALUATION), 1}};
    gpu_run(gpu, dispatches, 2, record->address);
    for (uint32_t i = 0; i < PATCHES; i++)
        check_patch(gpu, in->map, (const uint32_t *)out->map + (size_t)i * geometry.in.stride_w, i);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    if (!gpu.has_float64) {
        fprintf(stderr, "skipped: no 64-bit floats\n");
        gpu_close(&gpu);
        return 77;
    }
    reflect();
    run(&gpu);
    return gpu_close(&gpu);
}
