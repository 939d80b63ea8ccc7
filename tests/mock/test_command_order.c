/* SPDX-License-Identifier: MIT
 *
 * Passes that are ended and resumed since compute work has to come after what they have drawn:
 * which dependencies and barriers ask for that, on a fake driver, draw module and pipeline module.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_split.h"

enum {
    VERTEX = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
    GEOMETRY = VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
    INPUT = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
    FRAGMENT = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
    OUTPUT = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
    ALL = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
    WRITE = VK_ACCESS_SHADER_WRITE_BIT,
    READ = VK_ACCESS_SHADER_READ_BIT,
    COLOR = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
    FETCH = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
    ATTACHMENT = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
};

/* Two subpasses with one dependency between them. */
static VkRenderPass dependent_pass_of_views(const VkSubpassDependency *dependency,
                                            uint32_t view_mask)
{
    const uint32_t view_masks[2] = {view_mask, view_mask};
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 2,
        .pViewMasks = view_masks,
    };
    const VkAttachmentDescription attachment = description(VK_FORMAT_R32_UINT);
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
    const VkSubpassDescription subpasses[2] = {subpass, subpass};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 2,
        .pSubpasses = subpasses,
        .dependencyCount = 1,
        .pDependencies = dependency,
    };
    VkRenderPass pass;
    driver.pass_count = 0;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    return pass;
}

static VkRenderPass dependent_pass(const VkSubpassDependency *dependency)
{
    return dependent_pass_of_views(dependency, 0);
}

static void bind_and_draw(VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

static void finish(VkRenderPass pass, bool splits)
{
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(driver.begun_count, splits ? 2 : 1);
    if (splits)
        assert_int_equal(driver.begun[1], (uintptr_t)pass + 1);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    driver.begun_count = 0;
    forget();
}

static void test_dependencies(void **context)
{
    (void)context;
    static const struct {
        VkPipelineStageFlags source, target;
        VkAccessFlags wrote, reads;
        bool splits;
    } cases[] = {
        {FRAGMENT, VERTEX, WRITE, READ, true},    {FRAGMENT, GEOMETRY, WRITE, READ, true},
        {FRAGMENT, INPUT, WRITE, FETCH, true},    {OUTPUT, VERTEX, COLOR, READ, true},
        {VERTEX, VERTEX, WRITE, READ, true},      {ALL, ALL, WRITE, READ, true},
        {FRAGMENT, FRAGMENT, WRITE, READ, false}, {OUTPUT, FRAGMENT, COLOR, READ, false},
        {OUTPUT, ALL, COLOR, ATTACHMENT, false},  {VERTEX, VERTEX, READ, WRITE, false},
        {FRAGMENT, VERTEX, READ, WRITE, false},   {OUTPUT, OUTPUT, COLOR, COLOR, false},
    };
    fake_possible = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkRenderPass pass = dependent_pass(&(VkSubpassDependency){
            0, 1, cases[i].source, cases[i].target, cases[i].wrote, cases[i].reads, 0});
        begin(cmd, 0);
        begin_draw(pass);
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        bind_and_draw(NATIVE); /* has nothing to wait for here */
        bind_and_draw(EMULATED);
        bind_and_draw(EMULATED);
        finish(pass, cases[i].splits);
    }
}

/* Without a draw of the driver before it a barrier only ends the batch. */
static void test_barriers(void **context)
{
    (void)context;
    static const struct {
        VkPipelineStageFlags source, target;
        VkAccessFlags wrote;
        bool drawn, splits;
    } cases[] = {
        {VERTEX, VERTEX, WRITE, true, true},      {VERTEX, GEOMETRY, WRITE, true, true},
        {VERTEX, VERTEX, WRITE, false, false},    {VERTEX, VERTEX, READ, true, false},
        {FRAGMENT, FRAGMENT, WRITE, true, false}, {INPUT, VERTEX, WRITE, true, false},
    };
    fake_possible = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkRenderPass pass = dependent_pass(&(VkSubpassDependency){
            0, 0, cases[i].source, cases[i].target, cases[i].wrote, READ, 0});
        const VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = cases[i].wrote,
            .dstAccessMask = READ,
        };
        const VkRenderPassBeginInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
            .renderPass = pass,
        };
        begin(cmd, 0);
        pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
        if (cases[i].drawn)
            bind_and_draw(NATIVE);
        bind_and_draw(EMULATED);
        pgs_CmdPipelineBarrier(cmd, cases[i].source, cases[i].target, 0, 1, &barrier, 0, NULL, 0,
                               NULL);
        bind_and_draw(EMULATED);
        finish(pass, cases[i].splits);
    }
}

static void wait_and_draw(uint32_t count)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = WRITE,
        .dstAccessMask = READ,
    };
    pgs_CmdPipelineBarrier(cmd, VERTEX, GEOMETRY, 0, 1, &barrier, 0, NULL, 0, NULL);
    pgs_CmdDraw(cmd, count, 1, 0, 0);
}

/* Two parts end in it, and it binds less in the second. */
static void record_three_parts(void)
{
    const VkBuffer buffer = HANDLE(VkBuffer, 1);
    const VkDeviceSize offset = 0;
    bind_and_draw(NATIVE);
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &buffer, &offset);
    bind_and_draw(EMULATED);
    wait_and_draw(4);
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &buffer, &offset);
    bind_and_draw(NATIVE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    wait_and_draw(5);
}

static void execute_three_parts(VkRenderPass pass)
{
    const VkCommandBuffer first = cmd;
    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = pass,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    cmd = second;
    assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_SUCCESS);
    record_three_parts();
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    cmd = first;
    forget();
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* Drivers may forget what is bound where a subpass with a view mask begins, so each part binds
 * and sets what the earlier ones did; inline, and in a secondary. */
static void test_views(void **context)
{
    (void)context;
    static const struct {
        uint32_t view_mask;
        const char *second, *third;
    } cases[] = {
        {0, "", ""},
        {4, "bind NATIVE; bind vertices; bind EMULATED; ",
         "bind NATIVE; bind vertices; bind EMULATED; bind vertices; bind NATIVE; bind EMULATED; "},
    };
    fake_possible = true;
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        char expected[1024];
        const bool by_secondary = i & 1;
        const VkRenderPass pass = dependent_pass_of_views(
            &(VkSubpassDependency){0, 0, VERTEX, GEOMETRY, WRITE, READ, 0}, cases[i / 2].view_mask);
        const VkRenderPassBeginInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
            .renderPass = pass,
        };
        begin(cmd, 0);
        forget();
        pgs_CmdBeginRenderPass(cmd, &info,
                               by_secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                            : VK_SUBPASS_CONTENTS_INLINE);
        if (by_secondary) {
            execute_three_parts(pass);
        } else {
            record_three_parts();
            pgs_CmdEndRenderPass(cmd);
        }
        snprintf(expected, sizeof(expected),
                 "batch of 1; barrier; begin pass; bind NATIVE; draw 3; bind vertices; "
                 "bind EMULATED; replay 3; barrier; next subpass; end pass; barrier; "
                 "batch of 1; barrier; begin pass; %sreplay 4; bind vertices; bind NATIVE; "
                 "draw 3; bind EMULATED; barrier; next subpass; end pass; barrier; "
                 "batch of 1; barrier; begin pass; %sreplay 5; end pass",
                 cases[i / 2].second, cases[i / 2].third);
        assert_string_equal(event_log.text, expected);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
        driver.begun_count = 0;
    }
}

/* A query that began in the pass and is active goes around instances. */
static void test_active_query(void **context)
{
    (void)context;
    const VkRenderPass pass =
        dependent_pass(&(VkSubpassDependency){0, 1, FRAGMENT, VERTEX, WRITE, READ, 0});
    fake_possible = true;
    begin(cmd, 0);
    forget();
    begin_draw(pass);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBeginQuery(cmd, HANDLE(VkQueryPool, 3), 1, 0);
    bind_and_draw(NATIVE);
    pgs_CmdBeginQuery(cmd, HANDLE(VkQueryPool, 3), 2, 0);
    bind_and_draw(EMULATED);
    pgs_CmdEndQuery(cmd, HANDLE(VkQueryPool, 3), 1);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndQuery(cmd, HANDLE(VkQueryPool, 3), 2);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_string_equal(
        event_log.text,
        "begin pass; bind NATIVE; draw 3; next subpass; end pass; barrier; begin query 1; "
        "begin pass; next subpass; bind NATIVE; draw 3; end pass; barrier; begin query 2; "
        "begin pass; next subpass; bind EMULATED; end pass; barrier; "
        "batch of 1; begin pass; next subpass; replay 3; end pass; end query 1; barrier; "
        "batch of 1; begin pass; next subpass; replay 4; end pass; end query 2; barrier; "
        "batch of 1; begin pass; next subpass; replay 5; end pass");
    assert_int_equal(driver.begun_count, 6);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* -- where passes are recorded once for each layer -- */

static VkResult create_framebuffer(VkDevice d, const VkFramebufferCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkFramebuffer *made)
{
    (void)d, (void)info, (void)allocator;
    return FAKE_MAKE(FAKE_FRAMEBUFFER, made);
}

static int setup_layers(void **context)
{
    physical = (struct pgs_physical_device){.emulates_geometry = true, .replays_layers = true};
    physical.properties.limits.maxFramebufferLayers = 8;
    const int result = setup(context);
    return result;
}

static int teardown_layers(void **context)
{
    const int result = teardown(context);
    physical = (struct pgs_physical_device){0};
    return result;
}

/* All layers of the first subpass come before all of the second one, unless pixels depend on
 * themselves only. */
static void test_layers(void **context)
{
    (void)context;
    dev.vk.CreateFramebuffer = create_framebuffer;
    dev.vk.DestroyFramebuffer = fake_DestroyFramebuffer;
    fake_possible = true;
    for (int i = 0; i < 4; i++) {
        const bool by_region = i & 1;
        const uint32_t layers = i & 2 ? 1 : 2;
        const VkRenderPass pass = dependent_pass(&(VkSubpassDependency){
            0, 1, FRAGMENT, FRAGMENT, WRITE, READ, by_region ? VK_DEPENDENCY_BY_REGION_BIT : 0});
        const VkFramebufferAttachmentImageInfo image = {.layerCount = layers};
        const VkFramebufferAttachmentsCreateInfo images = {
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
            .attachmentImageInfoCount = 1,
            .pAttachmentImageInfos = &image,
        };
        const VkFramebufferCreateInfo framebuffer_info = {
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
            .pNext = &images,
            .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
            .renderPass = pass,
            .attachmentCount = 1,
            .layers = layers,
        };
        VkFramebuffer framebuffer;
        assert_int_equal(pgs_CreateFramebuffer(dev.handle, &framebuffer_info, NULL, &framebuffer),
                         VK_SUCCESS);
        const VkRenderPassBeginInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
            .renderPass = pass,
            .framebuffer = framebuffer,
        };
        begin(cmd, 0);
        pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
        bind_and_draw(NATIVE);
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        bind_and_draw(NATIVE);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_int_equal(driver.begun_count, layers > 1 && !by_region ? 2 : 1);
        driver.begun_count = 0;
        pgs_DestroyFramebuffer(dev.handle, framebuffer, NULL);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
    }
}

static void draw_in(VkRenderPass pass, bool twice)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    bind_and_draw(EMULATED);
    if (twice)
        wait_and_draw(3);
    pgs_CmdEndRenderPass(cmd);
}

/* Memory is known to be idle only in the first compute work of a command buffer that is not
 * executed twice at once. */
static void test_places(void **context)
{
    (void)context;
    const VkRenderPass pass =
        dependent_pass(&(VkSubpassDependency){0, 0, VERTEX, GEOMETRY, WRITE, READ, 0});
    fake_possible = true;
    for (int i = 0; i < 2; i++) {
        begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        draw_in(pass, false);
        assert_int_equal(fake_place, PGS_BATCH_ALONE);
        draw_in(pass, false);
        assert_int_equal(fake_place, PGS_BATCH_FIRST);
        draw_in(pass, true);
        assert_int_equal(fake_place, PGS_BATCH_LATER);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    }
    begin(cmd, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    draw_in(pass, false);
    assert_int_equal(fake_place, PGS_BATCH_FIRST);
    begin(cmd, 0);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    fake_place = PGS_BATCH_ALONE;
    execute_three_parts(pass);
    assert_int_not_equal(fake_place, PGS_BATCH_ALONE); /* its memory is the secondary's */
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    driver.begun_count = 0;
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dependencies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_barriers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_views, setup, teardown),
        cmocka_unit_test_setup_teardown(test_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_active_query, setup, teardown),
        cmocka_unit_test_setup_teardown(test_layers, setup_layers, teardown_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
