/* SPDX-License-Identifier: MIT
 *
 * What the tests of passes that are ended early share: a fake driver that notes how render passes
 * are made and begun.
 */
#ifndef PGS_TESTS_MOCK_FAKE_SPLIT_H
#define PGS_TESTS_MOCK_FAKE_SPLIT_H

#include "fake_events.h"
#include "fake_modules.h"
#include "fake_objects.h"

#include <string.h>

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note_module(what, a);
}

/* --- The driver --- */

struct made_pass {
    VkAttachmentLoadOp load, stencil_load;
    VkAttachmentStoreOp store;
    VkImageLayout initial;
    uint32_t dependencies;
};
static struct {
    struct made_pass passes[8]; /* the handle is the index + 1 */
    size_t pass_count;
    uint64_t begun[8]; /* render passes */
    size_t begun_count;
    VkAttachmentLoadOp color_load, depth_load; /* of the last BeginRendering */
    VkAttachmentStoreOp color_stores[4];       /* of all */
    VkResolveModeFlagBits resolves[4];
    size_t rendering_count;
} driver;

static inline VkResult make_pass(const struct made_pass *made, VkRenderPass *pass)
{
    assert_true(driver.pass_count < 8);
    if (FAKE_MAKE(FAKE_PASS, pass) != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    driver.passes[driver.pass_count++] = *made;
    return VK_SUCCESS;
}

static inline VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    const VkAttachmentDescription *a = &info->pAttachments[info->attachmentCount - 1];
    return make_pass(&(struct made_pass){a->loadOp, a->stencilLoadOp, a->storeOp, a->initialLayout,
                                         info->dependencyCount},
                     pass);
}

static inline VkResult create_pass2(VkDevice d, const VkRenderPassCreateInfo2 *info,
                                    const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    const VkAttachmentDescription2 *a = &info->pAttachments[info->attachmentCount - 1];
    return make_pass(&(struct made_pass){a->loadOp, a->stencilLoadOp, a->storeOp, a->initialLayout,
                                         info->dependencyCount},
                     pass);
}

static inline void begin_made_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                                   VkSubpassContents contents)
{
    begin_pass(cb, info, contents);
    if (driver.begun_count < 8)
        driver.begun[driver.begun_count++] = (uintptr_t)info->renderPass;
}

static inline void begin_made_pass2(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                                    const VkSubpassBeginInfo *subpass)
{
    begin_made_pass(cb, info, subpass->contents);
}

static inline void begin_loading(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    begin_rendering(cb, info);
    driver.color_load = info->pColorAttachments[0].loadOp;
    if (driver.rendering_count < 4) {
        driver.color_stores[driver.rendering_count] = info->pColorAttachments[0].storeOp;
        driver.resolves[driver.rendering_count++] = info->pColorAttachments[0].resolveMode;
    }
    if (info->pDepthAttachment)
        driver.depth_load = info->pDepthAttachment->loadOp;
}

static inline void draw_indirect_count(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                                       VkBuffer count_buffer, VkDeviceSize count_offset,
                                       uint32_t count, uint32_t stride)
{
    (void)count_buffer, (void)count_offset;
    draw_indirect(cb, buffer, offset, count, stride);
}

static inline void bind_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                       const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)first, (void)count, (void)buffers, (void)offsets;
    note("bind vertices");
}

/* --- Set-up --- */

static inline int setup(void **context)
{
    (void)context;
    memset(&driver, 0, sizeof(driver));
    fakes_reset(0);
    forget();
    fake_possible = false;
    dev = (struct pgs_device){
        .active = true,
        .geometry = physical.replays_layers,
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

static inline int teardown(void **context)
{
    (void)context;
    close_commands();
    return fakes.alive[FAKE_PASS] != 0;
}

/* The shader comes, is bound and drawn with. */
static inline void draw_first_emulated(void)
{
    fake_possible = true;
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static inline void begin_draw(VkRenderPass pass)
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
static inline VkAttachmentDescription description(VkFormat format)
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

static inline VkResult render_pass(const VkAttachmentDescription *attachment, VkImageLayout layout,
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

#endif
