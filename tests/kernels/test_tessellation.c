/* SPDX-License-Identifier: MIT
 *
 * Control and evaluation shaders that the spirv module made compute shaders of, on records made by
 * hand: every patch and every vertex of them against a model on the CPU.
 */
#include "harness.h"
#include "patch_tesc.h"
#include "patch_tese.h"
#include "poly_gs/tessellation.h"
#include "spirv/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0xA5A5A5A5u
#define OUT_VERTICES 4
#define MAX_RECORDS 2

struct pass {
    struct pgs_spv_control_info control;
    struct pgs_spv_evaluation_info evaluation;
    struct pgs_spv_patch patch;
    struct pgs_spv_geometry_info geometry;               /* of what would come next */
    VkPipeline control_pipeline, evaluation_pipeline[2]; /* the latter by `triangles` */
};

/* One record and what it leads to. */
struct draw {
    struct pgs_draw_record record;
    struct pgs_tessellation tessellation;
    struct gpu_buffer *in, *patches, *coords, *out, *at;
    const struct pgs_primitive *list; /* restart only */
    uint32_t patch_count;
};

/* What the shaders have of a patch. */
struct patch {
    uint32_t sum[OUT_VERTICES][4], pair[OUT_VERTICES][2], totals[3], ids[3], last;
    float outer[4], inner[2];
};

static void expect_ok(enum pgs_spv_result result, const char *what)
{
    if (result == PGS_SPV_OK)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

static VkPipeline take_pipeline(struct gpu *gpu, struct pgs_spv_blob *blob)
{
    const VkPipeline pipeline = gpu_pipeline(gpu, blob->words, blob->word_count);
    pgs_spv_blob_free(blob);
    return pipeline;
}

static void make_pass(struct gpu *gpu, struct pass *p)
{
    const struct pgs_spv_shader tcs = {.words = patch_tesc,
                                       .word_count = sizeof(patch_tesc) / 4,
                                       .entry_point = "main",
                                       .stage = PGS_SPV_CONTROL};
    const struct pgs_spv_shader tes = {.words = patch_tese,
                                       .word_count = sizeof(patch_tese) / 4,
                                       .entry_point = "main",
                                       .stage = PGS_SPV_EVALUATION};
    struct pgs_spv_blob blob;
    expect_ok(pgs_spv_control_info(&tcs, &p->control), "control info");
    expect_ok(pgs_spv_evaluation_info(&tes, &p->evaluation), "evaluation info");
    pgs_spv_make_patch(&p->control, &p->evaluation, 0, &p->patch);
    expect_ok(pgs_spv_pass_through_geometry(&tes, 3, false, &blob), "pass-through");
    const struct pgs_spv_shader gs = {.words = blob.words,
                                      .word_count = blob.word_count,
                                      .entry_point = "main",
                                      .stage = PGS_SPV_GEOMETRY};
    expect_ok(pgs_spv_geometry_info(&gs, &p->geometry), "geometry info");
    pgs_spv_blob_free(&blob);
    expect_ok(pgs_spv_control_to_compute(&tcs, &p->control, &p->patch, &blob), "control");
    p->control_pipeline = take_pipeline(gpu, &blob);
    for (uint32_t triangles = 0; triangles < 2; triangles++) {
        expect_ok(pgs_spv_evaluation_to_compute(&tes, &p->patch, triangles, &p->geometry.in, &blob),
                  "evaluation");
        p->evaluation_pipeline[triangles] = take_pipeline(gpu, &blob);
    }
}

static void fill_random(const struct gpu_buffer *buffer)
{
    for (size_t i = 0; i < buffer->size_B / 4; i++)
        ((uint32_t *)buffer->map)[i] = gpu_random();
}

/* Memory with a word behind it that nobody may write. */
static struct gpu_buffer *guarded(struct gpu *gpu, size_t size_B)
{
    return gpu_buffer(gpu, size_B + 16, 0xA5);
}

static void fill_coords(const struct draw *d)
{
    const float step = 1.0f / 64;
    for (uint32_t i = 0; i < d->tessellation.vertex_count; i++) {
        const uint32_t u = gpu_random_below(65), v = gpu_random_below(65 - u);
        const float place[2] = {(float)u * step, (float)v * step};
        uint32_t *coord = (uint32_t *)d->coords->map + 4 * (size_t)i;
        memcpy(coord, place, sizeof(place));
        coord[2] = gpu_random_below(d->patch_count);
    }
}

/* Patches from anywhere in the draw, as restart_emit could have written them. */
static void make_restart(struct gpu *gpu, struct draw *d)
{
    const uint32_t patches = d->record.primitive_count, size = d->tessellation.patch_vertices_in;
    struct gpu_buffer *list = gpu_buffer(gpu, patches * sizeof(*d->list), 0);
    struct gpu_buffer *count = gpu_buffer(gpu, 8, 0);
    struct pgs_primitive *entry = list->map;
    for (uint32_t i = 0; i < patches; i++, entry++) {
        entry->index_in_segment = gpu_random_below(patches);
        entry->segment_start =
            gpu_random_below(d->record.vertex_count - (entry->index_in_segment + 1) * size + 1);
    }
    *(uint32_t *)count->map = patches;
    d->list = list->map;
    d->record.flags = PGS_DRAW_RESTART;
    d->record.primitive_list = list->address;
    d->record.restart_count = count->address;
}

static void make_draw(struct gpu *gpu, const struct pass *p, struct draw *d, uint32_t patches,
                      uint32_t instances)
{
    const uint32_t vertices_in = 1 + gpu_random_below(5);
    const uint32_t vertex_count = patches * vertices_in + gpu_random_below(vertices_in);
    const uint32_t made = 1 + gpu_random_below(300);
    d->patch_count = patches * instances;
    d->in = gpu_buffer(gpu, 4 + (size_t)vertex_count * instances * p->control.in.stride_w * 4, 0);
    d->patches = guarded(gpu, (size_t)d->patch_count * p->patch.stride_w * 4);
    d->coords = gpu_buffer(gpu, (size_t)made * PGS_COORD_STRIDE_B, 0);
    d->out = guarded(gpu, (size_t)made * p->geometry.in.stride_w * 4);
    d->at = gpu_buffer(gpu, sizeof(d->tessellation), 0);
    fill_random(d->in);
    d->tessellation = (struct pgs_tessellation){.patches = d->patches->address,
                                                .coords = d->coords->address,
                                                .vertices = d->out->address,
                                                .vertex_count = made,
                                                .patch_vertices_in = vertices_in,
                                                .patch_vertices_out = OUT_VERTICES,
                                                .patch_stride_w = p->patch.stride_w,
                                                .vertex_stride_w = p->geometry.in.stride_w};
    memcpy(d->at->map, &d->tessellation, sizeof(d->tessellation));
    d->record = (struct pgs_draw_record){.vertices = d->in->address,
                                         .vertex_count = vertex_count,
                                         .instance_count = instances,
                                         .primitive_count = patches,
                                         .in_stride_w = p->control.in.stride_w,
                                         .tessellation = d->at->address,
                                         .push = {0, gpu_random()}};
    d->list = NULL;
    if (gpu_random_below(3) == 0)
        make_restart(gpu, d);
    fill_coords(d);
}

static const uint32_t *input_of(const struct pass *p, const struct draw *d, uint32_t patch,
                                uint32_t vertex)
{
    const uint32_t instance = patch / d->record.primitive_count,
                   number = patch % d->record.primitive_count;
    const uint32_t size = d->tessellation.patch_vertices_in;
    const uint32_t first =
        d->list ? d->list[number].segment_start + d->list[number].index_in_segment * size
                : number * size;
    const size_t at = (size_t)instance * d->record.vertex_count + first + vertex % size;
    return (const uint32_t *)d->in->map + at * p->control.in.stride_w;
}

/* patch.tesc. */
static struct patch model_patch(const struct pass *p, const struct draw *d, uint32_t number)
{
    const struct pgs_spv_layout *in = &p->control.in;
    struct patch patch = {.inner = {5}};
    for (uint32_t i = 0; i < OUT_VERTICES; i++) {
        const uint32_t *vertex = input_of(p, d, number, i);
        for (uint32_t c = 0; c < 3; c++) {
            patch.sum[i][c] = vertex[in->location_w[0][c]];
            patch.totals[c] += patch.sum[i][c];
        }
        patch.sum[i][3] = vertex[in->location_w[1][1]] + d->record.push[1];
        for (uint32_t c = 0; c < 2; c++)
            patch.pair[i][c] = vertex[in->location_w[2 + (i & 1)][c]];
    }
    for (uint32_t i = 0; i < OUT_VERTICES; i++) {
        patch.pair[i][0] += patch.sum[(i + 1) % OUT_VERTICES][3];
        patch.pair[i][1] += patch.totals[i % 3];
        patch.outer[i] = (float)(patch.pair[i][0] & 63);
    }
    patch.ids[0] = number % d->record.primitive_count + 1;
    patch.ids[1] = d->tessellation.patch_vertices_in + 1;
    patch.ids[2] = 3 + 1;
    patch.last = patch.pair[0][1];
    patch.inner[1] = (float)(patch.totals[0] & 63);
    return patch;
}

static void check_word(struct gpu *gpu, const char *what, uint32_t number, uint32_t got,
                       uint32_t expected)
{
    if (got != expected)
        gpu_fail(gpu, "%s of %u: %08x, not %08x", what, number, got, expected);
}

static void check_patch(struct gpu *gpu, const struct pass *p, const struct draw *d,
                        uint32_t number)
{
    const struct patch patch = model_patch(p, d, number);
    const uint32_t *got = (const uint32_t *)d->patches->map + (size_t)number * p->patch.stride_w;
    const uint32_t *once = got + p->patch.outputs_w;
    const uint16_t(*once_w)[4] = p->patch.patch.location_w;
    if (memcmp(got + PGS_PATCH_OUTER_W, patch.outer, sizeof(patch.outer)) != 0 ||
        memcmp(got + PGS_PATCH_INNER_W, patch.inner, sizeof(patch.inner)) != 0)
        gpu_fail(gpu, "levels of patch %u differ", number);
    for (uint32_t k = 0; k < 3; k++) {
        check_word(gpu, "total", number, once[once_w[2 + k][0]], patch.totals[k]);
        check_word(gpu, "id", number, once[once_w[5][k]], patch.ids[k]);
    }
    check_word(gpu, "last", number, once[once_w[6][0]], patch.last);
    for (uint32_t i = 0; i < OUT_VERTICES; i++) {
        const uint32_t *vertex = got + p->patch.vertices_w + i * p->patch.vertex.stride_w;
        for (uint32_t c = 0; c < 4; c++)
            check_word(gpu, "sum", number, vertex[p->patch.vertex.location_w[0][c]],
                       patch.sum[i][c]);
        for (uint32_t c = 0; c < 2; c++)
            check_word(gpu, "pair", number, vertex[p->patch.vertex.location_w[1][c]],
                       patch.pair[i][c]);
    }
}

/* patch.tese. */
static void check_vertex(struct gpu *gpu, const struct pass *p, const struct draw *d,
                         uint32_t number, bool triangles)
{
    const uint32_t *coord = (const uint32_t *)d->coords->map + 4 * (size_t)number;
    const struct pgs_spv_layout *layout = &p->geometry.in;
    const uint32_t *got = (const uint32_t *)d->out->map + (size_t)number * layout->stride_w;
    const struct patch patch = model_patch(p, d, coord[2]);
    uint32_t expected[4][4], pairs[2] = {0, 0};
    float place[4];
    memcpy(place, coord, 8);
    place[2] = triangles ? 1 - place[0] - place[1] : 0;
    place[3] = patch.outer[3] + patch.inner[1];
    memcpy(expected[2], place, sizeof(place));
    memcpy(expected[3], (float[]){patch.outer[0], patch.outer[1], patch.outer[2], patch.inner[0]},
           16);
    for (uint32_t i = 0; i < OUT_VERTICES; i++) {
        pairs[0] += patch.pair[i][0] * (i + 1);
        pairs[1] += patch.pair[i][1] * (i + 1);
    }
    for (uint32_t c = 0; c < 4; c++)
        expected[0][c] = patch.sum[OUT_VERTICES - 1][c] +
                         (c < 3 ? patch.totals[c] : coord[2] % d->record.primitive_count);
    expected[1][0] = patch.ids[0];
    expected[1][1] = patch.ids[1];
    expected[1][2] = patch.last + pairs[0];
    expected[1][3] = patch.ids[2] + pairs[1] + d->record.push[1];
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t c = 0; c < 4; c++)
            check_word(gpu, "output", number, got[layout->location_w[l][c]], expected[l][c]);
    }
    for (uint32_t c = 0; c < 4; c++)
        check_word(gpu, "position", number, got[layout->position_w + c], expected[3][c]);
}

static void check_draw(struct gpu *gpu, const struct pass *p, const struct draw *d, bool triangles)
{
    const uint32_t *patches = d->patches->map, *out = d->out->map;
    for (uint32_t i = 0; i < d->patch_count; i++)
        check_patch(gpu, p, d, i);
    for (uint32_t i = 0; i < d->tessellation.vertex_count; i++)
        check_vertex(gpu, p, d, i, triangles);
    if (patches[(size_t)d->patch_count * p->patch.stride_w] != GUARD)
        gpu_fail(gpu, "written beyond the last patch");
    if (out[(size_t)d->tessellation.vertex_count * p->geometry.in.stride_w] != GUARD)
        gpu_fail(gpu, "written beyond the last vertex");
}

/* Several records by one dispatch of each stage, as large as the largest needs. */
static void run(struct gpu *gpu, const struct pass *p, uint32_t count, uint32_t least_patches,
                bool triangles)
{
    struct draw draws[MAX_RECORDS];
    struct gpu_buffer *records = gpu_buffer(gpu, count * sizeof(struct pgs_draw_record), 0);
    uint32_t patches = 0, vertices = 0;
    for (uint32_t i = 0; i < count; i++) {
        make_draw(gpu, p, &draws[i], least_patches + gpu_random_below(40), 1 + gpu_random_below(3));
        memcpy((struct pgs_draw_record *)records->map + i, &draws[i].record,
               sizeof(draws[i].record));
        patches = draws[i].patch_count > patches ? draws[i].patch_count : patches;
        vertices = draws[i].tessellation.vertex_count > vertices
                       ? draws[i].tessellation.vertex_count
                       : vertices;
    }
    const struct gpu_dispatch dispatches[] = {
        {p->control_pipeline, patches},
        {p->evaluation_pipeline[triangles], gpu_div_up(vertices, PGS_SHADER_GROUP_EL)}};
    gpu_run_strided(gpu, dispatches, 2, records->address, count, sizeof(struct pgs_draw_record));
    for (uint32_t i = 0; i < count; i++)
        check_draw(gpu, p, &draws[i], triangles);
    gpu_release_buffers(gpu);
}

/* A draw whose patches got no memory. */
static void run_empty(struct gpu *gpu, const struct pass *p)
{
    struct draw draw;
    struct gpu_buffer *records = gpu_buffer(gpu, sizeof(draw.record), 0);
    make_draw(gpu, p, &draw, 3, 1);
    draw.record.primitive_count = 0;
    memcpy(records->map, &draw.record, sizeof(draw.record));
    ((struct pgs_tessellation *)draw.at->map)->vertex_count = 0;
    const struct gpu_dispatch dispatches[] = {{p->control_pipeline, 3},
                                              {p->evaluation_pipeline[0], 2}};
    gpu_run(gpu, dispatches, 2, records->address);
    const uint32_t *patches = draw.patches->map, *out = draw.out->map;
    for (uint32_t i = 0; i < draw.patches->size_B / 4; i++)
        check_word(gpu, "word of no patch", i, patches[i], GUARD);
    for (uint32_t i = 0; i < draw.out->size_B / 4; i++)
        check_word(gpu, "word of no vertex", i, out[i], GUARD);
    gpu_release_buffers(gpu);
}

int main(void)
{
    struct gpu gpu;
    struct pass pass;
    gpu_open(&gpu);
    make_pass(&gpu, &pass);
    for (uint32_t i = 0; i < 20; i++)
        run(&gpu, &pass, 1 + i % MAX_RECORDS, 1, i & 2);
    run(&gpu, &pass, 1, PGS_GRID_X, false); /* more than a row of the grid */
    run_empty(&gpu, &pass);
    return gpu_close(&gpu);
}
