/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_object on a fake driver and draw module: the driver draws with its own objects, and
 * a pipeline stands in for them where it cannot.
 */
#include <vulkan/vulkan.h>

#ifdef VK_EXT_shader_object
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

static const char *object_name(VkShaderEXT object)
{
    return object == VERTEX_OBJECT     ? "vertex"
           : object == FRAGMENT_OBJECT ? "fragment"
           : object == GEOMETRY_OBJECT ? "geometry"
           : object                    ? "object"
                                       : "none";
}

static void note_objects(VkCommandBuffer cb, uint32_t count, const VkShaderStageFlagBits *stages,
                         const VkShaderEXT *objects)
{
    (void)cb;
    note("objects");
    for (uint32_t i = 0; i < count; i++) {
        assert_true(stages[i] & (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT |
                                 VK_SHADER_STAGE_COMPUTE_BIT));
        note_more(" %s", object_name(objects[i]));
    }
}

static void note_equation(VkCommandBuffer cb, uint32_t first, uint32_t count,
                          const VkColorBlendEquationEXT *equations)
{
    (void)cb, (void)count, (void)equations;
    note("equation %u", first);
}

static void note_discard(VkCommandBuffer cb, VkBool32 enable)
{
    (void)cb;
    note("discard %u", enable);
}

static int setup(void **context)
{
    (void)context;
    forget();
    fakes_reset(0);
    fake_possible = true;
    fake_shades = fake_merges = false;
    fake_stand_in_result = VK_SUCCESS;
    fake_stand_ins = 0;
    dev = (struct pgs_device){
        .active = true,
        .xfb = true,
        .object_state_count = 1,
        .object_states = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY},
        .vk = {FAKE_POOL_DISPATCH, FAKE_EVENT_DISPATCH, .CmdPipelineBarrier = note_barrier,
               .CmdBindShadersEXT = note_objects, .CmdSetColorBlendEquationEXT = note_equation,
               .CmdSetRasterizerDiscardEnable = note_discard},
    };
    const int opened = open_commands();
    physical.emulates_geometry = true;
    return opened;
}

static int teardown(void **context)
{
    (void)context;
    return close_commands();
}

static void begin_dynamic(void)
{
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    pgs_CmdBeginRendering(cmd, &info);
}

/* As usual programs do it: all stages at once. */
static void bind_objects(VkShaderEXT vertex, VkShaderEXT geometry, VkShaderEXT fragment)
{
    const VkShaderStageFlagBits stages[] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkShaderEXT objects[] = {vertex, VK_NULL_HANDLE, VK_NULL_HANDLE, geometry, fragment};
    pgs_CmdBindShadersEXT(cmd, 5, stages, objects);
}

static void draw_plain(uint32_t count)
{
    bind_objects(VERTEX_OBJECT, VK_NULL_HANDLE, FRAGMENT_OBJECT);
    pgs_CmdDraw(cmd, count, 1, 0, 0);
}

static void draw_geometry(uint32_t count)
{
    bind_objects(VERTEX_OBJECT, GEOMETRY_OBJECT, FRAGMENT_OBJECT);
    pgs_CmdDraw(cmd, count, 1, 0, 0);
}

static void go_to_the_driver(void **context)
{
    (void)context;
    fake_possible = false;
    begin(cmd, 0);
    begin_dynamic();
    draw_plain(3);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; objects vertex fragment; draw 3; end rendering");
    assert_int_equal(fake_stand_ins, 0);
}

static void are_replaced_by_a_pipeline(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_dynamic();
    draw_plain(3);
    draw_geometry(5);
    draw_geometry(6);
    draw_plain(4);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 2; begin rendering; objects vertex fragment; draw 3; bind EMULATED; "
                "equation 0; replay 5; replay 6; objects vertex fragment; draw 4; end rendering");
    assert_int_equal(fake_stand_in_key.target.color_count, 1);
    assert_int_equal(fake_stand_in_key.topology, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
}

/* One stage alone, and what the application has set is not overwritten. */
static void change_by_stage(void **context)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkShaderEXT object = GEOMETRY_OBJECT;
    const VkColorBlendEquationEXT equation = {0};
    (void)context;
    begin(cmd, 0);
    begin_dynamic();
    pgs_CmdSetColorBlendEquationEXT(cmd, 0, 1, &equation);
    draw_plain(3);
    pgs_CmdBindShadersEXT(cmd, 1, &stage, &object);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdBindShadersEXT(cmd, 1, &stage, NULL);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 1; begin rendering; equation 0; objects vertex fragment; draw 3; "
                "bind EMULATED; replay 5; objects vertex fragment; draw 4; end rendering");
}

static void take_turns_with_pipelines(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_dynamic();
    draw_geometry(5);
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    draw_geometry(6);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 7, 1, 0, 0);
    draw_plain(4);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "batch of 3; begin rendering; bind EMULATED; equation 0; replay 5; bind NATIVE; "
                "draw 3; bind EMULATED; equation 0; replay 6; bind EMULATED; replay 7; "
                "objects vertex fragment; draw 4; end rendering");
}

/* The driver would draw adjacent vertices, too. */
static void do_not_draw_adjacency(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_dynamic();
    bind_objects(VERTEX_OBJECT, VK_NULL_HANDLE, FRAGMENT_OBJECT);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    assert_int_equal(fake_stand_ins, 1);
    assert_int_equal(fake_stand_in_key.topology,
                     VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
}

/* The first object of the device that is emulated comes in the middle of the pass. */
static void split_a_pass(void **context)
{
    (void)context;
    fake_possible = false;
    begin(cmd, 0);
    begin_dynamic();
    draw_plain(3);
    fake_possible = true;
    draw_geometry(5);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; objects vertex fragment; draw 3; end rendering; barrier; "
                "batch of 1; begin rendering; bind EMULATED; equation 0; replay 5; "
                "end rendering");
}

/* Nothing that is rasterized emits to another stream. The next pipeline does not pay for that. */
static void draw_nothing_of_another_stream(void **context)
{
    (void)context;
    for (int queued = 0; queued < 2; queued++) {
        fake_possible = queued;
        begin(cmd, 0);
        begin_dynamic();
        pgs_CmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
        pgs_CmdSetRasterizationStreamEXT(cmd, 1);
        draw_plain(3);
        bind(cmd, NATIVE);
        pgs_CmdDraw(cmd, 4, 1, 0, 0);
        pgs_CmdEndRendering(cmd);
        expect(cmd, "begin rendering; discard 0; objects vertex fragment; discard 1; draw 3; "
                    "discard 0; bind NATIVE; draw 4; end rendering");
    }
}

/* The application's object for compute is bound again behind the layer's dispatches. */
static void come_back_for_compute(void **context)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkShaderEXT object = (VkShaderEXT)(uintptr_t)0x5104;
    (void)context;
    begin(cmd, 0);
    pgs_CmdBindShadersEXT(cmd, 1, &stage, &object);
    begin_dynamic();
    draw_geometry(5);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "objects object; batch of 1; objects object; begin rendering; bind EMULATED; "
                "equation 0; replay 5; end rendering");
}

static void report_that_nothing_stands_in(void **context)
{
    (void)context;
    fake_stand_in_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    begin(cmd, 0);
    begin_dynamic();
    draw_geometry(5);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    forget();
}

/* A command buffer that is begun again has nothing bound. */
static void are_forgotten(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_dynamic();
    draw_geometry(5);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
    begin(cmd, 0);
    begin_dynamic();
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin rendering; bind NATIVE; draw 3; end rendering");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(go_to_the_driver),      TEST(are_replaced_by_a_pipeline),
        TEST(change_by_stage),       TEST(take_turns_with_pipelines),
        TEST(do_not_draw_adjacency), TEST(split_a_pass),
        TEST(come_back_for_compute), TEST(report_that_nothing_stands_in),
        TEST(are_forgotten),         TEST(draw_nothing_of_another_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77; /* the headers are older than the extension */
}
#endif
