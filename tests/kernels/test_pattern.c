/* SPDX-License-Identifier: MIT
 *
 * What the spirv module says that geometry shaders emit, against what they emit: every module in
 * the folders given whose pattern is known, or whose strips are known to be short, runs as compute
 * on random inputs. Those that want descriptors or features are left out.
 */
#include "../../shaders/lib/topology.glsl"
#include "harness.h"
#include "poly_gs/abi.h"
#include "spirv/spirv.h"

#include <dirent.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRIMITIVES 37
#define INSTANCES 2
#define MAX_WORDS 65536
#define INPUT_MASK 7u /* small numbers: some shaders loop as often */

struct tally {
    uint32_t known, bounded, unknown, left_out;
};

struct shader {
    const char *path;
    struct pgs_spv_geometry_info info;
    VkPipeline pipeline;
    uint32_t stream_count;
};

static uint32_t topology_of(const struct pgs_spv_geometry_info *info)
{
    switch (info->input_vertices) {
    case 1:
        return PGS_POINT_LIST;
    case 2:
        return PGS_LINE_LIST;
    case 3:
        return PGS_TRIANGLE_LIST;
    case 4:
        return PGS_LINE_LIST_ADJACENCY;
    default:
        return PGS_TRIANGLE_LIST_ADJACENCY;
    }
}

static bool is_plain_capability(uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityMatrix:
    case SpvCapabilityShader:
    case SpvCapabilityGeometry:
    case SpvCapabilityGeometryPointSize:
    case SpvCapabilityGeometryStreams:
    case SpvCapabilityTransformFeedback:
    case SpvCapabilityClipDistance:
    case SpvCapabilityCullDistance:
    case SpvCapabilityMultiViewport:
        return true;
    default:
        return false;
    }
}

static bool wants_more(const uint32_t *words, size_t count)
{
    for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xFFFF;
        if ((op == SpvOpCapability && !is_plain_capability(words[at + 1])) ||
            (op == SpvOpDecorate && words[at + 2] == SpvDecorationDescriptorSet))
            return true;
    }
    return false;
}

static struct gpu_buffer *make_inputs(struct gpu *gpu, size_t size_B)
{
    struct gpu_buffer *buffer = gpu_buffer(gpu, size_B + 16, 0);
    for (size_t i = 0; i < size_B / 4; i++)
        ((uint32_t *)buffer->map)[i] = gpu_random() & INPUT_MASK;
    return buffer;
}

/* Of one stream: the longest strip of a GS invocation, whose ends are these. */
static uint32_t longest_el(const struct pgs_spv_emit_pattern *pattern, const uint32_t *strip_ends)
{
    uint32_t longest = 0, open = 0;
    for (uint32_t vertex = 0; vertex < pattern->vertices; vertex++) {
        open++;
        longest = open > longest ? open : longest;
        if (strip_ends[vertex / 32] >> vertex % 32 & 1)
            open = 0;
    }
    return longest;
}

/* True if primitives are said to come, but fewer than one strip of all vertices has. What emits
 * none may loop for ever. */
static bool is_bounded(const struct pgs_spv_geometry_info *info)
{
    const uint32_t most = pgs_spv_most_primitives(info);
    return !info->pattern.is_known && most && most + info->output_kind <= info->max_vertices;
}

/* Of a pattern that is not known: how many primitives come at most. */
static void compare_most(struct gpu *gpu, const struct shader *s, uint32_t gs_invocations,
                         const uint32_t *primitives)
{
    const uint32_t most = pgs_spv_most_primitives(&s->info);
    for (uint32_t i = 0; i < gs_invocations; i++) {
        if (primitives[i] > most)
            gpu_fail(gpu, "%s: GS invocation %u: %u primitives, at most %u", s->path, i,
                     primitives[i], most);
    }
}

static void compare_strips(struct gpu *gpu, const struct shader *s, uint32_t gs_invocations,
                           const uint32_t *strip_ends)
{
    const uint32_t words = gpu_div_up(s->info.max_vertices, 32);
    if (s->stream_count > 1 || s->info.output_kind == 1)
        return;
    for (uint32_t i = 0; i < gs_invocations; i++) {
        const uint32_t got = longest_el(&s->info.pattern, strip_ends + (size_t)i * words);
        if (got != s->info.pattern.longest_el)
            gpu_fail(gpu, "%s: GS invocation %u: a strip of %u vertices, not %u", s->path, i, got,
                     s->info.pattern.longest_el);
    }
}

static void compare(struct gpu *gpu, const struct shader *s, const struct pgs_draw_record *r,
                    const uint32_t *counts, const uint32_t *primitives)
{
    const struct pgs_spv_emit_pattern *pattern = &s->info.pattern;
    const uint32_t wanted = pattern->indices[r->raster_stream] | pattern->vertices << 16;
    for (uint32_t gs_invocation = 0; gs_invocation < r->gs_invocation_bound; gs_invocation++) {
        if (counts[gs_invocation] != wanted)
            gpu_fail(gpu, "%s: GS invocation %u: %u vertices, %u indices of stream %u, not %u, %u",
                     s->path, gs_invocation, counts[gs_invocation] >> 16,
                     counts[gs_invocation] & 0xFFFF, r->raster_stream, wanted >> 16,
                     wanted & 0xFFFF);
        for (uint32_t stream = 0; stream < s->stream_count; stream++) {
            const uint32_t got = primitives[stream * r->gs_invocation_bound + gs_invocation];
            if (got != pattern->primitives[stream])
                gpu_fail(gpu, "%s: GS invocation %u: %u primitives of stream %u, not %u", s->path,
                         gs_invocation, got, stream, pattern->primitives[stream]);
        }
    }
}

static void run_stream(struct gpu *gpu, const struct shader *s, uint32_t raster_stream)
{
    const struct pgs_spv_geometry_info *info = &s->info;
    const uint32_t gs_invocations = PRIMITIVES * INSTANCES * info->invocations;
    const uint32_t planes = s->stream_count > 1 ? 3 : 1;
    const size_t vertices = (size_t)PRIMITIVES * INSTANCES * info->input_vertices;
    struct pgs_draw_record r = {
        .flags = s->stream_count > 1 ? PGS_DRAW_STREAMS : 0,
        .topology = topology_of(info),
        .vertex_count = PRIMITIVES * info->input_vertices,
        .instance_count = INSTANCES,
        .primitive_count = PRIMITIVES,
        .invocations = info->invocations,
        .max_vertices = info->max_vertices,
        .out_kind = info->output_kind,
        .stream_count = s->stream_count,
        .raster_stream = raster_stream,
        .gs_invocation_bound = gs_invocations,
    };
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(r), 0);
    struct gpu_buffer *inputs = make_inputs(gpu, vertices * info->in.stride_w * 4);
    struct gpu_buffer *out_vertices = gpu_buffer(
        gpu, (size_t)gs_invocations * info->max_vertices * info->out_stride_w * 4 + 16, 0);
    struct gpu_buffer *strip_ends = gpu_buffer(
        gpu, (size_t)gs_invocations * planes * gpu_div_up(info->max_vertices, 32) * 4, 0);
    struct gpu_buffer *counts = gpu_buffer(gpu, (size_t)gs_invocations * 4, 0xA5);
    struct gpu_buffer *primitives =
        gpu_buffer(gpu, (size_t)gs_invocations * s->stream_count * 4, 0xA5);
    r.vertices = inputs->address;
    r.out_vertices = out_vertices->address;
    r.strip_ends = strip_ends->address;
    r.counts = counts->address;
    r.primitives = primitives->address;
    for (uint32_t i = 0; i < sizeof(r.push) / sizeof(r.push[0]); i++)
        r.push[i] = gpu_random() & INPUT_MASK;
    memcpy(record->map, &r, sizeof(r));
    const struct gpu_dispatch dispatch = {s->pipeline,
                                          gpu_div_up(gs_invocations, PGS_SHADER_GROUP_EL)};
    gpu_run(gpu, &dispatch, 1, record->address);
    if (is_bounded(info)) {
        compare_most(gpu, s, gs_invocations, primitives->map);
    } else {
        compare(gpu, s, &r, counts->map, primitives->map);
        compare_strips(gpu, s, gs_invocations, strip_ends->map);
    }
    gpu_release_buffers(gpu);
}

static void run_module(struct gpu *gpu, const char *path, const uint32_t *words, size_t count,
                       struct tally *tally)
{
    const struct pgs_spv_shader gs = {
        .words = words, .word_count = count, .entry_point = "main", .stage = PGS_SPV_GEOMETRY};
    struct shader s = {.path = path, .stream_count = 1};
    struct pgs_spv_blob blob;
    if (pgs_spv_geometry_info(&gs, &s.info) != PGS_SPV_OK ||
        !(s.info.pattern.is_known || is_bounded(&s.info))) {
        tally->unknown++;
        return;
    }
    if (wants_more(words, count)) {
        tally->left_out++;
        return;
    }
    const enum pgs_spv_result result = pgs_spv_geometry_to_compute(&gs, &s.info, NULL, &blob);
    if (result != PGS_SPV_OK) {
        gpu_fail(gpu, "%s: %d", path, (int)result);
        return;
    }
    s.pipeline = gpu_pipeline(gpu, blob.words, blob.word_count);
    pgs_spv_blob_free(&blob);
    for (uint32_t stream = 1; stream < PGS_SPV_STREAMS; stream++) {
        if (s.info.stream_mask >> stream & 1)
            s.stream_count = stream + 1;
    }
    for (uint32_t stream = 0; stream < PGS_SPV_STREAMS; stream++)
        run_stream(gpu, &s, stream);
    gpu_release_pipelines(gpu);
    *(s.info.pattern.is_known ? &tally->known : &tally->bounded) += 1;
}

static void run_folder(struct gpu *gpu, const char *folder, struct tally *tally)
{
    static uint32_t words[MAX_WORDS];
    DIR *dir = opendir(folder);
    char path[1024];
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".spv") != 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        const size_t count = file ? fread(words, 4, MAX_WORDS, file) : 0;
        if (count)
            run_module(gpu, path, words, count, tally);
        if (file)
            fclose(file);
    }
    if (dir)
        closedir(dir);
}

int main(int argc, char **argv)
{
    struct gpu gpu;
    gpu_open(&gpu);
    for (int i = 1; i < argc; i++) {
        struct tally tally = {0};
        run_folder(&gpu, argv[i], &tally);
        printf("%s: %u known, %u bounded, %u unknown, %u left out\n", argv[i], tally.known,
               tally.bounded, tally.unknown, tally.left_out);
        if (tally.known == 0)
            gpu_fail(&gpu, "%s: nothing to run", argv[i]);
    }
    return gpu_close(&gpu);
}
