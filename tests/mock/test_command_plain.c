/* SPDX-License-Identifier: MIT
 *
 * Command buffers that are recorded again and again, with quiet passes alone, with emulated draws,
 * and with both, on a fake driver, draw module and pipeline module: what one recording leaves must
 * not show in the next one, however little a reset has to forget.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/alloc.h"
#include "fake_split.h"
#include "vulkan/recorder.h"

#define LAYOUT HANDLE(VkPipelineLayout, 0x99)
#define FRAMEBUFFER HANDLE(VkFramebuffer, 0x66)

/* --- The driver --- */

static VkRenderPassBeginInfo last_begun; /* without values of its own */
static uint32_t pushes, bound_sets;
static VkResult begins_with;

static void begin_kept(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                       VkSubpassContents contents)
{
    begin_made_pass(cb, info, contents);
    last_begun = *info;
}

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)point, (void)layout, (void)first, (void)count, (void)sets;
    (void)offset_count, (void)offsets;
    bound_sets++;
}

static void bind_index_buffer(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B,
                              VkIndexType type)
{
    (void)cb, (void)buffer, (void)offset_B, (void)type;
}

static void set_viewport(VkCommandBuffer cb, uint32_t first, uint32_t count,
                         const VkViewport *viewports)
{
    (void)cb, (void)first, (void)count, (void)viewports;
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset_B, uint32_t size_B, const void *values)
{
    (void)cb, (void)layout, (void)stages, (void)offset_B, (void)size_B, (void)values;
    pushes++;
}

static VkResult begin_buffer(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb, (void)info;
    return begins_with;
}

/* --- Set-up --- */

static VkRenderPass pass;

static int setup_plain(void **context)
{
    const VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    if (setup(context) != 0)
        return -1;
    dev.vk.CmdBeginRenderPass = begin_kept;
    dev.vk.CmdBindDescriptorSets = bind_sets;
    dev.vk.CmdBindIndexBuffer = bind_index_buffer;
    dev.vk.CmdPushConstants = push_constants;
    dev.vk.CmdSetViewport = set_viewport;
    dev.vk.BeginCommandBuffer = begin_buffer;
    dev.vk.ResetCommandBuffer = fake_ResetCommandBuffer;
    begins_with = VK_SUCCESS;
    fake_possible = true;
    return render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass);
}

static int teardown_plain(void **context)
{
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    return teardown(context);
}

/* Scribbles over what the application has no longer to keep. */
static void begin_pass_to(VkFramebuffer framebuffer)
{
    VkClearValue clear[2] = {{.color.uint32 = {1}}};
    VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = framebuffer,
        .renderArea = {{1, 2}, {3, 4}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    memset(&info, 0xee, sizeof(info));
    memset(clear, 0xee, sizeof(clear));
}

static bool is_unqueued(void)
{
    return pgs_recorder_direct(cmd) != NULL;
}

static void draw_native(void)
{
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static void end_pass_and_buffer(void)
{
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Until the pass is quiet. */
static void make_quiet_at(VkFramebuffer framebuffer)
{
    for (uint32_t i = 0; i < 64; i++) {
        begin(cmd, 0);
        begin_pass_to(framebuffer);
        draw_native();
        end_pass_and_buffer();
        forget();
    }
}

static void make_quiet(void)
{
    make_quiet_at(FRAMEBUFFER);
}

/* Whatever of the graphics state a plain pass can set, and constants. */
static void set_all(void)
{
    const VkBuffer buffers[2] = {HANDLE(VkBuffer, 0x42), HANDLE(VkBuffer, 0x43)};
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x50);
    const VkViewport viewport = {.width = 8, .height = 8, .maxDepth = 1};
    const uint32_t constants[16] = {1, 2, 3};
    pgs_CmdBindVertexBuffers(cmd, 2, 1, &buffers[0], &(VkDeviceSize){8});
    pgs_CmdBindVertexBuffers(cmd, 5, 2, buffers, (const VkDeviceSize[]){16, 24});
    pgs_CmdBindIndexBuffer(cmd, buffers[1], 4, VK_INDEX_TYPE_UINT16);
    pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, LAYOUT, 1, 1, &set, 0, NULL);
    pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, LAYOUT, 3, 1, &set, 1,
                              &(uint32_t){64});
    pgs_CmdSetViewport(cmd, 0, 1, &viewport);
    pgs_CmdPushConstants(cmd, LAYOUT, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(constants), constants);
}

/* After that the command buffer has no memory for batches left, so the next recording begins as a
 * plain one. */
static void record_plain(void)
{
    begin(cmd, 0);
    pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           0, 0, NULL, 0, NULL, 0, NULL);
    begin_pass_to(FRAMEBUFFER);
    assert_true(is_unqueued());
    set_all();
    draw_native();
    end_pass_and_buffer();
    expect_events("barrier; begin pass; bind vertices; bind vertices; bind NATIVE; draw 3; "
                  "end pass");
}

/* In another pass, which is queued. Nothing is known but the pipeline, and the driver has nothing
 * to be pushed again. */
static void expect_nothing_known(void)
{
    pushes = 0;
    begin_pass_to(HANDLE(VkFramebuffer, 0x67));
    assert_false(is_unqueued());
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    const struct pgs_graphics_state *known = &fake_last_state;
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS; i++)
        assert_null(known->vertex[i].buffer);
    for (uint32_t i = 0; i < PGS_MAX_SETS; i++) {
        assert_null(known->sets[i]);
        assert_int_equal(known->dynamic_count[i], 0);
    }
    assert_null(known->index_buffer);
    assert_int_equal(known->viewport_mask, 0);
    assert_null(known->counted);
    end_pass_and_buffer();
    assert_int_equal(pushes, 0);
    expect_events("barrier; batch of 1; begin pass; bind EMULATED; replay 5; end pass");
}

/* --- Tests --- */

static void recordings_start_anew(void **context)
{
    (void)context;
    make_quiet();
    record_plain();
    begin(cmd, 0);
    expect_nothing_known();
    record_plain(); /* behind one with memory, too */
    record_plain();
    assert_int_equal(pgs_ResetCommandBuffer(cmd, 0), VK_SUCCESS);
    begin(cmd, 0);
    expect_nothing_known();
    record_plain();
    assert_int_equal(pgs_ResetCommandPool(dev.handle, pool, 0), VK_SUCCESS);
    begin(cmd, 0);
    expect_nothing_known();
}

/* Neither is ended, in the pass or behind it. */
static void recordings_may_be_left(void **context)
{
    (void)context;
    make_quiet();
    for (uint32_t in_pass = 0; in_pass < 2; in_pass++) {
        record_plain();
        begin(cmd, 0);
        begin_pass_to(FRAMEBUFFER);
        set_all();
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
        if (!in_pass)
            pgs_CmdEndRenderPass(cmd);
        forget();
        begin(cmd, 0);
        expect_nothing_known();
    }
    /* A queued one with nothing in it. */
    record_plain();
    begin(cmd, 0);
    begin_pass_to(HANDLE(VkFramebuffer, 0x69));
    assert_false(is_unqueued());
    forget();
    record_plain();
}

/* What compute work of the layer would restore in front of its own passes is forgotten, too. */
static void compute_state_starts_anew(void **context)
{
    (void)context;
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x50);
    make_quiet();
    for (uint32_t what = 0; what < 2; what++) {
        record_plain();
        begin(cmd, 0);
        if (what)
            pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, LAYOUT, 0, 1, &set, 0,
                                      NULL);
        else
            pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE);
        begin_pass_to(FRAMEBUFFER);
        assert_true(is_unqueued());
        draw_native();
        end_pass_and_buffer();
        forget();
        begin(cmd, 0);
        bound_sets = 0;
        expect_nothing_known();
        assert_int_equal(bound_sets, 0);
    }
}

/* Both in one command buffer, in any order: after each recording the next one starts anew. */
static void recordings_may_differ(void **context)
{
    (void)context;
    make_quiet();
    for (uint32_t order = 0; order < 8; order++) {
        begin(cmd, 0);
        for (uint32_t i = 0; i < 3; i++) {
            const bool plain = order >> i & 1;
            begin_pass_to(plain ? FRAMEBUFFER : HANDLE(VkFramebuffer, 0x68));
            set_all();
            pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, plain ? NATIVE : EMULATED);
            pgs_CmdDraw(cmd, 4, 1, 0, 0);
            pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
            pgs_CmdEndRenderPass(cmd);
        }
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        forget();
        begin(cmd, 0);
        expect_nothing_known();
        record_plain();
    }
}

/* What the driver has begun is begun once more as it was, and clears nothing. */
static void quiet_render_passes_are_resumed(void **context)
{
    (void)context;
    make_quiet();
    begin(cmd, 0);
    begin_pass_to(FRAMEBUFFER);
    assert_true(is_unqueued());
    assert_int_equal(last_begun.clearValueCount, 2);
    draw_native();
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    end_pass_and_buffer();
    expect_events("begin pass; bind NATIVE; draw 3; end pass; barrier; batch of 1; begin pass; "
                  "bind EMULATED; replay 5; end pass");
    assert_int_equal(last_begun.sType, VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    assert_null(last_begun.pNext);
    assert_ptr_not_equal(last_begun.renderPass, pass);
    assert_int_equal(driver.passes[driver.pass_count - 1].load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_ptr_equal(last_begun.framebuffer, FRAMEBUFFER);
    assert_int_equal(last_begun.renderArea.offset.y, 2);
    assert_int_equal(last_begun.renderArea.extent.height, 4);
    assert_int_equal(last_begun.clearValueCount, 0);
    /* It is queued from then on. */
    begin(cmd, 0);
    begin_pass_to(FRAMEBUFFER);
    assert_false(is_unqueued());
    end_pass_and_buffer();
}

/* The operation of an aspect that the format lacks counts as one that needs a value, too (VUID-
 * VkRenderPassBeginInfo-clearValueCount-00902), and drivers may look for it. */
static void resumed_passes_clear_nothing(void **context)
{
    (void)context;
    static const VkFormat formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_S8_UINT,
                                       VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_R8G8B8A8_UNORM};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        VkAttachmentDescription attachment = description(formats[i]);
        attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
        driver.pass_count = 0;
        assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
        make_quiet_at(HANDLE(VkFramebuffer, 0x70 + i));
        begin(cmd, 0);
        begin_pass_to(HANDLE(VkFramebuffer, 0x70 + i));
        assert_true(is_unqueued());
        draw_native();
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
        pgs_CmdDraw(cmd, 5, 1, 0, 0);
        end_pass_and_buffer();
        forget();
        assert_int_equal(driver.pass_count, 2);
        assert_int_equal(last_begun.clearValueCount, 0);
        assert_int_not_equal(driver.passes[1].load, VK_ATTACHMENT_LOAD_OP_CLEAR);
        assert_int_not_equal(driver.passes[1].stencil_load, VK_ATTACHMENT_LOAD_OP_CLEAR);
    }
}

/* A query holds what follows it, and the pass is resumed behind it. */
static void queries_hold_what_follows(void **context)
{
    (void)context;
    make_quiet();
    begin(cmd, 0);
    begin_pass_to(FRAMEBUFFER);
    pgs_CmdBeginQuery(cmd, HANDLE(VkQueryPool, 0x60), 0, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    pgs_CmdEndQuery(cmd, HANDLE(VkQueryPool, 0x60), 0);
    end_pass_and_buffer();
    forget();
    begin(cmd, 0);
    expect_nothing_known();
}

/* An error belongs to the recording that had it. */
static void errors_are_forgotten(void **context)
{
    (void)context;
    const uint32_t constants[8] = {1};
    make_quiet();
    begin(cmd, 0);
    begin_pass_to(FRAMEBUFFER);
    draw_native();
    pgs_alloc_fail_after(1, true);
    pgs_CmdPushConstants(cmd, LAYOUT, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(constants), constants);
    pgs_alloc_fail_after(0, false);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_HOST_MEMORY);
    forget();
    record_plain();
    begin(cmd, 0);
    expect_nothing_known();
}

/* Its batches then give back what they kept for the recording. */
static void begins_may_fail(void **context)
{
    (void)context;
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    make_quiet();
    for (uint32_t plain = 0; plain < 2; plain++) {
        begin(cmd, 0);
        expect_nothing_known();
        if (plain)
            record_plain();
        begins_with = VK_ERROR_OUT_OF_DEVICE_MEMORY;
        fake_keeps = true;
        assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_false(fake_keeps);
        begins_with = VK_SUCCESS;
        record_plain();
    }
    begin(cmd, 0);
    expect_nothing_known();
}

/* Primaries that execute a secondary only read it, as several threads may at the same time: of what
 * TSan sees there. */
static VkCommandBuffer shared[2];

static void *execute_shared(void *unused)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = FRAMEBUFFER,
    };
    const VkCommandPool own = new_pool();
    const VkCommandBuffer cb = own ? new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY) : NULL;
    for (uint32_t i = 0; cb && i < 64; i++) {
        begin(cb, 0);
        pgs_CmdBeginRenderPass(cb, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cb, 1 + i / 32, shared);
        pgs_CmdEndRenderPass(cb);
        assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
        forget();
    }
    drop(own, cb);
    return unused;
}

static void secondaries_are_only_read(void **context)
{
    (void)context;
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                 VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &inherited,
    };
    pthread_t threads[2];
    dev.vk.CmdBeginRenderPass = begin_pass; /* which notes for each thread */
    for (uint32_t i = 0; i < 2; i++) {      /* one without and one with emulated draws */
        shared[i] = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        assert_int_equal(pgs_BeginCommandBuffer(shared[i], &info), VK_SUCCESS);
        pgs_CmdBindPipeline(shared[i], VK_PIPELINE_BIND_POINT_GRAPHICS, i ? EMULATED : NATIVE);
        pgs_CmdDraw(shared[i], 3, 1, 0, 0);
        assert_int_equal(pgs_EndCommandBuffer(shared[i]), VK_SUCCESS);
    }
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, execute_shared, NULL), 0);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pgs_FreeCommandBuffers(dev.handle, pool, 2, shared);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_plain, teardown_plain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(recordings_start_anew),
        TEST(recordings_may_be_left),
        TEST(compute_state_starts_anew),
        TEST(recordings_may_differ),
        TEST(quiet_render_passes_are_resumed),
        TEST(resumed_passes_clear_nothing),
        TEST(queries_hold_what_follows),
        TEST(errors_are_forgotten),
        TEST(begins_may_fail),
        TEST(secondaries_are_only_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
