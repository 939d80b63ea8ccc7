/* SPDX-License-Identifier: MIT
 *
 * Mesh shaders beside geometry shaders: their draws lie between emulated ones, direct and indirect,
 * with and without a task shader, and read what a geometry shader captured. A fragment shader reads
 * gl_PrimitiveID behind both. What they count is counted.
 */
#include "common/vkt_query.h"
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

/* Of queries: primitives of meshes, statistics of mesh shaders and of geometry shaders. Statistics
 * of stages before the rasterizer must not be active for draws of meshes. */
enum { PRIMITIVES, MESHES, GEOMETRY, POOLS };
static const uint32_t query_counts[POOLS] = {1, 3, 2}, value_counts[POOLS] = {1, 2, 1};
#define VALUES (1 + 3 * 2 + 2)

static void begin_count(VkCommandBuffer cmd, const VkQueryPool *pools, uint32_t of, uint32_t query)
{
    if (pools)
        vkCmdBeginQuery(cmd, pools[of], query, 0);
}

static void end_count(VkCommandBuffer cmd, const VkQueryPool *pools, uint32_t of, uint32_t query)
{
    if (pools)
        vkCmdEndQuery(cmd, pools[of], query);
}

static void draw_emulated(VkCommandBuffer cmd, const VkQueryPool *pools, uint32_t query,
                          uint32_t count, uint32_t first)
{
    bind(cmd, EMULATED, 0);
    begin_count(cmd, pools, GEOMETRY, query);
    vkCmdDraw(cmd, count, 1, first, 0);
    end_count(cmd, pools, GEOMETRY, query);
}

/* pools: POOLS, which count, or NULL. */
static void draw_meshes(VkCommandBuffer cmd, const VkQueryPool *pools)
{
    const VkDeviceSize size_B = sizeof(VkDrawMeshTasksIndirectCommandEXT);
    bind(cmd, PLAIN, 0);
    begin_count(cmd, pools, MESHES, 0);
    begin_count(cmd, pools, PRIMITIVES, 0);
    vkCmdDrawMeshTasksEXT(cmd, 20, 1, 1);
    end_count(cmd, pools, PRIMITIVES, 0);
    end_count(cmd, pools, MESHES, 0);
    draw_emulated(cmd, pools, 0, 12, 10);
    bind(cmd, TASKED, 18);
    begin_count(cmd, pools, MESHES, 1);
    vkCmdDrawMeshTasksEXT(cmd, 3, 1, 1);
    bind(cmd, PLAIN, 60);
    vkCmdDrawMeshTasksIndirectEXT(cmd, s.arguments.buffer, size_B, 2, (uint32_t)size_B);
    end_count(cmd, pools, MESHES, 1);
    draw_emulated(cmd, pools, 1, 30, 65);
    bind(cmd, TASKED, 90);
    begin_count(cmd, pools, MESHES, 2);
    vkCmdDrawMeshTasksIndirectCountEXT(cmd, s.arguments.buffer, size_B, s.arguments.buffer, 0, 3,
                                       (uint32_t)size_B);
    end_count(cmd, pools, MESHES, 2);
}

static void dump(const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    const uint32_t *texels = pixels.map;
    const uint32_t drawn = vkt_drawn(texels, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s.t, drawn > 250, "%s: only %u pixels", name, drawn);
    vkt_dump_image(&s.t, name, texels, SIDE_PX, SIDE_PX, 4);
}

static void make_pools(VkQueryPool *pools)
{
    pools[PRIMITIVES] = vkt_query_pool(&s.t, VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT,
                                       query_counts[PRIMITIVES], 0);
    pools[MESHES] = vkt_query_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, query_counts[MESHES],
                                   VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
                                       VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT);
    pools[GEOMETRY] =
        vkt_query_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, query_counts[GEOMETRY],
                       VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT);
}

static void check_counts(const VkQueryPool *pools)
{
    uint64_t counts[VALUES] = {0}, *next = counts;
    for (uint32_t i = 0; i < POOLS; i++) {
        const size_t size_B = 8u * query_counts[i] * value_counts[i];
        VKT_CALL(vkGetQueryPoolResults(s.t.device, pools[i], 0, query_counts[i], size_B, next,
                                       8u * value_counts[i],
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        next += query_counts[i] * value_counts[i];
    }
    VKT_EXPECT(&s.t, next[-2] == 12 && next[-1] == 30,
               "%u and %u invocations of the geometry shader", (unsigned)next[-2],
               (unsigned)next[-1]);
    vkt_dump_buffer(&s.t, "counts", counts, sizeof(counts));
}

/* Draws, captures, and draws again with what was captured. */
static void draw(void)
{
    const struct xfb_range range = {s.captured.buffer, 0, s.captured.size_B};
    VkQueryPool pools[POOLS] = {VK_NULL_HANDLE};
    if (s.counts)
        make_pools(pools);
    memset(s.captured.map, 0, s.captured.size_B);
    VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < POOLS && s.counts; i++)
        vkCmdResetQueryPool(cmd, pools[i], 0, query_counts[i]);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw_meshes(cmd, s.counts ? pools : NULL);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    dump("before");
    if (s.counts)
        check_counts(pools);

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
    draw_meshes(cmd, NULL);
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
