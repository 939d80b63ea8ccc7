/* SPDX-License-Identifier: MIT
 *
 * Captures over what earlier draws of the same subpass have read: as vertices, with a geometry
 * shader too, through descriptors, through another buffer or an image on the same memory, as a
 * condition, where a counter is stored, in another secondary, and in the same one; and a secondary
 * that goes on from its own captures, executed twice. Draws show what was there before.
 */
#include "gpu/xfb_move.h"

#include "xfb_reads_frag.h"
#include "xfb_reads_vert.h"

#include <string.h>

#define ITEMS_B (MOVE_ITEMS * MOVE_ITEM_B)
#define SIDE_B 4096u
#define SHADOWED_B 65536u /* as much as a small image could need */

enum way {
    WAY_VERTICES,
    WAY_STORAGE,
    WAY_UNIFORM,
    WAY_TEXEL,
    WAY_IMAGE,
    WAY_GEOMETRY,
    WAY_CONDITION,
    WAY_COUNTER,
    WAY_ALIAS,
    WAY_DESCRIBED_ALIAS,
    WAY_SECONDARIES,
    WAY_SECONDARY,
    WAYS
};

static const char *const way_names[WAYS] = {
    "vertices",  "storage", "uniform", "texel",           "image",       "geometry",
    "condition", "counter", "alias",   "described_alias", "secondaries", "secondary"};

struct rig {
    struct move m;
    /* Read and then captured to; the alias is another buffer on the memory of `plain`. */
    struct vkt_buffer described, plain;
    VkBuffer alias, described_alias;
    struct vkt_buffer shadowed;           /* captured to; an image lies on its memory, too */
    VkDeviceSize texels_B;                /* where in it */
    VkImageView view;                     /* NULL: there is no image */
    struct vkt_buffer still;              /* nobody captures to */
    struct vkt_buffer aside;              /* nobody reads */
    struct vkt_buffer sides[2], counters; /* of the secondary that is executed twice */
    VkDescriptorSet set, alias_set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkQueryPool queries;
};

struct push {
    struct move_item change;
    uint32_t binding;
};

/* Another buffer on the memory of `plain`. */
static VkBuffer make_alias(struct rig *r, VkBufferUsageFlags usage)
{
    struct vkt *t = &r->m.t;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = ITEMS_B,
        .usage = usage,
    };
    VkBuffer alias;
    VKT_CALL(vkCreateBuffer(t->device, &info, NULL, &alias));
    vkt_defer(t, vkt_destroy_buffer, (uint64_t)alias);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(t->device, alias, &needs);
    VKT_CALL(vkBindBufferMemory(t->device, alias, r->plain.memory, 0));
    return alias;
}

/* On the memory of `shadowed`. */
static VkImage make_image(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R32G32B32A32_UINT,
        .extent = {MOVE_ITEMS, 1, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_LINEAR,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
        .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED,
    };
    VkImage image;
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &image));
    vkt_defer(t, vkt_destroy_image, (uint64_t)image);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, image, &needs);
    if (!(needs.memoryTypeBits >> r->shadowed.memory_type & 1) || needs.size > SHADOWED_B)
        return VK_NULL_HANDLE;
    VKT_CALL(vkBindImageMemory(t->device, image, r->shadowed.memory, 0));
    return image;
}

static void make_shadow(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkImageSubresource level = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    r->shadowed = vkt_buffer(t, SHADOWED_B, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, 0);
    const VkImage image = make_image(r);
    if (!image)
        return;
    VkSubresourceLayout layout;
    vkGetImageSubresourceLayout(t->device, image, &level, &layout);
    r->texels_B = layout.offset;
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32G32B32A32_UINT,
        .subresourceRange = range,
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &r->view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)r->view);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_image_barrier(cmd, image, range, VK_IMAGE_LAYOUT_PREINITIALIZED, VK_IMAGE_LAYOUT_GENERAL);
    vkt_submit(t, cmd);
}

static void make_buffers(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkBufferUsageFlags captured = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
    const VkBufferUsageFlags vertices = captured | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    const VkBufferUsageFlags counter = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
    const VkBufferUsageFlags described = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                         VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    const VkBufferUsageFlags condition =
        t->features.condition ? VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT : 0;
    r->described = vkt_buffer(t, ITEMS_B, captured | counter | described, 0);
    r->aside = vkt_buffer(t, ITEMS_B, captured, 0);
    r->plain = vkt_buffer(t, ITEMS_B, vertices | condition, 0);
    r->still = vkt_buffer(t, ITEMS_B, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    r->alias = make_alias(r, vertices);
    r->described_alias = make_alias(r, described);
    for (int i = 0; i < 2; i++)
        r->sides[i] = xfb_buffer(t, SIDE_B);
    r->counters = xfb_buffer(t, 8);
}

/* Something to describe where no shader looks. */
static VkImageView make_other_view(struct vkt *t)
{
    const struct move_item item = {0};
    const struct vkt_image image =
        vkt_image(t, VK_FORMAT_R32G32B32A32_UINT, 1, 1,
                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    vkt_image_upload(t, &image, &item, sizeof(item), VK_IMAGE_LAYOUT_GENERAL);
    return image.view;
}

static void make_pipeline(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkSampler sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    const VkDescriptorSetLayoutBinding bindings[4] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
    };
    const VkImageView view = r->view ? r->view : make_other_view(t);
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, bindings, 4);
    VkDescriptorSet *const sets[2] = {&r->set, &r->alias_set};
    const VkBuffer buffers[2] = {r->described.buffer, r->described_alias};
    for (int s = 0; s < 2; s++) {
        *sets[s] = vkt_set(t, set_layout, bindings, 4);
        for (uint32_t i = 0; i < 2; i++)
            vkt_write_buffer(t, *sets[s], i, 0, bindings[i].descriptorType, buffers[s], 0,
                             VK_WHOLE_SIZE);
        vkt_write_texel(t, *sets[s], 2, bindings[2].descriptorType,
                        vkt_buffer_view(t, buffers[s], VK_FORMAT_R32G32B32A32_UINT));
        vkt_write_image(t, *sets[s], 3, 0, bindings[3].descriptorType, view,
                        VK_IMAGE_LAYOUT_GENERAL, sampler);
    }
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    r->layout = vkt_layout(t, &set_layout, 1, &range, 1);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_reads_vert),
        .fs = VKT_CODE(xfb_reads_frag),
        .layout = r->layout,
        .pass = r->m.target.pass,
        .width_px = MOVE_SIDE_PX,
        .height_px = MOVE_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    r->pipeline = vkt_pipeline(t, &info);
}

static void make_queries(struct rig *r)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 3,
    };
    if (r->m.t.features.core.occlusionQueryPrecise)
        VKT_CALL(vkCreateQueryPool(r->m.t.device, &info, NULL, &r->queries));
}

static const struct vkt_buffer *buffer_of(const struct rig *r, enum way way)
{
    if (way == WAY_IMAGE)
        return &r->shadowed;
    if (way == WAY_COUNTER)
        return &r->described;
    return way >= WAY_STORAGE && way <= WAY_TEXEL ? &r->described : &r->plain;
}

/* Of the buffer, where the items lie. */
static unsigned char *items_of(const struct rig *r, enum way way)
{
    return (unsigned char *)buffer_of(r, way)->map + (way == WAY_IMAGE ? r->texels_B : 0);
}

/* Vertices that are drawn as long as the first item says 0. */
static void read_condition(struct rig *r, VkCommandBuffer cmd, struct move_item change)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = r->plain.buffer,
        .flags = VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT,
    };
    vkCmdBeginConditionalRenderingEXT(cmd, &info);
    move_bind(&r->m, cmd, MOVE_SHOW, r->still.buffer, 0, change);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    vkCmdEndConditionalRenderingEXT(cmd);
}

/* A draw of the driver's, but with a geometry shader. */
static void read_items(struct rig *r, VkCommandBuffer cmd, enum way way)
{
    const bool alias = way == WAY_DESCRIBED_ALIAS;
    const enum way as = way == WAY_COUNTER ? WAY_STORAGE : alias ? WAY_UNIFORM : way;
    const struct push push = {{0, 500, 7, 9}, (uint32_t)as - WAY_STORAGE};
    if (way == WAY_CONDITION) {
        read_condition(r, cmd, push.change);
        return;
    }
    if (buffer_of(r, way) == &r->plain && !alias) {
        move_bind(&r->m, cmd, way == WAY_GEOMETRY ? MOVE_SHOW_GEOMETRY : MOVE_SHOW,
                  way == WAY_ALIAS ? r->alias : r->plain.buffer, 0, push.change);
    } else {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipeline);
        vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->layout, 0, 1,
                                alias ? &r->alias_set : &r->set, 0, NULL);
        vkCmdPushConstants(cmd, r->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    }
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
}

/* Over the items, or the value of one of them, where the counter is stored. */
static void capture_items(struct rig *r, VkCommandBuffer cmd, enum way way, enum move_kind kind)
{
    const bool counts = way == WAY_COUNTER;
    const struct xfb_range range = {counts ? r->aside.buffer : buffer_of(r, way)->buffer,
                                    way == WAY_IMAGE ? r->texels_B : 0, ITEMS_B};
    const struct xfb_range counter = {r->described.buffer,
                                      5 * MOVE_ITEM_B + offsetof(struct move_item, value), 0};
    move_bind(&r->m, cmd, kind, r->m.items.buffer, 0, (struct move_item){1, 90, 21, 30});
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    xfb_end(cmd, 0, counts, counts ? &counter : NULL);
}

static VkCommandBuffer begin_secondary(struct rig *r)
{
    const VkCommandBuffer cmd =
        vkt_secondary_in(&r->m.t, r->m.target.pass, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    return cmd;
}

static void record_secondaries(struct rig *r, VkCommandBuffer cmd, enum move_kind kind)
{
    const VkCommandBuffer both[2] = {begin_secondary(r), begin_secondary(r)};
    read_items(r, both[0], WAY_SECONDARIES);
    VKT_CALL(vkEndCommandBuffer(both[0]));
    xfb_subpass_barrier(both[1]);
    capture_items(r, both[1], WAY_SECONDARIES, kind);
    VKT_CALL(vkEndCommandBuffer(both[1]));
    vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 2, both);
}

static void record_secondary(struct rig *r, VkCommandBuffer cmd, enum move_kind kind)
{
    const VkCommandBuffer one = begin_secondary(r);
    read_items(r, one, WAY_SECONDARY);
    xfb_subpass_barrier(one);
    capture_items(r, one, WAY_SECONDARY, kind);
    VKT_CALL(vkEndCommandBuffer(one));
    vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &one);
}

/* The pixels of the items that were drawn moved, as read_items does. Of item n the geometry shader
 * makes 2 n modulo 4. */
static void expect_drawn(struct rig *r, const char *name, enum way way,
                         const struct move_item *items)
{
    const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
    for (uint32_t i = 0; i < MOVE_ITEMS; i++) {
        if (way == WAY_GEOMETRY && i % 2 == 0)
            continue;
        const uint32_t x = (items[i].x + 7) % MOVE_SIDE_PX, y = (items[i].y + 9) % MOVE_SIDE_PX;
        const uint32_t got = ((const uint32_t *)pixels.map)[y * MOVE_SIDE_PX + x];
        VKT_EXPECT(&r->m.t, got == items[i].value + 500, "%s: item %u shows as %u", name, i, got);
    }
}

static void read_still(struct rig *r, VkCommandBuffer cmd)
{
    move_bind(&r->m, cmd, MOVE_SHOW, r->still.buffer, 0, (struct move_item){0, 500, 7, 9});
    vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
}

/* With queries that are active between the draw that reads and the capture: all of it, and what
 * follows a barrier of its own. */
static void record_queried(struct rig *r, VkCommandBuffer cmd, enum way way, enum move_kind kind)
{
    vkCmdResetQueryPool(cmd, r->queries, 0, 3);
    move_begin_pass(&r->m, cmd, false);
    vkCmdBeginQuery(cmd, r->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    read_still(r, cmd);
    vkCmdEndQuery(cmd, r->queries, 0);
    read_still(r, cmd);
    vkCmdBeginQuery(cmd, r->queries, 1, VK_QUERY_CONTROL_PRECISE_BIT);
    read_items(r, cmd, way);
    xfb_subpass_barrier(cmd);
    capture_items(r, cmd, way, kind);
    xfb_subpass_barrier(cmd);
    capture_items(r, cmd, way, kind); /* over the same */
    vkCmdEndQuery(cmd, r->queries, 1);
    vkCmdBeginQuery(cmd, r->queries, 2, VK_QUERY_CONTROL_PRECISE_BIT);
    read_still(r, cmd);
    vkCmdEndQuery(cmd, r->queries, 2);
}

static void dump_queries(struct rig *r, const char *name)
{
    uint32_t counts[3] = {0};
    VKT_CALL(vkGetQueryPoolResults(r->m.t.device, r->queries, 0, 3, sizeof(counts), counts, 4,
                                   VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&r->m.t, counts[0] == MOVE_ITEMS && counts[2] == MOVE_ITEMS,
               "%s: %u and %u samples around it", name, counts[0], counts[2]);
    VKT_EXPECT(&r->m.t, counts[1] > 2 * MOVE_ITEMS, "%s: %u samples", name, counts[1]);
    xfb_dump(&r->m.t, counts, sizeof(counts), "%s/counts", name);
}

static void run_way(struct rig *r, enum way way, enum move_kind kind, bool queried)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/%s%s", move_names[kind], way_names[way],
             queried ? "/queried" : "");
    struct move_item before[MOVE_ITEMS];
    for (uint32_t i = 0; i < MOVE_ITEMS; i++)
        before[i] = (struct move_item){i, 5000 + i, (i * 11) % 32, i};
    void *captured = items_of(r, way);
    memcpy(captured, before, sizeof(before));
    memcpy(r->still.map, before, sizeof(before));
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (queried) {
        record_queried(r, cmd, way, kind);
    } else if (way == WAY_SECONDARIES) {
        record_secondaries(r, cmd, kind);
    } else if (way == WAY_SECONDARY) {
        record_secondary(r, cmd, kind);
    } else {
        move_begin_pass(&r->m, cmd, false);
        read_items(r, cmd, way);
        xfb_subpass_barrier(cmd);
        capture_items(r, cmd, way, kind);
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    if (queried)
        dump_queries(r, name);
    else
        expect_drawn(r, name, way, before);
    VKT_EXPECT(&r->m.t, memcmp(captured, before, sizeof(before)) != 0, "%s: nothing captured",
               name);
    const char *optional = way == WAY_IMAGE || way == WAY_CONDITION ? "opt/" : "";
    xfb_dump(&r->m.t, captured, ITEMS_B, "%s%s/captured", optional, name);
    xfb_dump_target(&r->m.t, &r->m.target, "%s%s/image", optional, name);
}

/* From one side to the other, as many as the counter says, which the geometry shader changes. */
static void step(struct rig *r, VkCommandBuffer cmd, uint32_t from)
{
    const struct xfb_range range = {r->sides[!from].buffer, 0, SIDE_B};
    const struct xfb_range counter = {r->counters.buffer, !from * 4u, 0};
    move_bind(&r->m, cmd, MOVE_CAPTURE_GEOMETRY, r->sides[from].buffer, 0,
              (struct move_item){1, 10, 3, 1});
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counters.buffer, from * 4u, 0, MOVE_ITEM_B);
    xfb_end(cmd, 0, 1, &counter);
    xfb_subpass_barrier(cmd);
}

/* Each execution draws other items than the one before. */
static void run_twice(struct rig *r, bool together)
{
    const char *name = together ? "together" : "twice";
    const uint32_t counters[2] = {ITEMS_B, 0};
    for (int i = 0; i < 2; i++)
        memset(r->sides[i].map, XFB_FILL, SIDE_B);
    memcpy(r->sides[0].map, r->m.items.map, ITEMS_B);
    memcpy(r->counters.map, counters, sizeof(counters));
    const VkCommandBuffer secondary = begin_secondary(r);
    step(r, secondary, 0);
    step(r, secondary, 1);
    VKT_CALL(vkEndCommandBuffer(secondary));
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, together ? 2 : 1, (const VkCommandBuffer[]){secondary, secondary});
    if (!together)
        vkCmdExecuteCommands(cmd, 1, &secondary);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    for (int i = 0; i < 2; i++)
        xfb_dump(&r->m.t, r->sides[i].map, SIDE_B, "%s/%d", name, i);
    xfb_dump_target(&r->m.t, &r->m.target, "%s/image", name);

    /* What the first step drew of the first execution, the second one would have drawn over. */
    const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
    uint32_t first_values = 0;
    for (uint32_t i = 0; i < MOVE_SIDE_PX * MOVE_SIDE_PX; i++) {
        const uint32_t value = ((const uint32_t *)pixels.map)[i];
        first_values += value >= 1010 && value < 1010 + MOVE_ITEMS;
    }
    VKT_EXPECT(&r->m.t, first_values > 0, "%s: nothing of the first execution is seen", name);
}

static bool has_way(const struct rig *r, enum way way)
{
    if (way == WAY_CONDITION)
        return r->m.t.features.condition;
    return way != WAY_IMAGE || r->view;
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-xfb_reads", argc, argv);
    make_buffers(&r);
    make_shadow(&r);
    make_pipeline(&r);
    make_queries(&r);
    const bool twice = vkt_flag(&r.m.t.options, "--twice");
    if (twice && !r.m.t.xfb.transformFeedbackDraw)
        vkt_skip("no draws by byte count");
    for (int way = 0; way < WAYS && !twice; way++)
        for (int kind = MOVE_CAPTURE; kind < MOVE_KINDS && has_way(&r, (enum way)way); kind++)
            run_way(&r, (enum way)way, (enum move_kind)kind, false);
    for (int way = WAY_VERTICES; way <= WAY_STORAGE && r.queries && !twice; way++)
        for (int kind = MOVE_CAPTURE; kind < MOVE_KINDS; kind++)
            run_way(&r, (enum way)way, (enum move_kind)kind, true);
    for (int together = 0; together < 2 && twice; together++)
        run_twice(&r, together);
    vkDestroyQueryPool(r.m.t.device, r.queries, NULL);
    return vkt_finish(&r.m.t);
}
