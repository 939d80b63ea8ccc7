/* SPDX-License-Identifier: MIT
 *
 * Strips in a buffer, which the geometry shader emits (shaders/culling.geom), and sums of what was
 * drawn of them (shaders/culling.frag), for programs that look for strips which are left out.
 */
#ifndef PGS_TESTS_GPU_CULLING_STRIPS_H
#define PGS_TESTS_GPU_CULLING_STRIPS_H

#include "common/vkt.h"

#define CULLING_SIDE_PX 64u /* of the target */

/* As the shaders have them. */
struct culling_strip {
    uint32_t first, vertices; /* of positions */
};
struct culling_push {
    uint32_t strips_of_point, viewports;
};

struct culling_strips {
    struct vkt_target target;                  /* R32_UINT, without depths */
    struct vkt_buffer strips, positions, sums; /* structures, four floats each, words */
    uint32_t random;                           /* of the next number */
    VkDescriptorSet set;
    VkPipelineLayout layout;
};

/* With room for so many; vkt_finish destroys it. */
void culling_init(struct vkt *t, struct culling_strips *s, uint32_t strips, uint32_t positions);

uint32_t culling_random_below(struct culling_strips *s, uint32_t bound);

/* Binds the set and sets the push constants. */
void culling_bind(const struct culling_strips *s, VkCommandBuffer cmd,
                  const struct culling_push *push);

/* Nothing was drawn so far. */
void culling_clear_sums(struct culling_strips *s);
/* Dumps the sums as NAME-sums, and expects more than `least` pixels that were drawn to. */
void culling_expect_sums(struct vkt *t, const struct culling_strips *s, const char *name,
                         uint32_t least);

#endif
