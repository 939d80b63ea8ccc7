/* SPDX-License-Identifier: MIT
 *
 * Captures over what draws of the same pass may read though nobody knows when they are recorded, in
 * the command module on a fake driver, draw module and pipeline module: what is described or
 * addressed later, and what fragment shaders of emulated draws read.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_captured.h"

/* --- The driver --- */

/* No handle that a buffer could have. */
static VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)info, (void)allocator;
    *pass = HANDLE(VkRenderPass, 0x9a55);
    return VK_SUCCESS;
}

static void destroy_pass(VkDevice d, VkRenderPass pass, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)pass, (void)allocator;
}

/* --- Set-up --- */

static VkCommandBuffer second;

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    fake_shades = fake_merges = false;
    foreign = VK_NULL_HANDLE;
    fakes_reset(0);
    dev = (struct pgs_device){
        .physical = &physical,
        .active = true,
        .xfb = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                FAKE_BUFFER_DISPATCH,
                .CreateRenderPass = create_pass,
                .DestroyRenderPass = destroy_pass,
                .CmdPipelineBarrier = note_barrier,
                .CmdBindDescriptorSets = fake_CmdBindDescriptorSets,
            },
    };
    if (open_commands() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    fakes.handles = 0; /* from here on they are all buffers */
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    destroy_buffers();
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    return close_commands();
}

static VkBuffer make_buffer(VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 256,
        .usage = usage | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
    };
    VkBuffer buffer;
    assert_int_equal(pgs_CreateBuffer(dev.handle, &info, NULL, &buffer), VK_SUCCESS);
    assert_int_equal(pgs_BindBufferMemory(dev.handle, buffer, HANDLE(VkDeviceMemory, 7), 0x1000),
                     VK_SUCCESS);
    return buffer;
}

static void bind_and_draw(VkCommandBuffer cb, VkPipeline pipeline, bool set)
{
    const VkDescriptorSet handle = HANDLE(VkDescriptorSet, 0x5e);
    if (set)
        pgs_CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE, 0, 1,
                                  &handle, 0, NULL);
    bind(cb, pipeline);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
}

static void capture(VkBuffer buffer)
{
    const VkDeviceSize offset = 0, size = VK_WHOLE_SIZE;
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &buffer, &offset, &size);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
}

/* What the pass has drawn comes before the capture only if the pass is parted. */
static void expect_parted(const char *drawn, bool parted)
{
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    const char *captured = strstr(event_log.text, "begin capture");
    const char *draw_of_pass = strstr(event_log.text, drawn);
    assert_non_null(captured);
    assert_non_null(draw_of_pass);
    assert_int_equal(draw_of_pass < captured, parted);
    forget();
}

/* --- Tests --- */

/* What descriptors or pointers lead to may be bound to the memory, or described, when the commands
 * are recorded already. */
static void test_late(void **context)
{
    (void)context;
    static const struct {
        bool late_sets, pointers, set, no_address, parted;
    } cases[] = {
        {true, false, false, false, false}, {false, true, false, false, true},
        {false, false, true, false, false}, {true, false, true, false, true},
        {false, true, true, false, true},   {true, true, true, true, false},
    };
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .layerCount = 1};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
        foreign = cases[i].no_address ? buffer : VK_NULL_HANDLE; /* nothing is captured then */
        atomic_store(&dev.late_sets, cases[i].late_sets);
        dev.pointers = cases[i].pointers;
        begin(cmd, 0);
        pgs_CmdBeginRendering(cmd, &info);
        bind_and_draw(cmd, NATIVE, cases[i].set);
        pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                               VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 0, NULL, 0, NULL, 0,
                               NULL);
        capture(buffer);
        pgs_CmdEndRendering(cmd);
        expect_parted("draw 3", cases[i].parted);
    }
}

/* Two subpasses with one dependency between them. */
static VkRenderPass dependent_pass(VkPipelineStageFlags source, VkPipelineStageFlags target)
{
    const VkSubpassDescription subpasses[2] = {{0}, {0}};
    const VkSubpassDependency dependency = {.dstSubpass = 1,
                                            .srcStageMask = source,
                                            .dstStageMask = target,
                                            .srcAccessMask = VK_ACCESS_SHADER_READ_BIT};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .subpassCount = 2,
        .pSubpasses = subpasses,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    return pass;
}

static void begin_pass_with(VkRenderPass pass, bool by_secondary, bool set)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    if (by_secondary) {
        begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        bind_and_draw(second, EMULATED, set);
        assert_int_equal(pgs_EndCommandBuffer(second), VK_SUCCESS);
        forget();
    }
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &info,
                           by_secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                        : VK_SUBPASS_CONTENTS_INLINE);
    if (by_secondary)
        pgs_CmdExecuteCommands(cmd, 1, &second);
    else
        bind_and_draw(cmd, EMULATED, set);
}

/* Fragment shaders of emulated draws read in the pass, and may be over when a later subpass
 * captures. */
static void test_fragments(void **context)
{
    (void)context;
    enum {
        FRAGMENT = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
        VERTEX = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
        CAPTURING = VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
        ALL = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
    };
    static const struct {
        VkPipelineStageFlags source, target;
        bool set, parted;
    } cases[] = {
        {FRAGMENT, CAPTURING, false, false},
        {FRAGMENT, CAPTURING, true, true},
        {ALL, ALL, true, true},
        {VERTEX, CAPTURING, true, false},
        {FRAGMENT, FRAGMENT, true, false},
    };
    const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const VkRenderPass pass = dependent_pass(cases[i / 2].source, cases[i / 2].target);
        begin_pass_with(pass, i % 2, cases[i / 2].set);
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        capture(buffer);
        pgs_CmdEndRenderPass(cmd);
        expect_parted("replay 3", cases[i / 2].parted);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_late, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fragments, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
