/* SPDX-License-Identifier: MIT
 *
 * The direct draws on which topologies are tested: every number of vertices about a few primitives,
 * every kind of index, restart, offsets, instances.
 */
#ifndef PGS_TESTS_GPU_TOPOLOGY_DRAWS_H
#define PGS_TESTS_GPU_TOPOLOGY_DRAWS_H

#include "common/vkt.h"

#define TOPOLOGY_COUNT 10u
#define TOPOLOGY_MAX_DRAWS 256u
#define TOPOLOGY_MAX_INDICES 32u
/* Stands for the restart index of the type. */
#define TOPOLOGY_RESTART UINT32_MAX
/* Vertices are numbered below this. */
#define TOPOLOGY_VERTICES 64u

struct topology_draw {
    uint32_t count; /* of vertices or indices */
    uint32_t instances, first_instance;
    uint32_t first; /* vertex or index */
    int32_t vertex_offset;
    bool indexed, restart;
    VkIndexType type;
    uint32_t indices[TOPOLOGY_MAX_INDICES];
};

struct topology_draws {
    VkPrimitiveTopology topology;
    uint32_t count;
    struct topology_draw draws[TOPOLOGY_MAX_DRAWS];
    /* Where the draws are indirect ones: the arguments of each, and a count. */
    bool indirect, counts;
    struct vkt_buffer args;
};

extern const char *const topology_names[TOPOLOGY_COUNT];

bool topology_is_list(VkPrimitiveTopology topology);

/* All draws for list->topology, those with restart last; 8-bit indices where index_u8. */
void topology_draws_make(struct topology_draws *list, bool index_u8);

/* Positions in the draw of input primitive `wanted` of an instance, as a geometry shader sees them,
 * and its number in its restart segment, which begins at *start. Returns how many there are. */
uint32_t topology_draw_primitive(VkPrimitiveTopology topology, const struct topology_draw *d,
                                 uint32_t wanted, uint32_t positions[6], uint32_t *start,
                                 uint32_t *in_segment);

/* The vertex, as gl_VertexIndex has it, at a position. */
uint32_t topology_draw_vertex(const struct topology_draw *d, uint32_t position);

/* Puts the draw's indices at *end_B of the buffer, advances that, and returns where they begin. */
VkDeviceSize topology_draw_write(const struct topology_draw *d, const struct vkt_buffer *buffer,
                                 VkDeviceSize *end_B);
/* From now on all draws are indirect ones, as far as the device has them. */
void topology_draws_indirect(struct topology_draws *list, struct vkt *t);
/* The draw alone, one of the list; its index buffer is bound from index_B on. */
void topology_draw_record(VkCommandBuffer cmd, struct topology_draws *list,
                          const struct topology_draw *d, VkBuffer indices, VkDeviceSize index_B);

#endif
