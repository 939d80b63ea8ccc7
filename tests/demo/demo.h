/* SPDX-License-Identifier: MIT
 *
 * What the demo programs but the particles share: a frame of 960x540 pixels drawn at twice that
 * size in both directions and averaged down, a camera, and a PNG at the end.
 */
#ifndef PGS_TESTS_DEMO_DEMO_H
#define PGS_TESTS_DEMO_DEMO_H

#include "common/vkt.h"
#include <math.h>

#define DEMO_WIDTH_PX 960u
#define DEMO_HEIGHT_PX 540u
#define DEMO_SCALE 2u

struct vec3 {
    float x, y, z;
};
struct vec3 vec3_add(struct vec3 a, struct vec3 b);
struct vec3 vec3_sub(struct vec3 a, struct vec3 b);
struct vec3 vec3_scale(struct vec3 a, float s);
struct vec3 vec3_cross(struct vec3 a, struct vec3 b);
struct vec3 vec3_normalize(struct vec3 a);
float vec3_dot(struct vec3 a, struct vec3 b);

/* The uniform block `Camera` of shaders/camera.glsl, std140. */
struct demo_camera {
    float view_projection[16]; /* column-major */
    float eye[4], right[4], up[4], forward[4], light[4];
};

struct demo {
    bool tessellated; /* set before demo_init: tessellationShader is needed */
    struct vkt t;
    struct vkt_target target;
    VkCommandBuffer cmd;
    VkDescriptorSetLayout set_layout;
    /* Binding 0: the camera, all stages; binding 1: a texture, fragment stage and tessellation. */
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline backdrop;
};

/* Everything up to the recording: afterwards the program makes its pipelines. `texture` has
 * texture_px^2 RGBA texels. */
void demo_init(struct demo *d, const char *name, int argc, char **argv, struct vec3 eye,
               struct vec3 look_at, const uint8_t *texture, uint32_t texture_px);

/* A pipeline description with what all demos have in common. */
struct vkt_pipeline_info demo_pipeline(const struct demo *d);

/* Begins the command buffer and the render pass, binds the set and draws the backdrop; demo_end
 * submits, writes the picture to --out (and --dump), destroys everything and returns the exit
 * status. */
void demo_begin(struct demo *d);
int demo_end(struct demo *d);

/* To the grid of 1/1024 on which products of two numbers below 2^2 are exact in binary32: what
 * shaders compute from such numbers does not depend on whether a compiler fuses multiplications and
 * additions. */
static inline float demo_snap(float v)
{
    return roundf(v * 1024.0f) / 1024.0f;
}

#endif
