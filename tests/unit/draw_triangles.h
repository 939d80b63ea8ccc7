/* SPDX-License-Identifier: MIT
 *
 * A pipeline whose geometry shader makes triangles, drawn in three stages, for tests of the draw
 * module, which include it once after draw_app.h.
 */
#ifndef PGS_TEST_DRAW_TRIANGLES_H
#define PGS_TEST_DRAW_TRIANGLES_H

#include "draw_app.h"

static struct pgs_variants variants;
static struct pgs_emulated_pipeline pipeline;

/* Binds it; tests change what they are about. */
static void bind_triangles(uint32_t set_count)
{
    layout.set_count = set_count;
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_VERTEX, 11);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 12);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 14);
    pipeline = (struct pgs_emulated_pipeline){
        .handle = (VkPipeline)(uintptr_t)14,
        .variants = &variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 3,
               .invocations = 1,
               .in = {.stride_w = 4},
               .out_stride_w = 5},
    };
    state = (struct pgs_graphics_state){.version = 1, .data_version = 1, .pipeline = &pipeline};
}

/* Likewise with vertices and indices in buffers. */
__attribute__((unused)) static void bind_triangles_in_buffers(void)
{
    bind_triangles(1);
    pipeline.attribute_count = 1;
    pipeline.attributes[0] =
        (struct pgs_vertex_attribute){.location = 0, .binding = 0, .size_B = 16};
    pipeline.bindings[0].stride_B = 16;
    state.index_type = VK_INDEX_TYPE_UINT32;
    state.index_buffer = BUFFER(INDICES);
    state.index_size_B = VK_WHOLE_SIZE;
    state.vertex[0] =
        (struct pgs_vertex_buffer){.buffer = BUFFER(VERTICES), .size_B = VK_WHOLE_SIZE};
}

/* What the GPU reads of a call. */
__attribute__((unused)) static const struct pgs_draw_record *record(const struct pgs_draw *draw,
                                                                    uint32_t call)
{
    return (const void *)((const char *)draw->records.mapped +
                          (size_t)call * draw->record_stride_B);
}

#endif
