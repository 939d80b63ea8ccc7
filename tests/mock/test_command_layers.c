/* SPDX-License-Identifier: MIT
 *
 * Passes whose geometry shaders choose the layer, on a fake driver that cannot: what is recorded
 * for each layer, with which views, in which state; and what is left of it when the objects go.
 */
#include "base/alloc.h"
#include "command/fb_layers/fb_layer_device.h"
#include "command/state/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"
#include "fake_linear.h"
#include "fake_objects.h"

#include "fake_layers.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note_module(what, a);
}

/* --- Set-up --- */

static int64_t blocks_before;

static int setup(void **context)
{
    (void)context;
    blocks_before = pgs_alloc_live();
    memset(numbers, 0xff, sizeof(numbers));
    fakes_reset(0);
    memory_fails = false;
    fake_possible = true;
    forget();
    physical = (struct pgs_physical_device){.emulates_geometry = true, .replays_layers = true};
    physical.properties.limits.maxFramebufferLayers = 8;
    dev = (struct pgs_device){
        .active = true,
        .geometry = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CreateImage = fake_CreateImage,
                .DestroyImage = fake_DestroyImage,
                .CreateImageView = create_view,
                .DestroyImageView = fake_DestroyImageView,
                .CreateFramebuffer = create_framebuffer,
                .DestroyFramebuffer = fake_DestroyFramebuffer,
                .CreateRenderPass = create_pass,
                .DestroyRenderPass = fake_DestroyRenderPass,
                FAKE_EVENT_DISPATCH,
                .CmdBindDescriptorSets = bind_sets,
                .CmdBindVertexBuffers = bind_vertex_buffers,
                .CmdPushConstants = push,
                .CmdPushDescriptorSetKHR = push_set,
                .CmdSetLineWidth = set_line_width,
                .CmdSetViewport = set_viewport,
                .CmdSetScissorWithCount = set_scissor_with_count,
                .CmdSetStencilReference = set_reference,
                .CmdClearAttachments = clear_attachments,
                .CmdPipelineBarrier = barrier,
                .CmdWriteTimestamp = write_timestamp,
            },
    };
    dev.vk.CmdBeginRenderPass = begin_with_views;
    dev.vk.CmdBeginRendering = begin_on;
    const int opened = open_commands();
    fakes.handles = 0; /* the first object of a test is 1 */
    return opened;
}

static int teardown(void **context)
{
    (void)context;
    close_commands();
    return fakes_alive() || pgs_alloc_live() != blocks_before;
}

static void end(void)
{
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

static VkImage image(bool sliced)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = sliced ? VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT : 0,
        .imageType = sliced ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
    };
    VkImage made;
    assert_int_equal(pgs_CreateImage(dev.handle, &info, NULL, &made), VK_SUCCESS);
    return made;
}

/* Of layers 2 to 4. */
static VkImageView view(VkImage of)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = 0x10,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = of,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2, 3},
    };
    VkImageView made;
    assert_int_equal(pgs_CreateImageView(dev.handle, &info, NULL, &made), VK_SUCCESS);
    return made;
}

/* A color and a depth attachment. */
static VkRenderPass render_pass(void)
{
    const VkAttachmentDescription attachments[2] = {
        {.format = VK_FORMAT_R8G8B8A8_UNORM, .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
        {.format = VK_FORMAT_D24_UNORM_S8_UINT,
         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
    };
    const VkSubpassDescription subpass = {0};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VkRenderPass made;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &made), VK_SUCCESS);
    return made;
}

/* Imageless with views NULL. */
static VkFramebuffer framebuffer(VkRenderPass pass, const VkImageView *views, uint32_t layers)
{
    const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D24_UNORM_S8_UINT};
    const VkFramebufferAttachmentImageInfo infos[2] = {
        {.layerCount = layers, .viewFormatCount = 1, .pViewFormats = &formats[0]},
        {.layerCount = layers, .viewFormatCount = 1, .pViewFormats = &formats[1]},
    };
    const VkFramebufferAttachmentsCreateInfo images = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = 2,
        .pAttachmentImageInfos = infos,
    };
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .pNext = views ? NULL : &images,
        .flags = views ? 0 : VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
        .renderPass = pass,
        .attachmentCount = 2,
        .pAttachments = views,
        .layers = layers,
    };
    VkFramebuffer made;
    assert_int_equal(pgs_CreateFramebuffer(dev.handle, &info, NULL, &made), VK_SUCCESS);
    return made;
}

/* Images, views (3, 4), a render pass (5), and the framebuffer (last) that have them. */
struct target {
    VkImage images[2];
    VkImageView views[2];
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

static struct target target(bool sliced, uint32_t layers)
{
    struct target made;
    made.images[0] = image(sliced);
    made.images[1] = image(false);
    for (int i = 0; i < 2; i++)
        made.views[i] = view(made.images[i]);
    made.pass = render_pass();
    made.framebuffer = framebuffer(made.pass, made.views, layers);
    forget();
    return made;
}

static void destroy(const struct target *t)
{
    for (int i = 0; i < 2; i++) {
        pgs_DestroyImageView(dev.handle, t->views[i], NULL);
        pgs_DestroyImage(dev.handle, t->images[i], NULL);
    }
    pgs_DestroyFramebuffer(dev.handle, t->framebuffer, NULL);
    pgs_DestroyRenderPass(dev.handle, t->pass, NULL);
}

static void begin_target(const struct target *t, const void *next)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .pNext = next,
        .renderPass = t->pass,
        .framebuffer = t->framebuffer,
    };
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void bind_and_draw(VkPipeline pipeline, uint32_t vertices)
{
    bind(cmd, pipeline);
    pgs_CmdDraw(cmd, vertices, 1, 0, 0);
}

/* --- Tests --- */

#define MADE_FIRST                                                                                 \
    "view 8 type 1,2+1u; view 9 type 1,2+1u; fb 10:1,pass5; with 8; with 9; begin pass 5,10; "
#define MADE_SECOND                                                                                \
    "view 11 type 1,3+1u; view 12 type 1,3+1u; fb 13:1,pass5; with 11; with 12; "                  \
    "begin pass 5,13; "

/* What goes to layer 0 alone is drawn once; clears go where they belong. */
static void records_each_layer(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rectangles[3] = {
        {.rect.extent.width = 7, .baseArrayLayer = 0, .layerCount = 2},
        {.rect.extent.width = 8, .baseArrayLayer = 1, .layerCount = 1},
        {.rect.extent.width = 9, .baseArrayLayer = 0, .layerCount = 1}};
    begin(cmd, 0);
    begin_target(&t, NULL);
    bind_and_draw(NATIVE, 1);
    bind_and_draw(EMULATED, 2);
    bind_and_draw(BY_LAYER, 3);
    pgs_CmdClearAttachments(cmd, 1, &clear, 3, rectangles);
    pgs_CmdClearAttachments(cmd, 1, &clear, 1, &rectangles[1]);
    pgs_CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, HANDLE(VkQueryPool, 1), 1);
    pgs_CmdEndRenderPass(cmd);
    expect_events("batch of 2; " MADE_FIRST "bind NATIVE; draw 1; bind EMULATED; replay 2; "
                  "bind BY_LAYER; layer 0@1; replay 3; clear; 7:0+1; 9:0+1; end pass; " MADE_SECOND
                  "bind NATIVE; bind EMULATED; bind BY_LAYER; layer 1+@1; replay 3; clear; 7:0+1; "
                  "8:0+1; clear; 8:0+1; write timestamp; end pass");
    /* With the last layer of a pass everything beyond is drawn. */
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t wanted[4] = {i, 0, i, UINT32_MAX - i};
        assert_memory_equal(&numbers[4 * i], wanted, sizeof(wanted));
    }

    /* What was made serves again. */
    begin_target(&t, NULL);
    bind_and_draw(BY_LAYER, 4);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("batch of 1; begin pass 5,10; bind BY_LAYER; layer 0@1; replay 4; end pass; "
                  "bind BY_LAYER; begin pass 5,13; bind BY_LAYER; layer 1+@1; replay 4; end pass");
    destroy(&t);
}

/* With all draws in it a query goes around the layers; else the pass is ended where that stays
 * true, or if it may not be, the query sees the first layer. */
static void counts_all_layers(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkQueryPool queries = HANDLE(VkQueryPool, 1);
    begin(cmd, 0);
    for (int run = 0; run < 3; run++) {
        physical.traits.keeps_passes = run == 1;
        begin_target(&t, NULL);
        pgs_CmdBeginQuery(cmd, queries, 0, 0);
        bind_and_draw(NATIVE, 1);
        bind_and_draw(BY_LAYER, 2);
        pgs_CmdEndQuery(cmd, queries, 0);
        if (run)
            bind_and_draw(NATIVE, 3);
        pgs_CmdEndRenderPass(cmd);
        if (!run)
            expect_events(
                "batch of 1; begin query 0; " MADE_FIRST "bind NATIVE; draw 1; bind BY_LAYER; "
                "layer 0@1; replay 2; end pass; " MADE_SECOND "bind NATIVE; bind BY_LAYER; "
                "layer 1+@1; replay 2; end pass; end query 0");
        else if (run == 1)
            expect_events("batch of 1; begin pass 5,10; begin query 0; bind NATIVE; draw 1; "
                          "bind BY_LAYER; layer 0@1; replay 2; end query 0; bind NATIVE; draw 3; "
                          "end pass; bind BY_LAYER; begin pass 5,13; bind NATIVE; bind BY_LAYER; "
                          "layer 1+@1; replay 2; bind NATIVE; end pass");
    }
    end();
    expect_events("batch of 1; begin query 0; begin pass 5,10; bind NATIVE; draw 1; "
                  "bind BY_LAYER; layer 0@1; replay 2; bind NATIVE; end pass; bind NATIVE; "
                  "begin pass 5,13; bind NATIVE; bind BY_LAYER; layer 1+@1; replay 2; bind NATIVE; "
                  "end pass; end query 0; barrier; pass 14:1-1; begin pass 14,7; draw 3; end pass");
    destroy(&t);
}

/* A query that begins behind a draw goes around an instance of its own as soon as a draw chooses
 * its layer. If another one is active in such an instance, it begins in front of all layers. */
static void splits_for_queries_that_overlap(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkQueryPool queries = HANDLE(VkQueryPool, 1), others = HANDLE(VkQueryPool, 2);
    begin(cmd, 0);
    begin_target(&t, NULL);
    bind_and_draw(NATIVE, 1);
    pgs_CmdBeginQuery(cmd, queries, 0, 0);
    bind_and_draw(NATIVE, 2);
    bind_and_draw(BY_LAYER, 3);
    pgs_CmdEndQuery(cmd, queries, 0);
    expect_events("pass 8:1-1; begin pass 5,7; bind NATIVE; draw 1; end pass; barrier; "
                  "begin query 0; begin pass 8,7; bind NATIVE; draw 2; bind BY_LAYER; end pass; "
                  "barrier; batch of 1; view 9 type 1,2+1u; view 10 type 1,2+1u; "
                  "fb 11:1,pass8; with 9; with 10; begin pass 8,11; layer 0@1; replay 3; "
                  "end pass; bind BY_LAYER; view 12 type 1,3+1u; view 13 type 1,3+1u; "
                  "fb 14:1,pass8; with 12; with 13; begin pass 8,14; layer 1+@1; replay 3; "
                  "end pass; end query 0; barrier");
    pgs_CmdEndRenderPass(cmd);
    expect_events("begin pass 8,7; end pass");

    begin_target(&t, NULL);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    bind_and_draw(BY_LAYER, 4);
    pgs_CmdBeginQuery(cmd, others, 2, 0);
    bind_and_draw(BY_LAYER, 5);
    pgs_CmdEndQuery(cmd, queries, 1);
    pgs_CmdEndQuery(cmd, others, 2);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("begin query 1; batch of 1; begin pass 5,11; bind BY_LAYER; layer 0@1; replay 4; "
                  "end pass; bind BY_LAYER; begin pass 5,14; bind BY_LAYER; layer 1+@1; replay 4; "
                  "end pass; barrier; begin query 2; batch of 1; begin pass 8,11; bind BY_LAYER; "
                  "layer 0@1; replay 5; end pass; bind BY_LAYER; begin pass 8,14; bind BY_LAYER; "
                  "layer 1+@1; replay 5; end pass; end query 1; barrier; begin pass 8,7; end pass; "
                  "end query 2; barrier; begin pass 8,7; end pass");
    destroy(&t);
}

/* Vertex buffer 1 comes back for native draws. */
/* The last round of a draw is in the instance that goes on, too. */
static void counts_nothing_of_rounds_in_front(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkQueryPool queries = HANDLE(VkQueryPool, 1);
    begin(cmd, 0);
    begin_target(&t, NULL);
    fake_rounds = (struct pgs_rounds){.all = 4, .each = 2};
    bind_and_draw(BY_LAYER, 4);
    fake_rounds = (struct pgs_rounds){0};
    forget();
    pgs_CmdBeginQuery(cmd, queries, 0, 0);
    bind_and_draw(BY_LAYER, 5);
    pgs_CmdEndQuery(cmd, queries, 0);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("batch of 1; begin pass 14,10; layer 0@1; replay 2; end pass; bind BY_LAYER; "
                  "begin pass 14,13; layer 1+@1; replay 2; end pass; barrier; batch of 1; "
                  "begin query 0; begin pass 14,10; bind BY_LAYER; layer 0@1; replay 5; end pass; "
                  "bind BY_LAYER; begin pass 14,13; bind BY_LAYER; layer 1+@1; replay 5; "
                  "end pass; end query 0");
    destroy(&t);
}

static void gives_the_vertex_buffer_back(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkBuffer buffers[2] = {HANDLE(VkBuffer, 21), HANDLE(VkBuffer, 22)};
    const VkDeviceSize offsets[2] = {0, 0};
    begin(cmd, 0);
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &buffers[0], offsets);
    pgs_CmdBindVertexBuffers(cmd, 1, 1, &buffers[1], offsets);
    begin_target(&t, NULL);
    bind_and_draw(BY_LAYER, 1);
    bind_and_draw(NATIVE, 2);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events(
        "vertex 0:21; vertex 1:22; batch of 1; " MADE_FIRST "bind BY_LAYER; layer 0@1; "
        "replay 1; vertex 0:21; vertex 1:22; bind NATIVE; draw 2; end pass; " MADE_SECOND
        "bind BY_LAYER; layer 1+@1; replay 1; vertex 0:21; vertex 1:22; bind NATIVE; end pass");
    destroy(&t);
}

/* Each layer begins with the state that the pass begins with, not with what the last one leaves. */
static void gives_the_state_back(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkPipelineLayout layout = HANDLE(VkPipelineLayout, 31);
    const VkDescriptorSet sets[3] = {HANDLE(VkDescriptorSet, 41), HANDLE(VkDescriptorSet, 42),
                                     HANDLE(VkDescriptorSet, 43)};
    const uint32_t offsets[3] = {16, 32, 48};
    const VkViewport wide = {.width = 100}, narrow = {.width = 50};
    const VkRect2D scissors[2] = {{.extent.width = 60}, {.extent.width = 61}};
    const uint32_t pushed[2] = {71, 72};
    begin(cmd, 0);
    bind(cmd, BY_LAYER);
    pgs_CmdSetLineWidth(cmd, 3);
    pgs_CmdSetViewport(cmd, 1, 1, &wide);
    pgs_CmdSetScissorWithCount(cmd, 2, scissors);
    pgs_CmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 5);
    pgs_CmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, 6);
    pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 3, sets, 3, offsets);
    pgs_CmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &pushed[0]);
    begin_target(&t, NULL);
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    pgs_CmdSetLineWidth(cmd, 4);
    pgs_CmdSetViewport(cmd, 1, 1, &narrow);
    pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &sets[1], 0,
                              NULL);
    pgs_CmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &pushed[1]);
    bind(cmd, NATIVE);
    forget();
    pgs_CmdEndRenderPass(cmd);
    /* The draw gets the sets that were kept back, once for each layer. */
#define SETS "set 0:41,layout31; set 1:42,layout31; at 16; set 2:43,layout31; at 32; at 48; "
    expect_events("batch of 1; push 71; " MADE_FIRST SETS "layer 0@1; replay 1; width 4; "
                  "viewport 1:50; set 0:42,layout31; push 72; bind NATIVE; end pass; width 3; "
                  "scissors 2:60; viewport 1:100; reference 1:5; reference 2:6; "
                  "bind BY_LAYER; push 71; " MADE_SECOND SETS "layer 1+@1; replay 1; width 4; "
                  "viewport 1:50; set 0:42,layout31; push 72; bind NATIVE; end pass");
#undef SETS

    /* The next pass begins with what this one left. */
    begin_target(&t, NULL);
    bind_and_draw(BY_LAYER, 2);
    pgs_CmdSetLineWidth(cmd, 7);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events(
        "batch of 1; push 72; begin pass 5,10; bind BY_LAYER; layer 0@1; replay 2; width 7; "
        "end pass; width 4; scissors 2:60; viewport 1:50; reference 1:5; reference 2:6; "
        "set 1:42,layout31; at 16; set 2:43,layout31; at 32; at 48; set 0:42,layout31; "
        "bind NATIVE; push 72; begin pass 5,13; bind BY_LAYER; layer 1+@1; replay 2; width 7; "
        "end pass");
    destroy(&t);
}

static void push_buffer(VkPipelineBindPoint point, uint32_t binding, uint32_t offset_B)
{
    const VkDescriptorBufferInfo info = {HANDLE(VkBuffer, 1), offset_B, 4};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &info,
    };
    pgs_CmdPushDescriptorSetKHR(cmd, point, HANDLE(VkPipelineLayout, 31), 0, 1, &write);
}

/* Those of each bind point. */
static void gives_pushed_descriptors_back(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    const VkPipelineBindPoint dispatches = VK_PIPELINE_BIND_POINT_COMPUTE;
    begin(cmd, 0);
    push_buffer(graphics, 0, 10);
    push_buffer(graphics, 1, 11);
    push_buffer(dispatches, 0, 20);
    begin_target(&t, NULL);
    bind_and_draw(BY_LAYER, 1);
    push_buffer(graphics, 1, 12);
    push_buffer(dispatches, 1, 21);
    bind_and_draw(BY_LAYER, 2);
    forget();
    pgs_CmdEndRenderPass(cmd);
    expect_events("batch of 2; push compute 0: 0=20; " MADE_FIRST
                  "bind BY_LAYER; layer 0@1; replay 1; push 0: 1=12; push compute 0: 1=21; "
                  "bind BY_LAYER; layer 0@1; replay 2; end pass; "
                  "push 0: 0=10 1=11; push compute 0: 0=20; " MADE_SECOND
                  "bind BY_LAYER; layer 1+@1; replay 1; push 0: 1=12; push compute 0: 1=21; "
                  "bind BY_LAYER; layer 1+@1; replay 2; end pass");

    /* The next pass begins with what this one left. */
    begin_target(&t, NULL);
    bind_and_draw(BY_LAYER, 3);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("batch of 1; push compute 0: 0=20 1=21; begin pass 5,10; bind BY_LAYER; "
                  "layer 0@1; replay 3; end pass; push 0: 0=10 1=12; bind BY_LAYER; "
                  "push compute 0: 0=20 1=21; begin pass 5,13; bind BY_LAYER; layer 1+@1; "
                  "replay 3; end pass");
    destroy(&t);
}

/* The layers of an image do not change; the slices of another one change once, together. */
static void changes_the_layout_of_slices_once(void **context)
{
    (void)context;
    for (int sliced = 0; sliced < 2; sliced++) {
        const unsigned first = (unsigned)fakes.handles;
        const struct target t = target(sliced, 3);
        begin(cmd, 0);
        bind(cmd, BY_LAYER);
        begin_target(&t, NULL);
        pgs_CmdDraw(cmd, 1, 1, 0, 0);
        pgs_CmdEndRenderPass(cmd);
        end();
        char barrier_words[64], words[64];
        for (unsigned layer = 1; layer < 3; layer++) {
            snprintf(barrier_words, sizeof(barrier_words), "barrier; 0-3:%u+1,6; begin pass %u,",
                     2 + layer, first + 6);
            assert_int_equal(strstr(event_log.text, barrier_words) != NULL, sliced);
        }
        snprintf(words, sizeof(words), "begin pass %u,", first + 5);
        unsigned count = 0;
        for (const char *at = event_log.text; (at = strstr(at, words)); at++)
            count++;
        assert_int_equal(count, sliced ? 1 : 3);
        destroy(&t);
        forget();
    }
}

static void finds_the_views_of_imageless_framebuffers(void **context)
{
    (void)context;
    struct target t = target(false, 2);
    pgs_DestroyFramebuffer(dev.handle, t.framebuffer, NULL);
    t.framebuffer = framebuffer(t.pass, NULL, 2);
    const VkRenderPassAttachmentBeginInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = 2,
        .pAttachments = t.views,
    };
    forget();
    begin(cmd, 0);
    bind(cmd, BY_LAYER);
    begin_target(&t, &views);
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("bind BY_LAYER; batch of 1; fb 9:1,pass5; image:1,37; image:1,129; "
                  "view 10 type 1,2+1u; view 11 type 1,2+1u; begin pass 5,9; on 10; on 11; "
                  "layer 0@1; replay 1; end pass; bind BY_LAYER; view 12 type 1,3+1u; "
                  "view 13 type 1,3+1u; begin pass 5,9; on 12; on 13; layer 1+@1; replay 1; "
                  "end pass");
    destroy(&t);
}

static void draws_to_the_layers_of_a_rendering(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    VkRenderingAttachmentInfo attachments[2] = {
        {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = t.views[0]},
        {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO},
    };
    attachments[0].resolveImageView = t.views[1];
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .layerCount = 2,
        .colorAttachmentCount = 2,
        .pColorAttachments = attachments,
        .pDepthAttachment = &attachments[0],
    };
    begin(cmd, 0);
    bind(cmd, BY_LAYER);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    end();
    expect_events("bind BY_LAYER; batch of 1; view 8 type 1,2+1u; view 9 type 1,2+1u; "
                  "begin pass 1; on 8,9; on 0,0; depth 8; layer 0@1; replay 1; end rendering; "
                  "bind BY_LAYER; view 10 type 1,3+1u; view 11 type 1,3+1u; begin pass 1; "
                  "on 10,11; on 0,0; depth 10; layer 1+@1; replay 1; end rendering");
    destroy(&t);
}

/* The parts of a chain stand alone, in whatever command buffer they are. */
static void breaks_chains(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = t.views[0],
        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = t.views[1],
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
    };
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_SUSPENDING_BIT,
        .layerCount = 2,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    fake_possible = false;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdEndRendering(cmd);
    end();
    expect_events("begin pass 2; flags 0,load1,store0; on 3,0; end rendering");
    fake_possible = true;
    begin(cmd, 0);
    info.flags = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;
    pgs_CmdBeginRendering(cmd, &info);
    bind_and_draw(BY_LAYER, 1);
    pgs_CmdEndRendering(cmd);
    end();
    expect_events("barrier; batch of 1; view 8 type 1,2+1u; begin pass 1; on 8,0; "
                  "bind BY_LAYER; layer 0@1; replay 1; end rendering; view 9 type 1,3+1u; "
                  "begin pass 1; on 9,0; bind BY_LAYER; layer 1+@1; replay 1; end rendering");
    begin(cmd, 0);
    info.flags = VK_RENDERING_RESUMING_BIT;
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdEndRendering(cmd);
    end();
    expect_events("barrier; begin pass 2; flags 0,load0,store1; on 3,4; end rendering");
    destroy(&t);
}

/* One layer, or nobody who chooses: as ever. */
static void leaves_other_passes_alone(void **context)
{
    (void)context;
    const struct target one = target(false, 1), two = target(false, 2);
    begin(cmd, 0);
    begin_target(&one, NULL);
    bind_and_draw(BY_LAYER, 1);
    bind_and_draw(NATIVE, 2);
    pgs_CmdEndRenderPass(cmd);
    begin_target(&two, NULL);
    bind_and_draw(EMULATED, 3);
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events(
        "batch of 1; begin pass 5,7; bind BY_LAYER; layer 0+@1; replay 1; bind NATIVE; draw 2; "
        "end pass; batch of 1; begin pass 12,14; bind EMULATED; replay 3; end pass");
    destroy(&one);
    destroy(&two);
}

static void begin_in(const struct target *t)
{
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = t->pass,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_SUCCESS);
}

/* A secondary whose first draws precede the device's first geometry shader is recorded for each
 * layer, too; so is one that has none. */
static void replays_early_secondaries(void **context)
{
    (void)context;
    const struct target t = target(false, 2);
    const VkCommandBuffer primary = cmd, plain = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                          mixed = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    fake_possible = false;
    cmd = plain;
    begin_in(&t);
    bind_and_draw(NATIVE, 1);
    end();
    expect_events("bind NATIVE; draw 1"); /* for passes that are not recorded by layer */
    cmd = mixed;
    begin_in(&t);
    bind_and_draw(NATIVE, 2);
    fake_possible = true;
    bind_and_draw(BY_LAYER, 3);
    end();
    expect_events("");
    cmd = primary;
    begin(cmd, 0);
    begin_target(&t, NULL);
    pgs_CmdExecuteCommands(cmd, 2, (const VkCommandBuffer[]){plain, mixed});
    pgs_CmdEndRenderPass(cmd);
    end();
    expect_events("batch of 1; " MADE_FIRST "bind NATIVE; draw 1; bind NATIVE; draw 2; "
                  "bind BY_LAYER; layer 0@1; replay 3; end pass; " MADE_SECOND
                  "bind NATIVE; bind NATIVE; bind BY_LAYER; layer 1+@1; replay 3; end pass");
    pgs_FreeCommandBuffers(dev.handle, pool, 2, (const VkCommandBuffer[]){plain, mixed});
    destroy(&t);
}

/* Whatever creation fails, the command buffer fails, and the next one can do it. */
static void fails_for_want_of_memory(void **context)
{
    (void)context;
    for (unsigned n = 0; n <= 6; n++) {
        const struct target t = target(false, 2);
        memory_fails = n == 0 && !dev.commands->fb_layers->numbers.buffer;
        begin(cmd, 0);
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        begin_target(&t, NULL);
        bind_and_draw(BY_LAYER, 1);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_DEVICE_MEMORY);
        memory_fails = false;
        forget();
        begin(cmd, 0);
        begin_target(&t, NULL);
        bind_and_draw(BY_LAYER, 1);
        pgs_CmdEndRenderPass(cmd);
        end();
        assert_non_null(strstr(event_log.text, "layer 1+@1; replay 1; end pass"));
        destroy(&t);
        forget();
    }
    for (int n = 1; n < 8; n++) { /* host memory */
        const struct target t = target(false, 2);
        begin(cmd, 0);
        begin_target(&t, NULL);
        bind_and_draw(BY_LAYER, 1);
        pgs_alloc_fail_after(n, false);
        pgs_CmdEndRenderPass(cmd);
        pgs_alloc_fail_after(0, false);
        (void)pgs_EndCommandBuffer(cmd); /* fails while there are so many allocations */
        destroy(&t);
        forget();
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(records_each_layer),
        TEST(counts_all_layers),
        TEST(splits_for_queries_that_overlap),
        TEST(counts_nothing_of_rounds_in_front),
        TEST(gives_the_vertex_buffer_back),
        TEST(gives_the_state_back),
        TEST(gives_pushed_descriptors_back),
        TEST(changes_the_layout_of_slices_once),
        TEST(finds_the_views_of_imageless_framebuffers),
        TEST(draws_to_the_layers_of_a_rendering),
        TEST(breaks_chains),
        TEST(replays_early_secondaries),
        TEST(leaves_other_passes_alone),
        TEST(fails_for_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
