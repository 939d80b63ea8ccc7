/* SPDX-License-Identifier: MIT
 *
 * What several programs draw: triangles in a row, which push constants move and colour, with and
 * without a geometry shader (shaders/maintenance5.vert).
 */
#ifndef PGS_TESTS_GPU_ROW_H
#define PGS_TESTS_GPU_ROW_H

#include "common/vkt.h"

#define ROW_SIDE_PX 64u /* of the target, whose format is R32_UINT */
#define ROW_VERTICES 18u

/* Push constants of the vertex shader. */
struct row_push {
    float shift[2];
    uint32_t tint;
};
/* For draw `at` of at most 16: its place in two columns, and a tint of its own. */
struct row_push row_push(uint32_t at);

/* The vertices, for binding 0. */
struct row_places {
    float places[ROW_VERTICES][2];
};
struct row_places row_places(void);

/* Makes a buffer of the vertices, a layout with the push constants, and a target. */
void row_init(struct vkt *t, struct vkt_buffer *places, VkPipelineLayout *layout,
              struct vkt_target *target);

/* Has all but shaders and chains. */
struct vkt_pipeline_info row_pipeline(VkPipelineLayout layout, VkRenderPass pass);

/* Dumps the target, which has been drawn to, and expects more than `least` pixels whose value is
 * above a bound. */
void row_expect(struct vkt *t, const struct vkt_target *target, const char *name, uint32_t least,
                uint32_t bound);

#endif
