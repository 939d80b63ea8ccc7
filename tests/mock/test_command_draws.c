/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_multi_draw and the states of VK_EXT_extended_dynamic_state3 that are ours, in the command
 * module, on a fake driver, draw module and pipeline module.
 */
#include "command/fb_layers/fb_layer_state.h"
#include "command/state/buffer.h"
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
    if (what == FAKE_REPLAY)
        note("replay %u as draw %u", (unsigned)a, (unsigned)c);
    else if (what == FAKE_CAPTURE)
        note("capture %u", (unsigned)b);
    else if (what == FAKE_BATCH)
        note_module(what, a);
}

#include "fake_draw_commands.h"

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .xfb = true,
        .geometry = physical.replays_layers,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdDrawIndexedIndirectCount = draw_indexed_count,
                .CmdDrawMultiEXT = draw_multi,
                .CmdDrawMultiIndexedEXT = draw_multi_indexed,
                .CmdSetLineWidth = set_line_width,
                .CmdSetPrimitiveRestartEnable = set_restart_enable,
                .CmdSetRasterizerDiscardEnable = set_discard,
                .CmdSetProvokingVertexModeEXT = set_provoking,
                .CmdSetPolygonModeEXT = set_polygon_mode,
                .CmdSetSampleMaskEXT = set_sample_mask,
                .CmdSetColorBlendEnableEXT = set_blend,
                .CmdSetColorBlendEquationEXT = set_equation,
                .CmdPipelineBarrier = fake_CmdPipelineBarrier,
                .CmdBindVertexBuffers = bind_vertices_of_driver,
                .CmdBindVertexBuffers2 = bind_vertices2_of_driver,
                .CmdBindIndexBuffer = bind_indices_of_driver,
                .CmdSetVertexInputEXT = set_vertex_input_of_driver,
                .CmdPushConstants = push_to_driver,
            },
    };
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    const int left = close_commands();
    physical.replays_layers = physical.emulates_lines = false;
    return left;
}

static int setup_layers(void **context)
{
    physical.replays_layers = true;
    return setup(context);
}

/* --- Several draws --- */

/* Their memory is gone when the pass ends. */
static void draw_three(VkPipeline pipeline)
{
    struct {
        VkMultiDrawInfoEXT info;
        uint32_t between;
    } draws[3] = {{{3, 4}, 99}, {{5, 3}, 99}, {{7, 6}, 99}};
    bind(cmd, pipeline);
    pgs_CmdDrawMultiEXT(cmd, 3, &draws[0].info, 2, 8, sizeof(draws[0]));
    memset(draws, 0xee, sizeof(draws));
}

static void draw_two_indexed(VkPipeline pipeline, bool offset)
{
    struct {
        VkMultiDrawIndexedInfoEXT info;
        uint32_t between;
    } draws[2] = {{{1, 10, -1}, 99}, {{2, 20, -2}, 99}};
    const int32_t vertex_offset = -7;
    bind(cmd, pipeline);
    pgs_CmdDrawMultiIndexedEXT(cmd, 2, &draws[0].info, 1, 0, sizeof(draws[0]),
                               offset ? &vertex_offset : NULL);
    memset(draws, 0xee, sizeof(draws));
}

static void native_draws_stay_together(void **context)
{
    (void)context;
    begin_drawing();
    draw_three(NATIVE);
    draw_two_indexed(NATIVE, true);
    draw_two_indexed(NATIVE, false);
    expect_drawn("begin pass; bind NATIVE; draw multi 3*2,8:4@3,3@5,6@7,; bind NATIVE; "
                 "draw multi indexed 2*1,0:10@1,20@2,-7; bind NATIVE; "
                 "draw multi indexed 2*1,0:10@1,20@2,; end pass");
    fake_possible = false; /* not queued */
    begin_drawing();
    draw_three(NATIVE);
    expect_drawn("begin pass; bind NATIVE; draw multi 3*2,8:4@3,3@5,6@7,; end pass");
}

static void emulated_draws_count_up(void **context)
{
    (void)context;
    begin_drawing();
    draw_three(EMULATED);
    draw_two_indexed(EMULATED, true);
    pgs_CmdDraw(cmd, 30, 1, 0, 0);
    expect_drawn("batch of 6; begin pass; bind EMULATED; replay 4 as draw 0; "
                 "replay 3 as draw 1; replay 6 as draw 2; bind EMULATED; replay 10 as draw 0; "
                 "replay 20 as draw 1; replay 30 as draw 0; end pass");
}

/* Each is counted, and the driver draws them all at once. */
static void counted_draws_stay_together(void **context)
{
    (void)context;
    static const VkBuffer buffer = HANDLE(VkBuffer, 0x100);
    static const VkDeviceSize zero;
    begin_drawing();
    bind(cmd, COUNTED);
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &buffer, &zero, NULL);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    draw_three(COUNTED);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    expect_drawn("batch of 3; capture 4; capture 3; capture 6; begin pass; bind COUNTED; "
                 "bind COUNTED; draw multi 3*2,8:4@3,3@5,6@7,; end pass");
}

/* The driver gets lines of one pixel, and another pipeline where they are wider: at the width that
 * counts for the draw, whichever of pipeline and width is set first. */
static void wide_lines_have_another_pipeline(void **context)
{
    (void)context;
    dev.lines = physical.emulates_lines = true;
    begin_drawing();
    bind(cmd, THIN);
    pgs_CmdSetLineWidth(cmd, 1);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    pgs_CmdSetLineWidth(cmd, 3);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    assert_true(fake_last_state.line_width == 3);
    pgs_CmdSetLineWidth(cmd, 2);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    assert_true(fake_last_state.line_width == 2);
    pgs_CmdSetLineWidth(cmd, 0.5f); /* less than any line has */
    pgs_CmdDraw(cmd, 8, 1, 0, 0);
    pgs_CmdSetLineWidth(cmd, 7);
    bind(cmd, NATIVE);
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    expect_drawn("batch of 3; begin pass; bind THIN; width 1; draw 2; width 1; bind EMULATED; "
                 "replay 4 as draw 0; width 1; replay 6 as draw 0; width 1; bind THIN; draw 8; "
                 "width 1; bind EMULATED; bind NATIVE; bind EMULATED; replay 10 as draw 0; "
                 "end pass");
    begin_drawing(); /* nothing is set any more */
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    expect_drawn("begin pass; bind THIN; draw 2; end pass");
    dev.lines = false;
    begin_drawing();
    pgs_CmdSetLineWidth(cmd, 1);
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    expect_drawn("begin pass; width 1; bind THIN; draw 2; end pass");
}

/* Likewise patches while primitive restart is enabled. Behind them the driver's own state is what
 * was set meanwhile. */
static void patches_that_restart_have_another_pipeline(void **context)
{
    (void)context;
    dev.gaps = PGS_FEATURE_BIT(PATCH_RESTART);
    begin_drawing();
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    pgs_CmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    pgs_CmdDraw(cmd, 8, 1, 0, 0);
    pgs_CmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
    bind(cmd, NATIVE);
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    dev.gaps = 0;
    expect_drawn("batch of 2; begin pass; bind THIN; draw 2; restart 1; bind EMULATED; "
                 "replay 4 as draw 0; restart 0; bind THIN; draw 8; restart 1; bind EMULATED; "
                 "restart 1; bind NATIVE; bind EMULATED; replay 10 as draw 0; end pass");
}

#define LINES VK_PRIMITIVE_TOPOLOGY_LINE_LIST
#define ADJACENT VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY

/* Adjacency is drawn by another pipeline, whichever of pipeline and topology is set first; only
 * draws choose, since both may be set once more. */
static void adjacency_has_another_pipeline(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, DYNAMIC);
    pgs_CmdSetPrimitiveTopology(cmd, ADJACENT);
    pgs_CmdSetPrimitiveTopology(cmd, LINES);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    pgs_CmdSetPrimitiveTopology(cmd, ADJACENT);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdDrawIndirect(cmd, HANDLE(VkBuffer, 0x200), 16, 1, 20);
    pgs_CmdSetPrimitiveTopology(cmd, LINES);
    pgs_CmdDraw(cmd, 8, 1, 0, 0);
    pgs_CmdSetPrimitiveTopology(cmd, ADJACENT);
    bind(cmd, NATIVE); /* its topology is static */
    pgs_CmdDraw(cmd, 10, 1, 0, 0);
    bind(cmd, DYNAMIC);
    pgs_CmdDraw(cmd, 12, 1, 0, 0);
    expect_drawn("batch of 3; begin pass; bind DYNAMIC; topology 1; topology 1; draw 2; "
                 "topology 1; bind EMULATED; replay 4 as draw 0; replay 1 as draw 0; topology 1; "
                 "bind DYNAMIC; draw 8; topology 1; bind NATIVE; draw 10; bind DYNAMIC; "
                 "bind EMULATED; replay 12 as draw 0; end pass");
}

/* If it cannot be made, the driver draws with what is there. */
static void adjacency_that_cannot_be_drawn(void **context)
{
    (void)context;
    fake_topologies_result = VK_INCOMPLETE;
    begin_drawing();
    pgs_CmdSetPrimitiveTopology(cmd, ADJACENT);
    bind(cmd, DYNAMIC);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    expect_drawn("begin pass; topology 1; bind DYNAMIC; draw 4; end pass");
    fake_topologies_result = VK_ERROR_OUT_OF_HOST_MEMORY;
    begin_drawing();
    pgs_CmdSetPrimitiveTopology(cmd, ADJACENT);
    bind(cmd, DYNAMIC);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_HOST_MEMORY);
    fake_topologies_result = VK_SUCCESS;
}

#define ARGS HANDLE(VkBuffer, 0x200)

/* The order is that of the calls; one of very many draws is several. */
static void indirect_draws_are_replaced(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 30, 1, 0, 0);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 70000, 20);
    assert_int_equal(fake_last_args_B, 16 + 65535 * 20);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 0, 20);
    pgs_CmdDrawIndexedIndirectCount(cmd, ARGS, 48, ARGS, 4, 9, 20);
    assert_int_equal(fake_last_args_B, 48);
    pgs_CmdDraw(cmd, 31, 1, 0, 0);
    expect_drawn("batch of 5; begin pass; bind EMULATED; replay 30 as draw 0; "
                 "replay 65535 as draw 0; replay 4465 as draw 65535; replay 9 as draw 0; "
                 "replay 31 as draw 0; end pass");
}

/* Native ones stay as they are, counted beside it or not. */
static void native_indirect_draws_stay(void **context)
{
    (void)context;
    static const VkBuffer buffer = HANDLE(VkBuffer, 0x100);
    static const VkDeviceSize zero;
    begin_drawing();
    bind(cmd, NATIVE);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 3, 20);
    bind(cmd, COUNTED);
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &buffer, &zero, NULL);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdDrawIndirect(cmd, ARGS, 32, 70000, 16);
    pgs_CmdDrawIndexedIndirectCount(cmd, ARGS, 48, ARGS, 4, 9, 20);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    expect_drawn("batch of 3; capture 65535; capture 4465; capture 9; begin pass; bind NATIVE; "
                 "draw indirect 3@16*20; bind COUNTED; draw indirect 70000@32*16; "
                 "draw indexed indirect 9@48*20,4; end pass");
}

/* A driver that takes one draw at once and reads no count. */
static void native_indirect_draws_are_split(void **context)
{
    (void)context;
    dev.splits_draws = dev.counts_draws = true;
    begin_drawing();
    bind(cmd, NATIVE);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 3, 20);
    pgs_CmdDrawIndirect(cmd, ARGS, 8, 1, 24);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 0, 20);
    pgs_CmdDrawIndexedIndirectCount(cmd, ARGS, 48, ARGS, 4, 9, 20);
    pgs_CmdDrawIndirectCount(cmd, ARGS, 48, ARGS, 4, 70000, 20);
    pgs_CmdDrawIndirectCount(cmd, ARGS, 48, ARGS, 4, 0, 20);
    expect_drawn("batch of 2; begin pass; bind NATIVE; draw indirect 1@16*20; "
                 "draw indirect 1@36*20; draw indirect 1@56*20; draw indirect 1@8*24; "
                 "draw indirect 0@16*20; replay 9 as draw 0; replay 65535 as draw 0; end pass");
    dev.counts_draws = false;
    fake_possible = false; /* not queued without counts */
    begin_drawing();
    bind(cmd, NATIVE);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 2, 20);
    assert_false(fake_possible);
    expect_drawn("begin pass; bind NATIVE; draw indirect 1@16*20; draw indirect 1@36*20; end pass");
    dev.splits_draws = false;
}

/* A driver that knows no first instance draws copies of the arguments; pipelines that read it have
 * another one for that. */
static void first_instances_are_read_by_another_pipeline(void **context)
{
    (void)context;
    dev.first_instances = physical.lacks_first_instance = true;
    begin_drawing();
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 7);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 3, 20);
    bind(cmd, THIN);
    pgs_CmdDraw(cmd, 4, 1, 0, 7);
    pgs_CmdDrawIndexedIndirect(cmd, ARGS, 16, 2, 20);
    pgs_CmdDraw(cmd, 5, 1, 0, 7);
    pgs_CmdDrawIndirectCount(cmd, ARGS, 48, ARGS, 4, 9, 20);
    bind(cmd, EMULATED);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 6, 20);
    expect_drawn(
        "batch of 4; begin pass; bind NATIVE; draw 3; replay 3 as draw 0; bind THIN; draw 4; "
        "bind EMULATED; replay 2 as draw 0; bind THIN; draw 5; bind EMULATED; "
        "replay 9 as draw 0; bind THIN; bind EMULATED; replay 6 as draw 0; end pass");
    fake_instanced_result = VK_ERROR_OUT_OF_HOST_MEMORY;
    begin_drawing();
    bind(cmd, THIN);
    pgs_CmdDrawIndirect(cmd, ARGS, 16, 3, 20);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_OUT_OF_HOST_MEMORY);
    fake_instanced_result = VK_SUCCESS;
    dev.first_instances = physical.lacks_first_instance = false;
}

static void no_draws_are_none(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, NATIVE);
    pgs_CmdDrawMultiEXT(cmd, 0, NULL, 1, 0, 0);
    pgs_CmdDrawMultiIndexedEXT(cmd, 0, NULL, 1, 0, 0, NULL);
    bind(cmd, EMULATED);
    pgs_CmdDrawMultiEXT(cmd, 0, NULL, 1, 0, 0);
    expect_drawn("begin pass; bind NATIVE; bind EMULATED; end pass");
}

/* --- Streams --- */

static void binds_what_draws_the_stream(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, STREAMS);
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetRasterizationStreamEXT(cmd, 3); /* nobody emits to it */
    pgs_CmdSetRasterizationStreamEXT(cmd, 2);
    bind(cmd, NATIVE);
    bind(cmd, STREAMS);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    expect_drawn("begin pass; bind STREAMS; bind STREAM_1; draw 3; draw 4; bind STREAMS; "
                 "bind STREAM_2; bind NATIVE; bind STREAM_2; draw 5; end pass");
    /* The next command buffer begins anew. */
    begin_drawing();
    bind(cmd, STREAMS);
    expect_drawn("begin pass; bind STREAMS; end pass");
}

static void native_streams_draw_nothing(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, SILENT);
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
    pgs_CmdSetRasterizationStreamEXT(cmd, 2);
    pgs_CmdSetRasterizationStreamEXT(cmd, 0);
    expect_drawn("begin pass; bind SILENT; bind SILENCE; bind SILENT; end pass");
}

static void hidden_streams_are_discarded(void **context)
{
    (void)context;
    begin_drawing();
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
    bind(cmd, HIDDEN);
    pgs_CmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    bind(cmd, COUNTED);
    bind(cmd, HIDDEN);
    pgs_CmdSetRasterizerDiscardEnable(cmd, VK_TRUE);
    pgs_CmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    pgs_CmdSetRasterizationStreamEXT(cmd, 0);
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
    bind(cmd, EMULATED);
    expect_drawn(
        "begin pass; discard 1; bind HIDDEN; discard 1; discard 0; bind COUNTED; discard 1; "
        "bind HIDDEN; discard 1; discard 1; discard 0; discard 1; discard 0; bind EMULATED; "
        "end pass");
}

static void expect_provoking(bool last)
{
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    assert_int_equal(fake_last_state.provoking_last, last);
}

static void provoking_vertices_are_noted_and_sent_on(void **context)
{
    (void)context;
    begin_drawing();
    for (int last = 1; last >= 0; last--) {
        pgs_CmdSetProvokingVertexModeEXT(cmd, last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                   : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
        expect_provoking(last);
    }
    pgs_CmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_non_null(strstr(event_log.text, "; provoking 1; "));
    assert_non_null(strstr(event_log.text, "; provoking 0; "));
    begin_drawing();
    expect_provoking(false);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Where passes are recorded for each layer, each begins with the same state. */
static void layers_begin_with_these_states(void **context)
{
    (void)context;
    const VkSampleMask masks[2] = {3, 5};
    const VkBool32 blends[3] = {VK_TRUE, VK_FALSE, VK_TRUE};
    const VkColorBlendEquationEXT equation = {.alphaBlendOp = VK_BLEND_OP_MAX};
    begin(cmd, 0);
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(cmd);
    pgs_CmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_LINE);
    pgs_CmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
    pgs_CmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_64_BIT, masks);
    pgs_CmdSetColorBlendEnableEXT(cmd, 1, 3, blends);
    pgs_CmdSetColorBlendEnableEXT(cmd, 2, 1, &blends[0]);
    pgs_CmdSetColorBlendEquationEXT(cmd, 4, 1, &equation);
    expect_events(
        "polygon 1; provoking 1; samples 64:5; blend 1:1; blend 2:0; blend 3:1; blend 2:1; "
        "equation 4:4");
    pgs_fb_layer_state_restore(cb->fb_layers, &dev.vk, cmd);
    expect(cmd,
           "polygon 1; provoking 1; samples 64:5; blend 1:1; blend 2:1; blend 3:1; equation 4:4");
    begin(cmd, 0);
    pgs_fb_layer_state_restore(cb->fb_layers, &dev.vk, cmd);
    expect(cmd, "");
}

/* --- What batches are told of repeated draws --- */

static void plain_draw(void)
{
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static void draws_follow_until_something_is_recorded(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, EMULATED);
    plain_draw();
    assert_false(fake_follows);
    plain_draw();
    assert_true(fake_follows);
    pgs_CmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
    plain_draw();
    assert_false(fake_follows);
    plain_draw();
    assert_true(fake_follows);
    pgs_CmdEndRenderPass(cmd);
    begin_inline();
    plain_draw();
    assert_false(fake_follows);
}

static void set_strips(void)
{
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
}

static void set_restart(void)
{
    pgs_CmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
}

static void set_rasterizer_discard(void)
{
    pgs_CmdSetRasterizerDiscardEnable(cmd, VK_TRUE);
}

static void set_provoking_last(void)
{
    pgs_CmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT);
}

static void set_patch(void)
{
    pgs_CmdSetPatchControlPointsEXT(cmd, 4);
}

static void set_origin(void)
{
    pgs_CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
}

static void set_stream(void)
{
    pgs_CmdSetRasterizationStreamEXT(cmd, 1);
}

static void draws_know_when_the_state_has_changed(void **context)
{
    (void)context;
    void (*const changes[])(void) = {set_strips,         set_restart, set_rasterizer_discard,
                                     set_provoking_last, set_patch,   set_origin,
                                     set_stream};
    begin_drawing();
    bind(cmd, EMULATED);
    plain_draw();
    assert_int_not_equal(fake_version, 0);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const uint64_t before = fake_version;
        plain_draw();
        assert_int_equal(fake_version, before);
        changes[i]();
        plain_draw();
        assert_int_not_equal(fake_version, before);
    }
}

static const VkBuffer some_buffer = HANDLE(VkBuffer, 0x100);

static void bind_vertices(void)
{
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &some_buffer, &(VkDeviceSize){0});
}

static void bind_vertices2(void)
{
    pgs_CmdBindVertexBuffers2(cmd, 0, 1, &some_buffer, &(VkDeviceSize){0}, NULL, NULL);
}

static void bind_indices(void)
{
    pgs_CmdBindIndexBuffer(cmd, some_buffer, 0, VK_INDEX_TYPE_UINT16);
}

/* Two bindings with this stride, and one attribute. */
static void set_input(uint32_t stride_B)
{
    const VkVertexInputBindingDescription2EXT bindings[] = {
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
         .binding = 3,
         .stride = stride_B,
         .divisor = 1},
        {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
         .binding = 4,
         .stride = stride_B,
         .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE,
         .divisor = 2},
    };
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = 5,
        .binding = 4,
        .format = VK_FORMAT_R32_UINT,
        .offset = 8};
    pgs_CmdSetVertexInputEXT(cmd, 2, bindings, 1, &attribute);
}

static void change_input(void)
{
    set_input(16);
}

static void draws_know_when_their_data_has_changed(void **context)
{
    (void)context;
    void (*const changes[])(void) = {bind_vertices, bind_vertices2, bind_indices, change_input};
    begin_drawing();
    bind(cmd, EMULATED);
    plain_draw();
    const uint64_t version = fake_version;
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const uint64_t before = fake_data_version;
        plain_draw();
        assert_int_equal(fake_data_version, before);
        changes[i]();
        plain_draw();
        assert_int_not_equal(fake_data_version, before);
    }
    assert_int_equal(fake_version, version);
}

/* --- Buffers --- */

static void bind_vertex_at(uint32_t binding, uintptr_t buffer, VkDeviceSize offset_B)
{
    pgs_CmdBindVertexBuffers(cmd, binding, 1, &(VkBuffer){HANDLE(VkBuffer, buffer)}, &offset_B);
}

/* One that is the application's own finds them, though others bind theirs, and some an index buffer
 * of their own. */
static void own_draws_have_their_buffers(void **context)
{
    (void)context;
    begin(cmd, 0);
    bind(cmd, EMULATED);
    begin_inline();
    bind_vertex_at(0, 20, 4);
    bind_vertex_at(5, 21, 8);
    pgs_CmdBindIndexBuffer(cmd, HANDLE(VkBuffer, 25), 8, VK_INDEX_TYPE_UINT16);
    for (uint32_t i = 0; i < 5; i++) {
        fake_takes_buffers = i != 2;
        fake_binds_indices = i == 0;
        plain_draw();
    }
    fake_takes_buffers = false;
    expect_drawn("bind EMULATED; batch of 5; begin pass; vertex 0:20+4; vertex 5:21+8; index 25+8; "
                 "replay 3 as draw 0; index 25+8; replay 3 as draw 0; replay 3 as draw 0; "
                 "vertex 0:20+4; index 25+8; replay 3 as draw 0; replay 3 as draw 0; end pass");
}

/* Raster draws of emulated pipelines do not read them. */
static void buffers_wait_for_the_next_native_pipeline(void **context)
{
    (void)context;
    const VkBuffer sized = HANDLE(VkBuffer, 23), strided = HANDLE(VkBuffer, 24);
    begin(cmd, 0);
    bind_vertex_at(0, 20, 4);
    bind_vertex_at(1, 20, 4);
    bind(cmd, EMULATED);
    bind_vertex_at(7, 21, 8); /* before the pass */
    begin_inline();
    bind_vertex_at(0, 22, 12);
    bind_vertex_at(0, 22, 16);
    pgs_CmdBindVertexBuffers2(cmd, 3, 1, &sized, &(VkDeviceSize){0}, &(VkDeviceSize){100}, NULL);
    pgs_CmdBindVertexBuffers2(cmd, 4, 1, &strided, &(VkDeviceSize){0}, NULL, &(VkDeviceSize){32});
    pgs_CmdBindIndexBuffer(cmd, HANDLE(VkBuffer, 25), 20, VK_INDEX_TYPE_UINT16);
    plain_draw();
    bind(cmd, NATIVE);
    bind_vertex_at(0, 26, 24);
    pgs_CmdBindIndexBuffer(cmd, HANDLE(VkBuffer, 27), 28, VK_INDEX_TYPE_UINT16);
    bind(cmd, NATIVE); /* they are there */
    expect_drawn("vertex 0:20+4; vertex 1:20+4; bind EMULATED; batch of 1; begin pass; "
                 "replay 3 as draw 0; vertex 0:22+16; vertex 3:23+0 size 100; vertex 4:24+0; "
                 "vertex 7:21+8; index 25+20; vertex 4:24+0 stride 32; bind NATIVE; "
                 "vertex 0:26+24; index 27+28; bind NATIVE; end pass");
    bind(cmd, EMULATED);
    bind_vertex_at(1, 28, 0);
    begin(cmd, 0); /* nothing is bound any more */
    bind(cmd, NATIVE);
    expect(cmd, "bind EMULATED; bind NATIVE");
}

static void push_one(VkShaderStageFlags stages, uint32_t offset_B, uint32_t value)
{
    pgs_CmdPushConstants(cmd, HANDLE(VkPipelineLayout, 5), stages, offset_B, 4, &value);
}

/* Likewise, unless the fragment shader, which is the driver's, reads them. */
static void constants_wait_for_the_next_native_pipeline(void **context)
{
    (void)context;
    begin(cmd, 0);
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0, 1);
    bind(cmd, EMULATED);
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0,
             2); /* before the pass, in front of which they are pushed again */
    begin_inline();
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0, 3);
    push_one(VK_SHADER_STAGE_FRAGMENT_BIT, 4, 4);
    push_one(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 8, 5);
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0, 6);
    plain_draw();
    bind(cmd, NATIVE);
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0, 7);
    bind(cmd, NATIVE); /* they are there */
    expect_drawn("push 1 for 5 at 0+4: 1; bind EMULATED; batch of 1; push 1 for 5 at 0+4: 2; "
                 "begin pass; push 10 for 5 at 4+4: 4; push 11 for 5 at 8+4: 5; "
                 "replay 3 as draw 0; push 1 for 5 at 0+4: 6; push 10 for 5 at 4+4: 4; "
                 "push 11 for 5 at 8+4: 5; bind NATIVE; push 1 for 5 at 0+4: 7; bind NATIVE; "
                 "end pass");
    bind(cmd, EMULATED);
    push_one(VK_SHADER_STAGE_VERTEX_BIT, 0, 8);
    begin(cmd, 0); /* nothing is there any more */
    bind(cmd, NATIVE);
    expect(cmd, "bind EMULATED; bind NATIVE");
}

static void bind_strided(uint32_t binding, uint32_t stride_B)
{
    const VkBuffer buffer = HANDLE(VkBuffer, 20 + binding);
    pgs_CmdBindVertexBuffers2(cmd, binding, 1, &buffer, &(VkDeviceSize){0}, NULL,
                              &(VkDeviceSize){stride_B});
}

/* As the raster pipelines have their own. Strides come in the order in which they were set. */
static void vertex_input_waits_for_the_next_native_pipeline(void **context)
{
    (void)context;
    begin(cmd, 0);
    bind(cmd, NATIVE);
    set_input(4);
    bind(cmd, EMULATED);
    begin_inline();
    plain_draw();
    bind(cmd, NATIVE); /* what the emulated one has made undefined */
    plain_draw();
    expect_drawn("bind NATIVE; input 3:4/1 4:4/2 5=4+8; bind EMULATED; batch of 1; begin pass; "
                 "replay 3 as draw 0; input 3:4/1 4:4/2 5=4+8; bind NATIVE; draw 3; end pass");

    begin(cmd, 0);
    bind(cmd, EMULATED);
    begin_inline();
    bind_strided(3, 12);
    bind_strided(2, 20);
    set_input(8);
    bind_strided(4, 16);
    plain_draw();
    bind(cmd, NATIVE);
    set_input(24);
    expect_drawn("bind EMULATED; batch of 1; begin pass; replay 3 as draw 0; vertex 2:22+0; "
                 "vertex 3:23+0; vertex 4:24+0; vertex 2:22+0 stride 20; vertex 3:23+0 stride 12; "
                 "input 3:8/1 4:8/2 5=4+8; vertex 4:24+0 stride 16; bind NATIVE; "
                 "input 3:24/1 4:24/2 5=4+8; end pass");
    bind(cmd, EMULATED);
    begin(cmd, 0); /* nothing is set any more */
    bind(cmd, NATIVE);
    expect(cmd, "bind EMULATED; bind NATIVE");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(native_draws_stay_together),
        TEST(emulated_draws_count_up),
        TEST(counted_draws_stay_together),
        TEST(wide_lines_have_another_pipeline),
        TEST(first_instances_are_read_by_another_pipeline),
        TEST(patches_that_restart_have_another_pipeline),
        TEST(adjacency_has_another_pipeline),
        TEST(adjacency_that_cannot_be_drawn),
        TEST(indirect_draws_are_replaced),
        TEST(native_indirect_draws_stay),
        TEST(native_indirect_draws_are_split),
        TEST(no_draws_are_none),
        TEST(binds_what_draws_the_stream),
        TEST(native_streams_draw_nothing),
        TEST(hidden_streams_are_discarded),
        TEST(provoking_vertices_are_noted_and_sent_on),
        TEST(draws_follow_until_something_is_recorded),
        TEST(draws_know_when_the_state_has_changed),
        TEST(draws_know_when_their_data_has_changed),
        TEST(own_draws_have_their_buffers),
        TEST(buffers_wait_for_the_next_native_pipeline),
        TEST(constants_wait_for_the_next_native_pipeline),
        TEST(vertex_input_waits_for_the_next_native_pipeline),
        cmocka_unit_test_setup_teardown(layers_begin_with_these_states, setup_layers, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
