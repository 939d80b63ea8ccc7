/* SPDX-License-Identifier: MIT
 *
 * Mesh shaders beside geometry shaders: their draws lie between emulated ones, direct and indirect,
 * with and without a task shader, and read what a geometry shader captured. A fragment shader reads
 * gl_PrimitiveID behind both. What they count is counted.
 */
#include "gpu/xfb.h"

#include "mesh_emulated_geom.h"
#include "mesh_emulated_vert.h"
#include "mesh_frag.h"
#include "mesh_mesh.h"
#include "mesh_task.h"
#include "mesh_tasked_mesh.h"

#include <string.h>

#define SIDE_PX 64u
#define MESH_STAGES (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

enum { PLAIN, TASKED, EMULATED, PIPELINES };

static struct suite {
    struct vkt t;
    bool counts; /* meshShaderQueries */
    struct vkt_buffer captured, arguments;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[PIPELINES];
    struct vkt_target target;
} s;

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static VkShaderModule module_of(struct vkt_code code)
{
    VkShaderModule module;
    VKT_CALL(vkCreateShaderModule(
        s.t.device,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = code.size_B,
                                    .pCode = code.words},
        NULL, &module));
    return module;
}

/* The topology is ignored. */
static VkPipeline mesh_pipeline(bool tasked)
{
    const struct vkt_code codes[3] = {tasked ? VKT_CODE(mesh_tasked_mesh) : VKT_CODE(mesh_mesh),
                                      VKT_CODE(mesh_frag), VKT_CODE(mesh_task)};
    static const VkShaderStageFlagBits bits[3] = {
        VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_TASK_BIT_EXT};
    VkPipelineShaderStageCreateInfo stages[3];
    const uint32_t count = tasked ? 3 : 2;
    VkPipeline pipeline;
    for (uint32_t i = 0; i < count; i++)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = bits[i],
            .module = module_of(codes[i]),
            .pName = "main"};
    VKT_CALL(vkt_pipeline_stages(
        &s.t,
        &(struct vkt_pipeline_info){.layout = s.layout,
                                    .pass = s.target.pass,
                                    .width_px = SIDE_PX,
                                    .height_px = SIDE_PX,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY},
        stages, count, &pipeline));
    vkt_defer(&s.t, destroy_pipeline, (uint64_t)pipeline);
    for (uint32_t i = 0; i < count; i++)
        vkDestroyShaderModule(s.t.device, stages[i].module, NULL);
    return pipeline;
}

static void make_pipelines(void)
{
    s.pipelines[PLAIN] = mesh_pipeline(false);
    s.pipelines[TASKED] = mesh_pipeline(true);
    s.pipelines[EMULATED] = vkt_pipeline(&s.t, &(struct vkt_pipeline_info){
                                                   .vs = VKT_CODE(mesh_emulated_vert),
                                                   .gs = VKT_CODE(mesh_emulated_geom),
                                                   .fs = VKT_CODE(mesh_frag),
                                                   .layout = s.layout,
                                                   .pass = s.target.pass,
                                                   .width_px = SIDE_PX,
                                                   .height_px = SIDE_PX,
                                                   .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                               });
}

static void bind(VkCommandBuffer cmd, uint32_t pipeline, uint32_t first)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[pipeline]);
    if (pipeline != EMULATED)
        vkCmdPushConstants(cmd, s.layout, MESH_STAGES, 0, sizeof(first), &first);
}

/* pool: counts the primitives of the first draw. */
static void draw_meshes(VkCommandBuffer cmd, VkQueryPool pool)
{
    const VkDeviceSize size_B = sizeof(VkDrawMeshTasksIndirectCommandEXT);
    bind(cmd, PLAIN, 0);
    if (pool)
        vkCmdBeginQuery(cmd, pool, 0, 0);
    vkCmdDrawMeshTasksEXT(cmd, 20, 1, 1);
    if (pool)
        vkCmdEndQuery(cmd, pool, 0);
    bind(cmd, EMULATED, 0);
    vkCmdDraw(cmd, 12, 1, 10, 0);
    bind(cmd, TASKED, 18);
    vkCmdDrawMeshTasksEXT(cmd, 3, 1, 1);
    bind(cmd, PLAIN, 60);
    vkCmdDrawMeshTasksIndirectEXT(cmd, s.arguments.buffer, size_B, 2, (uint32_t)size_B);
    bind(cmd, EMULATED, 0);
    vkCmdDraw(cmd, 30, 1, 65, 0);
    bind(cmd, TASKED, 90);
    vkCmdDrawMeshTasksIndirectCountEXT(cmd, s.arguments.buffer, size_B, s.arguments.buffer, 0, 3,
                                       (uint32_t)size_B);
}

static void dump(const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        drawn += texels[i] != 0;
    VKT_EXPECT(&s.t, drawn > 250, "%s: only %u pixels", name, drawn);
    vkt_dump_image(&s.t, name, texels, SIDE_PX, SIDE_PX, 4);
}

static VkQueryPool pool_of(VkQueryType type, VkQueryPipelineStatisticFlags statistics)
{
    VkQueryPool pool;
    VKT_CALL(vkCreateQueryPool(s.t.device,
                               &(VkQueryPoolCreateInfo){
                                   .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .queryType = type,
                                   .queryCount = 1,
                                   .pipelineStatistics = statistics,
                               },
                               NULL, &pool));
    vkt_defer(&s.t, vkt_destroy_query_pool, (uint64_t)pool);
    return pool;
}

/* Draws, captures, and draws again with what was captured. */
static void draw(void)
{
    const struct xfb_range range = {s.captured.buffer, 0, s.captured.size_B};
    VkQueryPool pools[2] = {VK_NULL_HANDLE};
    if (s.counts) {
        pools[0] = pool_of(VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, 0);
        pools[1] = pool_of(VK_QUERY_TYPE_PIPELINE_STATISTICS,
                           VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
                               VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT);
    }
    memset(s.captured.map, 0, s.captured.size_B);
    VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < 2 && s.counts; i++)
        vkCmdResetQueryPool(cmd, pools[i], 0, 1);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    if (s.counts)
        vkCmdBeginQuery(cmd, pools[1], 0, 0);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw_meshes(cmd, pools[0]);
    vkCmdEndRenderPass(cmd);
    if (s.counts)
        vkCmdEndQuery(cmd, pools[1], 0);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    dump("before");
    if (s.counts) {
        uint64_t counts[4] = {0};
        VKT_CALL(vkGetQueryPoolResults(s.t.device, pools[0], 0, 1, 8, counts, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        VKT_CALL(vkGetQueryPoolResults(s.t.device, pools[1], 0, 1, 24, counts + 1, 24,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        VKT_EXPECT(&s.t, counts[1] == 42, "%u invocations of the geometry shader",
                   (unsigned)counts[1]);
        vkt_dump_buffer(&s.t, "counts", counts, sizeof(counts));
    }

    cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    bind(cmd, EMULATED, 0);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 30, 1, 100, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_target_begin(cmd, &s.target, true, VK_SUBPASS_CONTENTS_INLINE);
    draw_meshes(cmd, VK_NULL_HANDLE);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    dump("after");
    vkt_dump_buffer(&s.t, "captured", s.captured.map, s.captured.size_B);
}

static bool has_queries(void)
{
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
    vkGetPhysicalDeviceFeatures2(
        s.t.physical, &(VkPhysicalDeviceFeatures2){
                          .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &mesh});
    return mesh.meshShaderQueries;
}

int main(int argc, char **argv)
{
    /* x, y, z of four draws, with the number of those that count in front */
    static const uint32_t arguments[] = {2, 0, 0, 5, 1, 1, 7, 1, 1, 3, 2, 1, 9, 9, 9};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
        .taskShader = VK_TRUE,
        .meshShader = VK_TRUE};
    struct vkt_options options = vkt_parse("mesh", argc, argv);
    const bool counts = vkt_flag(&options, "--queries");
    const struct vkt_extension extensions[] = {{VK_EXT_MESH_SHADER_EXTENSION_NAME, &mesh, 5},
                                               {NULL, NULL, 0}};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  MESH_STAGES | VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    mesh.meshShaderQueries = counts;
    options.xfb = true;
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.counts = counts && has_queries();
    const VkDescriptorSetLayout layout = vkt_set_layout(&s.t, &binding, 1);
    const VkPushConstantRange range = {MESH_STAGES, 0, 4};
    s.set = vkt_set(&s.t, layout, &binding, 1);
    s.layout = vkt_layout(&s.t, &layout, 1, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.captured = vkt_buffer(
        &s.t, 4096,
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s.arguments =
        vkt_buffer_from(&s.t, arguments, sizeof(arguments), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.captured.buffer, 0,
                     VK_WHOLE_SIZE);
    make_pipelines();
    draw();
    return vkt_finish(&s.t);
}
