/* SPDX-License-Identifier: MIT
 *
 * Rewrites the instructions and built-ins that only geometry shaders have, for all target stages.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_PARTS_H
#define PGS_SPIRV_STAGES_GEOMETRY_PARTS_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_vars.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/evaluation_part.h"

/* The shader in front of the geometry shader that runs in the same module. */
struct pgs_spv_front {
    const struct pgs_spv_shader *vs; /* NULL: none, or */
    const struct pgs_spv_vertex_options *vertex;
    const struct pgs_spv_shader *tes; /* NULL: none */
    const struct pgs_spv_evaluation_options *evaluation;
};

/* Names of PGS_SPV_FRONT_FUNCTIONS library functions of a front: those of enum
 * pgs_spv_vertex_function, then those of an evaluation shader alone. */
#define PGS_SPV_FRONT_FUNCTION_NAMES PGS_SPV_VERTEX_FUNCTION_NAMES, PGS_SPV_EVALUATION_OWN_NAMES
#define PGS_SPV_FRONT_FUNCTIONS (PGS_SPV_VERTEX_FUNCTIONS + PGS_SPV_EVALUATION_VIEW_INDEX)

/* Adds the front to m, as pgs_spv_add_vertex. */
void pgs_spv_add_front(struct pgs_spv_module *m, const struct pgs_spv_front *front,
                       const struct pgs_spv_layout *out,
                       uint32_t functions[PGS_SPV_FRONT_FUNCTIONS],
                       struct pgs_spv_vertex_part *part);

/* What is known of the draws: only with an evaluation shader are they tessellated. */
struct pgs_spv_assembly pgs_spv_front_assembly(const struct pgs_spv_front *front,
                                               const struct pgs_spv_assembly *assembly);

/* Name of the function that chooses the vertex to shade. */
const char *pgs_spv_front_choose_name(const struct pgs_spv_vertex_part *part);

/* Replaces emits and ends of primitives by calls: of emits[stream], a void(), or 0 if nothing is
 * emitted to the stream and so it has no strips to end, and of end_primitive(uint stream, ...),
 * with `constants` as further arguments. */
void pgs_spv_replace_emits(struct pgs_spv_module *m, const uint32_t emits[PGS_SPV_STREAMS],
                           uint32_t end_primitive, const uint32_t *constants,
                           uint32_t constant_count);

/* Removes ends of strips, where their lengths are known, and emits to streams other than 0. */
void pgs_spv_drop_ends(struct pgs_spv_module *m);

/* Sources of the inputs. */
struct pgs_spv_geometry_sources {
    uint32_t primitive_id, invocation_id;     /* functions uint() */
    uint32_t view_index;                      /* likewise; 0: no input is gl_ViewIndex */
    const struct pgs_spv_vertex_part *vertex; /* `run` is 0: vertices have been stored before */
    /* Else the id of void(uint vertex, uint topology, uint flags), which chooses the vertex to
     * shade; with an evaluation shader that of pgs_patch_choose_vertex. */
    uint32_t choose;
    struct pgs_spv_assembly assembly;
    uint32_t load, load4; /* access to stored vertices, as in struct pgs_spv_io_access */
};

/* Addresses stored vertices in memory where that is better than filling inputs. Call it before
 * these become Private. load, load4 and element: ids of library functions; element may be called
 * afterwards. */
void pgs_spv_address_vertices(struct pgs_spv_module *m, const struct pgs_spv_geometry_info *info,
                              uint32_t load, uint32_t load4, uint32_t element,
                              struct pgs_spv_io_vars *inputs);

/* Calls what loads the parts of the record that are read: `record`, the id of void(), and
 * `attribute`, of void(uint location), for each bit of the mask of locations. */
void pgs_spv_take_record(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t record,
                         uint32_t attribute, uint32_t locations);

/* Fills the inputs, which are Private. Ends in a new basic block. */
void pgs_spv_fill_geometry_inputs(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                  const struct pgs_spv_geometry_sources *sources,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_io_vars *inputs);

#endif
