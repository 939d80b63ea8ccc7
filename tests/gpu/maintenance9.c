/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_maintenance9 around geometry shaders: inputs without an attribute, queries that are
 * created reset, events that are set without the dependency that waits for them, and a device
 * without queues that compiles pipelines. By VK_KHR_unified_image_layouts the attachment is in the
 * layout GENERAL and says that it is not fed back.
 */
#include "row.h"

#include "maintenance5_geom.h"
#include "maintenance9_vert.h"
#include "value_frag.h"

#if defined(VK_KHR_maintenance9) && defined(VK_KHR_unified_image_layouts)

static struct suite {
    struct vkt t;
    struct vkt_buffer places;
    VkPipelineLayout layout;
    struct vkt_target target;
    VkPipeline pipelines[2]; /* with a geometry shader: 1 */
} s;

static VkPhysicalDeviceMaintenance9FeaturesKHR nine = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR, .maintenance9 = VK_TRUE};

static void make_pipelines(void)
{
    for (int i = 0; i < 2; i++) {
        struct vkt_pipeline_info info = row_pipeline(s.layout, VK_NULL_HANDLE);
        info.vs = VKT_CODE(maintenance9_vert);
        if (i)
            info.gs = VKT_CODE(maintenance5_geom);
        info.fs = VKT_CODE(value_frag);
        info.dynamic_format = VK_FORMAT_R32_UINT;
        s.pipelines[i] = vkt_pipeline(&s.t, &info);
    }
}

static void begin(VkCommandBuffer cmd)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkAttachmentFeedbackLoopInfoEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_FEEDBACK_LOOP_INFO_EXT};
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .pNext = &feedback,
        .imageView = s.target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {ROW_SIDE_PX, ROW_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkt_image_barrier(cmd, s.target.color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_GENERAL);
    vkCmdBeginRendering(cmd, &info);
}

static void draw(VkCommandBuffer cmd, bool geometry, uint32_t at)
{
    const VkDeviceSize zero = 0;
    const struct row_push push = row_push(at);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[geometry]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
}

static VkQueryPool make_queries(VkQueryType type)
{
    const bool counts = type == VK_QUERY_TYPE_PIPELINE_STATISTICS;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR,
        .queryType = type,
        .queryCount = 2,
        .pipelineStatistics = counts
                                  ? VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                                        VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |
                                        VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT
                                  : 0,
    };
    VkQueryPool queries;
    VKT_CALL(vkCreateQueryPool(s.t.device, &info, NULL, &queries));
    vkt_defer(&s.t, vkt_destroy_query_pool, (uint64_t)queries);
    uint64_t values[4] = {0};
    VKT_EXPECT(&s.t,
               vkGetQueryPoolResults(s.t.device, queries, 1, 1, sizeof(values), values,
                                     sizeof(values), VK_QUERY_RESULT_64_BIT) == VK_NOT_READY,
               "a query that was created reset is available");
    return queries;
}

/* Queries that nobody has reset count draws, and an event without a dependency orders the copy
 * behind them. */
static void run_draws(void)
{
    const VkQueryPool queries[2] = {make_queries(VK_QUERY_TYPE_OCCLUSION),
                                    make_queries(VK_QUERY_TYPE_PIPELINE_STATISTICS)};
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                                          .flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT};
    VkEvent event;
    VKT_CALL(vkCreateEvent(s.t.device, &event_info, NULL, &event));
    VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .dependencyFlags = VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin(cmd);
    for (uint32_t i = 0; i < 2; i++)
        vkCmdBeginQuery(cmd, queries[i], 1, 0);
    draw(cmd, true, 0);
    draw(cmd, false, 1);
    draw(cmd, true, 4);
    for (uint32_t i = 0; i < 2; i++)
        vkCmdEndQuery(cmd, queries[i], 1);
    vkCmdEndRendering(cmd);
    vkCmdSetEvent2(cmd, event, &info);
    barrier.srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
    vkCmdWaitEvents2(cmd, 1, &event, &info);
    vkt_image_barrier(cmd, s.target.color.image,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                      VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_submit(&s.t, cmd);
    vkDestroyEvent(s.t.device, event, NULL);
    row_expect(&s.t, &s.target, "draws", 100, 0);
    uint64_t values[4] = {0};
    VKT_CALL(vkGetQueryPoolResults(s.t.device, queries[0], 1, 1, 8, values, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s.t, values[0] != 0, "no samples");
    VKT_CALL(vkGetQueryPoolResults(s.t.device, queries[1], 1, 1, 24, values, 24,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s.t, values[1] == 2 * ROW_VERTICES / 3, "%u invocations of the geometry shader",
               (unsigned)values[1]);
    vkt_dump_buffer(&s.t, "statistics", values, sizeof(values));
}

/* Commands of the other device. */
#define OF(name) ((PFN_##name)vkGetDeviceProcAddr(device, #name))

static VkShaderModule make_module(VkDevice device, struct vkt_code code)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
    VkShaderModule module;
    VKT_CALL(OF(vkCreateShaderModule)(device, &info, NULL, &module));
    return module;
}

static void compile(VkDevice device)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    VKT_CALL(OF(vkCreatePipelineLayout)(device, &layout_info, NULL, &layout));
    const VkShaderModule vs = make_module(device, VKT_CODE(maintenance9_vert)),
                         gs = make_module(device, VKT_CODE(maintenance5_geom));
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vs,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_GEOMETRY_BIT,
         .module = gs,
         .pName = "main"},
    };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pRasterizationState = &rasterization,
        .layout = layout,
    };
    VkPipeline pipeline;
    VKT_CALL(OF(vkCreateGraphicsPipelines)(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    OF(vkDestroyPipeline)(device, pipeline, NULL);
    OF(vkDestroyShaderModule)(device, vs, NULL);
    OF(vkDestroyShaderModule)(device, gs, NULL);
    OF(vkDestroyPipelineLayout)(device, layout, NULL);
}

static void run_without_queues(void)
{
    const char *const name = VK_KHR_MAINTENANCE_9_EXTENSION_NAME;
    VkPhysicalDeviceMaintenance9FeaturesKHR own = nine;
    own.pNext = NULL;
    VkPhysicalDeviceVulkan13Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &own,
        .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &core,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = &name,
        .pEnabledFeatures = &features,
    };
    VkDevice device;
    VKT_CALL(vkCreateDevice(s.t.physical, &info, NULL, &device));
    compile(device);
    OF(vkDestroyDevice)(device, NULL);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceUnifiedImageLayoutsFeaturesKHR unified = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFIED_IMAGE_LAYOUTS_FEATURES_KHR,
        .unifiedImageLayouts = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_KHR_MAINTENANCE_9_EXTENSION_NAME, &nine, 1},
        {VK_KHR_UNIFIED_IMAGE_LAYOUTS_EXTENSION_NAME, &unified, 1},
        {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("maintenance9", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    row_init(&s.t, &s.places, &s.layout, &s.target);
    make_pipelines();
    run_draws();
    run_without_queues();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("maintenance9", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_KHR_unified_image_layouts");
}
#endif
