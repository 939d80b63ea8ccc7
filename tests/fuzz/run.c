/* SPDX-License-Identifier: MIT
 *
 * Runs cases that fuzz.py made. A case is a folder with vert.spv, geom.spv, frag.spv and case.txt:
 * words that say which pipelines there are and what is recorded, in one stream or several. Every
 * stream dumps the log that its geometry shader wrote, its picture and what it captured. Arguments:
 * the folders, --feedback for cases that capture, --input for those with dynamic vertex input,
 * --specks for those that clamp depths, --tessellation for those that also have tesc.spv and
 * tese.spv, and maybe no geom.spv. What each word means stands at the function that reads it.
 */
#include "lives.h"
#include "views.h"

#include "native_frag.h"
#include "native_vert.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REGIONS 32
#define REGION_B 16384u /* as in gen_capture.py */
#define FILL 0xcd

bool fuzz_word(struct script *in, char word[32])
{
    return fscanf(in->file, "%31s", word) == 1;
}

uint32_t fuzz_u32(struct script *in)
{
    char word[32];
    if (!fuzz_word(in, word))
        vkt_die("%s: ends too early", in->path);
    char *end;
    const long long value = strtoll(word, &end, 0);
    if (*end)
        vkt_die("%s: %s is no number", in->path, word);
    return (uint32_t)value;
}

uint32_t fuzz_index(struct script *in, uint32_t limit)
{
    const uint32_t value = fuzz_u32(in);
    if (value >= limit)
        vkt_die("%s: %u is not below %u", in->path, value, limit);
    return value;
}

/* "COUNT WORDS...": a buffer. */
static struct vkt_buffer next_buffer(struct fuzz *f, VkBufferUsageFlags usage)
{
    const uint32_t count = fuzz_u32(&f->in);
    struct vkt_buffer buffer = vkt_buffer(f->t, ((VkDeviceSize)count + 1) * 4, usage, 0);
    for (uint32_t i = 0; i < count; i++)
        ((uint32_t *)buffer.map)[i] = fuzz_u32(&f->in);
    return buffer;
}

/* may_lack: then there is no code. */
static struct vkt_code load_code(const char *folder, const char *name, bool may_lack)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file && may_lack)
        return (struct vkt_code){0};
    if (!file)
        vkt_die("cannot read %s", path);
    const size_t limit_B = 1 << 20;
    uint32_t *words = malloc(limit_B);
    if (!words)
        vkt_die("out of memory");
    const size_t size_B = fread(words, 1, limit_B, file);
    fclose(file);
    return (struct vkt_code){words, size_B};
}

static void make_set(struct fuzz *f)
{
    VkDescriptorSetLayoutBinding bindings[3];
    for (uint32_t i = 0; i < VKT_COUNT(bindings); i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType =
                i == 1 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = i > 0 || f->sums || f->tcs.words ? VK_SHADER_STAGE_ALL_GRAPHICS
                                                           : VK_SHADER_STAGE_GEOMETRY_BIT,
        };
    f->set_layout = vkt_set_layout(f->t, bindings, VKT_COUNT(bindings));
    f->set = vkt_set(f->t, f->set_layout, bindings, VKT_COUNT(bindings));
    const VkBuffer buffers[3] = {f->log.buffer, f->data.buffer, f->data.buffer};
    for (uint32_t i = 0; i < VKT_COUNT(bindings); i++)
        vkt_write_buffer(f->t, f->set, i, 0, bindings[i].descriptorType, buffers[i], 0,
                         i == 1 ? 256 : VK_WHOLE_SIZE);
}

VkPipeline fuzz_make_pipeline(struct fuzz *f, const struct fuzz_pipeline *which)
{
    struct fuzz_raster raster = which->raster;
    VkDynamicState dynamic[4 + RASTER_STATES] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                                 VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE};
    const VkSpecializationInfo constants = {f->spec_count, f->spec_entries,
                                            sizeof(which->spec_values), which->spec_values};
    const uint32_t *words = which->words;
    const bool native = words[0] == FUZZ_NATIVE;
    if (words[1] == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST && words[2] && !f->t->features.patch_restart)
        vkt_die("patches cannot restart");
    struct vkt_pipeline_info info = {
        .vs = native                   ? VKT_CODE(native_vert)
              : words[0] == FUZZ_PLAIN ? f->plain_vs
                                       : f->vs,
        .fs = native ? VKT_CODE(native_frag) : f->fs,
        .layout = f->layout,
        .pass = f->target.pass,
        .width_px = f->target.color.width_px,
        .height_px = f->target.color.height_px,
        .bindings = f->bindings,
        .binding_count = native ? 0 : f->binding_count,
        .attributes = f->attributes,
        .attribute_count = native ? 0 : f->attribute_count,
        .topology = (VkPrimitiveTopology)words[1],
        .restart = words[2],
        .cull = words[3],
        .front = (VkFrontFace)words[4],
        .dynamic = dynamic,
        .dynamic_count = words[6] % 4,
    };
    if (!native) {
        if (words[0] != FUZZ_PLAIN) {
            info.tcs = f->tcs;
            info.tes = words[0] == FUZZ_SHORT ? f->short_tes : f->tes;
        }
        if (words[0] != FUZZ_SHORT)
            info.gs = f->gs;
        info.vs_constants = info.gs_constants = info.fs_constants = &constants;
        info.tcs_constants = info.tes_constants = &constants;
        info.patch_points = which->patch.points;
        info.lower_left = which->patch.lower_left;
    }
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    if (words[5] && f->t->features.provoking_last)
        info.rasterization_next = &provoking;
    if (words[6] / 4)
        dynamic[info.dynamic_count++] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    if (which->patch.points_are_dynamic)
        dynamic[info.dynamic_count++] = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
    fuzz_fill_raster(&raster, &info, dynamic);
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(f->t, &info, &pipeline));
    return pipeline;
}

/* "pipeline KIND TOPOLOGY RESTART CULL FRONT PROVOKING_LAST DYNAMIC" with DYNAMIC of {topology,
 * restart}, and 4 more if the vertex input is dynamic, too. Takes the bindings, attributes, ranges
 * and specialization constants named so far. */
static void read_pipeline(struct fuzz *f)
{
    if (!f->layout) {
        make_set(f);
        f->layout = vkt_layout(f->t, &f->set_layout, 1, f->ranges, f->range_count);
    }
    if (f->pipeline_count == MAX_PIPELINES)
        vkt_die("%s: too many pipelines", f->in.path);
    struct fuzz_pipeline *made = &f->pipelines[f->pipeline_count++];
    for (uint32_t i = 0; i < 7; i++)
        made->words[i] = i == 0  ? fuzz_index(&f->in, FUZZ_KINDS)
                         : i < 6 ? fuzz_u32(&f->in)
                                 : fuzz_index(&f->in, 7);
    memcpy(made->spec_values, f->spec_values, sizeof(f->spec_values));
    made->raster = f->raster;
    made->patch = f->patch;
    made->handle = fuzz_make_pipeline(f, made);
}

/* "patch POINTS LOWER_LEFT DYNAMIC_POINTS": of the pipelines that follow; 0 points: they have none.
 */
static void read_patch(struct fuzz *f)
{
    f->patch.points = fuzz_u32(&f->in);
    f->patch.lower_left = fuzz_u32(&f->in);
    f->patch.points_are_dynamic = fuzz_u32(&f->in);
}

static void make_regions(struct fuzz *f, uint32_t count)
{
    f->region_count = count;
    f->capture = vkt_buffer(
        f->t, (VkDeviceSize)count * 4 * REGION_B,
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, FILL);
    f->counters = vkt_buffer(f->t, (VkDeviceSize)count * 16,
                             VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             FILL);
}

/* What stands before the first pass. */
static bool read_set_up(struct fuzz *f, const char *word)
{
    struct script *in = &f->in;
    const bool deep = strcmp(word, "deep") == 0;
    if (deep || strcmp(word, "side") == 0) { /* pixels; deep: with depths, and fragments log */
        const uint32_t side_px = fuzz_u32(in);
        f->sums = deep;
        f->target = vkt_target(f->t, VK_FORMAT_R32_UINT,
                               deep ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED, side_px, side_px);
    } else if (strcmp(word, "views") == 0) { /* SIDE VIEWS */
        const uint32_t side_px = fuzz_u32(in);
        f->views = fuzz_index(in, MAX_VIEWS + 1);
        f->target = fuzz_views_target(f->t, side_px, f->views);
    } else if (strcmp(word, "log") == 0) { /* words */
        f->log =
            vkt_buffer(f->t, (VkDeviceSize)fuzz_u32(in) * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    } else if (strcmp(word, "regions") == 0) {
        make_regions(f, fuzz_index(in, MAX_REGIONS + 1));
    } else if (strcmp(word, "data") == 0) {
        f->data =
            next_buffer(f, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    } else if (strcmp(word, "vertices") == 0) {
        f->vertices = next_buffer(f, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    } else if (strcmp(word, "indices") == 0) {
        f->indices = next_buffer(f, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    } else if (strcmp(word, "binding") == 0) { /* STRIDE RATE */
        const uint32_t i = f->binding_count++ % MAX_ATTRIBUTES;
        f->bindings[i].binding = i;
        f->bindings[i].stride = fuzz_u32(in);
        f->bindings[i].inputRate = (VkVertexInputRate)fuzz_u32(in);
    } else if (strcmp(word, "attribute") == 0) { /* BINDING FORMAT OFFSET */
        const uint32_t i = f->attribute_count++ % MAX_ATTRIBUTES;
        f->attributes[i].location = i;
        f->attributes[i].binding = fuzz_u32(in);
        f->attributes[i].format = (VkFormat)fuzz_u32(in);
        f->attributes[i].offset = fuzz_u32(in);
    } else if (strcmp(word, "range") == 0) { /* STAGES OFFSET SIZE */
        VkPushConstantRange *range = &f->ranges[f->range_count++ % MAX_RANGES];
        range->stageFlags = fuzz_u32(in);
        range->offset = fuzz_u32(in);
        range->size = fuzz_u32(in);
    } else if (strcmp(word, "spec") == 0) { /* COUNT {ID VALUE} */
        f->spec_count = fuzz_index(in, MAX_SPEC + 1);
        for (uint32_t i = 0; i < f->spec_count; i++) {
            f->spec_entries[i] = (VkSpecializationMapEntry){fuzz_u32(in), i * 4, 4};
            f->spec_values[i] = fuzz_u32(in);
        }
    } else if (strcmp(word, "raster") == 0) {
        fuzz_read_raster(in, &f->raster);
    } else if (strcmp(word, "patch") == 0) {
        read_patch(f);
    } else if (strcmp(word, "pipeline") == 0) {
        read_pipeline(f);
    } else {
        return false;
    }
    return true;
}

static void begin_primary(struct fuzz *f)
{
    if (f->recording)
        return;
    f->primary = f->cmd = fuzz_commands(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    vkt_begin(f->primary, f->pool_count ? 0 : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_barrier_all(f->primary);
    f->recording = true;
}

static void begin_secondary(struct fuzz *f)
{
    f->cmd = fuzz_commands(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = f->target.pass,
        .framebuffer = f->target.framebuffer,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    VKT_CALL(vkBeginCommandBuffer(f->cmd, &begin));
}

/* "pass LOAD SECONDARY" ... "end", and "submit" where the host waits. "begin": a command buffer,
 * for what is recorded in front of its first pass. */
static bool read_pass(struct fuzz *f, const char *word)
{
    if (strcmp(word, "pass") == 0) {
        begin_primary(f);
        const bool load = fuzz_u32(&f->in), secondary = fuzz_u32(&f->in);
        vkt_target_begin(f->primary, &f->target, load,
                         secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                   : VK_SUBPASS_CONTENTS_INLINE);
        if (secondary)
            begin_secondary(f);
        vkCmdBindDescriptorSets(f->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set,
                                0, NULL);
    } else if (strcmp(word, "begin") == 0) {
        begin_primary(f);
    } else if (strcmp(word, "end") == 0) {
        if (f->cmd != f->primary) {
            VKT_CALL(vkEndCommandBuffer(f->cmd));
            vkCmdExecuteCommands(f->primary, 1, &f->cmd);
            f->cmd = f->primary;
        }
        vkCmdEndRenderPass(f->primary);
    } else if (strcmp(word, "submit") == 0) {
        vkt_barrier_all(f->primary);
        vkt_submit(f->t, f->primary);
        f->recording = false;
        fuzz_read_queries(f);
    } else {
        return false;
    }
    return true;
}

/* "push STAGES OFFSET COUNT WORDS..." */
static void read_push(struct fuzz *f)
{
    uint32_t words[32];
    const uint32_t stages = fuzz_u32(&f->in), offset_B = fuzz_u32(&f->in);
    const uint32_t count = fuzz_index(&f->in, VKT_COUNT(words) + 1);
    for (uint32_t i = 0; i < count; i++)
        words[i] = fuzz_u32(&f->in);
    vkCmdPushConstants(f->cmd, f->layout, stages, offset_B, count * 4, words);
}

/* "input BINDINGS {STRIDE RATE} ATTRIBUTES {BINDING FORMAT OFFSET}" */
static void read_input(struct fuzz *f)
{
    VkVertexInputBindingDescription2EXT bindings[MAX_ATTRIBUTES];
    VkVertexInputAttributeDescription2EXT attributes[MAX_ATTRIBUTES];
    const uint32_t binding_count = fuzz_index(&f->in, MAX_ATTRIBUTES + 1);
    for (uint32_t i = 0; i < binding_count; i++) {
        const uint32_t stride_B = fuzz_u32(&f->in), rate = fuzz_u32(&f->in);
        bindings[i] = (VkVertexInputBindingDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
            .binding = i,
            .stride = stride_B,
            .inputRate = (VkVertexInputRate)rate,
            .divisor = 1,
        };
    }
    const uint32_t attribute_count = fuzz_index(&f->in, MAX_ATTRIBUTES + 1);
    for (uint32_t i = 0; i < attribute_count; i++) {
        const uint32_t binding = fuzz_u32(&f->in), format = fuzz_u32(&f->in);
        attributes[i] = (VkVertexInputAttributeDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .location = i,
            .binding = binding,
            .format = (VkFormat)format,
            .offset = fuzz_u32(&f->in),
        };
    }
    vkCmdSetVertexInputEXT(f->cmd, binding_count, bindings, attribute_count, attributes);
}

/* "capture REGION SIZE SIZE SIZE SIZE": what is bound; size 0: nothing. */
static void read_capture(struct fuzz *f)
{
    f->region = fuzz_index(&f->in, f->region_count);
    f->ranges_used = 0;
    for (uint32_t b = 0; b < 4; b++) {
        const VkDeviceSize size_B = fuzz_u32(&f->in);
        const VkDeviceSize offset_B = ((VkDeviceSize)f->region * 4 + b) * REGION_B;
        if (size_B == 0)
            continue;
        vkCmdBindTransformFeedbackBuffersEXT(f->cmd, b, 1, &f->capture.buffer, &offset_B, &size_B);
        f->ranges_used |= 1u << b;
    }
}

/* The counters of the region, for the buffers that are bound. Returns how many entries there are.
 */
static uint32_t region_counters(const struct fuzz *f, VkBuffer buffers[4],
                                VkDeviceSize offsets_B[4])
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < 4; b++) {
        const bool used = f->ranges_used >> b & 1;
        buffers[b] = used ? f->counters.buffer : VK_NULL_HANDLE;
        offsets_B[b] = ((VkDeviceSize)f->region * 4 + b) * 4;
        count = used ? b + 1 : count;
    }
    return count;
}

/* "start LOAD", "stop" */
static void start_or_stop(struct fuzz *f, bool start)
{
    VkBuffer buffers[4];
    VkDeviceSize offsets_B[4];
    const uint32_t count = region_counters(f, buffers, offsets_B);
    if (!start)
        vkCmdEndTransformFeedbackEXT(f->cmd, 0, count, buffers, offsets_B);
    else if (fuzz_u32(&f->in))
        vkCmdBeginTransformFeedbackEXT(f->cmd, 0, count, buffers, offsets_B);
    else
        vkCmdBeginTransformFeedbackEXT(f->cmd, 0, 0, NULL, NULL);
}

static bool read_command(struct fuzz *f, const char *word)
{
    struct script *in = &f->in;
    uint32_t a[5];
    if (strcmp(word, "bind") == 0) { /* PIPELINE */
        vkCmdBindPipeline(f->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          f->pipelines[fuzz_index(in, f->pipeline_count)].handle);
    } else if (strcmp(word, "topology") == 0) {
        vkCmdSetPrimitiveTopology(f->cmd, (VkPrimitiveTopology)fuzz_u32(in));
    } else if (strcmp(word, "restart") == 0) {
        vkCmdSetPrimitiveRestartEnable(f->cmd, fuzz_u32(in));
    } else if (strcmp(word, "points") == 0) {
        vkCmdSetPatchControlPointsEXT(f->cmd, fuzz_u32(in));
    } else if (strcmp(word, "vb") == 0) { /* BINDING OFFSET */
        const uint32_t binding = fuzz_u32(in);
        const VkDeviceSize offset_B = fuzz_u32(in);
        vkCmdBindVertexBuffers(f->cmd, binding, 1, &f->vertices.buffer, &offset_B);
    } else if (strcmp(word, "ib") == 0) { /* OFFSET TYPE */
        const uint32_t offset_B = fuzz_u32(in);
        vkCmdBindIndexBuffer(f->cmd, f->indices.buffer, offset_B, (VkIndexType)fuzz_u32(in));
    } else if (strcmp(word, "push") == 0) {
        read_push(f);
    } else if (strcmp(word, "input") == 0) {
        read_input(f);
    } else if (strcmp(word, "capture") == 0) {
        read_capture(f);
    } else if (strcmp(word, "start") == 0 || strcmp(word, "stop") == 0) {
        start_or_stop(f, strcmp(word, "start") == 0);
    } else if (strcmp(word, "draw") == 0) { /* VERTICES INSTANCES FIRST FIRST_INSTANCE */
        for (uint32_t i = 0; i < 4; i++)
            a[i] = fuzz_u32(in);
        vkCmdDraw(f->cmd, a[0], a[1], a[2], a[3]);
    } else if (strcmp(word, "indexed") == 0) { /* INDICES INSTANCES FIRST OFFSET FIRST_INSTANCE */
        for (uint32_t i = 0; i < 5; i++)
            a[i] = fuzz_u32(in);
        vkCmdDrawIndexed(f->cmd, a[0], a[1], a[2], (int32_t)a[3], a[4]);
    } else {
        return false;
    }
    return true;
}

/* -- streams -- */

static void name_dump(const struct fuzz *f, const char *what, char name[64])
{
    const char *slash = strrchr(f->folder, '/');
    snprintf(name, 64, "%.40s/%u/%s", slash ? slash + 1 : f->folder, f->stream, what);
}

static void dump(const struct fuzz *f, const char *what, const void *data, size_t size_B)
{
    char name[64];
    name_dump(f, what, name);
    vkt_dump_buffer(f->t, name, data, size_B);
}

static void dump_stream(struct fuzz *f)
{
    char name[64];
    dump(f, "log", f->log.map, f->log.size_B);
    if (f->region_count) {
        dump(f, "capture", f->capture.map, f->capture.size_B);
        dump(f, "counters", f->counters.map, f->counters.size_B);
    }
    if (f->queries) /* another rasterizer has other samples */
        dump(f, f->query_type == VK_QUERY_TYPE_OCCLUSION ? "samples" : "queries", f->results,
             f->query_count * sizeof(f->results[0]));
    const struct vkt_buffer pixels = f->views ? fuzz_views_read(f->t, &f->target, f->views)
                                              : vkt_image_read(f->t, &f->target.color, 4);
    name_dump(f, "image", name);
    vkt_dump_image(f->t, name, pixels.map, f->target.color.width_px,
                   f->target.color.height_px * (f->views ? f->views : 1), 4);
}

/* "stream": another begins, with the same shaders and pipelines, and nothing of what was written.
 */
static void begin_stream(struct fuzz *f)
{
    dump_stream(f);
    fuzz_renew(f);
    memset(f->log.map, 0, f->log.size_B);
    if (f->region_count) {
        memset(f->capture.map, FILL, f->capture.size_B);
        memset(f->counters.map, FILL, f->counters.size_B);
    }
    f->stream++;
    fprintf(stderr, "stream %u\n", f->stream);
}

static void run_case(struct vkt *t, const char *folder)
{
    char path[512], word[32];
    snprintf(path, sizeof(path), "%s/case.txt", folder);
    struct fuzz f = {.t = t, .folder = folder, .in = {fopen(path, "r"), path}};
    if (!f.in.file)
        vkt_die("cannot read %s", path);
    fprintf(stderr, "case %s\n", folder);
    fuzz_begin(&f);
    f.vs = load_code(folder, "vert.spv", false);
    f.tcs = load_code(folder, "tesc.spv", true);
    f.tes = load_code(folder, "tese.spv", true);
    f.gs = load_code(folder, "geom.spv", f.tcs.words);
    f.fs = load_code(folder, "frag.spv", false);
    f.short_tes = load_code(folder, "short.spv", true);
    f.plain_vs = load_code(folder, "plain.spv", true);
    while (fuzz_word(&f.in, word)) {
        if (strcmp(word, "stream") == 0)
            begin_stream(&f);
        else if (!read_set_up(&f, word) && !read_pass(&f, word) && !read_command(&f, word) &&
                 !fuzz_read_life(&f, word) && !fuzz_read_raster_command(&f.in, f.cmd, word))
            vkt_die("%s: unknown word %s", path, word);
    }
    fclose(f.in.file);
    dump_stream(&f);
    fuzz_finish(&f);
    free((void *)f.vs.words);
    free((void *)f.tcs.words);
    free((void *)f.tes.words);
    free((void *)f.gs.words);
    free((void *)f.fs.words);
    free((void *)f.short_tes.words);
    free((void *)f.plain_vs.words);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("fuzz-run", argc, argv);
    options.xfb = vkt_flag(&options, "--feedback");
    options.dynamic_input = vkt_flag(&options, "--input");
    options.depth_clamp = vkt_flag(&options, "--specks");
    options.tessellation = options.multiview_stages = vkt_flag(&options, "--tessellation");
    struct vkt t;
    vkt_init(&t, &options);
    if (!t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    for (int i = 0; i < options.rest_count; i++)
        if (options.rest[i][0] != '-')
            run_case(&t, options.rest[i]);
    return vkt_finish(&t);
}
