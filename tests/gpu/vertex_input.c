/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_vertex_input_dynamic_state: pipelines with dynamic vertex input, with dynamic strides,
 * with both and with neither, with a geometry shader, with tessellation, capturing and plain, in
 * turns. Formats, offsets, strides, rates and divisors are random, and are set before or after the
 * pipeline is bound, or left as they are; draws are direct, indexed, restarted, instanced and
 * indirect. With --no-divisors all divisors are 1. With --nested secondaries execute others
 * (VK_EXT_nested_command_buffer). With --legacy dynamic vertex input has its elements at any byte,
 * and integers of either sign (VK_EXT_legacy_vertex_attributes). With --zeros some inputs have an
 * attribute that is zero, and with --absent as well these have none, which shaders of the layer
 * read as zeros (VK_EXT_vertex_attribute_robustness); there is a geometry shader in all pipelines.
 * With --long three times as many draws.
 */
#include "gpu/xfb.h"

#include "value_frag.h"
#include "vertex_input_capture_geom.h"
#include "vertex_input_capture_vert.h"
#include "vertex_input_chooses_geom.h"
#include "vertex_input_geom.h"
#include "vertex_input_lines_geom.h"
#include "vertex_input_tesc.h"
#include "vertex_input_tese.h"
#include "vertex_input_vert.h"

#include <string.h>

#define WIDTH_PX 64u
#define HEIGHT_PX 128u
#define ROWS 3u /* of a draw: one for each instance */
#define DRAWS (HEIGHT_PX / ROWS)
#define DATA_B 8192u
#define INDICES 64u
#define BINDINGS 3u
#define LOCATIONS 7u
#define WIDE_B 40u /* where the last attribute of an element ends */
#define CAPTURED_B 65536u

/* As in vertex_input.vert. */
struct push {
    uint32_t row, first_instance;
};

enum shaders { PLAIN, POINTS, CHOOSES, LINES, PATCHES, CAPTURES_PLAIN, CAPTURES_POINTS };

static const struct kind {
    enum shaders shaders;
    bool input, strides; /* are dynamic */
} kinds[] = {
    {PLAIN, false, false},         {PLAIN, true, false},           {PLAIN, false, true},
    {PLAIN, true, true},           {POINTS, false, false},         {POINTS, true, false},
    {POINTS, false, true},         {POINTS, true, true},           {CHOOSES, true, false},
    {CHOOSES, true, true},         {LINES, true, false},           {LINES, true, true},
    {PATCHES, true, false},        {PATCHES, false, true},         {CAPTURES_PLAIN, true, false},
    {CAPTURES_POINTS, true, true}, {CAPTURES_POINTS, true, false}, {CAPTURES_PLAIN, true, true},
};
#define KINDS VKT_COUNT(kinds)
#define FIRST_CAPTURING 14u

struct suite {
    struct vkt t;
    struct vkt_buffer data, nothing, indices[2] /* the second with restarts */, arguments, captured;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline pipelines[KINDS];
    bool divisors, nests, legacy, zeros, absent;
    uint32_t random;
    uint32_t row; /* of the next draw */
    uint32_t draws;
    uint32_t bound; /* of kinds; KINDS: none */
    /* What is set: a vertex input, one whose strides nobody has replaced since, and strides that
     * no vertex input has replaced. The validation layer wants strides to have been bound even
     * where a vertex input has replaced them. */
    bool has_input, has_own_strides, has_strides, was_strided;
    /* Strides of the vertex input that pipelines with dynamic strides may have: no elements that
     * overlap. */
    bool has_wide;
};

static uint32_t roll(struct suite *s, uint32_t below)
{
    s->random = s->random * 1664525u + 1013904223u;
    return (s->random >> 8) % below;
}

/* -- vertex input -- */

static const uint32_t binding_numbers[BINDINGS] = {0, 2, 5};
#define ZEROS_BINDING 6u

/* Inputs of the shader, and one that it does not have. */
static const struct input {
    uint32_t location, first, count; /* formats */
} inputs[LOCATIONS] = {{0, 0, 6}, {2, 6, 5}, {3, 11, 12}, {5, 11, 12},
                       {6, 0, 6}, {7, 0, 6}, {9, 0, 23}};

static VkFormat zeros_of(uint32_t location)
{
    const bool is_float = location == 3 || location == 5;
    return location == 2 ? VK_FORMAT_R32G32B32A32_SINT
           : is_float    ? VK_FORMAT_R32G32B32A32_SFLOAT
                         : VK_FORMAT_R32G32B32A32_UINT;
}

#define INTEGERS 11u /* of the formats */
static const VkFormat formats[] = {
    VK_FORMAT_R8_UINT,
    VK_FORMAT_R8G8B8A8_UINT,
    VK_FORMAT_R16G16_UINT,
    VK_FORMAT_R32_UINT,
    VK_FORMAT_R32G32B32_UINT,
    VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R8G8_SINT,
    VK_FORMAT_R8G8B8A8_SINT,
    VK_FORMAT_R16G16_SINT,
    VK_FORMAT_R32_SINT,
    VK_FORMAT_R32G32B32A32_SINT,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_R8G8_SNORM,
    VK_FORMAT_R16G16_UNORM,
    VK_FORMAT_R16G16B16A16_SNORM,
    VK_FORMAT_R8G8B8A8_USCALED,
    VK_FORMAT_R16G16_SSCALED,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32B32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
};

static VkFormat format_of(struct suite *s, const struct input *input)
{
    const bool either_sign = s->legacy && input->first + input->count <= INTEGERS;
    for (;;) {
        const VkFormat format = either_sign ? formats[roll(s, INTEGERS)]
                                            : formats[input->first + roll(s, input->count)];
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(s->t.physical, format, &properties);
        if (properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT)
            return format;
    }
}

/* A random offset or stride below the limit: of whole words, but with --legacy dynamic vertex input
 * may be anywhere. */
static uint32_t place_below(struct suite *s, bool dynamic, uint32_t limit_w)
{
    return s->legacy && dynamic ? roll(s, 4 * limit_w) : 4 * roll(s, limit_w);
}

static uint32_t divisor_of(struct suite *s)
{
    const uint32_t divisor = roll(s, 4);
    return s->divisors ? divisor : 1;
}

/* Or 0. */
static uint32_t wide_stride(struct suite *s, bool dynamic)
{
    return roll(s, 6) ? WIDE_B + place_below(s, dynamic, 4) : 0;
}

static void describe_binding(struct suite *s, uint32_t i, bool wide,
                             VkVertexInputBindingDescription2EXT *to)
{
    const bool by_instance = roll(s, 3) == 0;
    *to = (VkVertexInputBindingDescription2EXT){
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .binding = binding_numbers[i],
        .stride = wide ? wide_stride(s, true) : place_below(s, true, 13),
        .inputRate = by_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = by_instance ? divisor_of(s) : 1,
    };
}

/* Attributes that are zero, where none are wanted. */
static void describe_zeros(VkVertexInputBindingDescription2EXT *binding,
                           VkVertexInputAttributeDescription2EXT *attributes, uint32_t count)
{
    *binding = (VkVertexInputBindingDescription2EXT){
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .binding = ZEROS_BINDING,
        .divisor = 1,
    };
    for (uint32_t i = 0; i < count; i++) {
        attributes[i].binding = ZEROS_BINDING;
        attributes[i].format = zeros_of(attributes[i].location);
        attributes[i].offset = 0;
    }
}

/* In random order. What was set before is gone. */
static void set_input(struct suite *s, VkCommandBuffer cmd, bool wide)
{
    VkVertexInputBindingDescription2EXT bindings[BINDINGS + 1];
    VkVertexInputAttributeDescription2EXT attributes[LOCATIONS];
    const uint32_t turn = roll(s, LOCATIONS);
    const uint32_t there = s->zeros ? roll(s, LOCATIONS + 1) : LOCATIONS;
    for (uint32_t i = 0; i < BINDINGS; i++)
        describe_binding(s, (i + turn) % BINDINGS, wide, &bindings[i]);
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        const struct input *input = &inputs[(i + turn) % LOCATIONS];
        attributes[i] = (VkVertexInputAttributeDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .location = input->location,
            .binding = binding_numbers[roll(s, BINDINGS)],
            .format = format_of(s, input),
            .offset = place_below(s, true, 7),
        };
    }
    describe_zeros(&bindings[BINDINGS], &attributes[there], LOCATIONS - there);
    vkCmdSetVertexInputEXT(cmd, BINDINGS + (s->zeros && !s->absent), bindings,
                           s->absent ? there : LOCATIONS, attributes);
    memset(bindings, 0xab, sizeof(bindings)); /* it was read */
    memset(attributes, 0xab, sizeof(attributes));
    s->has_input = s->has_own_strides = true;
    s->has_wide = wide;
    s->has_strides = false;
}

static VkDeviceSize offset_of(struct suite *s)
{
    return 4 * roll(s, 64);
}

static void bind_one(struct suite *s, VkCommandBuffer cmd, uint32_t i)
{
    const VkDeviceSize offset_B = offset_of(s), size_B = DATA_B - offset_B - 4 * roll(s, 16);
    if (roll(s, 2))
        vkCmdBindVertexBuffers(cmd, binding_numbers[i], 1, &s->data.buffer, &offset_B);
    else
        vkCmdBindVertexBuffers2(cmd, binding_numbers[i], 1, &s->data.buffer, &offset_B, &size_B,
                                NULL);
}

/* All of them, as a pipeline with dynamic strides needs them. */
static void bind_strided(struct suite *s, VkCommandBuffer cmd, const struct kind *kind)
{
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const VkDeviceSize offset_B = offset_of(s), size_B = DATA_B - offset_B;
        const VkDeviceSize stride_B = wide_stride(s, kind->input);
        vkCmdBindVertexBuffers2(cmd, binding_numbers[i], 1, &s->data.buffer, &offset_B,
                                roll(s, 2) ? &size_B : NULL, &stride_B);
    }
    s->has_own_strides = false;
    s->has_strides = s->was_strided = true;
}

/* Before a draw with the pipeline: what it needs, and now and then what it has. */
static void prepare(struct suite *s, VkCommandBuffer cmd, const struct kind *kind)
{
    const bool lacks_input = !s->has_input || (kind->strides ? !s->has_wide : !s->has_own_strides);
    if (kind->strides && (!s->was_strided || (!kind->input && !s->has_strides) || roll(s, 4) == 0))
        bind_strided(s, cmd, kind);
    if (kind->input && (lacks_input || roll(s, 3) == 0))
        set_input(s, cmd, kind->strides);
    if (kind->strides && roll(s, 3) == 0)
        bind_strided(s, cmd, kind);
    if (roll(s, 2))
        bind_one(s, cmd, roll(s, BINDINGS));
}

/* The pipeline's own state replaces what was set. */
static void bind_pipeline(struct suite *s, VkCommandBuffer cmd, uint32_t k)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[k]);
    s->bound = k;
    if (!kinds[k].input)
        s->has_input = s->has_own_strides = false;
    if (!kinds[k].strides)
        s->has_strides = s->was_strided = false;
}

/* -- draws -- */

static void draw(struct suite *s, VkCommandBuffer cmd, const struct kind *kind)
{
    const uint32_t count = 8 + roll(s, 24), instances = 1 + roll(s, ROWS), how = roll(s, 4);
    const bool indirect = how >= 2;
    uint32_t first_instance = roll(s, 3);
    if (indirect && !s->t.features.core.drawIndirectFirstInstance)
        first_instance = 0;
    const struct push push = {s->row, first_instance};
    const VkDeviceSize at_B = s->draws * sizeof(VkDrawIndexedIndirectCommand);
    char *arguments = (char *)s->arguments.map + at_B;
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    if (how % 2) {
        const VkDrawIndexedIndirectCommand values = {count, instances, roll(s, 16),
                                                     (int32_t)roll(s, 8), first_instance};
        /* Mesa 22.3's lavapipe forgets the offset in indirect draws. */
        vkCmdBindIndexBuffer(cmd, s->indices[kind->shaders == LINES].buffer,
                             indirect ? 0 : 2 * roll(s, 8), VK_INDEX_TYPE_UINT16);
        memcpy(arguments, &values, sizeof(values));
        if (indirect)
            vkCmdDrawIndexedIndirect(cmd, s->arguments.buffer, at_B, 1, sizeof(values));
        else
            vkCmdDrawIndexed(cmd, count, instances, values.firstIndex, values.vertexOffset,
                             first_instance);
    } else {
        const VkDrawIndirectCommand values = {count, instances, roll(s, 16), first_instance};
        memcpy(arguments, &values, sizeof(values));
        if (indirect)
            vkCmdDrawIndirect(cmd, s->arguments.buffer, at_B, 1, sizeof(values));
        else
            vkCmdDraw(cmd, count, instances, values.firstVertex, first_instance);
    }
    s->row += ROWS;
    s->draws++;
}

/* What a command buffer begins with: buffers, and nothing else. */
static void begin(struct suite *s, VkCommandBuffer cmd)
{
    const VkDeviceSize none = 0;
    s->has_input = s->has_own_strides = s->has_strides = s->was_strided = false;
    s->bound = KINDS;
    for (uint32_t i = 0; i < BINDINGS; i++)
        bind_one(s, cmd, i);
    vkCmdBindVertexBuffers(cmd, ZEROS_BINDING, 1, &s->nothing.buffer, &none);
}

/* Where a secondary is replayed behind another one, its first pipeline may be bound already.
 * Drivers whose conformance is older than 1.3.8.0 may then heed what was set before the bind, as
 * the validation layer says. */
static void draw_some(struct suite *s, VkCommandBuffer cmd, uint32_t draws)
{
    for (uint32_t i = 0; i < draws; i++) {
        const bool stays = s->bound < KINDS && roll(s, 3) == 0;
        const bool before = roll(s, 2) && !(s->nests && s->bound == KINDS);
        if (!stays) {
            uint32_t next = roll(s, FIRST_CAPTURING);
            next = next == s->bound ? (next + 1) % FIRST_CAPTURING : next;
            s->has_strides = false; /* Mesa 25's lavapipe forgets them with the pipeline */
            if (before)
                prepare(s, cmd, &kinds[next]);
            bind_pipeline(s, cmd, next);
        }
        if (stays || !before)
            prepare(s, cmd, &kinds[s->bound]);
        draw(s, cmd, &kinds[s->bound]);
    }
}

static void dump(struct suite *s, const char *what)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_buffer(&s->t, what, pixels.map, (size_t)WIDTH_PX * HEIGHT_PX * 4);
}

static void start(struct suite *s, uint32_t seed)
{
    s->random = seed;
    s->row = s->draws = 0;
}

/* Vertex input that is set in a pass stays in the next one. */
static void case_draws(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    start(s, seed);
    vkt_begin(cmd, 0);
    begin(s, cmd);
    for (uint32_t i = 0; i < 2; i++) {
        vkt_target_begin(cmd, &s->target, i > 0, VK_SUBPASS_CONTENTS_INLINE);
        draw_some(s, cmd, DRAWS / 2);
        vkCmdEndRenderPass(cmd);
        bind_pipeline(s, cmd, s->bound == 3 ? 7 : 3); /* both have all of it as dynamic state */
        set_input(s, cmd, true);
    }
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, what);
}

static VkCommandBuffer make_secondary(struct suite *s, uint32_t draws)
{
    VkCommandBuffer cmd = vkt_secondary_in(&s->t, s->target.pass, 0);
    begin(s, cmd);
    draw_some(s, cmd, draws);
    return cmd;
}

/* What executes others knows no state behind them. */
static VkCommandBuffer make_nesting(struct suite *s)
{
    VkCommandBuffer cmd = make_secondary(s, DRAWS / 6), inner = make_secondary(s, DRAWS / 6);
    VKT_CALL(vkEndCommandBuffer(inner));
    vkCmdExecuteCommands(cmd, 1, &inner);
    begin(s, cmd);
    draw_some(s, cmd, DRAWS / 6);
    return cmd;
}

/* Secondaries inherit no state. */
static void case_secondaries(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer secondaries[2];
    start(s, seed);
    for (uint32_t i = 0; i < 2; i++) {
        secondaries[i] = s->nests ? make_nesting(s) : make_secondary(s, DRAWS / 2);
        VKT_CALL(vkEndCommandBuffer(secondaries[i]));
    }
    vkt_submit_secondaries(&s->t, &s->target, secondaries, 2);
    dump(s, what);
}

/* One pipeline, whose vertex input changes within the interval. */
static void case_captures(struct suite *s, const char *what, uint32_t k, uint32_t seed)
{
    const struct xfb_range range = {s->captured.buffer, 0, CAPTURED_B};
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 1,
    };
    VkQueryPool queries;
    uint64_t counts[2] = {0, 0};
    VKT_CALL(vkCreateQueryPool(s->t.device, &info, NULL, &queries));
    VkCommandBuffer cmd = vkt_commands(&s->t);
    memset(s->captured.map, XFB_FILL, CAPTURED_B);
    start(s, seed);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, queries, 0, 1);
    begin(s, cmd);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    bind_pipeline(s, cmd, k);
    xfb_bind(cmd, 0, 1, &range);
    vkCmdBeginQuery(cmd, queries, 0, 0);
    xfb_begin(cmd, 0, 0, NULL);
    for (uint32_t i = 0; i < DRAWS; i++) {
        prepare(s, cmd, &kinds[k]);
        draw(s, cmd, &kinds[k]);
    }
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndQuery(cmd, queries, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, what);
    VKT_CALL(vkGetQueryPoolResults(s->t.device, queries, 0, 1, sizeof(counts), counts,
                                   sizeof(counts),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    vkDestroyQueryPool(s->t.device, queries, NULL);
    VKT_EXPECT(&s->t, counts[0] > 0 && counts[0] == counts[1], "%s: %u primitives of %u", what,
               (unsigned)counts[0], (unsigned)counts[1]);
    xfb_dump(&s->t, counts, sizeof(counts), "%s/counts", what);
    xfb_dump(&s->t, s->captured.map, CAPTURED_B, "%s/captured", what);
}

/* -- objects -- */

static void choose_code(struct vkt_pipeline_info *info, enum shaders shaders)
{
    info->vs = VKT_CODE(vertex_input_vert);
    info->fs = VKT_CODE(value_frag);
    switch (shaders) {
    case PLAIN:
        break;
    case POINTS:
        info->gs = VKT_CODE(vertex_input_geom);
        break;
    case CHOOSES:
        info->gs = VKT_CODE(vertex_input_chooses_geom);
        break;
    case LINES:
        info->gs = VKT_CODE(vertex_input_lines_geom);
        info->topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
        info->restart = true;
        break;
    case PATCHES:
        info->tcs = VKT_CODE(vertex_input_tesc);
        info->tes = VKT_CODE(vertex_input_tese);
        info->topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info->patch_points = 1;
        break;
    case CAPTURES_PLAIN:
        info->vs = VKT_CODE(vertex_input_capture_vert);
        break;
    case CAPTURES_POINTS:
        info->gs = VKT_CODE(vertex_input_capture_geom);
        break;
    }
}

/* Where some are zero: pipelines that the layer emulates. */
static enum shaders shaders_of(const struct suite *s, const struct kind *kind)
{
    const bool emulated = s->zeros && kind->shaders == PLAIN;
    return emulated                                      ? POINTS
           : s->zeros && kind->shaders == CAPTURES_PLAIN ? CAPTURES_POINTS
                                                         : kind->shaders;
}

static void make_pipeline(struct suite *s, uint32_t k)
{
    static const VkVertexInputBindingDescription bindings[] = {
        {0, 40, VK_VERTEX_INPUT_RATE_VERTEX},
        {5, 12, VK_VERTEX_INPUT_RATE_INSTANCE},
        {ZEROS_BINDING, 0, VK_VERTEX_INPUT_RATE_VERTEX}};
    VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R16G16_UINT, 0}, {2, 5, VK_FORMAT_R8G8_SINT, 4},
        {3, 0, VK_FORMAT_R32_SFLOAT, 12}, {5, 0, VK_FORMAT_R8G8B8A8_UNORM, 20},
        {6, 5, VK_FORMAT_R32G32_UINT, 0}, {7, 0, VK_FORMAT_R32G32B32A32_UINT, 24},
    };
    const uint32_t there = s->zeros ? k % VKT_COUNT(attributes) : VKT_COUNT(attributes);
    VkDynamicState dynamic[2];
    for (uint32_t i = there; i < VKT_COUNT(attributes); i++)
        attributes[i] = (VkVertexInputAttributeDescription){attributes[i].location, ZEROS_BINDING,
                                                            zeros_of(attributes[i].location), 0};
    struct vkt_pipeline_info info = {
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = bindings,
        .binding_count = VKT_COUNT(bindings),
        .attributes = attributes,
        .attribute_count = s->absent ? there : VKT_COUNT(attributes),
        .dynamic = dynamic,
    };
    choose_code(&info, shaders_of(s, &kinds[k]));
    if (kinds[k].input)
        dynamic[info.dynamic_count++] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    if (kinds[k].strides)
        dynamic[info.dynamic_count++] = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    s->pipelines[k] = vkt_pipeline(&s->t, &info);
}

/* Each 16 bits are a half float between 1 and 8, and each 32 bits a float between 0.007 and 2^17,
 * wherever they begin; with --legacy at any byte. */
static void fill_data(struct suite *s)
{
    uint8_t *bytes = s->data.map;
    for (uint32_t i = 0; i < DATA_B && s->legacy; i++)
        bytes[i] = (uint8_t)(0x3c + roll(s, 8));
    if (s->legacy)
        return;
    uint16_t *halves = s->data.map;
    for (uint32_t i = 0; i < DATA_B / 2; i++)
        halves[i] = (uint16_t)(0x3c00 + roll(s, 0xc00));
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    s->data = vkt_buffer(t, DATA_B, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    fill_data(s);
    s->nothing = vkt_buffer(t, 16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    memset(s->nothing.map, 0, 16);
    for (uint32_t i = 0; i < 2; i++) {
        s->indices[i] = vkt_buffer(t, INDICES * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
        for (uint32_t k = 0; k < INDICES; k++)
            ((uint16_t *)s->indices[i].map)[k] =
                (uint16_t)(i && roll(s, 5) == 0 ? 0xffff : roll(s, 32));
    }
    s->arguments = vkt_buffer(t, DRAWS * sizeof(VkDrawIndexedIndirectCommand),
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0);
    s->captured = xfb_buffer(t, CAPTURED_B);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, WIDTH_PX, HEIGHT_PX);
    s->layout = vkt_layout(t, NULL, 0, &range, 1);
}

static void ask_for_legacy(struct vkt_options *options)
{
#ifdef VK_EXT_legacy_vertex_attributes
    static VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LEGACY_VERTEX_ATTRIBUTES_FEATURES_EXT,
        .legacyVertexAttributes = VK_TRUE,
    };
    static const struct vkt_extension asked[] = {
        {VK_EXT_LEGACY_VERTEX_ATTRIBUTES_EXTENSION_NAME, &features, 1}, {NULL, NULL, 0}};
    options->extensions = asked;
#else
    (void)options;
    vkt_skip("the Vulkan headers are older than VK_EXT_legacy_vertex_attributes");
#endif
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-vertex_input", argc, argv);
    static struct suite s;
    options.dynamic_input = options.tessellation = options.xfb = true;
    options.nested = s.nests = vkt_flag(&options, "--nested");
#ifndef VK_EXT_nested_command_buffer
    if (s.nests)
        vkt_skip("the Vulkan headers are older than VK_EXT_nested_command_buffer");
#endif
    s.zeros = vkt_flag(&options, "--zeros");
    s.absent = vkt_flag(&options, "--absent");
    s.legacy = vkt_flag(&options, "--legacy");
    if (s.legacy)
        ask_for_legacy(&options);
    vkt_init(&s.t, &options);
    s.random = 1;
    s.divisors = !vkt_flag(&options, "--no-divisors");
    if (s.divisors && !s.t.features.divisor_zero)
        vkt_skip("no vertexAttributeInstanceRateZeroDivisor");
    make_resources(&s);
    for (uint32_t k = 0; k < KINDS; k++)
        make_pipeline(&s, k);
    const uint32_t rounds = (vkt_flag(&options, "--long") ? 3 : 1) * (KINDS - FIRST_CAPTURING);
    for (uint32_t i = 0; i < rounds; i++) {
        char what[32];
        snprintf(what, sizeof(what), "draws-%u", i);
        case_draws(&s, what, 11 + i);
        snprintf(what, sizeof(what), "secondaries-%u", i);
        case_secondaries(&s, what, 31 + i);
        snprintf(what, sizeof(what), "captures-%u", i);
        case_captures(&s, what, FIRST_CAPTURING + i % (KINDS - FIRST_CAPTURING), 53 + i);
    }
    return vkt_finish(&s.t);
}
