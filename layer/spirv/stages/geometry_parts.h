/* SPDX-License-Identifier: MIT
 *
 * Rewrites the instructions and built-ins that only geometry shaders have, for all target stages.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_PARTS_H
#define PGS_SPIRV_STAGES_GEOMETRY_PARTS_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_vars.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex_part.h"

/* Replaces emits and ends of primitives by calls: of emits[stream], a void(), or 0 if nothing is
 * emitted to the stream and so it has no strips to end, and of end_primitive(uint stream, ...),
 * with `constants` as further arguments. */
void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive, const uint32_t *constants,
                           uint32_t constant_count);

/* Sources of the inputs. */
struct pgs_spv_geometry_sources {
    uint32_t primitive_id, invocation_id;     /* functions uint() */
    uint32_t view_index;                      /* likewise; 0: no input is gl_ViewIndex */
    const struct pgs_spv_vertex_part *vertex; /* `run` is 0: vertices have been stored before */
    uint32_t choose; /* else the id of void(uint vertex, uint topology, uint flags), which chooses
                      * the vertex to shade */
    struct pgs_spv_assembly assembly;
    uint32_t load, load4; /* access to stored vertices, as in struct pgs_spv_io_access */
};

/* Addresses stored vertices in memory where that is better than filling inputs. Call it before
 * these become Private. load, load4 and element: ids of library functions; element may be called
 * afterwards. */
void pgs_spv_address_vertices(struct pgs_spv_module *m, const struct pgs_spv_geometry_info *info,
                              uint32_t load, uint32_t load4, uint32_t element,
                              struct pgs_spv_io_vars *inputs);

/* Fills the inputs, which are Private. Ends in a new basic block. */
void pgs_spv_fill_geometry_inputs(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                  const struct pgs_spv_geometry_sources *sources,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_io_vars *inputs);

#endif
