/* SPDX-License-Identifier: MIT
 *
 * A cloud of points; a geometry shader turns each into a textured quad that faces the camera.
 * Points in, triangle strips of a fixed four vertices out.
 */
#include "demo/demo.h"

#include "points_frag.h"
#include "points_geom.h"
#include "points_vert.h"

#include <math.h>
#include <stdlib.h>

#define POINT_COUNT 2600u
#define TEXTURE_PX 64u

/* The viewport is larger than the picture, about the same middle. With a power of two the way to
 * window coordinates is exact however it is computed: lavapipe fuses the multiplication and the
 * addition behind a vertex shader but not behind a geometry shader, and a last bit there shows in
 * what is interpolated. */
#define VIEWPORT_PX 2048

struct point {
    struct vec3 position;
    float radius;
    struct vec3 color;
};

static float palette(float phase)
{
    return 0.5f + 0.5f * cosf(6.2831853f * phase);
}

/* A phyllotaxis spiral over a sphere whose radius waves. */
static void make_cloud(struct point *points)
{
    const float golden_angle = 2.3999632f;
    for (uint32_t i = 0; i < POINT_COUNT; i++) {
        const float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)POINT_COUNT;
        const float ring = sqrtf(1.0f - y * y);
        const float angle = golden_angle * (float)i;
        const struct vec3 direction = {ring * cosf(angle), y, ring * sinf(angle)};
        const float wave =
            sinf(5.0f * direction.x + 1.0f) * sinf(4.0f * direction.y) * sinf(5.0f * direction.z);
        const float height = 1.0f + 0.42f * wave;
        const float hue = 0.58f + 0.42f * wave;
        points[i] = (struct point){
            .position = {demo_snap(2.05f * height * direction.x),
                         demo_snap(2.05f * height * direction.y),
                         demo_snap(2.05f * height * direction.z)},
            .radius = demo_snap(0.062f + 0.030f * wave),
            .color = {0.04f + 0.90f * palette(hue) * palette(hue),
                      0.04f + 0.72f * palette(hue + 0.35f) * palette(hue + 0.35f),
                      0.10f + 0.88f * palette(hue + 0.62f)},
        };
    }
}

/* A ball: x and y of its normal in red and green, a stripe in blue, its outline in alpha. */
static void make_texture(uint8_t *texels)
{
    for (uint32_t y = 0; y < TEXTURE_PX; y++) {
        for (uint32_t x = 0; x < TEXTURE_PX; x++) {
            const float half = 0.5f * (float)TEXTURE_PX;
            const float nx = ((float)x + 0.5f - half) / half;
            const float ny = (half - (float)y - 0.5f) / half;
            const float distance = sqrtf(nx * nx + ny * ny);
            const float latitude = 0.8f * ny + 0.6f * nx;
            uint8_t *texel = texels + 4 * (y * TEXTURE_PX + x);
            texel[0] = (uint8_t)(255.0f * (0.5f + 0.5f * nx));
            texel[1] = (uint8_t)(255.0f * (0.5f + 0.5f * ny));
            texel[2] = fabsf(latitude) < 0.18f ? 0 : 255;
            texel[3] = distance < 0.97f ? 255 : 0;
        }
    }
}

int main(int argc, char **argv)
{
    static uint8_t texture[TEXTURE_PX * TEXTURE_PX * 4];
    static struct point points[POINT_COUNT];
    make_texture(texture);
    make_cloud(points);

    struct demo d = {0};
    demo_init(&d, "demo-points", argc, argv, (struct vec3){2.2f, 2.4f, 7.6f},
              (struct vec3){0, 0, 0}, texture, TEXTURE_PX);
    const struct vkt_buffer vertices =
        vkt_buffer_from(&d.t, points, sizeof(points), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkVertexInputBindingDescription binding = {0, sizeof(struct point),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct point, position)},
        {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct point, color)},
    };
    struct vkt_pipeline_info info = demo_pipeline(&d);
    info.vs = VKT_CODE(points_vert);
    info.gs = VKT_CODE(points_geom);
    info.fs = VKT_CODE(points_frag);
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    info.bindings = &binding;
    info.binding_count = 1;
    info.attributes = attributes;
    info.attribute_count = VKT_COUNT(attributes);
    const VkDynamicState dynamic = VK_DYNAMIC_STATE_VIEWPORT;
    info.dynamic = &dynamic;
    info.dynamic_count = 1;
    const VkPipeline pipeline = vkt_pipeline(&d.t, &info);

    demo_begin(&d);
    vkCmdBindPipeline(d.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkViewport viewport = {
        ((float)(DEMO_WIDTH_PX * DEMO_SCALE) - VIEWPORT_PX) / 2,
        ((float)(DEMO_HEIGHT_PX * DEMO_SCALE) - VIEWPORT_PX) / 2,
        VIEWPORT_PX,
        VIEWPORT_PX,
        0,
        1,
    };
    vkCmdSetViewport(d.cmd, 0, 1, &viewport);
    vkCmdBindVertexBuffers(d.cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdDraw(d.cmd, POINT_COUNT, 1, 0, 0);
    return demo_end(&d);
}
