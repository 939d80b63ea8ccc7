/* SPDX-License-Identifier: MIT
 *
 * Dynamic state of tessellation in the command module, on a fake driver, draw module and pipeline
 * module.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what == FAKE_REPLAY)
        note_module(what, a);
}

/* --- The driver --- */

static void set_patch(VkCommandBuffer cb, uint32_t points)
{
    (void)cb;
    note("control points %u", points);
}

static void set_origin(VkCommandBuffer cb, VkTessellationDomainOrigin origin)
{
    (void)cb;
    note("origin %u", (unsigned)origin);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("barrier %x,%x", (unsigned)source, (unsigned)target);
}

static void set_event(VkCommandBuffer cb, VkEvent event, VkPipelineStageFlags stages)
{
    (void)cb, (void)event;
    note("set event %x", (unsigned)stages);
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
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

/* Of the last emulated draw. */
static void expect_state(uint32_t points, bool lower_left)
{
    assert_int_equal(fake_last_state.patch_control_points, points);
    assert_int_equal(fake_last_state.tessellation_lower_left, lower_left);
}

/* Sets the state in front of an emulated draw, behind it, and draws with a native pipeline. */
static void set_around_a_draw(void)
{
    begin_drawing();
    pgs_CmdSetPatchControlPointsEXT(cmd, 3);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 9, 1, 0, 0);
    expect_state(3, false);
    pgs_CmdSetPatchControlPointsEXT(cmd, 5);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    expect_state(5, true);
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    expect_state(5, false);
}

static void stays_above_drivers_without_tessellation(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("begin pass; bind EMULATED; replay 9; replay 10; topology 3; bind NATIVE; "
                 "draw 4; topology 3; bind EMULATED; replay 5; end pass");
}

static void drivers_have_it_for_their_pipelines(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("begin pass; control points 3; bind EMULATED; replay 9; replay 10; topology 10; "
                 "control points 5; origin 1; bind NATIVE; draw 4; origin 0; topology 10; "
                 "bind EMULATED; replay 5; end pass");
}

static void begins_anew(void **context)
{
    (void)context;
    set_around_a_draw();
    expect_drawn("begin pass; control points 3; bind EMULATED; replay 9; replay 10; topology 10; "
                 "control points 5; origin 1; bind NATIVE; draw 4; origin 0; topology 10; "
                 "bind EMULATED; replay 5; end pass");
    begin_drawing();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    expect_state(0, false);
    bind(cmd, NATIVE);
    expect_drawn("begin pass; bind EMULATED; replay 6; bind NATIVE; end pass");
}

/* Nothing can be emulated yet: all goes straight down. */
static void is_noted_before_there_are_pipelines(void **context)
{
    (void)context;
    fake_possible = false;
    begin_drawing();
    pgs_CmdSetPatchControlPointsEXT(cmd, 7);
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    pgs_CmdEndRenderPass(cmd);
    fake_possible = true;
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 8, 1, 0, 0);
    expect_state(7, true);
    expect_drawn("begin pass; control points 7; origin 1; end pass; begin pass; bind EMULATED; "
                 "replay 8; end pass");
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
        expect(cmd, native ? "barrier 810,820; set event 820" : "barrier 808,808; set event 808");
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
