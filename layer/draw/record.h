/* SPDX-License-Identifier: MIT
 *
 * Fills struct pgs_draw_record: what the application bound, as kernels read it. Internal to draw/.
 */
#ifndef PGS_DRAW_RECORD_H
#define PGS_DRAW_RECORD_H

#include "draw/record_write.h"
#include "draw/technique.h"
#include "memory/memory.h"
#include "pipeline/record_inputs.h"
#include "poly_gs/abi.h"

#define PGS_SCRATCH_ALIGN_B 16 /* of records and all arrays */

/* Arrays in device memory that the subdraws share. Arrays of restart are empty without restart. */
struct pgs_draw_ranges {
    struct pgs_range vertices, primitive_list, restart_tiles, restart_count;
    struct pgs_range patches, starts, patch_tiles, grids; /* empty ranges without tessellation */
    struct pgs_range tessellation;                        /* upload memory */
    VkDeviceAddress pool;                                 /* 0: none */
};
struct pgs_subdraw_ranges {
    struct pgs_range out_vertices, strip_ends, counts, tile_sums, indices, draw_args;
    struct pgs_range primitives, capture_tiles; /* empty if nobody captures or counts */
};

/* Bytes from the bound offset to the end of the binding, within the buffer. */
VkDeviceSize pgs_bound_size(VkDeviceSize buffer_B, VkDeviceSize offset_B, VkDeviceSize size_B);

/* Address of an aligned word in a buffer of the application; 0 if it is not entirely in a buffer
 * that the layer knows. */
VkDeviceAddress pgs_word_address(struct pgs_device *dev, VkBuffer buffer, VkDeviceSize offset_B);

/* Fills one attribute. `buffer` is what the layer knows of the bound buffer; NULL: nothing is
 * bound. Pure. */
void pgs_attribute_fill(struct pgs_attribute *out, const struct pgs_vertex_attribute *attribute,
                        const struct pgs_vertex_binding_state *binding, uint32_t stride_B,
                        const struct pgs_vertex_buffer *bound,
                        const struct pgs_buffer_info *buffer);

/* Fills what the subdraws of a draw share: all but the geometry stage's arrays and gs_invocations.
 * Indices of an indirect draw begin at the start of the bound range. */
void pgs_record_fill_draw(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                          const struct pgs_draw_plan *plan, const struct pgs_draw_ranges *ranges);

void pgs_bound_indices_find(struct pgs_bound_indices *indices, struct pgs_device *dev,
                            const struct pgs_graphics_state *state);

/* True if kernels fetch what the driver does: every attribute that the shaders read, and the index
 * buffer, as far as they are bound. Not so of external memory, and of some formats of dynamic
 * vertex input. */
bool pgs_record_reaches_inputs(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state, bool indexed);

/* Fills what depends on the numbers of vertices and instances, and the arrays that the subdraws
 * share, except those of tessellation. Pure. */
void pgs_record_fill_numbers(struct pgs_draw_record *record, const struct pgs_draw_call *call,
                             const struct pgs_draw_plan *plan,
                             const struct pgs_draw_ranges *ranges);

/* Fills what depends on the call, except sizes. `indices`: not read if the call has none. Pure. */
void pgs_record_fill_call(struct pgs_draw_record *record, const struct pgs_direct_call *call,
                          const struct pgs_bound_indices *indices);

/* Fills push constants and attributes. */
void pgs_record_fill_data(struct pgs_draw_record *record, struct pgs_device *dev,
                          const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state);

/* What the attributes of a record were filled from, while no buffer that they name was destroyed.
 * Zero-initialised: nothing is known. */
struct pgs_record_source {
    uint32_t known; /* mask of bindings in `vertex` */
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    VkBuffer buffer; /* looked up last; VK_NULL_HANDLE: none */
    struct pgs_buffer_info info;
};

/* The same for a record that was filled before, with what has changed since then. */
void pgs_record_refill_data(struct pgs_draw_record *record, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state,
                            struct pgs_record_source *source);

/* Fills what one subdraw has of its own: its gs_invocations and where their results go. */
void pgs_record_fill_subdraw(struct pgs_draw_record *record, const struct pgs_draw_plan *plan,
                             uint32_t subdraw, const struct pgs_subdraw_ranges *ranges);

/* Bytes of push constants that the pipeline's shaders may read. */
size_t pgs_record_push_size(const struct pgs_emulated_pipeline *pipeline);

/* Copies size_B of a record (pgs_record_size) to where the GPU reads it, with the lines that hold
 * push_B of push constants (pgs_record_push_size). */
void pgs_record_write(void *mapped, const struct pgs_draw_record *record, size_t size_B,
                      size_t push_B);

/* All lines of the pipeline's records, without steps. size_B: of a record. */
void pgs_record_lines_find(struct pgs_record_lines *lines,
                           const struct pgs_emulated_pipeline *pipeline, uint32_t size_B);
/* Lets a member in front of push grow by so much from record to record. */
void pgs_record_set_step(struct pgs_record_lines *lines, size_t member_B, uint32_t step);

/* Writes the next record, which grows by a step in all its lines. Pure. */
void pgs_record_write_step(void *mapped, struct pgs_draw_record *record,
                           const struct pgs_record_lines *lines);

/* Writes the record of a call, of which `lines` are told. What pgs_record_fill_call fills is not
 * read. `indices`: as there. Pure. */
void pgs_record_write_lines(void *mapped, const struct pgs_draw_record *record,
                            const struct pgs_record_lines *lines,
                            const struct pgs_direct_call *call,
                            const struct pgs_bound_indices *indices);

/* Index buffers are bound at offset 0, since lavapipe 22.3 ignores the offset in indexed indirect
 * draws. Only in blocks beyond 16 GiB is the offset greater, since firstIndex would not reach. */
VkDeviceSize pgs_index_bind_offset(const struct pgs_range *indices);

#endif
