/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what the passes over geometry shaders share.
 */
#ifndef PGS_SPIRV_GEOMETRY_H
#define PGS_SPIRV_GEOMETRY_H

#include "spirv/stages/vertex.h"

/* Parses, folds and reduces a geometry shader and takes its interface apart. m must be finished
 * also on failure. */
enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_leaves *inputs,
                                          struct pgs_spv_leaves *outputs);

/* pattern.c. Fills info->pattern, when modes and streams are checked. */
void pgs_spv_find_pattern(struct pgs_spv_module *m, struct pgs_spv_geometry_info *info);

/* geometry_parts.c. Emits and ends of primitives become calls: of emits[stream], a void(), or 0
 * where nothing is emitted to the stream, so that it has no strips to end, and of
 * end_primitive(uint stream). */
void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive);
/* Where the inputs come from. */
struct pgs_spv_geometry_sources {
    uint32_t primitive_id, invocation_id;     /* functions uint() */
    const struct pgs_spv_vertex_part *vertex; /* its `run` is 0: vertices have been stored */
    uint32_t choose;      /* else, void(uint vertex): the one that is shaded next */
    uint32_t load, load4; /* where they have been stored: of struct pgs_spv_port */
};
/* Addresses stored vertices where that is better than to fill inputs, before these are Private:
 * with load, load4 and element, ids of library functions, of which the last one may be called then.
 */
void pgs_spv_address_vertices(struct pgs_spv_module *m, const struct pgs_spv_geometry_info *info,
                              uint32_t load, uint32_t load4, uint32_t element,
                              struct pgs_spv_leaves *inputs);
/* Fills the inputs, which are Private. The basic block is another one afterwards. */
void pgs_spv_fill_geometry_inputs(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                  const struct pgs_spv_geometry_sources *sources,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_leaves *inputs);
/* The last values of an output: a Private array of so many. */
uint32_t pgs_spv_make_ring(struct pgs_spv_module *m, uint32_t type, uint32_t length);
/* Id of a pointer to one of them, which is of that type; place: id of a uint. */
uint32_t pgs_spv_ring_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t ring,
                              uint32_t type, uint32_t place);

#endif
