/* SPDX-License-Identifier: MIT
 *
 * What drivers of phones lack of draws: several draws in an indirect call, a count in a buffer, a
 * first instance, the number of a draw in its call, and attributes by divisors; of pipelines that
 * the driver draws and of emulated ones, in turns, in secondaries, with arguments written just
 * before, executed again with another count.
 */
#include "common/vkt.h"

#include <string.h>

#include "draws_fetched_vert.h"
#include "draws_geom.h"
#include "draws_numbered_vert.h"
#include "draws_vert.h"
#include "value_frag.h"

#define SIDE_PX 256u
#define CALL_DRAWS 9u
#define MANY_DRAWS 3000u
#define ARGS_AT_B 8u
#define ARGS_STRIDE_B 24u
#define INDICES 64u

enum kind { PLAIN, NUMBERED, EMULATED, KINDS };
static const char *const kind_names[KINDS] = {"plain", "numbered", "emulated"};

struct test {
    struct vkt *t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline pipelines[KINDS];
    struct vkt_buffer indices, args, indexed_args, written, counts, many;
};

static VkPipeline make_pipeline(struct test *s, enum kind kind)
{
    struct vkt_pipeline_info info = {
        .vs = kind == NUMBERED ? VKT_CODE(draws_numbered_vert) : VKT_CODE(draws_vert),
        .fs = VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    if (kind == EMULATED)
        info.gs = VKT_CODE(draws_geom);
    return vkt_pipeline(s->t, &info);
}

/* Draw i of a call. */
static VkDrawIndirectCommand draw_of(const struct test *s, uint32_t i)
{
    return (VkDrawIndirectCommand){
        .vertexCount = i % 4 ? 3 + i % 3 : 0,
        .instanceCount = 1 + i % 3,
        .firstVertex = i * 5 % 40,
        .firstInstance = s->t->features.core.drawIndirectFirstInstance ? i * 3 % 24 : 0,
    };
}

static struct vkt_buffer make_args(struct test *s, uint32_t count, bool indexed)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const struct vkt_buffer made =
        vkt_buffer(s->t, ARGS_AT_B + (VkDeviceSize)count * ARGS_STRIDE_B, usage, 0xff);
    for (uint32_t i = 0; i < count; i++) {
        const VkDrawIndirectCommand draw = draw_of(s, i);
        const VkDrawIndexedIndirectCommand with_indices = {
            .indexCount = draw.vertexCount,
            .instanceCount = draw.instanceCount,
            .firstIndex = draw.firstVertex / 2,
            .vertexOffset = (int32_t)i - 2,
            .firstInstance =
                draw.firstInstance + 24 * s->t->features.core.drawIndirectFirstInstance,
        };
        memcpy((char *)made.map + ARGS_AT_B + i * ARGS_STRIDE_B,
               indexed ? (const void *)&with_indices : &draw,
               indexed ? sizeof(with_indices) : sizeof(draw));
    }
    return made;
}

static void make_buffers(struct test *s)
{
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = (uint16_t)(2 + i * 7 % 59);
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->args = make_args(s, CALL_DRAWS, false);
    s->indexed_args = make_args(s, CALL_DRAWS, true);
    s->many = make_args(s, MANY_DRAWS, false);
    s->written =
        vkt_buffer(s->t, s->args.size_B,
                   VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    static const uint32_t counts[] = {4, 0, CALL_DRAWS + 5, 2, 17};
    s->counts = vkt_buffer_from(s->t, counts, sizeof(counts), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void draw_calls(const struct test *s, VkCommandBuffer cmd)
{
    vkCmdDraw(cmd, 64, 1, 0, 50);
    vkCmdDrawIndirect(cmd, s->written.buffer, ARGS_AT_B, CALL_DRAWS, ARGS_STRIDE_B);
    vkCmdDrawIndexedIndirect(cmd, s->indexed_args.buffer, ARGS_AT_B, CALL_DRAWS, ARGS_STRIDE_B);
    vkCmdDrawIndirect(cmd, s->args.buffer, ARGS_AT_B + 3 * ARGS_STRIDE_B, 1, 0);
    vkCmdDrawIndirect(cmd, s->args.buffer, ARGS_AT_B, 0, ARGS_STRIDE_B);
    vkCmdDraw(cmd, 5, 2, 3, 2);
}

static void draw_counted(const struct test *s, VkCommandBuffer cmd)
{
    vkCmdDraw(cmd, 64, 1, 0, 50);
    vkCmdDrawIndirectCount(cmd, s->written.buffer, ARGS_AT_B, s->counts.buffer, 0, CALL_DRAWS,
                           ARGS_STRIDE_B);
    vkCmdDrawIndirectCount(cmd, s->args.buffer, ARGS_AT_B + ARGS_STRIDE_B, s->counts.buffer, 4,
                           CALL_DRAWS - 1, ARGS_STRIDE_B); /* none */
    vkCmdDrawIndexedIndirectCount(cmd, s->indexed_args.buffer, ARGS_AT_B, s->counts.buffer, 8,
                                  CALL_DRAWS - 1, ARGS_STRIDE_B); /* more than there are */
    vkCmdDraw(cmd, 5, 2, 3, 2);
    vkCmdDrawIndexedIndirectCount(cmd, s->indexed_args.buffer, ARGS_AT_B + 5 * ARGS_STRIDE_B,
                                  s->counts.buffer, 12, 3, ARGS_STRIDE_B);
    vkCmdDrawIndirectCount(cmd, s->many.buffer, ARGS_AT_B, s->counts.buffer, 16, MANY_DRAWS,
                           ARGS_STRIDE_B);
}

/* The pipelines that there are, one after the other or one alone. */
struct scene {
    const char *name;
    uint32_t kinds; /* a bit for each */
    bool counted, secondary, again;
};

static void draw_scene(const struct test *s, VkCommandBuffer cmd, const struct scene *scene)
{
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        if (!(scene->kinds >> kind & 1))
            continue;
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[kind]);
        if (scene->counted)
            draw_counted(s, cmd);
        else
            draw_calls(s, cmd);
    }
}

static void read_picture(struct test *s, const struct scene *scene, const char *suffix)
{
    char name[96];
    const struct vkt_buffer pixels = vkt_image_read(s->t, &s->target.color, 4);
    snprintf(name, sizeof(name), "opt/%s%s", scene->name, suffix);
    vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, drawn > 600, "%s: only %u pixels", name, drawn);
}

/* Arguments are copied to where they are read. */
static void write_args(const struct test *s, VkCommandBuffer cmd)
{
    const VkBufferCopy all = {.size = s->args.size_B};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
    vkCmdCopyBuffer(cmd, s->args.buffer, s->written.buffer, 1, &all);
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

static void submit_again(struct test *s, VkCommandBuffer cmd)
{
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    VKT_CALL(vkQueueSubmit(s->t->queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t->queue));
}

static void run(struct test *s, const struct scene *scene)
{
    VkCommandBuffer second = VK_NULL_HANDLE;
    if (scene->secondary) {
        second = vkt_secondary_in(s->t, s->target.pass, 0);
        draw_scene(s, second, scene);
        VKT_CALL(vkEndCommandBuffer(second));
    }
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    write_args(s, cmd);
    vkt_target_begin(cmd, &s->target, false,
                     second ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                            : VK_SUBPASS_CONTENTS_INLINE);
    if (second)
        vkCmdExecuteCommands(cmd, 1, &second);
    else
        draw_scene(s, cmd, scene);
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
    read_picture(s, scene, "");
    if (!scene->again)
        return;
    uint32_t *counts = s->counts.map, before = counts[0];
    counts[0] = 7;
    submit_again(s, cmd);
    read_picture(s, scene, "/again");
    counts[0] = before;
}

static void run_all(struct test *s, bool counted)
{
    const uint32_t two = 1u << PLAIN | 1u << EMULATED;
    const uint32_t all = two | (s->t->features.draw_parameters ? 1u << NUMBERED : 0);
    char name[64];
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        snprintf(name, sizeof(name), "%s/%s", counted ? "counted" : "calls", kind_names[kind]);
        if (all >> kind & 1)
            run(s, &(struct scene){.name = name, .kinds = 1u << kind, .counted = counted});
    }
    snprintf(name, sizeof(name), "%s/two", counted ? "counted" : "calls");
    run(s, &(struct scene){.name = name, .kinds = two, .counted = counted, .again = true});
    snprintf(name, sizeof(name), "%s/secondary", counted ? "counted" : "calls");
    run(s, &(struct scene){.name = name, .kinds = two, .counted = counted, .secondary = true});
    snprintf(name, sizeof(name), "%s/all", counted ? "counted" : "calls");
    if (all != two)
        run(s, &(struct scene){.name = name, .kinds = all, .counted = counted});
}

/* -- divisors -- */

#define FETCHED 128u

static void run_divisors(struct test *s, const char *name, uint32_t zero, uint32_t third)
{
    uint8_t numbers[FETCHED * 4];
    VkVertexInputBindingDescription bindings[4];
    VkVertexInputAttributeDescription attributes[4];
    const VkVertexInputBindingDivisorDescriptionEXT divisors[] = {{0, zero}, {1, 1}, {2, third}};
    const VkPipelineVertexInputDivisorStateCreateInfoEXT state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = VKT_COUNT(divisors),
        .pVertexBindingDivisors = divisors,
    };
    for (uint32_t i = 0; i < VKT_COUNT(numbers); i++)
        numbers[i] = (uint8_t)(i / 4 * 3 + 1);
    for (uint32_t i = 0; i < 4; i++) {
        bindings[i] = (VkVertexInputBindingDescription){
            i, 4, i < 3 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
        attributes[i] = (VkVertexInputAttributeDescription){i, i, VK_FORMAT_R8_UINT, i % 2};
    }
    const struct vkt_buffer vertices =
        vkt_buffer_from(s->t, numbers, sizeof(numbers), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkPipeline pipeline = vkt_pipeline(s->t, &(struct vkt_pipeline_info){
                                                       .vs = VKT_CODE(draws_fetched_vert),
                                                       .fs = VKT_CODE(value_frag),
                                                       .layout = s->layout,
                                                       .pass = s->target.pass,
                                                       .width_px = SIDE_PX,
                                                       .height_px = SIDE_PX,
                                                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                       .bindings = bindings,
                                                       .binding_count = VKT_COUNT(bindings),
                                                       .attributes = attributes,
                                                       .attribute_count = VKT_COUNT(attributes),
                                                       .vertex_input_next = &state,
                                                   });
    const VkBuffer buffers[] = {vertices.buffer, vertices.buffer, vertices.buffer, vertices.buffer};
    const VkDeviceSize offsets[] = {4, 0, 8, 12};
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[PLAIN]);
    vkCmdDraw(cmd, 64, 1, 0, 40); /* of the driver */
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, VKT_COUNT(buffers), buffers, offsets);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDraw(cmd, 24, 12, 2, 0);
    vkCmdDrawIndexed(cmd, 20, 8, 2, 2, 14);
    vkCmdDraw(cmd, 7, 5, 28, 3);
    if (zero == 1 && third == 1 && s->t->features.core.multiDrawIndirect) {
        vkCmdDrawIndirect(cmd, s->args.buffer, ARGS_AT_B, CALL_DRAWS, ARGS_STRIDE_B);
        vkCmdDrawIndexedIndirect(cmd, s->indexed_args.buffer, ARGS_AT_B, CALL_DRAWS, ARGS_STRIDE_B);
        vkCmdDraw(cmd, 3, 2, 40, 9);
    }
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[PLAIN]);
    vkCmdDraw(cmd, 64, 1, 0, 44);
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
    read_picture(s, &(struct scene){.name = name}, "");
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-draws", argc, argv);
    struct vkt t;
    vkt_init(&t, &options);
    struct test s = {.t = &t};
    make_buffers(&s);
    s.target = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, NULL, 0);
    for (int kind = 0; kind < KINDS; kind++)
        if (kind != NUMBERED || t.features.draw_parameters)
            s.pipelines[kind] = make_pipeline(&s, (enum kind)kind);
    if (t.features.core.multiDrawIndirect)
        run_all(&s, false);
    if (t.features.indirect_count)
        run_all(&s, true);
    if (t.features.divisor)
        run_divisors(&s, "divisors/ones", 1, 1);
    if (t.features.divisor)
        run_divisors(&s, "divisors/three", 1, 3);
    if (t.features.divisor_zero)
        run_divisors(&s, "divisors/zero", 0, 2);
    return vkt_finish(&t);
}
