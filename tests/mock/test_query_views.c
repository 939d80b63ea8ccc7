/* SPDX-License-Identifier: MIT
 *
 * Multiview on a fake driver and draw module: a query that begins in a subpass with several views
 * takes as many queries of its pool, and all of them become available.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_events.h"
#include "fake_queries.h"

/* --- The driver --- */

static VkQueryPool queries;
static VkCommandBuffer second;

/* The numbers of the queries that end. */
static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what != FAKE_QUERY_ENDS)
        return;
    const struct pgs_query_pool *p = pgs_query_pool_find(&dev, queries);
    note("end query %u", (unsigned)((a - pgs_query_address(p, 0)) / p->stride_B));
}

static void next_subpass2(VkCommandBuffer cb, const VkSubpassBeginInfo *subpass,
                          const VkSubpassEndInfo *end)
{
    (void)cb, (void)subpass, (void)end;
    note("next subpass");
}

static void fill(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                 uint32_t data)
{
    (void)cb, (void)buffer, (void)offset, (void)size, (void)data;
    note("fill");
}

#define PLAIN HANDLE(VkRenderPass, 0x73)

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = false;
    prepare_memory();
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_QUERY_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CreateRenderPass = fake_CreateRenderPass,
                .CreateRenderPass2 = fake_CreateRenderPass2,
                .DestroyRenderPass = fake_DestroyRenderPass,
                .CmdPipelineBarrier = fake_CmdPipelineBarrier,
                .CmdFillBuffer = fill,
                .CmdNextSubpass2 = next_subpass2,
            },
    };
    if (open_commands() != 0 || open_memory() != 0)
        return -1;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT,
        .queryCount = 32,
    };
    if (pgs_CreateQueryPool(dev.handle, &info, NULL, &queries) != VK_SUCCESS)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

/* Render passes are left for the module to destroy. */
static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    close_commands();
    return close_memory() || pgs_alloc_live();
}

static const uint32_t masks[] = {0x5, 0xE0000001};

static VkResult create_pass_of_views(VkRenderPass *pass)
{
    static const VkSubpassDescription subpasses[2];
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 2,
        .pViewMasks = masks,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .subpassCount = 2,
        .pSubpasses = subpasses,
    };
    return pgs_CreateRenderPass(dev.handle, &info, NULL, pass);
}

static VkResult create_pass2_of_views(VkRenderPass *pass)
{
    const VkSubpassDescription2 subpasses[2] = {{.viewMask = masks[0]}, {.viewMask = masks[1]}};
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .subpassCount = 2,
        .pSubpasses = subpasses,
    };
    return pgs_CreateRenderPass2(dev.handle, &info, NULL, pass);
}

static void begin_continuing(VkCommandBuffer cb, const VkCommandBufferInheritanceInfo *inherited)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = inherited,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cb, &info), VK_SUCCESS);
}

static void count(VkCommandBuffer cb, uint32_t query)
{
    pgs_CmdBeginQuery(cb, queries, query, 0);
    pgs_CmdEndQuery(cb, queries, query);
}

/* --- Tests --- */

static const VkSubpassBeginInfo contents = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
static const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};

static void test_subpasses(void **context)
{
    (void)context;
    VkRenderPass passes[2];
    assert_int_equal(create_pass_of_views(&passes[0]), VK_SUCCESS);
    assert_int_equal(create_pass2_of_views(&passes[1]), VK_SUCCESS);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = passes[0],
    };
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    count(cmd, 1);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    count(cmd, 3);
    count(cmd, 9);
    pgs_CmdEndRenderPass(cmd);
    count(cmd, 20);
    expect(cmd, "end query 1; end query 2; end query 3; end query 4; end query 5; end query 6; "
                "end query 9; end query 10; end query 11; end query 12; begin pass; next subpass; "
                "end pass; fill");

    const VkRenderPassBeginInfo info2 = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = passes[1],
    };
    begin(cmd, 0);
    pgs_CmdBeginRenderPass2(cmd, &info2, &contents);
    pgs_CmdNextSubpass2(cmd, &contents, &end);
    count(cmd, 3);
    pgs_CmdEndRenderPass2(cmd, &end);
    pgs_CmdBeginRenderPass2(cmd, &info2, &contents);
    count(cmd, 0);
    pgs_CmdNextSubpass2(cmd, &contents, &end);
    pgs_CmdEndRenderPass2(cmd, &end);
    expect(cmd, "end query 3; end query 4; end query 5; end query 6; begin pass; next subpass; "
                "end pass 2; end query 0; end query 1; begin pass; next subpass; end pass 2");
}

/* And that without views all is as ever, after a pass that had some. */
static void test_rendering(void **context)
{
    (void)context;
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .viewMask = 0x7};
    const VkRenderingInfo one = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .viewMask = 0x4};
    const VkRenderPassBeginInfo plain = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = PLAIN,
    };
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    count(cmd, 11);
    pgs_CmdEndRendering(cmd);
    pgs_CmdBeginRendering(cmd, &one);
    count(cmd, 16);
    pgs_CmdEndRendering(cmd);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdEndRendering(cmd);
    pgs_CmdBeginRenderPass(cmd, &plain, VK_SUBPASS_CONTENTS_INLINE);
    count(cmd, 14);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "end query 11; end query 12; end query 13; begin rendering; end rendering; "
                "end query 16; begin rendering; end rendering; begin rendering; end rendering; "
                "end query 14; begin pass; end pass");
}

static void execute_in_pass(const VkCommandBufferInheritanceInfo *inherited)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = PLAIN,
    };
    begin_continuing(second, inherited);
    count(second, 2);
    assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
}

/* A secondary is told the subpass, or the views of dynamic rendering. */
static void test_secondaries(void **context)
{
    (void)context;
    VkRenderPass pass;
    assert_int_equal(create_pass2_of_views(&pass), VK_SUCCESS);
    VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = pass,
        .subpass = 1,
    };
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .viewMask = 0x111,
    };
    execute_in_pass(&inherited);
    expect(cmd, "end query 2; end query 3; end query 4; end query 5; begin pass; end pass");
    inherited.pNext = &rendering; /* to be ignored */
    execute_in_pass(&inherited);
    expect(cmd, "end query 2; end query 3; end query 4; end query 5; begin pass; end pass");
    inherited.renderPass = VK_NULL_HANDLE;
    execute_in_pass(&inherited);
    expect(cmd, "end query 2; end query 3; end query 4; begin pass; end pass");
    inherited.pNext = NULL;
    execute_in_pass(&inherited);
    expect(cmd, "end query 2; begin pass; end pass");
}

static void test_failures(void **context)
{
    (void)context;
    static VkResult (*const creations[])(VkRenderPass *) = {create_pass_of_views,
                                                            create_pass2_of_views};
    for (int kind = 0; kind < 2; kind++) {
        const int live = fakes.alive[FAKE_PASS];
        VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
        for (int64_t n = 1; result != VK_SUCCESS; n++) {
            VkRenderPass pass = VK_NULL_HANDLE;
            assert_true(n < 20);
            assert_int_equal(fakes.alive[FAKE_PASS], live);
            pgs_alloc_fail_after(n, false);
            result = creations[kind](&pass);
            pgs_alloc_fail_after(0, false);
            assert_true(result == VK_SUCCESS || (result == VK_ERROR_OUT_OF_HOST_MEMORY && !pass));
            if (result == VK_SUCCESS)
                pgs_DestroyRenderPass(dev.handle, pass, NULL);
        }
        assert_int_equal(fakes.alive[FAKE_PASS], live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_subpasses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rendering, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
