/* SPDX-License-Identifier: MIT
 *
 * Push descriptors in the command module: they reach the driver in their place, the draw module
 * knows all that was pushed, and the compute work of draws leaves the application's own.
 */
#include "command/fb_layers/fb_layer_state.h"
#include "command/state/buffer.h"
#include "fake_modules.h"
#include "pipeline/pushed_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"

#define GRAPHICS VK_PIPELINE_BIND_POINT_GRAPHICS
#define DISPATCHES VK_PIPELINE_BIND_POINT_COMPUTE
#define LAYOUT HANDLE(VkPipelineLayout, 2)
#define OTHER HANDLE(VkPipelineLayout, 3)

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note_module(what, a);
}

/* --- The driver --- */

/* Buffers by binding: "push set 0: 1=20 3=7". */
static void push_set(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                     uint32_t index, uint32_t count, const VkWriteDescriptorSet *writes)
{
    (void)cb;
    note("push %s%sset %u:", layout == OTHER ? "other " : "", point == DISPATCHES ? "compute " : "",
         index);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorCount, 1);
        note_more(" %u=%u", writes[i].dstBinding, (unsigned)writes[i].pBufferInfo->offset);
    }
}

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)layout;
    note("bind %sset %u: %x", point == DISPATCHES ? "compute " : "", first,
         (unsigned)(uintptr_t)sets[0]);
    for (uint32_t i = 1; i < count; i++)
        note_more(",%x", (unsigned)(uintptr_t)sets[i]);
    for (uint32_t i = 0; i < offset_count; i++)
        note_more("+%u", offsets[i]);
}

/* --- The application --- */

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .geometry = physical.replays_layers,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdPipelineBarrier = fake_CmdPipelineBarrier,
                .CmdBindDescriptorSets = bind_sets,
                .CmdPushDescriptorSetKHR = push_set,
            },
    };
    return open_commands();
}

static int setup_layers(void **context)
{
    physical.replays_layers = true;
    return setup(context);
}

static int teardown(void **context)
{
    (void)context;
    const int left = close_commands();
    physical.replays_layers = false;
    return left;
}

/* Buffers of two bindings. `second`: 0 for none, else its offset, as `first`. */
static void push_to(VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t index,
                    uint32_t binding, uint32_t first, uint32_t second)
{
    VkDescriptorBufferInfo infos[2] = {{HANDLE(VkBuffer, 1), first, 4},
                                       {HANDLE(VkBuffer, 1), second, 4}};
    VkWriteDescriptorSet writes[2];
    for (uint32_t i = 0; i < 2; i++)
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = binding + i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .pBufferInfo = &infos[i],
        };
    pgs_CmdPushDescriptorSetKHR(cmd, point, layout, index, second ? 2 : 1, writes);
    memset(infos, 0xff, sizeof(infos));
    memset(writes, 0xff, sizeof(writes));
}

static void push(VkPipelineBindPoint point, uint32_t binding, uint32_t first, uint32_t second)
{
    push_to(point, LAYOUT, 0, binding, first, second);
}

static void bind_set(VkPipelineBindPoint point, uint32_t index)
{
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x50);
    pgs_CmdBindDescriptorSets(cmd, point, LAYOUT, index, 1, &set, 0, NULL);
}

static void draw_emulated(void)
{
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static VkCommandBuffer begin_secondary(void)
{
    const VkCommandBuffer made = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    assert_int_equal(pgs_BeginCommandBuffer(made, &info), VK_SUCCESS);
    return made;
}

/* The offsets that the last draw was told of, by binding; 0: no such descriptor. */
static void expect_drawn_with(uint32_t index, uint32_t zero, uint32_t one, uint32_t two)
{
    const uint32_t wanted[3] = {zero, one, two};
    uint32_t found[3] = {0};
    assert_true(fake_last_state.sets[index] == PGS_PUSHED_SET);
    assert_int_equal(fake_last_state.pushed->index, index);
    for (size_t i = 0; i < fake_last_state.pushed->descriptors.count; i++) {
        const struct pgs_pushed_descriptor *at = &fake_last_state.pushed->descriptors.items[i];
        assert_true(at->binding < 3);
        found[at->binding] = (uint32_t)at->info.buffer.offset;
    }
    assert_memory_equal(found, wanted, sizeof(found));
}

/* --- The tests --- */

static void pushes_reach_the_driver_in_their_place(void **context)
{
    (void)context;
    for (int queued = 0; queued < 2; queued++) {
        fake_possible = queued;
        begin(cmd, 0);
        push(GRAPHICS, 0, 10, 11);
        begin_inline();
        bind(cmd, NATIVE);
        push(GRAPHICS, 1, 12, 0);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        push(DISPATCHES, 0, 20, 0);
        expect_drawn("push set 0: 0=10 1=11; begin pass; bind NATIVE; push set 0: 1=12; draw 3; "
                     "push compute set 0: 0=20; end pass");
    }
}

static void draws_know_all_that_was_pushed(void **context)
{
    (void)context;
    begin(cmd, 0);
    push(GRAPHICS, 0, 10, 11);
    begin_inline();
    draw_emulated();
    expect_drawn_with(0, 10, 11, 0);
    push(GRAPHICS, 1, 12, 13);
    draw_emulated();
    assert_false(fake_follows);
    expect_drawn_with(0, 10, 12, 13);
    const uint32_t order = fake_last_state.next_set_order;
    push(GRAPHICS, 0, 14, 0);
    draw_emulated();
    expect_drawn_with(0, 14, 12, 13);
    assert_true(fake_last_state.next_set_order != order); /* no repetition of the draw before */
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* With another layout or number, by a set, and by another recording. */
static void contents_end_where_the_set_does(void **context)
{
    (void)context;
    begin_drawing();
    push(GRAPHICS, 0, 10, 11);
    push_to(GRAPHICS, OTHER, 0, 0, 20, 0);
    draw_emulated();
    expect_drawn_with(0, 20, 0, 0);
    push_to(GRAPHICS, LAYOUT, 1, 1, 21, 0);
    draw_emulated();
    expect_drawn_with(1, 0, 21, 0);
    assert_null(fake_last_state.sets[0]);
    bind_set(GRAPHICS, 1);
    draw_emulated();
    assert_ptr_equal(fake_last_state.sets[1], HANDLE(VkDescriptorSet, 0x50));
    push_to(GRAPHICS, LAYOUT, 1, 2, 22, 0);
    draw_emulated();
    expect_drawn_with(1, 0, 0, 22);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    begin_drawing();
    draw_emulated();
    assert_null(fake_last_state.sets[1]);
    push_to(GRAPHICS, LAYOUT, 1, 0, 23, 0);
    draw_emulated();
    expect_drawn_with(1, 23, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* What is pushed for dispatches inside of a pass comes after its compute work. */
static void dispatches_keep_theirs(void **context)
{
    (void)context;
    begin(cmd, 0);
    push(DISPATCHES, 0, 10, 11);
    push(DISPATCHES, 1, 12, 0);
    begin_inline();
    draw_emulated();
    push(DISPATCHES, 0, 13, 0);
    push(DISPATCHES, 2, 14, 0);
    pgs_CmdEndRenderPass(cmd);
    expect_events("push compute set 0: 0=10 1=11; push compute set 0: 1=12; batch of 1; "
                  "push compute set 0: 0=10 1=12; begin pass; bind EMULATED; replay 3; "
                  "push compute set 0: 0=13; push compute set 0: 2=14; end pass");
    begin_inline();
    draw_emulated();
    expect_drawn("batch of 1; push compute set 0: 0=13 1=12 2=14; begin pass; bind EMULATED; "
                 "replay 3; end pass");
}

/* Sets that are bound and pushed come back in their order. */
static void dispatches_keep_what_is_bound_besides(void **context)
{
    (void)context;
    begin(cmd, 0);
    bind_set(DISPATCHES, 0);
    push_to(DISPATCHES, LAYOUT, 2, 0, 10, 0);
    bind_set(DISPATCHES, 1);
    begin_inline();
    draw_emulated();
    bind_set(DISPATCHES, 2);
    pgs_CmdEndRenderPass(cmd);
    expect_events("bind compute set 0: 50; push compute set 2: 0=10; bind compute set 1: 50; "
                  "batch of 1; bind compute set 0: 50; push compute set 2: 0=10; "
                  "bind compute set 1: 50; begin pass; bind EMULATED; replay 3; "
                  "bind compute set 2: 50; end pass");
    begin_inline();
    draw_emulated();
    expect_drawn("batch of 1; bind compute set 0: 50; bind compute set 1: 50; "
                 "bind compute set 2: 50; begin pass; bind EMULATED; replay 3; end pass");
}

static void secondaries_leave_nothing(void **context)
{
    (void)context;
    const VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(cmd, 0);
    push(DISPATCHES, 0, 10, 11);
    push(GRAPHICS, 0, 20, 21);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    push(DISPATCHES, 1, 12, 0);
    push(GRAPHICS, 1, 22, 0);
    begin_inline();
    draw_emulated();
    expect_drawn_with(0, 0, 22, 0);
    forget();
    expect_drawn("batch of 1; push compute set 0: 1=12; begin pass; bind EMULATED; replay 3; "
                 "end pass");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* Its queue is replayed in the pass of the primary. */
static void secondaries_push_their_own(void **context)
{
    (void)context;
    const VkCommandBuffer primary = cmd;
    cmd = begin_secondary();
    push(GRAPHICS, 0, 10, 11);
    draw_emulated();
    expect_drawn_with(0, 10, 11, 0);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
    const VkCommandBuffer second = cmd;
    cmd = primary;
    begin(cmd, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    expect_drawn("batch of 1; begin pass; push set 0: 0=10 1=11; bind EMULATED; replay 3; "
                 "end pass");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* Where passes are recorded for each layer, each begins with the same pushes. */
static void layers_begin_with_what_was_pushed(void **context)
{
    (void)context;
    begin(cmd, 0);
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(cmd);
    push(GRAPHICS, 0, 10, 11);
    push(DISPATCHES, 0, 20, 0);
    push(GRAPHICS, 1, 12, 0);
    expect_events("push set 0: 0=10 1=11; push compute set 0: 0=20; push set 0: 1=12");
    pgs_fb_layer_state_restore(cb->fb_layers, &dev.vk, cmd);
    expect(cmd, "push set 0: 0=10 1=12");
    begin(cmd, 0);
    pgs_fb_layer_state_restore(cb->fb_layers, &dev.vk, cmd);
    expect(cmd, "");
}

static void bind_sets_of(uint32_t first, uint32_t count, uintptr_t from, uint32_t offset)
{
    const VkDescriptorSet sets[2] = {HANDLE(VkDescriptorSet, from),
                                     HANDLE(VkDescriptorSet, from + 1)};
    pgs_CmdBindDescriptorSets(cmd, GRAPHICS, LAYOUT, first, count, sets, offset ? 1 : 0, &offset);
}

/* Those that nothing has needed, because others were bound since, never reach the driver. */
static void sets_of_emulated_draws_are_kept_back(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, EMULATED);
    bind_sets_of(0, 1, 0x50, 0);
    bind_sets_of(0, 2, 0x51, 0);
    bind_sets_of(3, 1, 0x53, 64);
    bind_sets_of(2, 1, 0x54, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    bind_sets_of(1, 1, 0x55, 0);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    expect_drawn("batch of 3; begin pass; bind EMULATED; bind set 0: 51,52; bind set 3: 53+64; "
                 "bind set 2: 54; replay 3; replay 4; bind set 1: 55; replay 5; end pass");
}

/* The next native pipeline needs what draws did without, also in a later pass. */
static void native_pipelines_get_the_sets_that_were_kept_back(void **context)
{
    (void)context;
    begin_drawing();
    fake_wants_sets = PGS_DRAW_WANTS_NO_SETS;
    draw_emulated();
    bind_sets_of(0, 1, 0x50, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    bind_sets_of(0, 1, 0x51, 0);
    pgs_CmdEndRenderPass(cmd);
    bind_sets_of(1, 1, 0x52, 0);
    begin_inline();
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    bind(cmd, NATIVE);
    bind_sets_of(1, 1, 0x53, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    expect_drawn("batch of 2; begin pass; bind EMULATED; replay 3; replay 3; end pass; "
                 "batch of 1; begin pass; replay 3; bind set 0: 51; bind set 1: 52; bind NATIVE; "
                 "bind set 1: 53; draw 4; end pass");
    fake_wants_sets = PGS_DRAW_WANTS_SETS;
}

/* A draw that binds its own sets binds all of the application's afterwards. */
static void draws_that_restore_sets_deliver_them(void **context)
{
    (void)context;
    begin_drawing();
    fake_wants_sets = PGS_DRAW_RESTORES_SETS;
    bind(cmd, EMULATED);
    bind_sets_of(0, 1, 0x50, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    bind(cmd, NATIVE);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    if (physical.replays_layers) /* each layer is to have the same */
        expect_drawn("batch of 1; begin pass; bind EMULATED; bind set 0: 50; replay 3; "
                     "bind NATIVE; draw 4; end pass");
    else
        expect_drawn("batch of 1; begin pass; bind EMULATED; replay 3; bind NATIVE; draw 4; "
                     "end pass");
    fake_wants_sets = PGS_DRAW_WANTS_SETS;
}

/* Each may disturb what was bound before. */
static void pushes_come_after_sets_that_were_kept_back(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, EMULATED);
    bind_sets_of(1, 1, 0x50, 0);
    push(DISPATCHES, 0, 20, 0);
    push(GRAPHICS, 0, 10, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    expect_drawn("batch of 1; begin pass; bind EMULATED; push compute set 0: 0=20; "
                 "bind set 1: 50; push set 0: 0=10; replay 3; end pass");
}

/* A secondary begins with no sets, and leaves none. */
static void secondaries_forget_sets_that_were_kept_back(void **context)
{
    (void)context;
    const VkCommandBuffer primary = cmd;
    cmd = begin_secondary();
    bind(cmd, EMULATED);
    bind_sets_of(0, 1, 0x50, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    bind_sets_of(0, 1, 0x51, 0);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
    const VkCommandBuffer second = cmd;
    cmd = primary;
    begin(cmd, 0);
    bind(cmd, EMULATED);
    bind_sets_of(0, 1, 0x52, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    bind(cmd, NATIVE);
    expect_events("bind EMULATED; batch of 1; begin pass; bind EMULATED; bind set 0: 50; replay 3; "
                  "end pass; bind NATIVE");
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* The quick way of the next draw binds them, too. */
static void quick_draws_bind_sets_that_were_kept_back(void **context)
{
    (void)context;
    begin_drawing();
    fake_takes_changed = true;
    draw_emulated();
    bind_sets_of(0, 1, 0x50, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    expect_drawn("batch of 3; begin pass; bind EMULATED; replay 3; bind set 0: 50; replay 4; "
                 "replay 5; end pass");
    fake_takes_changed = false;
}

/* Whichever way a draw takes after another pipeline, the driver is told the same. */
static void draws_that_go_back_bind_them_as_well(void **context)
{
    (void)context;
    for (int back = 0; back < 2; back++) {
        begin_drawing();
        fake_goes_back = back;
        draw_emulated();
        bind_sets_of(0, 1, 0x50, 0);
        bind(cmd, EMULATED);
        pgs_CmdDraw(cmd, 4, 1, 0, 0);
        expect_drawn(
            "batch of 2; begin pass; bind EMULATED; replay 3; bind EMULATED; bind set 0: 50; "
            "replay 4; end pass");
    }
    fake_goes_back = false;
}

static VkResult record_all(void)
{
    push(DISPATCHES, 0, 10, 11);
    push(GRAPHICS, 0, 10, 11);
    begin_inline();
    draw_emulated();
    push(DISPATCHES, 0, 12, 0);
    push(GRAPHICS, 0, 12, 0);
    draw_emulated();
    pgs_CmdEndRenderPass(cmd);
    return pgs_EndCommandBuffer(cmd);
}

/* A driver without push descriptors gets sets, which draws know as those of the application. */
static void sets_stand_in_for_pushes(void **context)
{
    (void)context;
    dev.keeps_pushes = true;
    for (int queued = 0; queued < 2; queued++) {
        fake_possible = queued;
        fake_kept_sets = 0;
        begin(cmd, 0);
        push(GRAPHICS, 0, 10, 11);
        begin_inline();
        bind(cmd, NATIVE);
        push(GRAPHICS, 1, 12, 0);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        push(DISPATCHES, 0, 20, 0);
        expect_drawn("bind set 0: 6001; begin pass; bind NATIVE; bind set 0: 6002; draw 3; "
                     "bind compute set 0: 6003; end pass");
    }
    begin_drawing();
    push(GRAPHICS, 0, 10, 11);
    draw_emulated();
    assert_ptr_equal(fake_last_state.sets[0], HANDLE(VkDescriptorSet, 0x6004));
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
    dev.keeps_pushes = false;
}

static void every_failure_is_reported(void **context)
{
    (void)context;
    VkResult result = VK_NOT_READY;
    int failures = 0;
    for (int64_t n = 1; result != VK_SUCCESS; n++, failures++) {
        const VkCommandPool own = new_pool();
        const VkCommandBuffer usual = cmd;
        cmd = new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        begin(cmd, 0);
        pgs_alloc_fail_after(n, false);
        result = record_all();
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        drop(own, cmd);
        cmd = usual;
        forget();
    }
    assert_true(failures > 6);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pushes_reach_the_driver_in_their_place),
        TEST(draws_know_all_that_was_pushed),
        TEST(contents_end_where_the_set_does),
        TEST(dispatches_keep_theirs),
        TEST(dispatches_keep_what_is_bound_besides),
        TEST(secondaries_leave_nothing),
        TEST(secondaries_push_their_own),
        cmocka_unit_test_setup_teardown(layers_begin_with_what_was_pushed, setup_layers, teardown),
        TEST(sets_stand_in_for_pushes),
        TEST(sets_of_emulated_draws_are_kept_back),
        TEST(native_pipelines_get_the_sets_that_were_kept_back),
        TEST(draws_that_restore_sets_deliver_them),
        cmocka_unit_test_setup_teardown(draws_that_restore_sets_deliver_them, setup_layers,
                                        teardown),
        TEST(pushes_come_after_sets_that_were_kept_back),
        TEST(secondaries_forget_sets_that_were_kept_back),
        TEST(quick_draws_bind_sets_that_were_kept_back),
        TEST(draws_that_go_back_bind_them_as_well),
        TEST(every_failure_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
