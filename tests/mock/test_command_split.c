/* SPDX-License-Identifier: MIT
 *
 * Passes that are split since the first geometry shader of the device came to be in them, or since
 * compute work must not be done before what they have drawn so far, on a fake driver, draw module
 * and pipeline module: what reaches the driver, and which cases are refused.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"
#include "fake_split.h"

static void test_render_pass(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    assert_int_equal(driver.pass_count, 1); /* others are made when they are wanted */
    assert_int_equal(driver.passes[0].load, VK_ATTACHMENT_LOAD_OP_CLEAR);
    assert_int_equal(attachment.loadOp, VK_ATTACHMENT_LOAD_OP_CLEAR);

    begin(cmd, 0);
    begin_draw(pass);
    draw_first_emulated();
    assert_int_equal(driver.pass_count, 2);
    assert_int_equal(driver.passes[1].load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(driver.passes[1].stencil_load, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    assert_int_equal(driver.passes[1].initial, VK_IMAGE_LAYOUT_GENERAL);
    assert_int_equal(driver.passes[1].dependencies, 1); /* or it would not be compatible */
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    begin_draw(pass); /* queued from the start */
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    /* The second pass waits for its external dependency before the compute work. */
    assert_string_equal(
        event_log.text,
        "begin pass; bind NATIVE; draw 3; end pass; barrier; batch of 1; begin pass; "
        "bind EMULATED; replay 3; bind NATIVE; draw 3; end pass; barrier; batch of 1; "
        "begin pass; bind NATIVE; draw 3; bind EMULATED; replay 3; end pass");
    assert_int_equal(driver.begun[0], (uintptr_t)pass);
    assert_int_equal(driver.begun[1], (uintptr_t)pass + 1);
    assert_int_equal(driver.begun[2], (uintptr_t)pass);

    assert_int_equal(driver.pass_count, 2);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    assert_int_equal(fakes.alive[FAKE_PASS], 0);
}

static void test_render_pass2(void **context)
{
    (void)context;
    const VkAttachmentDescription2 attachment = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = VK_FORMAT_S8_UINT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE, /* the format has only stencil */
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass2(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    const VkRenderPassBeginInfo begin_info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    const VkSubpassBeginInfo subpass_begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    begin(cmd, 0);
    pgs_CmdBeginRenderPass2(cmd, &begin_info, &subpass_begin);
    draw_first_emulated();
    pgs_CmdEndRenderPass2(cmd, &end);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text, "begin pass; end pass 2; barrier; batch of 1; "
                                        "begin pass; bind EMULATED; replay 3; end pass 2");
    assert_int_equal(driver.begun[1], (uintptr_t)pass + 1);
    assert_int_equal(driver.passes[1].stencil_load, VK_ATTACHMENT_LOAD_OP_LOAD);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* A draw that needs more memory than there is has a pass for each part; the first one has this pass
 * if nothing in it holds the memory. */
static void test_rounds(void **context)
{
#define NEXT "end pass; barrier; batch of 1; begin pass; "
    static const char *const texts[] = {
        "barrier; batch of 1; begin pass; bind NATIVE; draw 3; bind EMULATED; replay 4; " NEXT
        "replay 4; " NEXT "replay 2; end pass",
        "begin pass; bind NATIVE; draw 3; bind EMULATED; " NEXT "replay 4; " NEXT "replay 4; " NEXT
        "replay 2; end pass",
        "barrier; batch of 1; begin pass; bind NATIVE; draw 3; bind EMULATED; replay 10; end pass",
    };
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    fake_possible = fake_tessellated = true;
    for (int i = 0; i < 3; i++) {
        forget();
        fake_rounds = (struct pgs_rounds){.all = 10, .each = 4, .begins_anew = i == 1};
        physical.traits.keeps_passes = i == 2;
        begin(cmd, 0);
        begin_draw(pass);
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
        pgs_CmdDraw(cmd, 10, 1, 0, 0);
        pgs_CmdEndRenderPass(cmd);
        fake_rounds = (struct pgs_rounds){0};
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text, texts[i]);
        physical.traits.keeps_passes = false;
    }
    fake_tessellated = false;
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* The first geometry shader comes in the first of some subpasses. */
static void expect_resumed(const VkAttachmentDescription *attachment, VkImageLayout layout,
                           uint32_t subpasses, const char *calls)
{
    VkRenderPass pass;
    fake_possible = false;
    forget();
    driver.pass_count = 0;
    assert_int_equal(render_pass(attachment, layout, subpasses, &pass), VK_SUCCESS);
    begin(cmd, 0);
    begin_draw(pass);
    draw_first_emulated();
    if (subpasses > 1)
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text, calls);
    assert_int_equal(driver.pass_count, 2);
    assert_int_equal(driver.passes[1].load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(driver.passes[1].store, attachment->storeOp);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    assert_int_equal(fakes.alive[FAKE_PASS], 0);
}

/* Contents that are not stored may be lost, which is logged. */
static void test_lazy(void **context)
{
    (void)context;
    static const char one[] = "begin pass; bind NATIVE; draw 3; end pass; barrier; batch of 1; "
                              "begin pass; bind EMULATED; replay 3; end pass";
    const VkImageLayout read_only = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    VkAttachmentDescription attachment = description(VK_FORMAT_D32_SFLOAT_S8_UINT);
    expect_resumed(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, one); /* not the stencil */
    attachment = description(VK_FORMAT_D32_SFLOAT);
    expect_resumed(&attachment, VK_IMAGE_LAYOUT_GENERAL, 2,
                   "begin pass; bind NATIVE; draw 3; next subpass; end pass; barrier; batch of 1; "
                   "begin pass; bind EMULATED; replay 3; next subpass; end pass");
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    expect_resumed(&attachment, read_only, 1, one); /* the clear is not stored */
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    expect_resumed(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, one);
    expect_resumed(&attachment, read_only, 1, one);
}

/* Color attachments of two subpasses, `colors` and what they are resolved to. */
static VkRenderPass resolving_pass(const uint32_t colors[2], const uint32_t resolves[2],
                                   const uint32_t inputs[2], VkAttachmentDescriptionFlags flags)
{
    VkAttachmentDescription attachments[4];
    VkAttachmentReference references[3][2];
    VkSubpassDescription subpasses[2] = {{0}};
    for (uint32_t i = 0; i < 4; i++) {
        attachments[i] = description(VK_FORMAT_R8G8B8A8_UNORM);
        attachments[i].flags = flags;
        attachments[i].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
    for (uint32_t i = 0; i < 2; i++) {
        references[0][i] = (VkAttachmentReference){colors[i], VK_IMAGE_LAYOUT_GENERAL};
        references[1][i] = (VkAttachmentReference){resolves[i], VK_IMAGE_LAYOUT_GENERAL};
        references[2][i] = (VkAttachmentReference){inputs[i], VK_IMAGE_LAYOUT_GENERAL};
        subpasses[i].colorAttachmentCount = subpasses[i].inputAttachmentCount = 1;
        subpasses[i].pColorAttachments = &references[0][i];
        subpasses[i].pResolveAttachments = &references[1][i];
        subpasses[i].pInputAttachments = &references[2][i];
    }
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 4,
        .pAttachments = attachments,
        .subpassCount = 2,
        .pSubpasses = subpasses,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    return pass;
}

/* Every part runs all subpasses and resolves again. */
static void test_resolves(void **context)
{
    (void)context;
    enum { NONE = VK_ATTACHMENT_UNUSED };
    static const struct {
        uint32_t colors[2], resolves[2], inputs[2];
        VkAttachmentDescriptionFlags flags;
        bool splits[2]; /* in the first subpass, in the second one */
    } cases[] = {
        {{0, 1}, {2, 3}, {NONE, NONE}, 0, {true, true}},
        {{0, 1}, {2, NONE}, {NONE, 2}, 0, {true, true}},
        {{0, 0}, {2, NONE}, {NONE, NONE}, 0, {true, false}},
        {{0, 2}, {2, NONE}, {NONE, NONE}, 0, {true, false}},
        {{0, 1}, {2, 2}, {NONE, NONE}, 0, {false, false}},
        {{0, 1}, {NONE, 2}, {2, NONE}, 0, {false, true}},
        {{2, 1}, {NONE, 2}, {NONE, NONE}, 0, {false, true}},
        {{0, 0}, {NONE, 2}, {NONE, NONE}, 0, {true, true}},
        {{0, 0}, {NONE, NONE}, {NONE, NONE}, 0, {true, true}},
        {{0, 1}, {NONE, NONE}, {NONE, NONE}, VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT, {0}},
    };
    static const char *const texts[2][2] = {
        {"begin pass; bind NATIVE; draw 3; next subpass; end pass",
         "begin pass; bind NATIVE; draw 3; next subpass; end pass"},
        {"begin pass; bind NATIVE; draw 3; next subpass; end pass; barrier; batch of 1; "
         "begin pass; bind EMULATED; replay 3; next subpass; end pass",
         "begin pass; bind NATIVE; draw 3; next subpass; end pass; barrier; batch of 1; "
         "begin pass; next subpass; bind EMULATED; replay 3; end pass"}};
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const size_t c = i / 2, at = i % 2;
        const bool splits = cases[c].splits[at];
        fake_possible = false;
        driver.pass_count = 0;
        forget();
        const VkRenderPass pass =
            resolving_pass(cases[c].colors, cases[c].resolves, cases[c].inputs, cases[c].flags);
        begin(cmd, 0);
        begin_draw(pass);
        if (at == 1)
            pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        draw_first_emulated();
        if (at == 0)
            pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), splits ? VK_SUCCESS : VK_ERROR_UNKNOWN);
        assert_string_equal(event_log.text, texts[splits][at]);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
    }
}

static void record_rendering(const VkRenderingInfo *info)
{
    fake_possible = false;
    forget();
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, info);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    draw_first_emulated();
    pgs_CmdEndRendering(cmd);
}

static void test_rendering(void **context)
{
    (void)context;
    VkRenderingAttachmentInfo color[2] = {
        {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
         .imageView = HANDLE(VkImageView, 1),
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = VK_ATTACHMENT_STORE_OP_STORE},
        {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, /* unused */
         .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE},
    };
    VkRenderingAttachmentInfo depth = color[0];
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    depth.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 2,
        .pColorAttachments = color,
        .pDepthAttachment = &depth,
    };
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "begin rendering; draw 3; end rendering; barrier; batch of 1; "
                        "begin rendering; bind EMULATED; replay 3; end rendering");
    assert_int_equal(driver.color_load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(driver.depth_load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(color[0].loadOp, VK_ATTACHMENT_LOAD_OP_CLEAR);

    depth.imageLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL; /* contents may be lost */
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    info.pDepthAttachment = NULL;
    color[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    color[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.flags = VK_RENDERING_RESUMING_BIT;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    info.flags = 0;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Says whether that the pass has several views is logged where it is resumed. */
static bool warns_of_views(const VkRenderingInfo *info)
{
    char text[4096] = "";
    FILE *file = tmpfile();
    const int old = dup(STDERR_FILENO);
    assert_non_null(file);
    dup2(fileno(file), STDERR_FILENO);
    pgs_log_set_level(PGS_LOG_WARN);
    record_rendering(info);
    const VkResult result = pgs_EndCommandBuffer(cmd);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    assert_int_equal(result, VK_SUCCESS);
    return strstr(text, "several views") != NULL;
}

/* Drivers may forget there what was bound. */
static void test_views(void **context)
{
    (void)context;
    VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
        .pDepthAttachment = &attachment,
    };
    assert_false(warns_of_views(&info));
    info.viewMask = 3;
    assert_true(warns_of_views(&info));
}

/* What is drawn with samples of the pass alone cannot be loaded again. */
static void test_lone_samples(void **context)
{
    (void)context;
    for (uint32_t i = 0; i < 4; i++) {
        const VkMultisampledRenderToSingleSampledInfoEXT samples = {
            .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
            .multisampledRenderToSingleSampledEnable = i & 1,
            .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
        };
        const VkResult expected = i & 1 ? VK_ERROR_UNKNOWN : VK_SUCCESS;
        if (i < 2) {
            const VkRenderingAttachmentInfo color = {
                .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
            const VkRenderingInfo info = {
                .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                .pNext = &samples,
                .colorAttachmentCount = 1,
                .pColorAttachments = &color,
            };
            record_rendering(&info);
            assert_int_equal(pgs_EndCommandBuffer(cmd), expected);
            continue;
        }
        const VkAttachmentDescription2 attachment = {
            .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, .format = VK_FORMAT_S8_UINT};
        const VkSubpassDescription2 subpasses[2] = {
            {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2},
            {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pNext = &samples},
        };
        const VkRenderPassCreateInfo2 info = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
            .attachmentCount = 1,
            .pAttachments = &attachment,
            .subpassCount = 2,
            .pSubpasses = subpasses,
        };
        const VkSubpassBeginInfo subpass_begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
        const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
        VkRenderPass pass;
        fake_possible = false;
        assert_int_equal(pgs_CreateRenderPass2(dev.handle, &info, NULL, &pass), VK_SUCCESS);
        const VkRenderPassBeginInfo begin_info = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
            .renderPass = pass,
        };
        begin(cmd, 0);
        pgs_CmdBeginRenderPass2(cmd, &begin_info, &subpass_begin);
        draw_first_emulated();
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdEndRenderPass2(cmd, &end);
        assert_int_equal(pgs_EndCommandBuffer(cmd), expected);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
    }
}

static void test_queries(void **context)
{
    (void)context;
    const VkQueryPool queries = HANDLE(VkQueryPool, 3);
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    begin(cmd, 0);
    pgs_CmdBeginQuery(cmd, queries, 0, 0); /* around the pass: no matter */
    begin_draw(pass);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdEndQuery(cmd, queries, 1);
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndQuery(cmd, queries, 0);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "begin query 0; begin pass; bind NATIVE; draw 3; begin query 1; end query 1; end pass; "
        "barrier; batch of 1; begin pass; bind EMULATED; replay 3; end pass; end query 0");

    /* While one is active the pass is held, so that it can end in front of the query. */
    fake_possible = false;
    begin(cmd, 0);
    begin_draw(pass);
    forget();
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdBeginQuery(cmd, queries, 2, 0);
    pgs_CmdEndQuery(cmd, queries, 1);
    assert_string_equal(event_log.text, "");
    pgs_CmdEndQuery(cmd, queries, 2);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    assert_string_equal(event_log.text, "begin query 1; draw 4; begin query 2; end query 1; "
                                        "end query 2; draw 5");
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    draw_first_emulated();
    pgs_CmdEndQuery(cmd, queries, 1);
    pgs_CmdDraw(cmd, 7, 1, 0, 0);
    forget();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "batch of 2; begin pass; begin query 1; draw 6; bind EMULATED; replay 3; "
                        "end query 1; replay 7; end pass");

    /* One that is still active at the end of the pass is not valid, but loses nothing. */
    fake_possible = false;
    begin(cmd, 0);
    begin_draw(pass);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    forget();
    pgs_CmdEndRenderPass(cmd);
    assert_string_equal(event_log.text, "begin query 1; end pass");
    begin_draw(pass);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    begin(cmd, 0); /* nor what is never ended */
    forget();
    begin_draw(pass);
    pgs_CmdEndRenderPass(cmd);
    assert_string_equal(event_log.text, "begin pass; bind NATIVE; draw 3; end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_secondaries(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    VkCommandBuffer plain = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(plain, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    assert_int_equal(pgs_EndCommandBuffer(plain), VK_SUCCESS);
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &plain);
    fake_possible = true;
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(second, 3, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "begin pass of secondaries; execute 1; end pass; barrier; batch of 1; "
                        "begin pass; bind EMULATED; replay 3; end pass");

    /* Those that cannot be replayed have an instance of their own. */
    begin(cmd, 0);
    forget();
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 4, (const VkCommandBuffer[]){plain, plain, second, plain});
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "begin pass of secondaries; execute 2; end pass; barrier; batch of 1; begin pass; "
        "bind EMULATED; replay 3; end pass; barrier; begin pass of secondaries; execute 1; "
        "end pass");

    /* Neither can what executes them. */
    VkCommandBuffer outer = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(outer, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    forget();
    pgs_CmdExecuteCommands(outer, 1, &plain);
    assert_int_equal(pgs_EndCommandBuffer(outer), VK_SUCCESS);
    assert_string_equal(event_log.text, "execute 1");
    begin(cmd, 0);
    forget();
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 2, (const VkCommandBuffer[]){outer, second});
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "begin pass of secondaries; execute 1; end pass; barrier; batch of 1; "
                        "begin pass; bind EMULATED; replay 3; end pass");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &outer);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &plain);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void execute_all(const VkRenderPassBeginInfo *info, uint32_t count,
                        const VkCommandBuffer *secondaries)
{
    begin(cmd, 0);
    forget();
    pgs_CmdBeginRenderPass(cmd, info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    for (uint32_t i = 0; i < count; i++)
        pgs_CmdExecuteCommands(cmd, 1, &secondaries[i]);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Secondaries that the driver executes with their emulated draws. */
static void test_executable_secondaries(void **context)
{
    (void)context;
    const uint32_t continues = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    const VkCommandBuffer plain = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer late = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer outer = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(plain, continues);
    assert_int_equal(pgs_EndCommandBuffer(plain), VK_SUCCESS);

    begin(late, continues); /* a part of it is recorded already */
    forget();
    pgs_CmdDraw(late, 4, 1, 0, 0);
    fake_possible = true;
    pgs_CmdBindPipeline(late, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(late, 3, 1, 0, 0);
    assert_string_equal(event_log.text, "draw 4");
    assert_int_equal(pgs_EndCommandBuffer(late), VK_SUCCESS);
    assert_string_equal(event_log.text, "draw 4; bind EMULATED; replay 3");
    begin(second, continues);
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    for (int twice = 0; twice < 2; twice++) {
        execute_all(&info, 3, (const VkCommandBuffer[]){plain, late, second});
        assert_string_equal(
            event_log.text,
            "barrier; batch of 1; begin pass of secondaries; execute 1; execute 1; end pass; "
            "barrier; batch of 1; begin pass; bind EMULATED; replay 5; end pass");
    }

    begin(outer, continues); /* it executes both kinds: some are replayed in it */
    forget();
    pgs_CmdExecuteCommands(outer, 3, (const VkCommandBuffer[]){plain, second, late});
    assert_int_equal(pgs_EndCommandBuffer(outer), VK_SUCCESS);
    assert_string_equal(event_log.text, "execute 1; bind EMULATED; replay 5; execute 1");
    execute_all(&info, 1, &outer);
    assert_string_equal(event_log.text, "barrier; batch of 1; batch of 1; begin pass of "
                                        "secondaries; execute 1; end pass");

    fake_possible = false; /* it executes such a one before the device has a geometry shader */
    begin(outer, continues);
    forget();
    pgs_CmdDraw(outer, 6, 1, 0, 0);
    pgs_CmdExecuteCommands(outer, 1, &second);
    assert_int_equal(pgs_EndCommandBuffer(outer), VK_SUCCESS);
    assert_string_equal(event_log.text, "draw 6; bind EMULATED; replay 5");
    pgs_FreeCommandBuffers(dev.handle, pool, 4,
                           (const VkCommandBuffer[]){plain, late, second, outer});
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* Every failure is reported, and leaves nothing behind. */
static void test_failures(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    const int64_t live = pgs_alloc_live();
    fake_fail_after(1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(fakes.alive[FAKE_PASS], 0);
    assert_int_equal(pgs_alloc_live(), live);
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    begin(cmd, 0);
    begin_draw(pass);
    fake_fail_after(1, VK_ERROR_OUT_OF_DEVICE_MEMORY); /* the one that resumes */
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    assert_int_equal(fakes.alive[FAKE_PASS], 0);
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        assert_true(n < 100);
        driver.pass_count = 0;
        fake_possible = false;
        pgs_alloc_fail_after(n, false);
        VkResult result = render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass);
        if (result == VK_SUCCESS) {
            begin(cmd, 0);
            begin_draw(pass);
            draw_first_emulated();
            pgs_CmdEndRenderPass(cmd);
            result = pgs_EndCommandBuffer(cmd);
            done = result == VK_SUCCESS;
            assert_true(done || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            pgs_DestroyRenderPass(dev.handle, pass, NULL);
        }
        pgs_alloc_fail_after(0, false);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
    }
    /* What the application leaves goes with the device; its own render pass stays its own. */
    fake_possible = false;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    fakes.alive[FAKE_PASS]--;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_render_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_render_pass2, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rounds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lazy, setup, teardown),
        cmocka_unit_test_setup_teardown(test_resolves, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rendering, setup, teardown),
        cmocka_unit_test_setup_teardown(test_views, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lone_samples, setup, teardown),
        cmocka_unit_test_setup_teardown(test_queries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_executable_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
