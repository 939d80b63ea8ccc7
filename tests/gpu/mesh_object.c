/* SPDX-License-Identifier: MIT
 *
 * Shader objects of mesh shaders, with and without a task shader, unlinked, linked and made of
 * binaries: they draw between emulated draws of other objects and behind a pipeline, while
 * statistics are counted, and in secondaries. A fragment shader that reads gl_PrimitiveID is bound
 * behind both.
 */
#include "gpu/shader_object_state.h"

#include "mesh_emulated_geom.h"
#include "mesh_emulated_vert.h"
#include "mesh_frag.h"
#include "mesh_mesh.h"
#include "mesh_task.h"
#include "mesh_tasked_mesh.h"
#include "value_frag.h"

#include <stdlib.h>

#define SIDE_PX 64u

#if defined(VK_EXT_shader_object) && defined(VK_KHR_dynamic_rendering_local_read)

#define MESH_STAGES (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* The stages of a draw, in the order in which they are bound. */
enum { VERTEX, GEOMETRY, TASK, MESH, FRAGMENT, STAGES };
static const VkShaderStageFlagBits stage_bits[STAGES] = {
    VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_TASK_BIT_EXT,
    VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
struct objects {
    VkShaderEXT of[STAGES];
};

/* NUMBERED: the fragment shader reads gl_PrimitiveID. */
enum kind { EMULATED, PLAIN, TASKED, NUMBERED_EMULATED, NUMBERED, NUMBERED_TASKED, KINDS };

static struct suite {
    struct vkt t;
    struct vkt_buffer values;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_image color;
    struct objects kinds[KINDS];
    VkPipeline pipeline; /* with a geometry shader */
} s;

/* -- objects -- */

static const VkPushConstantRange push_range = {MESH_STAGES, 0, 4};

static VkShaderCreateInfoEXT object_info(VkShaderStageFlagBits stage, VkShaderStageFlags next,
                                         VkShaderCreateFlagsEXT flags, struct vkt_code code)
{
    VkShaderCreateInfoEXT info = shader_object_info(stage, next, code, &s.set_layout, &push_range);
    info.flags = flags;
    return info;
}

static VkShaderEXT make_object(VkShaderCreateInfoEXT info)
{
    VkShaderEXT object;
    shader_object_make(&s.t, 1, &info, &object);
    return object;
}

static VkShaderCreateInfoEXT task_info(VkShaderCreateFlagsEXT flags)
{
    return object_info(VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT, flags,
                       VKT_CODE(mesh_task));
}

static VkShaderCreateInfoEXT mesh_info(VkShaderCreateFlagsEXT flags, bool tasked)
{
    return tasked
               ? object_info(VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT, flags,
                             VKT_CODE(mesh_tasked_mesh))
               : object_info(VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT,
                             flags | VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, VKT_CODE(mesh_mesh));
}

static VkShaderCreateInfoEXT fragment_info(VkShaderCreateFlagsEXT flags, bool numbered)
{
    return object_info(VK_SHADER_STAGE_FRAGMENT_BIT, 0, flags,
                       numbered ? VKT_CODE(mesh_frag) : VKT_CODE(value_frag));
}

static void make_kinds(void)
{
    const VkShaderEXT vertex = make_object(object_info(
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT, 0, VKT_CODE(mesh_emulated_vert)));
    const VkShaderEXT geometry =
        make_object(object_info(VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                VKT_CODE(mesh_emulated_geom)));
    const VkShaderEXT task = make_object(task_info(0));
    const VkShaderEXT mesh = make_object(mesh_info(0, false));
    const VkShaderEXT tasked = make_object(mesh_info(0, true));
    for (int i = 0; i < 2; i++) {
        struct objects *kinds = &s.kinds[i ? NUMBERED_EMULATED : EMULATED];
        const VkShaderEXT fragment = make_object(fragment_info(0, i));
        kinds[EMULATED] = (struct objects){{vertex, geometry, 0, 0, fragment}};
        kinds[PLAIN] = (struct objects){{0, 0, 0, mesh, fragment}};
        kinds[TASKED] = (struct objects){{0, 0, task, tasked, fragment}};
    }
}

static void make_resources(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  MESH_STAGES, NULL};
    float values[16][4];
    for (uint32_t i = 0; i < 64; i++)
        values[i / 4][i % 4] = (float)i / 64.0f;
    s.values = vkt_buffer_from(&s.t, values, sizeof(values), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    s.set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, s.set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.values.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = vkt_layout(&s.t, &s.set_layout, 1, &push_range, 1);
    s.color = vkt_image(&s.t, VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    s.pipeline = vkt_pipeline(&s.t, &(struct vkt_pipeline_info){
                                        .vs = VKT_CODE(mesh_emulated_vert),
                                        .gs = VKT_CODE(mesh_emulated_geom),
                                        .fs = VKT_CODE(mesh_frag),
                                        .layout = s.layout,
                                        .dynamic_format = VK_FORMAT_R32_UINT,
                                        .width_px = SIDE_PX,
                                        .height_px = SIDE_PX,
                                        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                    });
}

/* -- draws -- */

static void set_all(VkCommandBuffer cmd)
{
    vkCmdSetVertexInputEXT(cmd, 0, NULL, 0, NULL);
    shader_object_set_state(&s.t, cmd, SIDE_PX);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
}

static void draw_bound(VkCommandBuffer cmd, const struct objects *objects, uint32_t first)
{
    if (objects->of[VERTEX]) {
        vkCmdDraw(cmd, 6, 1, first, 0);
        return;
    }
    vkCmdPushConstants(cmd, s.layout, MESH_STAGES, 0, sizeof(first), &first);
    vkCmdDrawMeshTasksEXT(cmd, objects->of[TASK] ? 2 : 6, 1, 1);
}

/* Fills six places, or those that two task shaders fill. */
static void draw(VkCommandBuffer cmd, const struct objects *objects, uint32_t first)
{
    vkCmdBindShadersEXT(cmd, STAGES, stage_bits, objects->of);
    draw_bound(cmd, objects, first);
}

static VkCommandBuffer start(VkRenderingFlags flags, VkQueryPool pool)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = flags,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (pool)
        vkCmdResetQueryPool(cmd, pool, 0, 2);
    if (!flags)
        set_all(cmd);
    vkt_image_barrier(cmd, s.color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &info);
    return cmd;
}

static void finish(VkCommandBuffer cmd, const char *name, uint32_t least)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, s.color.image, range, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s.t, drawn > least, "%s: only %u pixels", name, drawn);
    vkt_dump_image(&s.t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static void run_kinds(const char *name, const struct objects *kinds, uint32_t count)
{
    const VkCommandBuffer cmd = start(0, VK_NULL_HANDLE);
    for (uint32_t i = 0; i < 16; i++)
        draw(cmd, &kinds[i % count], 15 * i);
    finish(cmd, name, 300);
}

/* Only what differs is bound. */
static void run_partly(void)
{
    const struct objects *emulated = &s.kinds[EMULATED], *plain = &s.kinds[PLAIN],
                         *tasked = &s.kinds[TASKED];
    const VkCommandBuffer cmd = start(0, VK_NULL_HANDLE);
    draw(cmd, plain, 0);
    vkCmdBindShadersEXT(cmd, 2, stage_bits + TASK, tasked->of + TASK);
    draw_bound(cmd, tasked, 16);
    vkCmdBindShadersEXT(cmd, 2, stage_bits + TASK, NULL);
    vkCmdBindShadersEXT(cmd, 2, stage_bits, emulated->of);
    draw_bound(cmd, emulated, 32);
    vkCmdBindShadersEXT(cmd, 2, stage_bits, NULL);
    vkCmdBindShadersEXT(cmd, 1, stage_bits + MESH, plain->of + MESH);
    draw_bound(cmd, plain, 48);
    vkCmdBindShadersEXT(cmd, 1, stage_bits + FRAGMENT, &s.kinds[NUMBERED].of[FRAGMENT]);
    draw_bound(cmd, plain, 64);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY); /* ignored */
    draw_bound(cmd, plain, 80);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    draw(cmd, emulated, 96);
    finish(cmd, "partly", 140);
}

/* A pipeline unbinds all objects. */
static void run_pipeline(void)
{
    const VkCommandBuffer cmd = start(0, VK_NULL_HANDLE);
    for (uint32_t i = 0; i < KINDS; i++) {
        draw(cmd, &s.kinds[i], 40 * i);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipeline);
        vkCmdDraw(cmd, 6, 1, 40 * i + 20, 0);
        set_all(cmd);
    }
    finish(cmd, "pipeline", 200);
}

static void run_statistics(void)
{
    uint64_t counted[2] = {0};
    if (!s.t.features.core.pipelineStatisticsQuery)
        return;
    const VkQueryPool pool =
        shader_object_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
                           VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT);
    const VkCommandBuffer cmd = start(0, pool);
    draw(cmd, &s.kinds[NUMBERED_EMULATED], 0);
    draw(cmd, &s.kinds[PLAIN], 20);
    draw_bound(cmd, &s.kinds[PLAIN], 40);
    vkCmdBeginQuery(cmd, pool, 0, 0);
    draw(cmd, &s.kinds[EMULATED], 60);
    vkCmdEndQuery(cmd, pool, 0);
    draw(cmd, &s.kinds[NUMBERED], 80);
    vkCmdBeginQuery(cmd, pool, 1, 0);
    draw(cmd, &s.kinds[NUMBERED_EMULATED], 100);
    vkCmdEndQuery(cmd, pool, 1);
    draw(cmd, &s.kinds[TASKED], 120);
    draw_bound(cmd, &s.kinds[TASKED], 140);
    draw(cmd, &s.kinds[EMULATED], 160);
    finish(cmd, "counted_picture", 170);
    VKT_CALL(vkGetQueryPoolResults(s.t.device, pool, 0, 2, sizeof(counted), counted,
                                   sizeof(counted[0]), VK_QUERY_RESULT_64_BIT));
    VKT_EXPECT(&s.t, counted[0] + counted[1] == 12, "%u and %u invocations of the geometry shader",
               (unsigned)counted[0], (unsigned)counted[1]);
}

static VkCommandBuffer record_secondary(const enum kind kinds[3], uint32_t first)
{
    const VkFormat format = VK_FORMAT_R32_UINT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
    };
    const VkCommandBuffer cmd =
        vkt_secondary(&s.t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
    set_all(cmd);
    for (uint32_t i = 0; i < 3; i++)
        draw(cmd, &s.kinds[kinds[i]], first + 20 * i);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void run_secondaries(void)
{
    const VkCommandBuffer secondaries[3] = {
        record_secondary((enum kind[]){PLAIN, NUMBERED_EMULATED, TASKED}, 0),
        record_secondary((enum kind[]){TASKED, PLAIN, NUMBERED}, 60),
        record_secondary((enum kind[]){EMULATED, NUMBERED_TASKED, EMULATED}, 120),
    };
    const VkCommandBuffer cmd =
        start(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT, VK_NULL_HANDLE);
    vkCmdExecuteCommands(cmd, 3, secondaries);
    finish(cmd, "secondaries", 180);
}

/* -- linked objects and binaries -- */

static void run_linked(bool numbered)
{
    const VkShaderCreateFlagsEXT linked = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    const VkShaderCreateInfoEXT infos[3] = {task_info(linked), mesh_info(linked, true),
                                            fragment_info(linked, numbered)};
    const VkShaderCreateInfoEXT pair[2] = {mesh_info(linked, false), infos[2]};
    VkShaderEXT made[3], two[2];
    shader_object_make(&s.t, 3, infos, made);
    shader_object_make(&s.t, 2, pair, two);
    const struct objects kinds[3] = {{{0, 0, made[0], made[1], made[2]}},
                                     s.kinds[NUMBERED_EMULATED],
                                     {{0, 0, 0, two[0], two[1]}}};
    run_kinds(numbered ? "linked_numbered" : "linked", kinds, 3);
}

/* The same object again, from its binary. */
static VkShaderEXT again(VkShaderEXT object, VkShaderCreateInfoEXT info)
{
    size_t size_B = 0;
    VKT_CALL(vkGetShaderBinaryDataEXT(s.t.device, object, &size_B, NULL));
    void *binary = aligned_alloc(16, (size_B + 15) & ~(size_t)15);
    VKT_CALL(vkGetShaderBinaryDataEXT(s.t.device, object, &size_B, binary));
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.codeSize = size_B;
    info.pCode = binary;
    const VkShaderEXT made = make_object(info);
    free(binary);
    return made;
}

static void run_binaries(void)
{
    const struct objects *tasked = &s.kinds[NUMBERED_TASKED];
    const struct objects kinds[2] = {
        {{0, 0, again(tasked->of[TASK], task_info(0)), again(tasked->of[MESH], mesh_info(0, true)),
          again(tasked->of[FRAGMENT], fragment_info(0, true))}},
        s.kinds[EMULATED]};
    run_kinds("binaries", kinds, 2);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .shaderObject = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
        .taskShader = VK_TRUE,
        .meshShader = VK_TRUE};
    const struct vkt_extension extensions[] = {{VK_EXT_SHADER_OBJECT_EXTENSION_NAME, &objects, 1},
                                               {VK_EXT_MESH_SHADER_EXTENSION_NAME, &mesh, 5},
                                               {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("mesh_object", argc, argv);
    options.extensions = extensions;
    options.xfb = true;
    vkt_init(&s.t, &options);
    make_resources();
    make_kinds();
    run_kinds("meshes", s.kinds + PLAIN, 2);
    run_kinds("unnumbered", s.kinds, 3);
    run_kinds("numbered", s.kinds + NUMBERED_EMULATED, 3);
    run_kinds("kinds", s.kinds, KINDS);
    run_partly();
    run_pipeline();
    run_statistics();
    run_secondaries();
    run_linked(false);
    run_linked(true);
    run_binaries();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("mesh_object", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_EXT_shader_object");
}
#endif
