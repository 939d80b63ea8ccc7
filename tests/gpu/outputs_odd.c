/* SPDX-License-Identifier: MIT
 *
 * Rarer ways to write gl_Layer and gl_ViewportIndex in front of the rasterizer, and what is drawn
 * and counted then: in a block, as an unsigned number, if a constant says so, in one of several
 * entry points, and behind a stage that writes them in vain; without fragment shaders, discarded,
 * clipped, with dynamic topologies and restarts.
 */
#include "common/vkt_query.h"
#include "gpu/layers.h"

#include "outputs_entries_vert.h"
#include "outputs_frag.h"
#include "outputs_odd_clip_vert.h"
#include "outputs_odd_geom.h"
#include "outputs_odd_layer_geom.h"
#include "outputs_odd_vert.h"
#include "outputs_plain_tese.h"
#include "outputs_tesc.h"

#include <stdio.h>
#include <string.h>

#define VIEWPORTS 4u
#define INSTANCES 9u
#define VERTICES 6u
#define COUNTS 4u

/* What is drawn. */
struct scene {
    const char *name, *entry;
    struct vkt_code vs, gs;
    bool chooses, discards, dynamic_discard, lacks_fragments, restarts, patches;
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
        {VK_SHADER_STAGE_FRAGMENT_BIT,
         scene->lacks_fragments ? (struct vkt_code){NULL, 0} : VKT_CODE(outputs_frag)},
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
                .pSpecializationInfo = i == 0 && scene->chooses ? &constants : NULL,
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

static void draw_all(struct suite *s)
{
    const VkPrimitiveTopology list = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                              strip = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                              patches = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    const struct vkt_code odd = VKT_CODE(outputs_odd_vert), clip = VKT_CODE(outputs_odd_clip_vert),
                          entries = VKT_CODE(outputs_entries_vert), gs = VKT_CODE(outputs_odd_geom),
                          layer = VKT_CODE(outputs_odd_layer_geom);
    const struct scene scenes[] = {
        {.name = "never", .vs = odd, .topology = list, .drawn = list},
        {.name = "chosen", .vs = odd, .chooses = true, .topology = list, .drawn = list},
        {.name = "block", .vs = entries, .entry = "block", .topology = list, .drawn = list},
        {.name = "unused", .vs = entries, .entry = "unused", .topology = list, .drawn = list},
        {.name = "number", .vs = entries, .entry = "number", .topology = list, .drawn = list},
        {.name = "declared", .vs = entries, .entry = "declared", .topology = list, .drawn = list},
        {.name = "plain", .vs = entries, .entry = "plain", .topology = list, .drawn = list},
        {.name = "clip", .vs = clip, .chooses = true, .topology = list, .drawn = list},
        {.name = "discard",
         .vs = odd,
         .chooses = true,
         .discards = true,
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
        {.name = "restart",
         .vs = odd,
         .chooses = true,
         .restarts = true,
         .topology = strip,
         .drawn = strip},
        {.name = "geometry", .vs = odd, .gs = gs, .chooses = true, .topology = list, .drawn = list},
        {.name = "geometry-layer",
         .vs = odd,
         .gs = layer,
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
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++) {
        if ((scenes[i].gs.words && !s->t.features.core.geometryShader) ||
            (scenes[i].patches && !s->t.features.core.tessellationShader) ||
            (scenes[i].vs.words == clip.words && !s->t.features.core.shaderClipDistance))
            continue;
        draw(s, &scenes[i]);
    }
}

int main(int argc, char **argv)
{
    static const uint16_t indices[12] = {9, 4, 1, 3, 0xffff, 2, 5, 7, 0xffff, 3, 8, 6};
    static const struct vkt_extension outputs[] = {
        {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, NULL, 0}, {NULL, NULL, 0}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, 8};
    struct suite s = {.t = {.device = VK_NULL_HANDLE}};
    struct vkt_options options = vkt_parse("outputs_odd", argc, argv);
    options.layer_outputs = options.tessellation = options.xfb = true;
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
    draw_all(&s);
    return vkt_finish(&s.t);
}
