/* SPDX-License-Identifier: MIT
 *
 * Entry points extracted from the application's modules, without what the driver lacks.
 */
#ifndef PGS_SPIRV_STAGES_EXTRACT_H
#define PGS_SPIRV_STAGES_EXTRACT_H

#include "spirv/io/lacks.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* Reduces a module to one entry point. Drops capabilities that the driver lacks, transform feedback
 * declarations and declarations of other entry points. A geometry shader (for a driver that only
 * lacks xfb) keeps what it emits to raster_stream; it must not select streams by specialization
 * constants. Specialization constants and the entry point's name stay. */
enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out);

#endif
