/* SPDX-License-Identifier: MIT
 *
 * An island, cut out of the sea as a block. Patches of four corners; a control shader gives each
 * edge as many segments as the ground below it needs, an evaluation shader puts the vertices on the
 * ground, and a geometry shader tells each triangle how far its edges are, so that the wires are
 * drawn smoothly over the shaded ground. Few triangles on the sea, many on the mountain.
 */
#include "demo/demo.h"

#include "island_frag.h"
#include "island_geom.h"
#include "island_tesc.h"
#include "island_tese.h"
#include "island_vert.h"

#include <math.h>

/* As in shaders/island.glsl: patches along a side, segments of a patch at most, texels a segment.
 */
#define PATCHES 12u
#define SEGMENTS 16u
#define TEXELS 4u

#define TEXTURE_PX (PATCHES * SEGMENTS * TEXELS + 1)
#define SIDE 8.0f /* of the block */
#define LOWEST -1.0f
#define HIGHEST 3.0f

#define PATCH_COUNT (PATCHES * PATCHES + 4 * PATCHES)

struct ground {
    float height[TEXTURE_PX][TEXTURE_PX];
    uint8_t texture[TEXTURE_PX][TEXTURE_PX][4];
};

/* --- The ground --- */

static float lattice(int x, int y)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return (float)((h ^ h >> 15) & 0xFFFF) / 65535.0f;
}

/* Value noise, -1 to 1. */
static float noise(float x, float y)
{
    const float fx = floorf(x), fy = floorf(y);
    const int ix = (int)fx, iy = (int)fy;
    const float u = x - fx, v = y - fy;
    const float su = u * u * u * (u * (u * 6 - 15) + 10), sv = v * v * v * (v * (v * 6 - 15) + 10);
    const float low = lattice(ix, iy) + su * (lattice(ix + 1, iy) - lattice(ix, iy));
    const float high = lattice(ix, iy + 1) + su * (lattice(ix + 1, iy + 1) - lattice(ix, iy + 1));
    return 2.0f * (low + sv * (high - low)) - 1.0f;
}

static float hills(float x, float y, int octaves)
{
    float sum = 0.0f, weight = 0.5f;
    for (int i = 0; i < octaves; i++, weight *= 0.5f) {
        sum += weight * noise(x, y);
        const float turned = 1.6f * x - 1.2f * y + 17.0f; /* and twice as fine */
        y = 1.2f * x + 1.6f * y + 31.0f;
        x = turned;
    }
    return sum;
}

/* Sharp where the noise changes its sign, rougher where it is high. */
static float ridges(float x, float y)
{
    float sum = 0.0f, weight = 0.5f, above = 1.0f;
    for (int i = 0; i < 4; i++, weight *= 0.5f) {
        const float crest = 1.0f - fabsf(noise(x, y));
        const float sharp = crest * crest * above;
        sum += weight * sharp;
        above = fminf(sharp * 1.6f, 1.0f);
        const float turned = 1.6f * x - 1.2f * y + 11.0f;
        y = 1.2f * x + 1.6f * y + 47.0f;
        x = turned;
    }
    return sum;
}

static float smooth(float from, float to, float v)
{
    const float t = fminf(fmaxf((v - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static float ground_height(float x, float z)
{
    const float bend = 0.55f * hills(0.9f * x + 5.0f, 0.9f * z, 4);
    const float far = sqrtf(x * x * 0.80f + z * z * 1.05f) + 2.0f * bend;
    const float land = 1.0f - smooth(1.1f, 4.2f, far);
    const float peak_x = x - 0.35f, peak_z = z + 0.55f;
    const float massif = expf(-(peak_x * peak_x + peak_z * peak_z) * 0.30f);
    const float mountain = 2.75f * massif * ridges(0.55f * x + 3.3f, 0.55f * z + 8.1f);
    const float low = 0.95f * land - 0.42f + 0.42f * hills(1.1f * x, 1.1f * z + 9.0f, 4) * land +
                      0.10f * hills(0.8f * x + 3.0f, 0.8f * z, 3);
    return low + mountain * land;
}

static float place(uint32_t texel)
{
    return SIDE * ((float)texel / (float)(TEXTURE_PX - 1) - 0.5f);
}

/* Height above the sea, which hides what is below. */
static float surface(const struct ground *g, int x, int z)
{
    const int last = (int)TEXTURE_PX - 1;
    x = x < 0 ? 0 : x > last ? last : x;
    z = z < 0 ? 0 : z > last ? last : z;
    return fmaxf(g->height[z][x], 0.0f);
}

static struct vec3 normal_of(const struct ground *g, int x, int z)
{
    const float across = 2.0f * SIDE / (float)(TEXTURE_PX - 1);
    return vec3_normalize((struct vec3){surface(g, x - 1, z) - surface(g, x + 1, z), across,
                                        surface(g, x, z - 1) - surface(g, x, z + 1)});
}

/* How much of the sun reaches a texel: along the ray, the narrowest gap over the ground. */
static float unshadowed(const struct ground *g, uint32_t x, uint32_t z, struct vec3 sun)
{
    const float scale = (float)(TEXTURE_PX - 1) / SIDE;
    const float start = surface(g, (int)x, (int)z);
    float open = 1.0f;
    for (float far = 0.03f; far < 4.0f && open > 0.0f; far *= 1.06f) {
        const float gap = start + sun.y * far -
                          surface(g, (int)((float)x + sun.x * far * scale),
                                  (int)((float)z + sun.z * far * scale));
        open = fminf(open, 0.5f + 12.0f * gap / far);
    }
    return fmaxf(open, 0.0f);
}

/* How much of the sky a texel sees: slopes to what is around it. */
static float sky(const struct ground *g, int x, int z)
{
    static const int around[8][2] = {{2, 0},  {1, 1},   {0, 2},  {-1, 1},
                                     {-2, 0}, {-1, -1}, {0, -2}, {1, -1}};
    float seen = 0.0f;
    for (int i = 0; i < 8; i++) {
        float slope = 0.0f;
        for (int step = 2; step < 48; step *= 2) {
            const float rise =
                surface(g, x + step * around[i][0], z + step * around[i][1]) - surface(g, x, z);
            const float run = 1.7f * (float)step * SIDE / (float)(TEXTURE_PX - 1);
            slope = fmaxf(slope, rise / run);
        }
        seen += 1.0f / (1.0f + slope * slope);
    }
    return seen / 8.0f;
}

/* Texels: sunlight, skylight, and the height in 16 bits, the low ones first. */
static void make_ground(struct ground *g, struct vec3 sun)
{
    for (uint32_t z = 0; z < TEXTURE_PX; z++)
        for (uint32_t x = 0; x < TEXTURE_PX; x++)
            g->height[z][x] = ground_height(place(x), place(z));
    for (uint32_t z = 0; z < TEXTURE_PX; z++) {
        for (uint32_t x = 0; x < TEXTURE_PX; x++) {
            const float lit = fmaxf(vec3_dot(normal_of(g, (int)x, (int)z), sun), 0.0f);
            const float part = (g->height[z][x] - LOWEST) / (HIGHEST - LOWEST);
            const uint32_t height = (uint32_t)(65535.0f * fminf(fmaxf(part, 0.0f), 1.0f));
            uint8_t *texel = g->texture[z][x];
            texel[0] = (uint8_t)(255.0f * lit * unshadowed(g, x, z, sun));
            texel[1] = (uint8_t)(255.0f * sky(g, (int)x, (int)z));
            texel[2] = (uint8_t)(height & 255);
            texel[3] = (uint8_t)(height >> 8);
        }
    }
}

/* --- The patches --- */

/* Where a corner is, in segments of the finest level; 1 on the surface and 0 at the bottom of the
 * block; and on which side of the block, or 0. */
struct corner {
    float x, z, lift, side;
};

static void put_patch(struct corner *out, struct corner at, float along_x, float along_z)
{
    const bool top = at.side == 0.0f;
    for (uint32_t i = 0; i < 4; i++) {
        const float u = (float)(i & 1), v = (float)(i >> 1);
        out[i] = (struct corner){
            .x = at.x + along_x * u,
            .z = at.z + (top ? along_z * v : along_z * u),
            .lift = top ? 1.0f : v,
            .side = at.side,
        };
    }
}

static void make_patches(struct corner *out)
{
    const float step = (float)SEGMENTS, end = (float)(SEGMENTS * PATCHES);
    for (uint32_t z = 0; z < PATCHES; z++)
        for (uint32_t x = 0; x < PATCHES; x++, out += 4)
            put_patch(out, (struct corner){(float)x * step, (float)z * step, 1, 0}, step, step);
    for (uint32_t i = 0; i < PATCHES; i++, out += 16) {
        const float at = (float)i * step;
        put_patch(out + 0, (struct corner){at, 0, 0, 1}, step, 0);
        put_patch(out + 4, (struct corner){at, end, 0, 2}, step, 0);
        put_patch(out + 8, (struct corner){0, at, 0, 3}, 0, step);
        put_patch(out + 12, (struct corner){end, at, 0, 4}, 0, step);
    }
}

int main(int argc, char **argv)
{
    static struct ground ground;
    static struct corner corners[PATCH_COUNT * 4];
    make_ground(&ground, vec3_normalize((struct vec3){-0.80f, 0.62f, 0.12f}));
    make_patches(corners);

    struct demo d = {.tessellated = true};
    demo_init(&d, "demo-island", argc, argv, (struct vec3){5.5f, 6.4f, 9.9f},
              (struct vec3){0.1f, -0.46f, 0.0f}, &ground.texture[0][0][0], TEXTURE_PX);
    const struct vkt_buffer vertices =
        vkt_buffer_from(&d.t, corners, sizeof(corners), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkVertexInputBindingDescription binding = {0, sizeof(struct corner),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    struct vkt_pipeline_info info = demo_pipeline(&d);
    info.vs = VKT_CODE(island_vert);
    info.tcs = VKT_CODE(island_tesc);
    info.tes = VKT_CODE(island_tese);
    info.gs = VKT_CODE(island_geom);
    info.fs = VKT_CODE(island_frag);
    info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    info.patch_points = 4;
    info.bindings = &binding;
    info.binding_count = 1;
    info.attributes = &attribute;
    info.attribute_count = 1;
    const VkPipeline pipeline = vkt_pipeline(&d.t, &info);

    demo_begin(&d);
    vkCmdBindPipeline(d.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(d.cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdDraw(d.cmd, PATCH_COUNT * 4, 1, 0, 0);
    return demo_end(&d);
}
