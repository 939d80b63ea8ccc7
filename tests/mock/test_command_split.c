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
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"
#include "fake_objects.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note_module(what, a);
}

/* --- The driver --- */

struct made_pass {
    VkAttachmentLoadOp load, stencil_load;
    VkImageLayout initial;
    uint32_t dependencies;
};
static struct {
    struct made_pass passes[8]; /* the handle is the index + 1 */
    size_t pass_count;
    uint64_t begun[8]; /* render passes */
    size_t begun_count;
    VkAttachmentLoadOp color_load, depth_load; /* of the last BeginRendering */
} driver;

static VkResult make_pass(const struct made_pass *made, VkRenderPass *pass)
{
    assert_true(driver.pass_count < 8);
    if (FAKE_MAKE(FAKE_PASS, pass) != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    driver.passes[driver.pass_count++] = *made;
    return VK_SUCCESS;
}

static VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    const VkAttachmentDescription *a = &info->pAttachments[info->attachmentCount - 1];
    return make_pass(
        &(struct made_pass){a->loadOp, a->stencilLoadOp, a->initialLayout, info->dependencyCount},
        pass);
}

static VkResult create_pass2(VkDevice d, const VkRenderPassCreateInfo2 *info,
                             const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    const VkAttachmentDescription2 *a = &info->pAttachments[info->attachmentCount - 1];
    return make_pass(
        &(struct made_pass){a->loadOp, a->stencilLoadOp, a->initialLayout, info->dependencyCount},
        pass);
}

static void begin_made_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                            VkSubpassContents contents)
{
    begin_pass(cb, info, contents);
    if (driver.begun_count < 8)
        driver.begun[driver.begun_count++] = (uintptr_t)info->renderPass;
}

static void begin_made_pass2(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                             const VkSubpassBeginInfo *subpass)
{
    begin_made_pass(cb, info, subpass->contents);
}

static void begin_loading(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    begin_rendering(cb, info);
    driver.color_load = info->pColorAttachments[0].loadOp;
    if (info->pDepthAttachment)
        driver.depth_load = info->pDepthAttachment->loadOp;
}

static void draw_indirect_count(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                                VkBuffer count_buffer, VkDeviceSize count_offset, uint32_t count,
                                uint32_t stride)
{
    (void)count_buffer, (void)count_offset;
    draw_indirect(cb, buffer, offset, count, stride);
}

static void bind_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)first, (void)count, (void)buffers, (void)offsets;
    note("bind vertices");
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    memset(&driver, 0, sizeof(driver));
    fakes_reset(0);
    forget();
    fake_possible = false;
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CreateRenderPass = create_pass,
                .CreateRenderPass2 = create_pass2,
                .DestroyRenderPass = fake_DestroyRenderPass,
                FAKE_EVENT_DISPATCH,
                .CmdBindVertexBuffers = bind_vertex_buffers,
                .CmdDrawIndirectCount = draw_indirect_count,
                .CmdPipelineBarrier = note_barrier,
            },
    };
    dev.vk.CmdBeginRenderPass = begin_made_pass;
    dev.vk.CmdBeginRenderPass2 = begin_made_pass2;
    dev.vk.CmdBeginRendering = begin_loading;
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    close_commands();
    return fakes.alive[FAKE_PASS] != 0;
}

/* The shader comes, is bound and drawn with. */
static void draw_first_emulated(void)
{
    fake_possible = true;
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static void begin_draw(VkRenderPass pass)
{
    const VkClearValue clear[2] = {{.color.uint32 = {1}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

/* One depth and stencil attachment. */
static VkAttachmentDescription description(VkFormat format)
{
    return (VkAttachmentDescription){
        .format = format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
}

static VkResult render_pass(const VkAttachmentDescription *attachment, VkImageLayout layout,
                            uint32_t subpasses, VkRenderPass *pass)
{
    const VkAttachmentReference depth = {0, layout};
    const VkSubpassDescription subpass[2] = {{.pDepthStencilAttachment = &depth},
                                             {.pDepthStencilAttachment = &depth}};
    const VkSubpassDependency dependency = {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = attachment,
        .subpassCount = subpasses,
        .pSubpasses = subpass,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    return pgs_CreateRenderPass(dev.handle, &info, NULL, pass);
}

/* --- Tests --- */

static void test_render_pass(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    assert_int_equal(driver.pass_count, 2);
    assert_int_equal(driver.passes[0].load, VK_ATTACHMENT_LOAD_OP_CLEAR);
    assert_int_equal(driver.passes[1].load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(driver.passes[1].stencil_load, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    assert_int_equal(driver.passes[1].initial, VK_IMAGE_LAYOUT_GENERAL);
    assert_int_equal(driver.passes[1].dependencies, 1); /* or it would not be compatible */
    assert_int_equal(attachment.loadOp, VK_ATTACHMENT_LOAD_OP_CLEAR);

    begin(cmd, 0);
    begin_draw(pass);
    draw_first_emulated();
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

    /* No more of them are needed. */
    VkRenderPass later;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &later), VK_SUCCESS);
    assert_int_equal(driver.pass_count, 3);
    pgs_DestroyRenderPass(dev.handle, later, NULL);
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
    assert_int_equal(driver.passes[1].stencil_load, VK_ATTACHMENT_LOAD_OP_LOAD);
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
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* What render passes cannot be gone on with, and that the command buffer fails then. */
static void expect_refused(const VkAttachmentDescription *attachment, VkImageLayout layout,
                           uint32_t subpasses, const char *calls)
{
    VkRenderPass pass;
    fake_possible = false;
    forget();
    assert_int_equal(render_pass(attachment, layout, subpasses, &pass), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PASS], 1);
    begin(cmd, 0);
    begin_draw(pass);
    draw_first_emulated();
    if (subpasses > 1)
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_UNKNOWN);
    assert_string_equal(event_log.text, calls);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_refused(void **context)
{
    (void)context;
    const VkImageLayout read_only = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    VkAttachmentDescription attachment = description(VK_FORMAT_D32_SFLOAT_S8_UINT);
    expect_refused(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1,
                   "begin pass; bind NATIVE; draw 3; end pass"); /* the stencil */
    attachment = description(VK_FORMAT_D32_SFLOAT);
    expect_refused(&attachment, VK_IMAGE_LAYOUT_GENERAL, 2, "begin pass; bind NATIVE; draw 3");
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    expect_refused(&attachment, read_only, 1,
                   "begin pass; bind NATIVE; draw 3; end pass"); /* the clear is not stored */
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    expect_refused(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1,
                   "begin pass; bind NATIVE; draw 3; end pass");
    VkRenderPass pass;
    fake_possible = false;
    assert_int_equal(render_pass(&attachment, read_only, 1, &pass), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PASS], 2);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
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

    depth.imageLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_UNKNOWN);
    assert_string_equal(event_log.text, "begin rendering; draw 3; end rendering");
    info.pDepthAttachment = NULL;
    color[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_UNKNOWN);
    color[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.flags = VK_RENDERING_RESUMING_BIT;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    info.flags = 0;
    record_rendering(&info);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
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

    fake_possible = false;
    begin(cmd, 0);
    begin_draw(pass);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    draw_first_emulated();
    pgs_CmdEndQuery(cmd, queries, 1);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_UNKNOWN);
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
    begin(outer, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    pgs_CmdExecuteCommands(outer, 2, (const VkCommandBuffer[]){plain, second});
    assert_int_equal(pgs_EndCommandBuffer(outer), VK_ERROR_UNKNOWN);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &outer);

    fake_possible = false; /* in the secondary itself */
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    fake_possible = true;
    pgs_CmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(second, 3, 1, 0, 0);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_ERROR_UNKNOWN);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &plain);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* --- Captures over what was drawn from --- */

static void bind_vertex(unsigned buffer)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    const VkDeviceSize offset = 8;
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &handle, &offset);
}

static void capture(unsigned buffer, VkDeviceSize size)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    const VkDeviceSize offset = 0;
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &handle, &offset, &size);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
}

/* What was read may be overwritten. */
static void order_captures(void)
{
    pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 0, NULL, 0, NULL, 0,
                           NULL);
}

static void move(unsigned from, unsigned to)
{
    bind_vertex(from);
    capture(to, VK_WHOLE_SIZE);
    order_captures();
}

static void test_captures(void **context)
{
    (void)context;
    dev.xfb = true;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    fake_possible = true; /* a capture may come in any pass */
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    assert_int_equal(driver.pass_count, 2);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    begin(cmd, 0);
    bind_vertex(0xb); /* not drawn from in the pass */
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xa, 0xb);
    move(0xb, 0xc);
    move(0xc, 0xb);
    move(0xb, 0xd);
    move(0xd, 0xc);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "bind vertices; barrier; batch of 1; begin capture; capture; end capture; batch of 1; "
        "begin capture; capture; end capture; begin pass; bind COUNTED; bind vertices; draw 3; "
        "barrier; bind vertices; draw 3; barrier; bind vertices; end pass; barrier; batch of 1; "
        "begin capture; capture; end capture; batch of 1; begin capture; capture; end capture; "
        "begin pass; draw 3; barrier; bind vertices; draw 3; barrier; bind vertices; end pass; "
        "barrier; batch of 1; begin capture; capture; end capture; begin pass; draw 3; barrier; "
        "end pass");
    assert_int_equal(driver.begun_count, 3);
    assert_int_equal(driver.begun[0], (uintptr_t)pass);
    assert_int_equal(driver.begun[1], (uintptr_t)pass + 1);
    assert_int_equal(driver.begun[2], (uintptr_t)pass + 1);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* Indirect arguments, and what lies behind the captured range. */
static void test_capture_ranges(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    static const char *const want[] = {
        "batch of 1; begin capture; capture; end capture; begin rendering; bind COUNTED; "
        "draw indirect 1@16*16; barrier; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@16*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@16*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering",
        "batch of 1; begin capture; capture; end capture; begin rendering; bind COUNTED; "
        "draw indirect 1@16*16; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@0*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering"};
    static const VkDeviceSize sizes[] = {8, 20, VK_WHOLE_SIZE, VK_WHOLE_SIZE, 20};
    const bool split[] = {false, true, true, false, true};
    dev.xfb = true;
    fake_possible = true;
    for (int i = 0; i < 5; i++) {
        forget();
        begin(cmd, 0);
        pgs_CmdBeginRendering(cmd, &info);
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
        if (i < 4)
            pgs_CmdDrawIndirect(cmd, HANDLE(VkBuffer, 0xb), 16, 1, 16);
        else
            pgs_CmdDrawIndirectCount(cmd, HANDLE(VkBuffer, 0xa), 0, HANDLE(VkBuffer, 0xb), 16, 1,
                                     16);
        if (i != 3) /* else it cannot mean the same bytes */
            order_captures();
        capture(0xb, sizes[i]);
        pgs_CmdEndRendering(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text, want[i]);
        assert_int_equal(driver.color_load,
                         split[i] ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR);
    }
}

/* Ordered only when the interval has begun already. */
static void test_capture_begun(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkBuffer handle = HANDLE(VkBuffer, 0xb);
    const VkDeviceSize offset = 0;
    dev.xfb = true;
    fake_possible = true;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    bind_vertex(0xb);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &handle, &offset, NULL);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    bind_vertex(0xa);
    order_captures();
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    order_captures(); /* what was read in between is not captured to */
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "batch of 0; begin capture; begin rendering; bind COUNTED; bind vertices; draw 3; "
        "bind vertices; end rendering; barrier; batch of 1; capture; batch of 1; capture; "
        "end capture; begin rendering; barrier; draw 4; barrier; draw 5; end rendering");
}

/* What cannot be split is drawn as well as can be. */
static void test_captures_unsplit(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    dev.xfb = true;
    fake_possible = true;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xb, 0xb);
    move(0xb, 0xb);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "batch of 1; begin capture; capture; end capture; batch of 1; "
                        "begin capture; capture; end capture; begin rendering; bind COUNTED; "
                        "bind vertices; draw 3; barrier; bind vertices; draw 3; barrier; "
                        "end rendering");

    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer first = cmd;
    cmd = second;
    begin(cmd, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xb, 0xb);
    move(0xb, 0xb);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    cmd = first;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* Every failure is reported, and leaves nothing behind. */
static void test_failures(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    const int64_t live = pgs_alloc_live();
    for (unsigned n = 1; n <= 2; n++) {
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass),
                         VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
        assert_int_equal(pgs_alloc_live(), live);
    }
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
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rendering, setup, teardown),
        cmocka_unit_test_setup_teardown(test_queries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_capture_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_capture_begun, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures_unsplit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
