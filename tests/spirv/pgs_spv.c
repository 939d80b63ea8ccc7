/* SPDX-License-Identifier: MIT
 *
 * pgs-spv: runs one pass of the spirv module on a file. For tests, and for looking at what comes
 * out.
 */
#include "pass_stages.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"
#include "run_instanced.h"
#include "spirv/spirv.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SPEC 16

struct arguments {
    const char *pass, *in, *out, *geometry, *mate;
    struct pgs_spv_shader shader;
    struct pgs_spv_spec_entry entries[MAX_SPEC];
    uint32_t values[MAX_SPEC];
    uint32_t primitive_id_location;
    uint32_t format; /* of all attributes; 0: dynamic */
    uint32_t modes;  /* PGS_TESS_MODES in the place of those that are derived; UINT32_MAX: none */
    struct pgs_spv_assembly assembly;
};

static const char usage[] =
    "usage: pgs-spv info|pattern|one_vertex|picks|instanced|sift|vertex|captured|fused|control|"
    "evaluation|place|geometry|raster|raster1|raster2|raster3|select|viewed|viewed_place|inline0|"
    "inline1|indexed|selected|own|owned|chunks|fragment|zeroed|taken|clipped|sampled|passed|planes|"
    "through1|through2|through3|behind|behind_chunks|behind_patch|counted|patch_place|extract|"
    "halfN|patchless|invariant|parted|joined|fetched|pointed|shades IN.spv\n               [-o "
    "OUT.spv] "
    "[-e ENTRY] [-t vert|tesc|tese|geom|frag|comp] [-g GEOMETRY.spv] [-m MATE.spv]\n              "
    " [-p PRIMITIVE_ID_LOCATION] [-f FORMAT] [-d MODES] [-a TOPOLOGY] [-i 32|64] [-s "
    "ID=WORD]...\ncaptured "
    "is vertex that captures by itself. pattern is what a unit of a geometry shader "
    "emits,\none_vertex whether it is of one vertex, and instanced a draw of its strips as "
    "instances, of\nwhatever shader; sift finds out which may be seen.\nvertex and evaluation "
    "store what GEOMETRY.spv reads, or everything; fused is with it, whose entry is ENTRY. FORMAT "
    "is that of all attributes, as a number of poly_gs/format.h. TOPOLOGY is that of all draws, "
    "whose indices do not restart; MODES are PGS_TESS_* of patches; -i 64: with 64-bit "
    "integers,\n-i pairs: which load and store "
    "words in pairs, -i bound: also by descriptors; control and evaluation go with the other\none, "
    "MATE.spv, or with one that "
    "has everything. zeroed is fragment for a driver without layers,\ntaken for one that draws "
    "layer by layer, and select is its raster. viewed and viewed_place are raster0 and place for "
    "one view.\nrasterN rasterizes stream N. inlineN and selected are rasterN and select that run "
    "the geometry shader themselves, indexed is inline0 with an index list. parted and joined are "
    "geometry and raster0 with vertices in "
    "two arrays, fetched is raster0\nwith attributes, pointed makes triangles of what are points "
    "then. own is geometry\nthat captures by itself, with a pattern or one that is made up, and "
    "owned is own with the vertex shader in it, chunks the same without a pattern. behind "
    "and\nbehind_chunks are inline0 and chunks with the evaluation shader in front of "
    "GEOMETRY.spv. counted,\npatch_place and behind_patch are control, place and behind of draws "
    "of which each patch is one. shades is control with a vertex shader in it, which is "
    "GEOMETRY.spv. throughN makes a geometry shader of N vertices. halfN is for a "
    "driver that\nhas geometry shaders but no transform feedback, and rasterizes stream N. info, "
    "extract and\nhalfN take -t, throughN may, the others know their stage. patchless is fragment "
    "for a driver that lacks only\ntessellation, layers and viewports of vertex shaders; clipped "
    "for one that lacks distances, sampled with four samples, and passed is the vertex shader\nin "
    "front of it. stippled leaves the gaps of stippled lines, stippled4 in each of four samples. "
    "planes is a vertex shader that clips depths, which begin at -w.\n-n keep: with names.\n";

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    uint32_t *words = NULL;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size_B = ftell(file);
        words = size_B < 0 ? NULL : malloc((size_t)size_B + 4);
        rewind(file);
        *count = words ? fread(words, 4, (size_t)size_B / 4, file) : 0;
    }
    fclose(file);
    return words;
}

static int parse_spec(struct arguments *a, const char *text)
{
    uint32_t id, value;
    if (a->shader.spec_entry_count == MAX_SPEC ||
        sscanf(text, "%" SCNu32 "=%" SCNi32, &id, (int32_t *)&value) != 2)
        return 0;
    const uint32_t n = a->shader.spec_entry_count++;
    a->values[n] = value;
    a->entries[n] = (struct pgs_spv_spec_entry){.constant_id = id, .offset_B = n * 4, .size_B = 4};
    return 1;
}

static int parse_arguments(struct arguments *a, int argc, char **argv)
{
    *a = (struct arguments){
        .primitive_id_location = UINT32_MAX,
        .modes = UINT32_MAX,
        .assembly = {.topology = PGS_TOPOLOGY_ANY, .flags = UINT32_MAX},
    };
    if (argc < 3)
        return 0;
    a->pass = argv[1];
    a->in = argv[2];
    a->shader.entry_point = "main";
    stage_of(a->pass, &a->shader.stage);
    for (int i = 3; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "-o") == 0)
            a->out = value;
        else if (strcmp(argv[i], "-e") == 0)
            a->shader.entry_point = value;
        else if (strcmp(argv[i], "-g") == 0)
            a->geometry = value;
        else if (strcmp(argv[i], "-m") == 0)
            a->mate = value;
        else if (strcmp(argv[i], "-p") == 0)
            a->primitive_id_location = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "-i") == 0) {
            const bool binds = strcmp(value, "bound") == 0;
            a->assembly.bound_sets = binds ? 3 : 0;
            a->assembly.takes_record = a->shader.pairs_words = binds || strcmp(value, "pairs") == 0;
            a->shader.int64 = a->shader.pairs_words || strcmp(value, "64") == 0;
            a->shader.joins_loads = strcmp(value, "joined") == 0;
        } else if (strcmp(argv[i], "-n") == 0)
            a->shader.keeps_names = strcmp(value, "keep") == 0;
        else if (strcmp(argv[i], "-f") == 0)
            a->format = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "-d") == 0)
            a->modes = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(argv[i], "-a") == 0)
            a->assembly = (struct pgs_spv_assembly){
                .topology = (uint32_t)strtoul(value, NULL, 0),
                .flags = PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST,
            };
        else if (strcmp(argv[i], "-s") == 0
                     ? !parse_spec(a, value)
                     : strcmp(argv[i], "-t") != 0 || !stage_of(value, &a->shader.stage))
            return 0;
    }
    a->shader.spec_entries = a->entries;
    a->shader.spec_data = a->values;
    a->shader.spec_data_B = sizeof(a->values);
    return argc % 2 == 1;
}

static void print_layout(const char *name, const struct pgs_spv_layout *layout)
{
    printf("%s: stride %u", name, layout->stride_w);
    if (layout->position_w != PGS_NO_WORD)
        printf(", position %u", layout->position_w);
    if (layout->point_size_w != PGS_NO_WORD)
        printf(", point size %u", layout->point_size_w);
    if (layout->primitive_id_w != PGS_NO_WORD)
        printf(", primitive id %u", layout->primitive_id_w);
    if (layout->layer_w != PGS_NO_WORD)
        printf(", layer %u", layout->layer_w);
    if (layout->viewport_index_w != PGS_NO_WORD)
        printf(", viewport index %u", layout->viewport_index_w);
    if (layout->shading_rate_w != PGS_NO_WORD)
        printf(", shading rate %u", layout->shading_rate_w);
    if (layout->clip_distance_count)
        printf(", clip %u+%u", layout->clip_distance_w, layout->clip_distance_count);
    if (layout->cull_distance_count)
        printf(", cull %u+%u", layout->cull_distance_w, layout->cull_distance_count);
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        for (uint32_t c = 0; c < 4; c++) {
            if (layout->location_w[l][c] != PGS_NO_WORD)
                printf(", %u.%u at %u", l, c, layout->location_w[l][c]);
        }
    }
    printf("\n");
}

/* Runs as source+count to target, in words. */
static void print_xfb(const struct pgs_spv_xfb *xfb)
{
    if (xfb->enabled)
        printf("captures\n");
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS; b++) {
        if (!xfb->stride_B[b])
            continue;
        printf("buffer %u: stride %u, stream %u", b, xfb->stride_B[b], xfb->stream[b]);
        for (uint32_t i = 0; i < xfb->copy_count; i++) {
            const struct pgs_spv_xfb_copy *run = &xfb->copies[i];
            if (run->buffer == b)
                printf(", %u+%u to %u", run->source_w, run->count_w, run->target_w);
        }
        printf("\n");
    }
}

static bool takes_stream(const struct pgs_spv_xfb *xfb, uint32_t stream)
{
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS; b++) {
        if (xfb->stride_B[b] && xfb->stream[b] == stream)
            return true;
    }
    return false;
}

static enum pgs_spv_result print_vertex(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_vertex_info info;
    struct pgs_spv_layout out;
    struct pgs_spv_xfb xfb;
    enum pgs_spv_result result = pgs_spv_vertex_info(shader, &info);
    if (result != PGS_SPV_OK)
        return result;
    result = pgs_spv_vertex_xfb(shader, &out, &xfb);
    if (result != PGS_SPV_OK)
        return result;
    printf("attributes %#x%s%s\n", info.attribute_mask,
           info.reads_push_constants ? ", push constants" : "",
           info.has_side_effects ? ", side effects" : "");
    if (xfb.enabled)
        print_layout("captured", &out);
    print_xfb(&xfb);
    return PGS_SPV_OK;
}

static void print_modes(const struct pgs_spv_tessellation_modes *modes)
{
    printf("domain %d, spacing %d, order %d%s, vertices %u\n", (int)modes->domain,
           (int)modes->spacing, (int)modes->order, modes->point_mode ? ", points" : "",
           modes->output_vertices);
}

static enum pgs_spv_result print_tessellation(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_control_info control;
    struct pgs_spv_evaluation_info evaluation;
    const bool is_control = shader->stage == PGS_SPV_CONTROL;
    const enum pgs_spv_result result = is_control ? pgs_spv_control_info(shader, &control)
                                                  : pgs_spv_evaluation_info(shader, &evaluation);
    if (result != PGS_SPV_OK)
        return result;
    print_modes(is_control ? &control.modes : &evaluation.modes);
    if (is_control)
        printf("shared %u\n", control.shared_B);
    if (is_control ? control.reads_push_constants : evaluation.reads_push_constants)
        printf("push constants\n");
    if (is_control ? control.has_side_effects : evaluation.has_side_effects)
        printf("side effects\n");
    print_layout("in", is_control ? &control.in : &evaluation.in);
    if (is_control)
        print_layout("out", &control.out);
    print_layout("patch", is_control ? &control.patch : &evaluation.patch);
    return PGS_SPV_OK;
}

static enum pgs_spv_result print_info(const struct pgs_spv_shader *shader)
{
    enum pgs_spv_result result = PGS_SPV_UNSUPPORTED;
    if (shader->stage == PGS_SPV_GEOMETRY) {
        struct pgs_spv_geometry_info info;
        result = pgs_spv_geometry_info(shader, &info);
        if (result != PGS_SPV_OK)
            return result;
        printf("input %u, kind %u, max %u, invocations %u%s\n", info.input_vertices,
               info.output_kind, info.max_vertices, info.invocations,
               info.reads_push_constants ? ", push constants" : "");
        print_layout("in", &info.in);
        print_layout("out", &info.out[0]);
        for (uint32_t s = 1; s < PGS_SPV_STREAMS; s++) {
            char name[16];
            snprintf(name, sizeof(name), "stream %u", s);
            if ((info.stream_mask >> s & 1) || takes_stream(&info.xfb, s))
                print_layout(name, &info.out[s]);
        }
        if (info.stream_mask > 1)
            printf("emits to %#x, stride %u\n", info.stream_mask, info.out_stride_w);
        print_xfb(&info.xfb);
    } else if (shader->stage == PGS_SPV_VERTEX) {
        result = print_vertex(shader);
    } else if (shader->stage == PGS_SPV_CONTROL || shader->stage == PGS_SPV_EVALUATION) {
        result = print_tessellation(shader);
    } else if (shader->stage == PGS_SPV_FRAGMENT) {
        struct pgs_spv_fragment_info info;
        result = pgs_spv_fragment_info(shader, &info);
        if (result == PGS_SPV_OK)
            printf("locations %#" PRIx64 "%s%s%s\n", info.location_mask,
                   info.reads_primitive_id ? ", primitive id" : "",
                   info.reads_layer ? ", layer" : "",
                   info.reads_viewport_index ? ", viewport index" : "");
    }
    return result;
}

/* "4 vertices", then what there is of each stream. */
static enum pgs_spv_result print_pattern(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_geometry_info info;
    const enum pgs_spv_result result = pgs_spv_geometry_info(shader, &info);
    const struct pgs_spv_emit_pattern *pattern = &info.pattern;
    if (result != PGS_SPV_OK)
        return result;
    const bool tells = !pattern->is_known || pattern->round_steps != UINT32_MAX;
    if (!pattern->is_known)
        printf("unknown; %u primitives at most%s", pgs_spv_most_primitives(&info),
               info.skips_emits ? "; skipped" : "");
    else
        printf("%u vertices", pattern->vertices);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        if (pattern->is_known && info.stream_mask >> s & 1)
            printf("; %u: %u primitives, %u indices", s, pattern->primitives[s],
                   pattern->indices[s]);
    printf("%s", pattern->steps == UINT32_MAX ? "; long" : "");
    for (uint32_t i = 0; tells && i < info.push_loops.count; i++)
        printf("%s %u", i ? "" : "; times", info.push_loops.at_w[i]);
    printf("\n");
    return result;
}

/* A layout with space for everything. */
static void fill_layout(struct pgs_spv_layout *layout)
{
    uint16_t next = 4;
    memset(layout, 0xFF, sizeof(*layout));
    layout->wide = true;
    layout->position_w = 0;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t c = 0; c < 4; c++)
            layout->location_w[l][c] = next++;
    }
    layout->point_size_w = next++;
    layout->clip_distance_count = layout->cull_distance_count = 8;
    layout->clip_distance_w = next;
    layout->cull_distance_w = (uint16_t)(next + 8);
    layout->stride_w = (uint16_t)((next + 16 + 3) & ~3);
}

/* GEOMETRY.spv; words are to be freed. */
static enum pgs_spv_result open_geometry(const struct arguments *a, struct pgs_spv_shader *gs,
                                         uint32_t **words, struct pgs_spv_geometry_info *info)
{
    *gs = a->shader;
    *words = read_words(a->geometry, &gs->word_count);
    gs->words = *words;
    gs->stage = PGS_SPV_GEOMETRY;
    return pgs_spv_geometry_info(gs, info);
}

/* What GEOMETRY.spv reads, or everything. */
static enum pgs_spv_result choose_outputs(const struct arguments *a, struct pgs_spv_layout *out)
{
    struct pgs_spv_shader gs;
    struct pgs_spv_geometry_info info;
    uint32_t *words;
    fill_layout(out);
    if (!a->geometry)
        return PGS_SPV_OK;
    const enum pgs_spv_result result = open_geometry(a, &gs, &words, &info);
    free(words);
    if (result == PGS_SPV_OK)
        *out = info.in;
    return result;
}

static struct pgs_spv_vertex_options vertex_options(const struct arguments *a)
{
    struct pgs_spv_vertex_options options = {.format = {0}};
    for (size_t i = 0; i < sizeof(options.format) / sizeof(options.format[0]); i++)
        options.format[i] = a->format;
    return options;
}

/* Storing what comes next reads, or "captured" capturing by itself. */
static enum pgs_spv_result run_vertex(const struct arguments *a, struct pgs_spv_blob *out)
{
    struct pgs_spv_vertex_options options = vertex_options(a);
    struct pgs_spv_xfb xfb;
    enum pgs_spv_result result = PGS_SPV_OK;
    if (a->pass[0] == 'c') {
        result = pgs_spv_vertex_xfb(&a->shader, &options.out, &xfb);
        options.capture = &xfb;
    } else {
        result = choose_outputs(a, &options.out);
    }
    return result == PGS_SPV_OK ? pgs_spv_vertex_to_compute(&a->shader, &options, &a->assembly, out)
                                : result;
}

/* For a driver that takes layers from a vertex shader, or, where the pass's name begins with s, for
 * one that does not. The digit in it is the stream. */
static struct pgs_spv_raster_options raster_options(const struct arguments *a,
                                                    const struct pgs_spv_geometry_info *info)
{
    const bool select = a->pass[0] == 's', large = strcmp(a->pass, "pointed") == 0;
    return (struct pgs_spv_raster_options){
        .polygons = large ? PGS_SPV_LARGE_POINTS : PGS_SPV_POLYGONS_FILLED,
        .pass_point_coord = large,
        .point_coord_location = a->primitive_id_location + 3,
        .write_point_size = info->output_kind == 1,
        .primitive_id_location = a->primitive_id_location,
        .write_layer = !select,
        .write_viewport_index = !select,
        .select_layer = select,
        .select_view = strcmp(a->pass, "viewed") == 0,
        .pass_layer = select && a->primitive_id_location != UINT32_MAX,
        .layer_location = a->primitive_id_location + 1,
        .fetches =
            strcmp(a->pass, "fetched") == 0 && info->out_stride_w <= 4 * PGS_SPV_MAX_FETCHED_QUADS,
        .indexed = strcmp(a->pass, "indexed") == 0 && info->stream_mask == 1,
        .select_viewport = select,
        .pass_viewport = select && a->primitive_id_location != UINT32_MAX,
        .viewport_location = a->primitive_id_location + 2,
        .stream =
            a->pass[0] != 'f' && a->pass[0] != 'v' && !select && isdigit((unsigned char)a->pass[6])
                ? a->pass[6] - '0'
                : 0};
}

/* Captures by itself, behind vs if that is not NULL, by a pattern or in chunks. */
static enum pgs_spv_result run_own(const struct arguments *a, bool in_chunks,
                                   const struct pgs_spv_shader *vs, const struct pgs_spv_shader *gs,
                                   const struct pgs_spv_geometry_info *info,
                                   struct pgs_spv_blob *out)
{
    struct pgs_spv_vertex_options options = vertex_options(a);
    options.out = info->in;
    struct pgs_spv_geometry_info known = *info;
    if (in_chunks)
        known.pattern = (struct pgs_spv_emit_pattern){0};
    else if (!info->pattern.is_known)
        known.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {1, 2, 3, 4}};
    return pgs_spv_geometry_to_capture(vs, &options, gs, &known, &a->assembly, out);
}

static enum pgs_spv_result run_fused(const struct arguments *a, struct pgs_spv_blob *out)
{
    struct pgs_spv_vertex_options options = vertex_options(a);
    struct pgs_spv_shader gs;
    struct pgs_spv_geometry_info info;
    uint32_t *words;
    if (!a->geometry)
        return PGS_SPV_INVALID;
    enum pgs_spv_result result = open_geometry(a, &gs, &words, &info);
    struct pgs_spv_shader vs = a->shader;
    vs.entry_point = "main";
    options.out = info.in;
    const bool in_chunks = strcmp(a->pass, "chunks") == 0;
    const bool own = in_chunks || strcmp(a->pass, "owned") == 0;
    const struct pgs_spv_raster_options raster =
        own ? (struct pgs_spv_raster_options){0} : raster_options(a, &info);
    const bool sifts = strcmp(a->pass, "sift") == 0;
    if (raster.indexed && !info.pattern.is_known)
        info.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .vertices = 4};
    if (result == PGS_SPV_OK && (sifts || strcmp(a->pass, "instanced") == 0))
        result = run_instanced(sifts, &vs, &options, &gs, &info, &raster, out);
    else if (result == PGS_SPV_OK && own)
        result = run_own(a, in_chunks, &vs, &gs, &info, out);
    else if (result == PGS_SPV_OK && a->pass[0] == 'f')
        result = pgs_spv_fused_to_compute(&vs, &options, &gs, &info, &a->assembly, out);
    else if (result == PGS_SPV_OK)
        result = pgs_spv_fused_to_raster(&vs, &options, &gs, &info, &a->assembly, &raster, out);
    free(words);
    return result;
}

/* The evaluation shader in front of a geometry shader. */
static enum pgs_spv_result run_behind(const struct arguments *a, struct pgs_spv_blob *out)
{
    const struct pgs_spv_control_info control = {.modes = {.output_vertices = 3}};
    struct pgs_spv_evaluation_info evaluation;
    struct pgs_spv_patch patch;
    struct pgs_spv_shader gs;
    struct pgs_spv_geometry_info info;
    uint32_t *words;
    enum pgs_spv_result result = pgs_spv_evaluation_info(&a->shader, &evaluation);
    if (result != PGS_SPV_OK || !a->geometry)
        return result == PGS_SPV_OK ? PGS_SPV_INVALID : result;
    pgs_spv_make_patch(&control, &evaluation, 0, &patch);
    const struct pgs_spv_evaluation_options options = {.patch = &patch, .triangles = true};
    const struct pgs_spv_assembly patches = {.topology = 10, .flags = PGS_DRAW_TESSELLATED};
    const bool by_patch = strcmp(a->pass, "behind_patch") == 0;
    const struct pgs_spv_raster_options raster = {.primitive_id_location = UINT32_MAX,
                                                  .by_patch = by_patch};
    result = open_geometry(a, &gs, &words, &info);
    if (result == PGS_SPV_OK && (by_patch || strcmp(a->pass, "behind") == 0))
        result =
            pgs_spv_evaluated_to_raster(&a->shader, &options, &gs, &info, &patches, &raster, out);
    else if (result == PGS_SPV_OK)
        result = pgs_spv_evaluated_to_capture(&a->shader, &options, &gs, &info, &patches, out);
    free(words);
    return result;
}

/* With a vertex shader in it, for patches of any number of vertices or as many as come out. */
static enum pgs_spv_result run_shades(const struct arguments *a,
                                      const struct pgs_spv_control_info *control,
                                      const struct pgs_spv_patch *patch, struct pgs_spv_blob *out)
{
    struct pgs_spv_vertex_options options = vertex_options(a);
    struct pgs_spv_shader vs = a->shader;
    size_t count = 0;
    uint32_t *words = a->geometry ? read_words(a->geometry, &count) : NULL;
    vs.words = words;
    vs.word_count = count;
    vs.entry_point = "main";
    vs.stage = PGS_SPV_VERTEX;
    options.out = control->in;
    const struct pgs_spv_control_front front = {
        .vs = &vs, .vertex = &options, .patch_vertices = a->format ? patch->vertex_count : 0};
    const enum pgs_spv_result result =
        words ? pgs_spv_fused_control_to_compute(&front, &a->shader, control, patch, out)
              : PGS_SPV_INVALID;
    free(words);
    return result;
}

static enum pgs_spv_result run_tessellation(const struct arguments *a, struct pgs_spv_blob *out)
{
    const bool is_control = a->shader.stage == PGS_SPV_CONTROL;
    struct pgs_spv_shader mate = a->shader;
    struct pgs_spv_control_info control = {.modes = {.output_vertices = 3}};
    struct pgs_spv_evaluation_info evaluation = {.modes = {.output_vertices = 3}};
    struct pgs_spv_patch patch;
    struct pgs_spv_layout layout;
    size_t count = 0;
    uint32_t *words = a->mate ? read_words(a->mate, &count) : NULL;
    mate.words = words;
    mate.word_count = count;
    fill_layout(&evaluation.in);
    fill_layout(&evaluation.patch);
    enum pgs_spv_result result = is_control ? PGS_SPV_OK : choose_outputs(a, &layout);
    mate.stage = PGS_SPV_CONTROL;
    if (result == PGS_SPV_OK && (is_control || a->mate))
        result = pgs_spv_control_info(is_control ? &a->shader : &mate, &control);
    mate.stage = PGS_SPV_EVALUATION;
    if (result == PGS_SPV_OK && (!is_control || a->mate))
        result = pgs_spv_evaluation_info(is_control ? &mate : &a->shader, &evaluation);
    free(words);
    if (result != PGS_SPV_OK)
        return result;
    const bool triangles = evaluation.modes.domain != PGS_SPV_DOMAIN_QUADS &&
                           evaluation.modes.domain != PGS_SPV_DOMAIN_ISOLINES;
    const uint32_t derived = triangles ? PGS_TESS_TRIANGLES : PGS_TESS_ISOLINES;
    pgs_spv_make_patch(&control, &evaluation, a->modes == UINT32_MAX ? derived : a->modes, &patch);
    patch.by_patch = strcmp(a->pass, "counted") == 0;
    patch.restarts = !a->format;
    if (is_control && a->pass[0] == 's')
        return run_shades(a, &control, &patch, out);
    if (is_control)
        return pgs_spv_control_to_compute(&a->shader, &control, &patch, out);
    if (a->pass[0] == 'e')
        return pgs_spv_evaluation_to_compute(&a->shader, &patch, triangles, &layout, out);
    const struct pgs_spv_evaluation_raster_options options = {
        .patch = &patch,
        .triangles = triangles,
        .vertices_per_primitive = triangles ? 3 : 2,
        .primitive_id_location = a->primitive_id_location,
        .select_view = a->pass[0] == 'v',
        .by_patch = strcmp(a->pass, "patch_place") == 0};
    return pgs_spv_evaluation_to_raster(&a->shader, &options, out);
}

/* For a driver that has geometry shaders, but lacks captures, or tessellation and targets. */
static enum pgs_spv_result run_half(const struct arguments *a, struct pgs_spv_blob *out)
{
    const bool half = a->pass[0] == 'h';
    const struct pgs_spv_lacks lacks = {
        .xfb = half, .tessellation = !half, .layer_output = !half, .viewport_output = !half};
    const struct pgs_spv_fragment_options options = {.lacks = lacks,
                                                     .primitive_id_location = UINT32_MAX};
    const enum pgs_spv_result result =
        a->shader.stage == PGS_SPV_FRAGMENT
            ? pgs_spv_fragment_fix_up(&a->shader, &options, out)
            : pgs_spv_extract_entry_point(&a->shader, lacks, (uint32_t)a->pass[4] - '0', out);
    if (result == PGS_SPV_OK && pgs_spv_module_needs_rewrite(out->words, out->word_count, lacks)) {
        fprintf(stderr, "what comes out is no better\n");
        pgs_spv_blob_free(out);
        return PGS_SPV_INVALID;
    }
    return result;
}

/* For a driver without vertexPipelineStoresAndAtomics. A module that stores never gets there. */
static enum pgs_spv_result run_unstored(const struct arguments *a, struct pgs_spv_blob *out)
{
    const bool does =
        pgs_spv_module_stores(a->shader.words, a->shader.word_count) == PGS_SPV_STORES_DONE;
    const enum pgs_spv_result result =
        pgs_spv_extract_entry_point(&a->shader, (struct pgs_spv_lacks){.stores = !does}, 0, out);
    if (result == PGS_SPV_OK && !does &&
        pgs_spv_module_stores(out->words, out->word_count) != PGS_SPV_STORES_NONE) {
        fprintf(stderr, "what comes out could still be written\n");
        pgs_spv_blob_free(out);
        return PGS_SPV_INVALID;
    }
    return result;
}

/* Of stippled lines, on a driver that lacks nothing. */
static enum pgs_spv_result run_stipple(const struct arguments *a, struct pgs_spv_blob *out)
{
    const struct pgs_spv_fragment_options options = {.primitive_id_location = UINT32_MAX,
                                                     .take_stipple = true,
                                                     .stipple_location = a->primitive_id_location,
                                                     .sample_count = a->pass[8] ? 4 : 1};
    return pgs_spv_fragment_fix_up(&a->shader, &options, out);
}

/* For a driver that lacks distances. */
static enum pgs_spv_result run_distances(const struct arguments *a, struct pgs_spv_blob *out)
{
    const struct pgs_spv_lacks lacks = {.distances = true};
    const struct pgs_spv_distances distances = {
        .clip_count = 3,
        .cull_count = 2,
        .passes_cull = true,
        .locations = {(uint8_t)a->primitive_id_location, (uint8_t)(a->primitive_id_location + 1)}};
    const struct pgs_spv_fragment_options options = {.lacks = lacks,
                                                     .primitive_id_location = UINT32_MAX,
                                                     .distances = distances,
                                                     .sample_count = a->pass[0] == 's' ? 4 : 1};
    enum pgs_spv_result result = PGS_SPV_OK;
    if (a->shader.stage == PGS_SPV_FRAGMENT)
        return pgs_spv_fragment_fix_up(&a->shader, &options, out);
    struct pgs_spv_blob extracted;
    struct pgs_spv_shader shader = a->shader;
    result = pgs_spv_extract_entry_point(&shader, lacks, 0, &extracted);
    shader.words = extracted.words;
    shader.word_count = extracted.word_count;
    if (result == PGS_SPV_OK)
        result = pgs_spv_shader_pass_distances(&shader, &distances, out);
    pgs_spv_blob_free(&extracted);
    if (result == PGS_SPV_OK && pgs_spv_module_needs_rewrite(out->words, out->word_count, lacks)) {
        fprintf(stderr, "what comes out still has distances\n");
        pgs_spv_blob_free(out);
        return PGS_SPV_INVALID;
    }
    return result;
}

static enum pgs_spv_result run_planes(const struct arguments *a, struct pgs_spv_blob *out)
{
    const struct pgs_spv_depth_planes planes = {.wanted = true, .symmetric = true, .first = 3};
    return pgs_spv_shader_clip_depth(&a->shader, &planes, out);
}

static enum pgs_spv_result run(const struct arguments *a, struct pgs_spv_blob *out)
{
    struct pgs_spv_geometry_info info;
    if (strcmp(a->pass, "pattern") == 0)
        return print_pattern(&a->shader);
    if (strcmp(a->pass, "one_vertex") == 0)
        return print_one_vertex(&a->shader);
    if (strcmp(a->pass, "picks") == 0)
        return print_picks(&a->shader);
    if (strcmp(a->pass, "info") == 0)
        return print_info(&a->shader);
    if (strcmp(a->pass, "invariant") == 0)
        return pgs_spv_keep_invariant(a->shader.words, a->shader.word_count, out);
    if (strcmp(a->pass, "vertex") == 0 || strcmp(a->pass, "captured") == 0)
        return run_vertex(a, out);
    if (strcmp(a->pass, "fused") == 0 || strncmp(a->pass, "inline", 6) == 0 ||
        strcmp(a->pass, "indexed") == 0 || strcmp(a->pass, "selected") == 0 ||
        strcmp(a->pass, "owned") == 0 || strcmp(a->pass, "chunks") == 0 ||
        strcmp(a->pass, "instanced") == 0 || strcmp(a->pass, "sift") == 0)
        return run_fused(a, out);
    if (strcmp(a->pass, "control") == 0 || strcmp(a->pass, "evaluation") == 0 ||
        strcmp(a->pass, "counted") == 0 || strcmp(a->pass, "shades") == 0 ||
        strcmp(a->pass, "place") == 0 || strcmp(a->pass, "viewed_place") == 0 ||
        strcmp(a->pass, "patch_place") == 0)
        return run_tessellation(a, out);
    if (strncmp(a->pass, "behind", 6) == 0)
        return run_behind(a, out);
    if (strcmp(a->pass, "unstored") == 0)
        return run_unstored(a, out);
    if (strncmp(a->pass, "half", 4) == 0 || strcmp(a->pass, "patchless") == 0)
        return run_half(a, out);
    if (strcmp(a->pass, "planes") == 0)
        return run_planes(a, out);
    if (strcmp(a->pass, "clipped") == 0 || strcmp(a->pass, "sampled") == 0 ||
        strcmp(a->pass, "passed") == 0)
        return run_distances(a, out);
    if (a->shader.stage == PGS_SPV_FRAGMENT && strncmp(a->pass, "stippled", 8) == 0)
        return run_stipple(a, out);
    if (a->shader.stage == PGS_SPV_FRAGMENT && strcmp(a->pass, "extract") != 0) {
        const bool can = a->pass[0] == 'f';
        const struct pgs_spv_fragment_options options = {
            .lacks = {.geometry = true, .tessellation = true},
            .primitive_id_location = a->primitive_id_location,
            .has_layer = can,
            .has_viewport_index = can,
            .take_layer = a->pass[0] == 't',
            .layer_location = a->primitive_id_location + 1,
            .take_viewport = a->pass[0] == 't',
            .viewport_location = a->primitive_id_location + 2,
            .flat_inputs = a->pass[0] == 't',
            .take_point_coord = a->pass[0] == 't',
            .point_coord_location = a->primitive_id_location + 3};
        return pgs_spv_fragment_fix_up(&a->shader, &options, out);
    }
    if (strncmp(a->pass, "through", 7) == 0)
        return pgs_spv_pass_through_geometry(&a->shader, (uint32_t)a->pass[7] - '0',
                                             a->primitive_id_location != UINT32_MAX, out);
    if (strcmp(a->pass, "extract") == 0)
        return pgs_spv_extract_entry_point(
            &a->shader, (struct pgs_spv_lacks){.geometry = true, .xfb = true}, 0, out);
    const bool split = strcmp(a->pass, "parted") == 0 || strcmp(a->pass, "joined") == 0;
    const enum pgs_spv_result result = split ? pgs_spv_geometry_split_info(&a->shader, &info)
                                             : pgs_spv_geometry_info(&a->shader, &info);
    if (result != PGS_SPV_OK)
        return result;
    if (strcmp(a->pass, "geometry") == 0 || strcmp(a->pass, "parted") == 0)
        return pgs_spv_geometry_to_compute(&a->shader, &info, &a->assembly, out);
    if (strcmp(a->pass, "own") == 0)
        return run_own(a, false, NULL, &a->shader, &info, out);
    const struct pgs_spv_raster_options options = raster_options(a, &info);
    return pgs_spv_raster_vertex(&a->shader, &info, &options, out);
}

static int run_once(int argc, char **argv)
{
    static const char *const results[] = {"ok", "out of memory", "invalid", "unsupported"};
    struct arguments a;
    struct pgs_spv_blob out = {0};
    if (!parse_arguments(&a, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    size_t count = 0;
    uint32_t *words = read_words(a.in, &count);
    a.shader.words = words;
    a.shader.word_count = count;
    const enum pgs_spv_result result = run(&a, &out);
    free(words);
    int status = result == PGS_SPV_OK ? 0 : 1;
    if (status)
        fprintf(stderr, "%s: %s: %s\n", a.in, a.pass, results[result]);
    if (!status && a.out && out.words) { /* info makes none */
        FILE *file = fopen(a.out, "wb");
        const size_t written = file ? fwrite(out.words, 4, out.word_count, file) : 0;
        if (!file || fclose(file) != 0 || written != out.word_count) {
            fprintf(stderr, "%s: cannot write\n", a.out);
            status = 1;
        }
    }
    pgs_spv_blob_free(&out);
    return status;
}

/* Runs the words of each line of stdin, with tabs between them, in a child, and answers with
 * "STATUS SIZE" and what that printed: to fork costs a fifth of a new process. */
static int serve(void)
{
    char line[8192];
    while (fgets(line, sizeof(line), stdin)) {
        char *argv[64] = {NULL};
        int argc = 1, status = 1;
        for (char *word = strtok(line, "\t\n"); word && argc < 64; word = strtok(NULL, "\t\n"))
            argv[argc++] = word;
        FILE *said = tmpfile();
        const pid_t child = said ? fork() : -1;
        if (child == 0) {
            dup2(fileno(said), STDOUT_FILENO);
            dup2(fileno(said), STDERR_FILENO);
            exit(run_once(argc, argv));
        }
        if (child < 0 || waitpid(child, &status, 0) != child || fseek(said, 0, SEEK_END) != 0) {
            perror("pgs-spv");
            return 1;
        }
        printf("%d %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
               ftell(said));
        rewind(said);
        for (int c; (c = fgetc(said)) != EOF;)
            putchar(c);
        fclose(said);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "serve") == 0 ? serve() : run_once(argc, argv);
}
