/* SPDX-License-Identifier: MIT
 *
 * What the draws of topology_draws.h fetch: a tag for each vertex, at an odd place of a wider
 * vertex (location 0), a tag for each instance (location 1), and indices.
 */
#ifndef PGS_TESTS_GPU_TOPOLOGY_INPUT_H
#define PGS_TESTS_GPU_TOPOLOGY_INPUT_H

#include "common/vkt.h"

struct topology_input {
    struct vkt_buffer vertices, instances;
    struct vkt_buffer indices; /* empty, for all draws of a list */
};

struct topology_input topology_input(struct vkt *t);
/* Binds the vertex buffers. */
void topology_input_bind(VkCommandBuffer cmd, const struct topology_input *input);
/* What a pipeline says of them. */
void topology_input_describe(struct vkt_pipeline_info *info);

static inline uint32_t topology_vertex_tag(uint32_t vertex)
{
    return 1000 + 7 * vertex;
}

static inline uint32_t topology_instance_tag(uint32_t instance)
{
    return 500 + 3 * instance;
}

#endif
