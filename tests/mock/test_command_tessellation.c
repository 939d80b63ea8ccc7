/* SPDX-License-Identifier: MIT
 *
 * Dynamic state of tessellation in the command room, on a fake driver, draw room and pipeline room.
 */
#include "command/state/buffer.h"
#include "fake_rooms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_seen.h"

static void fake_rooms_note(char what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what == 'd')
        note("d%u ", (unsigned)a);
}

/* --- The driver --- */

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
                FAKE_SEEN_DISPATCH,
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
    return close_commands();
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
    begin_drawing();
    pgs_CmdSetPatchControlPointsEXT(cmd, 3);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 9, 1, 0, 0);
    pgs_CmdSetPatchControlPointsEXT(cmd, 5);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    expect_state(5, true);
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    expect_state(5, false);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
}

static void stays_above_drivers_without_tessellation(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("[ Pe0 d9 d10 T3 Pa0 D4 T3 ] ");
}

static void drivers_have_it_for_their_pipelines(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("[ C3 Pe0 d9 d10 T10 C5 O1 Pa0 D4 O0 T10 ] ");
}

static void begins_anew(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("[ C3 Pe0 d9 d10 T10 C5 O1 Pa0 D4 O0 T10 ] ");
    begin_drawing();
    expect_state(0, false);
    bind(cmd, EMULATED);
    bind(cmd, NATIVE);
    expect_drawn("[ Pe0 Pa0 ] ");
}

/* Nothing can be emulated yet: all goes straight down. */
static void is_noted_before_there_are_pipelines(void **context)
{
    (void)context;
    fake_possible = false;
    begin_drawing();
    pgs_CmdSetPatchControlPointsEXT(cmd, 7);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    expect_state(7, true);
    expect_drawn("[ C7 O1 ] ");
}

static void masks_name_stages_that_are_there(void **context)
{
    (void)context;
    const VkPipelineStageFlags control = VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT,
                               evaluation = VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT;
    for (int native = 0; native < 2; native++) {
        dev.native.tessellation = native;
        begin(cmd, 0);
        pgs_CmdPipelineBarrier(cmd, control, evaluation, 0, 0, NULL, 0, NULL, 0, NULL);
        pgs_CmdSetEvent(cmd, HANDLE(VkEvent, 1), evaluation);
        /* With compute, 0x800; vertex is 8. */
        expect(cmd, native ? "A810,820 E820 " : "A808,808 E808 ");
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
