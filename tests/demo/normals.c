/* SPDX-License-Identifier: MIT
 *
 * A torus knot, drawn lit without a geometry shader, and then again through one that draws the
 * normals of its vertices and faces. Triangles in, line strips out, from none to four of them,
 * depending on the data.
 */
#include "demo/demo.h"

#include "mesh_frag.h"
#include "mesh_vert.h"
#include "normals_frag.h"
#include "normals_geom.h"
#include "normals_vert.h"

#include <math.h>

#define RINGS 150u
#define SIDES 14u
#define VERTEX_COUNT (RINGS * SIDES)
#define INDEX_COUNT (RINGS * SIDES * 6)

struct vertex {
    struct vec3 position, normal, color;
};

static struct vec3 knot(float u)
{
    const float r = 2.0f + 0.85f * cosf(3.0f * u);
    return (struct vec3){r * cosf(2.0f * u), r * sinf(2.0f * u), 1.05f * sinf(3.0f * u)};
}

static void make_mesh(struct vertex *vertices, uint32_t *indices)
{
    const float turn = 6.2831853f;
    for (uint32_t i = 0; i < RINGS; i++) {
        const float u = turn * (float)i / (float)RINGS;
        const struct vec3 center = knot(u);
        const struct vec3 tangent = vec3_normalize(vec3_sub(knot(u + 0.01f), knot(u - 0.01f)));
        const struct vec3 side = vec3_normalize(vec3_cross(tangent, center));
        const struct vec3 out = vec3_cross(side, tangent);
        for (uint32_t k = 0; k < SIDES; k++) {
            const float v = turn * (float)k / (float)SIDES;
            const struct vec3 normal =
                vec3_add(vec3_scale(side, cosf(v)), vec3_scale(out, sinf(v)));
            const float blend = 0.5f + 0.5f * cosf(2.0f * u + 0.6f);
            vertices[i * SIDES + k] = (struct vertex){
                .position = vec3_add(center, vec3_scale(normal, 0.46f)),
                .normal = normal,
                .color = {0.05f + 0.10f * blend, 0.09f + 0.05f * blend, 0.30f - 0.06f * blend},
            };
            const uint32_t a = i * SIDES + k, b = i * SIDES + (k + 1) % SIDES;
            const uint32_t c = (i + 1) % RINGS * SIDES + k,
                           e = (i + 1) % RINGS * SIDES + (k + 1) % SIDES;
            uint32_t *quad = indices + 6 * (i * SIDES + k);
            quad[0] = a, quad[1] = c, quad[2] = b;
            quad[3] = b, quad[4] = c, quad[5] = e;
        }
    }
}

int main(int argc, char **argv)
{
    static struct vertex vertices[VERTEX_COUNT];
    static uint32_t indices[INDEX_COUNT];
    static const uint8_t white[4] = {255, 255, 255, 255};
    make_mesh(vertices, indices);

    struct demo d = {0};
    demo_init(&d, "demo-normals", argc, argv, (struct vec3){0.6f, -3.2f, 9.6f},
              (struct vec3){0, -0.12f, 0}, white, 1);
    const struct vkt_buffer vertex_buffer =
        vkt_buffer_from(&d.t, vertices, sizeof(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const struct vkt_buffer index_buffer =
        vkt_buffer_from(&d.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
        {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
        {2, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, color)},
    };
    struct vkt_pipeline_info info = demo_pipeline(&d);
    info.vs = VKT_CODE(mesh_vert);
    info.fs = VKT_CODE(mesh_frag);
    info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    info.bindings = &binding;
    info.binding_count = 1;
    info.attributes = attributes;
    info.attribute_count = VKT_COUNT(attributes);
    const VkPipeline mesh = vkt_pipeline(&d.t, &info);
    info.vs = VKT_CODE(normals_vert);
    info.gs = VKT_CODE(normals_geom);
    info.fs = VKT_CODE(normals_frag);
    info.attribute_count = 2;
    const VkPipelineRasterizationLineStateCreateInfoEXT bresenham = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    if (d.t.features.bresenham_lines)
        info.rasterization_next = &bresenham;
    const VkPipeline normals = vkt_pipeline(&d.t, &info);

    const float lengths[4] = {0.24f, 0.17f, 0.004f, 0.0f};
    demo_begin(&d);
    vkCmdBindVertexBuffers(d.cmd, 0, 1, &vertex_buffer.buffer, &(VkDeviceSize){0});
    vkCmdBindIndexBuffer(d.cmd, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdBindPipeline(d.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, mesh);
    vkCmdDrawIndexed(d.cmd, INDEX_COUNT, 1, 0, 0, 0);
    vkCmdBindPipeline(d.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, normals);
    vkCmdPushConstants(d.cmd, d.layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(lengths), lengths);
    vkCmdDrawIndexed(d.cmd, INDEX_COUNT, 1, 0, 0, 0);
    return demo_end(&d);
}
