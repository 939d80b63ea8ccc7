/* SPDX-License-Identifier: MIT
 *
 * What the cases of gpu-state share: pipelines with and without a geometry shader over the same
 * vertices, set and push constants, and a compute pipeline whose state must survive.
 */
#ifndef PGS_TESTS_GPU_STATE_H
#define PGS_TESTS_GPU_STATE_H

#include "common/vkt.h"

#define STATE_SIDE_PX 64u
#define STATE_COUNTERS 64u
/* Drivers may keep one set of push-constant bytes for all bind points: those of the compute shader
 * are apart from those of the graphics stages. */
#define STATE_PUSH_COMPUTE_B 64u

struct state_suite {
    struct vkt t;
    struct vkt_buffer vertices, indices, common, counters;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    /* Of all pipelines: push constants of four stages in ranges of their own. */
    VkPipelineLayout layout;
    VkPipeline compute;
    struct vkt_target target;
};

/* A pipeline of the suite for `pass`, or for dynamic rendering when that is NULL. */
struct vkt_pipeline_info state_info(const struct state_suite *s, bool geometry, VkRenderPass pass);
void state_bind(struct state_suite *s, VkCommandBuffer cmd);
/* Push constants for all three stages. */
void state_push(const struct state_suite *s, VkCommandBuffer cmd, float x, float y, uint32_t slot,
                uint32_t add);
void state_dump(struct state_suite *s, const char *name, const struct vkt_image *image);

/* The cases, each in a command buffer of its own. */
void state_case_interleaved(struct state_suite *s);
void state_case_subpasses(struct state_suite *s);
void state_case_dynamic_rendering(struct state_suite *s);
void state_case_secondary(struct state_suite *s);
void state_case_dynamic_state(struct state_suite *s);
void state_case_queries(struct state_suite *s);
void state_case_threads(struct state_suite *s);

#endif
