/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_object: objects with geometry shaders and tessellation, between plain ones and
 * pipelines, unlinked, linked and made of binaries, with all state set by commands; in secondaries,
 * captured and counted, next to objects of compute shaders.
 */
#include "gpu/shader_object_state.h"
#include "gpu/xfb.h"

#include "shader_object_capture_geom.h"
#include "shader_object_capture_vert.h"
#include "shader_object_comp.h"
#include "shader_object_geom.h"
#include "shader_object_numbered_frag.h"
#include "shader_object_tesc.h"
#include "shader_object_tese.h"
#include "shader_object_vert.h"
#include "value_frag.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u
#define TRIANGLES 6u
#define GROUPS 4u

#if defined(VK_EXT_shader_object) && defined(VK_KHR_dynamic_rendering_local_read)

struct push {
    float shift[2];
    uint32_t tint;
};

/* The stages of a draw, by the number of their bits. */
#define STAGES 5
enum { VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT };
struct objects {
    VkShaderEXT of[STAGES];
};

enum kind {
    PLAIN,
    WITH_GEOMETRY,
    TESSELLATED,
    WITH_BOTH,
    NUMBERED, /* the fragment shader reads gl_PrimitiveID */
    CAPTURED,
    GEOMETRY_CAPTURED,
    KIND_COUNT
};

static struct suite {
    struct vkt t;
    struct vkt_buffer places, tints, sums, indices, arguments;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout, compute_layout;
    struct vkt_image color, samples; /* samples: with --multisampled, resolved to color */
    bool independent;                /* objects have only the sets that they use */
    struct objects kinds[KIND_COUNT];
    VkShaderEXT compute;
    VkPipeline pipelines[2]; /* plain, and with a geometry shader */
} s;

/* -- objects -- */

#define PUSH_STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)
static const VkPushConstantRange push_range = {PUSH_STAGES, 0, sizeof(struct push)};

static VkShaderCreateInfoEXT object_info(VkShaderStageFlagBits stage, VkShaderStageFlags next,
                                         struct vkt_code code)
{
    VkShaderCreateInfoEXT info = shader_object_info(stage, next, code, &s.set_layout, &push_range);
    if (s.independent && stage != VK_SHADER_STAGE_COMPUTE_BIT)
        shader_object_separate(&info, stage & PUSH_STAGES);
    return info;
}

static VkShaderEXT make_object(VkShaderStageFlagBits stage, VkShaderStageFlags next,
                               struct vkt_code code)
{
    const VkShaderCreateInfoEXT info = object_info(stage, next, code);
    VkShaderEXT object;
    shader_object_make(&s.t, 1, &info, &object);
    return object;
}

static void make_kinds(void)
{
    const VkShaderStageFlags after_vertex = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                            VK_SHADER_STAGE_GEOMETRY_BIT |
                                            VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkShaderEXT vertex =
        make_object(VK_SHADER_STAGE_VERTEX_BIT, after_vertex, VKT_CODE(shader_object_vert));
    const VkShaderEXT control =
        make_object(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VKT_CODE(shader_object_tesc));
    const VkShaderEXT evaluation = make_object(
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
        VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(shader_object_tese));
    const VkShaderEXT geometry = make_object(
        VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(shader_object_geom));
    const VkShaderEXT fragment = make_object(VK_SHADER_STAGE_FRAGMENT_BIT, 0, VKT_CODE(value_frag));
    const VkShaderEXT captured =
        make_object(VK_SHADER_STAGE_VERTEX_BIT, after_vertex, VKT_CODE(shader_object_capture_vert));
    const VkShaderEXT captured_geometry =
        make_object(VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT,
                    VKT_CODE(shader_object_capture_geom));
    s.kinds[PLAIN] = (struct objects){{vertex, 0, 0, 0, fragment}};
    s.kinds[WITH_GEOMETRY] = (struct objects){{vertex, 0, 0, geometry, fragment}};
    s.kinds[TESSELLATED] = (struct objects){{vertex, control, evaluation, 0, fragment}};
    s.kinds[WITH_BOTH] = (struct objects){{vertex, control, evaluation, geometry, fragment}};
    s.kinds[NUMBERED] = (struct objects){
        {vertex, 0, 0, 0,
         make_object(VK_SHADER_STAGE_FRAGMENT_BIT, 0, VKT_CODE(shader_object_numbered_frag))}};
    s.kinds[CAPTURED] = (struct objects){{captured, 0, 0, 0, fragment}};
    s.kinds[GEOMETRY_CAPTURED] = (struct objects){{vertex, 0, 0, captured_geometry, fragment}};
    s.compute = make_object(VK_SHADER_STAGE_COMPUTE_BIT, 0, VKT_CODE(shader_object_comp));
}

/* -- resources -- */

static void make_buffers(void)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, PUSH_STAGES, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDrawIndirectCommand argument = {3 * TRIANGLES, 1, 0, 0};
    float places[3 * TRIANGLES][2];
    uint16_t indices[3 * TRIANGLES];
    uint32_t tints[64];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        places[i][0] = (float)(i / 3) * 5.0f + (float)(i % 3 == 1) * 4.0f;
        places[i][1] = (float)(i % 3 == 2) * 8.0f;
        indices[i] = (uint16_t)(i ^ 1);
    }
    for (uint32_t i = 0; i < VKT_COUNT(tints); i++)
        tints[i] = 1000 * i + 1;
    s.places = vkt_buffer_from(&s.t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s.arguments =
        vkt_buffer_from(&s.t, &argument, sizeof(argument), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s.tints = vkt_buffer_from(&s.t, tints, sizeof(tints), storage);
    s.sums = vkt_buffer(&s.t, GROUPS * sizeof(uint32_t), storage, 0);
    s.set_layout = vkt_set_layout(&s.t, bindings, 2);
    s.set = vkt_set(&s.t, s.set_layout, bindings, 2);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.tints.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_buffer(&s.t, s.set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.sums.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = shader_object_layout(&s.t, s.set_layout, &push_range, s.independent);
    s.compute_layout = shader_object_layout(&s.t, s.set_layout, &push_range, false);
    s.color = vkt_image(&s.t, VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
}

static void make_pipelines(void)
{
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    for (int i = 0; i < 2; i++) {
        const struct vkt_pipeline_info info = {
            .vs = VKT_CODE(shader_object_vert),
            .gs = i ? VKT_CODE(shader_object_geom) : (struct vkt_code){0},
            .fs = VKT_CODE(value_frag),
            .layout = s.layout,
            .dynamic_format = VK_FORMAT_R32_UINT,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
            .bindings = &binding,
            .binding_count = 1,
            .attributes = &attribute,
            .attribute_count = 1,
        };
        s.pipelines[i] = vkt_pipeline(&s.t, &info);
    }
}

/* -- state -- */

static void set_all(VkCommandBuffer cmd)
{
    const VkDeviceSize zero = 0;
    shader_object_set_input(cmd, 8);
    shader_object_set_state(&s.t, cmd, SIDE_PX);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s.indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
}

/* -- draws -- */

static void bind(VkCommandBuffer cmd, const struct objects *objects)
{
    static const VkShaderStageFlagBits stages[STAGES] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    const bool tessellates = objects->of[CONTROL];
    vkCmdBindShadersEXT(cmd, STAGES, stages, objects->of);
    vkCmdSetPrimitiveTopology(cmd, tessellates ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                               : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
}

static void push(VkCommandBuffer cmd, uint32_t at)
{
    const struct push push = {{(float)(at % 2) * 32.0f, (float)(at / 2) * 4.0f}, at};
    vkCmdPushConstants(cmd, s.layout, PUSH_STAGES, 0, sizeof(push), &push);
}

static void draw(VkCommandBuffer cmd, const struct objects *objects, uint32_t at)
{
    bind(cmd, objects);
    push(cmd, at);
    vkCmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
}

static void begin(VkCommandBuffer cmd, VkRenderingFlags flags)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const bool many = s.samples.image;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = many ? s.samples.view : s.color.view,
        .resolveMode = many ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = many ? s.color.view : VK_NULL_HANDLE,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
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
    vkt_image_barrier(cmd, s.color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    if (many)
        vkt_image_barrier(cmd, s.samples.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &info);
}

static VkCommandBuffer start(VkRenderingFlags flags)
{
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (!flags)
        set_all(cmd);
    begin(cmd, flags);
    return cmd;
}

static void end(VkCommandBuffer cmd)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, s.color.image, range, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

static void submit(VkCommandBuffer cmd, const char *name, uint32_t least)
{
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s.t, drawn > least, "%s: only %u pixels", name, drawn);
    vkt_dump_image(&s.t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static void run_kinds(const char *name, const struct objects *kinds, uint32_t count)
{
    const VkCommandBuffer cmd = start(0);
    for (uint32_t i = 0; i < 12; i++)
        draw(cmd, &kinds[i % count], i);
    end(cmd);
    submit(cmd, name, 800);
}

/* State changes between draws of all kinds, some of which reach only the next one that the driver
 * draws. */
static void run_state(void)
{
    const VkRect2D half = {{0, 0}, {SIDE_PX / 2, SIDE_PX}}, full = {{0, 0}, {SIDE_PX, SIDE_PX}};
    const VkDeviceSize zero = 0, stride_B = 8, size_B = s.places.size_B;
    const VkCommandBuffer cmd = start(0);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 0);
    vkCmdSetScissorWithCount(cmd, 1, &half);
    vkCmdSetCullMode(cmd, VK_CULL_MODE_BACK_BIT);
    draw(cmd, &s.kinds[PLAIN], 1);
    draw(cmd, &s.kinds[PLAIN], 2);
    vkCmdSetFrontFace(cmd, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 4);
    vkCmdSetScissorWithCount(cmd, 1, &full);
    shader_object_set_input(cmd, 16);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 5);
    draw(cmd, &s.kinds[PLAIN], 6);
    vkCmdBindVertexBuffers2(cmd, 0, 1, &s.places.buffer, &zero, &size_B, &stride_B);
    draw(cmd, &s.kinds[TESSELLATED], 8);
    draw(cmd, &s.kinds[PLAIN], 9);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    push(cmd, 10);
    vkCmdDraw(cmd, 8, 1, 0, 0);
    bind(cmd, &s.kinds[WITH_GEOMETRY]);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    push(cmd, 11);
    vkCmdDraw(cmd, 8, 1, 0, 0);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_TRUE);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 14);
    draw(cmd, &s.kinds[PLAIN], 15);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    draw(cmd, &s.kinds[WITH_BOTH], 16);
    end(cmd);
    submit(cmd, "state", 300);
}

/* No more state than shader objects demand. */
static void run_least_state(void)
{
    const VkDeviceSize zero = 0;
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin(cmd, 0);
    shader_object_set_input(cmd, 8);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    shader_object_set_least_state(&s.t, cmd, SIDE_PX);
    for (uint32_t i = 0; i < CAPTURED; i++)
        draw(cmd, &s.kinds[i], 4 * i + 1);
    end(cmd);
    submit(cmd, "least_state", 300);
}

/* One stage is bound anew, the others stay. */
static void run_partly(void)
{
    const VkShaderStageFlagBits geometry = VK_SHADER_STAGE_GEOMETRY_BIT,
                                both[2] = {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                           VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
    const VkCommandBuffer cmd = start(0);
    draw(cmd, &s.kinds[PLAIN], 0);
    vkCmdBindShadersEXT(cmd, 1, &geometry, &s.kinds[WITH_GEOMETRY].of[GEOMETRY]);
    push(cmd, 1);
    vkCmdDrawIndexed(cmd, 3 * TRIANGLES, 1, 0, 0, 0);
    vkCmdBindShadersEXT(cmd, 2, both, &s.kinds[TESSELLATED].of[CONTROL]);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    push(cmd, 4);
    vkCmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
    vkCmdBindShadersEXT(cmd, 1, &geometry, NULL);
    push(cmd, 5);
    vkCmdDrawIndirect(cmd, s.arguments.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
    vkCmdBindShadersEXT(cmd, 2, both, NULL);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    push(cmd, 8);
    vkCmdDrawIndexed(cmd, 3 * TRIANGLES, 1, 0, 0, 0);
    vkCmdBindShadersEXT(cmd, 1, &geometry, &s.kinds[WITH_GEOMETRY].of[GEOMETRY]);
    push(cmd, 9);
    vkCmdDrawIndirect(cmd, s.arguments.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
    end(cmd);
    submit(cmd, "partly", 500);
}

static void draw_with_pipeline(VkCommandBuffer cmd, int geometry, uint32_t at)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[geometry]);
    push(cmd, at);
    vkCmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
}

/* Static state of pipelines is undefined afterwards, and has to be set again. */
static void run_pipelines(void)
{
    const VkCommandBuffer cmd = start(0);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 0);
    draw_with_pipeline(cmd, 0, 1);
    set_all(cmd);
    draw(cmd, &s.kinds[PLAIN], 4);
    draw_with_pipeline(cmd, 1, 5);
    set_all(cmd);
    draw(cmd, &s.kinds[PLAIN], 8);
    draw_with_pipeline(cmd, 1, 9);
    set_all(cmd);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 12);
    draw_with_pipeline(cmd, 0, 13);
    set_all(cmd);
    draw(cmd, &s.kinds[TESSELLATED], 16);
    draw_with_pipeline(cmd, 1, 17);
    end(cmd);
    submit(cmd, "pipelines", 500);
}

/* The device has its first object with a geometry shader when a pass is under way. */
static void run_late(void)
{
    const VkShaderEXT vertex = make_object(
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        VKT_CODE(shader_object_vert));
    const VkShaderEXT fragment = make_object(VK_SHADER_STAGE_FRAGMENT_BIT, 0, VKT_CODE(value_frag));
    const struct objects plain = {{vertex, 0, 0, 0, fragment}};
    const VkCommandBuffer cmd = start(0);
    draw(cmd, &plain, 0);
    struct objects with_geometry = plain;
    with_geometry.of[GEOMETRY] = make_object(
        VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(shader_object_geom));
    draw(cmd, &plain, 1);
    draw(cmd, &with_geometry, 4);
    draw(cmd, &plain, 5);
    end(cmd);
    submit(cmd, "late", 200);
}

/* Lavapipe 26 reports that it can choose a stream, and draws objects whichever is chosen. */
static bool chooses_streams(void)
{
    const char *layers = s.t.options.layers;
    const bool alone = !layers || !strstr(layers, "VK_LAYER_poly_gs");
    return s.t.features.xfb && s.t.xfb.transformFeedbackRasterizationStreamSelect &&
           !(alone && strstr(s.t.properties.deviceName, "llvmpipe"));
}

/* Draws of objects without a geometry shader, and with one that emits to the first stream, draw
 * nothing while another is rasterized. A driver that cannot choose draws what is left. */
static void run_streams(void)
{
    const bool chooses = chooses_streams();
    const VkCommandBuffer cmd = start(0);
    for (uint32_t i = 0; i < 12; i++) {
        const bool hidden = i % 3 != 0;
        if (hidden && !chooses)
            continue;
        if (chooses)
            vkCmdSetRasterizationStreamEXT(cmd, hidden ? 1 : 0);
        draw(cmd, &s.kinds[i / 3 % 2 ? WITH_GEOMETRY : PLAIN], i);
    }
    end(cmd);
    submit(cmd, "streams", 200);
}

/* The layer's compute work comes between the bind and the second dispatch. */
static void run_compute(void)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    set_all(cmd);
    vkCmdBindShadersEXT(cmd, 1, &stage, &s.compute);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.compute_layout, 0, 1, &s.set, 0,
                            NULL);
    vkCmdDispatch(cmd, GROUPS, 1, 1);
    begin(cmd, 0);
    draw(cmd, &s.kinds[WITH_GEOMETRY], 0);
    draw(cmd, &s.kinds[WITH_BOTH], 1);
    end(cmd);
    vkt_barrier_all(cmd);
    vkCmdDispatch(cmd, GROUPS, 1, 1);
    submit(cmd, "compute", 50);
    for (uint32_t i = 0; i < GROUPS; i++)
        VKT_EXPECT(&s.t, ((const uint32_t *)s.sums.map)[i] == 2 * (i + 1), "sum %u is %u", i,
                   ((const uint32_t *)s.sums.map)[i]);
}

/* -- secondaries -- */

static VkCommandBuffer record_secondary(const struct objects *first, const struct objects *second,
                                        uint32_t at)
{
    const VkFormat format = VK_FORMAT_R32_UINT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = shader_object_samples(&s.t),
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
    };
    const VkCommandBuffer cmd =
        vkt_secondary(&s.t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
    set_all(cmd);
    draw(cmd, first, at);
    draw(cmd, second, at + 1);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void run_secondaries(void)
{
    const VkCommandBuffer secondaries[3] = {
        record_secondary(&s.kinds[WITH_GEOMETRY], &s.kinds[PLAIN], 0),
        record_secondary(&s.kinds[PLAIN], &s.kinds[PLAIN], 4),
        record_secondary(&s.kinds[PLAIN], &s.kinds[WITH_BOTH], 8),
    };
    const VkCommandBuffer cmd = start(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    vkCmdExecuteCommands(cmd, 3, secondaries);
    end(cmd);
    submit(cmd, "secondaries", 500);
    const VkCommandBuffer plain[2] = {
        record_secondary(&s.kinds[PLAIN], &s.kinds[PLAIN], 4),
        record_secondary(&s.kinds[PLAIN], &s.kinds[PLAIN], 12),
    };
    const VkCommandBuffer after = start(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    vkCmdExecuteCommands(after, 2, plain);
    end(after);
    submit(after, "plain_secondaries", 300);
}

/* -- capture and queries -- */

static uint64_t result_of(VkQueryPool pool, uint32_t query)
{
    uint64_t values[4] = {0};
    VKT_CALL(vkGetQueryPoolResults(s.t.device, pool, query, 1, sizeof(values), values,
                                   sizeof(values), VK_QUERY_RESULT_64_BIT));
    return values[0];
}

static void run_capture(void)
{
    if (!s.t.features.xfb)
        return;
    const struct vkt_buffer captured = xfb_buffer(&s.t, 1024);
    const struct vkt_buffer count = xfb_buffer(&s.t, 4);
    const struct xfb_range range = {captured.buffer, 0, 1024}, counter = {count.buffer, 0, 0};
    const struct objects without_fragments = {{s.kinds[CAPTURED].of[VERTEX], 0, 0, 0, 0}};
    const VkQueryPool pool =
        shader_object_pool(&s.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, pool, 0, 1);
    set_all(cmd);
    begin(cmd, 0);
    xfb_bind(cmd, 0, 1, &range);
    draw(cmd, &s.kinds[PLAIN], 0);
    bind(cmd, &s.kinds[GEOMETRY_CAPTURED]);
    vkCmdBeginQuery(cmd, pool, 0, 0);
    xfb_begin(cmd, 0, 0, NULL);
    push(cmd, 1);
    vkCmdDraw(cmd, 3 * TRIANGLES, 1, 0, 0);
    draw(cmd, &s.kinds[CAPTURED], 4);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_TRUE);
    draw(cmd, &without_fragments, 6);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndQuery(cmd, pool, 0);
    draw(cmd, &s.kinds[PLAIN], 5);
    draw(cmd, &s.kinds[CAPTURED], 8);
    end(cmd);
    submit(cmd, "captured_picture", 300);
    const uint64_t written = result_of(pool, 0);
    VKT_EXPECT(&s.t, written == 4 * TRIANGLES, "%llu primitives were captured",
               (unsigned long long)written);
    xfb_expect_rest(&s.t, "captured", &captured, written * 12);
    vkt_dump_buffer(&s.t, "captured", captured.map, 1024);
}

/* As many vertices as were captured, with what the driver could draw, and with what it could not.
 */
static void run_byte_count(void)
{
    if (!s.t.xfb.transformFeedbackDraw)
        return;
    const uint32_t written_B = 3 * TRIANGLES * 8;
    const struct vkt_buffer count = xfb_buffer(&s.t, 4);
    memcpy(count.map, &written_B, sizeof(written_B));
    const VkCommandBuffer cmd = start(0);
    bind(cmd, &s.kinds[PLAIN]);
    push(cmd, 0);
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, count.buffer, 0, 0, 8);
    bind(cmd, &s.kinds[WITH_GEOMETRY]);
    push(cmd, 1);
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, count.buffer, 0, 0, 8);
    draw(cmd, &s.kinds[PLAIN], 4);
    end(cmd);
    submit(cmd, "byte-count", 300);
}

static void run_queries(void)
{
    if (!s.t.features.core.pipelineStatisticsQuery)
        return;
    const VkQueryPool pool =
        shader_object_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 3,
                           VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
    const enum kind kinds[3] = {PLAIN, WITH_GEOMETRY, TESSELLATED};
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, pool, 0, 3);
    set_all(cmd);
    begin(cmd, 0);
    draw(cmd, &s.kinds[PLAIN], 0);
    for (uint32_t i = 0; i < 3; i++) {
        vkCmdBeginQuery(cmd, pool, i, 0);
        draw(cmd, &s.kinds[kinds[i]], 1 + 4 * i);
        vkCmdEndQuery(cmd, pool, i);
    }
    draw(cmd, &s.kinds[PLAIN], 16);
    end(cmd);
    submit(cmd, "counted_picture", 300);
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t vertices = result_of(pool, i);
        VKT_EXPECT(&s.t, vertices == 3 * TRIANGLES, "query %u: %llu vertices", i,
                   (unsigned long long)vertices);
    }
}

/* -- mapped attachments -- */

/* Two attachments, of which locations pick one: for objects of the driver and pipelines in turns.
 */
static void run_mapped(void)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const uint32_t locations[2][2] = {{VK_ATTACHMENT_UNUSED, 0}, {0, VK_ATTACHMENT_UNUSED}};
    const VkBool32 off[2] = {VK_FALSE, VK_FALSE};
    const VkColorComponentFlags all[2] = {0xF, 0xF};
    const struct vkt_image second =
        vkt_image(&s.t, VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX,
                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    VkRenderingAttachmentInfo colors[2];
    for (int i = 0; i < 2; i++)
        colors[i] = (VkRenderingAttachmentInfo){
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = i ? second.view : s.color.view,
            .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 2,
        .pColorAttachments = colors,
    };
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    set_all(cmd);
    vkCmdSetColorBlendEnableEXT(cmd, 0, 2, off);
    vkCmdSetColorWriteMaskEXT(cmd, 0, 2, all);
    vkt_image_barrier(cmd, s.color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkt_image_barrier(cmd, second.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &info);
    for (uint32_t i = 0; i < 8; i++) {
        const VkRenderingAttachmentLocationInfoKHR map = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
            .colorAttachmentCount = 2,
            .pColorAttachmentLocations = locations[i / 2 % 2],
        };
        vkCmdSetRenderingAttachmentLocationsKHR(cmd, &map);
        draw(cmd, &s.kinds[i % 2 ? WITH_GEOMETRY : PLAIN], 2 * i + 1);
    }
    end(cmd);
    vkt_image_barrier(cmd, second.image, range, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    submit(cmd, "mapped", 100);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &second, 4);
    vkt_dump_image(&s.t, "mapped-second", pixels.map, SIDE_PX, SIDE_PX, 4);
}

/* -- linked objects and binaries -- */

static void run_linked(void)
{
    VkShaderCreateInfoEXT infos[3] = {
        object_info(VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                    VKT_CODE(shader_object_vert)),
        object_info(VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT,
                    VKT_CODE(shader_object_geom)),
        object_info(VK_SHADER_STAGE_FRAGMENT_BIT, 0, VKT_CODE(value_frag)),
    };
    VkShaderEXT made[3];
    for (int i = 0; i < 3; i++)
        infos[i].flags |= VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    shader_object_make(&s.t, 3, infos, made);
    const struct objects with_geometry = {{made[0], 0, 0, made[1], made[2]}};
    infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    infos[1] = infos[2];
    shader_object_make(&s.t, 2, infos, made);
    const struct objects plain = {{made[0], 0, 0, 0, made[1]}};
    run_kinds("linked", (struct objects[]){with_geometry, plain}, 2);
}

/* The same object again, from its binary. */
static VkShaderEXT again(VkShaderEXT object, VkShaderCreateInfoEXT info)
{
    size_t size_B = 0, too_small_B = 8;
    VKT_CALL(vkGetShaderBinaryDataEXT(s.t.device, object, &size_B, NULL));
    void *binary = aligned_alloc(16, (size_B + 15) & ~(size_t)15);
    VKT_EXPECT(&s.t,
               vkGetShaderBinaryDataEXT(s.t.device, object, &too_small_B, binary) == VK_INCOMPLETE,
               "a binary fits into 8 bytes");
    VKT_CALL(vkGetShaderBinaryDataEXT(s.t.device, object, &size_B, binary));
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.codeSize = size_B;
    info.pCode = binary;
    VkShaderEXT made;
    shader_object_make(&s.t, 1, &info, &made);
    free(binary);
    return made;
}

static void run_binaries(void)
{
    const uint32_t bias = 500000;
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, sizeof(bias), &bias};
    VkShaderCreateInfoEXT vertex = object_info(
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        VKT_CODE(shader_object_vert));
    const VkShaderCreateInfoEXT geometry = object_info(
        VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(shader_object_geom));
    const VkShaderCreateInfoEXT fragment =
        object_info(VK_SHADER_STAGE_FRAGMENT_BIT, 0, VKT_CODE(value_frag));
    VkShaderEXT made;
    vertex.pSpecializationInfo = &constants;
    shader_object_make(&s.t, 1, &vertex, &made);
    const struct objects with_geometry = {{again(made, vertex), 0, 0,
                                           again(s.kinds[WITH_GEOMETRY].of[GEOMETRY], geometry),
                                           again(s.kinds[PLAIN].of[FRAGMENT], fragment)}};
    struct objects plain = with_geometry;
    plain.of[GEOMETRY] = VK_NULL_HANDLE;
    run_kinds("binaries", (struct objects[]){with_geometry, plain}, 2);
}

/* Objects die before others are made at their place. */
static void run_short_lived(void)
{
    const VkShaderCreateInfoEXT info = object_info(
        VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(shader_object_geom));
    static const char *const names[3] = {"short-lived-1", "short-lived-2", "short-lived-3"};
    for (int i = 0; i < 3; i++) {
        struct objects objects = s.kinds[PLAIN];
        VKT_CALL(vkCreateShadersEXT(s.t.device, 1, &info, NULL, &objects.of[GEOMETRY]));
        run_kinds(names[i], &objects, 1);
        vkDestroyShaderEXT(s.t.device, objects.of[GEOMETRY], NULL);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("shader_object", argc, argv);
    s.independent = vkt_flag(&options, "--independent");
    shader_object_init(&s.t, &options, s.independent);
    shader_object_check_commands(&s.t);
    make_buffers();
    if (vkt_flag(&options, "--multisampled"))
        s.samples = shader_object_multisampled(&s.t, VK_FORMAT_R32_UINT, SIDE_PX);
    run_late();
    make_pipelines();
    make_kinds();
    run_kinds("plain", &s.kinds[PLAIN], 1);
    run_kinds("geometry", &s.kinds[WITH_GEOMETRY], 1);
    run_kinds("tessellated", &s.kinds[TESSELLATED], 1);
    run_kinds("kinds", s.kinds, CAPTURED);
    run_state();
    run_least_state();
    run_partly();
    if (!s.samples.image) /* they have one sample */
        run_pipelines();
    if (!s.independent)
        run_streams();
    run_compute();
    run_secondaries();
    run_capture();
    run_byte_count();
    run_queries();
    if (!s.samples.image)
        run_mapped();
    run_linked();
    run_binaries();
    run_short_lived();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("shader_object", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_EXT_shader_object");
}
#endif
