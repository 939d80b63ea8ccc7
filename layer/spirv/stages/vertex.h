/* SPDX-License-Identifier: MIT
 *
 * Vertex shader -> compute shader.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_H
#define PGS_SPIRV_STAGES_VERTEX_H

#include "spirv/io/io_layout.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

struct pgs_spv_xfb;

/* Vertex format of an input location: PGS_FORMAT_MAKE of poly_gs/format.h (mapped from VkFormat by
 * the pipeline room). PGS_FORMAT_DYNAMIC (0): read it from the draw record. */
struct pgs_spv_vertex_options {
    uint32_t format[32];
    struct pgs_spv_layout out;         /* what to store: the GS's `in` */
    const struct pgs_spv_xfb *capture; /* not NULL: capture this instead (feedback.h) */
};

/* Vertex shader -> compute shader that shades vertex (instance * vertex_count + position) per
 * invocation, or captured vertex (primitive * corners + corner); group size PGS_SHADER_GROUP_EL;
 * pgs_root of pgs_draw_records in push constants at offset 0. Application push constants are read
 * from the record; descriptors stay as they are. Spec constants are folded: the result has none.
 * The entry point of every generated module is "main". */
enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              struct pgs_spv_blob *out);

#endif
