/* SPDX-License-Identifier: MIT
 *
 * Entry points drawn out of the application's modules, without what the driver lacks.
 */
#ifndef PGS_SPIRV_STAGES_EXTRACT_H
#define PGS_SPIRV_STAGES_EXTRACT_H

#include "spirv/io/lacks.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* Reduces a module to one entry point and drops the capabilities that the driver lacks, what
 * transform feedback declares and what other entry points alone declare. A geometry shader (for a
 * driver that only lacks feedback) keeps what it emits to raster_stream; it must not choose streams
 * by spec constants. Spec constants stay. The entry point keeps its name. */
enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out);

#endif
