/* SPDX-License-Identifier: MIT
 *
 * Passes with views that are split, or are queued since they must not be, on a fake driver, draw
 * module and pipeline module: what reaches the driver. It may forget where such a subpass begins
 * what was bound before.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/pass/split.h"
#include "fake_split.h"

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

static VkRenderPass pass_of_views(uint32_t first, uint32_t second)
{
    const uint32_t masks[2] = {first, second};
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 2,
        .pViewMasks = masks,
    };
    const VkSubpassDescription subpasses[2] = {{0}, {0}};
    const VkAttachmentDescription depth = description(VK_FORMAT_D16_UNORM);
    const VkRenderPassCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .attachmentCount = 1,
        .pAttachments = &depth,
        .subpassCount = 2,
        .pSubpasses = subpasses,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &create, NULL, &pass), VK_SUCCESS);
    return pass;
}

/* Such a pass is queued from the beginning. */
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
    for (info.viewMask = 0; info.viewMask < 2; info.viewMask++) {
        record_rendering(&info);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text,
                            info.viewMask
                                ? "batch of 1; begin rendering; draw 3; bind EMULATED; replay 3; "
                                  "end rendering"
                                : "begin rendering; draw 3; end rendering; barrier; batch of 1; "
                                  "begin rendering; bind EMULATED; replay 3; end rendering");
    }
    const VkRenderPass pass = pass_of_views(1, 6);
    fake_possible = false;
    forget();
    begin(cmd, 0);
    begin_draw(pass);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text, "batch of 1; begin pass; bind NATIVE; draw 3; "
                                        "next subpass; bind EMULATED; replay 3; end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static VkRenderPass made_first;

/* Every render pass gets the handle of the first one, as drivers may where that was destroyed. */
static VkResult create_there(VkDevice d, const VkRenderPassCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    const VkResult result = create_pass(d, info, allocator, pass);
    if (!made_first)
        made_first = *pass;
    *pass = made_first;
    return result;
}

/* What a command buffer knows of a render pass is not taken for another one. A third one may get
 * the memory of the first. */
static void test_handle_of_destroyed(void **context)
{
    (void)context;
    VkRenderPass others[2];
    made_first = VK_NULL_HANDLE;
    for (uint32_t views = 0; views < 2; views++) {
        dev.vk.CreateRenderPass = create_there;
        const VkRenderPass pass = pass_of_views(views, views);
        assert_ptr_equal(pass, made_first);
        fake_possible = false;
        forget();
        begin(cmd, 0);
        begin_draw(pass);
        draw_first_emulated();
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text,
                            views ? "batch of 1; begin pass; bind NATIVE; draw 3; bind EMULATED; "
                                    "replay 3; next subpass; end pass"
                                  : "begin pass; bind NATIVE; draw 3; next subpass; end pass; "
                                    "barrier; batch of 1; begin pass; bind EMULATED; replay 3; "
                                    "next subpass; end pass");
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
        dev.vk.CreateRenderPass = create_pass;
        others[views] = pass_of_views(0, 0);
    }
    for (uint32_t i = 0; i < 2; i++)
        pgs_DestroyRenderPass(dev.handle, others[i], NULL);
}

/* What is bound again is that of the subpass. */
static void test_views_of_subpasses(void **context)
{
    (void)context;
    const VkRenderPass pass = pass_of_views(6, 1);
    fake_possible = true;
    begin(cmd, 0);
    begin_draw(pass);
    pgs_pass_begin_segment(pgs_command_buffer_find(cmd), "a test wants it");
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    draw_first_emulated();
    pgs_pass_begin_segment(pgs_command_buffer_find(cmd), "a test wants it");
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "begin pass; bind NATIVE; draw 3; next subpass; end pass; barrier; "
                        "batch of 1; begin pass; bind NATIVE; draw 4; next subpass; "
                        "bind EMULATED; replay 3; end pass; barrier; batch of 1; "
                        "begin pass; next subpass; bind EMULATED; replay 5; end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* Each view has rounds of its own, and all that is bound is bound again in each. */
static void test_rounds_of_views(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .viewMask = 5,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    fake_possible = fake_tessellated = true;
    fake_view_mask = info.viewMask;
    fake_rounds = (struct pgs_rounds){.all = 6, .each = 4, .begins_anew = true};
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    fake_tessellated = false;
    fake_view_mask = 0;
    fake_rounds = (struct pgs_rounds){0};
#define ROUND "barrier; batch of 1; begin rendering; bind EMULATED; replay "
    assert_string_equal(event_log.text, "begin rendering; bind EMULATED; end rendering; " ROUND
                                        "4; end rendering; " ROUND "2; end rendering; " ROUND
                                        "4; end rendering; " ROUND "2; end rendering");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_views, setup, teardown),
        cmocka_unit_test_setup_teardown(test_handle_of_destroyed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_views_of_subpasses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rounds_of_views, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
