/* SPDX-License-Identifier: MIT
 *
 * Filling a struct pgs_draw_record: what the application bound, as the kernels read it.
 */
#ifndef PGS_DRAW_RECORD_H
#define PGS_DRAW_RECORD_H

#include "draw/technique.h"
#include "memory/memory.h"
#include "poly_gs/abi.h"

/* The arrays of a record in device memory; restart ones are empty ranges without restart. */
struct pgs_draw_ranges {
    struct pgs_range vertices, primitive_list, restart_tiles, restart_count;
    struct pgs_range patches, starts, patch_tiles, grids; /* empty ranges without tessellation */
    struct pgs_range tessellation;                        /* upload memory */
    VkDeviceAddress pool;                                 /* 0: none */
};
struct pgs_subdraw_ranges {
    struct pgs_range slots, cuts, counts, tile_sums, indices, draw_args;
    struct pgs_range primitives, capture_tiles; /* empty ranges where nobody captures or counts */
};

/* Bytes from the bound offset to the end of the binding, within the buffer. */
VkDeviceSize pgs_bound_size(VkDeviceSize buffer_B, VkDeviceSize offset_B, VkDeviceSize size_B);

/* Address of an aligned word of an application's buffer; 0 for what is not wholly in a buffer that
 * we know. */
VkDeviceAddress pgs_word_address(struct pgs_device *dev, VkBuffer buffer, VkDeviceSize offset_B);

/* One attribute. `buffer` is what is known of the bound buffer, NULL when nothing is bound. Pure.
 */
void pgs_attribute_fill(struct pgs_attribute *out, const struct pgs_vertex_attribute *attribute,
                        const struct pgs_vertex_binding_state *binding, uint32_t stride_B,
                        const struct pgs_vertex_buffer *bound,
                        const struct pgs_buffer_info *buffer);

/* Everything that the subdraws of a draw share: all but the geometry stage's ranges and
 * gs_invocations. Of an indirect draw the indices are those from the begin of the bound range. */
void pgs_record_fill_draw(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                          const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges);

/* Part `subdraw` of the plan: which gs_invocations, and where their results go. */
void pgs_record_fill_subdraw(struct pgs_draw_record *record, const struct pgs_draw_plan *plan,
                             uint32_t subdraw, const struct pgs_subdraw_ranges *ranges);

/* Bytes of the record that this pipeline's kernels may read: the attributes that it has, and no
 * more. */
size_t pgs_record_size(const struct pgs_emulated_pipeline *pipeline);

/* Index buffers bind at offset 0 (lavapipe 22.3 ignores the offset in indexed indirect draws),
 * unless that would not fit firstIndex: only in blocks beyond 16 GiB. */
VkDeviceSize pgs_index_bind_offset(const struct pgs_range *indices);

#endif
