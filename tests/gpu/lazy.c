/* SPDX-License-Identifier: MIT
 *
 * The first geometry shader of a device is compiled and bound while a pass is being recorded, as by
 * programs that compile at the first draw. Each case has a device of its own. Or the device knew
 * one, but the pass has had none for a while.
 */
#include "common/vkt.h"

#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u

enum way { CLASSIC, CLASSIC2, DYNAMIC, WAYS };
static const char *const way_names[WAYS] = {"render-pass", "render-pass-2", "rendering"};

/* What the pass is like: it clears, or loads; the shader comes while a query is active, or while a
 * secondary of the pass is recorded; or the pass was recorded without it many times. */
enum kind { CLEAR, LOAD, QUERY, SECONDARY, QUIET, KINDS };
static const char *const kind_names[KINDS] = {"clear", "load", "query", "secondary", "quiet"};

#define QUIET_TIMES 40

struct push {
    float shift[2], depth;
    uint32_t tint;
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline native;
    VkCommandBuffer cmd;
    enum way way;
    enum kind kind;
    VkQueryPool queries;
};

static VkPipeline pipeline(struct suite *s, bool geometry)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(lazy_vert),
        .fs = VKT_CODE(lazy_frag),
        .layout = s->layout,
        .pass = s->way == DYNAMIC ? VK_NULL_HANDLE : s->target.pass,
        .dynamic_format = VK_FORMAT_R32_UINT,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth_test = s->way != DYNAMIC,
        .depth_write = s->way != DYNAMIC,
    };
    if (geometry)
        info.gs = VKT_CODE(lazy_geom);
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, float x, float depth, uint32_t tint)
{
    const struct push push = {{x, x}, depth, tint};
    vkCmdPushConstants(s->cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(s->cmd, 3, 1, 0, 0);
}

static void layout_barrier(const struct suite *s, VkImageLayout from, VkImageLayout to)
{
    vkt_image_barrier(s->cmd, s->target.color.image,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, from, to);
}

static void begin_rendering(const struct suite *s, bool load, bool secondaries)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = {.color = {.uint32 = {99}}},
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = secondaries ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkCmdBeginRendering(s->cmd, &info);
}

static void begin_pass(const struct suite *s, bool load, bool secondaries)
{
    const VkSubpassContents contents =
        secondaries ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
    const VkClearValue clear[2] = {{.color = {.uint32 = {77}}}, {.depthStencil = {1.0f, 0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = load ? s->target.load_pass : s->target.pass,
        .framebuffer = s->target.framebuffer,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
                                        .contents = contents};
    if (s->way == DYNAMIC)
        begin_rendering(s, load, secondaries);
    else if (s->way == CLASSIC2)
        vkCmdBeginRenderPass2(s->cmd, &info, &subpass);
    else
        vkCmdBeginRenderPass(s->cmd, &info, contents);
}

static void end_pass(const struct suite *s)
{
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (s->way == DYNAMIC)
        vkCmdEndRendering(s->cmd);
    else if (s->way == CLASSIC2)
        vkCmdEndRenderPass2(s->cmd, &end);
    else
        vkCmdEndRenderPass(s->cmd);
}

static void draw_pass(struct suite *s)
{
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
    draw(s, 0.0f, 0.5f, 2);
    if (s->kind == QUERY) { /* one before, without a geometry shader */
        vkCmdBeginQuery(s->cmd, s->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
        draw(s, 0.5f, 0.2f, 6);
        vkCmdEndQuery(s->cmd, s->queries, 0);
        vkCmdBeginQuery(s->cmd, s->queries, 1, VK_QUERY_CONTROL_PRECISE_BIT);
        draw(s, -0.375f, 0.1f, 7);
    }
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(s, true));
    if (s->kind != QUERY)
        draw(s, 0.25f, 0.7f, 3); /* behind */
    draw(s, 0.375f, 0.4f, 4);
    if (s->kind == QUERY)
        vkCmdEndQuery(s->cmd, s->queries, 1);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
    draw(s, 0.125f, 0.45f, 5);
}

/* Executes the pass's draws, and another secondary behind them, which has a geometry shader, too.
 */
static void execute_pass(struct suite *s)
{
    const VkFormat format = VK_FORMAT_R32_UINT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = s->way == DYNAMIC ? &rendering : NULL,
        .renderPass = s->way == DYNAMIC ? VK_NULL_HANDLE : s->target.pass,
    };
    const VkCommandBuffer primary = s->cmd;
    VkCommandBuffer secondaries[2];
    for (int i = 0; i < 2; i++) {
        s->cmd = secondaries[i] =
            vkt_secondary(&s->t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherit);
        if (i == 0) {
            draw_pass(s);
        } else {
            vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(s, true));
            draw(s, -0.125f, 0.3f, 8);
        }
        VKT_CALL(vkEndCommandBuffer(s->cmd));
    }
    s->cmd = primary;
    vkCmdExecuteCommands(s->cmd, 2, secondaries);
}

static void record(struct suite *s)
{
    vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (s->kind == QUERY)
        vkCmdResetQueryPool(s->cmd, s->queries, 0, 2);
    if (s->way == DYNAMIC)
        layout_barrier(s, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    if (s->kind == LOAD) { /* something to load */
        vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
        begin_pass(s, false, false);
        draw(s, -0.25f, 0.6f, 1);
        end_pass(s);
        if (s->way == DYNAMIC)
            layout_barrier(s, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    begin_pass(s, s->kind == LOAD, s->kind == SECONDARY);
    if (s->kind == SECONDARY)
        execute_pass(s);
    else
        draw_pass(s);
    end_pass(s);
    if (s->way == DYNAMIC)
        layout_barrier(s, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* Nobody executes them. */
static void record_quietly(struct suite *s)
{
    pipeline(s, true);
    for (uint32_t i = 0; i < QUIET_TIMES; i++) {
        vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        begin_pass(s, false, false);
        vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
        draw(s, 0.0f, 0.5f, 9);
        end_pass(s);
        VKT_CALL(vkEndCommandBuffer(s->cmd));
    }
}

static uint32_t count_pixels(const uint32_t *texels, uint32_t first, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        count += texels[i] >= first && texels[i] <= last;
    return count;
}

/* With a depth test nothing hides what the queries have counted; without one later draws may. */
static void check_queries(struct suite *s, const uint32_t *texels)
{
    uint32_t counted[2] = {0};
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->queries, 0, 2, sizeof(counted), counted, 4,
                                   VK_QUERY_RESULT_WAIT_BIT));
    const uint32_t seen[2] = {count_pixels(texels, 6, 6),
                              count_pixels(texels, 7, 7) + count_pixels(texels, 64, 65)};
    for (int i = 0; i < 2; i++)
        VKT_EXPECT(&s->t, s->way == DYNAMIC ? counted[i] >= seen[i] : counted[i] == seen[i],
                   "%s: query %d counts %u, but %u are seen", way_names[s->way], i, counted[i],
                   seen[i]);
}

/* Leaves the pixels in *texels, or NULL where the device has not what it takes. */
static int run(const struct vkt_options *options, enum way way, enum kind kind, uint32_t **texels)
{
    static struct suite s;
    s = (struct suite){.way = way, .kind = kind};
    *texels = NULL;
    if (way == CLASSIC2 && kind >= QUERY) /* as with CLASSIC */
        return 0;
    vkt_init(&s.t, options);
    if (way == DYNAMIC && !s.t.features.dynamic_rendering)
        return vkt_finish(&s.t);
    if (way == CLASSIC2 && s.t.properties.apiVersion < VK_API_VERSION_1_2)
        return vkt_finish(&s.t);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.native = pipeline(&s, false);
    s.cmd = vkt_commands(&s.t);
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 2,
    };
    if (kind == QUERY && !s.t.features.core.occlusionQueryPrecise)
        return vkt_finish(&s.t);
    if (kind == QUERY)
        VKT_CALL(vkCreateQueryPool(s.t.device, &queries, NULL, &s.queries));
    if (kind == QUIET)
        record_quietly(&s);
    record(&s);
    vkt_submit(&s.t, s.cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    *texels = malloc(pixels.size_B);
    if (!*texels)
        vkt_die("out of memory");
    memcpy(*texels, pixels.map, pixels.size_B);
    if (kind == QUERY)
        check_queries(&s, *texels);
    vkDestroyQueryPool(s.t.device, s.queries, NULL);
    VKT_EXPECT(&s.t, kind != LOAD || count_pixels(*texels, 1, 1), "%s: nothing of the former pass",
               way_names[way]);
    VKT_EXPECT(&s.t, count_pixels(*texels, 2, 2), "%s: nothing from before the geometry shader",
               way_names[way]);
    VKT_EXPECT(&s.t, count_pixels(*texels, 64, 65), "%s: nothing of the geometry shader",
               way_names[way]);
    VKT_EXPECT(&s.t, count_pixels(*texels, 5, 5), "%s: nothing from after the geometry shader",
               way_names[way]);
    VKT_EXPECT(&s.t, kind != SECONDARY || count_pixels(*texels, 128, 129),
               "%s: nothing of the second secondary", way_names[way]);
    return vkt_finish(&s.t);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-lazy", argc, argv);
    struct vkt_options silent = options;
    silent.dump_path = NULL;
    uint32_t *texels[WAYS][KINDS];
    int status = 0;
    for (int way = 0; way < WAYS; way++)
        for (int kind = 0; kind < KINDS; kind++)
            status |= run(&silent, (enum way)way, (enum kind)kind, &texels[way][kind]);
    static struct vkt t;
    vkt_init(&t, &options);
    for (int way = 0; way < WAYS; way++)
        for (int kind = 0; kind < KINDS; kind++) {
            char name[64];
            snprintf(name, sizeof(name), "%slate/%s/%s", way == CLASSIC ? "" : "opt/",
                     way_names[way], kind_names[kind]);
            if (texels[way][kind])
                vkt_dump_image(&t, name, texels[way][kind], SIDE_PX, SIDE_PX, 4);
            free(texels[way][kind]);
        }
    return status | vkt_finish(&t);
}
