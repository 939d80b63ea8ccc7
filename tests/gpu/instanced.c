/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that make each vertex of one, in every way in which the application's own draw
 * may do their work, and in some in which it must not: later primitives lie above earlier ones.
 * With
 * --dynamic topology, restart and strides are dynamic, with --vertex-input all of the vertex input;
 * with --ranges each stage has push constants of its own.
 */
#include "gpu/layers.h"

#include "instanced_frag.h"
#include "instanced_layers_loop.h"
#include "instanced_layers_push.h"
#include "instanced_layers_same.h"
#include "instanced_layers_six.h"
#include "instanced_lines.h"
#include "instanced_points.h"
#include "instanced_push_vert.h"
#include "instanced_range_vert.h"
#include "instanced_triangles.h"
#include "instanced_twice.h"
#include "instanced_vert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VERTICES 61u
#define INSTANCES 5u
#define RESTART_EVERY 7u

struct kind {
    const char *name;
    struct vkt_code gs;
    VkPrimitiveTopology topology;
    bool restarts, last, pushes;
};

struct suite {
    struct vkt t;
    struct vkt_buffer places, turns, indices, args;
    struct layers_target target;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    bool is_dynamic, sets_input; /* --dynamic or --vertex-input; the latter */
    bool has_ranges;             /* --ranges */
};

static void make_buffers(struct suite *s)
{
    static float places[VERTICES][2];
    static uint32_t turns[INSTANCES][2];
    static uint16_t indices[VERTICES];
    const VkDrawIndirectCommand args[] = {{40, 2, 5, 1}, {0, 1, 0, 0}};
    for (uint32_t i = 0; i < VERTICES; i++) {
        places[i][0] = (float)(i * 37 % 64) / 32.0f - 1.0f + 0.003f;
        places[i][1] = (float)(i * 23 % 59) / 30.0f - 1.0f + 0.007f;
        indices[i] =
            i % RESTART_EVERY == RESTART_EVERY - 1 ? 0xFFFF : (uint16_t)(i * 11 % (VERTICES - 2));
    }
    for (uint32_t i = 0; i < INSTANCES; i++) {
        turns[i][0] = i * 5 + 1;
        turns[i][1] = i;
    }
    s->places = vkt_buffer_from(&s->t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->turns = vkt_buffer_from(&s->t, turns, sizeof(turns), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->args = vkt_buffer_from(&s->t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void make_set(struct suite *s)
{
    static float turns[6][4];
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       32};
    const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 4},
                                          {VK_SHADER_STAGE_GEOMETRY_BIT, 16, 12}};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    for (uint32_t i = 0; i < 6; i++) {
        const float cosine[] = {1.0f, 0.5f, -0.25f, 0.75f, -1.0f, 0.875f};
        turns[i][0] = turns[i][3] = cosine[i];
        turns[i][1] = i % 2 ? 0.25f : -0.25f;
        turns[i][2] = -turns[i][1];
    }
    const struct vkt_buffer field =
        vkt_buffer_from(&s->t, turns, sizeof(turns), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, field.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = s->has_ranges ? vkt_layout(&s->t, &layout, 1, ranges, 2)
                              : vkt_layout(&s->t, &layout, 1, &range, 1);
}

static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                               {1, 1, VK_FORMAT_R32G32_UINT, 0}};

/* Any of its class. */
static VkPrimitiveTopology stands_for(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN
           : topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST    ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                                                            : topology;
}

/* Without `turns` there is no attribute of instances, of which several strips make too many. What
 * is dynamic has other values in the pipeline. */
static VkPipeline make_pipeline(struct suite *s, const struct kind *kind, bool turns)
{
    const uint32_t stride_B = s->is_dynamic ? 24 : 8;
    const VkVertexInputBindingDescription bindings[] = {
        {0, stride_B, VK_VERTEX_INPUT_RATE_VERTEX},
        {1, turns ? stride_B : 0,
         turns ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX}};
    const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                      VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                      s->sets_input ? VK_DYNAMIC_STATE_VERTEX_INPUT_EXT
                                                    : VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    const void *next = kind->last ? &provoking : NULL;
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = (void *)next,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    return vkt_pipeline(&s->t,
                        &(struct vkt_pipeline_info){
                            .vs = !kind->pushes   ? VKT_CODE(instanced_vert)
                                  : s->has_ranges ? VKT_CODE(instanced_range_vert)
                                                  : VKT_CODE(instanced_push_vert),
                            .gs = kind->gs,
                            .fs = VKT_CODE(instanced_frag),
                            .layout = s->layout,
                            .pass = s->target.pass,
                            .width_px = LAYERS_SIDE_PX,
                            .height_px = LAYERS_SIDE_PX,
                            .topology = s->is_dynamic ? stands_for(kind->topology) : kind->topology,
                            .restart = kind->restarts && !s->is_dynamic,
                            .bindings = bindings,
                            .binding_count = s->sets_input ? 0 : 2,
                            .attributes = attributes,
                            .attribute_count = s->sets_input ? 0 : 2,
                            .dynamic = dynamic,
                            .dynamic_count = s->is_dynamic ? VKT_COUNT(dynamic) : 0,
                            .rasterization_next = s->t.features.bresenham_lines ? &line : next,
                        });
}

static void push(struct suite *s, VkCommandBuffer cmd, uint32_t base)
{
    const uint32_t words[8] = {base, 0, 0, 0, 64 * base, 3 * base, 7 + base};
    if (s->has_ranges) {
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 16, 12, words + 4);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, words);
        return;
    }
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(words), words);
}

static void set_input(VkCommandBuffer cmd, uint32_t stride_B, bool turns)
{
    const VkVertexInputBindingDescription2EXT bindings[] = {
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
         .stride = stride_B,
         .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
         .divisor = 1},
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
         .binding = 1,
         .stride = turns ? 8 : 0,
         .inputRate = turns ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
         .divisor = 1}};
    VkVertexInputAttributeDescription2EXT all[2];
    for (uint32_t i = 0; i < 2; i++)
        all[i] = (VkVertexInputAttributeDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .location = attributes[i].location,
            .binding = attributes[i].binding,
            .format = attributes[i].format,
            .offset = attributes[i].offset,
        };
    vkCmdSetVertexInputEXT(cmd, 2, bindings, 2, all);
}

static void bind(struct suite *s, VkCommandBuffer cmd, bool turns, uint32_t first)
{
    const VkBuffer buffers[] = {s->places.buffer, s->turns.buffer};
    const VkDeviceSize offsets_B[] = {first * 16, first * 8}, strides_B[] = {8, turns ? 8 : 0};
    if (s->is_dynamic && !s->sets_input)
        vkCmdBindVertexBuffers2(cmd, 0, 2, buffers, offsets_B, NULL, strides_B);
    else
        vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets_B);
}

/* Draws of which some are not the driver's, and state that changes between them, or behind a draw
 * that has made it the layer's. */
static void draw_dynamically(struct suite *s, VkCommandBuffer cmd, const struct kind *kind,
                             bool turns)
{
    const VkDrawIndirectCommand *several = s->args.map;
    const uint32_t vertices = several[0].vertexCount;
    const VkDeviceSize offset_B = 24, stride_B = turns ? 8 : 0, zero_B = 0;
    if (s->t.features.core.multiDrawIndirect)
        vkCmdDrawIndirect(cmd, s->args.buffer, 0, 2, sizeof(*several));
    vkCmdDraw(cmd, 9, 1, 0, 0); /* with all of the state from before */
    vkCmdSetPrimitiveTopology(cmd, stands_for(kind->topology));
    vkCmdDrawIndexed(cmd, 18, 1, 7, 1, 1);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vkCmdDrawIndexed(cmd, RESTART_EVERY - 1, 1, 0, 1, 1);
    if (s->sets_input)
        set_input(cmd, 16, true); /* now it has an attribute of instances in any case */
    else
        vkCmdBindVertexBuffers2(cmd, 0, 1, &s->places.buffer, &offset_B, NULL,
                                (const VkDeviceSize[]){16});
    vkCmdDraw(cmd, 21, 2, 2, 1);
    if (s->sets_input)
        set_input(cmd, 8, turns);
    else
        vkCmdBindVertexBuffers2(cmd, 1, 1, &s->turns.buffer, &zero_B, NULL, &stride_B);
    vkCmdDraw(cmd, vertices / 2, 1, 1, 1);
}

static void begin_dynamic(struct suite *s, VkCommandBuffer cmd, const struct kind *kind, bool turns)
{
    vkCmdSetPrimitiveTopology(cmd, kind->topology);
    vkCmdSetPrimitiveRestartEnable(cmd, kind->restarts);
    if (s->sets_input)
        set_input(cmd, 8, turns);
}

/* Small draws and one of everything, with other buffers between them. */
static void draw(struct suite *s, VkCommandBuffer cmd, const struct kind *kind, bool turns)
{
    push(s, cmd, 1);
    bind(s, cmd, turns, 0);
    vkCmdDraw(cmd, 6, 1, 9, 0);
    vkCmdDraw(cmd, 31, 2, 3, 1);
    push(s, cmd, 9);
    bind(s, cmd, turns, 1);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    if (kind->restarts)
        vkCmdDrawIndexed(cmd, VERTICES, 3, 0, 0, 1);
    else
        vkCmdDrawIndexed(cmd, 6, 3, 0, 20, 0);
    vkCmdDrawIndirect(cmd, s->args.buffer, 0, 1, 0);
    push(s, cmd, 20);
    vkCmdDraw(cmd, 12, 0, 0, 0);
    vkCmdDraw(cmd, 12, 1, 30, 0);
    if (s->is_dynamic)
        draw_dynamically(s, cmd, kind, turns);
}

static void run(struct suite *s, const struct kind *kind, bool turns)
{
    char name[64];
    VkCommandBuffer cmd = vkt_commands(&s->t);
    const VkPipeline pipeline = make_pipeline(s, kind, turns);
    vkt_begin(cmd, 0);
    layers_begin(cmd, &s->target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    if (s->is_dynamic)
        begin_dynamic(s, cmd, kind, turns);
    draw(s, cmd, kind, turns);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    snprintf(name, sizeof(name), "%s%s", kind->name, turns ? "/turns" : "");
    layers_dump(&s->t, &s->target, name);
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-instanced", argc, argv);
    static struct suite s;
    options.dynamic_input = s.sets_input = vkt_flag(&options, "--vertex-input");
    s.has_ranges = vkt_flag(&options, "--ranges");
    s.is_dynamic = s.sets_input || vkt_flag(&options, "--dynamic");
    vkt_init(&s.t, &options);
    make_buffers(&s);
    make_set(&s);
    s.target = layers_target(&s.t, LAYERS_CUBE);
    const struct vkt_code triangles = VKT_CODE(instanced_triangles);
    const struct kind kinds[] = {
        {"points", VKT_CODE(instanced_points), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0, 0, 0},
        {"lines", VKT_CODE(instanced_lines), VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0, 0, 0},
        {"line_strip", VKT_CODE(instanced_lines), VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true, 0, 0},
        {"triangles", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, 0},
        {"strip", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, 0, 0},
        {"fan", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, 0, 0},
        {"push", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, true},
        {"layers", VKT_CODE(instanced_layers_six), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, 0},
        {"layers/strip", VKT_CODE(instanced_layers_six), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true,
         0, 0},
        {"loop", VKT_CODE(instanced_layers_loop), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, 0},
        {"layers/push", VKT_CODE(instanced_layers_push), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0,
         0},
        {"both", VKT_CODE(instanced_layers_push), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, true},
        {"same", VKT_CODE(instanced_layers_same), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, 0},
        {"twice", VKT_CODE(instanced_twice), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 0, 0},
        {"last", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, true, 0},
        {"last/strip", triangles, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, true, 0},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        for (uint32_t turns = 0; turns < 2 && (s.t.features.provoking_last || !kinds[i].last);
             turns++)
            run(&s, &kinds[i], turns);
    return vkt_finish(&s.t);
}
