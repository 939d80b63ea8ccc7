/* SPDX-License-Identifier: MIT
 *
 * Rarer ways to write gl_Layer and gl_ViewportIndex in front of the rasterizer, and what is drawn
 * and counted then: in a block, as an unsigned number, if a constant says so, in one of several
 * entry points, and behind a stage that writes them in vain; without fragment shaders, discarded,
 * clipped, with dynamic topologies and restarts, and with another viewport in each view.
 */
#include "common/vkt_query.h"
#include "gpu/layers.h"

#include "outputs_alone_frag.h"
#include "outputs_entries_vert.h"
#include "outputs_frag.h"
#include "outputs_numbered_frag.h"
#include "outputs_odd_choice_geom.h"
#include "outputs_odd_clip_vert.h"
#include "outputs_odd_geom.h"
#include "outputs_odd_layer_geom.h"
#include "outputs_odd_vert.h"
#include "outputs_odd_views_vert.h"
#include "outputs_plain_tese.h"
#include "outputs_tesc.h"

#include <stdio.h>
#include <string.h>

#define VIEWPORTS 4u
#define INSTANCES 9u
#define VERTICES 6u
#define COUNTS 4u
#define TRIANGLES_ADJACENT VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY
#define LINES_ADJACENT VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY

/* What is drawn. */
struct scene {
    const char *name, *entry;
    struct vkt_code vs, gs;
    bool chooses, numbered, discards, dynamic_discard, lacks_fragments, restarts, patches;
    VkPolygonMode mode;
    VkPrimitiveTopology topology, drawn; /* of the pipeline; set before the draw, if another */
};

struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_buffer indices;
    VkQueryPool statistics, seen;
    struct layers_target target;
};

static const VkViewport viewports[VIEWPORTS] = {
    {0, 0, 32, 32, 0, 1}, {16, 0, 16, 16, 0, 1}, {0, 32, 16, -16, 0, 1}, {8, 8, 16, 16, 0, 1}};
static const VkRect2D scissors[VIEWPORTS] = {
    {{0, 0}, {32, 32}}, {{16, 0}, {16, 16}}, {{0, 3}, {30, 29}}, {{8, 8}, {16, 16}}};

static VkShaderModule module_of(struct suite *s, struct vkt_code code)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = code.size_B,
                                           .pCode = code.words};
    VkShaderModule module = VK_NULL_HANDLE;
    if (code.words)
        VKT_CALL(vkCreateShaderModule(s->t.device, &info, NULL, &module));
    return module;
}

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static VkPipeline make_pipeline(struct suite *s, const struct scene *scene)
{
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(VkBool32)};
    static const VkBool32 yes = VK_TRUE;
    const VkSpecializationInfo constants = {1, &entry, sizeof(yes), &yes};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = VIEWPORTS,
        .pViewports = viewports,
        .scissorCount = VIEWPORTS,
        .pScissors = scissors,
    };
    const struct {
        VkShaderStageFlagBits stage;
        struct vkt_code code;
    } all[] = {
        {VK_SHADER_STAGE_VERTEX_BIT, scene->vs},
        {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
         scene->patches ? VKT_CODE(outputs_tesc) : (struct vkt_code){NULL, 0}},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
         scene->patches ? VKT_CODE(outputs_plain_tese) : (struct vkt_code){NULL, 0}},
        {VK_SHADER_STAGE_GEOMETRY_BIT, scene->gs},
        {VK_SHADER_STAGE_FRAGMENT_BIT, scene->lacks_fragments ? (struct vkt_code){NULL, 0}
                                       : scene->numbered      ? VKT_CODE(outputs_numbered_frag)
                                                              : VKT_CODE(outputs_frag)},
    };
    VkPipelineShaderStageCreateInfo stages[VKT_COUNT(all)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKT_COUNT(all); i++)
        if (all[i].code.words)
            stages[count++] = (VkPipelineShaderStageCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = all[i].stage,
                .module = module_of(s, all[i].code),
                .pName = i == 0 && scene->entry ? scene->entry : "main",
                .pSpecializationInfo = scene->chooses ? &constants : NULL,
            };
    VkDynamicState dynamic[2];
    uint32_t dynamic_count = 0;
    if (scene->drawn != scene->topology)
        dynamic[dynamic_count++] = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
    if (scene->dynamic_discard)
        dynamic[dynamic_count++] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    const struct vkt_pipeline_info info = {
        .tes = all[2].code,
        .patch_points = 3,
        .layout = s->layout,
        .pass = s->target.pass,
        .viewports = &viewport,
        .topology = scene->topology,
        .restart = scene->restarts,
        .discard = scene->discards,
        .polygon_mode = scene->mode,
        .blend = scene->lacks_fragments ? VKT_BLEND_MASKED : VKT_BLEND_NONE,
        .depth_test = true,
        .depth_write = true,
        .dynamic = dynamic,
        .dynamic_count = dynamic_count,
    };
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_stages(&s->t, &info, stages, count, &pipeline));
    vkt_defer(&s->t, destroy_pipeline, (uint64_t)pipeline);
    for (uint32_t i = 0; i < count; i++)
        vkDestroyShaderModule(s->t.device, stages[i].module, NULL);
    return pipeline;
}

static void record(struct suite *s, VkCommandBuffer cmd, const struct scene *scene)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(s, scene));
    if (scene->drawn != scene->topology)
        vkCmdSetPrimitiveTopology(cmd, scene->drawn);
    if (scene->dynamic_discard)
        vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    if (scene->restarts)
        vkCmdDrawIndexed(cmd, 12, INSTANCES, 0, 0, 2);
    else
        vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 2);
}

static void draw(struct suite *s, const struct scene *scene)
{
    struct scene plain = {.entry = "plain", .vs = VKT_CODE(outputs_entries_vert)};
    plain.topology = plain.drawn = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->seen, 0, 1);
    if (s->statistics)
        vkCmdResetQueryPool(cmd, s->statistics, 0, 1);
    layers_begin(cmd, &s->target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    record(s, cmd, &plain);
    vkCmdBeginQuery(cmd, s->seen, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    if (s->statistics)
        vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    record(s, cmd, scene);
    vkCmdEndQuery(cmd, s->seen, 0);
    if (s->statistics)
        vkCmdEndQuery(cmd, s->statistics, 0);
    record(s, cmd, &plain);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, &s->target, scene->name);
    uint64_t counts[COUNTS];
    char name[64];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->seen, 0, 1, 8, counts, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    snprintf(name, sizeof(name), "%s/seen", scene->name);
    vkt_dump_buffer(&s->t, name, counts, 8);
    if (!s->statistics)
        return;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, sizeof(counts), counts,
                                   sizeof(counts),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    snprintf(name, sizeof(name), "opt/%s/counts", scene->name);
    vkt_dump_buffer(&s->t, name, counts, sizeof(counts));
}

/* A view for each layer. */
static void draw_views(struct suite *s)
{
    const struct layers_target *target = &s->target;
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = VIEWPORTS,
        .pViewports = viewports,
        .scissorCount = VIEWPORTS,
        .pScissors = scissors,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(outputs_odd_views_vert),
        .fs = VKT_CODE(outputs_alone_frag),
        .layout = s->layout,
        .viewports = &viewport,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .dynamic_format = LAYERS_FORMAT,
        .dynamic_views = (1u << target->layer_count) - 1,
    };
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {LAYERS_SIDE_PX, LAYERS_SIDE_PX}},
        .layerCount = 1,
        .viewMask = info.dynamic_views,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           VK_REMAINING_ARRAY_LAYERS};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_image_barrier(cmd, target->color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &rendering);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vkt_pipeline(&s->t, &info));
    vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 2);
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, target->color.image, range, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, target, "views");
}

static bool is_possible(const struct suite *s, const struct scene *scene)
{
    const VkPhysicalDeviceFeatures *core = &s->t.features.core;
    const bool adjacent = scene->drawn == TRIANGLES_ADJACENT || scene->drawn == LINES_ADJACENT;
    return (core->geometryShader || !(adjacent || scene->numbered || scene->gs.words)) &&
           (core->tessellationShader || !scene->patches) &&
           (core->fillModeNonSolid || !scene->mode) &&
           (s->t.features.any_topology || strncmp(scene->name, "opt/any", 7) != 0);
}

static void draw_scenes(struct suite *s, const struct scene *scenes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_possible(s, &scenes[i]))
            draw(s, &scenes[i]);
}

static void draw_shaders(struct suite *s)
{
    const VkPrimitiveTopology list = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                              patches = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    const struct vkt_code odd = VKT_CODE(outputs_odd_vert), clip = VKT_CODE(outputs_odd_clip_vert),
                          entries = VKT_CODE(outputs_entries_vert), gs = VKT_CODE(outputs_odd_geom),
                          layer = VKT_CODE(outputs_odd_layer_geom),
                          choice = VKT_CODE(outputs_odd_choice_geom);
    const struct scene scenes[] = {
        {.name = "never", .vs = odd, .topology = list, .drawn = list},
        {.name = "chosen", .vs = odd, .chooses = true, .topology = list, .drawn = list},
        {.name = "block", .vs = entries, .entry = "block", .topology = list, .drawn = list},
        {.name = "unused", .vs = entries, .entry = "unused", .topology = list, .drawn = list},
        {.name = "number", .vs = entries, .entry = "number", .topology = list, .drawn = list},
        {.name = "initial", .vs = entries, .entry = "initial", .topology = list, .drawn = list},
        {.name = "declared", .vs = entries, .entry = "declared", .topology = list, .drawn = list},
        {.name = "numbered",
         .vs = odd,
         .chooses = true,
         .numbered = true,
         .topology = list,
         .drawn = list},
        {.name = "plain", .vs = entries, .entry = "plain", .topology = list, .drawn = list},
        {.name = "geometry", .vs = odd, .gs = gs, .chooses = true, .topology = list, .drawn = list},
        {.name = "geometry-layer",
         .vs = odd,
         .gs = layer,
         .chooses = true,
         .topology = list,
         .drawn = list},
        {.name = "geometry-never", .vs = odd, .gs = choice, .topology = list, .drawn = list},
        {.name = "geometry-chosen",
         .vs = odd,
         .gs = choice,
         .chooses = true,
         .topology = list,
         .drawn = list},
        {.name = "evaluation",
         .vs = odd,
         .chooses = true,
         .patches = true,
         .topology = patches,
         .drawn = patches},
    };
    const struct scene clipped = {
        .name = "clip", .vs = clip, .chooses = true, .topology = list, .drawn = list};
    draw_scenes(s, scenes, VKT_COUNT(scenes));
    if (s->t.features.core.shaderClipDistance)
        draw(s, &clipped);
}

static void draw_states(struct suite *s)
{
    const VkPrimitiveTopology list = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                              strip = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    const struct vkt_code odd = VKT_CODE(outputs_odd_vert),
                          entries = VKT_CODE(outputs_entries_vert);
    const struct scene scenes[] = {
        {.name = "edges",
         .vs = odd,
         .chooses = true,
         .mode = VK_POLYGON_MODE_LINE,
         .topology = list,
         .drawn = list},
        {.name = "corners",
         .vs = entries,
         .entry = "block",
         .mode = VK_POLYGON_MODE_POINT,
         .topology = strip,
         .drawn = strip},
        {.name = "discard",
         .vs = odd,
         .chooses = true,
         .discards = true,
         .lacks_fragments = true, /* they may not have any */
         .topology = list,
         .drawn = list},
        {.name = "dynamic-discard",
         .vs = odd,
         .chooses = true,
         .discards = true,
         .dynamic_discard = true,
         .topology = list,
         .drawn = list},
        {.name = "depth",
         .vs = odd,
         .chooses = true,
         .lacks_fragments = true,
         .topology = strip,
         .drawn = strip},
        {.name = "dynamic", .vs = odd, .chooses = true, .topology = list, .drawn = strip},
        {.name = "adjacent",
         .vs = odd,
         .chooses = true,
         .topology = TRIANGLES_ADJACENT,
         .drawn = TRIANGLES_ADJACENT},
        {.name = "dynamic-adjacent",
         .vs = odd,
         .chooses = true,
         .topology = strip,
         .drawn = TRIANGLES_ADJACENT},
        {.name = "lines-adjacent",
         .vs = odd,
         .chooses = true,
         .topology = LINES_ADJACENT,
         .drawn = LINES_ADJACENT},
        {.name = "opt/any-lines",
         .vs = odd,
         .chooses = true,
         .topology = list,
         .drawn = VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
        {.name = "opt/any-points",
         .vs = odd,
         .chooses = true,
         .topology = strip,
         .drawn = VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
        {.name = "opt/any-triangles",
         .vs = entries,
         .entry = "number",
         .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
         .drawn = strip},
        {.name = "restart",
         .vs = odd,
         .chooses = true,
         .restarts = true,
         .topology = strip,
         .drawn = strip},
    };
    draw_scenes(s, scenes, VKT_COUNT(scenes));
}

int main(int argc, char **argv)
{
    static const uint16_t indices[12] = {9, 4, 1, 3, 0xffff, 2, 5, 7, 0xffff, 3, 8, 6};
    static const struct vkt_extension outputs[] = {
        {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, NULL, 0}, {NULL, NULL, 0}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, 8};
    struct suite s = {.t = {.device = VK_NULL_HANDLE}};
    struct vkt_options options = vkt_parse("outputs_odd", argc, argv);
    options.layer_outputs = options.tessellation = options.xfb = options.polygon_modes = true;
    options.extensions = outputs;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.multiViewport)
        vkt_skip("no multiViewport");
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    if (s.t.features.core.pipelineStatisticsQuery)
        s.statistics =
            vkt_query_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                           VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT);
    s.seen = vkt_query_pool(&s.t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    s.target = layers_target(&s.t, LAYERS_ARRAY);
    draw_shaders(&s);
    draw_states(&s);
    if (s.t.features.multiview && s.t.features.dynamic_rendering)
        draw_views(&s);
    return vkt_finish(&s.t);
}
