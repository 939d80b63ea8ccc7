/* SPDX-License-Identifier: MIT
 *
 * Dynamic state of tessellation in the command room, on a fake driver, draw room and pipeline room.
 */
#include "command/buffer.h"
#include "fake_rooms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_recording.h"

/* What reached the driver, one after another with spaces between. */
static char seen[1024];

static void note(const char *format, ...)
{
    const size_t used = strlen(seen);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(seen + used, sizeof(seen) - used, format, arguments);
    va_end(arguments);
}

static void fake_rooms_note(char what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what == 'd')
        note("d%u ", (unsigned)a);
}

/* --- The driver --- */

static void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                       VkSubpassContents contents)
{
    (void)cb, (void)info, (void)contents;
}

static void end_pass(VkCommandBuffer cb)
{
    (void)cb;
}

static void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb, (void)point;
    note("P%x ", (unsigned)(uintptr_t)pipeline);
}

static void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                 uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)first_instance;
    note("D%u ", vertices);
}

static void set_topology(VkCommandBuffer cb, VkPrimitiveTopology topology)
{
    (void)cb;
    note("T%u ", (unsigned)topology);
}

static void set_patch(VkCommandBuffer cb, uint32_t points)
{
    (void)cb;
    note("C%u ", points);
}

static void set_origin(VkCommandBuffer cb, VkTessellationDomainOrigin origin)
{
    (void)cb;
    note("O%u ", (unsigned)origin);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("A%x,%x ", (unsigned)source, (unsigned)target);
}

static void set_event(VkCommandBuffer cb, VkEvent event, VkPipelineStageFlags stages)
{
    (void)cb, (void)event;
    note("E%x ", (unsigned)stages);
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    seen[0] = 0;
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CmdBeginRenderPass = begin_pass,
                .CmdEndRenderPass = end_pass,
                .CmdBindPipeline = bind_pipeline,
                .CmdDraw = draw,
                .CmdSetPrimitiveTopology = set_topology,
                .CmdSetPatchControlPointsEXT = set_patch,
                .CmdSetTessellationDomainOriginEXT = set_origin,
                .CmdPipelineBarrier = barrier,
                .CmdSetEvent = set_event,
            },
    };
    return open_commands();
}

static int setup_native(void **context)
{
    const int result = setup(context);
    dev.native.tessellation = true;
    return result;
}

static int teardown(void **context)
{
    (void)context;
    close_commands();
    return pgs_alloc_live() != 0;
}

static void begin(void)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_SUCCESS);
    pgs_CmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
}

static void expect(const char *calls)
{
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(seen, calls);
    seen[0] = 0;
}

static void bind(VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

static void expect_state(uint32_t points, bool lower_left)
{
    const struct pgs_graphics_state *state = &pgs_command_buffer_find(cmd)->graphics;
    assert_int_equal(state->patch_control_points, points);
    assert_int_equal(state->tessellation_lower_left, lower_left);
}

/* Sets the state in front of an emulated draw, behind it, and draws with a native pipeline. */
static void set_around_a_draw(void)
{
    begin();
    pgs_CmdSetPatchControlPointsEXT(cmd, 3);
    bind(EMULATED);
    pgs_CmdDraw(cmd, 9, 1, 0, 0);
    pgs_CmdSetPatchControlPointsEXT(cmd, 5);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    expect_state(5, true);
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    bind(NATIVE);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    expect_state(5, false);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
}

static void stays_above_drivers_without_tessellation(void **context)
{
    (void)context;
    set_around_a_draw();
    expect("Pe0 d9 d10 T3 Pa0 D4 T3 ");
}

static void drivers_have_it_for_their_pipelines(void **context)
{
    (void)context;
    set_around_a_draw();
    expect("C3 Pe0 d9 d10 T10 C5 O1 Pa0 D4 O0 T10 ");
}

static void begins_anew(void **context)
{
    (void)context;
    set_around_a_draw();
    expect("C3 Pe0 d9 d10 T10 C5 O1 Pa0 D4 O0 T10 ");
    begin();
    expect_state(0, false);
    bind(EMULATED);
    bind(NATIVE);
    expect("Pe0 Pa0 ");
}

/* Nothing can be emulated yet: all goes straight down. */
static void is_noted_before_there_are_pipelines(void **context)
{
    (void)context;
    fake_possible = false;
    begin();
    pgs_CmdSetPatchControlPointsEXT(cmd, 7);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    expect_state(7, true);
    expect("C7 O1 ");
}

static void masks_name_stages_that_are_there(void **context)
{
    (void)context;
    const VkPipelineStageFlags control = VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT,
                               evaluation = VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT;
    for (int native = 0; native < 2; native++) {
        const VkCommandBufferBeginInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        dev.native.tessellation = native;
        seen[0] = 0;
        assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_SUCCESS);
        pgs_CmdPipelineBarrier(cmd, control, evaluation, 0, 0, NULL, 0, NULL, 0, NULL);
        pgs_CmdSetEvent(cmd, HANDLE(VkEvent, 1), evaluation);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        /* With compute, 0x800; vertex is 8. */
        assert_string_equal(seen, native ? "A810,820 E820 " : "A808,808 E808 ");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define NATIVELY(name) cmocka_unit_test_setup_teardown(name, setup_native, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stays_above_drivers_without_tessellation), TEST(masks_name_stages_that_are_there),
        NATIVELY(drivers_have_it_for_their_pipelines),  NATIVELY(begins_anew),
        NATIVELY(is_noted_before_there_are_pipelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
