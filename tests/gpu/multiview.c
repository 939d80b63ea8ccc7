/* SPDX-License-Identifier: MIT
 *
 * multiviewGeometryShader and multiviewTessellationShader: gl_ViewIndex in every stage, and in none
 * in front of the rasterizer, in subpasses with different views of either kind of render pass, in
 * dynamic rendering, and in secondaries of both. Shaders that store do so for each view, and
 * queries count all of them. --views: without pipelines that draw the same in all views, which Mesa
 * 22.3 draws in the first one only if a vertex is outside (docs/reliability.md). --device:
 * gl_ViewIndex is gl_DeviceIndex, and all views of dynamic rendering are alike; not with Mesa 22.3.
 * --primary: without secondaries.
 */
#include "common/vkt_query.h"
#include "gpu/xfb.h"

#include "multiview_frag.h"
#include "multiview_geom.h"
#include "multiview_number_frag.h"
#include "multiview_store_geom.h"
#include "multiview_store_vert.h"
#include "multiview_vert.h"
#include "multiview_view_geom.h"
#include "multiview_view_tesc.h"
#include "multiview_view_tese.h"
#include "multiview_view_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define LAYERS 6u
#define FORMAT VK_FORMAT_R32_UINT
#define VERTICES 24u /* triangles, then patches */
#define FIRST_CORNER 12u
#define INDICES 6u

/* Views of the subpasses, and of dynamic rendering. */
static const uint32_t masks[] = {0x2D, 0x06, 0x08, 0x25};
enum { SUBPASSES = 3, DYNAMIC = 3, PLACES = 4 };
enum begin { RENDER_PASS, RENDER_PASS2, RENDERING, BEGINS };
static const char *const begin_names[] = {"pass", "pass2", "rendering"};

struct kind {
    const char *name;
    struct vkt_code vs, tcs, tes, gs, fs;
    bool stores;
};
#define KINDS 11u
enum { FIRST_PATCHES = 9 };

struct suite {
    struct vkt t;
    struct kind kinds[KINDS];
    struct vkt_buffer places, indices, counts, pixels, args;
    VkImage image;
    VkImageView view;
    VkRenderPass passes[2];
    VkFramebuffer framebuffers[2];
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[PLACES][KINDS];
    VkQueryPool statistics, samples; /* the first may be absent */
    uint32_t query;
};

static const VkQueryPipelineStatisticFlags counted =
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT;
#define COUNTED 4u

static uint32_t count_views(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

static bool is_usable(const struct suite *s, uint32_t kind)
{
    const struct vkt_features *features = &s->t.features;
    const struct kind *k = &s->kinds[kind];
    if (kind == 0 && vkt_flag(&s->t.options, "--views"))
        return false;
    return (!k->tcs.words || features->multiview_tessellation) &&
           (!k->stores || features->core.vertexPipelineStoresAndAtomics);
}

/* --- Draws --- */

static void push(const struct suite *s, VkCommandBuffer cmd, float x, float y, uint32_t tint)
{
    const struct {
        float shift[2];
        uint32_t tint;
    } values = {{x, y}, tint};
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), &values);
}

/* Nothing is clipped: Mesa 22.3 draws all views in the first one where vertices are, also natively.
 * Several draws that are like the one before, one that is not, an indirect one of two, and an
 * indexed one. Stores are counted of what shades each vertex once. */
static void draw_kind(const struct suite *s, VkCommandBuffer cmd, uint32_t place, uint32_t kind)
{
    const bool patches = kind >= FIRST_PATCHES;
    const uint32_t first = patches ? FIRST_CORNER : 0, count = patches ? 8 : 6;
    const uint32_t tint = 100000 * (kind + 1);
    const float y = (float)kind;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[place][kind]);
    for (uint32_t i = 0; i < 3; i++) {
        push(s, cmd, (float)(6 * i), y, tint + 10000 * i);
        vkCmdDraw(cmd, count, 1, first, 0);
    }
    push(s, cmd, 2.0f, y + 6.0f, tint + 40000);
    vkCmdDraw(cmd, count + (patches ? 4 : 3), 2, first, 0);
    push(s, cmd, 9.0f, y + 9.0f, tint + 50000);
    vkCmdDrawIndirect(cmd, s->args.buffer, patches ? 32 : 0, 1, 0);
    push(s, cmd, 15.0f, y + 9.0f, tint + 60000);
    vkCmdDrawIndirect(cmd, s->args.buffer, patches ? 48 : 16, 1, 0);
    if (s->kinds[kind].stores)
        return;
    push(s, cmd, 20.0f, y + 5.0f, tint + 70000);
    if (!patches)
        vkCmdDrawIndexed(cmd, INDICES, 1, 0, 0, 0);
}

static void draw_all(struct suite *s, VkCommandBuffer cmd, uint32_t place)
{
    const VkDeviceSize zero = 0;
    const uint32_t query = s->query;
    s->query += count_views(masks[place]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->places.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    if (s->statistics)
        vkCmdBeginQuery(cmd, s->statistics, query, 0);
    vkCmdBeginQuery(cmd, s->samples, query, 0);
    for (uint32_t kind = 0; kind < FIRST_PATCHES; kind++)
        if (is_usable(s, kind))
            draw_kind(s, cmd, place, kind);
    vkCmdEndQuery(cmd, s->samples, query);
    if (s->statistics)
        vkCmdEndQuery(cmd, s->statistics, query);
    for (uint32_t kind = FIRST_PATCHES; kind < KINDS; kind++)
        if (is_usable(s, kind))
            draw_kind(s, cmd, place, kind);
}

static void draw_or_execute(struct suite *s, VkCommandBuffer cmd, enum begin begin, uint32_t place,
                            bool secondary)
{
    const VkFormat format = FORMAT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .viewMask = masks[place],
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = begin == RENDERING ? &rendering : NULL,
        .renderPass = begin == RENDERING ? VK_NULL_HANDLE : s->passes[begin],
        .subpass = begin == RENDERING ? 0 : place,
    };
    if (!secondary) {
        draw_all(s, cmd, place);
        return;
    }
    const VkCommandBuffer second =
        vkt_secondary(&s->t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherit);
    draw_all(s, second, place);
    VKT_CALL(vkEndCommandBuffer(second));
    vkCmdExecuteCommands(cmd, 1, &second);
}

/* --- Passes --- */

static void record_render_pass(struct suite *s, VkCommandBuffer cmd, enum begin begin,
                               bool secondary)
{
    const VkSubpassContents contents =
        secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
    const VkClearValue clear = {.color.uint32 = {7}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = s->passes[begin],
        .framebuffer = s->framebuffers[begin],
        .renderArea = {.extent = {SIDE_PX, SIDE_PX}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    const VkSubpassBeginInfo subpass = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, NULL, contents};
    const VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, NULL};
    if (begin == RENDER_PASS2)
        vkCmdBeginRenderPass2(cmd, &info, &subpass);
    else
        vkCmdBeginRenderPass(cmd, &info, contents);
    for (uint32_t i = 0; i < SUBPASSES; i++) {
        if (i && begin == RENDER_PASS2)
            vkCmdNextSubpass2(cmd, &subpass, &end);
        else if (i)
            vkCmdNextSubpass(cmd, contents);
        draw_or_execute(s, cmd, begin, i, secondary);
    }
    if (begin == RENDER_PASS2)
        vkCmdEndRenderPass2(cmd, &end);
    else
        vkCmdEndRenderPass(cmd);
}

static void record_rendering(struct suite *s, VkCommandBuffer cmd, bool secondary)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = {.color.uint32 = {7}},
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
        .renderArea = {.extent = {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .viewMask = masks[DYNAMIC],
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkCmdBeginRendering(cmd, &info);
    draw_or_execute(s, cmd, RENDERING, DYNAMIC, secondary);
    vkCmdEndRendering(cmd);
}

/* --- Results --- */

/* The sums of what each subpass counted: a query has one result for each view, of which only the
 * sum is defined. */
static void dump_query(struct suite *s, VkQueryPool pool, uint32_t values, enum begin begin,
                       const char *name)
{
    uint64_t sums[SUBPASSES][COUNTED] = {{0}};
    uint32_t first = 0;
    for (uint32_t i = 0; i < (begin == RENDERING ? 1 : SUBPASSES); i++) {
        const uint32_t views = count_views(masks[begin == RENDERING ? DYNAMIC : i]);
        uint64_t results[LAYERS][COUNTED + 1] = {{0}};
        vkGetQueryPoolResults(s->t.device, pool, first, views, sizeof(results), results,
                              sizeof(results[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        for (uint32_t v = 0; v < views; v++)
            for (uint32_t k = 0; k < values && results[v][values]; k++)
                sums[i][k] += results[v][k];
        first += views;
    }
    VKT_EXPECT(&s->t, sums[0][0], "%s: nothing is counted", name);
    xfb_dump(&s->t, sums, sizeof(sums), "%s", name);
}

static void clear_layers(struct suite *s, VkCommandBuffer cmd)
{
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
    const VkClearColorValue nothing = {.uint32 = {3}};
    vkt_image_barrier(cmd, s->image, all, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(cmd, s->image, VK_IMAGE_LAYOUT_GENERAL, &nothing, 1, &all);
    vkt_image_barrier(cmd, s->image, all, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
}

static void run(struct suite *s, enum begin begin, bool secondary)
{
    struct vkt *t = &s->t;
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
    const VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, LAYERS},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };
    const uint32_t queries = LAYERS * SUBPASSES;
    char name[64];
    VkCommandBuffer cmd = vkt_commands(t);
    s->query = 0;
    memset(s->counts.map, 0, s->counts.size_B);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->samples, 0, queries);
    if (s->statistics)
        vkCmdResetQueryPool(cmd, s->statistics, 0, queries);
    clear_layers(s, cmd);
    if (begin == RENDERING)
        record_rendering(s, cmd, secondary);
    else
        record_render_pass(s, cmd, begin, secondary);
    vkt_image_barrier(cmd, s->image, all, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(cmd, s->image, VK_IMAGE_LAYOUT_GENERAL, s->pixels.buffer, 1, &copy);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    const char *how = secondary ? "/secondary" : "";
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
        snprintf(name, sizeof(name), "%s%s/%u", begin_names[begin], how, layer);
        const uint32_t *pixels = (const uint32_t *)s->pixels.map + SIDE_PX * SIDE_PX * layer;
        vkt_dump_image(t, name, pixels, SIDE_PX, SIDE_PX, 4);
        if (begin == RENDERING && masks[DYNAMIC] >> layer & 1 && vkt_flag(&t->options, "--device"))
            VKT_EXPECT(t, !memcmp(pixels, s->pixels.map, 4 * SIDE_PX * SIDE_PX),
                       "%s is not like the first view", name);
    }
    snprintf(name, sizeof(name), "stored/%s%s", begin_names[begin], how);
    vkt_dump_buffer(t, name, s->counts.map, s->counts.size_B);
    snprintf(name, sizeof(name), "samples/%s%s", begin_names[begin], how);
    dump_query(s, s->samples, 1, begin, name);
    snprintf(name, sizeof(name), "opt/statistics/%s%s", begin_names[begin], how);
    if (s->statistics)
        dump_query(s, s->statistics, COUNTED, begin, name);
}

/* --- Set-up --- */

static void name_kinds(struct suite *s)
{
    const struct vkt_code plain_vs = VKT_CODE(multiview_vert),
                          view_vs = VKT_CODE(multiview_view_vert),
                          plain_gs = VKT_CODE(multiview_geom),
                          view_gs = VKT_CODE(multiview_view_geom), fs = VKT_CODE(multiview_frag),
                          tcs = VKT_CODE(multiview_view_tesc), tes = VKT_CODE(multiview_view_tese);
    const struct kind kinds[KINDS] = {
        {.name = "same", .vs = plain_vs, .gs = plain_gs, .fs = fs},
        {.name = "vertex", .vs = view_vs, .gs = plain_gs, .fs = fs},
        {.name = "geometry", .vs = plain_vs, .gs = view_gs, .fs = fs},
        {.name = "both", .vs = view_vs, .gs = view_gs, .fs = fs},
        {.name = "stores",
         .vs = VKT_CODE(multiview_store_vert),
         .gs = VKT_CODE(multiview_store_geom),
         .fs = fs,
         .stores = true},
        {.name = "driver", .vs = view_vs, .fs = fs},
        {.name = "number", .vs = view_vs, .fs = VKT_CODE(multiview_number_frag)},
        {.name = "again", .vs = view_vs, .gs = view_gs, .fs = fs},
        {.name = "vertex stores", .vs = VKT_CODE(multiview_store_vert), .fs = fs, .stores = true},
        {.name = "patches", .vs = plain_vs, .tcs = tcs, .tes = tes, .fs = fs},
        {.name = "all", .vs = view_vs, .tcs = tcs, .tes = tes, .gs = view_gs, .fs = fs},
    };
    memcpy(s->kinds, kinds, sizeof(kinds));
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = &s->t;
    const uint16_t indices[INDICES] = {5, 3, 4, 0, 2, 1};
    const VkDrawIndirectCommand args[4] = {
        {6, 1, 0, 0}, {9, 1, 3, 0}, {8, 1, FIRST_CORNER, 0}, {4, 1, FIRST_CORNER + 8, 0}};
    float places[VERTICES][2];
    for (uint32_t i = 0; i < FIRST_CORNER; i++) {
        places[i][0] = 0.3f + (float)(i / 3) * 3.0f + (float)(i % 3 == 1) * 4.5f;
        places[i][1] = 0.3f + (float)(i % 3 == 2) * 4.0f;
    }
    for (uint32_t i = FIRST_CORNER; i < VERTICES; i++) {
        places[i][0] = 0.3f + (float)((i - FIRST_CORNER) / 4) * 5.0f + (float)(i % 2) * 4.25f;
        places[i][1] = 0.3f + (float)(i / 2 % 2) * 3.5f;
    }
    s->places = vkt_buffer_from(t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->args = vkt_buffer_from(t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s->counts = vkt_buffer(t, 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->pixels = vkt_buffer(t, 4 * LAYERS * SIDE_PX * SIDE_PX, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
}

static void make_image(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = FORMAT,
        .extent = {SIDE_PX, SIDE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = LAYERS,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &s->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, s->image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(t->device, &allocate, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    VKT_CALL(vkBindImageMemory(t->device, s->image, memory, 0));
    vkt_defer(t, vkt_destroy_image, (uint64_t)s->image);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS},
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &s->view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)s->view);
}

static void make_pass(struct suite *s)
{
    const VkAttachmentDescription color = {
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkSubpassDescription subpasses[SUBPASSES] = {subpass, subpass, subpass};
    VkSubpassDependency dependencies[SUBPASSES - 1];
    for (uint32_t i = 0; i + 1 < SUBPASSES; i++)
        dependencies[i] = (VkSubpassDependency){
            .srcSubpass = i,
            .dstSubpass = i + 1,
            .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
            .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
            .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
            .dstAccessMask =
                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT,
        };
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = SUBPASSES,
        .pViewMasks = masks,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = SUBPASSES,
        .pSubpasses = subpasses,
        .dependencyCount = SUBPASSES - 1,
        .pDependencies = dependencies,
    };
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &s->passes[RENDER_PASS]));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)s->passes[RENDER_PASS]);
}

static void make_pass2(struct suite *s)
{
    const VkAttachmentDescription2 color = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkAttachmentReference2 reference = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    VkSubpassDescription2 subpasses[SUBPASSES];
    VkSubpassDependency2 dependencies[SUBPASSES - 1];
    for (uint32_t i = 0; i < SUBPASSES; i++)
        subpasses[i] = (VkSubpassDescription2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
            .viewMask = masks[i],
            .colorAttachmentCount = 1,
            .pColorAttachments = &reference,
        };
    for (uint32_t i = 0; i + 1 < SUBPASSES; i++)
        dependencies[i] = (VkSubpassDependency2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
            .srcSubpass = i,
            .dstSubpass = i + 1,
            .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
            .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
            .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
            .dstAccessMask =
                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT,
        };
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = SUBPASSES,
        .pSubpasses = subpasses,
        .dependencyCount = SUBPASSES - 1,
        .pDependencies = dependencies,
    };
    VKT_CALL(vkCreateRenderPass2(s->t.device, &info, NULL, &s->passes[RENDER_PASS2]));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)s->passes[RENDER_PASS2]);
}

static void make_framebuffers(struct suite *s)
{
    for (uint32_t i = 0; i < 2; i++) {
        const VkFramebufferCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
            .renderPass = s->passes[i],
            .attachmentCount = 1,
            .pAttachments = &s->view,
            .width = SIDE_PX,
            .height = SIDE_PX,
            .layers = 1,
        };
        VKT_CALL(vkCreateFramebuffer(s->t.device, &info, NULL, &s->framebuffers[i]));
        vkt_defer(&s->t, vkt_destroy_framebuffer, (uint64_t)s->framebuffers[i]);
    }
}

static void make_layout(struct suite *s)
{
    const VkDescriptorSetLayoutBinding binding = {
        0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 12};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counts.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &layout, 1, &range, 1);
}

static void make_pipelines(struct suite *s)
{
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    for (uint32_t i = 0; i < PLACES * KINDS; i++) {
        const uint32_t place = i / KINDS;
        const struct kind *kind = &s->kinds[i % KINDS];
        const bool dynamic = place == DYNAMIC;
        if (!is_usable(s, i % KINDS) || (dynamic && !s->t.features.dynamic_rendering))
            continue;
        const struct vkt_pipeline_info info = {
            .vs = kind->vs,
            .tcs = kind->tcs,
            .tes = kind->tes,
            .gs = kind->gs,
            .fs = kind->fs,
            .layout = s->layout,
            .flags = vkt_flag(&s->t.options, "--device")
                         ? VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT
                         : 0,
            .pass = dynamic ? VK_NULL_HANDLE : s->passes[0],
            .subpass = dynamic ? 0 : place,
            .dynamic_format = dynamic ? FORMAT : VK_FORMAT_UNDEFINED,
            .dynamic_views = dynamic ? masks[DYNAMIC] : 0,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = kind->tes.words ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                        : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
            .patch_points = kind->tes.words ? 4 : 0,
            .bindings = &binding,
            .binding_count = 1,
            .attributes = &attribute,
            .attribute_count = 1,
        };
        s->pipelines[place][i % KINDS] = vkt_pipeline(&s->t, &info);
    }
}

int main(int argc, char **argv)
{
    static struct suite s;
    struct vkt *t = &s.t;
    struct vkt_options options = vkt_parse("gpu-multiview", argc, argv);
    options.tessellation = options.multiview_stages = true;
    vkt_init(t, &options);
    if (!t->features.multiview_geometry)
        vkt_skip("no multiviewGeometryShader");
    if (vkt_flag(&options, "--device") && vkt_driver_is(t, "Mesa 22."))
        vkt_skip("this driver gives some views alone what all have");
    name_kinds(&s);
    make_buffers(&s);
    make_image(&s);
    make_pass(&s);
    make_pass2(&s);
    make_framebuffers(&s);
    make_layout(&s);
    make_pipelines(&s);
    s.samples = vkt_query_pool(t, VK_QUERY_TYPE_OCCLUSION, LAYERS * SUBPASSES, 0);
    if (t->features.core.pipelineStatisticsQuery)
        s.statistics =
            vkt_query_pool(t, VK_QUERY_TYPE_PIPELINE_STATISTICS, LAYERS * SUBPASSES, counted);
    const int ways = vkt_flag(&options, "--primary") ? 1 : 2;
    for (int secondary = 0; secondary < ways; secondary++)
        for (enum begin begin = 0; begin < BEGINS; begin++)
            if (begin != RENDERING || t->features.dynamic_rendering)
                run(&s, begin, secondary);
    return vkt_finish(t);
}
