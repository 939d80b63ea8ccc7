/* SPDX-License-Identifier: MIT
 *
 * A whole program with a geometry shader, through the whole layer on the fake driver: what it asks
 * for fails at every allocation of ours and at every command of the driver in turn. Nothing leaks,
 * errors arrive as they are, and the layer goes on afterwards.
 */
#include "base/alloc.h"
#include "fake_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing_frag.h"
#include "drawing_geom.h"
#include "drawing_vert.h"

/* As many dynamic offsets in one set as any driver takes. */
#define OFFSET_COUNT 31

static VkInstance instance;
static VkDevice device;
static VkQueue queue;

/* The command with its own type, through the layer. */
#define VK(name) ((PFN_vk##name)fake_device_proc(device, "vk" #name))

static int set_up(void **state)
{
    (void)state;
    unsetenv("VK_POLY_GS_FORCE");
    setenv("VK_POLY_GS_LOG", "off", 1);
    setenv("VK_POLY_GS_THREADS", "0", 1); /* the fake driver's log is for one thread */
    setenv("VK_POLY_GS_CACHE", "0", 1);   /* nothing of an earlier run */
    fake_reset(NULL);
    instance = fake_open_instance(VK_API_VERSION_1_3);
    device = fake_open_geometry_device(instance);
    VK(GetDeviceQueue)(device, 0, 0, &queue);
    return 0;
}

/* A driver of Vulkan 1.1 with VK_EXT_buffer_device_address and nothing else. */
static int set_up_1_1(void **state)
{
    static const char *const extensions[] = {"VK_EXT_buffer_device_address"};
    static const char *const missing[] = {"vkGetBufferDeviceAddress",
                                          "vkGetBufferDeviceAddressKHR",
                                          "vkCreateRenderPass2",
                                          "vkCmdBeginRenderPass2",
                                          "vkCmdNextSubpass2",
                                          "vkCmdEndRenderPass2",
                                          "vkResetQueryPool",
                                          "vkCmdDrawIndirectCount",
                                          "vkCmdDrawIndexedIndirectCount",
                                          "vkWaitSemaphores",
                                          "vkSignalSemaphore",
                                          "vkGetSemaphoreCounterValue",
                                          "vkCmdPipelineBarrier2",
                                          "vkQueueSubmit2",
                                          "vkCmdBeginRendering",
                                          "vkCmdEndRendering",
                                          "vkCmdCopyBuffer2",
                                          "vkCmdBindVertexBuffers2",
                                          "vkCmdSetCullMode",
                                          "vkCmdSetPrimitiveTopology",
                                          "vkCreateRenderPass2KHR",
                                          "vkResetQueryPoolEXT",
                                          "vkCmdDrawIndirectCountKHR",
                                          "vkCmdPipelineBarrier2KHR",
                                          "vkQueueSubmit2KHR",
                                          "vkCmdBindVertexBuffers2EXT",
                                          "vkWaitSemaphoresKHR",
                                          "vkSignalSemaphoreKHR",
                                          "vkGetSemaphoreCounterValueKHR",
                                          NULL};
    struct fake_config config = fake_default_config();
    (void)state;
    config.device_version = VK_API_VERSION_1_1;
    config.buffer_device_address = config.timeline_semaphores = false;
    config.ext_address = config.int64 = true;
    config.extensions = extensions;
    config.extension_count = 1;
    config.missing = missing;
    unsetenv("VK_POLY_GS_FORCE");
    setenv("VK_POLY_GS_LOG", "off", 1);
    setenv("VK_POLY_GS_THREADS", "0", 1);
    fake_reset(&config);
    instance = fake_open_instance(VK_API_VERSION_1_1);
    device = fake_open_geometry_device(instance);
    VK(GetDeviceQueue)(device, 0, 0, &queue);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_close_device(device);
    fake_close_instance(instance);
    assert_int_equal(fakes_alive(), 0);
    fake_reset(NULL);
    return 0;
}

/* Everything that the program makes; what could not be made is VK_NULL_HANDLE. */
struct program {
    VkShaderModule modules[3];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkRenderPass pass;
    VkBuffer vertices;
    VkPipeline pipeline;
    VkCommandPool pool;
    VkCommandBuffer cb;
};

static VkResult create_module(const uint32_t *words, size_t size_B, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size_B,
        .pCode = words,
    };
    return VK(CreateShaderModule)(device, &info, NULL, module);
}

static VkResult create_modules(struct program *p)
{
    VkResult result = create_module(drawing_vert, sizeof(drawing_vert), &p->modules[0]);
    if (result == VK_SUCCESS)
        result = create_module(drawing_geom, sizeof(drawing_geom), &p->modules[1]);
    if (result == VK_SUCCESS)
        result = create_module(drawing_frag, sizeof(drawing_frag), &p->modules[2]);
    return result;
}

static VkResult create_layouts(struct program *p)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
        .descriptorCount = OFFSET_COUNT,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    VkResult result = VK(CreateDescriptorSetLayout)(device, &set_info, NULL, &p->set_layout);
    if (result != VK_SUCCESS)
        return result;
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &p->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return VK(CreatePipelineLayout)(device, &info, NULL, &p->layout);
}

static VkResult create_pass(struct program *p)
{
    const VkSubpassDescription subpass = {0};
    const VkSubpassDependency dependency = {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INDEX_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    return VK(CreateRenderPass)(device, &info, NULL, &p->pass);
}

static VkResult create_buffer(struct program *p)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 1000,
        .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
    };
    return VK(CreateBuffer)(device, &info, NULL, &p->vertices);
}

static VkResult create_pipeline(struct program *p)
{
    static const VkShaderStageFlagBits stages[3] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    VkPipelineShaderStageCreateInfo infos[3];
    for (int i = 0; i < 3; i++)
        infos[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stages[i],
            .module = p->modules[i],
            .pName = "main",
        };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .primitiveRestartEnable = VK_TRUE,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = 3,
        .pStages = infos,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pRasterizationState = &raster,
        .layout = p->layout,
        .renderPass = p->pass,
        .basePipelineIndex = -1,
    };
    return VK(CreateGraphicsPipelines)(device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline);
}

static VkResult create_commands(struct program *p)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkResult result = VK(CreateCommandPool)(device, &pool, NULL, &p->pool);
    if (result != VK_SUCCESS)
        return result;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = p->pool,
        .commandBufferCount = 1,
    };
    return VK(AllocateCommandBuffers)(device, &info, &p->cb);
}

static VkResult record(const struct program *p)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkResult result = VK(BeginCommandBuffer)(p->cb, &begin);
    if (result != VK_SUCCESS)
        return result;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .dstAccessMask = VK_ACCESS_INDEX_READ_BIT};
    const VkClearValue clear[2] = {{.color.uint32 = {1}}};
    const VkRenderPassBeginInfo pass = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = p->pass,
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    const uint32_t words[4] = {1, 2, 3, 4}, offsets[OFFSET_COUNT] = {256};
    const VkDescriptorSet set = (VkDescriptorSet)0x5e7;
    VK(CmdPipelineBarrier)
    (p->cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, 1, &barrier, 0,
     NULL, 0, NULL);
    VK(CmdBindIndexBuffer)(p->cb, p->vertices, 0, VK_INDEX_TYPE_UINT16);
    VK(CmdBindDescriptorSets)
    (p->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &set, OFFSET_COUNT, offsets);
    for (int i = 0; i < 2; i++) {
        VK(CmdBeginRenderPass)(p->cb, &pass, VK_SUBPASS_CONTENTS_INLINE);
        VK(CmdBindPipeline)(p->cb, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline);
        VK(CmdBindDescriptorSets)
        (p->cb, VK_PIPELINE_BIND_POINT_GRAPHICS, p->layout, 0, 1, &set, OFFSET_COUNT, offsets);
        VK(CmdPushConstants)
        (p->cb, p->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(words), words);
        VK(CmdDraw)(p->cb, 300, 2, 0, 0);
        VK(CmdDrawIndexed)(p->cb, 400, 1, 3, -1, 0);
        VK(CmdEndRenderPass)(p->cb);
    }
    return VK(EndCommandBuffer)(p->cb);
}

static VkResult submit(const struct program *p)
{
    const VkPipelineStageFlags mask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    const VkSemaphore semaphore = (VkSemaphore)0x5e3a;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &semaphore,
        .pWaitDstStageMask = &mask,
        .commandBufferCount = 1,
        .pCommandBuffers = &p->cb,
    };
    const VkResult result = VK(QueueSubmit)(queue, 1, &info, VK_NULL_HANDLE);
    return result == VK_SUCCESS ? VK(QueueWaitIdle)(queue) : result;
}

static VkResult run(struct program *p)
{
    VkResult result = create_modules(p);
    if (result == VK_SUCCESS)
        result = create_layouts(p);
    if (result == VK_SUCCESS)
        result = create_pass(p);
    if (result == VK_SUCCESS)
        result = create_buffer(p);
    if (result == VK_SUCCESS)
        result = create_pipeline(p);
    if (result == VK_SUCCESS)
        result = create_commands(p);
    if (result == VK_SUCCESS)
        result = record(p);
    return result == VK_SUCCESS ? submit(p) : result;
}

/* Of what there is; the rest are the NULL handles that Vulkan allows. */
static void finish(const struct program *p)
{
    VK(FreeCommandBuffers)(device, p->pool, p->pool ? 1 : 0, &p->cb);
    VK(DestroyCommandPool)(device, p->pool, NULL);
    VK(DestroyPipeline)(device, p->pipeline, NULL);
    VK(DestroyBuffer)(device, p->vertices, NULL);
    VK(DestroyRenderPass)(device, p->pass, NULL);
    VK(DestroyPipelineLayout)(device, p->layout, NULL);
    VK(DestroyDescriptorSetLayout)(device, p->set_layout, NULL);
    for (int i = 0; i < 3; i++)
        VK(DestroyShaderModule)(device, p->modules[i], NULL);
}

static bool driver_failed; /* in the first run of run_twice */

/* Runs the program with whatever is to fail, and then once more with nothing failing. */
static VkResult run_twice(void)
{
    struct program p = {0};
    const VkResult result = run(&p);
    driver_failed = fake_has_failed();
    pgs_alloc_fail_after(0, false);
    fake_fail_after(0, VK_SUCCESS);
    finish(&p);
    struct program again = {0};
    assert_int_equal(run(&again), VK_SUCCESS);
    finish(&again);
    return result;
}

static void start_afresh(void **state)
{
    tear_down(state);
    assert_int_equal(pgs_alloc_live(), 0);
    set_up(state);
}

static void draws(void **state)
{
    (void)state;
    assert_int_equal(run_twice(), VK_SUCCESS);
    /* Two passes with two draws, in each of the two runs. What restarts goes through kernels. */
    assert_int_equal(fake_log_count_of("vkCmdDrawIndexedIndirect"), 4);
    assert_int_equal(fake_log_count_of("vkCmdDraw"), 4);
    assert_true(fake_log_count_of("vkCmdDispatch") >= 16);
    /* The application's, twice, and what is bound for the dispatches and put back after them. */
    assert_true(fake_log_count_of("vkCmdBindDescriptorSets") >= 2 * (3 + 2 * 2));
    for (size_t n = 0; n < fake_log_count_of("vkCmdBindDescriptorSets"); n++)
        assert_int_equal(fake_log_find("vkCmdBindDescriptorSets", n)->arguments[6], OFFSET_COUNT);
}

/* What is in front of the rasterizer is compiled once, and for pipelines that are gone as well. */
static void pipelines_share_their_shaders(void **state)
{
    struct program p = {0};
    (void)state;
    assert_int_equal(run(&p), VK_SUCCESS);
    struct program other = {.layout = p.layout, .pass = p.pass};
    assert_int_equal(create_modules(&other), VK_SUCCESS);
    const size_t compute = fake_log_count_of("vkCreateComputePipelines");
    const size_t graphics = fake_log_count_of("vkCreateGraphicsPipelines");
    const size_t modules = fake_log_count_of("vkCreateShaderModule");
    assert_true(compute >= 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(create_pipeline(&other), VK_SUCCESS);
        VK(DestroyPipeline)(device, other.pipeline, NULL);
    }
    assert_int_equal(fake_log_count_of("vkCreateComputePipelines"), compute);
    assert_int_equal(fake_log_count_of("vkCreateGraphicsPipelines"), graphics + 2);
    assert_int_equal(fake_log_count_of("vkCreateShaderModule"), modules);
    for (int i = 0; i < 3; i++)
        VK(DestroyShaderModule)(device, other.modules[i], NULL);
    finish(&p);
}

/* Once one allocation fails, and once all from there on. Some want of memory costs nothing but a
 * way that the program does not take, so success is no reason to stop. With PGS_TEST_EVERY one of
 * so many, for emulators. */
static void survives_want_of_memory(void **state)
{
    const char *every = getenv("PGS_TEST_EVERY");
    const int64_t step = every ? atoi(every) : 1;
    int64_t failures[2] = {0, 0};
    bool reached = true;
    for (int64_t n = 1; reached; n += step) {
        for (int all_after = 1; all_after >= 0 && reached; all_after--) {
            struct program p = {0};
            pgs_alloc_fail_after(n, all_after);
            const VkResult result = run(&p);
            if (all_after) {
                void *probe = pgs_alloc(1);
                reached = !probe;
                pgs_alloc_fail_after(0, false);
                pgs_free(probe);
            }
            pgs_alloc_fail_after(0, false);
            finish(&p);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            failures[all_after] += result != VK_SUCCESS;
            assert_int_equal(run_twice(), VK_SUCCESS);
            start_afresh(state);
        }
    }
    assert_true(step * failures[0] > 40 && failures[1] >= failures[0]);
}

static void survives_failures_of_the_driver(void **state)
{
    static const VkResult results[] = {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY};
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        unsigned n = 1, survived = 0;
        for (driver_failed = true; driver_failed; n++) {
            fake_fail_after(n, results[i]);
            const VkResult result = run_twice();
            start_afresh(state);
            assert_true(result == results[i] || result == VK_SUCCESS);
            survived += driver_failed && result == VK_SUCCESS;
        }
        assert_true(n > 30);
        /* The layer needs no VkPipelineCache, and does with smaller blocks of memory: a buffer,
         * memory and what binds it for scratch, and what maps it, too, for records. */
        assert_int_equal(survived, results[i] == VK_ERROR_OUT_OF_DEVICE_MEMORY ? 8 : 1);
    }
}

/* The commands that may say so say so unchanged, and all can be destroyed afterwards. */
static void hands_on_that_the_device_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned n;
    } cases[] = {{"submit", 1}, {"wait", 2}};
    for (size_t i = 0; i < 2; i++) {
        struct program p = {0};
        assert_int_equal(run(&p), VK_SUCCESS);
        fake_fail_after(cases[i].n, VK_ERROR_DEVICE_LOST);
        assert_int_equal(submit(&p), VK_ERROR_DEVICE_LOST);
        assert_true(fake_has_failed());
        fake_fail_after(1, VK_ERROR_DEVICE_LOST);
        assert_int_equal(VK(DeviceWaitIdle)(device), VK_ERROR_DEVICE_LOST);
        fake_fail_after(1, VK_ERROR_DEVICE_LOST);
        assert_int_equal(VK(WaitForFences)(device, 0, NULL, VK_TRUE, 0), VK_ERROR_DEVICE_LOST);
        finish(&p);
        start_afresh(state);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(draws),
        cmocka_unit_test_setup_teardown(draws, set_up_1_1, tear_down),
        TEST(pipelines_share_their_shaders),
        TEST(survives_want_of_memory),
        TEST(survives_failures_of_the_driver),
        TEST(hands_on_that_the_device_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
