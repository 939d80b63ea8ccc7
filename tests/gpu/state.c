/* SPDX-License-Identifier: MIT
 *
 * Draws with a geometry shader among other work: what the application has set stays set, and what
 * it draws without one looks as ever.
 */
#include "gpu/state.h"

#include "state_comp.h"
#include "state_frag.h"
#include "state_geom.h"
#include "state_pass_vert.h"
#include "state_vert.h"

#include <string.h>

/* Offsets of the push constants, as in the shaders. */
#define PUSH_VERTEX_B 0
#define PUSH_GEOMETRY_B 16
#define PUSH_FRAGMENT_B 32

struct vertex {
    float x, y;
    uint32_t tint;
};

static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                        VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[2] = {
    {0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
    {1, 0, VK_FORMAT_R32_UINT, offsetof(struct vertex, tint)},
};

struct vkt_pipeline_info state_info(const struct state_suite *s, bool geometry, VkRenderPass pass)
{
    struct vkt_pipeline_info info = {
        .vs = geometry ? VKT_CODE(state_vert) : VKT_CODE(state_pass_vert),
        .fs = VKT_CODE(state_frag),
        .layout = s->layout,
        .pass = pass,
        .dynamic_format = VK_FORMAT_R32_UINT,
        .width_px = STATE_SIDE_PX,
        .height_px = STATE_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    if (geometry)
        info.gs = VKT_CODE(state_geom);
    return info;
}

void state_bind(struct state_suite *s, VkCommandBuffer cmd)
{
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &(VkDeviceSize){0});
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
}

void state_push(const struct state_suite *s, VkCommandBuffer cmd, float x, float y, uint32_t slot,
                uint32_t add)
{
    const float shift[2] = {x, y};
    const struct {
        float second_shift[2];
        uint32_t slot;
    } geometry = {{3.0f, 29.0f}, slot};
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, PUSH_VERTEX_B, sizeof(shift),
                       shift);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, PUSH_GEOMETRY_B, 12,
                       &geometry);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_FRAGMENT_BIT, PUSH_FRAGMENT_B, sizeof(add),
                       &add);
}

void state_dump(struct state_suite *s, const char *name, const struct vkt_image *image)
{
    char full[64];
    const struct vkt_buffer pixels = vkt_image_read(&s->t, image, 4);
    snprintf(full, sizeof(full), "%s/image", name);
    vkt_dump_image(&s->t, full, pixels.map, STATE_SIDE_PX, STATE_SIDE_PX, 4);
    snprintf(full, sizeof(full), "%s/counters", name);
    vkt_dump_buffer(&s->t, full, s->counters.map, STATE_COUNTERS * 4);
    const uint32_t drawn = vkt_drawn(pixels.map, STATE_SIDE_PX * STATE_SIDE_PX);
    VKT_EXPECT(&s->t, drawn > 50, "%s: only %u pixels", name, drawn);
    memset(s->counters.map, 0, s->counters.size_B);
}

/* Four triangles side by side, once in order and once indexed backwards. */
static void make_buffers(struct state_suite *s)
{
    struct vertex vertices[12];
    uint16_t indices[12];
    for (uint32_t i = 0; i < 12; i++) {
        vertices[i] = (struct vertex){
            .x = 0.25f + (float)(i / 3) * 7.0f + (float)(i % 3 == 1) * 6.5f,
            .y = 0.25f + (float)(i % 3 == 2) * 8.0f,
            .tint = 1000 + i,
        };
        indices[i] = (uint16_t)(11 - i);
    }
    const struct {
        float scale[2];
        uint32_t base, pad;
    } common = {{1.0f, 1.25f}, 5, 0};
    s->vertices =
        vkt_buffer_from(&s->t, vertices, sizeof(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->common = vkt_buffer_from(&s->t, &common, sizeof(common), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s->counters =
        vkt_buffer(&s->t, STATE_COUNTERS * 4,
                   VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
}

static void make_layouts(struct state_suite *s)
{
    const VkShaderStageFlags all =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, all, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
         VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkPushConstantRange ranges[4] = {
        {VK_SHADER_STAGE_VERTEX_BIT, PUSH_VERTEX_B, 8},
        {VK_SHADER_STAGE_GEOMETRY_BIT, PUSH_GEOMETRY_B, 12},
        {VK_SHADER_STAGE_FRAGMENT_BIT, PUSH_FRAGMENT_B, 4},
        {VK_SHADER_STAGE_COMPUTE_BIT, STATE_PUSH_COMPUTE_B, 8},
    };
    s->set_layout = vkt_set_layout(&s->t, bindings, 2);
    s->set = vkt_set(&s->t, s->set_layout, bindings, 2);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, s->common.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_buffer(&s->t, s->set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counters.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &s->set_layout, 1, ranges, VKT_COUNT(ranges));
    s->compute = vkt_compute_pipeline(&s->t, VKT_CODE(state_comp), s->layout);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-state", argc, argv);
    static struct state_suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    make_buffers(&s);
    make_layouts(&s);
    s.target =
        vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, STATE_SIDE_PX, STATE_SIDE_PX);
    state_case_interleaved(&s);
    state_case_subpasses(&s);
    if (s.t.features.dynamic_rendering)
        state_case_dynamic_rendering(&s);
    state_case_secondary(&s);
    state_case_dynamic_state(&s);
    if (s.t.features.core.occlusionQueryPrecise)
        state_case_queries(&s);
    state_case_threads(&s);
    return vkt_finish(&s.t);
}
