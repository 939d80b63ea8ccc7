/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering and transform feedback in the command room, on a fake driver, draw room and
 * pipeline room: what the batches are asked for, and that the driver sees only what it knows.
 */
#include "command/command.h"
#include "fake_rooms.h"
#include "vulkan/hooks.h"
#include "vulkan/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What reached the driver and the draw room: a letter and up to two numbers, then a space. */
static char seen[4096];

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
    switch (what) {
    case 'b':
        note("b%x,%x,%x ", (unsigned)a, (unsigned)b, (unsigned)c);
        break;
    case 'k':
        note("%s%u@%x ", c ? "kn" : "k", (unsigned)b, (unsigned)a);
        break;
    case 'n':
        note("n%x,%x ", (unsigned)a, (unsigned)b);
        break;
    default:
        note("%c%u ", what, (unsigned)a);
    }
}

/* --- The driver --- */

static struct fake_object device_object = {&fake_dispatch_key};
static struct pgs_physical_device physical;
static struct pgs_device dev;

static void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                       VkSubpassContents contents)
{
    (void)cb, (void)info;
    note(contents == VK_SUBPASS_CONTENTS_INLINE ? "[ " : "[s ");
}

static void end_pass(VkCommandBuffer cb)
{
    (void)cb;
    note("] ");
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

static void draw_indexed(VkCommandBuffer cb, uint32_t indices, uint32_t instances, uint32_t first,
                         int32_t offset, uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)offset, (void)first_instance;
    note("X%u ", indices);
}

static void draw_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                          uint32_t stride)
{
    (void)cb, (void)buffer, (void)offset, (void)count, (void)stride;
    note("I ");
}

static void set_topology(VkCommandBuffer cb, VkPrimitiveTopology topology)
{
    (void)cb;
    note("T%u ", (unsigned)topology);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)flags, (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("|%x:%x>%x:%x ", source, memory_count ? memory->srcAccessMask : 0, target,
         memory_count ? memory->dstAccessMask : 0);
}

static void barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    (void)cb;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        note("|2%llx:%llx>%llx:%llx ", (unsigned long long)b->srcStageMask,
             (unsigned long long)b->srcAccessMask, (unsigned long long)b->dstStageMask,
             (unsigned long long)b->dstAccessMask);
    }
}

static void begin_condition(VkCommandBuffer cb, const VkConditionalRenderingBeginInfoEXT *info)
{
    (void)cb;
    note("?%x%s ", (unsigned)((uintptr_t)info->buffer + info->offset),
         info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT ? "!" : "");
}

static void end_condition(VkCommandBuffer cb)
{
    (void)cb;
    note(". ");
}

static void execute(VkCommandBuffer cb, uint32_t count, const VkCommandBuffer *secondaries)
{
    (void)cb, (void)secondaries;
    note("E%u ", count);
}

static VkSubpassDependency created;

static VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    created = info->pDependencies[info->dependencyCount - 1];
    *pass = HANDLE(VkRenderPass, 0x77);
    return VK_SUCCESS;
}

static void destroy_pass(VkDevice d, VkRenderPass pass, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)pass, (void)allocator;
}

/* --- Set-up --- */

static VkCommandPool pool;
static VkCommandBuffer cmd;

static VkCommandBuffer new_buffer(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cb;
    assert_int_equal(pgs_AllocateCommandBuffers(dev.handle, &info, &cb), VK_SUCCESS);
    return cb;
}

static int setup(void **context)
{
    (void)context;
    seen[0] = 0;
    fake_possible = true;
    dev = (struct pgs_device){
        .handle = (VkDevice)&device_object,
        .physical = &physical,
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CreateRenderPass = create_pass,
                .DestroyRenderPass = destroy_pass,
                .CmdBeginRenderPass = begin_pass,
                .CmdEndRenderPass = end_pass,
                .CmdBindPipeline = bind_pipeline,
                .CmdDraw = draw,
                .CmdDrawIndexed = draw_indexed,
                .CmdDrawIndirect = draw_indirect,
                .CmdSetPrimitiveTopology = set_topology,
                .CmdPipelineBarrier = barrier,
                .CmdPipelineBarrier2 = barrier2,
                .CmdBeginConditionalRenderingEXT = begin_condition,
                .CmdEndConditionalRenderingEXT = end_condition,
                .CmdExecuteCommands = execute,
            },
    };
    if (pgs_registry_add_device(&dev) != VK_SUCCESS || pgs_command_room_create(&dev) != VK_SUCCESS)
        return -1;
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    if (pgs_CreateCommandPool(dev.handle, &info, NULL, &pool) != VK_SUCCESS)
        return -1;
    cmd = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
    pgs_DestroyCommandPool(dev.handle, pool, NULL);
    pgs_command_room_destroy(&dev);
    pgs_registry_remove_device(&dev);
    return 0;
}

static void begin(VkCommandBuffer cb, VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cb, &info), VK_SUCCESS);
}

static void expect(VkCommandBuffer cb, const char *calls)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    assert_string_equal(seen, calls);
    seen[0] = 0;
}

static void begin_test_pass(VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
    };
    pgs_CmdBeginRenderPass(cmd, &info, contents);
}

static void begin_inline(void)
{
    begin_test_pass(VK_SUBPASS_CONTENTS_INLINE);
}

static void bind(VkCommandBuffer cb, VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

/* --- Conditional rendering --- */

static void condition(VkCommandBuffer cb, VkDeviceSize offset, bool inverted)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = HANDLE(VkBuffer, 0x100),
        .offset = offset,
        .flags = inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    pgs_CmdBeginConditionalRenderingEXT(cb, &info);
}

static void test_condition(void **context)
{
    (void)context;
    /* Around the pass: the compute work is not under it, it asks itself. */
    begin(cmd, 0);
    condition(cmd, 4, true);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "?104! . c1 ?104! [ Pe0 d3 ] . c1 [ Pe0 d4 ] ");

    /* In the pass. */
    begin(cmd, 0);
    begin_inline();
    bind(cmd, EMULATED);
    condition(cmd, 8, false);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "c1 [ Pe0 ?108 d3 . ] ");
}

/* A secondary does not know the condition that it inherits. */
static void test_inherited_condition(void **context)
{
    (void)context;
    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    expect(second, "");
    begin(cmd, 0);
    condition(cmd, 4, false);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    expect(cmd, "?104 . ?104 c1 . ?104 [ Pe0 d5 ] . ");

    begin(cmd, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    condition(cmd, 8, true);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "?108! c1 . c1 [ ?108! Pe0 d5 . Pe0 d5 ] ");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited_condition, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
