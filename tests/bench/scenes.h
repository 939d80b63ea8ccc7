/* SPDX-License-Identifier: MIT
 *
 * Five geometry shaders, and the same pictures by vertex shaders written by hand, for drivers that
 * have no geometry shaders of their own. What `create`, `first_frame` and `record_emulated` make
 * pipelines of.
 */
#ifndef PGS_TESTS_BENCH_SCENES_H
#define PGS_TESTS_BENCH_SCENES_H

#include "bench/bench.h"

#define BENCH_SCENES 5u

extern const char *const bench_scene_names[BENCH_SCENES];

/* The code of all shaders for one device. gs is empty where the device draws by hand. */
struct bench_shaders {
    struct vkt_code vs[BENCH_SCENES], gs[BENCH_SCENES], fs;
};
/* No two calls in a process give the same code: a constant differs, which is too small to be seen.
 * So no cache in the process knows the shaders. The caller finishes them. */
struct bench_shaders bench_shaders(const struct bench_device *d);
void bench_shaders_finish(struct bench_shaders *shaders);

VkShaderModule bench_module(struct bench_device *d, struct vkt_code code);
/* A pipeline of these modules; gs is null where the device draws by hand. The caller destroys it.
 * Any thread may call it. */
VkPipeline bench_scene_pipeline(struct bench_device *d, uint32_t scene, VkShaderModule vs,
                                VkShaderModule gs, VkShaderModule fs, VkPipelineLayout layout,
                                enum vkt_blend blend, VkPipelineCache cache);
/* All of them, from code to pipelines, by the calling thread. */
void bench_scene_pipelines(struct bench_device *d, const struct bench_shaders *shaders,
                           VkPipelineLayout layout, VkPipelineCache cache,
                           VkPipeline pipelines[BENCH_SCENES]);
/* Libraries of all of them, four for each, and the pipelines that are linked of these. The caller
 * destroys both. */
#define BENCH_PARTS 4u
void bench_scene_libraries(struct bench_device *d, const struct bench_shaders *shaders,
                           VkPipelineLayout layout, VkPipeline *libraries);
void bench_link_scenes(struct bench_device *d, const VkPipeline *libraries, VkPipelineLayout layout,
                       VkPipeline pipelines[BENCH_SCENES]);
void bench_destroy_pipelines(struct bench_device *d, const VkPipeline *pipelines, uint32_t count);

/* What the scenes draw: `size` points and `size` triangles. Lives as long as the device. */
struct bench_scene_data {
    VkBuffer points, vertices, indices, corners;
};
struct bench_scene_data bench_scene_data(struct bench_device *d, uint32_t size);
void bench_scene_bind(const struct bench_device *d, const struct bench_scene_data *data,
                      uint32_t scene, VkCommandBuffer cmd);
/* `count` points or triangles; the pipeline and the buffers of the scene are bound. */
void bench_scene_draw(const struct bench_device *d, uint32_t scene, VkCommandBuffer cmd,
                      uint32_t first, uint32_t count);

#endif
