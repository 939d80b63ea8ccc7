/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: vertex shaders, and what they become in the module of another stage.
 */
#ifndef PGS_SPIRV_VERTEX_H
#define PGS_SPIRV_VERTEX_H

#include "spirv/io/interface.h"

/* Functions of shaders/lib/vertex_inputs.glsl, which speak of one vertex at a time: somebody
 * chooses it first. The last one is for shaders with push constants. */
enum pgs_spv_vertex_function {
    PGS_SPV_VERTEX_INDEX,
    PGS_SPV_VERTEX_INSTANCE_INDEX,
    PGS_SPV_VERTEX_BASE_VERTEX,
    PGS_SPV_VERTEX_BASE_INSTANCE,
    PGS_SPV_VERTEX_DRAW_INDEX,
    PGS_SPV_VERTEX_FETCH,
    PGS_SPV_VERTEX_FETCH_WIDE,
    PGS_SPV_VERTEX_PUSH_ADDRESS,
    PGS_SPV_VERTEX_FUNCTIONS,
};
#define PGS_SPV_VERTEX_FUNCTION_NAMES                                                              \
    "pgs_vertex_index", "pgs_instance_index", "pgs_base_vertex", "pgs_base_instance",              \
        "pgs_draw_index", "pgs_fetch", "pgs_fetch_wide", "pgs_push_address"

/* vertex.c. Parses, folds and reduces a vertex shader and takes its interface apart: only what it
 * touches, with keep_interface also what else it could capture. m must be finished also on failure.
 */
enum pgs_spv_result pgs_spv_open_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                                        bool keep_interface, struct pgs_spv_leaves *inputs,
                                        struct pgs_spv_leaves *outputs);

/* vertex_inputs.c. Fills the inputs, which are Private. With native_builtins also those built-ins
 * that compute shaders have too, which are variables of the entry point then; else they are
 * UNSUPPORTED. */
struct pgs_spv_attribute_source {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const uint32_t *format; /* of struct pgs_spv_vertex_options */
    uint32_t *functions;    /* [PGS_SPV_VERTEX_FUNCTIONS]; those that are 0 become new ids when
                               they are called */
    bool native_builtins;
};
void pgs_spv_fill_attributes(const struct pgs_spv_attribute_source *source,
                             const struct pgs_spv_leaves *inputs);

/* A vertex shader within another module. */
struct pgs_spv_vertex_part {
    uint32_t run;    /* function void(): shades the vertex that was chosen, each time anew */
    uint32_t stored; /* what it stores by options->out, struct pgs_spv_port's `variable` */
};

/* vertex_part.c. Adds the vertex shader to m, which has been reduced. functions: ids of library
 * functions that m has or gets afterwards (pgs_spv_link). One that is 0 becomes a new id if the
 * vertex shader calls it, and stays 0 if not. What stage m is for does not matter: where the draw
 * record is, the functions know. UNSUPPORTED, and m is lost, where the two cannot be one module:
 * their versions or memory models differ, float controls contradict, or the vertex shader has side
 * effects (it runs as often as its caller likes), needs subgroups or something that we do not know.
 */
void pgs_spv_add_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                        const struct pgs_spv_vertex_options *options,
                        uint32_t functions[PGS_SPV_VERTEX_FUNCTIONS],
                        struct pgs_spv_vertex_part *part);

/* Private variables hold their initial values once in an invocation. Where something is run more
 * often, they are stored at the end of the functions section, each time anew. */
void pgs_spv_store_initial_values(struct pgs_spv_module *m);
/* Which invocations a subgroup has, and how many runs, would be others there. */
bool pgs_spv_needs_subgroups(const struct pgs_spv_module *m);

/* vertex_shade.c. Runs it for each vertex of a primitive that function choose, void(uint vertex),
 * chooses, and fills the inputs of a geometry shader that have a value for each. The basic block is
 * another one afterwards. */
void pgs_spv_shade_vertices(struct pgs_spv_module *m, struct pgs_spv_list *list,
                            const struct pgs_spv_vertex_part *part, uint32_t choose,
                            const struct pgs_spv_geometry_info *info,
                            const struct pgs_spv_leaves *inputs);
/* One such input, which is Private, of the vertex with that index, an id. */
void pgs_spv_fill_vertex(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                         uint32_t vertex);

/* merge.c. All of `from`, but for its entry point, joins m; of its modes float controls. ids: by id
 * of `from`, the id in m that stands for it; 0: m gets a copy under a new one, which is written
 * there. UNSUPPORTED as above. */
void pgs_spv_merge(struct pgs_spv_module *m, const struct pgs_spv_module *from, uint32_t *ids);

#endif
