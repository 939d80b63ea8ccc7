/* SPDX-License-Identifier: MIT
 *
 * A sphere, exploded into plates and shelled like an onion: the geometry shader runs four times for
 * each triangle (invocations), once for each shell, and gives none, two or five strips.
 */
#include "demo/demo.h"

#include "shells_frag.h"
#include "shells_geom.h"
#include "shells_vert.h"

#include <math.h>

#define SPLITS 3
#define TRIANGLE_COUNT (20u * 4 * 4 * 4)

struct triangles {
    struct vec3 corner[TRIANGLE_COUNT * 3];
    uint32_t count;
};

static void split(struct triangles *out, struct vec3 a, struct vec3 b, struct vec3 c, int depth)
{
    if (depth == 0) {
        out->corner[out->count++] = a;
        out->corner[out->count++] = b;
        out->corner[out->count++] = c;
        return;
    }
    const struct vec3 ab = vec3_normalize(vec3_add(a, b));
    const struct vec3 bc = vec3_normalize(vec3_add(b, c));
    const struct vec3 ca = vec3_normalize(vec3_add(c, a));
    split(out, a, ab, ca, depth - 1);
    split(out, ab, b, bc, depth - 1);
    split(out, ca, bc, c, depth - 1);
    split(out, ab, bc, ca, depth - 1);
}

static void make_sphere(struct triangles *out)
{
    const float g = 1.6180340f;
    const struct vec3 v[12] = {
        {-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
        {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1},
    };
    static const uint8_t faces[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
    };
    out->count = 0;
    for (int i = 0; i < 20; i++)
        split(out, vec3_normalize(v[faces[i][0]]), vec3_normalize(v[faces[i][1]]),
              vec3_normalize(v[faces[i][2]]), SPLITS);
}

int main(int argc, char **argv)
{
    static struct triangles sphere;
    static const uint8_t white[4] = {255, 255, 255, 255};
    make_sphere(&sphere);

    struct demo d = {0};
    demo_init(&d, "demo-shells", argc, argv, (struct vec3){3.0f, 2.2f, 5.4f},
              (struct vec3){-0.16f, -0.12f, 0}, white, 1);
    const struct vkt_buffer vertices = vkt_buffer_from(&d.t, sphere.corner, sizeof(sphere.corner),
                                                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkVertexInputBindingDescription binding = {0, sizeof(struct vec3),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0};
    struct vkt_pipeline_info info = demo_pipeline(&d);
    info.vs = VKT_CODE(shells_vert);
    info.gs = VKT_CODE(shells_geom);
    info.fs = VKT_CODE(shells_frag);
    info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    info.bindings = &binding;
    info.binding_count = 1;
    info.attributes = &attribute;
    info.attribute_count = 1;
    info.cull = VK_CULL_MODE_BACK_BIT;
    info.front = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    const VkPipeline pipeline = vkt_pipeline(&d.t, &info);

    const struct vec3 cut = vec3_normalize((struct vec3){0.75f, 0.62f, 0.55f});
    const float shape[4] = {cut.x, cut.y, cut.z, 0.07f};
    demo_begin(&d);
    vkCmdBindPipeline(d.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(d.cmd, d.layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(shape), shape);
    vkCmdBindVertexBuffers(d.cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdDraw(d.cmd, sphere.count, 1, 0, 0);
    return demo_end(&d);
}
