/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_dynamic_rendering_local_read on a fake driver and draw module: what is set comes to the
 * driver in its turn, again where the layer resumes a pass, and again behind a secondary that is
 * recorded in place and sets something else.
 */
#include <vulkan/vulkan.h>

#ifdef VK_KHR_dynamic_rendering_local_read
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

#define COLORS 2

static void note_words(const uint32_t *words, uint32_t count)
{
    if (!words)
        note_more(" default");
    for (uint32_t i = 0; words && i < count; i++)
        note_more(words[i] == VK_ATTACHMENT_UNUSED ? " none" : " %u", words[i]);
}

static void note_locations(VkCommandBuffer cb, const VkRenderingAttachmentLocationInfoKHR *info)
{
    (void)cb;
    assert_int_equal(info->colorAttachmentCount, COLORS);
    note("locations");
    note_words(info->pColorAttachmentLocations, COLORS);
}

static void note_indices(VkCommandBuffer cb, const VkRenderingInputAttachmentIndexInfoKHR *info)
{
    (void)cb;
    assert_int_equal(info->colorAttachmentCount, COLORS);
    note("indices");
    note_words(info->pColorAttachmentInputIndices, COLORS);
    if (info->pDepthInputAttachmentIndex)
        note_more(" depth %u", *info->pDepthInputAttachmentIndex);
    if (info->pStencilInputAttachmentIndex)
        note_more(" stencil %u", *info->pStencilInputAttachmentIndex);
}

static VkCommandBuffer second, third;

static int setup(void **context)
{
    (void)context;
    forget();
    fakes_reset(0);
    fake_possible = true;
    fake_shades = fake_merges = false;
    dev = (struct pgs_device){
        .active = true,
        .vk = {FAKE_POOL_DISPATCH, FAKE_EVENT_DISPATCH, .CmdPipelineBarrier = note_barrier,
               .CmdSetRenderingAttachmentLocationsKHR = note_locations,
               .CmdSetRenderingInputAttachmentIndicesKHR = note_indices},
    };
    if (open_commands() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    third = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &third);
    return close_commands();
}

static void begin_dynamic(VkRenderingFlags flags)
{
    const VkRenderingAttachmentInfo colors[COLORS] = {
        {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .flags = flags,
                                  .layerCount = 1,
                                  .colorAttachmentCount = COLORS,
                                  .pColorAttachments = colors};
    pgs_CmdBeginRendering(cmd, &info);
}

static void begin_continuing(VkCommandBuffer cb)
{
    begin(cb, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
}

static void end(VkCommandBuffer cb)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    forget();
}

static void set_locations(VkCommandBuffer cb, uint32_t a, uint32_t b)
{
    const uint32_t locations[COLORS] = {a, b};
    const VkRenderingAttachmentLocationInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentLocations = locations};
    pgs_CmdSetRenderingAttachmentLocationsKHR(cb, &info);
}

static void set_indices(VkCommandBuffer cb, uint32_t a, uint32_t b, uint32_t depth)
{
    const uint32_t indices[COLORS] = {a, b};
    const VkRenderingInputAttachmentIndexInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentInputIndices = indices,
        .pDepthInputAttachmentIndex = &depth};
    pgs_CmdSetRenderingInputAttachmentIndicesKHR(cb, &info);
}

static void draw_emulated(VkCommandBuffer cb, uint32_t count)
{
    bind(cb, EMULATED);
    pgs_CmdDraw(cb, count, 1, 0, 0);
}

/* A native draw, then one with the device's first geometry shader, and the end of the pass. */
static void split_pass(void)
{
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    fake_possible = true;
    draw_emulated(cmd, 5);
    pgs_CmdEndRendering(cmd);
}

static void waits_in_the_queue(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_dynamic(0);
    set_locations(cmd, 1, VK_ATTACHMENT_UNUSED);
    draw_emulated(cmd, 5);
    set_indices(cmd, 3, 4, 7);
    draw_emulated(cmd, 6);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 2; begin rendering; locations 1 none; bind EMULATED; replay 5; "
                "indices 3 4 depth 7; bind EMULATED; replay 6; end rendering");
}

static void is_set_again_where_a_pass_is_split(void **context)
{
    (void)context;
    fake_possible = false;
    begin(cmd, 0);
    begin_dynamic(0);
    set_locations(cmd, 0, 1);
    set_locations(cmd, VK_ATTACHMENT_UNUSED, 0);
    set_indices(cmd, 0, VK_ATTACHMENT_UNUSED, 1);
    split_pass();
    expect(cmd, "begin rendering; locations 0 1; locations none 0; indices 0 none depth 1; "
                "bind NATIVE; draw 3; end rendering; barrier; batch of 1; begin rendering; "
                "locations none 0; indices 0 none depth 1; bind EMULATED; replay 5; "
                "end rendering");
}

/* The next pass has its own, and the begin of one resets it. */
static void is_forgotten_with_the_pass(void **context)
{
    (void)context;
    fake_possible = false;
    begin(cmd, 0);
    begin_dynamic(0);
    set_locations(cmd, 1, 0);
    pgs_CmdEndRendering(cmd);
    begin_dynamic(0);
    split_pass();
    expect(cmd, "begin rendering; locations 1 0; end rendering; begin rendering; bind NATIVE; "
                "draw 3; end rendering; barrier; batch of 1; begin rendering; bind EMULATED; "
                "replay 5; end rendering");
}

static void comes_back_after_secondaries(void **context)
{
    (void)context;
    begin_continuing(second);
    set_locations(second, 1, 0);
    draw_emulated(second, 5);
    set_indices(second, 1, 0, 2);
    end(second);
    begin_continuing(third);
    draw_emulated(third, 6);
    end(third);
    const VkCommandBuffer both[2] = {second, third};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    set_locations(cmd, 0, VK_ATTACHMENT_UNUSED);
    pgs_CmdExecuteCommands(cmd, 2, both);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 1; batch of 1; begin rendering; locations 0 none; locations 1 0; "
                "bind EMULATED; replay 5; indices 1 0 depth 2; locations 0 none; "
                "indices default; bind EMULATED; replay 6; end rendering");
}

/* What the outer one inherits is there again behind the inner one, and so is the default where it
 * inherits no mapping. */
static void comes_back_in_secondaries(void **context)
{
    const uint32_t locations[COLORS] = {VK_ATTACHMENT_UNUSED, 0};
    const VkRenderingAttachmentLocationInfoKHR mapping = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentLocations = locations};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = &mapping,
        .colorAttachmentCount = COLORS};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags =
                                               VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
    (void)context;
    assert_int_equal(pgs_BeginCommandBuffer(third, &info), VK_SUCCESS);
    set_locations(third, 0, VK_ATTACHMENT_UNUSED);
    set_indices(third, 1, 0, 2);
    draw_emulated(third, 6);
    end(third);
    assert_int_equal(pgs_BeginCommandBuffer(second, &info), VK_SUCCESS);
    pgs_CmdExecuteCommands(second, 1, &third);
    draw_emulated(second, 5);
    end(second);
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    set_locations(cmd, VK_ATTACHMENT_UNUSED, 0);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 1; batch of 1; begin rendering; locations none 0; locations 0 none; "
                "indices 1 0 depth 2; bind EMULATED; replay 6; locations none 0; indices default; "
                "bind EMULATED; replay 5; end rendering");
}

/* The second time is in another instance. */
static void is_set_again_for_secondaries(void **context)
{
    (void)context;
    begin_continuing(second);
    draw_emulated(second, 5);
    end(second);
    const VkCommandBuffer twice[2] = {second, second};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    set_indices(cmd, 1, 0, 2);
    pgs_CmdExecuteCommands(cmd, 2, twice);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 1; begin rendering; indices 1 0 depth 2; bind EMULATED; replay 5; "
                "end rendering; barrier; batch of 1; begin rendering; indices 1 0 depth 2; "
                "bind EMULATED; replay 5; end rendering");
}

static void reports_every_failure(void **context)
{
    (void)context;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        const VkCommandBuffer cb = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        pgs_alloc_fail_after(n, false);
        begin_continuing(cb);
        set_locations(cb, 1, 0);
        set_indices(cb, 1, 0, 2);
        result = pgs_EndCommandBuffer(cb);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(waits_in_the_queue, setup, teardown),
        cmocka_unit_test_setup_teardown(is_set_again_where_a_pass_is_split, setup, teardown),
        cmocka_unit_test_setup_teardown(is_forgotten_with_the_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(comes_back_after_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(comes_back_in_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(is_set_again_for_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(reports_every_failure, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
    return 77; /* headers that are older than the extension */
}
#endif
