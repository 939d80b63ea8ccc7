/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that write gl_Layer, next to draws that do not, in passes of several layers. All
 * is laid out on whole pixels, so that every rasterizer covers the same ones. --bounded: fragment
 * shaders show no layer beyond 15, as with VK_POLY_GS_GUARDS=layer they may see another one than
 * was written where the target does not have it.
 */
#include "gpu/layers.h"

#include "layers_bounded_frag.h"
#include "layers_numbers_frag.h"
#include "layers_plain_frag.h"
#include "layers_points_geom.h"
#include "layers_squares_geom.h"
#include "layers_vert.h"

#include <stdio.h>
#include <string.h>

#define COUNTERS 16u

struct push {
    float shift[2], depth;
    uint32_t first_layer, layer_count, tint;
};

struct pipelines {
    VkPipeline squares, points; /* by geometry shaders that write gl_Layer */
    VkPipeline numbered;        /* gl_PrimitiveID without a geometry shader */
    VkPipeline plain;
};

struct suite {
    struct vkt t;
    struct pipelines pipelines[2][2]; /* with depth, for dynamic rendering; made when needed */
    struct layers_target targets[LAYERS_KINDS];
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct vkt_buffer counters, positions, colors;
    VkQueryPool queries, part_queries;
};

static struct pipelines make_pipelines(struct suite *s, const struct layers_target *target,
                                       enum layers_way way)
{
    static const VkVertexInputBindingDescription bindings[2] = {
        {0, 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX},
        {1, sizeof(uint32_t), VK_VERTEX_INPUT_RATE_VERTEX},
    };
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
        {1, 1, VK_FORMAT_R32_UINT, 0},
    };
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                             VK_DYNAMIC_STATE_DEPTH_COMPARE_OP};
    const struct vkt_code numbers = VKT_CODE(layers_numbers_frag),
                          bounded = VKT_CODE(layers_bounded_frag);
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(layers_vert),
        .gs = VKT_CODE(layers_squares_geom),
        .fs = vkt_flag(&s->t.options, "--bounded") ? bounded : numbers,
        .layout = s->layout,
        .pass = way == LAYERS_RENDERING ? VK_NULL_HANDLE : target->pass,
        .dynamic_format = LAYERS_FORMAT,
        .dynamic_depth_format = target->has_depth ? LAYERS_DEPTH_FORMAT : VK_FORMAT_UNDEFINED,
        .width_px = LAYERS_SIDE_PX,
        .height_px = LAYERS_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = bindings,
        .binding_count = 2,
        .attributes = attributes,
        .attribute_count = 2,
        .depth_test = target->has_depth,
        .depth_write = target->has_depth,
        .dynamic = dynamic,
        .dynamic_count = VKT_COUNT(dynamic),
    };
    struct pipelines made = {.squares = vkt_pipeline(&s->t, &info)};
    info.gs = VKT_CODE(layers_points_geom);
    made.points = vkt_pipeline(&s->t, &info);
    info.gs = (struct vkt_code){0};
    info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    made.numbered = vkt_pipeline(&s->t, &info);
    info.fs = VKT_CODE(layers_plain_frag);
    made.plain = vkt_pipeline(&s->t, &info);
    return made;
}

static struct pipelines pipelines(struct suite *s, const struct layers_target *target,
                                  enum layers_way way)
{
    struct pipelines *made = &s->pipelines[target->has_depth][way == LAYERS_RENDERING];
    if (!made->plain)
        *made = make_pipelines(s, target, way);
    return *made;
}

static void push(const struct suite *s, VkCommandBuffer cmd, const struct push *values)
{
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(*values), values);
}

static void set_scissor(VkCommandBuffer cmd, int32_t x, uint32_t width)
{
    const VkRect2D scissor = {{x, 0}, {width, LAYERS_SIDE_PX}};
    vkCmdSetScissor(cmd, 0, 1, &scissor);
}

/* All state that the first draws need. */
static void set_state(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    const VkViewport viewport = {0, 0, LAYERS_SIDE_PX, LAYERS_SIDE_PX, 0, 1};
    const VkBuffer buffers[2] = {s->positions.buffer, s->colors.buffer};
    const VkDeviceSize offsets[2] = {0, 0};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetDepthCompareOp(cmd, VK_COMPARE_OP_LESS_OR_EQUAL);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
    set_scissor(cmd, 2, LAYERS_SIDE_PX - 4);
    push(s, cmd, &(struct push){{0, 0}, 0.5f, 0, 4, 0});
}

static void clear_layers(VkCommandBuffer cmd, uint32_t first, uint32_t count, bool depth)
{
    const VkClearAttachment attachments[2] = {
        {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {.uint32 = {0x7000 + first}}}},
        {VK_IMAGE_ASPECT_DEPTH_BIT, 0, {.depthStencil = {.depth = 0.375f}}},
    };
    const VkClearRect rectangles[2] = {{{{12, 3}, {9, 7}}, first, count},
                                       {{{25, 20}, {5, 11}}, 0, 2}};
    vkCmdClearAttachments(cmd, depth ? 2 : 1, attachments, 2, rectangles);
}

/* The first half needs the state of set_state and leaves another one behind, which the second half
 * begins with. */
static void first_half(const struct suite *s, VkCommandBuffer cmd, const struct pipelines *p)
{
    vkCmdDraw(cmd, 4, 1, 0, 0);
    set_scissor(cmd, 0, LAYERS_SIDE_PX - 7);
    push(s, cmd, &(struct push){{0.25f, -0.125f}, 0.25f, 1, 2, 0x30});
    vkCmdDraw(cmd, 3, 1, 1, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->plain);
    vkCmdDraw(cmd, 4, 1, 4, 0);
}

static void second_half(const struct suite *s, VkCommandBuffer cmd, const struct pipelines *p,
                        bool depth)
{
    clear_layers(cmd, 1, 2, depth);
    vkCmdSetDepthCompareOp(cmd, VK_COMPARE_OP_ALWAYS);
    push(s, cmd, &(struct push){{-0.5f, 0.5f}, 0.75f, 0, 0, 0x50});
    vkCmdDraw(cmd, 4, 1, 4, 0);
    push(s, cmd, &(struct push){{0.5f, 0.5f}, 0.625f, 0, 0, 0x60});
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->numbered);
    vkCmdDraw(cmd, 4, 1, 4, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->points);
    push(s, cmd, &(struct push){{0.0f, -0.5f}, 0.125f, 2, 2, 0x70});
    vkCmdDraw(cmd, 8, 1, 0, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->squares);
}

static void dump_counters(struct suite *s, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/counters", name);
    vkt_dump_buffer(&s->t, path, s->counters.map, COUNTERS * sizeof(uint32_t));
    memset(s->counters.map, 0, COUNTERS * sizeof(uint32_t));
}

/* The same command buffer runs twice. Its second pass begins with what the first one leaves of the
 * state. */
static void run_draws(struct suite *s, enum layers_kind kind, enum layers_way way)
{
    const struct layers_target *target = &s->targets[kind];
    const struct pipelines p = pipelines(s, target, way);
    char name[64];
    snprintf(name, sizeof(name), "draws/%s/%s", layers_kind_names[kind], layers_way_names[way]);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    set_state(s, cmd, p.squares);
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p.points);
        layers_begin(cmd, target, way, VK_SUBPASS_CONTENTS_INLINE, 0);
        first_half(s, cmd, &p);
        second_half(s, cmd, &p, target->has_depth);
        vkCmdDraw(cmd, 2, 1, 0, 0);
        layers_end(cmd, target, way, 0);
        vkt_barrier_all(cmd);
    }
    vkt_submit(&s->t, cmd);
    const VkSubmitInfo again = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &again, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
    layers_dump(&s->t, target, name);
    dump_counters(s, name);
}

/* Layers that the target does not have, each with a place and a tint of its own. The specification
 * leaves open what comes of them; drivers draw to the first layer where there is no other, and
 * lavapipe elsewhere to the last one. */
static void draw_beyond(const struct suite *s, VkCommandBuffer cmd, const struct pipelines *p)
{
    static const int32_t layers[] = {0, 1, 5, -1, 6, INT32_MIN, INT32_MAX, 4};
    set_state(s, cmd, p->squares);
    for (uint32_t i = 0; i < VKT_COUNT(layers); i++) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, i % 2 ? p->squares : p->points);
        push(s, cmd,
             &(struct push){{0.25f * (float)i, 0.1875f * (float)i},
                            0.5f - 0.0625f * (float)i,
                            (uint32_t)layers[i],
                            1,
                            0x10 * (i + 1)});
        vkCmdDraw(cmd, 2, 1, 0, 0);
    }
}

static void run_beyond(struct suite *s, enum layers_kind kind, enum layers_way way)
{
    const struct layers_target *target = &s->targets[kind];
    const struct pipelines p = pipelines(s, target, way);
    char name[64];
    snprintf(name, sizeof(name), "beyond/%s/%s", layers_kind_names[kind], layers_way_names[way]);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    layers_begin(cmd, target, way, VK_SUBPASS_CONTENTS_INLINE, 0);
    draw_beyond(s, cmd, &p);
    layers_end(cmd, target, way, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, target, name);
    dump_counters(s, name);
}

static VkCommandBuffer secondary(struct suite *s, const struct layers_target *target,
                                 enum layers_way way)
{
    const VkFormat format = LAYERS_FORMAT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .depthAttachmentFormat = LAYERS_DEPTH_FORMAT,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = way == LAYERS_RENDERING ? &rendering : NULL,
        .renderPass = way == LAYERS_RENDERING ? VK_NULL_HANDLE : target->pass,
        .framebuffer = way == LAYERS_RENDERING ? VK_NULL_HANDLE : target->framebuffer,
    };
    const VkCommandBuffer cmd =
        vkt_secondary(&s->t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
    return cmd;
}

/* Three secondaries, of which the second has native draws and clears alone. */
static void run_secondaries(struct suite *s, enum layers_way way)
{
    const struct layers_target *target = &s->targets[LAYERS_ARRAY];
    const struct pipelines p = pipelines(s, target, way);
    VkCommandBuffer parts[3];
    for (int i = 0; i < 3; i++) {
        parts[i] = secondary(s, target, way);
        set_state(s, parts[i], i == 1 ? p.plain : p.squares);
        if (i == 0)
            first_half(s, parts[i], &p);
        else if (i == 2)
            second_half(s, parts[i], &p, true);
        clear_layers(parts[i], 1 + (uint32_t)i, 2, true);
        vkCmdDraw(parts[i], 4, 1, 4, 0);
        VKT_CALL(vkEndCommandBuffer(parts[i]));
    }
    char name[64];
    snprintf(name, sizeof(name), "secondaries/%s", layers_way_names[way]);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    layers_begin(cmd, target, way, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS, 0);
    vkCmdExecuteCommands(cmd, 2, parts);
    vkCmdExecuteCommands(cmd, 1, &parts[2]);
    layers_end(cmd, target, way, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    layers_dump(&s->t, target, name);
    dump_counters(s, name);
}

/* A rendering that is suspended and resumed, in one command buffer or in two. */
static void run_chain(struct suite *s, bool one, const char *name)
{
    const struct layers_target *target = &s->targets[LAYERS_CUBE];
    const struct pipelines p = pipelines(s, target, LAYERS_RENDERING);
    const VkRenderingFlags suspend = VK_RENDERING_SUSPENDING_BIT,
                           resume = VK_RENDERING_RESUMING_BIT;
    VkCommandBuffer parts[2];
    parts[0] = vkt_commands(&s->t);
    vkt_begin(parts[0], 0);
    set_state(s, parts[0], p.squares);
    layers_begin(parts[0], target, LAYERS_RENDERING, VK_SUBPASS_CONTENTS_INLINE, suspend);
    first_half(s, parts[0], &p);
    layers_end(parts[0], target, LAYERS_RENDERING, suspend);
    parts[1] = one ? parts[0] : vkt_commands(&s->t);
    if (!one) {
        VKT_CALL(vkEndCommandBuffer(parts[0]));
        vkt_begin(parts[1], 0);
    }
    layers_begin(parts[1], target, LAYERS_RENDERING, VK_SUBPASS_CONTENTS_INLINE, resume);
    if (!one)
        set_state(s, parts[1], p.plain);
    second_half(s, parts[1], &p, true);
    layers_end(parts[1], target, LAYERS_RENDERING, 0);
    vkt_barrier_all(parts[1]);
    VKT_CALL(vkEndCommandBuffer(parts[1]));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = one ? 1 : 2,
        .pCommandBuffers = parts,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
    layers_dump(&s->t, target, name);
    dump_counters(s, name);
}

/* Samples of all layers, counted from before the pass, or within. */
static void run_query(struct suite *s, bool within, const char *name)
{
    const struct layers_target *target = &s->targets[LAYERS_ARRAY];
    const struct pipelines p = pipelines(s, target, LAYERS_PASS);
    uint64_t samples = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->queries, 0, 1);
    set_state(s, cmd, p.squares);
    if (!within)
        vkCmdBeginQuery(cmd, s->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    layers_begin(cmd, target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    if (within)
        vkCmdBeginQuery(cmd, s->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    first_half(s, cmd, &p);
    if (within)
        vkCmdEndQuery(cmd, s->queries, 0);
    layers_end(cmd, target, LAYERS_PASS, 0);
    if (!within)
        vkCmdEndQuery(cmd, s->queries, 0);
    vkt_submit(&s->t, cmd);
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->queries, 0, 1, sizeof(samples), &samples,
                                   sizeof(samples),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, samples > 0, "no samples");
    vkt_dump_buffer(&s->t, name, &samples, sizeof(samples));
    memset(s->counters.map, 0, COUNTERS * sizeof(uint32_t));
}

enum { PART_QUERIES = 5 };

static void begin_part(const struct suite *s, VkCommandBuffer cmd, uint32_t query)
{
    vkCmdBeginQuery(cmd, s->part_queries, query, VK_QUERY_CONTROL_PRECISE_BIT);
}

/* A draw that goes to `layer` and the next ones. */
static void draw_layers(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline,
                        uint32_t layer)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push(s, cmd, &(struct push){{0.125f, 0.25f}, 0.375f, layer, 2, 0x40});
    vkCmdDraw(cmd, 4, 1, 0, 0);
}

static void draw_first_layer(VkCommandBuffer cmd, const struct pipelines *p)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->plain);
    vkCmdDraw(cmd, 4, 1, 4, 0);
}

/* Queries of parts of a pass. */
static void draw_in_parts(const struct suite *s, VkCommandBuffer cmd, const struct pipelines *p)
{
    begin_part(s, cmd, 0); /* begins in front of all draws, but does not have all */
    draw_first_layer(cmd, p);
    vkCmdEndQuery(cmd, s->part_queries, 0);
    begin_part(s, cmd, 1); /* what chooses its layer comes behind what does not */
    draw_first_layer(cmd, p);
    draw_layers(s, cmd, p->squares, 1);
    vkCmdEndQuery(cmd, s->part_queries, 1);
    clear_layers(cmd, 1, 2, true);
    begin_part(s, cmd, 2);
    draw_layers(s, cmd, p->points, 0);
    draw_layers(s, cmd, p->squares, 2);
    vkCmdEndQuery(cmd, s->part_queries, 2);
    draw_layers(s, cmd, p->points, 1);
    begin_part(s, cmd, 3);
    draw_first_layer(cmd, p);
    vkCmdEndQuery(cmd, s->part_queries, 3);
    begin_part(s, cmd, 4);
    draw_layers(s, cmd, p->squares, 0);
    vkCmdEndQuery(cmd, s->part_queries, 4);
}

static void dump_parts(struct suite *s, const struct layers_target *target, const char *name)
{
    char path[128];
    uint64_t samples[PART_QUERIES];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->part_queries, 0, PART_QUERIES, sizeof(samples),
                                   samples, sizeof(samples[0]),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    for (int i = 0; i < PART_QUERIES; i++)
        VKT_EXPECT(&s->t, samples[i] > 0, "%s: no samples in query %d", name, i);
    snprintf(path, sizeof(path), "%s/samples", name);
    vkt_dump_buffer(&s->t, path, samples, sizeof(samples));
    layers_dump(&s->t, target, name);
    dump_counters(s, name);
}

static void run_parts(struct suite *s, enum layers_way way, bool secondaries)
{
    const struct layers_target *target = &s->targets[LAYERS_ARRAY];
    const struct pipelines p = pipelines(s, target, way);
    char name[64];
    snprintf(name, sizeof(name), "query-parts%s/%s", secondaries ? "-secondaries" : "",
             layers_way_names[way]);
    VkCommandBuffer parts[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    for (int i = 0; secondaries && i < 2; i++) {
        parts[i] = secondary(s, target, way);
        set_state(s, parts[i], p.plain);
        if (i)
            draw_in_parts(s, parts[i], &p);
        draw_layers(s, parts[i], p.squares, 1);
        VKT_CALL(vkEndCommandBuffer(parts[i]));
    }
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->part_queries, 0, PART_QUERIES);
    set_state(s, cmd, p.squares);
    layers_begin(cmd, target, way,
                 secondaries ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                             : VK_SUBPASS_CONTENTS_INLINE,
                 0);
    if (secondaries)
        vkCmdExecuteCommands(cmd, 2, parts);
    else
        draw_in_parts(s, cmd, &p);
    layers_end(cmd, target, way, 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    dump_parts(s, target, name);
}

static void set_up(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       sizeof(struct push)};
    static const float positions[8][2] = {{-1, -1},
                                          {-0.5f, -0.75f},
                                          {-0.25f, 0},
                                          {0.25f, 0.25f},
                                          /* a square for strips */
                                          {-0.5f, -0.5f},
                                          {0, -0.5f},
                                          {-0.5f, 0},
                                          {0, 0}};
    uint32_t colors[8];
    for (uint32_t i = 0; i < 8; i++)
        colors[i] = i < 4 ? i + 1 : 9; /* constant where it would depend on the provoking vertex */
    for (int kind = 0; kind < LAYERS_KINDS; kind++)
        s->targets[kind] = layers_target(t, kind);
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, &binding, 1);
    s->layout = vkt_layout(t, &set_layout, 1, &range, 1);
    s->set = vkt_set(t, set_layout, &binding, 1);
    s->counters = vkt_buffer(t, COUNTERS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    vkt_write_buffer(t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counters.buffer, 0,
                     VK_WHOLE_SIZE);
    s->positions =
        vkt_buffer_from(t, positions, sizeof(positions), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->colors = vkt_buffer_from(t, colors, sizeof(colors), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 1,
    };
    VKT_CALL(vkCreateQueryPool(t->device, &queries, NULL, &s->queries));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)s->queries);
    queries.queryCount = PART_QUERIES;
    VKT_CALL(vkCreateQueryPool(t->device, &queries, NULL, &s->part_queries));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)s->part_queries);
}

int main(int argc, char **argv)
{
    static struct suite s;
    const struct vkt_options options = vkt_parse("layers", argc, argv);
    vkt_init(&s.t, &options);
    set_up(&s);
    for (int kind = 0; kind < LAYERS_KINDS; kind++) {
        for (int way = 0; way < LAYERS_WAYS; way++) {
            if (!layers_way_possible(&s.t, way))
                continue;
            if (kind != LAYERS_ONE)
                run_draws(&s, kind, way);
            run_beyond(&s, kind, way);
        }
    }
    run_secondaries(&s, LAYERS_PASS);
    if (layers_way_possible(&s.t, LAYERS_RENDERING)) {
        run_secondaries(&s, LAYERS_RENDERING);
        run_chain(&s, true, "chain-in-one");
        run_chain(&s, false, "chain-in-two");
    }
    if (s.t.features.core.occlusionQueryPrecise) {
        run_query(&s, false, "query-around");
        run_query(&s, true, "query-within");
        for (int way = 0; way < LAYERS_WAYS; way++)
            if (layers_way_possible(&s.t, way))
                run_parts(&s, way, false);
        run_parts(&s, LAYERS_PASS, true);
        if (layers_way_possible(&s.t, LAYERS_RENDERING))
            run_parts(&s, LAYERS_RENDERING, true);
    }
    return vkt_finish(&s.t);
}
