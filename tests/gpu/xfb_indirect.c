/* SPDX-License-Identifier: MIT
 *
 * Indirect draws of one call and of many: strides, offsets, counts, empty draws between, what each
 * vertex shader knows of its draw; drawn by the driver and emulated, captured and counted or not,
 * in a secondary or not. Their arguments come from the host, anew for the same commands, from
 * transfers, and from a capture in the same subpass.
 */
#include "common/vkt_query.h"
#include "gpu/xfb_move.h"

#include "indirect_capture_geom.h"
#include "indirect_capture_vert.h"
#include "indirect_frag.h"
#include "indirect_geom.h"
#include "indirect_plain_capture_vert.h"
#include "indirect_plain_vert.h"
#include "indirect_vert.h"

#include <string.h>

#define SIDE_PX MOVE_SIDE_PX
#define CAPTURE_B (256u << 10)
#define ARGS_B 32768u
#define MAX_DRAWS 600u
#define TAGS 16u

struct rig {
    struct move m; /* its device, target and items */
    VkPipelineLayout layout;
    VkPipeline pipelines[MOVE_KINDS];
    struct vkt_buffer captured, counters, args, staging, indices, tags;
    VkQueryPool pool;
    bool parameters;
};

/* One indirect call. */
struct call {
    const char *name;
    bool indexed, has_count;
    uint32_t draws, stride_B, offset_B; /* draws: or maxDrawCount */
    uint32_t count;                     /* with has_count, in the last word of the buffer */
    uint32_t args[MAX_DRAWS][5];
};

/* What a pass should come to. */
struct model {
    struct move_item captured[CAPTURE_B / sizeof(struct move_item)];
    uint32_t count; /* of them */
    uint32_t pixels[SIDE_PX * SIDE_PX];
};

static struct move_item item_of(const struct rig *r, uint32_t number)
{
    struct move_item item;
    memcpy(&item, (const uint8_t *)r->m.items.map + number * sizeof(item), sizeof(item));
    return item;
}

static void model_point(struct model *model, struct move_item item)
{
    model->captured[model->count++] = item;
    model->pixels[item.y % SIDE_PX * SIDE_PX + item.x % SIDE_PX] = item.value;
}

static void model_draw(const struct rig *r, struct model *model, enum move_kind kind, bool indexed,
                       uint32_t number, const uint32_t args[5])
{
    const bool geometry = kind == MOVE_SHOW_GEOMETRY || kind == MOVE_CAPTURE_GEOMETRY;
    const uint32_t base = indexed ? args[3] : args[2], base_instance = args[indexed ? 4 : 3];
    const uint16_t *indices = r->indices.map;
    for (uint32_t i = 0; i < args[1]; i++) {
        for (uint32_t v = 0; v < args[0]; v++) {
            struct move_item item = item_of(r, indexed ? indices[args[2] + v] + base : args[2] + v);
            const uint32_t draw = r->parameters ? number : 0;
            item.value += 7 + 3 * (base_instance + i) + 10000 * draw;
            item.value += r->parameters ? 1000 * base_instance + 1000000 * base : 0;
            item.x += 5 * (base_instance + i) + 11 * draw;
            item.y += 3 * draw;
            const uint32_t copies = geometry ? (item.number + v) % 4 : 1;
            for (uint32_t k = 0; k < copies; k++)
                model_point(model, (struct move_item){item.number + k, item.value + 100 * k,
                                                      item.x + k, item.y});
        }
    }
}

static const uint32_t before[5] = {6, 1, 0, 2, 0}, after[5] = {5, 1, 30, 0, 0};

static void model_pass(const struct rig *r, struct model *model, enum move_kind kind,
                       const struct call *call)
{
    memset(model, 0, sizeof(*model));
    model_draw(r, model, kind, false, 0, before);
    const uint32_t draws = call->has_count && call->count < call->draws ? call->count : call->draws;
    for (uint32_t i = 0; i < draws; i++)
        model_draw(r, model, kind, call->indexed, i, call->args[i]);
    model_draw(r, model, kind, false, 0, after);
}

static void write_args(struct vkt_buffer *buffer, const struct call *call)
{
    const uint32_t size_B = call->indexed ? 20 : 16;
    memset(buffer->map, 0xcd, ARGS_B);
    for (uint32_t i = 0; i < call->draws; i++)
        memcpy((uint8_t *)buffer->map + call->offset_B + (size_t)i * call->stride_B, call->args[i],
               size_B);
    memcpy((uint8_t *)buffer->map + ARGS_B - 4, &call->count, 4);
}

static void record_call(const struct rig *r, VkCommandBuffer cmd, const struct call *call)
{
    const VkBuffer args = r->args.buffer;
    if (call->indexed && call->has_count)
        vkCmdDrawIndexedIndirectCount(cmd, args, call->offset_B, args, ARGS_B - 4, call->draws,
                                      call->stride_B);
    else if (call->indexed)
        vkCmdDrawIndexedIndirect(cmd, args, call->offset_B, call->draws, call->stride_B);
    else if (call->has_count)
        vkCmdDrawIndirectCount(cmd, args, call->offset_B, args, ARGS_B - 4, call->draws,
                               call->stride_B);
    else
        vkCmdDrawIndirect(cmd, args, call->offset_B, call->draws, call->stride_B);
}

static void bind(const struct rig *r, VkCommandBuffer cmd, enum move_kind kind)
{
    const VkBuffer buffers[2] = {r->m.items.buffer, r->tags.buffer};
    const VkDeviceSize offsets_B[2] = {0, 0};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipelines[kind]);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets_B);
    vkCmdBindIndexBuffer(cmd, r->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
}

/* All that is drawn, in an interval and a query where it is captured. */
static void record_draws(const struct rig *r, VkCommandBuffer cmd, enum move_kind kind,
                         const struct call *call)
{
    const struct xfb_range range = {r->captured.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, 0, 0};
    bind(r, cmd, kind);
    if (kind >= MOVE_CAPTURE) {
        vkCmdBeginQueryIndexedEXT(cmd, r->pool, 0, 0, 0);
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
    }
    vkCmdDraw(cmd, before[0], before[1], before[2], before[3]);
    record_call(r, cmd, call);
    vkCmdDraw(cmd, after[0], after[1], after[2], after[3]);
    if (kind >= MOVE_CAPTURE) {
        xfb_end(cmd, 0, 1, &counter);
        vkCmdEndQueryIndexedEXT(cmd, r->pool, 0, 0);
    }
}

static VkCommandBuffer make_secondary(struct rig *r, enum move_kind kind, const struct call *call)
{
    const VkCommandBuffer cmd = vkt_secondary_in(&r->m.t, r->m.target.pass, 0);
    record_draws(r, cmd, kind, call);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void expect(struct rig *r, const char *name, enum move_kind kind, const struct model *want)
{
    struct vkt *t = &r->m.t;
    const struct vkt_buffer pixels = vkt_image_read(t, &r->m.target.color, 4);
    VKT_EXPECT(t, memcmp(pixels.map, want->pixels, sizeof(want->pixels)) == 0,
               "%s: another picture", name);
    if (kind < MOVE_CAPTURE)
        return;
    const uint32_t size_B = want->count * MOVE_ITEM_B;
    VKT_EXPECT(t, xfb_word(&r->counters, 0) == size_B, "%s: counter %u, wanted %u", name,
               xfb_word(&r->counters, 0), size_B);
    VKT_EXPECT(t, memcmp(r->captured.map, want->captured, size_B) == 0, "%s: captured otherwise",
               name);
    xfb_expect_rest(t, name, &r->captured, size_B);
    uint64_t counted[2];
    VKT_CALL(vkGetQueryPoolResults(t->device, r->pool, 0, 1, sizeof(counted), counted,
                                   sizeof(counted), VK_QUERY_RESULT_64_BIT));
    VKT_EXPECT(t, counted[0] == want->count && counted[1] == want->count,
               "%s: %u primitives written, %u needed, wanted %u", name, (unsigned)counted[0],
               (unsigned)counted[1], want->count);
}

static void fresh(struct rig *r)
{
    memset(r->captured.map, XFB_FILL, CAPTURE_B);
    memset(r->counters.map, XFB_FILL, r->counters.size_B);
}

/* Where the arguments come from. */
enum source { SOURCE_HOST, SOURCE_TRANSFER, SOURCE_AGAIN, SOURCE_SECONDARY, SOURCES };
static const char *const source_names[SOURCES] = {"host", "transfer", "again", "secondary"};

static void copy_args(const struct rig *r, VkCommandBuffer cmd)
{
    const VkBufferCopy all = {.size = ARGS_B};
    vkCmdCopyBuffer(cmd, r->staging.buffer, r->args.buffer, 1, &all);
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

static void run(struct rig *r, enum move_kind kind, const struct call *call, enum source source)
{
    static struct model want;
    struct vkt *t = &r->m.t;
    char name[64];
    snprintf(name, sizeof(name), "%s/%s/%s", call->name, move_names[kind], source_names[source]);
    fresh(r);
    struct call other = *call; /* what is there when the commands are recorded */
    for (uint32_t i = 0; i < other.draws; i++)
        other.args[i][0] = i % 2 ? 3 : 1;
    other.count = other.count ? 0 : 2;
    write_args(&r->args, source == SOURCE_AGAIN || source == SOURCE_TRANSFER ? &other : call);
    write_args(&r->staging, call);
    VkCommandBuffer secondary = VK_NULL_HANDLE, cmd = vkt_commands(t);
    if (source == SOURCE_SECONDARY)
        secondary = make_secondary(r, kind, call);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, r->pool, 0, 1);
    if (source == SOURCE_TRANSFER)
        copy_args(r, cmd);
    vkt_target_begin(cmd, &r->m.target, false,
                     secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                               : VK_SUBPASS_CONTENTS_INLINE);
    if (secondary)
        vkCmdExecuteCommands(cmd, 1, &secondary);
    else
        record_draws(r, cmd, kind, call);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(t, cmd);
    if (source == SOURCE_AGAIN) {
        model_pass(r, &want, kind, &other);
        expect(r, name, kind, &want);
        fresh(r);
        write_args(&r->args, call);
        const VkSubmitInfo again = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                    .commandBufferCount = 1,
                                    .pCommandBuffers = &cmd};
        VKT_CALL(vkQueueSubmit(t->queue, 1, &again, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(t->queue));
    }
    model_pass(r, &want, kind, call);
    expect(r, name, kind, &want);
    const char *prefix = r->parameters ? "opt/parameters" : "opt/plain";
    xfb_dump_target(t, &r->m.target, "%s/%s/image", prefix, name);
    if (kind >= MOVE_CAPTURE)
        xfb_dump(t, r->captured.map, CAPTURE_B, "%s/%s/captured", prefix, name);
}

/* An item is as large as VkDrawIndirectCommand. The first capture makes arguments of some, with
 * which the same subpass goes on. */
static void run_captured(struct rig *r, enum move_kind kind)
{
    static struct model want;
    static struct call call = {.name = "captured", .draws = 2, .stride_B = 16};
    struct vkt *t = &r->m.t;
    char name[64];
    snprintf(name, sizeof(name), "captured/%s", move_names[kind]);
    fresh(r);
    memset(r->args.map, 0, ARGS_B);
    /* Items 0 and 1 become {4, 1, 0, 1} and {5, 2, 7, 2}. */
    const struct move_item change = {4, UINT32_MAX - 999 + 1, 0, 1};
    const struct xfb_range range = {r->args.buffer, 0, 32};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, r->pool, 0, 1);
    move_begin_pass(&r->m, cmd, false);
    move_bind(&r->m, cmd, MOVE_CAPTURE, r->m.items.buffer, 0, change);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 2, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    xfb_subpass_barrier(cmd);
    record_draws(r, cmd, kind, &call);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(t, cmd);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 4; k++)
            call.args[i][k] = xfb_word(&r->args, i * 16 + k * 4);
    VKT_EXPECT(t, call.args[1][0] == 5 && call.args[1][1] == 2, "%s: captured %u and %u", name,
               call.args[1][0], call.args[1][1]);
    model_pass(r, &want, kind, &call);
    /* The points of the first draw are in the picture, too. */
    for (uint32_t i = 0; i < 2; i++) {
        struct move_item item = item_of(r, i);
        uint32_t *pixel =
            &want.pixels[(item.y + change.y) % SIDE_PX * SIDE_PX + (item.x + change.x) % SIDE_PX];
        *pixel = *pixel ? *pixel : item.value + change.value;
    }
    expect(r, name, kind, &want);
    xfb_dump(t, r->args.map, ARGS_B, "%s", name);
}

/* An interval that ends behind a barrier, after a draw whose size only the GPU knows and another
 * one. */
static void run_ended_later(struct rig *r, enum move_kind kind)
{
    struct vkt *t = &r->m.t;
    const uint32_t args[4] = {5, 1, 0, 0};
    const struct xfb_range range = {r->captured.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, 0, 0};
    fresh(r);
    memcpy(r->args.map, args, sizeof(args));
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    move_begin_pass(&r->m, cmd, false);
    bind(r, cmd, kind);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDrawIndirect(cmd, r->args.buffer, 0, 1, 0);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    xfb_subpass_barrier(cmd);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(t, cmd);
    const uint32_t end_B = xfb_word(&r->counters, 0);
    VKT_EXPECT(t, kind != MOVE_CAPTURE || end_B == 8 * MOVE_ITEM_B, "ended later: %u bytes", end_B);
    xfb_expect_rest(t, "ended later", &r->captured, end_B);
    xfb_dump(t, r->counters.map, 4, "later/%s", move_names[kind]);
}

static void make_pipelines(struct rig *r)
{
    const VkVertexInputBindingDescription bindings[2] = {
        {0, MOVE_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
    const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32G32B32A32_UINT, 0},
                                                             {1, 1, VK_FORMAT_R32_UINT, 0}};
    const struct vkt_code vs =
        r->parameters ? VKT_CODE(indirect_vert) : VKT_CODE(indirect_plain_vert);
    const struct vkt_code capture_vs =
        r->parameters ? VKT_CODE(indirect_capture_vert) : VKT_CODE(indirect_plain_capture_vert);
    r->layout = vkt_layout(&r->m.t, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < MOVE_KINDS; i++) {
        const struct vkt_pipeline_info info = {
            .vs = i == MOVE_CAPTURE ? capture_vs : vs,
            .gs = i == MOVE_SHOW_GEOMETRY      ? VKT_CODE(indirect_geom)
                  : i == MOVE_CAPTURE_GEOMETRY ? VKT_CODE(indirect_capture_geom)
                                               : (struct vkt_code){0},
            .fs = VKT_CODE(indirect_frag),
            .layout = r->layout,
            .pass = r->m.target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
            .bindings = bindings,
            .binding_count = 2,
            .attributes = attributes,
            .attribute_count = 2,
        };
        r->pipelines[i] = vkt_pipeline(&r->m.t, &info);
    }
}

static void make_buffers(struct rig *r)
{
    struct vkt *t = &r->m.t;
    r->captured = xfb_buffer(t, CAPTURE_B);
    r->counters = xfb_buffer(t, 64);
    r->args = xfb_buffer(t, ARGS_B);
    r->staging = xfb_buffer(t, ARGS_B);
    uint16_t indices[64];
    uint32_t tags[TAGS];
    for (uint32_t i = 0; i < 64; i++)
        indices[i] = (uint16_t)(10 + (i * 5 + 3) % 16);
    for (uint32_t i = 0; i < TAGS; i++)
        tags[i] = 7 + 3 * i;
    r->indices = vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    r->tags = vkt_buffer_from(t, tags, sizeof(tags), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

/* Vertices 0 to 9 of some instances, with empty draws between. */
static void fill_args(struct call *call)
{
    for (uint32_t i = 0; i < call->draws; i++) {
        const uint32_t vertices = i % 5 == 3 ? 0 : call->draws > 50 ? 1 + i % 2 : 2 + i * 3 % 8;
        const uint32_t instances = i % 7 == 5 ? 0 : 1 + i % 3;
        const uint32_t plain[5] = {vertices, instances, i * 7 % 30, i % 9, 0};
        const uint32_t indexed[5] = {vertices, instances, i * 7 % 50, (i * 11 % 20) - 10, i % 9};
        memcpy(call->args[i], call->indexed ? indexed : plain, sizeof(plain));
    }
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-xfb_indirect", argc, argv);
    const struct vkt_features *has = &r.m.t.features;
    if (!has->core.drawIndirectFirstInstance || !has->core.multiDrawIndirect)
        vkt_skip("no multiDrawIndirect");
    r.parameters = has->draw_parameters;
    make_buffers(&r);
    make_pipelines(&r);
    r.pool = vkt_query_pool(&r.m.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    static struct call calls[] = {
        {.name = "none", .draws = 0, .stride_B = 16},
        {.name = "one", .draws = 1},
        {.name = "stride", .draws = 9, .stride_B = 28, .offset_B = 12},
        {.name = "indexed", .indexed = true, .draws = 9, .stride_B = 20},
        {.name = "many", .draws = MAX_DRAWS, .stride_B = 20, .offset_B = 4},
        {.name = "indexed-one", .indexed = true, .draws = 1, .stride_B = 4, .offset_B = 100},
        {.name = "fewer", .has_count = true, .draws = 8, .stride_B = 16, .count = 3},
        {.name = "more", .has_count = true, .draws = 4, .stride_B = 24, .count = 1000},
        {.name = "zero", .has_count = true, .draws = 4, .stride_B = 16},
        {.name = "indexed-fewer",
         .indexed = true,
         .has_count = true,
         .draws = 9,
         .stride_B = 32,
         .offset_B = 8,
         .count = 7},
    };
    for (uint32_t i = 0; i < VKT_COUNT(calls); i++) {
        fill_args(&calls[i]);
        for (uint32_t kind = 0; kind < MOVE_KINDS && (!calls[i].has_count || has->indirect_count);
             kind++)
            for (uint32_t source = 0; source < SOURCES; source++)
                run(&r, (enum move_kind)kind, &calls[i], (enum source)source);
    }
    for (uint32_t kind = 0; kind < MOVE_KINDS; kind++)
        run_captured(&r, (enum move_kind)kind);
    run_ended_later(&r, MOVE_CAPTURE);
    run_ended_later(&r, MOVE_CAPTURE_GEOMETRY);
    return vkt_finish(&r.m.t);
}
