/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_maintenance5 around geometry shaders: stages without modules, flags of pipelines and
 * usages of buffers in the chain, index buffers with sizes, which draws without a geometry shader
 * find bound again.
 */
#include "row.h"

#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "value_frag.h"

#include <string.h>

#ifdef VK_KHR_maintenance5
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
    const struct row_places row = row_places();
    uint16_t indices[ROW_VERTICES];
    for (uint32_t i = 0; i < ROW_VERTICES; i++)
        indices[i] = (uint16_t)(ROW_VERTICES - 1 - i);
    s->places = make_buffer(&s->t, &row, sizeof(row), VK_BUFFER_USAGE_2_VERTEX_BUFFER_BIT_KHR);
    s->indices =
        make_buffer(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT_KHR);
}

static VkPipeline make_pipeline(struct suite *s, bool geometry)
{
    const VkPipelineCreateFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
        .flags = VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR,
    };
    struct vkt_pipeline_info info = row_pipeline(s->layout, s->target.pass);
    info.vs = VKT_CODE(maintenance5_vert);
    if (geometry)
        info.gs = VKT_CODE(maintenance5_geom);
    info.fs = VKT_CODE(value_frag);
    info.next = &flags;
    info.without_modules = true;
    return vkt_pipeline(&s->t, &info);
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
        const struct row_push push = row_push(i);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
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
    row_expect(t, &s->target, "image", 500, 0);
}
#endif

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("maintenance5", argc, argv);
#ifdef VK_KHR_maintenance5
    static struct suite s;
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    options.maintenance = 5;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, ROW_SIDE_PX, ROW_SIDE_PX);
    s.with = make_pipeline(&s, true);
    s.without = make_pipeline(&s, false);
    run(&s);
    return vkt_finish(&s.t);
#else
    (void)options;
    vkt_skip("the Vulkan headers are older than VK_KHR_maintenance5");
#endif
}
