/* SPDX-License-Identifier: MIT
 *
 * What programs bind and push in passes without a queue: it goes down as it came, and the draw
 * module knows it when the first geometry shader of the device comes, whose compute work the driver
 * does not notice.
 */
#include "fake_modules.h"
#include "vulkan/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../common/within.h"
#include <pthread.h>

#include "fake_events.h"

#define LAYOUT HANDLE(VkPipelineLayout, 0x99)
#define STAGES ((VkShaderStageFlags)(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT))

/* --- The driver: what it holds --- */

static struct {
    uint32_t push[64];
    VkShaderStageFlags stages;
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    VkBuffer index;
    VkDeviceSize index_offset_B;
    VkIndexType index_type;
} driver;

/* Compute work clobbers what is pushed. */
static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note_module(what, a);
    if (what == FAKE_BATCH)
        memset(driver.push, 0xee, sizeof(driver.push));
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset_B, uint32_t size_B, const void *values)
{
    (void)cb;
    assert_ptr_equal(layout, LAYOUT);
    memcpy((char *)driver.push + offset_B, values, size_B);
    driver.stages = stages;
    note("push %u+%u to %x", offset_B / 4, size_B / 4, stages);
}

static void bind_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                const VkBuffer *buffers, const VkDeviceSize *offsets_B)
{
    (void)cb;
    for (uint32_t i = 0; i < count; i++)
        driver.vertex[first + i] = (struct pgs_vertex_buffer){
            .buffer = buffers[i], .offset_B = offsets_B[i], .size_B = VK_WHOLE_SIZE};
}

static void bind_vertex_buffers2(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                 const VkBuffer *buffers, const VkDeviceSize *offsets_B,
                                 const VkDeviceSize *sizes_B, const VkDeviceSize *strides_B)
{
    bind_vertex_buffers(cb, first, count, buffers, offsets_B);
    for (uint32_t i = 0; sizes_B && i < count; i++)
        driver.vertex[first + i].size_B = sizes_B[i];
    (void)strides_B;
}

static void bind_index_buffer(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B,
                              VkIndexType type)
{
    (void)cb;
    driver.index = buffer;
    driver.index_offset_B = offset_B;
    driver.index_type = type;
}

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)point, (void)layout, (void)count, (void)sets, (void)offset_count, (void)offsets;
    note("bind set %u", first);
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    forget();
    memset(&driver, 0, sizeof(driver));
    fake_possible = false;
    dev = (struct pgs_device){
        .active = true,
        .geometry = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdPushConstants = push_constants,
                .CmdBindVertexBuffers = bind_vertex_buffers,
                .CmdBindVertexBuffers2 = bind_vertex_buffers2,
                .CmdBindIndexBuffer = bind_index_buffer,
                .CmdBindDescriptorSets = bind_sets,
                .CmdPipelineBarrier = note_barrier,
            },
    };
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    return close_commands();
}

/* The first geometry shader comes, to another pass. */
static void draw_emulated(void)
{
    assert_non_null(pgs_recorder_direct(cmd)); /* nothing was queued until here */
    pgs_CmdEndRenderPass(cmd);
    fake_possible = true;
    begin_inline();
    bind(cmd, EMULATED);
    forget();
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    fake_possible = false;
}

/* Then, the draw module is told what the driver holds. When the compute work is done, the driver
 * holds again what was pushed. `restored`: NULL, or the work and the pushes that do that. */
static void expect_known(const char *restored)
{
    uint32_t pushed[64];
    memcpy(pushed, driver.push, sizeof(pushed));
    draw_emulated();
    const struct pgs_graphics_state *known = &fake_last_state;
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(pushed[i] ? known->push[i] : 0, pushed[i]); /* 0: never pushed */
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS; i++) {
        assert_ptr_equal(known->vertex[i].buffer, driver.vertex[i].buffer);
        assert_int_equal(known->vertex[i].offset_B, driver.vertex[i].offset_B);
        assert_int_equal(known->vertex[i].size_B, driver.vertex[i].size_B);
    }
    assert_ptr_equal(known->index_buffer, driver.index);
    assert_int_equal(known->index_offset_B, driver.index_offset_B);
    assert_int_equal(known->index_type, driver.index_type);
    pgs_CmdEndRenderPass(cmd);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(driver.push[i], pushed[i] ? pushed[i] : 0xeeeeeeee);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    if (restored) {
        char *end = strstr(event_log.text, "; begin pass");
        assert_non_null(end);
        *end = 0;
        assert_string_equal(event_log.text, restored);
    }
    forget();
    memset(&driver, 0, sizeof(driver));
}

/* After each number of steps. */
static void expect_steps_known(void (*step)(uint32_t i), uint32_t count)
{
    for (uint32_t n = 1; n <= count; n++) {
        begin_drawing();
        for (uint32_t i = 0; i < n; i++) {
            step(i);
            forget();
        }
        expect_known(NULL);
    }
}

/* --- Tests --- */

static void push(VkShaderStageFlags stages, uint32_t offset_w, uint32_t count_w, uint32_t value)
{
    uint32_t words[64];
    for (uint32_t i = 0; i < count_w; i++)
        words[i] = value + i;
    pgs_CmdPushConstants(cmd, LAYOUT, stages, offset_w * 4, count_w * 4, words);
    memset(words, 0xee, sizeof(words));
}

/* Of every size, and several times: the second one is the last push again. */
static void push_size(uint32_t i)
{
    const uint32_t count_w = i / 3 + 1;
    push(STAGES, (64 - count_w) / 2, count_w, i * 100 + 1);
}

static void pushes_are_known(void **context)
{
    (void)context;
    expect_steps_known(push_size, 64 * 3);
}

/* Another layout, range or set of stages is another push; the driver knows no geometry stage. */
static void pushes_are_told_apart(void **context)
{
    (void)context;
    const VkShaderStageFlags geometry = VK_SHADER_STAGE_GEOMETRY_BIT;
    begin_drawing();
    for (uint32_t times = 0; times < 2; times++) {
        push(STAGES, 0, 16, 100 + times);
        push(STAGES, 1, 16, 200 + times);
        push(STAGES | geometry, 1, 16, 300 + times);
        assert_int_equal(driver.stages, STAGES);
        push(STAGES | geometry, 1, 16, 400 + times);
        assert_int_equal(driver.stages, STAGES);
    }
    expect_known("batch of 1; push 0+17 to 11");
    begin_drawing();
    push(STAGES, 0, 16, 100);
    push(VK_SHADER_STAGE_COMPUTE_BIT, 1, 1, 500);
    push(VK_SHADER_STAGE_COMPUTE_BIT, 1, 1, 501);
    assert_int_equal(driver.push[1], 501);
    assert_int_equal(driver.stages, VK_SHADER_STAGE_COMPUTE_BIT);
    push(geometry, 2, 1, 700);
    push(geometry, 2, 1, 701);
    assert_int_equal(driver.push[2], 102); /* it did not see those */
    assert_int_equal(driver.stages, VK_SHADER_STAGE_COMPUTE_BIT);
    draw_emulated();
    assert_int_equal(fake_last_state.push[1], 101);
    assert_int_equal(fake_last_state.push[2], 701);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* A push within an earlier one changes its values, all else more than that. */
static void ranges_of_pushes_grow(void **context)
{
    (void)context;
    begin_drawing();
    push(VK_SHADER_STAGE_VERTEX_BIT, 4, 8, 100);
    push(VK_SHADER_STAGE_VERTEX_BIT, 2, 8, 200);
    expect_known("batch of 1; push 2+10 to 1");
    begin_drawing();
    push(VK_SHADER_STAGE_VERTEX_BIT, 2, 10, 200);
    push(VK_SHADER_STAGE_VERTEX_BIT, 8, 6, 300);
    push(VK_SHADER_STAGE_VERTEX_BIT, 3, 11, 400);
    expect_known("batch of 1; push 2+12 to 1");
    begin_drawing();
    push(VK_SHADER_STAGE_VERTEX_BIT, 2, 12, 400);
    push(VK_SHADER_STAGE_FRAGMENT_BIT, 4, 4, 500);
    expect_known("batch of 1; push 2+12 to 1; push 4+4 to 10");
}

/* Each stage has its own range: two pushes in turns. What overlaps them is another push again. */
static void push_in_turns(uint32_t i)
{
    static const struct {
        VkShaderStageFlags stages;
        uint32_t offset_w, count_w;
    } turns[] = {
        {VK_SHADER_STAGE_VERTEX_BIT, 0, 12},
        {VK_SHADER_STAGE_FRAGMENT_BIT, 12, 4},
        {VK_SHADER_STAGE_VERTEX_BIT, 4, 4},
        {STAGES, 10, 4},
    };
    const uint32_t n = i < 20 ? i % 3 : i % 2 * 3;
    push(turns[n].stages, turns[n].offset_w, turns[n].count_w, i * 100 + 1);
}

static void pushes_take_turns(void **context)
{
    (void)context;
    expect_steps_known(push_in_turns, 26);
    begin_drawing();
    push(VK_SHADER_STAGE_VERTEX_BIT, 0, 12, 100);
    push(STAGES, 10, 4, 200);
    push(VK_SHADER_STAGE_VERTEX_BIT, 0, 12, 300);
    expect_known("batch of 1; push 10+4 to 11; push 0+12 to 1"); /* in the order of the last */
}

/* More of them than come again at once, and two of the usual size. */
static void push_one_of_many(uint32_t i)
{
    const uint32_t which = (i * 5 + i / 7) % 8, words = which < 2 ? 16 : 4;
    const uint32_t first = which < 2 ? which * 16 : 24 + which * 4;
    push(which % 2 ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT, first, words,
         i * 100 + 1);
}

static void many_pushes_take_turns(void **context)
{
    (void)context;
    expect_steps_known(push_one_of_many, 200);
}

static void bind_some(uint32_t i)
{
    const VkBuffer buffers[2] = {HANDLE(VkBuffer, 0x10), HANDLE(VkBuffer, 0x20)};
    const VkDeviceSize offsets_B[2] = {i, i * 2}, sizes_B[2] = {i + 7, i + 9};
    const uint32_t first = i * 7 % 31;
    switch (i * 5 % 13) {
    case 0:
        pgs_CmdBindVertexBuffers(cmd, first, 2, buffers, offsets_B);
        break;
    case 1:
        pgs_CmdBindVertexBuffers2(cmd, first, 2, buffers, offsets_B, sizes_B, NULL);
        break;
    case 2:
        pgs_CmdBindVertexBuffers2(cmd, first, 1, buffers, offsets_B, NULL, NULL);
        break;
    default:
        pgs_CmdBindVertexBuffers(cmd, first, 1, &buffers[i % 2], &offsets_B[1]);
    }
    pgs_CmdBindIndexBuffer(cmd, buffers[i % 2], i * 4, (VkIndexType)(i % 2));
}

/* The next recording knows nothing of those before. */
static void bound_buffers_are_known(void **context)
{
    (void)context;
    expect_steps_known(bind_some, 100);
}

static void bind_vertex_buffer(uint32_t binding, VkDeviceSize offset_B)
{
    pgs_CmdBindVertexBuffers(cmd, binding, 1, &(VkBuffer){HANDLE(VkBuffer, 0x10)}, &offset_B);
}

/* Where nothing else was set, too, in one of the ways that note a binding for the first time. */
static void vertex_buffers_alone_are_forgotten(void **context)
{
    (void)context;
    for (uint32_t binding = 0; binding < PGS_MAX_BINDINGS; binding++) {
        begin_drawing();
        bind_vertex_buffer(binding, 5);
        bind_vertex_buffer(binding, 6);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        memset(&driver, 0, sizeof(driver));
        begin_drawing();
        expect_known(NULL);
    }
}

static void bind_sized_vertex_buffer(void)
{
    const VkBuffer buffer = HANDLE(VkBuffer, 0x30);
    pgs_CmdBindVertexBuffers2(cmd, 3, 1, &buffer, &(VkDeviceSize){9}, &(VkDeviceSize){17}, NULL);
}

static void *change_in_thread(void *value)
{
    push(STAGES, 4, 16, *(const uint32_t *)value);
    bind_sized_vertex_buffer();
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    return NULL;
}

/* What this thread knows of the last push and binding is another thread's turn ago. */
static void take_turns(uint32_t i)
{
    pthread_t thread;
    uint32_t value = i * 100 + 50;
    if (i % 4 < 3) {
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, i * 100 + 1);
        bind_vertex_buffer(3, i);
        return;
    }
    assert_int_equal(pthread_create(&thread, NULL, change_in_thread, &value), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void threads_take_turns(void **context)
{
    (void)context;
    expect_steps_known(take_turns, 40);
}

/* A thread goes on to take the shortest way after the pass, and what it compares with changes
 * there, too. */
static void what_comes_between_passes_is_known(void **context)
{
    (void)context;
    for (uint32_t what = 0; what < 2; what++) {
        begin_drawing();
        for (uint32_t times = 0; times < 3; times++) {
            push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, times + 1);
            bind_vertex_buffer(3, times);
        }
        pgs_CmdEndRenderPass(cmd);
        if (what)
            bind_sized_vertex_buffer();
        else
            push(STAGES, 4, 16, 700);
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, 10);
        bind_vertex_buffer(3, 10);
        begin_inline();
        expect_known(NULL);
    }
}

/* After secondaries nothing is the same thing again. */
static void what_is_forgotten_is_new(void **context)
{
    (void)context;
    begin_drawing();
    for (uint32_t times = 0; times < 4; times++) {
        if (times == 3) {
            pgs_CmdExecuteCommands(cmd, 0, NULL);
            memset(&driver.vertex, 0, sizeof(driver.vertex));
        }
        bind_vertex_buffer(3, 30);
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, 30);
    }
    expect_known("batch of 1; push 0+16 to 1");
}

/* The pipeline that was bound before counts draws from then on. */
static void pipelines_are_known(void **context)
{
    (void)context;
    begin_drawing();
    bind(cmd, COUNTED);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE);
    pgs_CmdEndRenderPass(cmd);
    expect_events("begin pass; bind COUNTED; bind compute COMPUTE; end pass");
    fake_possible = true;
    begin_inline();
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    expect_drawn("batch of 1; begin capture; capture; end capture; bind compute COMPUTE; "
                 "begin pass; draw 3; end pass");
}

/* --- Quiet passes (command/pass/quiet.h) --- */

static void begin_rendering_to(uintptr_t view, VkAttachmentStoreOp store)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, view),
        .storeOp = store,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    pgs_CmdBeginRendering(cmd, &info);
}

static void end_rendered(void)
{
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
}

/* Returns how many passes with nothing to emulate were queued, until one was not, or 100. */
static uint32_t queued_passes(uintptr_t view, VkAttachmentStoreOp store)
{
    for (uint32_t i = 0; i < 100; i++) {
        begin(cmd, 0);
        begin_rendering_to(view, store);
        const bool unqueued = pgs_recorder_direct(cmd);
        bind(cmd, NATIVE);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        end_rendered();
        if (unqueued)
            return i;
    }
    return 100;
}

enum { QUIET = 0x71, LOSSY, OTHER }; /* views */

static void quiet_passes_are_not_queued(void **context)
{
    (void)context;
    fake_possible = true;
    assert_within(queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE), 8, 64);
    /* One that would lose what was drawn could not be resumed. */
    assert_int_equal(queued_passes(LOSSY, VK_ATTACHMENT_STORE_OP_DONT_CARE), 100);
    /* Nor can one in which an emulated pipeline is bound already. */
    begin(cmd, 0);
    bind(cmd, EMULATED);
    begin_rendering_to(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    assert_null(pgs_recorder_direct(cmd));
    end_rendered();
    queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    begin(cmd, 0);
    begin_rendering_to(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    assert_non_null(pgs_recorder_direct(cmd));
    end_rendered();
}

/* Something is emulated in one all the same: the pass is resumed behind the compute work, which
 * knows what was bound, and that an earlier draw may have had something else. */
static void quiet_passes_are_resumed(void **context)
{
    (void)context;
    const VkBuffer buffers[2] = {HANDLE(VkBuffer, 0x42), HANDLE(VkBuffer, 0x43)};
    fake_possible = true;
    queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    begin(cmd, 0);
    begin_rendering_to(OTHER, VK_ATTACHMENT_STORE_OP_STORE);
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &buffers[0], &(VkDeviceSize){8});
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    const struct pgs_graphics_state before = fake_last_state;
    bind(cmd, NATIVE);
    pgs_CmdEndRendering(cmd);
    forget();
    begin_rendering_to(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    assert_non_null(pgs_recorder_direct(cmd));
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &buffers[1], &(VkDeviceSize){8});
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    expect_events("begin rendering; draw 3");
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    assert_ptr_equal(fake_last_state.vertex[0].buffer, buffers[1]);
    assert_int_not_equal(fake_last_state.version, before.version);
    assert_int_not_equal(fake_last_state.data_version, before.data_version);
    pgs_CmdEndRendering(cmd);
    expect_events("end rendering; barrier; batch of 1; begin rendering; bind EMULATED; replay 5; "
                  "end rendering");
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    /* From then on it is queued for long. */
    assert_int_equal(queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE), 100);
}

/* Nothing of that is bound as an emulated pipeline. */
static void state_resumes_quiet_passes(void **context)
{
    (void)context;
    fake_possible = true;
    queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    begin(cmd, 0);
    begin_rendering_to(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    bind(cmd, DYNAMIC);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    expect_events("begin rendering; bind DYNAMIC; topology 1; draw 2; end rendering; barrier; "
                  "batch of 1; begin rendering; topology 1; bind EMULATED; replay 4; topology 1; "
                  "bind DYNAMIC; draw 2; end rendering");
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    forget();
}

/* A query holds what follows, and the pass is ended in front of it. */
static void queries_hold_quiet_passes(void **context)
{
    (void)context;
    const VkQueryPool queries = HANDLE(VkQueryPool, 0x60);
    fake_possible = true;
    queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    begin(cmd, 0);
    begin_rendering_to(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdBeginQuery(cmd, queries, 0, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndQuery(cmd, queries, 0);
    assert_non_null(pgs_recorder_direct(cmd));
    expect_events("begin rendering; draw 3; begin query 0; draw 4; end query 0");
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    pgs_CmdEndQuery(cmd, queries, 1);
    pgs_CmdEndRendering(cmd);
    expect_events("end rendering; barrier; batch of 1; begin rendering; begin query 1; draw 5; "
                  "bind EMULATED; replay 6; end query 1; end rendering");
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Behind a quiet pass sets are bound for an emulated pipeline, the first one with a layout that the
 * second one disturbs: the driver gets them in the order of the application, or the first one would
 * disturb the second one. */
static void sets_keep_their_order(void **context)
{
    (void)context;
    const VkDescriptorSet sets[2] = {HANDLE(VkDescriptorSet, 0x50), HANDLE(VkDescriptorSet, 0x51)};
    const VkPipelineLayout other = HANDLE(VkPipelineLayout, 0x9a);
    fake_possible = true;
    queued_passes(QUIET, VK_ATTACHMENT_STORE_OP_STORE);
    for (uint32_t quiet = 0; quiet < 2; quiet++) {
        begin(cmd, 0);
        begin_rendering_to(quiet ? QUIET : OTHER, VK_ATTACHMENT_STORE_OP_STORE);
        assert_int_equal(pgs_recorder_direct(cmd) != NULL, quiet);
        pgs_CmdEndRendering(cmd);
        bind(cmd, EMULATED);
        forget();
        pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, LAYOUT, 1, 1, &sets[1], 1,
                                  &(uint32_t){64});
        pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, other, 0, 1, &sets[0], 0,
                                  NULL);
        begin_rendering_to(OTHER, VK_ATTACHMENT_STORE_OP_STORE);
        bind(cmd, NATIVE);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        pgs_CmdEndRendering(cmd);
        expect_events("begin rendering; bind set 1; bind set 0; bind NATIVE; draw 3; "
                      "end rendering");
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    }
}

/* Two command buffers in turns: each finds its own way back. */
static void command_buffers_take_turns(void **context)
{
    (void)context;
    const VkCommandBuffer both[2] = {cmd, new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY)};
    for (uint32_t i = 0; i < 12; i++) {
        cmd = both[i % 2];
        if (i < 2)
            begin_drawing();
        for (uint32_t times = 0; times < 2; times++)
            push(STAGES, 0, 16, i * 100 + times + 1);
        pgs_CmdDraw(cmd, 1, 1, 0, 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        cmd = both[i];
        for (uint32_t w = 0; w < 16; w++)
            driver.push[w] = (10 + i) * 100 + 2 + w;
        push(STAGES, 0, 4, i + 1);
        pgs_CmdDraw(cmd, 1, 1, 0, 0);
        expect_known("batch of 1; push 0+16 to 11");
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &both[1]);
    cmd = both[0];
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pushes_are_known),
        TEST(pushes_are_told_apart),
        TEST(ranges_of_pushes_grow),
        TEST(pushes_take_turns),
        TEST(many_pushes_take_turns),
        TEST(bound_buffers_are_known),
        TEST(threads_take_turns),
        TEST(what_comes_between_passes_is_known),
        TEST(what_is_forgotten_is_new),
        TEST(pipelines_are_known),
        TEST(command_buffers_take_turns),
        TEST(quiet_passes_are_not_queued),
        TEST(quiet_passes_are_resumed),
        TEST(sets_keep_their_order),
        TEST(state_resumes_quiet_passes),
        TEST(queries_hold_quiet_passes),
        TEST(vertex_buffers_alone_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
