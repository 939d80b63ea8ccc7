/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that are no SPIR-V, or no valid one: pipeline creation returns an error, and the
 * device goes on. Only for runs through the layer; drivers may do with such modules what they like.
 */
#include "common/vkt.h"

#include "strips_frag.h"
#include "strips_triangles.h"
#include "strips_vert.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 256u

/* SPIR-V: the header and the few instructions that are spoilt here. */
enum {
    HEADER_W = 5,
    HEADER_BOUND = 3,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_FUNCTION = 33,
    MODE_INVOCATIONS = 0,
    MODE_OUTPUT_VERTICES = 26,
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    uint32_t *words; /* a copy to spoil */
    size_t size_B;
};

static uint32_t *fresh(struct suite *s)
{
    memcpy(s->words, strips_triangles, sizeof(strips_triangles));
    s->size_B = sizeof(strips_triangles);
    return s->words;
}

/* The first instruction with the opcode, or for execution modes with the mode. */
static uint32_t *find(struct suite *s, uint32_t opcode, uint32_t mode)
{
    const uint32_t *end = s->words + s->size_B / 4;
    for (uint32_t *at = s->words + HEADER_W; at < end; at += *at >> 16)
        if ((*at & 0xffff) == opcode && (opcode != OP_EXECUTION_MODE || at[2] == mode))
            return at;
    vkt_die("no instruction %u in the module", opcode);
}

static VkResult create(struct suite *s, struct vkt_code gs, VkPipeline *pipeline)
{
    const VkVertexInputBindingDescription binding = {0, 12, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(strips_vert),
        .gs = gs,
        .fs = VKT_CODE(strips_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline_try(&s->t, &info, pipeline);
}

static void expect_error(struct suite *s, const char *what)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = create(s, (struct vkt_code){s->words, s->size_B}, &pipeline);
    VKT_EXPECT(&s->t, result < 0, "%s: result %d", what, (int)result);
    VKT_EXPECT(&s->t, pipeline == VK_NULL_HANDLE, "%s: a pipeline with an error", what);
    if (result >= 0)
        vkDestroyPipeline(s->t.device, pipeline, NULL);
}

static void spoil_header(struct suite *s)
{
    fresh(s)[0] = 0x12345678;
    expect_error(s, "wrong magic number");
    fresh(s)[HEADER_BOUND] = 0;
    expect_error(s, "id bound of 0");
    fresh(s)[HEADER_BOUND] = UINT32_MAX;
    expect_error(s, "greatest id bound");
    fresh(s)[HEADER_BOUND] = 3;
    expect_error(s, "ids beyond the bound");
    fresh(s);
    s->size_B = 4;
    expect_error(s, "one word");
    s->size_B = HEADER_W * 4;
    expect_error(s, "only a header");
    for (uint32_t i = 0; i < s->size_B / 4; i++)
        s->words[i] = i * 2654435761u;
    expect_error(s, "noise");
}

static void spoil_instructions(struct suite *s)
{
    for (uint32_t eighth = 1; eighth < 8; eighth++) {
        fresh(s);
        s->size_B = sizeof(strips_triangles) * eighth / 8 & ~(size_t)3;
        char what[32];
        snprintf(what, sizeof(what), "cut at %u eighths", eighth);
        expect_error(s, what);
    }
    fresh(s);
    *find(s, OP_TYPE_FUNCTION, 0) &= 0xffff;
    expect_error(s, "an instruction of no words");
    fresh(s);
    *find(s, OP_TYPE_FUNCTION, 0) |= 0xffff0000;
    expect_error(s, "an instruction beyond the end");
    fresh(s);
    uint32_t *vector = find(s, OP_TYPE_VECTOR, 0);
    vector[2] = vector[1];
    expect_error(s, "a type that contains itself");
    fresh(s);
    find(s, OP_ENTRY_POINT, 0)[3] = 0x21212121;
    expect_error(s, "no entry point of that name");
    fresh(s);
    find(s, OP_ENTRY_POINT, 0)[1] = 0;
    expect_error(s, "an entry point of another stage");
}

static void spoil_limits(struct suite *s)
{
    const VkPhysicalDeviceLimits *limits = &s->t.properties.limits;
    fresh(s);
    find(s, OP_EXECUTION_MODE, MODE_OUTPUT_VERTICES)[3] = limits->maxGeometryOutputVertices + 1;
    expect_error(s, "one output vertex too many");
    fresh(s);
    find(s, OP_EXECUTION_MODE, MODE_OUTPUT_VERTICES)[3] = UINT32_MAX;
    expect_error(s, "2^32 - 1 output vertices");
    fresh(s);
    find(s, OP_EXECUTION_MODE, MODE_OUTPUT_VERTICES)[3] = 0;
    expect_error(s, "no output vertices");
    fresh(s);
    find(s, OP_EXECUTION_MODE, MODE_INVOCATIONS)[3] = limits->maxGeometryShaderInvocations + 1;
    expect_error(s, "one invocation too many");
}

/* Indices far outside of everything: what is drawn is undefined, but nothing may be touched that is
 * not ours. */
static void draw_hostile(struct suite *s)
{
    const uint32_t cells[2][3] = {{4, 0, 0}, {7, 8, 1}};
    const uint32_t indices[8] = {0x7fffffff, 0xfffffffe, 1000000, 0, 0x80000000, 2, 0xfffffff0, 1};
    const struct vkt_buffer vertices =
        vkt_buffer_from(&s->t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const struct vkt_buffer index_buffer =
        vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    VkPipeline pipeline;
    VKT_CALL(create(s, VKT_CODE(strips_triangles), &pipeline));
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdBindIndexBuffer(cmd, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 8, 1, 0, 0, 0);
    vkCmdDrawIndexed(cmd, 8, 1, 0, INT32_MIN, 0);
    vkCmdDrawIndexed(cmd, 100, 1, 5, 0, 0);
    vkCmdDrawIndexed(cmd, 8, 1, 0x40000000, 0, 0);
    vkCmdDraw(cmd, 50, 1, 0xffffff00, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    vkDestroyPipeline(s->t.device, pipeline, NULL);
}

/* After all that the good module still draws. */
static void draw_good(struct suite *s)
{
    const uint32_t cells[2][3] = {{4, 0, 0}, {7, 8, 1}};
    const struct vkt_buffer vertices =
        vkt_buffer_from(&s->t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VkPipeline pipeline;
    VKT_CALL(create(s, VKT_CODE(strips_triangles), &pipeline));
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdDraw(cmd, 2, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > 100, "only %u pixels", drawn);
    vkDestroyPipeline(s->t.device, pipeline, NULL);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-bad", argc, argv);
    if (!vkt_has_layer(&options, "poly_gs"))
        vkt_skip("only for runs through the layer");
    static struct suite s;
    vkt_init(&s.t, &options);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.words = malloc(sizeof(strips_triangles));
    if (!s.words)
        vkt_die("out of memory");
    spoil_header(&s);
    spoil_instructions(&s);
    spoil_limits(&s);
    draw_hostile(&s);
    draw_good(&s);
    free(s.words);
    return vkt_finish(&s.t);
}
