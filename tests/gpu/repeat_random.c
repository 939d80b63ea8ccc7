/* SPDX-License-Identifier: MIT
 *
 * Draws with a random change of state between them, or none: pipelines, vertex and index buffers,
 * strides, push constants, descriptor sets and dynamic offsets, dynamic state, queries, conditional
 * and indirect draws, passes, secondaries. A draw that the layer takes for a repetition of an
 * earlier one where it is none shows. Most pictures are recorded into the same command buffer, and
 * between some a pipeline is destroyed and another one made, which may get its handle and memory.
 * Arguments: the first picture, and how many.
 */
#include "common/vkt.h"
#include "common/vkt_undo.h"

#include "repeat_frag.h"
#include "repeat_native_frag.h"
#include "repeat_random_geom.h"
#include "repeat_random_more.h"
#include "repeat_random_triangles.h"
#include "repeat_vert.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u
#define PLACES 256u
#define ARGS 16u
#define PICTURES 20u
#define STEPS 120u
#define RENEW 5u /* pictures with the same pipelines */
#define QUERIES 64u
#define LOOKS 8u
#define LOOK_B 256u /* a multiple of any minUniformBufferOffsetAlignment */
#define ALL_STAGES                                                                                 \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

enum { FIXED, STRIDED, DISCARDING, TOPOLOGICAL, NATIVE, PIPELINES };

struct program {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline pipelines[PIPELINES];
    VkDescriptorSet sets[2];
    struct vkt_buffer vertices, indices, args, conditions, results;
    VkQueryPool queries;
    uint64_t random;
    VkCommandBuffer again;       /* recorded for most pictures */
    struct vkt_cleanup *lasting; /* what was made before pipelines[FIXED] */

    /* of the picture */
    VkCommandBuffer cmd;
    int bound;
    bool indexed, in_query, in_condition;
    uint32_t query, count, instances, first, first_instance, index_offset_B;
    uint32_t pushed[3];
    /* Mesa 26 does not hand what is pushed while a pipeline without a geometry shader is bound to
     * the next geometry shader. */
    bool forgets;
};

static uint32_t below(struct program *p, uint32_t limit)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->random >> 33) % limit;
}

static VkPipeline make_pipeline(struct program *p, int kind, struct vkt_code gs)
{
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    const VkDynamicState others[PIPELINES] = {
        [STRIDED] = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
        [DISCARDING] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
        [TOPOLOGICAL] = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    };
    const VkDynamicState dynamic[2] = {VK_DYNAMIC_STATE_SCISSOR, others[kind]};
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(repeat_vert),
        .gs = gs,
        .fs = VKT_CODE(repeat_frag),
        .layout = p->layout,
        .pass = p->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = kind == TOPOLOGICAL ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                        : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .dynamic = dynamic,
        .dynamic_count = kind == FIXED || kind == NATIVE ? 1 : 2,
    };
    if (kind == NATIVE) {
        info.gs = (struct vkt_code){0};
        info.fs = VKT_CODE(repeat_native_frag);
    }
    return vkt_pipeline(&p->t, &info);
}

/* FIXED is the last one: see other_pipeline. */
static void make_pipelines(struct program *p)
{
    for (int kind = FIXED + 1; kind < PIPELINES; kind++)
        p->pipelines[kind] = make_pipeline(p, kind,
                                           kind == TOPOLOGICAL ? VKT_CODE(repeat_random_triangles)
                                                               : VKT_CODE(repeat_random_geom));
    p->lasting = p->t.cleanup;
    p->pipelines[FIXED] = make_pipeline(p, FIXED, VKT_CODE(repeat_random_geom));
}

/* With another geometry shader in place of pipelines[FIXED]. Nothing is being drawn. */
static void other_pipeline(struct program *p, bool more)
{
    vkt_undo(&p->t, p->lasting);
    p->pipelines[FIXED] =
        make_pipeline(p, FIXED, more ? VKT_CODE(repeat_random_more) : VKT_CODE(repeat_random_geom));
}

static void make_sets(struct program *p)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout layout = vkt_set_layout(&p->t, &binding, 1);
    const VkPushConstantRange range = {ALL_STAGES, 0, 12};
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t looks[LOOKS * LOOK_B / 4] = {0};
        for (uint32_t i = 0; i < LOOKS; i++) {
            looks[i * LOOK_B / 4] = 2 + i % 4;
            looks[i * LOOK_B / 4 + 1] = s * 0x1000 + i * 0x100;
        }
        const struct vkt_buffer buffer =
            vkt_buffer_from(&p->t, looks, sizeof(looks), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        p->sets[s] = vkt_set(&p->t, layout, &binding, 1);
        vkt_write_buffer(&p->t, p->sets[s], 0, 0, binding.descriptorType, buffer.buffer, 0, 8);
    }
    p->layout = vkt_layout(&p->t, &layout, 1, &range, 1);
}

static void init(struct program *p)
{
    struct {
        uint32_t x_px, y_px;
    } places[PLACES];
    uint16_t indices[PLACES];
    uint32_t args[ARGS][5] = {{0}};
    for (uint32_t i = 0; i < PLACES; i++) {
        places[i].x_px = i * 37 % 61;
        places[i].y_px = i * 23 % 59;
        indices[i] = (uint16_t)(i * 5 % 67);
    }
    for (uint32_t i = 0; i < ARGS; i++) {
        const uint32_t one[5] = {i, i % 3, i * 2, i % 5, i % 4};
        memcpy(args[i], one, sizeof(one));
    }
    p->target = vkt_target(&p->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    p->vertices = vkt_buffer_from(&p->t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    p->indices = vkt_buffer_from(&p->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    p->args = vkt_buffer_from(&p->t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const uint32_t conditions[2] = {0, 1};
    if (p->t.features.condition)
        p->conditions = vkt_buffer_from(&p->t, conditions, sizeof(conditions),
                                        VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_OCCLUSION,
                                        .queryCount = QUERIES};
    VKT_CALL(vkCreateQueryPool(p->t.device, &info, NULL, &p->queries));
    vkt_defer(&p->t, vkt_destroy_query_pool, (uint64_t)p->queries);
    make_sets(p);
    make_pipelines(p);
}

static void bind_vertices(struct program *p)
{
    const VkDeviceSize offset_B = below(p, 9) * 8;
    const VkDeviceSize stride_B = p->bound == STRIDED ? 8 + 4 * below(p, 3) : 8;
    const VkDeviceSize size_B = sizeof(uint32_t) * 2 * PLACES - offset_B;
    if (p->bound == STRIDED || below(p, 2))
        vkCmdBindVertexBuffers2(p->cmd, 0, 1, &p->vertices.buffer, &offset_B,
                                below(p, 2) ? &size_B : NULL,
                                p->bound == STRIDED ? &stride_B : NULL);
    else
        vkCmdBindVertexBuffers(p->cmd, 0, 1, &p->vertices.buffer, &offset_B);
}

/* Of the pipelines that have it dynamic. */
static void set_state(struct program *p)
{
    if (p->bound == DISCARDING)
        vkCmdSetRasterizerDiscardEnable(p->cmd, below(p, 4) == 0);
    if (p->bound == TOPOLOGICAL)
        vkCmdSetPrimitiveTopology(p->cmd, below(p, 2) ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                                      : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
}

static void bind_pipeline(struct program *p, int pipeline)
{
    const bool was_strided = p->bound == STRIDED;
    p->bound = pipeline;
    vkCmdBindPipeline(p->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipelines[pipeline]);
    if (p->forgets)
        vkCmdPushConstants(p->cmd, p->layout, ALL_STAGES, 0, sizeof(p->pushed), p->pushed);
    set_state(p);
    if (was_strided != (pipeline == STRIDED))
        bind_vertices(p);
}

static void push(struct program *p, uint32_t first_w, uint32_t count_w)
{
    const uint32_t words[3] = {below(p, 11), below(p, 4), below(p, 100)};
    vkCmdPushConstants(p->cmd, p->layout, ALL_STAGES, first_w * 4, count_w * 4, words + first_w);
    memcpy(p->pushed + first_w, words + first_w, count_w * 4);
}

static void bind_set(struct program *p)
{
    const uint32_t offset_B = below(p, LOOKS) * LOOK_B;
    vkCmdBindDescriptorSets(p->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->layout, 0, 1,
                            &p->sets[below(p, 2)], 1, &offset_B);
}

static void set_scissor(struct program *p)
{
    const VkRect2D scissor = {{(int32_t)below(p, 20), 0}, {20 + below(p, 24), SIDE_PX}};
    vkCmdSetScissor(p->cmd, 0, 1, &scissor);
}

static void bind_indices(struct program *p)
{
    p->index_offset_B = below(p, 7) * 2;
    vkCmdBindIndexBuffer(p->cmd, p->indices.buffer, p->index_offset_B, VK_INDEX_TYPE_UINT16);
}

static void bind_all(struct program *p)
{
    p->bound = FIXED;
    bind_pipeline(p, (int)below(p, PIPELINES));
    if (p->bound != STRIDED)
        bind_vertices(p);
    bind_indices(p);
    push(p, 0, 3);
    bind_set(p);
    set_scissor(p);
}

static void toggle_query(struct program *p)
{
    if (p->in_query)
        vkCmdEndQuery(p->cmd, p->queries, p->query++);
    else if (p->query < QUERIES)
        vkCmdBeginQuery(p->cmd, p->queries, p->query, VK_QUERY_CONTROL_PRECISE_BIT);
    else
        return;
    p->in_query = !p->in_query;
}

static void toggle_condition(struct program *p)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = p->conditions.buffer,
        .offset = below(p, 2) * 4,
        .flags = below(p, 2) ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    if (!p->conditions.buffer)
        return;
    if (p->in_condition)
        vkCmdEndConditionalRenderingEXT(p->cmd);
    else
        vkCmdBeginConditionalRenderingEXT(p->cmd, &info);
    p->in_condition = !p->in_condition;
}

static void change(struct program *p)
{
    switch (below(p, 22)) {
    case 0:
        push(p, 0, 3);
        break;
    case 1:
        push(p, 2, 1);
        break;
    case 2:
        bind_vertices(p);
        break;
    case 3:
        bind_indices(p);
        break;
    case 4:
        bind_set(p);
        break;
    case 5:
        set_state(p);
        break;
    case 6:
        set_scissor(p);
        break;
    case 7:
        bind_pipeline(p, (int)below(p, PIPELINES));
        break;
    case 8:
        bind_pipeline(p, p->bound);
        break;
    case 9:
        toggle_query(p);
        break;
    case 10:
        toggle_condition(p);
        break;
    case 11:
        p->count = below(p, 14);
        break;
    case 12:
        p->instances = below(p, 8) ? 1 + below(p, 2) : 300;
        break;
    case 13:
        p->first = below(p, 60);
        p->first_instance = below(p, 20);
        break;
    case 14:
        p->indexed = !p->indexed;
        break;
    default: /* the same again */
        break;
    }
}

/* A loop over arguments, mostly at equal distances. */
static void draw_indirect(struct program *p)
{
    const uint32_t draws = 1 + below(p, 10), step = below(p, 3);
    uint32_t args = below(p, ARGS);
    for (uint32_t i = 0; i < draws; i++) {
        if (p->indexed)
            vkCmdDrawIndexedIndirect(p->cmd, p->args.buffer, args * 20, 1, 20);
        else
            vkCmdDrawIndirect(p->cmd, p->args.buffer, args * 20, 1, 0);
        args = (args + (below(p, 12) ? step : below(p, ARGS))) % ARGS;
        if (below(p, 12) == 0)
            bind_vertices(p);
    }
}

static void draw(struct program *p)
{
    /* lavapipe forgets the offset of the index buffer in indirect draws. */
    const bool may = !p->indexed || !p->index_offset_B;
    const bool indirect = below(p, 20) == 0 && may;
    if (indirect)
        draw_indirect(p);
    else if (p->indexed)
        vkCmdDrawIndexed(p->cmd, p->count, p->instances, p->first, (int32_t)below(p, 5),
                         p->first_instance);
    else
        vkCmdDraw(p->cmd, p->count, p->instances, p->first, p->first_instance);
}

static void record_draws(struct program *p, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        change(p);
        draw(p);
    }
    if (p->in_query)
        toggle_query(p);
    if (p->in_condition)
        toggle_condition(p);
}

static VkCommandBuffer record_secondary(struct program *p, uint32_t steps)
{
    const VkCommandBuffer primary = p->cmd;
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = p->t.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = p->target.pass,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    VkCommandBuffer secondary;
    VKT_CALL(vkAllocateCommandBuffers(p->t.device, &allocate, &secondary));
    VKT_CALL(vkBeginCommandBuffer(secondary, &begin));
    p->cmd = secondary;
    bind_all(p);
    record_draws(p, steps);
    VKT_CALL(vkEndCommandBuffer(secondary));
    p->cmd = primary;
    return secondary;
}

/* What is bound before a pass is bound in it, too. */
static void record_pass(struct program *p, bool load)
{
    if (below(p, 3) == 0) {
        vkt_target_begin(p->cmd, &p->target, load, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        const VkCommandBuffer secondary = record_secondary(p, 20 + below(p, 30));
        vkCmdExecuteCommands(p->cmd, 1, &secondary);
        vkCmdEndRenderPass(p->cmd);
        bind_all(p);
        return;
    }
    vkt_target_begin(p->cmd, &p->target, load, VK_SUBPASS_CONTENTS_INLINE);
    record_draws(p, 10 + below(p, STEPS));
    vkCmdEndRenderPass(p->cmd);
    for (uint32_t i = below(p, 3); i > 0; i--) { /* between passes */
        change(p);
        if (p->in_query)
            toggle_query(p);
        if (p->in_condition)
            toggle_condition(p);
    }
}

static void make_picture(struct program *p, uint32_t number)
{
    char name[32];
    uint64_t counts[QUERIES] = {0};
    p->random = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    p->query = 0;
    p->count = 6;
    p->instances = 1;
    p->first = p->first_instance = 0;
    p->indexed = false;
    if (number % RENEW == RENEW - 1)
        other_pipeline(p, number / RENEW % 2 == 0);
    p->cmd = number % 3 == 2 ? vkt_commands(&p->t) : p->again;
    vkt_begin(p->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(p->cmd, p->queries, 0, QUERIES);
    bind_all(p);
    const uint32_t passes = 1 + below(p, 4);
    for (uint32_t pass = 0; pass < passes; pass++)
        record_pass(p, pass > 0);
    vkt_submit(&p->t, p->cmd);
    const struct vkt_buffer pixels = vkt_image_read(&p->t, &p->target.color, 4);
    snprintf(name, sizeof(name), "%u", number);
    vkt_dump_image(&p->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    if (p->query)
        VKT_CALL(vkGetQueryPoolResults(p->t.device, p->queries, 0, p->query, sizeof(counts), counts,
                                       8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    snprintf(name, sizeof(name), "%u/samples", number);
    vkt_dump_buffer(&p->t, name, counts, sizeof(counts));
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-repeat_random", argc, argv);
    static struct program p;
    vkt_init(&p.t, &options);
    init(&p);
    p.forgets = vkt_driver_is(&p.t, "Mesa 26.") && !vkt_has_layer(&options, "poly_gs");
    p.again = vkt_commands(&p.t);
    const uint32_t first = options.rest_count ? (uint32_t)atoi(options.rest[0]) : 0;
    const uint32_t count = options.rest_count > 1 ? (uint32_t)atoi(options.rest[1]) : PICTURES;
    for (uint32_t i = 0; i < count; i++)
        make_picture(&p, first + i);
    return vkt_finish(&p.t);
}
