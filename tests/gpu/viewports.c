/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that write gl_ViewportIndex, next to draws that do not. Viewports lie side by
 * side, overlap, or are the same with other scissors. The last primitive wins, so the pictures show
 * in which order primitives of different viewports were drawn; fragments are counted by viewport.
 */
#include "gpu/layers.h"

#include "viewports_frag.h"
#include "viewports_layers_geom.h"
#include "viewports_lines_geom.h"
#include "viewports_plain_frag.h"
#include "viewports_points_geom.h"
#include "viewports_quads_geom.h"
#include "viewports_static_geom.h"
#include "viewports_vert.h"

#include <stdio.h>
#include <string.h>

#define SIDE_PX 64u
#define COUNTERS 32u
#define POINTS 12u
#define MAX_VIEWPORTS 16u

struct push {
    float shift[2];
    uint32_t viewport_count, step, copies, tint;
};

/* How the pipelines know their viewports. */
enum way { STATIC, DYNAMIC, WITH_COUNT, WAYS };
static const char *const way_names[WAYS] = {"static", "dynamic", "with-count"};

enum kind { QUADS, STATIC_QUADS, LINES, POINTS_OUT, KINDS, LAYERED = KINDS };
static const char *const kind_names[KINDS] = {"quads", "static-quads", "lines", "points"};

struct scene {
    const char *name;
    uint32_t count;
    VkViewport viewports[MAX_VIEWPORTS];
    VkRect2D scissors[MAX_VIEWPORTS];
};

#define ALL                                                                                        \
    {                                                                                              \
        {0, 0},                                                                                    \
        {                                                                                          \
            SIDE_PX, SIDE_PX                                                                       \
        }                                                                                          \
    }

enum { ODD = 7 };
static const struct scene scenes[] = {
    {"one", 1, {{8, 8, 48, 48, 0, 1}}, {{{4, 12}, {50, 50}}}},
    {"apart", /* two of them upside down, in other depths */
     4,
     {{0, 0, 32, 32, 0, 1},
      {32, 32, 32, -32, 0.25f, 0.5f},
      {0, 32, 32, 32, 1, 0},
      {33, 63, 30, -30, 0.5f, 0.5f}},
     {ALL, {{36, 3}, {20, 40}}, ALL, {{0, 0}, {60, 60}}}},
    {"overlap",
     4,
     {{0, 0, 64, 64, 0, 1}, {16, 16, 32, 32, 0, 1}, {0, 32, 64, 32, 0, 1}, {32, 64, 32, -64, 0, 1}},
     {ALL, ALL, {{3, 0}, {50, 60}}, {{0, 9}, {64, 50}}}},
    {"reversed", /* depths of the same range */
     3,
     {{0, 0, 64, 64, 0, 1}, {0, 0, 32, 64, 1, 0}, {16, 16, 32, 32, 1, 0}},
     {ALL, ALL, ALL}},
    {"beyond", /* the target, which points reach into */
     2,
     {{0, 0, 124, 64, 0, 1}, {-60, 0, 124, 72, 0, 1}},
     {ALL, ALL}},
    {"depths", /* within the range of each */
     3,
     {{0, 0, 64, 64, 0.125f, 1}, {16, 16, 32, 32, 0.5f, 0.25f}, {0, 32, 64, 32, 0.5f, 0.5f}},
     {ALL, ALL, ALL}},
    {"scissors", /* of the same viewport */
     4,
     {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}},
     {{{0, 0}, {40, 40}}, {{20, 20}, {44, 44}}, {{10, 30}, {44, 10}}, {{50, 0}, {0, 64}}}},
    [ODD] = {"odd",
             5,
             {{1.25f, 3.5f, 37.375f, 29.75f, 0, 1},
              {17.5f, 2.125f, 41.0f, 33.625f, 0, 1},
              {-9.5f, 20.0f, 47.25f, 60.5f, 0, 1},
              {30.0f, 55.5f, 40.5f, -27.25f, 0, 1},
              {-200.0f, -200.0f, 100.0f, 100.0f, 0, 1}},
             {ALL, ALL, {{2, 25}, {30, 30}}, ALL, ALL}},
    {"many",
     16,
     {{0, 0, 16, 16, 0, 1},
      {16, 0, 16, 16, 0, 1},
      {32, 0, 16, 16, 0, 1},
      {48, 0, 16, 16, 0, 1},
      {0, 16, 16, 16, 0, 1},
      {8, 8, 16, 16, 0, 1},
      {32, 16, 16, 16, 0, 1},
      {40, 24, 16, 16, 0, 1},
      {0, 32, 16, 16, 0, 1},
      {16, 32, 16, 16, 0, 1},
      {32, 32, 16, 16, 0, 1},
      {48, 32, 16, 16, 0, 1},
      {0, 0, 64, 64, 0, 1},
      {16, 16, 32, 32, 0, 1},
      {32, 48, 16, 16, 0, 1},
      {48, 48, 16, 16, 0, 1}},
     {ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL}},
};

/* Within the layers of a target that is smaller. */
static const struct scene layered = {
    "layers",
    3,
    {{0, 0, 32, 32, 0, 1}, {8, 8, 16, 16, 0, 1}, {0, 32, 32, -16, 0, 1}},
    {{{0, 0}, {32, 30}}, {{0, 0}, {32, 32}}, {{0, 0}, {28, 32}}}};

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct vkt_buffer counters, positions, numbers;
    VkQueryPool queries;
    bool clip_control; /* depths of clip space begin at -w */
    bool clip_dynamic; /* the command buffer says so */
};

struct pipelines {
    VkPipeline emulated, native;
};

static bool has_depths(const struct scene *scene)
{
    return !strcmp(scene->name, "apart") || !strcmp(scene->name, "reversed") ||
           !strcmp(scene->name, "depths");
}

static struct pipelines make_pipelines(struct suite *s, VkRenderPass pass,
                                       const struct scene *scene, enum way way, enum kind kind)
{
    static const VkVertexInputBindingDescription bindings[2] = {
        {0, 4 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX},
        {1, 2 * sizeof(uint32_t), VK_VERTEX_INPUT_RATE_VERTEX},
    };
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
        {1, 1, VK_FORMAT_R32G32_UINT, 0},
    };
    static const VkDynamicState dynamic[WAYS][3] = {
        [STATIC] = {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
        [DYNAMIC] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                     VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
        [WITH_COUNT] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                        VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
    };
    const struct vkt_code geometry[] = {
        VKT_CODE(viewports_quads_geom),  VKT_CODE(viewports_static_geom),
        VKT_CODE(viewports_lines_geom),  VKT_CODE(viewports_points_geom),
        VKT_CODE(viewports_layers_geom),
    };
    const VkPipelineViewportDepthClipControlCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
        .negativeOneToOne = !s->clip_dynamic,
    };
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = s->clip_control ? &clip : NULL,
        .viewportCount = way == WITH_COUNT ? 0 : scene->count,
        .pViewports = way == STATIC ? scene->viewports : NULL,
        .scissorCount = way == WITH_COUNT ? 0 : scene->count,
        .pScissors = way == STATIC ? scene->scissors : NULL,
    };
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(viewports_vert),
        .gs = geometry[kind],
        .fs = VKT_CODE(viewports_frag),
        .layout = s->layout,
        .pass = pass,
        .viewports = &viewports,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = bindings,
        .binding_count = 2,
        .attributes = attributes,
        .attribute_count = 2,
        .depth_test = true,
        .depth_write = true,
        /* where depths differ they decide, elsewhere the order does */
        .depth_compare = has_depths(scene) ? VK_COMPARE_OP_LESS_OR_EQUAL : VK_COMPARE_OP_ALWAYS,
        .dynamic = dynamic[way],
        .dynamic_count = (way == STATIC ? 0 : 2) + s->clip_dynamic,
    };
    struct pipelines made = {.emulated = vkt_pipeline(&s->t, &info)};
    info.gs = (struct vkt_code){0};
    info.fs = VKT_CODE(viewports_plain_frag);
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    made.native = vkt_pipeline(&s->t, &info);
    return made;
}

static void set_viewports(VkCommandBuffer cmd, const struct scene *scene, enum way way)
{
    if (way == WITH_COUNT) {
        vkCmdSetViewportWithCount(cmd, scene->count, scene->viewports);
        vkCmdSetScissorWithCount(cmd, scene->count, scene->scissors);
    } else if (way == DYNAMIC) { /* some one by one */
        const uint32_t first = scene->count / 2;
        vkCmdSetViewport(cmd, first, scene->count - first, scene->viewports + first);
        for (uint32_t i = 0; i < first; i++)
            vkCmdSetViewport(cmd, i, 1, &scene->viewports[i]);
        vkCmdSetScissor(cmd, 0, scene->count, scene->scissors);
    }
}

static void push(const struct suite *s, VkCommandBuffer cmd, const struct push *values)
{
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(*values), values);
}

/* All state, and draws with both pipelines in turn. */
static void draws(const struct suite *s, VkCommandBuffer cmd, const struct scene *scene,
                  enum way way, const struct pipelines *p)
{
    const VkBuffer buffers[2] = {s->positions.buffer, s->numbers.buffer};
    const VkDeviceSize offsets[2] = {0, 0};
    const uint32_t n = scene->count;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->emulated);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
    set_viewports(cmd, scene, way);
    if (s->clip_dynamic)
        vkCmdSetDepthClipNegativeOneToOneEXT(cmd, VK_TRUE);
    push(s, cmd, &(struct push){{0, 0}, n, 1, 3, 0});
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    push(s, cmd, &(struct push){{-0.125f, 0.0625f}, n, 3, 4, 0x40});
    vkCmdDraw(cmd, 4, 1, 2, 0);
    push(s, cmd, &(struct push){{0.125f, 0.0625f}, n, 2, 2, 0x48});
    vkCmdDraw(cmd, 4, 1, 3, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->native);
    push(s, cmd, &(struct push){{0.0625f, 0.0625f}, n, 1, 1, 0x80});
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->emulated);
    if (way == DYNAMIC && n > 1) {
        const VkViewport other = {5, 32, 20, -24, 0, 1};
        const VkRect2D scissor = {{0, 10}, {30, 20}};
        vkCmdSetViewport(cmd, 1, 1, &other);
        vkCmdSetScissor(cmd, 1, 1, &scissor);
    } else if (way == WITH_COUNT) {
        vkCmdSetViewportWithCount(cmd, 1, scene->viewports);
        vkCmdSetScissorWithCount(cmd, 1, scene->scissors);
    }
    push(s, cmd, &(struct push){{0.25f, -0.125f}, way == WITH_COUNT ? 1 : n, 1, 2, 0xA0});
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    if (way == DYNAMIC && n > 1) { /* nothing else differs from the last draw */
        const VkViewport last = {20, 8, 12, 16, 0, 1};
        for (int i = 0; i < 3; i++)
            vkCmdDraw(cmd, POINTS, 1, 0, 0);
        vkCmdSetViewport(cmd, 1, 1, &last);
        vkCmdDraw(cmd, POINTS, 1, 0, 0);
    }
}

static void dump(struct suite *s, const char *name)
{
    char path[128];
    struct vkt_buffer image = vkt_image_read(&s->t, &s->target.color, 4);
    snprintf(path, sizeof(path), "%s/image", name);
    vkt_dump_image(&s->t, path, image.map, SIDE_PX, SIDE_PX, 4);
    snprintf(path, sizeof(path), "%s/counters", name);
    vkt_dump_buffer(&s->t, path, s->counters.map, COUNTERS * sizeof(uint32_t));
    memset(s->counters.map, 0, COUNTERS * sizeof(uint32_t));
}

/* within: the draws are in a secondary. */
static void run(struct suite *s, const struct scene *scene, enum way way, enum kind kind,
                bool within)
{
    char name[96], path[128];
    uint64_t samples = 0;
    /* Rasterizers differ in lines, and in edges that run through centres of pixels. */
    const bool differs = kind == LINES || scene == &scenes[ODD];
    if (differs && strstr(s->t.properties.deviceName, "SwiftShader"))
        return;
    /* The lavapipe of Debian 12 draws other lines with some linked pipelines, also natively. And
     * which pixels a line covers that is clipped depends on where that happens. */
    if (kind == LINES && (s->t.options.link || !strcmp(scene->name, "beyond")))
        return;
    snprintf(name, sizeof(name), "%s%s/%s/%s%s", differs ? "opt/" : "", scene->name, way_names[way],
             kind_names[kind], within ? "/secondary" : "");
    const struct pipelines p = make_pipelines(s, s->target.pass, scene, way, kind);
    const bool counts = s->t.features.core.occlusionQueryPrecise && !within;
    VkCommandBuffer secondary = VK_NULL_HANDLE;
    if (within) {
        secondary = vkt_secondary_in(&s->t, s->target.pass, 0);
        draws(s, secondary, scene, way, &p);
        VKT_CALL(vkEndCommandBuffer(secondary));
    }
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    if (counts)
        vkCmdResetQueryPool(cmd, s->queries, 0, 1);
    vkt_target_begin(cmd, &s->target, false,
                     within ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                            : VK_SUBPASS_CONTENTS_INLINE);
    if (counts)
        vkCmdBeginQuery(cmd, s->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    if (within)
        vkCmdExecuteCommands(cmd, 1, &secondary);
    else
        draws(s, cmd, scene, way, &p);
    if (counts)
        vkCmdEndQuery(cmd, s->queries, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, name);
    if (!counts)
        return;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->queries, 0, 1, sizeof(samples), &samples,
                                   sizeof(samples),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, samples > 0, "no samples");
    snprintf(path, sizeof(path), "%s/samples", name);
    vkt_dump_buffer(&s->t, path, &samples, sizeof(samples));
}

/* Layer and viewport of the same primitives. */
static void run_layers(struct suite *s, enum way way)
{
    const struct layers_target target = layers_target(&s->t, LAYERS_ARRAY);
    const struct pipelines p = make_pipelines(s, target.pass, &layered, way, LAYERED);
    char name[64], path[96];
    snprintf(name, sizeof(name), "layers/%s", way_names[way]);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    layers_begin(cmd, &target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    draws(s, cmd, &layered, way, &p);
    layers_end(cmd, &target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, &target, name);
    snprintf(path, sizeof(path), "%s/counters", name);
    vkt_dump_buffer(&s->t, path, s->counters.map, COUNTERS * sizeof(uint32_t));
    memset(s->counters.map, 0, COUNTERS * sizeof(uint32_t));
}

static void set_up(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       sizeof(struct push)};
    float positions[POINTS][4];
    uint32_t numbers[POINTS][2];
    for (uint32_t i = 0; i < POINTS; i++) {
        positions[i][0] = (float)(i % 4) * 0.5f - 0.8125f;
        positions[i][1] = (float)(i * 5 % POINTS) / 8 - 0.6875f;
        positions[i][2] = (float)(i * 7 % 8) / 16;
        positions[i][3] = i == 5 ? 2.25f : 0.25f + 0.0625f * (float)(i % 3);
        numbers[i][0] = i;
        numbers[i][1] = i * 3;
    }
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, &binding, 1);
    s->layout = vkt_layout(t, &set_layout, 1, &range, 1);
    s->set = vkt_set(t, set_layout, &binding, 1);
    s->counters = vkt_buffer(t, COUNTERS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    vkt_write_buffer(t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counters.buffer, 0,
                     VK_WHOLE_SIZE);
    s->positions =
        vkt_buffer_from(t, positions, sizeof(positions), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->numbers = vkt_buffer_from(t, numbers, sizeof(numbers), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 1,
    };
    VKT_CALL(vkCreateQueryPool(t->device, &queries, NULL, &s->queries));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)s->queries);
}

int main(int argc, char **argv)
{
    static struct suite s;
    struct vkt_options options = vkt_parse("viewports", argc, argv);
    VkPhysicalDeviceDepthClipControlFeaturesEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
        .depthClipControl = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE};
    const bool dynamic_clip = vkt_flag(&options, "--clip-dynamic");
    const struct vkt_extension extensions[] = {
        {VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, &clip, 1},
        {dynamic_clip ? VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME : NULL,
         dynamic_clip ? &dynamic : NULL, 31},
        {NULL, NULL, 0}};
    options.layer_outputs = true;
    s.clip_dynamic = dynamic_clip;
    s.clip_control = s.clip_dynamic || vkt_flag(&options, "--clip-control");
    options.extensions = s.clip_control ? extensions : NULL;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.multiViewport && vkt_has_layer(&options, "pgs_test_profiles"))
        vkt_skip("no multiViewport"); /* compare.py knows which of them may lack it */
    VKT_EXPECT(&s.t, s.t.features.core.multiViewport, "no multiViewport");
    VKT_EXPECT(&s.t, s.t.properties.limits.maxViewports >= MAX_VIEWPORTS, "%u viewports",
               s.t.properties.limits.maxViewports);
    set_up(&s);
    /* Whether points and lines are cut at the border of a viewport is the driver's choice. */
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++) {
        if (s.clip_control && !has_depths(&scenes[i]))
            continue;
        for (int way = 0; way < WAYS; way++)
            for (int kind = 0; kind < (i == ODD ? LINES : KINDS); kind++)
                run(&s, &scenes[i], way, kind, false);
        run(&s, &scenes[i], DYNAMIC, QUADS, true);
    }
    for (int way = 0; way < WAYS; way++)
        run_layers(&s, way);
    return vkt_finish(&s.t);
}
