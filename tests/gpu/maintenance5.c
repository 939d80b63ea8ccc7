/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_maintenance5 around geometry shaders: stages without modules, flags of pipelines and
 * usages of buffers in the chain, index buffers with sizes, which draws without a geometry shader
 * find bound again.
 */
#include "common/vkt.h"

#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "value_frag.h"

#include <string.h>

#define SIDE_PX 64u
#define TRIANGLES 6u

#ifdef VK_KHR_maintenance5
struct push {
    float shift[2];
    uint32_t tint;
};

struct suite {
    struct vkt t;
    struct vkt_buffer places, indices;
    VkPipelineLayout layout;
    struct vkt_target target;
    VkPipeline with, without; /* a geometry shader */
};

/* The usage in the chain is the one that counts. */
static struct vkt_buffer make_buffer(struct vkt *t, const void *bytes, size_t size_B,
                                     VkBufferUsageFlags2KHR usage)
{
    const VkBufferUsageFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR, .usage = usage};
    const struct vkt_buffer buffer = vkt_buffer_chained(t, &flags, size_B, 0, 0);
    memcpy(buffer.map, bytes, size_B);
    return buffer;
}

static void make_buffers(struct suite *s)
{
    float places[3 * TRIANGLES][2];
    uint16_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        places[i][0] = 0.3f + (float)(i / 3) * 5.0f + (float)(i % 3 == 1) * 4.5f;
        places[i][1] = 0.3f + (float)(i % 3 == 2) * 9.0f;
        indices[i] = (uint16_t)(3 * TRIANGLES - 1 - i);
    }
    s->places = make_buffer(&s->t, places, sizeof(places), VK_BUFFER_USAGE_2_VERTEX_BUFFER_BIT_KHR);
    s->indices =
        make_buffer(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT_KHR);
}

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static VkPipeline make_pipeline(struct suite *s, bool geometry)
{
    const struct {
        VkShaderStageFlagBits stage;
        struct vkt_code code;
    } wanted[3] = {
        {VK_SHADER_STAGE_VERTEX_BIT, VKT_CODE(maintenance5_vert)},
        {VK_SHADER_STAGE_GEOMETRY_BIT, VKT_CODE(maintenance5_geom)},
        {VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(value_frag)},
    };
    const VkPipelineCreateFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
        .flags = VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR,
    };
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    const struct vkt_pipeline_info info = {
        .next = &flags,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    VkShaderModuleCreateInfo modules[3];
    VkPipelineShaderStageCreateInfo stages[3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 1 && !geometry)
            continue;
        modules[count] = (VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = wanted[i].code.size_B,
            .pCode = wanted[i].code.words,
        };
        stages[count] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = &modules[count],
            .stage = wanted[i].stage,
            .pName = "main",
        };
        count++;
    }
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_stages(&s->t, &info, stages, count, &pipeline));
    vkt_defer(&s->t, destroy_pipeline, (uint64_t)pipeline);
    return pipeline;
}

static void push(const struct suite *s, VkCommandBuffer cmd, float x, float y, uint32_t tint)
{
    const struct push values = {{x, y}, tint};
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), &values);
}

/* Draws of both kinds in turns; what is bound before one kind is what the next draw of the other
 * kind reads. */
static void record(const struct suite *s, VkCommandBuffer cmd)
{
    static const struct {
        bool geometry, binds;
        uint32_t first, count; /* of the indices that are bound */
    } steps[] = {
        {true, true, 3, 12}, {false, false, 0, 0}, {false, true, 0, 9}, {true, false, 0, 0},
        {true, true, 6, 12}, {false, false, 0, 0}, {true, true, 0, 18}, {false, false, 0, 0},
    };
    const VkDeviceSize zero = 0;
    uint32_t count = 0;
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->places.buffer, &zero);
    for (uint32_t i = 0; i < VKT_COUNT(steps); i++) {
        if (steps[i].binds) {
            count = steps[i].count;
            vkCmdBindIndexBuffer2KHR(cmd, s->indices.buffer, steps[i].first * 2, count * 2,
                                     VK_INDEX_TYPE_UINT16);
        }
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          steps[i].geometry ? s->with : s->without);
        push(s, cmd, (float)(i % 2) * 31.0f, (float)(i / 2) * 6.5f, 100 * i + 1);
        vkCmdDrawIndexed(cmd, count, 1, 0, 0, 0);
    }
}

static void run(struct suite *s)
{
    struct vkt *t = &s->t;
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    record(s, cmd);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &s->target.color, 4);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        drawn += ((const uint32_t *)pixels.map)[i] != 0;
    VKT_EXPECT(t, drawn > 500, "only %u pixels", drawn);
    vkt_dump_image(t, "image", pixels.map, SIDE_PX, SIDE_PX, 4);
}
#endif

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("maintenance5", argc, argv);
#ifdef VK_KHR_maintenance5
    static struct suite s;
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    options.maintenance = 5;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.with = make_pipeline(&s, true);
    s.without = make_pipeline(&s, false);
    run(&s);
    return vkt_finish(&s.t);
#else
    (void)options;
    vkt_skip("the Vulkan headers are older than VK_KHR_maintenance5");
#endif
}
