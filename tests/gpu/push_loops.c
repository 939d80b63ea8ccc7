/* SPDX-License-Identifier: MIT
 *
 * Shaders with loops that push constants bound, which say of each draw how long they are: so draws
 * of one pipeline go this way and that, in one pass, and nobody is to see which. To be compared
 * with what is drawn natively.
 */
#include "common/vkt.h"

#include "amplify_frag.h"
#include "push_loops_lines.h"
#include "push_loops_quads.h"
#include "push_loops_vert.h"

#include <stddef.h>

#define SIDE_PX 64u
#define VERTICES 600u

struct vertex {
    uint32_t seeds[2], more;
};

struct push {
    float unused[4];
    uint32_t vertex_times;
    int32_t geometry_times;
};

struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_target target;
    struct vkt_buffer vertices;
};

static const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;

static VkPipeline make_pipeline(struct suite *s, struct vkt_code gs)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32_UINT, offsetof(struct vertex, seeds)},
        {1, 0, VK_FORMAT_R32_UINT, offsetof(struct vertex, more)},
    };
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = VKT_CODE(push_loops_vert),
                                   .gs = gs,
                                   .fs = VKT_CODE(amplify_frag),
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .width_px = SIDE_PX,
                                   .height_px = SIDE_PX,
                                   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                   .bindings = &binding,
                                   .binding_count = 1,
                                   .attributes = attributes,
                                   .attribute_count = VKT_COUNT(attributes),
                               });
}

/* Short ones and long ones, each of several calls, and so many that are not counted up to. */
static void draw_all(const struct suite *s, VkCommandBuffer cmd)
{
    static const struct {
        uint32_t vertex_times;
        int32_t geometry_times;
    } all[] = {{0, 0},   {0, 0}, {3, 0},   {0, 2}, {700, 0},
               {700, 0}, {0, 0}, {0, 700}, {1, 1}, {0, -5}};
    for (uint32_t i = 0; i < VKT_COUNT(all); i++) {
        const struct push push = {{0.5F, 0, 0, 0}, all[i].vertex_times, all[i].geometry_times};
        vkCmdPushConstants(cmd, s->layout, stages, 0, sizeof(push), &push);
        vkCmdDraw(cmd, VERTICES / 2, 1, i * 9, 0);
        vkCmdDraw(cmd, VERTICES / 4, 1, i * 9 + VERTICES / 2, 0);
    }
}

static void draw(struct suite *s, const char *name, struct vkt_code gs)
{
    const VkPipeline pipeline = make_pipeline(s, gs);
    for (uint32_t frame = 0; frame < 3; frame++) {
        VkCommandBuffer cmd = vkt_commands(&s->t);
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &(VkDeviceSize){0});
        draw_all(s, cmd);
        vkCmdEndRenderPass(cmd);
        vkt_barrier_all(cmd);
        vkt_submit(&s->t, cmd);
        char text[64];
        snprintf(text, sizeof(text), "%s-%u", name, frame);
        const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
        vkt_dump_image(&s->t, text, pixels.map, SIDE_PX, SIDE_PX, 4);
        const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
        VKT_EXPECT(&s->t, drawn > SIDE_PX * SIDE_PX / 8, "%s: only %u pixels", text, drawn);
    }
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-push_loops", argc, argv);
    static struct suite s;
    static struct vertex vertices[VERTICES];
    const VkPushConstantRange range = {stages, 0, sizeof(struct push)};
    vkt_init(&s.t, &options);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    for (uint32_t i = 0; i < VERTICES; i++)
        vertices[i] = (struct vertex){{i * 2654435761U, i * 40503U}, i % 17};
    s.vertices =
        vkt_buffer_from(&s.t, vertices, sizeof(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    draw(&s, "lines", VKT_CODE(push_loops_lines));
    draw(&s, "quads", VKT_CODE(push_loops_quads));
    return vkt_finish(&s.t);
}
