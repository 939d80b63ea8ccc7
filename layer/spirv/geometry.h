/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what the passes over geometry shaders share.
 */
#ifndef PGS_SPIRV_GEOMETRY_H
#define PGS_SPIRV_GEOMETRY_H

#include "spirv/interface.h"

/* Parses, folds and reduces a geometry shader and takes its interface apart. m must be finished
 * also on failure. */
enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_leaves *inputs,
                                          struct pgs_spv_leaves *outputs);

/* geometry_parts.c. Emits and ends of primitives become calls: of emits[stream], a void(), or 0
 * where nothing is emitted to the stream, so that it has no strips to end, and of
 * end_primitive(uint stream). */
void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive);
/* Fills an input, which is Private, that is none of a vertex: by what the two functions, uint(),
 * say. */
void pgs_spv_fill_geometry_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                   const struct pgs_spv_leaf *leaf, uint32_t primitive_id,
                                   uint32_t invocation_id);

#endif
