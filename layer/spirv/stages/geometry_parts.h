/* SPDX-License-Identifier: MIT
 *
 * What becomes of a geometry shader's own words and built-ins, whatever it becomes itself.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_PARTS_H
#define PGS_SPIRV_STAGES_GEOMETRY_PARTS_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_vars.h"
#include "spirv/stages/vertex_part.h"

/* Emits and ends of primitives become calls: of emits[stream], a void(), or 0
 * where nothing is emitted to the stream, so that it has no strips to end, and of
 * end_primitive(uint stream). */
void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive);

/* Where the inputs come from. */
struct pgs_spv_geometry_sources {
    uint32_t primitive_id, invocation_id;     /* functions uint() */
    const struct pgs_spv_vertex_part *vertex; /* its `run` is 0: vertices have been stored */
    uint32_t choose;      /* else, void(uint vertex): the one that is shaded next */
    uint32_t load, load4; /* where they have been stored: of struct pgs_spv_io_access */
};

/* Addresses stored vertices where that is better than to fill inputs, before these are Private:
 * with load, load4 and element, ids of library functions, of which the last one may be called then.
 */
void pgs_spv_address_vertices(struct pgs_spv_module *m, const struct pgs_spv_geometry_info *info,
                              uint32_t load, uint32_t load4, uint32_t element,
                              struct pgs_spv_io_vars *inputs);

/* Fills the inputs, which are Private. The basic block is another one afterwards. */
void pgs_spv_fill_geometry_inputs(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                  const struct pgs_spv_geometry_sources *sources,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_io_vars *inputs);

#endif
