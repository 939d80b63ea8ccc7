/* SPDX-License-Identifier: MIT
 *
 * Passes that have to be ended and resumed, since what runs before the rasterizer reads, or
 * overwrites, what earlier draws of the pass have stored or read. They have two subpasses and a
 * depth attachment that is not stored. With --late the first geometry shader of the device comes in
 * the middle of such a pass.
 */
#include "common/vkt.h"

#include "parts_frag.h"
#include "parts_geom.h"
#include "parts_read_geom.h"
#include "parts_read_vert.h"
#include "parts_store_frag.h"
#include "parts_store_geom.h"
#include "parts_store_vert.h"
#include "parts_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define WORDS 16u

enum kind { NATIVE, VERTEX_STORES, VERTEX_READS, FRAGMENT_STORES, EMULATED, READS, STORES, KINDS };

struct push {
    float shift[2], depth;
    uint32_t tint, word;
};

struct suite {
    struct vkt t;
    struct vkt_image color, depth;
    struct vkt_buffer words;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline pipelines[2][KINDS]; /* of each subpass */
};

static void make_pass(struct suite *s)
{
    const VkPipelineStageFlags early =
        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT;
    const VkPipelineStageFlags late =
        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkAccessFlags memory = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    const VkAccessFlags targets =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
        VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkAttachmentDescription attachments[2] = {
        {
            .format = s->color.format,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        },
        {
            .format = s->depth.format,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        },
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthStencilAttachment = &depth,
    };
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkSubpassDependency dependencies[] = {
        {0, 0, early, early, memory, memory, 0},
        {0, 1, early | late, early | late, memory | targets, memory | targets, 0},
        {1, 1, early, early, memory, memory, 0},
        {1, VK_SUBPASS_EXTERNAL, late, VK_PIPELINE_STAGE_TRANSFER_BIT, targets,
         VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 2,
        .pSubpasses = subpasses,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &s->pass));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)s->pass);
    const VkImageView views[2] = {s->color.view, s->depth.view};
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = s->pass,
        .attachmentCount = 2,
        .pAttachments = views,
        .width = SIDE_PX,
        .height = SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(s->t.device, &framebuffer, NULL, &s->framebuffer));
    vkt_defer(&s->t, vkt_destroy_framebuffer, (uint64_t)s->framebuffer);
}

static void make_memory(struct suite *s)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(struct push)};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    s->words = vkt_buffer(&s->t, 4 * WORDS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->layout = vkt_layout(&s->t, &layout, 1, &range, 1);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->words.buffer, 0,
                     VK_WHOLE_SIZE);
}

static VkPipeline pipeline(struct suite *s, uint32_t subpass, enum kind kind)
{
    struct vkt_pipeline_info info = {
        .vs = kind == VERTEX_STORES                   ? VKT_CODE(parts_store_vert)
              : kind == VERTEX_READS || kind == READS ? VKT_CODE(parts_read_vert)
                                                      : VKT_CODE(parts_vert),
        .fs = kind == FRAGMENT_STORES ? VKT_CODE(parts_store_frag) : VKT_CODE(parts_frag),
        .layout = s->layout,
        .pass = s->pass,
        .subpass = subpass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth_test = true,
        .depth_write = true,
        .depth_compare = VK_COMPARE_OP_LESS,
    };
    if (kind == EMULATED)
        info.gs = VKT_CODE(parts_geom);
    if (kind == READS)
        info.gs = VKT_CODE(parts_read_geom);
    if (kind == STORES)
        info.gs = VKT_CODE(parts_store_geom);
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, VkCommandBuffer cmd, uint32_t subpass, enum kind kind,
                 uint32_t tint, uint32_t word)
{
    const float x = 0.0625f * (float)(tint % 8) - 0.25f;
    const struct push push = {{x, -x}, 0.875f - (float)(tint % 5) * 0.125f, tint, word};
    VkPipeline *made = &s->pipelines[subpass][kind];
    if (!*made)
        *made = pipeline(s, subpass, kind);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, *made);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(push), &push);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}

/* Orders shaders before the rasterizer within a subpass. */
static void order(VkCommandBuffer cmd)
{
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(cmd, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* SwiftShader takes no heed of dependencies between subpasses: their vertex shaders run at once,
 * natively, too. It does wait where there is a barrier. */
static void next_subpass(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    if (strstr(s->t.properties.deviceName, "SwiftShader"))
        order(cmd);
}

static void begin(struct suite *s, VkCommandBuffer cmd)
{
    const VkClearValue clear[2] = {{.color = {.uint32 = {77}}}, {.depthStencil = {1.0f, 0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = s->pass,
        .framebuffer = s->framebuffer,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    memset(s->words.map, 0, 4 * WORDS);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

/* In `counts` the pixels that have to be there, by value, up to a 0. */
static void finish(struct suite *s, VkCommandBuffer cmd, const char *name, const uint32_t *values)
{
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->color, 4);
    const uint32_t *texels = pixels.map;
    for (; *values; values++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
            found += texels[i] == *values;
        VKT_EXPECT(&s->t, found, "%s: no pixel has %u", name, *values);
    }
    vkt_dump_image(&s->t, name, texels, SIDE_PX, SIDE_PX, 4);
    char words[32];
    snprintf(words, sizeof(words), "%s/words", name);
    vkt_dump_buffer(&s->t, words, s->words.map, 4 * WORDS);
}

/* Fragment shaders of a subpass feed the vertex and geometry shaders of the next one. */
static void run_fed(struct suite *s)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd);
    draw(s, cmd, 0, EMULATED, 2, 1);
    draw(s, cmd, 0, FRAGMENT_STORES, 8, 0);
    next_subpass(s, cmd);
    draw(s, cmd, 1, READS, 4, 0);
    draw(s, cmd, 1, NATIVE, 5, 0);
    draw(s, cmd, 1, READS, 3, 1);
    finish(s, cmd, "fed", (const uint32_t[]){8004, 108, 3, 0});
}

/* Draws of the driver store, geometry shaders read; once in each subpass. */
static void run_stored(struct suite *s)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd);
    for (uint32_t subpass = 0; subpass < 2; subpass++) {
        if (subpass)
            next_subpass(s, cmd);
        draw(s, cmd, subpass, VERTEX_STORES, 11 + subpass, 0);
        order(cmd);
        draw(s, cmd, subpass, READS, 2 + subpass, 0);
        draw(s, cmd, subpass, READS, 4 + subpass, 0);
    }
    finish(s, cmd, "stored", (const uint32_t[]){12003, 112, 0});
}

/* Draws of the driver read, geometry shaders store. */
static void run_overwritten(struct suite *s)
{
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd);
    draw(s, cmd, 0, EMULATED, 3, 2);
    draw(s, cmd, 0, VERTEX_READS, 9, 0);
    order(cmd);
    draw(s, cmd, 0, STORES, 6, 0);
    next_subpass(s, cmd);
    draw(s, cmd, 1, VERTEX_READS, 14, 0);
    order(cmd);
    draw(s, cmd, 1, STORES, 7, 0);
    finish(s, cmd, "overwritten", (const uint32_t[]){9, 6014, 0});
}

static VkCommandBuffer secondary(struct suite *s)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = s->pass,
        .subpass = 1,
    };
    return vkt_secondary(&s->t,
                         VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                             VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                         &inheritance);
}

/* The same secondary twice, with something else to read each time. */
static void run_twice(struct suite *s)
{
    VkCommandBuffer reads = secondary(s), stores = secondary(s);
    draw(s, reads, 1, READS, 2, 0);
    VKT_CALL(vkEndCommandBuffer(reads));
    order(stores);
    draw(s, stores, 1, VERTEX_STORES, 21, 0);
    order(stores);
    VKT_CALL(vkEndCommandBuffer(stores));
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd);
    draw(s, cmd, 0, NATIVE, 10, 0);
    vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    const VkCommandBuffer all[3] = {reads, stores, reads};
    vkCmdExecuteCommands(cmd, 3, all);
    finish(s, cmd, "twice", (const uint32_t[]){2, 100, 21, 0});
}

int main(int argc, char **argv)
{
    static struct suite s;
    const struct vkt_options options = vkt_parse("gpu-parts", argc, argv);
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics ||
        !s.t.features.core.fragmentStoresAndAtomics)
        vkt_skip("no stores in vertex and fragment shaders");
    s.color = vkt_image(&s.t, VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    s.depth = vkt_image(&s.t, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    make_pass(&s);
    make_memory(&s);
    for (uint32_t i = 0; i < 2 * KINDS && !vkt_flag(&options, "--late"); i++)
        s.pipelines[i / KINDS][i % KINDS] = pipeline(&s, i / KINDS, (enum kind)(i % KINDS));
    if (vkt_flag(&options, "--late")) { /* the first pass only */
        const VkCommandBuffer cmd = vkt_commands(&s.t);
        begin(&s, cmd);
        draw(&s, cmd, 0, NATIVE, 9, 0);
        draw(&s, cmd, 0, FRAGMENT_STORES, 8, 0);
        next_subpass(&s, cmd);
        draw(&s, cmd, 1, NATIVE, 11, 1);
        draw(&s, cmd, 1, READS, 3, 0);
        finish(&s, cmd, "late", (const uint32_t[]){9, 8003, 108, 0});
        return vkt_finish(&s.t);
    }
    run_fed(&s);
    run_stored(&s);
    run_overwritten(&s);
    run_twice(&s);
    return vkt_finish(&s.t);
}
