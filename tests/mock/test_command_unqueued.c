/* SPDX-License-Identifier: MIT
 *
 * What programs bind and push in passes without a queue: it goes down as it came, and it
 * is known when the first geometry shader of the device comes in the middle of the pass.
 */
#include "command/state/buffer.h"
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "fake_recording.h"

#define LAYOUT HANDLE(VkPipelineLayout, 0x99)
#define STAGES ((VkShaderStageFlags)(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT))

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)what, (void)a, (void)b, (void)c;
}

/* --- The driver: what it holds --- */

static struct {
    uint32_t push[64];
    VkShaderStageFlags stages;
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    VkBuffer index;
    VkDeviceSize index_offset_B;
    VkIndexType index_type;
    VkPipeline pipeline;
    uint32_t vertices;
} driver;

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
    driver.pipeline = pipeline;
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset_B, uint32_t size_B, const void *values)
{
    (void)cb;
    assert_ptr_equal(layout, LAYOUT);
    memcpy((char *)driver.push + offset_B, values, size_B);
    driver.stages = stages;
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

static void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                 uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)first_instance;
    driver.vertices += vertices;
}

static void execute(VkCommandBuffer cb, uint32_t count, const VkCommandBuffer *secondaries)
{
    (void)cb, (void)count, (void)secondaries;
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    memset(&driver, 0, sizeof(driver));
    fake_possible = false;
    dev = (struct pgs_device){
        .active = true,
        .geometry = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CmdBeginRenderPass = begin_pass,
                .CmdEndRenderPass = end_pass,
                .CmdBindPipeline = bind_pipeline,
                .CmdPushConstants = push_constants,
                .CmdBindVertexBuffers = bind_vertex_buffers,
                .CmdBindVertexBuffers2 = bind_vertex_buffers2,
                .CmdBindIndexBuffer = bind_index_buffer,
                .CmdDraw = draw,
                .CmdExecuteCommands = execute,
            },
    };
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    return close_commands();
}

static const struct pgs_command_buffer *begin_drawing(void)
{
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
    assert_non_null(pgs_recorder_direct(cmd));
    return pgs_command_buffer_find(cmd);
}

static void end(void)
{
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
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
static void pushes_are_known(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t count_w = 1; count_w <= 64; count_w++)
        for (uint32_t times = 0; times < 3; times++) {
            push(STAGES, (64 - count_w) / 2, count_w, count_w * 1000 + times * 100);
            assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
            assert_int_equal(driver.push[(64 - count_w) / 2], count_w * 1000 + times * 100);
        }
    end();
}

/* Another layout, range or set of stages is another push; the driver knows no geometry stage. */
static void pushes_are_told_apart(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t times = 0; times < 2; times++) {
        push(STAGES, 0, 16, 100 + times);
        push(STAGES, 1, 16, 200 + times);
        push(STAGES | VK_SHADER_STAGE_GEOMETRY_BIT, 1, 16, 300 + times);
        assert_int_equal(driver.stages, STAGES);
        push(STAGES | VK_SHADER_STAGE_GEOMETRY_BIT, 1, 16, 400 + times);
        assert_int_equal(driver.stages, STAGES);
        assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
    }
    const uint32_t before = cb->graphics.push[1];
    push(VK_SHADER_STAGE_COMPUTE_BIT, 1, 16, 500);
    push(VK_SHADER_STAGE_COMPUTE_BIT, 1, 16, 600);
    assert_int_equal(driver.stages, VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(cb->graphics.push[1], before);
    push(VK_SHADER_STAGE_GEOMETRY_BIT, 2, 16, 700);
    push(VK_SHADER_STAGE_GEOMETRY_BIT, 2, 16, 800);
    assert_int_equal(cb->graphics.push[2], 800);
    assert_int_equal(driver.stages, VK_SHADER_STAGE_COMPUTE_BIT); /* it did not see those */
    end();
}

static const struct pgs_pushed_range *last_push(const struct pgs_command_buffer *cb)
{
    return &cb->compute.pushes.ranges.items[cb->compute.pushes.ranges.count - 1];
}

static void assert_last_push(const struct pgs_command_buffer *cb, VkShaderStageFlags stages,
                             uint32_t offset_w, uint32_t count_w)
{
    assert_int_equal(last_push(cb)->stages, stages);
    assert_int_equal(last_push(cb)->offset_B, offset_w * sizeof(uint32_t));
    assert_int_equal(last_push(cb)->size_B, count_w * sizeof(uint32_t));
    assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
}

/* A push within an earlier one changes its values, all else more than that. */
static void ranges_of_pushes_grow(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    push(VK_SHADER_STAGE_VERTEX_BIT, 4, 8, 100);
    push(VK_SHADER_STAGE_VERTEX_BIT, 2, 8, 200);
    assert_last_push(cb, VK_SHADER_STAGE_VERTEX_BIT, 2, 10);
    push(VK_SHADER_STAGE_VERTEX_BIT, 8, 6, 300);
    assert_last_push(cb, VK_SHADER_STAGE_VERTEX_BIT, 2, 12);
    push(VK_SHADER_STAGE_VERTEX_BIT, 3, 11, 400);
    assert_last_push(cb, VK_SHADER_STAGE_VERTEX_BIT, 2, 12);
    assert_int_equal(cb->compute.pushes.ranges.count, 1);
    push(VK_SHADER_STAGE_FRAGMENT_BIT, 4, 4, 500);
    assert_last_push(cb, VK_SHADER_STAGE_FRAGMENT_BIT, 4, 4);
    assert_int_equal(cb->compute.pushes.ranges.count, 2);
    end();
}

/* Each stage has its own range: two pushes in turns. What overlaps them is another push again. */
static void pushes_take_turns(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t i = 0; i < 10; i++) {
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 12, i * 100);
        push(VK_SHADER_STAGE_FRAGMENT_BIT, 12, 4, i * 100 + 50);
        push(VK_SHADER_STAGE_VERTEX_BIT, 4, 4, i * 100 + 70);
        assert_int_equal(cb->compute.pushes.ranges.count, 2);
        assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
    }
    for (uint32_t i = 0; i < 3; i++) {
        push(STAGES, 10, 4, i);
        assert_last_push(cb, STAGES, 10, 4);
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 12, i + 20);
        assert_last_push(cb, VK_SHADER_STAGE_VERTEX_BIT, 0, 12);
    }
    end();
}

/* More of them than come again at once, and two of the usual size. */
static void many_pushes_take_turns(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t which = (i * 5 + i / 7) % 8, words = which < 2 ? 16 : 4;
        const uint32_t first = which < 2 ? which * 16 : 24 + which * 4;
        push(which % 2 ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT, first, words,
             i * 100);
        assert_int_equal(driver.push[first], i * 100);
        assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
    }
    assert_int_equal(cb->compute.pushes.ranges.count, 8);
    end();
}

static void assert_vertex_buffers_known(const struct pgs_command_buffer *cb)
{
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS; i++) {
        const struct pgs_vertex_buffer *known = &cb->graphics.vertex[i], *real = &driver.vertex[i];
        assert_ptr_equal(known->buffer, real->buffer);
        assert_int_equal(known->offset_B, real->offset_B);
        assert_int_equal(known->size_B, real->size_B);
    }
}

static void bound_buffers_are_known(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    const VkBuffer buffers[2] = {HANDLE(VkBuffer, 0x10), HANDLE(VkBuffer, 0x20)};
    for (uint32_t i = 0; i < 100; i++) {
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
        assert_vertex_buffers_known(cb);
        pgs_CmdBindIndexBuffer(cmd, buffers[i % 2], i * 4, (VkIndexType)(i % 2));
        assert_ptr_equal(cb->graphics.index_buffer, buffers[i % 2]);
        assert_int_equal(cb->graphics.index_offset_B, i * 4);
        assert_int_equal(cb->graphics.index_size_B, VK_WHOLE_SIZE);
        assert_int_equal(cb->graphics.index_type, i % 2);
        assert_ptr_equal(driver.index, buffers[i % 2]);
        assert_int_equal(driver.index_offset_B, i * 4);
    }
    end();
    /* The next recording knows nothing of it. */
    memset(&driver.vertex, 0, sizeof(driver.vertex));
    begin_drawing();
    assert_vertex_buffers_known(cb);
    pgs_CmdBindVertexBuffers(cmd, 3, 1, buffers, &(VkDeviceSize){5});
    assert_vertex_buffers_known(cb);
    end();
}

static void bind_vertex_buffer(uint32_t binding, VkDeviceSize offset_B)
{
    pgs_CmdBindVertexBuffers(cmd, binding, 1, &(VkBuffer){HANDLE(VkBuffer, 0x10)}, &offset_B);
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
static void threads_take_turns(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t i = 0; i < 10; i++) {
        pthread_t thread;
        uint32_t value = i * 100 + 50;
        for (uint32_t times = 0; times < 3; times++) {
            push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, i * 100 + times);
            bind_vertex_buffer(3, i + times);
            assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
            assert_vertex_buffers_known(cb);
            assert_int_equal(last_push(cb)->stages, VK_SHADER_STAGE_VERTEX_BIT);
        }
        assert_non_null(pgs_recorder_direct(cmd));
        assert_int_equal(pthread_create(&thread, NULL, change_in_thread, &value), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
        assert_vertex_buffers_known(cb);
        assert_int_equal(last_push(cb)->stages, STAGES);
    }
    assert_int_equal(driver.vertices, 10);
    end();
}

/* A thread goes on to take the shortest way after the pass, and what it compares with changes
 * there, too. */
static void what_comes_between_passes_is_known(void **context)
{
    (void)context;
    for (uint32_t what = 0; what < 2; what++) {
        const struct pgs_command_buffer *cb = begin_drawing();
        for (uint32_t times = 0; times < 3; times++) {
            push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, times);
            bind_vertex_buffer(3, times);
        }
        pgs_CmdEndRenderPass(cmd);
        if (what)
            bind_sized_vertex_buffer();
        else
            push(STAGES, 4, 16, 700);
        push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, 10);
        bind_vertex_buffer(3, 10);
        assert_int_equal(last_push(cb)->stages, VK_SHADER_STAGE_VERTEX_BIT);
        assert_memory_equal(driver.push, cb->graphics.push, sizeof(driver.push));
        assert_vertex_buffers_known(cb);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    }
}

static void bind_and_push(void)
{
    bind_vertex_buffer(3, 30);
    push(VK_SHADER_STAGE_VERTEX_BIT, 0, 16, 30);
}

/* A new recording, or what secondaries leave behind: nothing is the same thing again. */
static void what_is_forgotten_is_new(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    for (uint32_t times = 0; times < 3; times++)
        bind_and_push();
    pgs_CmdExecuteCommands(cmd, 0, NULL);
    for (uint32_t round = 0; round < 2; round++) {
        memset(&driver.vertex, 0, sizeof(driver.vertex));
        bind_and_push();
        assert_vertex_buffers_known(cb);
        assert_int_equal(cb->compute.pushes.ranges.count, 1);
        if (round)
            break;
        end();
        begin(cmd, 0);
    }
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* From the moment that a module with a geometry shader exists, pipelines are looked up. */
static void pipelines_are_known(void **context)
{
    (void)context;
    const struct pgs_command_buffer *cb = begin_drawing();
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    assert_ptr_equal(driver.pipeline, COUNTED);
    assert_ptr_equal(cb->bound, COUNTED);
    assert_null(cb->graphics.counted);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, NATIVE);
    assert_ptr_equal(cb->bound, COUNTED);
    fake_possible = true;
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    assert_non_null(cb->graphics.counted);
    end();
}

/* Two command buffers in turns: each finds its own way back. */
static void command_buffers_take_turns(void **context)
{
    (void)context;
    const VkCommandBuffer first = cmd, other = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const struct pgs_command_buffer *cbs[2];
    for (uint32_t i = 0; i < 2; i++) {
        cmd = i ? other : first;
        cbs[i] = begin_drawing();
    }
    for (uint32_t i = 0; i < 10; i++) {
        cmd = i % 2 ? other : first;
        for (uint32_t times = 0; times < 2; times++) {
            push(STAGES, 0, 16, i * 100 + times);
            assert_int_equal(cbs[i % 2]->graphics.push[0], i * 100 + times);
            pgs_CmdDraw(cmd, 1, 1, 0, 0);
            assert_ptr_equal(pgs_recorder_direct(cmd), &cbs[i % 2]->recorder);
        }
    }
    assert_int_equal(driver.vertices, 20);
    for (uint32_t i = 0; i < 2; i++) {
        cmd = i ? other : first;
        end();
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &other);
    cmd = first;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pushes_are_known),           TEST(pushes_are_told_apart),
        TEST(ranges_of_pushes_grow),      TEST(pushes_take_turns),
        TEST(many_pushes_take_turns),     TEST(bound_buffers_are_known),
        TEST(threads_take_turns),         TEST(what_comes_between_passes_is_known),
        TEST(what_is_forgotten_is_new),   TEST(pipelines_are_known),
        TEST(command_buffers_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
