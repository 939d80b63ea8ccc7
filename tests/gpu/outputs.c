/* SPDX-License-Identifier: MIT
 *
 * Vertex and evaluation shaders that choose the layer and the viewport of their primitives without
 * any geometry shader, next to draws that choose none: every way to begin a pass, topologies,
 * indices, secondaries, captures and queries. Fragments say what they read of both.
 * --extension: by VK_EXT_shader_viewport_index_layer and its capability, instead of Vulkan 1.2.
 * --alone: nobody enables geometryShader, which lets fragment shaders read them.
 * --lean: the extension, or else shaderOutputLayer, is all that is enabled.
 */
#include "common/vkt_query.h"
#include "gpu/layers.h"

#include "outputs_alone_frag.h"
#include "outputs_both_extension_tese.h"
#include "outputs_both_extension_vert.h"
#include "outputs_both_tese.h"
#include "outputs_both_vert.h"
#include "outputs_capture_extension_vert.h"
#include "outputs_capture_vert.h"
#include "outputs_frag.h"
#include "outputs_layer_extension_tese.h"
#include "outputs_layer_extension_vert.h"
#include "outputs_layer_tese.h"
#include "outputs_layer_vert.h"
#include "outputs_plain_vert.h"
#include "outputs_tesc.h"
#include "outputs_viewport_extension_tese.h"
#include "outputs_viewport_extension_vert.h"
#include "outputs_viewport_tese.h"
#include "outputs_viewport_vert.h"

#include <stdio.h>

#define VIEWPORTS 4u
#define INSTANCES 9u
#define VERTICES 6u
#define CAPTURED_B (INSTANCES * VERTICES * 24u)

struct push {
    uint32_t layer_count, viewport_count;
};

enum writer { PLAIN, LAYER, VIEWPORT, BOTH, CAPTURE };
static const char *const writer_names[] = {"plain", "layer", "viewport", "both", "capture"};

struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_buffer indices;
    VkQueryPool streams, seen;
    bool extension, alone, lean; /* see above */
    uint32_t viewport_count;
};

/* What is drawn in a pass. */
struct scene {
    enum writer writer;
    VkPrimitiveTopology topology;
    bool tessellated, indexed;
};

static const VkViewport viewports[VIEWPORTS] = {
    {0, 0, 32, 32, 0, 1}, {16, 0, 16, 16, 0, 1}, {0, 32, 16, -16, 0, 1}, {8, 8, 16, 16, 0, 1}};
static const VkRect2D scissors[VIEWPORTS] = {
    {{0, 0}, {32, 32}}, {{16, 0}, {16, 16}}, {{0, 3}, {30, 29}}, {{8, 8}, {16, 16}}};

static struct vkt_code vertex_code(const struct suite *s, enum writer writer)
{
    switch (writer) {
    case LAYER:
        return s->extension ? VKT_CODE(outputs_layer_extension_vert) : VKT_CODE(outputs_layer_vert);
    case VIEWPORT:
        return s->extension ? VKT_CODE(outputs_viewport_extension_vert)
                            : VKT_CODE(outputs_viewport_vert);
    case BOTH:
        return s->extension ? VKT_CODE(outputs_both_extension_vert) : VKT_CODE(outputs_both_vert);
    case CAPTURE:
        return s->extension ? VKT_CODE(outputs_capture_extension_vert)
                            : VKT_CODE(outputs_capture_vert);
    case PLAIN:
        break;
    }
    return VKT_CODE(outputs_plain_vert);
}

static struct vkt_code evaluation_code(const struct suite *s, enum writer writer)
{
    switch (writer) {
    case LAYER:
        return s->extension ? VKT_CODE(outputs_layer_extension_tese) : VKT_CODE(outputs_layer_tese);
    case VIEWPORT:
        return s->extension ? VKT_CODE(outputs_viewport_extension_tese)
                            : VKT_CODE(outputs_viewport_tese);
    default:
        break;
    }
    return s->extension ? VKT_CODE(outputs_both_extension_tese) : VKT_CODE(outputs_both_tese);
}

static VkPipeline make_pipeline(struct suite *s, const struct layers_target *target,
                                enum layers_way way, const struct scene *scene)
{
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = s->viewport_count,
        .pViewports = viewports,
        .scissorCount = s->viewport_count,
        .pScissors = scissors,
    };
    struct vkt_pipeline_info info = {
        .vs = vertex_code(s, scene->tessellated ? PLAIN : scene->writer),
        .fs = s->alone ? VKT_CODE(outputs_alone_frag) : VKT_CODE(outputs_frag),
        .layout = s->layout,
        .pass = way == LAYERS_RENDERING ? VK_NULL_HANDLE : target->pass,
        .dynamic_format = LAYERS_FORMAT,
        .dynamic_depth_format = target->has_depth ? LAYERS_DEPTH_FORMAT : VK_FORMAT_UNDEFINED,
        .viewports = &viewport,
        .topology = scene->topology,
    };
    if (scene->tessellated) {
        info.tcs = VKT_CODE(outputs_tesc);
        info.tes = evaluation_code(s, scene->writer);
        info.patch_points = 3;
    }
    return vkt_pipeline(&s->t, &info);
}

/* The scene between draws that choose nothing. */
static void record(struct suite *s, VkCommandBuffer cmd, const struct layers_target *target,
                   enum layers_way way, const struct scene *scene)
{
    const struct scene plain = {PLAIN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false};
    const struct push push = {target->layer_count, s->viewport_count};
    const VkPipeline beside = make_pipeline(s, target, way, &plain);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(push), &push);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, beside);
    vkCmdDraw(cmd, 3, 1, 0, 1);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, target, way, scene));
    if (scene->indexed) {
        vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(cmd, VERTICES, INSTANCES, 1, 2, 3);
    } else {
        vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 2);
    }
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, beside);
    vkCmdDraw(cmd, 3, 1, 3, 5);
}

static void draw(struct suite *s, const struct layers_target *target, enum layers_way way,
                 const struct scene *scene)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->seen, 0, 1);
    layers_begin(cmd, target, way, VK_SUBPASS_CONTENTS_INLINE, 0);
    vkCmdBeginQuery(cmd, s->seen, 0, 0); /* not every device counts */
    record(s, cmd, target, way, scene);
    vkCmdEndQuery(cmd, s->seen, 0);
    layers_end(cmd, target, way, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    char name[96];
    snprintf(name, sizeof(name), "%s/%s/%s%s%s-%d", layers_kind_names[target->kind],
             layers_way_names[way], writer_names[scene->writer],
             scene->tessellated ? "-patches" : "", scene->indexed ? "-indexed" : "",
             (int)scene->topology);
    layers_dump(&s->t, target, name);
    uint64_t seen;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->seen, 0, 1, 8, &seen, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, seen, "nothing is seen of %s", name);
}

static void draw_secondary(struct suite *s, const struct layers_target *target)
{
    const struct scene scene = {BOTH, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, false};
    VkCommandBuffer secondary = vkt_secondary_in(&s->t, target->pass, 0);
    record(s, secondary, target, LAYERS_PASS, &scene);
    VKT_CALL(vkEndCommandBuffer(secondary));
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    layers_begin(cmd, target, LAYERS_PASS, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS, 0);
    vkCmdExecuteCommands(cmd, 1, &secondary);
    layers_end(cmd, target, LAYERS_PASS, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, target, "secondary");
}

/* What is drawn is captured and counted, too. */
static void draw_captured(struct suite *s, const struct layers_target *target)
{
    const struct scene scene = {CAPTURE, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false};
    const struct push push = {target->layer_count, s->viewport_count};
    const VkDeviceSize offset_B = 0, size_B = CAPTURED_B;
    const struct vkt_buffer captured =
        vkt_buffer(&s->t, CAPTURED_B, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, 0xcd);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->streams, 0, 1);
    vkCmdResetQueryPool(cmd, s->seen, 0, 1);
    vkCmdBeginQuery(cmd, s->seen, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    layers_begin(cmd, target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(push), &push);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_pipeline(s, target, LAYERS_PASS, &scene));
    vkCmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &captured.buffer, &offset_B, &size_B);
    vkCmdBeginQuery(cmd, s->streams, 0, 0);
    vkCmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 0);
    vkCmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    vkCmdEndQuery(cmd, s->streams, 0);
    layers_end(cmd, target, LAYERS_PASS, 0);
    vkCmdEndQuery(cmd, s->seen, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, target, "captured");
    vkt_dump_buffer(&s->t, "captured/vertices", captured.map, CAPTURED_B);
    uint64_t counts[3];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->streams, 0, 1, 16, counts, 16,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->seen, 0, 1, 8, &counts[2], 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    vkt_dump_buffer(&s->t, "captured/counts", counts, sizeof(counts));
}

static void draw_all(struct suite *s)
{
    static const VkPrimitiveTopology topologies[] = {
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    struct layers_target targets[LAYERS_KINDS];
    for (enum layers_kind kind = 0; kind < LAYERS_KINDS; kind++) {
        targets[kind] = layers_target(&s->t, kind);
        for (enum layers_way way = 0; way < LAYERS_WAYS; way++)
            if (layers_way_possible(&s->t, way) && !(s->t.options.link && way == LAYERS_RENDERING))
                draw(s, &targets[kind], way,
                     &(struct scene){s->lean ? LAYER : BOTH, topologies[0], false, true});
    }
    const struct layers_target *array = &targets[LAYERS_ARRAY];
    for (enum writer writer = LAYER; writer <= (s->lean ? LAYER : BOTH); writer++) {
        for (uint32_t i = 0; i < VKT_COUNT(topologies); i++)
            draw(s, array, LAYERS_PASS, &(struct scene){writer, topologies[i], false, false});
        if (s->t.features.core.tessellationShader)
            draw(s, array, LAYERS_PASS,
                 &(struct scene){writer, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, true, false});
    }
    if (!s->lean)
        draw_secondary(s, array);
    if (s->t.features.xfb)
        draw_captured(s, array);
}

int main(int argc, char **argv)
{
    static const uint16_t indices[VERTICES + 1] = {9, 4, 1, 3, 0, 2, 5};
    static const struct vkt_extension outputs[] = {
        {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, NULL, 0}, {NULL, NULL, 0}};
    static VkPhysicalDeviceVulkan12Features layer = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .shaderOutputLayer = VK_TRUE};
    static const struct vkt_extension layer_alone[] = {
        {NULL, &layer, (sizeof(layer) - sizeof(VkBaseOutStructure)) / sizeof(VkBool32)},
        {NULL, NULL, 0}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(struct push)};
    struct suite s = {.t = {.device = VK_NULL_HANDLE}};
    struct vkt_options options = vkt_parse("outputs", argc, argv);
    s.extension = vkt_flag(&options, "--extension");
    s.lean = vkt_flag(&options, "--lean");
    s.alone = s.lean || vkt_flag(&options, "--alone");
    s.viewport_count = s.lean ? 1 : VIEWPORTS;
    options.lean = s.lean;
    options.layer_outputs = !s.lean;
    options.tessellation = options.xfb = !s.alone;
    options.without_geometry = s.alone;
    options.extensions = s.extension ? outputs : s.lean ? layer_alone : NULL;
    options.lone_features = s.extension;
    options.api_version = s.lean && s.extension ? VK_API_VERSION_1_1 : 0;
    vkt_init(&s.t, &options);
    if (!s.lean &&
        ((!s.extension && !(s.t.features.output_layer && s.t.features.output_viewport)) ||
         !s.t.features.core.multiViewport))
        vkt_skip("the device cannot choose both without a geometry shader");
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    /* First of all: the validation layer knows of no end of what is read as vertices, and the layer
     * has numbers of layers and counts of queries in one buffer. */
    if (s.t.features.xfb)
        s.streams = vkt_query_pool(&s.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    s.seen = vkt_query_pool(&s.t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    draw_all(&s);
    return vkt_finish(&s.t);
}
